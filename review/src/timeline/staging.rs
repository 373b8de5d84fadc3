//! The bot's replies to staging: which run, and what of it (formats-and-rules §2.5).

use paretoscope_domain::RunId;
use serde::{Deserialize, Serialize};

use super::text::{after, bare, run_after};

/// A run that the bot says it staged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Staged {
    /// The run.
    pub run_id: RunId,
    /// What of it, a line each: model · scenario · precision · hardware and framework · date.
    pub what: Vec<String>,
}

/// Reads a reply of the bot that says it staged a run; `None` for any other text, among them one that says it could not.
#[must_use]
pub fn read(text: &str) -> Option<Staged> {
    let first = text.lines().map(str::trim).find(|l| !l.is_empty())?;
    let before = first.to_ascii_lowercase().find("staged run").and_then(|at| first.get(..at))?;
    if before.split_whitespace().any(|w| matches!(w.to_ascii_lowercase().as_str(), "not" | "never" | "couldn't" | "could")) {
        return None;
    }
    let run_id = run_after(after(text, before).unwrap_or(text), "staged run")?;
    let what = text.lines().map(bare).filter(|l| l.contains(" · ")).collect();
    Some(Staged { run_id, what })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_names_the_run_and_what_of_it() {
        let text = "@owner staged run 40809149952.\n\n- DeepSeek-V4.1-Flash · agentic-traces · FP4 · gb300_sglang · 2026-10-29\n\nThis run remains available.";
        assert_eq!(
            read(text),
            Some(Staged {
                run_id: RunId::new(40_809_149_952).unwrap(),
                what: vec!["DeepSeek-V4.1-Flash · agentic-traces · FP4 · gb300_sglang · 2026-10-29".to_owned()]
            })
        );
        for none in ["could not staged run 40809149952", "@owner staged run soon", "", "the staged results"] {
            assert_eq!(read(none), None, "{none}");
        }
    }
}
