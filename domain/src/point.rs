//! A point: one measured (topology, offload, concurrency) of a run.

use std::cmp::{Ordering, Reverse};
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::ids::{Attempt, PointId, RunId};
use crate::scenario::Scenario;

/// Metrics by canonical name ([`crate::metric`]). A metric that was not measured is not in the map.
pub type Metrics = BTreeMap<String, f64>;

/// Parallelism of one engine. `None` is "the row does not say".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Parallel {
    /// Tensor parallel size.
    pub tp: Option<u32>,
    /// Pipeline parallel size.
    pub pp: Option<u32>,
    /// Expert parallel size; shares the devices of TP.
    pub ep: Option<u32>,
    /// Decode context parallel size; shares devices.
    pub dcp: Option<u32>,
    /// Prefill context parallel size; multiplies devices.
    pub pcp: Option<u32>,
    /// Data-parallel attention.
    pub dp_attention: Option<bool>,
}

impl Parallel {
    /// GPUs of one such engine: tp × pp × pcp (EP and DCP share devices). `None` where TP is not known.
    ///
    /// Source: formats-and-rules §1.2. Not tp × ep.
    #[must_use]
    pub fn gpus(&self) -> Option<u32> {
        self.tp?.checked_mul(self.pp.unwrap_or(1))?.checked_mul(self.pcp.unwrap_or(1))
    }
}

/// Prefill or decode side of a disaggregated point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Role {
    /// Tensor parallel size of one worker.
    pub tp: Option<u32>,
    /// Pipeline parallel size of one worker.
    pub pp: Option<u32>,
    /// Expert parallel size of one worker.
    pub ep: Option<u32>,
    /// Decode context parallel size of one worker.
    pub dcp: Option<u32>,
    /// Prefill context parallel size of one worker.
    pub pcp: Option<u32>,
    /// Data-parallel attention.
    pub dp_attention: Option<bool>,
    /// Number of workers.
    pub workers: Option<u32>,
    /// GPUs of all workers, as the row states them (not tp × workers).
    pub gpus: Option<u32>,
}

impl Role {
    /// The parallelism of one worker.
    #[must_use]
    pub fn parallel(&self) -> Parallel {
        let Self { tp, pp, ep, dcp, pcp, dp_attention, workers: _, gpus: _ } = *self;
        Parallel { tp, pp, ep, dcp, pcp, dp_attention }
    }
}

/// How the GPUs of a point were laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Topology {
    /// One kind of engine does all.
    Aggregated(Parallel),
    /// Prefill and decode on engines of their own.
    Disaggregated {
        /// Prefill side.
        prefill: Role,
        /// Decode side.
        decode: Role,
    },
}

/// Where the KV cache may be offloaded to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Offload {
    /// Not offloaded, or the row (a fixed sequence) has no such setting.
    #[default]
    None,
    /// To the host's memory.
    Dram,
    /// The row does not say whether, or where to.
    Unknown,
}

impl Offload {
    /// The word, as in the API.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Dram => "dram",
            Self::Unknown => "unknown",
        }
    }
}

/// A named piece of software and its version, where the row states it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Versioned {
    /// Name, as the row has it.
    pub name: String,
    /// Version, where stated.
    pub version: Option<String>,
}

/// Requests behind a point; what the row does not state is `null`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Requests {
    /// All requests.
    pub total: Option<u64>,
    /// Requests that ended without an error and count.
    pub successful: Option<u64>,
    /// Requests dropped for an error.
    pub error_dropped: Option<u64>,
}

/// Whether a point measured anything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Measured; may be on a curve.
    #[default]
    Ok,
    /// No successful request, or the benchmark's own outcome is failed: kept and shown, never on a curve.
    Failed,
}

/// Reason codes of a point.
pub mod reason {
    /// No successful request.
    pub const NO_SUCCESSFUL_REQUESTS: &str = "no_successful_requests";
    /// The benchmark's own outcome says failed.
    pub const OUTCOME_FAILED: &str = "outcome_failed";
    /// More failed requests than the gate allows (10 % agentic, 5 % fixed): drawn with a mark.
    pub const HIGH_FAILURE: &str = "high_failure";
    /// Interactivity was computed from ITL because the row's own was no slow tail.
    pub const INTERACTIVITY_COMPUTED: &str = "interactivity_computed";
    /// The row's power measurement is marked as not valid.
    pub const POWER_INVALID: &str = "power_invalid";
}

