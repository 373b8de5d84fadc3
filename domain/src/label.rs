//! Labels of points: the job title's notation without the model, and what tells colliding labels apart.

use std::collections::HashMap;

use crate::point::{Offload, Parallel, Point, Topology};

/// `TP2/EP2/DPA`: TP always, PP, DCP, PCP and EP above one, DPA where on.
#[must_use]
pub fn parallel(p: &Parallel) -> String {
    let mut parts = vec![p.tp.map_or_else(|| "TP?".to_owned(), |tp| format!("TP{tp}"))];
    for (name, size) in [("PP", p.pp), ("DCP", p.dcp), ("PCP", p.pcp), ("EP", p.ep)] {
        if let Some(size) = size.filter(|s| *s > 1) {
            parts.push(format!("{name}{size}"));
        }
    }
    if p.dp_attention == Some(true) {
        parts.push("DPA".to_owned());
    }
    parts.join("/")
}

/// `TP4`, or `4P1D TP1/DPA → TP8/EP8/DPA` when disaggregated.
#[must_use]
pub fn topology(t: &Topology) -> String {
    match t {
        Topology::Aggregated(p) => parallel(p),
        Topology::Disaggregated { prefill, decode } => {
            let count = |n: Option<u32>| n.map_or_else(|| "?".to_owned(), |n| n.to_string());
            format!(
                "{}P{}D {} → {}",
                count(prefill.workers),
                count(decode.workers),
                parallel(&prefill.parallel()),
                parallel(&decode.parallel())
            )
        }
    }
}

/// Topology and concurrency: `TP4 c16`. An eval may lack a concurrency.
#[must_use]
pub fn label(t: &Topology, conc: Option<u32>) -> String {
    match conc {
        Some(conc) => format!("{} c{conc}", topology(t)),
        None => topology(t),
    }
}

/// What may tell two points of one curve and one label apart, in the order it is tried.
fn distinctions(p: &Point) -> [Option<String>; 6] {
    let backend = p.offload_backend.as_ref();
    let offload = match (p.offload, backend) {
        (Offload::None, None) => None,
        (_, Some(backend)) => Some(backend.name.clone()),
        (Offload::Dram, None) => Some("offload to DRAM".to_owned()),
        (Offload::Unknown, None) => Some("offload unknown".to_owned()),
    };
    let version = backend.and_then(|b| b.version.clone());
    let spec = (p.spec_method != "none").then(|| p.spec_method.clone());
    let gpus = match p.topology() {
        Topology::Disaggregated { prefill, decode } => match (prefill.gpus, decode.gpus) {
            (Some(p), Some(d)) => Some(format!("{p}+{d} GPUs")),
            _ => None,
        },
        Topology::Aggregated(_) => None,
    };
    let fingerprint = p.recipe_fingerprint.as_deref().filter(|f| !f.is_empty()).map(|f| f.chars().take(8).collect());
    let id = Some(p.id.as_str().chars().take(6).collect());
    [offload, version, spec, gpus, fingerprint, id]
}

/// Sets every point's label; points of one curve whose labels would collide gain what tells them apart
/// (`· lmcache`, `· 16+48 GPUs`, a short fingerprint). Versions of one point share its label.
pub fn assign(points: &mut [Point]) {
    let mut curves: HashMap<String, Vec<usize>> = HashMap::new();
    for (i, p) in points.iter_mut().enumerate() {
        p.label = label(&p.topology(), Some(p.conc));
        curves.entry(format!("{}\u{1}{}", crate::curve::CurveKey::of(p).as_text(), p.label)).or_default().push(i);
    }
    for members in curves.into_values() {
        settle(points, members, 0);
    }
}

