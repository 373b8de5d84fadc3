//! Generated snippets of the serving cookbook (formats-and-rules §4): what it says of each configuration.
//!
//! A snippet is `docs/src/snippets/agentx/<org>/<model>.jsx` of the sglang repository: `//` comment lines, then
//! `export const agentx = { … };` whose object is plain JSON. The same object in a `.json` file is taken too.

mod blocks;
mod cell;
mod checkout;
mod snippet;

use std::fs;
use std::path::{Path, PathBuf};

use hex::ToHex as _;
use jiff::Timestamp;
use paretoscope_domain::cookbook::{CookbookFile, CookbookVersion};
use paretoscope_domain::repo::Refused;
use sha2::{Digest as _, Sha256};

use checkout::{Checkout, Origin};

/// Repository whose documentation the cookbook is.
pub const COOKBOOK_REPO: &str = "sgl-project/sglang";
/// No snippet comes near it.
const LARGEST: u64 = 64 << 20;

/// What the caller knows of the files; each takes the place of what the checkout tells.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Repository they stand in; [`COOKBOOK_REPO`] unless told.
    pub repo: Option<String>,
    /// Commit of the checkout.
    pub commit: Option<String>,
    /// When that commit was made or, where a pull request brought it, merged.
    pub committed_at: Option<Timestamp>,
    /// Pull request of the cookbook that brought this state.
    pub cookbook_pr: Option<i64>,
    /// Page people read.
    pub page: Option<String>,
    /// Path of a single file within the repository, where it lies somewhere else.
    pub path: Option<String>,
}

/// What was read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CookbookRead {
    /// States of the snippets that parsed, by path.
    pub versions: Vec<CookbookVersion>,
    /// Snippets that did not parse (their last good state stays), cells that could not be used, and odd things that were kept.
    pub refused: Vec<Refused>,
}

/// Why nothing could be read.
#[derive(Debug, thiserror::Error)]
pub enum CookbookError {
    /// There is nothing there.
    #[error("{}: {source}", path.display())]
    Unreadable {
        /// What was to be read.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// There is no snippet there.
    #[error(
        "{}: holds no snippet: a checkout of the sglang repository with docs/src/snippets/agentx/ is expected, or a snippet file", path.display()
    )]
    NothingFound {
        /// What was looked through.
        path: PathBuf,
    },
    /// One path was told, but there are several files.
    #[error("{}: holds {found} snippets: a path can be told for a single file only", path.display())]
    SeveralFiles {
        /// What was looked through.
        path: PathBuf,
        /// How many.
        found: usize,
    },
}

/// Reads a checkout, a folder in one, or a single file. `now` is the time of reading.
///
/// # Errors
/// When there is no snippet at all. One that can't be used is refused, and the others land.
pub fn read(path: &Path, options: &Options, now: Timestamp) -> Result<CookbookRead, CookbookError> {
    fs::metadata(path).map_err(|source| CookbookError::Unreadable { path: path.to_owned(), source })?;
    let files = checkout::snippets(path);
    match (files.len(), &options.path) {
        (0, _) => return Err(CookbookError::NothingFound { path: path.to_owned() }),
        (found, Some(_)) if found > 1 => return Err(CookbookError::SeveralFiles { path: path.to_owned(), found }),
        _ => {}
    }
    let checkout = Checkout::around(path);
    let mut read = CookbookRead::default();
    for file in files {
        let name = options.path.clone().unwrap_or_else(|| checkout::path_within(&file));
        let bytes = match fs::metadata(&file) {
            Ok(about) if about.len() > LARGEST => {
                read.refused.push(refusal(&name, None, "file", "too_large", format!("{} MB", about.len() >> 20)));
                continue;
            }
            _ => fs::read(&file),
        };
        match bytes {
            Ok(bytes) => {
                let (origin, page) = (checkout.origin(&file), checkout.page(&file));
                if origin.changed && options.commit.is_none() {
                    let detail = "it is not as it stands in the commit: it counts from its reading";
                    read.refused.push(Refused { kept: true, ..refusal(&name, None, "file", "differs_from_commit", detail) });
                }
                take(&mut read, &name, &bytes, Told { options, origin, page, now });
            }
            Err(error) => read.refused.push(refusal(&name, None, "file", "unreadable", error.to_string())),
        }
    }
    read.versions.sort_by(|a, b| a.file.path.cmp(&b.file.path));
    Ok(read)
}

/// The same from a snippet at hand: its path within the repository, and its bytes.
#[must_use]
pub fn read_text(path: &str, bytes: &[u8], options: &Options, now: Timestamp) -> CookbookRead {
    let mut read = CookbookRead::default();
    take(&mut read, path, bytes, Told { options, origin: Origin::default(), page: None, now });
    read
}

/// What is known of a file beside its bytes.
struct Told<'a> {
    options: &'a Options,
    origin: Origin,
    page: Option<String>,
    now: Timestamp,
}

fn take(read: &mut CookbookRead, name: &str, bytes: &[u8], told: Told<'_>) {
    let Told { options, origin, page, now } = told;
    let mut refused = Vec::new();
    match snippet::parse(name, bytes, &mut refused) {
        Ok(file) => {
            let file = CookbookFile {
                repo: options.repo.clone().unwrap_or_else(|| COOKBOOK_REPO.to_owned()),
                path: name.to_owned(),
                commit: options.commit.clone().or(origin.commit),
                cookbook_pr: options.cookbook_pr.or(origin.pull),
                page: options.page.clone().or(page),
                ..file
            };
            let digest = format!("sha256:{}", Sha256::digest(bytes).encode_hex::<String>());
            let committed_at = options.committed_at.or(origin.at);
            read.versions.push(CookbookVersion { file, digest, committed_at, synced_at: now });
        }
        Err(refusal) => refused.push(refusal),
    }
    read.refused.append(&mut refused);
}

fn refusal(file: &str, line: Option<u64>, what: &str, reason: &str, detail: impl Into<String>) -> Refused {
    Refused { file: file.to_owned(), line, what: what.to_owned(), reason: reason.to_owned(), detail: detail.into(), kept: false }
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test fails by panicking")]
mod tests;
