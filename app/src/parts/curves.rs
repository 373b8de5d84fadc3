//! Points by what may share a chart (model and scenario), and how they stand on its axes.

use std::borrow::Cow;
use std::collections::HashMap;

use paretoscope_domain::curve::{self, Axes, Curve, CurvePoint};
use paretoscope_domain::metric::Metric;
use paretoscope_domain::point::{Point, Status};
use paretoscope_domain::run::RunDetail;
use paretoscope_domain::significance::two_sigma_bound;
use paretoscope_domain::vocabulary::Vocabulary;
use paretoscope_domain::{Attempt, PointId, Scenario};

use crate::view_state::axes_for;

/// What may share a chart: one model in one scenario.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct GroupKey {
    pub(crate) model: String,
    pub(crate) scenario: Scenario,
}

impl GroupKey {
    pub(crate) fn of(point: &Point) -> Self {
        Self { model: point.model.clone(), scenario: point.scenario }
    }

    /// `DeepSeek-V4.1-Flash · agentic traces`.
    pub(crate) fn title(&self, words: &Vocabulary) -> String {
        format!("{} · {}", words.model_label(&self.model), self.scenario.title())
    }
}

/// The groups of some points, those with most points that count first.
pub(crate) fn groups<'a>(points: impl IntoIterator<Item = &'a Point>) -> Vec<GroupKey> {
    let mut order: Vec<(GroupKey, usize)> = Vec::new();
    for point in points {
        let key = GroupKey::of(point);
        let counts = usize::from(point.counts());
        match order.iter_mut().find(|(k, _)| *k == key) {
            Some((_, n)) => *n += counts,
            None => order.push((key, counts)),
        }
    }
    order.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    order.into_iter().map(|(key, _)| key).collect()
}

/// The group that a view asks for; the first where it asks for none, with what could not be found in words.
pub(crate) fn chosen(
    groups: &[GroupKey],
    model: Option<&str>,
    scenario: Option<Scenario>,
    words: &Vocabulary,
) -> (Option<GroupKey>, Vec<String>) {
    let key = model.map(|m| words.canonical(paretoscope_domain::vocabulary::WordList::Model, m));
    let mut problems = Vec::new();
    if let (Some(text), Some(key)) = (model, &key)
        && !groups.iter().any(|g| g.model == *key)
        && !groups.is_empty()
    {
        problems.push(format!("The model {text} has no points here, so it doesn't narrow the chart."));
    }
    if let Some(scenario) = scenario
        && !groups.iter().any(|g| g.scenario == scenario)
        && !groups.is_empty()
    {
        problems.push(format!("The scenario {} has no points here, so it doesn't narrow the chart.", scenario.title()));
    }
    let fits = |g: &&GroupKey| (key.as_ref().is_some_and(|k| g.model == *k), scenario.is_some_and(|s| g.scenario == s));
    // The best fit wins; among equals the first.
    let best = groups.iter().rev().max_by_key(|g| {
        let (model, scenario) = fits(g);
        usize::from(model) * 2 + usize::from(scenario)
    });
    (best.cloned(), problems)
}

/// The points of a group, without copying where it is all of them.
pub(crate) fn members<'a>(points: &'a [Point], group: &GroupKey) -> Cow<'a, [Point]> {
    let fits = |p: &Point| p.scenario == group.scenario && p.model == group.model;
    if points.iter().all(fits) { Cow::Borrowed(points) } else { Cow::Owned(points.iter().filter(|p| fits(p)).cloned().collect()) }
}

/// Metrics that a scenario's tables show: its latencies, then throughput.
pub(crate) fn scenario_metrics(scenario: Scenario) -> Vec<Metric> {
    let names: [&str; 3] =
        if scenario.is_agentic() { ["p90_e2el", "p75_e2el", "tput_per_gpu"] } else { ["median_e2el", "median_intvty", "tput_per_gpu"] };
    names.map(Metric::describe).to_vec()
}

