use paretoscope_domain::RunId;
use paretoscope_domain::natural_key::eval_base;
use serde_json::json;

use super::*;
use crate::refusal::code;

fn words() -> Vocabulary {
    Vocabulary::shipped().unwrap()
}

fn place() -> Place<'static> {
    Place { run_id: RunId::new(1).unwrap(), attempt: None, artifact: "eval_x", file: "agg_eval_all.json", row: Some(0) }
}

fn with(mut row: Value, changes: Value) -> Value {
    for (key, value) in changes.as_object().unwrap() {
        row[key] = value.clone();
    }
    row
}

fn collected_row() -> Value {
    json!({
        "result_schema_version": 1, "is_multinode": false, "model_prefix": "dsv41flash", "model": "deepseek-ai/DeepSeek-V4.1-Flash",
        "hw": "CLUSTER:GB300-NV", "framework": "sglang", "precision": "fp4", "spec_decoding": "mtp", "isl": 0, "osl": 0, "tp": 4, "ep": 1,
        "prefill_tp": 4, "prefill_ep": 1, "prefill_num_workers": 1, "decode_tp": 4, "decode_ep": 1, "decode_num_workers": 1, "conc": 16,
        "dp_attention": "false", "task": "GSM8K", "em_strict": 0.9742, "em_strict_se": "N/A", "em_flexible": 0.9735, "em_flexible_se": 0.0044,
        "n_eff": 1319.0, "infrastructure_success": true, "integration_error": null, "score": 0.9742, "score_name": "em_strict", "score_se": "N/A"
    })
}

fn meta() -> Value {
    json!({
        "is_multinode": false, "framework": "sglang", "precision": "fp4", "spec_decoding": "mtp", "tp": 4, "ep": 1, "dp_attention": false,
        "conc": 16, "model": "deepseek-ai/DeepSeek-V4.1-Flash", "infmax_model_prefix": "dsv41flash", "hw": "cluster:gb300-nv", "isl": "8192",
        "osl": "", "recipe_fingerprint": "ab"
    })
}

fn results() -> Value {
    json!({
        "lm_eval_version": "0.4.9",
        "results": {"gsm8k": {"alias": "gsm8k", "exact_match,strict-match": 0.9742, "exact_match_stderr,strict-match": 0.0044,
            "exact_match,flexible-extract": 0.9735, "exact_match_stderr,flexible-extract": "N/A"}},
        "n-samples": {"gsm8k": {"effective": 1319, "original": 1319}}
    })
}

fn job(files: &[(&str, Value)]) -> Vec<Outcome> {
    let mut job = JobFiles::default();
    for (file, value) in files {
        if file.contains("meta_env") { job.add_meta(file, value.clone()) } else { job.add_results(file, value.clone()) }
    }
    job.read(Place { row: None, ..place() }, &words())
}

fn records(outcomes: Vec<Outcome>) -> Vec<EvalRecord> {
    outcomes
        .into_iter()
        .map(|o| match o {
            Outcome::Record(record, _) => *record,
            other => panic!("{other:?}"),
        })
        .collect()
}

#[test]
fn a_collected_row() {
    let e = collected(&collected_row(), place(), &words()).unwrap();
    assert_eq!((e.task.as_str(), e.hardware.as_str(), e.hardware_label.as_str()), ("gsm8k", "gb300", "CLUSTER:GB300-NV"));
    assert_eq!((e.score, e.score_name.as_deref(), e.stderr, e.n), (Some(0.9742), Some("em_strict"), None, Some(1319.0)));
    assert_eq!((e.isl, e.osl, e.conc, e.disagg, e.parallel.tp), (None, None, Some(16), false, Some(4)));
    assert_eq!(e.metrics.get("em_flexible_se"), Some(&0.0044));
    assert!(!e.metrics.contains_key("tp") && !e.metrics.contains_key("score"));
}

#[test]
fn scores_are_picked_in_order_and_an_invalid_one_has_no_stand_in() {
    let read = |changes: Value| collected(&with(collected_row(), changes), place(), &words()).unwrap();
    assert_eq!(read(json!({"score": 0.0})).score, Some(0.0));
    assert_eq!(read(json!({"score": null})).score, None, "em_flexible does not step in");
    let legacy = |changes: Value| {
        let mut row = with(collected_row(), changes);
        for key in ["score", "score_name", "score_se"] {
            row.as_object_mut().unwrap().remove(key);
        }
        let e = collected(&row, place(), &words()).unwrap();
        (e.score, e.score_name.unwrap_or_default())
    };
    assert_eq!(legacy(json!({})), (Some(0.9742), "em_strict".to_owned()));
    assert_eq!(legacy(json!({"em_strict": null, "accuracy": 0.5})), (Some(0.5), "accuracy".to_owned()));
    assert_eq!(legacy(json!({"em_strict": "N/A"})), (Some(0.9735), "em_flexible".to_owned()));
    let broken = read(json!({"integration_error": {"type": "Timeout", "message": "no answer"}, "score": null}));
    assert_eq!(broken.integration_error.as_deref(), Some("Timeout: no answer"));
    assert!(read(json!({"infrastructure_success": false})).integration_error.is_some());
}

