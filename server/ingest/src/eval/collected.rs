//! Rows of `agg_eval_all.json`.

use paretoscope_domain::eval::EvalRecord;
use paretoscope_domain::point::Metrics;
use paretoscope_domain::vocabulary::Vocabulary;
use serde_json::Value;

use super::score::{Scored, fraction, maybe_number, pick};
use crate::fields::Fields;
use crate::point::Place;
use crate::refusal::Refusal;

/// Fields that say what was scored and how, not what came out.
const NO_METRICS: [&str; 24] = [
    "result_schema_version",
    "conc",
    "isl",
    "osl",
    "tp",
    "pp",
    "ep",
    "dcp_size",
    "pcp_size",
    "num_gpus",
    "prefill_tp",
    "prefill_pp",
    "prefill_ep",
    "prefill_num_workers",
    "decode_tp",
    "decode_pp",
    "decode_ep",
    "decode_num_workers",
    "num_prefill_gpu",
    "num_decode_gpu",
    "score",
    "score_se",
    "n_eff",
    "row",
];

/// Reads a collected row.
pub(crate) fn collected(row: &Value, place: Place<'_>, words: &Vocabulary) -> Result<EvalRecord, Refusal> {
    let f = Fields::of(row)?;
    let task = f.text("task")?.unwrap_or_default();
    super::record(f, task, f.loose_size("conc")?, scored(f)?, place, words)
}

fn scored(f: Fields<'_>) -> Result<Scored, Refusal> {
    let mut metrics = Metrics::new();
    for key in super::score::PICKED {
        if let Some(value) = maybe_number(key, f.value(key))? {
            metrics.insert(key.to_owned(), value);
        }
    }
    for (key, value) in f.map() {
        if let Some(number) = value.as_f64().filter(|_| !NO_METRICS.contains(&key.as_str())) {
            metrics.insert(key.clone(), number);
        }
    }
    // A row that states its score, if only as null, has settled which one it is: an invalid one has no stand-in.
    let (score, name, stderr) = if f.map().contains_key("score") {
        let name = f.text("score_name")?.map(str::to_owned);
        (maybe_number("score", f.value("score"))?, name, maybe_number("score_se", f.value("score_se"))?)
    } else {
        match pick(&metrics) {
            Some((name, score, stderr)) => (Some(score), Some(name.to_owned()), stderr),
            None => (None, None, None),
        }
    };
    let broken = super::integration_error(f.value("integration_error"));
    let infrastructure = f.flag("infrastructure_success")?;
    Ok(Scored {
        score: fraction("score", score)?,
        name,
        stderr,
        n: maybe_number("n_eff", f.value("n_eff"))?,
        metrics,
        integration_error: broken.or_else(|| (infrastructure == Some(false)).then(|| "the job's infrastructure failed".to_owned())),
    })
}
