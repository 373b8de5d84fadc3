//! Which run would be reused at the merge, and whether it may be (formats-and-rules §2.5, reuse source validity).

use jiff::Timestamp;
use paretoscope_domain::RunId;
use paretoscope_domain::pull::{Pull, PullCommit, same_commit};
use paretoscope_domain::run::{Artifact, Family, RunDetail};
use serde::{Deserialize, Serialize};

use super::commands::Command;
use super::text::{count, joined, short};
use crate::gathered::Gathered;

/// The commit that a run measured, and the pull request since.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Measured {
    /// The commit; null where the run doesn't state it.
    pub sha: Option<String>,
    /// Whether it is in the pull request; null where that can't be known.
    pub in_pull: Option<bool>,
    /// What came after it, oldest first.
    pub after: Vec<Later>,
    /// In words.
    pub sentence: String,
}

/// A commit after the measured one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Later {
    /// Commit.
    pub sha: String,
    /// First line of its message.
    pub subject: String,
    /// Whether it merges another branch. Whether such a merge is clean is not told by its parents.
    pub merge: bool,
}

/// How long the artifacts that the ingest needs will be there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Lifetime {
    /// How it stands.
    pub state: LifetimeState,
    /// The first moment at which one of them is gone, as told: RFC 3339 or a bare date.
    pub until: Option<String>,
    /// In words.
    pub sentence: String,
}

/// Whether artifacts are there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum LifetimeState {
    /// All that are needed are there.
    Live,
    /// Some are gone.
    Expired,
    /// Nothing tells.
    Unknown,
}

/// The run that a command picks: the one it names, or for a bare one the newest successful run with results that is known here.
#[must_use]
pub fn picked(command: &Command, g: &Gathered<'_>) -> Option<RunId> {
    if !command.can_pin() {
        return None;
    }
    command.run_id.or_else(|| {
        let has_results = |r: &RunDetail| r.run.point_count + r.run.eval_count > 0;
        let of_this = |r: &RunDetail| r.run.pr_number == Some(g.pull.number) && !r.run.synthetic;
        let found = g.runs.iter().find(|r| of_this(r) && r.run.conclusion.as_deref() == Some("success") && has_results(r));
        found.map(|r| r.run.run_id)
    })
}

/// The commit a run measured, against the commits of the pull request.
#[must_use]
pub fn measured(pull: &Pull, run: &RunDetail) -> Measured {
    let Some(sha) = run.run.head_sha.clone() else {
        let sentence = "The run doesn't state the commit it measured.".to_owned();
        return Measured { sha: None, in_pull: None, after: Vec::new(), sentence };
    };
    let short_sha = short(&sha);
    if let Some(at) = pull.commits.iter().position(|c| same_commit(&c.sha, &sha)) {
        let after: Vec<Later> = pull.commits.iter().skip(at + 1).map(later).collect();
        let mut sentence = format!("{short_sha} is in the pull request. {}", since(&after));
        if !pull.known.commits {
            sentence.push_str(" The list of commits may not be whole.");
        }
        return Measured { sha: Some(sha), in_pull: Some(true), after, sentence };
    }
    let dropped = pull.dropped.iter().any(|c| same_commit(&c.sha, &sha));
    let (in_pull, sentence) = match (dropped, pull.known.commits, same_commit(&sha, &pull.head_sha)) {
        (true, ..) => (Some(false), format!("{short_sha} is no longer in the pull request: a forced push dropped it.")),
        (false, true, _) => (Some(false), format!("{short_sha} is not among the pull request's commits.")),
        (false, false, true) => (Some(true), format!("{short_sha} is the head. The other commits were not read.")),
        (false, false, false) => (None, format!("Whether {short_sha} is in the pull request is not known: its commits were not read.")),
    };
    Measured { sha: Some(sha), in_pull, after: Vec::new(), sentence }
}

fn later(commit: &PullCommit) -> Later {
    Later {
        sha: commit.sha.clone(),
        subject: commit.message.lines().next().unwrap_or_default().trim().to_owned(),
        merge: commit.is_merge(),
    }
}

