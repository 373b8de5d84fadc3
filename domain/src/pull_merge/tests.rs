use proptest::prelude::*;

use crate::pull::{AsOf, Known, Permission, PullCommit, PullCounts, PullEvent, PullFile, PullState, Review};

use super::*;

fn time(second: i64) -> Timestamp {
    Timestamp::from_second(1_790_000_000 + second).unwrap()
}

fn sha(n: u64) -> String {
    format!("{:040x}", (n + 1) * 0x9e37_79b9_7f4a)
}

fn commit(n: u64) -> PullCommit {
    PullCommit { sha: sha(n), message: format!("commit {n}"), author: None, at: Some(time(n as i64)), parents: Vec::new() }
}

fn comment(id: i64, edited: i64, body: &str) -> Comment {
    Comment {
        id,
        author: "code-owner".to_owned(),
        bot: false,
        association: Some("COLLABORATOR".to_owned()),
        at: time(id),
        updated_at: time(id + edited),
        body: body.to_owned(),
        url: None,
        earlier: Vec::new(),
        deleted: false,
    }
}

fn file(path: &str) -> PullFile {
    PullFile {
        path: path.to_owned(),
        previous_path: None,
        status: "modified".to_owned(),
        additions: 1,
        deletions: 1,
        patch: Some(format!("@@ {path}")),
    }
}

fn review(id: i64, state: &str) -> Review {
    Review {
        id,
        author: "maintainer".to_owned(),
        association: None,
        state: state.to_owned(),
        at: Some(time(id)),
        body: String::new(),
        commit: None,
        url: None,
    }
}

fn part() -> Pull {
    Pull { repo: "o/r".to_owned(), number: 7, ..Pull::default() }
}

/// The payload of the pull request itself.
fn payload(updated: i64, title: &str, head: u64, counts: PullCounts) -> Pull {
    Pull {
        title: title.to_owned(),
        updated_at: Some(time(updated)),
        head_sha: sha(head),
        counts,
        known: Known { pull: true, ..Known::default() },
        ..part()
    }
}

fn commits(numbers: &[u64]) -> Pull {
    Pull { commits: numbers.iter().map(|&n| commit(n)).collect(), known: Known { commits: true, ..Known::default() }, ..part() }
}

/// Everything, read at one moment: as a sync would read it.
fn snapshot(updated: i64, numbers: &[u64], comments: Vec<Comment>, files: &[&str]) -> Pull {
    let at = Some(time(updated));
    let count = |n: usize| Some(n as u64);
    let head = numbers.last().copied().unwrap_or_default();
    let counts = PullCounts { commits: count(numbers.len()), files: count(files.len()), comments: count(comments.len()) };
    Pull {
        commits: numbers.iter().map(|&n| commit(n)).collect(),
        files: files.iter().map(|p| file(p)).collect(),
        comments,
        known: Known { pull: true, commits: true, files: true, comments: true, reviews: true, events: true },
        as_of: AsOf { commits: at, files: at, files_head: Some(sha(head)), comments: at, reviews: at, permissions: at },
        ..payload(updated, &format!("title at {updated}"), head, counts)
    }
    .settled()
}

fn shas(commits: &[PullCommit]) -> Vec<String> {
    commits.iter().map(|c| c.sha.clone()).collect()
}

#[test]
fn commits_that_a_newer_whole_list_lacks_were_dropped_whichever_is_imported_first() {
    let (before, after) = (snapshot(1, &[1, 2], vec![], &[]), snapshot(2, &[1, 3], vec![], &[]));
    for merged in [before.clone().absorb(after.clone()), after.absorb(before)] {
        assert_eq!(shas(&merged.commits), [sha(1), sha(3)]);
        assert_eq!(shas(&merged.dropped), [sha(2)]);
        assert_eq!(merged.head_sha, sha(3));
        assert!(merged.known.commits);
    }
}

