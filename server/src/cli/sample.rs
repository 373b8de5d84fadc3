//! `paretoscope sample`

use jiff::Timestamp;
use paretoscope_domain::RunId;
use paretoscope_domain::report::IngestReport;
use paretoscope_domain::synced::Stored;
use paretoscope_domain::vocabulary::Vocabulary;
use paretoscope_facts::{cookbook, pull, repo};
use paretoscope_store::Store;
use serde::Serialize;

use super::{CliError, Context, Ended, print, print_json, pulls};

/// Loads the reference runs with their pull request, and the synthetic history.
#[derive(Debug, clap::Args)]
pub struct Sample {}

/// What loading did.
#[derive(Debug)]
pub struct Loaded {
    /// To each run.
    pub runs: Vec<LoadedRun>,
    /// To what belongs to the reference pull request.
    pub beside: Vec<LoadedFact>,
}

/// What loading did to one run.
#[derive(Debug, Serialize)]
pub struct LoadedRun {
    run_id: RunId,
    synthetic: bool,
    report: IngestReport,
}

/// What loading did to something that is no run.
#[derive(Debug, Serialize)]
pub struct LoadedFact {
    /// What, in words.
    pub loaded: String,
    /// What became of it.
    pub stored: Stored,
}

impl Sample {
    /// Runs it.
    ///
    /// # Errors
    /// When the sample can't be written out, read or stored.
    pub async fn run(self, context: &Context) -> Result<Ended, CliError> {
        let store = context.store().await?;
        let Loaded { runs, beside } = load(&store, &context.words.vocabulary).await?;
        if context.json {
            runs.iter().try_for_each(print_json)?;
            beside.iter().try_for_each(print_json)?;
            return Ok(Ended::Well);
        }
        let changed: u64 = runs.iter().map(|l| l.report.rows_changed).sum();
        let synthetic = runs.iter().filter(|l| l.synthetic).count();
        print(&format!(
            "{} sample runs: {} as the reference pull request states them, {synthetic} synthetic (made up). {changed} rows changed.\n",
            runs.len(),
            runs.len() - synthetic,
        ));
        for LoadedFact { loaded, stored } in &beside {
            print(&format!("{loaded}: {}\n", stored.title()));
        }
        Ok(Ended::Well)
    }
}

/// Loads the bundled sample by the way that everything takes: files on disk or payloads, their readers, the store. Again changes nothing.
///
/// # Errors
/// When the sample can't be written out, read or stored.
pub async fn load(store: &Store, words: &Vocabulary) -> Result<Loaded, CliError> {
    let of_readers = words.clone();
    let (batches, states) = tokio::task::spawn_blocking(move || -> Result<_, CliError> {
        let folder = tempfile::tempdir()?;
        let mut runs = paretoscope_sample::reference_runs();
        runs.extend(paretoscope_sample::synthetic_runs());
        let paths = paretoscope_sample::write_to(folder.path(), &runs)?;
        let batches = paretoscope_ingest::read(&paths, &paretoscope_ingest::Options::default(), &of_readers, &mut |_| {})?;
        Ok((batches, repo_states(&of_readers)?))
    })
    .await??;
    let now = Timestamp::now();
    let mut loaded = Loaded { runs: Vec::with_capacity(batches.len()), beside: Vec::new() };
    for batch in batches {
        let (run_id, synthetic) = (batch.run_id, batch.facts.synthetic);
        let report = store.apply(batch, now).await?;
        loaded.runs.push(LoadedRun { run_id, synthetic, report });
    }
    for (title, facts) in states {
        let stored = store.put_repo(facts, now).await?;
        loaded.beside.push(LoadedFact { loaded: format!("Benchmark repository, {title} (retold)"), stored });
    }
    loaded.beside.append(&mut pull_request(store).await?);
    loaded.beside.append(&mut cookbook_states(store, now).await?);
    Ok(loaded)
}

/// States of the benchmark repository, each with what it is.
fn repo_states(words: &Vocabulary) -> Result<Vec<(&'static str, paretoscope_domain::repo::RepoFacts)>, CliError> {
    let mut states = Vec::new();
    for state in paretoscope_sample::repo_states() {
        let folder = tempfile::tempdir()?;
        paretoscope_sample::write_repo(folder.path(), &state)?;
        let options = repo::RepoOptions {
            commit: state.commit.map(str::to_owned),
            committed_at: Some(state.committed_at.parse()?),
            retold: Some(state.retold.to_owned()),
            ..repo::RepoOptions::default()
        };
        states.push((state.title, repo::read(folder.path(), &options, words)?));
    }
    Ok(states)
}

/// The reference pull request, and what is stated about its runs.
async fn pull_request(store: &Store) -> Result<Vec<LoadedFact>, CliError> {
    let files = paretoscope_sample::pull_payloads().into_iter().map(|file| (file.path, file.contents.into_bytes()));
    let imported = pulls::keep(store, pull::read_texts(files, &pull::Options::default())).await?;
    if let Some(refused) = imported.refused.first() {
        return Err(format!("the bundled sample: {}", pulls::refused_line(refused)).into());
    }
    let pulls = imported.pulls.iter().map(|p| LoadedFact { loaded: format!("Pull request {} (retold)", p.number), stored: p.stored });
    let facts = imported.stated.iter().map(|f| LoadedFact { loaded: f.in_words(), stored: f.stored });
    Ok(pulls.chain(facts).collect())
}

/// States of the cookbook's snippet.
async fn cookbook_states(store: &Store, now: Timestamp) -> Result<Vec<LoadedFact>, CliError> {
    let mut loaded = Vec::new();
    for state in paretoscope_sample::cookbook_states() {
        let options = cookbook::Options {
            committed_at: Some(state.committed_at.parse()?),
            cookbook_pr: Some(state.cookbook_pr),
            page: Some(state.page.to_owned()),
            ..cookbook::Options::default()
        };
        let cookbook::CookbookRead { versions, refused } = cookbook::read_text(state.path, state.text.as_bytes(), &options, now);
        if let Some(refused) = refused.first() {
            return Err(format!("the bundled sample: {}", pulls::refused_line(refused)).into());
        }
        let outcomes = store.put_cookbook(versions, refused, now).await?;
        let title = format!("Cookbook as {}#{} left it (retold)", cookbook::COOKBOOK_REPO, state.cookbook_pr);
        loaded.extend(outcomes.into_iter().map(|stored| LoadedFact { loaded: title.clone(), stored }));
    }
    Ok(loaded)
}
