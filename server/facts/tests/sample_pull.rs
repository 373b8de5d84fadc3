//! The sample's pull request and cookbook as their readers see them: the story, and that it agrees with itself.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

use std::collections::BTreeSet;

use jiff::Timestamp;
use paretoscope_domain::fact::{FactKind, FactOrigin, RunFact};
use paretoscope_domain::pull::{Known, Pull, PullHappening, PullState};
use paretoscope_facts::cookbook;
use paretoscope_facts::pull::{Options, PullBatch, read_texts};
use paretoscope_sample::{cookbook_states, pull_payloads, repo_states};

const HEAD: &str = "41d29b2834a85fcee09db6f9f52653b7c2f30ef3";
const DIGEST: &str = "sha256:d4b7701dc94d287e4fc135dfb4c1a88df0778a936255021aeb26eb54d396e579";

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn batch() -> PullBatch {
    read_texts(pull_payloads().into_iter().map(|f| (f.path, f.contents.into_bytes())), &Options::default())
}

fn pull() -> Pull {
    let mut batch = batch();
    assert_eq!(batch.refused, []);
    assert_eq!(batch.pulls.len(), 1);
    batch.pulls.remove(0)
}

#[test]
fn everything_lands_and_says_that_it_is_retold() {
    let pull = pull();
    assert_eq!((pull.repo.as_str(), pull.number, pull.state), ("SemiAnalysisAI/InferenceX", 4603, PullState::Merged));
    assert_eq!(pull.known, Known { pull: true, commits: true, files: true, comments: true, reviews: true, events: true });
    assert!(pull.retold.as_deref().unwrap().contains("own words"));
    assert_eq!(pull.head_sha, HEAD);
    assert_eq!(
        pull.commits.iter().map(|c| (c.sha.as_str(), c.is_merge())).collect::<Vec<_>>(),
        [("67af7c3", false), ("9bd047ac7", false), ("6bb31166", false), ("cb232ed0", true), (HEAD, true),]
    );
    assert!(pull.dropped.is_empty());
}

#[test]
fn the_story_stands_in_its_order() {
    let pull = pull();
    let times: Vec<Timestamp> = pull.commits.iter().map(|c| c.at.unwrap()).collect();
    assert!(times.is_sorted());
    let comment = |part: &str| pull.comments.iter().find(|c| c.body.contains(part)).unwrap();
    let command = |run: &str| pull.comments.iter().find(|c| c.body.trim() == format!("/use {run}")).unwrap();
    let (older, newer) = (command("40809149952"), command("41261902147"));
    assert!([older, newer].iter().all(|c| c.author == "code-owner" && c.association.as_deref() == Some("COLLABORATOR") && !c.bot));
    // Stated: the days of the runs, and that the first command came after round 47464 was synced and before it was told merged.
    let announced = comment("is prepared in sgl-project/sglang#47464");
    let merged = comment("sgl-project/sglang#47464 was merged");
    assert!(at("2026-10-29T00:00:00Z") < announced.at && announced.at < older.at && older.at < merged.at);
    assert!(at("2026-11-01T00:00:00Z") < newer.at && newer.at < comment("is prepared in sgl-project/sglang#47929").at);
    let settled = at("2026-11-03T03:28:14Z");
    assert!(settled < comment("sgl-project/sglang#47929 was merged").at);
    // Sign-off and verdict were edited after it, and before the merge.
    for edited in [comment("Assessed head"), comment("Verdict: PASS")] {
        assert!(edited.at < at("2026-11-01T00:00:00Z") && settled < edited.updated_at && edited.updated_at < pull.merged_at.unwrap());
    }
    assert!(pull.merged_at.unwrap() < comment("Ingest report").at);
    assert!(matches!(&pull.events[0].what, PullHappening::Labeled { label } if *label == pull.labels[0]));
    assert!(pull.events.iter().any(|e| matches!(&e.what, PullHappening::ReviewDismissed { message: Some(_) })));
    assert_eq!(pull.reviews.iter().map(|r| r.state.as_str()).collect::<Vec<_>>(), ["DISMISSED", "APPROVED"]);
    // Nobody is there by name.
    let people: BTreeSet<&str> = pull.comments.iter().map(|c| c.author.as_str()).chain([pull.author.as_str()]).collect();
    assert_eq!(people.into_iter().collect::<Vec<_>>(), ["claude[bot]", "code-owner", "github-actions[bot]", "pr-author"]);
}

