//! Check 1: a green sweep on a commit that is still in the pull request.

use paretoscope_domain::point::Status;
use paretoscope_domain::pull::{PullCommit, PullHappening, same_commit};
use paretoscope_domain::run::RunDetail;

use super::affected::commit_input;
use super::context::Context;
use super::draft::{Draft, Rule};
use super::jobs::{Job, jobs};
use super::text::{commit_page, count, distinct, list, run_page, sentence, short, some};
use crate::check::{Check, Input};

static RULE: Rule = Rule {
    id: 1,
    name: "Sweep on a commit of the pull request",
    rule: "The pinned run is a completed sweep for this pull request on a commit that is still in it. Every benchmark and eval job is green and none is skipped; of several \
           attempts at a job the newest counts. After the measured commit only clean merges of the main branch may follow.",
    source: "PR review checklist, check 1",
};

pub(crate) fn check(x: &Context<'_, '_>) -> Check {
    let mut draft = match x.measured(&RULE) {
        Ok(draft) => draft,
        Err(done) => return *done,
    };
    x.assessed.pin_input(x.g).into_iter().for_each(|i| draft.input(i));
    if let Some(run) = x.assessed.settle(&mut draft) {
        commit(&mut draft, x, run);
        state(&mut draft, run);
        work(&mut draft, x, run);
    }
    draft.done()
}

/// Whether the measured commit is in the pull request, and what follows it.
fn commit(draft: &mut Draft, x: &Context<'_, '_>, run: &RunDetail) {
    let pull = x.g.pull;
    let Some(sha) = run.run.head_sha.as_deref() else {
        draft.ask("The commit that the run measured is not known.", format!("The head of run {} on GitHub.", run.run.run_id));
        return;
    };
    draft.input(commit_input(x.g, "measured commit", sha));
    if !pull.known.commits {
        draft.ask("The commits of the pull request were not read.", format!("Whether {} is among its commits.", short(sha)));
        return;
    }
    let Some(at) = pull.commits.iter().position(|c| same_commit(&c.sha, sha)) else {
        draft.fail(gone(x, sha));
        return;
    };
    let later: Vec<&PullCommit> = pull.commits.iter().skip(at + 1).collect();
    draft.input(Input::new("commits", format!("{} in the pull request, {} after the measured one", pull.commits.len(), later.len())));
    if later.is_empty() {
        draft.pass(format!("Run {} measured {}, the newest commit of the pull request.", run.run.run_id, short(sha)));
        return;
    }
    let (merges, others): (Vec<&PullCommit>, Vec<&PullCommit>) = later.into_iter().partition(|c| c.is_merge());
    for c in merges.iter().chain(&others) {
        draft.input(commit_input(x.g, first_line(&c.message), &c.sha));
    }
    let names = |commits: &[&PullCommit]| {
        list(&commits.iter().map(|c| format!("{} ({})", short(&c.sha), first_line(&c.message))).collect::<Vec<_>>())
    };
    if others.is_empty() {
        let (follow, brought) =
            if merges.len() == 1 { ("a merge follows", "the merge brought") } else { ("merges follow", "the merges brought") };
        let pages: Vec<String> = merges.iter().map(|c| commit_page(&pull.repo, &c.sha)).collect();
        draft.ask(
            format!("After the measured commit {} {follow}: {}. The payload doesn't tell whether clean.", short(sha), names(&merges)),
            format!("Whether {brought} in main alone, without changes of its own: {}.", list(&pages)),
        );
    } else {
        draft.fail(format!("After the measured commit {} the pull request changed: {}.", short(sha), names(&others)));
    }
}

/// Why a commit is not in the pull request, as far as is known.
fn gone(x: &Context<'_, '_>, sha: &str) -> String {
    let pull = x.g.pull;
    let dropped = pull.dropped.iter().any(|c| same_commit(&c.sha, sha));
    let pushed = pull.events.iter().rev().find_map(|e| match &e.what {
        PullHappening::ForcePushed { before, after } => Some((e.at, before.as_deref(), after.as_deref())),
        _ => None,
    });
    let by_push = pushed.filter(|(_, before, _)| dropped || before.is_some_and(|b| same_commit(b, sha)));
    match by_push {
        Some((at, _, after)) => format!(
            "The measured commit {} is no longer in the pull request: the forced push of {}{} dropped it.",
            short(sha),
            super::text::day(at),
            after.map_or_else(String::new, |a| format!(" to {}", short(a)))
        ),
        None if dropped => format!("The measured commit {} was in the pull request and was dropped from it.", short(sha)),
        None => format!("The measured commit {} is not among the {} of the pull request.", short(sha), count(pull.commits.len(), "commit")),
    }
}

