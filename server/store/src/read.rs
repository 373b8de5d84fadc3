//! What is read: runs for lists, a run's parts for its page, the rows as they were.

use std::cmp::{Ordering, Reverse};

use paretoscope_domain::baseline::{Baseline, baseline};
use paretoscope_domain::curve::CurveKey;
use paretoscope_domain::eval::{StoredEval, review};
use paretoscope_domain::point::{Parallel, Point, Topology, table_order};
use paretoscope_domain::report::IngestReport;
use paretoscope_domain::run::{Artifact, AuditEntry, ChangelogEntry, JobEvent, Purge, ReuseSource, Run, RunDetail, RunFacts, RunStat};
use paretoscope_domain::{Attempt, EvalId, Kind, PointId, RunId, label};
use sqlx::{AnyConnection, FromRow};

use crate::error::StoreError;
use crate::rows::{EvalRow, PointRow};
use crate::{Store, baselines, codec};

/// A version of a point or an eval as its artifact has it.
#[derive(Clone, Debug, PartialEq)]
pub struct RawVersion {
    /// Number within the run; a later one is higher.
    pub version: i64,
    /// Attempt.
    pub attempt: Option<Attempt>,
    /// Whether a newer version counts instead.
    pub superseded: bool,
    /// Artifact.
    pub artifact: String,
    /// File inside it.
    pub file: String,
    /// Row of a collected file, from 0.
    pub row: Option<u32>,
    /// The row, as JSON text.
    pub raw: String,
}

/// What `runs` holds beside the summary, for writing.
pub(crate) struct StoredRun {
    pub(crate) facts: RunFacts,
    pub(crate) purged: Option<Purge>,
    pub(crate) reuse: Option<ReuseSource>,
    pub(crate) summary: String,
}

