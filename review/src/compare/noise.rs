//! How much a configuration's figures move from run to run, told by its own earlier runs.
//!
//! For one configuration and metric the earlier runs give values in the order of time, v₁ … vₖ, and between consecutive ones the
//! relative changes rᵢ = (vᵢ₊₁ − vᵢ) ÷ vᵢ. A comparison is one more such change, so their spread is what it is held against:
//!
//! *band* = 2 · 1.4826 · c · median |rᵢ − median r|
//!
//! The median absolute deviation, made comparable with a standard deviation by 1.4826 and by c for the number of changes
//! (C. Croux, P. J. Rousseeuw, 1992), does not mind a real jump among the earlier runs; taking the median of the changes off, it does
//! not take a steady improvement for noise. A change within ± band is not told from noise.
//!
//! [`NEEDED`] values (three changes) are the least that a median can tell an outlier among. Below, nothing is said about noise and
//! the thresholds of [`super::relevance`] stand alone.

use std::cmp::Reverse;
use std::collections::HashMap;

use paretoscope_domain::RunId;
use paretoscope_domain::delta::{Alike, MatchKey};
use paretoscope_domain::point::Point;
use paretoscope_domain::run::RunDetail;
use serde::{Deserialize, Serialize};

use super::side::in_time;

/// Values of a configuration's metric in earlier runs that noise is told from.
pub const NEEDED: usize = 4;

/// What makes a median absolute deviation comparable with a standard deviation, for normal deviates.
const TO_SIGMA: f64 = 1.4826;

/// Factors for few values, from two on.
const FEW: [f64; 8] = [1.196, 1.495, 1.363, 1.206, 1.200, 1.140, 1.129, 1.107];

/// What is known of the noise of a whole comparison.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct NoiseSummary {
    /// Values that a configuration needs from earlier runs.
    pub needed: usize,
    /// Earlier runs looked at.
    pub runs: Vec<RunId>,
    /// Pairs of points.
    pub pairs: usize,
    /// Pairs whose configuration has enough values of the chart's vertical metric.
    pub pairs_with_enough: usize,
    /// Most earlier values that any pair has.
    pub most: usize,
    /// The same, as a sentence.
    pub sentence: String,
}

impl NoiseSummary {
    /// Sums up: `earlier` is the number of earlier values of each pair.
    pub(super) fn of(runs: Vec<RunId>, earlier: &[usize]) -> Self {
        let enough = earlier.iter().filter(|k| **k >= NEEDED).count();
        let most = earlier.iter().copied().max().unwrap_or(0);
        let pairs = earlier.len();
        let sentence = match (pairs, enough) {
            (0, _) => "No matched point, so no noise to tell.".to_owned(),
            (_, 0) => format!(
                "Not enough earlier runs to tell noise: {most} of {NEEDED} values at most. Changes are judged by fixed thresholds alone."
            ),
            _ if enough == pairs => format!("Noise is told by each configuration's own earlier runs, up to {most} values."),
            _ => format!(
                "Noise is told by earlier runs for {enough} of {pairs} points, up to {most} values; the others have fewer than {NEEDED} and are judged by fixed thresholds alone."
            ),
        };
        Self { needed: NEEDED, runs, pairs, pairs_with_enough: enough, most, sentence }
    }
}

/// Points of earlier runs by configuration, each run's in the order of time.
#[derive(Debug, Default)]
pub(super) struct Earlier<'a> {
    points: HashMap<MatchKey<'a>, Vec<(usize, &'a Point)>>,
    runs: Vec<RunId>,
}

impl<'a> Earlier<'a> {
    /// The points of `history` that count, but for those of the runs in `except`.
    pub(super) fn new(history: &[&'a RunDetail], except: &[RunId]) -> Self {
        let mut runs: Vec<&RunDetail> = history.iter().copied().filter(|d| !except.contains(&d.run.run_id)).collect();
        runs.sort_by_key(|d| in_time(&d.run));
        runs.dedup_by_key(|d| d.run.run_id);
        let mut points: HashMap<MatchKey<'a>, Vec<(usize, &'a Point)>> = HashMap::new();
        for (i, detail) in runs.iter().enumerate() {
            for p in detail.points.iter().filter(|p| p.counts()) {
                points.entry(MatchKey::of(p)).or_default().push((i, p));
            }
        }
        let mut runs: Vec<RunId> = runs.iter().map(|d| d.run.run_id).collect();
        runs.sort_by_key(|id| Reverse(*id));
        Self { points, runs }
    }

    /// Runs looked at, newest number first.
    pub(super) fn runs(&self) -> Vec<RunId> {
        self.runs.clone()
    }

