//! What ingest hands to the store: everything read of one run, before it meets what is stored.

use jiff::Timestamp;

use crate::eval::EvalRecord;
use crate::fact::RunFact;
use crate::ids::RunId;
use crate::point::Point;
use crate::report::Quarantined;
use crate::run::{Artifact, ChangelogEntry, JobEvent, ReuseSource, RunFacts, RunStat};

/// Whether a row stands in its job's own file or in a collected one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// In a file that collects the rows of many jobs.
    Collected,
    /// In its job's own file.
    PerJob,
}

/// Where and when a row was uploaded, for precedence among versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Upload {
    /// Kind of file.
    pub origin: Origin,
    /// Upload time of its artifact, where known.
    pub uploaded_at: Option<Timestamp>,
    /// GitHub's id of its artifact, where known.
    pub artifact_id: Option<i64>,
}

/// A benchmark row that was understood.
#[derive(Clone, Debug)]
pub struct PointRow {
    /// The point; its id is set, its label is not.
    pub point: Point,
    /// Where it was uploaded.
    pub upload: Upload,
    /// The row, as JSON text.
    pub raw: String,
}

/// An eval row that was understood.
#[derive(Clone, Debug)]
pub struct EvalRow {
    /// The eval.
    pub record: EvalRecord,
    /// Where it was uploaded.
    pub upload: Upload,
    /// The row or files, as JSON text.
    pub raw: String,
}

/// Everything read of one run.
#[derive(Clone, Debug)]
pub struct RunBatch {
    /// Run.
    pub run_id: RunId,
    /// Facts about it.
    pub facts: RunFacts,
    /// Artifacts, read or only listed.
    pub artifacts: Vec<Artifact>,
    /// Benchmark rows.
    pub points: Vec<PointRow>,
    /// Eval rows.
    pub evals: Vec<EvalRow>,
    /// Job events.
    pub jobs: Vec<JobEvent>,
    /// Changelog entries.
    pub changelog: Vec<ChangelogEntry>,
    /// Success counts; `None` where no run-stats file was there.
    pub run_stats: Option<Vec<RunStat>>,
    /// Source, where the run reuses another's rows.
    pub reuse: Option<ReuseSource>,
    /// Facts from logs and events.
    pub evidence: Vec<RunFact>,
    /// Refused and unmapped input.
    pub quarantine: Vec<Quarantined>,
    /// Counts of what did not become a row above.
    pub tallies: BatchTallies,
}

/// Counts of rows that were seen but are not in the batch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BatchTallies {
    /// Benchmark files read.
    pub benchmark_files: u64,
    /// Benchmark rows with a word the vocabulary does not know.
    pub benchmark_unmapped: u64,
    /// Benchmark rows refused (an unreadable file counts as one).
    pub benchmark_failed: u64,
    /// Eval rows with a word the vocabulary does not know.
    pub eval_unmapped: u64,
    /// Eval rows refused (an unreadable file counts as one).
    pub eval_failed: u64,
    /// Eval files with no recognised result.
    pub eval_skipped: u64,
}

impl RunBatch {
    /// An empty batch of a run.
    #[must_use]
    pub fn new(run_id: RunId, facts: RunFacts) -> Self {
        Self {
            run_id,
            facts,
            artifacts: Vec::new(),
            points: Vec::new(),
            evals: Vec::new(),
            jobs: Vec::new(),
            changelog: Vec::new(),
            run_stats: None,
            reuse: None,
            evidence: Vec::new(),
            quarantine: Vec::new(),
            tallies: BatchTallies::default(),
        }
    }

    /// Whether nothing at all was read.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let Self { run_id: _, facts: _, artifacts, points, evals, jobs, changelog, run_stats, reuse, evidence, quarantine, tallies: _ } =
            self;
        artifacts.is_empty()
            && points.is_empty()
            && evals.is_empty()
            && jobs.is_empty()
            && changelog.is_empty()
            && run_stats.is_none()
            && reuse.is_none()
            && evidence.is_empty()
            && quarantine.is_empty()
    }
}
