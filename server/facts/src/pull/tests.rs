use paretoscope_domain::fact::{FactKind, FactOrigin};
use paretoscope_domain::pull::{Known, PullHappening, PullState};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

const HEAD: &str = "41d29b2834a85fcee09db6f9f52653b7c2f30ef3";
const OLD: &str = "9bd047ac79bd047ac79bd047ac79bd047ac79bd0";

fn pull() -> Value {
    json!({
        "url": "https://api.github.com/repos/o/r/pulls/7", "html_url": "https://github.com/o/r/pull/7", "number": 7, "state": "open",
        "title": "A title", "body": "Text", "draft": false, "user": {"login": "pr-author", "type": "User"}, "author_association": "CONTRIBUTOR",
        "head": {"ref": "topic", "sha": HEAD, "repo": {"full_name": "fork/r"}},
        "base": {"ref": "main", "sha": "1111111111111111111111111111111111111111", "repo": {"full_name": "o/r"}},
        "created_at": "2026-10-20T00:00:00Z", "updated_at": "2026-11-03T00:00:00Z", "closed_at": null, "merged_at": null,
        "merge_commit_sha": "2222222222222222222222222222222222222222", "merged_by": null, "labels": [{"name": "full-sweep-enabled", "color": "fff"}],
        "commits": 2, "changed_files": 1, "comments": 1,
    })
}

fn commits() -> Value {
    let commit = |sha: &str, at: &str, parents: &[&str]| {
        json!({
            "sha": sha, "url": format!("https://api.github.com/repos/o/r/commits/{sha}"),
            "commit": {"message": "Message", "author": {"name": "N", "date": at}, "committer": {"name": "N", "date": at}},
            "author": {"login": "pr-author"}, "parents": parents.iter().map(|p| json!({"sha": p})).collect::<Vec<_>>(),
        })
    };
    json!([commit(OLD, "2026-10-28T00:00:00Z", &["x"]), commit(HEAD, "2026-10-31T00:00:00Z", &[OLD, "y"])])
}

fn files() -> Value {
    json!([{
        "sha": "b", "filename": "perf-changelog.yaml", "status": "modified", "additions": 8, "deletions": 0, "changes": 8, "patch": "@@ -1 +1 @@",
        "contents_url": format!("https://api.github.com/repos/o/r/contents/perf-changelog.yaml?ref={HEAD}"),
    }])
}

fn comment(id: i64, body: &str) -> Value {
    json!({
        "id": id, "html_url": format!("https://github.com/o/r/pull/7#issuecomment-{id}"), "issue_url": "https://api.github.com/repos/o/r/issues/7",
        "user": {"login": "code-owner", "type": "User"}, "author_association": "COLLABORATOR",
        "created_at": "2026-11-01T10:00:00Z", "updated_at": "2026-11-01T10:00:00Z", "body": body,
    })
}

fn reviews() -> Value {
    json!([{
        "id": 90, "user": {"login": "maintainer"}, "body": "", "state": "DISMISSED", "submitted_at": "2026-11-03T01:00:00Z", "commit_id": HEAD,
        "pull_request_url": "https://api.github.com/repos/o/r/pulls/7", "author_association": "MEMBER",
    }])
}

fn event(name: &str, more: Value) -> Value {
    let mut event = json!({
        "id": 1, "url": "https://api.github.com/repos/o/r/issues/events/1", "actor": {"login": "pr-author"}, "event": name,
        "created_at": "2026-10-21T00:00:00Z",
    });
    event.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    event
}

/// Reads payloads under names.
fn of(files: &[(&str, &Value)]) -> PullBatch {
    read_texts(files.iter().map(|(name, value)| ((*name).to_owned(), value.to_string().into_bytes())), &Options::default())
}

fn reasons(batch: &PullBatch) -> Vec<(&str, &str)> {
    batch.refused.iter().map(|r| (r.what.as_str(), r.reason.as_str())).collect()
}

