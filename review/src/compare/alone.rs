//! Points that only one side has, and why the other has none.

use std::collections::HashMap;

use paretoscope_domain::curve::CurveKey;
use paretoscope_domain::delta::{MatchKey, settled_topology};
use paretoscope_domain::label;
use paretoscope_domain::point::{Offload, Point, Status};
use paretoscope_domain::run::JobEvent;
use paretoscope_domain::{PointId, RunId};
use serde::{Deserialize, Serialize};

use super::side::Side;

/// Why the other side has no such point that counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// It was measured there and failed.
    Failed,
    /// Only versions that no longer count are there.
    Superseded,
    /// Its job failed there before it left a row, as the job's own event says.
    JobFailed,
    /// The same layout and concurrency were measured there with another offload setting.
    OtherOffload,
    /// The same layout and concurrency were measured there with another spec method (fixed sequences).
    OtherSpecMethod,
    /// The same layout was measured there at other concurrencies.
    NoSuchConcurrency,
    /// The curve was measured there, this layout was not.
    NoSuchTopology,
    /// The run that would have given the curve is hidden.
    HiddenRun,
    /// Nothing of the curve is there.
    NoSuchCurve,
}

/// A point that comes close.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct NearMiss {
    /// Point.
    pub point_id: PointId,
    /// Its run.
    pub run_id: RunId,
    /// Its label.
    pub label: String,
    /// What sets it apart: `offload lmcache instead of none`.
    pub differs: Vec<String>,
}

/// A point without a counterpart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Alone {
    /// Point.
    pub point_id: PointId,
    /// Its run.
    pub run_id: RunId,
    /// Its label.
    pub label: String,
    /// Its curve.
    pub curve: CurveKey,
    /// Why the other side has none.
    pub why: Why,
    /// The same, as a sentence.
    pub reason: String,
    /// The point there that comes closest, where one does.
    pub near_miss: Option<NearMiss>,
}

/// Says of each point why `other` has no counterpart.
pub(super) fn explained(points: &[&Point], other: &Side<'_>) -> Vec<Alone> {
    if points.is_empty() {
        return Vec::new();
    }
    let there = There::of(other);
    points.iter().map(|p| there.explain(p)).collect()
}

/// What the other side holds, by what is asked.
struct There<'a> {
    side: &'a Side<'a>,
    title: String,
    /// Versions that don't count, by configuration.
    not_counting: HashMap<MatchKey<'a>, Vec<&'a Point>>,
    /// Points that count, by (model, hardware, framework, precision, scenario).
    counting: HashMap<Place<'a>, Vec<&'a Point>>,
    lost_jobs: Vec<(RunId, &'a JobEvent)>,
}

/// Curve, but for the spec method.
type Place<'a> = (&'a str, &'a str, &'a str, &'a str, paretoscope_domain::Scenario);

fn place(p: &Point) -> Place<'_> {
    (&p.model, &p.hardware, &p.framework, &p.precision, p.scenario)
}

impl<'a> There<'a> {
    fn of(side: &'a Side<'a>) -> Self {
        let mut not_counting: HashMap<MatchKey<'a>, Vec<&'a Point>> = HashMap::new();
        let mut counting: HashMap<Place<'a>, Vec<&'a Point>> = HashMap::new();
        for p in side.points.iter() {
            if p.counts() {
                counting.entry(place(p)).or_default().push(p);
            } else {
                not_counting.entry(MatchKey::of(p)).or_default().push(p);
            }
        }
        let lost = |j: &&JobEvent| j.outcome.as_deref() == Some("failure") && j.eval_only != Some(true);
        let lost_jobs = side.runs.iter().flat_map(|(d, _)| d.jobs.iter().filter(lost).map(|j| (d.run.run_id, j))).collect();
        Self { side, title: side.title(), not_counting, counting, lost_jobs }
    }

    fn explain(&self, p: &Point) -> Alone {
        let (why, reason, near_miss) = self.reason(p);
        Alone { point_id: p.id.clone(), run_id: p.run_id, label: p.label.clone(), curve: CurveKey::of(p), why, reason, near_miss }
    }

