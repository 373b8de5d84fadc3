//! What the invented history holds: its lanes (a model on a GPU with a framework) and its releases (a run each).
//! Models, GPUs and frameworks are real names so that the explorer shows what it is for; nothing was measured.

/// A model on a GPU with a framework: what a run measures.
pub(super) struct Lane {
    pub(super) model: Model,
    pub(super) hardware: &'static str,
    pub(super) framework: &'static str,
    pub(super) precision: &'static str,
    /// Methods of speculative decoding, each measured.
    pub(super) specs: &'static [&'static str],
    pub(super) workloads: &'static [Workload],
    pub(super) deployments: &'static [Deployment],
    /// Tokens per second that one user alone gets on four GPUs.
    pub(super) pace: f64,
    /// Output tokens per second that each of four saturated GPUs gives.
    pub(super) capacity: f64,
    pub(super) evals: &'static [Task],
}

#[derive(Clone, Copy)]
pub(super) struct Model {
    pub(super) prefix: &'static str,
    pub(super) path: &'static str,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Workload {
    /// Fixed prompts and answers, in tokens.
    Fixed { isl: u32, osl: u32 },
    /// Replayed coding agents.
    Agentic,
}

/// How the model is laid out on GPUs, and the concurrencies measured on it.
#[derive(Clone, Copy)]
pub(super) enum Deployment {
    Aggregated { role: Role, offload: Option<&'static str>, concs: &'static [u32] },
    Disaggregated { prefill: Role, decode: Role, concs: &'static [u32] },
}

#[derive(Clone, Copy)]
pub(super) struct Role {
    pub(super) tp: u32,
    pub(super) ep: u32,
    pub(super) dp_attention: bool,
    pub(super) workers: u32,
}

impl Role {
    pub(super) const fn gpus(self) -> u32 {
        self.tp * self.workers
    }
}

/// An accuracy test: its name, its questions and the share that the model gets right.
#[derive(Clone, Copy)]
pub(super) struct Task {
    pub(super) name: &'static str,
    pub(super) questions: u32,
    pub(super) accuracy: f64,
}

/// One run.
pub(super) struct Release {
    pub(super) created_at: &'static str,
    pub(super) kind: &'static str,
    pub(super) form: Form,
    /// The number of the invented image.
    pub(super) image: u32,
    /// Speed against the lane's first image.
    pub(super) gain: f64,
    pub(super) mishap: Option<Mishap>,
    pub(super) lanes: &'static [&'static Lane],
}

/// How the run's results are packed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// One `results_bmk` and one `eval_results_all`.
    Collected,
    /// One artifact a job.
    PerJob,
}

/// What went wrong at the run's last point.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mishap {
    /// It failed.
    Failed,
    /// It failed, and a second attempt measured it.
    FailedThenRerun,
    /// It was measured with more failed requests than its gate allows.
    ManyErrors,
}

const DSR1: Model = Model { prefix: "dsr1", path: "deepseek-ai/DeepSeek-R1-0528" };
const GPTOSS: Model = Model { prefix: "gptoss", path: "openai/gpt-oss-120b" };
const DSV4: Model = Model { prefix: "dsv4", path: "deepseek-ai/DeepSeek-V4-Pro" };
const QWEN: Model = Model { prefix: "qwen3.5", path: "Qwen/Qwen3.5-397B-A17B" };
const KIMI: Model = Model { prefix: "kimik2.5", path: "moonshotai/Kimi-K2.5" };
const MINIMAX: Model = Model { prefix: "minimaxm2.5", path: "MiniMaxAI/MiniMax-M2.5" };

pub(super) const SHORT: Workload = Workload::Fixed { isl: 1024, osl: 1024 };
const LONG: Workload = Workload::Fixed { isl: 8192, osl: 1024 };
const BOTH: &[Workload] = &[LONG, SHORT];

const fn gsm8k(accuracy: f64) -> Task {
    Task { name: "gsm8k", questions: 1319, accuracy }
}

