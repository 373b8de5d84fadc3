//! What is said of a run in one row: computed from what is stored of it, the same way whatever changed.

use std::collections::BTreeSet;

use jiff::tz::TimeZone;
use paretoscope_domain::curve::CurveKey;
use paretoscope_domain::eval::{Eval, StoredEval};
use paretoscope_domain::point::{Point, Status};
use paretoscope_domain::run::{Artifact, AttemptSummary, ChangelogEntry, DEFAULT_REPO, Image, JobEvent, Purge, Run, RunFacts};
use paretoscope_domain::{Attempt, RunId, Scenario};

/// Grows when [`Run`] or a rule below changes: `migrate` then computes every stored summary again.
pub(crate) const REVISION: i64 = 1;

/// Everything that is stored of a run and shows in its summary.
pub(crate) struct Parts<'a> {
    pub(crate) run_id: RunId,
    pub(crate) facts: &'a RunFacts,
    pub(crate) purged: Option<Purge>,
    pub(crate) points: &'a [Point],
    pub(crate) stored_evals: &'a [StoredEval],
    /// The same evals, reviewed.
    pub(crate) evals: &'a [Eval],
    pub(crate) artifacts: &'a [Artifact],
    pub(crate) jobs: &'a [JobEvent],
    pub(crate) changelog: &'a [ChangelogEntry],
}

/// Facts after an ingest: what is known wins over what is not, a later telling over an earlier one, and what is told of a newer
/// attempt over what is told of an older. The kind is never lowered; whether a run is synthetic is decided by its first ingest.
pub(crate) fn merge_facts(stored: RunFacts, told: RunFacts) -> RunFacts {
    let (kind, synthetic) = (stored.kind.max(told.kind), stored.synthetic);
    let told_is_older = told.attempt.zip(stored.attempt).is_some_and(|(told, stored)| told < stored);
    let (new, old) = if told_is_older { (stored, told) } else { (told, stored) };
    let RunFacts {
        kind: _,
        synthetic: _,
        actor,
        name,
        event,
        status,
        conclusion,
        head_sha,
        head_branch,
        repo,
        html_url,
        pr_number,
        pr_title,
        pr_author,
        created_at,
        date,
        attempt,
        payload,
    } = new;
    RunFacts {
        kind,
        synthetic,
        actor: actor.or(old.actor),
        name: name.or(old.name),
        event: event.or(old.event),
        status: status.or(old.status),
        conclusion: conclusion.or(old.conclusion),
        head_sha: longer_sha(head_sha, old.head_sha),
        head_branch: head_branch.or(old.head_branch),
        repo: repo.or(old.repo),
        html_url: html_url.or(old.html_url),
        pr_number: pr_number.or(old.pr_number),
        pr_title: pr_title.or(old.pr_title),
        pr_author: pr_author.or(old.pr_author),
        created_at: created_at.or(old.created_at),
        date: date.or(old.date),
        attempt: attempt.max(old.attempt),
        payload: payload.or(old.payload),
    }
}

/// A short sha does not take the place of the full one it abbreviates.
fn longer_sha(new: Option<String>, old: Option<String>) -> Option<String> {
    match (new, old) {
        (Some(new), Some(old)) if old.starts_with(&new) => Some(old),
        (new, old) => new.or(old),
    }
}

/// The day a run was created, UTC.
pub(crate) fn day(facts: &RunFacts) -> Option<String> {
    facts.date.clone().or_else(|| facts.created_at.map(|at| at.to_zoned(TimeZone::UTC).date().to_string()))
}

fn is_sha(text: &str) -> bool {
    (7..=40).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_hexdigit())
}

/// A run of which nothing is known.
#[cfg(test)]
pub(crate) fn blank(run_id: RunId) -> Run {
    Run {
        run_id,
        kind: paretoscope_domain::Kind::default(),
        synthetic: false,
        attempt: None,
        attempts: vec![],
        attempt_details: vec![],
        actor: None,
        name: None,
        event: None,
        status: None,
        conclusion: None,
        head_sha: None,
        head_branch: None,
        repo: DEFAULT_REPO.to_owned(),
        html_url: None,
        commit_url: None,
        pr_number: None,
        pr_url: None,
        pr_title: None,
        pr_author: None,
        created_at: None,
        date: None,
        config_keys: vec![],
        images: vec![],
        models: vec![],
        hardware: vec![],
        frameworks: vec![],
        precisions: vec![],
        scenarios: vec![],
        point_count: 0,
        failed_count: 0,
        eval_count: 0,
        eval_passing: 0,
        baseline_run_id: None,
        curves: vec![],
        ingested_at: None,
        purged: None,
    }
}

