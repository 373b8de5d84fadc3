//! `paretoscope cookbook`: what the serving cookbook says of each configuration.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;

use jiff::Timestamp;
use paretoscope_domain::cookbook::CookbookVersion;
use paretoscope_domain::repo::Refused;
use paretoscope_domain::synced::Stored;
use paretoscope_facts::cookbook::{CookbookRead, Options, read};
use serde::Serialize;

use super::pulls::refused_line;
use super::{CliError, Context, Ended, print, print_json};

/// The serving cookbook.
#[derive(Debug, clap::Args)]
pub struct Cookbook {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// Read the cookbook's snippets: from a checkout of the sglang repository, or single files
    Sync(Sync),
}

/// Reads snippets (docs/src/snippets/agentx/<org>/<model>.jsx). One that does not parse is named and skipped; its last good state
/// stays. Commit, its time and its pull request come from the checkout's git where it has one.
#[derive(Debug, clap::Args)]
struct Sync {
    /// Checkouts, folders in one, or snippet files
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Repository they stand in [default: sgl-project/sglang]
    #[arg(long, value_name = "OWNER/NAME")]
    cookbook_repo: Option<String>,
    /// Commit of the cookbook they are of
    #[arg(long, value_name = "SHA")]
    commit: Option<String>,
    /// When that commit was made or its pull request merged, as 2026-11-03T03:28:14Z
    #[arg(long, value_name = "TIME")]
    committed_at: Option<Timestamp>,
    /// Pull request of the cookbook that brought this state
    #[arg(long, value_name = "N")]
    cookbook_pr: Option<i64>,
    /// Page that people read
    #[arg(long, value_name = "URL")]
    page: Option<String>,
    /// Path of a single file within the repository, where it lies elsewhere
    #[arg(long, value_name = "PATH")]
    file_path: Option<String>,
}

impl Cookbook {
    /// Runs it.
    ///
    /// # Errors
    /// When there is nothing to read, or the store can't be written.
    pub async fn run(self, context: &Context) -> Result<Ended, CliError> {
        let What::Sync(sync) = self.what;
        let now = Timestamp::now();
        let found = tokio::task::spawn_blocking(move || sync.read(now)).await??;
        let store = context.store().await?;
        let before = store.cookbook().await?;
        let CookbookRead { versions, refused } = found;
        let files: Vec<Synced> = versions.iter().map(Synced::of).collect();
        let stored = store.put_cookbook(versions, refused.clone(), now).await?;
        let files: Vec<Synced> = files.into_iter().zip(stored).map(|(file, stored)| Synced { stored, ..file }).collect();
        let report = Report { left: left(&before, &files, &refused), files, refused };
        if context.json {
            print_json(&report)?;
        } else {
            print(&report.text());
        }
        Ok(report.ended())
    }
}

impl Sync {
    fn read(self, now: Timestamp) -> Result<CookbookRead, CliError> {
        let Self { paths, cookbook_repo, commit, committed_at, cookbook_pr, page, file_path } = self;
        let options = Options { repo: cookbook_repo, commit, committed_at, cookbook_pr, page, path: file_path };
        let mut all = CookbookRead::default();
        let mut unread = Vec::new();
        for path in paths {
            match read(&path, &options, now) {
                Ok(CookbookRead { mut versions, mut refused }) => {
                    all.versions.append(&mut versions);
                    all.refused.append(&mut refused);
                }
                Err(error) => unread.push((path, error)),
            }
        }
        if all == CookbookRead::default()
            && let Some((_, error)) = unread.pop()
        {
            return Err(error.into());
        }
        all.refused.extend(unread.into_iter().map(|(path, error)| Refused {
            file: path.display().to_string(),
            line: None,
            what: "file".to_owned(),
            reason: "unreadable".to_owned(),
            detail: error.to_string(),
            kept: false,
        }));
        Ok(all)
    }
}

