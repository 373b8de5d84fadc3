//! The reference pull request as GitHub's REST API would give it, retold: SemiAnalysisAI/InferenceX#4603 from its public discussion,
//! in our own words, people named by their role.
//!
//! Stated there: commits, images, runs, commands and who may give them, what the sign-off and the verdict say, the counts of the
//! ingest report, and three times: the days of both runs and the merge of sgl-project/sglang#47929. Everything else that the form
//! asks for is chosen to fit the order of the story: the other times, numbers of comments and reviews, the label. What is neither
//! stated nor needed is left out. `sample/README.md` lists both.

mod facts;
mod texts;

use crate::SampleFile;
use crate::json::{Json, Object};

const REPO: &str = "SemiAnalysisAI/InferenceX";
const NUMBER: i64 = 4603;
const HEAD: &str = "41d29b2834a85fcee09db6f9f52653b7c2f30ef3";

/// What the page says about it.
const RETOLD: &str = "Retold for the sample from the public discussion of SemiAnalysisAI/InferenceX#4603, in our own words and with people \
                      named by their role. Stated there are the days of both runs (2026-10-29, 2026-11-01) and the merge of \
                      sgl-project/sglang#47929 (2026-11-03 03:28:14 UTC); every other time is chosen to fit the order of the story, and so \
                      are the numbers of comments and reviews and the label.";

/// People and programs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Who {
    Author,
    CodeOwner,
    Maintainer,
    GithubActions,
    CodeReview,
}

/// A comment: when it was written and last edited, and its text.
struct Said {
    id: i64,
    who: Who,
    at: &'static str,
    edited: Option<&'static str>,
    text: String,
}

/// The payloads, in the files that GitHub's answers would be saved in, and what is stated about the runs.
pub(crate) fn payloads() -> Vec<SampleFile> {
    let comments = comments();
    let file = |name: &str, value: Json| SampleFile { path: format!("{NUMBER}/{name}"), contents: value.to_file() };
    vec![
        file("pull.json", pull(comments.len()).into()),
        file("commits.json", commits().into()),
        file("files.json", files().into()),
        file("comments.json", comments.into_iter().map(Said::payload).collect::<Vec<_>>().into()),
        file("reviews.json", reviews().into()),
        file("events.json", events().into()),
        file("facts-sign-off.json", facts::of_sign_off().into()),
        file("facts-verdict.json", facts::of_verdict().into()),
    ]
}

/// `GET /repos/{owner}/{name}/pulls/{number}`. How many commits it has is not told.
fn pull(comments: usize) -> Object {
    let side = |repo: &str| Object::new().with("repo", Object::new().with("full_name", repo));
    Object::new()
        .with("paretoscope_retold", RETOLD)
        .with("url", format!("https://api.github.com/repos/{REPO}/pulls/{NUMBER}"))
        .with("html_url", page())
        .with("number", NUMBER)
        .with("state", "closed")
        .with("merged", true)
        .with("title", "dsv41flash on GB300 with SGLang: newer image, pinned by digest, and low-latency settings")
        .with("body", texts::DESCRIPTION)
        .with("draft", false)
        .with("user", Who::Author.payload())
        .with("head", Object::new().with("sha", HEAD))
        .with("base", side(REPO).with("ref", "main"))
        .with("created_at", "2026-10-28T08:00:00Z")
        .with("updated_at", "2026-11-03T19:30:00Z")
        .with("closed_at", MERGED_AT)
        .with("merged_at", MERGED_AT)
        .with("labels", vec![Object::new().with("name", LABEL)])
        .with("comments", i64::try_from(comments).unwrap_or_default())
        .with("changed_files", i64::try_from(FILES.len()).unwrap_or_default())
}

const MERGED_AT: &str = "2026-11-03T18:30:00Z";
/// That it had a label for a full sweep is known by its runs; which one is not told.
const LABEL: &str = "full-sweep-enabled";

