//! How a pull request stands: the pin, what it rests on, and what is missing before the merge.

use jiff::Timestamp;
use paretoscope_domain::RunId;
use paretoscope_domain::pull::{PullState, same_commit};
use paretoscope_domain::run::{Purge, RunDetail};
use serde::{Deserialize, Serialize};

use super::commands::{Command, Standing, commands, current_pin};
use super::cookbook::CookbookRound;
use super::dry_run::{DryRun, dry_run};
use super::labels::{FULL_SWEEP, NOT_REUSABLE};
use super::pin::{Lifetime, LifetimeState, Measured, lifetime, measured, picked};
use super::signoff::{SignOff, is_about};
use super::text::{count, joined, minute, short};
use super::verdict::Verdict;
use crate::check::{Check, CheckStatus};
use crate::gathered::Gathered;

/// How it stands now.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Now {
    /// The run that would be reused; null where none is pinned.
    pub pin: Option<PinNow>,
    /// Why none is pinned, as a sentence; null where one is.
    pub no_pin: Option<String>,
    /// The head; empty where never told.
    pub head_sha: String,
    /// The commit that the pinned run measured, and what changed since; null where the run is not known here.
    pub measured: Option<Measured>,
    /// How long its artifacts live; null where the run is not known here.
    pub artifacts: Option<Lifetime>,
    /// What would be ingested; null where the run is not known here.
    pub would_ingest: Option<DryRun>,
    /// What is missing before it can merge; empty where nothing is, or where it merged or was closed.
    pub missing: Vec<Missing>,
    /// How it stands, as a sentence.
    pub sentence: String,
}

/// The pin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PinNow {
    /// The run; null where a command without one picks none that is known here.
    pub run_id: Option<RunId>,
    /// The command.
    pub command: Command,
    /// Whether the run is known here and shown.
    pub known: bool,
    /// Why it is not, or how it was picked.
    pub note: Option<String>,
    /// Pins before it, oldest first: command and run.
    pub superseded: Vec<Command>,
}

/// Something that is missing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = MissingBeforeMerge))]
pub struct Missing {
    /// What it is about: `pin`, `commit`, `artifacts`, `check 2`, `sign-off`, `verdict`, `cookbook`, `review`, `labels`, `payload`.
    pub about: String,
    /// As a sentence.
    pub sentence: String,
    /// Whether it stands in the way; otherwise someone must look.
    pub blocks: bool,
}

/// A run that is hidden, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Hidden {
    /// The run.
    pub run_id: RunId,
    /// Why.
    pub purge: Purge,
}

/// What the judgement takes from elsewhere.
#[derive(Clone, Copy)]
pub struct Beside<'a> {
    /// Checks of the pull request.
    pub checks: &'a [Check],
    /// The sign-off that counts.
    pub signoff: Option<&'a SignOff>,
    /// The verdict that counts.
    pub verdict: Option<&'a Verdict>,
    /// Rounds of the cookbook.
    pub rounds: &'a [CookbookRound],
    /// Runs of it that are hidden.
    pub hidden: &'a [Hidden],
}

/// How a pull request stands.
#[must_use]
pub fn now(g: &Gathered<'_>, beside: &Beside<'_>) -> Now {
    let all = commands(g.pull);
    let pin = current_pin(&all).map(|command| pin_now(g, command, &all, beside.hidden));
    let run = pin.as_ref().and_then(|p| p.run_id).and_then(|id| g.run(id)).map(AsRef::as_ref);
    let measured = run.map(|r| measured(g.pull, r));
    let artifacts = run.map(|r| lifetime(r, g.now));
    let no_pin = pin.is_none().then(|| why_no_pin(g, &all));
    let mut missing = Vec::new();
    if g.pull.state == PullState::Open {
        let mut list = List(&mut missing);
        payload(g, &mut list);
        pinned(pin.as_ref(), no_pin.as_deref(), &mut list);
        if let Some(run) = run {
            source(run, measured.as_ref(), artifacts.as_ref(), &mut list);
        }
        labels(g, &mut list);
        checks(beside.checks, &mut list);
        papers(g, pin.as_ref(), beside, &mut list);
        reviews(g, &mut list);
    }
    Now {
        head_sha: g.pull.head_sha.clone(),
        sentence: sentence(g, &missing),
        would_ingest: run.map(dry_run),
        pin,
        no_pin,
        measured,
        artifacts,
        missing,
    }
}

