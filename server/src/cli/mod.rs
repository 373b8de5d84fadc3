//! The command line: one sub-command, one file.

use std::io::Write as _;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use paretoscope_store::Store;

use crate::http::problem::chain;
use crate::settings::{Settings, Words};

pub mod checks;
pub mod compare;
pub mod cookbook;
pub mod evidence;
pub mod export;
pub mod ingest;
pub mod ladder;
pub mod operations;
pub mod pulls;
pub mod repo;
pub mod sample;
pub mod serve;

/// Runs of the public LLM inference benchmark: ingest, browse, share, review.
#[derive(Debug, Parser)]
#[command(name = "paretoscope", version, max_term_width = 110)]
pub struct Cli {
    #[command(flatten)]
    settings: Settings,
    /// Answer as JSON, for machines; errors too, on standard error
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// The web server
    Serve(serve::Serve),
    /// Load the bundled sample runs (again changes nothing)
    Sample(sample::Sample),
    /// Read a run's artifacts: a folder of artifact folders, a folder of zips, one zip, or one JSON file
    Ingest(ingest::Ingest),
    /// Every stored point and eval of a run
    Export(export::Export),
    /// Two runs, or a run and the official curve, against each other
    Compare(compare::Compare),
    /// Checks 0 to 18 of a pull request, and what is missing before its merge
    ///
    /// The exit status is 0 whatever the checks say, as soon as they could be asked: what they say is in the output. It is 1 where
    /// the pull request was never read.
    Checks(checks::Checks),
    /// The evidence of a run for a sign-off, as Markdown
    Evidence(evidence::Evidence),
    /// Facts from a checkout of the benchmark repository
    Repo(repo::Repo),
    /// Pull requests, from saved GitHub payloads
    Pulls(pulls::Pulls),
    /// Entries of the serving cookbook, from a checkout or single snippets
    Cookbook(cookbook::Cookbook),
    /// Move a run along unofficial → staged → official
    SetKind(ladder::SetKind),
    /// Hide a run from every curve, reversibly
    Purge(ladder::Purge),
    /// Show a purged run again
    Restore(ladder::Restore),
    /// Bring the database to this version's shape
    Migrate(operations::Migrate),
    /// Look the database and the set-up over
    Doctor(operations::Doctor),
    /// Copy the database to a file while it is in use
    Backup(operations::Backup),
}

/// How a command ended; see the contract's exit statuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// All landed.
    Well,
    /// Nothing could be read or reached.
    Nothing,
    /// Some input was refused or unmapped while the rest landed.
    InPart,
}

impl From<Ended> for ExitCode {
    fn from(ended: Ended) -> Self {
        Self::from(match ended {
            Ended::Well => 0,
            Ended::Nothing => 1,
            Ended::InPart => 3,
        })
    }
}

/// A command's error: shown once, with its causes.
pub type CliError = Box<dyn std::error::Error + Send + Sync>;

/// Everything a command works with.
pub struct Context {
    /// Settings.
    pub settings: Settings,
    /// Vocabulary and thresholds.
    pub words: Words,
    /// Answer as JSON.
    pub json: bool,
}

impl Context {
    /// The store, at this version's shape.
    ///
    /// # Errors
    /// When it can't be opened or migrated.
    pub async fn store(&self) -> Result<Store, CliError> {
        let store = self.unmigrated_store().await?;
        store.migrate().await?;
        Ok(store)
    }

    /// The store as it is.
    ///
    /// # Errors
    /// When it can't be opened.
    pub async fn unmigrated_store(&self) -> Result<Store, CliError> {
        let words = paretoscope_store::Words { vocabulary: self.words.vocabulary.clone(), thresholds: self.words.thresholds.clone() };
        Ok(Store::open(&self.settings.database_url, words).await?)
    }
}

/// Runs the command line to its exit status.
#[must_use]
pub fn run(cli: Cli) -> ExitCode {
    let filter =
        tracing_subscriber::EnvFilter::try_from_env("PARETOSCOPE_LOG").unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("warn"));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).init();
    let json = cli.json;
    let fail = |error: &dyn std::error::Error| fail(error, json);
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return fail(&error),
    };
    match runtime.block_on(dispatch(cli)) {
        Ok(ended) => ended.into(),
        Err(error) => fail(error.as_ref()),
    }
}

async fn dispatch(cli: Cli) -> Result<Ended, CliError> {
    let words = cli.settings.words()?;
    let context = Context { settings: cli.settings, words, json: cli.json };
    match cli.command {
        Command::Serve(command) => command.run(&context).await,
        Command::Sample(command) => command.run(&context).await,
        Command::Ingest(command) => command.run(&context).await,
        Command::Export(command) => command.run(&context).await,
        Command::Compare(command) => command.run(&context).await,
        Command::Checks(command) => command.run(&context).await,
        Command::Evidence(command) => command.run(&context).await,
        Command::Repo(command) => command.run(&context).await,
        Command::Pulls(command) => command.run(&context).await,
        Command::Cookbook(command) => command.run(&context).await,
        Command::SetKind(command) => command.run(&context).await,
        Command::Purge(command) => command.run(&context).await,
        Command::Restore(command) => command.run(&context).await,
        Command::Migrate(command) => command.run(&context).await,
        Command::Doctor(command) => command.run(&context).await,
        Command::Backup(command) => command.run(&context).await,
    }
}

fn fail(error: &dyn std::error::Error, json: bool) -> ExitCode {
    let text = chain(error);
    let line = if json { serde_json::json!({ "error": text }).to_string() } else { format!("paretoscope: {text}") };
    // Nothing more can be done where stderr is closed.
    let _ = writeln!(std::io::stderr(), "{line}");
    Ended::Nothing.into()
}

/// Prints to stdout; a closed pipe ends the output, not the program.
pub fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Prints a value as one line of JSON: several values are JSON Lines.
///
/// # Errors
/// When it can't be written as JSON.
pub fn print_json<T: serde::Serialize>(value: &T) -> Result<(), CliError> {
    print(&format!("{}\n", serde_json::to_string(value)?));
    Ok(())
}

impl Context {
    /// Prints an answer: its words, or with `--json` its values.
    fn answer(&self, words: &str, values: serde_json::Value) {
        print(&if self.json { format!("{values}\n") } else { format!("{words}\n") });
    }
}
