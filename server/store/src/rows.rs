//! Rows as they stand in the tables.

use paretoscope_domain::batch::Origin;
use paretoscope_domain::eval::{EvalRecord, StoredEval};
use paretoscope_domain::merge::{Source, StoredEvalVersion, StoredPointVersion};
use paretoscope_domain::point::{Point, Status};
use paretoscope_domain::{EvalId, PointId, RunId};
use sqlx::FromRow;

use crate::codec;
use crate::error::StoreError;

/// Headline metrics with columns of their own in `points`, in the order of [`crate::apply`]'s statements.
pub(crate) const HEADLINE: [&str; 17] = [
    "tput_per_gpu",
    "output_tput_per_gpu",
    "input_tput_per_gpu",
    "median_ttft",
    "p75_ttft",
    "p90_ttft",
    "median_tpot",
    "p90_tpot",
    "median_e2el",
    "p75_e2el",
    "p90_e2el",
    "median_intvty",
    "p75_intvty",
    "p90_intvty",
    "median_e2e_norm_intvty",
    "p75_e2e_norm_intvty",
    "p90_e2e_norm_intvty",
];

pub(crate) fn origin_word(origin: Origin) -> &'static str {
    match origin {
        Origin::Collected => "collected",
        Origin::PerJob => "per_job",
    }
}

fn origin_of(word: &str) -> Origin {
    if word == "per_job" { Origin::PerJob } else { Origin::Collected }
}

pub(crate) fn status_word(status: Status) -> &'static str {
    match status {
        Status::Ok => "ok",
        Status::Failed => "failed",
    }
}

/// Where a version was read, as columns.
#[derive(FromRow)]
pub(crate) struct SourceRow {
    pub(crate) attempt: Option<i64>,
    origin: String,
    artifact: String,
    file: String,
    row_index: Option<i64>,
    uploaded_at: Option<i64>,
    artifact_id: Option<i64>,
}

impl SourceRow {
    pub(crate) fn source(self) -> Source {
        let Self { attempt, origin, artifact, file, row_index, uploaded_at, artifact_id } = self;
        Source {
            attempt: codec::attempt(attempt),
            origin: origin_of(&origin),
            artifact,
            file,
            row: row_index.and_then(|n| u32::try_from(n).ok()),
            uploaded_at: uploaded_at.and_then(codec::time),
            artifact_id,
        }
    }
}

/// What the merge needs to know of a stored point version.
#[derive(FromRow)]
pub(crate) struct PointVersionRow {
    version: i64,
    point_id: String,
    content: String,
    status: String,
    superseded: i64,
    pub(crate) config_key: Option<String>,
    #[sqlx(flatten)]
    source: SourceRow,
}

impl PointVersionRow {
    pub(crate) fn version(self) -> StoredPointVersion {
        let Self { version, point_id, content, status, superseded, config_key: _, source } = self;
        StoredPointVersion {
            version,
            point_id: PointId::from_text(point_id),
            source: source.source(),
            content,
            failed: status == status_word(Status::Failed),
            superseded: superseded != 0,
        }
    }
}

/// A point version to show.
#[derive(FromRow)]
pub(crate) struct PointRow {
    superseded: i64,
    config_key: Option<String>,
    point: String,
}

impl PointRow {
    pub(crate) fn point(self, run_id: RunId) -> Result<Point, StoreError> {
        let Self { superseded, config_key, point } = self;
        let point: Point = codec::from_json(run_id, "a point", &point)?;
        Ok(Point { superseded: superseded != 0, config_key, ..point })
    }
}

/// A stored eval version.
#[derive(FromRow)]
pub(crate) struct EvalVersionRow {
    version: i64,
    eval_id: String,
    base: String,
    superseded: i64,
    record: String,
    #[sqlx(flatten)]
    source: SourceRow,
}

impl EvalVersionRow {
    pub(crate) fn version(self, run_id: RunId) -> Result<StoredEvalVersion, StoreError> {
        let Self { version, eval_id, base, superseded, record, source } = self;
        Ok(StoredEvalVersion {
            version,
            eval_id: EvalId::from_text(eval_id),
            base,
            source: source.source(),
            record: codec::from_json::<EvalRecord>(run_id, "an eval", &record)?,
            superseded: superseded != 0,
        })
    }
}

/// An eval version to show.
#[derive(FromRow)]
pub(crate) struct EvalRow {
    eval_id: String,
    superseded: i64,
    record: String,
}

impl EvalRow {
    pub(crate) fn eval(self, run_id: RunId) -> Result<StoredEval, StoreError> {
        let Self { eval_id, superseded, record } = self;
        Ok(StoredEval {
            id: EvalId::from_text(eval_id),
            superseded: superseded != 0,
            record: codec::from_json(run_id, "an eval", &record)?,
        })
    }
}