fn pin_now(g: &Gathered<'_>, command: &Command, all: &[Command], hidden: &[Hidden]) -> PinNow {
    let run_id = picked(command, g);
    let purged = run_id.and_then(|id| hidden.iter().find(|h| h.run_id == id));
    let known = run_id.is_some_and(|id| g.run(id).is_some());
    let note = match (run_id, purged) {
        (Some(id), Some(h)) => Some(format!("Run {id} is hidden here since {}: {}", minute(h.purge.at), h.purge.reason)),
        (Some(id), None) if !known => {
            Some(format!("Run {id} was never ingested here: `paretoscope ingest PATH --run-id {id}` reads its artifacts."))
        }
        (Some(_), None) if command.bare => {
            Some("The command names no run: the newest successful one with results that is known here.".to_owned())
        }
        (None, _) => Some("The command names no run, and no successful run with results is known here.".to_owned()),
        _ => None,
    };
    let before = all.iter().filter(|c| c.can_pin() && c.authorised() && *c != command).cloned().collect();
    PinNow { run_id, command: command.clone(), known, note, superseded: before }
}

fn why_no_pin(g: &Gathered<'_>, all: &[Command]) -> String {
    if !g.pull.known.comments && g.pull.comments.is_empty() {
        return "Its comments were not read, so no command can be known.".to_owned();
    }
    let mut why: Vec<String> = Vec::new();
    for command in all.iter().filter(|c| c.kind.pins()) {
        let said = match &command.standing {
            Standing::NotAuthorised { why } => format!("`{}` was refused: {why}", command.text()),
            Standing::Unknown { why } => format!("whether `{}` counts is not known: {why}", command.text()),
            Standing::Authorised => format!("`{}` names no run", command.text()),
        };
        if !why.contains(&said) {
            why.push(said);
        }
    }
    let start = "No authorised command names a run to reuse: merged like this, nothing would be ingested.";
    if why.is_empty() { start.to_owned() } else { format!("{start} {}.", capital(&why.join("; "))) }
}

struct List<'a>(&'a mut Vec<Missing>);

impl List<'_> {
    fn blocks(&mut self, about: &str, sentence: impl Into<String>) {
        self.0.push(Missing { about: about.to_owned(), sentence: sentence.into(), blocks: true });
    }

    fn look(&mut self, about: &str, sentence: impl Into<String>) {
        self.0.push(Missing { about: about.to_owned(), sentence: sentence.into(), blocks: false });
    }
}

/// What was never read.
fn payload(g: &Gathered<'_>, list: &mut List<'_>) {
    let known = g.pull.known;
    let unread: Vec<String> =
        [(known.commits, "commits"), (known.files, "files"), (known.comments, "comments"), (known.reviews, "reviews")]
            .into_iter()
            .filter(|(known, _)| !known)
            .map(|(_, what)| what.to_owned())
            .collect();
    if !unread.is_empty() {
        list.look("payload", format!("Its {} were not read, or not all of them.", joined(&unread)));
    }
    if g.pull.draft {
        list.blocks("payload", "It is a draft.");
    }
}

fn pinned(pin: Option<&PinNow>, no_pin: Option<&str>, list: &mut List<'_>) {
    match (pin, no_pin) {
        (None, Some(why)) => list.blocks("pin", why),
        (Some(pin), _) if !pin.known => list.look("pin", pin.note.clone().unwrap_or_default()),
        _ => {}
    }
    if let Some(pin) = pin.filter(|p| p.command.edited) {
        list.look("pin", format!("The comment with `{}` was edited: what it said first may have been acted on.", pin.command.text()));
    }
}

