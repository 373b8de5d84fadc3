//! Everything about a pull request in one value: what the API answers and the page shows.

use jiff::Timestamp;
use paretoscope_domain::pull::{PullCommit, PullState, same_commit};
use paretoscope_domain::run::{AttemptSummary, Image, RunDetail};
use paretoscope_domain::{Kind, RunId};
use serde::{Deserialize, Serialize};

use super::commands::{Command, Standing, commands, current_pin};
use super::cookbook::{CookbookRound, rounds};
use super::items::{TimelineItem, timeline};
use super::now::{Beside, Hidden, Now, now};
use super::pin::{measured, picked};
use super::signoff::{SignOff, current_sign_off, sign_offs};
use super::verdict::{Verdict, current_verdict, verdicts};
use crate::check::Check;
use crate::drift;
use crate::gathered::Gathered;

/// A pull request as it is answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PullAnswer {
    /// `owner/name`.
    pub repo: String,
    /// Number.
    pub number: i64,
    /// Title; empty where never told.
    pub title: String,
    /// State; null where never told.
    pub state: Option<PullState>,
    /// Whether it is a draft.
    pub draft: bool,
    /// Who opened it; empty where never told.
    pub author: String,
    /// Page.
    pub url: String,
    /// Newest commit; empty where never told.
    pub head_sha: String,
    /// Labels now.
    pub labels: Vec<String>,
    /// When it was opened.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = DateTime))]
    pub created_at: Option<Timestamp>,
    /// When it last changed.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = DateTime))]
    pub updated_at: Option<Timestamp>,
    /// When it was merged.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = DateTime))]
    pub merged_at: Option<Timestamp>,
    /// Commits now in it, oldest first.
    pub commits: Vec<PullCommit>,
    /// Runs of it that are known here, and those its pins name, newest first.
    pub runs: Vec<PullRun>,
    /// Commands that pin a run, oldest first; those without standing among them.
    pub pins: Vec<Pin>,
    /// How it stands now.
    pub now: Now,
    /// What happened, oldest first.
    pub timeline: Vec<TimelineItem>,
    /// The sign-off that counts; null where there is none.
    pub signoff: Option<SignOff>,
    /// The verdict that counts, with our answers beside the verifier's; null where there is none.
    pub verdict: Option<Verdict>,
    /// The checks as they are decided here.
    pub checks: Vec<Check>,
    /// Rounds of the cookbook, in order.
    pub cookbook: Vec<CookbookRound>,
    /// What was not read, what is hidden and what is retold, as sentences.
    pub notes: Vec<String>,
    /// Where this is a retelling and no payload of GitHub's: what it is.
    pub retold: Option<String>,
}

/// A run of a pull request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PullRun {
    /// Run.
    pub run_id: RunId,
    /// Whether its artifacts were ingested here; where not, all else is null or empty.
    pub known: bool,
    /// Standing here.
    pub kind: Option<Kind>,
    /// Commit it measured.
    pub head_sha: Option<String>,
    /// Whether that commit is in the pull request; null where it can't be known.
    pub in_pull: Option<bool>,
    /// Status.
    pub status: Option<String>,
    /// Conclusion.
    pub conclusion: Option<String>,
    /// What is known of each attempt.
    pub attempts: Vec<AttemptSummary>,
    /// When it was created.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = DateTime))]
    pub created_at: Option<Timestamp>,
    /// Day it was created.
    pub date: Option<String>,
    /// Points that count.
    pub point_count: Option<usize>,
    /// Failed points.
    pub failed_count: Option<usize>,
    /// Evals that count.
    pub eval_count: Option<usize>,
    /// Evals that pass.
    pub eval_passing: Option<usize>,
    /// Images its points ran on.
    pub images: Vec<Image>,
    /// Whether it is the pin now.
    pub pinned: bool,
    /// Page of the run on GitHub.
    pub html_url: Option<String>,
}

/// A command that pins a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Pin {
    /// The run; null for a command that names none and picks none that is known here.
    pub run_id: Option<RunId>,
    /// Who gave it.
    pub author: String,
    /// Standing of the author, GitHub's word; null where not told.
    pub association: Option<String>,
    /// Whether the author may; null where nothing tells.
    pub authorised: Option<bool>,
    /// When.
    #[cfg_attr(feature = "openapi", schema(value_type = String, format = DateTime))]
    pub at: Timestamp,
    /// Whether it is the pin now.
    pub current: bool,
    /// The command as it is typed.
    pub command: String,
    /// Page of its comment.
    pub url: Option<String>,
    /// Whether its comment was edited after it was written.
    pub edited: bool,
    /// Why it is not accepted; null where it is.
    pub why: Option<String>,
}

/// Puts everything together.
#[must_use]
pub fn answer(g: &Gathered<'_>, checks: Vec<Check>, hidden: &[Hidden]) -> PullAnswer {
    let pull = g.pull;
    let all = commands(pull);
    let cookbook = rounds(pull, &all, states(g));
    let signoff = current_sign_off(&sign_offs(pull)).cloned();
    let verdict = current_verdict(&verdicts(pull)).cloned().map(|v| v.beside(&checks));
    let beside = Beside { checks: &checks, signoff: signoff.as_ref(), verdict: verdict.as_ref(), rounds: &cookbook, hidden };
    let now = now(g, &beside);
    let pin = now.pin.as_ref().and_then(|p| p.run_id);
    PullAnswer {
        repo: pull.repo.clone(),
        number: pull.number,
        title: pull.title.clone(),
        state: pull.known.pull.then_some(pull.state),
        draft: pull.draft,
        author: pull.author.clone(),
        url: pull.url.clone(),
        head_sha: pull.head_sha.clone(),
        labels: pull.labels.clone(),
        created_at: pull.created_at,
        updated_at: pull.updated_at,
        merged_at: pull.merged_at,
        commits: pull.commits.clone(),
        runs: runs(g, &all, pin),
        pins: pins(g, &all),
        timeline: timeline(g),
        notes: notes(g, hidden),
        now,
        signoff,
        verdict,
        checks,
        cookbook,
        retold: pull.retold.clone(),
    }
}

