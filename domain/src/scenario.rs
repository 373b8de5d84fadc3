//! What was asked of the engine: a fixed sequence (input and output length) or replayed agent traces.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A benchmark scenario. Written `agentic-traces`, `8k1k`, `1k1k`, `1k8k`, or `<isl>x<osl>` for other lengths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Scenario {
    /// Agent traces replayed against the server (AgentX).
    AgenticTraces,
    /// Requests of one input and one output length, in tokens.
    Fixed {
        /// Input sequence length.
        isl: u32,
        /// Output sequence length.
        osl: u32,
    },
}

/// A text that names no scenario.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a scenario: agentic-traces, 8k1k, 1k1k, 1k8k, or <isl>x<osl> such as 2048x512")]
pub struct BadScenario(pub String);

/// Lengths that have a short name.
const NAMED: [(&str, u32, u32); 3] = [("8k1k", 8192, 1024), ("1k1k", 1024, 1024), ("1k8k", 1024, 8192)];

impl Scenario {
    /// Whether traces were replayed.
    #[must_use]
    pub fn is_agentic(self) -> bool {
        matches!(self, Self::AgenticTraces)
    }

    /// As people write it: `agentic traces`, `8k/1k`, `2048/512`.
    #[must_use]
    pub fn title(self) -> String {
        match self {
            Self::AgenticTraces => "agentic traces".to_owned(),
            Self::Fixed { isl, osl } => {
                let short = |n: u32| if n >= 1024 && n.is_multiple_of(1024) { format!("{}k", n / 1024) } else { n.to_string() };
                format!("{}/{}", short(isl), short(osl))
            }
        }
    }
}

impl fmt::Display for Scenario {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AgenticTraces => f.write_str("agentic-traces"),
            Self::Fixed { isl, osl } => match NAMED.iter().find(|(_, i, o)| i == isl && o == osl) {
                Some((name, _, _)) => f.write_str(name),
                None => write!(f, "{isl}x{osl}"),
            },
        }
    }
}

impl FromStr for Scenario {
    type Err = BadScenario;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let bad = || BadScenario(text.to_owned());
        let word = text.trim().to_ascii_lowercase().replace([' ', '_'], "-");
        if matches!(word.as_str(), "agentic-traces" | "agentic" | "agentic-coding" | "agentx") {
            return Ok(Self::AgenticTraces);
        }
        let joined = word.replace('/', "");
        if let Some((_, isl, osl)) = NAMED.iter().find(|(name, _, _)| *name == joined) {
            return Ok(Self::Fixed { isl: *isl, osl: *osl });
        }
        let length = |part: &str| -> Option<u32> {
            let n: u32 = match part.strip_suffix('k') {
                Some(thousands) => thousands.parse::<u32>().ok()?.checked_mul(1024)?,
                None => part.parse().ok()?,
            };
            (n > 0).then_some(n)
        };
        let (isl, osl) = word.split_once(['x', '/']).ok_or_else(bad)?;
        Ok(Self::Fixed { isl: length(isl).ok_or_else(bad)?, osl: length(osl).ok_or_else(bad)? })
    }
}

impl From<Scenario> for String {
    fn from(scenario: Scenario) -> Self {
        scenario.to_string()
    }
}

impl TryFrom<String> for Scenario {
    type Error = BadScenario;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_written() {
        for (text, written) in [
            ("agentic-traces", "agentic-traces"),
            ("agentic", "agentic-traces"),
            ("Agentic Traces", "agentic-traces"),
            ("agentic_traces", "agentic-traces"),
            ("8k/1k", "8k1k"),
            ("8k1k", "8k1k"),
            ("8192x1024", "8k1k"),
            ("1K8K", "1k8k"),
            ("2048x512", "2048x512"),
            ("100k/1k", "102400x1024"),
        ] {
            assert_eq!(text.parse::<Scenario>().map(|s| s.to_string()), Ok(written.to_owned()), "{text}");
        }
        for bad in ["", "x", "0x1", "8k", "fast"] {
            assert!(bad.parse::<Scenario>().is_err(), "{bad}");
        }
    }
}