/// Axes that a scenario is judged on: throughput per GPU against each of its latencies.
pub(crate) fn judged_axes(scenario: Scenario) -> Vec<Axes> {
    scenario_metrics(scenario)
        .into_iter()
        .filter(|m| m.name != "tput_per_gpu")
        .map(|x| axes_for(Some(&x.name), Some("tput_per_gpu"), scenario))
        .collect()
}

/// Curves on axes; none where an axis has no better end, which a view can't choose.
pub(crate) fn on(points: &[Point], axes: &Axes, words: &Vocabulary) -> Vec<Curve> {
    curve::curves(points, axes, words).unwrap_or_default()
}

/// How each point stands on the axes of some curves.
pub(crate) fn standing(curves: &[Curve]) -> HashMap<PointId, &CurvePoint> {
    curves.iter().flat_map(|c| &c.points).map(|p| (p.point_id.clone(), p)).collect()
}

/// Whether any point that counts has a metric.
pub(crate) fn is_measured(points: &[Point], name: &str) -> bool {
    points.iter().any(|p| p.counts() && p.metric(name).is_some())
}

/// A run as it stood after an attempt: versions of later attempts are gone, and what they superseded counts again.
pub(crate) fn as_of(detail: &RunDetail, attempt: Attempt) -> RunDetail {
    let mut then = detail.clone();
    let until = |a: Option<Attempt>| a.is_none_or(|a| a <= attempt);
    then.points.retain(|p| until(p.attempt));
    let rank = |p: &Point| (p.status == Status::Ok, p.attempt);
    let mut best: HashMap<PointId, usize> = HashMap::new();
    for (i, p) in then.points.iter().enumerate() {
        // What counts in the end counts whenever it was there; else the newest that did not fail.
        let held = best.get(&p.id).and_then(|j| then.points.get(*j));
        if held.is_none_or(|held| held.superseded && (!p.superseded || rank(p) > rank(held))) {
            best.insert(p.id.clone(), i);
        }
    }
    for (i, p) in then.points.iter_mut().enumerate() {
        p.superseded = best.get(&p.id) != Some(&i);
    }
    then.evals.retain(|e| until(e.attempt));
    let mut best = HashMap::new();
    for (i, e) in then.evals.iter().enumerate() {
        let held = best.get(&e.id).and_then(|j: &usize| then.evals.get(*j));
        if held.is_none_or(|held| held.superseded && (!e.superseded || e.attempt > held.attempt)) {
            best.insert(e.id.clone(), i);
        }
    }
    for (i, e) in then.evals.iter_mut().enumerate() {
        e.superseded = best.get(&e.id) != Some(&i);
    }
    review_again(&mut then);
    then.jobs.retain(|j| until(j.attempt));
    then.artifacts.retain(|a| until(a.attempt));
    then
}

/// Gaps to the best sibling among the evals that are left.
fn review_again(detail: &mut RunDetail) {
    let same = |a: &paretoscope_domain::eval::Eval, b: &paretoscope_domain::eval::Eval| {
        (&a.task, &a.model, &a.hardware, &a.framework, &a.precision) == (&b.task, &b.model, &b.hardware, &b.framework, &b.precision)
    };
    let all = detail.evals.clone();
    for e in detail.evals.iter_mut().filter(|e| !e.superseded) {
        let siblings: Vec<_> = all.iter().filter(|o| !o.superseded && o.score.is_some() && same(o, e)).collect();
        let best = siblings.iter().max_by(|a, b| a.score.partial_cmp(&b.score).unwrap_or(std::cmp::Ordering::Equal));
        let known = best.filter(|_| siblings.len() > 1);
        e.best_sibling = known.map(|b| if b.score == e.score { e.id.clone() } else { b.id.clone() });
        e.gap = known.and_then(|b| Some(b.score? - e.score?));
        e.bound = known.and_then(|b| two_sigma_bound((b.score?, b.n?), (e.score?, e.n?)));
        e.within_2_sigma = e.gap.zip(e.bound).map(|(gap, bound)| gap <= bound);
    }
}
