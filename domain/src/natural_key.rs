//! Natural keys: what makes two rows the same point or the same eval. Nulls are equal.
//!
//! Identity comes from a row's content, never from a file's or an artifact's name.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::eval::EvalRecord;
use crate::ids::{EvalId, PointId};
use crate::point::{Parallel, Point, Role, Topology, Versioned};

/// First 16 hexadecimal digits of the SHA-256 of a canonical JSON text.
fn short_hash(value: &Value) -> String {
    let mut text = hex::encode(Sha256::digest(value.to_string().as_bytes()));
    text.truncate(16);
    text
}

/// A size where absent means one: old rows lack PP, DCP, PCP and EP, newer ones write 1.
fn one(size: Option<u32>) -> u32 {
    size.unwrap_or(1)
}

fn parallel(p: &Parallel) -> Value {
    json!([p.tp, one(p.pp), one(p.ep), one(p.dcp), one(p.pcp), p.dp_attention.unwrap_or(false)])
}

fn role(r: &Role) -> Value {
    json!([parallel(&r.parallel()), r.workers, r.gpus])
}

fn topology(t: &Topology) -> Value {
    match t {
        Topology::Aggregated(p) => parallel(p),
        Topology::Disaggregated { prefill, decode } => json!([role(prefill), role(decode)]),
    }
}

fn versioned(v: Option<&Versioned>) -> Value {
    v.map_or(Value::Null, |v| json!([v.name, v.version]))
}

/// Identity of a point: run, model, hardware, framework, precision, spec method, scenario, isl, osl, concurrency, topology with
/// role GPU counts and workers, offload and backend, recipe fingerprint.
#[must_use]
pub fn point_id(p: &Point) -> PointId {
    PointId::from_text(short_hash(&json!([
        "point",
        p.run_id,
        p.model,
        p.hardware,
        p.framework,
        p.precision,
        p.spec_method,
        p.scenario.to_string(),
        p.isl.filter(|n| *n > 0),
        p.osl.filter(|n| *n > 0),
        p.conc,
        p.disagg,
        // An aggregated row's stated GPU count is not part of its topology: it follows from it.
        topology(&p.topology()),
        p.offload.as_str(),
        versioned(p.offload_backend.as_ref()),
        p.recipe_fingerprint,
    ])))
}

/// Identity of an eval but for its fingerprint: run, configuration, task, concurrency; isl and osl of 0, absent and null are equal.
///
/// A fingerprint separates two rows only where both have one; [`crate::merge`] settles that.
#[must_use]
pub fn eval_base(e: &EvalRecord) -> String {
    short_hash(&json!([
        "eval",
        e.run_id,
        e.model,
        e.hardware,
        e.framework,
        e.precision,
        e.spec_method,
        e.isl.filter(|n| *n > 0),
        e.osl.filter(|n| *n > 0),
        e.conc,
        e.task.to_lowercase(),
        eval_topology(e),
    ]))
}

/// An eval's topology for its key. Role GPU counts and PP, DCP, PCP are not in the collected rows, so they take no part.
fn eval_topology(e: &EvalRecord) -> Value {
    let brief = |p: &Parallel| json!([p.tp, one(p.ep), p.dp_attention.unwrap_or(false)]);
    match e.topology() {
        Topology::Aggregated(p) => brief(&p),
        Topology::Disaggregated { prefill, decode } => {
            json!([brief(&prefill.parallel()), prefill.workers, brief(&decode.parallel()), decode.workers])
        }
    }
}

/// Identity of an eval: the base, with the fingerprint where a different one took the bare base already.
#[must_use]
pub fn eval_id(base: &str, separating_fingerprint: Option<&str>) -> EvalId {
    match separating_fingerprint {
        None => EvalId::from_text(base),
        Some(fingerprint) => EvalId::from_text(short_hash(&json!(["eval", base, fingerprint]))),
    }
}

/// Hash of what a row says, for telling a repeated row from a corrected one: its identity and every metric, to the last digit.
#[must_use]
pub fn content_hash(p: &Point) -> String {
    let mut bare = p.clone();
    // Where it came from, and what is decided among versions, is not what it says.
    bare.attempt = None;
    bare.artifact.clear();
    bare.file.clear();
    bare.row = None;
    bare.superseded = false;
    bare.label.clear();
    bare.config_key = None;
    short_hash(&serde_json::to_value(&bare).unwrap_or(Value::Null))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::tests::point;

    #[test]
    fn nulls_are_equal_and_absent_sizes_are_one() {
        let a = point("TP4", 4);
        let mut b = a.clone();
        (b.pp, b.ep, b.dcp, b.pcp, b.dp_attention) = (Some(1), Some(1), Some(1), Some(1), Some(false));
        assert_eq!(point_id(&a), point_id(&b));
    }

    #[test]
    fn what_the_contract_lists_separates_points() {
        let a = point("TP4", 4);
        let changed: [fn(&mut Point); 8] = [
            |p| p.conc = 8,
            |p| p.spec_method = "none".into(),
            |p| p.recipe_fingerprint = Some("ab".into()),
            |p| p.offload = crate::point::Offload::Dram,
            |p| p.offload_backend = Some(Versioned { name: "lmcache".into(), version: None }),
            |p| p.tp = Some(8),
            |p| p.dp_attention = Some(true),
            |p| p.precision = "fp8".into(),
        ];
        for change in changed {
            let mut b = a.clone();
            change(&mut b);
            assert_ne!(point_id(&a), point_id(&b));
        }
        let same: [fn(&mut Point); 4] = [
            |p| p.image = Some("other".into()),
            |p| p.artifact = "other".into(),
            |p| p.attempt = crate::Attempt::new(2),
            |p| p.hardware_label = "cluster:gb300-nv_3".into(),
        ];
        for change in same {
            let mut b = a.clone();
            change(&mut b);
            assert_eq!(point_id(&a), point_id(&b));
        }
    }

    #[test]
    fn role_gpu_counts_separate_disaggregated_points() {
        let mut a = point("TP4", 4);
        let role = Role { tp: Some(4), workers: Some(1), gpus: Some(16), ..Role::default() };
        a.disagg = true;
        a.set_topology(Topology::Disaggregated { prefill: role, decode: Role { gpus: Some(32), ..role } });
        let mut b = a.clone();
        b.set_topology(Topology::Disaggregated { prefill: role, decode: Role { gpus: Some(48), ..role } });
        assert_ne!(point_id(&a), point_id(&b));
    }
}
