//! The timeline's items: everything that happened, each with who, what and where it is shown.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use paretoscope_domain::RunId;
use paretoscope_domain::cookbook::CookbookStatus;
use paretoscope_domain::pull::{Comment, Pull, PullCommit, PullEvent, PullHappening, Review, same_commit};
use paretoscope_domain::run::{AuditEntry, RunDetail};
use serde::{Deserialize, Serialize};

use super::commands::{Command, CommandKind, Standing, commands, current_pin, deleted_commands, near_misses};
use super::ingest::{self, ToldIngest, is_ingest_report};
use super::labels;
use super::signoff::{self, current_sign_off, is_about, is_sign_off, sign_offs};
use super::text::{TextVersion, bare, count, excerpt, joined, minute, short, versions};
use super::verdict::{current_verdict, is_verdict, verdicts};
use super::{cookbook, staging};
use crate::gathered::Gathered;

/// Something that happened.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TimelineItem {
    /// When; null where only the day, or nothing, is known.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = DateTime))]
    pub at: Option<Timestamp>,
    /// The day, `YYYY-MM-DD`, where only that is known.
    pub day: Option<String>,
    /// What is not sure about the time, or why the item stands where it does.
    pub time_note: Option<String>,
    /// What kind of thing.
    pub kind: ItemKind,
    /// Who did it.
    pub actor: Option<Actor>,
    /// What, in few words.
    pub title: String,
    /// What exactly, as sentences; empty where the title says all.
    pub detail: String,
    /// What became of it, where that is a question: a command, a sign-off, a verdict.
    pub outcome: Option<Outcome>,
    /// Where it is shown.
    pub links: Vec<Link>,
    /// Commit it is about.
    pub sha: Option<String>,
    /// Run it is about.
    pub run_id: Option<RunId>,
    /// No longer counts: shown on request.
    pub folded: bool,
    /// The numbers of an ingest report.
    pub ingest: Option<ToldIngest>,
}

/// Kinds of items.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ItemKind {
    /// Opened, closed, opened again.
    State,
    /// A commit.
    Commit,
    /// A forced push.
    ForcePush,
    /// A label put on or taken off.
    Label,
    /// A run of the benchmark workflow.
    Run,
    /// A command.
    Command,
    /// A run was staged, moved along the ladder, hidden or shown again.
    Staging,
    /// A round of the cookbook.
    Cookbook,
    /// A sign-off.
    SignOff,
    /// A verdict.
    Verdict,
    /// A review, an approval, a dismissal.
    Review,
    /// The merge.
    Merge,
    /// An ingest report.
    Ingest,
    /// Any other comment.
    #[default]
    Comment,
}

impl ItemKind {
    /// For people.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::State => "state",
            Self::Commit => "commit",
            Self::ForcePush => "forced push",
            Self::Label => "label",
            Self::Run => "run",
            Self::Command => "command",
            Self::Staging => "staging",
            Self::Cookbook => "cookbook",
            Self::SignOff => "sign-off",
            Self::Verdict => "verdict",
            Self::Review => "review",
            Self::Merge => "merge",
            Self::Ingest => "ingest",
            Self::Comment => "comment",
        }
    }
}

/// What became of something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = ItemOutcome))]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It counts now.
    Current,
    /// It was accepted.
    Accepted,
    /// It counted until something newer came.
    Superseded,
    /// It was refused, or could not work.
    Refused,
    /// Nothing that was read tells.
    Undecided,
}

impl Outcome {
    /// For people.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Current => "current",
            Self::Accepted => "accepted",
            Self::Superseded => "superseded",
            Self::Refused => "refused",
            Self::Undecided => "not known",
        }
    }
}

/// Someone who did something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Actor {
    /// Name, as the payload has it.
    pub name: String,
    /// Standing: GitHub's word, `author` for who opened the pull request, `bot`.
    pub role: Option<String>,
}

/// A link of an item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Link {
    /// What it leads to.
    pub text: String,
    /// A path of this site, or an address.
    pub href: String,
}

impl Link {
    /// A link.
    #[must_use]
    pub fn new(text: impl Into<String>, href: impl Into<String>) -> Self {
        Self { text: text.into(), href: href.into() }
    }
}

