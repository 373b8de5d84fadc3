//! A fact about a run's execution that is in no result row: an environment variable, a server argument, an acceptance length,
//! the build of an image. Each says where it was found, or who stated it.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::ids::{Attempt, RunId};

/// One fact.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RunFact {
    /// Run.
    pub run_id: RunId,
    /// Attempt whose artifact or log it was read in, or that it was stated for; null where not known.
    #[serde(default)]
    pub attempt: Option<Attempt>,
    /// Point it is about, by label (`TP4 c1`); null where it is about the whole run, or not known.
    pub point: Option<String>,
    /// Whether it is about an eval's server.
    pub eval: bool,
    /// What kind of fact.
    pub kind: FactKind,
    /// Name: of a variable, a flag, a platform.
    pub key: String,
    /// Value as found.
    pub value: String,
    /// Number of observations behind it (log lines of a mean); null where it is one.
    pub count: Option<u64>,
    /// Where it comes from.
    pub origin: FactOrigin,
}

/// What a fact is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum FactKind {
    /// An environment variable: key is its name.
    Env,
    /// A server argument: key is the flag without dashes, in snake case; value empty for a bare flag.
    Argument,
    /// The acceptance length aimed at.
    GoldenAl,
    /// The mean acceptance length measured: value a number, count the log lines.
    MeasuredAl,
    /// The commit the engine was built from: key is the platform where the image has several.
    BuildCommit,
    /// The page of that build.
    BuildUrl,
    /// Standing of a build commit to the engine's main branch: key the commit, value `ancestor` or `not an ancestor`.
    Ancestry,
    /// A line of a log that shows a patch, an overlay or the like.
    Patch,
    /// State of a checklist, of a page outside: free text.
    Note,
}

/// Where a fact comes from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "from", rename_all = "snake_case")]
pub enum FactOrigin {
    /// Read in an artifact.
    Artifact {
        /// Artifact.
        artifact: String,
        /// File inside.
        file: String,
        /// Line, from 1.
        line: Option<u64>,
    },
    /// Stated by someone; not read here.
    Stated {
        /// Who, by role.
        by: String,
        /// Where.
        url: Option<String>,
        /// When.
        #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = DateTime))]
        at: Option<Timestamp>,
    },
}

impl FactOrigin {
    /// For people: where it stands.
    #[must_use]
    pub fn in_words(&self) -> String {
        match self {
            Self::Artifact { artifact, file, line } => match line {
                Some(line) => format!("{artifact}/{file}, line {line}"),
                None => format!("{artifact}/{file}"),
            },
            Self::Stated { by, .. } => format!("stated by the {by}"),
        }
    }
}
