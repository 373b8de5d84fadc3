//! The synthetic history: invented runs from a fixed seed. Not one figure here was measured.
//!
//! It can't be taken for a real run: `run.json` says `"paretoscope_synthetic": true`, run ids stand in a range that
//! GitHub is far from, images are `example/…:synthetic-N`, the actor is `synthetic`, and there is no commit and no page
//! on GitHub to link to.

mod curve;
mod plan;

use oorandom::Rand64;

use self::curve::{Speed, round};
use self::plan::{Deployment, Form, Lane, Mishap, RELEASES, Release, Role, SHORT, SHORT_ENDS, Task, Workload};
use crate::artifacts::{EvalScore, Layout, as_text};
use crate::json::{Json, Object};
use crate::{SampleFile, SampleRun};

/// Change it, and every synthetic figure changes.
const SEED: u128 = 20_261_101;
const FIRST_RUN: i64 = 9_000_000_000_001;
const LAYOUT: Layout = Layout::Compact;

/// Every run, oldest first.
pub(crate) fn runs() -> Vec<SampleRun> {
    (FIRST_RUN..).zip(RELEASES).map(|(id, release)| run(id, release)).collect()
}

fn run(id: i64, release: &Release) -> SampleRun {
    // Each run its own sequence, so that one more release changes none of those before it.
    let mut random = Rand64::new(SEED + u128::from(id.unsigned_abs()));
    let jobs = jobs(release);
    let evals = evals(&jobs, &mut random);
    let last = jobs.len().saturating_sub(1);

    let mut results: Vec<(&Job, Object)> = Vec::with_capacity(jobs.len());
    let mut lost: Option<(&Job, Object)> = None;
    for (place, job) in jobs.iter().enumerate() {
        let speed = job.speed(release.gain, &mut random);
        let mishap = release.mishap.filter(|_| place == last);
        let row = match mishap {
            None => job.row(&speed, random.rand_range(0..4)),
            Some(Mishap::ManyErrors) => job.row(&speed, speed.agentic_requests().unsigned_abs() / 8),
            Some(Mishap::Failed) => job.failed_row(),
            Some(Mishap::FailedThenRerun) => {
                lost = Some((job, job.failed_row()));
                job.row(&speed, 0)
            }
        };
        results.push((job, row));
    }

    let mut files = vec![LAYOUT.run_payload(payload(id, release))];
    match release.form {
        Form::Collected => {
            files.push(LAYOUT.collected_rows(results.into_iter().map(|(_, row)| row).collect()));
            if !evals.is_empty() {
                files.push(LAYOUT.collected_evals("", evals.iter().map(Eval::collected_row).collect()));
            }
        }
        Form::PerJob => {
            // Where one job ran again, the two attempts are told apart.
            let (first, rerun) = if lost.is_some() { ("attempt-1/", "attempt-2/") } else { ("", "") };
            for (place, (job, row)) in results.into_iter().enumerate() {
                files.push(job.file(if place == last { rerun } else { first }, row));
            }
            if let Some((job, row)) = lost {
                files.push(job.file(first, row));
            }
            for eval in &evals {
                files.extend(eval.files(first));
            }
        }
    }
    SampleRun { dir: id.to_string(), files }
}

fn payload(id: i64, release: &Release) -> Object {
    let conclusion = if release.mishap == Some(Mishap::Failed) { "failure" } else { "success" };
    let attempts = if release.mishap == Some(Mishap::FailedThenRerun) { 2_u32 } else { 1 };
    Object::new()
        .with("id", id)
        .with("name", "Synthetic sample run")
        .with("run_attempt", attempts)
        .with("status", "completed")
        .with("conclusion", conclusion)
        .with("created_at", release.created_at)
        .with("actor", Object::new().with("login", "synthetic"))
        .with("repository", Object::new().with("full_name", "example/synthetic"))
        .with("paretoscope_synthetic", true)
        .with("paretoscope_kind", release.kind)
}

/// One point to measure.
struct Job {
    lane: &'static Lane,
    workload: Workload,
    spec: &'static str,
    deployment: Deployment,
    conc: u32,
    /// The highest concurrency of its deployment, where evals run.
    highest: bool,
    image: String,
}

/// Every point of a run, in the order of its lanes.
fn jobs(release: &Release) -> Vec<Job> {
    let mut jobs = Vec::new();
    for &lane in release.lanes {
        let image = format!("example/{}:synthetic-{}", lane.framework, release.image);
        let workloads = lane.workloads.iter().filter(|&&workload| workload != SHORT || release.created_at < SHORT_ENDS);
        for &workload in workloads {
            for &spec in lane.specs {
                for &deployment in lane.deployments {
                    let (Deployment::Aggregated { concs, .. } | Deployment::Disaggregated { concs, .. }) = deployment;
                    jobs.extend(concs.iter().map(|&conc| Job {
                        lane,
                        workload,
                        spec,
                        deployment,
                        conc,
                        highest: concs.last() == Some(&conc),
                        image: image.clone(),
                    }));
                }
            }
        }
    }
    jobs
}

