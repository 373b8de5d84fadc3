//! A batch meets what is stored: one transaction per run, so that a crash leaves the state before it.

use std::collections::{BTreeMap, HashMap, HashSet};

use jiff::Timestamp;
use paretoscope_domain::batch::{EvalRow, PointRow, RunBatch, Upload};
use paretoscope_domain::curve::CurveKey;
use paretoscope_domain::merge::{self, Plan, StoredEvalVersion, StoredPointVersion, VersionRef};
use paretoscope_domain::natural_key;
use paretoscope_domain::point::{Metrics, Point, Status};
use paretoscope_domain::report::{Counts, Families, IngestReport, Outcome, Tally};
use paretoscope_domain::run::{Artifact, AuditEntry, ChangelogEntry, JobEvent, ReuseSource, RunFacts, RunStat};
use paretoscope_domain::{Kind, RunId};

use crate::error::StoreError;
use crate::read::{self, StoredRun};
use crate::rows::{self, EvalVersionRow, HEADLINE, PointVersionRow};
use crate::tx::Tx;
use crate::{Store, codec, dialect, evidence, manage, summary};

impl Store {
    /// Stores a batch: all of it or, where anything fails, nothing. The same batch again changes no row but the report.
    ///
    /// # Errors
    /// When the database can't be written; the state is then the one before.
    pub async fn apply(&self, batch: RunBatch, now: Timestamp) -> Result<IngestReport, StoreError> {
        let RunBatch { run_id, facts, artifacts, points, evals, jobs, changelog, run_stats, reuse, evidence: told, quarantine, tallies } =
            batch;
        let mut tx = self.begin(run_id).await?;
        let kind_told = facts.kind;
        let kind_before = write_run(&mut tx, run_id, facts, reuse, now).await?;
        write_artifacts(&mut tx, run_id, artifacts.clone()).await?;
        write_jobs(&mut tx, run_id, jobs).await?;
        let changelog_entries_written = write_changelog(&mut tx, run_id, changelog).await?;
        let (run_stats_new, run_stats_duplicate) = write_run_stats(&mut tx, run_id, run_stats.unwrap_or_default()).await?;
        let point_outcomes = write_points(&mut tx, run_id, &points).await?;
        let eval_outcomes = write_evals(&mut tx, run_id, &evals).await?;
        evidence::write(&mut tx, run_id, told, &artifacts, now).await?;
        if tx.changed > 0 {
            if kind_told == Kind::Staged && kind_before == Some(Kind::Staged) {
                manage::write_audit(&mut tx, run_id, by_ingest(manage::STAGED_AGAIN.to_owned(), kind_told, now)).await?;
            }
            self.summarise(&mut tx, run_id).await?;
        }

        let (benchmark, covered, replaced) = tally(&point_outcomes);
        let benchmark = Tally {
            unmapped: benchmark.unmapped + tallies.benchmark_unmapped,
            failed: benchmark.failed + tallies.benchmark_failed,
            ..benchmark
        };
        let (eval, _, eval_replaced) = tally(&eval_outcomes);
        let eval = Tally {
            skipped: eval.skipped + tallies.eval_skipped,
            unmapped: eval.unmapped + tallies.eval_unmapped,
            failed: eval.failed + tallies.eval_failed,
            ..eval
        };
        let counts = Counts {
            benchmark_files: tallies.benchmark_files,
            raw_benchmark_rows: benchmark.total() + covered + replaced,
            covered_by_per_job_files: covered,
            replaced,
            eval_replaced,
            purged_points: purged_points(&mut tx, run_id).await?,
            failed_run_rows: benchmark.skipped,
            run_stats_new,
            run_stats_duplicate,
            eval_samples_new: None,
            gpu_metric_samples_new: None,
            power_publication_points: power_points(&points, &point_outcomes),
            changelog_entries_written,
        };
        let report = IngestReport {
            rows: Families { benchmark: Some(benchmark), eval: Some(eval), trace: None, power: None },
            counts,
            quarantine,
            ingested_at: Some(now),
            rows_changed: tx.changed,
        };
        write_report(&mut tx, run_id, &report, now).await?;
        tx.commit([run_id]).await?;
        Ok(report)
    }