impl Store {
    /// All runs, newest first: by day, then time, then number; undated ones last. Baselines are set.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn runs(&self) -> Result<Vec<Run>, StoreError> {
        let rows: Vec<(i64, String, i64)> = sqlx::query_as("SELECT run_id, summary, ingested_at FROM runs").fetch_all(&self.pool).await?;
        let mut runs = Vec::with_capacity(rows.len());
        for (id, summary, ingested_at) in rows {
            runs.push(read_summary(id, &summary, ingested_at)?);
        }
        runs.sort_by(newest_first);
        baselines::fill(&mut runs);
        Ok(runs)
    }

    /// A run; `None` where it is not known.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn run(&self, id: RunId) -> Result<Option<Run>, StoreError> {
        let mut connection = self.pool.acquire().await?;
        let row: Option<(i64, String, i64)> = sqlx::query_as("SELECT run_id, summary, ingested_at FROM runs WHERE run_id = $1")
            .bind(id.get())
            .fetch_optional(&mut *connection)
            .await?;
        let Some((id, summary, ingested_at)) = row else { return Ok(None) };
        let mut run = read_summary(id, &summary, ingested_at)?;
        run.baseline_run_id = one_baseline(&mut connection, &run).await?;
        Ok(Some(run))
    }

    /// Runs that changed after `data_version` was `version`.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn changed_since(&self, version: i64) -> Result<Vec<RunId>, StoreError> {
        let ids: Vec<i64> =
            sqlx::query_scalar("SELECT run_id FROM runs WHERE changed_in > $1 ORDER BY run_id").bind(version).fetch_all(&self.pool).await?;
        Ok(ids.into_iter().filter_map(RunId::new).collect())
    }

    /// All versions of a run's points, labelled, in the order of tables ([`table_order`]); the version that counts stands before
    /// those it supersedes.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn points(&self, id: RunId) -> Result<Vec<Point>, StoreError> {
        points(&mut *self.pool.acquire().await?, id).await
    }

    /// All versions of a run's evals, in the points' order; the version that counts stands before those it supersedes.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn evals(&self, id: RunId) -> Result<Vec<StoredEval>, StoreError> {
        evals(&mut *self.pool.acquire().await?, id).await
    }

    /// Artifacts of a run, in the order in which they came.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn artifacts(&self, id: RunId) -> Result<Vec<Artifact>, StoreError> {
        Ok(values(artifacts(&mut *self.pool.acquire().await?, id).await?))
    }

    /// Job events of a run, with their raw texts.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn jobs(&self, id: RunId) -> Result<Vec<JobEvent>, StoreError> {
        Ok(values(jobs(&mut *self.pool.acquire().await?, id).await?))
    }

    /// Changelog entries of a run, in their order.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn changelog(&self, id: RunId) -> Result<Vec<ChangelogEntry>, StoreError> {
        Ok(values(changelog(&mut *self.pool.acquire().await?, id).await?))
    }

    /// Changelog entries of all runs, newest run first.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn changelogs(&self) -> Result<Vec<(RunId, ChangelogEntry)>, StoreError> {
        let rows: Vec<(i64, String)> = sqlx::query_as(
            "SELECT c.run_id, c.entry FROM changelog_entries c JOIN runs r ON r.run_id = c.run_id
             ORDER BY COALESCE(r.date, '') DESC, COALESCE(r.created_at, 0) DESC, c.run_id DESC, c.seq",
        )
        .fetch_all(&self.pool)
        .await?;
        let mut entries = Vec::with_capacity(rows.len());
        for (id, entry) in rows {
            let Some(id) = RunId::new(id) else { continue };
            entries.push((id, codec::from_json(id, "a changelog entry", &entry)?));
        }
        Ok(entries)
    }

    /// Success counts of a run, by name.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn run_stats(&self, id: RunId) -> Result<Vec<RunStat>, StoreError> {
        run_stats(&mut *self.pool.acquire().await?, id).await
    }

    /// Where a run's rows come from, if it reuses another's.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn reuse(&self, id: RunId) -> Result<Option<ReuseSource>, StoreError> {
        let reuse: Option<Option<String>> =
            sqlx::query_scalar("SELECT reuse FROM runs WHERE run_id = $1").bind(id.get()).fetch_optional(&self.pool).await?;
        reuse.flatten().map(|text| codec::from_json(id, "the source of a reused run", &text)).transpose()
    }

    /// Facts of a run, merged over all ingests, with GitHub's payload where there was one.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn facts(&self, id: RunId) -> Result<Option<RunFacts>, StoreError> {
        Ok(stored_run(&mut *self.pool.acquire().await?, id).await?.map(|run| run.facts))
    }

    /// Newest ingest report of a run.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn report(&self, id: RunId) -> Result<Option<IngestReport>, StoreError> {
        Ok(report(&mut *self.pool.acquire().await?, id).await?.map(|(_, report)| report))
    }

    /// Changes of kind, purges and restores of a run, oldest first.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn audit(&self, id: RunId) -> Result<Vec<AuditEntry>, StoreError> {
        type Row = (i64, String, String, String, String);
        let rows: Vec<Row> = sqlx::query_as("SELECT at, action, detail, reason, actor FROM audit WHERE run_id = $1 ORDER BY seq")
            .bind(id.get())
            .fetch_all(&self.pool)
            .await?;
        Ok(rows
            .into_iter()
            .map(|(at, action, detail, reason, actor)| AuditEntry {
                action,
                detail,
                reason,
                actor,
                at: codec::time(at).unwrap_or_default(),
            })
            .collect())
    }

    /// Everything a run's page shows; `None` where the run is not known.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn detail(&self, id: RunId) -> Result<Option<RunDetail>, StoreError> {
        let Some(run) = self.run(id).await? else { return Ok(None) };
        let points = self.points(id).await?;
        let stored = self.evals(id).await?;
        let evals = review(&stored, &points, &self.words.thresholds, &self.words.vocabulary);
        Ok(Some(RunDetail {
            run,
            evals,
            points,
            artifacts: self.artifacts(id).await?,
            jobs: self.jobs(id).await?,
            changelog: self.changelog(id).await?,
            run_stats: self.run_stats(id).await?,
            reuse: self.reuse(id).await?,
            report: self.report(id).await?,
            audit: self.audit(id).await?,
            evidence: self.evidence(id).await?,
        }))
    }

    /// A point's versions as their artifacts have them: the one that counts, then the others, newest first. Empty where the point is
    /// not known.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn raw_point(&self, run: RunId, point: &PointId) -> Result<Vec<RawVersion>, StoreError> {
        let rows = sqlx::query_as(
            "SELECT p.version, p.attempt, p.superseded, b.artifact, b.file, b.row_index, b.raw
             FROM points p JOIN point_bodies b ON b.run_id = p.run_id AND b.version = p.version
             WHERE p.run_id = $1 AND p.point_id = $2 ORDER BY p.superseded, COALESCE(p.attempt, 0) DESC, p.version DESC",
        )
        .bind(run.get())
        .bind(point.as_str())
        .fetch_all(&self.pool)
        .await?;
        raw_versions(run, rows)
    }

    /// An eval's versions as their artifacts have them, likewise.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn raw_eval(&self, run: RunId, eval: &EvalId) -> Result<Vec<RawVersion>, StoreError> {
        let rows = sqlx::query_as(
            "SELECT version, attempt, superseded, artifact, file, row_index, raw FROM evals
             WHERE run_id = $1 AND eval_id = $2 ORDER BY superseded, COALESCE(attempt, 0) DESC, version DESC",
        )
        .bind(run.get())
        .bind(eval.as_str())
        .fetch_all(&self.pool)
        .await?;
        raw_versions(run, rows)
    }
}