/// Whether the pinned run may be reused.
fn source(run: &RunDetail, measured: Option<&Measured>, artifacts: Option<&Lifetime>, list: &mut List<'_>) {
    let id = run.run.run_id;
    match run.run.event.as_deref() {
        Some("pull_request") => {}
        Some(event) => {
            list.blocks("pin", format!("Run {id} was started by `{event}`; only a run of the pull request itself may be reused."))
        }
        None => list.look("pin", format!("What started run {id} is not known; only a run of the pull request itself may be reused.")),
    }
    match (run.run.status.as_deref(), run.run.conclusion.as_deref()) {
        (_, Some("success" | "failure" | "cancelled")) => {}
        (_, Some(other)) => list.blocks("pin", format!("Run {id} concluded {other}; only success, failure and cancelled may be reused.")),
        (Some("completed"), None) | (None, None) => list.look("pin", format!("How run {id} concluded is not known.")),
        (Some(status), None) => list.blocks("pin", format!("Run {id} is not finished: {}.", status.replace('_', " "))),
    }
    if let Some(m) = measured {
        match m.in_pull {
            Some(true) if m.after.iter().any(|c| !c.merge) => {
                list.blocks("commit", format!("The head was not measured: {}", m.sentence));
            }
            Some(true) if !m.after.is_empty() => list.look("commit", m.sentence.clone()),
            Some(true) => {}
            Some(false) => list.blocks("commit", m.sentence.clone()),
            None => list.look("commit", m.sentence.clone()),
        }
    }
    match artifacts {
        Some(life) if life.state == LifetimeState::Expired => list.blocks("artifacts", life.sentence.clone()),
        Some(life) if life.state == LifetimeState::Unknown => list.look("artifacts", life.sentence.clone()),
        _ => {}
    }
}

fn labels(g: &Gathered<'_>, list: &mut List<'_>) {
    if !g.pull.known.pull {
        return;
    }
    let has = |label: &str| g.pull.labels.iter().any(|l| l == label);
    for label in NOT_REUSABLE.into_iter().filter(|l| has(l)) {
        list.blocks("labels", format!("It has the label {label}: results of such a sweep can't be reused."));
    }
    if !FULL_SWEEP.into_iter().any(has) {
        list.look("labels", format!("It has none of the labels of a full sweep: {}.", FULL_SWEEP.join(", ")));
    }
}

fn checks(checks: &[Check], list: &mut List<'_>) {
    // What no check of the verifier asks stands below, in its own list.
    for check in checks.iter().filter(|c| c.id < 100) {
        let about = format!("check {}", check.id);
        let said = format!("Check {} ({}): {}. {}", check.id, check.name, check.status.title(), check.detail);
        match check.status {
            CheckStatus::Fail => list.blocks(&about, said),
            CheckStatus::Warn => list.blocks(&about, format!("{said} An admin must agree to pass it by.")),
            CheckStatus::NeedsHuman => list.look(&about, said),
            CheckStatus::Pass | CheckStatus::NotApplicable => {}
        }
    }
}

