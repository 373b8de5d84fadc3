//! The answer in a sentence.

use paretoscope_domain::Scenario;
use paretoscope_domain::format::percent_change;
use paretoscope_domain::metric::Metric;
use serde::{Deserialize, Serialize};

use super::{Class, Comparison, PointPair};

/// In a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = CompareOutcome))]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// No point of the one has a counterpart in the other that states a judged metric.
    NothingToCompare,
    /// Both sides are the same.
    Same,
    /// No judged change stands out.
    WithinNoise,
    /// What stands out is for the better.
    Better,
    /// What stands out is for the worse.
    Worse,
    /// Some of what stands out is for the better, some for the worse.
    Mixed,
}

impl Outcome {
    /// For people.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::NothingToCompare => "Nothing to compare",
            Self::Same => "The same",
            Self::WithinNoise => "Within noise",
            Self::Better => "Better",
            Self::Worse => "Worse",
            Self::Mixed => "Mixed",
        }
    }
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = CompareVerdict))]
pub struct Verdict {
    /// In a word.
    pub outcome: Outcome,
    /// In a sentence or a few, with the figures.
    pub sentence: String,
}

/// Metrics that a scenario's verdict is made of, in the order in which they are told: throughput, interactivity, latencies, power.
/// Agentic traces are judged at P90, fixed sequences at the median.
#[must_use]
pub fn judged(scenario: Scenario) -> Vec<Metric> {
    let statistic = if scenario.is_agentic() { "p90" } else { "median" };
    let mut names = vec!["tput_per_gpu".to_owned()];
    names.extend(["intvty", "e2el", "ttft", "tpot"].map(|quantity| format!("{statistic}_{quantity}")));
    names.push("avg_power_w".to_owned());
    names.iter().map(|name| Metric::describe(name)).collect()
}

/// What one metric did.
struct Moved<'a> {
    metric: Metric,
    /// Points that state it on both sides.
    n: usize,
    better: Vec<(&'a PointPair, f64, Class)>,
    worse: Vec<(&'a PointPair, f64, Class)>,
}

/// The verdict over a comparison whose other parts are done.
pub(super) fn of(c: &Comparison) -> Verdict {
    let moved = moved(c);
    let (b, h) = (&c.base.title, &c.head.title);
    let outcome = outcome(c, &moved);
    let mut parts: Vec<String> = Vec::new();
    match outcome {
        Outcome::Same => parts.push(format!("The same: both sides are {h}.")),
        Outcome::NothingToCompare if c.points.is_empty() => {
            parts.push(format!("Nothing to compare: {h} and {b} share no configuration."));
        }
        Outcome::NothingToCompare => {
            let n = points(c.points.len());
            parts.push(format!("Nothing to compare: {n} matched, but {h} and {b} state none of the judged metrics in common."));
        }
        // What noise is not known of can't be within it.
        Outcome::WithinNoise if c.noise.pairs_with_enough < c.noise.pairs => {
            parts.push(format!("Nothing stands out: {}.", clauses(&moved, c)));
        }
        _ => parts.push(format!("{}: {}.", outcome.title(), clauses(&moved, c))),
    }
    if outcome != Outcome::Same {
        parts.extend(coverage(c));
        parts.extend(evals(c));
        if !c.points.is_empty() && c.noise.pairs_with_enough < c.noise.pairs {
            parts.push(c.noise.sentence.clone());
        }
    }
    Verdict { outcome, sentence: parts.join(" ") }
}

fn outcome(c: &Comparison, moved: &[Moved<'_>]) -> Outcome {
    if !c.base.official && c.base.run_id.is_some() && c.base.run_id == c.head.run_id {
        return Outcome::Same;
    }
    if moved.is_empty() {
        return Outcome::NothingToCompare;
    }
    match (moved.iter().any(|m| !m.better.is_empty()), moved.iter().any(|m| !m.worse.is_empty())) {
        (false, false) => Outcome::WithinNoise,
        (true, false) => Outcome::Better,
        (false, true) => Outcome::Worse,
        (true, true) => Outcome::Mixed,
    }
}

/// What each judged metric did, over all pairs: where a point is shown twice, each of its changes is a change.
fn moved(c: &Comparison) -> Vec<Moved<'_>> {
    let mut out: Vec<Moved<'_>> = Vec::new();
    // What each curve's scenario is judged on, as places in `out`.
    let places: Vec<Vec<(String, usize)>> = c
        .curves
        .iter()
        .map(|curve| {
            let place = |metric: Metric| {
                let at = out.iter().position(|m| m.metric.name == metric.name).unwrap_or_else(|| {
                    out.push(Moved { metric: metric.clone(), n: 0, better: Vec::new(), worse: Vec::new() });
                    out.len() - 1
                });
                (metric.name, at)
            };
            judged(curve.key.scenario).into_iter().map(place).collect()
        })
        .collect();
    for pair in &c.points {
        for (name, at) in places.get(pair.curve).into_iter().flatten() {
            let Some(delta) = pair.delta.get(name) else { continue };
            let (Some((pct, class)), Some(held)) = (delta.pct.zip(delta.class), out.get_mut(*at)) else { continue };
            held.n += 1;
            match delta.better.filter(|_| delta.stands_out()) {
                Some(true) => held.better.push((pair, pct, class)),
                Some(false) => held.worse.push((pair, pct, class)),
                None => {}
            }
        }
    }
    out.retain(|m| m.n > 0);
    out
}

/// `throughput per GPU is worse at 2 of 8 points (most at TP4 c4: −7.8 %, large); P90 E2EL shows nothing notable at all 8 points`.
fn clauses(moved: &[Moved<'_>], c: &Comparison) -> String {
    let series = distinct(&c.curves);
    let (loud, quiet): (Vec<_>, Vec<_>) = moved.iter().partition(|m| !m.better.is_empty() || !m.worse.is_empty());
    let mut parts: Vec<String> = loud
        .iter()
        .map(|m| {
            let side = |which: &[(&PointPair, f64, Class)], word: &str| -> Option<String> {
                let (pair, pct, class) =
                    // Of equal ones the first by name, so that order says nothing.
                    which.iter().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()).then_with(|| b.0.label.cmp(&a.0.label)))?;
                let curve = series.get(pair.curve).filter(|s| !s.is_empty()).map(|s| format!(" of {s}")).unwrap_or_default();
                let most = format!("{}{curve}: {}, {}", pair.label, percent_change(*pct), class.title());
                Some(match which.len() {
                    1 => format!("{word} at 1 of {} ({most})", points(m.n)),
                    n => format!("{word} at {n} of {} (most at {most})", points(m.n)),
                })
            };
            let sides: Vec<String> = [side(&m.worse, "worse"), side(&m.better, "better")].into_iter().flatten().collect();
            format!("{} is {}", m.metric.label, sides.join(" and "))
        })
        .collect();
    if !quiet.is_empty() {
        let names: Vec<String> = quiet.iter().map(|m| m.metric.label.clone()).collect();
        let verb = if names.len() == 1 { "shows" } else { "show" };
        let n = quiet.iter().map(|m| m.n).max().unwrap_or(0);
        let over = if n == 1 { "the one point".to_owned() } else { format!("all {}", points(n)) };
        parts.push(format!("{} {verb} nothing notable at {over}", joined(&names)));
    }
    parts.join("; ")
}