    /// Computes a run's summary and curves from what is stored, and writes them where they differ.
    pub(crate) async fn summarise(&self, tx: &mut Tx, id: RunId) -> Result<(), StoreError> {
        let Some(StoredRun { facts, purged, reuse: _, summary: before }) = read::stored_run(tx.connection(), id).await? else {
            return Ok(());
        };
        let points = read::points(tx.connection(), id).await?;
        let stored_evals = read::evals(tx.connection(), id).await?;
        let evals = paretoscope_domain::eval::review(&stored_evals, &points, &self.words.thresholds, &self.words.vocabulary);
        let artifacts = read::values(read::artifacts(tx.connection(), id).await?);
        let jobs = read::values(read::jobs(tx.connection(), id).await?);
        let changelog = read::values(read::changelog(tx.connection(), id).await?);
        let run = summary::summary(summary::Parts {
            run_id: id,
            facts: &facts,
            purged,
            points: &points,
            stored_evals: &stored_evals,
            evals: &evals,
            artifacts: &artifacts,
            jobs: &jobs,
            changelog: &changelog,
        });
        let text = codec::to_json(&run)?;
        if text != before {
            let update = sqlx::query(
                "UPDATE runs SET summary = $2, kind = $3, synthetic = $4, pr_number = $5, date = $6, created_at = $7 WHERE run_id = $1",
            )
            .bind(id.get())
            .bind(text)
            .bind(run.kind.as_str())
            .bind(i64::from(run.synthetic))
            .bind(run.pr_number)
            .bind(run.date.clone())
            .bind(run.created_at.map(codec::micros));
            tx.write(update).await?;
        }
        let stored: Vec<String> =
            sqlx::query_scalar("SELECT curve FROM run_curves WHERE run_id = $1").bind(id.get()).fetch_all(tx.connection()).await?;
        let stored: HashSet<String> = stored.into_iter().collect();
        let curves: HashSet<String> = run.curves.iter().map(CurveKey::as_text).collect();
        for gone in stored.difference(&curves) {
            tx.write(sqlx::query("DELETE FROM run_curves WHERE run_id = $1 AND curve = $2").bind(id.get()).bind(gone.clone())).await?;
        }
        for new in curves.difference(&stored) {
            tx.write(sqlx::query("INSERT INTO run_curves (run_id, curve) VALUES ($1, $2)").bind(id.get()).bind(new.clone())).await?;
        }
        Ok(())
    }
}

/// The run's own row: its facts, merged with what is known. Returns the kind it had; `None` where it was not known.
async fn write_run(tx: &mut Tx, id: RunId, told: RunFacts, reuse: Option<ReuseSource>, now: Timestamp) -> Result<Option<Kind>, StoreError> {
    let stored = read::stored_run(tx.connection(), id).await?;
    let Some(StoredRun { facts: before, purged: _, reuse: reuse_before, summary: _ }) = stored else {
        let insert = sqlx::query(
            "INSERT INTO runs (run_id, kind, synthetic, first_seen_at, ingested_at, changed_in, summary, facts, reuse, payload)
             VALUES ($1, $2, $3, $4, $4, 0, '', $5, $6, $7)",
        )
        .bind(id.get())
        .bind(told.kind.as_str())
        .bind(i64::from(told.synthetic))
        .bind(codec::micros(now))
        .bind(bare_facts(&told)?)
        .bind(reuse.as_ref().map(codec::to_json).transpose()?)
        .bind(told.payload.as_deref().map(codec::pack).transpose()?);
        tx.write(insert).await?;
        return Ok(None);
    };
    let facts = summary::merge_facts(before.clone(), told);
    let reuse = reuse.or(reuse_before.clone());
    if facts != before || reuse != reuse_before {
        let update = sqlx::query("UPDATE runs SET facts = $2, reuse = $3, payload = $4 WHERE run_id = $1")
            .bind(id.get())
            .bind(bare_facts(&facts)?)
            .bind(reuse.as_ref().map(codec::to_json).transpose()?)
            .bind(facts.payload.as_deref().map(codec::pack).transpose()?);
        tx.write(update).await?;
    }
    if facts.kind != before.kind {
        let entry = by_ingest(format!("{} → {}", before.kind, facts.kind), facts.kind, now);
        manage::write_audit(tx, id, entry).await?;
    }
    tx.uncounted(sqlx::query("UPDATE runs SET ingested_at = $2 WHERE run_id = $1").bind(id.get()).bind(codec::micros(now))).await?;
    Ok(Some(before.kind))
}

/// An ingest may raise the kind, or stage again; that is kept like any other change of it.
fn by_ingest(detail: String, kind: Kind, now: Timestamp) -> AuditEntry {
    AuditEntry { action: "set-kind".to_owned(), detail, reason: format!("ingested as {kind}"), actor: "ingest".to_owned(), at: now }
}

