//! What an ingest of a run would write, as far as its stored rows and artifacts tell.

use std::collections::BTreeSet;

use paretoscope_domain::Kind;
use paretoscope_domain::point::Status;
use paretoscope_domain::run::{Family, RunDetail};
use serde::{Deserialize, Serialize};

use super::text::count;

/// Rows by family. A number that nothing tells is null.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DryRun {
    /// A line a family.
    pub rows: Vec<DryRow>,
    /// What else would be left out or is not known, as sentences.
    pub notes: Vec<String>,
}

/// One family.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct DryRow {
    /// `benchmark`, `eval`, `trace`, `power`.
    pub family: String,
    /// Rows that would be written; null where nothing tells.
    pub new: Option<u64>,
    /// Rows that would be skipped; null where nothing tells.
    pub skipped: Option<u64>,
    /// What the numbers are counted from.
    pub basis: String,
}

/// What would be written.
#[must_use]
pub fn dry_run(run: &RunDetail) -> DryRun {
    let counting = run.points.iter().filter(|p| p.counts()).count();
    let failed = run.points.iter().filter(|p| !p.superseded && p.status == Status::Failed).count();
    let evals = run.evals.iter().filter(|e| !e.superseded).count();
    let agentic = run.points.iter().filter(|p| p.counts() && p.scenario.is_agentic()).count();
    let may_lack = if listed(run) { "" } else { "; the list of artifacts may not be whole" };
    let mut rows = vec![
        row("benchmark", Some(counting), Some(failed), "stored points: those that count, and failed ones"),
        row("eval", Some(evals), None, "stored evals that count"),
    ];
    if agentic > 0 {
        let traces = artifacts(run, &[Family::Trace]);
        rows.push(match traces {
            Some(n) => row("trace", Some(n.min(agentic)), None, &format!("artifacts of the load generator{may_lack}")),
            None => row("trace", None, None, "no artifact of the load generator, and no whole listing of the artifacts"),
        });
    }
    rows.push(match artifacts(run, &[Family::GpuMetrics, Family::PowerAudit]) {
        Some(n) => row("power", Some(n), None, &format!("jobs with GPU telemetry or a power audit{may_lack}")),
        None => row("power", None, None, "no artifact of telemetry, and no whole listing of the artifacts"),
    });
    let mut notes = Vec::new();
    let superseded = run.points.iter().filter(|p| p.superseded).count();
    if superseded > 0 {
        notes.push(format!("{} of points would be left out.", count(superseded, "superseded version", "superseded versions")));
    }
    let refused = run.report.as_ref().map_or(0, |r| r.quarantine.len());
    if refused > 0 {
        let inputs = count(refused, "input was", "inputs were");
        notes.push(format!("{inputs} refused or not mapped here: the run's ingest report says why."));
    }
    if run.run.kind == Kind::Official {
        notes.push("The run is official already: its rows would be duplicates.".to_owned());
    }
    DryRun { rows, notes }
}

fn row(family: &str, new: Option<usize>, skipped: Option<usize>, basis: &str) -> DryRow {
    let number = |n: Option<usize>| n.and_then(|n| u64::try_from(n).ok());
    DryRow { family: family.to_owned(), new: number(new), skipped: number(skipped), basis: basis.to_owned() }
}

/// How many jobs have an artifact of these families; `None` where there is none and nothing says that the list is whole.
fn artifacts(run: &RunDetail, families: &[Family]) -> Option<usize> {
    let jobs: BTreeSet<&str> =
        run.artifacts.iter().filter(|a| families.contains(&a.family)).map(|a| a.pairs_with.as_deref().unwrap_or(a.name.as_str())).collect();
    (!jobs.is_empty() || listed(run)).then_some(jobs.len())
}

/// Whether the artifacts were listed by GitHub, which gives each an id.
fn listed(run: &RunDetail) -> bool {
    !run.artifacts.is_empty() && run.artifacts.iter().all(|a| a.artifact_id.is_some())
}
