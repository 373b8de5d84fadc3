//! The reference runs hold the figures that the pull request states, and nothing it does not.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use paretoscope_sample::{SampleRun, pull_payloads, reference_runs};
use serde_json::Value;

const NEW: &str = "41261902147";
const OLD: &str = "40809149952";

/// The sign-off's table, and the attempt each point comes from: label, attempt, P90 and P75 E2EL in seconds, tokens per
/// second and GPU, change against run 40809149952 in percent.
const TABLE: [(&str, u32, f64, f64, f64, &str); 8] = [
    ("TP4 c1", 1, 5.67, 3.17, 8_105.0, "+0.1"),
    ("TP4 c4", 1, 6.29, 2.79, 9_425.0, "-7.8"),
    ("TP4 c16", 2, 6.25, 3.01, 29_242.0, "+0.0"),
    ("TP2/EP2 c16", 1, 7.64, 3.55, 57_957.0, "+0.2"),
    ("TP2/EP2 c32", 1, 12.07, 5.79, 118_105.0, "-0.6"),
    ("TP2/EP2/DPA c64", 2, 15.40, 7.61, 224_816.0, "+0.3"),
    ("TP2/EP2/DPA c128", 2, 23.44, 10.72, 321_183.0, "+0.3"),
    ("TP2/EP2/DPA c160", 1, 33.68, 14.56, 340_890.0, "-3.5"),
];

/// The sign-off's evals, and the attempt each comes from.
const EVALS: [(&str, u32, f64); 6] = [
    ("TP4 c1", 1, 0.9735),
    ("TP4 c4", 1, 0.9757),
    ("TP4 c16", 2, 0.9757),
    ("TP2/EP2 c16", 2, 0.9735),
    ("TP2/EP2 c32", 1, 0.9757),
    ("TP2/EP2/DPA c160", 1, 0.9689),
];

fn run(id: &str) -> SampleRun {
    reference_runs().into_iter().find(|run| run.dir == id).unwrap()
}

/// The files of a run whose path contains all of `parts`, parsed.
fn files(run: &SampleRun, parts: &[&str]) -> Vec<(String, Value)> {
    run.files
        .iter()
        .filter(|file| parts.iter().all(|part| file.path.contains(part)))
        .map(|file| (file.path.clone(), serde_json::from_str(&file.contents).unwrap()))
        .collect()
}

fn json(run: &SampleRun, path: &str) -> Value {
    files(run, &[path]).pop().unwrap().1
}

fn label(row: &Value) -> String {
    let ep = match row["ep"].as_u64().unwrap() {
        1 => String::new(),
        ep => format!("/EP{ep}"),
    };
    let dpa = if row["dp_attention"] == "true" || row["dp_attention"] == true { "/DPA" } else { "" };
    format!("TP{}{ep}{dpa} c{}", row["tp"], row["conc"])
}

fn attempt(path: &str) -> u32 {
    path.strip_prefix("attempt-").unwrap().split('/').next().unwrap().parse().unwrap()
}

fn tput(row: &Value) -> f64 {
    row["request_metrics"]["throughput"]["per_gpu"]["total_tput_tps"].as_f64().unwrap()
}

/// The path of every value in `value`, as `a.b`; list items count as their list.
fn leaves(value: &Value, prefix: &str, into: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                let path = if prefix.is_empty() { key.clone() } else { format!("{prefix}.{key}") };
                leaves(value, &path, into);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| leaves(item, prefix, into)),
        _ => {
            into.insert(prefix.to_owned());
        }
    }
}

fn all_leaves(values: &[(String, Value)]) -> BTreeSet<String> {
    let mut set = BTreeSet::new();
    values.iter().for_each(|(_, value)| leaves(value, "", &mut set));
    set
}

fn set(paths: &[&str]) -> BTreeSet<String> {
    paths.iter().map(|&path| path.to_owned()).collect()
}

const IDENTITY: [&str; 15] = [
    "result_schema_version",
    "hw",
    "conc",
    "image",
    "model",
    "infmax_model_prefix",
    "framework",
    "precision",
    "spec_decoding",
    "disagg",
    "scenario_type",
    "is_multinode",
    "tp",
    "ep",
    "dp_attention",
];