#[test]
fn a_pull_request_in_the_files_github_gives() {
    let permission = json!({"permission": "write", "role_name": "maintain", "user": {"login": "code-owner"}});
    let events = json!([
        event("labeled", json!({"label": {"name": "full-sweep-enabled"}})),
        event("head_ref_force_pushed", json!({"commit_id": OLD})),
        event("renamed", json!({})),
    ]);
    let batch = of(&[
        // Names say nothing, and the order is any.
        ("x/a.json", &permission),
        ("x/b.json", &commits()),
        ("x/c.json", &files()),
        ("x/d.json", &json!([comment(1, "/use 41261902147")])),
        ("x/e.json", &reviews()),
        ("x/f.json", &events),
        ("x/g.json", &pull()),
    ]);
    assert_eq!(batch.refused, []);
    let [pull] = batch.pulls.as_slice() else { panic!("{:?}", batch.pulls) };
    assert_eq!((pull.repo.as_str(), pull.number, pull.state), ("o/r", 7, PullState::Open));
    assert_eq!(pull.merge_commit_sha, None, "a trial merge of an open one");
    assert_eq!(pull.labels, ["full-sweep-enabled"]);
    let Known { pull: itself, commits, files, comments, reviews, events } = pull.known;
    assert!(itself && commits && files && comments && reviews && events);
    assert_eq!(pull.as_of.commits, pull.updated_at);
    assert_eq!(pull.as_of.files_head.as_deref(), Some(HEAD));
    assert!(pull.commits[1].is_merge());
    assert_eq!(pull.comments[0].association.as_deref(), Some("COLLABORATOR"));
    assert_eq!(pull.reviews[0].state, "DISMISSED");
    assert!(pull.events.iter().any(|e| e.what == PullHappening::Other { event: "renamed".to_owned() }));
    assert_eq!(pull.permissions[0].role_name.as_deref(), Some("maintain"));
    assert_eq!(batch.read[0].held, ["the permission of code-owner of pull request 7"]);
    assert_eq!(batch.read[1].held, ["2 commits of pull request 7"]);
}

#[test]
fn one_object_with_several_payloads_is_the_same() {
    let bundle =
        json!({"pull": pull(), "commits": [commits()], "files": files(), "comments": [comment(1, "x")], "reviews": [], "timeline": []});
    let apart = of(&[
        ("pull.json", &pull()),
        ("commits.json", &commits()),
        ("files.json", &files()),
        ("comments.json", &json!([comment(1, "x")])),
        ("reviews.json", &json!([])),
        ("timeline.json", &json!([])),
    ]);
    let together = of(&[("all.json", &bundle)]);
    assert_eq!((together.refused.len(), apart.refused.len()), (0, 0));
    assert_eq!(together.pulls, apart.pulls);
    assert!(together.pulls[0].known.reviews && together.pulls[0].known.events);
}

#[test]
fn pages_are_one_list() {
    let all: Vec<Value> = (0..120).map(|i| comment(i, "x")).collect();
    let slurped = json!([all[..100], all[100..]]);
    let one_after_another = format!("{}\n{}", Value::from(all[..100].to_vec()), Value::from(all[100..].to_vec()));
    for text in [slurped.to_string(), one_after_another] {
        let batch = read_texts([("comments.json".to_owned(), text.into_bytes())], &Options::default());
        assert_eq!(batch.pulls[0].comments.len(), 120);
        assert!(batch.pulls[0].known.comments, "the second page is not full");
    }
    let two_files =
        of(&[("c/comments-1.json", &Value::from(all[..100].to_vec())), ("c/comments-2.json", &Value::from(all[100..].to_vec()))]);
    assert_eq!(two_files.pulls[0].comments.len(), 120);
}

#[test]
fn a_list_that_github_cut_is_not_the_whole() {
    let thirty: Vec<Value> = (0..30).map(|i| comment(i, "x")).collect();
    let thirty = Value::from(thirty);
    assert!(!of(&[("comments.json", &thirty)]).pulls[0].known.comments, "a full page");
    let mut counted = pull();
    for (count, known) in [(30, true), (31, false)] {
        counted["comments"] = json!(count);
        assert_eq!(of(&[("p.json", &counted), ("c.json", &thirty)]).pulls[0].known.comments, known, "{count}");
    }
    let mut counted = pull();
    counted["commits"] = json!(120);
    counted["changed_files"] = json!(3);
    let batch = of(&[("p.json", &counted), ("c.json", &commits()), ("f.json", &files())]);
    assert!(!batch.pulls[0].known.commits && !batch.pulls[0].known.files);
    assert_eq!(batch.pulls[0].commits.len(), 2);
}