#[derive(FromRow)]
struct RawRow {
    version: i64,
    attempt: Option<i64>,
    superseded: i64,
    artifact: String,
    file: String,
    row_index: Option<i64>,
    raw: Vec<u8>,
}

fn raw_versions(run: RunId, rows: Vec<RawRow>) -> Result<Vec<RawVersion>, StoreError> {
    rows.into_iter()
        .map(|RawRow { version, attempt, superseded, artifact, file, row_index, raw }| {
            Ok(RawVersion {
                version,
                attempt: codec::attempt(attempt),
                superseded: superseded != 0,
                artifact,
                file,
                row: row_index.and_then(|n| u32::try_from(n).ok()),
                raw: codec::unpack(run, "a raw row", &raw)?,
            })
        })
        .collect()
}

fn read_summary(id: i64, summary: &str, ingested_at: i64) -> Result<Run, StoreError> {
    let id = RunId::new(id).ok_or_else(|| sqlx::Error::Decode(format!("{id} is no run id").into()))?;
    let run: Run = codec::from_json(id, "its summary", summary)?;
    Ok(Run { ingested_at: codec::time(ingested_at), ..run })
}

fn newest_first(a: &Run, b: &Run) -> Ordering {
    let key = |r: &Run| Reverse((r.date.clone(), r.created_at, r.run_id));
    // `None` is the smallest day, so it comes last.
    key(a).cmp(&key(b))
}

/// The baseline of one run, among the runs on its curves.
async fn one_baseline(connection: &mut AnyConnection, run: &Run) -> Result<Option<RunId>, StoreError> {
    let Some(day) = run.date.as_deref() else { return Ok(None) };
    type Row = (i64, String, Option<i64>, Option<String>, Option<i64>);
    let rows: Vec<Row> = sqlx::query_as(
        "SELECT run_id, kind, pr_number, date, created_at FROM runs
         WHERE run_id IN (SELECT theirs.run_id FROM run_curves mine JOIN run_curves theirs ON theirs.curve = mine.curve
                          WHERE mine.run_id = $1)
           AND run_id <> $1 AND synthetic = $2 AND purged IS NULL AND date <= $3 AND (kind = 'official' OR pr_number = $4)
         ORDER BY run_id",
    )
    .bind(run.run_id.get())
    .bind(i64::from(run.synthetic))
    .bind(day)
    .bind(run.pr_number)
    .fetch_all(connection)
    .await?;
    // All of them share a curve, which is all that the rule asks.
    let shared: &[CurveKey] = &run.curves;
    let others = rows.iter().filter_map(|(id, kind, pr, date, created_at)| {
        Some(Baseline {
            run_id: RunId::new(*id)?,
            kind: kind.parse::<Kind>().ok()?,
            synthetic: run.synthetic,
            purged: false,
            pr: *pr,
            date: date.as_deref(),
            created_at: created_at.and_then(codec::time),
            curves: shared,
        })
    });
    Ok(baseline(&Baseline::from(run), others))
}

pub(crate) fn values<T>(numbered: Vec<(i64, T)>) -> Vec<T> {
    numbered.into_iter().map(|(_, value)| value).collect()
}

pub(crate) async fn stored_run(connection: &mut AnyConnection, id: RunId) -> Result<Option<StoredRun>, StoreError> {
    type Row = (String, Option<String>, Option<String>, String, Option<Vec<u8>>);
    let row: Option<Row> = sqlx::query_as("SELECT facts, purged, reuse, summary, payload FROM runs WHERE run_id = $1")
        .bind(id.get())
        .fetch_optional(connection)
        .await?;
    let Some((facts, purged, reuse, summary, payload)) = row else { return Ok(None) };
    let mut facts: RunFacts = codec::from_json(id, "its facts", &facts)?;
    facts.payload = payload.map(|packed| codec::unpack(id, "its payload", &packed)).transpose()?;
    Ok(Some(StoredRun {
        facts,
        purged: purged.map(|text| codec::from_json(id, "its purge", &text)).transpose()?,
        reuse: reuse.map(|text| codec::from_json(id, "the source of a reused run", &text)).transpose()?,
        summary,
    }))
}

pub(crate) async fn points(connection: &mut AnyConnection, id: RunId) -> Result<Vec<Point>, StoreError> {
    let rows: Vec<PointRow> = sqlx::query_as(
        "SELECT p.superseded, p.config_key, b.point
         FROM points p JOIN point_bodies b ON b.run_id = p.run_id AND b.version = p.version
         WHERE p.run_id = $1 ORDER BY p.version",
    )
    .bind(id.get())
    .fetch_all(connection)
    .await?;
    let mut points = rows.into_iter().map(|row| row.point(id)).collect::<Result<Vec<Point>, _>>()?;
    // Stable: versions of one point stay in the order of their numbers where nothing else tells.
    points.sort_by(|a, b| {
        table_order(a, b).then_with(|| a.superseded.cmp(&b.superseded)).then_with(|| Reverse(a.attempt).cmp(&Reverse(b.attempt)))
    });
    label::assign(&mut points);
    Ok(points)
}

