//! Benchmark rows: fixed sequences and agent traces of every generation, each told by its content.

mod failure;
mod interactivity;
mod metrics;
mod nested;
mod shape;

use paretoscope_domain::natural_key::point_id;
use paretoscope_domain::point::{Point, Status, reason};
use paretoscope_domain::vocabulary::Vocabulary;
use paretoscope_domain::{Attempt, PointId, RunId, Scenario};
use serde_json::Value;

use self::shape::Shape;
use crate::fields::Fields;
use crate::parts::{identity, image, offload, topology};
use crate::refusal::{Refusal, code};

/// Where a row stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<'a> {
    pub(crate) run_id: RunId,
    pub(crate) attempt: Option<Attempt>,
    pub(crate) artifact: &'a str,
    pub(crate) file: &'a str,
    pub(crate) row: Option<u32>,
}

/// Reads a row.
pub(crate) fn point(row: &Value, place: Place<'_>, words: &Vocabulary) -> Result<Point, Refusal> {
    let f = Fields::of(row)?;
    let shape = Shape::of(f)?;
    let conc = conc(f)?;
    let (isl, osl) = if shape.is_agentic() { (None, None) } else { (f.size("isl")?, f.size("osl")?) };
    let mut missing = Vec::new();
    if conc.is_none() {
        missing.push("conc");
    }
    if !shape.is_agentic() {
        missing.extend([("isl", isl), ("osl", osl)].into_iter().filter(|(_, n)| n.is_none()).map(|(name, _)| name));
    }
    let identity = identity::identity(f, words, missing)?;
    let layout = topology::layout(f, identity.framework)?;
    let (offload, offload_backend) = offload::offload(f, shape.is_agentic())?;
    let (image, image_digest) = image::image(f.text("image")?);
    let mut metrics = metrics::metrics(f)?;
    let judged = failure::judge(f, shape.is_agentic())?;

    let mut reasons = judged.reasons;
    let mut notes = judged.notes;
    if let Some(note) = layout.note {
        notes.push(note);
    }
    if shape.is_agentic()
        && let Some(note) = interactivity::settle(&mut metrics)
    {
        reasons.push(reason::INTERACTIVITY_COMPUTED.to_owned());
        notes.push(note);
    }
    let scenario = match (isl, osl) {
        (Some(isl), Some(osl)) => Scenario::Fixed { isl, osl },
        _ => Scenario::AgenticTraces,
    };
    let mut point = Point {
        id: PointId::from_text(""),
        run_id: place.run_id,
        attempt: place.attempt,
        label: String::new(),
        model: identity.model.key.clone(),
        model_path: identity.model_path,
        hardware: identity.hardware.key.clone(),
        hardware_label: identity.hardware_label,
        framework: identity.framework.key.clone(),
        precision: identity.precision.key.clone(),
        spec_method: identity.spec.key.clone(),
        scenario,
        isl,
        osl,
        conc: conc.unwrap_or_default(),
        disagg: layout.disagg,
        multinode: layout.multinode,
        gpus: layout.gpus,
        tp: None,
        pp: None,
        ep: None,
        dcp: None,
        pcp: None,
        dp_attention: None,
        prefill: None,
        decode: None,
        image,
        image_digest,
        offload,
        offload_backend,
        router: offload::versioned(f, "router")?,
        kv_transfer: f.text("kv_p2p_transfer")?.map(str::to_owned),
        requests: judged.requests,
        recipe_fingerprint: f.text("recipe_fingerprint")?.map(str::to_owned),
        config_key: None,
        artifact: place.artifact.to_owned(),
        file: place.file.to_owned(),
        row: place.row,
        status: if judged.failed { Status::Failed } else { Status::Ok },
        reasons,
        notes,
        superseded: false,
        metrics,
    };
    point.set_topology(layout.topology);
    point.id = point_id(&point);
    Ok(point)
}

/// Concurrency: `conc`, or `users` in the oldest rows. 0 requests at a time measure nothing.
fn conc(f: Fields<'_>) -> Result<Option<u32>, Refusal> {
    Ok(f.size("conc")?.or(f.size("users")?))
}

/// Refuses a row with a word in it that stands for no number.
pub(crate) fn refuse_marks(row: &Value) -> Result<(), Refusal> {
    match crate::json::find_mark(row) {
        None => Ok(()),
        Some((path, word)) if path.is_empty() => Err(Refusal::new(code::NOT_A_NUMBER, format!("the row is {word}"))),
        Some((path, word)) => Err(Refusal::new(code::NOT_A_NUMBER, format!("{path} is {word}"))),
    }
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test fails by panicking")]
mod tests;
