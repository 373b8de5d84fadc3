//! `paretoscope ingest`

use std::fmt::Write as _;
use std::path::PathBuf;

use indicatif::{ProgressBar, ProgressStyle};
use jiff::Timestamp;
use paretoscope_domain::report::{Counts, IngestReport, Tally};
use paretoscope_domain::run::Reading;
use paretoscope_domain::{Attempt, Kind, RunId};
use paretoscope_ingest::{Options, Progress};
use serde::Serialize;

use super::{CliError, Context, Ended, print, print_json};

/// Reads runs' artifacts. Several run folders are several runs; with --json each gives one line.
#[derive(Debug, clap::Args)]
pub struct Ingest {
    /// A folder with one folder or zip per artifact, one artifact zip, or one JSON file
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// The run, where neither a run.json nor the folder's name says it
    #[arg(long, value_name = "N")]
    run_id: Option<RunId>,
    /// The attempt, where neither attempt-N/ folders nor an artifacts.json say it
    #[arg(long, value_name = "N", value_parser = parse_attempt)]
    attempt: Option<Attempt>,
    /// unofficial, staged or official; never lowers what is stored [default: unofficial]
    #[arg(long)]
    kind: Option<Kind>,
    /// A GitHub workflow-run payload that says which run it is
    #[arg(long, value_name = "FILE")]
    run_json: Option<PathBuf>,
}

fn parse_attempt(text: &str) -> Result<Attempt, String> {
    text.parse().ok().and_then(Attempt::new).ok_or_else(|| "an attempt is 1 or more".to_owned())
}

#[derive(Debug, Serialize)]
struct Ingested {
    run_id: RunId,
    #[serde(flatten)]
    report: IngestReport,
    /// Whether anything of it could be read at all.
    #[serde(skip)]
    readable: bool,
}

impl Ingest {
    /// Runs it.
    ///
    /// # Errors
    /// When nothing could be read, or the store can't be written.
    pub async fn run(self, context: &Context) -> Result<Ended, CliError> {
        let store = context.store().await?;
        let words = context.words.vocabulary.clone();
        let options =
            Options { run_id: self.run_id, attempt: self.attempt, kind: self.kind, run_json: self.run_json, ..Options::default() };
        let paths = self.paths;
        let batches = tokio::task::spawn_blocking(move || {
            let bar = ProgressBar::no_length();
            // Hidden by itself where stderr is no terminal.
            if let Ok(style) = ProgressStyle::with_template("{spinner} {wide_msg} {pos}/{len} artifacts") {
                bar.set_style(style);
            }
            let result = paretoscope_ingest::read(&paths, &options, &words, &mut |progress| match progress {
                Progress::Found { artifacts } => bar.set_length(u64::try_from(artifacts).unwrap_or(u64::MAX)),
                Progress::Reading { artifact, done, .. } => {
                    bar.set_position(u64::try_from(done).unwrap_or(u64::MAX));
                    bar.set_message(artifact.to_owned());
                }
            });
            bar.finish_and_clear();
            result
        })
        .await??;

        let now = Timestamp::now();
        let mut done = Vec::with_capacity(batches.len());
        for mut batch in batches {
            if batch.facts.repo.is_none() && context.settings.repo != paretoscope_domain::run::DEFAULT_REPO {
                batch.facts.repo = Some(context.settings.repo.clone());
            }
            let run_id = batch.run_id;
            let readable = batch.artifacts.is_empty() || batch.artifacts.iter().any(|a| a.reading != Reading::Refused);
            let report = store
                .apply(batch, now)
                .await
                .map_err(|e| format!("run {run_id} was left as it was: {}", crate::http::problem::chain(&e)))?;
            // Each as it lands: a later run that can't be stored takes nothing back.
            let one = Ingested { run_id, report, readable };
            if context.json {
                print_json(&one)?;
            } else {
                print(&text(&one));
            }
            done.push(one);
        }
        Ok(ended(&done))
    }
}

fn ended(done: &[Ingested]) -> Ended {
    let refused = done.iter().any(|d| d.report.has_refusals());
    let read = done.iter().any(|d| d.readable);
    match (refused, read) {
        (false, _) => Ended::Well,
        (true, true) => Ended::InPart,
        (true, false) => Ended::Nothing,
    }
}

/// The report as people read it.
fn text(one: &Ingested) -> String {
    let Ingested { run_id, report, .. } = one;
    let mut out = String::new();
    let mut put = |line: String| {
        // Writing to a String can't fail.
        let _ = writeln!(out, "{line}");
    };
    put(format!("Run {run_id}"));
    put(format!("  {:<10}{:>7}{:>11}{:>9}{:>10}{:>8}", "", "new", "duplicate", "skipped", "unmapped", "failed"));
    let rows = &report.rows;
    for (name, tally) in [("benchmark", rows.benchmark), ("eval", rows.eval), ("trace", rows.trace), ("power", rows.power)] {
        put(match tally {
            Some(Tally { new, duplicate, skipped, unmapped, failed }) => {
                format!("  {name:<10}{new:>7}{duplicate:>11}{skipped:>9}{unmapped:>10}{failed:>8}")
            }
            None => format!("  {name:<10}  not read yet"),
        });
    }
    put(format!("  {}", footer(&report.counts)));
    for q in &report.quarantine {
        let row = q.row.map(|r| format!(", row {r}")).unwrap_or_default();
        let file = if q.file.is_empty() { String::new() } else { format!("/{}", q.file) };
        put(format!("  refused: {}{file}{row}: {}: {}", q.artifact, q.reason, q.detail));
    }
    put(match report.rows_changed {
        0 => "  Nothing changed: all of it was stored already.".to_owned(),
        n => format!("  {n} rows changed."),
    });
    out
}

fn footer(counts: &Counts) -> String {
    let Counts {
        benchmark_files,
        raw_benchmark_rows,
        covered_by_per_job_files,
        replaced,
        eval_replaced,
        purged_points,
        failed_run_rows,
        run_stats_new,
        run_stats_duplicate,
        eval_samples_new,
        gpu_metric_samples_new,
        power_publication_points,
        changelog_entries_written,
    } = counts;
    let unread = |n: &Option<u64>| n.map_or_else(|| "not read yet".to_owned(), |n| n.to_string());
    format!(
        "benchmarkFiles {benchmark_files}, rawBenchmarkRows {raw_benchmark_rows}, coveredByPerJobFiles {covered_by_per_job_files}, \
         replaced {replaced}, evalReplaced {eval_replaced}, purgedPoints {purged_points}, failedRunRows {failed_run_rows}, \
         runStatsNew {run_stats_new}, runStatsDuplicate {run_stats_duplicate}, evalSamplesNew {}, gpuMetricSamplesNew {}, \
         powerPublicationPoints {power_publication_points}, changelogEntriesWritten {changelog_entries_written}",
        unread(eval_samples_new),
        unread(gpu_metric_samples_new),
    )
}