/// Its commits, as far as they are told: sha, time, message. Two are "clean merges of main".
const COMMITS: [(&str, &str, &str); 5] = [
    ("67af7c3", "2026-10-28T07:40:00Z", "Newer image and the settings of the Dynamo + SGLang row"),
    ("9bd047ac7", "2026-10-29T06:00:00Z", "Image of 2026-10-29"),
    ("6bb31166", "2026-10-31T08:00:00Z", "Image of 2026-10-30, pinned by digest; changelog entry and comment"),
    ("cb232ed0", "2026-10-31T10:00:00Z", "Merge branch 'main'"),
    (HEAD, "2026-10-31T12:00:00Z", "Merge branch 'main'"),
];

fn commits() -> Vec<Object> {
    let one = |(sha, at, message): &(&str, &str, &str)| {
        let when = || Object::new().with("date", *at);
        Object::new()
            .with("sha", *sha)
            .with("url", format!("https://api.github.com/repos/{REPO}/commits/{sha}"))
            .with("html_url", format!("https://github.com/{REPO}/commit/{sha}"))
            .with("commit", Object::new().with("message", *message).with("author", when()).with("committer", when()))
            .with("author", Who::Author.payload())
    };
    COMMITS.iter().map(one).collect()
}

/// Its files: path and change. Of the recipe only what is stated.
const FILES: [(&str, &str); 3] = [
    ("inferencex-e2e/benchmarks/single_node/srt-slurm-recipes/dsv41flash/sglang/gb300-fp4-mtp/agentic.yaml", texts::RECIPE_PATCH),
    ("inferencex-e2e/configs/nvidia-master.yaml", texts::MASTER_PATCH),
    ("inferencex-e2e/perf-changelog.yaml", texts::CHANGELOG_PATCH),
];

fn files() -> Vec<Object> {
    let one = |(path, patch): &(&str, &str)| {
        let lines = |mark: char| i64::try_from(patch.lines().filter(|l| l.starts_with(mark)).count()).unwrap_or_default();
        Object::new()
            .with("filename", *path)
            .with("status", "modified")
            .with("additions", lines('+'))
            .with("deletions", lines('-'))
            .with("contents_url", format!("https://api.github.com/repos/{REPO}/contents/{path}?ref={HEAD}"))
            .with("patch", patch.trim_end_matches('\n'))
    };
    FILES.iter().map(one).collect()
}

/// The conversation. The links to the unofficial run, the sign-off and the verdict were edited in place: they were first written
/// for an earlier run, and what they said then is not told.
fn comments() -> Vec<Said> {
    use Who::{Author, CodeOwner, CodeReview, GithubActions};
    let said = |id: i64, who, at, text: &str| Said { id: 460_300_000 + id, who, at, edited: None, text: text.to_owned() };
    let edited = |id, who, at, edited, text: &str| Said { edited: Some(edited), ..said(id, who, at, text) };
    vec![
        said(1, CodeReview, "2026-10-28T08:12:00Z", texts::CODE_REVIEW),
        edited(2, GithubActions, "2026-10-28T12:00:00Z", "2026-11-01T07:00:00Z", texts::UNOFFICIAL),
        said(3, CodeOwner, "2026-10-29T09:10:00Z", texts::COOKBOOK_47214_ANNOUNCED),
        said(4, CodeOwner, "2026-10-29T15:00:00Z", texts::COOKBOOK_47214_MERGED),
        said(5, CodeOwner, "2026-10-30T02:00:00Z", texts::COOKBOOK_47464_ANNOUNCED),
        said(6, CodeOwner, "2026-10-30T05:30:00Z", texts::USE_OLDER),
        said(7, GithubActions, "2026-10-30T05:42:00Z", texts::STAGED_OLDER),
        said(8, CodeOwner, "2026-10-30T09:00:00Z", texts::COOKBOOK_47464_MERGED),
        edited(9, CodeOwner, "2026-10-30T12:00:00Z", facts::SIGNED_AT, &sign_off()),
        edited(10, GithubActions, "2026-10-30T13:00:00Z", facts::JUDGED_AT, texts::VERDICT),
        said(11, Author, "2026-11-02T02:00:00Z", texts::NEW_SWEEP),
        said(12, CodeOwner, "2026-11-02T03:00:00Z", texts::USE_PINNED),
        said(13, GithubActions, "2026-11-02T03:12:00Z", texts::STAGED_PINNED),
        said(14, CodeOwner, "2026-11-02T09:00:00Z", texts::COOKBOOK_47929_ANNOUNCED),
        said(15, CodeOwner, "2026-11-03T03:45:00Z", texts::COOKBOOK_47929_MERGED),
        said(16, GithubActions, "2026-11-03T19:30:00Z", texts::INGEST_REPORT),
    ]
}

