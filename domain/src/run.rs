//! A run: one execution of the benchmark workflow, with its attempts, artifacts and what they hold.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::curve::CurveKey;
use crate::eval::Eval;
use crate::fact::RunFact;
use crate::ids::{Attempt, RunId};
use crate::kind::Kind;
use crate::point::Point;
use crate::report::IngestReport;

/// Repository of the benchmark, where a run's payload names none.
pub const DEFAULT_REPO: &str = "SemiAnalysisAI/InferenceX";

/// Facts about a run that are not in its rows: from the workflow-run payload, the changelog metadata, the caller.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunFacts {
    /// Kind asked for; never lowers what is stored.
    pub kind: Kind,
    /// Made up for the sample: kept apart from real runs everywhere.
    pub synthetic: bool,
    /// Who started it.
    pub actor: Option<String>,
    /// Name of the workflow run.
    pub name: Option<String>,
    /// Event that started it: `pull_request`.
    pub event: Option<String>,
    /// `completed`, `in_progress`, …
    pub status: Option<String>,
    /// `success`, `failure`, `cancelled`, …
    pub conclusion: Option<String>,
    /// Commit it measured; may be a short sha where only that is known.
    pub head_sha: Option<String>,
    /// Branch.
    pub head_branch: Option<String>,
    /// `owner/name`.
    pub repo: Option<String>,
    /// Page of the run.
    pub html_url: Option<String>,
    /// Pull request.
    pub pr_number: Option<i64>,
    /// Title of the pull request.
    pub pr_title: Option<String>,
    /// Author of the pull request.
    pub pr_author: Option<String>,
    /// When it was created; `None` where only a date, or nothing, is known.
    pub created_at: Option<Timestamp>,
    /// Day it was created, UTC, `YYYY-MM-DD`.
    pub date: Option<String>,
    /// Newest attempt the payload speaks of.
    pub attempt: Option<Attempt>,
    /// The payload itself, as JSON text, if there was one.
    pub payload: Option<String>,
}

/// An image that a run's points ran on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Image {
    /// Reference without the digest.
    pub reference: String,
    /// `sha256:…`; null where not stated.
    pub digest: Option<String>,
}

/// What is known of one attempt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AttemptSummary {
    /// Attempt.
    pub attempt: Attempt,
    /// Conclusion, where known.
    pub conclusion: Option<String>,
    /// Page of the attempt; null for synthetic runs.
    pub html_url: Option<String>,
    /// Points that this attempt measured and that count.
    pub point_count: usize,
    /// Evals that this attempt measured and that count.
    pub eval_count: usize,
    /// Jobs of this attempt that failed, by their events.
    pub failed_jobs: usize,
}

/// A run as lists and its page show it, in the words of the contract.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Run {
    /// Run.
    pub run_id: RunId,
    /// Standing.
    pub kind: Kind,
    /// Synthetic sample data, not a measurement.
    pub synthetic: bool,
    /// Newest attempt known; null where none is.
    pub attempt: Option<Attempt>,
    /// All attempts known, ascending.
    pub attempts: Vec<Attempt>,
    /// What is known of each attempt.
    pub attempt_details: Vec<AttemptSummary>,
    /// Who started it.
    pub actor: Option<String>,
    /// Name of the workflow run.
    pub name: Option<String>,
    /// Event that started it.
    pub event: Option<String>,
    /// Status.
    pub status: Option<String>,
    /// Conclusion.
    pub conclusion: Option<String>,
    /// Commit it measured.
    pub head_sha: Option<String>,
    /// Branch.
    pub head_branch: Option<String>,
    /// `owner/name`.
    pub repo: String,
    /// Page of the run; null for synthetic runs.
    pub html_url: Option<String>,
    /// Page of the commit.
    pub commit_url: Option<String>,
    /// Pull request.
    pub pr_number: Option<i64>,
    /// Page of the pull request.
    pub pr_url: Option<String>,
    /// Title of the pull request.
    pub pr_title: Option<String>,
    /// Author of the pull request.
    pub pr_author: Option<String>,
    /// When it was created, RFC 3339 UTC; null where only the date, or nothing, is known.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = DateTime))]
    pub created_at: Option<Timestamp>,
    /// Day it was created, `YYYY-MM-DD`; null where unknown.
    pub date: Option<String>,
    /// Configuration keys its changelog metadata names.
    pub config_keys: Vec<String>,
    /// Images its points ran on.
    pub images: Vec<Image>,
    /// Model keys.
    pub models: Vec<String>,
    /// Hardware keys.
    pub hardware: Vec<String>,
    /// Framework keys.
    pub frameworks: Vec<String>,
    /// Precision keys.
    pub precisions: Vec<String>,
    /// Scenarios.
    pub scenarios: Vec<String>,
    /// Points that count; failed and superseded ones are not among them.
    pub point_count: usize,
    /// Failed points.
    pub failed_count: usize,
    /// Evals that count.
    pub eval_count: usize,
    /// Evals that pass.
    pub eval_passing: usize,
    /// The run it is compared with unless another is chosen; null where there is none.
    pub baseline_run_id: Option<RunId>,
    /// Curves it has.
    pub curves: Vec<CurveKey>,
    /// When it was last ingested.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = DateTime))]
    pub ingested_at: Option<Timestamp>,
    /// Why it is hidden from every curve; null unless it was purged.
    pub purged: Option<Purge>,
}

