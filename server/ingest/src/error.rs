//! What keeps a whole ingest from happening. What is wrong with one row or file is no error: it is quarantined.

use std::path::PathBuf;

/// Why nothing could be read.
#[derive(Debug, thiserror::Error)]
pub enum IngestError {
    /// Nothing says which run the files are of.
    #[error(
        "{}: nothing says which run this is: give --run-id, put the run's payload beside the artifacts as run.json (or give --run-json), \
         or name the folder by the run's number", path.display()
    )]
    NoRunId {
        /// What was being read.
        path: PathBuf,
    },
    /// There is no file to read.
    #[error("{}: holds no artifacts: a folder with one folder or zip for each artifact is expected, one artifact zip, or one JSON file", path.display())]
    NothingFound {
        /// What was being read.
        path: PathBuf,
    },
    /// A single file that is none of a run's.
    #[error("{}: is no file of a run: {detail}", path.display())]
    NotRecognised {
        /// The file.
        path: PathBuf,
        /// What it looks like.
        detail: String,
    },
    /// The file system said no.
    #[error("{}: cannot be read: {source}", path.display())]
    Unreadable {
        /// What was being read.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// The workflow-run payload is of no use.
    #[error("{}: is no workflow-run payload: {detail}", path.display())]
    BadRunJson {
        /// The payload's file.
        path: PathBuf,
        /// What is wrong with it.
        detail: String,
    },
    /// One run was named, but there are several.
    #[error("{flag} names one run, but {} run folders were found: {}; ingest them one by one, or leave {flag} out", found.len(), list(found))]
    SeveralRuns {
        /// The flag.
        flag: &'static str,
        /// The run folders.
        found: Vec<PathBuf>,
    },
}

fn list(paths: &[PathBuf]) -> String {
    let mut shown: Vec<String> = paths.iter().take(3).map(|p| p.display().to_string()).collect();
    if paths.len() > shown.len() {
        shown.push("…".to_owned());
    }
    shown.join(", ")
}
