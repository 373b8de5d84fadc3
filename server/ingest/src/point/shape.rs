//! Which generation a row is of. Told by its fields, never by a name.

use paretoscope_domain::Scenario;

use crate::fields::Fields;
use crate::refusal::{Refusal, code};

/// Generation of a row (formats-and-rules §1.2, §1.3, §1.3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Fixed sequence, one node or several.
    Fixed,
    /// Agent traces of April 2026: `users`, `offload_mode`, `ttlt`.
    Agentic2026April,
    /// Agent traces of June 2026: all metrics at the top level.
    AgenticFlat,
    /// Agent traces since July 2026: `request_metrics` and `server_metrics`. Later rows add fields (fingerprint, GPU count,
    /// normalised interactivity, power) but change none.
    AgenticNested,
}

impl Shape {
    pub(crate) fn of(f: Fields<'_>) -> Result<Self, Refusal> {
        if let Some(scenario) = f.text("scenario_type")? {
            let word = scenario.to_ascii_lowercase();
            if matches!(word.as_str(), "fixed-seq-len" | "fixed-sequence" | "fixed") {
                return Ok(Self::Fixed);
            }
            if !matches!(scenario.parse(), Ok(Scenario::AgenticTraces)) {
                return Err(Refusal::new(code::UNMAPPED_SCENARIO, format!("not in the vocabulary: scenario type {scenario:?}")));
            }
        } else if !f.has("request_metrics") && !f.has("users") {
            return Ok(Self::Fixed);
        }
        Ok(if f.has("request_metrics") {
            Self::AgenticNested
        } else if f.has("users") && !f.has("conc") {
            Self::Agentic2026April
        } else {
            Self::AgenticFlat
        })
    }

    pub(crate) fn is_agentic(self) -> bool {
        self != Self::Fixed
    }
}
