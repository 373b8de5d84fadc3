//! `paretoscope export`

use paretoscope_domain::{RunId, eval};
use serde_json::json;

use super::{CliError, Context, Ended, print, print_json};
use crate::export::{self, notices};

/// Form of an export.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Format {
    /// A row a point; evals follow in a table of their own
    Csv,
    /// Run, points and evals as the API gives them
    Json,
}

/// Writes every stored point and eval of a run to standard output, superseded versions too (JSON).
#[derive(Debug, clap::Args)]
pub struct Export {
    /// The run
    run: RunId,
    /// Form
    #[arg(long, value_enum)]
    format: Format,
}

impl Export {
    /// Runs it.
    ///
    /// # Errors
    /// When the run isn't stored.
    pub async fn run(self, context: &Context) -> Result<Ended, CliError> {
        let store = context.store().await?;
        let id = self.run;
        let run = store.run(id).await?.ok_or_else(|| format!("run {id} was never ingested here"))?;
        let points = store.points(id).await?;
        let evals = eval::review(&store.evals(id).await?, &points, &context.words.thresholds, &context.words.vocabulary);
        match self.format {
            Format::Json => print_json(&json!({ "notices": notices(&run), "run": run, "points": points, "evals": evals }))?,
            Format::Csv => {
                let csv = export::all_csv(&run, &points, &evals)?;
                print(&String::from_utf8_lossy(&csv));
            }
        }
        Ok(Ended::Well)
    }
}
