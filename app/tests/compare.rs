//! What the page of a comparison says, from the server's HTML alone.

#![cfg(feature = "ssr")]
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

#[expect(clippy::expect_used, dead_code, reason = "values made by hand, of which this uses some")]
mod reference;

use std::sync::Arc;

use paretoscope_app::view_state::{CompareBase, CompareView};
use paretoscope_app::*;
use paretoscope_domain::natural_key::point_id;
use paretoscope_domain::run::RunDetail;
use paretoscope_domain::{Kind, label};
use paretoscope_review::compare::{Options, Side, compare, official_as_of};
use reference::*;

/// The page's text: tags gone, white space joined.
fn text(html: &str) -> String {
    let mut out = String::new();
    let body = html.split_once("<body>").map_or(html, |(_, body)| body);
    for (i, part) in body.split('<').enumerate() {
        out.push_str(if i == 0 { part } else { part.split_once('>').map_or("", |(_, text)| text) });
        out.push(' ');
    }
    let out = out.replace("&lt;", "<").replace("&gt;", ">").replace("&#x27;", "'").replace("&quot;", "\"").replace("&amp;", "&");
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn says(text: &str, part: &str) {
    assert!(text.contains(part), "the page does not say {part:?}:\n{text}");
}

fn page_of(base: RunDetail, head: RunDetail, query: &str) -> String {
    let (view, problems) = CompareView::parse(query);
    let comparison = compare(&Side::run(&base), &Side::run(&head), &[], &Options::default(), &words()).unwrap();
    let candidates = vec![base.run.clone()];
    let shown = CompareShown::Compared { comparison: Box::new(comparison), head: Arc::new(head), base: BasePoints::Run(Arc::new(base)) };
    render(&site(), Page::Compare(Box::new(ComparePage { view, shown, candidates, newest: vec![], problems })))
}

fn reference(query: &str) -> String {
    page_of(base_detail(), head_detail(), &format!("base={BASE}&head={HEAD}{query}"))
}

#[test]
fn the_answer_comes_first_and_the_baseline_is_named() {
    let html = reference("");
    let text = text(&html);
    says(&text, "UNOFFICIAL RUN: not an official result (both)");
    says(&text, "Run 41261902147 against run 40809149952");
    says(&text, "Worse: throughput per GPU is worse at 2 of 8 points (most at TP4 c4: −7.8 %, large).");
    says(&text, "Not enough earlier runs to tell noise: 0 of 4 values at most.");
    says(&text, "Frontiers can't be compared: run 40809149952 states no P90 E2EL.");
    says(&text, "Only run 41261902147 states P90 E2EL.");
    says(&text, "−1.4 % over 8 of 8 points");
    let verdict = text.find("Worse:").unwrap();
    assert!(verdict < text.find("Frontiers can't").unwrap() && verdict < text.find("10,222 → 9,425").unwrap());
    assert!(html.contains("<option value=\"40809149952\" selected>"));
    assert!(html.contains("<option value=\"official\">the official curve</option>"));
    assert!(html.contains("<title>UNOFFICIAL · Run 41261902147 against run 40809149952 · Paretoscope</title>"));
    assert!(html.contains("<input type=\"hidden\" name=\"head\" value=\"41261902147\">"), "the form keeps the run");
    assert!(html.contains("action=\"/compare\""));
}

#[test]
fn every_point_has_both_values_its_change_and_what_it_is_worth() {
    let text = text(&reference(""));
    for part in [
        "TP4 c1 +0.1 % small 8,097 → 8,105",
        "TP4 c4 −7.8 % worse, large 10,222 → 9,425",
        "TP4 c16 0.0 % small 29,242 → 29,242",
        "TP2/EP2 c16 +0.2 % small",
        "TP2/EP2 c32 −0.6 % small",
        "TP2/EP2/DPA c64 +0.3 % small",
        "TP2/EP2/DPA c128 +0.3 % small",
        "TP2/EP2/DPA c160 −3.5 % worse, notable 353,254 → 340,890",
    ] {
        says(&text, part);
    }
}

#[test]
fn notable_only_leaves_the_small_ones_out() {
    let html = reference("&show=notable");
    let text = text(&html);
    says(&text, "All points (8)");
    says(&text, "Notable only (2)");
    says(&text, "TP4 c4 −7.8 %");
    assert!(!text.contains("TP2/EP2 c16 +0.2 %"));
    assert!(html.contains("href=\"/compare?base=40809149952&amp;head=41261902147\""), "a link shows all again");
}

#[test]
fn noise_is_drawn_and_told_where_it_is_known() {
    let (base, head) = (base_detail(), head_detail());
    let past: Vec<RunDetail> = (0..5_u32)
        .map(|i| {
            let mut d = base_detail();
            d.run.run_id = id(100 + i64::from(i));
            d.run.date = Some(format!("2026-10-{:02}", i + 1));
            for p in &mut d.points {
                p.run_id = d.run.run_id;
                let wobble = if i % 2 == 0 { 1.0 } else { 1.002 + f64::from(i) * 0.001 };
                p.metrics.values_mut().for_each(|v| *v *= wobble);
                p.id = point_id(p);
            }
            d
        })
        .collect();
    let past: Vec<&RunDetail> = past.iter().collect();
    let comparison = compare(&Side::run(&base), &Side::run(&head), &past, &Options::default(), &words()).unwrap();
    let view = CompareView::of(CompareBase::Run(base.run.run_id), head.run.run_id);
    let shown = CompareShown::Compared { comparison: Box::new(comparison), head: Arc::new(head), base: BasePoints::Run(Arc::new(base)) };
    let page = ComparePage { view, shown, candidates: vec![], newest: vec![], problems: vec![] };
    let html = render(&site(), Page::Compare(Box::new(page)));
    says(&text(&html), "Noise is told by each configuration's own earlier runs, up to 5 values.");
    assert!(html.contains(";--c:") && text(&html).contains("→ 9,425 ±"), "the band is drawn and told");
    assert!(html.contains("from 5 earlier runs"));
}

#[test]
fn fixed_sequences_with_everything_in_common() {
    let head = fixed_detail();
    let mut base = head.clone();
    base.run.run_id = id(9_000_000_000_000);
    for p in &mut base.points {
        p.run_id = base.run.run_id;
        p.metrics.values_mut().for_each(|v| *v *= 0.9);
        p.id = point_id(p);
    }
    base.points.remove(0);
    label::assign(&mut base.points);
    let text = text(&page_of(base, head, "base=9000000000000&head=9000000000001"));
    says(&text, "SYNTHETIC SAMPLE DATA: made up, not a measurement");
    for part in ["Throughput tok/s/GPU", "Median interactivity", "Median E2EL", "Median TTFT", "Median TPOT", "Mean power per GPU"] {
        says(&text, part);
    }
    says(&text, "Only in run 9000000000001 (1)");
    says(&text, "TP8/EP8 c4");
    says(&text, "Area under the frontier");
    says(&text, "Entered the frontier");
}

#[test]
fn the_official_curve_is_named_with_its_runs() {
    let head = head_detail();
    let mut old = base_detail();
    old.run.kind = Kind::Official;
    let side = official_as_of(&[&old], Some("2026-10-30".parse().unwrap()), &head.run.curves, Some(head.run.run_id));
    let comparison = compare(&side, &Side::run(&head), &[], &Options::default(), &words()).unwrap();
    let points = side.points.clone().into_owned();
    let (view, problems) = CompareView::parse(&format!("base=official&head={HEAD}&as_of=2026-10-30"));
    let shown =
        CompareShown::Compared { comparison: Box::new(comparison), head: Arc::new(head.clone()), base: BasePoints::Official(points) };
    let page = ComparePage { view, shown, candidates: vec![], newest: vec![], problems };
    let html = render(&site(), Page::Compare(Box::new(page)));
    let text = text(&html);
    says(&text, "Run 41261902147 against the official curve as of 2026-10-30");
    says(&text, "official curve, as of 30 Oct 2026: run 40809149952");
    says(&text, "UNOFFICIAL RUN: not an official result (run 41261902147)");
    assert!(html.contains("value=\"2026-10-30\""));
}

#[test]
fn what_can_not_be_compared_says_why_and_offers_another() {
    let ids = vec![IdProblem {
        id: "77".into(),
        reason: "It was never ingested here.".into(),
        what_to_do: "Ingest its artifacts: `paretoscope ingest PATH --run-id 77`.".into(),
    }];
    let (view, problems) = CompareView::parse(&format!("base=77&head={HEAD}"));
    let shown = CompareShown::Refused { head: Some(head_run()), ids, why: None };
    let page = ComparePage { view, shown, candidates: vec![base_run()], newest: vec![], problems };
    let html = render(&site(), Page::Compare(Box::new(page)));
    says(&text(&html), "Run 77 : It was never ingested here.");
    assert!(html.contains("<option value=\"40809149952\">") && html.contains("name=\"head\" value=\"41261902147\""));

    let (view, problems) = CompareView::parse("head=abc&as_of=soon&show=some");
    let page = ComparePage { view, shown: CompareShown::Nothing, candidates: vec![], newest: vec![base_run()], problems };
    let text = text(&render(&site(), Page::Compare(Box::new(page))));
    says(&text, "head=abc is not used");
    says(&text, "as_of=soon is not used: a day is written as 2026-11-01.");
    says(&text, "show=some is not used");
    says(&text, "Newest runs");
}

#[test]
fn nothing_a_run_says_becomes_markup() {
    let evil = "<script>alert(1)</script><img src=x onerror=alert(1)>\"'";
    let (mut base, mut head) = (base_detail(), head_detail());
    for d in [&mut base, &mut head] {
        d.run.html_url = Some("javascript:alert(1)".into());
        d.points[0].label = evil.into();
    }
    base.run.head_sha = Some(evil.into());
    base.points[1].image = Some(evil.into());
    head.points[2].conc = 3;
    head.evals[0].task = evil.into();
    let html = page_of(base, head, &format!("base={BASE}&head={HEAD}&x=%3Cscript%3E&zz=%22%3E%3Cscript%3E"));
    assert!(!html.contains("<script>alert") && !html.contains("<img") && !html.contains("href=\"javascript:"));
}

#[test]
fn ids_are_unique_and_labels_name_what_is_there() {
    for html in [reference(""), reference("&metrics=all&show=notable")] {
        let mut ids: Vec<&str> = html.split(" id=\"").skip(1).filter_map(|p| p.split('"').next()).collect();
        let all = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), all, "{ids:?}");
        for label in html.split("aria-labelledby=\"").skip(1).filter_map(|p| p.split('"').next()) {
            assert!(ids.binary_search(&label).is_ok(), "nothing has the id {label}");
        }
    }
}