/// What tells each curve from the others, in words: nothing where there is one.
fn distinct(curves: &[super::CurveComparison]) -> Vec<String> {
    let parts: Vec<Vec<&str>> = curves.iter().map(|c| c.series.split(" · ").collect()).collect();
    let common = |part: &str| parts.iter().all(|p| p.contains(&part));
    parts.iter().map(|p| p.iter().filter(|part| !common(part)).copied().collect::<Vec<_>>().join(" · ")).collect()
}

/// Points that only one side has, and what that means for the sentence before.
fn coverage(c: &Comparison) -> Option<String> {
    let (added, removed) = (c.added.len(), c.removed.len());
    let (b, h) = (&c.base.title, &c.head.title);
    match (added, removed) {
        (0, 0) => None,
        (n, 0) => Some(format!("{} only in {h}.", points(n))),
        (0, n) => Some(format!("{} only in {b}.", points(n))),
        (a, r) => Some(format!("{} only in {h}, {r} only in {b}.", points(a))),
    }
}

/// Evals that moved beyond two sigma.
fn evals(c: &Comparison) -> Option<String> {
    let compared: Vec<_> = c.evals.iter().filter(|e| e.significant.is_some()).collect();
    let beyond: Vec<_> = compared.iter().filter(|e| e.significant == Some(true)).collect();
    if compared.is_empty() {
        return None;
    }
    if beyond.is_empty() {
        let n = compared.len();
        return Some(if n == 1 { "The eval is within 2σ.".to_owned() } else { format!("All {n} evals are within 2σ.") });
    }
    let named: Vec<String> = beyond
        .iter()
        .take(3)
        .map(|e| format!("{} {} is {}", e.task, e.label, if e.better == Some(true) { "better" } else { "worse" }))
        .collect();
    let more = beyond.len().saturating_sub(3);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    Some(format!("Evals beyond 2σ: {}{more}.", named.join(", ")))
}

fn points(n: usize) -> String {
    if n == 1 { "1 point".to_owned() } else { format!("{n} points") }
}

/// `a`, `a and b`, `a, b and c`.
fn joined(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [head @ .., last] => format!("{} and {last}", head.join(", ")),
    }
}
