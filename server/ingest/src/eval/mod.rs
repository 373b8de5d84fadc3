//! Evals: collected rows, and the files of one eval job.

mod collected;
mod concurrency;
mod job;
mod score;

use paretoscope_domain::eval::EvalRecord;
use paretoscope_domain::point::{Parallel, Topology};
use paretoscope_domain::vocabulary::Vocabulary;
use serde_json::Value;

pub(crate) use self::collected::collected;
pub(crate) use self::job::{JobFiles, Outcome};
use self::score::Scored;
use crate::fields::Fields;
use crate::parts::identity::identity;
use crate::parts::topology::layout;
use crate::point::Place;
use crate::refusal::Refusal;

/// A record of the configuration in `f`, with what was scored.
fn record(
    f: Fields<'_>,
    task: &str,
    conc: Option<u32>,
    scored: Scored,
    place: Place<'_>,
    words: &Vocabulary,
) -> Result<EvalRecord, Refusal> {
    let missing = if task.is_empty() { vec!["task"] } else { Vec::new() };
    let identity = identity(f, words, missing)?;
    let layout = layout(f, identity.framework)?;
    let (parallel, prefill, decode) = match layout.topology {
        Topology::Aggregated(parallel) => (parallel, None, None),
        Topology::Disaggregated { prefill, decode } => (Parallel::default(), Some(prefill), Some(decode)),
    };
    Ok(EvalRecord {
        run_id: place.run_id,
        attempt: place.attempt,
        task: task.to_lowercase(),
        suite: f.text("eval_suite")?.map(str::to_owned),
        model: identity.model.key.clone(),
        model_prefix: identity.model_prefix,
        model_path: identity.model_path,
        hardware: identity.hardware.key.clone(),
        hardware_label: identity.hardware_label,
        framework: identity.framework.key.clone(),
        precision: identity.precision.key.clone(),
        spec_method: identity.spec.key.clone(),
        isl: f.loose_size("isl")?,
        osl: f.loose_size("osl")?,
        conc,
        disagg: layout.disagg,
        multinode: layout.multinode,
        parallel,
        prefill,
        decode,
        recipe_fingerprint: f.text("recipe_fingerprint")?.map(str::to_owned),
        score: scored.score,
        score_name: scored.name,
        stderr: scored.stderr,
        n: scored.n,
        metrics: scored.metrics,
        integration_error: scored.integration_error,
        artifact: place.artifact.to_owned(),
        file: place.file.to_owned(),
        row: place.row,
    })
}

/// What broke, in words: a text, or an object with a type and a message.
fn integration_error(value: Option<&Value>) -> Option<String> {
    match value? {
        Value::Null | Value::Bool(false) => None,
        Value::String(text) => Some(text.trim().to_owned()).filter(|t| !t.is_empty()),
        Value::Object(map) if map.is_empty() => None,
        object @ Value::Object(_) => {
            let f = Fields::of(object).ok()?;
            let parts: Vec<String> = ["type", "message"].iter().filter_map(|key| f.shown(key)).collect();
            Some(if parts.is_empty() { object.to_string() } else { parts.join(": ") })
        }
        other => Some(other.to_string()),
    }
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test fails by panicking")]
mod tests;
