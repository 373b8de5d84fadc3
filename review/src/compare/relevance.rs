//! How large a change must be before it matters: fixed thresholds per metric, whatever the noise is.
//!
//! | metric | notable from | large from |
//! |---|---|---|
//! | throughput, requests per second | 2 % | 5 % |
//! | ITL, TPOT, interactivity | 3 % | 8 % |
//! | E2EL, normalised interactivity | 4 % | 10 % |
//! | TTFT | 8 % | 20 % |
//! | power, energy | 3 % | 8 % |
//! | anything else with a better end | 5 % | 15 % |
//!
//! P95, P99 and P99.9 rest on few requests: their thresholds are twice as high. A metric without a better end (cache hits,
//! durations, standard deviations) has none. A change is measured in per cent of the baseline's value, to its last digit.
//!
//! Source: ours. Over the 20 configurations of the public benchmark that five official runs of December 2025 and January 2026
//! measured, the band of [`super::noise`] is at most 2.0 % for throughput, 2.4 % for TPOT, 1.7 % for E2EL and 7.2 % for TTFT.

use paretoscope_domain::metric::{Metric, Unit};
use serde::{Deserialize, Serialize};

/// Whether a change matters, noise aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Relevance {
    /// Below the metric's threshold.
    Small,
    /// From its first threshold.
    Notable,
    /// From its second.
    Large,
}

/// Thresholds of a metric in per cent.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Thresholds {
    /// From here a change is notable.
    pub notable: f64,
    /// From here it is large.
    pub large: f64,
}

impl Thresholds {
    /// The thresholds of a metric; `None` where it has no better end.
    #[must_use]
    pub fn of(metric: &Metric) -> Option<Self> {
        metric.better?;
        let name = metric.name.as_str();
        let (notable, large) = match metric.unit {
            Unit::TokensPerSecondPerGpu | Unit::TokensPerSecond | Unit::RequestsPerSecond => (2.0, 5.0),
            Unit::TokensPerSecondPerUser if name.ends_with("e2e_norm_intvty") => (4.0, 10.0),
            Unit::TokensPerSecondPerUser => (3.0, 8.0),
            Unit::Seconds if name.ends_with("_tpot") || name.ends_with("_itl") => (3.0, 8.0),
            Unit::Seconds if name.ends_with("_ttft") => (8.0, 20.0),
            Unit::Seconds => (4.0, 10.0),
            Unit::Watts | Unit::Joules => (3.0, 8.0),
            Unit::Tokens | Unit::Count | Unit::Fraction | Unit::Bytes | Unit::Celsius | Unit::Unknown => (5.0, 15.0),
        };
        let factor = if ["p95_", "p99_", "p99.9_"].iter().any(|tail| name.starts_with(tail)) { 2.0 } else { 1.0 };
        Some(Self { notable: notable * factor, large: large * factor })
    }

    /// How much a change of `pct` per cent matters.
    #[must_use]
    pub fn judge(self, pct: f64) -> Relevance {
        let size = pct.abs();
        if size >= self.large {
            Relevance::Large
        } else if size >= self.notable {
            Relevance::Notable
        } else {
            Relevance::Small
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_by_metric() {
        for (name, expected) in [
            ("tput_per_gpu", Some((2.0, 5.0))),
            ("mean_qps", Some((2.0, 5.0))),
            ("p90_intvty", Some((3.0, 8.0))),
            ("p90_e2e_norm_intvty", Some((4.0, 10.0))),
            ("p90_e2el", Some((4.0, 10.0))),
            ("p99_e2el", Some((8.0, 20.0))),
            ("p99.9_ttft", Some((16.0, 40.0))),
            ("median_ttft", Some((8.0, 20.0))),
            ("p95_tpot", Some((6.0, 16.0))),
            ("full_response_itl", None),
            ("mean_full_response_itl", Some((3.0, 8.0))),
            ("avg_power_w", Some((3.0, 8.0))),
            ("joules_per_output_token", Some((3.0, 8.0))),
            ("std_e2el", None),
            ("duration_seconds", None),
            ("whatever", None),
        ] {
            assert_eq!(Thresholds::of(&Metric::describe(name)).map(|t| (t.notable, t.large)), expected, "{name}");
        }
    }

    #[test]
    fn a_change_is_judged_by_its_size_alone() {
        let t = Thresholds { notable: 2.0, large: 5.0 };
        for (pct, expected) in [
            (0.0, Relevance::Small),
            (1.99, Relevance::Small),
            (-2.0, Relevance::Notable),
            (4.99, Relevance::Notable),
            (-5.0, Relevance::Large),
            (300.0, Relevance::Large),
        ] {
            assert_eq!(t.judge(pct), expected, "{pct}");
        }
    }
}
