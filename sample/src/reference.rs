//! The two reference runs, from the public discussion of pull request SemiAnalysisAI/InferenceX#4603: the description,
//! the sign-off and the bots' comments. Each group of facts names its place there. What the discussion does not state
//! is not here: no request counts, topology beyond TP, EP and DP attention, offload setting, runner, job time, upload
//! id or other metric than those below.

use crate::artifacts::{EvalScore, Layout, as_text};
use crate::json::{Json, Object};
use crate::{SampleFile, SampleRun};

const LAYOUT: Layout = Layout::Indented;

/// The pull request and its repository: the address of this discussion.
const REPO: &str = "SemiAnalysisAI/InferenceX";
const PR: u32 = 4603;

/// Description: "single-node SGLang AgentX on GB300". Sign-off, Draft precision: the served checkpoint. Sign-off, Pareto
/// coverage: "dsv41flash / agentic-coding / GB300 sglang / fp4". Sign-off, Code quality: the recipe folder
/// `dsv41flash/sglang/gb300-fp4-mtp`, hence `mtp`, which is also how the data calls a DSpark draft.
const CONFIG_KEY: &str = "dsv41flash-fp4-gb300-sglang-agentic-dspark";
const MODEL: &str = "deepseek-ai/DeepSeek-V4.1-Flash";
const MODEL_PREFIX: &str = "dsv41flash";
const HARDWARE: &str = "gb300";
const FRAMEWORK: &str = "sglang";
const PRECISION: &str = "fp4";
const SPEC_DECODING: &str = "mtp";
const SCENARIO: &str = "agentic-coding";

/// Sign-off, Additional detail: "Run Sweep 41261902147 (pull_request, head 41d29b28, conclusion success after attempt 2)",
/// and the assessed head in full. Staging comment on it: "gb300_sglang · 2026-11-01", a date without a time.
const RUN: i64 = 41_261_902_147;
const RUN_NAME: &str = "Run Sweep";
const RUN_HEAD: &str = "41d29b2834a85fcee09db6f9f52653b7c2f30ef3";
const RUN_DATE: &str = "2026-11-01";
/// Sign-off, Upstream image.
const RUN_IMAGE: &str =
    "lmsysorg/sglang:nightly-dev-cu13-20261030-302b78cc@sha256:d4b7701dc94d287e4fc135dfb4c1a88df0778a936255021aeb26eb54d396e579";
/// Sign-off, PR validation: "Every bmk_agentic_* and eval_* artifact is unexpired until 2027-01-30".
const RUN_EXPIRES: &str = "2027-01-30";

/// Cookbook comment on #47464: 9bd047ac7 "is the commit run 40809149952 measured". Staging comment on it: "2026-10-29".
const OLDER_RUN: i64 = 40_809_149_952;
const OLDER_HEAD: &str = "9bd047ac7";
const OLDER_DATE: &str = "2026-10-29";
/// Sign-off, Changes since the previous sign-off (9bd047ac): "moves the image from nightly-dev-cu13-20261029-c10e0e17",
/// told without a digest.
const OLDER_IMAGE: &str = "lmsysorg/sglang:nightly-dev-cu13-20261029-c10e0e17";

/// Sign-off, PR validation: what cost attempt 1 five jobs.
const ERROR_TYPE: &str = "DatasetLoaderError";
const ERROR_MESSAGE: &str = "Network or API error communicating with HuggingFace Hub";

/// Sign-off, Golden AL: `SGLANG_SIMULATE_ACC_LEN=3.51`, the committed value for five draft tokens with thinking on.
const GOLDEN_ACCEPTANCE_LENGTH: f64 = 3.51;

/// Sign-off, Evals: "gsm8k em_strict, n=1319".
const EVAL_TASK: &str = "gsm8k";
const EVAL_N: u32 = 1319;

/// One measured point as the job titles name it.
struct Point {
    tp: u32,
    ep: u32,
    dp_attention: bool,
    conc: u32,
}

/// Sign-off, Pareto coverage: a row of its table, and the attempt its artifact comes from ("attempt 1 for TP4 c1/c4,
/// TP2/EP2 c16/c32 and DPA c160; attempt 2 for TP4 c16 and DPA c64/c128").
struct Measured {
    point: Point,
    attempt: u32,
    p90_e2el: f64,
    p75_e2el: f64,
    tput_per_gpu: u32,
    /// Change against run 40809149952, in tenths of a percent.
    change: i32,
}

