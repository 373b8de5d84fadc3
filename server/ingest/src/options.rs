//! What the caller may say about an ingest.

use std::path::PathBuf;

use paretoscope_domain::{Attempt, Kind, RunId};

/// What the caller knows better than the files, and how much is read at most.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The run, where the files do not say.
    pub run_id: Option<RunId>,
    /// The attempt that uploaded everything.
    pub attempt: Option<Attempt>,
    /// Standing of the run.
    pub kind: Option<Kind>,
    /// A workflow-run payload that lies elsewhere.
    pub run_json: Option<PathBuf>,
    /// How much is read at most.
    pub limits: Limits,
}

/// How much of an artifact is read at most. What is beyond is refused as `too_large`, the rest lands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one JSON file, which is held in memory.
    pub json_bytes: u64,
    /// Bytes of one file, unpacked; files that are no JSON of ours are only streamed through.
    pub entry_bytes: u64,
    /// Bytes of all files of one archive, unpacked.
    pub archive_bytes: u64,
    /// Files in one archive or folder.
    pub entries: usize,
    /// How many times its packed size a file may have, once it is beyond [`Limits::ratio_from`].
    pub ratio: u64,
    /// Bytes from which on the ratio is looked at: small files of blanks pack well, and harm nobody.
    pub ratio_from: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { json_bytes: 64 << 20, entry_bytes: 8 << 30, archive_bytes: 32 << 30, entries: 50_000, ratio: 400, ratio_from: 16 << 20 }
    }
}

/// How far reading has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress<'a> {
    /// All runs were looked through.
    Found {
        /// Artifacts, over all runs.
        artifacts: usize,
    },
    /// An artifact is read now.
    Reading {
        /// Its name.
        artifact: &'a str,
        /// Artifacts read before it.
        done: usize,
        /// Artifacts in all.
        of: usize,
    },
}