#[test]
fn a_commit_that_comes_back_is_no_longer_dropped() {
    let merged = snapshot(1, &[1, 2], vec![], &[]).absorb(snapshot(2, &[1], vec![], &[])).absorb(snapshot(3, &[1, 2], vec![], &[]));
    assert_eq!(shas(&merged.commits), [sha(1), sha(2)]);
    assert!(merged.dropped.is_empty());
}

#[test]
fn a_list_is_whole_only_as_far_as_the_counts_bear_it_out() {
    let count = |n| PullCounts { commits: Some(n), ..PullCounts::default() };
    for (told, list, head, known) in [
        (Some(2), vec![1, 2], 2, true),
        (Some(3), vec![1, 2], 2, false),
        (None, vec![1, 2], 2, true),
        // The list is of another state than the payload.
        (Some(2), vec![1, 2], 3, false),
        (None, vec![1, 2], 3, false),
        // More than the payload counts: it is the older one.
        (Some(1), vec![1, 2], 1, false),
    ] {
        let counts = told.map_or_else(PullCounts::default, count);
        let (payload, list) = (payload(1, "t", head, counts), commits(&list));
        for merged in [payload.clone().absorb(list.clone()), list.absorb(payload)] {
            assert_eq!(merged.known.commits, known, "{told:?} {head}");
        }
    }
}

#[test]
fn pages_imported_one_by_one_become_the_whole_list() {
    let page = |numbers: &[u64]| Pull { known: Known::default(), ..commits(numbers) };
    let payload = payload(9, "t", 4, PullCounts { commits: Some(4), ..PullCounts::default() });
    let merged = page(&[1, 2]).absorb(page(&[3, 4]));
    assert!(!merged.known.commits, "nothing says how many there are");
    let merged = merged.absorb(payload);
    assert!(merged.known.commits);
    assert_eq!(shas(&merged.commits), [1, 2, 3, 4].map(sha));
}

#[test]
fn a_list_that_starts_where_the_known_one_ends_is_its_next_page() {
    let mut next = commits(&[3]);
    next.commits[0].parents = vec![sha(2)];
    let merged = commits(&[1, 2]).absorb(next);
    assert_eq!(shas(&merged.commits), [1, 2, 3].map(sha));
    assert!(merged.dropped.is_empty());
    assert!(!merged.known.commits);
}

#[test]
fn a_push_leaves_files_and_commits_behind() {
    let known = snapshot(1, &[1], vec![], &["a"]);
    assert!(known.known.files && known.known.commits);
    let counts = PullCounts { commits: Some(1), files: Some(1), comments: Some(0) };
    let pushed = known.absorb(payload(2, "t", 5, counts));
    assert!(!pushed.known.files && !pushed.known.commits, "both are of the commit before");
    assert!(pushed.known.comments);
}

#[test]
fn files_of_another_commit_do_not_stay() {
    let merged = snapshot(1, &[1], vec![], &["a", "b"]).absorb(snapshot(2, &[1, 2], vec![], &["b", "c"]));
    assert_eq!(merged.files.iter().map(|f| f.path.as_str()).collect::<Vec<_>>(), ["b", "c"]);
    assert!(merged.known.files);
}

#[test]
fn a_list_without_patches_does_not_take_them_away() {
    let bare = Pull {
        files: vec![PullFile { status: String::new(), patch: None, ..file("a") }],
        known: Known { files: true, ..Known::default() },
        ..part()
    };
    let merged = snapshot(1, &[1], vec![], &["a"]).absorb(bare);
    assert_eq!(merged.files, [file("a")]);
}

#[test]
fn an_edited_comment_keeps_its_earlier_texts() {
    let read = |edited, body: &str| Pull { comments: vec![comment(5, edited, body)], ..part() };
    let (first, second, third) = (read(0, "one"), read(10, "two"), read(20, "three"));
    for order in [[&first, &second, &third], [&third, &first, &second], [&second, &third, &first]] {
        let merged = order.into_iter().cloned().fold(Pull::default(), Pull::absorb);
        assert_eq!(merged.comments[0].body, "three");
        assert_eq!(merged.comments[0].earlier, [(time(5), "one".to_owned()), (time(15), "two".to_owned())]);
    }
    // Seen again, edited or not, an unchanged text is no earlier one.
    let same = read(0, "one").absorb(read(30, "one"));
    assert!(same.comments[0].earlier.is_empty());
}

