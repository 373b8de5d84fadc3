//! Geometric mean of a metric's ratios over matched points, with its coverage.

use paretoscope_domain::frontier::Better;
use paretoscope_domain::metric::Metric;
use paretoscope_domain::point::Point;
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

impl Uplift {
    /// The uplift of a metric over pairs; `alone` points have no counterpart. `None` where no pair states it.
    pub(super) fn of<'a>(metric: &Metric, pairs: impl Iterator<Item = (&'a Point, &'a Point)>, alone: usize) -> Option<Self> {
        let (mut sum, mut n, mut all) = (0.0, 0_usize, alone);
        for (b, h) in pairs {
            all += 1;
            let usable = |p: &Point| p.metric(&metric.name).filter(|v| v.is_finite() && *v > 0.0);
            if let Some((b, h)) = usable(b).zip(usable(h)) {
                sum += (h / b).ln();
                n += 1;
            }
        }
        if n == 0 {
            return None;
        }
        // Exact: a count of points is far below 2^53.
        let ratio = (sum / n as f64).exp();
        let better = metric.better.filter(|_| sum != 0.0).map(|end| (sum > 0.0) == (end == Better::Higher));
        ratio.is_finite().then_some(Self { ratio, pct: (ratio - 1.0) * 100.0, better, n, of: all })
    }

    /// `−1.5 % over 8 of 8 points`.
    #[must_use]
    pub fn in_words(&self) -> String {
        let points = if self.of == 1 { "point" } else { "points" };
        format!("{} over {} of {} {points}", paretoscope_domain::format::percent_change(self.pct), self.n, self.of)
    }
}