/// Everything that happened to a pull request, oldest first.
///
/// Commits stand at the time they were committed, which may be before they were pushed. A comment that was edited stands where its
/// present text was written; its earlier texts, where they were seen, stand where they were.
#[must_use]
pub fn timeline(g: &Gathered<'_>) -> Vec<TimelineItem> {
    let mut items = Placed::default();
    opened(g.pull, &mut items);
    commits(g.pull, &mut items);
    events(g.pull, &mut items);
    runs(g, &mut items);
    comments(g, &mut items);
    given_commands(g, &mut items);
    signed(g.pull, &mut items);
    judged(g.pull, &mut items);
    reviews(g.pull, &mut items);
    items.in_order()
}

/// Items with the moment each is placed at.
#[derive(Default)]
struct Placed(Vec<(Option<Timestamp>, TimelineItem)>);

impl Placed {
    fn add(&mut self, item: TimelineItem) {
        self.0.push((item.at, item));
    }

    fn add_at(&mut self, at: Option<Timestamp>, item: TimelineItem) {
        self.0.push((at, item));
    }

    /// By time, undated ones last; at one moment in the order of the kinds, so that a run stands before the command that names it.
    fn in_order(mut self) -> Vec<TimelineItem> {
        self.0.sort_by_key(|(at, item)| (at.is_none(), *at, item.kind));
        self.0.into_iter().map(|(_, item)| item).collect()
    }
}

fn actor(pull: &Pull, name: &str, association: Option<&str>, bot: bool) -> Option<Actor> {
    let role = match (bot, association) {
        (true, _) => Some("bot".to_owned()),
        (false, Some(a)) if name == pull.author && a != "NONE" => Some(format!("author, {a}")),
        (false, _) if name == pull.author => Some("author".to_owned()),
        (false, a) => a.filter(|a| *a != "NONE").map(str::to_owned),
    };
    (!name.is_empty()).then(|| Actor { name: name.to_owned(), role })
}

fn by(pull: &Pull, comment: &Comment) -> Option<Actor> {
    actor(pull, &comment.author, comment.association.as_deref(), comment.bot)
}

fn comment_link(comment: &Comment) -> Vec<Link> {
    comment.url.iter().map(|u| Link::new("comment", u.clone())).collect()
}

fn run_link(run: RunId) -> Link {
    Link::new(format!("run {run}"), format!("/runs/{run}"))
}

fn opened(pull: &Pull, items: &mut Placed) {
    if let Some(at) = pull.created_at {
        items.add(TimelineItem {
            at: Some(at),
            kind: ItemKind::State,
            actor: actor(pull, &pull.author, pull.author_association.as_deref(), false),
            title: "opened".to_owned(),
            detail: pull.base_branch.as_deref().map(|b| format!("To be merged into {b}.")).unwrap_or_default(),
            ..TimelineItem::default()
        });
    }
}

fn commits(pull: &Pull, items: &mut Placed) {
    // A commit without a time stands behind the one before it.
    let mut last = pull.created_at;
    for commit in &pull.commits {
        let untimed = commit.at.is_none();
        last = commit.at.or(last);
        let mut item = commit_item(pull, commit);
        if untimed {
            item.time_note = Some("its time is not told; it stands by its order".to_owned());
        } else if pull.created_at.zip(commit.at).is_some_and(|(opened, at)| at < opened) {
            item.time_note = Some("committed before the pull request was opened".to_owned());
        }
        items.add_at(last, item);
    }
    for commit in &pull.dropped {
        let mut item = commit_item(pull, commit);
        item.title = format!("{} (dropped)", item.title);
        item.detail = "No longer in the pull request: a forced push dropped it.".to_owned();
        item.folded = true;
        item.outcome = Some(Outcome::Superseded);
        let pushed = || {
            pull.events.iter().find_map(|e| match &e.what {
                PullHappening::ForcePushed { before: Some(before), .. } if same_commit(before, &commit.sha) => Some(e.at),
                _ => None,
            })
        };
        if commit.at.is_none() {
            item.time_note = Some("its time is not told".to_owned());
        }
        items.add_at(commit.at.or_else(pushed), item);
    }
}