#[test]
fn a_comment_that_a_whole_newer_list_lacks_is_deleted_and_kept() {
    let (before, after) = (
        snapshot(1, &[1], vec![comment(1, 0, "/use 41261902147"), comment(2, 0, "b")], &[]),
        snapshot(2, &[1], vec![comment(2, 0, "b")], &[]),
    );
    for merged in [before.clone().absorb(after.clone()), after.absorb(before.clone())] {
        assert_eq!(merged.comments.iter().map(|c| (c.id, c.deleted)).collect::<Vec<_>>(), [(1, true), (2, false)]);
    }
    // One page, or a list that no count bears out, proves nothing.
    let page = Pull { comments: vec![comment(2, 0, "b")], known: Known { comments: true, ..Known::default() }, ..part() };
    assert!(before.absorb(page).comments.iter().all(|c| !c.deleted));
}

#[test]
fn a_dismissal_stays() {
    let read = |state| Pull { reviews: vec![review(3, state)], ..part() };
    for merged in [read("APPROVED").absorb(read("DISMISSED")), read("DISMISSED").absorb(read("APPROVED"))] {
        assert_eq!(merged.reviews[0].state, "DISMISSED");
    }
}

#[test]
fn both_ends_of_a_forced_push_that_are_not_in_it_were_dropped() {
    let push = PullHappening::ForcePushed { before: Some(sha(8)), after: Some(sha(1)) };
    let events = Pull {
        events: vec![PullEvent { at: time(3), actor: None, what: push }],
        known: Known { events: true, ..Known::default() },
        ..part()
    };
    for merged in [commits(&[1]).absorb(events.clone()), events.absorb(commits(&[1]))] {
        assert_eq!(shas(&merged.dropped), [sha(8)]);
    }
}

#[test]
fn opening_again_takes_the_closing_back_but_nothing_takes_a_merge_back() {
    let closed = Pull { state: PullState::Closed, closed_at: Some(time(1)), ..payload(1, "t", 1, PullCounts::default()) };
    let open = closed.clone().absorb(payload(2, "t", 1, PullCounts::default()));
    assert_eq!((open.state, open.closed_at), (PullState::Open, None));
    let merged = Pull { state: PullState::Merged, merged_at: Some(time(3)), ..payload(3, "t", 1, PullCounts::default()) };
    let merged = merged.absorb(closed);
    assert_eq!((merged.state, merged.merged_at), (PullState::Merged, Some(time(3))));
}

#[test]
fn a_payload_takes_the_place_of_a_retelling_and_a_retelling_adds_nothing() {
    let retold = Pull { retold: Some("retold".to_owned()), ..snapshot(9, &[1, 2], vec![comment(1, 0, "told")], &["a"]) };
    let real = snapshot(1, &[3], vec![], &[]);
    assert_eq!(retold.clone().absorb(real.clone()), real);
    assert_eq!(real.clone().absorb(retold.clone()), real);
    // A list alone wipes nothing out.
    let merged = retold.clone().absorb(Pull { comments: vec![comment(3, 0, "more")], ..part() });
    assert_eq!((merged.comments.len(), merged.commits.len(), merged.retold), (2, 2, retold.retold));
}

#[test]
fn of_another_pull_request_nothing_is_taken() {
    let other = Pull { number: 8, ..commits(&[9]) };
    assert_eq!(commits(&[1]).absorb(other), commits(&[1]).settled());
}