/// Numbers of the comments that others refer to.
const SIGN_OFF: i64 = 460_300_009;
const VERDICT: i64 = 460_300_010;

/// The checklist of the repository, every box ticked, and what the code owner adds.
fn sign_off() -> String {
    let mut text = "As a code owner I have reviewed this pull request and have:\n\nChecklist items\n\n".to_owned();
    for (at, item) in crate::repo::CHECKLIST.iter().enumerate() {
        let indent = if at == crate::repo::NESTED { "  " } else { "" };
        text.extend([indent, "- [x] ", item, "\n"]);
    }
    text.push('\n');
    text.push_str(texts::SIGN_OFF_DETAIL);
    text
}

/// A review that was dismissed, of which only that is told, and the approval.
fn reviews() -> Vec<Object> {
    let one = |id: i64, state: &str, at: &str, body: &str| {
        Object::new()
            .with("id", id)
            .with("user", Who::Maintainer.payload())
            .with("state", state)
            .with("submitted_at", at)
            .with("commit_id", HEAD)
            .with("body", body)
            .with("pull_request_url", format!("https://api.github.com/repos/{REPO}/pulls/{NUMBER}"))
            .with("html_url", format!("{}#pullrequestreview-{id}", page()))
    };
    vec![one(460_310_001, "DISMISSED", "2026-11-02T18:00:00Z", ""), one(460_310_002, "APPROVED", "2026-11-03T17:00:00Z", texts::APPROVAL)]
}

fn events() -> Vec<Object> {
    let one = |id: i64, event: &str, at: &str| {
        Object::new()
            .with("id", id)
            .with("url", format!("https://api.github.com/repos/{REPO}/issues/events/{id}"))
            .with("event", event)
            .with("created_at", at)
    };
    vec![
        one(460_320_001, "labeled", "2026-10-28T08:05:00Z").with("label", Object::new().with("name", LABEL)),
        one(460_320_002, "review_dismissed", "2026-11-03T17:05:00Z").with("actor", Who::Maintainer.payload()).with(
            "dismissed_review",
            Object::new().with("state", "dismissed").with("review_id", 460_310_001_i64).with("dismissal_message", texts::DISMISSAL),
        ),
        one(460_320_003, "merged", MERGED_AT),
        one(460_320_004, "closed", MERGED_AT),
    ]
}

fn page() -> String {
    format!("https://github.com/{REPO}/pull/{NUMBER}")
}

impl Who {
    fn payload(self) -> Object {
        let (login, kind) = match self {
            Self::Author => ("pr-author", "User"),
            Self::CodeOwner => ("code-owner", "User"),
            Self::Maintainer => ("maintainer", "User"),
            Self::GithubActions => ("github-actions[bot]", "Bot"),
            Self::CodeReview => ("claude[bot]", "Bot"),
        };
        Object::new().with("login", login).with("type", kind)
    }

    /// Verdict, check 4: the code owner is a COLLABORATOR. Of nobody else it is told.
    fn association(self) -> Option<&'static str> {
        (self == Self::CodeOwner).then_some("COLLABORATOR")
    }
}

impl Said {
    fn payload(self) -> Object {
        let Self { id, who, at, edited, text } = self;
        Object::new()
            .with("id", id)
            .with("html_url", format!("{}#issuecomment-{id}", page()))
            .with("issue_url", format!("https://api.github.com/repos/{REPO}/issues/{NUMBER}"))
            .with("user", who.payload())
            .with_known("author_association", who.association())
            .with("created_at", at)
            .with("updated_at", edited.unwrap_or(at))
            .with("body", text)
    }
}
