//! The readers over real results. Skipped, saying so, where the data is not at hand.
#![expect(clippy::indexing_slicing, clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;

use std::path::Path;

use common::{as_run, data, one, put, reasons, try_read};
use paretoscope_domain::batch::{Origin, RunBatch};
use paretoscope_domain::fact::FactKind;
use paretoscope_domain::point::{Offload, Point, Status, Topology, reason};
use paretoscope_domain::{Attempt, RunId};
use paretoscope_ingest::{IngestError, Options};
use serde_json::Value;

/// Every row in a file is a point, refused or unmapped.
fn accounted(batch: &RunBatch) -> u64 {
    batch.points.len() as u64 + batch.tallies.benchmark_failed + batch.tallies.benchmark_unmapped
}

fn rows_on_disk(path: &Path) -> u64 {
    let value: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    value.as_array().map_or(1, |rows| rows.len() as u64)
}

#[test]
fn the_fixed_sequence_runs() {
    let Some(data) = data() else { return };
    let batches = try_read(&data.join("fixed-sequence"), &Options::default()).unwrap();
    assert_eq!(batches.len(), 25);
    let mut total = 0;
    for batch in &batches {
        let file = data.join(format!("fixed-sequence/{}/results_bmk/agg_bmk.json", batch.run_id));
        assert_eq!(accounted(batch), rows_on_disk(&file), "{}", batch.run_id);
        assert!(batch.quarantine.is_empty(), "{}: {:?}", batch.run_id, batch.quarantine.first());
        assert!(batch.points.iter().all(|r| r.upload.origin == Origin::Collected && r.point.row.is_some()));
        assert_eq!(batch.artifacts.len(), 1);
        total += batch.points.len();
    }
    assert_eq!(total, 1124);
    let empty: Vec<i64> = batches.iter().filter(|b| b.points.is_empty()).map(|b| b.run_id.get()).collect();
    assert_eq!(empty, [20_244_442_227, 20_768_696_438]);
    let all: Vec<&Point> = batches.iter().flat_map(|b| &b.points).map(|r| &r.point).collect();
    assert!(all.iter().all(|p| p.gpus.is_some()));
    for p in &all {
        match p.topology() {
            Topology::Aggregated(parallel) => assert_eq!(p.gpus, parallel.gpus(), "{}", p.file),
            Topology::Disaggregated { prefill, decode } => assert_eq!(p.gpus, Some(prefill.gpus.unwrap() + decode.gpus.unwrap())),
        }
    }
    assert!(all.iter().any(|p| p.framework == "mori-sglang" && p.disagg && p.hardware == "mi355x"));
}

#[test]
fn several_runs_are_not_one() {
    let Some(data) = data() else { return };
    let error = try_read(&data.join("fixed-sequence"), &as_run(7)).unwrap_err();
    assert!(matches!(error, IngestError::SeveralRuns { flag: "--run-id", .. }), "{error}");
    let error = try_read(&data.join("agentic-flat"), &as_run(7)).unwrap_err();
    assert!(matches!(error, IngestError::SeveralRuns { .. }), "{error}");
    let error = try_read(&data.join("agentic-2026-04"), &Options::default()).unwrap_err();
    assert!(error.to_string().contains("--run-id"), "{error}");
}

