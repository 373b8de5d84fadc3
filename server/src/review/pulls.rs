//! Pull requests as they are answered: one, and the list.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use paretoscope_app::PullListItem;
use paretoscope_app::view_state::PullsState;
use paretoscope_domain::run::Run;
use paretoscope_domain::synced::PullRow;
use paretoscope_review::CheckStatus;
use paretoscope_review::checks::checks;
use paretoscope_review::timeline::{PullAnswer, answer};
use paretoscope_store::StoreError;
use quick_cache::sync::Cache;

use crate::app::App;
use crate::facts::Facts;

/// Answers that are kept.
const KEPT: usize = 128;

/// Answers by version of the data, pull request and day: what is retired or expired follows the calendar.
#[derive(Debug)]
pub(crate) struct Answers(Cache<(i64, i64, Date), Arc<PullAnswer>>);

impl Default for Answers {
    fn default() -> Self {
        Self(Cache::new(KEPT))
    }
}

impl Answers {
    /// Lets go of all: the data moved on.
    pub(crate) fn clear(&self) {
        self.0.clear();
    }
}

/// Which pull requests are asked for; all that is given must fit.
#[derive(Clone, Debug, Default)]
pub struct PullFilter {
    /// State.
    pub state: Option<PullsState>,
    /// Words to find.
    pub q: Option<String>,
}

/// A page of the list.
#[derive(Clone, Debug, Default)]
pub struct PullsFound {
    /// Pull requests, the highest number first.
    pub items: Vec<PullListItem>,
    /// How many fit, on all pages.
    pub total: usize,
    /// The number of the last one, where more follow.
    pub next: Option<i64>,
}

/// A pull request of the list before its answer is asked for.
struct Known<'a> {
    number: i64,
    row: Option<&'a PullRow>,
    runs: Vec<&'a Arc<Run>>,
}

impl App {
    /// Everything about a pull request; `None` where neither a payload nor a run of it was ever read.
    ///
    /// # Errors
    /// When the store can't be read.
    pub async fn pull_answer(&self, number: i64) -> Result<Option<Arc<PullAnswer>>, StoreError> {
        let now = Timestamp::now();
        let key = (self.snapshot().version, number, now.to_zoned(TimeZone::UTC).date());
        if let Some(kept) = self.answers.0.get(&key) {
            return Ok(Some(kept));
        }
        let Some(gathered) = self.gather(number, now).await? else { return Ok(None) };
        let facts = gathered.facts(&self.words);
        // Of a pull request that was not read, no check can say anything.
        let checks = if gathered.pull.known.pull { checks(&facts) } else { Vec::new() };
        let answer = Arc::new(answer(&facts, checks, &gathered.hidden));
        self.answers.0.insert(key, Arc::clone(&answer));
        Ok(Some(answer))
    }

    /// Pull requests that fit, from the one after `cursor` on.
    ///
    /// # Errors
    /// When the store can't be read.
    pub async fn pulls_found(&self, filter: &PullFilter, cursor: Option<i64>, limit: usize) -> Result<PullsFound, StoreError> {
        let snapshot = self.snapshot();
        let facts = self.facts().await?;
        let known = self.known(&facts, &snapshot.runs);
        let needles: Vec<String> = filter
            .q
            .as_deref()
            .unwrap_or_default()
            .to_lowercase()
            .split_whitespace()
            .map(|w| w.trim_start_matches('#').to_owned())
            .filter(|w| !w.is_empty())
            .collect();
        let fits = |k: &&Known<'_>| filter.state.is_none_or(|s| s.fits(k.row.map(|r| r.state))) && needles.iter().all(|n| mentions(k, n));
        let all: Vec<&Known<'_>> = known.iter().filter(fits).collect();
        let rest: Vec<&&Known<'_>> = all.iter().filter(|k| cursor.is_none_or(|c| k.number < c)).collect();
        let mut items = Vec::new();
        for one in rest.iter().take(limit) {
            items.push(self.list_item(one).await?);
        }
        let next = (rest.len() > items.len()).then(|| items.last().map(|i| i.number)).flatten();
        Ok(PullsFound { items, total: all.len(), next })
    }

    /// Those whose payload was read, and those that runs name; the highest number first.
    fn known<'a>(&self, facts: &'a Facts, runs: &'a [Arc<Run>]) -> Vec<Known<'a>> {
        let mut by_number: BTreeMap<i64, Vec<&Arc<Run>>> = BTreeMap::new();
        for run in runs.iter().filter(|r| r.purged.is_none() && self.is_ours(r)) {
            if let Some(number) = run.pr_number {
                by_number.entry(number).or_default().push(run);
            }
        }
        let rows: BTreeMap<i64, &PullRow> = facts.pulls.iter().map(|row| (row.number, row)).collect();
        let numbers: BTreeSet<i64> = by_number.keys().chain(rows.keys()).copied().collect();
        numbers
            .into_iter()
            .rev()
            .map(|number| Known { number, row: rows.get(&number).copied(), runs: by_number.remove(&number).unwrap_or_default() })
            .collect()
    }

    async fn list_item(&self, known: &Known<'_>) -> Result<PullListItem, StoreError> {
        let Known { number, row, runs } = known;
        let answer = self.pull_answer(*number).await?;
        let pin = answer.as_ref().and_then(|a| a.now.pin.as_ref());
        let checks = answer.as_ref().filter(|a| !a.checks.is_empty()).map(|a| {
            // Only what the verifier asks; the rest stands on the page.
            let mut counts: Vec<(CheckStatus, usize)> = Vec::new();
            for check in a.checks.iter().filter(|c| c.id < 100) {
                match counts.iter_mut().find(|(s, _)| *s == check.status) {
                    Some((_, n)) => *n += 1,
                    None => counts.push((check.status, 1)),
                }
            }
            counts
        });
        let told = |f: fn(&Run) -> Option<&String>| runs.iter().find_map(|r| f(r)).cloned().unwrap_or_default();
        Ok(PullListItem {
            number: *number,
            title: row.map_or_else(|| told(|r| r.pr_title.as_ref()), |r| r.title.clone()),
            state: row.map(|r| r.state),
            draft: row.is_some_and(|r| r.draft),
            author: row.map_or_else(|| told(|r| r.pr_author.as_ref()), |r| r.author.clone()),
            url: row
                .map(|r| r.url.clone())
                .filter(|u| !u.is_empty())
                .unwrap_or_else(|| format!("https://github.com/{}/pull/{number}", self.repo)),
            pinned: pin.and_then(|p| p.run_id),
            pinned_known: pin.is_some_and(|p| p.known),
            runs: runs.len(),
            checks,
            updated_at: row.and_then(|r| r.updated_at),
            retold: row.is_some_and(|r| r.retold.is_some()),
        })
    }
}

fn mentions(known: &Known<'_>, needle: &str) -> bool {
    let holds = |text: &str| text.to_lowercase().contains(needle);
    let of_row = |r: &PullRow| holds(&r.title) || holds(&r.author) || holds(&r.head_sha) || r.labels.iter().any(|l| holds(l));
    let of_run = |r: &Arc<Run>| {
        let texts = [&r.pr_title, &r.pr_author, &r.head_sha, &r.head_branch];
        r.run_id.to_string().contains(needle)
            || texts.into_iter().flatten().any(|t| holds(t))
            || r.config_keys.iter().chain(&r.models).chain(&r.hardware).chain(&r.frameworks).any(|k| holds(k))
    };
    known.number.to_string().contains(needle) || known.row.is_some_and(of_row) || known.runs.iter().any(|r| of_run(r))
}