const fn gpqa(accuracy: f64) -> Task {
    Task { name: "gpqa_diamond_cot_n_shot", questions: 198, accuracy }
}

const fn role(tp: u32, ep: u32, dp_attention: bool, workers: u32) -> Role {
    Role { tp, ep, dp_attention, workers }
}

const fn tp(tp: u32, concs: &'static [u32]) -> Deployment {
    Deployment::Aggregated { role: role(tp, 1, false, 1), offload: None, concs }
}

const fn tp_ep(tp: u32, concs: &'static [u32]) -> Deployment {
    Deployment::Aggregated { role: role(tp, tp, false, 1), offload: None, concs }
}

const fn dep(tp: u32, concs: &'static [u32]) -> Deployment {
    Deployment::Aggregated { role: role(tp, tp, true, 1), offload: None, concs }
}

const fn offloaded(tp: u32, backend: &'static str, concs: &'static [u32]) -> Deployment {
    Deployment::Aggregated { role: role(tp, 1, false, 1), offload: Some(backend), concs }
}

const fn disaggregated(prefill: Role, decode: Role, concs: &'static [u32]) -> Deployment {
    Deployment::Disaggregated { prefill, decode, concs }
}

const RACK: &[Deployment] = &[
    disaggregated(role(4, 4, false, 1), role(8, 8, false, 1), &[4, 16, 64]),
    disaggregated(role(4, 4, true, 2), role(8, 8, true, 1), &[128, 256, 512]),
    disaggregated(role(4, 4, true, 4), role(16, 16, true, 1), &[768, 1536]),
];

static DSR1_B200: Lane = Lane {
    model: DSR1,
    hardware: "b200",
    framework: "sglang",
    precision: "fp4",
    specs: &["none", "mtp"],
    workloads: BOTH,
    deployments: &[tp(8, &[4, 8, 16, 32]), tp_ep(4, &[16, 32, 64, 128])],
    pace: 118.0,
    capacity: 2100.0,
    evals: &[gsm8k(0.953)],
};

static DSR1_H200: Lane = Lane {
    model: DSR1,
    hardware: "h200",
    framework: "sglang",
    precision: "fp8",
    specs: &["none"],
    workloads: BOTH,
    deployments: &[tp(8, &[4, 8, 16, 32, 64])],
    pace: 70.0,
    capacity: 900.0,
    evals: &[gsm8k(0.952)],
};

static DSR1_MI355X: Lane = Lane {
    model: DSR1,
    hardware: "mi355x",
    framework: "atom",
    precision: "fp4",
    specs: &["none"],
    workloads: &[LONG],
    deployments: &[tp(8, &[4, 8, 16, 32]), tp(4, &[16, 32, 64, 128])],
    pace: 92.0,
    capacity: 1500.0,
    evals: &[gsm8k(0.951)],
};

static DSR1_GB200_SGLANG: Lane = Lane {
    model: DSR1,
    hardware: "gb200",
    framework: "dynamo-sglang",
    precision: "fp4",
    specs: &["none"],
    workloads: &[LONG],
    deployments: RACK,
    pace: 112.0,
    capacity: 2600.0,
    evals: &[],
};

static DSR1_GB200_TRT: Lane = Lane {
    model: DSR1,
    hardware: "gb200",
    framework: "dynamo-trt",
    precision: "fp4",
    specs: &["mtp"],
    workloads: &[LONG],
    deployments: RACK,
    pace: 124.0,
    capacity: 2500.0,
    evals: &[gsm8k(0.952)],
};

static GPTOSS_H100: Lane = Lane {
    model: GPTOSS,
    hardware: "h100",
    framework: "vllm",
    precision: "fp4",
    specs: &["none"],
    workloads: BOTH,
    deployments: &[tp(8, &[4, 8, 16]), tp(4, &[8, 16, 32]), tp(2, &[16, 32, 64])],
    pace: 190.0,
    capacity: 3000.0,
    evals: &[gsm8k(0.945), gpqa(0.71)],
};

