//! The cookbook's own account of configurations: generated snippets of the serving documentation (formats-and-rules §4).

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::ids::{Attempt, RunId};

/// One snippet file that parsed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CookbookFile {
    /// Repository it stands in: `sgl-project/sglang`.
    pub repo: String,
    /// Path within that repository, or as given.
    pub path: String,
    /// Commit of the checkout, where known.
    pub commit: Option<String>,
    /// Comment lines at its head.
    pub header: Vec<String>,
    /// Model as the file names it.
    pub model: String,
    /// When it was generated, as told.
    pub generated_on: Option<String>,
    /// Benchmark repository it mirrors.
    pub source_repo: Option<String>,
    /// Commit of that repository's main branch.
    pub source_sha: Option<String>,
    /// Pull requests it mirrors.
    pub pulls: BTreeMap<i64, CookbookPull>,
    /// Cells: one for each search-space item of a configuration.
    pub cells: Vec<Cell>,
    /// Pull request of the cookbook that brought this state, where told by the importer or a comment.
    pub cookbook_pr: Option<i64>,
    /// Page people read.
    pub page: Option<String>,
}

/// A pull request as the snippet mirrors it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CookbookPull {
    /// Run it claims; `None` while none is pinned.
    pub run_id: Option<RunId>,
    /// Commit.
    pub sha: Option<String>,
    /// Status as written.
    pub status: Option<String>,
}

/// How far a configuration has come in the cookbook.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum CookbookStatus {
    /// The official data knows it, the cookbook doesn't.
    NotPublished,
    /// Mirrors an open pull request's head; no run is pinned.
    InProgress,
    /// Mirrors the run pinned on an open pull request.
    VerifiedPr,
    /// Merged.
    Verified,
}

impl CookbookStatus {
    /// The word, as in the API.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NotPublished => "not-published",
            Self::InProgress => "in-progress",
            Self::VerifiedPr => "verified-pr",
            Self::Verified => "verified",
        }
    }

    /// For people.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::NotPublished => "not published",
            Self::InProgress => "in progress",
            Self::VerifiedPr => "verified on the PR",
            Self::Verified => "verified",
        }
    }

    /// Reads a word.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        [Self::NotPublished, Self::InProgress, Self::VerifiedPr, Self::Verified].into_iter().find(|s| s.as_str() == text.trim())
    }
}

/// A cell: one search-space item of one configuration.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// Id: `<configuration key>#<item>`.
    pub id: String,
    /// Configuration key.
    pub config_key: String,
    /// Hardware as written.
    pub hardware: String,
    /// Checkpoint as written.
    pub checkpoint: Option<String>,
    /// Label: `Agg TP2·EP2`.
    pub label: String,
    /// Detail, as written.
    pub detail: Option<String>,
    /// GPUs.
    pub gpus: Option<u32>,
    /// Image reference without digest.
    pub image: Option<String>,
    /// Digest.
    pub image_digest: Option<String>,
    /// `ok`, `pruned`, `digest-only`; as written.
    pub image_status: Option<String>,
    /// Commit of the engine the image was built from.
    pub image_commit: Option<String>,
    /// Engine it was submitted with: `sglang`, `dynamo`.
    pub submitted: Option<String>,
    /// What the cell discloses: `synthetic-acceptance`, …
    pub disclosures: Vec<String>,
    /// Commit measured or mirrored.
    pub sha: Option<String>,
    /// Recipe file.
    pub recipe: Option<String>,
    /// Run it claims.
    pub run_id: Option<RunId>,
    /// Attempt it claims.
    pub attempt: Option<Attempt>,
    /// Pull request it mirrors.
    pub pr: Option<i64>,
    /// Status as written; `None` where absent.
    pub status_word: Option<String>,
    /// Date, as written.
    pub date: Option<String>,
    /// Points.
    pub points: Vec<CellPoint>,
    /// Environment of all its blocks, shared ones resolved: name, value.
    pub env: Vec<(String, String)>,
    /// Arguments of all its blocks: flag, value.
    pub args: Vec<(String, Option<String>)>,
    /// Commands of its blocks.
    pub commands: Vec<String>,
}

/// The points of a cell that share settings.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CellPoint {
    /// Concurrencies.
    pub concs: Vec<u32>,
    /// Item of the search space.
    pub item: Option<String>,
    /// Override of the recipe.
    pub override_name: Option<String>,
    /// Golden acceptance length, as written.
    pub golden_al: Option<String>,
}

/// A state of a snippet file as it was seen: states are kept, the newest is current.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CookbookVersion {
    /// What the file says.
    pub file: CookbookFile,
    /// `sha256:…` of the file's bytes.
    pub digest: String,
    /// When its commit was made or, where a cookbook pull request brought it, merged.
    pub committed_at: Option<Timestamp>,
    /// When it was read here.
    pub synced_at: Timestamp,
}

impl CookbookVersion {
    /// The time it counts from: of its commit, else of its reading.
    #[must_use]
    pub fn at(&self) -> Timestamp {
        self.committed_at.unwrap_or(self.synced_at)
    }
}
