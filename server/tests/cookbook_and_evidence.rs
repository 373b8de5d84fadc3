//! The cookbook and the evidence over HTTP, on the whole sample and on nothing.
#![expect(clippy::indexing_slicing, clippy::unwrap_used, reason = "a test fails by panicking")]

use http::StatusCode;
use serde_json::{Value, json};

#[path = "common/mod.rs"]
mod common;
use common::Site;

const KEY: &str = "dsv41flash-fp4-gb300-sglang-agentic-dspark";
const RUN: i64 = 41_261_902_147;
const BASE: i64 = 40_809_149_952;

/// The sample as `paretoscope sample` loads it, with its pull request, repository states and cookbook.
async fn sample() -> Site {
    let site = Site::empty().await;
    paretoscope_server::cli::sample::load(&site.store, &site.words.vocabulary).await.unwrap();
    site
}

fn entries(answer: &Value) -> Vec<&Value> {
    answer["entries"].as_array().unwrap().iter().filter(|e| e["config_key"] == KEY).collect()
}

#[tokio::test]
async fn the_cookbook_of_the_reference_configuration() {
    let site = sample().await;
    let answer = site.json("/api/v1/cookbook").await;
    assert_eq!(answer["synced"], true);
    let reference = entries(&answer);
    assert!(!reference.is_empty());
    for e in &reference {
        assert_eq!(
            (&e["status"], &e["run_id"], &e["pr"], &e["model"], &e["hardware"]),
            (&json!("verified-pr"), &json!(RUN), &json!(4603), &json!("dsv41flash"), &json!("gb300"))
        );
        assert_eq!(e["pinned_run_id"], json!(RUN));
        // It stands at the run that was pinned last, and the pull request was merged since.
        let kinds: Vec<&str> = e["drift"].as_array().unwrap().iter().map(|d| d["kind"].as_str().unwrap()).collect();
        assert_eq!(kinds, ["status"], "{e:#}");
        assert_eq!(e["not_known"], json!([]), "{e:#}");
    }
    let counted = |query: &'static str| {
        let site = &site;
        async move { entries(&site.json(&format!("/api/v1/cookbook?{query}")).await).len() }
    };
    assert_eq!(counted("drift=status").await, reference.len());
    assert_eq!(counted("drift=run").await, 0);
    assert_eq!(counted("status=verified").await, 0);
    assert_eq!(counted("status=verified-pr&q=gb300%20%234603").await, reference.len());
    for (query, name) in [("status=lost", "status"), ("drift=lost", "drift"), ("sort=key", "sort")] {
        let answer = site.get(&format!("/api/v1/cookbook?{query}")).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST);
        assert_eq!(answer.json()["parameter"], name);
    }
    let csv = site.get("/api/v1/cookbook.csv?drift=status").await;
    assert!(csv.header("content-type").starts_with("text/csv"));
    assert_eq!(csv.text().lines().count(), 1 + reference.len());
    assert!(csv.text().contains("status: cookbook verified on the PR"), "{}", csv.text());
}

#[tokio::test]
async fn pages_show_the_cookbook() {
    let site = sample().await;
    let page = site.get("/cookbook").await;
    assert_eq!(page.status, StatusCode::OK);
    for part in ["status: cookbook verified on the PR", KEY, "aria-current=\"page\">Cookbook", "href=\"/api/v1/cookbook.csv\""] {
        assert!(page.text().contains(part), "{part}");
    }
    let run = site.get(&format!("/runs/{RUN}")).await.text();
    for part in
        ["<section id=\"cookbook\"", "<section id=\"environment\"", "SGLANG_SIMULATE_ACC_LEN", "/evidence?lang=zh", "data-copy-from="]
    {
        assert!(run.contains(part), "{part}");
    }
    let points = site.json(&format!("/api/v1/runs/{RUN}/points")).await;
    let id = points.as_array().unwrap().iter().find(|p| p["label"] == "TP4 c1").unwrap()["id"].as_str().unwrap().to_owned();
    let point = site.get(&format!("/runs/{RUN}/points/{id}")).await.text();
    let part = point.split_once("<section id=\"cookbook\"").unwrap().1.split("</section>").next().unwrap();
    assert_eq!(part.matches("<th scope=\"row\"").count(), 1, "one cell holds the point: {part}");
    assert!(part.contains("Agg TP4"), "{part}");
}

#[tokio::test]
async fn without_snippets_the_page_says_what_to_do() {
    let site = Site::empty().await;
    let page = site.get("/cookbook?status=verified&drift=bad").await;
    assert_eq!(page.status, StatusCode::OK);
    for part in ["paretoscope cookbook sync PATH", "is not used"] {
        assert!(page.text().contains(part), "{part}");
    }
    let answer = site.json("/api/v1/cookbook").await;
    assert_eq!((&answer["synced"], &answer["entries"]), (&json!(false), &json!([])));
}