/// The summary of a run, but for its baseline and the time of its ingest.
pub(crate) fn summary(parts: Parts<'_>) -> Run {
    let Parts { run_id, facts, purged, points, stored_evals, evals, artifacts, jobs, changelog } = parts;
    let repo = facts.repo.clone().unwrap_or_else(|| DEFAULT_REPO.to_owned());
    // Nothing of a synthetic run is on GitHub.
    let on_github = |path: String| (!facts.synthetic).then(|| format!("https://github.com/{repo}/{path}"));
    let html_url = if facts.synthetic { None } else { facts.html_url.clone().or_else(|| on_github(format!("actions/runs/{run_id}"))) };

    let attempts: BTreeSet<Attempt> = (points.iter().map(|p| p.attempt))
        .chain(stored_evals.iter().map(|e| e.record.attempt))
        .chain(artifacts.iter().map(|a| a.attempt))
        .chain(jobs.iter().map(|j| j.attempt))
        .chain([facts.attempt])
        .flatten()
        .collect();
    let newest = attempts.last().copied();
    let attempt_details = attempts
        .iter()
        .map(|attempt| AttemptSummary {
            attempt: *attempt,
            conclusion: facts.conclusion.clone().filter(|_| Some(*attempt) == newest),
            html_url: html_url.as_deref().map(|url| {
                let run_page = url.split_once("/attempts/").map_or(url, |(run_page, _)| run_page).trim_end_matches('/');
                format!("{run_page}/attempts/{attempt}")
            }),
            point_count: points.iter().filter(|p| p.counts() && p.attempt == Some(*attempt)).count(),
            eval_count: evals.iter().filter(|e| !e.superseded && e.attempt == Some(*attempt)).count(),
            failed_jobs: jobs
                .iter()
                .filter(|j| j.attempt == Some(*attempt) && j.outcome.as_deref().is_some_and(|o| o.eq_ignore_ascii_case("failure")))
                .count(),
        })
        .collect();

    let mut config_keys: Vec<String> = Vec::new();
    for key in changelog.iter().flat_map(|e| &e.config_keys) {
        if !config_keys.contains(key) {
            config_keys.push(key.clone());
        }
    }
    let shown = || points.iter().filter(|p| !p.superseded);
    let shown_evals = || stored_evals.iter().filter(|e| !e.superseded).map(|e| &e.record);
    let words = |of_point: fn(&Point) -> &String, of_eval: fn(&paretoscope_domain::eval::EvalRecord) -> &String| -> Vec<String> {
        let all: BTreeSet<&String> = shown().map(of_point).chain(shown_evals().map(of_eval)).collect();
        all.into_iter().cloned().collect()
    };
    let images: BTreeSet<Image> = points
        .iter()
        .filter(|p| p.counts())
        .filter_map(|p| p.image.clone().map(|reference| Image { reference, digest: p.image_digest.clone() }))
        .collect();
    let scenarios: BTreeSet<Scenario> = shown().map(|p| p.scenario).collect();
    let curves: BTreeSet<CurveKey> = points.iter().filter(|p| p.counts()).map(CurveKey::of).collect();

    Run {
        run_id,
        kind: facts.kind,
        synthetic: facts.synthetic,
        attempt: newest,
        attempts: attempts.iter().copied().collect(),
        attempt_details,
        actor: facts.actor.clone(),
        name: facts.name.clone(),
        event: facts.event.clone(),
        status: facts.status.clone(),
        conclusion: facts.conclusion.clone(),
        head_sha: facts.head_sha.clone(),
        head_branch: facts.head_branch.clone(),
        html_url,
        commit_url: facts.head_sha.as_deref().filter(|sha| is_sha(sha)).and_then(|sha| on_github(format!("commit/{sha}"))),
        pr_number: facts.pr_number,
        pr_url: facts.pr_number.and_then(|n| on_github(format!("pull/{n}"))),
        repo,
        pr_title: facts.pr_title.clone(),
        pr_author: facts.pr_author.clone(),
        created_at: facts.created_at,
        date: day(facts),
        config_keys,
        images: images.into_iter().collect(),
        models: words(|p| &p.model, |e| &e.model),
        hardware: words(|p| &p.hardware, |e| &e.hardware),
        frameworks: words(|p| &p.framework, |e| &e.framework),
        precisions: words(|p| &p.precision, |e| &e.precision),
        scenarios: scenarios.into_iter().map(|s| s.to_string()).collect(),
        point_count: points.iter().filter(|p| p.counts()).count(),
        failed_count: points.iter().filter(|p| p.status == Status::Failed && !p.superseded).count(),
        eval_count: evals.iter().filter(|e| !e.superseded).count(),
        eval_passing: evals.iter().filter(|e| !e.superseded && e.passes).count(),
        baseline_run_id: None,
        curves: curves.into_iter().collect(),
        ingested_at: None,
        purged,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use paretoscope_domain::Kind;

    #[test]
    fn known_facts_are_never_lost() {
        let attempt = Attempt::new;
        let first = RunFacts {
            synthetic: true,
            name: Some("first".into()),
            conclusion: Some("success".into()),
            head_sha: Some("0123456789abcdef".into()),
            attempt: attempt(2),
            ..RunFacts::default()
        };
        let told = RunFacts {
            kind: Kind::Staged,
            actor: Some("ann".into()),
            conclusion: Some("failure".into()),
            head_sha: Some("0123456".into()),
            ..RunFacts::default()
        };
        let merged = merge_facts(first.clone(), told.clone());
        assert_eq!((merged.kind, merged.synthetic, merged.attempt), (Kind::Staged, true, attempt(2)));
        assert_eq!((merged.name.as_deref(), merged.actor.as_deref()), (Some("first"), Some("ann")));
        assert_eq!(merged.conclusion.as_deref(), Some("failure"), "the later telling");
        assert_eq!(merged.head_sha.as_deref(), Some("0123456789abcdef"));
        let merged = merge_facts(first, RunFacts { attempt: attempt(1), ..told });
        assert_eq!(merged.conclusion.as_deref(), Some("success"), "the newer attempt");
    }
}
