//! Everything that the checks and the timeline of one pull request look at, read once.

use std::collections::BTreeSet;
use std::sync::Arc;

use jiff::Timestamp;
use paretoscope_domain::cookbook::CookbookVersion;
use paretoscope_domain::pull::{Pull, PullState};
use paretoscope_domain::repo::RepoFacts;
use paretoscope_domain::run::{Run, RunDetail};
use paretoscope_domain::synced::RepoState;
use paretoscope_domain::{Kind, RunId};
use paretoscope_review::Gathered;
use paretoscope_review::gathered::Entry;
use paretoscope_review::timeline::{Hidden, commands};
use paretoscope_store::StoreError;

use crate::app::App;
use crate::settings::Words;
use crate::snapshot::Snapshot;

/// Comparable official runs that are looked into, newest first: enough for a cohort and for outliers.
const COHORTS: usize = 24;

/// The facts of one pull request, owned.
#[derive(Debug)]
pub struct GatheredPull {
    /// The pull request; where no payload of it was read, what its runs state.
    pub pull: Arc<Pull>,
    /// Its runs and those its commands name, newest first.
    pub runs: Vec<Arc<RunDetail>>,
    /// Runs that would be among them and are hidden.
    pub hidden: Vec<Hidden>,
    /// The repository at its head.
    pub head: Option<Arc<RepoFacts>>,
    /// The repository where it departs.
    pub base: Option<Arc<RepoFacts>>,
    /// The repository's main branch.
    pub main: Option<Arc<RepoFacts>>,
    /// States of the cookbook, oldest first.
    pub cookbook: Arc<Vec<CookbookVersion>>,
    /// Comparable earlier official runs, newest first.
    pub official: Vec<Arc<RunDetail>>,
    /// Who has an official entry.
    pub entries: Vec<Entry>,
    /// The time of looking.
    pub now: Timestamp,
}

impl GatheredPull {
    /// The facts as the pure functions take them.
    #[must_use]
    pub fn facts<'a>(&'a self, words: &'a Words) -> Gathered<'a> {
        let Self { pull, runs, hidden: _, head, base, main, cookbook, official, entries, now } = self;
        Gathered {
            pull,
            runs,
            head: head.as_deref(),
            base: base.as_deref(),
            main: main.as_deref(),
            cookbook,
            official,
            entries,
            words: &words.vocabulary,
            thresholds: &words.thresholds,
            now: *now,
        }
    }
}

impl App {
    /// Gathers what is known of a pull request; `None` where neither a payload nor a run of it was ever read.
    ///
    /// # Errors
    /// When the store can't be read.
    pub async fn gather(&self, number: i64, now: Timestamp) -> Result<Option<GatheredPull>, StoreError> {
        let snapshot = self.snapshot();
        let own = self.own_runs(&snapshot, number);
        let pull = match self.pull(number).await? {
            Some(pull) => pull,
            None if own.is_empty() => return Ok(None),
            None => Arc::new(told_by_runs(&self.repo, number, &own)),
        };
        let named: BTreeSet<RunId> = commands(&pull).into_iter().filter_map(|c| c.run_id).collect();
        let among = |r: &Run| !r.synthetic && (named.contains(&r.run_id) || own.iter().any(|o| o.run_id == r.run_id));
        // The snapshot's order: newest first.
        let (hidden, shown): (Vec<&Arc<Run>>, Vec<&Arc<Run>>) = snapshot.runs.iter().filter(|r| among(r)).partition(|r| r.purged.is_some());
        let hidden = hidden.into_iter().filter_map(|r| Some(Hidden { run_id: r.run_id, purge: r.purged.clone()? })).collect();
        let runs = self.details(&shown).await?;
        let official = self.details(&earlier_official(&snapshot, &shown).iter().collect::<Vec<_>>()).await?;
        let facts = self.facts().await?;
        let head = if pull.head_sha.is_empty() { None } else { self.repo_at(&pull.head_sha).await? };
        let base = self.base(&pull, &facts.states).await?;
        Ok(Some(GatheredPull {
            pull,
            runs,
            hidden,
            head,
            base,
            main: facts.main.clone(),
            cookbook: Arc::clone(&facts.cookbook),
            official,
            entries: entries(&snapshot),
            now,
        }))
    }

