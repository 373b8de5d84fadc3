//! `paretoscope pulls`: pull requests from saved payloads.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use jiff::Timestamp;
use paretoscope_domain::RunId;
use paretoscope_domain::fact::RunFact;
use paretoscope_domain::pull::{Known, Pull};
use paretoscope_domain::repo::Refused;
use paretoscope_domain::synced::Stored;
use paretoscope_facts::pull::{FileRead, Options, PullBatch, read};
use paretoscope_store::Store;
use serde::Serialize;

use super::{CliError, Context, Ended, print, print_json};

/// Pull requests.
#[derive(Debug, clap::Args)]
pub struct Pulls {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// Read saved GitHub payloads of pull requests, and stated facts about runs
    Import(Import),
}

/// Reads saved payloads: the pull request, its commits, files, comments, reviews, events or timeline, permissions, as `gh api …`
/// prints them, or what `gh pr view --json …` prints. A payload is known by its shape, not by its name. Files of stated facts are
/// taken too. What is known already is merged: nothing is lost, and older payloads roll nothing back.
#[derive(Debug, clap::Args)]
struct Import {
    /// Files, or folders of *.json files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

impl Pulls {
    /// Runs it.
    ///
    /// # Errors
    /// When there is nothing to read, or the store can't be written.
    pub async fn run(self, context: &Context) -> Result<Ended, CliError> {
        let What::Import(import) = self.what;
        let options = Options { repo: Some(context.settings.repo.clone()) };
        let batch = tokio::task::spawn_blocking(move || read(&import.files, &options)).await??;
        let store = context.store().await?;
        let imported = keep(&store, batch).await?;
        if context.json {
            print_json(&imported)?;
        } else {
            print(&imported.text());
        }
        Ok(imported.ended())
    }
}

/// What was read and what became of it.
#[derive(Debug, Serialize)]
pub(super) struct Imported {
    pub(super) pulls: Vec<ImportedPull>,
    pub(super) stated: Vec<ImportedFacts>,
    read: Vec<FileRead>,
    pub(super) refused: Vec<Refused>,
}

/// A pull request as it is known now.
#[derive(Debug, Serialize)]
pub(super) struct ImportedPull {
    repo: String,
    pub(super) number: i64,
    title: String,
    pub(super) stored: Stored,
    /// Which parts are known whole.
    known: Known,
    commits: usize,
    dropped: usize,
    files: usize,
    comments: usize,
    reviews: usize,
    events: usize,
    retold: Option<String>,
}

/// Facts that are stated about a run.
#[derive(Debug, Serialize)]
pub(super) struct ImportedFacts {
    run_id: RunId,
    facts: usize,
    pub(super) stored: Stored,
}

/// Stores what was read.
pub(super) async fn keep(store: &Store, batch: PullBatch) -> Result<Imported, CliError> {
    let PullBatch { pulls, stated, read, refused } = batch;
    let now = Timestamp::now();
    let mut done = Imported { pulls: Vec::new(), stated: Vec::new(), read, refused };
    for pull in pulls {
        let (repo, number) = (pull.repo.clone(), pull.number);
        let stored = store.put_pull(pull, now).await?;
        // As it is known after the merge, which may be more than was read.
        let known = store.pull(&repo, number).await?.unwrap_or_default();
        done.pulls.push(ImportedPull::of(&known, stored));
    }
    let mut by_run: BTreeMap<RunId, Vec<RunFact>> = BTreeMap::new();
    for fact in stated {
        by_run.entry(fact.run_id).or_default().push(fact);
    }
    for (run_id, facts) in by_run {
        let count = facts.len();
        let stored = store.put_evidence(facts, now).await?;
        done.stated.push(ImportedFacts { run_id, facts: count, stored });
    }
    Ok(done)
}

impl ImportedFacts {
    pub(super) fn in_words(&self) -> String {
        format!("Run {}, {}", self.run_id, many(self.facts, "stated fact"))
    }
}

impl ImportedPull {
    fn of(pull: &Pull, stored: Stored) -> Self {
        Self {
            repo: pull.repo.clone(),
            number: pull.number,
            title: pull.title.clone(),
            stored,
            known: pull.known,
            commits: pull.commits.len(),
            dropped: pull.dropped.len(),
            files: pull.files.len(),
            comments: pull.comments.len(),
            reviews: pull.reviews.len(),
            events: pull.events.len(),
            retold: pull.retold.clone(),
        }
    }
}

impl Imported {
    fn ended(&self) -> Ended {
        let landed = !self.pulls.is_empty() || !self.stated.is_empty();
        match (landed, self.refused.iter().any(|r| !r.kept)) {
            (false, _) => Ended::Nothing,
            (true, true) => Ended::InPart,
            (true, false) => Ended::Well,
        }
    }

    /// As people read it.
    fn text(&self) -> String {
        let mut out = String::new();
        let mut put = |line: String| {
            // Writing to a String can't fail.
            let _ = writeln!(out, "{line}");
        };
        for file in &self.read {
            put(format!("{}: {}", file.file, file.held.join(", ")));
        }
        for pull in &self.pulls {
            let ImportedPull { repo, number, title, stored, known, commits, dropped, files, comments, reviews, events, retold } = pull;
            let title = if title.is_empty() { String::new() } else { format!(" “{title}”") };
            put(format!("{repo}#{number}{title}: {}", stored.title()));
            let parts = [
                (known.commits, many(*commits, "commit")),
                (known.files, many(*files, "file")),
                (known.comments, many(*comments, "comment")),
                (known.reviews, many(*reviews, "review")),
                (known.events, many(*events, "event")),
            ];
            let words: Vec<String> =
                parts.into_iter().map(|(whole, words)| if whole { words } else { format!("{words} (not known to be all)") }).collect();
            let dropped = if *dropped > 0 { format!(", {dropped} dropped by forced pushes") } else { String::new() };
            put(format!("  known now: {}{dropped}", words.join(", ")));
            if !known.pull {
                put("  the pull request's own payload was never read: its head, state and counts are not known".to_owned());
            }
            if let Some(retold) = retold {
                put(format!("  {retold}"));
            }
        }
        for facts in &self.stated {
            put(format!("{}: {}", facts.in_words(), facts.stored.title()));
        }
        self.refused.iter().for_each(|r| put(refused_line(r)));
        if self.read.is_empty() {
            put("Nothing could be used.".to_owned());
        }
        out
    }
}

fn many(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// What was refused, or kept though it is odd, with its place and reason.
pub(super) fn refused_line(refused: &Refused) -> String {
    let Refused { file, line, what, reason, detail, kept } = refused;
    let line = line.map(|l| format!(", line {l}")).unwrap_or_default();
    let what = if matches!(what.as_str(), "file" | "snippet") { String::new() } else { format!(": {what}") };
    format!("{}: {file}{line}{what}: {reason}: {detail}", if *kept { "odd" } else { "refused" })
}