/// Facts as JSON, without the payload, which has a column.
pub(crate) fn bare_facts(facts: &RunFacts) -> Result<String, StoreError> {
    codec::to_json(&RunFacts { payload: None, ..facts.clone() })
}

/// Matches what came with what is stored: first those that are the same thing beyond doubt, then, best first, those that may be
/// (`rank` above 0). Returns what to write: its number, and the value after `merge`.
fn reconcile<T: Clone + PartialEq>(
    stored: Vec<(i64, T)>,
    incoming: Vec<T>,
    same: impl Fn(&T, &T) -> bool,
    rank: impl Fn(&T, &T) -> Option<(bool, bool, bool, u32)>,
    merge: impl Fn(T, &T) -> T,
) -> Vec<(i64, T)> {
    let mut next = stored.iter().map(|(seq, _)| *seq + 1).max().unwrap_or(0);
    let mut unmatched = stored.clone();
    let mut writes = Vec::new();
    let mut rest = Vec::new();
    let settle = |seq: i64, old: &T, new: T, writes: &mut Vec<(i64, T)>| {
        let merged = merge(new, old);
        // Never into the place of another one.
        if merged != *old && !stored.iter().any(|(other, value)| *other != seq && same(value, &merged)) {
            writes.push((seq, merged));
        }
    };
    for value in incoming {
        match unmatched.iter().position(|(_, old)| same(old, &value)) {
            Some(i) => {
                let (seq, old) = unmatched.swap_remove(i);
                settle(seq, &old, value, &mut writes);
            }
            None => rest.push(value),
        }
    }
    for value in rest {
        let best = unmatched
            .iter()
            .enumerate()
            .filter_map(|(i, (seq, old))| rank(old, &value).map(|rank| (rank, std::cmp::Reverse(*seq), i)))
            .max()
            .map(|(_, _, i)| i);
        match best {
            Some(i) => {
                let (seq, old) = unmatched.swap_remove(i);
                settle(seq, &old, value, &mut writes);
            }
            None => {
                writes.push((next, value));
                next += 1;
            }
        }
    }
    writes
}

fn agrees<T: PartialEq>(a: Option<T>, b: Option<T>) -> bool {
    a.zip(b).is_none_or(|(a, b)| a == b)
}

/// Artifacts: known by run, name, attempt and GitHub's number; what is known of one is never lost.
async fn write_artifacts(tx: &mut Tx, id: RunId, incoming: Vec<Artifact>) -> Result<(), StoreError> {
    let key = |a: &Artifact| (a.name.clone(), a.attempt, a.artifact_id);
    // Two of one key in one batch: the later one stands.
    let mut once: BTreeMap<_, usize> = BTreeMap::new();
    let mut batch: Vec<Artifact> = Vec::new();
    for artifact in incoming {
        match once.get(&key(&artifact)).and_then(|i| batch.get_mut(*i)) {
            Some(earlier) => *earlier = artifact,
            None => {
                once.insert(key(&artifact), batch.len());
                batch.push(artifact);
            }
        }
    }
    let stored = read::artifacts(tx.connection(), id).await?;
    let writes = reconcile(
        stored,
        batch,
        |a, b| key(a) == key(b),
        |old, new| {
            let fits = old.name == new.name && agrees(old.attempt, new.attempt) && agrees(old.artifact_id, new.artifact_id);
            let known_equal = |equal: bool, known: bool| equal && known;
            fits.then(|| {
                (
                    known_equal(old.artifact_id == new.artifact_id, new.artifact_id.is_some()),
                    known_equal(old.attempt == new.attempt, new.attempt.is_some()),
                    known_equal(old.digest == new.digest, new.digest.is_some()),
                    old.attempt.map_or(0, paretoscope_domain::Attempt::get),
                )
            })
        },
        merge_artifact,
    );
    for (seq, artifact) in writes {
        let upsert = sqlx::query(
            "INSERT INTO artifacts (run_id, seq, name, attempt, artifact_id, artifact) VALUES ($1, $2, $3, $4, $5, $6)
             ON CONFLICT (run_id, seq) DO UPDATE SET name = excluded.name, attempt = excluded.attempt,
                 artifact_id = excluded.artifact_id, artifact = excluded.artifact",
        )
        .bind(id.get())
        .bind(seq)
        .bind(artifact.name.clone())
        .bind(codec::number(artifact.attempt))
        .bind(artifact.artifact_id)
        .bind(codec::to_json(&artifact)?);
        tx.write(upsert).await?;
    }
    Ok(())
}

