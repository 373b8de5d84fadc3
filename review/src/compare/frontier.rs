//! Frontier against frontier.
//!
//! *Area.* The frontier is taken as the staircase of what is attainable: y*(x) is the best y among the frontier's points that are at
//! least as good as x on the x axis (for a latency: at most x; for interactivity: at least x). Nothing is interpolated, so no point
//! is invented. Both staircases are integrated over the range of x that both frontiers cover, from the larger of their smallest x to
//! the smaller of their largest x, on a linear axis: a hypervolume whose reference is y = 0 and that range. Where the range is empty
//! or a single x there is no area, and the answer says so.

use std::collections::HashMap;

use paretoscope_domain::curve::{Axes, CurveKey, NoDirection};
use paretoscope_domain::delta::{Again, Matched};
use paretoscope_domain::frontier::{self, Better, Direction, Frontier, Place, Verdict};
use paretoscope_domain::metric::Metric;
use paretoscope_domain::point::Point;
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

/// A side's frontier on one curve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FrontierSide {
    /// Points that count.
    pub total: usize,
    /// Points with both metrics finite and above zero.
    pub eligible: usize,
    /// Points that lack one.
    pub invalid: usize,
    /// Distinct coordinates on the frontier.
    pub frontier: usize,
    /// Verdict of the coverage rule.
    pub verdict: Verdict,
    /// Frontier points by x ascending, one per distinct coordinate.
    pub line: Vec<PointId>,
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
    /// The baseline's frontier; null where it has no point of the curve.
    pub base: Option<FrontierSide>,
    /// The run's frontier; null where it has no point of the curve.
    pub head: Option<FrontierSide>,
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

/// What makes a curve, borrowed.
type Key<'a> = (Scenario, &'a str, &'a str, &'a str, &'a str, Option<&'a str>);

/// The borrowed key of a point's curve.
pub(super) fn key_of(p: &Point) -> Key<'_> {
    let spec = (!p.scenario.is_agentic()).then_some(p.spec_method.as_str());
    (p.scenario, &p.model, &p.hardware, &p.framework, &p.precision, spec)
}

/// The borrowed form of a curve's key.
pub(super) fn borrowed(key: &CurveKey) -> Key<'_> {
    let CurveKey { model, scenario, hardware, framework, precision, spec_method } = key;
    (*scenario, model, hardware, framework, precision, spec_method.as_deref())
}

/// The points of a side on one curve, and their frontier.
struct Drawn<'a> {
    members: Vec<&'a Point>,
    places: Vec<(Option<f64>, Option<f64>)>,
    frontier: Frontier,
}

impl<'a> Drawn<'a> {
    fn of(members: Vec<&'a Point>, axes: &Axes, direction: Direction) -> Self {
        let places: Vec<_> = members.iter().map(|p| (p.metric(&axes.x.name), p.metric(&axes.y.name))).collect();
        let frontier = frontier::frontier(&places, direction);
        Self { members, places, frontier }
    }

    fn summary(&self) -> FrontierSide {
        FrontierSide {
            total: self.members.len(),
            eligible: self.frontier.eligible(),
            invalid: self.frontier.invalid(),
            frontier: self.frontier.count(),
            verdict: Verdict::of(&self.frontier),
            line: self.frontier.line.iter().filter_map(|i| self.members.get(*i)).map(|p| p.id.clone()).collect(),
        }
    }

    /// Points with their places on the frontier.
    fn points(&self) -> impl Iterator<Item = (&'a Point, &Place)> {
        self.members.iter().copied().zip(&self.frontier.places)
    }

    /// `dominated by TP4 c16`, or why a point has no place.
    fn standing(&self, place: &Place) -> String {
        let by = if let Place::Dominated(by) = place { by.first().and_then(|i| self.members.get(*i)) } else { None };
        by.map_or_else(|| "without a place, a value is missing or not above zero".to_owned(), |p| format!("dominated by {}", p.label))
    }

    /// The frontier's coordinates, by x ascending.
    fn line(&self) -> Vec<(f64, f64)> {
        self.frontier.line.iter().filter_map(|i| self.places.get(*i)).filter_map(|(x, y)| (*x).zip(*y)).collect()
    }
}

/// The curves of a side in the order in which they come.
fn grouped<'a>(side: &'a Side<'_>) -> Vec<(Key<'a>, Vec<&'a Point>)> {
    let mut out: Vec<(Key<'a>, Vec<&'a Point>)> = Vec::new();
    let mut index: HashMap<Key<'a>, usize> = HashMap::new();
    let mut last = None;
    for p in side.points.iter().filter(|p| p.counts()) {
        let key = key_of(p);
        // Points of one curve stand together, nearly always.
        let at = match last.filter(|at| out.get(*at).is_some_and(|(k, _)| *k == key)) {
            Some(at) => at,
            None => *index.entry(key).or_insert_with(|| {
                out.push((key, Vec::new()));
                out.len() - 1
            }),
        };
        last = Some(at);
        if let Some((_, members)) = out.get_mut(at) {
            members.push(p);
        }
    }
    out
}

