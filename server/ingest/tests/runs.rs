//! Which run, which attempt, which upload: told by the caller, the payload, the listing or the folders.
#![expect(clippy::indexing_slicing, reason = "a test fails by panicking")]

mod common;

use common::{as_run, fixed_row, one, put, reasons, try_read, words, zip_of};
use paretoscope_domain::merge::{VersionRef, points};
use paretoscope_domain::run::{Family, Reading};
use paretoscope_domain::{Attempt, Kind, RunId};
use paretoscope_ingest::{IngestError, Options, Progress, read};
use serde_json::json;

fn row(conc: u32, tput: f64) -> String {
    let mut row = fixed_row(conc);
    row["tput_per_gpu"] = json!(tput);
    row.to_string()
}

#[test]
fn the_caller_the_payload_and_the_folder_tell_the_run() {
    let dir = tempfile::tempdir().unwrap();
    put(dir.path(), "555000111222/bmk_x/agg_x.json", row(1, 1.0));
    let folder = dir.path().join("555000111222");
    assert_eq!(one(&folder, &Options::default()).run_id, RunId::new(555_000_111_222).unwrap());
    put(
        dir.path(),
        "555000111222/run.json",
        json!({"id": 42, "event": "pull_request", "html_url": "https://github.com/o/r/actions/runs/42"}).to_string(),
    );
    let batch = one(&folder, &Options::default());
    assert_eq!((batch.run_id.get(), batch.facts.kind, batch.facts.html_url.is_some()), (42, Kind::Unofficial, true));
    let batch = one(&folder, &Options { kind: Some(Kind::Staged), ..as_run(7) });
    assert_eq!((batch.run_id.get(), batch.facts.kind), (7, Kind::Staged));
    assert_eq!((batch.facts.html_url, batch.facts.event.as_deref()), (None, Some("pull_request")), "another run's page is not kept");
    put(dir.path(), "elsewhere.json", json!({"databaseId": 43, "headSha": "abcdef1"}).to_string());
    let batch = one(&folder, &Options { run_json: Some(dir.path().join("elsewhere.json")), ..Options::default() });
    assert_eq!((batch.run_id.get(), batch.facts.head_sha.as_deref()), (43, Some("abcdef1")));
    let bad = Options { run_json: Some(folder.join("bmk_x/agg_x.json")), ..Options::default() };
    assert!(matches!(try_read(&folder, &bad), Err(IngestError::BadRunJson { .. })));
}

#[test]
fn two_payloads_are_two_runs() {
    let dir = tempfile::tempdir().unwrap();
    for (name, id) in [("a", 41), ("b", 42)] {
        put(dir.path(), &format!("{name}/run.json"), json!({"id": id}).to_string());
        put(dir.path(), &format!("{name}/artifacts/bmk_x/agg_x.json"), row(1, 1.0));
    }
    let batches = try_read(dir.path(), &Options::default()).unwrap();
    assert_eq!(batches.iter().map(|b| (b.run_id.get(), b.points.len())).collect::<Vec<_>>(), [(41, 1), (42, 1)]);
    let error = try_read(dir.path(), &as_run(9)).unwrap_err();
    assert!(error.to_string().contains("--run-id names one run, but 2 run folders"), "{error}");
    let paths = [dir.path().join("a"), dir.path().join("b")];
    assert!(matches!(read(&paths, &as_run(9), &words(), &mut |_| {}), Err(IngestError::SeveralRuns { .. })));
}

#[test]
fn a_folder_may_be_called_like_an_artifact() {
    let dir = tempfile::tempdir().unwrap();
    for (run, name) in [(700_000_000_001_i64, "results_today"), (700_000_000_002, "bmk_all")] {
        put(dir.path(), &format!("{name}/{run}/bmk_x/agg_x.json"), row(1, 1.0));
        put(dir.path(), &format!("{name}/{run}/results_bmk/agg_bmk.json"), "[]");
        assert_eq!(one(&dir.path().join(name), &Options::default()).run_id.get(), run);
    }
    put(dir.path(), "eval_mine/bmk_x/agg_x.json", row(1, 1.0));
    assert_eq!(one(&dir.path().join("eval_mine"), &as_run(3)).points[0].point.artifact, "bmk_x");
}

