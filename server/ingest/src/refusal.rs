//! Why a row or a file was not taken: a code for machines and a sentence for people.

/// Codes.
pub(crate) mod code {
    pub(crate) const MISSING_IDENTITY: &str = "missing_identity";
    pub(crate) const NOT_A_NUMBER: &str = "not_a_number";
    pub(crate) const NEGATIVE: &str = "negative";
    pub(crate) const OUT_OF_RANGE: &str = "out_of_range";
    pub(crate) const WRONG_TYPE: &str = "wrong_type";
    pub(crate) const BAD_JSON: &str = "bad_json";
    pub(crate) const BAD_ZIP: &str = "bad_zip";
    pub(crate) const BAD_ZIP_ENTRY: &str = "bad_zip_entry";
    pub(crate) const BAD_ARCHIVE: &str = "bad_archive";
    pub(crate) const ENCRYPTED: &str = "encrypted";
    pub(crate) const TOO_LARGE: &str = "too_large";
    pub(crate) const PATH_ESCAPES: &str = "path_escapes";
    pub(crate) const UNREADABLE: &str = "unreadable";
    pub(crate) const UNMAPPED_MODEL: &str = "unmapped_model";
    pub(crate) const UNMAPPED_HARDWARE: &str = "unmapped_hardware";
    pub(crate) const UNMAPPED_FRAMEWORK: &str = "unmapped_framework";
    pub(crate) const UNMAPPED_PRECISION: &str = "unmapped_precision";
    pub(crate) const UNMAPPED_SPEC: &str = "unmapped_spec";
    pub(crate) const UNMAPPED_SCENARIO: &str = "unmapped_scenario";
}

/// Why something was not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    /// One of [`code`].
    pub(crate) reason: &'static str,
    /// What exactly, in words.
    pub(crate) detail: String,
}

impl Refusal {
    pub(crate) fn new(reason: &'static str, detail: impl Into<String>) -> Self {
        Self { reason, detail: detail.into() }
    }

    /// Whether the vocabulary lacks a word, as against the row being of no use.
    pub(crate) fn is_unmapped(&self) -> bool {
        self.reason.starts_with("unmapped_")
    }
}