fn merge_artifact(new: Artifact, old: &Artifact) -> Artifact {
    // A listing without contents says nothing about what was read.
    let listed_only = new.files.is_empty() && !old.files.is_empty();
    let contents = if listed_only { old } else { &new };
    Artifact {
        name: new.name.clone(),
        attempt: new.attempt.or(old.attempt),
        artifact_id: new.artifact_id.or(old.artifact_id),
        family: contents.family,
        reading: contents.reading,
        size: contents.size,
        digest: contents.digest.clone().or_else(|| new.digest.clone()).or_else(|| old.digest.clone()),
        uploaded_at: new.uploaded_at.or(old.uploaded_at),
        expires_at: new.expires_at.clone().or_else(|| old.expires_at.clone()),
        files: contents.files.clone(),
        pairs_with: contents.pairs_with.clone().or_else(|| old.pairs_with.clone()),
    }
}

/// Job events: known by artifact, title and start.
async fn write_jobs(tx: &mut Tx, id: RunId, incoming: Vec<JobEvent>) -> Result<(), StoreError> {
    let stored = read::jobs(tx.connection(), id).await?;
    let writes = reconcile(
        stored,
        incoming,
        |a, b| (&a.artifact, a.attempt, &a.title, &a.started_at) == (&b.artifact, b.attempt, &b.title, &b.started_at),
        |old, new| {
            let fits = old.artifact == new.artifact && agrees(old.attempt, new.attempt);
            fits.then(|| {
                (
                    old.title == new.title,
                    old.started_at == new.started_at,
                    old.attempt == new.attempt,
                    old.attempt.map_or(0, paretoscope_domain::Attempt::get),
                )
            })
        },
        |new, old| JobEvent { attempt: new.attempt.or(old.attempt), raw: new.raw.clone().or_else(|| old.raw.clone()), ..new },
    );
    for (seq, job) in writes {
        let raw = job.raw.as_deref().map(codec::pack).transpose()?;
        let bare = JobEvent { raw: None, ..job };
        let upsert = sqlx::query(
            "INSERT INTO job_events (run_id, seq, attempt, artifact, event, raw) VALUES ($1, $2, $3, $4, $5, $6)
             ON CONFLICT (run_id, seq) DO UPDATE SET attempt = excluded.attempt, artifact = excluded.artifact,
                 event = excluded.event, raw = excluded.raw",
        )
        .bind(id.get())
        .bind(seq)
        .bind(codec::number(bare.attempt))
        .bind(bare.artifact.clone())
        .bind(codec::to_json(&bare)?)
        .bind(raw);
        tx.write(upsert).await?;
    }
    Ok(())
}

/// Changelog entries: every one is kept, in order; one that says just what a stored one says is that one.
async fn write_changelog(tx: &mut Tx, id: RunId, incoming: Vec<ChangelogEntry>) -> Result<u64, StoreError> {
    let mut known = read::changelog(tx.connection(), id).await?;
    let mut written = 0;
    for entry in incoming {
        if known.iter().any(|(_, stored)| *stored == entry) {
            continue;
        }
        let seq = known.iter().map(|(seq, _)| *seq + 1).max().unwrap_or(0);
        let insert = sqlx::query("INSERT INTO changelog_entries (run_id, seq, entry) VALUES ($1, $2, $3)")
            .bind(id.get())
            .bind(seq)
            .bind(codec::to_json(&entry)?);
        tx.write(insert).await?;
        written += 1;
        known.push((seq, entry));
    }
    Ok(written)
}

/// Success counts: how many are new or changed, and how many were there already.
async fn write_run_stats(tx: &mut Tx, id: RunId, incoming: Vec<RunStat>) -> Result<(u64, u64), StoreError> {
    if incoming.is_empty() {
        return Ok((0, 0));
    }
    let mut known: HashMap<String, RunStat> =
        read::run_stats(tx.connection(), id).await?.into_iter().map(|stat| (stat.name.clone(), stat)).collect();
    let (mut new, mut duplicate) = (0, 0);
    for stat in incoming {
        if known.get(&stat.name) == Some(&stat) {
            duplicate += 1;
            continue;
        }
        let upsert = sqlx::query(
            "INSERT INTO run_stats (run_id, name, n_success, total) VALUES ($1, $2, $3, $4)
             ON CONFLICT (run_id, name) DO UPDATE SET n_success = excluded.n_success, total = excluded.total",
        )
        .bind(id.get())
        .bind(stat.name.clone())
        .bind(codec::count(stat.n_success))
        .bind(codec::count(stat.total));
        tx.write(upsert).await?;
        new += 1;
        known.insert(stat.name.clone(), stat);
    }
    Ok((new, duplicate))
}