/// Why a run is hidden.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Purge {
    /// Reason given.
    pub reason: String,
    /// Who purged it.
    pub actor: String,
    /// When.
    #[cfg_attr(feature = "openapi", schema(value_type = String, format = DateTime))]
    pub at: Timestamp,
}

/// A change of kind, purge or restore, kept for good.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AuditEntry {
    /// `set-kind`, `purge` or `restore`.
    pub action: String,
    /// What it was before, and is now, in words.
    pub detail: String,
    /// Reason given.
    pub reason: String,
    /// Who did it.
    pub actor: String,
    /// When.
    #[cfg_attr(feature = "openapi", schema(value_type = String, format = DateTime))]
    pub at: Timestamp,
}

/// What an artifact is to us.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Family {
    /// Collected benchmark rows (`results_bmk`).
    CollectedBenchmarks,
    /// One job's benchmark rows (`bmk_*`, `bmk_agentic_*`).
    Benchmark,
    /// Collected eval rows (`eval_results_all`).
    CollectedEvals,
    /// One job's eval (`eval_*`).
    Eval,
    /// Success counts (`run-stats`).
    RunStats,
    /// Changelog metadata.
    Changelog,
    /// A job's event.
    JobEvent,
    /// Source of a reused run.
    Reuse,
    /// Load generator output (`agentic_*`).
    Trace,
    /// GPU telemetry (`gpu_metrics_*`).
    GpuMetrics,
    /// Power audit (`power_audit_*`).
    PowerAudit,
    /// Server logs.
    ServerLogs,
    /// Nothing we know.
    Unknown,
}

impl Family {
    /// For people.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::CollectedBenchmarks => "collected benchmark rows",
            Self::Benchmark => "benchmark of one job",
            Self::CollectedEvals => "collected evals",
            Self::Eval => "eval of one job",
            Self::RunStats => "run statistics",
            Self::Changelog => "changelog metadata",
            Self::JobEvent => "job event",
            Self::Reuse => "source of a reused run",
            Self::Trace => "load generator output (trace)",
            Self::GpuMetrics => "GPU telemetry",
            Self::PowerAudit => "power audit",
            Self::ServerLogs => "server logs",
            Self::Unknown => "unknown",
        }
    }
}

/// What was done with a file or artifact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Reading {
    /// Its rows were read.
    Read,
    /// Recognised and listed; a later capability reads it.
    NotReadYet,
    /// Listed only: nothing we know, or nothing we need.
    Listed,
    /// Could not be read; the quarantine says why.
    Refused,
}