#[tokio::test]
async fn the_evidence_of_the_reference_run() {
    let site = sample().await;
    let answer = site.get(&format!("/api/v1/runs/{RUN}/evidence")).await;
    assert_eq!(answer.status, StatusCode::OK);
    assert!(answer.header("content-type").starts_with("text/markdown"));
    assert!(!answer.header("etag").is_empty());
    let text = answer.text();
    assert!(text.chars().count() < 60_000);
    assert!(text.starts_with("> **UNOFFICIAL RUN: not an official result**\n"));
    for part in [
        "https://bench.example.org/runs/41261902147#points",
        "It replaces [`/use 40809149952`]",
        "All 8 points that the configuration generates at 41d29b28 are there.",
        "0.0068 (TP2/EP2/DPA c160), within 2σ = 0.0128",
        "3.51 matches the committed 3.51 (`dsv41flash_dspark.yaml`, `thinking_on`, draft length 5).",
        "Measured mean 3.510 on TP4 c1 over 5107 log lines",
        "Built (arm64) from `52604e1d46c1`, an ancestor of the main branch",
        "Baseline: [run 40809149952](https://bench.example.org/runs/40809149952)",
        "| +0.1 % |",
        "| −7.8 % |",
        "P90 E2EL: 7/8 frontier points",
        "P75 E2EL: 7/8 frontier points",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert!(text.lines().all(|l| !l.starts_with('/')), "a line that reads as a command");
    // Whether CI has deleted its artifacts is told against today.
    let timeless: Vec<&str> = text.lines().filter(|l| !l.contains("2027-01-30")).collect();
    insta::assert_snapshot!("evidence_en", timeless.join("\n"));

    let chinese = site.get(&format!("/api/v1/runs/{RUN}/evidence?lang=zh&baseline=none")).await.text();
    assert!(chinese.starts_with("> **非正式 run：不是正式结果**\n"), "{chinese}");
    assert!(chinese.contains("没有基线：没有选择基线。"), "{chinese}");

    for (path, status, name) in [
        (format!("/api/v1/runs/{RUN}/evidence?lang=de"), StatusCode::BAD_REQUEST, Some("lang")),
        (format!("/api/v1/runs/{RUN}/evidence?baseline=1"), StatusCode::BAD_REQUEST, Some("baseline")),
        (format!("/api/v1/runs/{RUN}/evidence?baseline={RUN}"), StatusCode::BAD_REQUEST, Some("baseline")),
        (format!("/api/v1/runs/{RUN}/evidence?baseline=x"), StatusCode::BAD_REQUEST, Some("baseline")),
        (format!("/api/v1/runs/{RUN}/evidence?x=y"), StatusCode::BAD_REQUEST, Some("x")),
        ("/api/v1/runs/77/evidence".to_owned(), StatusCode::NOT_FOUND, None),
    ] {
        let answer = site.get(&path).await;
        assert_eq!(answer.status, status, "{path}");
        assert_eq!(answer.json()["parameter"].as_str(), name, "{path}");
    }
}

#[tokio::test]
async fn evidence_of_a_run_with_little_and_of_a_synthetic_one() {
    let site = sample().await;
    let text = site.get(&format!("/api/v1/runs/{BASE}/evidence")).await.text();
    for part in [
        "No evals were read.",
        "No baseline: no earlier run of its pull request and no earlier official run shares a curve with it.",
        "P90 E2EL of",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    let runs = site.json("/api/v1/runs?limit=500").await;
    let synthetic = runs["items"].as_array().unwrap().iter().find(|r| r["synthetic"] == true).unwrap()["run_id"].as_i64().unwrap();
    let text = site.get(&format!("/api/v1/runs/{synthetic}/evidence")).await.text();
    let first = text.lines().next().unwrap();
    assert!(first.contains("SYNTHETIC SAMPLE DATA"), "{first}");
    assert!(text.contains("Not applicable: the run is synthetic.") && !text.contains("InferenceX (Apache-2.0)"), "{text}");
}

#[tokio::test]
async fn the_document_describes_them() {
    let site = Site::empty().await;
    let document = site.json("/api/v1/openapi.json").await;
    for path in ["/cookbook", "/cookbook.csv", "/runs/{id}/evidence"] {
        assert!(document["paths"][path]["get"].is_object(), "{path}");
    }
    let drift = &document["components"]["schemas"]["Drift"]["properties"];
    assert!(drift["expected"].is_object() && drift["found"].is_object() && drift["kind"].is_object());
}