static GPTOSS_B200: Lane = Lane {
    model: GPTOSS,
    hardware: "b200",
    framework: "trt",
    precision: "fp4",
    specs: &["none"],
    workloads: BOTH,
    deployments: &[tp(8, &[4, 8]), tp(4, &[8, 16, 32]), tp(2, &[32, 64, 128]), tp(1, &[64, 128])],
    pace: 330.0,
    capacity: 9000.0,
    evals: &[gsm8k(0.946), gpqa(0.72)],
};

static QWEN_MI355X: Lane = Lane {
    model: QWEN,
    hardware: "mi355x",
    framework: "sglang",
    precision: "fp8",
    specs: &["none"],
    workloads: &[LONG],
    deployments: &[tp(8, &[4, 8, 16, 32, 64])],
    pace: 105.0,
    capacity: 1700.0,
    evals: &[gsm8k(0.962)],
};

static QWEN_B200: Lane = Lane {
    model: QWEN,
    hardware: "b200",
    framework: "sglang",
    precision: "fp4",
    specs: &["mtp"],
    workloads: &[LONG],
    deployments: &[tp(8, &[4, 8, 16]), tp_ep(4, &[16, 32, 64, 128])],
    pace: 128.0,
    capacity: 2700.0,
    evals: &[gsm8k(0.963)],
};

static MINIMAX_H200: Lane = Lane {
    model: MINIMAX,
    hardware: "h200",
    framework: "vllm",
    precision: "fp8",
    specs: &["none"],
    workloads: BOTH,
    deployments: &[tp(8, &[4, 8, 16]), tp(4, &[8, 16, 32, 64])],
    pace: 96.0,
    capacity: 1400.0,
    evals: &[gsm8k(0.941)],
};

static KIMI_B200: Lane = Lane {
    model: KIMI,
    hardware: "b200",
    framework: "vllm",
    precision: "fp4",
    specs: &["none"],
    workloads: &[Workload::Agentic],
    deployments: &[tp(8, &[1, 4, 8, 16]), tp(4, &[8, 16, 32]), offloaded(4, "lmcache", &[32, 64])],
    pace: 95.0,
    capacity: 330.0,
    evals: &[gsm8k(0.948)],
};

static DSV4_B300_VLLM: Lane = Lane {
    model: DSV4,
    hardware: "b300",
    framework: "vllm",
    precision: "fp4",
    specs: &["mtp"],
    workloads: &[Workload::Agentic],
    deployments: &[tp(8, &[1, 2, 4, 8]), tp_ep(4, &[8, 16, 32]), dep(4, &[64, 96, 128])],
    pace: 102.0,
    capacity: 480.0,
    evals: &[gsm8k(0.957)],
};

static DSV4_B300_SGLANG: Lane = Lane {
    model: DSV4,
    hardware: "b300",
    framework: "sglang",
    precision: "fp4",
    specs: &["mtp"],
    workloads: &[Workload::Agentic],
    deployments: &[tp(8, &[1, 4, 8]), tp_ep(4, &[8, 16, 32]), dep(4, &[64, 128, 160])],
    pace: 110.0,
    capacity: 460.0,
    evals: &[gsm8k(0.958)],
};

const fn release(
    created_at: &'static str,
    kind: &'static str,
    form: Form,
    (image, gain): (u32, f64),
    mishap: Option<Mishap>,
    lanes: &'static [&'static Lane],
) -> Release {
    Release { created_at, kind, form, image, gain, mishap, lanes }
}

use Form::{Collected, PerJob};
use Mishap::{Failed, FailedThenRerun, ManyErrors};

