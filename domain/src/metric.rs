//! The metrics a point may hold: names, units, which end is better, and how a name is read.
//!
//! Names are those of the contract: `{statistic}_{quantity}` such as `p90_e2el`, and the stored names of throughput, cache and
//! power. Anything numeric that a row holds beyond them is kept under its own name and has no direction.

use std::fmt;

use crate::frontier::Better;

/// Unit of a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Seconds.
    Seconds,
    /// Tokens per second and GPU.
    TokensPerSecondPerGpu,
    /// Tokens per second and user.
    TokensPerSecondPerUser,
    /// Tokens per second of the whole deployment.
    TokensPerSecond,
    /// Requests per second.
    RequestsPerSecond,
    /// A count of tokens.
    Tokens,
    /// A plain count.
    Count,
    /// A share, 0 to 1.
    Fraction,
    /// Watts.
    Watts,
    /// Joules.
    Joules,
    /// Bytes.
    Bytes,
    /// Degrees Celsius.
    Celsius,
    /// Not known to us: kept as the artifact has it.
    Unknown,
}

impl Unit {
    /// How the unit is written.
    #[must_use]
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Seconds => "s",
            Self::TokensPerSecondPerGpu => "tok/s/GPU",
            Self::TokensPerSecondPerUser => "tok/s/user",
            Self::TokensPerSecond => "tok/s",
            Self::RequestsPerSecond => "requests/s",
            Self::Tokens => "tokens",
            Self::Count => "",
            Self::Fraction => "share",
            Self::Watts => "W",
            Self::Joules => "J",
            Self::Bytes => "B",
            Self::Celsius => "°C",
            Self::Unknown => "as stored",
        }
    }
}

/// What is known of a metric name.
#[derive(Clone, Debug, PartialEq)]
pub struct Metric {
    /// Canonical name, as in `metrics`.
    pub name: String,
    /// Shown name: `P90 E2EL`, `tok/s/GPU`.
    pub label: String,
    /// Unit.
    pub unit: Unit,
    /// Which end is better; `None` where neither is.
    pub better: Option<Better>,
}

/// A name that is no metric.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is not a metric: use {{mean,median,p75,p90,p95,p99,p99.9,std}}_{{ttft,tpot,itl,e2el,intvty,e2e_norm_intvty}} or a throughput, cache or power name"
)]
pub struct UnknownMetric(pub String);

/// Statistics, in the order tables show them.
pub const STATISTICS: [&str; 8] = ["mean", "median", "p75", "p90", "p95", "p99", "p99.9", "std"];

/// Quantities that have statistics: name, label, unit, better end.
const QUANTITIES: [(&str, &str, Unit, Option<Better>); 12] = [
    ("ttft", "TTFT", Unit::Seconds, Some(Better::Lower)),
    ("tpot", "TPOT", Unit::Seconds, Some(Better::Lower)),
    ("itl", "ITL", Unit::Seconds, Some(Better::Lower)),
    ("full_response_itl", "full-response ITL", Unit::Seconds, Some(Better::Lower)),
    ("e2el", "E2EL", Unit::Seconds, Some(Better::Lower)),
    ("intvty", "interactivity", Unit::TokensPerSecondPerUser, Some(Better::Higher)),
    ("full_response_intvty", "full-response interactivity", Unit::TokensPerSecondPerUser, Some(Better::Higher)),
    ("e2e_norm_intvty", "normalised interactivity", Unit::TokensPerSecondPerUser, Some(Better::Higher)),
    ("qps", "requests per second", Unit::RequestsPerSecond, Some(Better::Higher)),
    ("input_tokens", "input tokens", Unit::Tokens, None),
    ("output_tokens_actual", "output tokens", Unit::Tokens, None),
    ("output_tokens_expected", "expected output tokens", Unit::Tokens, None),
];

