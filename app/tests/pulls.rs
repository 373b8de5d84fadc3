//! What the page of a pull request says, from the server's HTML alone.

#![cfg(feature = "ssr")]
#![expect(clippy::indexing_slicing, clippy::unwrap_used, reason = "a test fails by panicking")]

#[expect(clippy::expect_used, dead_code, reason = "values made by hand, of which this uses some")]
mod reference;

use std::sync::Arc;

use paretoscope_app::view_state::PullsView;
use paretoscope_app::*;
use paretoscope_domain::RunId;
use paretoscope_domain::pull::{Comment, Known, Pull, PullCommit, PullState};
use paretoscope_domain::run::RunDetail;
use paretoscope_domain::threshold::Thresholds;
use paretoscope_review::timeline::answer;
use paretoscope_review::{Check, CheckStatus, Gathered, Input};
use reference::*;

/// As the values made by hand have it.
const HEAD: &str = "41d29b28aa11bb22cc33dd44ee55ff6677889900";
const EVIL: &str = "<script>alert(1)</script><img src=x onerror=alert(1)>\"'";

fn comment(id: i64, at: &str, author: &str, body: &str) -> Comment {
    let at = at.parse().unwrap();
    Comment {
        id,
        author: author.into(),
        bot: author == "bot",
        association: Some("COLLABORATOR".into()),
        at,
        updated_at: at,
        body: body.into(),
        url: Some(format!("https://github.com/SemiAnalysisAI/InferenceX/pull/4603#issuecomment-{id}")),
        earlier: Vec::new(),
        deleted: false,
    }
}

fn pull() -> Pull {
    Pull {
        repo: "SemiAnalysisAI/InferenceX".into(),
        number: 4603,
        title: "Move to a newer image".into(),
        author: "PR author".into(),
        url: "https://github.com/SemiAnalysisAI/InferenceX/pull/4603".into(),
        state: PullState::Open,
        head_sha: HEAD.into(),
        labels: vec!["full-sweep-fail-fast".into()],
        commits: vec![PullCommit {
            sha: HEAD.into(),
            message: "Newer image".into(),
            author: Some("PR author".into()),
            at: "2026-11-01T01:00:00Z".parse().ok(),
            parents: vec![],
        }],
        comments: vec![
            comment(1, "2026-10-30T09:00:00Z", "code owner", "/use 40809149952"),
            comment(2, "2026-11-02T09:00:00Z", "code owner", "/use 41261902147"),
            comment(
                3,
                "2026-11-03T09:00:00Z",
                "code owner",
                "As a PR reviewer and CODEOWNER, I have:\n- [x] one\n- [ ] two\n\nAdditional detail section:\nAssessed head: 41d29b28. The pinned run is 41261902147.",
            ),
            comment(
                4,
                "2026-11-03T10:00:00Z",
                "bot",
                "Verdict: PASS\n\n✅ Check 2 (Evals): PASS — six rows\n✅ Check 6 (Image): PASS — fine\n\nAssessed commit: 41d29b28",
            ),
            comment(
                5,
                "2026-11-04T10:00:00Z",
                "bot",
                "Ingest report — results ingested\n\n| Category | new | duplicate | skipped | unmapped | failed |\n|---|---|---|---|---|---|\n| benchmark | 8 | 0 | 0 | 0 | 0 |\n\nevalSamplesNew 7914",
            ),
        ],
        known: Known { pull: true, commits: true, files: true, comments: true, reviews: false, events: true },
        ..Pull::default()
    }
}

fn check(id: u16, name: &str, status: CheckStatus) -> Check {
    Check {
        id,
        name: name.into(),
        status,
        detail: format!("Detail of {name}."),
        rule: format!("Rule of {name}."),
        source: "formats-and-rules §3".into(),
        inputs: vec![Input::new("run", "41261902147").at("/runs/41261902147")],
        look: if status == CheckStatus::NeedsHuman { vec!["The diff of `file`.".into()] } else { vec![] },
    }
}

fn page(pull: Pull, runs: Vec<RunDetail>, checks: Vec<Check>) -> String {
    let site = site();
    let thresholds = Thresholds::shipped().unwrap();
    let runs: Vec<_> = runs.into_iter().map(Arc::new).collect();
    let gathered = Gathered {
        pull: &pull,
        runs: &runs,
        head: None,
        base: None,
        main: None,
        cookbook: &[],
        official: &[],
        entries: &[],
        words: &site.words,
        thresholds: &thresholds,
        now: "2026-11-05T00:00:00Z".parse().unwrap(),
    };
    let answer = answer(&gathered, checks, &[]);
    render(&site, Page::Pull(Box::new(PullPage { answer })))
}

fn checks() -> Vec<Check> {
    vec![
        check(2, "Evals", CheckStatus::Pass),
        check(3, "Upstream recipe", CheckStatus::NeedsHuman),
        check(6, "Image", CheckStatus::Fail),
        check(100, "Hung points", CheckStatus::Pass),
    ]
}

