//! What is odd or of no use in a file: a code for machines, a sentence for people, the line.

use paretoscope_domain::repo::Refused;

/// Codes of what is odd or was refused in a checkout.
pub mod reason {
    /// A file that can't be opened, or is no UTF-8.
    pub const UNREADABLE: &str = "unreadable";
    /// A file or a part of one that is not YAML.
    pub const NOT_YAML: &str = "not_yaml";
    /// A line that a failed merge left.
    pub const CONFLICT_MARKER: &str = "conflict_marker";
    /// Not the kind of value that belongs there.
    pub const WRONG_TYPE: &str = "wrong_type";
    /// A needed key is not there.
    pub const MISSING: &str = "missing";
    /// A key that the file's rules don't know.
    pub const UNKNOWN_KEY: &str = "unknown_key";
    /// A key that stands twice; the last one counts.
    pub const REPEATED_KEY: &str = "repeated_key";
    /// A word that the rules don't know.
    pub const UNKNOWN_WORD: &str = "unknown_word";
    /// Two things that exclude each other.
    pub const CONTRADICTION: &str = "contradiction";
    /// A configuration key that no master configuration has.
    pub const NO_SUCH_CONFIG: &str = "no_such_config";
    /// A configuration key that only the archive of retired configurations has.
    pub const RETIRED_CONFIG: &str = "retired_config";
    /// A wildcard that matches no configuration key.
    pub const MATCHES_NOTHING: &str = "matches_nothing";
    /// A link with a placeholder instead of a pull request's number.
    pub const PLACEHOLDER_LINK: &str = "placeholder_link";
    /// A link to a pull request with something behind its number.
    pub const LINK_SUFFIX: &str = "link_suffix";
    /// A link to a pull request of another repository.
    pub const OTHER_REPOSITORY: &str = "other_repository";
    /// No link to a pull request.
    pub const BAD_LINK: &str = "bad_link";
    /// Two files with one key.
    pub const SHARED_KEY: &str = "shared_key";
    /// A concurrency that stands twice in one list.
    pub const REPEATED_CONCURRENCY: &str = "repeated_concurrency";
    /// Words whose meaning is not certain.
    pub const NOT_UNDERSTOOD: &str = "not_understood";
    /// Two places give different days for one deprecation.
    pub const DAYS_DIFFER: &str = "days_differ";
    /// A model that the table of models does not have.
    pub const NO_SUCH_MODEL: &str = "no_such_model";
    /// The same file in another place, which was not read.
    pub const OTHER_PLACE: &str = "other_place";
    /// A file that differs from the commit it is read as.
    pub const DIFFERS_FROM_COMMIT: &str = "differs_from_commit";
    /// The checkout stands on another commit than the one given.
    pub const OTHER_COMMIT: &str = "other_commit";
}

/// Notes on one file.
#[derive(Debug)]
pub(crate) struct Notes<'a> {
    file: &'a str,
    all: &'a mut Vec<Refused>,
}

impl<'a> Notes<'a> {
    pub(crate) fn on(file: &'a str, all: &'a mut Vec<Refused>) -> Self {
        Self { file, all }
    }

    /// Something odd that is kept.
    pub(crate) fn odd(&mut self, line: u64, what: impl Into<String>, reason: &str, detail: impl Into<String>) {
        self.push(Some(line), what.into(), reason, detail.into(), true);
    }

    /// Something of no use, which is left out.
    pub(crate) fn refuse(&mut self, line: u64, what: impl Into<String>, reason: &str, detail: impl Into<String>) {
        self.push(Some(line), what.into(), reason, detail.into(), false);
    }

    /// The file itself is of no use.
    pub(crate) fn refuse_file(&mut self, reason: &str, detail: impl Into<String>) {
        self.push(None, "the file".to_owned(), reason, detail.into(), false);
    }

    /// The file itself is odd and was read.
    pub(crate) fn odd_file(&mut self, reason: &str, detail: impl Into<String>) {
        self.push(None, "the file".to_owned(), reason, detail.into(), true);
    }

    fn push(&mut self, line: Option<u64>, what: String, reason: &str, detail: String, kept: bool) {
        self.all.push(Refused { file: self.file.to_owned(), line, what, reason: reason.to_owned(), detail, kept });
    }
}
