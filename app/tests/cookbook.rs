//! What the cookbook's page says, from the server's HTML alone.

#![cfg(feature = "ssr")]
#![expect(clippy::indexing_slicing, clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;

use paretoscope_app::view_state::CookbookView;
use paretoscope_app::{CookbookPage, Page, Site, render};
use paretoscope_domain::RunId;
use paretoscope_domain::repo::Refused;
use paretoscope_domain::vocabulary::Vocabulary;
use paretoscope_review::drift::{Cookbook, CookbookEntry, LeftOut};
use serde_json::{Value, json};

fn site() -> Site {
    Site {
        css: "/assets/app.css".into(),
        js: "/assets/app.js".into(),
        wasm: "/assets/app.wasm".into(),
        plotly: "/assets/plotly.js".into(),
        icon: "/assets/icon.svg".into(),
        public_url: "https://paretoscope.example".into(),
        words: Arc::new(Vocabulary::shipped().unwrap()),
        repo: "SemiAnalysisAI/InferenceX".into(),
        version: "0.1.0",
    }
}

fn entry(change: Value) -> CookbookEntry {
    let mut value = json!({
        "config_key": "dsv41flash-fp4-gb300-sglang-agentic-dspark", "cell_id": "dsv41flash-fp4-gb300-sglang-agentic-dspark#0", "model": "dsv41flash",
        "hardware": "gb300", "framework": "sglang", "label": "Agg TP4", "status": "verified", "sha": "41d29b2834a85fcee09db6f9f52653b7c2f30ef3",
        "run_id": 41_261_902_147_i64, "attempt": 2, "pr": 4603, "image": "lmsysorg/sglang:nightly-1", "image_digest": "sha256:d4b7701d", "image_status": "ok",
        "golden_al": "3.51", "concs": [1, 4, 16], "repo": "sgl-project/sglang", "path": "docs/src/snippets/agentx/a.jsx", "commit": "aabbccddeeff",
        "cookbook_pr": 47929, "page": "https://docs.sglang.io/cookbook/a", "source_repo": "SemiAnalysisAI/InferenceX", "as_of": "2026-11-03T03:28:14Z",
        "drift": [], "not_known": [], "notes": []
    });
    let (fields, changes) = (value.as_object_mut().unwrap(), change.as_object().unwrap());
    for (key, change) in changes {
        fields.insert(key.clone(), change.clone());
    }
    serde_json::from_value(value).unwrap()
}

fn cookbook() -> Cookbook {
    let drifting = json!({
        "config_key": "glm5.2-fp4-b300-sglang-agentic", "cell_id": "glm5.2-fp4-b300-sglang-agentic#0", "model": "glm5.2", "hardware": "b300", "status": "in-progress",
        "run_id": null, "attempt": null,
        "drift": [{ "kind": "run", "expected": "41261902147", "found": null, "against": { "what": "pin", "pr": 4603 },
            "sentence": "run: cookbook none, pinned 41261902147", "href": "/pulls/4603", "since": "2026-11-02T10:00:00Z" }],
        "not_known": [{ "kind": "points", "missing": { "what": "repo_not_read" }, "why": "the benchmark repository was never synced" }]
    });
    let absent = json!({
        "config_key": "another-key", "cell_id": null, "label": null, "status": "not-published", "sha": null, "run_id": null, "attempt": null, "pr": null,
        "image": null, "image_digest": null, "image_status": null, "golden_al": null, "concs": [], "repo": null, "path": null, "commit": null,
        "cookbook_pr": null, "page": null, "source_repo": null, "as_of": null, "official_run_id": 39
    });
    Cookbook {
        entries: vec![entry(absent), entry(json!({})), entry(drifting)],
        left_out: vec![LeftOut { framework: "vLLM".into(), configurations: 12, why: "The cookbook documents SGLang only.".into() }],
    }
}

fn html(query: &str, cookbook: Cookbook, synced: bool) -> String {
    let (view, problems) = CookbookView::parse(query);
    let refused = Refused {
        file: "docs/broken.jsx".into(),
        line: Some(3),
        what: "cells[1]".into(),
        reason: "bad_json".into(),
        detail: "a comma is missing".into(),
        kept: false,
    };
    let page = CookbookPage {
        view,
        cookbook: Arc::new(cookbook),
        refused: vec![refused],
        synced,
        known: RunId::new(41_261_902_147).into_iter().collect(),
        problems,
    };
    render(&site(), Page::Cookbook(page))
}

#[track_caller]
fn says(html: &str, part: &str) {
    assert!(html.contains(part), "the page does not say {part:?}:\n{html}");
}

