//! The changelog of the repository's newest synced state, with what the heads of pull requests add to it.

use std::collections::BTreeSet;
use std::sync::Arc;

use paretoscope_domain::repo::RepoFacts;
use paretoscope_review::changelog::{Changelog, changelog};
use paretoscope_store::{StoreError, main_state};

use crate::app::App;

/// Heads that are looked at unless one is asked for: each is a whole state of the repository to read.
const HEADS: usize = 6;

/// The changelog and what it was read from.
pub struct Told {
    /// Entries.
    pub changelog: Changelog,
    /// The main branch's state; `None` where none was synced.
    pub main: Option<Arc<RepoFacts>>,
    /// Pull requests whose heads were synced and not looked at.
    pub further: Vec<i64>,
    /// Pull requests that have a page here.
    pub known_pulls: BTreeSet<i64>,
}

impl App {
    /// The changelog; where a pull request is asked for, only its head is looked at beside the main branch.
    ///
    /// # Errors
    /// When the store can't be read.
    pub async fn changelog(&self, pull: Option<i64>) -> Result<Told, StoreError> {
        let (facts, snapshot) = (self.facts().await?, self.snapshot());
        let main_key = main_state(&facts.states).map(|state| state.key.as_str());
        let mut newest: Vec<(i64, &str)> = Vec::new();
        // States come newest first.
        for state in facts.states.iter().filter(|state| main_key != Some(state.key.as_str())) {
            if let Some(number) = state.pull.filter(|n| !newest.iter().any(|(known, _)| known == n)) {
                newest.push((number, &state.key));
            }
        }
        if let Some(pull) = pull {
            newest.retain(|(number, _)| *number == pull);
        }
        let further = newest.split_off(newest.len().min(HEADS)).into_iter().map(|(number, _)| number).collect();
        let mut heads = Vec::with_capacity(newest.len());
        for (number, key) in newest {
            heads.extend(self.repo_at(key).await?.map(|facts| (number, facts)));
        }
        let heads_seen: Vec<(i64, &RepoFacts)> = heads.iter().map(|(number, facts)| (*number, facts.as_ref())).collect();
        let changelog = changelog(facts.main.as_deref(), &heads_seen, snapshot.runs.iter().map(AsRef::as_ref));
        let mut known_pulls: BTreeSet<i64> = facts.pulls.iter().map(|pull| pull.number).collect();
        let ours = snapshot.runs.iter().filter(|run| !run.synthetic && run.purged.is_none() && run.repo.eq_ignore_ascii_case(&self.repo));
        known_pulls.extend(ours.filter_map(|run| run.pr_number));
        Ok(Told { changelog, main: facts.main.clone(), further, known_pulls })
    }
}