/// An artifact of a run, kept so that the list stays true after CI deletes it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Artifact {
    /// Name.
    pub name: String,
    /// Attempt that uploaded it; null where not known.
    pub attempt: Option<Attempt>,
    /// GitHub's id; null where not known.
    pub artifact_id: Option<i64>,
    /// What it is to us.
    pub family: Family,
    /// What was done with it.
    pub reading: Reading,
    /// Bytes of its files, or of its archive where it came as one.
    pub size: u64,
    /// `sha256:…` over its archive, or over its files' names and contents where it came as a folder.
    pub digest: Option<String>,
    /// When it was uploaded.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = DateTime))]
    pub uploaded_at: Option<Timestamp>,
    /// When CI deletes it, as told: RFC 3339 or a bare date.
    pub expires_at: Option<String>,
    /// Files inside.
    pub files: Vec<ArtifactFile>,
    /// Key that pairs it with a benchmark artifact of the same job; null where it has none.
    pub pairs_with: Option<String>,
}

/// A file inside an artifact.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ArtifactFile {
    /// Path inside the artifact.
    pub path: String,
    /// Bytes.
    pub size: u64,
    /// `sha256:…` of its content.
    pub digest: Option<String>,
    /// What was done with it.
    pub reading: Reading,
}

/// A job's own account of itself (`job_event.json`), the best source for failures.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct JobEvent {
    /// Attempt.
    pub attempt: Option<Attempt>,
    /// Topology and concurrency as far as the event states them, for people.
    pub title: String,
    /// Whether it was an eval job.
    pub eval_only: Option<bool>,
    /// `success` or `failure`.
    pub outcome: Option<String>,
    /// Stage, type and message of what failed.
    pub error: Option<String>,
    /// Runner.
    pub runner: Option<String>,
    /// When it started, as told.
    pub started_at: Option<String>,
    /// Seconds.
    pub duration_s: Option<f64>,
    /// Golden acceptance length it aimed at, as told.
    pub golden_acceptance_length: Option<String>,
    /// Artifact it was read from.
    pub artifact: String,
    /// The event, as JSON text.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub raw: Option<String>,
}

/// An entry of a run's changelog metadata.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ChangelogEntry {
    /// Configuration keys.
    pub config_keys: Vec<String>,
    /// Scenario types it is limited to; empty for all.
    pub scenario_types: Vec<String>,
    /// Description, a line each.
    pub description: Vec<String>,
    /// Link to the pull request.
    pub pr_link: Option<String>,
    /// Whether it only adds points.
    pub append_only: bool,
    /// Whether it only runs evals.
    pub evals_only: bool,
    /// Commit before.
    pub base_ref: Option<String>,
    /// Commit after.
    pub head_ref: Option<String>,
}

/// Success counts over all attempts, by hardware or cluster name as the file has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RunStat {
    /// Name.
    pub name: String,
    /// Jobs that succeeded.
    pub n_success: u64,
    /// Jobs that ran.
    pub total: u64,
}

/// Where a reused sweep's rows come from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReuseSource {
    /// Run that measured the rows.
    pub source_run_id: Option<RunId>,
    /// Attempt of that run.
    pub source_attempt: Option<Attempt>,
    /// Page of that run.
    pub source_url: Option<String>,
    /// Run that ingested them.
    pub ingest_run_id: Option<RunId>,
    /// Page of that run.
    pub ingest_url: Option<String>,
    /// The file, as JSON text.
    pub raw: String,
}

/// Everything a run's page shows.
#[derive(Clone, Debug, PartialEq)]
pub struct RunDetail {
    /// The run.
    pub run: Run,
    /// All versions of its points; labels are set.
    pub points: Vec<Point>,
    /// All versions of its evals.
    pub evals: Vec<Eval>,
    /// Artifacts.
    pub artifacts: Vec<Artifact>,
    /// Job events.
    pub jobs: Vec<JobEvent>,
    /// Changelog entries.
    pub changelog: Vec<ChangelogEntry>,
    /// Success counts.
    pub run_stats: Vec<RunStat>,
    /// Source, where the run reuses another's rows.
    pub reuse: Option<ReuseSource>,
    /// Newest ingest report.
    pub report: Option<IngestReport>,
    /// Changes of kind, purges and restores.
    pub audit: Vec<AuditEntry>,
    /// Facts from its logs and events, and stated ones: environment, arguments, acceptance lengths, builds.
    pub evidence: Vec<RunFact>,
}
