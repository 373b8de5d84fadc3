//! How sure a score is: intervals and the two-sigma rule for siblings.

use serde::{Deserialize, Serialize};

/// An interval of a proportion, 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// z of a two-sided 95 % interval.
const Z95: f64 = 1.959_963_984_540_054;

/// Wilson's 95 % score interval of a proportion `score` (0 to 1) over `n` answers.
///
/// `None` unless `score` is a proportion and `n` positive: an interval of nothing is not an interval.
/// Source: E. B. Wilson, 1927. It covers the sampling of questions only, not the choice of engine or prompt.
#[must_use]
pub fn wilson(score: f64, n: f64) -> Option<Interval> {
    if !(0.0..=1.0).contains(&score) || !n.is_finite() || n <= 0.0 {
        return None;
    }
    let z2 = Z95 * Z95;
    let centre = (score + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = Z95 / (1.0 + z2 / n) * (score * (1.0 - score) / n + z2 / (4.0 * n * n)).sqrt();
    Some(Interval { low: (centre - half).max(0.0), high: (centre + half).min(1.0) })
}

/// Bound of the two-sigma rule for two scores (proportions) of `n` answers each: `2·√(s_a(1−s_a)/n_a + s_b(1−s_b)/n_b)`.
///
/// `None` where a score is no proportion or an `n` is not positive. Source: formats-and-rules §3.2.
#[must_use]
pub fn two_sigma_bound(a: (f64, f64), b: (f64, f64)) -> Option<f64> {
    let variance = |(score, n): (f64, f64)| ((0.0..=1.0).contains(&score) && n.is_finite() && n > 0.0).then(|| score * (1.0 - score) / n);
    Some(2.0 * (variance(a)? + variance(b)?).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reference_gap_and_bound() {
        let (best, low) = (1287.0 / 1319.0, 1278.0 / 1319.0);
        let bound = two_sigma_bound((best, 1319.0), (low, 1319.0)).unwrap();
        assert!((best - low - 0.006_82).abs() < 5e-6);
        assert!((bound - 0.012_77).abs() < 5e-6);
    }

    #[test]
    fn wilson_table() {
        // Values from the closed form, checked by hand against published tables for 81/263 and the edges.
        let i = wilson(81.0 / 263.0, 263.0).unwrap();
        assert!((i.low - 0.2553).abs() < 1e-4 && (i.high - 0.3662).abs() < 1e-4, "{i:?}");
        let none = wilson(0.0, 10.0).unwrap();
        assert!(none.low.abs() < 1e-12 && (none.high - 0.2775).abs() < 1e-4, "{none:?}");
        let all = wilson(1.0, 10.0).unwrap();
        assert!((all.high - 1.0).abs() < 1e-12 && (all.low - 0.7225).abs() < 1e-4, "{all:?}");
        assert_eq!(wilson(1.2, 10.0), None);
        assert_eq!(wilson(0.5, 0.0), None);
        assert_eq!(wilson(f64::NAN, 5.0), None);
    }
}
