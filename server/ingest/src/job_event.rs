//! `job_event.json`: a job's own account of itself.

use paretoscope_domain::fact::{FactKind, FactOrigin, RunFact};
use paretoscope_domain::run::JobEvent;
use paretoscope_domain::{Attempt, RunId};
use serde_json::Value;

use crate::fields::Fields;
use crate::refusal::Refusal;

/// Reads an event. The attempt it states is its own; `attempt` is that of its artifact.
pub(crate) fn job_event(value: &Value, attempt: Option<Attempt>, artifact: &str) -> Result<JobEvent, Refusal> {
    let f = Fields::of(value)?;
    let own = f.shown("run_attempt").and_then(|t| t.parse().ok()).and_then(Attempt::new);
    Ok(JobEvent {
        attempt: own.or(attempt),
        title: title(f).unwrap_or_else(|| artifact.to_owned()),
        eval_only: f.flag("eval_only").unwrap_or_default(),
        outcome: f.shown("outcome"),
        error: error(f),
        runner: f.shown("runner"),
        started_at: f.shown("started_at"),
        duration_s: f.number("duration_s").unwrap_or_default().filter(|s| *s >= 0.0),
        golden_acceptance_length: f.shown("golden_acceptance_length"),
        artifact: artifact.to_owned(),
        raw: Some(value.to_string()),
    })
}

/// The acceptance length that a job aimed at, as a fact about its run. Which point it is about is known once artifacts are paired.
pub(crate) fn golden_al(event: &JobEvent, run_id: RunId, file: &str) -> Option<RunFact> {
    let value = event.golden_acceptance_length.clone()?;
    Some(RunFact {
        run_id,
        attempt: event.attempt,
        point: None,
        eval: event.eval_only == Some(true),
        kind: FactKind::GoldenAl,
        key: "golden_acceptance_length".to_owned(),
        value,
        count: None,
        origin: FactOrigin::Artifact { artifact: event.artifact.clone(), file: file.to_owned(), line: None },
    })
}

/// What failed: stage, type and message.
fn error(f: Fields<'_>) -> Option<String> {
    match f.value("error")? {
        Value::String(text) => Some(text.clone()).filter(|t| !t.is_empty()),
        object @ Value::Object(_) => {
            let e = Fields::of(object).ok()?;
            let parts: Vec<String> = ["stage", "type", "message"].iter().filter_map(|key| e.shown(key)).collect();
            Some(if parts.is_empty() { object.to_string() } else { parts.join(": ") })
        }
        _ => None,
    }
}

/// Topology and concurrency for people: events state them only inside the name of the experiment, which is shown, never keyed on.
fn title(f: Fields<'_>) -> Option<String> {
    let name = f.shown("exp_name").or_else(|| f.shown("result_filename"))?;
    let mut sizes = Vec::new();
    let mut conc = f.shown("conc");
    for part in name.split(['_', '-']) {
        let split = part.find(|c: char| c.is_ascii_digit()).unwrap_or(part.len());
        let (word, digits) = part.split_at(split);
        let number = digits.parse::<u32>().ok();
        match (word, number) {
            ("tp", Some(n)) => sizes.push(format!("TP{n}")),
            ("pp" | "ep" | "dcp" | "pcp", Some(n)) if n > 1 => sizes.push(format!("{}{n}", word.to_uppercase())),
            ("dpa", None) => sizes.push("DPA".to_owned()),
            ("conc", Some(n)) => conc = conc.or_else(|| Some(n.to_string())),
            _ => {}
        }
    }
    sizes.dedup();
    if sizes.is_empty() {
        return Some(name);
    }
    Some(match conc {
        Some(conc) => format!("{} c{conc}", sizes.join("/")),
        None => sizes.join("/"),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_event_that_failed() {
        let event = job_event(
            &json!({"run_attempt": 1, "exp_name": "dsv41flash_tp2_ep2_dpa_conc64_spec-mtp", "conc": 64, "eval_only": false,
                "outcome": "failure", "error": {"stage": "download", "type": "HubError", "message": "503", "retriable": true},
                "golden_acceptance_length": 3.51, "duration_s": 12.5, "runner": "gb300-nv_3"}),
            None,
            "job_event_x",
        )
        .unwrap();
        assert_eq!(event.title, "TP2/EP2/DPA c64");
        assert_eq!(event.error.as_deref(), Some("download: HubError: 503"));
        assert_eq!((event.attempt, event.eval_only), (Attempt::new(1), Some(false)));
        assert_eq!((event.golden_acceptance_length.as_deref(), event.duration_s), (Some("3.51"), Some(12.5)));
        let fact = golden_al(&event, RunId::new(1).unwrap(), "job_event.json").unwrap();
        assert_eq!((fact.kind, fact.value.as_str(), fact.attempt, fact.eval), (FactKind::GoldenAl, "3.51", Attempt::new(1), false));
    }

    #[test]
    fn an_event_that_says_little() {
        let event = job_event(&json!({"exp_name": "opaque", "error": null}), Attempt::new(2), "job_event_y").unwrap();
        assert_eq!(golden_al(&event, RunId::new(1).unwrap(), "job_event.json"), None);
        assert_eq!((event.title.as_str(), event.attempt, event.error), ("opaque", Attempt::new(2), None));
        assert_eq!(job_event(&json!({}), None, "job_event_z").unwrap().title, "job_event_z");
        assert!(job_event(&json!([]), None, "a").is_err());
    }
}