/// Numbers for the versions that a plan writes: incoming row → (number, whether superseded), and marks of the others.
struct Places {
    incoming: Vec<(usize, i64, bool)>,
    marks: Vec<(i64, bool)>,
}

fn places<Id>(plan: &Plan<Id>, stored: impl Fn() -> Vec<(i64, bool)>) -> Places {
    let stored: HashMap<i64, bool> = stored().into_iter().collect();
    let marks: HashMap<VersionRef, bool> = plan.superseded.iter().copied().collect();
    let first = stored.keys().max().map_or(0, |newest| newest + 1);
    let mut incoming: Vec<(usize, i64, bool)> = Vec::new();
    for ((row, _), version) in plan.inserts.iter().zip(first..) {
        incoming.push((*row, version, marks.get(&VersionRef::Incoming(*row)).copied().unwrap_or(false)));
    }
    for (version, row) in &plan.updates {
        let before = stored.get(version).copied().unwrap_or(false);
        incoming.push((*row, *version, marks.get(&VersionRef::Stored(*version)).copied().unwrap_or(before)));
    }
    let updated: HashSet<i64> = plan.updates.iter().map(|(version, _)| *version).collect();
    let marks = plan
        .superseded
        .iter()
        .filter_map(|(at, superseded)| match at {
            VersionRef::Stored(version) if !updated.contains(version) => Some((*version, *superseded)),
            VersionRef::Stored(_) | VersionRef::Incoming(_) => None,
        })
        .collect();
    Places { incoming, marks }
}

async fn write_points(tx: &mut Tx, id: RunId, incoming: &[PointRow]) -> Result<Vec<Outcome>, StoreError> {
    if incoming.is_empty() {
        return Ok(Vec::new());
    }
    let rows: Vec<PointVersionRow> = sqlx::query_as(
        "SELECT p.version, p.point_id, b.content, p.status, p.superseded, p.config_key,
                p.attempt, b.origin, b.artifact, b.file, b.row_index, b.uploaded_at, b.artifact_id
         FROM points p JOIN point_bodies b ON b.run_id = p.run_id AND b.version = p.version
         WHERE p.run_id = $1 ORDER BY p.version",
    )
    .bind(id.get())
    .fetch_all(tx.connection())
    .await?;
    let mut keys: HashMap<i64, Option<String>> = HashMap::new();
    let stored: Vec<StoredPointVersion> = rows
        .into_iter()
        .map(|mut row| {
            let key = row.config_key.take();
            let version = row.version();
            keys.insert(version.version, key);
            version
        })
        .collect();
    let plan = merge::points(&stored, incoming);
    let by_version: HashMap<i64, &StoredPointVersion> = stored.iter().map(|s| (s.version, s)).collect();
    let Places { incoming: written, marks } = places(&plan, || stored.iter().map(|s| (s.version, s.superseded)).collect());
    for (i, version, superseded) in written {
        let Some(row) = incoming.get(i) else { continue };
        let old = by_version.get(&version).map(|s| &s.source);
        let mut point = row.point.clone();
        point.attempt = point.attempt.or(old.and_then(|s| s.attempt));
        point.config_key = point.config_key.or_else(|| keys.get(&version).cloned().flatten());
        let Upload { origin, uploaded_at, artifact_id } = row.upload;
        let upload = Upload {
            origin,
            uploaded_at: uploaded_at.or(old.and_then(|s| s.uploaded_at)),
            artifact_id: artifact_id.or(old.and_then(|s| s.artifact_id)),
        };
        let content = natural_key::content_hash(&row.point);
        write_point(tx, version, superseded, point, upload, content, &row.raw).await?;
    }
    for (version, superseded) in marks {
        let mark = sqlx::query("UPDATE points SET superseded = $3 WHERE run_id = $1 AND version = $2")
            .bind(id.get())
            .bind(version)
            .bind(i64::from(superseded));
        tx.write(mark).await?;
    }
    write_config_keys(tx, id, &stored, &keys, &plan, incoming).await?;
    Ok(plan.outcomes)
}

