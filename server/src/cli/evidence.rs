//! `paretoscope evidence`

use std::path::PathBuf;

use paretoscope_app::view_state::BaselineParam;
use paretoscope_domain::RunId;
use paretoscope_review::evidence::Language;
use serde_json::json;

use super::{CliError, Context, Ended, print};
use crate::app::App;

/// Writes the additional-detail section of a sign-off as Markdown, ready to paste: shorter than 60,000 characters, with links to
/// the pages that show each line (set --public-url, or they are paths).
#[derive(Debug, clap::Args)]
pub struct Evidence {
    /// The run
    run: RunId,
    /// The run it is compared with, or `none`; the rule's own choice unless given
    #[arg(long, value_parser = baseline)]
    baseline: Option<BaselineParam>,
    /// en or zh
    #[arg(long, default_value = "en", value_parser = |text: &str| text.parse::<Language>())]
    lang: Language,
    /// Write to this file instead of standard output
    #[arg(long)]
    out: Option<PathBuf>,
}

fn baseline(text: &str) -> Result<BaselineParam, String> {
    match text {
        "none" => Ok(BaselineParam::None),
        id => id.parse().map(BaselineParam::Run).map_err(|e: paretoscope_domain::ids::BadRunId| format!("{e}, or `none`")),
    }
}

impl Evidence {
    /// Runs it.
    ///
    /// # Errors
    /// When the run or its baseline isn't stored or is hidden, or the file can't be written.
    pub async fn run(self, context: &Context) -> Result<Ended, CliError> {
        let Self { run: id, baseline, lang, out } = self;
        let store = context.store().await?;
        let settings = &context.settings;
        let app = App::new(store, context.words.clone(), &settings.public_url, &settings.repo).await?;
        let snapshot = app.snapshot();
        let run = snapshot.run(id).ok_or_else(|| format!("run {id} was never ingested here"))?;
        if let Some(purge) = &run.purged {
            return Err(format!("run {id} is hidden since {}: {}", purge.at, purge.reason).into());
        }
        let mut problems = Vec::new();
        let markdown = app.evidence(run, baseline.unwrap_or_default(), lang, &mut problems).await?;
        if let Some(problem) = problems.into_iter().next() {
            return Err(problem.into());
        }
        let text = if context.json { format!("{}\n", json!({ "markdown": markdown })) } else { markdown };
        match out {
            Some(path) => {
                std::fs::write(&path, text).map_err(|e| format!("{} can't be written: {e}", path.display()))?;
                if !context.json {
                    print(&format!("{}\n", path.display()));
                }
            }
            None => print(&text),
        }
        Ok(Ended::Well)
    }
}