#[test]
fn the_sign_off_ticks_every_item_of_the_checklist() {
    let states = repo_states();
    let checklist = states.last().unwrap().files.iter().find(|f| f.path.ends_with("PR_REVIEW_CHECKLIST.md")).unwrap();
    let items =
        |text: &str, mark: &str| text.lines().filter_map(|l| l.trim_start().strip_prefix(mark).map(str::to_owned)).collect::<Vec<String>>();
    let wanted = items(&checklist.contents, "- [ ] ");
    let pull = pull();
    let sign_off = pull.comments.iter().find(|c| c.body.contains("Assessed head")).unwrap();
    assert_eq!(wanted.len(), 20);
    assert_eq!(items(&sign_off.body, "- [x] "), wanted);
    let verdict = pull.comments.iter().find(|c| c.body.contains("Verdict: PASS")).unwrap();
    for check in 0..=18 {
        assert_eq!(verdict.body.matches(&format!(" Check {check} (")).count(), 1, "check {check}");
    }
    assert!(verdict.body.contains(&format!("Assessed commit: {HEAD}")));
}

#[test]
fn the_changes_are_those_between_the_states_of_the_repository() {
    let states = repo_states();
    let (base, head) = (states.first().unwrap(), states.last().unwrap());
    let pull = pull();
    for file in &pull.files {
        let patch = file.patch.as_deref().unwrap();
        let count = |mark: char| patch.lines().filter(|l| l.starts_with(mark)).count() as u64;
        assert_eq!((file.additions, file.deletions), (count('+'), count('-')));
        let text = |state: &paretoscope_sample::SampleRepo| state.files.iter().find(|f| f.path == file.path).map(|f| f.contents.clone());
        let Some((before, after)) = text(base).zip(text(head)) else {
            assert!(file.path.ends_with("agentic.yaml"), "{} is in no state", file.path);
            continue;
        };
        assert_eq!(patched(&before, patch), after, "{}", file.path);
    }
    assert_eq!(pull.files.len(), 3);
    assert!(pull.commits.iter().any(|c| c.sha == states[1].commit.unwrap() && c.at == Some(at(states[1].committed_at))));
    assert_eq!(pull.commits.last().unwrap().at, Some(at(head.committed_at)));
}

/// A text with a unified diff of one hunk applied.
fn patched(text: &str, patch: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let mut out: Vec<String> = Vec::new();
    let mut from = 0;
    for line in patch.lines() {
        if let Some(ranges) = line.strip_prefix("@@ -") {
            let start: usize = ranges.split([',', ' ']).next().unwrap().parse().unwrap();
            out.extend(lines[from..start - 1].iter().map(|l| (*l).to_owned()));
            from = start - 1;
        } else if let Some(added) = line.strip_prefix('+') {
            out.push(added.to_owned());
        } else {
            assert_eq!(lines[from], &line[1..], "context of the patch");
            from += 1;
            out.extend(line.strip_prefix(' ').map(str::to_owned));
        }
    }
    out.extend(lines[from..].iter().map(|l| (*l).to_owned()));
    out.join("\n") + "\n"
}