/// The configuration key is told by the changelog, which may come after the rows: a repeated row brings it.
async fn write_config_keys(
    tx: &mut Tx,
    id: RunId,
    stored: &[StoredPointVersion],
    keys: &HashMap<i64, Option<String>>,
    plan: &Plan<paretoscope_domain::PointId>,
    incoming: &[PointRow],
) -> Result<(), StoreError> {
    let updated: HashSet<i64> = plan.updates.iter().map(|(version, _)| *version).collect();
    let mut told: BTreeMap<i64, &str> = BTreeMap::new();
    for row in incoming {
        let Some(key) = row.point.config_key.as_deref() else { continue };
        for s in stored.iter().filter(|s| s.point_id == row.point.id && !updated.contains(&s.version)) {
            told.insert(s.version, key);
        }
    }
    for (version, key) in told {
        if keys.get(&version).and_then(Option::as_deref) != Some(key) {
            let update = sqlx::query("UPDATE points SET config_key = $3 WHERE run_id = $1 AND version = $2")
                .bind(id.get())
                .bind(version)
                .bind(key.to_owned());
            tx.write(update).await?;
        }
    }
    Ok(())
}

/// Only numbers: JSON has no other, and a metric that is none was not measured.
fn finite(metrics: &Metrics) -> Metrics {
    metrics.iter().filter(|(_, value)| value.is_finite()).map(|(name, value)| (name.clone(), *value)).collect()
}

async fn write_point(
    tx: &mut Tx,
    version: i64,
    superseded: bool,
    point: Point,
    upload: Upload,
    content: String,
    raw: &str,
) -> Result<(), StoreError> {
    let metrics = finite(&point.metrics);
    let mut upsert = sqlx::query(
        "INSERT INTO points (run_id, version, point_id, attempt, status, superseded, curve, model, hardware, framework,
             precision, spec_method, scenario, conc, gpus, config_key,
             tput_per_gpu, output_tput_per_gpu, input_tput_per_gpu, median_ttft, p75_ttft, p90_ttft, median_tpot, p90_tpot,
             median_e2el, p75_e2el, p90_e2el, median_intvty, p75_intvty, p90_intvty,
             median_e2e_norm_intvty, p75_e2e_norm_intvty, p90_e2e_norm_intvty)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24,
             $25, $26, $27, $28, $29, $30, $31, $32, $33)
         ON CONFLICT (run_id, version) DO UPDATE SET
             point_id = excluded.point_id, attempt = excluded.attempt, status = excluded.status, superseded = excluded.superseded,
             curve = excluded.curve, model = excluded.model, hardware = excluded.hardware, framework = excluded.framework,
             precision = excluded.precision, spec_method = excluded.spec_method, scenario = excluded.scenario,
             conc = excluded.conc, gpus = excluded.gpus, config_key = excluded.config_key,
             tput_per_gpu = excluded.tput_per_gpu, output_tput_per_gpu = excluded.output_tput_per_gpu,
             input_tput_per_gpu = excluded.input_tput_per_gpu, median_ttft = excluded.median_ttft, p75_ttft = excluded.p75_ttft,
             p90_ttft = excluded.p90_ttft, median_tpot = excluded.median_tpot, p90_tpot = excluded.p90_tpot,
             median_e2el = excluded.median_e2el, p75_e2el = excluded.p75_e2el, p90_e2el = excluded.p90_e2el,
             median_intvty = excluded.median_intvty, p75_intvty = excluded.p75_intvty, p90_intvty = excluded.p90_intvty,
             median_e2e_norm_intvty = excluded.median_e2e_norm_intvty, p75_e2e_norm_intvty = excluded.p75_e2e_norm_intvty,
             p90_e2e_norm_intvty = excluded.p90_e2e_norm_intvty",
    )
    .bind(point.run_id.get())
    .bind(version)
    .bind(point.id.as_str().to_owned())
    .bind(codec::number(point.attempt))
    .bind(rows::status_word(point.status))
    .bind(i64::from(superseded))
    .bind(CurveKey::of(&point).as_text())
    .bind(point.model.clone())
    .bind(point.hardware.clone())
    .bind(point.framework.clone())
    .bind(point.precision.clone())
    .bind(point.spec_method.clone())
    .bind(point.scenario.to_string())
    .bind(i64::from(point.conc))
    .bind(point.gpus.map(i64::from))
    .bind(point.config_key.clone());
    for name in HEADLINE {
        upsert = dialect::bind_double(upsert, metrics.get(name).copied());
    }
    tx.write(upsert).await?;

    let Upload { origin, uploaded_at, artifact_id } = upload;
    let bare = Point { label: String::new(), superseded: false, config_key: None, metrics, ..point };
    let upsert = sqlx::query(
        "INSERT INTO point_bodies (run_id, version, origin, artifact, file, row_index, uploaded_at, artifact_id, content, point, raw)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
         ON CONFLICT (run_id, version) DO UPDATE SET origin = excluded.origin, artifact = excluded.artifact, file = excluded.file,
             row_index = excluded.row_index, uploaded_at = excluded.uploaded_at, artifact_id = excluded.artifact_id,
             content = excluded.content, point = excluded.point, raw = excluded.raw",
    )
    .bind(bare.run_id.get())
    .bind(version)
    .bind(rows::origin_word(origin))
    .bind(bare.artifact.clone())
    .bind(bare.file.clone())
    .bind(bare.row.map(i64::from))
    .bind(uploaded_at.map(codec::micros))
    .bind(artifact_id)
    .bind(content)
    .bind(codec::to_json(&bare)?)
    .bind(codec::pack(raw)?);
    tx.write(upsert).await
}

