//! What the pages say, from the server's HTML alone.

#![cfg(feature = "ssr")]
#![expect(clippy::indexing_slicing, reason = "a test fails by panicking")]

#[expect(clippy::expect_used, reason = "values made by hand")]
mod reference;

use paretoscope_app::view_state::RunView;
use paretoscope_app::*;
use paretoscope_domain::point::Status;
use paretoscope_domain::run::Purge;
use paretoscope_domain::{Kind, Scenario};
use reference::*;

fn html(page: Page) -> String {
    render(&site(), page)
}

/// The page's text: tags, comments and scripts gone, white space joined.
fn text(html: &str) -> String {
    let mut out = String::new();
    let mut rest = html.split_once("<body>").map_or(html, |(_, body)| body);
    while let Some((before, after)) = rest.split_once('<') {
        out.push_str(before);
        let end = if after.starts_with("!--") {
            "-->"
        } else if after.starts_with("script") {
            "</script>"
        } else {
            ">"
        };
        rest = after.split_once(end).map_or("", |(_, tail)| tail);
        if !after.starts_with("!")
            && !after.starts_with("strong")
            && !after.starts_with("/strong")
            && !after.starts_with('a')
            && !after.starts_with("/a")
        {
            out.push(' ');
        }
    }
    out.push_str(rest);
    let out = out.replace("&lt;", "<").replace("&gt;", ">").replace("&#x27;", "'").replace("&quot;", "\"").replace("&amp;", "&");
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn says(text: &str, part: &str) {
    assert!(text.contains(part), "the page does not say {part:?}:\n{text}");
}

#[test]
fn the_reference_run_answers_in_its_cards() {
    let html = html(run_page(""));
    let text = text(&html);
    for part in [
        "UNOFFICIAL RUN: not an official result",
        "DeepSeek-V4.1-Flash · agentic traces · GB300 · SGLang · FP4",
        "PR #4603 by weireweire",
        "commit 41d29b28",
        "sglang:nightly-dev-cu13-20261030-302b78cc @d4b7701d",
        "run 41261902147, attempts 1–2, success",
        "1 Nov 2026",
        "P90 7/8 · P75 7/8",
        "TP4 c4 is dominated by TP4 c16. On P75, TP4 c1 is dominated by TP4 c4.",
        "6 of 6 pass, all ≤ 2σ",
        "Against run 40809149952",
        "tok/s/GPU +0.3 … −7.8 %",
        "Frontiers can't be compared: that run states no latency.",
        "dominated by TP4 c16",
        "340,890",
        "33.68",
        "−7.8 %",
    ] {
        says(&text, part);
    }
    assert!(html.starts_with("<!DOCTYPE html>"));
    assert!(html.contains(
        "<title>UNOFFICIAL · DeepSeek-V4.1-Flash · agentic traces · GB300 · SGLang · FP4 · run 41261902147 · Paretoscope</title>"
    ));
    assert!(html.contains(r#"<meta property="og:image" content="https://paretoscope.example/api/v1/runs/41261902147/preview.png">"#));
    assert!(html.contains(r#"<link rel="canonical" href="https://paretoscope.example/runs/41261902147">"#));
}

#[test]
fn the_frontier_follows_the_axes() {
    let text = text(&html(run_page("x=p75_e2el")));
    says(&text, "dominated by TP4 c4");
    says(&text, "P90 7/8 · P75 7/8");
}

#[test]
fn failures_of_an_attempt_are_told() {
    let text = text(&html(run_page("")));
    says(&text, "5 failed jobs");
    says(&text, "DatasetLoaderError: Network or API error communicating with HuggingFace Hub");
    says(&text, "as it stood after attempt 1");
}

#[test]
fn a_family_not_read_yet_is_not_zero() {
    let text = text(&html(run_page("")));
    says(&text, "agentic rows linked to a trace not read yet");
    says(&text, "GPU telemetry series not read yet");
    says(&text, "Eval samples not read yet");
}

#[test]
fn what_the_address_asks_for_in_vain_is_told() {
    let text = text(&html(run_page("x=p90_ttft&y=std_itl&attempt=0")));
    says(&text, "Not all of the address could be used.");
    says(&text, "attempt=0 is not used: an attempt is a whole number from 1.");
    says(&text, "Nothing to draw: no point states P90 TTFT.");
}

#[test]
fn axes_that_were_not_measured_are_offered_greyed_with_the_reason() {
    let html = html(run_page(""));
    assert!(text(&html).contains("P90 TTFT — not in this run's rows"));
    let option = html.split("<option").find(|o| o.contains("P90 TTFT")).unwrap();
    assert!(option.contains("disabled"), "{option}");
    let option = html.split("<option").find(|o| o.contains("value=\"p75_e2el\"")).unwrap();
    assert!(!option.contains("disabled"), "{option}");
}

#[test]
fn a_run_as_it_stood_after_its_first_attempt() {
    let mut detail = head_detail();
    let mut old = detail.points[2].clone();
    old.attempt = Some(attempt(1));
    old.status = Status::Failed;
    old.superseded = true;
    old.reasons = vec!["no_successful_requests".into()];
    detail.points.push(old);
    let now = text(&html(run_page_of(detail.clone(), "")));
    says(&now, "1 superseded version");
    let then = text(&html(run_page_of(detail, "attempt=1")));
    says(&then, "Shown as it stood after attempt 1");
    says(&then, "failed: no request succeeded");
    says(&then, "P90 5/5");
}

#[test]
fn standing_is_told_in_words() {
    let of = |change: fn(&mut paretoscope_domain::run::Run)| {
        let mut detail = head_detail();
        change(&mut detail.run);
        let html = html(run_page_of(detail, ""));
        (text(&html), html)
    };
    let (official, page) = of(|r| r.kind = Kind::Official);
    assert!(!official.contains("UNOFFICIAL RUN"));
    assert!(page.contains("<title>DeepSeek"));
    says(&of(|r| r.kind = Kind::Staged).0, "STAGED RUN: not an official result");
    says(&of(|r| r.synthetic = true).0, "SYNTHETIC SAMPLE DATA: made up, not a measurement");
    let (purged, _) = of(|r| {
        r.purged = Some(Purge { reason: "wrong image".into(), actor: "admin".into(), at: "2026-11-02T00:00:00Z".parse().unwrap() });
    });
    says(&purged, "PURGED: hidden from every curve since 2 Nov 2026, 00:00 UTC by admin. Reason: wrong image");
    says(&of(|r| (r.date, r.created_at) = (None, None)).0, "date not known");
}

#[test]
fn nothing_a_run_says_becomes_markup() {
    let evil = "<script>alert(1)</script><img src=x onerror=alert(1)>\"'";
    let mut detail = head_detail();
    let run = &mut detail.run;
    for field in
        [&mut run.name, &mut run.actor, &mut run.head_branch, &mut run.pr_title, &mut run.pr_author, &mut run.conclusion, &mut run.event]
    {
        *field = Some(evil.into());
    }
    run.html_url = Some("javascript:alert(1)".into());
    run.pr_url = Some("https://x/\"onclick=\"alert(1)".into());
    run.config_keys = vec![evil.into()];
    run.images[0].reference = evil.into();
    detail.points[0].label = evil.into();
    detail.points[0].notes = vec![evil.into()];
    detail.jobs[0].error = Some(evil.into());
    detail.changelog[0].description = vec![evil.into()];
    detail.changelog[0].pr_link = Some("javascript:alert(1)".into());
    detail.artifacts[0].name = evil.into();
    let mut pages = vec![html(run_page_of(detail, "zz=%3Cscript%3E\"&x=%3Cscript%3E&model=%3Cscript%3E"))];
    pages.push(html(point_page()));
    pages.push(html(overlay_page("unofficialRun=%3Cscript%3Ealert(1)%3C/script%3E", false)));
    pages.push(html(runs_page("q=%22%3E%3Cscript%3Ealert(1)%3C/script%3E&model=%3Cscript%3E")));
    for page in pages {
        let mut scripts: Vec<&str> = page.match_indices("<script").map(|(i, _)| &page[i..(i + 40).min(page.len())]).collect();
        scripts.retain(|s| {
            !s.starts_with("<script>try")
                && !s.starts_with("<script type=\"module\">")
                && !s.starts_with("<script type=\"application/json\"")
        });
        assert_eq!(scripts, Vec::<&str>::new());
        assert!(!page.contains("<img"));
        assert!(!page.contains("href=\"javascript:"));
        assert!(!page.contains("\"onclick=\"alert"));
    }
}

#[test]
fn inline_scripts_are_the_listed_ones() {
    let page = html(run_page(""));
    for script in INLINE_SCRIPTS {
        assert!(page.contains(&format!(">{script}</script>")));
    }
    assert_eq!(page.matches("<script").count(), INLINE_SCRIPTS.len() + 1, "and the chart's data");
}

#[test]
fn fixed_sequences_have_their_own_cards_and_columns() {
    let text = text(&html(fixed_page("")));
    says(&text, "SYNTHETIC SAMPLE DATA: made up, not a measurement");
    says(&text, "Frontier of medians E2EL 12/12 · interactivity 12/12");
    says(&text, "failed: no request succeeded");
    says(&text, "dropped: only run 9000000000000 has it");
    says(&text, "4P1D TP1/DPA → TP8/EP8/DPA c256");
    says(&text, "More failed requests than the gate allows");
}

#[test]
fn a_point_lists_everything_that_dominates_it() {
    let text = text(&html(point_page()));
    says(&text, "TP4 c4");
    says(&text, "dominated by TP4 c16.");
    says(&text, "Throughput per GPU against P75 E2EL: on the frontier, with 7 of 8 points.");
    says(&text, "Previous: TP4 c1");
    says(&text, "Next: TP4 c16");
    says(&text, "</pre><script>alert(1)</script>");
}

#[test]
fn an_id_that_cannot_be_shown_is_named_and_the_good_ones_still_show() {
    let text = text(&html(overlay_page("unofficialRun=41261902147,77", false)));
    says(&text, "Not every run can be shown.");
    says(&text, "Run 77: no artifacts of it were ever read. Read them: paretoscope ingest <folder> --run-id 77 .");
    says(&text, "340,890");
    says(&text, "UNOFFICIAL RUN: not an official result");
}

#[test]
fn an_overlay_of_bad_ids_alone_does_not_claim_that_nothing_is_stored() {
    let Page::Inference(mut page) = overlay_page("unofficialRun=77", false) else { panic!("an explorer") };
    page.newest.clear();
    let text = text(&html(Page::Inference(page)));
    says(&text, "Run 77: no artifacts of it were ever read.");
    assert!(!text.contains("No runs are stored yet"), "{text}");
}

#[test]
fn an_overlay_without_runs_explains_itself() {
    let text = text(&html(overlay_page("", false)));
    says(&text, "Name the runs to show by their ids");
    says(&text, "Newest runs");
}

#[test]
fn an_empty_list_says_why() {
    says(&text(&html(runs_page("q=zzz"))), "No run passes all filters");
    let none =
        Page::Runs(RunsPage { view: Default::default(), items: vec![], total: 0, next: None, facets: Facets::default(), problems: vec![] });
    says(&text(&html(none)), "paretoscope ingest");
}

#[test]
fn a_run_without_points_says_so() {
    let mut detail = base_detail();
    detail.points.clear();
    detail.run.curves.clear();
    let (view, problems) = RunView::parse("");
    let baseline = BaselineChoice::None { why: "Undated runs have none.".into() };
    let page = html(Page::Run(Box::new(RunPage {
        view,
        detail: detail.into(),
        baseline,
        candidates: vec![],
        cookbook: CookbookShown::default(),
        problems,
    })));
    let text = text(&page);
    says(&text, "This run holds no points");
    says(&text, "Undated runs have none.");
    says(&text, "No evals");
}

#[test]
fn ids_are_unique_and_swapped_parts_hold_no_islands() {
    for page in
        [html(run_page("")), html(fixed_page("")), html(overlay_page("unofficialRun=41261902147,40809149952", false)), html(point_page())]
    {
        let mut ids: Vec<&str> = page.split(" id=\"").skip(1).filter_map(|p| p.split('"').next()).collect();
        let all = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), all, "{ids:?}");
        for label in page.split("aria-labelledby=\"").skip(1).filter_map(|p| p.split('"').next()) {
            assert!(ids.binary_search(&label).is_ok(), "nothing has the id {label}");
        }
        for anchor in page.split(" href=\"#").skip(1).filter_map(|p| p.split('"').next()) {
            assert!(ids.binary_search(&anchor).is_ok(), "nothing has the id {anchor}");
        }
        for island in page.match_indices("<leptos-island").map(|(i, _)| i) {
            let before = &page[..island];
            // A part that opened and did not close again before the island would hold it: the parts are known to be these.
            for id in ["chart", "points", "cards", "deltas", "export"] {
                if let Some(at) = before.rfind(&format!(" id=\"{id}\"")) {
                    let tag = before[..at].rsplit('<').next().unwrap_or_default().split(' ').next().unwrap_or_default();
                    let inside = &before[at..];
                    let (opened, closed) = (inside.matches(&format!("<{tag}")).count() + 1, inside.matches(&format!("</{tag}>")).count());
                    assert!(closed >= opened.min(1), "an island inside #{id}");
                }
            }
        }
    }
}

#[test]
fn a_run_of_several_scenarios_shows_one_chart_and_all_tables() {
    let mut detail = head_detail();
    let mut other = point(HEAD, Scenario::Fixed { isl: 1024, osl: 1024 }, Default::default(), 8);
    other.label = "TP? c8".into();
    other.metrics.insert("median_intvty".into(), 55.0);
    other.metrics.insert("tput_per_gpu".into(), 999.0);
    detail.points.push(other);
    let page = html(run_page_of(detail.clone(), ""));
    let text_ = text(&page);
    says(&text_, "DeepSeek-V4.1-Flash · 1k/1k");
    says(&text_, "The frontier is that of throughput per GPU against median interactivity.");
    assert!(page.contains("scenario=1k1k"));
    says(&text(&html(run_page_of(detail, "scenario=1k1k"))), "Frontier of medians E2EL not measured · interactivity 1/1");
}

#[test]
fn the_first_page_says_what_is_made_up() {
    let text = text(&html(home_page()));
    says(&text, "26 runs are synthetic sample data: made up, not a measurement.");
    says(&text, "28 runs");
    says(&text, "6 of 6");
    says(&text, "What changed");
}