/// One measured point of a run, in the words of the contract.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Point {
    /// Hash of the natural key.
    pub id: PointId,
    /// Run.
    pub run_id: RunId,
    /// Attempt that measured it; null where it is not known.
    pub attempt: Option<Attempt>,
    /// Job-title notation without the model: `TP2/EP2/DPA c64`.
    pub label: String,
    /// Model key.
    pub model: String,
    /// The model's path or id as the row has it.
    pub model_path: Option<String>,
    /// Hardware key: the GPU.
    pub hardware: String,
    /// The runner label as the row has it.
    pub hardware_label: String,
    /// Framework key.
    pub framework: String,
    /// Precision key.
    pub precision: String,
    /// Spec method key.
    pub spec_method: String,
    /// Scenario.
    #[cfg_attr(feature = "openapi", schema(value_type = String, example = "agentic-traces"))]
    pub scenario: Scenario,
    /// Input sequence length in tokens; null for agentic traces.
    pub isl: Option<u32>,
    /// Output sequence length in tokens; null for agentic traces.
    pub osl: Option<u32>,
    /// Concurrency: requests in flight at most.
    pub conc: u32,
    /// Whether prefill and decode ran on engines of their own.
    pub disagg: bool,
    /// Whether it ran on several nodes.
    pub multinode: bool,
    /// Physical GPUs; null where the row does not let us know.
    pub gpus: Option<u32>,
    /// Tensor parallel size; null when disaggregated.
    pub tp: Option<u32>,
    /// Pipeline parallel size; null when disaggregated.
    pub pp: Option<u32>,
    /// Expert parallel size; null when disaggregated.
    pub ep: Option<u32>,
    /// Decode context parallel size; null when disaggregated.
    pub dcp: Option<u32>,
    /// Prefill context parallel size; null when disaggregated.
    pub pcp: Option<u32>,
    /// Data-parallel attention; null when disaggregated.
    pub dp_attention: Option<bool>,
    /// Prefill side; null when aggregated.
    pub prefill: Option<Role>,
    /// Decode side; null when aggregated.
    pub decode: Option<Role>,
    /// Image reference without its digest.
    pub image: Option<String>,
    /// Image digest, `sha256:…`.
    pub image_digest: Option<String>,
    /// KV offload.
    pub offload: Offload,
    /// KV offload backend.
    pub offload_backend: Option<Versioned>,
    /// Router.
    pub router: Option<Versioned>,
    /// KV transfer between prefill and decode (nixl, mooncake, …).
    pub kv_transfer: Option<String>,
    /// Requests.
    pub requests: Requests,
    /// Hash of the matrix entry, where the row has one.
    pub recipe_fingerprint: Option<String>,
    /// Configuration key, where the run's changelog names exactly one for it.
    pub config_key: Option<String>,
    /// Artifact it was read from.
    pub artifact: String,
    /// File inside the artifact.
    pub file: String,
    /// Row of a collected file, from 0; null for a file of one row.
    pub row: Option<u32>,
    /// Whether it measured anything.
    pub status: Status,
    /// Reason codes of the status and marks ([`reason`]).
    pub reasons: Vec<String>,
    /// Sentences a reader should know: the row's own warnings, what was computed instead of read.
    pub notes: Vec<String>,
    /// Whether a newer version of the same point counts instead.
    pub superseded: bool,
    /// Metrics by canonical name.
    pub metrics: Metrics,
}

impl Point {
    /// How the GPUs were laid out.
    #[must_use]
    pub fn topology(&self) -> Topology {
        if let (Some(prefill), Some(decode)) = (self.prefill, self.decode) {
            return Topology::Disaggregated { prefill, decode };
        }
        let Self { tp, pp, ep, dcp, pcp, dp_attention, .. } = *self;
        Topology::Aggregated(Parallel { tp, pp, ep, dcp, pcp, dp_attention })
    }

    /// Lays the GPUs out: sets the fields of the one form and clears those of the other.
    pub fn set_topology(&mut self, topology: Topology) {
        let (parallel, prefill, decode) = match topology {
            Topology::Aggregated(parallel) => (parallel, None, None),
            Topology::Disaggregated { prefill, decode } => (Parallel::default(), Some(prefill), Some(decode)),
        };
        let Parallel { tp, pp, ep, dcp, pcp, dp_attention } = parallel;
        (self.tp, self.pp, self.ep, self.dcp, self.pcp, self.dp_attention) = (tp, pp, ep, dcp, pcp, dp_attention);
        (self.prefill, self.decode) = (prefill, decode);
    }

