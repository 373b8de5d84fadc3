//! The sign-off's additional-detail section, written from what was ingested.

mod language;

pub use language::{Language, UnknownLanguage};
