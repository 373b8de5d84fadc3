//! Small batches to store.

use jiff::Timestamp;
use paretoscope_domain::batch::{EvalRow, Origin, PointRow, RunBatch, Upload};
use paretoscope_domain::eval::EvalRecord;
use paretoscope_domain::natural_key;
use paretoscope_domain::point::{Offload, Parallel, Point, Requests, Status};
use paretoscope_domain::run::{Artifact, ChangelogEntry, Family, JobEvent, Reading, RunFacts, RunStat};
use paretoscope_domain::{Attempt, PointId, RunId, Scenario};

pub(crate) fn id(n: i64) -> RunId {
    RunId::new(n).unwrap()
}

pub(crate) fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_790_000_000 + second).unwrap()
}

pub(crate) fn point(run: i64, tp: u32, conc: u32, tput: f64) -> Point {
    let mut p = Point {
        id: PointId::from_text(""),
        run_id: id(run),
        attempt: Attempt::new(1),
        label: String::new(),
        model: "dsv41flash".into(),
        model_path: Some("sgl-project/DSV4.1".into()),
        hardware: "gb300".into(),
        hardware_label: "gb300-nv".into(),
        framework: "sglang".into(),
        precision: "fp4".into(),
        spec_method: "mtp".into(),
        scenario: Scenario::AgenticTraces,
        isl: None,
        osl: None,
        conc,
        disagg: false,
        multinode: false,
        gpus: Some(tp),
        tp: Some(tp),
        pp: None,
        ep: None,
        dcp: None,
        pcp: None,
        dp_attention: None,
        prefill: None,
        decode: None,
        image: Some("lmsysorg/sglang:v1".into()),
        image_digest: Some("sha256:ab".into()),
        offload: Offload::None,
        offload_backend: None,
        router: None,
        kv_transfer: None,
        requests: Requests { total: Some(10), successful: Some(10), error_dropped: None },
        recipe_fingerprint: None,
        config_key: None,
        artifact: format!("bmk_tp{tp}_c{conc}"),
        file: "result.json".into(),
        row: None,
        status: Status::Ok,
        reasons: vec![],
        notes: vec![],
        superseded: false,
        metrics: [("tput_per_gpu".to_owned(), tput), ("p90_e2el".to_owned(), 10.0 + f64::from(conc))].into(),
    };
    p.id = natural_key::point_id(&p);
    p
}

pub(crate) fn row(point: Point) -> PointRow {
    let raw = format!("{{\"tput\": {:?}}}", point.metrics.get("tput_per_gpu"));
    PointRow { point, upload: Upload { origin: Origin::PerJob, uploaded_at: None, artifact_id: None }, raw }
}

/// The same row as it stands in the collected file.
pub(crate) fn collected(row: &PointRow, index: u32) -> PointRow {
    let mut row = row.clone();
    row.point.artifact = "results_bmk".into();
    row.point.file = "agg.json".into();
    row.point.row = Some(index);
    row.upload.origin = Origin::Collected;
    row
}

pub(crate) fn failed(mut row: PointRow) -> PointRow {
    row.point.status = Status::Failed;
    row.point.reasons = vec!["no_successful_requests".into()];
    row.point.metrics.clear();
    row
}

pub(crate) fn eval(run: i64, tp: u32, conc: u32, score: Option<f64>) -> EvalRow {
    let record = EvalRecord {
        run_id: id(run),
        attempt: Attempt::new(1),
        task: "gsm8k".into(),
        suite: None,
        model: "dsv41flash".into(),
        model_prefix: Some("dsv41flash".into()),
        model_path: None,
        hardware: "gb300".into(),
        hardware_label: "gb300".into(),
        framework: "sglang".into(),
        precision: "fp4".into(),
        spec_method: "mtp".into(),
        isl: None,
        osl: None,
        conc: Some(conc),
        disagg: false,
        multinode: false,
        parallel: Parallel { tp: Some(tp), ..Parallel::default() },
        prefill: None,
        decode: None,
        recipe_fingerprint: None,
        score,
        score_name: score.map(|_| "em_strict".into()),
        stderr: None,
        n: score.map(|_| 1319.0),
        metrics: [("em_flexible".to_owned(), 0.1 + 0.2)].into(),
        integration_error: None,
        artifact: format!("eval_tp{tp}_c{conc}"),
        file: "results.json".into(),
        row: None,
    };
    EvalRow { record, upload: Upload { origin: Origin::PerJob, uploaded_at: None, artifact_id: None }, raw: "{\"é\":1}".into() }
}

pub(crate) fn facts() -> RunFacts {
    RunFacts {
        actor: Some("ann".into()),
        name: Some("Run sweep".into()),
        event: Some("pull_request".into()),
        status: Some("completed".into()),
        conclusion: Some("success".into()),
        head_sha: Some("97e9f3c".into()),
        pr_number: Some(4603),
        date: Some("2026-11-01".into()),
        payload: Some("{\"id\": 1}".into()),
        ..RunFacts::default()
    }
}

pub(crate) fn artifact(name: &str) -> Artifact {
    Artifact {
        name: name.into(),
        attempt: Attempt::new(1),
        artifact_id: None,
        family: Family::Benchmark,
        reading: Reading::Read,
        size: 100,
        digest: Some("sha256:00".into()),
        uploaded_at: None,
        expires_at: Some("2027-02-01".into()),
        files: vec![],
        pairs_with: None,
    }
}

pub(crate) fn job(artifact: &str, attempt: u32, outcome: &str) -> JobEvent {
    JobEvent {
        attempt: Attempt::new(attempt),
        title: "TP4 c1".into(),
        eval_only: Some(false),
        outcome: Some(outcome.into()),
        error: None,
        runner: None,
        started_at: None,
        duration_s: Some(3600.1),
        golden_acceptance_length: None,
        artifact: artifact.into(),
        raw: Some("{\"outcome\": 1}".into()),
    }
}

pub(crate) fn entry(key: &str) -> ChangelogEntry {
    ChangelogEntry {
        config_keys: vec![key.into(), "shared".into()],
        scenario_types: vec![],
        description: vec!["Add a recipe".into()],
        pr_link: None,
        append_only: false,
        evals_only: false,
        base_ref: None,
        head_ref: None,
    }
}

/// A run with a little of everything.
pub(crate) fn batch(run: i64) -> RunBatch {
    let mut batch = RunBatch::new(id(run), facts());
    batch.points = vec![row(point(run, 4, 1, 100.0)), row(point(run, 4, 16, 200.5)), row(point(run, 2, 32, 300.25))];
    batch.evals = vec![eval(run, 4, 16, Some(0.97)), eval(run, 2, 32, Some(0.5))];
    batch.artifacts = vec![artifact("bmk_tp4_c1"), artifact("bmk_tp4_c16")];
    batch.jobs = vec![job("bmk_tp4_c1", 1, "success"), job("bmk_lost", 1, "failure")];
    batch.changelog = vec![entry("a"), entry("b"), entry("a")];
    batch.run_stats = Some(vec![RunStat { name: "gb300".into(), n_success: 8, total: 8 }]);
    batch.tallies.benchmark_files = 3;
    batch
}
