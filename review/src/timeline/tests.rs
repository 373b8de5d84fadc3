//! The whole story, small: the reference pull request's shape with short texts.

use std::sync::Arc;

use paretoscope_domain::pull::{Comment, Known, Pull, PullCommit, PullEvent, PullHappening, PullState, Review};
use paretoscope_domain::run::{Artifact, AttemptSummary, Family, Purge, Reading, Run, RunDetail};
use paretoscope_domain::threshold::Thresholds;
use paretoscope_domain::vocabulary::Vocabulary;
use paretoscope_domain::{Attempt, Kind, RunId};

use super::*;
use crate::check::{Check, CheckStatus};
use crate::gathered::Gathered;

const OLD: i64 = 40_809_149_952;
const NEW: i64 = 41_261_902_147;
const HEAD: &str = "41d29b2834a85fcee09db6f9f52653b7c2f30ef3";

fn id(n: i64) -> RunId {
    RunId::new(n).unwrap()
}

fn comment(id: i64, at: &str, author: &str, body: &str) -> Comment {
    let at = at.parse().unwrap();
    Comment {
        id,
        author: author.into(),
        bot: author == "bot",
        association: Some(if author == "bot" { "CONTRIBUTOR" } else { "COLLABORATOR" }.into()),
        at,
        updated_at: at,
        body: body.into(),
        url: Some(format!("https://github.com/o/r/pull/4603#issuecomment-{id}")),
        earlier: Vec::new(),
        deleted: false,
    }
}

fn commit(sha: &str, at: &str, message: &str) -> PullCommit {
    PullCommit { sha: sha.into(), message: message.into(), author: Some("author".into()), at: at.parse().ok(), parents: Vec::new() }
}

fn artifact(name: &str, family: Family, expires: Option<&str>) -> Artifact {
    Artifact {
        name: name.into(),
        attempt: None,
        artifact_id: None,
        family,
        reading: Reading::Read,
        size: 1,
        digest: None,
        uploaded_at: None,
        expires_at: expires.map(str::to_owned),
        files: Vec::new(),
        pairs_with: None,
    }
}

fn run(number: i64, sha: &str, date: &str) -> RunDetail {
    let attempt = |n, points, failed| AttemptSummary {
        attempt: Attempt::new(n).unwrap(),
        conclusion: None,
        html_url: None,
        point_count: points,
        eval_count: points,
        failed_jobs: failed,
    };
    let run = Run {
        run_id: id(number),
        kind: Kind::Unofficial,
        synthetic: false,
        attempt: Attempt::new(2),
        attempts: vec![Attempt::new(1).unwrap(), Attempt::new(2).unwrap()],
        attempt_details: vec![attempt(1, 5, 5), attempt(2, 3, 0)],
        actor: None,
        name: Some("Run Sweep".into()),
        event: Some("pull_request".into()),
        status: Some("completed".into()),
        conclusion: Some("success".into()),
        head_sha: Some(sha.into()),
        head_branch: None,
        repo: "o/r".into(),
        html_url: None,
        commit_url: None,
        pr_number: Some(4603),
        pr_url: None,
        pr_title: None,
        pr_author: None,
        created_at: None,
        date: Some(date.into()),
        config_keys: vec!["dsv41flash-fp4-gb300-sglang-agentic-dspark".into()],
        images: Vec::new(),
        models: Vec::new(),
        hardware: Vec::new(),
        frameworks: Vec::new(),
        precisions: Vec::new(),
        scenarios: Vec::new(),
        point_count: 8,
        failed_count: 0,
        eval_count: 6,
        eval_passing: 6,
        baseline_run_id: None,
        curves: Vec::new(),
        ingested_at: None,
        purged: None,
    };
    RunDetail {
        run,
        points: Vec::new(),
        evals: Vec::new(),
        artifacts: vec![
            artifact("results_bmk", Family::CollectedBenchmarks, Some("2027-01-30")),
            artifact("eval_results_all", Family::CollectedEvals, Some("2027-01-30")),
            artifact("server_logs_a", Family::ServerLogs, Some("2026-01-30")),
        ],
        jobs: Vec::new(),
        changelog: Vec::new(),
        run_stats: Vec::new(),
        reuse: None,
        report: None,
        audit: Vec::new(),
        evidence: Vec::new(),
    }
}