impl Job {
    fn speed(&self, gain: f64, random: &mut Rand64) -> Speed {
        Speed::of(self.lane, self.workload, self.spec, &self.deployment, self.conc, gain, random)
    }

    fn file(&self, folder: &str, row: Object) -> SampleFile {
        match self.workload {
            Workload::Agentic => LAYOUT.agentic_row(folder, &self.result_name(), row),
            Workload::Fixed { .. } => LAYOUT.fixed_row(folder, &self.result_name(), row),
        }
    }

    fn result_name(&self) -> String {
        let Self { lane, workload, spec, deployment, conc, .. } = self;
        let Lane { model, hardware, framework, precision, .. } = lane;
        let scenario = match workload {
            Workload::Fixed { isl, osl } => format!("{}k{}k", isl / 1024, osl / 1024),
            Workload::Agentic => "agentic".to_owned(),
        };
        let layout = match deployment {
            Deployment::Aggregated { role, offload, .. } => {
                format!("{}_kv{}", role.name(), offload.unwrap_or("none"))
            }
            Deployment::Disaggregated { prefill, decode, .. } => {
                format!("p{}x{}_d{}x{}", prefill.workers, prefill.name(), decode.workers, decode.name())
            }
        };
        format!("synthetic_{}_{scenario}_{precision}_{framework}_{layout}_spec-{spec}_conc{conc}_{hardware}", model.prefix)
    }

    /// A measured row with so many failed requests (agentic rows only).
    fn row(&self, speed: &Speed, errors: u64) -> Object {
        match self.workload {
            Workload::Fixed { .. } => {
                let requested = 10 * self.conc;
                self.identity().with("benchmark_outcome", outcome("passed", requested, requested)).and(speed.fixed_metrics())
            }
            Workload::Agentic => {
                let errors = i64::try_from(errors).unwrap_or_default();
                let hit_rate = speed.cache_hit_rate();
                let cache = Object::new().with("gpu_cache_hit_rate", hit_rate).with("overall_cache_hit_rate", hit_rate);
                self.identity()
                    .and(self.requests(speed.agentic_requests(), errors))
                    .with("request_metrics", speed.agentic_metrics())
                    .with("server_metrics", Object::new().with("present", true).with("cache", cache))
            }
        }
    }

    /// A row whose job failed: nothing was measured.
    fn failed_row(&self) -> Object {
        match self.workload {
            Workload::Fixed { .. } => {
                let requested = 10 * self.conc;
                self.identity().with("benchmark_outcome", outcome("failed", requested, requested / 5))
            }
            Workload::Agentic => self.identity().and(self.requests(0, self.conc.into())),
        }
    }

    fn requests(&self, successful: i64, errors: i64) -> Object {
        let warmup = i64::from(4 * self.conc);
        let total = warmup + successful + errors;
        let categories = if errors > 0 { Object::new().with("ClientPayloadError", errors) } else { Object::new() };
        let accounting = Object::new()
            .with("records_total", total)
            .with("records_profiled", successful)
            .with("records_dropped_total", warmup + errors)
            .with("records_warmup_dropped", warmup)
            .with("records_error_dropped", errors)
            .with("error_categories", categories);
        Object::new().with("num_requests_total", total).with("num_requests_successful", successful).with("request_accounting", accounting)
    }

    /// What a row says of its point, without its measurements.
    fn identity(&self) -> Object {
        let Self { lane, workload, spec, deployment, conc, image, .. } = self;
        let Lane { model, hardware, framework, precision, .. } = lane;
        let disaggregated = matches!(deployment, Deployment::Disaggregated { .. });
        let row = Object::new()
            .with("result_schema_version", 1_u32)
            .with("hw", *hardware)
            .with("conc", *conc)
            .with("image", image.as_str())
            .with("model", model.path)
            .with("infmax_model_prefix", model.prefix)
            .with("framework", *framework)
            .with("precision", *precision)
            .with("spec_decoding", *spec)
            .with("disagg", disaggregated)
            .with("is_multinode", disaggregated);
        let row = match workload {
            Workload::Fixed { isl, osl } => row.with("isl", *isl).with("osl", *osl),
            Workload::Agentic => row.with("scenario_type", "agentic-coding"),
        };
        match deployment {
            Deployment::Aggregated { role, offload, .. } => {
                let row = row.and(role.fields("", Json::from(as_text(role.dp_attention))));
                if *workload != Workload::Agentic {
                    return row;
                }
                row.with("num_gpus", role.gpus())
                    .with("kv_offloading", if offload.is_some() { "dram" } else { "none" })
                    .with("kv_offload_backend", offload.map_or(Json::Null, |name| Object::new().with("name", name).into()))
            }
            Deployment::Disaggregated { prefill, decode, .. } => row
                .and(prefill.worker_fields("prefill_", Json::from(as_text(prefill.dp_attention))))
                .and(decode.worker_fields("decode_", Json::from(as_text(decode.dp_attention))))
                .with("num_prefill_gpu", prefill.gpus())
                .with("num_decode_gpu", decode.gpus()),
        }
    }
}