/// Event and state of the run itself.
fn state(draft: &mut Draft, run: &RunDetail) {
    let id = run.run.run_id;
    match run.run.event.as_deref() {
        Some("pull_request") => {}
        Some(event) => draft.fail(format!("Run {id} was started by {event}, not for a pull request.")),
        None => draft.ask(format!("What started run {id} is not known."), format!("Whether the event of run {id} is pull_request.")),
    }
    match run.run.status.as_deref() {
        Some("completed") => {}
        Some(status) => draft.fail(format!("Run {id} is not completed: {status}.")),
        None if run.run.conclusion.is_some() => {}
        None => draft.ask(format!("The state of run {id} is not known."), format!("Whether run {id} is completed.")),
    }
}

/// Jobs and what they left.
fn work(draft: &mut Draft, x: &Context<'_, '_>, run: &RunDetail) {
    let id = run.run.run_id;
    let page = run_page(id);
    let failed: Vec<&str> = run.points.iter().filter(|p| p.status == Status::Failed && !p.superseded).map(|p| p.label.as_str()).collect();
    if !failed.is_empty() {
        draft.fail(format!("{} failed: {}.", sentence(&count(failed.len(), "point")), list(&failed)));
    }
    attempts(draft, run);
    let all = jobs(run);
    if all.is_empty() {
        without_events(draft, x, run);
        return;
    }
    let (evals, benchmarks): (Vec<&Job<'_>>, Vec<&Job<'_>>) = all.iter().partition(|j| j.eval);
    for (thing, group) in [("benchmark", &benchmarks), ("eval", &evals)] {
        let names: Vec<String> = group.iter().map(|j| j.title.to_owned()).collect();
        let green = group.iter().filter(|j| j.green()).count();
        draft.input(Input::new(format!("{thing} jobs"), format!("{green} of {} green: {}", group.len(), list(&names))).at(page.clone()));
    }
    let bad: Vec<String> = all.iter().filter(|j| !j.green()).filter_map(|j| Some(format!("{} ({})", j.name(), j.outcome()?))).collect();
    let untold: Vec<String> = all.iter().filter(|j| j.outcome().is_none()).map(Job::name).collect();
    if !bad.is_empty() {
        draft.fail(format!("{} not green in the newest attempt: {}.", sentence(&count(bad.len(), "job")), list(&bad)));
    }
    if !untold.is_empty() {
        draft.ask(
            format!("The outcome of {} is not told.", list(&untold)),
            format!("Whether these jobs of run {id} succeeded: {}.", list(&untold)),
        );
    }
    if benchmarks.is_empty() {
        draft.ask("No event of a benchmark job is known.", format!("Whether run {id} ran benchmark jobs."));
    }
    let wants_no_evals = !x.affected.entries.is_empty() && x.affected.entries.iter().all(|e| e.no_evals == Some(true));
    if evals.is_empty() && run.evals.is_empty() && !wants_no_evals {
        draft.ask("No eval job is known.", format!("Whether run {id} ran eval jobs."));
    }
    // A job may measure several points, so titles only tell where they are labels of points.
    let counting: Vec<&str> = run.points.iter().filter(|p| p.counts()).map(|p| p.label.as_str()).collect();
    let known = |label: &&&str| benchmarks.iter().any(|j| j.title == **label);
    let unseen: Vec<&str> =
        if counting.iter().any(|l| known(&l)) { counting.iter().filter(|l| !known(l)).copied().collect() } else { Vec::new() };
    if bad.is_empty() && untold.is_empty() && !benchmarks.is_empty() {
        let rest = if unseen.is_empty() {
            String::new()
        } else {
            format!(" {} left no event: {}.", sentence(&count(unseen.len(), "point")), some(&unseen, 8))
        };
        draft.pass(format!(
            "{} and {} are green, the newest attempt of each counted.{rest}",
            sentence(&count(benchmarks.len(), "benchmark job")),
            count(evals.len(), "eval job")
        ));
    }
    reruns(draft, &all);
}