    /// Whether it may be on a curve: measured and not superseded.
    #[must_use]
    pub fn counts(&self) -> bool {
        self.status == Status::Ok && !self.superseded
    }

    /// A metric; `None` where it was not measured.
    #[must_use]
    pub fn metric(&self, name: &str) -> Option<f64> {
        self.metrics.get(name).copied()
    }
}

/// Order in which tables list points: by curve; aggregated before disaggregated; without DP attention before with; wide TP
/// before narrow; then the rest of the topology, concurrency and what else makes the identity. Versions of one point are equal.
#[must_use]
pub fn table_order(a: &Point, b: &Point) -> Ordering {
    let curve = |p: &Point| (p.scenario, (!p.scenario.is_agentic()).then(|| p.spec_method.clone()));
    let data_parallel = |p: &Point| match p.topology() {
        Topology::Aggregated(parallel) => parallel.dp_attention,
        Topology::Disaggregated { decode, .. } => decode.dp_attention,
    };
    let layout = |p: &Parallel| (Reverse(p.tp), p.ep.unwrap_or(1), p.pp.unwrap_or(1), p.dcp.unwrap_or(1), p.pcp.unwrap_or(1));
    let topology = |p: &Point| match p.topology() {
        Topology::Aggregated(parallel) => (None, layout(&parallel), None, None),
        Topology::Disaggregated { prefill, decode } => (
            Some((prefill.workers, decode.workers)),
            layout(&prefill.parallel()),
            Some((prefill.dp_attention, layout(&decode.parallel()))),
            Some((prefill.gpus, decode.gpus)),
        ),
    };
    let backend = |p: &Point| p.offload_backend.as_ref().map(|b| (b.name.clone(), b.version.clone()));
    (a.model.cmp(&b.model))
        .then_with(|| curve(a).0.cmp(&curve(b).0))
        .then_with(|| a.hardware.cmp(&b.hardware))
        .then_with(|| a.framework.cmp(&b.framework))
        .then_with(|| a.precision.cmp(&b.precision))
        .then_with(|| curve(a).1.cmp(&curve(b).1))
        .then_with(|| a.disagg.cmp(&b.disagg))
        .then_with(|| data_parallel(a).unwrap_or(false).cmp(&data_parallel(b).unwrap_or(false)))
        .then_with(|| topology(a).cmp(&topology(b)))
        .then_with(|| a.conc.cmp(&b.conc))
        .then_with(|| a.offload.cmp(&b.offload))
        .then_with(|| backend(a).cmp(&backend(b)))
        .then_with(|| a.spec_method.cmp(&b.spec_method))
        .then_with(|| a.recipe_fingerprint.cmp(&b.recipe_fingerprint))
        .then_with(|| a.id.cmp(&b.id))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_list_the_reference_run_as_its_sign_off_does() {
        let expected = [
            ("TP4", 1),
            ("TP4", 4),
            ("TP4", 16),
            ("TP2/EP2", 16),
            ("TP2/EP2", 32),
            ("TP2/EP2/DPA", 64),
            ("TP2/EP2/DPA", 128),
            ("TP2/EP2/DPA", 160),
        ];
        let mut points: Vec<Point> = expected
            .iter()
            .map(|(layout, conc)| {
                let mut p = crate::label::tests::point(if layout.starts_with("TP4") { "TP4" } else { "TP2" }, *conc);
                p.ep = layout.contains("EP2").then_some(2);
                p.dp_attention = Some(layout.ends_with("DPA"));
                p.label = format!("{layout} c{conc}");
                p
            })
            .collect();
        points.reverse();
        points.sort_by(table_order);
        let labels: Vec<String> = points.into_iter().map(|p| p.label).collect();
        assert_eq!(labels, expected.map(|(layout, conc)| format!("{layout} c{conc}")));
    }

    #[test]
    fn gpu_counts_do_not_multiply_by_ep() {
        for (tp, pp, ep, dcp, pcp, gpus) in [
            (Some(8), None, Some(8), None, None, Some(8)),
            (Some(4), Some(1), Some(4), Some(1), Some(1), Some(4)),
            (Some(4), Some(2), Some(8), Some(4), Some(1), Some(8)),
            (Some(2), Some(1), Some(1), Some(1), Some(4), Some(8)),
            (None, Some(2), Some(8), None, None, None),
        ] {
            assert_eq!(Parallel { tp, pp, ep, dcp, pcp, dp_attention: None }.gpus(), gpus, "{tp:?} {pp:?} {ep:?} {pcp:?}");
        }
    }
}