fn commit_item(pull: &Pull, commit: &PullCommit) -> TimelineItem {
    let subject = commit.message.lines().next().unwrap_or_default().trim();
    let title = match (subject.is_empty(), commit.is_merge()) {
        (true, _) => short(&commit.sha),
        (false, _) => format!("{} {subject}", short(&commit.sha)),
    };
    let head = !pull.head_sha.is_empty() && same_commit(&commit.sha, &pull.head_sha);
    let mut detail = Vec::new();
    if commit.is_merge() && !subject.starts_with("Merge ") {
        detail.push("Merges another branch.".to_owned());
    }
    if head {
        detail.push("The head.".to_owned());
    }
    TimelineItem {
        at: commit.at,
        kind: ItemKind::Commit,
        actor: commit.author.as_deref().and_then(|a| actor(pull, a, None, false)),
        title,
        detail: detail.join(" "),
        links: commit_page(pull, &commit.sha).into_iter().collect(),
        sha: Some(commit.sha.clone()),
        ..TimelineItem::default()
    }
}

fn commit_page(pull: &Pull, sha: &str) -> Option<Link> {
    (!pull.repo.is_empty()).then(|| Link::new("commit", format!("https://github.com/{}/commit/{sha}", pull.repo)))
}

fn events(pull: &Pull, items: &mut Placed) {
    for event in &pull.events {
        if let Some(item) = event_item(pull, event) {
            items.add(item);
        }
    }
    let merged = pull.events.iter().any(|e| matches!(e.what, PullHappening::Merged { .. }));
    if !merged && let Some(at) = pull.merged_at {
        let who = pull.merged_by.as_deref().and_then(|n| actor(pull, n, None, false));
        items.add(merge_item(pull, Some(at), who, pull.merge_commit_sha.as_deref()));
    }
}

fn event_item(pull: &Pull, event: &PullEvent) -> Option<TimelineItem> {
    let who = event.actor.as_deref().and_then(|n| actor(pull, n, None, n.ends_with("[bot]")));
    let plain = |kind, title: String, detail: String| TimelineItem {
        at: Some(event.at),
        kind,
        actor: who.clone(),
        title,
        detail,
        ..TimelineItem::default()
    };
    Some(match &event.what {
        PullHappening::Labeled { label } => plain(ItemKind::Label, format!("label {label} put on"), labels::meaning(label)),
        PullHappening::Unlabeled { label } => plain(ItemKind::Label, format!("label {label} taken off"), String::new()),
        PullHappening::ForcePushed { before, after } => {
            let ends = |sha: &Option<String>| sha.as_deref().map_or_else(|| "a commit that is not told".to_owned(), short);
            let mut item = plain(ItemKind::ForcePush, format!("forced push from {} to {}", ends(before), ends(after)), String::new());
            item.sha.clone_from(after);
            item
        }
        PullHappening::Merged { commit } => merge_item(pull, Some(event.at), who, commit.as_deref()),
        // GitHub also closes what it merges.
        PullHappening::Closed if pull.merged_at.is_some_and(|m| m == event.at) => return None,
        PullHappening::Closed => plain(ItemKind::State, "closed".to_owned(), String::new()),
        PullHappening::Reopened => plain(ItemKind::State, "opened again".to_owned(), String::new()),
        PullHappening::ReviewDismissed { message } => {
            plain(ItemKind::Review, "review dismissed".to_owned(), message.as_deref().map(excerpt).unwrap_or_default())
        }
        PullHappening::Other { .. } => return None,
    })
}

fn merge_item(pull: &Pull, at: Option<Timestamp>, who: Option<Actor>, commit: Option<&str>) -> TimelineItem {
    TimelineItem {
        at,
        kind: ItemKind::Merge,
        actor: who,
        title: "merged".to_owned(),
        detail: commit.map(|c| format!("As commit {}.", short(c))).unwrap_or_default(),
        links: commit.and_then(|c| commit_page(pull, c)).into_iter().collect(),
        sha: commit.map(str::to_owned),
        ..TimelineItem::default()
    }
}

