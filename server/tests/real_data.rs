//! Real runs, where they are at hand: every one ingests, every row is accounted for, production's figures agree.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod common;

use std::path::{Path, PathBuf};

use common::{Site, real_data};
use http::StatusCode;
use paretoscope_domain::RunId;
use paretoscope_domain::report::IngestReport;
use paretoscope_ingest::Options;
use serde_json::Value;

fn numbered(id: i64) -> Options {
    Options { run_id: RunId::new(id), ..Options::default() }
}

/// What goes in, and under which number.
fn inputs(data: &Path) -> Vec<(PathBuf, Options)> {
    let mut all = vec![(data.join("fixed-sequence"), Options::default()), (data.join("agentic-nested"), Options::default())];
    for (i, name) in [
        "agentic-flat/glm5.1-fp4-mi355x-sglang-agentic-hicache",
        "agentic-flat/kimik2.5-fp4-b200-vllm-agentic-lmcache",
        "agentic-flat/minimaxm2.5-fp8-mi355x-vllm-agentic-lmcache",
        "agentic-flat/zips/results_bmk (1).zip",
        "agentic-flat/zips/results_bmk (10).zip",
        "agentic-2026-04",
        "agentic-2026-09",
        "evals",
        "gpu-metrics",
    ]
    .into_iter()
    .enumerate()
    {
        all.push((data.join(name), numbered(60_000_000_001 + i as i64)));
    }
    all
}

fn accounted(report: &IngestReport) -> bool {
    let counts = &report.counts;
    let columns = report.rows.benchmark.map(|t| t.total()).unwrap_or(0);
    counts.raw_benchmark_rows == columns + counts.covered_by_per_job_files + counts.replaced
}

#[tokio::test]
async fn every_run_ingests_and_every_row_is_accounted_for() {
    let Some(data) = real_data("every_run_ingests_and_every_row_is_accounted_for") else { return };
    let site = Site::empty().await;
    for (path, options) in inputs(&data) {
        let first = site.ingest(std::slice::from_ref(&path), &options).await;
        assert!(!first.is_empty(), "{}", path.display());
        assert!(first.iter().all(accounted), "{}: {first:#?}", path.display());
        let again = site.ingest(std::slice::from_ref(&path), &options).await;
        assert!(again.iter().all(accounted));
        assert!(again.iter().all(|r| r.rows_changed == 0), "{}: the same again changes nothing: {again:#?}", path.display());
    }
    let runs = site.json("/api/v1/runs?limit=500").await;
    for run in runs["items"].as_array().unwrap() {
        let page = site.get(&format!("/runs/{}", run["run_id"])).await;
        assert_eq!(page.status, StatusCode::OK);
        assert!(page.text().contains("UNOFFICIAL"), "{}", run["run_id"]);
        let points = site.json(&format!("/api/v1/runs/{}/points?include=superseded", run["run_id"])).await;
        for p in points.as_array().unwrap() {
            let answer = site.get(&format!("/runs/{}/points/{}", run["run_id"], p["id"].as_str().unwrap())).await;
            assert_eq!(answer.status, StatusCode::OK, "{p}");
        }
    }
    assert_eq!(runs["items"].as_array().unwrap().len(), 25 + 1 + 9);
}

#[tokio::test]
async fn fixed_sequence_rows_all_land() {
    let Some(data) = real_data("fixed_sequence_rows_all_land") else { return };
    let site = Site::empty().await;
    let reports = site.ingest(&[data.join("fixed-sequence")], &Options::default()).await;
    let new: u64 = reports.iter().filter_map(|r| r.rows.benchmark).map(|t| t.new).sum();
    assert_eq!((reports.len(), new), (25, 1_124));
    let empty = site.json("/api/v1/runs/20244442227").await;
    assert_eq!(empty["point_count"], 0);
    let page = site.get("/inference?unofficialRun=20244442227").await;
    assert_eq!(page.status, StatusCode::OK, "a run that holds nothing is said to");
}

#[tokio::test]
async fn the_failed_point_of_the_b200_sweep_is_shown_as_failed() {
    let Some(data) = real_data("the_failed_point_of_the_b200_sweep_is_shown_as_failed") else { return };
    let site = Site::empty().await;
    let sweep = data.join("agentic-flat/kimik2.5-fp4-b200-vllm-agentic-lmcache");
    site.ingest(&[sweep], &numbered(61)).await;
    let points = site.json("/api/v1/runs/61/points").await;
    let failed: Vec<&Value> = points.as_array().unwrap().iter().filter(|p| p["status"] == "failed").collect();
    assert_eq!(failed.len(), 1);
    assert_eq!(failed[0]["label"], "TP8 c32");
    assert_eq!(failed[0]["offload_backend"]["name"], "lmcache");
    let curves = site.json("/api/v1/runs/61/frontier?x=p90_e2el").await;
    assert_eq!(curves["curves"][0]["total"], 22, "it is on no curve");
    assert!(site.get("/runs/61").await.text().contains("failed"));
}

#[tokio::test]
async fn flat_interactivity_comes_out_as_the_slow_tail() {
    let Some(data) = real_data("flat_interactivity_comes_out_as_the_slow_tail") else { return };
    let site = Site::empty().await;
    site.ingest(&[data.join("agentic-flat/kimik2.5-fp4-b200-vllm-agentic-lmcache")], &numbered(62)).await;
    let points = site.json("/api/v1/runs/62/points").await;
    let mut seen = 0;
    for p in points.as_array().unwrap().iter().filter(|p| p["status"] == "ok") {
        let m = |name: &str| p["metrics"][name].as_f64().unwrap();
        assert!(m("p95_intvty") <= m("p90_intvty") && m("p90_intvty") <= m("p75_intvty"), "{p}");
        assert!((m("p90_intvty") * m("p90_itl") - 1.0).abs() < 1e-3);
        seen += 1;
    }
    assert_eq!(seen, 22);
}
