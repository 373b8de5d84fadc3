//! The Pareto frontier of a curve, in any of four directions.
//!
//! The rule is check 14's (formats-and-rules §3.1), mirrored for each direction: walk from the good end of x and keep a point
//! when its y is better than every y so far, or equal to the best at a distinct x (a plateau is kept). Points at the same
//! coordinates are all on the frontier and count once.

use serde::{Deserialize, Serialize};

/// Which end of an axis is the good one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Better {
    /// Lower values are better: latency, energy.
    Lower,
    /// Higher values are better: throughput, interactivity.
    Higher,
}

/// Directions of both axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Direction {
    /// Good end of x.
    pub x: Better,
    /// Good end of y.
    pub y: Better,
}

/// Where one input point stands.
#[derive(Clone, Debug, PartialEq)]
pub enum Place {
    /// A coordinate is missing, not finite, or not above zero.
    Invalid,
    /// On the frontier.
    Frontier,
    /// Dominated by these frontier points (indices of the input), smallest y first; never empty.
    Dominated(Vec<usize>),
}

/// A frontier: where each input point stands, and how many distinct coordinates it has.
#[derive(Clone, Debug, PartialEq)]
pub struct Frontier {
    /// One place per input point, in the input's order.
    pub places: Vec<Place>,
    /// Indices of the frontier's points, one per distinct coordinate (the first of the input), by x ascending.
    pub line: Vec<usize>,
}

impl Frontier {
    /// Number of distinct coordinates on the frontier.
    #[must_use]
    pub fn count(&self) -> usize {
        self.line.len()
    }

    /// Number of points that could not take part.
    #[must_use]
    pub fn invalid(&self) -> usize {
        self.places.iter().filter(|place| matches!(place, Place::Invalid)).count()
    }

    /// Number of points that took part.
    #[must_use]
    pub fn eligible(&self) -> usize {
        self.places.len() - self.invalid()
    }
}

/// A coordinate that can take part: finite and above zero.
fn eligible(value: Option<f64>) -> Option<f64> {
    value.filter(|v| v.is_finite() && *v > 0.0)
}

/// The frontier of `points` (x, y; `None` where not measured) in `direction`.
#[must_use]
pub fn frontier(points: &[(Option<f64>, Option<f64>)], direction: Direction) -> Frontier {
    // Turned so that low x and high y are good, as in the rule's own wording.
    let turned = |(x, y): &(Option<f64>, Option<f64>)| -> Option<(f64, f64)> {
        let (x, y) = (eligible(*x)?, eligible(*y)?);
        Some((if direction.x == Better::Lower { x } else { -x }, if direction.y == Better::Higher { y } else { -y }))
    };
    let mut walk: Vec<(usize, f64, f64)> = points.iter().enumerate().filter_map(|(i, p)| turned(p).map(|(x, y)| (i, x, y))).collect();
    walk.sort_by(|a, b| a.1.total_cmp(&b.1).then(b.2.total_cmp(&a.2)).then(a.0.cmp(&b.0)));

    let mut places = vec![Place::Invalid; points.len()];
    let mut line: Vec<(usize, f64, f64)> = Vec::new();
    let mut members: Vec<(usize, f64, f64)> = Vec::new();
    let mut dominated: Vec<(usize, f64, f64)> = Vec::new();
    for point in walk {
        let (_, x, y) = point;
        match line.last() {
            None => line.push(point),
            Some(&(_, last_x, best)) if y > best || (y == best && x > last_x) => line.push(point),
            Some(&(_, last_x, best)) if y == best && x == last_x => {}
            Some(_) => {
                dominated.push(point);
                continue;
            }
        }
        members.push(point);
    }
    for (i, _, _) in &members {
        if let Some(place) = places.get_mut(*i) {
            *place = Place::Frontier;
        }
    }
    let raw_y = |i: usize| points.get(i).and_then(|p| p.1).unwrap_or(f64::INFINITY);
    for (i, x, y) in &dominated {
        // Along the frontier x and y both grow: those with a lower x come first, those with a higher y last.
        let (from, to) = (members.partition_point(|(_, _, fy)| fy <= y), members.partition_point(|(_, fx, _)| fx <= x));
        let mut by: Vec<usize> = members.get(from..to).unwrap_or_default().iter().map(|(index, _, _)| *index).collect();
        by.sort_by(|a, b| raw_y(*a).total_cmp(&raw_y(*b)).then(a.cmp(b)));
        if let Some(place) = places.get_mut(*i) {
            *place = Place::Dominated(by);
        }
    }
    if direction.x == Better::Higher {
        line.reverse();
    }
    Frontier { places, line: line.into_iter().map(|(i, _, _)| i).collect() }
}