#[test]
fn a_timeline_holds_comments_reviews_and_commits() {
    let mut said = comment(5, "hello");
    said["event"] = json!("commented");
    let mut reviewed = reviews()[0].clone();
    reviewed["event"] = json!("reviewed");
    reviewed["state"] = json!("approved");
    let committed = json!({
        "event": "committed", "sha": HEAD, "url": "https://api.github.com/repos/o/r/git/commits/1", "message": "M",
        "author": {"name": "N", "date": "2026-10-31T00:00:00Z"}, "committer": {"name": "N", "date": "2026-10-31T00:00:00Z"}, "parents": [{"sha": OLD}],
    });
    let dismissed =
        event("review_dismissed", json!({"dismissed_review": {"state": "approved", "review_id": 90, "dismissal_message": "Why"}}));
    let line = json!({"event": "line-commented", "comments": []});
    let batch = of(&[("timeline.json", &json!([said, reviewed, committed, dismissed, line]))]);
    assert_eq!(batch.refused, []);
    let pull = &batch.pulls[0];
    assert_eq!((pull.comments.len(), pull.reviews.len(), pull.commits.len(), pull.events.len()), (1, 1, 1, 1));
    assert_eq!(pull.reviews[0].state, "APPROVED");
    assert_eq!(pull.events[0].what, PullHappening::ReviewDismissed { message: Some("Why".to_owned()) });
    assert!(pull.known.events);
    assert!(!pull.known.comments && !pull.known.reviews && !pull.known.commits, "a timeline is no list of them");
}

#[test]
fn what_gh_pr_view_writes() {
    let view = json!({
        "number": 7, "title": "A title", "state": "MERGED", "headRefOid": HEAD, "baseRefName": "main", "isDraft": false, "changedFiles": 1,
        "url": "https://github.com/o/r/pull/7", "author": {"login": "pr-author", "is_bot": false}, "labels": [{"id": "x", "name": "l", "color": "f"}],
        "mergeCommit": {"oid": "3333333333333333333333333333333333333333"}, "mergedAt": "2026-11-03T05:00:00Z", "updatedAt": "2026-11-03T05:00:00Z",
        "commits": [{"oid": HEAD, "messageHeadline": "H", "messageBody": "B", "committedDate": "2026-10-31T00:00:00Z", "authors": [{"login": "pr-author"}]}],
        "files": [{"path": "a.yaml", "additions": 1, "deletions": 2}],
        "comments": [{
            "id": "IC_x", "author": {"login": "github-actions"}, "authorAssociation": "NONE", "body": "b", "createdAt": "2026-11-01T00:00:00Z",
            "url": "https://github.com/o/r/pull/7#issuecomment-55",
        }],
        "reviews": [{"id": "PRR_x", "author": {"login": "m"}, "state": "APPROVED", "submittedAt": "2026-11-01T00:00:00Z", "body": ""}],
    });
    let batch = of(&[("view.json", &view)]);
    let pull = &batch.pulls[0];
    assert_eq!((pull.state, pull.head_sha.as_str(), pull.labels.as_slice()), (PullState::Merged, HEAD, &["l".to_owned()][..]));
    assert_eq!((pull.commits[0].message.as_str(), pull.comments[0].id, pull.comments[0].bot), ("H\n\nB", 55, true));
    assert!(pull.known.pull && pull.known.files && pull.known.comments);
    assert!(!pull.known.reviews);
    assert_eq!(reasons(&batch), [("reviews[0]", "missing_field")]);
}

#[test]
fn a_part_of_a_payload_is_taken_for_what_it_is() {
    let part = json!({"number": 7, "title": "t", "head": {"sha": HEAD}, "html_url": "https://github.com/o/r/pull/7", "labels": ["a"]});
    let more =
        json!({"number": 7, "repo": "o/r", "conversation": [comment(1, "x")], "history": [event("closed", json!({}))], "other": [1]});
    let batch = of(&[("a.json", &part), ("b.json", &more)]);
    assert_eq!(batch.refused, []);
    let pull = &batch.pulls[0];
    assert_eq!((pull.head_sha.as_str(), pull.labels.len(), pull.comments.len(), pull.events.len()), (HEAD, 1, 1, 1));
    assert!(!pull.known.pull, "its state is not told");
}