pub(crate) async fn evals(connection: &mut AnyConnection, id: RunId) -> Result<Vec<StoredEval>, StoreError> {
    let rows: Vec<EvalRow> = sqlx::query_as("SELECT eval_id, superseded, record FROM evals WHERE run_id = $1 ORDER BY version")
        .bind(id.get())
        .fetch_all(connection)
        .await?;
    let mut evals = rows.into_iter().map(|row| row.eval(id)).collect::<Result<Vec<StoredEval>, _>>()?;
    evals.sort_by(eval_order);
    Ok(evals)
}

/// The points' order as far as evals have it: by task and curve, then topology and concurrency.
fn eval_order(a: &StoredEval, b: &StoredEval) -> Ordering {
    let key = |e: &StoredEval| {
        let r = &e.record;
        let layout = |p: &Parallel| (Reverse(p.tp), p.ep.unwrap_or(1), p.pp.unwrap_or(1));
        let (data_parallel, layout, decode) = match r.topology() {
            Topology::Aggregated(p) => (p.dp_attention, layout(&p), None),
            Topology::Disaggregated { prefill, decode } => {
                let workers = (prefill.workers, decode.workers);
                (decode.dp_attention, layout(&prefill.parallel()), Some((workers, layout(&decode.parallel()))))
            }
        };
        let curve = (r.task.clone(), r.model.clone(), r.hardware.clone(), r.framework.clone(), r.precision.clone(), r.isl, r.osl);
        let place = (r.disagg, data_parallel.unwrap_or(false), layout, decode, r.conc, r.spec_method.clone());
        (curve, place, e.id.clone(), e.superseded, Reverse(r.attempt))
    };
    key(a).cmp(&key(b))
}

pub(crate) async fn artifacts(connection: &mut AnyConnection, id: RunId) -> Result<Vec<(i64, Artifact)>, StoreError> {
    let rows: Vec<(i64, String)> =
        sqlx::query_as("SELECT seq, artifact FROM artifacts WHERE run_id = $1 ORDER BY seq").bind(id.get()).fetch_all(connection).await?;
    rows.into_iter().map(|(seq, text)| Ok((seq, codec::from_json(id, "an artifact", &text)?))).collect()
}

pub(crate) async fn jobs(connection: &mut AnyConnection, id: RunId) -> Result<Vec<(i64, JobEvent)>, StoreError> {
    let rows: Vec<(i64, String, Option<Vec<u8>>)> = sqlx::query_as("SELECT seq, event, raw FROM job_events WHERE run_id = $1 ORDER BY seq")
        .bind(id.get())
        .fetch_all(connection)
        .await?;
    rows.into_iter()
        .map(|(seq, text, raw)| {
            let event: JobEvent = codec::from_json(id, "a job event", &text)?;
            let raw = raw.map(|packed| codec::unpack(id, "a job event", &packed)).transpose()?;
            Ok((seq, JobEvent { raw, ..event }))
        })
        .collect()
}

pub(crate) async fn changelog(connection: &mut AnyConnection, id: RunId) -> Result<Vec<(i64, ChangelogEntry)>, StoreError> {
    let rows: Vec<(i64, String)> = sqlx::query_as("SELECT seq, entry FROM changelog_entries WHERE run_id = $1 ORDER BY seq")
        .bind(id.get())
        .fetch_all(connection)
        .await?;
    rows.into_iter().map(|(seq, text)| Ok((seq, codec::from_json(id, "a changelog entry", &text)?))).collect()
}

pub(crate) async fn run_stats(connection: &mut AnyConnection, id: RunId) -> Result<Vec<RunStat>, StoreError> {
    let rows: Vec<(String, i64, i64)> =
        sqlx::query_as("SELECT name, n_success, total FROM run_stats WHERE run_id = $1").bind(id.get()).fetch_all(connection).await?;
    let mut stats: Vec<RunStat> = rows
        .into_iter()
        .map(|(name, n_success, total)| RunStat { name, n_success: codec::size(n_success), total: codec::size(total) })
        .collect();
    // Here, not in SQL: PostgreSQL sorts text by its locale.
    stats.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(stats)
}

pub(crate) async fn report(connection: &mut AnyConnection, id: RunId) -> Result<Option<(i64, IngestReport)>, StoreError> {
    let row: Option<(i64, String)> = sqlx::query_as("SELECT seq, report FROM ingest_reports WHERE run_id = $1 ORDER BY seq DESC LIMIT 1")
        .bind(id.get())
        .fetch_optional(connection)
        .await?;
    row.map(|(seq, text)| Ok((seq, codec::from_json(id, "its ingest report", &text)?))).transpose()
}
