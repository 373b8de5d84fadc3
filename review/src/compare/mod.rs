//! Two runs, or a run and the official curve, against each other.
//!
//! [`compare`] is pure: it takes two [`Side`]s and the earlier runs that tell noise, and gives a [`Comparison`], which is what the
//! page shows and the API answers. Its parts:
//!
//! * `side`: a run, or the official curve as of a date ([`official_as_of`])
//! * `paretoscope_domain::delta`: which points are matched
//! * `change`: every metric of a pair; `relevance` and `noise` judge it, apart from each other
//! * `alone`: points that only one side has, and why
//! * `frontier`: frontier against frontier; `uplift`: geometric means
//! * `eval`: evals side by side; `difference`: image, fingerprint, arguments, environment
//! * `verdict`: the answer in a sentence; `text`: all of it for a terminal or to paste

mod alone;
mod change;
mod difference;
mod eval;
mod frontier;
mod noise;
mod relevance;
mod side;
mod text;
mod uplift;
mod verdict;

use std::collections::{BTreeMap, BTreeSet};

use paretoscope_domain::curve::{Axes, NoDirection};
use paretoscope_domain::delta::{Again, BestMatch, Matched, matched};
use paretoscope_domain::metric::Metric;
use paretoscope_domain::point::Point;
use paretoscope_domain::run::RunDetail;
use paretoscope_domain::vocabulary::Vocabulary;
use paretoscope_domain::{PointId, RunId, Scenario};
use serde::{Deserialize, Serialize};

use self::change::Columns;
use self::uplift::Tally;

pub use self::alone::{Alone, NearMiss, Why};
pub use self::change::{Class, Delta, Deltas, Missing};
pub use self::difference::{About, Difference, Differences, Known};
pub use self::eval::{EvalPair, EvalSide};
pub use self::frontier::{Area, CurveComparison, FrontierSide, Move};
pub use self::noise::{NEEDED, NoiseSummary};
pub use self::relevance::{Relevance, Thresholds};
pub use self::side::{HiddenRun, OfficialSource, RunBrief, Side, SideSummary, earlier_runs, official_as_of, official_sources};
pub use self::text::{as_markdown, as_text};
pub use self::uplift::Uplift;
pub use self::verdict::{Outcome, Verdict, judged};

/// What to compare on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// Metric across; `None`: the scenario's own.
    pub x: Option<Metric>,
    /// Metric up; `None`: the scenario's own.
    pub y: Option<Metric>,
}

impl Options {
    /// The axes for a scenario.
    #[must_use]
    pub fn axes(&self, scenario: Scenario) -> Axes {
        let (x, y) = Axes::default_for(scenario);
        let or = |chosen: &Option<Metric>, name: &str| chosen.clone().unwrap_or_else(|| Metric::describe(name));
        Axes { x: or(&self.x, x), y: or(&self.y, y) }
    }
}

/// Why two sides are not compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotCompared {
    /// One is made up, the other measured.
    #[error("{synthetic} is synthetic sample data and {real} was measured: synthetic and real runs are not compared")]
    Mixed {
        /// Title of the synthetic side.
        synthetic: String,
        /// Title of the real side.
        real: String,
    },
    /// An axis has no better end.
    #[error(transparent)]
    NoDirection(#[from] NoDirection),
}

/// Two sides against each other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Comparison {
    /// What is compared with.
    pub base: SideSummary,
    /// What is compared.
    pub head: SideSummary,
    /// The answer.
    pub verdict: Verdict,
    /// Matched points, in the run's order.
    pub points: Vec<PointPair>,
    /// Points that only the run has, and why.
    pub added: Vec<Alone>,
    /// Points that only the baseline has, and why.
    pub removed: Vec<Alone>,
    /// Geometric mean of each judged metric's ratios over matched points, by metric.
    pub uplift: BTreeMap<String, Uplift>,
    /// Frontier against frontier, a curve each.
    pub curves: Vec<CurveComparison>,
    /// Evals side by side.
    pub evals: Vec<EvalPair>,
    /// What differs besides the figures.
    pub differences: Differences,
    /// What is known of noise.
    pub noise: NoiseSummary,
}

/// Two points of one configuration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PointPair {
    /// The run's label.
    pub label: String,
    /// The baseline's label, where it is another.
    pub base_label: Option<String>,
    /// The baseline's point.
    pub base_point_id: PointId,
    /// The run's point.
    pub head_point_id: PointId,
    /// Run of the baseline's point.
    pub base_run_id: RunId,
    /// Run of the run's point.
    pub head_run_id: RunId,
    /// Index of its curve in `curves`.
    pub curve: usize,
    /// How the two came to be a pair.
    pub matched: BestMatch,
    /// The same in words, where something had to be chosen.
    pub note: Option<String>,
    /// Earlier runs that measured the configuration.
    pub earlier: usize,
    /// Every metric that either row states, by name.
    #[cfg_attr(feature = "openapi", schema(value_type = BTreeMap<String, Delta>))]
    pub delta: Deltas,
}