#[test]
fn a_webhook_tells_of_its_pull_request() {
    let hook = json!({"action": "created", "issue": {"number": 7}, "comment": comment(9, "/use 1"), "repository": {"full_name": "o/r"}});
    let batch = of(&[("hook.json", &hook)]);
    assert_eq!((batch.refused.len(), batch.pulls[0].number, batch.pulls[0].comments.len()), (0, 7, 1));
    let hook = json!({"action": "synchronize", "number": 7, "pull_request": pull(), "repository": {"full_name": "o/r"}});
    assert!(of(&[("hook.json", &hook)]).pulls[0].known.pull);
}

#[test]
fn where_a_list_belongs() {
    let mut other = pull();
    other["number"] = json!(8);
    other["head"]["sha"] = json!("8888888888888888888888888888888888888888");
    // By the newest commit it names, though two pull requests are at hand in one folder.
    let batch = of(&[("a/p7.json", &pull()), ("a/p8.json", &other), ("a/c.json", &commits()), ("a/f.json", &files())]);
    assert_eq!((batch.refused.len(), batch.pulls[0].commits.len(), batch.pulls[1].commits.len()), (0, 2, 0));
    assert_eq!(batch.pulls[0].files.len(), 1);
    // By the folder, by the name.
    let mut unknown = commits();
    unknown[1]["sha"] = json!("9999999999999999999999999999999999999999");
    for file in ["b/c.json", "8/c.json", "8-commits.json"] {
        let batch = of(&[("a/p7.json", &pull()), ("b/p8.json", &other), (file, &unknown)]);
        assert_eq!((batch.refused.len(), batch.pulls[1].commits.len()), (0, 2), "{file}");
    }
    // By what else was given.
    assert_eq!(of(&[("a/p7.json", &pull()), ("b/c.json", &unknown)]).pulls[0].commits.len(), 2);
    // By nothing.
    let batch = of(&[("a/p7.json", &pull()), ("a/p8.json", &other), ("a/c.json", &unknown)]);
    assert_eq!(reasons(&batch), [("2 commits", "no_pull")]);
    assert_eq!(batch.pulls.len(), 2, "the rest lands");
    let batch = of(&[("commits.json", &commits())]);
    assert_eq!((batch.pulls.len(), reasons(&batch)), (0, vec![("2 commits", "no_pull")]));
    // A number without a repository.
    let gh = json!({"commits": [{"oid": HEAD, "messageHeadline": "H"}]});
    assert_eq!(reasons(&of(&[("7.json", &gh)])), [("1 commit", "no_repo")]);
    let options = Options { repo: Some("o/r".to_owned()) };
    assert_eq!(read_texts([("7.json".to_owned(), gh.to_string().into_bytes())], &options).pulls[0].repo, "o/r");
}

#[test]
fn a_repository_s_comments_are_told_apart() {
    let mut other = comment(2, "elsewhere");
    other["issue_url"] = json!("https://api.github.com/repos/o/r/issues/8");
    let batch = of(&[("comments.json", &json!([comment(1, "here"), other, comment(3, "here")]))]);
    assert_eq!(
        batch.pulls.iter().map(|p| (p.number, p.comments.len(), p.known.comments)).collect::<Vec<_>>(),
        [(7, 2, false), (8, 1, false)]
    );
}

#[test]
fn two_states_in_two_folders_are_read_in_their_order() {
    let mut later = pull();
    later["updated_at"] = json!("2026-11-05T00:00:00Z");
    later["head"]["sha"] = json!("5555555555555555555555555555555555555555");
    later["commits"] = json!(1);
    let mut pushed = json!([commits()[0]]);
    pushed[0]["sha"] = json!("5555555555555555555555555555555555555555");
    let batch =
        of(&[("1-later/p.json", &later), ("1-later/c.json", &pushed), ("2-before/p.json", &pull()), ("2-before/c.json", &commits())]);
    let pull = &batch.pulls[0];
    assert_eq!(pull.commits.len(), 1);
    assert_eq!(pull.dropped.iter().map(|c| c.sha.as_str()).collect::<Vec<_>>(), [OLD, HEAD]);
}