    /// Runs that name a pull request, purged ones among them, newest first.
    pub(crate) fn own_runs(&self, snapshot: &Snapshot, number: i64) -> Vec<Arc<Run>> {
        snapshot.runs.iter().filter(|r| r.pr_number == Some(number) && self.is_ours(r)).cloned().collect()
    }

    /// Whether a run is one of the benchmark's repository: numbers of pull requests mean nothing elsewhere.
    pub(crate) fn is_ours(&self, run: &Run) -> bool {
        !run.synthetic && run.repo.eq_ignore_ascii_case(&self.repo)
    }

    async fn details(&self, runs: &[&Arc<Run>]) -> Result<Vec<Arc<RunDetail>>, StoreError> {
        let mut all = Vec::with_capacity(runs.len());
        for run in runs {
            all.push(self.detail(run).await?);
        }
        Ok(all)
    }

    /// The state it departs from: of the base commit that is told, else the newest one of the main branch before its merge. For
    /// one that is not merged that is the newest of all; a closed one departs from none that we could name.
    async fn base(&self, pull: &Pull, states: &[RepoState]) -> Result<Option<Arc<RepoFacts>>, StoreError> {
        if let Some(sha) = &pull.base_sha
            && let Some(base) = self.repo_at(sha).await?
        {
            return Ok(Some(base));
        }
        let before = match (pull.state, pull.merged_at) {
            (PullState::Open, _) => None,
            (_, Some(merged)) => Some(merged),
            (_, None) => return Ok(None),
        };
        let is_base = |s: &&RepoState| s.pull.is_none() && before.is_none_or(|merged| s.at() < merged);
        match states.iter().filter(is_base).max_by_key(|s| s.at()) {
            Some(state) => self.repo_at(&state.key).await,
            None => Ok(None),
        }
    }
}

/// What runs state of their pull request, where nothing else does.
fn told_by_runs(repo: &str, number: i64, runs: &[Arc<Run>]) -> Pull {
    let first = |f: fn(&Run) -> Option<&String>| runs.iter().find_map(|r| f(r)).cloned().unwrap_or_default();
    Pull {
        repo: repo.to_owned(),
        number,
        title: first(|r| r.pr_title.as_ref()),
        author: first(|r| r.pr_author.as_ref()),
        url: format!("https://github.com/{repo}/pull/{number}"),
        ..Pull::default()
    }
}

/// Official runs that share a curve with the pull request's own and are earlier than the newest of them. Where that one's day is
/// not known, none can be called earlier.
fn earlier_official(snapshot: &Snapshot, own: &[&Arc<Run>]) -> Vec<Arc<Run>> {
    let Some(newest) = own.first().filter(|r| r.date.is_some()).and_then(|r| snapshot.position(r.run_id)) else { return Vec::new() };
    let mut found: Vec<(usize, Arc<Run>)> = own
        .iter()
        .flat_map(|run| snapshot.comparable(run))
        .filter(|r| r.kind == Kind::Official && r.date.is_some() && !own.iter().any(|o| o.run_id == r.run_id))
        .filter_map(|r| Some((snapshot.position(r.run_id)?, r)))
        .filter(|(at, _)| *at > newest)
        .collect();
    found.sort_by_key(|(at, _)| *at);
    found.dedup_by_key(|(at, _)| *at);
    found.into_iter().take(COHORTS).map(|(_, r)| r).collect()
}

/// Every model, hardware and framework that has official results.
fn entries(snapshot: &Snapshot) -> Vec<Entry> {
    let official = snapshot.runs.iter().filter(|r| r.kind == Kind::Official && !r.synthetic && r.purged.is_none());
    let all: BTreeSet<Entry> = official
        .flat_map(|r| &r.curves)
        .map(|c| Entry { model: c.model.clone(), hardware: c.hardware.clone(), framework: c.framework.clone() })
        .collect();
    all.into_iter().collect()
}
