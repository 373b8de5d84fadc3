//! Scores: strict match, else accuracy, else flexible match.

use paretoscope_domain::point::Metrics;
use serde_json::Value;

use crate::fields::says_nothing;
use crate::refusal::{Refusal, code};

/// In the order in which a score is picked.
pub(super) const PICKED: [&str; 3] = ["em_strict", "accuracy", "em_flexible"];

/// What a row or a results file scored.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Scored {
    pub(super) score: Option<f64>,
    pub(super) name: Option<String>,
    pub(super) stderr: Option<f64>,
    pub(super) n: Option<f64>,
    pub(super) metrics: Metrics,
    pub(super) integration_error: Option<String>,
}

/// Our name of a metric as lm-eval writes it (`exact_match,strict-match`); others keep their own.
pub(super) fn metric_name(key: &str) -> String {
    let known = match key {
        "exact_match,strict-match" => "em_strict",
        "exact_match_stderr,strict-match" => "em_strict_se",
        "exact_match,flexible-extract" => "em_flexible",
        "exact_match_stderr,flexible-extract" => "em_flexible_se",
        "acc" | "acc,none" | "accuracy" | "accuracy,none" => "accuracy",
        "acc_stderr" | "acc_stderr,none" | "accuracy_stderr" | "accuracy_stderr,none" => "accuracy_se",
        other => other,
    };
    known.to_owned()
}

/// The first score in the order of picking that `metrics` has, with its standard error.
pub(super) fn pick(metrics: &Metrics) -> Option<(&'static str, f64, Option<f64>)> {
    let name = PICKED.into_iter().find(|name| metrics.contains_key(*name))?;
    Some((name, *metrics.get(name)?, metrics.get(&format!("{name}_se")).copied()))
}

/// A number that may be absent: null, `"N/A"` and empty say nothing; anything else that is no number is refused.
pub(super) fn maybe_number(key: &str, value: Option<&Value>) -> Result<Option<f64>, Refusal> {
    match value {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) if says_nothing(text) => Ok(None),
        Some(value) => match value.as_f64() {
            Some(number) if number < 0.0 => Err(Refusal::new(code::NEGATIVE, format!("{key} is {number}"))),
            Some(number) => Ok(Some(number)),
            None => Err(crate::fields::wrong(key, "a number", value)),
        },
    }
}

/// A score is a fraction.
pub(super) fn fraction(key: &str, score: Option<f64>) -> Result<Option<f64>, Refusal> {
    match score {
        Some(score) if score > 1.0 => {
            Err(Refusal::new(code::OUT_OF_RANGE, format!("{key} is {score}, but a score is a fraction from 0 to 1")))
        }
        score => Ok(score),
    }
}