/// Verdict of check 14 over one curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Every point took part and five or more stand on the frontier.
    Pass,
    /// Fewer than five, or a point that could not take part: an admin has to look.
    Warn,
    /// The run lacks one of the metrics altogether.
    NotMeasured,
}

impl Verdict {
    /// Frontier points that the rule asks for.
    pub const ENOUGH: usize = 5;

    /// The verdict over a frontier.
    #[must_use]
    pub fn of(frontier: &Frontier) -> Self {
        if frontier.eligible() == 0 {
            Self::NotMeasured
        } else if frontier.invalid() == 0 && frontier.count() >= Self::ENOUGH {
            Self::Pass
        } else {
            Self::Warn
        }
    }
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    const E2EL: Direction = Direction { x: Better::Lower, y: Better::Higher };

    fn table(rows: &[(f64, f64)]) -> Vec<(Option<f64>, Option<f64>)> {
        rows.iter().map(|(x, y)| (Some(*x), Some(*y))).collect()
    }

    const Y: [f64; 8] = [8105.0, 9425.0, 29242.0, 57957.0, 118_105.0, 224_816.0, 321_183.0, 340_890.0];
    const P90: [f64; 8] = [5.67, 6.29, 6.25, 7.64, 12.07, 15.40, 23.44, 33.68];
    const P75: [f64; 8] = [3.17, 2.79, 3.01, 3.55, 5.79, 7.61, 10.72, 14.56];

    #[test]
    fn reference_p90_drops_tp4_c4() {
        let points: Vec<_> = P90.into_iter().zip(Y).collect();
        let f = frontier(&table(&points), E2EL);
        assert_eq!(f.count(), 7);
        assert_eq!(f.places[1], Place::Dominated(vec![2]));
        assert_eq!(Verdict::of(&f), Verdict::Pass);
    }

    #[test]
    fn reference_p75_drops_tp4_c1() {
        let points: Vec<_> = P75.into_iter().zip(Y).collect();
        let f = frontier(&table(&points), E2EL);
        assert_eq!(f.count(), 7);
        assert_eq!(f.places[0], Place::Dominated(vec![1, 2]));
    }

    #[test]
    fn a_plateau_at_a_distinct_x_is_kept() {
        let f = frontier(&table(&[(1.0, 5.0), (2.0, 5.0), (3.0, 4.0)]), E2EL);
        assert_eq!(f.line, vec![0, 1]);
        assert_eq!(f.places[2], Place::Dominated(vec![0, 1]));
    }

    #[test]
    fn coincident_points_are_all_on_it_and_count_once() {
        let f = frontier(&table(&[(1.0, 5.0), (1.0, 5.0), (2.0, 6.0)]), E2EL);
        assert_eq!(f.count(), 2);
        assert_eq!(f.places, vec![Place::Frontier, Place::Frontier, Place::Frontier]);
    }

    #[test]
    fn at_one_x_the_better_y_wins() {
        let f = frontier(&table(&[(1.0, 4.0), (1.0, 5.0)]), E2EL);
        assert_eq!(f.places, vec![Place::Dominated(vec![1]), Place::Frontier]);
    }

