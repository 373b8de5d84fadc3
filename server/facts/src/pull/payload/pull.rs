//! The pull request itself.

use paretoscope_domain::pull::{Known, Pull, PullCounts, PullState};

use super::super::fields::{Fields, GHOST};
use super::super::owner::Hint;
use super::{Parsed, missing};

/// `GET /repos/{owner}/{name}/pulls/{number}`, or an item of a list of them.
pub(in super::super) fn pull(f: Fields<'_>) -> Parsed<Pull> {
    let number = f.int(&["number"]).filter(|n| *n > 0).ok_or_else(|| missing("number"))?;
    let (head, base) = (f.object(&["head"]), f.object(&["base"]));
    let side = |side: Option<Fields<'_>>, key: &str| side.and_then(|s| s.text(&[key]));
    let repo = base.and_then(|b| b.object(&["repo"])).and_then(|r| r.text(&["full_name"]));
    let hint =
        Hint { repo, number: Some(number), shas: Vec::new() }.or(Hint::of([f.str(&["url"]), f.str(&["html_url"]), f.str(&["issue_url"])]));
    let merged_at = f.time(&["merged_at"]);
    let state = match f.str(&["state"]) {
        _ if merged_at.is_some() || f.flag(&["merged"]) == Some(true) => Some(PullState::Merged),
        Some("closed") => Some(PullState::Closed),
        Some("open") => Some(PullState::Open),
        Some(other) => return Err(format!("its state is {other:?}: open or closed was expected")),
        None => None,
    };
    let head_sha = side(head, "sha").unwrap_or_default();
    // What tells neither its state nor its newest commit is only a part of it.
    let known = state.is_some() && !head_sha.is_empty();
    let state = state.unwrap_or_default();
    let pull = Pull {
        repo: hint.repo.clone().unwrap_or_default(),
        number,
        title: f.text(&["title"]).unwrap_or_default(),
        body: f.text(&["body"]).unwrap_or_default(),
        state,
        draft: f.flag(&["draft"]).unwrap_or(false),
        author: f.login(&["user"]).unwrap_or_else(|| GHOST.to_owned()),
        author_association: f.text(&["author_association"]),
        url: f.text(&["html_url"]).unwrap_or_default(),
        base_branch: side(base, "ref"),
        base_sha: side(base, "sha"),
        head_branch: side(head, "ref"),
        head_sha,
        created_at: f.time(&["created_at"]),
        updated_at: f.time(&["updated_at"]),
        closed_at: f.time(&["closed_at"]),
        merged_at,
        // Of one that is not merged it is a commit made up to try the merge.
        merge_commit_sha: if state == PullState::Merged { f.text(&["merge_commit_sha"]) } else { None },
        merged_by: f.login(&["merged_by"]),
        labels: f.labels(),
        counts: PullCounts { commits: f.count(&["commits"]), files: f.count(&["changed_files"]), comments: f.count(&["comments"]) },
        known: Known { pull: known, ..Known::default() },
        ..Pull::default()
    };
    Ok((pull, hint))
}

/// What `gh pr view --json …` writes: as much as was asked for. It says nothing of pull requests beyond its fields, so that it is
/// known only where it names its number, state and newest commit.
pub(in super::super) fn pull_of_gh(f: Fields<'_>) -> Parsed<Pull> {
    let repo = f.text(&["repo"]).filter(|r| r.split('/').count() == 2);
    let hint = Hint { repo, number: f.int(&["number"]).filter(|n| *n > 0), shas: Vec::new() }.or(Hint::of([f.str(&["url"])]));
    let state = match f.str(&["state"]) {
        Some("MERGED") => Some(PullState::Merged),
        Some("CLOSED") => Some(PullState::Closed),
        Some("OPEN") => Some(PullState::Open),
        _ => None,
    };
    let head_sha = f.text(&["headRefOid"]).unwrap_or_default();
    let known = state.is_some() && !head_sha.is_empty() && hint.number.is_some();
    let commit = |key: &str| f.object(&[key]).and_then(|c| c.text(&["oid"]));
    let pull = Pull {
        repo: hint.repo.clone().unwrap_or_default(),
        number: hint.number.unwrap_or_default(),
        title: f.text(&["title"]).unwrap_or_default(),
        body: f.text(&["body"]).unwrap_or_default(),
        state: state.unwrap_or_default(),
        draft: f.flag(&["isDraft"]).unwrap_or(false),
        author: f.login(&["author"]).unwrap_or_default(),
        url: f.text(&["url"]).unwrap_or_default(),
        base_branch: f.text(&["baseRefName"]),
        base_sha: f.text(&["baseRefOid"]),
        head_branch: f.text(&["headRefName"]),
        head_sha,
        created_at: f.time(&["createdAt"]),
        updated_at: f.time(&["updatedAt"]),
        closed_at: f.time(&["closedAt"]),
        merged_at: f.time(&["mergedAt"]),
        merge_commit_sha: commit("mergeCommit"),
        merged_by: f.login(&["mergedBy"]),
        labels: f.labels(),
        counts: PullCounts { files: f.count(&["changedFiles"]), ..PullCounts::default() },
        known: Known { pull: known, ..Known::default() },
        ..Pull::default()
    };
    Ok((pull, hint))
}
