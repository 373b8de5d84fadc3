//! What a JSON object is, by the fields it has.

use serde_json::Value;

use super::fields::Fields;

/// What an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Shape {
    Pull,
    Commit,
    File,
    Comment,
    Review,
    Event,
    Label,
    Permission,
    StatedFacts,
    /// `gh pr view --json`, a webhook's payload, or several payloads under their names.
    Several,
    /// Understood, but of no use here.
    Useless(Useless),
}

/// Understood, but of no use here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Useless {
    WorkflowRun,
    Issue,
    Inline,
    GithubError,
    Unknown,
}

impl Useless {
    /// Code of the reason.
    pub(super) fn reason(self) -> &'static str {
        match self {
            Self::WorkflowRun => "workflow_run",
            Self::Issue => "issue_payload",
            Self::Inline => "not_kept",
            Self::GithubError => "github_error",
            Self::Unknown => "not_recognised",
        }
    }

    /// In words.
    pub(super) fn detail(self) -> &'static str {
        match self {
            Self::WorkflowRun => "a workflow run, no pull request: `paretoscope ingest` reads it beside the run's artifacts, as run.json",
            Self::Issue => "a pull request as an issue, without its commits: save GET /repos/OWNER/NAME/pulls/N instead",
            Self::Inline => "a review's comments on lines are not kept: no command and no sign-off is read there",
            Self::GithubError => "GitHub answered with an error instead of a payload",
            Self::Unknown => {
                "no payload of a pull request: it is neither the pull request itself nor a commit, file, comment, review, event, label or \
                 permission of one, nor a file of stated facts"
            }
        }
    }
}

/// Lists that an object may hold under their names.
const LISTS: [(&str, Shape); 11] = [
    ("commits", Shape::Commit),
    ("files", Shape::File),
    ("comments", Shape::Comment),
    ("issue_comments", Shape::Comment),
    ("reviews", Shape::Review),
    ("events", Shape::Event),
    ("timeline", Shape::Event),
    ("timeline_events", Shape::Event),
    ("permissions", Shape::Permission),
    ("permission", Shape::Permission),
    ("labels", Shape::Label),
];

/// Single payloads that an object may hold under their names.
pub(super) const SINGLES: [&str; 4] = ["pull", "pull_request", "comment", "review"];

/// Fields of `gh pr view --json` that no REST payload has.
const OF_GH: [&str; 12] = [
    "headRefOid",
    "headRefName",
    "baseRefName",
    "baseRefOid",
    "isDraft",
    "createdAt",
    "updatedAt",
    "closedAt",
    "mergedAt",
    "mergeCommit",
    "mergedBy",
    "changedFiles",
];

/// Tells what an object is.
pub(super) fn shape(f: Fields<'_>) -> Shape {
    let any = |keys: &[&str]| keys.iter().any(|k| f.has(k));
    let text = |keys: &[&str]| f.str(keys).is_some();
    if f.has("stated_facts") {
        Shape::StatedFacts
    } else if any(&["run_attempt", "workflow_id", "run_number", "workflowName", "workflow_run"]) {
        Shape::Useless(Useless::WorkflowRun)
    } else if text(&["event"]) {
        Shape::Event
    } else if any(&["diff_hunk", "pull_request_review_id"]) {
        Shape::Useless(Useless::Inline)
    } else if f.has("number") && f.object(&["head"]).is_some() {
        Shape::Pull
    } else if text(&["filename"]) || (text(&["path"]) && any(&["additions", "deletions", "changeType"])) {
        Shape::File
    } else if text(&["sha", "oid"]) && any(&["commit", "message", "messageHeadline", "parents"]) {
        Shape::Commit
    } else if text(&["state"]) && any(&["submitted_at", "submittedAt", "pull_request_url"]) && !f.has("number") {
        Shape::Review
    } else if f.has("body") && !f.has("number") && any(&["issue_url", "created_at", "createdAt"]) {
        Shape::Comment
    } else if text(&["permission"]) && f.has("user") {
        Shape::Permission
    } else if text(&["name"]) && text(&["color"]) {
        Shape::Label
    } else if f.has("number") && f.object(&["pull_request"]).is_some_and(|p| !p.has("head")) {
        Shape::Useless(Useless::Issue)
    } else if any(&OF_GH) || holds_payloads(f) {
        Shape::Several
    } else if text(&["message"]) && any(&["documentation_url", "status"]) {
        Shape::Useless(Useless::GithubError)
    } else {
        Shape::Useless(Useless::Unknown)
    }
}

fn holds_payloads(f: Fields<'_>) -> bool {
    SINGLES.iter().any(|key| f.object(&[key]).is_some()) || f.object(&["permission"]).is_some() || !lists(f).is_empty()
}

/// Lists of payloads that an object holds: under their usual names, or under any other one where the first item is a payload.
pub(super) fn lists(f: Fields<'_>) -> Vec<(&str, Option<Shape>, &Vec<Value>)> {
    let named = |key: &str| LISTS.iter().find(|(name, _)| *name == key).map(|(_, shape)| *shape);
    let is_payload = |items: &Vec<Value>| {
        let first = items.iter().flat_map(|item| item.as_array().map_or(std::slice::from_ref(item), Vec::as_slice)).next();
        first.and_then(Fields::of).is_some_and(|first| {
            matches!(
                shape(first),
                Shape::Pull | Shape::Commit | Shape::File | Shape::Comment | Shape::Review | Shape::Event | Shape::Permission
            )
        })
    };
    let arrays = f.entries().filter_map(|(key, value)| Some((key, value.as_array()?)));
    arrays
        .filter(|(key, items)| *key != REPEATED && (named(key).is_some() || is_payload(items)))
        .map(|(key, items)| (key, named(key), items))
        .collect()
}

/// `gh` repeats reviews under this name.
const REPEATED: &str = "latestReviews";

/// What an empty list in a file of this name lists; `None` where the name does not tell.
pub(super) fn of_name(file: &str) -> Option<Shape> {
    let name = file.rsplit('/').next().unwrap_or(file).to_ascii_lowercase();
    let words = [
        ("review_comment", Shape::Useless(Useless::Inline)),
        ("review-comment", Shape::Useless(Useless::Inline)),
        ("review", Shape::Review),
        ("comment", Shape::Comment),
        ("commit", Shape::Commit),
        ("file", Shape::File),
        ("timeline", Shape::Event),
        ("event", Shape::Event),
        ("label", Shape::Label),
        ("permission", Shape::Permission),
    ];
    words.into_iter().find(|(word, _)| name.contains(word)).map(|(_, shape)| shape)
}
