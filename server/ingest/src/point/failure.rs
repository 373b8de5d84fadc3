//! Whether a row measured anything, and what to mark it with.

use paretoscope_domain::point::{Requests, reason};
use serde_json::Value;

use crate::fields::Fields;
use crate::refusal::Refusal;

/// Share of failed requests that the gate lets pass, inclusive (formats-and-rules §3.5).
const AGENTIC_GATE: f64 = 0.10;
const FIXED_GATE: f64 = 0.05;

/// Verdict on a row.
#[derive(Clone, Debug, Default)]
pub(crate) struct Judged {
    pub(crate) failed: bool,
    pub(crate) requests: Requests,
    pub(crate) reasons: Vec<String>,
    pub(crate) notes: Vec<String>,
}

/// Judges a row.
pub(crate) fn judge(f: Fields<'_>, agentic: bool) -> Result<Judged, Refusal> {
    let outcome = f.object("benchmark_outcome");
    let of_outcome = |key: &str| outcome.map_or(Ok(None), |o| o.whole(key));
    let total = f.whole("num_requests_total")?;
    let successful = f.whole("num_requests_successful")?;
    let accounting = f.object("request_accounting");
    let dropped = accounting.map_or(Ok(None), |a| a.whole("records_error_dropped"))?;
    let (requested, completed, failed) = (of_outcome("requested")?, of_outcome("completed")?, of_outcome("failed")?);

    let mut judged = Judged {
        requests: Requests { total: total.or(requested), successful: successful.or(completed), error_dropped: dropped.or(failed) },
        ..Judged::default()
    };
    let nothing_succeeded = (successful == Some(0) && total.is_some()) || (completed == Some(0) && requested.is_some_and(|n| n > 0));
    if nothing_succeeded {
        judged.reasons.push(reason::NO_SUCCESSFUL_REQUESTS.to_owned());
    }
    let status = outcome.map_or(Ok(None), |o| o.text("status"))?;
    if status.is_some_and(|s| s.eq_ignore_ascii_case("failed")) {
        judged.reasons.push(reason::OUTCOME_FAILED.to_owned());
    }
    judged.failed = !judged.reasons.is_empty();

    // Without accounting (the oldest rows) whatever was not successful failed; with it, the total has the warm-up in it.
    let errors =
        dropped.or(failed).or_else(|| if accounting.is_none() { total.zip(successful).map(|(t, s)| t.saturating_sub(s)) } else { None });
    let ended = if dropped.is_none() && failed.is_some() { requested } else { None };
    let ended = ended.or_else(|| judged.requests.successful.zip(errors).map(|(s, e)| s.saturating_add(e)));
    if let (Some(errors), Some(ended), false) = (errors, ended.filter(|n| *n > 0), judged.failed) {
        let (gate, words) = if agentic { (AGENTIC_GATE, "10 %") } else { (FIXED_GATE, "5 %") };
        let share = errors as f64 / ended as f64;
        if share > gate {
            judged.reasons.push(reason::HIGH_FAILURE.to_owned());
            judged.notes.push(format!("{errors} of {ended} requests failed, more than the {words} that the gate allows."));
        }
    }
    power(f, &mut judged);
    judged.notes.extend(warnings(f));
    Ok(judged)
}

fn power(f: Fields<'_>, judged: &mut Judged) {
    let invalid = match f.value("power_valid") {
        Some(Value::Bool(valid)) => !valid,
        Some(value) => value.as_f64() == Some(0.0),
        None => false,
    };
    if !invalid {
        return;
    }
    judged.reasons.push(reason::POWER_INVALID.to_owned());
    let why: Vec<&str> =
        f.value("power_invalid_reasons").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    judged.notes.push(if why.is_empty() {
        "The power measurement is marked as not valid.".to_owned()
    } else {
        format!("The power measurement is marked as not valid: {}.", why.join(", "))
    });
}

/// The row's own warnings.
fn warnings(f: Fields<'_>) -> Vec<String> {
    match f.value("warnings") {
        Some(Value::Array(items)) => items.iter().filter_map(|i| i.as_str().map(str::to_owned)).collect(),
        Some(Value::String(text)) => vec![text.clone()],
        _ => Vec::new(),
    }
}
