//! Everything the checks of a pull request look at, gathered beforehand.

use std::sync::Arc;

use jiff::Timestamp;
use paretoscope_domain::RunId;
use paretoscope_domain::cookbook::CookbookVersion;
use paretoscope_domain::pull::Pull;
use paretoscope_domain::repo::RepoFacts;
use paretoscope_domain::run::RunDetail;
use paretoscope_domain::threshold::Thresholds;
use paretoscope_domain::vocabulary::Vocabulary;

/// Gathered facts about one pull request. What is absent was never read: a check that needs it can't decide.
#[derive(Clone, Debug)]
pub struct Gathered<'a> {
    /// The pull request.
    pub pull: &'a Pull,
    /// Runs of it that are known here, newest first, purged ones left out; those it pins among them.
    pub runs: &'a [Arc<RunDetail>],
    /// Facts of the benchmark repository at the pull request's head, where that commit was synced.
    pub head: Option<&'a RepoFacts>,
    /// The same at the commit it departs from, or the newest synced one before its merge.
    pub base: Option<&'a RepoFacts>,
    /// The newest synced state of the main branch.
    pub main: Option<&'a RepoFacts>,
    /// States of the cookbook, oldest first.
    pub cookbook: &'a [CookbookVersion],
    /// Official runs, earlier than the pull request's own, that share a curve with them, newest first: the ingested cohort is
    /// the first; outliers are told against all.
    pub official: &'a [Arc<RunDetail>],
    /// Every (model, hardware, framework) that has an official or merged entry, for the engine order of check 6.
    pub entries: &'a [Entry],
    /// Names and their spellings.
    pub words: &'a Vocabulary,
    /// Lowest passing scores.
    pub thresholds: &'a Thresholds,
    /// The time of looking.
    pub now: Timestamp,
}

/// A configuration someone may already have submitted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Entry {
    /// Model key.
    pub model: String,
    /// Hardware key.
    pub hardware: String,
    /// Framework key.
    pub framework: String,
}

impl Gathered<'_> {
    /// A run that is known here.
    #[must_use]
    pub fn run(&self, id: RunId) -> Option<&Arc<RunDetail>> {
        self.runs.iter().find(|r| r.run.run_id == id)
    }
}