fn sign_off(head: &str, run: i64) -> String {
    format!(
        "As a PR reviewer and CODEOWNER, I have:\n- [x] one\n- [x] two\n\nAdditional detail section:\n- Assessed head: {head}. The pinned run is Run Sweep {run}.\n- Merged cookbook PR sgl-project/sglang#47929 (MERGED 2026-11-03T03:28:14Z)\n\nSigned: owner"
    )
}

fn story() -> Pull {
    let cookbook = |n: i64, what: &str, tail: &str| format!("The cookbook: sgl-project/sglang#{n} {what}.\n\n{tail}");
    let progress = "It shows the recipe at 9bd047ac7 as \"in progress\".";
    let mirrors = "The commands mirror the launch measured in run 41261902147.";
    let announced = |n: i64, tail: &str| format!("The cookbook update will happen in sgl-project/sglang#{n}, in its section.\n\n{tail}");
    let mut signed = comment(8, "2026-10-30T12:00:00Z", "owner", &sign_off(HEAD, NEW));
    signed.updated_at = "2026-11-03T05:00:00Z".parse().unwrap();
    signed.earlier = vec![(signed.at, sign_off("9bd047ac7", OLD))];
    Pull {
        repo: "o/r".into(),
        number: 4603,
        title: "Move to a newer image".into(),
        author: "author".into(),
        state: PullState::Merged,
        head_sha: HEAD.into(),
        created_at: "2026-10-27T09:00:00Z".parse().ok(),
        merged_at: "2026-11-04T09:00:00Z".parse().ok(),
        labels: vec!["full-sweep-fail-fast".into()],
        commits: vec![
            commit("9bd047ac7", "2026-10-29T01:00:00Z", "Tune"),
            commit("6bb31166", "2026-10-31T01:00:00Z", "Newer image"),
            commit("cb232ed0", "2026-10-31T02:00:00Z", "Merge branch 'main'"),
            commit(HEAD, "2026-11-01T01:00:00Z", "Merge branch 'main'"),
        ],
        comments: vec![
            comment(1, "2026-10-29T20:00:00Z", "engineer", &announced(47214, progress)),
            comment(2, "2026-10-29T21:00:00Z", "engineer", &cookbook(47214, "has been merged", progress)),
            comment(3, "2026-10-30T08:00:00Z", "engineer", &announced(47464, progress)),
            comment(4, "2026-10-30T09:00:00Z", "owner", "/use 40809149952"),
            comment(
                5,
                "2026-10-30T09:05:00Z",
                "bot",
                "@owner staged run 40809149952.\n\n- DeepSeek-V4.1-Flash · agentic-traces · FP4 · gb300_sglang · 2026-10-29",
            ),
            comment(6, "2026-10-30T10:00:00Z", "engineer", &cookbook(47464, "has been merged", progress)),
            signed,
            comment(9, "2026-11-02T08:00:00Z", "visitor", "/use 40809149952 please"),
            comment(10, "2026-11-02T09:00:00Z", "owner", "/use 41261902147"),
            comment(11, "2026-11-02T10:00:00Z", "engineer", &announced(47929, mirrors)),
            comment(12, "2026-11-03T04:00:00Z", "engineer", &cookbook(47929, "has been merged", mirrors)),
            comment(
                13,
                "2026-11-03T06:00:00Z",
                "bot",
                &format!(
                    "Verdict: PASS\n\n✅ Check 2 (Evals): PASS — fine\n➖ Check 12 (Append-only): N/A — none\n\nAssessed commit: {HEAD}."
                ),
            ),
            comment(
                14,
                "2026-11-04T10:00:00Z",
                "bot",
                "Ingest report — results ingested\n\n| Category | new | duplicate | skipped | unmapped | failed |\n|---|---|---|---|---|---|\n| benchmark | 8 | 0 | 0 | 0 | 0 |\n\nbenchmarkFiles 8, evalSamplesNew 7914",
            ),
        ],
        reviews: vec![Review {
            id: 1,
            author: "maintainer".into(),
            association: Some("MEMBER".into()),
            state: "APPROVED".into(),
            at: "2026-11-03T08:00:00Z".parse().ok(),
            body: String::new(),
            commit: Some(HEAD.into()),
            url: None,
        }],
        events: vec![PullEvent {
            at: "2026-10-27T09:01:00Z".parse().unwrap(),
            actor: Some("owner".into()),
            what: PullHappening::Labeled { label: "full-sweep-fail-fast".into() },
        }],
        known: Known { pull: true, commits: true, files: true, comments: true, reviews: true, events: true },
        ..Pull::default()
    }
}

