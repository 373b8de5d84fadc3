//! What is known beside the runs, kept in memory: the repository's states, the cookbook, pull requests.

use std::sync::Arc;

use jiff::Timestamp;
use paretoscope_domain::cookbook::CookbookVersion;
use paretoscope_domain::pull::{Pull, same_commit};
use paretoscope_domain::repo::{Refused, RepoFacts};
use paretoscope_domain::synced::{PullRow, RepoState};
use paretoscope_store::{StoreError, main_state};
use quick_cache::sync::Cache;

use crate::app::App;

/// Pull requests whose whole contents are kept.
const KEPT_PULLS: usize = 64;

/// States of the repository that are kept: a review looks at head, base and main.
const KEPT_STATES: usize = 8;

/// What is known beside the runs, at one version of the data.
#[derive(Debug)]
pub struct Facts {
    /// The newest state of the benchmark repository's main branch ([`paretoscope_store::Store::repo_main`]); `None` where none was
    /// synced.
    pub main: Option<Arc<RepoFacts>>,
    /// All its states, newest first.
    pub states: Vec<RepoState>,
    /// States of the cookbook's files, oldest first.
    pub cookbook: Arc<Vec<CookbookVersion>>,
    /// What the latest readings of cookbook files could not use.
    pub cookbook_refused: Vec<Refused>,
    /// Pull requests, the highest number first.
    pub pulls: Vec<PullRow>,
}

impl Facts {
    /// The state of the repository at a commit, whose sha may be short; a short one that names several is that of none.
    #[must_use]
    pub fn state(&self, commit: &str) -> Option<&RepoState> {
        let mut same = self.states.iter().filter(|s| s.key == commit || s.commit.as_deref().is_some_and(|c| same_commit(c, commit)));
        match (same.next(), same.next()) {
            (Some(state), None) => Some(state),
            _ => None,
        }
    }
}

/// What was read once.
#[derive(Debug)]
pub(crate) struct Kept {
    facts: Cache<i64, Arc<Facts>>,
    pulls: Cache<(i64, i64), Arc<Pull>>,
    /// By key and time of reading, so that an ingest, which changes no state, has none read again.
    states: Cache<(String, Timestamp), Arc<RepoFacts>>,
}

impl Default for Kept {
    fn default() -> Self {
        Self { facts: Cache::new(2), pulls: Cache::new(KEPT_PULLS), states: Cache::new(KEPT_STATES) }
    }
}

impl Kept {
    /// Lets go of what belongs to an earlier version of the data.
    pub(crate) fn clear(&self) {
        self.facts.clear();
        self.pulls.clear();
    }
}

impl App {
    /// What is known beside the runs, at the snapshot's version; read once for each.
    ///
    /// # Errors
    /// When the store can't be read.
    pub async fn facts(&self) -> Result<Arc<Facts>, StoreError> {
        let version = self.snapshot().version;
        self.kept.facts.get_or_insert_async(&version, self.read_facts()).await
    }

    async fn read_facts(&self) -> Result<Arc<Facts>, StoreError> {
        let states = self.store.repo_states(&self.repo).await?;
        let main = match main_state(&states) {
            Some(state) => self.state_facts(state).await?,
            None => None,
        };
        Ok(Arc::new(Facts {
            main,
            states,
            cookbook: Arc::new(self.store.cookbook().await?),
            cookbook_refused: self.store.cookbook_refused().await?,
            pulls: self.store.pulls(&self.repo).await?,
        }))
    }

    /// Everything known of a pull request of the benchmark repository; `None` where nothing is.
    ///
    /// # Errors
    /// When the store can't be read.
    pub async fn pull(&self, number: i64) -> Result<Option<Arc<Pull>>, StoreError> {
        let key = (self.snapshot().version, number);
        if let Some(pull) = self.kept.pulls.get(&key) {
            return Ok(Some(pull));
        }
        let pull = self.store.pull(&self.repo, number).await?.map(Arc::new);
        if let Some(pull) = &pull {
            self.kept.pulls.insert(key, Arc::clone(pull));
        }
        Ok(pull)
    }

    /// What was read of the benchmark repository at a commit, whose sha may be short; `None` where that was not synced.
    ///
    /// # Errors
    /// When the store can't be read.
    pub async fn repo_at(&self, commit: &str) -> Result<Option<Arc<RepoFacts>>, StoreError> {
        match self.facts().await?.state(commit) {
            Some(state) => self.state_facts(state).await,
            None => Ok(None),
        }
    }

    async fn state_facts(&self, state: &RepoState) -> Result<Option<Arc<RepoFacts>>, StoreError> {
        let key = (state.key.clone(), state.synced_at);
        if let Some(facts) = self.kept.states.get(&key) {
            return Ok(Some(facts));
        }
        let facts = self.store.repo_facts(&self.repo, &state.key).await?.map(Arc::new);
        if let Some(facts) = &facts {
            self.kept.states.insert(key, Arc::clone(facts));
        }
        Ok(facts)
    }
}