/// What the cookbook said of the pull request's configurations, state by state.
fn states(g: &Gathered<'_>) -> Vec<drift::Round> {
    let mut keys: Vec<String> =
        g.runs.iter().filter(|r| r.run.pr_number == Some(g.pull.number)).flat_map(|r| r.run.config_keys.iter().cloned()).collect();
    keys.sort();
    keys.dedup();
    let runs: Vec<_> = g.runs.iter().chain(g.official).cloned().collect();
    let official: Vec<_> = g.official.iter().map(|r| &r.run).collect();
    let states: Vec<_> = g.head.into_iter().chain(g.base).collect();
    let inputs = drift::CookbookInputs {
        versions: g.cookbook,
        pulls: &[g.pull],
        runs: &runs,
        main: g.main,
        states: &states,
        official: &official,
        words: g.words,
        now: g.now,
    };
    drift::rounds(&inputs, g.pull.number, &keys)
}

fn pins(g: &Gathered<'_>, all: &[Command]) -> Vec<Pin> {
    let current = current_pin(all);
    all.iter()
        .filter(|c| c.can_pin())
        .map(|c| {
            let (authorised, why) = match &c.standing {
                Standing::Authorised => (Some(true), None),
                Standing::NotAuthorised { why } => (Some(false), Some(why.clone())),
                Standing::Unknown { why } => (None, Some(why.clone())),
            };
            Pin {
                run_id: picked(c, g),
                author: c.author.clone(),
                association: c.association.clone(),
                authorised,
                at: c.at,
                current: current == Some(c),
                command: c.text(),
                url: c.url.clone(),
                edited: c.edited,
                why,
            }
        })
        .collect()
}

fn runs(g: &Gathered<'_>, all: &[Command], pin: Option<RunId>) -> Vec<PullRun> {
    let known = g.runs.iter().map(|r| known_run(g, r, pin));
    let mut unknown: Vec<RunId> = all.iter().filter_map(|c| c.run_id).filter(|id| g.run(*id).is_none()).collect();
    // Numbers of runs grow: the highest is the newest.
    unknown.sort_unstable_by(|a, b| b.cmp(a));
    unknown.dedup();
    known.chain(unknown.into_iter().map(|id| unknown_run(g, id, pin))).collect()
}

fn known_run(g: &Gathered<'_>, detail: &RunDetail, pin: Option<RunId>) -> PullRun {
    let run = &detail.run;
    PullRun {
        run_id: run.run_id,
        known: true,
        kind: Some(run.kind),
        head_sha: run.head_sha.clone(),
        in_pull: measured(g.pull, detail).in_pull,
        status: run.status.clone(),
        conclusion: run.conclusion.clone(),
        attempts: run.attempt_details.clone(),
        created_at: run.created_at,
        date: run.date.clone(),
        point_count: Some(run.point_count),
        failed_count: Some(run.failed_count),
        eval_count: Some(run.eval_count),
        eval_passing: Some(run.eval_passing),
        images: run.images.clone(),
        pinned: pin == Some(run.run_id),
        html_url: run.html_url.clone(),
    }
}

fn unknown_run(g: &Gathered<'_>, id: RunId, pin: Option<RunId>) -> PullRun {
    PullRun {
        run_id: id,
        known: false,
        kind: None,
        head_sha: None,
        in_pull: None,
        status: None,
        conclusion: None,
        attempts: Vec::new(),
        created_at: None,
        date: None,
        point_count: None,
        failed_count: None,
        eval_count: None,
        eval_passing: None,
        images: Vec::new(),
        pinned: pin == Some(id),
        html_url: (!g.pull.repo.is_empty()).then(|| format!("https://github.com/{}/actions/runs/{id}", g.pull.repo)),
    }
}

fn notes(g: &Gathered<'_>, hidden: &[Hidden]) -> Vec<String> {
    let pull = g.pull;
    let mut notes = Vec::new();
    if !pull.known.pull {
        notes.push(format!(
            "The pull request itself was not read, only runs that name it: title, state and author are what those runs state. `paretoscope pulls import FILE…` reads saved payloads of #{}.",
            pull.number
        ));
    }
    let parts = [
        (pull.known.commits, "commits"),
        (pull.known.files, "files"),
        (pull.known.comments, "comments"),
        (pull.known.reviews, "reviews"),
        (pull.known.events, "labels and pushes"),
    ];
    let unread: Vec<String> = parts.into_iter().filter(|(known, _)| !known).map(|(_, what)| what.to_owned()).collect();
    if !unread.is_empty() {
        notes.push(format!("Not read, or not all of it: {}.", super::text::joined(&unread)));
    }
    for Hidden { run_id, purge } in hidden {
        notes.push(format!("Run {run_id} is hidden here and left out, since {}: {}", super::text::minute(purge.at), purge.reason));
    }
    if pull.commits.iter().any(|c| c.at.is_some()) {
        notes.push("Commits stand at the time they were committed, which may be before they were pushed.".to_owned());
    }
    notes
}

/// Whether a run measured the head, where both are told.
#[must_use]
pub fn measured_head(answer: &PullAnswer, run: &PullRun) -> Option<bool> {
    let sha = run.head_sha.as_deref()?;
    (!answer.head_sha.is_empty()).then(|| same_commit(sha, &answer.head_sha))
}