/// Sign-off, Evals: the scores. PR validation: "Attempt 2 reran only those jobs", that is TP4 c16 and TP2/EP2 c16.
struct Scored {
    point: Point,
    attempt: u32,
    em_strict: f64,
}

const fn tp4(conc: u32) -> Point {
    Point { tp: 4, ep: 1, dp_attention: false, conc }
}

const fn tp2_ep2(conc: u32) -> Point {
    Point { tp: 2, ep: 2, dp_attention: false, conc }
}

const fn tp2_ep2_dpa(conc: u32) -> Point {
    Point { tp: 2, ep: 2, dp_attention: true, conc }
}

#[rustfmt::skip]
const MEASURED: [Measured; 8] = [
    Measured { point: tp4(1),           attempt: 1, p90_e2el: 5.67,  p75_e2el: 3.17,  tput_per_gpu: 8_105,   change: 1 },
    Measured { point: tp4(4),           attempt: 1, p90_e2el: 6.29,  p75_e2el: 2.79,  tput_per_gpu: 9_425,   change: -78 },
    Measured { point: tp4(16),          attempt: 2, p90_e2el: 6.25,  p75_e2el: 3.01,  tput_per_gpu: 29_242,  change: 0 },
    Measured { point: tp2_ep2(16),      attempt: 1, p90_e2el: 7.64,  p75_e2el: 3.55,  tput_per_gpu: 57_957,  change: 2 },
    Measured { point: tp2_ep2(32),      attempt: 1, p90_e2el: 12.07, p75_e2el: 5.79,  tput_per_gpu: 118_105, change: -6 },
    Measured { point: tp2_ep2_dpa(64),  attempt: 2, p90_e2el: 15.40, p75_e2el: 7.61,  tput_per_gpu: 224_816, change: 3 },
    Measured { point: tp2_ep2_dpa(128), attempt: 2, p90_e2el: 23.44, p75_e2el: 10.72, tput_per_gpu: 321_183, change: 3 },
    Measured { point: tp2_ep2_dpa(160), attempt: 1, p90_e2el: 33.68, p75_e2el: 14.56, tput_per_gpu: 340_890, change: -35 },
];

#[rustfmt::skip]
const SCORED: [Scored; 6] = [
    Scored { point: tp4(1),           attempt: 1, em_strict: 0.9735 },
    Scored { point: tp4(4),           attempt: 1, em_strict: 0.9757 },
    Scored { point: tp4(16),          attempt: 2, em_strict: 0.9757 },
    Scored { point: tp2_ep2(16),      attempt: 2, em_strict: 0.9735 },
    Scored { point: tp2_ep2(32),      attempt: 1, em_strict: 0.9757 },
    Scored { point: tp2_ep2_dpa(160), attempt: 1, em_strict: 0.9689 },
];

/// Both runs, newest first.
pub(crate) fn runs() -> Vec<SampleRun> {
    vec![pinned_run(), older_run()]
}

/// Run 41261902147: eight points, six evals, two attempts.
fn pinned_run() -> SampleRun {
    let mut files = vec![
        LAYOUT.run_payload(
            payload(RUN)
                .with("name", RUN_NAME)
                .with("event", "pull_request")
                .with("status", "completed")
                .with("conclusion", "success")
                .with("run_attempt", 2_u32)
                .with("head_sha", RUN_HEAD)
                .with("created_at", RUN_DATE),
        ),
        LAYOUT.file("artifacts.json".to_owned(), artifact_listing()),
        LAYOUT.file(format!("{}changelog-metadata/changelog_metadata.json", attempt_folder(1)), changelog_metadata()),
    ];
    for measured in &MEASURED {
        let Measured { point, attempt, p90_e2el, p75_e2el, tput_per_gpu, change: _ } = measured;
        let latency = Object::new().with("e2el", Object::new().with("p75", *p75_e2el).with("p90", *p90_e2el));
        let row = point
            .row(RUN_IMAGE)
            .with("request_metrics", Object::new().with("latency", latency).with("throughput", total_tput_per_gpu(*tput_per_gpu)));
        files.extend(point.job_events(Job::Benchmark, *attempt));
        files.push(LAYOUT.agentic_row(&attempt_folder(*attempt), &point.result_name(), row));
    }
    for scored in &SCORED {
        files.extend(scored.point.job_events(Job::Eval, scored.attempt));
        files.extend(scored.files());
    }
    // Verifier, check 2: "eval_results_all from run 41261902147 has 6 gsm8k rows". It was collected after attempt 2.
    files.push(LAYOUT.collected_evals(&attempt_folder(2), SCORED.iter().map(Scored::collected_row).collect()));
    SampleRun { dir: RUN.to_string(), files }
}

