//! Folders as `gh run download` lays them.

use std::fs::File;
use std::path::Path;

use walkdir::WalkDir;

use super::stream::{Budget, stream};
use super::{FileSeen, Visit, Want};
use crate::options::Limits;
use crate::refusal::{Refusal, code};

/// Visits the files below a folder, by path.
pub(crate) fn visit_folder(root: &Path, limits: &Limits, visit: &mut Visit<'_>) {
    let real_root = root.canonicalize().ok();
    let mut seen = 0_usize;
    for entry in WalkDir::new(root).sort_by_file_name() {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                let path = error.path().map(|p| inside(root, p)).unwrap_or_default();
                refuse(visit, path, Refusal::new(code::UNREADABLE, error.to_string()));
                continue;
            }
        };
        if entry.depth() == 0 || entry.file_type().is_dir() {
            continue;
        }
        let path = inside(root, entry.path());
        seen += 1;
        if seen > limits.entries {
            return refuse(visit, String::new(), Refusal::new(code::TOO_LARGE, format!("more than {} files", limits.entries)));
        }
        if entry.path_is_symlink() {
            let target = entry.path().canonicalize().ok();
            match (target, &real_root) {
                (Some(target), Some(root)) if target.starts_with(root) => {
                    if target.is_file() {
                        read(entry.path(), path, limits, visit);
                    }
                }
                _ => refuse(visit, path, Refusal::new(code::PATH_ESCAPES, "a symbolic link that leads out of the folder, or nowhere")),
            }
        } else if entry.file_type().is_file() {
            read(entry.path(), path, limits, visit);
        }
    }
}

/// Visits one file, which stands for an artifact of its own.
pub(crate) fn visit_file(path: &Path, limits: &Limits, visit: &mut Visit<'_>) {
    let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    read(path, name, limits, visit);
}

fn read(at: &Path, path: String, limits: &Limits, visit: &mut Visit<'_>) {
    let want = (visit.want)(&path);
    let bytes = if want == Want::Content { limits.json_bytes } else { limits.entry_bytes };
    let opened = File::open(at).and_then(|file| file.metadata().map(|meta| (file, meta.len())));
    let (mut file, declared) = match opened {
        Ok(opened) => opened,
        Err(error) => return refuse(visit, path, Refusal::new(code::UNREADABLE, error.to_string())),
    };
    let outcome = if declared > bytes {
        Err(Refusal::new(code::TOO_LARGE, format!("{declared} bytes, more than {bytes}")))
    } else {
        stream(&mut file, want, &path, Budget { bytes, suspicious: None }, limits, code::UNREADABLE)
    };
    (visit.sink)(match outcome {
        Ok(streamed) => FileSeen {
            path,
            size: streamed.size,
            digest: Some(streamed.digest),
            content: streamed.content,
            log: streamed.log,
            problem: None,
        },
        Err(refusal) => FileSeen { path, size: declared, digest: None, content: None, log: None, problem: Some(refusal) },
    });
}

fn refuse(visit: &mut Visit<'_>, path: String, refusal: Refusal) {
    (visit.sink)(FileSeen { path, size: 0, digest: None, content: None, log: None, problem: Some(refusal) });
}

fn inside(root: &Path, path: &Path) -> String {
    let relative = path.strip_prefix(root).unwrap_or(path);
    relative.components().map(|c| c.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
}