    #[test]
    fn what_was_not_measured_is_invalid_not_zero() {
        let f = frontier(&[(Some(1.0), None), (Some(0.0), Some(1.0)), (Some(f64::NAN), Some(1.0)), (Some(1.0), Some(1.0))], E2EL);
        assert_eq!((f.invalid(), f.eligible(), f.count()), (3, 1, 1));
        assert_eq!(Verdict::of(&f), Verdict::Warn);
        assert_eq!(Verdict::of(&frontier(&[(None, Some(1.0))], E2EL)), Verdict::NotMeasured);
    }

    #[test]
    fn the_line_runs_with_x_in_every_direction() {
        let points = table(&[(1.0, 1.0), (2.0, 2.0), (3.0, 3.0), (2.0, 0.5), (3.0, 0.2), (1.0, 3.0)]);
        for x in [Better::Lower, Better::Higher] {
            for y in [Better::Lower, Better::Higher] {
                let f = frontier(&points, Direction { x, y });
                let xs: Vec<f64> = f.line.iter().map(|i| points[*i].0.unwrap()).collect();
                assert!(xs.windows(2).all(|w| w[0] < w[1]), "{x:?} {y:?} {xs:?}");
            }
        }
    }

    /// Brute force, straight from the rule's meaning: a point is off the frontier exactly when another eligible point is at
    /// least as good in x and strictly better in y.
    fn oracle(points: &[(Option<f64>, Option<f64>)], direction: Direction) -> Vec<Option<bool>> {
        let ok = |v: Option<f64>| v.is_some_and(|v| v.is_finite() && v > 0.0);
        let good = |a: f64, b: f64, better: Better, strict: bool| match (better, strict) {
            (Better::Lower, false) => a <= b,
            (Better::Lower, true) => a < b,
            (Better::Higher, false) => a >= b,
            (Better::Higher, true) => a > b,
        };
        points
            .iter()
            .map(|p| {
                if !ok(p.0) || !ok(p.1) {
                    return None;
                }
                let (x, y) = (p.0.unwrap(), p.1.unwrap());
                Some(
                    !points.iter().any(|q| {
                        ok(q.0) && ok(q.1) && good(q.0.unwrap(), x, direction.x, false) && good(q.1.unwrap(), y, direction.y, true)
                    }),
                )
            })
            .collect()
    }

    /// A million random cases with ties, missing values and duplicates, over all four directions.
    #[test]
    fn agrees_with_brute_force_on_a_million_cases() {
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        let mut next = move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        for case in 0..1_000_000_u32 {
            let n = (next() % 9) as usize;
            let mut value = || match next() % 12 {
                0 => None,
                1 => Some(0.0),
                2 => Some(f64::NAN),
                r => Some((r % 5 + 1) as f64 * 0.5),
            };
            let points: Vec<_> = (0..n).map(|_| (value(), value())).collect();
            let direction = Direction {
                x: if case & 1 == 0 { Better::Lower } else { Better::Higher },
                y: if case & 2 == 0 { Better::Lower } else { Better::Higher },
            };
            let f = frontier(&points, direction);
            let seen: Vec<Option<bool>> = f
                .places
                .iter()
                .map(|p| match p {
                    Place::Invalid => None,
                    Place::Frontier => Some(true),
                    Place::Dominated(by) => {
                        assert!(!by.is_empty());
                        Some(false)
                    }
                })
                .collect();
            assert_eq!(seen, oracle(&points, direction), "{points:?} {direction:?}");
            let mut distinct: Vec<_> = points
                .iter()
                .zip(&seen)
                .filter(|(_, s)| **s == Some(true))
                .map(|(p, _)| (p.0.unwrap().to_bits(), p.1.unwrap().to_bits()))
                .collect();
            distinct.sort_unstable();
            distinct.dedup();
            assert_eq!(f.count(), distinct.len());
        }
    }
}
