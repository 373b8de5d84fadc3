//! What is kept of things that are synced rather than ingested, as lists show it.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::pull::PullState;

/// What became of something that was handed to the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stored {
    /// It was not known.
    New,
    /// It was known, and says something else now.
    Changed,
    /// It was known just so: nothing was written.
    Same,
}

impl Stored {
    /// For people.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Changed => "changed",
            Self::Same => "unchanged",
        }
    }
}

/// A synced state of the benchmark repository, without its contents.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RepoState {
    /// Its key: the commit or, where none is known, `sha256:…` of what was read.
    pub key: String,
    /// Commit.
    pub commit: Option<String>,
    /// When that commit was made.
    pub committed_at: Option<Timestamp>,
    /// When it was read here.
    pub synced_at: Timestamp,
    /// Entries of its changelog.
    pub changelog_entries: u64,
    /// Master configurations.
    pub configs: u64,
    /// Things in it that are odd or could not be used.
    pub refused: u64,
    /// A pull request that is known here and has this commit among its own: then it is no state of the main branch.
    pub pull: Option<i64>,
}

impl RepoState {
    /// The time it counts from: of its commit, else of its reading.
    #[must_use]
    pub fn at(&self) -> Timestamp {
        self.committed_at.unwrap_or(self.synced_at)
    }
}

/// A pull request, without its contents.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PullRow {
    /// `owner/name`.
    pub repo: String,
    /// Number.
    pub number: i64,
    /// Title.
    pub title: String,
    /// State.
    pub state: PullState,
    /// Not ready for review.
    pub draft: bool,
    /// Who opened it.
    pub author: String,
    /// Newest commit; empty where never told.
    pub head_sha: String,
    /// Page.
    pub url: String,
    /// Labels now.
    pub labels: Vec<String>,
    /// When it was opened.
    pub created_at: Option<Timestamp>,
    /// When it last changed.
    pub updated_at: Option<Timestamp>,
    /// When it was merged.
    pub merged_at: Option<Timestamp>,
    /// When something new of it was last read here.
    pub synced_at: Timestamp,
    /// Where this is no payload of GitHub's but a retelling: what it is, in words for the page.
    pub retold: Option<String>,
}
