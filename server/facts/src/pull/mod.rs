//! Saved GitHub payloads of pull requests, and stated facts about runs.
//!
//! A file holds one JSON document or several, one after another, as `gh api --paginate` writes them; a document is known by its shape, never by its name:
//!
//! * REST (`application/vnd.github+json`): the pull request, its commits, files (with patches), comments of its conversation,
//!   reviews, events or timeline, labels; a collaborator's permission. A list may be one array, an array of pages
//!   (`--paginate --slurp`), or several files; a single commit, comment or review is taken too.
//! * What `gh pr view --json …` writes (`headRefOid`, `authorAssociation`, …).
//! * An object that holds several of these under `pull`, `commits`, `files`, `comments`, `reviews`, `events`, `timeline`, `labels`,
//!   `permissions`; so do the payloads of webhooks.
//! * Stated facts, a format of our own: [`stated`].
//!
//! Which pull request a list belongs to is told by its own addresses, by the document around it, by the newest commit it names, by
//! the pull request in the same folder or call, or by the number in its file's or folder's name: in this order. Of all else it is refused.
//!
//! `"paretoscope_retold": "…"` at the top of a document says that it is no payload of GitHub's but a retelling, and of what.

mod document;
mod fields;
mod gather;
mod list;
mod owner;
mod payload;
mod shape;
mod source;
pub mod stated;

use std::path::PathBuf;

use paretoscope_domain::fact::RunFact;
use paretoscope_domain::pull::Pull;
use paretoscope_domain::repo::Refused;
use serde::Serialize;

/// How to read.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// `owner/name` of pull requests whose payloads name no repository.
    pub repo: Option<String>,
}

/// What was read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PullBatch {
    /// Pull requests, each once, by repository and number; partial ones where only parts were there. What is known here already
    /// is theirs to meet: [`Pull::absorb`].
    pub pulls: Vec<Pull>,
    /// Stated facts, in the order of the files.
    pub stated: Vec<RunFact>,
    /// What could not be used, with its reason; the rest landed.
    pub refused: Vec<Refused>,
    /// What each file turned out to be, in the order of reading; files of which nothing could be used are not here.
    pub read: Vec<FileRead>,
}

/// A file and what it held.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FileRead {
    /// The file, as given or found.
    pub file: String,
    /// In words: `7 commits of pull request 4603`.
    pub held: Vec<String>,
}

/// Why nothing could be read.
#[derive(Debug, thiserror::Error)]
pub enum PullError {
    /// There is no file.
    #[error("{}: holds no *.json file: payloads of a pull request are expected, as `gh api repos/OWNER/NAME/pulls/N` prints them", list(.paths))]
    NothingFound {
        /// What was looked through.
        paths: Vec<PathBuf>,
    },
}

fn list(paths: &[PathBuf]) -> String {
    paths.iter().map(|p| p.display().to_string()).collect::<Vec<_>>().join(", ")
}

/// Reads files; folders are walked for `*.json`.
///
/// # Errors
/// When there is no file at all. A file that can't be read or understood is refused, and the rest lands.
pub fn read(paths: &[PathBuf], options: &Options) -> Result<PullBatch, PullError> {
    let (files, refused) = source::files(paths);
    if files.is_empty() && refused.is_empty() {
        return Err(PullError::NothingFound { paths: paths.to_vec() });
    }
    let mut batch = read_texts(files, options);
    batch.refused.splice(0..0, refused);
    Ok(batch)
}

/// The same from payloads at hand: a name, with `/` between its parts, and the bytes.
#[must_use]
pub fn read_texts(files: impl IntoIterator<Item = (String, Vec<u8>)>, options: &Options) -> PullBatch {
    let mut reading = document::Reading::default();
    for (name, bytes) in files {
        reading.file(&name, &bytes);
    }
    gather::gather(reading, options)
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test fails by panicking")]
mod tests;