/// Tells the members (one label so far) apart by the distinctions from `from` on.
fn settle(points: &mut [Point], members: Vec<usize>, from: usize) {
    let ids: std::collections::HashSet<&str> = members.iter().filter_map(|i| points.get(*i)).map(|p| p.id.as_str()).collect();
    if ids.len() < 2 {
        return;
    }
    for step in from..6 {
        let mut groups: HashMap<Option<String>, Vec<usize>> = HashMap::new();
        for i in &members {
            let text = points.get(*i).and_then(|p| distinctions(p).into_iter().nth(step).flatten());
            groups.entry(text).or_default().push(*i);
        }
        if groups.len() > 1 {
            for (text, group) in groups {
                if let Some(text) = text {
                    for i in &group {
                        if let Some(p) = points.get_mut(*i) {
                            p.label = format!("{} · {text}", p.label);
                        }
                    }
                }
                settle(points, group, step + 1);
            }
            return;
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::ids::{PointId, RunId};
    use crate::natural_key::point_id;
    use crate::point::{Requests, Role, Status, Versioned};
    use crate::scenario::Scenario;

    /// A plain agentic point for tests.
    pub(crate) fn point(parallel: &str, conc: u32) -> Point {
        let tp = parallel.trim_start_matches("TP").parse().ok();
        let mut p = Point {
            id: PointId::from_text(""),
            run_id: RunId::new(1).unwrap(),
            attempt: None,
            label: String::new(),
            model: "dsv41flash".into(),
            model_path: None,
            hardware: "gb300".into(),
            hardware_label: "gb300".into(),
            framework: "sglang".into(),
            precision: "fp4".into(),
            spec_method: "mtp".into(),
            scenario: Scenario::AgenticTraces,
            isl: None,
            osl: None,
            conc,
            disagg: false,
            multinode: false,
            gpus: tp,
            tp,
            pp: None,
            ep: None,
            dcp: None,
            pcp: None,
            dp_attention: None,
            prefill: None,
            decode: None,
            image: None,
            image_digest: None,
            offload: Offload::None,
            offload_backend: None,
            router: None,
            kv_transfer: None,
            requests: Requests::default(),
            recipe_fingerprint: None,
            config_key: None,
            artifact: "bmk_agentic_x".into(),
            file: "x.json".into(),
            row: None,
            status: Status::Ok,
            reasons: vec![],
            notes: vec![],
            superseded: false,
            metrics: Default::default(),
        };
        p.id = point_id(&p);
        p
    }

    fn relabelled(mut points: Vec<Point>) -> Vec<String> {
        for p in &mut points {
            p.id = point_id(p);
        }
        assign(&mut points);
        points.into_iter().map(|p| p.label).collect()
    }

    #[test]
    fn notation() {
        let dpa = Parallel { tp: Some(2), ep: Some(2), dp_attention: Some(true), ..Parallel::default() };
        for (p, conc, text) in [
            (Parallel { tp: Some(4), ..Parallel::default() }, 1, "TP4 c1"),
            (Parallel { tp: Some(2), ep: Some(2), pp: Some(1), dp_attention: Some(false), ..Parallel::default() }, 16, "TP2/EP2 c16"),
            (dpa, 64, "TP2/EP2/DPA c64"),
            (
                Parallel { tp: Some(8), pp: Some(2), dcp: Some(4), pcp: Some(2), ep: Some(8), dp_attention: None },
                8,
                "TP8/PP2/DCP4/PCP2/EP8 c8",
            ),
        ] {
            assert_eq!(label(&Topology::Aggregated(p), Some(conc)), text);
        }
        let prefill = Role { tp: Some(1), dp_attention: Some(true), workers: Some(4), ..Role::default() };
        let decode = Role { tp: Some(8), ep: Some(8), dp_attention: Some(true), workers: Some(1), ..Role::default() };
        assert_eq!(label(&Topology::Disaggregated { prefill, decode }, Some(256)), "4P1D TP1/DPA → TP8/EP8/DPA c256");
    }

    #[test]
    fn colliding_labels_gain_what_tells_them_apart() {
        let plain = point("TP4", 16);
        let mut lmcache = plain.clone();
        lmcache.offload = Offload::Dram;
        lmcache.offload_backend = Some(Versioned { name: "lmcache".into(), version: None });
        let alone = point("TP8", 16);
        assert_eq!(relabelled(vec![plain.clone(), lmcache, alone]), ["TP4 c16", "TP4 c16 · lmcache", "TP8 c16"]);

        let mut one = plain.clone();
        one.recipe_fingerprint = Some("a91e000011112222".into());
        let mut two = plain.clone();
        two.recipe_fingerprint = Some("5c0f000011112222".into());
        assert_eq!(relabelled(vec![one, two]), ["TP4 c16 · a91e0000", "TP4 c16 · 5c0f0000"]);

        let mut narrow = plain;
        let role = Role { tp: Some(4), workers: Some(1), gpus: Some(16), ..Role::default() };
        narrow.set_topology(Topology::Disaggregated { prefill: role, decode: Role { gpus: Some(32), ..role } });
        let mut wide = narrow.clone();
        wide.set_topology(Topology::Disaggregated { prefill: role, decode: Role { gpus: Some(48), ..role } });
        assert_eq!(relabelled(vec![narrow, wide]), ["1P1D TP4 → TP4 c16 · 16+32 GPUs", "1P1D TP4 → TP4 c16 · 16+48 GPUs"]);
    }

    #[test]
    fn versions_of_one_point_share_its_label() {
        let a = point("TP4", 16);
        let mut b = a.clone();
        b.attempt = crate::Attempt::new(2);
        assert_eq!(relabelled(vec![a, b]), ["TP4 c16", "TP4 c16"]);
    }
}