/// Facts that a test changes before it gathers them.
struct Facts {
    pull: Pull,
    runs: Vec<Arc<RunDetail>>,
    words: Vocabulary,
    thresholds: Thresholds,
}

impl Facts {
    fn new(pull: Pull) -> Self {
        let runs = vec![run(NEW, HEAD, "2026-11-01"), run(OLD, "9bd047ac7", "2026-10-29")];
        Self {
            pull,
            runs: runs.into_iter().map(Arc::new).collect(),
            words: Vocabulary::shipped().unwrap(),
            thresholds: Thresholds::shipped().unwrap(),
        }
    }

    fn open(mut pull: Pull) -> Self {
        pull.state = PullState::Open;
        pull.merged_at = None;
        Self::new(pull)
    }

    fn gathered(&self) -> Gathered<'_> {
        Gathered {
            pull: &self.pull,
            runs: &self.runs,
            head: None,
            base: None,
            main: None,
            cookbook: &[],
            official: &[],
            entries: &[],
            words: &self.words,
            thresholds: &self.thresholds,
            now: "2026-11-05T00:00:00Z".parse().unwrap(),
        }
    }

    fn answer(&self, checks: Vec<Check>) -> PullAnswer {
        answer(&self.gathered(), checks, &[])
    }

    fn missing(&self) -> Vec<(String, bool)> {
        self.answer(Vec::new()).now.missing.into_iter().map(|m| (m.about, m.blocks)).collect()
    }
}

fn check(id: u16, status: CheckStatus) -> Check {
    Check {
        id,
        name: format!("Check {id}"),
        status,
        detail: "So it is.".into(),
        rule: String::new(),
        source: String::new(),
        inputs: vec![],
        look: vec![],
    }
}

#[test]
fn the_story_is_told_in_order() {
    let told: Vec<String> = Facts::new(story())
        .answer(Vec::new())
        .timeline
        .into_iter()
        .map(|i| format!("{} {}{}", i.kind.title(), i.title, if i.folded { " (folded)" } else { "" }))
        .collect();
    assert_eq!(
        told,
        [
            "state opened",
            "label label full-sweep-fail-fast put on",
            "commit 9bd047ac Tune",
            "run run 40809149952 on 9bd047ac: success, attempts 1 and 2",
            "cookbook cookbook round sgl-project/sglang#47214 announced",
            "cookbook cookbook round sgl-project/sglang#47214 merged",
            "cookbook cookbook round sgl-project/sglang#47464 announced",
            "command /use 40809149952",
            "staging staged run 40809149952",
            "cookbook cookbook round sgl-project/sglang#47464 merged",
            "sign-off sign-off (folded)",
            "commit 6bb31166 Newer image",
            "commit cb232ed0 Merge branch 'main'",
            "commit 41d29b28 Merge branch 'main'",
            "run run 41261902147 on 41d29b28: success, attempts 1 and 2",
            "command /use 40809149952 please: not read as a command",
            "command /use 41261902147",
            "cookbook cookbook round sgl-project/sglang#47929 announced",
            "cookbook cookbook round sgl-project/sglang#47929 merged",
            "sign-off sign-off",
            "verdict verdict: PASS",
            "review approved",
            "merge merged",
            "ingest Ingest report — results ingested",
        ]
    );
}