    /// The earlier points of a configuration in the order of time: of each run the one most alike to `head`.
    pub(super) fn of(&self, head: &'a Point) -> Vec<&'a Point> {
        if self.points.is_empty() {
            return Vec::new();
        }
        let Some(all) = self.points.get(&MatchKey::of(head)) else { return Vec::new() };
        let mut out: Vec<(usize, &'a Point)> = Vec::with_capacity(all.len());
        for (run, p) in all {
            match out.last_mut() {
                Some((last, held)) if last == run => {
                    let rank = |p: &'a Point| (Alike::of(p, head), p.recipe_fingerprint.as_deref(), p.id.as_str());
                    if rank(p) < rank(held) {
                        *held = p;
                    }
                }
                _ => out.push((*run, p)),
            }
        }
        out.into_iter().map(|(_, p)| p).collect()
    }
}

/// Reads metrics of several earlier points by ascending name, without looking each name up.
pub(super) struct Cursors<'a> {
    points: Vec<std::iter::Peekable<std::collections::btree_map::Iter<'a, String, f64>>>,
    values: Vec<f64>,
    changes: Vec<f64>,
}

impl<'a> Cursors<'a> {
    pub(super) fn new(points: &[&'a Point]) -> Self {
        Self { points: points.iter().map(|p| p.metrics.iter().peekable()).collect(), values: Vec::new(), changes: Vec::new() }
    }

    /// The band of a metric in per cent, and the number of values behind it. Names must be asked for in ascending order.
    pub(super) fn band(&mut self, name: &str) -> (Option<f64>, usize) {
        if self.points.is_empty() {
            return (None, 0);
        }
        self.values.clear();
        for cursor in &mut self.points {
            while cursor.next_if(|(n, _)| n.as_str() < name).is_some() {}
            self.values.extend(cursor.next_if(|(n, _)| n.as_str() == name).map(|(_, v)| *v).filter(|v| v.is_finite()));
        }
        (band(&self.values, &mut self.changes), self.values.len())
    }
}

/// The band of values in the order of time, in per cent; `None` where they are too few.
fn band(values: &[f64], changes: &mut Vec<f64>) -> Option<f64> {
    changes.clear();
    changes.extend(values.iter().zip(values.iter().skip(1)).filter(|(a, _)| **a != 0.0).map(|(a, b)| (b - a) / a * 100.0));
    if values.len() < NEEDED || changes.len() + 1 < NEEDED {
        return None;
    }
    let n = changes.len();
    let centre = median(changes)?;
    changes.iter_mut().for_each(|r| *r = (*r - centre).abs());
    let spread = median(changes)?;
    // Display only: n stays small.
    let few = FEW.get(n - 2).copied().unwrap_or(n as f64 / (n as f64 - 0.8));
    Some(2.0 * TO_SIGMA * few * spread).filter(|b| b.is_finite())
}

/// The median; sorts its input.
fn median(values: &mut [f64]) -> Option<f64> {
    values.sort_unstable_by(f64::total_cmp);
    let half = values.len() / 2;
    let upper = values.get(half).copied()?;
    if values.len() % 2 == 1 {
        return Some(upper);
    }
    values.get(half.checked_sub(1)?).map(|lower| (lower + upper) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[f64]) -> Option<f64> {
        band(values, &mut Vec::new())
    }

    #[test]
    fn too_few_values_tell_nothing() {
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[100.0, 101.0, 99.0]), None);
        assert_eq!(of(&[0.0, 101.0, 99.0, 100.0]), None, "a change from 0 is none");
        assert!(of(&[100.0, 101.0, 99.0, 100.0]).is_some());
    }

    #[test]
    fn a_steady_climb_is_no_noise() {
        let climb: Vec<f64> = (0..8).map(|i| 100.0 * 1.05_f64.powi(i)).collect();
        assert!(of(&climb).unwrap() < 1e-9);
    }

    #[test]
    fn a_jump_among_the_earlier_runs_is_no_noise() {
        let quiet = of(&[100.0, 100.5, 100.1, 100.7, 100.2, 100.4]).unwrap();
        let jumped = of(&[100.0, 100.5, 100.1, 151.0, 150.3, 150.6]).unwrap();
        assert!((quiet - jumped).abs() < 2.0 && jumped < 4.0, "{quiet} {jumped}");
    }

    #[test]
    fn the_formula() {
        // Changes in per cent: 1, −1, 3; their median 1, the deviations 0, 2, 2, their median 2.
        let values = [100.0, 101.0, 101.0 * 0.99, 101.0 * 0.99 * 1.03];
        assert!((of(&values).unwrap() - 2.0 * 1.4826 * 1.495 * 2.0).abs() < 1e-9);
    }
}
