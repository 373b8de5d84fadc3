//! The synthetic history is the same each time, says what it is, and looks like benchmark results.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};

use paretoscope_sample::{SampleRun, synthetic_runs, write_to};
use serde_json::Value;

fn parsed(run: &SampleRun) -> Vec<(&str, Value)> {
    run.files.iter().map(|file| (file.path.as_str(), serde_json::from_str(&file.contents).unwrap())).collect()
}

fn payload(run: &SampleRun) -> Value {
    parsed(run).into_iter().find(|(path, _)| *path == "run.json").unwrap().1
}

/// Every benchmark row of a run, collected or per job.
fn rows(run: &SampleRun) -> Vec<Value> {
    parsed(run)
        .into_iter()
        .flat_map(|(path, value)| match value {
            Value::Array(rows) if path == "results_bmk/agg_bmk.json" => rows,
            row if path.contains("bmk_") => vec![row],
            _ => Vec::new(),
        })
        .collect()
}

fn failed(row: &Value) -> bool {
    row["benchmark_outcome"]["status"] == "failed" || row["num_requests_successful"] == 0
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    assert_eq!(synthetic_runs(), synthetic_runs());
    // And the same on every machine: the first row of the first run.
    let first = &rows(&synthetic_runs()[0])[0];
    assert_eq!(first["tput_per_gpu"], 533.562);
    assert_eq!(first["median_e2el"], 8.377212);
}

#[test]
fn every_run_says_that_it_is_synthetic() {
    for (run, id) in synthetic_runs().iter().zip(9_000_000_000_001_i64..) {
        let payload = payload(run);
        assert_eq!(run.dir, id.to_string());
        assert_eq!(payload["id"], id);
        assert_eq!(payload["paretoscope_synthetic"], true);
        assert_eq!(payload["actor"]["login"], "synthetic");
        for absent in ["html_url", "head_sha", "pull_requests"] {
            assert!(payload.get(absent).is_none(), "{absent}");
        }
        for row in rows(run) {
            let image = row["image"].as_str().unwrap();
            assert!(image.starts_with("example/") && image.contains(":synthetic-"), "{image}");
        }
    }
}

#[test]
fn the_history_is_broad() {
    let mut seen: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    let (mut failures, mut many_errors, mut reruns, mut measured) = (0, 0, 0, 0);
    for run in synthetic_runs() {
        let payload = payload(&run);
        let mut note = |what, value: &str| {
            seen.entry(what).or_default().insert(value.to_owned());
        };
        let created = payload["created_at"].as_str().unwrap();
        note("months", &created[..7]);
        note("kinds", payload["paretoscope_kind"].as_str().unwrap());
        note("forms", if run.files.iter().any(|file| file.path.starts_with("results_bmk/")) { "collected" } else { "per job" });
        reruns += usize::from(run.files.iter().any(|file| file.path.starts_with("attempt-2/")));
        for row in rows(&run) {
            note("models", row["infmax_model_prefix"].as_str().unwrap());
            note("hardware", row["hw"].as_str().unwrap());
            note("frameworks", row["framework"].as_str().unwrap());
            note("precisions", row["precision"].as_str().unwrap());
            note("specs", row["spec_decoding"].as_str().unwrap());
            note("disagg", &row["disagg"].to_string());
            let scenario = row.get("isl").map_or_else(|| "agentic".to_owned(), Value::to_string);
            note("scenarios", &scenario);
            assert!(scenario != "1024" || created < "2026-07-17", "1k1k ended");
            failures += usize::from(failed(&row));
            measured += usize::from(!failed(&row));
            let errors = row["request_accounting"]["records_error_dropped"].as_f64().unwrap_or_default();
            let successful = row["num_requests_successful"].as_f64().unwrap_or_default();
            many_errors += usize::from(successful > 0.0 && errors / (successful + errors) > 0.1);
        }
    }
    let counts: BTreeMap<_, _> = seen.iter().map(|(what, values)| (*what, values.len())).collect();
    let expected = [
        ("months", 8),
        ("kinds", 2),
        ("forms", 2),
        ("models", 6),
        ("hardware", 6),
        ("frameworks", 6),
        ("precisions", 2),
        ("specs", 2),
        ("disagg", 2),
        ("scenarios", 3),
    ];
    assert_eq!(counts, expected.into(), "{seen:?}");
    assert_eq!((failures, many_errors, reruns), (4, 1, 1));
    assert!(measured > 400, "{measured}");
}