#[test]
fn a_pin_supersedes_the_one_before_it() {
    let answer = Facts::new(story()).answer(Vec::new());
    let pins: Vec<_> = answer.pins.iter().map(|p| (p.run_id.map(RunId::get), p.authorised, p.current)).collect();
    assert_eq!(pins, [(Some(OLD), Some(true), false), (Some(NEW), Some(true), true)]);
    let pin = answer.now.pin.as_ref().unwrap();
    assert_eq!((pin.run_id, pin.known, pin.superseded.len()), (Some(id(NEW)), true, 1));
    let commands: Vec<_> = answer.timeline.iter().filter(|i| i.kind == ItemKind::Command).map(|i| i.outcome).collect();
    assert_eq!(commands, [Some(Outcome::Superseded), Some(Outcome::Refused), Some(Outcome::Current)]);
    assert_eq!(
        answer.timeline.iter().find(|i| i.kind == ItemKind::Command).unwrap().detail,
        "Accepted: COLLABORATOR. /use 41261902147 of 2026-11-02 09:00 UTC took its place. The comment is nothing else, so it also asks for staging."
    );
}

#[test]
fn what_the_pin_rests_on_is_told() {
    let answer = Facts::new(story()).answer(Vec::new());
    let measured = answer.now.measured.as_ref().unwrap();
    assert_eq!((measured.in_pull, measured.sentence.as_str()), (Some(true), "41d29b28 is in the pull request. No commits follow it."));
    let life = answer.now.artifacts.as_ref().unwrap();
    assert_eq!(life.state, LifetimeState::Live);
    // Logs expire earlier, but the ingest doesn't read them.
    assert_eq!(life.sentence, "2 artifacts that the ingest needs, unexpired until 2027-01-30.");
    assert_eq!(answer.now.missing, []);
    assert_eq!(answer.now.sentence, "Merged on 2026-11-04 09:00 UTC.");
    assert_eq!(answer.signoff.as_ref().and_then(|s| s.run_id), Some(id(NEW)));
    let ingest = answer.timeline.iter().find_map(|i| i.ingest.as_ref()).unwrap();
    assert_eq!((ingest.rows.benchmark.map(|t| t.new), ingest.counters.get("evalSamplesNew")), (Some(8), Some(&7914)));
}

#[test]
fn the_verifier_s_answers_stand_beside_ours() {
    let checks = vec![check(2, CheckStatus::Pass), check(12, CheckStatus::Fail)];
    let verdict = Facts::new(story()).answer(checks).verdict.unwrap();
    assert_eq!(verdict.checks.iter().map(|c| (c.id, c.agrees)).collect::<Vec<_>>(), [(2, Some(true)), (12, Some(false))]);
}

#[test]
fn the_round_that_missed_the_pin_was_made_up_for() {
    let answer = Facts::new(story()).answer(Vec::new());
    let rounds: Vec<_> = answer.cookbook.iter().map(|r| (r.number, r.missed_pin.is_some(), r.settled_by)).collect();
    assert_eq!(rounds, [(Some(47214), false, None), (Some(47464), true, Some(47929)), (Some(47929), false, None)]);
}

#[test]
fn an_open_pull_request_in_order_misses_nothing() {
    let facts = Facts::open(story());
    assert_eq!(facts.missing(), []);
    assert_eq!(facts.answer(Vec::new()).now.sentence, "Nothing that can be seen here is missing before the merge.");
}