#[test]
fn the_checked_in_files_are_what_the_generator_makes() {
    fn walk(dir: &Path, root: &Path, into: &mut BTreeMap<String, String>) {
        for entry in fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, root, into);
            } else {
                let name: Vec<_> = path.strip_prefix(root).unwrap().iter().map(|part| part.to_str().unwrap()).collect();
                into.insert(name.join("/"), fs::read_to_string(&path).unwrap());
            }
        }
    }
    let runs = reference_runs()
        .into_iter()
        .flat_map(|run| run.files.into_iter().map(move |file| (format!("{}/{}", run.dir, file.path), file.contents)));
    let pulls = pull_payloads().into_iter().map(|file| (file.path, file.contents));
    for (folder, generated) in [("runs", runs.collect::<BTreeMap<String, String>>()), ("pulls", pulls.collect())] {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let mut checked_in = BTreeMap::new();
        walk(&root, &root, &mut checked_in);
        assert_eq!(
            checked_in.keys().collect::<Vec<_>>(),
            generated.keys().collect::<Vec<_>>(),
            "run `cargo run -p paretoscope-sample` from the repository's root"
        );
        for (path, contents) in &generated {
            assert_eq!(checked_in.get(path), Some(contents), "{path}");
        }
    }
}

#[test]
fn the_pinned_run_holds_the_sign_offs_table() {
    let rows = files(&run(NEW), &["/bmk_agentic_"]);
    let found: Vec<_> = rows
        .iter()
        .map(|(path, row)| {
            let e2el = &row["request_metrics"]["latency"]["e2el"];
            (label(row), attempt(path), e2el["p90"].as_f64().unwrap(), e2el["p75"].as_f64().unwrap(), tput(row))
        })
        .collect();
    let told: Vec<_> = TABLE.iter().map(|&(label, attempt, p90, p75, tput, _)| (label.to_owned(), attempt, p90, p75, tput)).collect();
    assert_eq!(found, told);
}

#[test]
fn the_older_runs_throughput_gives_back_the_changes_told() {
    let old: BTreeMap<_, _> = files(&run(OLD), &["bmk_agentic_"]).into_iter().map(|(_, row)| (label(&row), tput(&row))).collect();
    assert_eq!(old.len(), TABLE.len());
    for (label, _, _, _, new, change) in TABLE {
        let old = old[label];
        assert_eq!(old.fract(), 0.0, "{label}: to the unit, like the table");
        assert_eq!(format!("{:+.1}", 100.0 * (new - old) / old), change, "{label}");
    }
}

#[test]
fn each_eval_is_there_once_as_its_job_left_it_and_once_collected() {
    let run = run(NEW);
    let told: BTreeSet<_> = EVALS.iter().map(|(label, attempt, score)| format!("{label} attempt {attempt}: {score}")).collect();
    let jobs: BTreeSet<_> = files(&run, &["/eval_", "meta_env.json"])
        .into_iter()
        .map(|(path, meta)| {
            let results = json(&run, &path.replace("meta_env", "results"));
            assert_eq!(results["n-samples"]["gsm8k"]["effective"], 1319);
            let score = &results["results"]["gsm8k"]["exact_match,strict-match"];
            format!("{} attempt {}: {score}", label(&meta), attempt(&path))
        })
        .collect();
    assert_eq!(jobs, told);

    let collected = json(&run, "attempt-2/eval_results_all/agg_eval_all.json");
    let rows: Vec<_> = collected
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            assert_eq!((&row["task"], &row["score_name"], &row["n_eff"]), (&"gsm8k".into(), &"em_strict".into(), &1319.into()));
            assert_eq!(row["em_strict"], row["score"]);
            assert!(row["em_strict_se"].is_null() && row["score_se"].is_null(), "no standard error is told");
            (label(row), row["score"].as_f64().unwrap())
        })
        .collect();
    assert_eq!(rows, EVALS.map(|(label, _, score)| (label.to_owned(), score)));
}