/// Run 40809149952: only a throughput for each point, and that derived. Its attempt, event, state and latencies are not
/// stated, and of its evals only their range.
fn older_run() -> SampleRun {
    let mut files = vec![LAYOUT.run_payload(payload(OLDER_RUN).with("head_sha", OLDER_HEAD).with("created_at", OLDER_DATE))];
    for measured in &MEASURED {
        let point = &measured.point;
        let throughput = total_tput_per_gpu(measured.tput_per_gpu_before());
        let warning = format!("tput_per_gpu derived from the change against run {RUN} stated to 0.1 %");
        let row =
            point.row(OLDER_IMAGE).with("request_metrics", Object::new().with("throughput", throughput)).with("warnings", vec![warning]);
        files.push(LAYOUT.agentic_row("", &point.result_name(), row));
    }
    SampleRun { dir: OLDER_RUN.to_string(), files }
}

/// What a workflow-run payload says of either run. People are named by their role.
fn payload(run: i64) -> Object {
    let pull_request = Object::new().with("number", PR).with("user", Object::new().with("login", "PR author"));
    Object::new()
        .with("id", run)
        .with("html_url", format!("https://github.com/{REPO}/actions/runs/{run}"))
        .with("repository", Object::new().with("full_name", REPO))
        .with("pull_requests", vec![pull_request])
}

/// GitHub's listing, for the artifacts whose expiry is told. Ids, sizes, times and digests are not.
fn artifact_listing() -> Object {
    let names = MEASURED
        .iter()
        .map(|measured| format!("bmk_agentic_{}", measured.point.result_name()))
        .chain(SCORED.iter().map(|scored| format!("eval_{}", scored.point.result_name())))
        .chain(["eval_results_all".to_owned()]);
    let artifacts: Vec<Object> = names.map(|name| Object::new().with("name", name).with("expires_at", RUN_EXPIRES)).collect();
    let total = Json::Int(artifacts.len().try_into().unwrap_or_default());
    Object::new().with("total_count", total).with("artifacts", artifacts)
}

/// The pull request's one changelog entry, in our own words from the description.
fn changelog_metadata() -> Object {
    let description = [
        "Image pinned by digest to lmsysorg/sglang:nightly-dev-cu13-20261030-302b78cc (before: nightly-dev-cu13-20261021-c1c287a4)",
        "TP4 c1 runs the batch-1 NVIDIA megakernel with an fp8_e4m3 KV cache and the Engram table in host memory",
        "TP4 c1/c4/c16 and TP2/EP2 c16/c32 use the FlashMLA attention backend; the DP-attention points are unchanged",
        "The search space is unchanged",
    ];
    let entry = Object::new()
        .with("config-keys", vec![CONFIG_KEY])
        .with("scenario-type", vec![SCENARIO])
        .with("description", description.to_vec())
        .with("pr-link", format!("https://github.com/{REPO}/pull/{PR}"));
    Object::new().with("head_ref", RUN_HEAD).with("entries", vec![entry])
}

fn attempt_folder(attempt: u32) -> String {
    format!("attempt-{attempt}/")
}