#[test]
fn each_thing_that_is_missing_is_named() {
    type Change = fn(&mut Facts);
    type Missing = &'static [(&'static str, bool)];
    let cases: [(&str, Change, Missing); 15] = [
        ("no command", |f| f.pull.comments.retain(|c| !c.body.starts_with("/use")), &[("pin", true)]),
        (
            "a forced push dropped the measured commit",
            |f| {
                let dropped = f.pull.commits.pop().unwrap();
                f.pull.dropped.push(dropped);
                f.pull.head_sha = "cb232ed0".into();
            },
            &[("commit", true), ("sign-off", true), ("verdict", false)],
        ),
        (
            "a commit after the measured one",
            |f| {
                f.pull.commits.push(commit("aaaaaaa1", "2026-11-03T07:00:00Z", "One more"));
                f.pull.head_sha = "aaaaaaa1".into();
            },
            &[("commit", true), ("sign-off", true), ("verdict", false)],
        ),
        (
            "a merge after the measured one",
            |f| {
                f.pull.commits.push(commit("aaaaaaa1", "2026-11-03T07:00:00Z", "Merge branch 'main'"));
                f.pull.head_sha = "aaaaaaa1".into();
            },
            &[("commit", false), ("sign-off", true), ("verdict", false)],
        ),
        ("the pinned run is not here", |f| f.runs.retain(|r| r.run.run_id != id(NEW)), &[("pin", false)]),
        ("artifacts expired", |f| change_run(f, |r| r.artifacts[0].expires_at = Some("2026-11-01".into())), &[("artifacts", true)]),
        ("expiry not told", |f| change_run(f, |r| r.artifacts.iter_mut().for_each(|a| a.expires_at = None)), &[("artifacts", false)]),
        ("started by hand", |f| change_run(f, |r| r.run.event = Some("workflow_dispatch".into())), &[("pin", true)]),
        ("timed out", |f| change_run(f, |r| r.run.conclusion = Some("timed_out".into())), &[("pin", true)]),
        ("a label that forbids reuse", |f| f.pull.labels.push("evals-only".into()), &[("labels", true)]),
        ("no label of a sweep", |f| f.pull.labels.clear(), &[("labels", false)]),
        ("changes asked for", |f| f.pull.reviews[0].state = "CHANGES_REQUESTED".into(), &[("review", true), ("review", true)]),
        ("a draft", |f| f.pull.draft = true, &[("payload", true)]),
        ("the sign-off is of the older commit", |f| sign(f, &sign_off("9bd047ac7", OLD)), &[("sign-off", true), ("sign-off", true)]),
        ("files were not read", |f| f.pull.known.files = false, &[("payload", false)]),
    ];
    for (name, change, expected) in cases {
        let mut facts = Facts::open(story());
        change(&mut facts);
        let expected: Vec<(String, bool)> = expected.iter().map(|(a, b)| ((*a).to_owned(), *b)).collect();
        assert_eq!(facts.missing(), expected, "{name}");
    }
}

fn change_run(facts: &mut Facts, change: impl Fn(&mut RunDetail)) {
    for run in &mut facts.runs {
        let mut detail = RunDetail::clone(run);
        change(&mut detail);
        *run = Arc::new(detail);
    }
}

fn sign(facts: &mut Facts, text: &str) {
    for c in &mut facts.pull.comments {
        if is_sign_off(&c.body) {
            c.body = text.to_owned();
            c.earlier.clear();
        }
    }
}