fn runs(g: &Gathered<'_>, items: &mut Placed) {
    for detail in g.runs {
        let (at, item) = run_item(g.pull, detail);
        items.add_at(at, item);
        for entry in &detail.audit {
            items.add(audit_item(detail, entry));
        }
    }
}

fn run_item(pull: &Pull, detail: &RunDetail) -> (Option<Timestamp>, TimelineItem) {
    let run = &detail.run;
    let attempts = match run.attempts.as_slice() {
        [] => "attempt not known".to_owned(),
        [one] => format!("attempt {one}"),
        all => format!("attempts {}", joined(&all.iter().map(ToString::to_string).collect::<Vec<_>>())),
    };
    let end = match (run.status.as_deref(), run.conclusion.as_deref()) {
        (_, Some(conclusion)) => conclusion.to_owned(),
        (Some(status), None) => status.replace('_', " "),
        (None, None) => "conclusion not known".to_owned(),
    };
    let evals = match run.eval_count {
        0 => "no evals".to_owned(),
        n => format!("{} ({} pass)", count(n, "eval", "evals"), run.eval_passing),
    };
    let mut sentences = vec![format!("Measured {}, {evals}.", count(run.point_count, "point", "points"))];
    if run.failed_count > 0 {
        sentences.push(format!("{} failed.", count(run.failed_count, "point", "points")));
    }
    if run.attempts.len() > 1 {
        sentences.extend(run.attempt_details.iter().map(|a| {
            let failed = if a.failed_jobs > 0 { format!(", {} failed", count(a.failed_jobs, "job", "jobs")) } else { String::new() };
            format!("Attempt {}: {}, {}{failed}.", a.attempt, count(a.point_count, "point", "points"), count(a.eval_count, "eval", "evals"))
        }));
    }
    let commit = run.head_sha.as_deref().map_or_else(|| "commit not known".to_owned(), |s| format!("on {}", short(s)));
    let committed = run.head_sha.as_deref().and_then(|sha| pull.commits.iter().find(|c| same_commit(&c.sha, sha)).and_then(|c| c.at));
    let day = run.date.as_deref().and_then(|d| d.parse::<Date>().ok());
    let (place, time_note) = match (run.created_at, day) {
        (Some(at), _) => (Some(at), None),
        (None, Some(day)) => {
            let start = day.to_zoned(TimeZone::UTC).ok().map(|z| z.timestamp());
            // On the day of its commit it can only come after that.
            let same_day = committed.filter(|c| c.to_zoned(TimeZone::UTC).date() == day);
            (same_day.or(start), Some("only its day is known".to_owned()))
        }
        (None, None) => (committed, Some("when it ran is not known; it stands behind the commit it measured".to_owned())),
    };
    let mut links = vec![run_link(run.run_id)];
    links.extend(run.html_url.iter().map(|u| Link::new("on GitHub", u.clone())));
    let item = TimelineItem {
        at: run.created_at,
        day: run.date.clone().filter(|_| run.created_at.is_none()),
        time_note: time_note
            .filter(|_| place.is_some())
            .or_else(|| run.created_at.is_none().then(|| "when it ran is not known".to_owned())),
        kind: ItemKind::Run,
        actor: run.actor.as_deref().and_then(|a| actor(pull, a, None, a.ends_with("[bot]"))),
        title: format!("run {} {commit}: {end}, {attempts}", run.run_id),
        detail: sentences.join(" "),
        links,
        sha: run.head_sha.clone(),
        run_id: Some(run.run_id),
        ..TimelineItem::default()
    };
    (place, item)
}

/// A change of a run's kind in this database: our own audit.
fn audit_item(detail: &RunDetail, entry: &AuditEntry) -> TimelineItem {
    let AuditEntry { action, detail: what, reason, actor, at } = entry;
    TimelineItem {
        at: Some(*at),
        kind: ItemKind::Staging,
        actor: Some(Actor { name: actor.clone(), role: Some("on this site".to_owned()) }),
        title: format!("{action} of run {}: {what}", detail.run.run_id),
        detail: format!("Reason: {reason}"),
        links: vec![Link::new("history of its kind", format!("/runs/{}#kind-history", detail.run.run_id))],
        run_id: Some(detail.run.run_id),
        ..TimelineItem::default()
    }
}

