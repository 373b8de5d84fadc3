//! `paretoscope sample`

use jiff::Timestamp;
use paretoscope_domain::RunId;
use paretoscope_domain::report::IngestReport;
use paretoscope_store::Store;
use serde::Serialize;

use super::{CliError, Context, Ended, print, print_json};

/// Loads the reference runs and the synthetic history.
#[derive(Debug, clap::Args)]
pub struct Sample {}

/// What loading did to one run.
#[derive(Debug, Serialize)]
pub struct Loaded {
    run_id: RunId,
    synthetic: bool,
    report: IngestReport,
}

impl Sample {
    /// Runs it.
    ///
    /// # Errors
    /// When the sample can't be written out, read or stored.
    pub async fn run(self, context: &Context) -> Result<Ended, CliError> {
        let store = context.store().await?;
        let loaded = load(&store, context).await?;
        if context.json {
            for one in &loaded {
                print_json(one)?;
            }
        } else {
            let changed: u64 = loaded.iter().map(|l| l.report.rows_changed).sum();
            let synthetic = loaded.iter().filter(|l| l.synthetic).count();
            print(&format!(
                "{} sample runs: {} as the reference pull request states them, {synthetic} synthetic (made up). {changed} rows changed.\n",
                loaded.len(),
                loaded.len() - synthetic,
            ));
        }
        Ok(Ended::Well)
    }
}

/// Loads the bundled sample by the way every run takes: artifacts on disk, ingest, store.
///
/// # Errors
/// When the sample can't be written out, read or stored.
pub async fn load(store: &Store, context: &Context) -> Result<Vec<Loaded>, CliError> {
    let words = context.words.vocabulary.clone();
    let batches = tokio::task::spawn_blocking(move || -> Result<_, CliError> {
        let folder = tempfile::tempdir()?;
        let mut runs = paretoscope_sample::reference_runs();
        runs.extend(paretoscope_sample::synthetic_runs());
        let paths = paretoscope_sample::write_to(folder.path(), &runs)?;
        Ok(paretoscope_ingest::read(&paths, &paretoscope_ingest::Options::default(), &words, &mut |_| {})?)
    })
    .await??;
    let now = Timestamp::now();
    let mut loaded = Vec::with_capacity(batches.len());
    for batch in batches {
        let (run_id, synthetic) = (batch.run_id, batch.facts.synthetic);
        let report = store.apply(batch, now).await?;
        loaded.push(Loaded { run_id, synthetic, report });
    }
    Ok(loaded)
}
