//! `paretoscope repo sync`: facts from a checkout of the benchmark repository.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use jiff::Timestamp;
use paretoscope_domain::Scenario;
use paretoscope_domain::repo::{Refused, RepoFacts};
use paretoscope_domain::synced::Stored;
use paretoscope_facts::repo::{RepoOptions, read};
use serde::Serialize;

use super::{CliError, Context, Ended, print, print_json};

/// The benchmark's repository.
#[derive(Debug, clap::Args)]
pub struct Repo {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// Read changelog, models, golden acceptance lengths, thresholds, configurations, CODEOWNERS and checklist of a checkout
    Sync(Sync),
}

/// Reads a checkout. Its repository is that of --repo. What is odd is kept and listed; exit status 3 where something was left out.
#[derive(Debug, clap::Args)]
struct Sync {
    /// A checkout, or a copy of its files
    path: PathBuf,
    /// The commit it stands at [default: as its git says]
    #[arg(long, value_name = "SHA", value_parser = parse_commit)]
    commit: Option<String>,
    /// When that commit was made, as 2026-11-01T10:00:00Z [default: as its git says]
    #[arg(long, value_name = "TIME")]
    committed_at: Option<Timestamp>,
}

fn parse_commit(text: &str) -> Result<String, String> {
    let sha = text.trim().to_ascii_lowercase();
    let hex = (7..=40).contains(&sha.len()) && sha.bytes().all(|b| b.is_ascii_hexdigit());
    hex.then_some(sha).ok_or_else(|| "a commit is 7 to 40 hexadecimal digits".to_owned())
}

impl Repo {
    /// Runs it.
    ///
    /// # Errors
    /// When nothing could be read, or the store can't be written.
    pub async fn run(self, context: &Context) -> Result<Ended, CliError> {
        let What::Sync(sync) = self.what;
        let options =
            RepoOptions { repo: Some(context.settings.repo.clone()), commit: sync.commit, committed_at: sync.committed_at, retold: None };
        let words = context.words.vocabulary.clone();
        let facts = tokio::task::spawn_blocking(move || {
            // Hidden by itself where stderr is no terminal.
            let bar = ProgressBar::new_spinner().with_message(format!("reading {}", sync.path.display()));
            if let Ok(style) = ProgressStyle::with_template("{spinner} {wide_msg}") {
                bar.set_style(style);
            }
            bar.enable_steady_tick(Duration::from_millis(100));
            let facts = read(&sync.path, &options, &words);
            bar.finish_and_clear();
            facts
        })
        .await??;
        let store = context.store().await?;
        let synced = Synced::of(&facts);
        let stored = store.put_repo(facts, Timestamp::now()).await?;
        let synced = Synced { stored, ..synced };
        if context.json {
            print_json(&synced)?;
        } else {
            print(&synced.text());
        }
        Ok(synced.ended())
    }
}

/// What was read and what became of it.
#[derive(Debug, Serialize)]
struct Synced {
    repo: String,
    commit: Option<String>,
    committed_at: Option<Timestamp>,
    /// Folder of the checkout that holds the changelog and the configurations.
    root: String,
    stored: Stored,
    read: Vec<String>,
    counts: Counts,
    refused: Vec<Refused>,
}

#[derive(Debug, PartialEq, Serialize)]
struct Counts {
    changelog_entries: usize,
    configs: usize,
    points: usize,
    agentic_points: usize,
    models: usize,
    deprecations: usize,
    golden_curves: usize,
    thresholds: usize,
    /// Null where the checkout has no such file.
    code_owner_rules: Option<usize>,
    /// Null where the checkout has no such file.
    checklist_items: Option<usize>,
    /// Odd, and kept.
    odd: usize,
    left_out: usize,
}

impl Synced {
    fn of(facts: &RepoFacts) -> Self {
        let agentic = Scenario::AgenticTraces.to_string();
        let points = || facts.configs.iter().flat_map(|config| &config.points);
        let counts = Counts {
            changelog_entries: facts.changelog.len(),
            configs: facts.configs.len(),
            points: points().count(),
            agentic_points: points().filter(|p| p.scenario == agentic).count(),
            models: facts.models.len(),
            deprecations: facts.scenarios.len() + facts.models.iter().map(|m| m.deprecated.len()).sum::<usize>(),
            golden_curves: facts.golden.len(),
            thresholds: facts.thresholds.values().map(BTreeMap::len).sum(),
            code_owner_rules: facts.code_owners.as_ref().map(|owners| owners.rules.len()),
            checklist_items: facts.checklist.as_ref().map(|list| list.items.len()),
            odd: facts.refused.iter().filter(|r| r.kept).count(),
            left_out: facts.refused.iter().filter(|r| !r.kept).count(),
        };
        Self {
            repo: facts.repo.clone(),
            commit: facts.commit.clone(),
            committed_at: facts.committed_at,
            root: facts.root.clone(),
            stored: Stored::Same,
            read: facts.read.clone(),
            counts,
            refused: facts.refused.clone(),
        }
    }

    /// What is odd is kept, so all landed; what was left out did not.
    fn ended(&self) -> Ended {
        match (self.counts.left_out, self.read.is_empty()) {
            (0, false) => Ended::Well,
            (_, false) => Ended::InPart,
            (_, true) => Ended::Nothing,
        }
    }

