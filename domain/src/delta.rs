//! Changes of a run against its baseline, point by point.

use serde::{Deserialize, Serialize};

use crate::frontier::Better;
use crate::ids::PointId;
use crate::metric::Metric;
use crate::point::{Offload, Parallel, Point, Role, Topology, Versioned};
use crate::scenario::Scenario;

/// One metric of two matched points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Change {
    /// The baseline's value.
    pub base: f64,
    /// The run's value.
    pub head: f64,
    /// Change in per cent of the baseline's value; null where that is 0.
    pub pct: Option<f64>,
    /// Whether the change is for the better; null where the metric has no better end or nothing changed.
    pub better: Option<bool>,
}

impl Change {
    /// The change of a metric from `base` to `head`.
    #[must_use]
    pub fn of(metric: &Metric, base: f64, head: f64) -> Self {
        let pct = (base != 0.0).then(|| (head - base) / base * 100.0).filter(|p| p.is_finite());
        let better = metric.better.filter(|_| head != base).map(|end| (head > base) == (end == Better::Higher));
        Self { base, head, pct, better }
    }
}

/// What makes two points of different runs the same measurement: all of the natural key but the run and the fingerprint, and
/// for agentic curves also not the spec method. Never order, name or image.
#[derive(PartialEq, Eq, Hash)]
struct MatchKey<'a> {
    model: &'a str,
    hardware: &'a str,
    framework: &'a str,
    precision: &'a str,
    spec_method: Option<&'a str>,
    scenario: Scenario,
    conc: u32,
    disagg: bool,
    topology: Topology,
    offload: Offload,
    backend: Option<&'a Versioned>,
}

/// Absent sizes are one, as in the natural key.
fn settled(p: Parallel) -> Parallel {
    let one = |size: Option<u32>| Some(size.unwrap_or(1));
    let Parallel { tp, pp, ep, dcp, pcp, dp_attention } = p;
    Parallel { tp, pp: one(pp), ep: one(ep), dcp: one(dcp), pcp: one(pcp), dp_attention: Some(dp_attention.unwrap_or(false)) }
}

fn settled_role(role: Role) -> Role {
    let Parallel { tp, pp, ep, dcp, pcp, dp_attention } = settled(role.parallel());
    Role { tp, pp, ep, dcp, pcp, dp_attention, workers: role.workers, gpus: role.gpus }
}

fn match_key(p: &Point) -> MatchKey<'_> {
    MatchKey {
        model: &p.model,
        hardware: &p.hardware,
        framework: &p.framework,
        precision: &p.precision,
        spec_method: (!p.scenario.is_agentic()).then_some(p.spec_method.as_str()),
        scenario: p.scenario,
        conc: p.conc,
        disagg: p.disagg,
        topology: match p.topology() {
            Topology::Aggregated(parallel) => Topology::Aggregated(settled(parallel)),
            Topology::Disaggregated { prefill, decode } => {
                Topology::Disaggregated { prefill: settled_role(prefill), decode: settled_role(decode) }
            }
        },
        offload: p.offload,
        backend: p.offload_backend.as_ref(),
    }
}

/// Matched points of two runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Matched<'a> {
    /// Pairs (base, head), in the head's order.
    pub pairs: Vec<(&'a Point, &'a Point)>,
    /// Points only the baseline has.
    pub removed: Vec<&'a Point>,
    /// Points only the run has.
    pub added: Vec<&'a Point>,
}

/// Matches the points that count of a baseline and a run. Where several share a configuration, equal fingerprints go first.
#[must_use]
pub fn matched<'a>(base: &'a [Point], head: &'a [Point]) -> Matched<'a> {
    let mut pool: std::collections::HashMap<MatchKey<'_>, Vec<&'a Point>> = std::collections::HashMap::new();
    for p in base.iter().filter(|p| p.counts()) {
        pool.entry(match_key(p)).or_default().push(p);
    }
    let mut out = Matched::default();
    for p in head.iter().filter(|p| p.counts()) {
        let candidates = pool.get_mut(&match_key(p)).filter(|c| !c.is_empty());
        match candidates {
            Some(candidates) => {
                let at = candidates.iter().position(|b| b.recipe_fingerprint == p.recipe_fingerprint).unwrap_or(0);
                out.pairs.push((candidates.remove(at), p));
            }
            None => out.added.push(p),
        }
    }
    let left: std::collections::HashSet<&PointId> = pool.values().flatten().map(|p| &p.id).collect();
    out.removed = base.iter().filter(|p| p.counts() && left.contains(&p.id)).collect();
    out
}

/// The change of one metric over matched points: (head point, change), for pairs where both have it.
#[must_use]
pub fn changes<'a>(matched: &Matched<'a>, metric: &Metric) -> Vec<(&'a Point, Change)> {
    matched
        .pairs
        .iter()
        .filter_map(|(b, h)| {
            let (base, head) = (b.metric(&metric.name)?, h.metric(&metric.name)?);
            Some((*h, Change::of(metric, base, head)))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::tests::point;
    use crate::natural_key;

    #[test]
    fn change_and_its_direction() {
        let tput = Metric::parse("tput_per_gpu").unwrap();
        let e2el = Metric::parse("p90_e2el").unwrap();
        let c = Change::of(&tput, 100.0, 92.2);
        assert!((c.pct.unwrap() + 7.8).abs() < 1e-9);
        assert_eq!(c.better, Some(false));
        assert_eq!(Change::of(&e2el, 2.0, 1.0).better, Some(true));
        assert_eq!(Change::of(&e2el, 2.0, 2.0).better, None);
        assert_eq!(Change::of(&tput, 0.0, 2.0).pct, None);
    }

    #[test]
    fn absent_sizes_are_one_and_role_gpus_tell_apart() {
        let a = point("TP4", 4);
        let mut b = a.clone();
        (b.pp, b.ep, b.dcp, b.pcp, b.dp_attention) = (Some(1), Some(1), Some(1), Some(1), Some(false));
        assert!(match_key(&a) == match_key(&b));
        let role = Role { tp: Some(4), workers: Some(1), gpus: Some(16), ..Role::default() };
        b.set_topology(Topology::Disaggregated { prefill: role, decode: role });
        let mut c = b.clone();
        c.set_topology(Topology::Disaggregated { prefill: role, decode: Role { gpus: Some(48), ..role } });
        assert!(match_key(&b) != match_key(&c));
    }

    #[test]
    fn points_match_by_configuration_not_by_image_or_fingerprint() {
        let mut base = point("TP4", 4);
        base.run_id = crate::RunId::new(9).unwrap();
        base.image = Some("old".into());
        base.recipe_fingerprint = Some("aa".into());
        base.spec_method = "none".into();
        let gone = {
            let mut p = point("TP8", 4);
            p.run_id = base.run_id;
            p.id = natural_key::point_id(&p);
            p
        };
        base.id = natural_key::point_id(&base);
        let (bases, heads) = ([base, gone], [point("TP4", 4), point("TP4", 8)]);
        let m = matched(&bases, &heads);
        assert_eq!(m.pairs.len(), 1);
        assert_eq!((m.added.len(), m.removed.len()), (1, 1));
        assert_eq!(m.removed[0].tp, Some(8));
    }
}
