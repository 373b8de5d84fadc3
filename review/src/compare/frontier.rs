//! Frontier against frontier.
//!
//! *Area.* The frontier is taken as the staircase of what is attainable: y*(x) is the best y among the frontier's points that are at
//! least as good as x on the x axis (for a latency: at most x; for interactivity: at least x). Nothing is interpolated, so no point
//! is invented. Both staircases are integrated over the range of x that both frontiers cover, from the larger of their smallest x to
//! the smaller of their largest x, on a linear axis: a hypervolume whose reference is y = 0 and that range. Where the range is empty
//! or a single x there is no area, and the answer says so.

use std::collections::{HashMap, HashSet};

use paretoscope_domain::curve::{Axes, Curve, CurveKey, CurvePoint, NoDirection, curves};
use paretoscope_domain::delta::{Again, Matched};
use paretoscope_domain::frontier::{Better, Direction, Verdict};
use paretoscope_domain::metric::Metric;
use paretoscope_domain::vocabulary::Vocabulary;
use paretoscope_domain::{PointId, Scenario};
use serde::{Deserialize, Serialize};

use super::Options;
use super::side::Side;
use super::uplift::Uplift;

/// A point that entered or left the frontier.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Move {
    /// Its label, of the run where it has it, else of the baseline.
    pub label: String,
    /// The baseline's point; null where it has none.
    pub base_point_id: Option<PointId>,
    /// The run's point; null where it has none.
    pub head_point_id: Option<PointId>,
    /// Why, in words: `new`, `was dominated by TP4 c16`, `dominated by TP4 c16 now`, `not measured any more`.
    pub why: String,
}

/// Area below (or, where less is better, also below) both frontiers over the range of x they share.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Area {
    /// Start of the range of x.
    pub from: f64,
    /// End of it.
    pub to: f64,
    /// The baseline's area: unit of y times unit of x.
    pub base: f64,
    /// The run's.
    pub head: f64,
    /// Change in per cent.
    pub pct: Option<f64>,
    /// Whether the change is for the better; null where nothing changed.
    pub better: Option<bool>,
}

/// One curve of both sides on the axes asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CurveComparison {
    /// For people.
    pub series: String,
    /// What makes the curve.
    pub key: CurveKey,
    /// Metric across.
    pub x: String,
    /// Metric up.
    pub y: String,
    /// The baseline's curve; null where it has no point of it.
    pub base: Option<Curve>,
    /// The run's curve; null where it has no point of it.
    pub head: Option<Curve>,
    /// Why the frontiers can't be compared, as a sentence; null where they are.
    pub not_compared: Option<String>,
    /// Points on the run's frontier that weren't on the baseline's.
    pub entered: Vec<Move>,
    /// Points on the baseline's frontier that aren't on the run's.
    pub left: Vec<Move>,
    /// Area under both; null where there is none to compare.
    pub area: Option<Area>,
    /// Why there is no area, as a sentence; null where there is one.
    pub no_area: Option<String>,
    /// Uplift of y over the curve's matched points; null where none states it.
    pub uplift: Option<Uplift>,
}

/// All curves of both sides, those of the run first.
pub(super) fn compared(
    (base, head): (&Side<'_>, &Side<'_>),
    matched: &Matched<'_>,
    options: &Options,
    words: &Vocabulary,
) -> Result<Vec<CurveComparison>, NoDirection> {
    let mut scenarios: Vec<Scenario> = head.points.iter().chain(base.points.iter()).filter(|p| p.counts()).map(|p| p.scenario).collect();
    // One after the other they are the same, nearly always.
    scenarios.dedup();
    scenarios.sort_unstable();
    scenarios.dedup();
    let mut out = Vec::new();
    for scenario in scenarios {
        let axes = options.axes(scenario);
        let of = |side: &Side<'_>| -> Result<Vec<Curve>, NoDirection> {
            Ok(curves(&side.points, &axes, words)?.into_iter().filter(|c| c.key.scenario == scenario).collect())
        };
        let mut bases: Vec<Option<Curve>> = of(base)?.into_iter().map(Some).collect();
        let heads = of(head)?;
        let mut pairs: Vec<(Option<Curve>, Option<Curve>)> = heads
            .into_iter()
            .map(|h| (bases.iter_mut().find(|b| b.as_ref().is_some_and(|b| b.key == h.key)).and_then(Option::take), Some(h)))
            .collect();
        pairs.extend(bases.into_iter().flatten().map(|b| (Some(b), None)));
        let direction = axes.direction()?;
        let partners = Partners::of(matched);
        for (b, h) in pairs {
            let Some(key) = h.as_ref().or(b.as_ref()).map(|c| c.key.clone()) else { continue };
            out.push(one(key, (b, h), (base, head), &axes, direction, &partners, matched, words));
        }
    }
    Ok(out)
}

