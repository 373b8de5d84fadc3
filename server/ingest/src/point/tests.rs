use paretoscope_domain::point::{Offload, Topology};
use serde_json::{Value, json};

use super::*;

fn read(row: &Value) -> Result<Point, Refusal> {
    let place = Place { run_id: RunId::new(1).unwrap(), attempt: None, artifact: "bmk_x", file: "x.json", row: None };
    point(row, place, &Vocabulary::shipped().unwrap())
}

fn with(mut row: Value, changes: Value) -> Value {
    for (key, value) in changes.as_object().unwrap() {
        row[key] = value.clone();
    }
    row
}

fn single_node() -> Value {
    json!({
        "hw": "b200-trt", "conc": 64, "image": "nvcr.io#nvidia/x:1@sha256:ab", "model": "openai/gpt-oss-120b", "infmax_model_prefix": "gptoss",
        "framework": "trtllm", "precision": "NVFP4", "spec_decoding": "none", "disagg": false, "isl": 8192, "osl": 1024,
        "is_multinode": false, "tp": 8, "ep": 8, "dp_attention": "true", "tput_per_gpu": 100.5, "mean_ttft": 0.5, "p50_e2el": 3.25,
        "median_intvty": 80.0, "median_tpot": 0.5, "brand_new_number": 7, "p90_itl_ms": 12.5
    })
}

fn agentic() -> Value {
    json!({
        "hw": "cluster:gb300-nv", "conc": 32, "model": "deepseek-ai/DeepSeek-V4.1-Flash", "infmax_model_prefix": "dsv41flash",
        "framework": "sglang", "precision": "fp4", "spec_decoding": "mtp", "disagg": false, "scenario_type": "agentic-coding",
        "is_multinode": false, "tp": 2, "ep": 2, "dp_attention": "false"
    })
}

#[test]
fn a_row_of_one_node() {
    let p = read(&single_node()).unwrap();
    assert_eq!((p.model.as_str(), p.framework.as_str(), p.precision.as_str(), p.hardware.as_str()), ("gptoss120b", "trt", "fp4", "b200"));
    assert_eq!((p.scenario.to_string().as_str(), p.conc, p.gpus, p.dp_attention), ("8k1k", 64, Some(8), Some(true)));
    assert_eq!((p.image.as_deref(), p.image_digest.as_deref()), (Some("nvcr.io/nvidia/x:1"), Some("sha256:ab")));
    assert_eq!((p.metric("median_e2el"), p.metric("p90_itl"), p.metric("brand_new_number")), (Some(3.25), Some(0.0125), Some(7.0)));
    assert_eq!(p.metric("median_intvty"), Some(80.0), "fixed sequences keep what is stored");
    assert!(!p.metrics.contains_key("tp") && !p.metrics.contains_key("conc") && !p.metrics.contains_key("isl"));
    assert!(p.reasons.is_empty() && p.notes.is_empty());
}

#[test]
fn a_row_of_the_november_contract() {
    let p = read(&json!({
        "result_schema_version": 1, "hw": "cluster:gb200-nv", "conc": 256, "model": "nvidia/Qwen3.5-397B-A17B-NVFP4-V2",
        "infmax_model_prefix": "qwen3.5", "framework": "dynamo-sglang", "precision": "fp4", "spec_decoding": "mtp", "disagg": true,
        "recipe_fingerprint": "5c0f", "isl": 8192, "osl": 1024, "is_multinode": true, "prefill_tp": 4, "prefill_pp": 1,
        "prefill_dcp_size": 1, "prefill_pcp_size": 1, "prefill_ep": 4, "prefill_dp_attention": "true", "prefill_num_workers": 2, "decode_tp": 8,
        "decode_pp": 1, "decode_ep": 8, "decode_dp_attention": "true", "decode_num_workers": 1, "num_prefill_gpu": 8, "num_decode_gpu": 8,
        "router": {"name": "dynamo-router", "version": "1.5.0"}, "kv_p2p_transfer": "nixl",
        "benchmark_outcome": {"status": "passed", "requested": 2560, "completed": 2558, "failed": 2, "max_failure_rate": 0.05},
        "tput_per_gpu": 6120.4, "power_metric_schema_version": 2, "power_valid": 1, "avg_power_w": 812.4
    }))
    .unwrap();
    let Topology::Disaggregated { prefill, decode } = p.topology() else { panic!("disaggregated") };
    assert_eq!(
        (prefill.workers, prefill.gpus, decode.tp, decode.ep, decode.dp_attention),
        (Some(2), Some(8), Some(8), Some(8), Some(true))
    );
    assert_eq!((p.gpus, p.tp, p.recipe_fingerprint.as_deref(), p.kv_transfer.as_deref()), (Some(16), None, Some("5c0f"), Some("nixl")));
    assert_eq!(p.router.as_ref().map(|r| (r.name.as_str(), r.version.as_deref())), Some(("dynamo-router", Some("1.5.0"))));
    assert_eq!((p.requests.total, p.requests.successful, p.requests.error_dropped), (Some(2560), Some(2558), Some(2)));
    assert_eq!((p.metric("power_valid"), p.metric("avg_power_w")), (Some(1.0), Some(812.4)));
    assert!(p.reasons.is_empty());
}