/// Comments that are neither sign-offs nor verdicts; commands are told by [`given_commands`].
fn comments(g: &Gathered<'_>, items: &mut Placed) {
    let pull = g.pull;
    for comment in &pull.comments {
        let texts = versions(comment);
        if comment.bot && texts.iter().any(|v| is_ingest_report(v.text)) {
            texts.iter().for_each(|v| items.add(ingest_item(pull, comment, v)));
            continue;
        }
        if comment.bot && overlay_run(&comment.body).is_some() {
            texts.iter().filter_map(|v| overlay_item(pull, comment, v)).for_each(|item| items.add(item));
            continue;
        }
        let told_apart = |text: &str| if comment.bot { is_verdict(text) } else { is_sign_off(text) };
        if told_apart(&comment.body) {
            continue;
        }
        let mut item = comment_item(pull, comment);
        let is_command = !comment.bot && commands(&one(pull, comment)).len() + deleted_commands(&one(pull, comment)).len() > 0;
        let misses = near_misses(comment);
        if !misses.is_empty() {
            item.kind = ItemKind::Command;
            item.title = format!("{}: not read as a command", misses.join(", "));
            item.detail = "A command is a line of its own: the word and one number of a run, nothing else.".to_owned();
            item.outcome = Some(Outcome::Refused);
        } else if is_command && is_only_commands(comment) {
            continue;
        }
        if comment.deleted {
            item.folded = true;
            item.time_note = Some("deleted since".to_owned());
        }
        items.add(item);
    }
}

/// The same pull request with one comment.
fn one(pull: &Pull, comment: &Comment) -> Pull {
    Pull { comments: vec![comment.clone()], permissions: pull.permissions.clone(), ..Pull::default() }
}

fn is_only_commands(comment: &Comment) -> bool {
    let words = [CommandKind::Use, CommandKind::ReuseSweepRun, CommandKind::StageResults].map(CommandKind::as_str);
    comment.body.lines().map(str::trim).filter(|l| !l.is_empty()).all(|l| words.iter().any(|w| l.split_whitespace().next() == Some(w)))
}

fn comment_item(pull: &Pull, comment: &Comment) -> TimelineItem {
    let base = TimelineItem {
        at: Some(comment.at),
        actor: by(pull, comment),
        links: comment_link(comment),
        time_note: (comment.updated_at != comment.at).then(|| format!("edited {}", minute(comment.updated_at))),
        ..TimelineItem::default()
    };
    if comment.bot
        && let Some(staged) = staging::read(&comment.body)
    {
        let mut links = base.links.clone();
        links.push(run_link(staged.run_id));
        return TimelineItem {
            kind: ItemKind::Staging,
            title: format!("staged run {}", staged.run_id),
            detail: staged.what.join("; "),
            run_id: Some(staged.run_id),
            links,
            ..base
        };
    }
    if let Some(told) = cookbook::told(comment) {
        let mut links = base.links.clone();
        links.push(Link::new(format!("{}#{}", told.repo, told.number), format!("https://github.com/{}/pull/{}", told.repo, told.number)));
        links.extend(told.page.iter().map(|p| Link::new("cookbook page", p.clone())));
        let claims = match (told.status, told.run_id, told.sha.as_deref()) {
            (_, Some(run), _) => format!("It mirrors run {run}."),
            (Some(CookbookStatus::InProgress), None, Some(sha)) => format!("It shows the recipe at {} as in progress: no run.", short(sha)),
            (Some(status), None, _) => format!("Status: {}.", status.title()),
            (None, None, _) => String::new(),
        };
        return TimelineItem {
            kind: ItemKind::Cookbook,
            title: format!("cookbook round {}#{} {}", told.repo, told.number, if told.merged { "merged" } else { "announced" }),
            detail: claims,
            run_id: told.run_id,
            sha: told.sha,
            links,
            ..base
        };
    }
    TimelineItem { kind: ItemKind::Comment, title: excerpt(&comment.body), ..base }
}