fn text(html: &str) -> String {
    let mut out = String::new();
    let mut rest = html.split_once("<body>").map_or(html, |(_, body)| body);
    while let Some((before, after)) = rest.split_once('<') {
        out.push_str(before);
        let end = if after.starts_with("script") { "</script>" } else { ">" };
        rest = after.split_once(end).map_or("", |(_, tail)| tail);
        out.push(' ');
    }
    let out = out.replace("&#x27;", "'").replace("&quot;", "\"").replace("&amp;", "&");
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn the_page_says_how_it_stands_and_why() {
    let html = page(pull(), vec![head_detail()], checks());
    let text = text(&html);
    for part in [
        "#4603 Move to a newer image",
        "by PR author",
        "Pinned run run 41261902147 by /use 41261902147 of code owner (COLLABORATOR), 2 Nov 2026, 09:00 UTC",
        "Superseded /use 40809149952 of code owner, 30 Oct 2026, 09:00 UTC",
        "41d29b28 is in the pull request. No commits follow it.",
        "Missing before the merge",
        "Check 6 (Image): fail. Detail of Image.",
        "The sign-off leaves 1 item open.",
        "2 Evals ✓ pass",
        "3 Upstream recipe ? needs a human",
        "6 Image ✕ fail verifier differs",
        "The verifier says PASS (not as here) : fine",
        "What to look at The diff of file .",
        "+ Hung points ✓ pass",
        "/use 40809149952 superseded",
        "/use 41261902147 current",
        "benchmark 8 0 0 0 0",
        "evalSamplesNew 7,914",
        "1 of 2 items ticked",
        "2 could be decided here as well; 1 agree.",
        "Not read, or not all of it: reviews.",
    ] {
        assert!(text.contains(part), "the page does not say {part:?}:\n{text}");
    }
    assert!(html.contains("<title>#4603 Move to a newer image · Paretoscope</title>"));
    assert!(html.contains(r#"id="check-6""#) && html.contains("/api/v1/runs/41261902147/evidence?lang=zh"));
}

#[test]
fn a_retelling_says_so_first() {
    let told = Pull { retold: Some("Written from the public discussion.".into()), ..pull() };
    let text = text(&page(told, vec![], checks()));
    let at = |part: &str| text.find(part).unwrap_or_else(|| panic!("{part} in {text}"));
    assert!(at("RETOLD: Written from the public discussion.") < at("#4603"));
}

#[test]
fn a_pull_request_known_only_by_its_runs_says_what_it_can_t() {
    let told =
        Pull { repo: "SemiAnalysisAI/InferenceX".into(), number: 4603, url: "https://github.com/a/b/pull/4603".into(), ..Pull::default() };
    let text = text(&page(told, vec![head_detail()], vec![]));
    for part in [
        "title not told",
        "not imported",
        "The checks look at the pull request itself, which was not read",
        "Its comments were not read, so no command can be known.",
        "41261902147",
        "paretoscope pulls import FILE…",
    ] {
        assert!(text.contains(part), "the page does not say {part:?}:\n{text}");
    }
}

#[test]
fn nothing_that_people_write_becomes_markup() {
    let mut evil = pull();
    for field in [&mut evil.title, &mut evil.author, &mut evil.head_sha] {
        *field = EVIL.into();
    }
    evil.labels = vec![EVIL.into()];
    evil.commits[0].message = EVIL.into();
    evil.url = "javascript:alert(1)".into();
    evil.retold = Some(EVIL.into());
    for c in &mut evil.comments {
        c.body.push_str(EVIL);
        c.url = Some("javascript:alert(1)".into());
    }
    evil.comments.push(comment(9, "2026-11-05T00:00:00Z", EVIL, EVIL));
    let html = page(evil, vec![head_detail()], vec![check(2, EVIL, CheckStatus::Fail)]);
    assert!(!html.contains("<script>alert") && !html.contains("<img src=x") && !html.contains("href=\"javascript"));
}

#[test]
fn the_list_names_what_is_not_known() {
    let item = |number: i64, state: Option<PullState>| PullListItem {
        number,
        title: if state.is_some() { "A title".into() } else { String::new() },
        state,
        draft: false,
        author: String::new(),
        url: format!("https://github.com/a/b/pull/{number}"),
        pinned: state.and_then(|_| RunId::new(41_261_902_147)),
        pinned_known: false,
        runs: 2,
        checks: state.map(|_| vec![(CheckStatus::Pass, 12), (CheckStatus::NeedsHuman, 3)]),
        updated_at: None,
        retold: state.is_some(),
    };
    let list = |view: &str, items: Vec<PullListItem>| {
        let page = PullsPage { view: PullsView::parse(view).0, total: items.len(), items, next: Some(7), problems: vec![] };
        render(&site(), Page::Pulls(page))
    };
    let html = list("state=open&later=1", vec![item(4603, Some(PullState::Open)), item(7, None)]);
    let text = text(&html);
    for part in [
        "2 pull requests",
        "#4603",
        "retold, not GitHub's payload",
        "? needs a human 3",
        "✓ pass 12",
        "not imported",
        "can't be decided",
        "not known here",
    ] {
        assert!(text.contains(part), "the list does not say {part:?}:\n{text}");
    }
    assert!(html.contains("/pulls?state=open&amp;cursor=7&amp;later=1"));
    assert!(self::text(&list("q=none", vec![])).contains("No pull request passes both filters."));
    assert!(self::text(&list("", vec![])).contains("paretoscope pulls import FILE…"));
}
