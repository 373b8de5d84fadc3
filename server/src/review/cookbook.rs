//! The cookbook, judged once for each version of the data.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use jiff::Timestamp;
use paretoscope_app::CookbookShown;
use paretoscope_domain::point::Point;
use paretoscope_domain::pull::Pull;
use paretoscope_domain::repo::RepoFacts;
use paretoscope_domain::run::{Run, RunDetail};
use paretoscope_domain::{Kind, RunId};
use paretoscope_review::drift::{self, Cookbook, CookbookEntry, CookbookInputs};
use paretoscope_store::StoreError;
use quick_cache::sync::Cache;

use crate::app::App;

/// The judged cookbook by version of the data.
#[derive(Debug)]
pub(crate) struct Judged(Cache<i64, Arc<Cookbook>>);

impl Default for Judged {
    fn default() -> Self {
        Self(Cache::new(2))
    }
}

impl Judged {
    /// Lets go of what belongs to an earlier version of the data.
    pub(crate) fn clear(&self) {
        self.0.clear();
    }
}

impl App {
    /// Every configuration that the cookbook or the official data knows, with its drift.
    ///
    /// # Errors
    /// When the store can't be read.
    pub async fn cookbook(&self) -> Result<Arc<Cookbook>, StoreError> {
        let version = self.snapshot().version;
        self.judged.0.get_or_insert_async(&version, self.judge_cookbook()).await
    }

    async fn judge_cookbook(&self) -> Result<Arc<Cookbook>, StoreError> {
        let facts = self.facts().await?;
        let snapshot = self.snapshot();
        let cells = || facts.cookbook.iter().flat_map(|v| &v.file.cells);
        let mut pulls: Vec<Arc<Pull>> = Vec::new();
        for number in cells().filter_map(|c| c.pr).collect::<BTreeSet<i64>>() {
            pulls.extend(self.pull(number).await?);
        }
        // Several cells mirror one commit, and few commits were synced.
        let mut states: HashMap<&str, Arc<RepoFacts>> = HashMap::new();
        for sha in cells().filter_map(|c| c.sha.as_deref()).collect::<BTreeSet<&str>>() {
            if let Some(state) = facts.state(sha)
                && !states.contains_key(state.key.as_str())
                && let Some(read) = self.repo_at(&state.key).await?
            {
                states.insert(&state.key, read);
            }
        }
        let official: Vec<&Run> =
            snapshot.runs.iter().filter(|r| r.kind == Kind::Official && r.purged.is_none() && self.is_ours(r)).map(|r| &**r).collect();
        let (pulls, states): (Vec<&Pull>, Vec<&RepoFacts>) =
            (pulls.iter().map(|p| &**p).collect(), states.values().map(|s| &**s).collect());
        let inputs = CookbookInputs {
            versions: &facts.cookbook,
            pulls: &pulls,
            runs: &[],
            main: facts.main.as_deref(),
            states: &states,
            official: &official,
            words: &self.words.vocabulary,
            now: Timestamp::now(),
        };
        let mut runs: Vec<Arc<RunDetail>> = Vec::new();
        for id in drift::wanted_runs(&inputs) {
            if let Some(run) = snapshot.run(id).filter(|r| r.purged.is_none() && !r.synthetic) {
                runs.push(self.detail(run).await?);
            }
        }
        Ok(Arc::new(drift::cookbook(&CookbookInputs { runs: &runs, ..inputs })))
    }

    /// What the cookbook says of a run.
    ///
    /// # Errors
    /// When the store can't be read.
    pub async fn cookbook_of_run(&self, run: &Run) -> Result<CookbookShown, StoreError> {
        let cookbook = self.cookbook().await?;
        self.shown(drift::of_run(&cookbook.entries, run)).await
    }

    /// Cells of the cookbook that hold a point of a run.
    ///
    /// # Errors
    /// When the store can't be read.
    pub async fn cookbook_of_point(&self, run: &Run, point: &Point) -> Result<CookbookShown, StoreError> {
        let cookbook = self.cookbook().await?;
        self.shown(drift::of_point(&cookbook.entries, run, point)).await
    }

    async fn shown(&self, entries: Vec<&CookbookEntry>) -> Result<CookbookShown, StoreError> {
        let synced = !self.facts().await?.cookbook.is_empty();
        let known = self.known_runs(&entries);
        Ok(CookbookShown { entries: entries.into_iter().cloned().collect(), synced, known })
    }

    /// Runs of some entries that have a page here.
    pub(crate) fn known_runs(&self, entries: &[&CookbookEntry]) -> BTreeSet<RunId> {
        let snapshot = self.snapshot();
        let named = entries.iter().flat_map(|e| [e.run_id, e.pinned_run_id, e.official_run_id]).flatten();
        named.filter(|id| snapshot.run(*id).is_some_and(|r| r.purged.is_none())).collect()
    }
}