async fn write_evals(tx: &mut Tx, id: RunId, incoming: &[EvalRow]) -> Result<Vec<Outcome>, StoreError> {
    if incoming.is_empty() {
        return Ok(Vec::new());
    }
    let rows: Vec<EvalVersionRow> = sqlx::query_as(
        "SELECT version, eval_id, base, superseded, record, attempt, origin, artifact, file, row_index, uploaded_at, artifact_id
         FROM evals WHERE run_id = $1 ORDER BY version",
    )
    .bind(id.get())
    .fetch_all(tx.connection())
    .await?;
    let stored = rows.into_iter().map(|row| row.version(id)).collect::<Result<Vec<StoredEvalVersion>, _>>()?;
    let plan = merge::evals(&stored, incoming);
    let by_version: HashMap<i64, &StoredEvalVersion> = stored.iter().map(|s| (s.version, s)).collect();
    let ids: HashMap<usize, &paretoscope_domain::EvalId> = plan.inserts.iter().map(|(i, id)| (*i, id)).collect();
    let Places { incoming: written, marks } = places(&plan, || stored.iter().map(|s| (s.version, s.superseded)).collect());
    for (i, version, superseded) in written {
        let Some(row) = incoming.get(i) else { continue };
        let old = by_version.get(&version);
        let Some(eval_id) = old.map(|s| &s.eval_id).or_else(|| ids.get(&i).copied()) else { continue };
        let source = old.map(|s| &s.source);
        let mut record = row.record.clone();
        record.attempt = record.attempt.or(source.and_then(|s| s.attempt));
        record.metrics = finite(&record.metrics);
        let Upload { origin, uploaded_at, artifact_id } = row.upload;
        let mut upsert = sqlx::query(
            "INSERT INTO evals (run_id, version, eval_id, base, attempt, superseded, task, model, hardware, framework, precision,
                 conc, score, origin, artifact, file, row_index, uploaded_at, artifact_id, record, raw)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21)
             ON CONFLICT (run_id, version) DO UPDATE SET
                 eval_id = excluded.eval_id, base = excluded.base, attempt = excluded.attempt, superseded = excluded.superseded,
                 task = excluded.task, model = excluded.model, hardware = excluded.hardware, framework = excluded.framework,
                 precision = excluded.precision, conc = excluded.conc, score = excluded.score, origin = excluded.origin,
                 artifact = excluded.artifact, file = excluded.file, row_index = excluded.row_index,
                 uploaded_at = excluded.uploaded_at, artifact_id = excluded.artifact_id, record = excluded.record,
                 raw = excluded.raw",
        )
        .bind(id.get())
        .bind(version)
        .bind(eval_id.as_str().to_owned())
        .bind(natural_key::eval_base(&record))
        .bind(codec::number(record.attempt))
        .bind(i64::from(superseded))
        .bind(record.task.clone())
        .bind(record.model.clone())
        .bind(record.hardware.clone())
        .bind(record.framework.clone())
        .bind(record.precision.clone())
        .bind(record.conc.map(i64::from));
        upsert = dialect::bind_double(upsert, record.score.filter(|s| s.is_finite()));
        upsert = upsert
            .bind(rows::origin_word(origin))
            .bind(record.artifact.clone())
            .bind(record.file.clone())
            .bind(record.row.map(i64::from))
            .bind(uploaded_at.or(source.and_then(|s| s.uploaded_at)).map(codec::micros))
            .bind(artifact_id.or(source.and_then(|s| s.artifact_id)))
            .bind(codec::to_json(&record)?)
            .bind(codec::pack(&row.raw)?);
        tx.write(upsert).await?;
    }
    for (version, superseded) in marks {
        let mark = sqlx::query("UPDATE evals SET superseded = $3 WHERE run_id = $1 AND version = $2")
            .bind(id.get())
            .bind(version)
            .bind(i64::from(superseded));
        tx.write(mark).await?;
    }
    Ok(plan.outcomes)
}