#[test]
fn more_users_give_more_throughput_and_less_interactivity() {
    for run in synthetic_runs() {
        let mut curves: BTreeMap<String, Vec<(u64, f64, f64)>> = BTreeMap::new();
        for row in rows(&run).iter().filter(|row| !failed(row)) {
            let conc = row["conc"].as_u64().unwrap();
            let (tput, interactivity) = match row.get("request_metrics") {
                Some(metrics) => (&metrics["throughput"]["per_gpu"]["total_tput_tps"], &metrics["latency"]["intvty"]["p90"]),
                None => (&row["tput_per_gpu"], &row["median_intvty"]),
            };
            let deployment: Vec<String> =
                ["hw", "isl", "spec_decoding", "tp", "ep", "dp_attention", "kv_offloading", "num_prefill_gpu", "decode_tp"]
                    .iter()
                    .map(|key| row[key].to_string())
                    .collect();
            curves.entry(deployment.join(" ")).or_default().push((conc, tput.as_f64().unwrap(), interactivity.as_f64().unwrap()));
        }
        for (deployment, mut points) in curves {
            points.sort_by_key(|point| point.0);
            for pair in points.windows(2) {
                assert!(pair[0].1 < pair[1].1, "run {}: {deployment}: {pair:?}", run.dir);
                assert!(pair[0].2 > pair[1].2, "run {}: {deployment}: {pair:?}", run.dir);
            }
        }
    }
}

#[test]
fn interactivity_is_one_over_the_same_statistic_of_the_token_time() {
    let agrees = |seconds: &Value, interactivity: &Value| {
        let product = seconds.as_f64().unwrap() * interactivity.as_f64().unwrap();
        (product - 1.0).abs() < 0.001
    };
    for row in synthetic_runs().iter().flat_map(rows).filter(|row| !failed(row)) {
        if let Some(metrics) = row.get("request_metrics") {
            let latency = &metrics["latency"];
            for statistic in ["mean", "p50", "p75", "p90", "p95"] {
                assert!(agrees(&latency["itl"][statistic], &latency["intvty"][statistic]), "{row}");
            }
        } else {
            for statistic in ["mean", "median", "p90", "p99"] {
                assert!(agrees(&row[format!("{statistic}_tpot")], &row[format!("{statistic}_intvty")]), "{row}");
            }
        }
    }
}

#[test]
fn a_disaggregated_rows_gpus_are_its_roles() {
    for row in synthetic_runs().iter().flat_map(rows).filter(|row| row["disagg"] == true) {
        for role in ["prefill", "decode"] {
            let gpus = row[format!("{role}_tp")].as_u64().unwrap() * row[format!("{role}_num_workers")].as_u64().unwrap();
            assert_eq!(row[format!("num_{role}_gpu")], gpus);
        }
    }
}

#[test]
fn evals_carry_a_standard_error() {
    let mut evals = 0;
    for run in synthetic_runs() {
        for (path, value) in parsed(&run) {
            if let Some(rows) = value.as_array().filter(|_| path.ends_with("agg_eval_all.json")) {
                for row in rows {
                    assert!(row["score_se"].as_f64().unwrap() > 0.0, "{path}");
                    evals += 1;
                }
            } else if path.ends_with("/results.json") {
                assert!(value["results"].to_string().contains("exact_match_stderr,strict-match"), "{path}");
                evals += 1;
            }
        }
    }
    assert!(evals > 50, "{evals}");
}

#[test]
fn paths_are_relative_and_never_repeat() {
    for run in synthetic_runs().into_iter().chain(paretoscope_sample::reference_runs()) {
        let paths: BTreeSet<_> = run.files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(paths.len(), run.files.len(), "run {}", run.dir);
        for path in paths {
            assert!(!path.starts_with('/') && !path.split('/').any(|part| part == ".."), "{path}");
        }
    }
}

#[test]
fn writing_replaces_a_runs_folder_whole() {
    let dir = tempfile::tempdir().unwrap();
    let runs = synthetic_runs();
    let stale = dir.path().join(&runs[0].dir).join("bmk_gone/agg_gone.json");
    std::fs::create_dir_all(stale.parent().unwrap()).unwrap();
    std::fs::write(&stale, "{}").unwrap();
    let folders = write_to(dir.path(), &runs).unwrap();
    assert_eq!(folders.len(), runs.len());
    assert!(!stale.exists());
    for run in &runs {
        for file in &run.files {
            let path = dir.path().join(&run.dir).join(&file.path);
            assert_eq!(std::fs::read_to_string(path).unwrap(), file.contents);
        }
    }
}