#[test]
fn the_flat_sweeps() {
    let Some(data) = data() else { return };
    for (folder, rows, failed) in [
        ("kimik2.5-fp4-b200-vllm-agentic-lmcache", 23, 1),
        ("minimaxm2.5-fp8-mi355x-vllm-agentic-lmcache", 16, 0),
        ("glm5.1-fp4-mi355x-sglang-agentic-hicache", 12, 0),
    ] {
        let batch = one(&data.join("agentic-flat").join(folder), &as_run(99_000_000_001));
        // Once in the jobs' own files, once in the collected one.
        assert_eq!(batch.points.len(), 2 * rows, "{folder}");
        assert_eq!(reasons(&batch), Vec::<&str>::new(), "{folder}");
        let dead: Vec<&Point> = batch.points.iter().map(|r| &r.point).filter(|p| p.status == Status::Failed).collect();
        assert_eq!(dead.len(), 2 * failed, "{folder}");
        for p in dead {
            assert_eq!((p.tp, p.conc, p.reasons.as_slice()), (Some(8), 32, [reason::NO_SUCCESSFUL_REQUESTS.to_owned()].as_slice()));
            assert_eq!(p.offload_backend.as_ref().map(|b| b.name.as_str()), Some("lmcache"));
        }
        for p in batch.points.iter().map(|r| &r.point).filter(|p| p.status == Status::Ok) {
            let m = |name: &str| p.metric(name).unwrap();
            assert!(m("p95_intvty") <= m("p90_intvty") && m("p90_intvty") <= m("p75_intvty"), "{}: the slow tail", p.file);
            assert!(m("p90_intvty") <= m("mean_intvty") * 1.5, "{}", p.file);
            assert_eq!(m("p90_intvty"), 1.0 / m("p90_itl"));
            assert!(
                p.reasons.contains(&reason::INTERACTIVITY_COMPUTED.to_owned()) && !p.reasons.contains(&reason::HIGH_FAILURE.to_owned())
            );
            assert!(p.metrics.contains_key("std_intvty"), "kept raw");
        }
        // The rows of both files say the same.
        let plan = paretoscope_domain::merge::points(&[], &batch.points);
        assert_eq!(plan.inserts.len(), rows, "{folder}");
        assert!(plan.outcomes.iter().filter(|o| **o == paretoscope_domain::report::Outcome::Covered).count() == rows, "{folder}");
        assert_eq!(batch.run_stats.as_ref().map(Vec::len), Some(9), "{folder}");
        assert!(batch.artifacts.iter().any(|a| a.name == "agentic_aggregated"), "listed");
    }
}

#[test]
fn zips_as_downloaded() {
    let Some(data) = data() else { return };
    let batch = one(&data.join("agentic-flat/zips"), &as_run(99_000_000_002));
    assert_eq!(accounted(&batch), 22);
    assert_eq!(batch.tallies.benchmark_failed, 22, "empty hardware, framework and precision");
    assert!(batch.quarantine.iter().all(|q| q.reason == "missing_identity" && q.artifact == "results_bmk" && q.row.is_some()));
    assert!(batch.quarantine[0].detail.contains("hw, framework, precision"), "{}", batch.quarantine[0].detail);
}

#[test]
fn the_nested_sweep() {
    let Some(data) = data() else { return };
    let batch = one(&data.join("agentic-nested/29003473063"), &Options::default());
    assert_eq!((batch.run_id.get(), batch.points.len()), (29_003_473_063, 5));
    assert!(batch.quarantine.is_empty(), "{:?}", batch.quarantine);
    assert_eq!((batch.facts.pr_number, batch.facts.head_sha.as_deref()), (Some(2126), Some("e09b78b241ca273a97658092656c82be54d5ece3")));
    for row in &batch.points {
        let p = &row.point;
        assert_eq!(p.config_key.as_deref(), Some("kimik2.7-fp4-mi355x-vllm-agentic"));
        assert_eq!((p.model.as_str(), p.hardware.as_str(), p.gpus), ("kimik2.7-code", "mi355x", Some(4)));
        assert!(!p.reasons.contains(&reason::HIGH_FAILURE.to_owned()), "the warm-up is no failure");
        assert!(
            p.metrics.contains_key("median_ttft")
                && p.metrics.contains_key("tput_per_gpu")
                && p.metrics.contains_key("total_prompt_tokens")
        );
        assert!(!p.metrics.keys().any(|k| k.contains("_p50") || k.starts_with("p50")));
    }
    let offloaded: Vec<u32> = batch.points.iter().filter(|r| r.point.offload == Offload::Dram).map(|r| r.point.conc).collect();
    assert_eq!(offloaded, [16, 32]);
    let traces: Vec<_> = batch.artifacts.iter().filter(|a| a.name.starts_with("agentic_") || a.name.starts_with("server_logs_")).collect();
    assert_eq!(traces.len(), 6);
    for a in traces {
        // Logs are read; of traces only the commands beside them.
        let log = a.name.starts_with("server_logs_");
        let expected = if log { paretoscope_domain::run::Reading::Read } else { paretoscope_domain::run::Reading::NotReadYet };
        assert_eq!(a.reading, expected, "{}", a.name);
        assert!(a.size > 0 && a.digest.as_ref().is_some_and(|d| d.starts_with("sha256:")));
        let key = a.pairs_with.as_ref().unwrap();
        assert!(batch.artifacts.iter().any(|b| b.name == format!("bmk_agentic_{key}")), "{key}");
    }
    // The log's dump of arguments, and the five commands.
    let arguments = |point: &str, key: &str| -> Vec<String> {
        let facts = batch.evidence.iter().filter(|f| f.kind == FactKind::Argument && f.key == key && f.point.as_deref() == Some(point));
        facts.map(|f| format!("{} ({})", f.value, f.origin.in_words().rsplit('/').next().unwrap())).collect()
    };
    assert_eq!(arguments("TP4 c1", "max_num_seqs"), ["1 (vllm_command.txt, line 1)", "1 (server.log, line 7)"]);
    assert_eq!(arguments("TP4 c1", "gpu_memory_utilization"), ["0.90 (vllm_command.txt, line 1)", "0.9 (server.log, line 7)"]);
    for point in ["TP4 c4", "TP4 c8", "TP4 c16", "TP4 c32"] {
        assert_eq!(arguments(point, "tensor_parallel_size").len(), 1, "{point}");
    }
    assert!(arguments("TP4 c16", "kv_transfer_config")[0].starts_with("{\"kv_connector\":\"LMCacheMPConnector\","));
    // What the log advises is not set.
    assert!(!batch.evidence.iter().any(|f| f.kind == FactKind::Env), "{:?}", batch.evidence);
}