/// Sign-off, verdict, cookbook.
fn papers(g: &Gathered<'_>, pin: Option<&PinNow>, beside: &Beside<'_>, list: &mut List<'_>) {
    let head = &g.pull.head_sha;
    let run = pin.and_then(|p| p.run_id);
    match beside.signoff {
        None if g.pull.known.comments => list.blocks("sign-off", "No code owner has signed it off."),
        None => list.look("sign-off", "Whether a code owner signed it off is not known: its comments were not read."),
        Some(s) => {
            let open = s.items.len() - s.checked();
            if open > 0 {
                list.blocks("sign-off", format!("The sign-off leaves {} open.", count(open, "item", "items")));
            }
            match is_about(s, head) {
                Some(false) => {
                    let about = s.commit.as_deref().map(short).unwrap_or_default();
                    list.blocks("sign-off", format!("The sign-off is about {about}, the head is {}.", short(head)));
                }
                None => list.look("sign-off", "The sign-off doesn't say which commit it assessed."),
                Some(true) => {}
            }
            match (s.run_id, run) {
                (Some(told), Some(run)) if told != run => {
                    list.blocks("sign-off", format!("The sign-off rests on run {told}, the pin is run {run}."));
                }
                (None, Some(run)) => list.look("sign-off", format!("The sign-off doesn't name the pinned run {run}.")),
                _ => {}
            }
            if s.additional_detail.is_none() {
                list.blocks("sign-off", "The sign-off has no section of additional detail.");
            }
        }
    }
    match beside.verdict {
        None => list.look("verdict", "The verifier has given no verdict that was read here."),
        Some(v) => {
            if v.commit.as_deref().is_some_and(|c| !head.is_empty() && !same_commit(c, head)) {
                let about = v.commit.as_deref().map(short).unwrap_or_default();
                list.look("verdict", format!("The verdict is about {about}, the head is {}.", short(head)));
            } else if !v.word.eq_ignore_ascii_case("pass") {
                list.look("verdict", format!("The verdict is {}.", v.word));
            }
        }
    }
    if let Some(run) = run {
        let merged: Vec<&CookbookRound> = beside.rounds.iter().filter(|r| r.merged_at.is_some()).collect();
        let claims =
            |r: &CookbookRound| r.run_id == Some(run) || r.state.as_ref().is_some_and(|s| s.entries.iter().any(|e| e.run_id == Some(run)));
        if merged.is_empty() {
            list.look("cookbook", "No merged round of the cookbook is known that shows this configuration.");
        } else if !merged.iter().any(|r| claims(r)) {
            list.look(
                "cookbook",
                format!("No merged round of the cookbook shows run {run}; the newest is older than the pin or shows another."),
            );
        }
    }
}

fn reviews(g: &Gathered<'_>, list: &mut List<'_>) {
    if !g.pull.known.reviews {
        return;
    }
    // Of each person the newest review that approves, asks for changes or was dismissed counts.
    let mut newest: std::collections::BTreeMap<&str, (Option<Timestamp>, &str)> = std::collections::BTreeMap::new();
    for r in g.pull.reviews.iter().filter(|r| r.state != "COMMENTED") {
        let kept = newest.entry(&r.author).or_insert((r.at, &r.state));
        if r.at >= kept.0 {
            *kept = (r.at, &r.state);
        }
    }
    let who = |state: &str| newest.iter().filter(|(_, (_, s))| *s == state).map(|(name, _)| (*name).to_owned()).collect::<Vec<_>>();
    let asks = who("CHANGES_REQUESTED");
    if !asks.is_empty() {
        list.blocks("review", format!("{} asked for changes.", capital(&joined(&asks))));
    }
    if who("APPROVED").is_empty() {
        list.blocks("review", "No one has approved it.");
    }
}

fn sentence(g: &Gathered<'_>, missing: &[Missing]) -> String {
    match g.pull.state {
        PullState::Merged => match g.pull.merged_at {
            Some(at) => format!("Merged on {}.", minute(at)),
            None => "Merged; when is not told.".to_owned(),
        },
        PullState::Closed => "Closed without a merge.".to_owned(),
        PullState::Open => {
            let blocks = missing.iter().filter(|m| m.blocks).count();
            let look = missing.len() - blocks;
            let things = |n: usize| count(n, "thing", "things");
            match (blocks, look) {
                (0, 0) => "Nothing that can be seen here is missing before the merge.".to_owned(),
                (0, n) => format!("Nothing stands in its way that can be seen here; {} to look at.", things(n)),
                (n, 0) => format!("{} missing before the merge.", things(n)),
                (n, m) => format!("{} missing before the merge, {} to look at.", things(n), things(m)),
            }
        }
    }
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
