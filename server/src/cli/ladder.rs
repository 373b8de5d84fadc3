//! `paretoscope set-kind`, `purge`, `restore`: who, when and why are kept.

use jiff::Timestamp;
use paretoscope_domain::{Kind, RunId};

use serde_json::json;

use super::{CliError, Context, Ended};

/// Who does it and why.
#[derive(Debug, clap::Args)]
struct Because {
    /// Why, kept for good
    #[arg(long)]
    reason: String,
    /// Who, kept for good
    #[arg(long, env = "USER", default_value = "unknown")]
    by: String,
}

/// Moves a run along the ladder. A staged run that is staged again is refreshed; other staged runs stay.
#[derive(Debug, clap::Args)]
pub struct SetKind {
    /// The run
    run: RunId,
    /// unofficial, staged or official
    kind: Kind,
    #[command(flatten)]
    because: Because,
}

/// Hides a run from every curve.
#[derive(Debug, clap::Args)]
pub struct Purge {
    /// The run
    run: RunId,
    #[command(flatten)]
    because: Because,
}

/// Shows a purged run again.
#[derive(Debug, clap::Args)]
pub struct Restore {
    /// The run
    run: RunId,
    /// Why, kept for good
    #[arg(long, default_value = "restored")]
    reason: String,
    /// Who, kept for good
    #[arg(long, env = "USER", default_value = "unknown")]
    by: String,
}

fn unknown(run: RunId) -> CliError {
    format!("run {run} was never ingested here").into()
}

impl SetKind {
    /// Runs it.
    ///
    /// # Errors
    /// When the run isn't stored.
    pub async fn run(self, context: &Context) -> Result<Ended, CliError> {
        let Self { run, kind, because } = self;
        let before = context.store().await?.set_kind(run, kind, &because.reason, &because.by, Timestamp::now()).await?;
        let before = before.ok_or_else(|| unknown(run))?;
        let again = before == kind && kind == Kind::Staged;
        let words = match before == kind {
            true if again => format!("Run {run} is staged again"),
            true => format!("Run {run} is {kind} already: nothing changed"),
            false => format!("Run {run}: {before} → {kind}"),
        };
        context.answer(&words, json!({ "run_id": run, "before": before, "kind": kind, "changed": again || before != kind }));
        Ok(Ended::Well)
    }
}

impl Purge {
    /// Runs it.
    ///
    /// # Errors
    /// When the run isn't stored.
    pub async fn run(self, context: &Context) -> Result<Ended, CliError> {
        let Self { run, because } = self;
        let changed =
            context.store().await?.purge(run, &because.reason, &because.by, Timestamp::now()).await?.ok_or_else(|| unknown(run))?;
        let words = format!("Run {run} is hidden{}. `paretoscope restore {run}` shows it again.", if changed { "" } else { " already" });
        context.answer(&words, json!({ "run_id": run, "hidden": true, "changed": changed }));
        Ok(Ended::Well)
    }
}

impl Restore {
    /// Runs it.
    ///
    /// # Errors
    /// When the run isn't stored.
    pub async fn run(self, context: &Context) -> Result<Ended, CliError> {
        let Self { run, reason, by } = self;
        let changed = context.store().await?.restore(run, &reason, &by, Timestamp::now()).await?.ok_or_else(|| unknown(run))?;
        context.answer(
            &format!("Run {run} is shown{}.", if changed { " again" } else { ": it was never hidden" }),
            json!({ "run_id": run, "hidden": false, "changed": changed }),
        );
        Ok(Ended::Well)
    }
}