fn since(after: &[Later]) -> String {
    let merges = after.iter().filter(|c| c.merge).count();
    let rest = after.len() - merges;
    match (merges, rest) {
        (0, 0) => "No commits follow it.".to_owned(),
        (n, 0) => format!("{}, all merges of another branch; whether they are clean can't be seen here.", follow(n)),
        (0, n) => format!("{}, not merges.", follow(n)),
        (m, n) => format!("{}: {} and {n} other.", follow(m + n), count(m, "merge of another branch", "merges of another branch")),
    }
}

fn follow(n: usize) -> String {
    format!("{} {}", count(n, "commit", "commits"), if n == 1 { "follows" } else { "follow" })
}

/// Artifacts that the ingest reads.
fn is_needed(artifact: &Artifact) -> bool {
    use Family::{Benchmark, Changelog, CollectedBenchmarks, CollectedEvals, Eval};
    matches!(artifact.family, CollectedBenchmarks | Benchmark | CollectedEvals | Eval | Changelog)
}

/// How long the artifacts live. Each name may have several uploads; the newest one counts.
#[must_use]
pub fn lifetime(run: &RunDetail, now: Timestamp) -> Lifetime {
    let mut newest: std::collections::BTreeMap<&str, &Artifact> = std::collections::BTreeMap::new();
    for artifact in run.artifacts.iter().filter(|a| is_needed(a)) {
        let order = |a: &Artifact| (a.attempt, a.uploaded_at, a.artifact_id);
        let kept = newest.entry(&artifact.name).or_insert(artifact);
        if order(artifact) > order(kept) {
            *kept = artifact;
        }
    }
    let all: Vec<&Artifact> = newest.into_values().collect();
    let told: Vec<(&str, Timestamp)> =
        all.iter().filter_map(|a| a.expires_at.as_deref()).filter_map(|text| Some((text, moment(text)?))).collect();
    let Some((until, first)) = told.iter().min_by_key(|(_, at)| *at).copied() else {
        let sentence = if all.is_empty() {
            "No artifact that the ingest needs is known here.".to_owned()
        } else {
            "Until when its artifacts live is not told: no listing of them was read.".to_owned()
        };
        return Lifetime { state: LifetimeState::Unknown, until: None, sentence };
    };
    let gone = told.iter().filter(|(_, at)| *at <= now).count();
    let untold: Vec<String> = all.iter().filter(|a| a.expires_at.as_deref().and_then(moment).is_none()).map(|a| a.name.clone()).collect();
    let state = match (gone, untold.len()) {
        (1.., _) => LifetimeState::Expired,
        (0, 0) => LifetimeState::Live,
        (0, _) => LifetimeState::Unknown,
    };
    let n = if untold.is_empty() {
        count(all.len(), "artifact", "artifacts")
    } else {
        format!("{} of {}", told.len(), count(all.len(), "artifact", "artifacts"))
    };
    let mut sentence = if gone > 0 {
        format!("{gone} of {n} that the ingest needs expired, the first on {until}.")
    } else if first == told.iter().map(|(_, at)| *at).max().unwrap_or(first) {
        format!("{n} that the ingest needs, unexpired until {until}.")
    } else {
        format!("{n} that the ingest needs, the first expires on {until}.")
    };
    match untold.len() {
        0 => {}
        1..=3 => sentence.push_str(&format!(" Nothing tells when {} will be gone.", joined(&untold))),
        many => sentence.push_str(&format!(" Of the other {many} nothing tells when.")),
    }
    Lifetime { state, until: Some(until.to_owned()), sentence }
}

/// A time as told; of a bare date, its end can't be known, so the day counts from its start.
fn moment(text: &str) -> Option<Timestamp> {
    text.parse::<Timestamp>().ok().or_else(|| {
        let day: jiff::civil::Date = text.parse().ok()?;
        day.to_zoned(jiff::tz::TimeZone::UTC).ok().map(|z| z.timestamp())
    })
}