/// All curves of both sides, those of the run first, by scenario. Uplift is counted with the pairs and filled in there.
pub(super) fn compared(
    (base, head): (&Side<'_>, &Side<'_>),
    matched: &Matched<'_>,
    options: &Options,
    words: &Vocabulary,
) -> Result<Vec<CurveComparison>, NoDirection> {
    let mut bases: Vec<_> = grouped(base).into_iter().map(Some).collect();
    let mut both: Vec<(Key<'_>, Vec<&Point>, Vec<&Point>)> = Vec::new();
    for (key, h) in grouped(head) {
        let b = bases.iter_mut().find(|b| b.as_ref().is_some_and(|(k, _)| *k == key)).and_then(Option::take);
        both.push((key, b.map(|(_, b)| b).unwrap_or_default(), h));
    }
    both.extend(bases.into_iter().flatten().map(|(key, b)| (key, b, Vec::new())));
    // Stable: within a scenario the run's order stands.
    both.sort_by_key(|((scenario, ..), _, _)| *scenario);
    let partners = Partners::of(matched);
    let mut out = Vec::with_capacity(both.len());
    for (_, b, h) in both {
        let Some(curve) = h.first().or(b.first()).map(|p| CurveKey::of(p)) else { continue };
        let axes = options.axes(curve.scenario);
        let direction = axes.direction()?;
        let drawn = |points: Vec<_>| (!points.is_empty()).then(|| Drawn::of(points, &axes, direction));
        let (b, h) = (drawn(b), drawn(h));
        let not_compared = lacking(b.as_ref(), base, &axes).or_else(|| lacking(h.as_ref(), head, &axes));
        let both = b.as_ref().zip(h.as_ref()).filter(|_| not_compared.is_none());
        let (entered, left) = both.map(|(b, h)| moves(b, h, &partners)).unwrap_or_default();
        let area = match both {
            Some((b, h)) => area_of(b, h, direction, &axes.y).map_err(|why| why.in_words(&axes.x)),
            None => Err("The frontiers can't be compared, so neither can what lies under them.".to_owned()),
        };
        out.push(CurveComparison {
            series: curve.title(words),
            key: curve,
            base: b.as_ref().map(Drawn::summary),
            head: h.as_ref().map(Drawn::summary),
            not_compared,
            entered,
            left,
            no_area: area.as_ref().err().cloned(),
            area: area.ok(),
            uplift: None,
            x: axes.x.name,
            y: axes.y.name,
        });
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
        let n = matched.pairs.len();
        let (mut of_base, mut of_head) = (HashMap::with_capacity(n), HashMap::with_capacity(n));
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

/// Why a side has no frontier on the axes: it has no such curve, or states no such metric.
fn lacking(drawn: Option<&Drawn<'_>>, side: &Side<'_>, axes: &Axes) -> Option<String> {
    let title = side.title();
    let Some(drawn) = drawn else {
        return Some(format!("Frontiers can't be compared: {title} has no point of this curve."));
    };
    if drawn.frontier.eligible() > 0 {
        return None;
    }
    let what = match (drawn.places.iter().any(|p| p.0.is_some()), drawn.places.iter().any(|p| p.1.is_some())) {
        (false, false) => format!("states neither {} nor {}", axes.x.label, axes.y.label),
        (false, true) => format!("states no {}", axes.x.label),
        (true, false) => format!("states no {}", axes.y.label),
        (true, true) => format!("has no point with both {} and {} above zero", axes.x.label, axes.y.label),
    };
    Some(format!("Frontiers can't be compared: {title} {what}."))
}

/// Who entered the frontier and who left it.
fn moves(base: &Drawn<'_>, head: &Drawn<'_>, partners: &Partners<'_>) -> (Vec<Move>, Vec<Move>) {
    fn by_id<'a, 'b>(d: &'b Drawn<'a>) -> HashMap<&'a PointId, (&'a Point, &'b Place)> {
        d.points().map(|(p, place)| (&p.id, (p, place))).collect()
    }
    let (bases, heads) = (by_id(base), by_id(head));
    let on_front = |found: Option<&(&Point, &Place)>| found.is_some_and(|(_, place)| **place == Place::Frontier);
    let entered = head
        .points()
        .filter(|(_, place)| **place == Place::Frontier)
        .filter_map(|(p, _)| {
            let partner = partners.of_head.get(&p.id).copied();
            let there = partner.and_then(|id| bases.get(id));
            if on_front(there) {
                return None;
            }
            let why = there.map_or_else(|| "new".to_owned(), |(_, place)| format!("was {}", base.standing(place)));
            Some(Move { label: p.label.clone(), base_point_id: partner.cloned(), head_point_id: Some(p.id.clone()), why })
        })
        .collect();
    let left = base
        .points()
        .filter(|(_, place)| **place == Place::Frontier)
        .filter_map(|(p, _)| {
            let partner = partners.of_base.get(&p.id).copied();
            let here = partner.and_then(|id| heads.get(id));
            if on_front(here) {
                return None;
            }
            let why = here.map_or_else(|| "not measured any more".to_owned(), |(_, place)| format!("{} now", head.standing(place)));
            let label = here.map_or(&p.label, |(h, _)| &h.label).clone();
            Some(Move { label, base_point_id: Some(p.id.clone()), head_point_id: partner.cloned(), why })
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
fn area_of(base: &Drawn<'_>, head: &Drawn<'_>, direction: Direction, y: &Metric) -> Result<Area, NoArea> {
    let (b, h) = (base.line(), head.line());
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