/// Which point is each point's counterpart.
struct Partners<'a> {
    of_base: HashMap<&'a PointId, &'a PointId>,
    of_head: HashMap<&'a PointId, &'a PointId>,
}

impl<'a> Partners<'a> {
    fn of(matched: &Matched<'a>) -> Self {
        let (mut of_base, mut of_head) = (HashMap::new(), HashMap::new());
        for (b, h, how) in matched.with_how() {
            if how.again != Again::Base {
                of_base.insert(&b.id, &h.id);
            }
            if how.again != Again::Head {
                of_head.insert(&h.id, &b.id);
            }
        }
        Self { of_base, of_head }
    }
}

#[expect(clippy::too_many_arguments, reason = "the parts of one comparison, used once")]
fn one(
    key: CurveKey,
    (base, head): (Option<Curve>, Option<Curve>),
    (base_side, head_side): (&Side<'_>, &Side<'_>),
    axes: &Axes,
    direction: Direction,
    partners: &Partners<'_>,
    matched: &Matched<'_>,
    words: &Vocabulary,
) -> CurveComparison {
    let not_compared = lacking(base.as_ref(), base_side, axes).or_else(|| lacking(head.as_ref(), head_side, axes));
    let (mut entered, mut left, mut area, mut no_area) = (Vec::new(), Vec::new(), None, None);
    match (&base, &head) {
        (Some(b), Some(h)) if not_compared.is_none() => {
            (entered, left) = moves(b, h, partners);
            match area_of(b, h, direction, &axes.y) {
                Ok(found) => area = Some(found),
                Err(why) => no_area = Some(why.in_words(&axes.x)),
            }
        }
        _ => no_area = Some("The frontiers can't be compared, so neither can what lies under them.".to_owned()),
    }
    let uplift = Uplift::of(
        &axes.y,
        matched.one_to_one().filter(|(_, h)| on_curve(h, &key)),
        matched.added.iter().chain(&matched.removed).filter(|p| on_curve(p, &key)).count(),
    );
    CurveComparison {
        series: key.title(words),
        key,
        x: axes.x.name.clone(),
        y: axes.y.name.clone(),
        base,
        head,
        not_compared,
        entered,
        left,
        area,
        no_area,
        uplift,
    }
}

/// Whether a point is on a curve, without making its key.
fn on_curve(p: &paretoscope_domain::point::Point, key: &CurveKey) -> bool {
    let CurveKey { model, scenario, hardware, framework, precision, spec_method } = key;
    p.scenario == *scenario
        && p.model == *model
        && p.hardware == *hardware
        && p.framework == *framework
        && p.precision == *precision
        && spec_method.as_ref().is_none_or(|s| *s == p.spec_method)
}

/// Why a side has no frontier on the axes: it has no such curve, or states no such metric.
fn lacking(curve: Option<&Curve>, side: &Side<'_>, axes: &Axes) -> Option<String> {
    let title = side.title();
    let Some(curve) = curve else {
        return Some(format!("Frontiers can't be compared: {title} has no point of this curve."));
    };
    if curve.verdict != Verdict::NotMeasured {
        return None;
    }
    let states = |get: fn(&CurvePoint) -> Option<f64>| curve.points.iter().any(|p| get(p).is_some());
    let what = match (states(|p| p.x), states(|p| p.y)) {
        (false, false) => format!("states neither {} nor {}", axes.x.label, axes.y.label),
        (false, true) => format!("states no {}", axes.x.label),
        (true, false) => format!("states no {}", axes.y.label),
        (true, true) => format!("has no point with both {} and {} above zero", axes.x.label, axes.y.label),
    };
    Some(format!("Frontiers can't be compared: {title} {what}."))
}

