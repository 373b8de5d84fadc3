//! Check 4: the newest reuse command names the run of check 1.

use paretoscope_domain::pull::same_commit;

use super::assessed::in_words;
use super::context::Context;
use super::draft::{Draft, Rule};
use super::text::{count, list, run_page, short, timeline_page};
use crate::check::{Check, Input};
use crate::timeline::commands::{Command, CommandKind, Standing};
use crate::timeline::{LifetimeState, lifetime};

static RULE: Rule = Rule {
    id: 4,
    name: "Reuse command",
    rule: "Of the comments with /use or /reuse-sweep-run on a line of its own, the newest by an OWNER, MEMBER or COLLABORATOR decides. It names a run, and that run is the \
           sweep of check 1: on a commit of the pull request, which bears no label that forbids reuse.",
    source: "PR review checklist, check 4; the benchmark's rules of reuse",
};

/// Labels under which no run may be reused.
const FORBIDDING: [&str; 2] = ["evals-only", "agentx-fast"];

pub(crate) fn check(x: &Context<'_, '_>) -> Check {
    let mut draft = match x.measured(&RULE) {
        Ok(draft) => draft,
        Err(done) => return *done,
    };
    let commands: Vec<&Command> = x.assessed.commands.iter().filter(|c| c.kind.pins()).collect();
    for command in commands.iter().rev() {
        let verdict = match &command.standing {
            Standing::Authorised if command.can_pin() => "accepted".to_owned(),
            Standing::Authorised => "names no run: no effect".to_owned(),
            Standing::NotAuthorised { why } => format!("refused: {why}"),
            Standing::Unknown { why } => format!("standing not known: {why}"),
        };
        let edited = if command.edited { ", edited since" } else { "" };
        let page = command.url.clone().unwrap_or_else(|| timeline_page(x.g.pull));
        draft.input(Input::new(in_words(command), format!("{verdict}{edited}")).at(page));
    }
    if !x.g.pull.known.comments {
        draft.ask("The comments were not read.", "The newest authorised /use comment, and which run it names.");
    }
    match &x.assessed.pin {
        Some(pin) => pinned(&mut draft, x, pin, &commands),
        None if x.g.pull.known.comments => nothing_pinned(&mut draft, &commands),
        None => {}
    }
    labels(&mut draft, x);
    draft.done()
}

fn pinned(draft: &mut Draft, x: &Context<'_, '_>, pin: &Command, all: &[&Command]) {
    newer(draft, pin, all);
    if pin.edited {
        draft.warn(
            format!("The comment with {} was edited after it was written.", pin.text()),
            "Whether the command is the one that was first acted on.",
        );
    }
    let Some(id) = pin.run_id else {
        let newest = x.assessed.run.map(|r| r.run.run_id);
        let now = newest.map_or_else(|| "none known here".to_owned(), |r| format!("{r}, among those known here"));
        draft.warn(
            format!("{} names no run: it takes the newest successful one at the merge, now {now}.", in_words(pin)),
            "Pin the run by its number: a bare command may pick a run that measured nothing.",
        );
        return;
    };
    let Some(run) = x.g.runs.iter().find(|r| r.run.run_id == id) else {
        draft.ask(
            format!("{} names run {id}, which is not known here.", in_words(pin)),
            format!("Run {id} on GitHub: a sweep of this pull request, on a commit that is in it."),
        );
        return;
    };
    draft.input(Input::new("pinned run", id.to_string()).at(run_page(id)));
    if let Some(other) = run.run.pr_number.filter(|n| *n != x.g.pull.number) {
        draft.fail(format!("Run {id} belongs to pull request {other}."));
    }
    match run.run.head_sha.as_deref() {
        _ if !x.g.pull.known.commits => {
            draft.ask("The commits of the pull request were not read.", format!("Whether the commit of run {id} is in the pull request."))
        }
        None => draft.ask(format!("The commit that run {id} measured is not known."), format!("The head of run {id} on GitHub.")),
        Some(sha) if x.g.pull.commits.iter().any(|c| same_commit(&c.sha, sha)) => {
            draft.pass(format!("{}, the newest authorised command, names the run of check 1 at {}.", in_words(pin), short(sha)));
        }
        Some(sha) => draft.fail(format!("{} names a run on {}, which is not in the pull request.", in_words(pin), short(sha))),
    }
    expiry(draft, x, run);
    if let Some(newer) = x.g.runs.iter().take_while(|r| r.run.run_id != id).find(|r| r.run.run_id > id) {
        draft.told(format!("Run {} is newer and not pinned.", newer.run.run_id));
    }
}

/// Later commands that decide nothing, which whoever gave them may not know.
fn newer(draft: &mut Draft, pin: &Command, all: &[&Command]) {
    for command in all.iter().filter(|c| (c.at, c.comment_id) > (pin.at, pin.comment_id)) {
        match &command.standing {
            Standing::NotAuthorised { why } => draft.told(format!("The newer {} has no effect: {why}.", in_words(command))),
            Standing::Unknown { why } if command.can_pin() => draft.ask(
                format!("The newer {} may replace the pin: {why}.", in_words(command)),
                format!("Whether {} may authorise a reuse.", command.author),
            ),
            Standing::Unknown { .. } | Standing::Authorised => draft.warn(
                format!("The newer {} names no run and has no effect.", in_words(command)),
                format!("Which run {} meant.", command.author),
            ),
        }
    }
}

