//! The folder of published files: hashed names, compressed copies, a manifest.

use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::OsStr,
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use brotli::enc::BrotliEncoderParams;
use flate2::{Compression, GzBuilder};
use sha2::{Digest, Sha256};

use crate::error::{self, Error, Result};

/// How hard to compress: most for what ships, little for a debug build's module.
#[derive(Clone, Copy)]
pub(crate) enum Effort {
    Most,
    Little,
}

/// Kinds of file that are compressed already.
const PACKED: [&str; 6] = ["woff2", "png", "jpg", "webp", "avif", "gz"];

/// The folder being built. Files of an earlier build go when this one is done.
pub(crate) struct Site {
    root: PathBuf,
    manifest: BTreeMap<String, String>,
    kept: BTreeSet<PathBuf>,
    sizes: Vec<String>,
}

impl Site {
    /// Opens or creates the folder.
    pub(crate) fn open(root: &Path) -> Result<Self> {
        let assets = root.join("assets");
        fs::create_dir_all(&assets).map_err(|source| Error::io("create", &assets, &source))?;
        Ok(Self { root: root.to_owned(), manifest: BTreeMap::new(), kept: BTreeSet::new(), sizes: Vec::new() })
    }

    /// Logical names and the paths they have so far, relative to the site's root.
    pub(crate) fn manifest(&self) -> &BTreeMap<String, String> {
        &self.manifest
    }

    /// Publishes `bytes` under `logical`, such as `app.css` or `fonts/inter.woff2`.
    pub(crate) fn add(&mut self, logical: &str, bytes: &[u8], effort: Effort) -> Result<()> {
        let hashed = format!("assets/{}", hashed_name(logical, bytes));
        let path = self.root.join(&hashed);
        let mut size = format!("{logical} {}", kib(bytes.len() as u64));
        if !PACKED.iter().any(|kind| logical.ends_with(&format!(".{kind}"))) {
            let packed = self.keep(suffixed(&path, ".br"), || brotli(bytes, effort))?;
            self.keep(suffixed(&path, ".gz"), || gzip(bytes, effort))?;
            size = format!("{size} ({} as Brotli)", kib(packed));
        }
        // Last, so that a file that is there has its copies beside it.
        self.keep(path, || Ok(bytes.to_vec()))?;
        self.sizes.push(size);
        self.manifest.insert(logical.to_owned(), hashed);
        Ok(())
    }

    /// Writes the manifest, removes files of earlier builds, and says what was built.
    pub(crate) fn finish(self) -> Result<String> {
        let path = self.root.join("manifest.json");
        let mut json =
            serde_json::to_vec_pretty(&self.manifest).map_err(|source| Error::new(format!("could not write the manifest: {source}")))?;
        json.push(b'\n');
        if fs::read(&path).ok().as_deref() != Some(json.as_slice()) {
            error::write_atomic(&path, &json)?;
        }
        for file in files_under(&self.root.join("assets"))? {
            if !self.kept.contains(&file) {
                fs::remove_file(&file).map_err(|source| Error::io("remove", &file, &source))?;
            }
        }
        Ok(format!("web assets: {}", self.sizes.join(", ")))
    }

    /// Keeps a file of this build, making it only if it isn't there: its name holds
    /// the hash of its content. Its size in bytes.
    fn keep(&mut self, path: PathBuf, make: impl FnOnce() -> io::Result<Vec<u8>>) -> Result<u64> {
        let size = match fs::metadata(&path) {
            Ok(there) => there.len(),
            Err(_) => {
                let bytes = make().map_err(|source| Error::io("make", &path, &source))?;
                error::write_atomic(&path, &bytes)?;
                bytes.len() as u64
            }
        };
        self.kept.insert(path);
        Ok(size)
    }
}

/// `fonts/inter.woff2` becomes `fonts/inter.1a2b3c4d.woff2`.
fn hashed_name(logical: &str, bytes: &[u8]) -> String {
    let digest = hex::encode(Sha256::digest(bytes));
    let hash = digest.get(..8).unwrap_or(&digest);
    match logical.rsplit_once('.') {
        Some((stem, extension)) => format!("{stem}.{hash}.{extension}"),
        None => format!("{logical}.{hash}"),
    }
}