#[test]
fn the_oldest_and_the_newest_rows() {
    let Some(data) = data() else { return };
    let old = one(&data.join("agentic-2026-04"), &as_run(99_000_000_004));
    assert_eq!((old.points.len(), old.quarantine.len()), (9, 0));
    for p in old.points.iter().map(|r| &r.point) {
        let (total, ok) = (p.requests.total.unwrap(), p.requests.successful.unwrap());
        let high = (total - ok) as f64 / total as f64 > 0.1;
        assert_eq!(p.reasons.contains(&reason::HIGH_FAILURE.to_owned()), high, "{ok} of {total}");
        assert!(p.metrics.contains_key("p99.9_e2el") && !p.metrics.keys().any(|k| k.ends_with("_ttlt")));
        assert_eq!(p.metric("median_intvty"), p.metric("median_itl").map(|i| 1.0 / i));
        assert_eq!(p.offload == Offload::Unknown, p.file.contains("offloadon"));
    }
    assert!(old.points.iter().any(|r| r.point.requests.successful == Some(82)));

    let new = one(&data.join("agentic-2026-09"), &as_run(99_000_000_005));
    let p = &new.points[0].point;
    assert_eq!((new.points.len(), new.points[0].upload.origin, p.gpus), (1, Origin::PerJob, Some(8)));
    assert_eq!((p.metric("p90_e2e_norm_intvty"), p.metric("joules_per_output_token")), (Some(0.61802), Some(100.204662)));
    assert_eq!(p.metric("p90_intvty"), Some(61.90532), "agrees with 1/ITL, so it is kept");
    assert!(p.reasons.is_empty(), "{:?} {:?}", p.reasons, p.notes);
    assert!(p.image_digest.as_ref().is_some_and(|d| d.starts_with("sha256:5921")) && p.recipe_fingerprint.is_some());
}

#[test]
fn the_collected_evals() {
    let Some(data) = data() else { return };
    let batch = one(&data.join("evals"), &as_run(99_000_000_006));
    assert_eq!(batch.evals.len() as u64 + batch.tallies.eval_failed + batch.tallies.eval_unmapped, 66);
    assert_eq!(reasons(&batch), Vec::<&str>::new());
    assert!(batch.evals.iter().any(|e| e.record.score == Some(0.0)), "a score of nought is a score");
    assert!(batch.evals.iter().all(|e| e.record.n == Some(1319.0) && e.record.stderr.is_some() && e.record.conc.is_some()));
    let file = one(&data.join("evals/agg_eval_all-66-rows.json"), &as_run(99_000_000_006));
    assert_eq!(file.evals.len(), 66);
}