/// What each attempt lost, and whether a later one made up for it.
fn reruns(draft: &mut Draft, all: &[Job<'_>]) {
    let lost =
        distinct(all.iter().flat_map(|j| j.events.iter()).filter(|e| e.outcome.as_deref() != Some("success")).filter_map(|e| e.attempt));
    for attempt in lost {
        let jobs: Vec<&Job<'_>> =
            all.iter().filter(|j| j.events.iter().any(|e| e.attempt == Some(attempt) && e.outcome.as_deref() != Some("success"))).collect();
        let names: Vec<String> = jobs.iter().map(|j| j.name()).collect();
        let errors =
            distinct(jobs.iter().flat_map(|j| j.events.iter()).filter(|e| e.attempt == Some(attempt)).filter_map(|e| e.error.clone()));
        draft.input(Input::new(format!("lost in attempt {attempt}"), list(&names)));
        errors.into_iter().for_each(|e| draft.input(Input::new(format!("error in attempt {attempt}"), e)));
        let redone = distinct(jobs.iter().filter(|j| j.green()).filter_map(|j| j.newest()?.attempt))
            .into_iter()
            .map(|a| a.to_string())
            .collect::<Vec<_>>();
        let made_up = jobs.iter().filter(|j| j.green()).count();
        if made_up == jobs.len() {
            draft.told(format!(
                "Attempt {attempt} lost {}; attempt {} reran them, and they passed.",
                count(jobs.len(), "job"),
                list(&redone)
            ));
        } else if made_up > 0 {
            draft.told(format!(
                "Attempt {attempt} lost {}; {made_up} of them passed in attempt {}.",
                count(jobs.len(), "job"),
                list(&redone)
            ));
        } else {
            draft.told(format!("Attempt {attempt} lost {}.", count(jobs.len(), "job")));
        }
    }
}

fn attempts(draft: &mut Draft, run: &RunDetail) {
    if run.run.attempts.is_empty() {
        draft.input(Input::new("attempts", "not known").at(run_page(run.run.run_id)));
        return;
    }
    let numbers: Vec<String> = run.run.attempts.iter().map(ToString::to_string).collect();
    draft.input(Input::new("attempts", list(&numbers)).at(run_page(run.run.run_id)));
}

/// Without events of jobs only the run's conclusion and its rows are left.
fn without_events(draft: &mut Draft, x: &Context<'_, '_>, run: &RunDetail) {
    let id = run.run.run_id;
    let look = format!("The jobs of run {id} on GitHub: all benchmark and eval jobs green, none skipped.");
    match run.run.conclusion.as_deref() {
        Some("success") if run.points.iter().any(|p| p.counts()) && !run.evals.is_empty() => {
            let lacking = super::matrix::missing_points(x, run);
            match lacking {
                Some(missing) if missing.is_empty() => draft.pass(format!(
                    "Run {id} concluded with success and has every point that its configurations generate, and evals; no event of a job is known."
                )),
                Some(missing) => draft.ask(format!("No event of a job is known, and the run lacks {} of its matrix.", some(&missing, 6)), look),
                None => draft.ask(format!("Run {id} concluded with success; no event of a job is known, so skipped ones would not show."), look),
            }
        }
        Some("success") => draft.ask(format!("Run {id} concluded with success; neither its jobs nor all its results are known."), look),
        Some(conclusion) => draft.ask(format!("Run {id} concluded with {conclusion}; which of its jobs are green is not known."), look),
        None => draft.ask(format!("Neither the jobs nor the conclusion of run {id} are known."), look),
    }
}

fn first_line(message: &str) -> &str {
    message.lines().next().unwrap_or_default()
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test fails by panicking")]
mod tests {
    use jiff::Timestamp;
    use paretoscope_domain::point::Status;
    use paretoscope_domain::pull::{PullEvent, PullHappening};

    use crate::check::CheckStatus::{Fail, NeedsHuman, NotApplicable, Pass};
    use crate::checks::fixture::{Case, HEAD, commit, reference, run_cases};

    #[test]
    fn sweep() {
        run_cases(
            1,
            &[
                Case::new(
                    "the reference: attempt 2 reran what attempt 1 lost",
                    Pass,
                    "Attempt 1 lost 5 jobs; attempt 2 reran them",
                    |_| {},
                ),
                Case::new("a merge of main after the measured commit", NeedsHuman, "Merge branch 'main'", |w| {
                    w.pull.commits.push(commit("aaaaaaaaaaaa", "Merge branch 'main' into x", &["1111111", "2222222"]));
                }),
                Case::new("a change after the measured commit", Fail, "Tune c4", |w| {
                    w.pull.commits.push(commit("bbbbbbbbbbbb", "Tune c4", &["1"]))
                }),
                Case::new(
                    "a forced push that drops the measured commit",
                    Fail,
                    "41d29b28 is no longer in the pull request: the forced push of 2026-11-04",
                    |w| {
                        let dropped = w.pull.commits.pop().unwrap();
                        w.pull.dropped.push(dropped);
                        let at: Timestamp = "2026-11-04T10:00:00Z".parse().unwrap();
                        let what = PullHappening::ForcePushed { before: Some(HEAD.into()), after: Some("cccccccccccc".into()) };
                        w.pull.events.push(PullEvent { at, actor: None, what });
                    },
                ),
                Case::new("dropped, nobody tells how", Fail, "was dropped from it", |w| {
                    let dropped = w.pull.commits.pop().unwrap();
                    w.pull.dropped.push(dropped);
                }),
                Case::new("a commit of elsewhere", Fail, "not among the", |w| w.run_mut().run.head_sha = Some("dddddddddddd".into())),
                Case::new("a job that no attempt mended", Fail, "1 job not green in the newest attempt: TP4 c16 (failure)", |w| {
                    w.run_mut()
                        .jobs
                        .retain(|j| !(j.title == "TP4 c16" && j.attempt.map(|a| a.get()) == Some(2) && j.eval_only == Some(false)));
                }),
                Case::new("a skipped job", Fail, "eval of TP4 c1 (skipped)", |w| {
                    w.run_mut().jobs.iter_mut().find(|j| j.title == "TP4 c1" && j.eval_only == Some(true)).unwrap().outcome =
                        Some("skipped".into());
                }),
                Case::new("a failed point", Fail, "1 point failed: TP4 c1", |w| w.run_mut().points[0].status = Status::Failed),
                Case::new("still running", Fail, "not completed", |w| w.run_mut().run.status = Some("in_progress".into())),
                Case::new("started by hand", Fail, "workflow_dispatch", |w| w.run_mut().run.event = Some("workflow_dispatch".into())),
                Case::new("cancelled by fail-fast with every job green", Pass, "8 benchmark jobs and 6 eval jobs are green", |w| {
                    w.run_mut().run.conclusion = Some("cancelled".into());
                }),
                Case::new("no events, success and the whole matrix", Pass, "no event of a job is known", |w| w.run_mut().jobs.clear()),
                Case::new("no events and no matrix", NeedsHuman, "skipped ones would not show", |w| {
                    w.run_mut().jobs.clear();
                    w.head = None;
                }),
                Case::new("commits not read", NeedsHuman, "commits of the pull request were not read", |w| w.pull.known.commits = false),
                Case::new("the pinned run is not known here", NeedsHuman, "is pinned and is not known here", |w| w.runs.clear()),
                Case::new("nothing pinned", NeedsHuman, "No run is pinned", |w| w.pull.comments.retain(|c| !c.body.starts_with("/use"))),
                Case::new("only documents", NotApplicable, "changes only documents", |w| w.only_documents()),
            ],
        );
    }

    #[test]
    fn attempts_are_listed() {
        let world = reference();
        let check = world.check(1);
        let attempts = check.inputs.iter().find(|i| i.name == "attempts").unwrap();
        assert_eq!(attempts.value, "1 and 2");
        assert!(check.inputs.iter().any(|i| i.name == "error in attempt 1" && i.value.contains("DatasetLoaderError")));
    }
}