#[test]
fn several_files_may_be_one_run() {
    let dir = tempfile::tempdir().unwrap();
    zip_of(&dir.path().join("bmk_a.zip"), &[("agg_a.json", row(1, 1.0).as_bytes())]);
    put(dir.path(), "one.json", row(2, 1.0));
    let paths = [dir.path().join("bmk_a.zip"), dir.path().join("one.json")];
    let mut seen = Vec::new();
    let batches = read(&paths, &as_run(9), &words(), &mut |p| {
        seen.push(match p {
            Progress::Found { artifacts } => format!("found {artifacts}"),
            Progress::Reading { artifact, done, of } => format!("{artifact} {done}/{of}"),
        });
    })
    .unwrap();
    assert_eq!((batches.len(), batches[0].points.len()), (1, 2));
    assert_eq!(seen, ["found 2", "bmk_a 0/2", "one 1/2"]);
}

#[test]
fn attempts_and_uploads() {
    let dir = tempfile::tempdir().unwrap();
    put(dir.path(), "attempt-1/bmk_x/agg_x.json", row(1, 1.0));
    put(dir.path(), "attempt-2/bmk_x/agg_x.json", row(1, 2.0));
    put(
        dir.path(),
        "artifacts.json",
        json!({"total_count": 3, "artifacts": [
            {"id": 2, "name": "bmk_x", "created_at": "2026-11-02T00:00:00Z", "expires_at": "2027-01-30T00:00:00Z", "digest": "sha256:02"},
            {"id": 1, "name": "bmk_x", "created_at": "2026-11-01T00:00:00Z", "digest": "sha256:01"},
            {"id": 3, "name": "gpu_metrics_x", "size_in_bytes": 99, "created_at": "2026-11-01T00:00:00Z"}]})
        .to_string(),
    );
    let batch = one(dir.path(), &as_run(1));
    let told: Vec<_> =
        batch.points.iter().map(|r| (r.point.attempt.map(Attempt::get), r.upload.artifact_id, r.point.metric("tput_per_gpu"))).collect();
    assert_eq!(told, [(Some(1), Some(1), Some(1.0)), (Some(2), Some(2), Some(2.0))]);
    assert!(batch.points.iter().all(|r| r.upload.uploaded_at.is_some()));
    assert!(points(&[], &batch.points).superseded.contains(&(VersionRef::Incoming(0), true)));
    assert_eq!(batch.artifacts[1].digest.as_deref(), Some("sha256:02"));
    assert_eq!(batch.artifacts[1].expires_at.as_deref(), Some("2027-01-30T00:00:00Z"));
    let absent = batch.artifacts.iter().find(|a| a.name == "gpu_metrics_x").unwrap();
    assert_eq!((absent.family, absent.reading, absent.size, absent.files.len()), (Family::GpuMetrics, Reading::Listed, 99, 0));
    assert_eq!(absent.pairs_with.as_deref(), Some("x"));

    let batch = one(&dir.path().join("attempt-2"), &Options { attempt: Attempt::new(5), ..as_run(1) });
    assert_eq!(batch.points[0].point.attempt, Attempt::new(5));
}

#[test]
fn zips_of_one_name_are_told_apart_by_their_digest() {
    let dir = tempfile::tempdir().unwrap();
    let (old, new) = (dir.path().join("bmk_x (1).zip"), dir.path().join("bmk_x.zip"));
    zip_of(&new, &[("agg_x.json", row(1, 2.0).as_bytes())]);
    zip_of(&old, &[("agg_x.json", row(1, 1.0).as_bytes())]);
    let unlisted = one(dir.path(), &as_run(1));
    let digest = |copy: f64| {
        let i = unlisted.points.iter().position(|r| r.point.metric("tput_per_gpu") == Some(copy)).unwrap();
        unlisted.artifacts[i].digest.clone().unwrap()
    };
    let listing = json!({"artifacts": [
        {"id": 1, "name": "bmk_x", "created_at": "2026-11-01T00:00:00Z", "run_attempt": 1, "digest": digest(1.0)},
        {"id": 2, "name": "bmk_x", "created_at": "2026-11-02T00:00:00Z", "run_attempt": 2, "digest": digest(2.0)}]});
    put(dir.path(), "artifacts.json", listing.to_string());
    let batch = one(dir.path(), &as_run(1));
    let told: Vec<_> = batch.points.iter().map(|r| (r.point.attempt.map(Attempt::get), r.point.metric("tput_per_gpu"))).collect();
    assert_eq!(told, [(Some(1), Some(1.0)), (Some(2), Some(2.0))]);
}