#[test]
fn facts_are_stated_by_role_and_about_the_pinned_run() {
    let facts = batch().stated;
    let find = |kind: FactKind, key: &str, point: Option<&str>| -> Vec<&RunFact> {
        facts.iter().filter(|f| f.kind == kind && f.key == key && f.point.as_deref() == point && !f.eval).collect()
    };
    let value = |kind, key, point| find(kind, key, point).first().map(|f| (f.value.as_str(), f.count));
    assert_eq!(value(FactKind::Env, "SGLANG_SIMULATE_ACC_LEN", None), Some(("3.51", None)));
    assert_eq!(value(FactKind::Argument, "speculative_dspark_block_size", None), Some(("5", None)));
    assert_eq!(value(FactKind::MeasuredAl, "accept_len", Some("TP4 c1")), Some(("3.510", Some(5107))));
    assert_eq!(value(FactKind::MeasuredAl, "accept_len", Some("TP2/EP2/DPA c64")), Some(("3.512", Some(8983))));
    assert_eq!(value(FactKind::BuildCommit, "arm64", None), Some(("52604e1d46c1", None)));
    let by: BTreeSet<String> = facts
        .iter()
        .map(|f| match &f.origin {
            FactOrigin::Stated { by, url, at } => {
                assert!(url.as_deref().unwrap().contains("/pull/4603#issuecomment-") && at.is_some());
                by.clone()
            }
            FactOrigin::Artifact { .. } => panic!("a stated fact has no artifact"),
        })
        .collect();
    assert_eq!(by.into_iter().collect::<Vec<_>>(), ["bot (verdict)", "code owner (sign-off)"]);
    let runs: BTreeSet<i64> = facts.iter().map(|f| f.run_id.get()).collect();
    assert_eq!(runs.into_iter().collect::<Vec<_>>(), [40_809_149_952, 41_261_902_147]);
}

#[test]
fn the_cookbook_missed_the_pin_and_then_had_it() {
    let states = cookbook_states();
    let files: Vec<_> = states
        .iter()
        .map(|s| {
            let read = cookbook::read_text(s.path, s.text.as_bytes(), &cookbook::Options::default(), Timestamp::UNIX_EPOCH);
            assert_eq!(read.refused, []);
            assert!(!s.text.contains(['{']) || !s.text.contains("{IMAGE"), "every blank is filled");
            read.versions.into_iter().next().unwrap().file
        })
        .collect();
    let [missed, pinned] = files.as_slice() else { panic!("two states") };
    let told = |file: &paretoscope_domain::cookbook::CookbookFile| {
        let cell = &file.cells[0];
        let all_alike = file
            .cells
            .iter()
            .all(|c| (&c.sha, c.run_id, &c.status_word, &c.image) == (&cell.sha, cell.run_id, &cell.status_word, &cell.image));
        assert!(all_alike);
        (
            cell.sha.clone().unwrap(),
            cell.run_id.map(|r| r.get()),
            cell.attempt.map(|a| a.get()),
            cell.status_word.clone().unwrap(),
            cell.image_digest.clone(),
        )
    };
    assert_eq!(told(missed), ("9bd047ac7".to_owned(), None, None, "in-progress".to_owned(), None));
    assert_eq!(told(pinned), (HEAD.to_owned(), Some(41_261_902_147), Some(2), "verified-pr".to_owned(), Some(DIGEST.to_owned())));
    let points: Vec<(String, Vec<u32>)> =
        pinned.cells.iter().map(|c| (c.label.clone(), c.points.iter().flat_map(|p| p.concs.clone()).collect())).collect();
    assert_eq!(
        points,
        [
            ("Agg TP4".to_owned(), vec![1, 4, 16]),
            ("Agg TP2·EP2".to_owned(), vec![16, 32]),
            ("Agg TP2·EP2·DPA".to_owned(), vec![64, 128, 160]),
        ]
    );
    assert!(pinned.cells.iter().flat_map(|c| &c.points).all(|p| p.golden_al.as_deref() == Some("3.51")));
    assert!(pinned.cells.iter().all(|c| c.args.contains(&("--speculative-dspark-block-size".to_owned(), Some("5".to_owned())))));
    assert!(!pinned.cells[2].args.iter().any(|(flag, _)| flag == "--dsv4-attn-backend"), "the points with DP attention don't pin it");
    assert_eq!((missed.pulls[&4603].run_id, pinned.pulls[&4603].run_id.map(|r| r.get())), (None, Some(41_261_902_147)));
    assert_eq!(states.iter().map(|s| s.cookbook_pr).collect::<Vec<_>>(), [47_464, 47_929]);
}