/// Names without a statistic: name, label, unit, better end.
const SINGLES: [(&str, &str, Unit, Option<Better>); 46] = [
    ("tput_per_gpu", "throughput per GPU", Unit::TokensPerSecondPerGpu, Some(Better::Higher)),
    ("output_tput_per_gpu", "output throughput per GPU", Unit::TokensPerSecondPerGpu, Some(Better::Higher)),
    ("input_tput_per_gpu", "input throughput per GPU", Unit::TokensPerSecondPerGpu, Some(Better::Higher)),
    ("total_tput_tps", "throughput", Unit::TokensPerSecond, Some(Better::Higher)),
    ("output_tput_tps", "output throughput", Unit::TokensPerSecond, Some(Better::Higher)),
    ("input_tput_tps", "input throughput", Unit::TokensPerSecond, Some(Better::Higher)),
    ("duration_seconds", "duration", Unit::Seconds, None),
    ("num_requests_total", "requests", Unit::Count, None),
    ("num_requests_successful", "successful requests", Unit::Count, None),
    ("total_requests_completed", "completed requests", Unit::Count, None),
    ("total_prompt_tokens", "prompt tokens", Unit::Tokens, None),
    ("total_generation_tokens", "generated tokens", Unit::Tokens, None),
    ("server_gpu_cache_hit_rate", "GPU cache hit rate", Unit::Fraction, None),
    ("server_cpu_cache_hit_rate", "CPU cache hit rate", Unit::Fraction, None),
    ("server_external_cache_hit_rate", "external cache hit rate", Unit::Fraction, None),
    ("server_overall_cache_hit_rate", "overall cache hit rate", Unit::Fraction, None),
    ("theoretical_cache_hit_rate", "theoretical cache hit rate", Unit::Fraction, None),
    ("theoretical_infinite_cache_hit_rate", "theoretical cache hit rate, unlimited cache", Unit::Fraction, None),
    ("response_cache_hit_rate", "response cache hit rate", Unit::Fraction, None),
    ("gpu_kv_cache_usage_pct", "GPU KV cache in use", Unit::Fraction, None),
    ("cpu_kv_cache_usage_pct", "CPU KV cache in use", Unit::Fraction, None),
    ("kv_cache_pool_tokens", "KV cache pool", Unit::Tokens, None),
    ("kv_offload_bytes_gpu_to_cpu", "KV offload, GPU to CPU", Unit::Bytes, None),
    ("kv_offload_bytes_cpu_to_gpu", "KV offload, CPU to GPU", Unit::Bytes, None),
    ("kv_offload_time_gpu_to_cpu", "KV offload time, GPU to CPU", Unit::Seconds, None),
    ("kv_offload_time_cpu_to_gpu", "KV offload time, CPU to GPU", Unit::Seconds, None),
    ("avg_power_w", "mean power per GPU", Unit::Watts, Some(Better::Lower)),
    ("p75_power_w", "P75 power per GPU", Unit::Watts, Some(Better::Lower)),
    ("p90_power_w", "P90 power per GPU", Unit::Watts, Some(Better::Lower)),
    ("avg_total_gpu_power_w", "mean power of all GPUs", Unit::Watts, Some(Better::Lower)),
    ("p75_total_gpu_power_w", "P75 power of all GPUs", Unit::Watts, Some(Better::Lower)),
    ("p90_total_gpu_power_w", "P90 power of all GPUs", Unit::Watts, Some(Better::Lower)),
    ("prefill_avg_power_w", "mean power per prefill GPU", Unit::Watts, Some(Better::Lower)),
    ("decode_avg_power_w", "mean power per decode GPU", Unit::Watts, Some(Better::Lower)),
    ("total_gpu_energy_j", "GPU energy", Unit::Joules, Some(Better::Lower)),
    ("joules_per_successful_query", "energy per successful request", Unit::Joules, Some(Better::Lower)),
    ("joules_per_input_token", "energy per input token", Unit::Joules, Some(Better::Lower)),
    ("joules_per_output_token", "energy per output token", Unit::Joules, Some(Better::Lower)),
    ("joules_per_total_token", "energy per token", Unit::Joules, Some(Better::Lower)),
    ("prefill_joules_per_input_token", "prefill energy per input token", Unit::Joules, Some(Better::Lower)),
    ("decode_joules_per_output_token", "decode energy per output token", Unit::Joules, Some(Better::Lower)),
    ("avg_temp_c", "mean temperature", Unit::Celsius, None),
    ("peak_temp_c", "peak temperature", Unit::Celsius, None),
    ("avg_util_pct", "mean utilisation", Unit::Unknown, None),
    ("allocated_cpu_dram_gb", "CPU memory allocated", Unit::Unknown, None),
    ("power_valid", "power valid", Unit::Count, None),
];

