//! The lowest eval score that passes.
//!
//! Looked up as `models.<prefix>.<task>`, then `default.<task>`, then the fallback (formats-and-rules §3.2); the prefix is the
//! row's own or any alias of its model.

use std::collections::HashMap;

use serde::Deserialize;

/// Thresholds in force.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Thresholds {
    fallback: f64,
    default: HashMap<String, f64>,
    models: HashMap<String, HashMap<String, f64>>,
}

/// A threshold and where it comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct Threshold {
    /// Lowest passing score, a fraction.
    pub value: f64,
    /// `default`, or `model:<prefix>`.
    pub source: String,
}

impl Thresholds {
    /// The thresholds that the project ships.
    ///
    /// # Errors
    /// When the shipped file is malformed, which a test rules out.
    pub fn shipped() -> Result<Self, toml::de::Error> {
        toml::from_str(include_str!("../vocabulary/thresholds.toml"))
    }

    /// The threshold for `task` of a model known by any of `spellings` (the row's own prefix first).
    #[must_use]
    pub fn find<'a>(&self, spellings: impl IntoIterator<Item = &'a str>, task: &str) -> Threshold {
        for prefix in spellings {
            if let Some(value) = self.models.get(prefix).and_then(|tasks| tasks.get(task)) {
                return Threshold { value: *value, source: format!("model:{prefix}") };
            }
        }
        let value = self.default.get(task).copied().unwrap_or_else(|| {
            // Vendor suites are diagnostic: they inform and never fail (formats-and-rules §3.2).
            if is_diagnostic(task) { 0.0 } else { self.fallback }
        });
        Threshold { value, source: "default".to_owned() }
    }
}

/// Whether a task belongs to a vendor or BFCL suite, which has no lowest score.
fn is_diagnostic(task: &str) -> bool {
    task.starts_with("bfcl") || task.starts_with("vendor")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lookup_order() {
        let t = Thresholds::shipped().unwrap();
        for (spellings, task, value, source) in [
            (vec!["dsv41flash"], "gsm8k", 0.90, "default"),
            (vec!["dsr1"], "gsm8k", 0.91, "model:dsr1"),
            (vec!["gptoss120b", "gptoss"], "gsm8k", 0.91, "model:gptoss"),
            (vec!["qwen3.5"], "gpqa_diamond_cot_n_shot", 0.30, "default"),
            (vec!["dsr1"], "unheard_of", 0.85, "default"),
            (vec!["dsr1"], "bfcl_v3", 0.0, "default"),
        ] {
            assert_eq!(t.find(spellings.iter().copied(), task), Threshold { value, source: source.to_owned() }, "{spellings:?} {task}");
        }
    }
}
