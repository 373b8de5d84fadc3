//! `paretoscope compare`

use jiff::civil::Date;
use paretoscope_app::view_state::CompareBase;
use paretoscope_domain::RunId;
use paretoscope_domain::metric::{Metric, UnknownMetric};
use paretoscope_review::compare::{Options, as_markdown, as_text};

use super::{CliError, Context, Ended, print, print_json};
use crate::app::App;
use crate::review::compare::Asked;

/// Form of the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// Tables for a terminal
    Text,
    /// Markdown, ready to paste
    Md,
    /// As the API answers
    Json,
}

/// Compares two runs, or a run and the official curve: changes point by point with what they are worth, frontiers, evals, and what
/// differs.
#[derive(Debug, clap::Args)]
pub struct Compare {
    /// What is compared with: a run, or `official` for the official curve
    #[arg(value_parser = base)]
    base: CompareBase,
    /// The run
    head: RunId,
    /// Form
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Metric across; each scenario's own unless given
    #[arg(long, value_parser = metric)]
    x: Option<Metric>,
    /// Metric up; tput_per_gpu unless given
    #[arg(long, value_parser = metric)]
    y: Option<Metric>,
    /// With `official`: the last day it may come from, YYYY-MM-DD
    #[arg(long)]
    as_of: Option<Date>,
}

fn base(text: &str) -> Result<CompareBase, String> {
    match text {
        "official" => Ok(CompareBase::Official),
        id => id.parse().map(CompareBase::Run).map_err(|e: paretoscope_domain::ids::BadRunId| format!("{e}, or `official`")),
    }
}

fn metric(text: &str) -> Result<Metric, UnknownMetric> {
    Metric::parse(text)
}

impl Compare {
    /// Runs it.
    ///
    /// # Errors
    /// When a run isn't stored or is hidden, or the two can't be compared.
    pub async fn run(self, context: &Context) -> Result<Ended, CliError> {
        let Self { base, head, format, x, y, as_of } = self;
        if as_of.is_some() && base != CompareBase::Official {
            return Err("--as-of goes with `official`: it says from which day the official curve is taken".into());
        }
        let store = context.store().await?;
        let settings = &context.settings;
        let app = App::new(store, context.words.clone(), &settings.public_url, &settings.repo).await?;
        let comparison = app.compare(&Asked { base, head, as_of, options: Options { x, y } }).await?.comparison;
        match format {
            Format::Json => print_json(&comparison)?,
            _ if context.json => print_json(&comparison)?,
            Format::Text => print(&as_text(&comparison)),
            Format::Md => print(&as_markdown(&comparison)),
        }
        Ok(Ended::Well)
    }
}
