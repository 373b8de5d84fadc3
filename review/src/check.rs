//! What a check says.

use serde::{Deserialize, Serialize};

/// The answer of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum CheckStatus {
    /// Looked at and in order.
    Pass,
    /// Looked at; someone with the right to bypass must agree.
    Warn,
    /// Looked at and not in order.
    Fail,
    /// The rule does not concern this pull request, and the detail says why.
    NotApplicable,
    /// Could not be decided here: a person must look at what [`Check::look`] lists.
    NeedsHuman,
}

impl CheckStatus {
    /// The word, as in the API.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Warn => "warn",
            Self::Fail => "fail",
            Self::NotApplicable => "not_applicable",
            Self::NeedsHuman => "needs_human",
        }
    }

    /// For people.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Warn => "warn",
            Self::Fail => "fail",
            Self::NotApplicable => "not applicable",
            Self::NeedsHuman => "needs a human",
        }
    }
}

/// Something a check looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Input {
    /// What: `newest reuse command`.
    pub name: String,
    /// Its value, in words: `/use 41261902147 by a COLLABORATOR on 2026-11-02`.
    pub value: String,
    /// Page that shows it: a path of this site or an address; null where there is none.
    pub href: Option<String>,
}

impl Input {
    /// An input without a page.
    #[must_use]
    pub fn new(name: impl Into<String>, value: impl Into<String>) -> Self {
        Self { name: name.into(), value: value.into(), href: None }
    }

    /// The same with the page that shows it.
    #[must_use]
    pub fn at(mut self, href: impl Into<String>) -> Self {
        self.href = Some(href.into());
        self
    }
}

/// A check and its answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Check {
    /// Number, 0 to 18; from 100 for what no check of the verifier asks.
    pub id: u16,
    /// Name: `Evals`.
    pub name: String,
    /// Answer.
    pub status: CheckStatus,
    /// One sentence or two with the figures.
    pub detail: String,
    /// The rule, in our words.
    pub rule: String,
    /// Where the rule stands.
    pub source: String,
    /// What was looked at.
    pub inputs: Vec<Input>,
    /// What a person must look at; empty unless the answer is `needs_human` or `warn`.
    pub look: Vec<String>,
}