fn any_comment() -> impl Strategy<Value = Comment> {
    (0..5_i64, 0..4_i64, "[abc]", any::<bool>())
        .prop_map(|(id, edited, body, told)| Comment { association: told.then(|| "MEMBER".to_owned()), ..comment(id, edited, &body) })
}

fn once<T, K: Ord>(items: Vec<T>, key: impl Fn(&T) -> K) -> Vec<T> {
    let mut seen = std::collections::BTreeSet::new();
    items.into_iter().filter(|i| seen.insert(key(i))).collect()
}

fn any_event() -> impl Strategy<Value = PullEvent> {
    let what = prop_oneof![
        "[xy]".prop_map(|label| PullHappening::Labeled { label }),
        (0..6_u64, 0..6_u64).prop_map(|(b, a)| PullHappening::ForcePushed { before: Some(sha(b)), after: Some(sha(a)) }),
        Just(PullHappening::Closed),
    ];
    (0..4_i64, what).prop_map(|(at, what)| PullEvent { at: time(at), actor: None, what })
}

prop_compose! {
    /// A partial pull request as it comes from payloads: any part, timed or not, whole or not.
    fn any_pull()(
        updated in proptest::option::of(0..4_i64),
        title in "[tu]",
        numbers in proptest::collection::vec(0..6_u64, 0..4),
        paths in proptest::collection::vec("[abc]", 0..3),
        comments in proptest::collection::vec(any_comment(), 0..4),
        reviews in proptest::collection::vec((0..3_i64, prop_oneof![Just("APPROVED"), Just("DISMISSED")]), 0..3),
        events in proptest::collection::vec(any_event(), 0..3),
        counts in (proptest::option::of(0..4_u64), proptest::option::of(0..3_u64), proptest::option::of(0..4_u64)),
        known in any::<[bool; 5]>(),
        head in 0..6_u64,
    ) -> Pull {
        let at = updated.map(time);
        let numbers = once(numbers, |&n| n);
        let paths = once(paths, Clone::clone);
        let [commits, files, comments_known, reviews_known, events_known] = known;
        Pull {
            title: if at.is_some() { title } else { String::new() },
            updated_at: at,
            head_sha: if at.is_some() { sha(head) } else { String::new() },
            commits: numbers.into_iter().map(commit).collect(),
            files: paths.iter().map(|p| file(p)).collect(),
            comments: once(comments, |c| c.id),
            reviews: once(reviews, |r| r.0).into_iter().map(|(id, state)| review(id, state)).collect(),
            events,
            permissions: Vec::new(),
            counts: if at.is_some() { PullCounts { commits: counts.0, files: counts.1, comments: counts.2 } } else { PullCounts::default() },
            as_of: AsOf { commits: at, files: at, files_head: at.map(|_| sha(head)), comments: at, reviews: at, permissions: at },
            known: Known { pull: at.is_some(), commits, files, comments: comments_known, reviews: reviews_known, events: events_known },
            ..part()
        }
    }
}

prop_compose! {
    /// All of a pull request as GitHub has it at one moment.
    fn any_snapshot(updated: i64)(
        numbers in proptest::collection::vec(0..6_u64, 1..4),
        comments in proptest::collection::vec(any_comment(), 0..4),
        paths in proptest::collection::vec("[abc]", 0..3),
        reviews in proptest::collection::vec((0..3_i64, prop_oneof![Just("APPROVED"), Just("DISMISSED")]), 0..3),
        events in proptest::collection::vec(any_event(), 0..3),
    ) -> Pull {
        let (numbers, paths) = (once(numbers, |&n| n), once(paths, Clone::clone));
        // GitHub edits no comment without telling: one text a time of editing.
        let comments = once(comments, |c| c.id).into_iter().map(|c| Comment { body: format!("as of {}", c.updated_at), ..c }).collect();
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        let reviews = once(reviews, |r| r.0).into_iter().map(|(id, state)| review(id, state)).collect();
        Pull { reviews, events, ..snapshot(updated, &numbers, comments, &paths) }.settled()
    }
}