#[test]
fn what_is_no_payload_is_refused_with_a_reason() {
    let run = json!({"id": 41261902147_i64, "event": "pull_request", "head_sha": HEAD, "run_attempt": 2, "status": "completed"});
    let issue = json!({"number": 7, "state": "open", "title": "t", "comments": 3, "pull_request": {"url": "u"}});
    let inline =
        json!([{"id": 1, "pull_request_review_id": 2, "diff_hunk": "@@", "path": "a", "body": "b", "created_at": "2026-11-01T00:00:00Z"}]);
    for (value, reason) in [
        (run, "workflow_run"),
        (issue, "issue_payload"),
        (inline, "not_kept"),
        (json!({"message": "Not Found", "documentation_url": "https://docs.github.com/rest", "status": "404"}), "github_error"),
        (json!({"hw": "gb300", "conc": 4}), "not_recognised"),
        (json!([{"hw": "gb300", "conc": 4}]), "not_recognised"),
        (json!([1, 2]), "not_recognised"),
        (json!("text"), "not_recognised"),
        (json!(null), "not_recognised"),
        (json!([]), "empty_list"),
        (json!({"number": 7, "head": {}, "base": {}, "state": "ajar"}), "missing_field"),
        (json!([{"id": 1, "issue_url": "https://api.github.com/repos/o/r/issues/7", "body": "x"}]), "missing_field"),
        (json!({"stated_facts": 2, "by": "x", "facts": []}), "bad_version"),
        (json!({"stated_facts": 1, "facts": []}), "missing_field"),
    ] {
        let batch = of(&[("x.json", &value)]);
        assert_eq!(batch.refused.iter().map(|r| r.reason.as_str()).next(), Some(reason), "{value}: {:?}", batch.refused);
        assert!(batch.pulls.is_empty() && batch.read.is_empty());
    }
    for (bytes, line) in [(&b""[..], None), (b"{\n\"a\": }", Some(2)), (b"<html>", Some(1)), (b"\xff\x00z", None)] {
        let batch = read_texts([("x.json".to_owned(), bytes.to_vec())], &Options::default());
        assert_eq!((batch.refused[0].reason.as_str(), batch.refused[0].line), ("bad_json", line));
    }
    let message = of(&[("x.json", &json!({"message": "Not Found", "status": "404"}))]).refused.remove(0).detail;
    assert!(message.contains("Not Found"), "{message}");
}

#[test]
fn a_bad_entry_leaves_its_neighbours_and_the_list_is_no_longer_whole() {
    let mut bad = comment(2, "x");
    bad["created_at"] = json!("yesterday");
    let batch = of(&[("comments.json", &json!([comment(1, "x"), bad, comment(3, "x")]))]);
    assert_eq!(reasons(&batch), [("[1]", "missing_field")]);
    assert_eq!(batch.pulls[0].comments.len(), 2);
    assert!(!batch.pulls[0].known.comments);
}

#[test]
fn a_retelling_says_so_of_all_that_came_with_it() {
    let mut retold = pull();
    retold["paretoscope_retold"] = json!("Retold from a discussion.");
    let batch = of(&[("c.json", &commits()), ("p.json", &retold)]);
    assert_eq!(batch.pulls[0].retold.as_deref(), Some("Retold from a discussion."));
    assert_eq!(batch.pulls[0].commits.len(), 2);
}

