//! Geometric mean of a metric's ratios over matched points, with its coverage.

use paretoscope_domain::frontier::Better;
use paretoscope_domain::metric::Metric;
use serde::{Deserialize, Serialize};

/// How much a metric moved over all matched points together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Uplift {
    /// Geometric mean of run ÷ baseline over `n` points.
    pub ratio: f64,
    /// The same as a change in per cent.
    pub pct: f64,
    /// Whether it is for the better; null where the metric has no better end or nothing changed.
    pub better: Option<bool>,
    /// Matched points whose both rows state the metric above zero; each point once.
    pub n: usize,
    /// Points of either side: matched ones and those that only one has.
    pub of: usize,
}

/// Ratios of a metric, counted.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    /// Sum of the logarithms of run ÷ baseline.
    sum: f64,
    n: usize,
}

impl Tally {
    /// Counts a pair of values, where both are above zero.
    pub(super) fn count(&mut self, base: f64, head: f64) {
        if base > 0.0 && head > 0.0 && base.is_finite() && head.is_finite() {
            // Equal values count as such, to the last digit.
            self.sum += if base == head { 0.0 } else { (head / base).ln() };
            self.n += 1;
        }
    }

    /// Both together.
    pub(super) fn and(self, other: Self) -> Self {
        Self { sum: self.sum + other.sum, n: self.n + other.n }
    }
}

impl Uplift {
    /// The uplift of a metric by its counted ratios, among `of` points. `None` where none was counted.
    pub(super) fn of(metric: &Metric, Tally { sum, n }: Tally, of: usize) -> Option<Self> {
        if n == 0 {
            return None;
        }
        // Exact: a count of points is far below 2^53.
        let ratio = (sum / n as f64).exp();
        let better = metric.better.filter(|_| sum != 0.0).map(|end| (sum > 0.0) == (end == Better::Higher));
        ratio.is_finite().then_some(Self { ratio, pct: (ratio - 1.0) * 100.0, better, n, of })
    }

    /// `−1.5 % over 8 of 8 points`.
    #[must_use]
    pub fn in_words(&self) -> String {
        let points = if self.of == 1 { "point" } else { "points" };
        format!("{} over {} of {} {points}", paretoscope_domain::format::percent_change(self.pct), self.n, self.of)
    }
}
