//! The tool's error: one sentence that names the file and what to do.

use std::{
    fmt, fs, io,
    path::{Path, PathBuf},
};

pub(crate) type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong, as a sentence for the person at the terminal.
#[derive(Debug)]
pub(crate) struct Error(String);

impl Error {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }

    /// An input or output error about `path`.
    pub(crate) fn io(doing: &str, path: &Path, source: &io::Error) -> Self {
        Self(format!("could not {doing} {}: {source}", path.display()))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

/// The bytes of a file that must be there; a missing one is usually a missing set-up.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).map_err(|source| match source.kind() {
        io::ErrorKind::NotFound => {
            Error::new(format!("{} is not there: run `make setup`, then this at the root of the workspace", path.display()))
        }
        _ => Error::io("read", path, &source),
    })
}

/// Writes a whole file or nothing: readers never see half of one.
pub(crate) fn write_atomic(path: &Path, bytes: &[u8]) -> Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|source| Error::io("create", folder, &source))?;
    }
    let mut draft = path.as_os_str().to_owned();
    draft.push(".draft");
    let draft = PathBuf::from(draft);
    fs::write(&draft, bytes).map_err(|source| Error::io("write", &draft, &source))?;
    fs::rename(&draft, path).map_err(|source| Error::io("replace", path, &source))
}