#[test]
fn stated_facts_say_who_and_a_bad_one_is_refused_alone() {
    let facts = json!({
        "stated_facts": 1, "repo": "o/r", "pull": 7, "by": "code owner (sign-off)", "url": "https://example.org/1", "at": "2026-11-03T09:00:00Z",
        "facts": [
            {"run_id": 41261902147_i64, "point": "TP4 c1", "eval": false, "kind": "env", "key": "SGLANG_SIMULATE_ACC_LEN", "value": "3.51", "count": null},
            {"run_id": "41261902147", "attempt": 2, "kind": "measured_al", "key": "accept_len", "value": 3.510, "count": 5107, "eval": true},
            {"run_id": 0, "kind": "env", "key": "a", "value": "b"},
            {"run_id": 1, "kind": "rumour", "key": "a", "value": "b"},
            {"run_id": 1, "kind": "env", "value": "b"},
            {"run_id": 1, "kind": "env", "key": "a"},
            {"run_id": 1, "kind": "env", "key": "a", "value": "b", "count": -1},
            7,
        ],
    });
    let batch = of(&[("facts.json", &facts)]);
    let [first, second] = batch.stated.as_slice() else { panic!("{:?}", batch.stated) };
    assert_eq!((first.kind, first.value.as_str(), first.point.as_deref(), first.eval), (FactKind::Env, "3.51", Some("TP4 c1"), false));
    assert!(matches!(&first.origin, FactOrigin::Stated { by, url: Some(_), at: Some(_) } if by == "code owner (sign-off)"));
    assert_eq!((second.value.as_str(), second.count, second.eval), ("3.51", Some(5107), true));
    assert_eq!(
        batch.refused.iter().map(|r| r.what.as_str()).collect::<Vec<_>>(),
        (2..8).map(|i| format!("facts[{i}]")).collect::<Vec<_>>()
    );
    assert_eq!(batch.read[0].held, ["2 stated facts about run 41261902147"]);
}

#[test]
fn windows_shells_write_other_bytes() {
    let text = pull().to_string();
    let wide: Vec<u8> = std::iter::once(0xfeff_u16).chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
    let marked = [b"\xef\xbb\xbf".as_slice(), text.as_bytes()].concat();
    for bytes in [wide, marked] {
        assert_eq!(read_texts([("p.json".to_owned(), bytes)], &Options::default()).pulls[0].number, 7);
    }
}

#[test]
fn folders_are_walked() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join("7/.hidden")).unwrap();
    std::fs::write(folder.path().join("7/pull.json"), pull().to_string()).unwrap();
    std::fs::write(folder.path().join("7/notes.txt"), "no payload").unwrap();
    std::fs::write(folder.path().join("7/.hidden/x.json"), "no payload").unwrap();
    let missing = folder.path().join("nothing.json");
    let batch = read(&[folder.path().to_owned(), missing], &Options::default()).unwrap();
    assert_eq!((batch.pulls.len(), reasons(&batch)), (1, vec![("file", "unreadable")]));
    let empty = tempfile::tempdir().unwrap();
    assert!(read(&[empty.path().to_owned()], &Options::default()).unwrap_err().to_string().contains("no *.json"));
}

/// JSON near to payloads: their keys and words in any arrangement.
fn near_payloads() -> impl Strategy<Value = Value> {
    let words = prop_oneof![
        Just("2026-11-01T10:00:00Z"),
        Just("https://api.github.com/repos/o/r/issues/7"),
        Just(HEAD),
        Just("labeled"),
        Just("committed"),
        Just("open"),
        Just("")
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        words.prop_map(Value::from)
    ];
    let keys = proptest::sample::select(vec![
        "number",
        "head",
        "base",
        "state",
        "sha",
        "commit",
        "parents",
        "filename",
        "id",
        "body",
        "issue_url",
        "created_at",
        "event",
        "label",
        "user",
        "permission",
        "commits",
        "files",
        "comments",
        "pull",
        "pull_request",
        "headRefOid",
        "stated_facts",
        "facts",
        "kind",
        "name",
        "oid",
        "submitted_at",
        "additions",
        "deletions",
        "message",
        "url",
        "labels",
        "reviews",
        "timeline",
    ]);
    leaf.prop_recursive(5, 60, 6, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            proptest::collection::hash_map(keys.clone(), inner, 0..8)
                .prop_map(|m| Value::Object(m.into_iter().map(|(k, v)| (k.to_owned(), v)).collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_panics_and_nothing_vanishes_unsaid(value in near_payloads()) {
        let batch = of(&[("x.json", &value)]);
        let empty = matches!(&value, Value::Array(a) if a.iter().all(|v| matches!(v, Value::Array(a) if a.is_empty())));
        let said = !batch.pulls.is_empty() || !batch.stated.is_empty() || !batch.refused.is_empty();
        // A file of stated facts may hold none, and a timeline only what is not kept.
        let nothing_in_it = value.get("stated_facts").is_some() || value.to_string().contains("-commented");
        prop_assert!(said || empty || nothing_in_it, "{value}");
    }

    #[test]
    fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let _ = read_texts([("7/x.json".to_owned(), bytes)], &Options::default());
    }
}