#[test]
fn what_is_refused() {
    for (changes, reason) in [
        (json!({"hw": ""}), code::MISSING_IDENTITY),
        (json!({"task": null}), code::MISSING_IDENTITY),
        (json!({"model": "", "model_prefix": null}), code::MISSING_IDENTITY),
        (json!({"model": "n/o", "model_prefix": "n"}), code::UNMAPPED_MODEL),
        (json!({"score": -0.1}), code::NEGATIVE),
        (json!({"score": 97.4}), code::OUT_OF_RANGE),
        (json!({"score": "good"}), code::WRONG_TYPE),
        (json!({"dp_attention": "perhaps"}), code::WRONG_TYPE),
    ] {
        assert_eq!(collected(&with(collected_row(), changes.clone()), place(), &words()).unwrap_err().reason, reason, "{changes}");
    }
}

#[test]
fn both_sides_of_a_disaggregated_eval() {
    let e = collected(
        &with(
            collected_row(),
            json!({"is_multinode": true, "framework": "dynamo-sglang", "dp_attention": "prefill=true,decode=false", "prefill_num_workers": 2}),
        ),
        place(),
        &words(),
    )
    .unwrap();
    assert!(e.disagg && e.multinode);
    assert_eq!((e.prefill.unwrap().dp_attention, e.decode.unwrap().dp_attention), (Some(true), Some(false)));
    assert_eq!(e.prefill.unwrap().workers, Some(2));
}

#[test]
fn the_files_of_a_job() {
    let all = records(job(&[("results.json", results()), ("meta_env.json", meta())]));
    let e = &all[0];
    assert_eq!((all.len(), e.file.as_str(), e.conc, e.isl, e.osl), (1, "results.json", Some(16), Some(8192), None));
    assert_eq!((e.score, e.stderr, e.n), (Some(0.9742), Some(0.0044), Some(1319.0)));
    assert_eq!(e.metrics.get("em_flexible"), Some(&0.9735));
    assert_eq!(e.recipe_fingerprint.as_deref(), Some("ab"));
    // The collected row of the same eval has the same identity, but for the length that only the job states.
    let same = records(job(&[("results.json", results()), ("meta_env.json", with(meta(), json!({"isl": "0"})))]));
    assert_eq!(eval_base(&same[0]), eval_base(&collected(&collected_row(), place(), &words()).unwrap()));
}

#[test]
fn a_batched_job_has_a_file_for_each_concurrency() {
    let mut meta = meta();
    meta.as_object_mut().unwrap().remove("conc");
    let meta = with(meta, json!({"eval_concs": [8, 64], "completed_eval_concs": [8]}));
    let all = records(job(&[
        ("results_conc64.json", results()),
        ("results_conc8_2.json", results()),
        ("results.json", results()),
        ("meta_env.json", meta),
    ]));
    assert_eq!(
        all.iter().map(|e| (e.file.as_str(), e.conc)).collect::<Vec<_>>(),
        [("results.json", Some(8)), ("results_conc64.json", Some(64)), ("results_conc8_2.json", Some(8)),]
    );
}

#[test]
fn the_vendor_format_and_several_tasks() {
    let vendor = json!({
        "result_format": "inferencex-eval-v1",
        "results": {"bfcl_simple": {"accuracy": 1.0, "accuracy_stderr": 0.0, "calls": 2}, "notes": {"alias": "x"}, "swebench_lite": {"acc,none": 0.5}},
        "n-samples": {"bfcl_simple": {"effective": 2}, "swebench_lite": 10}
    });
    let all = records(job(&[("results.json", vendor), ("meta_env.json", meta())]));
    assert_eq!(
        all.iter().map(|e| (e.task.as_str(), e.score, e.n)).collect::<Vec<_>>(),
        [("bfcl_simple", Some(1.0), Some(2.0)), ("swebench_lite", Some(0.5), Some(10.0)),]
    );
    assert_eq!(all[0].metrics.get("calls"), Some(&2.0));
}

#[test]
fn jobs_that_came_to_nothing() {
    let refused = |outcomes: Vec<Outcome>| match outcomes.as_slice() {
        [Outcome::Refused { refusal, .. }] => refusal.reason,
        other => panic!("{other:?}"),
    };
    assert_eq!(refused(job(&[("results.json", results())])), code::MISSING_IDENTITY);
    assert_eq!(refused(job(&[("results.json", results()), ("meta_env.json", with(meta(), json!({"hw": "q9"})))])), code::UNMAPPED_HARDWARE);
    assert_eq!(refused(job(&[("results.json", json!([])), ("meta_env.json", meta())])), code::WRONG_TYPE);
    let nothing = job(&[("results.json", json!({"results": {"x": {"bleu": 3}}})), ("meta_env.json", meta())]);
    assert!(matches!(nothing.as_slice(), [Outcome::NothingRecognised { .. }]));
    let broke = json!({"results": {}, "configs": {"gsm8k": {}}, "integration_error": {"type": "HubError", "message": "503"}});
    let all = records(job(&[("results.json", broke), ("meta_env.json", meta())]));
    assert_eq!((all[0].task.as_str(), all[0].score, all[0].integration_error.as_deref()), ("gsm8k", None, Some("HubError: 503")));
}