/// The five columns, and what was covered and replaced.
fn tally(outcomes: &[Outcome]) -> (Tally, u64, u64) {
    let mut tally = Tally::default();
    let (mut covered, mut replaced) = (0, 0);
    for outcome in outcomes {
        match outcome {
            Outcome::New => tally.new += 1,
            Outcome::Duplicate => tally.duplicate += 1,
            Outcome::Skipped => tally.skipped += 1,
            Outcome::Unmapped => tally.unmapped += 1,
            Outcome::Failed => tally.failed += 1,
            Outcome::Covered => covered += 1,
            Outcome::Replaced => replaced += 1,
        }
    }
    (tally, covered, replaced)
}

/// Points of the batch that hold power metrics, and count.
fn power_points(points: &[PointRow], outcomes: &[Outcome]) -> u64 {
    let has_power = |p: &Point| p.metrics.iter().any(|(name, value)| name.ends_with("_power_w") && value.is_finite());
    let counted = points
        .iter()
        .zip(outcomes)
        .filter(|(row, outcome)| row.point.status == Status::Ok && **outcome != Outcome::Covered && has_power(&row.point))
        .map(|(row, _)| &row.point.id)
        .collect::<HashSet<_>>();
    counted.len() as u64
}

/// Points that count and are hidden, since the run is purged.
async fn purged_points(tx: &mut Tx, id: RunId) -> Result<u64, StoreError> {
    let n: i64 = sqlx::query_scalar(
        "SELECT COUNT(*) FROM points p JOIN runs r ON r.run_id = p.run_id
         WHERE p.run_id = $1 AND r.purged IS NOT NULL AND p.status = 'ok' AND p.superseded = 0",
    )
    .bind(id.get())
    .fetch_one(tx.connection())
    .await?;
    Ok(codec::size(n))
}

/// Keeps the report. Ingests in a row that changed nothing and say the same share one row: a watcher that looks every minute
/// leaves one.
async fn write_report(tx: &mut Tx, id: RunId, report: &IngestReport, now: Timestamp) -> Result<(), StoreError> {
    let newest = read::report(tx.connection(), id).await?;
    let next = newest.as_ref().map_or(0, |(seq, _)| seq + 1);
    let seq = newest
        .filter(|(_, before)| before.rows_changed == 0 && IngestReport { ingested_at: before.ingested_at, ..report.clone() } == *before)
        .map_or(next, |(seq, _)| seq);
    let upsert = sqlx::query(
        "INSERT INTO ingest_reports (run_id, seq, at, report) VALUES ($1, $2, $3, $4)
         ON CONFLICT (run_id, seq) DO UPDATE SET at = excluded.at, report = excluded.report",
    )
    .bind(id.get())
    .bind(seq)
    .bind(codec::micros(now))
    .bind(codec::to_json(report)?);
    tx.uncounted(upsert).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use paretoscope_domain::Attempt;
    use paretoscope_domain::run::{ArtifactFile, Family, Reading};

    fn artifact(name: &str, attempt: u32, id: i64, files: usize) -> Artifact {
        Artifact {
            name: name.into(),
            attempt: Attempt::new(attempt),
            artifact_id: Some(id).filter(|n| *n > 0),
            family: Family::Benchmark,
            reading: if files > 0 { Reading::Read } else { Reading::Listed },
            size: files as u64,
            digest: None,
            uploaded_at: None,
            expires_at: None,
            files: (0..files).map(|i| ArtifactFile { path: format!("{i}"), size: 1, digest: None, reading: Reading::Read }).collect(),
            pairs_with: None,
        }
    }

    #[test]
    fn a_listing_does_not_take_contents_away() {
        let (read, listed) = (artifact("a", 1, 0, 2), artifact("a", 1, 7, 0));
        let merged = merge_artifact(listed, &read);
        assert_eq!((merged.artifact_id, merged.files.len(), merged.reading), (Some(7), 2, Reading::Read));
    }
}