proptest! {
    #[test]
    fn told_twice_changes_nothing(a in any_pull(), b in any_pull()) {
        let once = a.clone().absorb(b.clone());
        prop_assert_eq!(once.clone().absorb(b), once);
        prop_assert_eq!(a.clone().absorb(a.clone()), a.settled());
    }

    #[test]
    fn nothing_that_was_seen_is_lost(a in any_pull(), b in any_pull()) {
        let merged = a.clone().absorb(b.clone());
        for pull in [&a, &b] {
            for commit in &pull.commits {
                prop_assert!(merged.commits.iter().chain(&merged.dropped).any(|c| c.sha == commit.sha));
            }
            for comment in &pull.comments {
                let kept = merged.comments.iter().find(|c| c.id == comment.id).unwrap();
                prop_assert!(kept.body == comment.body || kept.earlier.iter().any(|(_, text)| *text == comment.body));
            }
            for review in &pull.reviews {
                prop_assert!(merged.reviews.iter().any(|r| r.id == review.id));
            }
            for event in &pull.events {
                prop_assert!(merged.events.contains(event));
            }
        }
        prop_assert_eq!(merged.updated_at, a.updated_at.max(b.updated_at));
        prop_assert!(!merged.commits.iter().any(|c| merged.dropped.iter().any(|d| d.sha == c.sha)));
    }

    #[test]
    fn an_older_state_told_later_does_not_roll_back(a in any_snapshot(1), b in any_snapshot(2)) {
        let merged = a.clone().absorb(b.clone());
        prop_assert_eq!(&merged, &b.clone().absorb(a.clone()));
        prop_assert_eq!(&merged.title, &b.title);
        prop_assert_eq!(&merged.commits, &b.commits);
        prop_assert_eq!(&merged.files, &b.files);
        let live: Vec<i64> = merged.comments.iter().filter(|c| !c.deleted).map(|c| c.id).collect();
        prop_assert_eq!(live, b.comments.iter().map(|c| c.id).collect::<Vec<_>>());
        prop_assert!(merged.known.commits && merged.known.files && merged.known.comments);
    }

    #[test]
    fn parts_may_come_in_any_order(whole in any_snapshot(3), order in Just([0, 1, 2, 3, 4, 5]).prop_shuffle()) {
        let parts = [
            Pull { commits: vec![], files: vec![], comments: vec![], reviews: vec![], events: vec![], dropped: vec![], as_of: AsOf::default(),
                   known: Known { pull: true, ..Known::default() }, ..whole.clone() },
            Pull { commits: whole.commits.clone(), known: Known { commits: true, ..Known::default() }, ..part() },
            Pull { files: whole.files.clone(), as_of: AsOf { files_head: whole.as_of.files_head.clone(), ..AsOf::default() },
                   known: Known { files: true, ..Known::default() }, ..part() },
            Pull { comments: whole.comments.clone(), known: Known { comments: true, ..Known::default() }, ..part() },
            Pull { reviews: whole.reviews.clone(), known: Known { reviews: true, ..Known::default() }, ..part() },
            Pull { events: whole.events.clone(), known: Known { events: true, ..Known::default() }, ..part() },
        ];
        let merged = order.iter().map(|&i: &usize| parts[i].clone()).fold(Pull::default(), Pull::absorb);
        prop_assert_eq!(Pull { as_of: AsOf::default(), ..merged }, Pull { as_of: AsOf::default(), ..whole });
    }

    #[test]
    fn permissions_are_one_a_person(users in proptest::collection::vec(("[ab]", "[rw]"), 0..4)) {
        let merged = users.iter().cloned().map(|(user, permission)| {
            Pull { permissions: vec![Permission { user, permission, role_name: None }], ..part() }
        }).fold(Pull::default(), Pull::absorb);
        for permission in &merged.permissions {
            let last = users.iter().rev().find(|(user, _)| *user == permission.user).unwrap();
            prop_assert_eq!(&permission.permission, &last.1);
        }
    }
}