#[test]
fn attempt_one_lost_three_benchmarks_and_two_evals() {
    let events = files(&run(NEW), &["job_event.json"]);
    let mut lost = BTreeSet::new();
    let mut succeeded = 0;
    for (path, event) in &events {
        assert_eq!(event["run_attempt"], attempt(path));
        if event["outcome"] == "success" {
            succeeded += 1;
            assert!(event["error"].is_null());
            continue;
        }
        assert_eq!(event["run_attempt"], 1);
        assert_eq!(event["error"]["type"], "DatasetLoaderError");
        assert_eq!(event["error"]["message"], "Network or API error communicating with HuggingFace Hub");
        lost.insert((event["eval_only"].as_bool().unwrap(), event["exp_name"].as_str().unwrap().to_owned()));
    }
    let told = [
        (false, "dsv41flash_tp2_ep2_dpa_conc128_spec-mtp"),
        (false, "dsv41flash_tp2_ep2_dpa_conc64_spec-mtp"),
        (false, "dsv41flash_tp4_conc16_spec-mtp"),
        (true, "dsv41flash_tp2_ep2_conc16_spec-mtp"),
        (true, "dsv41flash_tp4_conc16_spec-mtp"),
    ];
    assert_eq!(lost, told.map(|(eval, name)| (eval, name.to_owned())).into());
    assert_eq!(succeeded, 14, "8 benchmark jobs and 6 eval jobs succeeded in the end");
}

#[test]
fn a_jobs_event_and_its_artifact_share_the_result_name() {
    let run = run(NEW);
    for (path, event) in files(&run, &["job_event.json"]) {
        if event["outcome"] == "success" {
            let kind = if event["eval_only"] == true { "eval" } else { "bmk_agentic" };
            let artifact = format!("attempt-{}/{kind}_{}/", attempt(&path), event["result_filename"].as_str().unwrap());
            assert!(run.files.iter().any(|file| file.path.starts_with(&artifact)), "{artifact}");
        }
    }
}

#[test]
fn rows_state_no_more_than_the_discussion_does() {
    let new = all_leaves(&files(&run(NEW), &["/bmk_agentic_"]));
    let mut expected = set(&IDENTITY);
    expected.insert("request_metrics.throughput.per_gpu.total_tput_tps".to_owned());
    let mut with_latency = expected.clone();
    with_latency.insert("request_metrics.latency.e2el.p75".to_owned());
    with_latency.insert("request_metrics.latency.e2el.p90".to_owned());
    assert_eq!(new, with_latency);

    let old = files(&run(OLD), &["bmk_agentic_"]);
    expected.insert("warnings".to_owned());
    assert_eq!(all_leaves(&old), expected, "the older run states no latency");
    for (path, row) in &old {
        assert_eq!(
            row["warnings"],
            serde_json::json!(["tput_per_gpu derived from the change against run 41261902147 stated to 0.1 %"]),
            "{path}"
        );
        assert_eq!(row["image"], "lmsysorg/sglang:nightly-dev-cu13-20261029-c10e0e17", "told without a digest");
    }
    assert!(files(&run(OLD), &["eval"]).is_empty(), "of its evals only the range is told");
}

#[test]
fn run_payloads_state_no_more_than_the_discussion_does() {
    let payload = ["id", "html_url", "repository.full_name", "pull_requests.number", "pull_requests.user.login", "head_sha", "created_at"];
    let old = json(&run(OLD), "run.json");
    let mut keys = BTreeSet::new();
    leaves(&old, "", &mut keys);
    assert_eq!(keys, set(&payload));
    assert_eq!((&old["head_sha"], &old["created_at"]), (&"9bd047ac7".into(), &"2026-10-29".into()));

    let new = json(&run(NEW), "run.json");
    let mut keys = BTreeSet::new();
    leaves(&new, "", &mut keys);
    let mut expected = set(&payload);
    expected.extend(set(&["name", "event", "status", "conclusion", "run_attempt"]));
    assert_eq!(keys, expected);
    assert_eq!(new["head_sha"], "41d29b2834a85fcee09db6f9f52653b7c2f30ef3");
    assert_eq!((&new["created_at"], &new["run_attempt"]), (&"2026-11-01".into(), &2.into()));
    assert_eq!((&new["event"], &new["conclusion"]), (&"pull_request".into(), &"success".into()));
    for run in [&old, &new] {
        assert_eq!(run["pull_requests"][0]["number"], 4603);
        assert_eq!(run["pull_requests"][0]["user"]["login"], "PR author", "people by their role");
    }
}

#[test]
fn every_artifact_listed_is_there() {
    let run = run(NEW);
    let listing = json(&run, "artifacts.json");
    let artifacts = listing["artifacts"].as_array().unwrap();
    assert_eq!(listing["total_count"], artifacts.len());
    assert_eq!(artifacts.len(), 8 + 6 + 1);
    for artifact in artifacts {
        assert_eq!(artifact["expires_at"], "2027-01-30");
        let folder = format!("/{}/", artifact["name"].as_str().unwrap());
        assert!(run.files.iter().any(|file| file.path.contains(&folder)), "{folder}");
    }
}
