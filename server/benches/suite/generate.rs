//! Made-up runs of any size: smooth curves, never shown to anyone.

use std::path::Path;

use paretoscope_domain::batch::{Origin, PointRow, RunBatch, Upload};
use paretoscope_domain::curve::CurveKey;
use paretoscope_domain::natural_key::point_id;
use paretoscope_domain::point::{Offload, Point, Requests, Status};
use paretoscope_domain::run::{Run, RunDetail, RunFacts};
use paretoscope_domain::{Kind, PointId, RunId, Scenario};

const MODELS: [&str; 4] = ["dsr1", "dsv4", "gptoss120b", "qwen3.5"];
const HARDWARE: [&str; 5] = ["h200", "b200", "gb200", "gb300", "mi355x"];

pub(crate) fn run_id(n: i64) -> RunId {
    RunId::new(80_000_000_000 + n).unwrap()
}

/// A run of `points` agentic points on one curve; `scale` shifts its throughput.
pub(crate) fn batch(n: i64, points: usize, scale: f64) -> RunBatch {
    let id = run_id(n);
    let pick = |words: &[&str], n: i64| words[usize::try_from(n).unwrap() % words.len()].to_owned();
    // Runs 1 to 3 of the page benchmarks share a curve.
    let group = if n <= 3 { 0 } else { n };
    let facts = RunFacts {
        kind: Kind::Official,
        date: Some(format!("2026-{:02}-{:02}", n / 28 % 10 + 1, n % 28 + 1)),
        head_sha: Some(format!("{n:040x}")),
        pr_number: Some(n % 997 + 1),
        conclusion: Some("success".into()),
        ..RunFacts::default()
    };
    let mut batch = RunBatch::new(id, facts);
    for i in 0..points {
        let load = (i + 1) as f64;
        let mut p = Point {
            id: PointId::from_text(""),
            run_id: id,
            attempt: None,
            label: String::new(),
            model: pick(&MODELS, group),
            model_path: Some("example/model".into()),
            hardware: pick(&HARDWARE, group),
            hardware_label: pick(&HARDWARE, group),
            framework: "sglang".into(),
            precision: "fp4".into(),
            spec_method: "mtp".into(),
            scenario: Scenario::AgenticTraces,
            isl: None,
            osl: None,
            conc: u32::try_from(i + 1).unwrap(),
            disagg: false,
            multinode: false,
            gpus: Some(8),
            tp: Some(8),
            pp: Some(1),
            ep: Some(1),
            dcp: Some(1),
            pcp: Some(1),
            dp_attention: Some(false),
            prefill: None,
            decode: None,
            image: Some("example/sglang:bench".into()),
            image_digest: None,
            offload: Offload::None,
            offload_backend: None,
            router: None,
            kv_transfer: None,
            requests: Requests { total: Some(1_000), successful: Some(1_000), error_dropped: Some(0) },
            recipe_fingerprint: None,
            config_key: None,
            artifact: format!("bmk_agentic_{i}"),
            file: format!("{i}.json"),
            row: None,
            status: Status::Ok,
            reasons: Vec::new(),
            notes: Vec::new(),
            superseded: false,
            metrics: Default::default(),
        };
        p.metrics.insert("tput_per_gpu".into(), scale * 9_000.0 * load.ln_1p());
        for quantity in ["e2el", "ttft", "itl", "tpot"] {
            for (statistic, factor) in [("mean", 1.0), ("median", 0.8), ("p75", 1.3), ("p90", 2.1), ("p95", 2.9)] {
                let wobble = 1.0 + 0.05 * (load * factor).sin();
                p.metrics.insert(format!("{statistic}_{quantity}"), factor * load.sqrt() * wobble);
            }
        }
        for (statistic, factor) in [("mean", 1.0), ("median", 1.2), ("p75", 0.8), ("p90", 0.5), ("p95", 0.4)] {
            p.metrics.insert(format!("{statistic}_intvty"), factor * 200.0 / load.sqrt());
        }
        p.id = point_id(&p);
        let upload = Upload { origin: Origin::PerJob, uploaded_at: None, artifact_id: None };
        batch.points.push(PointRow { point: p, upload, raw: "{}".into() });
    }
    batch.tallies.benchmark_files = points as u64;
    batch
}

/// A run of points and nothing else.
pub(crate) fn detail(n: i64, points: Vec<Point>) -> RunDetail {
    let mut curves: Vec<CurveKey> = points.iter().map(CurveKey::of).collect();
    curves.dedup();
    let run = Run {
        run_id: run_id(n),
        kind: Kind::Official,
        synthetic: true,
        attempt: None,
        attempts: Vec::new(),
        attempt_details: Vec::new(),
        actor: None,
        name: None,
        event: None,
        status: None,
        conclusion: None,
        head_sha: Some(format!("{n:040x}")),
        head_branch: None,
        repo: "example/bench".into(),
        html_url: None,
        commit_url: None,
        pr_number: None,
        pr_url: None,
        pr_title: None,
        pr_author: None,
        created_at: None,
        date: Some("2026-01-01".into()),
        config_keys: Vec::new(),
        images: Vec::new(),
        models: Vec::new(),
        hardware: Vec::new(),
        frameworks: Vec::new(),
        precisions: Vec::new(),
        scenarios: Vec::new(),
        point_count: points.len(),
        failed_count: 0,
        eval_count: 0,
        eval_passing: 0,
        baseline_run_id: None,
        curves,
        ingested_at: None,
        purged: None,
    };
    RunDetail {
        run,
        points,
        evals: Vec::new(),
        artifacts: Vec::new(),
        jobs: Vec::new(),
        changelog: Vec::new(),
        run_stats: Vec::new(),
        reuse: None,
        report: None,
        audit: Vec::new(),
        evidence: Vec::new(),
    }
}

/// The artifacts of a run on disk: `count` jobs, a benchmark file each.
pub(crate) fn artifacts(run: &Path, count: usize) {
    for i in 0..count {
        let name = format!("gptoss_tp{}_conc{}_b200_{i:03}", 1 << (i % 4), i + 1);
        let folder = run.join(format!("bmk_{name}"));
        std::fs::create_dir_all(&folder).unwrap();
        let t = 0.01 + i as f64 * 1e-4;
        let mut row = serde_json::json!({
            "hw": "b200", "conc": i + 1, "image": "example/vllm:bench", "model": "openai/gpt-oss-120b", "infmax_model_prefix": "gptoss",
            "framework": "vllm", "precision": "fp4", "spec_decoding": "none", "disagg": false, "isl": 1024, "osl": 1024,
            "is_multinode": false, "tp": 1 << (i % 4), "ep": 1, "dp_attention": "false",
            "tput_per_gpu": 1000.0 + i as f64, "output_tput_per_gpu": 500.0 + i as f64, "input_tput_per_gpu": 500.0
        });
        let object = row.as_object_mut().unwrap();
        for quantity in ["ttft", "tpot", "itl", "e2el"] {
            for statistic in ["mean", "median", "p99", "std"] {
                object.insert(format!("{statistic}_{quantity}"), t.into());
            }
        }
        for statistic in ["mean", "median", "p99"] {
            object.insert(format!("{statistic}_intvty"), (1.0 / t).into());
        }
        std::fs::write(folder.join(format!("agg_{name}.json")), row.to_string()).unwrap();
    }
}
