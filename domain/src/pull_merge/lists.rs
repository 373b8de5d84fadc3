//! The lists of a pull request, each told twice. `older`: what is told now was read before what is known.

use crate::pull::{Comment, Permission, Pull, PullCommit, PullEvent, PullFile, Review, same_commit};

use super::{Whole, lists_every_comment};

/// Commits once both are merged.
pub(super) struct Commits {
    pub(super) now: Vec<PullCommit>,
    pub(super) dropped: Vec<PullCommit>,
    /// Whether one side was the whole list; the counts decide in the end.
    pub(super) whole: bool,
}

pub(super) fn commits(ours: &Pull, theirs: &Pull, older: bool, whole: &Whole<'_>) -> Commits {
    let among = |list: &[PullCommit], commit: &PullCommit| list.iter().any(|c| same_commit(&c.sha, &commit.sha));
    let is_whole = |pull: &Pull| !pull.commits.is_empty() && whole.commits(pull);
    let (newer, earlier) = if older { (ours, theirs) } else { (theirs, ours) };
    let (now, gone, whole): (Vec<PullCommit>, Vec<PullCommit>, bool) = if is_whole(newer) && !goes_on(&earlier.commits, &newer.commits) {
        let now: Vec<_> = newer.commits.iter().map(|c| told_best(c, &earlier.commits)).collect();
        let gone = earlier.commits.iter().filter(|c| !among(&now, c)).cloned().collect();
        (now, gone, true)
    } else {
        // The newer one is a part, or nothing: what it adds was pushed since, or is a page that was missing.
        let now = union(&earlier.commits, &newer.commits);
        let whole = newer.commits.iter().all(|c| among(&earlier.commits, c))
            && (earlier.known.commits || (newer.known.commits && earlier.commits.is_empty()));
        (now, Vec::new(), whole)
    };
    let mut dropped: Vec<PullCommit> = Vec::new();
    for commit in ours.dropped.iter().chain(&theirs.dropped).chain(&gone) {
        match dropped.iter_mut().find(|c| same_commit(&c.sha, &commit.sha)) {
            Some(known) => *known = told_best(known, std::slice::from_ref(commit)),
            None => dropped.push(commit.clone()),
        }
    }
    Commits { now, dropped, whole }
}

/// Whether a list starts where another one ends: the next page of one list rather than another state of it.
fn goes_on(earlier: &[PullCommit], newer: &[PullCommit]) -> bool {
    let among = |sha: &str| earlier.iter().any(|c| same_commit(&c.sha, sha));
    newer.first().is_some_and(|first| !among(&first.sha) && first.parents.iter().any(|p| among(p)))
}

/// Both, each commit once: in the order of the dates where all have one, else the first list before the second.
fn union(first: &[PullCommit], second: &[PullCommit]) -> Vec<PullCommit> {
    let mut all: Vec<PullCommit> = first.iter().map(|c| told_best(c, second)).collect();
    let added = second.iter().filter(|c| !first.iter().any(|f| same_commit(&f.sha, &c.sha)));
    let before = all.len();
    all.extend(added.cloned());
    if before > 0 && all.len() > before && all.iter().all(|c| c.at.is_some()) {
        all.sort_by_key(|c| c.at);
    }
    all
}

/// A commit with all that is told of it: the whole sha rather than a short one, and what only another list says.
fn told_best(commit: &PullCommit, others: &[PullCommit]) -> PullCommit {
    let Some(other) = others.iter().find(|c| same_commit(&c.sha, &commit.sha)) else { return commit.clone() };
    let PullCommit { sha, message, author, at, parents } = commit;
    PullCommit {
        sha: if other.sha.len() > sha.len() { other.sha.clone() } else { sha.clone() },
        message: if message.is_empty() { other.message.clone() } else { message.clone() },
        author: author.clone().or_else(|| other.author.clone()),
        at: at.or(other.at),
        parents: if parents.is_empty() { other.parents.clone() } else { parents.clone() },
    }
}

/// A commit of which only the sha is told.
pub(super) fn bare_commit(sha: &str) -> PullCommit {
    PullCommit { sha: sha.to_owned(), message: String::new(), author: None, at: None, parents: Vec::new() }
}

/// Files once both are merged.
pub(super) struct Files {
    pub(super) now: Vec<PullFile>,
    pub(super) head: Option<String>,
    pub(super) whole: bool,
}