fn nothing_pinned(draft: &mut Draft, all: &[&Command]) {
    if let Some(command) = all.iter().rev().find(|c| c.can_pin() && matches!(c.standing, Standing::Unknown { .. })) {
        draft.ask(
            format!("{}: the standing of its author is not known.", in_words(command)),
            format!("Whether {} may authorise a reuse.", command.author),
        );
        return;
    }
    let refused: Vec<String> = all.iter().map(|c| in_words(c)).collect();
    if refused.is_empty() {
        draft.fail("No reuse command: nothing would be ingested at the merge.");
    } else if all.iter().all(|c| c.kind == CommandKind::Use && c.bare) {
        draft.fail(format!("A bare /use names no run and authorises nothing: {}.", list(&refused)));
    } else {
        draft.fail(format!("No authorised command names a run; {} without effect: {}.", count(refused.len(), "command"), list(&refused)));
    }
}

fn labels(draft: &mut Draft, x: &Context<'_, '_>) {
    let forbidding: Vec<&str> = x.g.pull.labels.iter().map(String::as_str).filter(|l| FORBIDDING.contains(l)).collect();
    if !forbidding.is_empty() {
        draft.fail(format!("The label {} forbids reuse.", list(&forbidding)));
    }
}

/// Whether the results of the pinned run can still be fetched at the merge.
fn expiry(draft: &mut Draft, x: &Context<'_, '_>, run: &paretoscope_domain::run::RunDetail) {
    if x.g.pull.merged_at.is_some() {
        return;
    }
    let life = lifetime(run, x.g.now);
    draft.input(Input::new("artifacts", life.sentence.clone()).at(run_page(run.run.run_id)));
    if life.state == LifetimeState::Expired {
        draft.fail(format!("There is nothing whole left to reuse of run {}: {}", run.run.run_id, life.sentence));
    }
}

#[cfg(test)]
mod tests {
    use crate::check::CheckStatus::{Fail, NeedsHuman, NotApplicable, Pass, Warn};
    use crate::checks::fixture::{Case, comment, run_cases};

    #[test]
    fn reuse_command() {
        run_cases(
            4,
            &[
                Case::new(
                    "the reference: the second pin superseded the first",
                    Pass,
                    "/use 41261902147 by code owner (COLLABORATOR)",
                    |_| {},
                ),
                Case::new("a newer /use by someone without standing", Pass, "The newer /use 40809149952 by passer-by (NONE)", |w| {
                    w.pull.comments.push(comment(90, "2026-11-05T10:00:00Z", "passer-by", Some("NONE"), "/use 40809149952"));
                }),
                Case::new("a newer /use of unknown standing", NeedsHuman, "may replace the pin", |w| {
                    w.pull.comments.push(comment(90, "2026-11-05T10:00:00Z", "passer-by", None, "/use 40809149952"));
                }),
                Case::new("a newer bare /use", Warn, "names no run and has no effect", |w| {
                    w.pull.comments.push(comment(90, "2026-11-05T10:00:00Z", "code owner", Some("COLLABORATOR"), "/use"));
                }),
                Case::new("only a bare /use", Fail, "A bare /use names no run", |w| {
                    w.pull.comments.retain(|c| !c.body.starts_with("/use"));
                    w.pull.comments.push(comment(90, "2026-11-05T10:00:00Z", "code owner", Some("COLLABORATOR"), "/use"));
                }),
                Case::new("a bare /reuse-sweep-run", Warn, "takes the newest successful one at the merge, now 41261902147", |w| {
                    w.pull.comments.push(comment(90, "2026-11-05T10:00:00Z", "code owner", Some("COLLABORATOR"), "/reuse-sweep-run"));
                }),
                Case::new("an edited command", Warn, "was edited", |w| {
                    let pin = w.pull.comments.iter_mut().find(|c| c.body == "/use 41261902147").unwrap();
                    pin.updated_at = "2026-11-09T10:00:00Z".parse().unwrap();
                }),
                Case::new("no command", Fail, "nothing would be ingested", |w| w.pull.comments.retain(|c| !c.body.starts_with("/use"))),
                Case::new("only refused ones", Fail, "No authorised command", |w| {
                    w.pull.comments.iter_mut().for_each(|c| c.association = Some("NONE".into()));
                }),
                Case::new("a run on a commit that was dropped", Fail, "is not in the pull request", |w| {
                    w.pull.commits.pop();
                }),
                Case::new("a run of another pull request", Fail, "belongs to pull request 7", |w| w.run_mut().run.pr_number = Some(7)),
                Case::new("a label that forbids reuse", Fail, "evals-only", |w| w.pull.labels.push("evals-only".into())),
                Case::new("nothing left to reuse", Fail, "expired, the first on 2027-01-30", |w| {
                    w.now = "2027-02-01T00:00:00Z".parse().unwrap()
                }),
                Case::new("the run is not known here", NeedsHuman, "not known here", |w| w.runs.clear()),
                Case::new("comments not read", NeedsHuman, "comments were not read", |w| {
                    w.pull.comments.clear();
                    w.pull.known.comments = false;
                }),
                Case::new("only documents", NotApplicable, "only documents", |w| w.only_documents()),
            ],
        );
    }
}