fn outcome(status: &str, requested: u32, completed: u32) -> Object {
    Object::new()
        .with("status", status)
        .with("requested", requested)
        .with("completed", completed)
        .with("failed", requested - completed)
        .with("max_failure_rate", 0.05)
}

impl Role {
    fn name(self) -> String {
        let Self { tp, ep, dp_attention, workers: _ } = self;
        format!("tp{tp}-ep{ep}-dpa{dp_attention}")
    }

    fn fields(self, prefix: &str, dp_attention: Json) -> Object {
        Object::new()
            .with(format!("{prefix}tp"), self.tp)
            .with(format!("{prefix}pp"), 1_u32)
            .with(format!("{prefix}dcp_size"), 1_u32)
            .with(format!("{prefix}pcp_size"), 1_u32)
            .with(format!("{prefix}ep"), self.ep)
            .with(format!("{prefix}dp_attention"), dp_attention)
    }

    fn worker_fields(self, prefix: &str, dp_attention: Json) -> Object {
        self.fields(prefix, dp_attention).with(format!("{prefix}num_workers"), self.workers)
    }
}

/// One accuracy test at one point.
struct Eval<'jobs> {
    job: &'jobs Job,
    task: Task,
    score: EvalScore,
}

/// Evals run at the highest concurrency of each deployment, as in the real benchmark not on 1k1k.
fn evals<'jobs>(jobs: &'jobs [Job], random: &mut Rand64) -> Vec<Eval<'jobs>> {
    let mut evals = Vec::new();
    for job in jobs.iter().filter(|job| job.highest && job.workload != SHORT) {
        for &task in job.lane.evals {
            let questions = f64::from(task.questions);
            let wanted = task.accuracy + 0.008 * (random.rand_float() - 0.5);
            let strict = (wanted * questions).round() / questions;
            let stderr = (strict * (1.0 - strict) / (questions - 1.0)).sqrt();
            let score = EvalScore { strict: round(6, strict), stderr: Some(round(6, stderr)), n: task.questions };
            evals.push(Eval { job, task, score });
        }
    }
    evals
}

impl Eval<'_> {
    fn name(&self) -> String {
        format!("{}_{}", self.job.result_name(), self.task.name)
    }

    fn files(&self, folder: &str) -> [SampleFile; 2] {
        let Job { lane, workload, spec, deployment, conc, .. } = self.job;
        let Lane { model, hardware, framework, precision, .. } = lane;
        let meta = Object::new()
            .with("is_multinode", matches!(deployment, Deployment::Disaggregated { .. }))
            .with("disagg", matches!(deployment, Deployment::Disaggregated { .. }))
            .with("framework", *framework)
            .with("precision", *precision)
            .with("spec_decoding", *spec)
            .with("eval_suite", self.task.name)
            .with("conc", *conc)
            .with("model", model.path)
            .with("infmax_model_prefix", model.prefix)
            .with("hw", *hardware);
        let meta = match workload {
            Workload::Fixed { isl, osl } => meta.with("isl", isl.to_string()).with("osl", osl.to_string()),
            Workload::Agentic => meta,
        };
        let meta = match deployment {
            Deployment::Aggregated { role, .. } => meta.and(role.fields("", role.dp_attention.into())),
            Deployment::Disaggregated { prefill, decode, .. } => meta
                .and(prefill.worker_fields("prefill_", prefill.dp_attention.into()))
                .and(decode.worker_fields("decode_", decode.dp_attention.into())),
        };
        LAYOUT.eval_job(folder, &self.name(), meta, self.score.results(self.task.name))
    }

    fn collected_row(&self) -> Object {
        let Job { lane, workload, spec, deployment, conc, .. } = self.job;
        let Lane { model, hardware, framework, precision, .. } = lane;
        let (isl, osl) = match *workload {
            Workload::Fixed { isl, osl } => (isl, osl),
            Workload::Agentic => (0, 0),
        };
        let row = Object::new()
            .with("result_schema_version", 1_u32)
            .with("is_multinode", matches!(deployment, Deployment::Disaggregated { .. }))
            .with("disagg", matches!(deployment, Deployment::Disaggregated { .. }))
            .with("model_prefix", model.prefix)
            .with("model", model.path)
            .with("hw", hardware.to_uppercase())
            .with("framework", *framework)
            .with("precision", *precision)
            .with("spec_decoding", *spec)
            .with("isl", isl)
            .with("osl", osl)
            .with("conc", *conc)
            .with("eval_suite", self.task.name);
        let row = match deployment {
            Deployment::Aggregated { role, .. } => row.and(role.fields("", as_text(role.dp_attention).into())),
            Deployment::Disaggregated { prefill, decode, .. } => {
                let (p, d) = (as_text(prefill.dp_attention), as_text(decode.dp_attention));
                row.and(prefill.worker_fields("prefill_", p.into()))
                    .and(decode.worker_fields("decode_", d.into()))
                    .with("dp_attention", format!("prefill={p},decode={d}"))
            }
        };
        row.and(self.score.row_fields(self.task.name, &format!("eval_{}/results.json", self.name())))
    }
}