#[test]
fn folders_named_by_artifact_ids() {
    let dir = tempfile::tempdir().unwrap();
    put(dir.path(), "8800/agg_x.json", row(1, 1.0));
    zip_of(&dir.path().join("8801.zip"), &[("agg_y.json", row(2, 1.0).as_bytes())]);
    put(dir.path(), "artifacts.json", json!({"artifacts": [{"id": 8800, "name": "bmk_x"}, {"id": 8801, "name": "bmk_y"}]}).to_string());
    let batch = one(dir.path(), &as_run(1));
    assert_eq!(batch.points.iter().map(|r| r.point.artifact.as_str()).collect::<Vec<_>>(), ["bmk_x", "bmk_y"]);
}

#[test]
fn what_an_artifact_is_is_told_by_content_where_its_name_says_nothing() {
    let dir = tempfile::tempdir().unwrap();
    zip_of(&dir.path().join("download (3).zip"), &[("deep/er/agg_bmk.json", format!("[{}]", row(1, 1.0)).as_bytes())]);
    put(dir.path(), "mystery/x.json", row(2, 1.0));
    put(dir.path(), "mystery/stats.json", json!({"b200": {"n_success": 1, "total": 2}}).to_string());
    put(dir.path(), "reused-ingest-metadata/reuse_source_run.json", json!({"source_run_id": "77", "source_run_attempt": 1}).to_string());
    let batch = one(dir.path(), &as_run(1));
    assert_eq!(batch.points.len(), 2);
    assert_eq!(batch.artifacts[0].name, "download");
    assert_eq!(batch.run_stats.as_ref().map(Vec::len), Some(1));
    assert_eq!(batch.reuse.as_ref().and_then(|r| r.source_run_id).map(RunId::get), Some(77));
    assert!(reasons(&batch).is_empty());
}

#[test]
fn evals_that_came_to_nothing_are_skipped_and_listed() {
    let dir = tempfile::tempdir().unwrap();
    put(dir.path(), "eval_x/meta_env.json", json!({"hw": "b200", "conc": 1}).to_string());
    put(dir.path(), "eval_x/samples_gsm8k.jsonl", "{}\n");
    put(dir.path(), "eval_y/meta_env.json", json!({"hw": "b200", "conc": 1}).to_string());
    put(dir.path(), "eval_y/results.json", json!({"results": {"t": {"bleu": 1}}}).to_string());
    put(dir.path(), "eval_z/meta_env.json", "{");
    put(dir.path(), "eval_z/results.json", json!({"results": {"t": {"acc,none": 1}}}).to_string());
    let batch = one(dir.path(), &as_run(1));
    assert_eq!((batch.tallies.eval_skipped, batch.tallies.eval_failed, batch.evals.len()), (2, 1, 0));
    assert_eq!(reasons(&batch), ["bad_json", "missing_identity"]);
    let reading = |name: &str| batch.artifacts.iter().find(|a| a.name == name).unwrap().reading;
    assert_eq!((reading("eval_x"), reading("eval_y")), (Reading::NotReadYet, Reading::Listed));
}

#[test]
fn a_run_of_three_hundred_artifacts() {
    let dir = tempfile::tempdir().unwrap();
    for i in 1..=300_u32 {
        zip_of(&dir.path().join(format!("bmk_job{i}_r.zip")), &[(&format!("agg_job{i}_r.json"), row(i, 1.0).as_bytes())]);
    }
    let batch = one(dir.path(), &as_run(1));
    assert_eq!((batch.points.len(), batch.artifacts.len(), batch.tallies.benchmark_files), (300, 300, 300));
    let mut ids: Vec<_> = batch.points.iter().map(|r| r.point.id.clone()).collect();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 300);
}