#[test]
fn checks_that_don_t_pass_are_missing_and_one_that_can_t_decide_is_to_be_looked_at() {
    let facts = Facts::open(story());
    let checks = vec![
        check(1, CheckStatus::Pass),
        check(2, CheckStatus::Fail),
        check(3, CheckStatus::NeedsHuman),
        check(12, CheckStatus::NotApplicable),
        check(14, CheckStatus::Warn),
        check(100, CheckStatus::Fail),
    ];
    let missing: Vec<_> = facts.answer(checks).now.missing.into_iter().map(|m| (m.about, m.blocks)).collect();
    assert_eq!(missing, [("check 2".to_owned(), true), ("check 3".to_owned(), false), ("check 14".to_owned(), true)]);
}

#[test]
fn a_command_without_standing_pins_nothing_and_says_why() {
    let mut pull = story();
    pull.comments.retain(|c| !c.body.starts_with("/use"));
    let mut given = comment(20, "2026-11-03T10:00:00Z", "visitor", "/use 41261902147");
    given.association = Some("CONTRIBUTOR".into());
    pull.comments.push(given);
    pull.comments.push(comment(21, "2026-11-03T11:00:00Z", "owner", "/use"));
    let now = Facts::open(pull).answer(Vec::new()).now;
    assert_eq!(now.pin, None);
    assert_eq!(
        now.no_pin.as_deref(),
        Some(
            "No authorised command names a run to reuse: merged like this, nothing would be ingested. `/use 41261902147` was refused: CONTRIBUTOR is none of OWNER, MEMBER, COLLABORATOR; `/use` names no run."
        )
    );
}

#[test]
fn a_bare_reuse_takes_the_newest_successful_run() {
    let mut pull = story();
    pull.comments.push(comment(20, "2026-11-03T10:00:00Z", "owner", "/reuse-sweep-run"));
    let mut facts = Facts::open(pull);
    let picked = |f: &Facts| f.answer(Vec::new()).now.pin.and_then(|p| p.run_id).map(RunId::get);
    assert_eq!(picked(&facts), Some(NEW));
    facts.runs.retain(|r| r.run.run_id != id(NEW));
    assert_eq!(picked(&facts), Some(OLD));
    change_run(&mut facts, |r| r.run.conclusion = Some("failure".into()));
    assert_eq!(picked(&facts), None);
}

#[test]
fn a_hidden_pin_is_said_to_be_hidden() {
    let mut facts = Facts::open(story());
    facts.runs.retain(|r| r.run.run_id != id(NEW));
    let hidden =
        Hidden { run_id: id(NEW), purge: Purge { reason: "hung".into(), actor: "me".into(), at: "2026-11-04T00:00:00Z".parse().unwrap() } };
    let answer = answer(&facts.gathered(), Vec::new(), &[hidden]);
    assert_eq!(answer.now.pin.unwrap().note.as_deref(), Some("Run 41261902147 is hidden here since 2026-11-04 00:00 UTC: hung"));
    assert!(answer.notes.iter().any(|n| n.starts_with("Run 41261902147 is hidden")));
}

#[test]
fn of_a_pull_request_known_by_its_runs_alone_little_is_said() {
    let facts = Facts::new(Pull { repo: "o/r".into(), number: 4603, ..Pull::default() });
    let answer = facts.answer(Vec::new());
    assert_eq!((answer.state, answer.pins.len(), answer.runs.len()), (None, 0, 2));
    assert!(answer.runs.iter().all(|r| r.in_pull.is_none()));
    assert!(answer.notes[0].contains("`paretoscope pulls import FILE…`"));
    assert_eq!(answer.now.no_pin.as_deref(), Some("Its comments were not read, so no command can be known."));
}

#[test]
fn a_deleted_command_counts_no_more() {
    let mut pull = story();
    for c in &mut pull.comments {
        c.deleted = c.body == "/use 41261902147";
    }
    let answer = Facts::open(pull).answer(Vec::new());
    assert_eq!(answer.now.pin.and_then(|p| p.run_id), Some(id(OLD)));
    let item = answer.timeline.iter().find(|i| i.title == "/use 41261902147").unwrap();
    assert_eq!((item.folded, item.outcome), (true, Some(Outcome::Refused)));
}
