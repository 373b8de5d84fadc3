//! How far a run has come: unofficial → staged → official.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Standing of a run. The order is the ladder's: a later kind is a higher one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Seen before, or without, ingest into the official results.
    #[default]
    Unofficial,
    /// Published to the staging results on request.
    Staged,
    /// Part of the official results.
    Official,
}

/// A text that names no kind.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a kind: unofficial, staged or official")]
pub struct BadKind(pub String);

impl Kind {
    /// All kinds, lowest first.
    pub const ALL: [Self; 3] = [Self::Unofficial, Self::Staged, Self::Official];

    /// The word, as in the address and the API.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unofficial => "unofficial",
            Self::Staged => "staged",
            Self::Official => "official",
        }
    }

    /// The sentence that a page, an export or a preview image carries; official runs need none.
    #[must_use]
    pub fn notice(self) -> Option<&'static str> {
        match self {
            Self::Unofficial => Some("UNOFFICIAL RUN: not an official result"),
            Self::Staged => Some("STAGED RUN: not an official result"),
            Self::Official => None,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Kind {
    type Err = BadKind;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|kind| kind.as_str().eq_ignore_ascii_case(text)).ok_or_else(|| BadKind(text.to_owned()))
    }
}
