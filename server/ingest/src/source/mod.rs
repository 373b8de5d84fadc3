//! Where bytes come from: folders and zip archives, one file at a time, never a whole archive in memory.

mod archive;
mod folder;
mod path;
mod stream;

pub(crate) use self::archive::visit_zip;
pub(crate) use self::folder::{visit_file, visit_folder};
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
    /// Why it could not be read.
    pub(crate) problem: Option<Refusal>,
}

/// What a visitor wants and gets.
pub(crate) struct Visit<'a> {
    /// Whether a file's content is wanted.
    pub(crate) wanted: &'a dyn Fn(&str) -> bool,
    /// Takes each file in turn.
    pub(crate) sink: &'a mut dyn FnMut(FileSeen),
}