#[test]
fn agentic_rows_of_every_generation() {
    let april = json!({
        "hw": "b200", "users": 128, "model": "nvidia/DeepSeek-R1-0528-FP4", "infmax_model_prefix": "dsr1", "framework": "vllm",
        "precision": "fp4", "scenario_type": "agentic-coding", "is_multinode": false, "tp": 4, "ep": 4, "dp_attention": "false",
        "offload_mode": "on", "num_requests_total": 519, "num_requests_successful": 82, "mean_ttlt": 645.8, "p99.9_ttlt": 1041.0,
        "median_itl": 0.5, "server_cpu_cache_hit_rate": null
    });
    let p = read(&april).unwrap();
    assert_eq!((p.conc, p.offload, p.spec_method.as_str(), p.disagg, p.gpus), (128, Offload::Unknown, "none", false, Some(4)));
    assert_eq!((p.metric("mean_e2el"), p.metric("p99.9_e2el"), p.metric("median_intvty")), (Some(645.8), Some(1041.0), Some(2.0)));
    assert_eq!(p.reasons, [reason::HIGH_FAILURE, reason::INTERACTIVITY_COMPUTED]);
    assert!(p.notes[0].contains("437 of 519"), "{:?}", p.notes);
    assert!(!p.metrics.contains_key("server_cpu_cache_hit_rate"));
    assert!(read(&with(april, json!({"scenario_type": null}))).unwrap().scenario.is_agentic());

    let flat = with(
        agentic(),
        json!({"offloading": "hicache", "mean_ttft": 1.5, "p90_itl": 0.1, "p90_intvty": 48.0, "std_intvty": 900.0, "tput_per_gpu": 9.5,
            "num_requests_total": 100, "num_requests_successful": 100, "theoretical_cache_hit_rate": null}),
    );
    let p = read(&flat).unwrap();
    assert_eq!((p.metric("p90_intvty"), p.metric("std_intvty"), p.offload), (Some(10.0), Some(900.0), Offload::Dram));
    assert_eq!((p.reasons.as_slice(), p.notes.len()), ([reason::INTERACTIVITY_COMPUTED.to_owned()].as_slice(), 1));

    let nested = with(
        agentic(),
        json!({
            "num_gpus": 2, "kv_offloading": "dram", "kv_offload_backend": {"name": "mooncake", "version": "1"}, "warnings": ["look here"],
            "num_requests_total": 9412, "num_requests_successful": 9014, "allocated_cpu_dram_gb": 0, "kv_cache_pool_tokens": 5210113,
            "request_accounting": {"records_total": 9412, "records_error_dropped": 2, "error_categories": {"X": 2}},
            "request_metrics": {
                "qps": {"window_seconds": 1, "samples": 3590, "mean": 2.51, "p50": 2},
                "latency": {"ttft": {"p50": 0.34, "p90": 1.42}, "itl": {"p90": 0.0104}, "intvty": {"p90": 96.15}, "e2e_norm_intvty": {"p90": 52.7}},
                "tokens": {"input": {"mean": 92144}, "output_actual": {"p50": 388}, "output_expected": {}},
                "throughput": {"input": {"tokens_per_second": 234540}, "total": {"tokens_per_second": 236170}, "duration_seconds": 3601.4,
                    "per_gpu": {"total_tput_tps": 118085, "output_tput_tps": 815}},
                "cache": {"theoretical_cache_hit_rate": 0.968}},
            "server_metrics": {
                "present": true, "adapter": "sglang", "metric_count": 143,
                "cache": {"gpu_cache_hit_rate": 0.951, "cpu_cache_hit_rate": null, "cached_tokens_by_source": {"device": 8.0e8}},
                "kv_cache": {"gpu_usage_pct": 0.93, "gpu_total_tokens": 5210112}, "kv_offload": {"bytes_gpu_to_cpu": 5},
                "tokens": {"prompt_total": 841000000, "generation_total": 5870000, "requests_completed": 9014}}
        }),
    );
    let p = read(&nested).unwrap();
    for (name, value) in [
        ("mean_qps", 2.51),
        ("median_qps", 2.0),
        ("median_ttft", 0.34),
        ("p90_intvty", 96.15),
        ("p90_e2e_norm_intvty", 52.7),
        ("mean_input_tokens", 92144.0),
        ("median_output_tokens_actual", 388.0),
        ("input_tput_tps", 234_540.0),
        ("total_tput_tps", 236_170.0),
        ("duration_seconds", 3601.4),
        ("tput_per_gpu", 118_085.0),
        ("output_tput_per_gpu", 815.0),
        ("theoretical_cache_hit_rate", 0.968),
        ("server_gpu_cache_hit_rate", 0.951),
        ("gpu_kv_cache_usage_pct", 0.93),
        ("kv_cache_pool_tokens", 5_210_113.0),
        ("kv_offload_bytes_gpu_to_cpu", 5.0),
        ("total_prompt_tokens", 841_000_000.0),
        ("total_generation_tokens", 5_870_000.0),
        ("total_requests_completed", 9014.0),
        ("num_requests_total", 9412.0),
        ("request_metrics.qps.samples", 3590.0),
        ("server_metrics.cache.cached_tokens_by_source.device", 8.0e8),
    ] {
        assert_eq!(p.metric(name), Some(value), "{name}");
    }
    assert_eq!((p.gpus, p.requests.error_dropped, p.notes.as_slice()), (Some(2), Some(2), ["look here".to_owned()].as_slice()));
    assert!(p.reasons.is_empty(), "96.15 is 1/0.0104 but for rounding, and the warm-up is no failure: {:?}", p.reasons);
}