/// The bot keeps one comment with a link to the dashboard and points it to each new run.
fn overlay_item(pull: &Pull, comment: &Comment, v: &TextVersion<'_>) -> Option<TimelineItem> {
    let run = overlay_run(v.text)?;
    let mut links = comment_link(comment);
    links.push(Link::new("the run laid over the chart", format!("/inference?unofficialRun={run}")));
    Some(TimelineItem {
        at: Some(v.at),
        time_note: v.note.clone(),
        kind: ItemKind::Comment,
        actor: by(pull, comment),
        title: format!("link to unofficial run {run}"),
        folded: !v.current,
        run_id: Some(run),
        links,
        ..TimelineItem::default()
    })
}

/// The run of the bot's link to the dashboard.
fn overlay_run(text: &str) -> Option<RunId> {
    super::text::run_after(text, "unofficialRun=")
}

fn ingest_item(pull: &Pull, comment: &Comment, v: &TextVersion<'_>) -> TimelineItem {
    let told = ingest::read(v.text);
    let mut links = comment_link(comment);
    links.extend(told.links.iter().map(|(text, href)| Link::new(text.clone(), href.clone())));
    TimelineItem {
        at: Some(v.at),
        time_note: v.note.clone(),
        kind: ItemKind::Ingest,
        actor: by(pull, comment),
        title: bare(&told.headline),
        outcome: (!v.current).then_some(Outcome::Superseded),
        folded: !v.current,
        run_id: told.source_run_id,
        links,
        ingest: Some(told),
        ..TimelineItem::default()
    }
}

fn given_commands(g: &Gathered<'_>, items: &mut Placed) {
    let all = commands(g.pull);
    let pin = current_pin(&all);
    for command in &all {
        items.add(command_item(g, command, pin, &all));
    }
    for command in &deleted_commands(g.pull) {
        let mut item = command_item(g, command, pin, &all);
        item.outcome = Some(Outcome::Refused);
        item.detail = "Its comment was deleted: it counts no more.".to_owned();
        item.folded = true;
        items.add(item);
    }
}

fn command_item(g: &Gathered<'_>, command: &Command, pin: Option<&Command>, all: &[Command]) -> TimelineItem {
    let (outcome, mut sentences) = answer_of(command, pin, all);
    if let Some(run) = command.run_id
        && g.run(run).is_none()
    {
        sentences.push(format!("Run {run} is not known here, or is hidden."));
    }
    if command.also_stages && command.authorised() {
        sentences.push("The comment is nothing else, so it also asks for staging.".to_owned());
    }
    if command.edited {
        sentences.push("The comment was edited after it was written.".to_owned());
    }
    let mut links: Vec<Link> = command.url.iter().map(|u| Link::new("comment", u.clone())).collect();
    links.extend(command.run_id.map(run_link));
    TimelineItem {
        at: Some(command.at),
        kind: ItemKind::Command,
        actor: actor(g.pull, &command.author, command.association.as_deref(), false),
        title: command.text(),
        detail: sentences.join(" "),
        outcome: Some(outcome),
        links,
        run_id: command.run_id,
        ..TimelineItem::default()
    }
}

/// What became of a command, and why.
fn answer_of(command: &Command, pin: Option<&Command>, all: &[Command]) -> (Outcome, Vec<String>) {
    match &command.standing {
        Standing::NotAuthorised { why } => return (Outcome::Refused, vec![format!("Refused: {why}.")]),
        Standing::Unknown { why } => return (Outcome::Undecided, vec![format!("Whether it counts is not known: {why}.")]),
        Standing::Authorised => {}
    }
    if !command.kind.pins() {
        return (Outcome::Accepted, vec!["The author may stage.".to_owned()]);
    }
    if !command.can_pin() {
        return (Outcome::Refused, vec!["It names no run on its line, so it pins nothing.".to_owned()]);
    }
    let standing = command.association.as_deref().unwrap_or_default();
    let picks = if command.bare { " It names no run: the newest successful one with results is taken." } else { "" };
    if pin == Some(command) {
        return (Outcome::Current, vec![format!("Accepted: {standing}. It is the pin now.{picks}")]);
    }
    let next = all.iter().find(|c| c.can_pin() && c.authorised() && (c.at, c.comment_id) > (command.at, command.comment_id));
    let by = next.map(|n| format!(" {} of {} took its place.", n.text(), minute(n.at))).unwrap_or_default();
    (Outcome::Superseded, vec![format!("Accepted: {standing}.{by}{picks}")])
}

