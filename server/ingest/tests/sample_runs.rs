//! The bundled reference runs take the same way in as any other run.
#![expect(clippy::indexing_slicing, reason = "a test fails by panicking")]

mod common;

use common::{one, try_read, workspace};
use paretoscope_domain::Attempt;
use paretoscope_domain::batch::Origin;
use paretoscope_domain::point::{Status, reason};
use paretoscope_domain::run::Reading;
use paretoscope_ingest::Options;

#[test]
fn the_run_of_two_attempts() {
    let batch = one(&workspace().join("sample/runs/41261902147"), &Options::default());
    assert!(batch.quarantine.is_empty(), "{:?}", batch.quarantine);
    let mut points: Vec<(u32, u32)> = batch.points.iter().map(|r| (r.point.conc, r.point.attempt.unwrap().get())).collect();
    points.sort_unstable();
    assert_eq!(points, [(1, 1), (4, 1), (16, 1), (16, 2), (32, 1), (64, 2), (128, 2), (160, 1)]);
    assert!(batch.points.iter().all(|r| r.upload.origin == Origin::PerJob && r.point.reasons.is_empty()));
    assert!(batch.points.iter().all(|r| r.point.config_key.as_deref() == Some("dsv41flash-fp4-gb300-sglang-agentic-dspark")));
    assert!(batch.points.iter().all(|r| r.point.image_digest.is_some() && r.point.metrics.contains_key("p90_e2el")));

    let per_job = batch.evals.iter().filter(|e| e.upload.origin == Origin::PerJob).count();
    assert_eq!((per_job, batch.evals.len()), (6, 12));
    assert!(
        batch
            .evals
            .iter()
            .all(|e| e.record.n == Some(1319.0) && e.record.task == "gsm8k" && e.record.score_name.as_deref() == Some("em_strict"))
    );
    let plan = paretoscope_domain::merge::evals(&[], &batch.evals);
    assert_eq!(plan.inserts.len(), 6, "collected rows and job files are the same six");

    let failed = |eval: bool| {
        batch
            .jobs
            .iter()
            .filter(|j| j.outcome.as_deref() == Some("failure") && j.eval_only == Some(eval))
            .map(|j| j.attempt)
            .collect::<Vec<_>>()
    };
    assert_eq!((failed(false), failed(true)), (vec![Attempt::new(1); 3], vec![Attempt::new(1); 2]));
    assert!(batch.jobs.iter().all(|j| j.golden_acceptance_length.as_deref().is_none_or(|g| g == "3.51")));
    assert!(batch.jobs.iter().any(|j| j.title == "TP2/EP2/DPA c64"));

    let facts = &batch.facts;
    assert_eq!((facts.pr_number, facts.date.as_deref(), facts.created_at), (Some(4603), Some("2026-11-01"), None));
    assert_eq!((facts.attempt, facts.head_sha.as_deref()), (Attempt::new(2), Some("41d29b2834a85fcee09db6f9f52653b7c2f30ef3")));
    assert!(!facts.synthetic);
    assert!(batch.artifacts.iter().filter(|a| a.name.starts_with("bmk_")).all(|a| a.expires_at.as_deref() == Some("2027-01-30")));
    assert!(batch.artifacts.iter().all(|a| a.reading == Reading::Read && a.digest.is_some()), "all fifteen listed ones are here");
    assert!(batch.artifacts.iter().filter(|a| a.name.starts_with("eval_dsv")).all(|a| a.pairs_with.is_some()));
}

#[test]
fn both_runs_at_once() {
    let batches = try_read(&workspace().join("sample/runs"), &Options::default()).unwrap();
    assert_eq!(batches.iter().map(|b| (b.run_id.get(), b.points.len())).collect::<Vec<_>>(), [(40_809_149_952, 8), (41_261_902_147, 8)]);
    assert!(batches[0].points.iter().all(|r| r.point.attempt.is_none()));
    assert_eq!(batches[0].facts.head_sha.as_deref(), Some("9bd047ac7"));
    assert!(batches[0].points.iter().all(|r| !r.point.notes.is_empty()), "the rows' own warnings");
}

#[test]
fn an_attempt_or_an_artifact_by_itself_knows_its_run() {
    let root = workspace().join("sample/runs/41261902147");
    let attempt = one(&root.join("attempt-2"), &Options::default());
    assert_eq!((attempt.run_id.get(), attempt.points.len(), attempt.facts.pr_number), (41_261_902_147, 3, Some(4603)));
    assert!(attempt.points.iter().all(|r| r.point.attempt == Attempt::new(2)));
    let eval = one(&root.join("attempt-1/eval_dsv41flash_tp4_conc1_spec-mtp_fp4_sglang_gb300"), &Options::default());
    assert_eq!((eval.evals.len(), eval.evals[0].record.attempt), (1, Attempt::new(1)));
}

#[test]
fn the_synthetic_history_lands_whole() {
    let dir = tempfile::tempdir().expect("a scratch folder");
    let runs = paretoscope_sample::synthetic_runs();
    paretoscope_sample::write_to(dir.path(), &runs).expect("the history is written");
    let batches = try_read(dir.path(), &Options::default()).expect("the history is read");
    assert_eq!(batches.len(), runs.len());
    for batch in &batches {
        assert!(batch.quarantine.is_empty(), "{}: {:?}", batch.run_id, batch.quarantine);
        assert!(batch.facts.synthetic && !batch.points.is_empty(), "{}", batch.run_id);
        assert!(batch.facts.head_sha.is_none() && batch.facts.pr_number.is_none() && batch.facts.html_url.is_none());
    }
    let with = |code: &str| batches.iter().flat_map(|b| &b.points).filter(|r| r.point.reasons.iter().any(|x| x == code)).count();
    let failed = batches.iter().flat_map(|b| &b.points).filter(|r| r.point.status == Status::Failed).count();
    assert!(failed >= 3 && with(reason::HIGH_FAILURE) >= 1, "{failed} failed");
}
