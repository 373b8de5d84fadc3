//! `/runs`, and the filter that the API shares with it.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::{RawQuery, State};
use axum::response::Response;
use http::StatusCode;
use jiff::civil::Date;
use paretoscope_app::view_state::{RunsSort, RunsView};
use paretoscope_app::{Facets, Page, RunsPage};
use paretoscope_domain::Kind;
use paretoscope_domain::run::Run;
use paretoscope_domain::vocabulary::{Vocabulary, WordList};

use super::html;
use crate::app::App;

/// Runs of a page.
const PAGE: usize = 50;
/// Runs of a page at most.
const PAGE_MAX: usize = 500;

/// Which runs are asked for; all that is given must fit.
#[derive(Clone, Debug, Default)]
pub struct RunFilter {
    /// Kind.
    pub kind: Option<Kind>,
    /// Model, by key, alias or name.
    pub model: Option<String>,
    /// Hardware, by key or name.
    pub hardware: Option<String>,
    /// Framework, by key, alias or name.
    pub framework: Option<String>,
    /// Pull request.
    pub pr: Option<i64>,
    /// Author of the pull request, or who started the run.
    pub author: Option<String>,
    /// First day.
    pub from: Option<Date>,
    /// Last day.
    pub to: Option<Date>,
    /// Words to find.
    pub q: Option<String>,
}

/// A filter with its words resolved once.
pub struct RunMatcher<'a> {
    filter: &'a RunFilter,
    words: &'a Vocabulary,
    model: Option<String>,
    hardware: Option<String>,
    framework: Option<String>,
    needles: Vec<String>,
}

impl RunFilter {
    /// Resolves the filter's words.
    #[must_use]
    pub fn matcher<'a>(&'a self, words: &'a Vocabulary) -> RunMatcher<'a> {
        let resolve = |list, text: &Option<String>| text.as_deref().map(|t| words.canonical(list, t));
        RunMatcher {
            model: resolve(WordList::Model, &self.model),
            hardware: resolve(WordList::Hardware, &self.hardware),
            framework: resolve(WordList::Framework, &self.framework),
            needles: self
                .q
                .as_deref()
                .unwrap_or_default()
                .to_lowercase()
                .split_whitespace()
                .map(|w| w.trim_start_matches('#').to_owned())
                .filter(|w| !w.is_empty())
                .collect(),
            filter: self,
            words,
        }
    }
}

impl RunMatcher<'_> {
    /// Whether a run fits. Purged runs never do.
    #[must_use]
    pub fn fits(&self, run: &Run) -> bool {
        let f = self.filter;
        let among = |wanted: &Option<String>, keys: &[String]| wanted.as_ref().is_none_or(|w| keys.contains(w));
        let contains = |text: &Option<String>, part: &str| text.as_ref().is_some_and(|t| t.to_lowercase().contains(part));
        run.purged.is_none()
            && f.kind.is_none_or(|k| run.kind == k)
            && among(&self.model, &run.models)
            && among(&self.hardware, &run.hardware)
            && among(&self.framework, &run.frameworks)
            && f.pr.is_none_or(|pr| run.pr_number == Some(pr))
            && f.author.as_ref().is_none_or(|a| {
                let a = a.to_lowercase();
                contains(&run.pr_author, &a) || contains(&run.actor, &a)
            })
            && f.from.is_none_or(|from| day(run).is_some_and(|d| d >= from))
            && f.to.is_none_or(|to| day(run).is_some_and(|d| d <= to))
            && self.needles.iter().all(|needle| self.mentions(run, needle))
    }

    fn mentions(&self, run: &Run, needle: &str) -> bool {
        let in_text = |text: &str| text.to_lowercase().contains(needle);
        let in_option = |text: &Option<String>| text.as_deref().is_some_and(in_text);
        run.run_id.to_string().contains(needle)
            || run.pr_number.is_some_and(|n| n.to_string().contains(needle))
            || [&run.head_sha, &run.head_branch, &run.actor, &run.pr_author, &run.pr_title, &run.name, &run.date].into_iter().any(in_option)
            || run.config_keys.iter().any(|k| in_text(k))
            || run.images.iter().any(|i| in_text(&i.reference) || in_option(&i.digest))
            || run.models.iter().any(|k| in_text(k) || in_text(self.words.model_label(k)))
            || run.hardware.iter().any(|k| in_text(k) || in_text(self.words.hardware_label(k)))
            || run.frameworks.iter().any(|k| in_text(k) || in_text(self.words.framework_label(k)))
            || run.scenarios.iter().chain(&run.precisions).any(|k| in_text(k))
    }
}

fn filter_of(view: &RunsView) -> RunFilter {
    let RunsView { kind, model, hardware, framework, pr, author, from, to, q, .. } = view.clone();
    RunFilter { kind, model, hardware, framework, pr, author, from, to, q }
}

/// The list of runs.
pub async fn show(State(app): State<Arc<App>>, RawQuery(query): RawQuery) -> Response {
    let (view, mut problems) = RunsView::parse(query.as_deref().unwrap_or_default());
    let snapshot = app.snapshot();
    let filter = filter_of(&view);
    let matcher = filter.matcher(&app.words.vocabulary);
    let mut found: Vec<&Arc<Run>> = snapshot.runs.iter().filter(|run| matcher.fits(run)).collect();
    sort(&mut found, view.sort);
    let total = found.len();
    let from = match &view.cursor {
        None => 0,
        Some(cursor) => match found.iter().position(|r| r.run_id.to_string() == *cursor) {
            Some(at) => at + 1,
            None => {
                problems.push(format!("The page after run {cursor} can't be found in this list: showing the first page."));
                0
            }
        },
    };
    let page_size = view.limit.and_then(|n| usize::try_from(n).ok()).unwrap_or(PAGE).clamp(1, PAGE_MAX);
    let items: Vec<Run> = found.iter().skip(from).take(page_size).map(|r| Run::clone(r)).collect();
    let next = (from + items.len() < total).then(|| items.last().map(|r| r.run_id.to_string())).flatten();
    let page = RunsPage { view, items, total, next, facets: facets(&snapshot.runs), problems };
    html(&app, StatusCode::OK, Page::Runs(page))
}

/// Values that filters offer, with the number of runs of each.
fn facets(runs: &[Arc<Run>]) -> Facets {
    let count = |keys: fn(&Run) -> &[String]| {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for run in runs.iter().filter(|r| r.purged.is_none()) {
            for key in keys(run) {
                *counts.entry(key.clone()).or_default() += 1;
            }
        }
        counts.into_iter().collect()
    };
    Facets { models: count(|r| &r.models), hardware: count(|r| &r.hardware), frameworks: count(|r| &r.frameworks) }
}

fn day(run: &Run) -> Option<Date> {
    run.date.as_deref().and_then(|d| d.parse().ok())
}

/// Orders runs that come newest first, undated ones last.
fn sort(runs: &mut [&Arc<Run>], by: RunsSort) {
    match by {
        RunsSort::Newest => {}
        RunsSort::Oldest => {
            let dated = runs.partition_point(|r| r.date.is_some());
            if let Some(dated) = runs.get_mut(..dated) {
                dated.reverse();
            }
        }
        RunsSort::Ingested => runs.sort_by_key(|r| std::cmp::Reverse(r.ingested_at)),
        RunsSort::Points => runs.sort_by_key(|r| std::cmp::Reverse(r.point_count)),
    }
}