/// Compares two sides. `history` are the earlier runs that tell noise ([`earlier_runs`]); the run itself is left out of them.
///
/// # Errors
/// When one side is synthetic and the other is not, or an axis has no better end.
pub fn compare(
    base: &Side<'_>,
    head: &Side<'_>,
    history: &[&RunDetail],
    options: &Options,
    words: &Vocabulary,
) -> Result<Comparison, NotCompared> {
    if !base.runs.is_empty() && !head.runs.is_empty() && base.synthetic() != head.synthetic() {
        let (synthetic, real) = if base.synthetic() { (base, head) } else { (head, base) };
        return Err(NotCompared::Mixed { synthetic: synthetic.title(), real: real.title() });
    }
    let m = matched(&base.points, &head.points);
    let mut curves = frontier::compared((base, head), &m, options, words)?;
    let heads: Vec<RunId> = head.runs.iter().map(|(d, _)| d.run.run_id).collect();
    let past = noise::Earlier::new(history, &heads);
    let columns = change::Columns::of(m.pairs.iter().flat_map(|(b, h)| [*b, *h]), &tallied(&curves));
    let mut tallies = vec![columns.tallies(); curves.len()];
    let points: Vec<PointPair> = m
        .with_how()
        .map(|(b, h, how)| {
            let (earlier, curve) = (past.of(h), curve_of(&curves, h));
            // Each point once: what is shown again is not counted again.
            let tallies = tallies.get_mut(curve).filter(|_| how.again == Again::Neither);
            PointPair {
                label: h.label.clone(),
                base_label: (b.label != h.label).then(|| b.label.clone()),
                base_point_id: b.id.clone(),
                head_point_id: h.id.clone(),
                base_run_id: b.run_id,
                head_run_id: h.run_id,
                curve,
                matched: how,
                note: how.in_words(),
                earlier: earlier.len(),
                delta: columns.deltas(b, h, &earlier, tallies.map_or(&mut [], Vec::as_mut_slice)),
            }
        })
        .collect();
    let uplift = uplifts(&mut curves, &columns, &tallies, &m);
    let earlier: Vec<usize> = points.iter().map(|p| curves.get(p.curve).and_then(|c| p.delta.get(&c.y)).map_or(0, |d| d.earlier)).collect();
    let pairs: Vec<(&Point, &Point)> = m.one_to_one().collect();
    let mut comparison = Comparison {
        base: base.summary(),
        head: head.summary(),
        verdict: Verdict { outcome: Outcome::NothingToCompare, sentence: String::new() },
        uplift,
        added: alone::explained(&m.added, base),
        removed: alone::explained(&m.removed, head),
        evals: eval::compared(base, head),
        differences: difference::between(base, head, &pairs),
        noise: NoiseSummary::of(past.runs(), &earlier),
        curves,
        points,
    };
    comparison.verdict = verdict::of(&comparison);
    Ok(comparison)
}

/// Metrics whose ratios are counted: the judged ones and the axes.
fn tallied(curves: &[CurveComparison]) -> BTreeSet<String> {
    let mut scenarios: Vec<Scenario> = curves.iter().map(|c| c.key.scenario).collect();
    scenarios.dedup();
    let judged = scenarios.into_iter().flat_map(judged).map(|m| m.name);
    judged.chain(curves.iter().flat_map(|c| [c.x.clone(), c.y.clone()])).collect()
}

/// Uplift of every counted metric over all curves, and of y on each curve, which is set there.
fn uplifts(curves: &mut [CurveComparison], columns: &Columns, tallies: &[Vec<Tally>], m: &Matched<'_>) -> BTreeMap<String, Uplift> {
    let mut of = vec![0; curves.len()];
    let alone = m.added.iter().chain(&m.removed).copied();
    for p in m.one_to_one().map(|(_, h)| h).chain(alone) {
        if let Some(n) = of.get_mut(curve_of(curves, p)) {
            *n += 1;
        }
    }
    let mut total = columns.tallies();
    for ((curve, tallies), of) in curves.iter_mut().zip(tallies).zip(&of) {
        total.iter_mut().zip(tallies).for_each(|(sum, t)| *sum = sum.and(*t));
        let y = columns.counted(tallies).find(|(metric, _)| metric.name == curve.y);
        curve.uplift = y.and_then(|(metric, tally)| Uplift::of(metric, tally, *of));
    }
    let all = of.iter().sum();
    columns.counted(&total).filter_map(|(metric, tally)| Some((metric.name.clone(), Uplift::of(metric, tally, all)?))).collect()
}

/// Index of a point's curve; every matched point's is there, since curves are made of the points that count.
fn curve_of(curves: &[CurveComparison], p: &Point) -> usize {
    if curves.len() < 2 {
        return 0;
    }
    let key = frontier::key_of(p);
    curves.iter().position(|c| frontier::borrowed(&c.key) == key).unwrap_or(0)
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test fails by panicking")]
mod tests;
