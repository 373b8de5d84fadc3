//! The ingest report: what became of every row.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// What became of one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// Stored for the first time.
    New,
    /// Stored already, unchanged.
    Duplicate,
    /// Deliberately not counted: a failed point (stored as failed).
    Skipped,
    /// A word the vocabulary does not know.
    Unmapped,
    /// Refused: no use can be made of it.
    Failed,
    /// A collected row whose point a per-job file holds.
    Covered,
    /// A corrected row that took the place of the one it corrects.
    Replaced,
}

/// Counts of one row family.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Tally {
    /// Stored for the first time.
    pub new: u64,
    /// Stored already, unchanged.
    pub duplicate: u64,
    /// Deliberately not counted.
    pub skipped: u64,
    /// A word the vocabulary does not know.
    pub unmapped: u64,
    /// Refused.
    pub failed: u64,
}

impl Tally {
    /// Sum of the five columns.
    #[must_use]
    pub fn total(&self) -> u64 {
        let Self { new, duplicate, skipped, unmapped, failed } = self;
        new + duplicate + skipped + unmapped + failed
    }
}

/// Row families of the report. A family that is not read yet is null, never 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Families {
    /// Benchmark rows.
    pub benchmark: Option<Tally>,
    /// Eval rows.
    pub eval: Option<Tally>,
    /// Agentic rows linked to a trace.
    pub trace: Option<Tally>,
    /// GPU telemetry series.
    pub power: Option<Tally>,
}

/// Footer counters, named as the benchmark project's report names them. Null: not read yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Counts {
    /// Benchmark files read.
    pub benchmark_files: u64,
    /// Benchmark rows seen: the five columns, covered and replaced rows.
    pub raw_benchmark_rows: u64,
    /// Collected rows whose point a per-job file holds.
    pub covered_by_per_job_files: u64,
    /// Benchmark rows that took the place of one they correct.
    pub replaced: u64,
    /// Eval rows that took the place of one they correct.
    pub eval_replaced: u64,
    /// Points hidden by a purge.
    pub purged_points: u64,
    /// Rows of failed points.
    pub failed_run_rows: u64,
    /// Success counts stored for the first time or changed.
    pub run_stats_new: u64,
    /// Success counts stored already.
    pub run_stats_duplicate: u64,
    /// Eval samples; not read yet.
    pub eval_samples_new: Option<u64>,
    /// GPU telemetry samples; not read yet.
    pub gpu_metric_samples_new: Option<u64>,
    /// Points with power metrics inside their rows.
    pub power_publication_points: u64,
    /// Changelog entries stored for the first time.
    pub changelog_entries_written: u64,
}

/// Input that was refused or not mapped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Quarantined {
    /// Artifact.
    pub artifact: String,
    /// File inside it; empty where the artifact itself is meant.
    pub file: String,
    /// Row, from 0; null where the whole file is meant.
    pub row: Option<u32>,
    /// Code: `missing_identity`, `not_a_number`, `negative`, `unmapped_model`, `bad_zip`, `bad_json`, …
    pub reason: String,
    /// What exactly, in words.
    pub detail: String,
}

/// What one ingest did to a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct IngestReport {
    /// Rows by family.
    pub rows: Families,
    /// Footer counters.
    pub counts: Counts,
    /// Refused and unmapped input.
    pub quarantine: Vec<Quarantined>,
    /// When.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = DateTime))]
    pub ingested_at: Option<Timestamp>,
    /// Rows of the database that changed; 0 where the same was ingested again.
    pub rows_changed: u64,
}

impl IngestReport {
    /// Whether some input was refused or unmapped while the rest landed.
    #[must_use]
    pub fn has_refusals(&self) -> bool {
        !self.quarantine.is_empty()
    }
}