    fn reason(&self, p: &Point) -> (Why, String, Option<NearMiss>) {
        let there = &self.title;
        if let Some(versions) = self.not_counting.get(&MatchKey::of(p)) {
            let near = |v: &Point| NearMiss { point_id: v.id.clone(), run_id: v.run_id, label: v.label.clone(), differs: Vec::new() };
            if let Some(failed) = versions.iter().find(|v| v.status == Status::Failed && !v.superseded) {
                let reasons = failed.reasons.iter().map(|r| r.replace('_', " ")).collect::<Vec<_>>().join(", ");
                let reasons = if reasons.is_empty() { "no reason stated".to_owned() } else { reasons };
                return (Why::Failed, format!("It failed in {there}: {reasons}."), Some(near(failed)));
            }
            if let Some(old) = versions.first() {
                return (Why::Superseded, format!("{} holds only versions of it that no longer count.", capital(there)), Some(near(old)));
            }
        }
        let plain = label::label(&p.topology(), Some(p.conc));
        if let Some((run, job)) = self.lost_jobs.iter().find(|(_, j)| j.title == p.label || j.title == plain) {
            let error = job.error.as_deref().map(|e| format!(": {e}")).unwrap_or_default();
            return (Why::JobFailed, format!("Its job failed in run {run} and left no row{error}."), None);
        }
        let curve = CurveKey::of(p);
        let neighbours = self.counting.get(&place(p)).map_or(&[][..], Vec::as_slice);
        let (topology, disagg) = (settled_topology(p), p.disagg);
        let same_layout: Vec<&&Point> = neighbours.iter().filter(|n| n.disagg == disagg && settled_topology(n) == topology).collect();
        let closest = same_layout
            .iter()
            .filter(|n| n.conc == p.conc)
            .map(|n| (differences(n, p), n))
            .min_by(|(a, m), (b, n)| (a.len(), m.label.as_str(), m.id.as_str()).cmp(&(b.len(), n.label.as_str(), n.id.as_str())));
        if let Some((differs, n)) = closest {
            let same_offload = (n.offload, &n.offload_backend) == (p.offload, &p.offload_backend);
            let (why, what) = if same_offload { (Why::OtherSpecMethod, "spec method") } else { (Why::OtherOffload, "offload setting") };
            let reason = format!("{} measured it with another {what}: {} has {}.", capital(there), n.label, differs.join(" and "));
            let near = NearMiss { point_id: n.id.clone(), run_id: n.run_id, label: n.label.clone(), differs };
            return (why, reason, Some(near));
        }
        let on_curve = |n: &Point| CurveKey::of(n) == curve;
        let mut concs: Vec<u32> = same_layout.iter().filter(|n| on_curve(n)).map(|n| n.conc).collect();
        concs.sort_unstable();
        concs.dedup();
        if !concs.is_empty() {
            let named = concs.iter().map(|c| format!("c{c}")).collect::<Vec<_>>().join(", ");
            let layout = label::topology(&p.topology());
            let reason = format!("c{} is not in the matrix of {there}: {layout} was measured at {named}.", p.conc);
            return (Why::NoSuchConcurrency, reason, None);
        }
        if neighbours.iter().any(|n| on_curve(n)) {
            let layout = label::topology(&p.topology());
            return (Why::NoSuchTopology, format!("{layout} is not in the matrix of {there}."), None);
        }
        if let Some((_, run)) = self.side.hidden.iter().find(|(c, _)| *c == curve) {
            return (Why::HiddenRun, format!("Run {run} would have given {there} this curve, but it is hidden."), None);
        }
        (Why::NoSuchCurve, format!("{} holds nothing of this curve.", capital(there)), None)
    }
}

/// What sets `there` apart from `here`, beyond run and fingerprint.
fn differences(there: &Point, here: &Point) -> Vec<String> {
    let offload = |p: &Point| match (p.offload, &p.offload_backend) {
        (_, Some(b)) => match &b.version {
            Some(version) => format!("{} {version}", b.name),
            None => b.name.clone(),
        },
        (Offload::None, None) => "none".to_owned(),
        (other, None) => other.as_str().to_owned(),
    };
    let mut out = Vec::new();
    let (a, b) = (offload(there), offload(here));
    if a != b || there.offload != here.offload {
        out.push(if a == b {
            format!("offload {} instead of {}", there.offload.as_str(), here.offload.as_str())
        } else {
            format!("offload {a} instead of {b}")
        });
    }
    if !here.scenario.is_agentic() && there.spec_method != here.spec_method {
        out.push(format!("spec method {} instead of {}", there.spec_method, here.spec_method));
    }
    out
}

/// The first letter in upper case.
pub(super) fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