/// Every run, oldest first. Append only: a run's place gives its id and its random numbers.
#[rustfmt::skip]
pub(super) static RELEASES: &[Release] = &[
    release("2026-03-04T08:12:00Z", "official",   Collected, (1, 1.00), None,                  &[&DSR1_B200, &DSR1_H200]),
    release("2026-03-11T14:40:00Z", "official",   Collected, (1, 1.00), None,                  &[&GPTOSS_H100, &GPTOSS_B200]),
    release("2026-03-19T09:05:00Z", "official",   PerJob,    (1, 1.00), None,                  &[&DSR1_MI355X]),
    release("2026-03-27T19:31:00Z", "official",   Collected, (1, 1.00), None,                  &[&DSR1_GB200_SGLANG]),
    release("2026-04-08T07:54:00Z", "official",   Collected, (2, 1.05), None,                  &[&DSR1_B200]),
    release("2026-04-15T16:20:00Z", "official",   Collected, (2, 1.06), None,                  &[&GPTOSS_B200]),
    release("2026-04-22T11:47:00Z", "unofficial", PerJob,    (2, 1.04), Some(Failed),          &[&DSR1_MI355X]),
    release("2026-04-29T21:15:00Z", "official",   Collected, (1, 1.00), None,                  &[&DSR1_GB200_TRT]),
    release("2026-05-06T10:02:00Z", "official",   PerJob,    (1, 1.00), None,                  &[&MINIMAX_H200]),
    release("2026-05-13T08:38:00Z", "official",   Collected, (3, 1.11), None,                  &[&DSR1_B200, &DSR1_H200]),
    release("2026-05-20T13:26:00Z", "official",   PerJob,    (1, 1.00), Some(Failed),          &[&KIMI_B200]),
    release("2026-05-28T18:09:00Z", "official",   Collected, (2, 1.09), None,                  &[&DSR1_GB200_SGLANG]),
    release("2026-06-04T09:33:00Z", "official",   PerJob,    (3, 1.12), None,                  &[&DSR1_MI355X]),
    release("2026-06-11T15:58:00Z", "official",   Collected, (1, 1.00), None,                  &[&QWEN_MI355X, &QWEN_B200]),
    release("2026-06-18T12:14:00Z", "official",   Collected, (3, 1.13), None,                  &[&GPTOSS_H100, &GPTOSS_B200]),
    release("2026-06-26T20:45:00Z", "official",   PerJob,    (2, 1.10), None,                  &[&KIMI_B200]),
    release("2026-07-02T06:51:00Z", "unofficial", Collected, (4, 0.97), None,                  &[&DSR1_B200]),
    release("2026-07-09T08:27:00Z", "official",   Collected, (5, 1.17), None,                  &[&DSR1_B200]),
    release("2026-07-21T17:03:00Z", "official",   Collected, (2, 1.10), Some(Failed),          &[&DSR1_GB200_TRT]),
    release("2026-08-05T10:41:00Z", "official",   PerJob,    (1, 1.00), None,                  &[&DSV4_B300_VLLM]),
    release("2026-08-19T14:19:00Z", "official",   Collected, (2, 1.09), None,                  &[&QWEN_MI355X, &QWEN_B200]),
    release("2026-09-02T09:56:00Z", "official",   PerJob,    (2, 1.13), Some(FailedThenRerun), &[&DSV4_B300_VLLM]),
    release("2026-09-16T19:22:00Z", "official",   Collected, (3, 1.21), None,                  &[&DSR1_GB200_SGLANG]),
    release("2026-09-30T11:08:00Z", "official",   PerJob,    (1, 1.00), None,                  &[&DSV4_B300_SGLANG]),
    release("2026-10-07T08:44:00Z", "official",   Collected, (6, 1.24), None,                  &[&DSR1_B200]),
    release("2026-10-14T16:37:00Z", "unofficial", PerJob,    (3, 1.19), Some(ManyErrors),      &[&DSV4_B300_VLLM]),
];

/// The day from which 1k1k is measured no more, as in the real benchmark.
pub(super) const SHORT_ENDS: &str = "2026-07-17";
