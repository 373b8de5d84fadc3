//! Where bytes come from: folders and zip archives, one file at a time, never a whole archive in memory.

mod archive;
mod folder;
mod packed;
mod path;
mod stream;

pub(crate) use self::archive::visit_zip;
pub(crate) use self::folder::{visit_file, visit_folder};
pub(crate) use self::packed::LogRead;
pub(crate) use self::stream::digest_of_file;

use crate::refusal::Refusal;

/// A file of an artifact, read or only streamed through.
#[derive(Debug)]
pub(crate) struct FileSeen {
    /// Path inside the artifact, with `/`.
    pub(crate) path: String,
    /// Bytes, as far as they were seen.
    pub(crate) size: u64,
    /// `sha256:…`.
    pub(crate) digest: Option<String>,
    /// Content, where it was wanted.
    pub(crate) content: Option<Vec<u8>>,
    /// What was read of it as a log.
    pub(crate) log: Option<LogRead>,
    /// Why it could not be read.
    pub(crate) problem: Option<Refusal>,
}

/// What is wanted of a file. Every file is hashed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Want {
    /// Its size and digest.
    Nothing,
    /// Its bytes, held in memory.
    Content,
    /// What it says as a log: streamed.
    Log(Packing),
}

/// How a log is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    /// Not at all.
    Plain,
    /// One file.
    Gzip,
    /// Many files, not compressed.
    Tar,
    /// Many files, compressed.
    TarGzip,
}

impl Packing {
    /// What a file's name says.
    pub(crate) fn of_name(name: &str) -> Self {
        let name = name.to_ascii_lowercase();
        if name.ends_with(".tar.gz") || name.ends_with(".tgz") {
            Self::TarGzip
        } else if name.ends_with(".tar") {
            Self::Tar
        } else if name.ends_with(".gz") {
            Self::Gzip
        } else {
            Self::Plain
        }
    }
}

/// What a visitor wants and gets.
pub(crate) struct Visit<'a> {
    /// What is wanted of a file.
    pub(crate) want: &'a dyn Fn(&str) -> Want,
    /// Takes each file in turn.
    pub(crate) sink: &'a mut dyn FnMut(FileSeen),
}
