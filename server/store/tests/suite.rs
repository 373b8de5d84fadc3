//! One suite, both databases: every case runs on an SQLite file and on a throw-away PostgreSQL.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

#[path = "suite/databases.rs"]
mod databases;
#[path = "suite/factories.rs"]
mod factories;
#[path = "suite/review.rs"]
mod review;

use std::pin::pin;
use std::task::Poll;

use databases::{Db, words};
use factories::*;
use paretoscope_domain::batch::RunBatch;
use paretoscope_domain::report::{Quarantined, Tally};
use paretoscope_domain::run::{DEFAULT_REPO, RunFacts, RunStat};
use paretoscope_domain::{Attempt, Kind};
use paretoscope_store::{Severity, Store, StoreError};
use review::*;

macro_rules! cases {
    ($($case:ident),* $(,)?) => {
        mod sqlite {
            $(#[test] fn $case() { super::databases::with_sqlite(super::$case); })*
        }
        mod postgres {
            $(#[test] fn $case() { super::databases::with_postgres(super::$case); })*
        }
    };
}

cases!(
    the_same_again_changes_nothing,
    everything_comes_back,
    numbers_come_back_to_the_last_digit,
    attempts_are_versions,
    an_attempt_that_becomes_known,
    a_corrected_artifact_takes_the_place_of_what_it_corrects,
    failed_points_are_kept_and_counted,
    collected_rows_are_covered,
    quarantine_comes_back,
    a_kind_is_never_lowered_by_an_ingest,
    a_kind_is_set_with_who_when_and_why,
    staging_again_refreshes_and_the_whole_ladder_is_kept,
    purge_and_restore,
    a_failure_in_the_middle_leaves_the_state_before,
    an_ingest_that_is_given_up_leaves_the_state_before,
    ingests_side_by_side,
    labels_and_order,
    runs_newest_first_with_baselines,
    artifacts_stay_and_gain,
    the_changelog_may_come_after_the_rows,
    a_missing_metric_and_a_present_one_share_a_statement,
    the_probe_and_the_listener_hear_of_changes,
    the_doctor_finds_what_is_wrong,
    summaries_are_computed_again,
    backup,
    a_database_without_tables_says_what_to_do,
    repository_states_are_kept_by_commit,
    a_short_commit_becomes_a_whole_one,
    the_main_branch_is_none_of_a_pull_requests,
    pulls_are_merged,
    cookbook_states_are_kept,
    the_last_good_cookbook_state_stays,
    facts_of_artifacts_are_replaced_by_their_next_reading,
    facts_gain_their_attempt,
    a_fact_keeps_its_point,
    stated_facts_may_come_before_the_run,
    a_database_of_the_first_step_is_brought_up_to_date,
);

async fn apply(store: &Store, batch: RunBatch) -> paretoscope_domain::report::IngestReport {
    store.apply(batch, at(0)).await.unwrap()
}

async fn the_same_again_changes_nothing(db: Db) {
    let store = &db.store;
    assert!(store.is_empty().await.unwrap());
    let mut quiet = batch(1);
    quiet.quarantine = vec![];
    let first = apply(store, quiet.clone()).await;
    assert_eq!(first.rows.benchmark, Some(Tally { new: 3, ..Tally::default() }));
    assert_eq!(first.rows.eval, Some(Tally { new: 2, ..Tally::default() }));
    assert_eq!((first.rows.trace, first.rows.power), (None, None));
    assert_eq!((first.counts.raw_benchmark_rows, first.counts.benchmark_files), (3, 3));
    assert_eq!((first.counts.run_stats_new, first.counts.run_stats_duplicate), (1, 0));
    assert_eq!(first.counts.changelog_entries_written, 2);
    assert!(first.rows_changed > 10);
    let before = store.detail(id(1)).await.unwrap().unwrap();

    for second in 1..4 {
        let again = store.apply(quiet.clone(), at(second)).await.unwrap();
        assert_eq!(again.rows_changed, 0);
        assert_eq!(again.rows.benchmark, Some(Tally { duplicate: 3, ..Tally::default() }));
        assert_eq!(again.rows.eval, Some(Tally { duplicate: 2, ..Tally::default() }));
        assert_eq!((again.counts.run_stats_new, again.counts.run_stats_duplicate), (0, 1));
        assert_eq!((again.counts.changelog_entries_written, again.counts.raw_benchmark_rows), (0, 3));
        assert_eq!(store.report(id(1)).await.unwrap(), Some(again));
    }
    let mut after = store.detail(id(1)).await.unwrap().unwrap();
    assert_eq!(after.run.ingested_at, Some(at(3)));
    after.run.ingested_at = before.run.ingested_at;
    after.report = before.report.clone();
    assert_eq!(after, before);
    assert_eq!(db.number("SELECT COUNT(*) FROM ingest_reports").await, 2, "idle ingests in a row share a row");
}

async fn everything_comes_back(db: Db) {
    let told = batch(1);
    apply(&db.store, told.clone()).await;
    let detail = db.store.detail(id(1)).await.unwrap().unwrap();
    let run = &detail.run;
    assert_eq!((run.point_count, run.failed_count, run.eval_count, run.eval_passing), (3, 0, 2, 1));
    assert_eq!(run.config_keys, ["a", "shared", "b"]);
    assert_eq!((run.models.clone(), run.scenarios.clone()), (vec!["dsv41flash".to_owned()], vec!["agentic-traces".to_owned()]));
    assert_eq!((run.repo.as_str(), run.attempt, run.curves.len(), run.images.len()), (DEFAULT_REPO, Attempt::new(1), 1, 1));
    assert_eq!(run.html_url.as_deref(), Some("https://github.com/SemiAnalysisAI/InferenceX/actions/runs/1"));
    assert_eq!(run.commit_url.as_deref(), Some("https://github.com/SemiAnalysisAI/InferenceX/commit/97e9f3c"));
    assert_eq!(run.pr_url.as_deref(), Some("https://github.com/SemiAnalysisAI/InferenceX/pull/4603"));
    let attempt = &run.attempt_details[0];
    assert_eq!((attempt.point_count, attempt.eval_count, attempt.failed_jobs), (3, 2, 1));
    assert_eq!(attempt.conclusion.as_deref(), Some("success"));
    assert_eq!(attempt.html_url.as_deref(), Some("https://github.com/SemiAnalysisAI/InferenceX/actions/runs/1/attempts/1"));
    assert_eq!((detail.artifacts, detail.jobs), (told.artifacts, told.jobs));
    assert_eq!((detail.changelog, detail.run_stats), (told.changelog[..2].to_vec(), told.run_stats.unwrap()));
    assert_eq!(db.store.facts(id(1)).await.unwrap(), Some(told.facts));
    assert_eq!(db.store.run(id(1)).await.unwrap(), Some(db.store.runs().await.unwrap()[0].clone()));
    let raw = db.store.raw_point(id(1), &told.points[0].point.id).await.unwrap();
    assert_eq!((raw.len(), &raw[0].raw, &raw[0].file), (1, &told.points[0].raw, &told.points[0].point.file));
    let stored = &db.store.evals(id(1)).await.unwrap()[0];
    assert_eq!(db.store.raw_eval(id(1), &stored.id).await.unwrap()[0].raw, "{\"é\":1}");
    assert_eq!(db.store.changelogs().await.unwrap().len(), 2);
    for nothing in [db.store.run(id(2)).await.unwrap().is_none(), db.store.detail(id(2)).await.unwrap().is_none()] {
        assert!(nothing);
    }

    let mut synthetic = batch(9);
    synthetic.facts.synthetic = true;
    apply(&db.store, synthetic).await;
    let run = db.store.run(id(9)).await.unwrap().unwrap();
    assert_eq!((run.synthetic, run.html_url, run.commit_url, run.pr_url), (true, None, None, None));
}

async fn numbers_come_back_to_the_last_digit(db: Db) {
    let odd = [0.1 + 0.2, 1.0 / 3.0, 5e-324, f64::MAX, 123_456_789.123_456_79, 2f64.powi(60) + 256.0, -0.0, 33_400.0];
    let mut told = batch(1);
    for (i, value) in odd.into_iter().enumerate() {
        told.points[0].point.metrics.insert(format!("metric_{i}"), value);
    }
    told.points[0].point.metrics.insert("median_ttft".into(), odd[0]);
    let metrics = told.points[0].point.metrics.clone();
    told.points[0].point.metrics.insert("not_a_number".into(), f64::NAN);
    told.evals[0].record.score = Some(0.1 + 0.7);
    let record = told.evals[0].record.clone();
    apply(&db.store, told.clone()).await;
    let back = db.store.points(id(1)).await.unwrap();
    assert_eq!(back[0].metrics, metrics, "and what is no number was not measured");
    assert_eq!(db.store.evals(id(1)).await.unwrap().iter().find(|e| e.record.conc == Some(16)).unwrap().record, record);
    assert_eq!(
        db.number(
            "SELECT COUNT(*) FROM points WHERE median_ttft = 0.1::float8 + 0.2::float8"
                .replace("::float8", if db.is_sqlite { "" } else { "::float8" })
                .as_str()
        )
        .await,
        1
    );
    assert_eq!(apply(&db.store, told).await.rows_changed, 0);
}

async fn attempts_are_versions(db: Db) {
    apply(&db.store, batch(1)).await;
    let mut second = RunBatch::new(id(1), RunFacts { attempt: Attempt::new(2), ..facts() });
    let mut rerun = row(point(1, 4, 1, 150.0));
    rerun.point.attempt = Attempt::new(2);
    rerun.point.artifact = "bmk_rerun".into();
    second.points = vec![rerun.clone()];
    let mut eval_rerun = eval(1, 2, 32, Some(0.98));
    eval_rerun.record.attempt = Attempt::new(2);
    eval_rerun.record.artifact = "eval_rerun".into();
    second.evals = vec![eval_rerun];
    let report = apply(&db.store, second.clone()).await;
    assert_eq!(report.rows.benchmark.unwrap().new, 1);

    let versions: Vec<_> = db.store.points(id(1)).await.unwrap().into_iter().filter(|p| p.id == rerun.point.id).collect();
    assert_eq!(versions.len(), 2);
    assert_eq!((versions[0].attempt, versions[0].superseded), (Attempt::new(2), false));
    assert_eq!((versions[1].attempt, versions[1].superseded), (Attempt::new(1), true));
    assert_eq!(versions[0].label, versions[1].label);
    let run = db.store.run(id(1)).await.unwrap().unwrap();
    assert_eq!((run.attempt, run.attempts.len(), run.point_count), (Attempt::new(2), 2, 3));
    assert_eq!(run.attempt_details.iter().map(|a| a.point_count).collect::<Vec<_>>(), [2, 1]);
    assert_eq!((run.attempt_details[0].conclusion.clone(), run.attempt_details[1].conclusion.as_deref()), (None, Some("success")));
    assert_eq!((run.eval_count, run.eval_passing), (2, 2), "the rerun eval counts");
    let raw = db.store.raw_point(id(1), &rerun.point.id).await.unwrap();
    assert_eq!(raw.iter().map(|v| v.superseded).collect::<Vec<_>>(), [false, true]);
    assert_eq!(apply(&db.store, second).await.rows_changed, 0);
    assert_eq!(apply(&db.store, batch(1)).await.rows_changed, 0, "the first attempt again, after the second");
}

async fn an_attempt_that_becomes_known(db: Db) {
    let mut unknown = batch(1);
    for row in &mut unknown.points {
        row.point.attempt = None;
    }
    apply(&db.store, unknown.clone()).await;
    let known = apply(&db.store, batch(1)).await;
    assert_eq!(known.counts.replaced, 3);
    assert!(db.store.points(id(1)).await.unwrap().iter().all(|p| p.attempt == Attempt::new(1)));
    assert_eq!(apply(&db.store, unknown.clone()).await.rows_changed, 0);
    unknown.points[0].point.metrics.insert("tput_per_gpu".into(), 101.0);
    assert_eq!(apply(&db.store, unknown).await.counts.replaced, 1);
    assert!(db.store.points(id(1)).await.unwrap().iter().all(|p| p.attempt == Attempt::new(1)), "a correction keeps it");
}

async fn a_corrected_artifact_takes_the_place_of_what_it_corrects(db: Db) {
    apply(&db.store, batch(1)).await;
    let mut corrected = batch(1);
    corrected.points[0] = row(point(1, 4, 1, 111.0));
    corrected.evals[1] = eval(1, 2, 32, Some(0.96));
    let report = apply(&db.store, corrected.clone()).await;
    assert_eq!((report.counts.replaced, report.counts.eval_replaced), (1, 1));
    assert_eq!(report.rows.benchmark, Some(Tally { duplicate: 2, ..Tally::default() }));
    assert_eq!(report.counts.raw_benchmark_rows, 3);
    let points = db.store.points(id(1)).await.unwrap();
    assert_eq!((points.len(), points[0].metric("tput_per_gpu")), (3, Some(111.0)));
    assert_eq!(db.store.run(id(1)).await.unwrap().unwrap().eval_passing, 2);
    assert_eq!(apply(&db.store, corrected).await.rows_changed, 0);
}

async fn failed_points_are_kept_and_counted(db: Db) {
    let mut told = batch(1);
    told.points[1] = failed(told.points[1].clone());
    told.points[0].point.metrics.insert("avg_power_w".into(), 700.0);
    told.tallies.benchmark_unmapped = 2;
    told.tallies.benchmark_failed = 1;
    told.tallies.eval_skipped = 10;
    let report = apply(&db.store, told.clone()).await;
    assert_eq!(report.rows.benchmark, Some(Tally { new: 2, skipped: 1, unmapped: 2, failed: 1, duplicate: 0 }));
    assert_eq!((report.counts.failed_run_rows, report.counts.raw_benchmark_rows), (1, 6));
    assert_eq!((report.counts.power_publication_points, report.rows.eval.unwrap().skipped), (1, 10));
    let run = db.store.run(id(1)).await.unwrap().unwrap();
    assert_eq!((run.point_count, run.failed_count), (2, 1));
    let totals = db.store.counts().await.unwrap();
    assert_eq!((totals.runs, totals.points, totals.evals, totals.failed_points), (1, 2, 2, 1));

    // A newer attempt that failed never takes the place of one that did not.
    let mut rerun = failed(row(point(1, 4, 1, 0.0)));
    rerun.point.attempt = Attempt::new(2);
    let mut second = RunBatch::new(id(1), facts());
    second.points = vec![rerun];
    apply(&db.store, second).await;
    assert_eq!(db.store.run(id(1)).await.unwrap().unwrap().point_count, 2);
    assert_eq!(apply(&db.store, told).await.rows_changed, 0);
}

async fn collected_rows_are_covered(db: Db) {
    let mut told = batch(1);
    let also: Vec<_> = told.points.iter().zip(0..).map(|(row, i)| collected(row, i)).collect();
    told.points.extend(also.clone());
    let report = apply(&db.store, told.clone()).await;
    assert_eq!((report.counts.covered_by_per_job_files, report.rows.benchmark.unwrap().new), (3, 3));
    assert_eq!(report.counts.raw_benchmark_rows, 6);
    let mut only_collected = RunBatch::new(id(1), facts());
    only_collected.points = also;
    let report = apply(&db.store, only_collected).await;
    assert_eq!((report.counts.covered_by_per_job_files, report.rows_changed), (3, 0));
    assert_eq!(db.store.points(id(1)).await.unwrap().len(), 3);
}

async fn quarantine_comes_back(db: Db) {
    let mut told = batch(1);
    told.quarantine = vec![Quarantined {
        artifact: "bmk_x".into(),
        file: "é.json".into(),
        row: Some(3),
        reason: "not_a_number".into(),
        detail: "tput_per_gpu is \"fast\"".into(),
    }];
    let report = apply(&db.store, told.clone()).await;
    assert_eq!(report.quarantine, told.quarantine);
    assert_eq!(db.store.report(id(1)).await.unwrap(), Some(report));
}

async fn a_kind_is_never_lowered_by_an_ingest(db: Db) {
    let mut official = batch(1);
    official.facts.kind = Kind::Official;
    apply(&db.store, official).await;
    assert_eq!(apply(&db.store, batch(1)).await.rows_changed, 0);
    assert_eq!(db.store.run(id(1)).await.unwrap().unwrap().kind, Kind::Official);

    apply(&db.store, batch(2)).await;
    let mut staged = batch(2);
    staged.facts.kind = Kind::Staged;
    staged.facts.synthetic = true;
    apply(&db.store, staged).await;
    let run = db.store.run(id(2)).await.unwrap().unwrap();
    assert_eq!((run.kind, run.synthetic), (Kind::Staged, false), "whether it is synthetic is the first ingest's word");
    assert_eq!(db.store.audit(id(2)).await.unwrap()[0].detail, "unofficial → staged");
}

async fn a_kind_is_set_with_who_when_and_why(db: Db) {
    let store = &db.store;
    assert_eq!(store.set_kind(id(1), Kind::Staged, "why", "ann", at(5)).await.unwrap(), None);
    apply(store, batch(1)).await;
    let version = store.data_version().await.unwrap();
    assert_eq!(store.set_kind(id(1), Kind::Official, "merged", "ann", at(5)).await.unwrap(), Some(Kind::Unofficial));
    assert_eq!(store.data_version().await.unwrap(), version + 1);
    assert_eq!(store.changed_since(version).await.unwrap(), [id(1)]);
    assert_eq!(store.set_kind(id(1), Kind::Official, "again", "bob", at(6)).await.unwrap(), Some(Kind::Official));
    assert_eq!(store.data_version().await.unwrap(), version + 1);
    assert_eq!(store.set_kind(id(1), Kind::Staged, "too early", "bob", at(7)).await.unwrap(), Some(Kind::Official));
    assert_eq!(store.run(id(1)).await.unwrap().unwrap().kind, Kind::Staged);
    let audit = store.audit(id(1)).await.unwrap();
    assert_eq!(audit.len(), 2);
    assert_eq!(
        (audit[0].action.as_str(), audit[0].detail.as_str(), audit[0].reason.as_str(), audit[0].actor.as_str(), audit[0].at),
        ("set-kind", "unofficial → official", "merged", "ann", at(5))
    );
    assert_eq!(store.facts(id(1)).await.unwrap().unwrap().payload, facts().payload, "the payload stays");
}

async fn staging_again_refreshes_and_the_whole_ladder_is_kept(db: Db) {
    let store = &db.store;
    for run in 1..=3 {
        apply(store, batch(run)).await;
        store.set_kind(id(run), Kind::Staged, "look at it", "ann", at(run)).await.unwrap();
    }
    let others = (store.detail(id(1)).await.unwrap(), store.detail(id(3)).await.unwrap());
    let version = store.data_version().await.unwrap();
    assert_eq!(store.set_kind(id(2), Kind::Staged, "rerun done", "bob", at(10)).await.unwrap(), Some(Kind::Staged));
    assert_eq!((store.data_version().await.unwrap(), store.changed_since(version).await.unwrap()), (version + 1, vec![id(2)]));
    assert_eq!((store.detail(id(1)).await.unwrap(), store.detail(id(3)).await.unwrap()), others, "other staged runs stay");

    // An ingest that stages again says so where it brought something, and only there.
    let mut staged = batch(2);
    staged.facts.kind = Kind::Staged;
    assert_eq!(apply(store, staged.clone()).await.rows_changed, 0);
    staged.points.push(row(point(2, 8, 64, 1.0)));
    assert!(apply(store, staged.clone()).await.rows_changed > 0);
    assert_eq!(apply(store, staged).await.rows_changed, 0);

    store.set_kind(id(2), Kind::Official, "merged", "ann", at(11)).await.unwrap();
    store.purge(id(2), "wrong driver", "ann", at(12)).await.unwrap();
    store.restore(id(2), "driver was right", "bob", at(13)).await.unwrap();
    store.purge(id(2), "hung point", "ann", at(14)).await.unwrap();
    let audit: Vec<_> = store.audit(id(2)).await.unwrap().into_iter().map(|a| (a.action, a.detail, a.reason, a.actor)).collect();
    let told = [
        ("set-kind", "unofficial → staged", "look at it", "ann"),
        ("set-kind", "staged again", "rerun done", "bob"),
        ("set-kind", "staged again", "ingested as staged", "ingest"),
        ("set-kind", "staged → official", "merged", "ann"),
        ("purge", "shown → hidden", "wrong driver", "ann"),
        ("restore", "hidden → shown", "driver was right", "bob"),
        ("purge", "shown → hidden", "hung point", "ann"),
    ];
    assert_eq!(audit, told.map(|(a, d, r, w)| (a.to_owned(), d.to_owned(), r.to_owned(), w.to_owned())));
}

async fn purge_and_restore(db: Db) {
    let store = &db.store;
    assert_eq!(store.purge(id(1), "r", "a", at(1)).await.unwrap(), None);
    apply(store, batch(1)).await;
    assert_eq!(store.restore(id(1), "r", "a", at(1)).await.unwrap(), Some(false));
    assert_eq!(store.purge(id(1), "wrong driver", "ann", at(1)).await.unwrap(), Some(true));
    assert_eq!(store.purge(id(1), "again", "ann", at(2)).await.unwrap(), Some(false));
    let purge = store.run(id(1)).await.unwrap().unwrap().purged.unwrap();
    assert_eq!((purge.reason.as_str(), purge.actor.as_str(), purge.at), ("wrong driver", "ann", at(1)));
    assert_eq!(apply(store, batch(1)).await.counts.purged_points, 3);
    assert!(store.run(id(1)).await.unwrap().unwrap().purged.is_some(), "an ingest does not restore");
    assert_eq!(store.restore(id(1), "driver was right", "bob", at(3)).await.unwrap(), Some(true));
    assert_eq!(store.run(id(1)).await.unwrap().unwrap().purged, None);
    assert_eq!(apply(store, batch(1)).await.counts.purged_points, 0);
    assert_eq!(store.audit(id(1)).await.unwrap().iter().map(|a| a.action.as_str()).collect::<Vec<_>>(), ["purge", "restore"]);
}

async fn a_failure_in_the_middle_leaves_the_state_before(db: Db) {
    let store = &db.store;
    apply(store, batch(1)).await;
    let before = (store.detail(id(1)).await.unwrap(), store.data_version().await.unwrap());
    let mut told = batch(1);
    told.facts.kind = Kind::Official;
    told.points[0] = row(point(1, 4, 1, 111.0));
    told.points.push(row(point(1, 8, 64, 1.0)));
    told.evals.push(eval(1, 8, 64, Some(0.99)));
    told.changelog.push(entry("c"));
    // Each table in turn is gone when its rows are to be written; the last ones after all else is.
    for table in ["changelog_entries", "point_bodies", "evals", "run_curves", "ingest_reports"] {
        db.execute(&format!("ALTER TABLE {table} RENAME TO hidden")).await;
        assert!(matches!(store.apply(told.clone(), at(9)).await, Err(StoreError::NotMigrated(_))), "{table}");
        assert!(store.apply(batch(2), at(9)).await.is_err());
        db.execute(&format!("ALTER TABLE hidden RENAME TO {table}")).await;
        assert_eq!((store.detail(id(1)).await.unwrap(), store.data_version().await.unwrap()), before, "{table}");
        assert_eq!(store.run(id(2)).await.unwrap(), None);
    }
    assert!(apply(store, told).await.rows_changed > 0);
    assert!(store.check().await.unwrap().iter().all(|f| f.severity == Severity::Ok));
}

async fn an_ingest_that_is_given_up_leaves_the_state_before(db: Db) {
    let store = &db.store;
    let mut given_up = 0;
    for polls in 1..=30 {
        let mut work = pin!(store.apply(batch(polls), at(0)));
        let mut left = polls;
        let done = std::future::poll_fn(|context| match work.as_mut().poll(context) {
            Poll::Ready(report) => Poll::Ready(Some(report)),
            Poll::Pending if left == 0 => Poll::Ready(None),
            Poll::Pending => {
                left -= 1;
                Poll::Pending
            }
        })
        .await;
        match done {
            Some(report) => {
                report.unwrap();
            }
            // Given up at its last step it may have been committed: then it is all there.
            None => {
                given_up += 1;
                if let Some(run) = store.run(id(polls)).await.unwrap() {
                    assert_eq!((run.point_count, run.eval_count), (3, 2));
                }
            }
        }
    }
    assert!(given_up > 0);
    assert_eq!(apply(store, batch(99)).await.rows.benchmark.unwrap().new, 3, "and nothing is left locked");
    assert!(store.check().await.unwrap().iter().all(|f| f.severity == Severity::Ok));
}

async fn ingests_side_by_side(db: Db) {
    let (here, there) = (db.store.clone(), db.again().await);
    let mut work = Vec::new();
    for n in 1..=12 {
        for store in [&here, &there] {
            let store = store.clone();
            // The same run from two sides, and many runs at once.
            work.push(tokio::spawn(async move { store.apply(batch(n), at(n)).await }));
        }
    }
    let mut new = 0;
    for task in work {
        new += task.await.unwrap().unwrap().rows.benchmark.unwrap().new;
    }
    assert_eq!(new, 36, "each point is new once");
    assert_eq!(here.counts().await.unwrap().points, 36);
    assert_eq!(here.data_version().await.unwrap(), 24 + 1, "24 ingests, and the tables' first summary");
    there.close().await;
}

async fn labels_and_order(db: Db) {
    let mut told = RunBatch::new(id(1), facts());
    let layouts = [
        (4, false, false, 1),
        (4, false, false, 16),
        (2, true, false, 16),
        (2, true, false, 32),
        (2, true, true, 64),
        (2, true, true, 160),
    ];
    for (tp, ep, dpa, conc) in layouts.into_iter().rev() {
        let mut p = point(1, tp, conc, 1.0);
        p.ep = ep.then_some(2);
        p.dp_attention = Some(dpa);
        p.artifact = format!("{tp}{ep}{dpa}{conc}");
        p.id = paretoscope_domain::natural_key::point_id(&p);
        told.points.push(row(p));
    }
    apply(&db.store, told).await;
    let labels: Vec<String> = db.store.points(id(1)).await.unwrap().into_iter().map(|p| p.label).collect();
    assert_eq!(labels, ["TP4 c1", "TP4 c16", "TP2/EP2 c16", "TP2/EP2 c32", "TP2/EP2/DPA c64", "TP2/EP2/DPA c160"]);
}

async fn runs_newest_first_with_baselines(db: Db) {
    let run = |n: i64, kind, pr, date: Option<&str>| {
        let mut told = batch(n);
        told.facts = RunFacts { kind, pr_number: pr, date: date.map(str::to_owned), ..facts() };
        told
    };
    let mut timed = run(6, Kind::Unofficial, None, None);
    timed.facts.created_at = Some("2026-11-02T08:00:00Z".parse().unwrap());
    for told in [
        run(1, Kind::Official, None, Some("2026-10-01")),
        run(2, Kind::Unofficial, Some(7), Some("2026-10-10")),
        run(3, Kind::Official, Some(8), Some("2026-10-20")),
        run(4, Kind::Unofficial, Some(7), Some("2026-11-01")),
        run(5, Kind::Unofficial, Some(9), None),
        timed,
    ] {
        apply(&db.store, told).await;
    }
    let runs = db.store.runs().await.unwrap();
    assert_eq!(runs.iter().map(|r| r.run_id.get()).collect::<Vec<_>>(), [6, 4, 3, 2, 1, 5]);
    let baselines: Vec<_> = runs.iter().map(|r| r.baseline_run_id.map(paretoscope_domain::RunId::get)).collect();
    assert_eq!(baselines, [Some(3), Some(2), Some(1), Some(1), None, None]);
    for run in &runs {
        assert_eq!(db.store.run(run.run_id).await.unwrap().as_ref(), Some(run), "one by one as all at once");
    }
    db.store.purge(id(3), "r", "a", at(0)).await.unwrap();
    assert_eq!(db.store.run(id(6)).await.unwrap().unwrap().baseline_run_id, Some(id(1)));
    assert_eq!(db.store.runs().await.unwrap()[0].baseline_run_id, Some(id(1)));
}

async fn artifacts_stay_and_gain(db: Db) {
    let mut told = batch(1);
    for a in &mut told.artifacts {
        a.attempt = None;
    }
    apply(&db.store, told.clone()).await;
    let mut listed = RunBatch::new(id(1), facts());
    let mut a = artifact("bmk_tp4_c1");
    (a.artifact_id, a.uploaded_at) = (Some(77), Some(at(1)));
    listed.artifacts = vec![a, artifact("server_logs")];
    apply(&db.store, listed).await;
    let artifacts = db.store.artifacts(id(1)).await.unwrap();
    assert_eq!(artifacts.iter().map(|a| a.name.as_str()).collect::<Vec<_>>(), ["bmk_tp4_c1", "bmk_tp4_c16", "server_logs"]);
    assert_eq!((artifacts[0].artifact_id, artifacts[0].attempt), (Some(77), Attempt::new(1)));
    assert_eq!(apply(&db.store, told).await.rows_changed, 0, "the plain folder again takes nothing away");
    let mut stats = RunBatch::new(id(1), facts());
    stats.run_stats =
        Some(vec![RunStat { name: "gb300".into(), n_success: 9, total: 9 }, RunStat { name: "b200".into(), n_success: 1, total: 1 }]);
    assert_eq!(apply(&db.store, stats).await.counts.run_stats_new, 2);
    assert_eq!(db.store.run_stats(id(1)).await.unwrap().iter().map(|s| s.total).collect::<Vec<_>>(), [1, 9]);
}

async fn the_changelog_may_come_after_the_rows(db: Db) {
    apply(&db.store, batch(1)).await;
    let mut told = batch(1);
    for row in &mut told.points {
        row.point.config_key = Some("dsv41flash-gb300".into());
    }
    assert_eq!(apply(&db.store, told.clone()).await.rows_changed, 3);
    assert!(db.store.points(id(1)).await.unwrap().iter().all(|p| p.config_key.as_deref() == Some("dsv41flash-gb300")));
    assert_eq!(apply(&db.store, told).await.rows_changed, 0);
    assert_eq!(apply(&db.store, batch(1)).await.rows_changed, 0);
}

/// sqlx's `Any` mistakes the type of a missing number; a prepared statement remembers the first type it saw.
async fn a_missing_metric_and_a_present_one_share_a_statement(db: Db) {
    let mut told = batch(1);
    told.points[0].point.metrics.remove("p90_e2el");
    told.points[2].point.metrics.remove("tput_per_gpu");
    told.evals = vec![eval(1, 4, 16, None), eval(1, 2, 32, Some(0.5))];
    apply(&db.store, told).await;
    assert_eq!(db.number("SELECT COUNT(*) FROM points WHERE p90_e2el IS NULL OR tput_per_gpu IS NULL").await, 2);
    assert_eq!(db.number("SELECT COUNT(*) FROM points WHERE p90_e2el = 42.0 OR tput_per_gpu = 100.0").await, 2);
    assert_eq!(db.number("SELECT COUNT(*) FROM evals WHERE score IS NULL").await, 1);
    assert_eq!(db.store.run(id(1)).await.unwrap().unwrap().eval_passing, 0);
}

async fn the_probe_and_the_listener_hear_of_changes(db: Db) {
    let mut probe = db.store.change_probe();
    assert!(probe.may_have_changed(), "the first look says yes");
    assert_eq!(probe.may_have_changed(), !db.is_sqlite);
    let mut changes = db.store.listen().await.unwrap();
    let other = db.again().await;
    let version = db.store.data_version().await.unwrap();
    let (heard, _) = tokio::join!(changes.next(), apply(&other, batch(1)));
    assert_eq!(heard.unwrap(), version + 1);
    assert!(probe.may_have_changed());
    other.set_kind(id(1), Kind::Staged, "r", "a", at(0)).await.unwrap();
    assert_eq!(changes.next().await.unwrap(), version + 2);
    other.close().await;
}

async fn the_doctor_finds_what_is_wrong(db: Db) {
    apply(&db.store, batch(1)).await;
    let findings = db.store.check().await.unwrap();
    assert!(findings.len() == 5 && findings.iter().all(|f| f.severity == Severity::Ok), "{findings:?}");
    db.execute("UPDATE points SET superseded = 1 WHERE version = 0").await;
    db.execute("DELETE FROM point_bodies WHERE version = 1").await;
    let wrong: Vec<_> = db.store.check().await.unwrap().into_iter().filter(|f| f.severity == Severity::Error).map(|f| f.check).collect();
    assert_eq!(wrong, ["orphans", "versions"]);

    // And in what was synced.
    store_something_of_all(&db.store).await;
    db.execute(if db.is_sqlite { "UPDATE pulls SET pull = x'00'" } else { "UPDATE pulls SET pull = '\\x00'::bytea" }).await;
    let found = db.store.check().await.unwrap().into_iter().find(|f| f.check == "documents").unwrap();
    assert_eq!(found.severity, Severity::Error);
    assert!(found.detail.contains("pull request owner/name#7"), "{}", found.detail);
}

async fn summaries_are_computed_again(db: Db) {
    apply(&db.store, batch(1)).await;
    let run = db.store.run(id(1)).await.unwrap();
    assert_eq!(db.store.summarise_all().await.unwrap(), 0);
    db.execute("UPDATE runs SET summary = '{}'").await;
    db.execute("UPDATE meta SET value = 0 WHERE name = 'summary_revision'").await;
    assert!(matches!(db.store.run(id(1)).await, Err(StoreError::Unreadable { .. })));
    db.store.migrate().await.unwrap();
    assert_eq!(db.store.run(id(1)).await.unwrap(), run);
}

async fn backup(db: Db) {
    apply(&db.store, batch(1)).await;
    store_something_of_all(&db.store).await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("copy.db");
    let done = db.store.backup_to(&file).await;
    if !db.is_sqlite {
        assert!(done.unwrap_err().to_string().contains("pg_dump"));
        return;
    }
    done.unwrap();
    let copy = Store::open(&format!("sqlite://{}", file.display()), words()).await.unwrap();
    assert_eq!(copy.detail(id(1)).await.unwrap(), db.store.detail(id(1)).await.unwrap());
    assert_eq!(copy.counts().await.unwrap(), db.store.counts().await.unwrap());
    let totals = copy.counts().await.unwrap();
    assert_eq!((totals.pulls, totals.repo_states, totals.cookbook_states, totals.facts), (1, 1, 1, 2));
    assert_eq!(copy.cookbook().await.unwrap(), db.store.cookbook().await.unwrap());
    assert!(matches!(db.store.backup_to(&file).await, Err(StoreError::BackupExists { .. })));
}

async fn a_database_without_tables_says_what_to_do(db: Db) {
    db.execute("ALTER TABLE runs RENAME TO hidden").await;
    assert!(db.store.runs().await.unwrap_err().to_string().contains("paretoscope migrate"));
}

#[test]
fn addresses_that_cannot_be_opened_say_what_to_do_and_show_no_password() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    for (url, says) in [
        ("paretoscope.db", "use sqlite://FILE"),
        ("mysql://ann:s3cret@db/x", "use sqlite://FILE"),
        ("sqlite:///no/such/folder/x.db", "create the folder"),
        ("postgres://ann:s3cret@127.0.0.1:9/x", "is the server running"),
        ("postgres://ann:s3cret@127.0.0.1:port/x", "use sqlite://FILE"),
    ] {
        let error = runtime.block_on(Store::open(url, words())).unwrap_err();
        let mut text = format!("{error} {error:?}");
        let mut source = std::error::Error::source(&error);
        while let Some(cause) = source {
            text.push_str(&cause.to_string());
            source = cause.source();
        }
        assert!(text.contains(says), "{url}: {text}");
        assert!(!text.contains("s3cret"), "{url}: {text}");
    }
}