/// A snippet that was read.
#[derive(Debug, Serialize)]
struct Synced {
    repo: String,
    path: String,
    model: String,
    stored: Stored,
    commit: Option<String>,
    committed_at: Option<Timestamp>,
    cookbook_pr: Option<i64>,
    page: Option<String>,
    cells: usize,
    configurations: usize,
    /// Cells by the status they state.
    statuses: BTreeMap<String, usize>,
}

/// A snippet that was not read this time, and the state that stays.
#[derive(Debug, Serialize)]
struct Left {
    path: String,
    /// Time of the last good state; null where there is none.
    last_good: Option<Timestamp>,
}

/// What was read and what became of it.
#[derive(Debug, Serialize)]
struct Report {
    files: Vec<Synced>,
    left: Vec<Left>,
    refused: Vec<Refused>,
}

impl Synced {
    fn of(version: &CookbookVersion) -> Self {
        let CookbookVersion { file, digest: _, committed_at, synced_at: _ } = version;
        let mut statuses: BTreeMap<String, usize> = BTreeMap::new();
        for cell in &file.cells {
            *statuses.entry(cell.status_word.clone().unwrap_or_else(|| "no status".to_owned())).or_default() += 1;
        }
        Self {
            repo: file.repo.clone(),
            path: file.path.clone(),
            model: file.model.clone(),
            stored: Stored::Same,
            commit: file.commit.clone(),
            committed_at: *committed_at,
            cookbook_pr: file.cookbook_pr,
            page: file.page.clone(),
            cells: file.cells.len(),
            configurations: file.cells.iter().map(|c| &c.config_key).collect::<BTreeSet<_>>().len(),
            statuses,
        }
    }
}

/// Files of which nothing was read this time.
fn left(before: &[CookbookVersion], files: &[Synced], refused: &[Refused]) -> Vec<Left> {
    let failed: BTreeSet<&str> = refused.iter().map(|r| r.file.as_str()).filter(|f| !files.iter().any(|s| s.path == *f)).collect();
    let last_good = |path: &str| before.iter().filter(|v| v.file.path == path).map(CookbookVersion::at).max();
    failed.into_iter().map(|path| Left { path: path.to_owned(), last_good: last_good(path) }).collect()
}

impl Report {
    fn ended(&self) -> Ended {
        match (self.files.is_empty(), self.refused.iter().any(|r| !r.kept)) {
            (true, _) => Ended::Nothing,
            (false, true) => Ended::InPart,
            (false, false) => Ended::Well,
        }
    }

    /// As people read it.
    fn text(&self) -> String {
        let mut out = String::new();
        let mut put = |line: String| {
            // Writing to a String can't fail.
            let _ = writeln!(out, "{line}");
        };
        for file in &self.files {
            let Synced { repo, path, stored, commit, committed_at, cookbook_pr, cells, configurations, statuses, .. } = file;
            let statuses: Vec<String> = statuses.iter().map(|(word, n)| format!("{n} {word}")).collect();
            put(format!(
                "{path}: {cells} cells of {configurations} configurations ({}): {}",
                if statuses.is_empty() { "none".to_owned() } else { statuses.join(", ") },
                stored.title()
            ));
            let mut from = Vec::new();
            from.extend(cookbook_pr.map(|n| format!("brought by {repo}#{n}")));
            from.extend(commit.as_ref().map(|c| format!("commit {}", c.chars().take(9).collect::<String>())));
            from.push(committed_at.map_or_else(|| "no time is known: it counts from now".to_owned(), |at| format!("of {at}")));
            put(format!("  {}", from.join(", ")));
        }
        self.refused.iter().for_each(|r| put(refused_line(r)));
        for Left { path, last_good } in &self.left {
            put(match last_good {
                Some(at) => format!("{path}: its last good state stays, of {at}"),
                None => format!("{path}: no earlier state of it is known"),
            });
        }
        out
    }
}