/// Who entered the frontier and who left it.
fn moves(base: &Curve, head: &Curve, partners: &Partners<'_>) -> (Vec<Move>, Vec<Move>) {
    let by_id = |c: &Curve| -> HashMap<PointId, CurvePoint> { c.points.iter().map(|p| (p.point_id.clone(), p.clone())).collect() };
    let (bases, heads) = (by_id(base), by_id(head));
    let front = |c: &Curve| -> HashSet<PointId> { c.points.iter().filter(|p| p.on_frontier).map(|p| p.point_id.clone()).collect() };
    let (base_front, head_front) = (front(base), front(head));
    let dominated = |p: Option<&CurvePoint>, tense: &str| match p.and_then(|p| p.dominated_by.as_deref()) {
        Some(by) => format!("{tense}dominated by {by}"),
        None => format!("{tense}without a place: a value is missing or not above zero"),
    };
    let entered = head
        .points
        .iter()
        .filter(|p| p.on_frontier)
        .filter_map(|p| {
            let partner = partners.of_head.get(&p.point_id).copied();
            if partner.is_some_and(|b| base_front.contains(b)) {
                return None;
            }
            let why = match partner {
                None => "new".to_owned(),
                Some(b) => dominated(bases.get(b), "was "),
            };
            Some(Move { label: p.label.clone(), base_point_id: partner.cloned(), head_point_id: Some(p.point_id.clone()), why })
        })
        .collect();
    let left = base
        .points
        .iter()
        .filter(|p| p.on_frontier)
        .filter_map(|p| {
            let partner = partners.of_base.get(&p.point_id).copied();
            if partner.is_some_and(|h| head_front.contains(h)) {
                return None;
            }
            let here = partner.and_then(|h| heads.get(h));
            let why = match partner {
                None => "not measured any more".to_owned(),
                Some(_) => format!("{} now", dominated(here, "")),
            };
            let label = here.map_or_else(|| p.label.clone(), |h| h.label.clone());
            Some(Move { label, base_point_id: Some(p.point_id.clone()), head_point_id: partner.cloned(), why })
        })
        .collect();
    (entered, left)
}

/// Why there is no area.
enum NoArea {
    /// The frontiers share no range of x.
    Apart,
    /// They share a single x.
    OneX,
}

impl NoArea {
    fn in_words(&self, x: &Metric) -> String {
        match self {
            Self::Apart => format!("The frontiers share no range of {}, so there is no area to compare.", x.label),
            Self::OneX => format!("The frontiers share a single value of {}, so there is no area to compare.", x.label),
        }
    }
}

/// Area under both frontiers over the range of x that both cover.
fn area_of(base: &Curve, head: &Curve, direction: Direction, y: &Metric) -> Result<Area, NoArea> {
    let (b, h) = (line(base), line(head));
    let ends = |line: &[(f64, f64)]| line.first().zip(line.last()).map(|(first, last)| (first.0, last.0));
    let ((b0, b1), (h0, h1)) = ends(&b).zip(ends(&h)).ok_or(NoArea::Apart)?;
    let (from, to) = (b0.max(h0), b1.min(h1));
    if from > to {
        return Err(NoArea::Apart);
    }
    if from == to {
        return Err(NoArea::OneX);
    }
    let (base, head) = (under(&b, from, to, direction), under(&h, from, to, direction));
    let pct = (base != 0.0).then(|| (head - base) / base * 100.0).filter(|p| p.is_finite());
    let better = y.better.filter(|_| head != base).map(|end| (head > base) == (end == Better::Higher));
    Ok(Area { from, to, base, head, pct, better })
}

/// The frontier's places, by x ascending.
fn line(curve: &Curve) -> Vec<(f64, f64)> {
    let places: HashMap<&PointId, (f64, f64)> = curve.points.iter().filter_map(|p| Some((&p.point_id, (p.x?, p.y?)))).collect();
    curve.line.iter().filter_map(|id| places.get(id)).copied().collect()
}

/// Integral of the staircase of a frontier (x ascending) from `from` to `to`, which it covers.
fn under(line: &[(f64, f64)], from: f64, to: f64, direction: Direction) -> f64 {
    // Between two neighbouring points the better-placed one in x is what is attainable: the left one where low x is good, else the
    // right one. On a frontier it is the neighbour's equal or less in y, so no maximum is needed.
    line.iter()
        .zip(line.iter().skip(1))
        .map(|((x0, y0), (x1, y1))| {
            let width = (x1.min(to) - x0.max(from)).max(0.0);
            width * if direction.x == Better::Lower { y0 } else { y1 }
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LATENCY: Direction = Direction { x: Better::Lower, y: Better::Higher };
    const SPEED: Direction = Direction { x: Better::Higher, y: Better::Higher };

    #[test]
    fn the_staircase_invents_nothing() {
        // Low latency first: from 1 to 2 only y = 10 is attainable, from 2 to 4 y = 30.
        let line = [(1.0, 10.0), (2.0, 30.0), (4.0, 50.0)];
        assert_eq!(under(&line, 1.0, 4.0, LATENCY), 10.0 + 60.0);
        assert_eq!(under(&line, 1.5, 3.0, LATENCY), 5.0 + 30.0);
        // Interactivity: a user who is content with 1.5 gets what is measured at 2.
        let line = [(1.0, 50.0), (2.0, 30.0), (4.0, 10.0)];
        assert_eq!(under(&line, 1.0, 4.0, SPEED), 30.0 + 20.0);
        assert_eq!(under(&line, 1.5, 3.0, SPEED), 15.0 + 10.0);
    }
}