impl Metric {
    /// Reads a name; `p50` is `median`.
    ///
    /// # Errors
    /// When the name is none that the contract lists.
    pub fn parse(text: &str) -> Result<Self, UnknownMetric> {
        let name = canonical(text.trim());
        if let Some((single, label, unit, better)) = SINGLES.iter().find(|(n, ..)| *n == name) {
            return Ok(Self { name: (*single).to_owned(), label: (*label).to_owned(), unit: *unit, better: *better });
        }
        let unknown = || UnknownMetric(text.to_owned());
        let (statistic, quantity) = name.split_once('_').ok_or_else(unknown)?;
        let statistic = STATISTICS.iter().find(|s| **s == statistic).ok_or_else(unknown)?;
        let (quantity, label, unit, better) = QUANTITIES.iter().find(|(n, ..)| *n == quantity).ok_or_else(unknown)?;
        let shown = match *statistic {
            "mean" => "mean".to_owned(),
            "median" => "median".to_owned(),
            "std" => "standard deviation of".to_owned(),
            percentile => percentile.to_uppercase(),
        };
        Ok(Self {
            name: format!("{statistic}_{quantity}"),
            label: format!("{shown} {label}"),
            unit: *unit,
            better: if *statistic == "std" { None } else { *better },
        })
    }

    /// Reads a name that may be one of ours or any other that an artifact holds.
    #[must_use]
    pub fn describe(name: &str) -> Self {
        Self::parse(name).unwrap_or_else(|_| Self {
            name: name.to_owned(),
            label: name.replace('_', " "),
            unit: Unit::Unknown,
            better: None,
        })
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.unit.symbol() {
            "" => f.write_str(&self.label),
            symbol => write!(f, "{} ({symbol})", self.label),
        }
    }
}

/// Canonical spelling of a metric name: `p50_…` is `median_…`.
#[must_use]
pub fn canonical(name: &str) -> String {
    name.strip_prefix("p50_").map_or_else(|| name.to_owned(), |rest| format!("median_{rest}"))
}

/// Whether a stored value may be shown as a statistic: the deviation of a reciprocal says nothing (formats-and-rules §1.2).
#[must_use]
pub fn is_shown(name: &str) -> bool {
    !matches!(name, "std_intvty" | "std_full_response_intvty" | "std_e2e_norm_intvty")
}

/// Sort key that groups a point's metrics: throughput, latencies by quantity, then the rest by name.
#[must_use]
pub fn order(name: &str) -> (usize, usize, String) {
    if let Some(i) = SINGLES.iter().position(|(n, ..)| *n == name) {
        return if i < 6 { (0, i, String::new()) } else { (2, i, String::new()) };
    }
    if let Some((statistic, quantity)) = name.split_once('_') {
        let s = STATISTICS.iter().position(|n| *n == statistic);
        let q = QUANTITIES.iter().position(|(n, ..)| *n == quantity);
        if let (Some(s), Some(q)) = (s, q) {
            return (1, q * STATISTICS.len() + s, String::new());
        }
    }
    (3, 0, name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read() {
        for (text, name, label, unit, better) in [
            ("p90_e2el", "p90_e2el", "P90 E2EL", Unit::Seconds, Some(Better::Lower)),
            ("p50_e2el", "median_e2el", "median E2EL", Unit::Seconds, Some(Better::Lower)),
            ("p99.9_ttft", "p99.9_ttft", "P99.9 TTFT", Unit::Seconds, Some(Better::Lower)),
            ("mean_intvty", "mean_intvty", "mean interactivity", Unit::TokensPerSecondPerUser, Some(Better::Higher)),
            (
                "p90_e2e_norm_intvty",
                "p90_e2e_norm_intvty",
                "P90 normalised interactivity",
                Unit::TokensPerSecondPerUser,
                Some(Better::Higher),
            ),
            ("std_itl", "std_itl", "standard deviation of ITL", Unit::Seconds, None),
            ("tput_per_gpu", "tput_per_gpu", "throughput per GPU", Unit::TokensPerSecondPerGpu, Some(Better::Higher)),
            ("joules_per_output_token", "joules_per_output_token", "energy per output token", Unit::Joules, Some(Better::Lower)),
        ] {
            assert_eq!(Metric::parse(text), Ok(Metric { name: name.to_owned(), label: label.to_owned(), unit, better }), "{text}");
        }
        for bad in ["", "e2el", "p42_e2el", "p90_speed", "y", "p90"] {
            assert!(Metric::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn labels_are_unique() {
        let mut labels: Vec<String> = SINGLES.iter().map(|(n, ..)| Metric::parse(n).unwrap().to_string()).collect();
        for s in STATISTICS {
            labels.extend(QUANTITIES.iter().map(|(q, ..)| Metric::parse(&format!("{s}_{q}")).unwrap().to_string()));
        }
        let all = labels.len();
        labels.sort();
        labels.dedup();
        assert_eq!(labels.len(), all);
    }
}