pub(super) fn files(ours: &Pull, theirs: &Pull, older: bool, whole: &Whole<'_>) -> Files {
    let told = |pull: &Pull| !pull.files.is_empty() || pull.known.files || pull.as_of.files_head.is_some();
    let (newer, earlier) = if older { (ours, theirs) } else { (theirs, ours) };
    let alone = |pull: &Pull| Files { now: pull.files.clone(), head: pull.as_of.files_head.clone(), whole: pull.known.files };
    if !told(newer) {
        return alone(earlier);
    }
    if !told(earlier) {
        return alone(newer);
    }
    let heads = newer.as_of.files_head.as_deref().zip(earlier.as_of.files_head.as_deref());
    let moved = heads.is_some_and(|(n, e)| !same_commit(n, e));
    let head = newer.as_of.files_head.clone().or_else(|| earlier.as_of.files_head.clone());
    let mut now: Vec<PullFile> = newer.files.iter().map(|f| with_patch(f, &earlier.files)).collect();
    // Files of another commit may be changed no longer; those of a whole list are all there are.
    if whole.files(newer) || moved {
        return Files { now, head, whole: newer.known.files };
    }
    let added: Vec<PullFile> = earlier.files.iter().filter(|f| !now.iter().any(|n| n.path == f.path)).cloned().collect();
    let whole = earlier.known.files && now.len() + added.len() == earlier.files.len();
    now.extend(added);
    Files { now, head, whole }
}

/// A file whose change only the other list shows: not every list has patches.
fn with_patch(file: &PullFile, others: &[PullFile]) -> PullFile {
    let same = |o: &&PullFile| o.path == file.path && (o.additions, o.deletions) == (file.additions, file.deletions);
    match others.iter().find(same) {
        Some(other) if file.status.is_empty() && file.patch.is_none() => other.clone(),
        _ => file.clone(),
    }
}

pub(super) fn comments(ours: &Pull, theirs: &Pull, older: bool) -> Vec<Comment> {
    let (newer, earlier) = if older { (ours, theirs) } else { (theirs, ours) };
    let mut all: Vec<Comment> = newer
        .comments
        .iter()
        .map(|comment| match earlier.comments.iter().find(|c| c.id == comment.id) {
            Some(before) => edited(comment, before),
            None => comment.clone(),
        })
        .collect();
    let gone = lists_every_comment(newer);
    let rest = earlier.comments.iter().filter(|c| !newer.comments.iter().any(|n| n.id == c.id));
    all.extend(rest.map(|c| Comment { deleted: c.deleted || gone, ..c.clone() }));
    all
}

/// One comment read twice. The text last edited counts, and is kept with the other one's.
fn edited(newer: &Comment, earlier: &Comment) -> Comment {
    let (now, before) = if newer.updated_at >= earlier.updated_at { (newer, earlier) } else { (earlier, newer) };
    let texts = now.earlier.iter().chain(&before.earlier).cloned().chain([(before.updated_at, before.body.clone())]);
    Comment {
        association: newer.association.clone().or_else(|| earlier.association.clone()),
        url: now.url.clone().or_else(|| before.url.clone()),
        earlier: texts.collect(),
        deleted: newer.deleted,
        ..now.clone()
    }
}

/// Earlier texts in order, each change once: an edit that left the text as it was is none.
pub(super) fn put_in_order(comment: &mut Comment) {
    comment.earlier.retain(|(at, text)| (*at, text) != (comment.updated_at, &comment.body));
    comment.earlier.sort();
    comment.earlier.dedup_by(|later, first| later.1 == first.1);
    while comment.earlier.last().is_some_and(|(_, text)| *text == comment.body) {
        comment.earlier.pop();
    }
}

pub(super) fn reviews(ours: &Pull, theirs: &Pull, older: bool) -> Vec<Review> {
    let (newer, earlier) = if older { (ours, theirs) } else { (theirs, ours) };
    let mut all: Vec<Review> = newer
        .reviews
        .iter()
        .map(|review| match earlier.reviews.iter().find(|r| r.id == review.id) {
            Some(before) => Review {
                association: review.association.clone().or_else(|| before.association.clone()),
                // Nobody can undo a dismissal.
                state: if before.state == DISMISSED { before.state.clone() } else { review.state.clone() },
                at: review.at.or(before.at),
                commit: review.commit.clone().or_else(|| before.commit.clone()),
                url: review.url.clone().or_else(|| before.url.clone()),
                ..review.clone()
            },
            None => review.clone(),
        })
        .collect();
    all.extend(earlier.reviews.iter().filter(|r| !newer.reviews.iter().any(|n| n.id == r.id)).cloned());
    all
}

const DISMISSED: &str = "DISMISSED";

pub(super) fn events(mut first: Vec<PullEvent>, second: Vec<PullEvent>) -> Vec<PullEvent> {
    first.extend(second);
    first
}

/// By time; those of one moment by what they say, so that the order of reading does not show. One that was read twice stands once.
pub(super) fn put_events_in_order(events: &mut Vec<PullEvent>) {
    events.sort_by_cached_key(|e| (e.at, format!("{:?} {:?}", e.what, e.actor)));
    events.dedup();
}

pub(super) fn permissions(ours: &Pull, theirs: &Pull, older: bool) -> Vec<Permission> {
    let (newer, earlier) = if older { (ours, theirs) } else { (theirs, ours) };
    let mut all = newer.permissions.clone();
    all.extend(earlier.permissions.iter().filter(|p| !newer.permissions.iter().any(|n| n.user == p.user)).cloned());
    all
}