fn signed(pull: &Pull, items: &mut Placed) {
    let all = sign_offs(pull);
    let counts = current_sign_off(&all);
    for s in &all {
        let about_head = is_about(s, &pull.head_sha);
        let mut sentences = vec![format!("{}.", signoff::in_words(s))];
        if let Some(why) = &s.superseded {
            sentences.push(format!("It counts no more: {why}."));
        } else if about_head == Some(false) {
            sentences.push(format!("The head is another commit now, {}.", short(&pull.head_sha)));
        }
        let is_current = counts == Some(s);
        items.add(TimelineItem {
            at: Some(s.at),
            time_note: s.note.clone(),
            kind: ItemKind::SignOff,
            actor: actor(pull, &s.author, s.association.as_deref(), false),
            title: "sign-off".to_owned(),
            detail: sentences.join(" "),
            outcome: Some(if is_current && about_head != Some(false) { Outcome::Current } else { Outcome::Superseded }),
            links: s.url.iter().map(|u| Link::new("comment", u.clone())).collect(),
            sha: s.commit.clone(),
            run_id: s.run_id,
            folded: !is_current || about_head == Some(false),
            ..TimelineItem::default()
        });
    }
}

fn judged(pull: &Pull, items: &mut Placed) {
    let all = verdicts(pull);
    let counts = current_verdict(&all);
    for v in &all {
        let about_head = v.commit.as_deref().filter(|_| !pull.head_sha.is_empty()).map(|c| same_commit(c, &pull.head_sha));
        let mut sentences = vec![match &v.commit {
            Some(commit) => format!("About {}.", short(commit)),
            None => "It names no commit.".to_owned(),
        }];
        sentences.push(format!("{} decided.", count(v.checks.len(), "check", "checks")));
        if let Some(why) = &v.superseded {
            sentences.push(format!("It counts no more: {why}."));
        } else if about_head == Some(false) {
            sentences.push(format!("The head is another commit now, {}.", short(&pull.head_sha)));
        }
        let is_current = counts == Some(v);
        items.add(TimelineItem {
            at: Some(v.at),
            time_note: v.note.clone(),
            kind: ItemKind::Verdict,
            actor: Some(Actor { name: "verifier".to_owned(), role: Some("bot".to_owned()) }),
            title: format!("verdict: {}", v.word),
            detail: sentences.join(" "),
            outcome: Some(if is_current && about_head != Some(false) { Outcome::Current } else { Outcome::Superseded }),
            links: v.url.iter().map(|u| Link::new("comment", u.clone())).collect(),
            sha: v.commit.clone(),
            folded: !is_current || about_head == Some(false),
            ..TimelineItem::default()
        });
    }
}

fn reviews(pull: &Pull, items: &mut Placed) {
    for review in &pull.reviews {
        let Review { id: _, author, association, state, at, body, commit, url } = review;
        let what = match state.as_str() {
            "APPROVED" => "approved",
            "CHANGES_REQUESTED" => "changes requested",
            "DISMISSED" => "review, dismissed since",
            "COMMENTED" if body.trim().is_empty() => continue,
            "COMMENTED" => "review comment",
            _ => continue,
        };
        let about = commit.as_deref().map(|c| format!(" Looked at {}.", short(c))).unwrap_or_default();
        items.add(TimelineItem {
            at: *at,
            time_note: at.is_none().then(|| "its time is not told".to_owned()),
            kind: ItemKind::Review,
            actor: actor(pull, author, association.as_deref(), author.ends_with("[bot]")),
            title: what.to_owned(),
            detail: format!("{}{about}", excerpt(body)).trim().to_owned(),
            outcome: (state == "DISMISSED").then_some(Outcome::Superseded),
            links: url.iter().map(|u| Link::new("review", u.clone())).collect(),
            sha: commit.clone(),
            folded: state == "DISMISSED",
            ..TimelineItem::default()
        });
    }
}