fn total_tput_per_gpu(tput: u32) -> Object {
    Object::new().with("per_gpu", Object::new().with("total_tput_tps", tput))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Job {
    Benchmark,
    Eval,
}

impl Point {
    /// The name that joins a point's artifacts. Ours: the discussion does not give the real ones.
    fn result_name(&self) -> String {
        format!("{}_{PRECISION}_{FRAMEWORK}_{HARDWARE}", self.experiment())
    }

    fn experiment(&self) -> String {
        let Self { tp, ep, dp_attention, conc } = self;
        let ep = if *ep > 1 { format!("_ep{ep}") } else { String::new() };
        let dpa = if *dp_attention { "_dpa" } else { "" };
        format!("{MODEL_PREFIX}_tp{tp}{ep}{dpa}_conc{conc}_spec-{SPEC_DECODING}")
    }

    /// What an agentic row says of the point, without its measurements.
    fn row(&self, image: &str) -> Object {
        let Self { tp, ep, dp_attention, conc } = *self;
        Object::new()
            .with("result_schema_version", 1_u32)
            .with("hw", HARDWARE)
            .with("conc", conc)
            .with("image", image)
            .with("model", MODEL)
            .with("infmax_model_prefix", MODEL_PREFIX)
            .with("framework", FRAMEWORK)
            .with("precision", PRECISION)
            .with("spec_decoding", SPEC_DECODING)
            .with("disagg", false)
            .with("scenario_type", SCENARIO)
            .with("is_multinode", false)
            .with("tp", tp)
            .with("ep", ep)
            .with("dp_attention", as_text(dp_attention))
    }

    /// The job's own records: a job that succeeded in attempt 2 is one that attempt 1 lost.
    fn job_events(&self, job: Job, succeeded_in: u32) -> Vec<SampleFile> {
        (1..=succeeded_in)
            .map(|attempt| {
                let kind = if job == Job::Eval { "eval_" } else { "" };
                let path = format!("{}job_event_{kind}{}/job_event.json", attempt_folder(attempt), self.result_name());
                LAYOUT.file(path, self.job_event(job, attempt, attempt == succeeded_in))
            })
            .collect()
    }

    fn job_event(&self, job: Job, attempt: u32, succeeded: bool) -> Object {
        let error = Object::new().with("type", ERROR_TYPE).with("message", ERROR_MESSAGE);
        Object::new()
            .with("schema_version", 1_u32)
            .with("run_id", RUN.to_string())
            .with("run_attempt", attempt)
            .with("result_filename", self.result_name())
            .with("exp_name", self.experiment())
            .with("model", MODEL)
            .with("model_prefix", MODEL_PREFIX)
            .with("framework", FRAMEWORK)
            .with("precision", PRECISION)
            .with("spec_decoding", SPEC_DECODING)
            .with("scenario", SCENARIO)
            .with("multinode", false)
            .with("conc", self.conc)
            .with("image", RUN_IMAGE)
            .with_known("golden_acceptance_length", (job == Job::Benchmark).then_some(GOLDEN_ACCEPTANCE_LENGTH))
            .with("eval_only", job == Job::Eval)
            .with("outcome", if succeeded { "success" } else { "failure" })
            .with("error", if succeeded { Json::Null } else { error.into() })
    }
}

impl Measured {
    /// Tokens per second and GPU of the older run: new ÷ (1 + change), to the unit like the table it comes from.
    fn tput_per_gpu_before(&self) -> u32 {
        let per_mille = i64::from(1000 + self.change);
        // Rounded to nearest: both are positive.
        let before = (2000 * i64::from(self.tput_per_gpu) + per_mille) / (2 * per_mille);
        u32::try_from(before).unwrap_or_default()
    }
}

impl Scored {
    const fn score(&self) -> EvalScore {
        EvalScore { strict: self.em_strict, stderr: None, n: EVAL_N }
    }

    fn files(&self) -> [SampleFile; 2] {
        let Point { tp, ep, dp_attention, conc } = self.point;
        let meta = Object::new()
            .with("is_multinode", false)
            .with("disagg", false)
            .with("framework", FRAMEWORK)
            .with("precision", PRECISION)
            .with("spec_decoding", SPEC_DECODING)
            .with("tp", tp)
            .with("ep", ep)
            .with("dp_attention", dp_attention)
            .with("conc", conc)
            .with("model", MODEL)
            .with("infmax_model_prefix", MODEL_PREFIX)
            .with("hw", HARDWARE);
        LAYOUT.eval_job(&attempt_folder(self.attempt), &self.point.result_name(), meta, self.score().results(EVAL_TASK))
    }

    fn collected_row(&self) -> Object {
        let Point { tp, ep, dp_attention, conc } = self.point;
        Object::new()
            .with("result_schema_version", 1_u32)
            .with("is_multinode", false)
            .with("disagg", false)
            .with("model_prefix", MODEL_PREFIX)
            .with("model", MODEL)
            .with("hw", HARDWARE.to_uppercase())
            .with("framework", FRAMEWORK)
            .with("precision", PRECISION)
            .with("spec_decoding", SPEC_DECODING)
            .with("isl", 0_u32)
            .with("osl", 0_u32)
            .with("tp", tp)
            .with("ep", ep)
            .with("dp_attention", as_text(dp_attention))
            .with("conc", conc)
            .and(self.score().row_fields(EVAL_TASK, &format!("eval_{}/results.json", self.point.result_name())))
    }
}