#[test]
fn raw_rows_say_what_the_production_database_holds() {
    let Some(data) = data() else { return };
    let pairs: Value = serde_json::from_slice(&std::fs::read(data.join("raw-to-dashboard-pairs.json")).unwrap()).unwrap();
    let scratch = tempfile::tempdir().unwrap();
    let raw: Vec<&Value> = pairs.as_array().unwrap().iter().map(|p| &p["raw"]).collect();
    put(scratch.path(), "results_bmk/agg_bmk.json", serde_json::to_vec(&raw).unwrap());
    let batch = one(scratch.path(), &as_run(1));
    assert_eq!((batch.points.len(), batch.quarantine.len()), (71, 0));
    let mut compared = 0;
    for (pair, row) in pairs.as_array().unwrap().iter().zip(&batch.points) {
        let (api, p) = (&pair["api"], &row.point);
        for (name, value) in api["metrics"].as_object().unwrap() {
            assert_eq!(p.metric(name), value.as_f64(), "{name}");
            compared += 1;
        }
        let (prefill, decode, workers) = match p.topology() {
            Topology::Disaggregated { prefill, decode } => (prefill, decode, (prefill.workers, decode.workers)),
            // Production mirrors the one engine into both sides.
            Topology::Aggregated(_) => {
                let both = paretoscope_domain::point::Role {
                    tp: p.tp,
                    ep: p.ep,
                    dp_attention: p.dp_attention,
                    gpus: p.gpus,
                    ..Default::default()
                };
                (both, both, (Some(0), Some(0)))
            }
        };
        let number = |key: &str| api[key].as_u64().map(|n| n as u32);
        for (key, mine) in [
            ("prefill_tp", prefill.tp),
            ("prefill_ep", prefill.ep),
            ("decode_tp", decode.tp),
            ("decode_ep", decode.ep),
            ("num_prefill_gpu", prefill.gpus),
            ("num_decode_gpu", decode.gpus),
            ("prefill_num_workers", workers.0),
            ("decode_num_workers", workers.1),
            ("isl", p.isl),
            ("osl", p.osl),
            ("conc", Some(p.conc)),
        ] {
            assert_eq!(mine, number(key), "{key} of pair {}", p.row.unwrap());
        }
        assert_eq!(
            (prefill.dp_attention, decode.dp_attention),
            (api["prefill_dp_attention"].as_bool(), api["decode_dp_attention"].as_bool())
        );
        assert_eq!((Some(p.disagg), Some(p.multinode)), (api["disagg"].as_bool(), api["is_multinode"].as_bool()));
        for (key, mine) in [
            ("hardware", &p.hardware),
            ("framework", &p.framework),
            ("model", &p.model),
            ("precision", &p.precision),
            ("spec_method", &p.spec_method),
        ] {
            assert_eq!(Some(mine.as_str()), api[key].as_str(), "{key}");
        }
        if let Some(image) = api.get("image") {
            assert_eq!(p.image.as_deref(), image.as_str());
        }
    }
    assert_eq!(compared, 1073);
}

#[test]
fn what_is_no_run_is_listed_or_named() {
    let Some(data) = data() else { return };
    let telemetry = one(&data.join("gpu-metrics"), &as_run(3));
    assert!(telemetry.points.is_empty() && telemetry.quarantine.is_empty() && telemetry.artifacts.len() == 4);
    let error = try_read(&data.join("dashboard-export/benchmarks.json"), &as_run(3)).unwrap_err();
    assert!(matches!(error, IngestError::NotRecognised { .. }), "{error}");
    let error = try_read(&data.join("README.md"), &as_run(3)).unwrap_err();
    assert!(matches!(error, IngestError::NotRecognised { .. }), "{error}");
}

#[test]
fn one_file_of_a_run_is_the_same_place_as_its_folder() {
    let Some(data) = data() else { return };
    let root = data.join("fixed-sequence/20356790608");
    let whole = one(&root, &Options::default());
    let artifact = one(&root.join("results_bmk"), &Options::default());
    let file = one(&root.join("results_bmk/agg_bmk.json"), &Options { attempt: Attempt::new(1), ..Options::default() });
    for other in [&artifact, &file] {
        assert_eq!((other.run_id, other.points.len()), (RunId::new(20_356_790_608).unwrap(), whole.points.len()));
        assert_eq!(
            (&other.points[3].point.artifact, &other.points[3].point.file),
            (&whole.points[3].point.artifact, &whole.points[3].point.file)
        );
        assert_eq!(other.artifacts[0].digest, whole.artifacts[0].digest);
    }
    assert_eq!(file.points[0].point.attempt, Attempt::new(1));
}