#[test]
fn what_failed_is_kept_and_said() {
    let dead = with(agentic(), json!({"num_requests_total": 0, "num_requests_successful": 0, "total_prompt_tokens": 0}));
    let p = read(&dead).unwrap();
    assert_eq!((p.status, p.reasons.as_slice()), (Status::Failed, [reason::NO_SUCCESSFUL_REQUESTS.to_owned()].as_slice()));
    let outcome = |o: Value| read(&with(single_node(), json!({"benchmark_outcome": o}))).unwrap();
    let failed = outcome(json!({"status": "failed", "requested": 10, "completed": 4, "failed": 6}));
    assert_eq!((failed.status, failed.reasons.as_slice()), (Status::Failed, [reason::OUTCOME_FAILED.to_owned()].as_slice()));
    for (requested, failed, high) in [(100, 5, false), (100, 6, true)] {
        let p = outcome(json!({"status": "passed", "requested": requested, "completed": requested - failed, "failed": failed}));
        assert_eq!((p.status, p.reasons == [reason::HIGH_FAILURE]), (Status::Ok, high), "{failed} of {requested}");
    }
    for (ok, dropped, high) in [(90, 10, false), (89, 11, true)] {
        let p = read(&with(
            agentic(),
            json!({"num_requests_total": 300, "num_requests_successful": ok, "request_accounting": {"records_error_dropped": dropped}}),
        ))
        .unwrap();
        assert_eq!(p.reasons == [reason::HIGH_FAILURE], high, "{dropped} dropped, {ok} successful");
    }
    let p = read(&with(single_node(), json!({"power_valid": 0, "power_invalid_reasons": ["sample_gap_exceeded"], "avg_power_w": 5.0})))
        .unwrap();
    assert_eq!((p.reasons.as_slice(), p.status), ([reason::POWER_INVALID.to_owned()].as_slice(), Status::Ok));
    assert!(p.notes[0].contains("sample_gap_exceeded"));
}