/// Row heads of the table, in order.
fn keys(html: &str) -> Vec<&str> {
    let body = html.split_once("<tbody>").map_or("", |(_, b)| b).split("</tbody>").next().unwrap_or_default();
    body.split("<th scope=\"row\"").skip(1).filter_map(|r| r.split_once('>')?.1.split('<').next()).collect()
}

#[test]
fn every_entry_is_a_row_with_its_drift_in_words() {
    let html = html("", cookbook(), true);
    assert_eq!(
        keys(&html),
        ["glm5.2-fp4-b300-sglang-agentic#0", "dsv41flash-fp4-gb300-sglang-agentic-dspark#0", "another-key"],
        "what drifts first, what nothing is claimed of last"
    );
    for part in [
        "<a href=\"/pulls/4603\">run: cookbook none, pinned 41261902147</a>",
        "since 2 Nov 2026, 10:00 UTC",
        "points: the benchmark repository was never synced",
        "href=\"/runs/41261902147\"",
        "href=\"https://github.com/SemiAnalysisAI/InferenceX/commit/41d29b2834a85fcee09db6f9f52653b7c2f30ef3\"",
        "href=\"https://github.com/sgl-project/sglang/pull/47929\"",
        "href=\"https://github.com/sgl-project/sglang/blob/aabbccddeeff/docs/src/snippets/agentx/a.jsx\"",
        "href=\"https://docs.sglang.io/cookbook/a\"",
        "href=\"https://github.com/sgl-project/sglang/commit/aabbccddeeff\"",
        "12 configurations of the official data not listed",
        "docs/broken.jsx, line 3",
        "a comma is missing",
        "href=\"/api/v1/cookbook.csv\"",
        "aria-current=\"page\">Cookbook",
    ] {
        says(&html, part);
    }
}

#[test]
fn filters_are_links_with_counts_and_keep_each_other() {
    let html = html("drift=any&sort=-status", cookbook(), true);
    assert_eq!(keys(&html), ["glm5.2-fp4-b300-sglang-agentic#0"]);
    for part in [
        "1 of 3 entries",
        "1 with drift",
        "href=\"/cookbook?status=in-progress&amp;drift=any&amp;sort=-status\"",
        "name=\"sort\" value=\"-status\"",
        "href=\"/api/v1/cookbook?drift=any\"",
        "<option value=\"any\" selected>any drift (1)</option>",
        "aria-sort=\"descending\"",
    ] {
        says(&html, part);
    }
    assert_eq!(keys(&self::html("status=verified", cookbook(), true)).len(), 1);
    assert_eq!(keys(&self::html("q=glm", cookbook(), true)), ["glm5.2-fp4-b300-sglang-agentic#0"]);
    says(&self::html("q=nowhere", cookbook(), true), "No entry passes all filters.");
}

#[test]
fn columns_sort_by_links() {
    let sorted = |query: &str| html(query, cookbook(), true);
    assert_eq!(keys(&sorted("sort=-key"))[2], "another-key");
    assert_eq!(keys(&sorted("sort=-drift"))[0], "another-key");
    assert_eq!(keys(&sorted("sort=key"))[0], "another-key");
    assert_eq!(keys(&sorted("sort=status"))[0], "another-key");
    says(&sorted("sort=status"), "href=\"/cookbook?sort=-status\"");
}

#[test]
fn an_empty_cookbook_says_what_to_do() {
    let empty = html("", Cookbook::default(), false);
    says(&empty, "paretoscope cookbook sync PATH");
    says(&empty, "Nothing is known yet");
    let html = html("status=lost", Cookbook::default(), false);
    says(&html, "is not used: the statuses are");
}

#[test]
fn nothing_a_snippet_says_becomes_markup() {
    let evil = "<script>alert(1)</script>\"'";
    let mut cookbook = cookbook();
    let e = &mut cookbook.entries[1];
    for field in [
        &mut e.label,
        &mut e.sha,
        &mut e.image,
        &mut e.image_status,
        &mut e.golden_al,
        &mut e.repo,
        &mut e.path,
        &mut e.commit,
        &mut e.source_repo,
    ] {
        *field = Some(evil.into());
    }
    (e.page, e.config_key, e.notes) = (Some("javascript:alert(1)".into()), evil.into(), vec![evil.into()]);
    let html = html("q=&zz=%3Cscript%3E", cookbook, true);
    assert_eq!(html.matches("<script").count(), paretoscope_app::INLINE_SCRIPTS.len());
    assert!(!html.contains("href=\"javascript:"));
}