fn suffixed(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

fn brotli(bytes: &[u8], effort: Effort) -> io::Result<Vec<u8>> {
    let params = BrotliEncoderParams {
        quality: match effort {
            Effort::Most => 11,
            Effort::Little => 2,
        },
        size_hint: bytes.len(),
        ..Default::default()
    };
    let mut packed = Vec::new();
    brotli::BrotliCompress(&mut &bytes[..], &mut packed, &params)?;
    Ok(packed)
}

fn gzip(bytes: &[u8], effort: Effort) -> io::Result<Vec<u8>> {
    let level = match effort {
        Effort::Most => Compression::best(),
        Effort::Little => Compression::fast(),
    };
    let mut packed = GzBuilder::new().write(Vec::new(), level);
    packed.write_all(bytes)?;
    packed.finish()
}

fn kib(bytes: u64) -> String {
    format!("{:.1} KiB", bytes as f64 / 1024.0)
}

/// The files directly in `folder`, in name order; none if it isn't there.
pub(crate) fn files_in(folder: &Path) -> Result<Vec<PathBuf>> {
    Ok(entries(folder)?.into_iter().filter(|path| path.is_file()).collect())
}

/// All files in `folder` and the folders in it, in name order; none if it isn't there.
pub(crate) fn files_under(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in entries(folder)? {
        if path.is_dir() {
            files.extend(files_under(&path)?);
        } else {
            files.push(path);
        }
    }
    Ok(files)
}

/// What is directly in `folder`, in name order, without hidden files.
fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let listing = match fs::read_dir(folder) {
        Err(source) if source.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        listing => listing.map_err(|source| Error::io("list", folder, &source))?,
    };
    let mut paths = Vec::new();
    for entry in listing {
        let entry = entry.map_err(|source| Error::io("list", folder, &source))?;
        if !entry.file_name().as_encoded_bytes().starts_with(b".") {
            paths.push(entry.path());
        }
    }
    paths.sort();
    Ok(paths)
}

/// A file's path below `folder`, with `/` between its parts.
pub(crate) fn logical_name(folder: &Path, file: &Path) -> Result<String> {
    file.strip_prefix(folder)
        .ok()
        .and_then(|below| below.iter().map(OsStr::to_str).collect::<Option<Vec<_>>>())
        .map(|parts| parts.join("/"))
        .ok_or_else(|| Error::new(format!("{} has a name that is not UTF-8", file.display())))
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    fn listing(root: &Path) -> Vec<String> {
        files_under(root).unwrap().iter().map(|file| logical_name(root, file).unwrap()).collect()
    }

    #[test]
    fn a_name_holds_eight_digits_of_the_contents_sha_256() {
        assert_eq!(hashed_name("app.css", b"abc"), "app.ba7816bf.css");
        assert_eq!(hashed_name("fonts/inter.woff2", b"abc"), "fonts/inter.ba7816bf.woff2");
        assert_eq!(hashed_name("robots", b"abc"), "robots.ba7816bf");
    }

    #[test]
    fn a_file_gets_a_hashed_name_copies_and_a_line_in_the_manifest() {
        let root = tempfile::tempdir().unwrap();
        let text = "body { color: red }".repeat(50);
        let mut site = Site::open(root.path()).unwrap();
        site.add("app.css", text.as_bytes(), Effort::Most).unwrap();
        site.add("fonts/a.woff2", b"font", Effort::Most).unwrap();
        site.finish().unwrap();

        let css = format!("assets/{}", hashed_name("app.css", text.as_bytes()));
        let files = listing(root.path());
        assert_eq!(files.len(), 5, "{files:?}");
        for file in [&css, &format!("{css}.br"), &format!("{css}.gz"), "manifest.json"] {
            assert!(files.iter().any(|there| there == file), "{file} in {files:?}");
        }
        let manifest: BTreeMap<String, String> = serde_json::from_slice(&fs::read(root.path().join("manifest.json")).unwrap()).unwrap();
        assert_eq!(manifest.get("app.css"), Some(&css));
        assert!(manifest.get("fonts/a.woff2").unwrap().starts_with("assets/fonts/a."));

        let mut unpacked = String::new();
        brotli::Decompressor::new(fs::File::open(root.path().join(format!("{css}.br"))).unwrap(), 4096)
            .read_to_string(&mut unpacked)
            .unwrap();
        assert_eq!(unpacked, text);
    }

    #[test]
    fn a_second_build_touches_nothing_and_a_changed_file_replaces_its_old_name() {
        let root = tempfile::tempdir().unwrap();
        let build = |text: &str| {
            let mut site = Site::open(root.path()).unwrap();
            site.add("app.css", text.as_bytes(), Effort::Little).unwrap();
            site.finish().unwrap();
        };
        let times = || -> Vec<_> {
            let modified = |file: PathBuf| fs::metadata(file).unwrap().modified().unwrap();
            files_under(root.path()).unwrap().into_iter().map(modified).collect()
        };
        build("one");
        let (files, first) = (listing(root.path()), times());
        build("one");
        assert_eq!((listing(root.path()), times()), (files.clone(), first));
        build("two");
        let after = listing(root.path());
        assert_eq!(after.len(), files.len());
        assert_ne!(after, files);
    }
}