#[test]
fn what_is_refused_and_why() {
    for (changes, reason, words) in [
        (json!({"hw": "", "framework": null, "precision": " "}), code::MISSING_IDENTITY, "hw, framework, precision"),
        (json!({"model": "", "infmax_model_prefix": ""}), code::MISSING_IDENTITY, "model"),
        (json!({"conc": null}), code::MISSING_IDENTITY, "conc"),
        (json!({"conc": 0}), code::MISSING_IDENTITY, "conc"),
        (json!({"isl": null, "osl": null}), code::MISSING_IDENTITY, "isl, osl"),
        (json!({"tp": null}), code::MISSING_IDENTITY, "tp"),
        (json!({"model": "x/Nothing", "infmax_model_prefix": "nothing"}), code::UNMAPPED_MODEL, "nothing"),
        (json!({"hw": "q9"}), code::UNMAPPED_HARDWARE, "q9"),
        (json!({"framework": "magic"}), code::UNMAPPED_FRAMEWORK, "magic"),
        (json!({"precision": "fp2"}), code::UNMAPPED_PRECISION, "fp2"),
        (json!({"spec_decoding": "oracle"}), code::UNMAPPED_SPEC, "oracle"),
        (json!({"scenario_type": "poetry"}), code::UNMAPPED_SCENARIO, "poetry"),
        (json!({"hw": "q9", "framework": "magic"}), code::UNMAPPED_HARDWARE, "magic"),
        (json!({"mean_ttft": -0.5}), code::NEGATIVE, "mean_ttft"),
        (json!({"tput_per_gpu": -1}), code::NEGATIVE, "tput_per_gpu"),
        (json!({"conc": -4}), code::NEGATIVE, "conc"),
        (json!({"mean_ttft": "fast"}), code::WRONG_TYPE, "mean_ttft"),
        (json!({"mean_ttft": "NaN"}), code::NOT_A_NUMBER, "mean_ttft"),
        (json!({"conc": "many"}), code::WRONG_TYPE, "conc"),
        (json!({"hw": 200}), code::WRONG_TYPE, "hw"),
        (json!({"disagg": "perhaps"}), code::WRONG_TYPE, "disagg"),
    ] {
        let refusal = read(&with(single_node(), changes.clone())).unwrap_err();
        assert_eq!(refusal.reason, reason, "{changes}");
        assert!(refusal.detail.contains(words), "{changes}: {}", refusal.detail);
        assert_eq!(refusal.is_unmapped(), reason.starts_with("unmapped_"));
    }
    for value in [json!(3), json!("row"), json!(null), json!([])] {
        assert_eq!(read(&value).unwrap_err().reason, code::WRONG_TYPE, "{value}");
    }
    // What says nothing is no error.
    let p = read(&with(single_node(), json!({"mean_ttft": null, "p99_ttft": "N/A", "some_text": "x", "extra": -5}))).unwrap();
    assert!(!p.metrics.contains_key("mean_ttft") && !p.metrics.contains_key("p99_ttft") && !p.metrics.contains_key("some_text"));
    assert_eq!(p.metric("extra"), Some(-5.0), "a number that nobody knows may be below nought");
}

#[test]
fn rows_in_which_fields_come_and_go_never_panic() {
    let (fixed, traces) = (single_node(), agentic());
    for row in [&fixed, &traces] {
        for key in row.as_object().unwrap().keys() {
            for odd in
                [Value::Null, json!(""), json!(-1), json!(1.5), json!(1e300), json!([]), json!({}), json!({"a": {"b": []}}), json!(true)]
            {
                let _ = read(&with(row.clone(), json!({ key: odd })));
            }
        }
    }
}