    /// The report as people read it.
    fn text(&self) -> String {
        let mut out = String::new();
        let mut put = |line: String| {
            // Writing to a String can't fail.
            let _ = writeln!(out, "{line}");
        };
        let commit = self.commit.as_deref().map_or_else(|| "no commit known".to_owned(), |sha| format!("commit {sha}"));
        let at = self.committed_at.map(|at| format!(" of {at}")).unwrap_or_default();
        put(format!("{}, {commit}{at}: {}", self.repo, self.stored.title()));
        let below = if self.root.is_empty() { String::new() } else { format!(", below {}/", self.root) };
        put(format!("  {} files read{below}", self.read.len()));
        let Counts { changelog_entries, configs, points, agentic_points, models, deprecations, golden_curves, thresholds, .. } =
            &self.counts;
        let none = || "no such file".to_owned();
        let fixed = points - agentic_points;
        for (name, value) in [
            ("changelog", format!("{changelog_entries} entries")),
            ("configurations", format!("{configs}, which generate {points} points: {fixed} fixed sequences, {agentic_points} agentic")),
            ("models", format!("{models}, {deprecations} deprecations")),
            ("golden acceptance", format!("{golden_curves} curves")),
            ("thresholds", format!("{thresholds}")),
            ("code owners", self.counts.code_owner_rules.map_or_else(none, |n| format!("{n} rules"))),
            ("checklist", self.counts.checklist_items.map_or_else(none, |n| format!("{n} items"))),
        ] {
            put(format!("  {name:<18} {value}"));
        }
        for refused in self.refused.iter().filter(|r| !r.kept) {
            put(format!("  left out: {}", line(refused)));
        }
        for (reason, odd) in self.odd_by_reason() {
            for refused in odd.iter().take(SHOWN) {
                put(format!("  odd, kept: {}", line(refused)));
            }
            if odd.len() > SHOWN {
                put(format!("  odd, kept: {} more {reason}; --json lists all", odd.len() - SHOWN));
            }
        }
        out
    }

    fn odd_by_reason(&self) -> Vec<(&str, Vec<&Refused>)> {
        let mut groups: Vec<(&str, Vec<&Refused>)> = Vec::new();
        for refused in self.refused.iter().filter(|r| r.kept) {
            match groups.iter_mut().find(|(reason, _)| *reason == refused.reason) {
                Some((_, group)) => group.push(refused),
                None => groups.push((&refused.reason, vec![refused])),
            }
        }
        groups
    }
}

/// Odd things of one kind that are listed one by one: an old changelog names a hundred configurations that are no more.
const SHOWN: usize = 10;

fn line(refused: &Refused) -> String {
    let Refused { file, line, what, reason, detail, kept: _ } = refused;
    let line = line.map(|line| format!(":{line}")).unwrap_or_default();
    format!("{file}{line}: {what}: {reason}: {detail}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(n: u64, reason: &str, kept: bool) -> Refused {
        let (file, reason) = ("perf-changelog.yaml".to_owned(), reason.to_owned());
        Refused { file, line: Some(n), what: format!("entry {n}"), reason, detail: "as it is".to_owned(), kept }
    }

    #[test]
    fn what_is_left_out_makes_it_a_part() {
        let facts = |read: &[&str], refused: Vec<Refused>| RepoFacts {
            read: read.iter().map(|r| (*r).to_owned()).collect(),
            refused,
            ..RepoFacts::default()
        };
        for (facts, expected) in [
            (facts(&["a"], vec![]), Ended::Well),
            (facts(&["a"], vec![refused(1, "no_such_config", true)]), Ended::Well),
            (facts(&["a"], vec![refused(1, "no_such_config", true), refused(2, "unknown_key", false)]), Ended::InPart),
            (facts(&[], vec![refused(2, "unreadable", false)]), Ended::Nothing),
        ] {
            assert_eq!(Synced::of(&facts).ended(), expected, "{:?}", facts.refused);
        }
    }

    #[test]
    fn the_report_names_file_line_and_reason() {
        let mut list: Vec<Refused> = (1..=12).map(|n| refused(n, "no_such_config", true)).collect();
        list.push(refused(13, "unknown_key", false));
        let facts = RepoFacts {
            repo: "o/r".to_owned(),
            commit: Some("41d29b28".to_owned()),
            root: "inferencex-e2e".to_owned(),
            refused: list,
            ..RepoFacts::default()
        };
        let text = Synced::of(&facts).text();
        for expected in [
            "o/r, commit 41d29b28: unchanged\n",
            "  left out: perf-changelog.yaml:13: entry 13: unknown_key: as it is\n",
            "  odd, kept: perf-changelog.yaml:10: entry 10: no_such_config: as it is\n",
            "  odd, kept: 2 more no_such_config; --json lists all\n",
            "  code owners        no such file\n",
        ] {
            assert!(text.contains(expected), "{text}");
        }
        assert!(!text.contains(":11:"), "{text}");
    }

    #[test]
    fn commits_on_the_command_line() {
        assert_eq!(parse_commit(" 41D29B28 "), Ok("41d29b28".to_owned()));
        for bad in ["main", "41d29b", "41d29b2834a85fcee09db6f9f52653b7c2f30ef300"] {
            assert!(parse_commit(bad).is_err(), "{bad}");
        }
    }
}
