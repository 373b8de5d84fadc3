//! Comparisons over the bundled sample: the story's figures, the official curve, errors, the page without JavaScript.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod common;

use common::Site;
use http::StatusCode;
use paretoscope_domain::Kind;
use serde_json::{Value, json};

const PAIR: &str = "base=40809149952&head=41261902147";

/// `+0.1`, `−7.8`, …: as they are shown.
fn shown(pct: &Value) -> String {
    paretoscope_domain::format::percent_change(pct.as_f64().unwrap())
}

#[tokio::test]
async fn the_reference_story() {
    let site = Site::sample().await;
    let c = site.json(&format!("/api/v1/compare?{PAIR}")).await;
    let points = c["points"].as_array().unwrap();
    let table: Vec<(&str, String)> =
        points.iter().map(|p| (p["label"].as_str().unwrap(), shown(&p["delta"]["tput_per_gpu"]["pct"]))).collect();
    let s = |t: &str| t.to_owned();
    assert_eq!(
        table,
        [
            ("TP4 c1", s("+0.1 %")),
            ("TP4 c4", s("−7.8 %")),
            ("TP4 c16", s("0.0 %")),
            ("TP2/EP2 c16", s("+0.2 %")),
            ("TP2/EP2 c32", s("−0.6 %")),
            ("TP2/EP2/DPA c64", s("+0.3 %")),
            ("TP2/EP2/DPA c128", s("+0.3 %")),
            ("TP2/EP2/DPA c160", s("−3.5 %")),
        ]
    );
    assert_eq!((&c["base"]["run_id"], &c["head"]["run_id"]), (&json!(40_809_149_952_i64), &json!(41_261_902_147_i64)));
    assert_eq!((&c["added"], &c["removed"]), (&json!([]), &json!([])));
    assert_eq!(c["verdict"]["outcome"], "worse");
    assert_eq!(c["uplift"]["tput_per_gpu"]["n"], 8);
    let worst = &points[1]["delta"]["tput_per_gpu"];
    assert_eq!((&worst["better"], &worst["class"], &worst["significant"]), (&json!(false), &json!("large"), &Value::Null));
    let latency = &points[1]["delta"]["p90_e2el"];
    assert_eq!((&latency["base"], &latency["pct"], &latency["missing"]), (&Value::Null, &Value::Null, &json!("base")));
    assert_eq!(c["curves"][0]["not_compared"], "Frontiers can't be compared: run 40809149952 states no P90 E2EL.");
    let differs: Vec<&str> = c["differences"]["found"].as_array().unwrap().iter().map(|d| d["about"].as_str().unwrap()).collect();
    assert_eq!(differs, ["commit", "image"]);
}

#[tokio::test]
async fn without_a_base_the_runs_own_baseline_is_taken() {
    let site = Site::sample().await;
    let own = site.json("/api/v1/compare?head=41261902147").await;
    assert_eq!(own, site.json(&format!("/api/v1/compare?{PAIR}")).await);
}

#[tokio::test]
async fn a_swap_turns_better_and_worse() {
    let site = Site::sample().await;
    let c = site.json("/api/v1/compare?base=41261902147&head=40809149952").await;
    assert_eq!(c["verdict"]["outcome"], "better");
    assert_eq!(shown(&c["points"][1]["delta"]["tput_per_gpu"]["pct"]), "+8.5 %");
    let same = site.json("/api/v1/compare?base=41261902147&head=41261902147").await;
    assert_eq!(same["verdict"]["outcome"], "same");
    assert!(same["points"].as_array().unwrap().iter().all(|p| p["delta"]["tput_per_gpu"]["pct"] == 0.0));
}

#[tokio::test]
async fn the_official_curve_as_of_a_day() {
    let site = Site::sample().await;
    let head = 9_000_000_000_025_i64;
    let now = site.json(&format!("/api/v1/compare?base=official&head={head}")).await;
    assert_eq!((&now["base"]["official"], &now["base"]["run_id"], &now["base"]["as_of"]), (&json!(true), &Value::Null, &Value::Null));
    let runs = |c: &Value| c["base"]["runs"].as_array().unwrap().iter().map(|r| r["run_id"].as_i64().unwrap()).collect::<Vec<_>>();
    assert_eq!(runs(&now), [9_000_000_000_018], "not the run itself, though it is official");
    let then = site.json(&format!("/api/v1/compare?base=official&head={head}&as_of=2026-05-13")).await;
    assert_eq!((runs(&then), &then["base"]["as_of"]), (vec![9_000_000_000_010], &json!("2026-05-13")));
    let day_before = site.json(&format!("/api/v1/compare?base=official&head={head}&as_of=2026-05-12")).await;
    assert_eq!(runs(&day_before), [9_000_000_000_005]);
    // Enough earlier runs: noise is told, and kept apart from size.
    assert_eq!(now["noise"]["pairs"], now["noise"]["pairs_with_enough"]);
    let d = &now["points"][0]["delta"]["tput_per_gpu"];
    assert!(d["band"].as_f64().is_some_and(|b| b > 0.0) && d["significant"].is_boolean() && d["relevance"].is_string());
}

#[tokio::test]
async fn a_hidden_official_run_is_told_and_the_one_before_counts() {
    let site = Site::sample().await;
    let now = "2026-11-30T12:00:00Z".parse().unwrap();
    site.store.purge("9000000000018".parse().unwrap(), "wrong image", "reviewer", now).await.unwrap();
    let c = site.json("/api/v1/compare?base=official&head=9000000000025").await;
    assert_eq!(c["base"]["runs"][0]["run_id"], 9_000_000_000_010_i64);
    assert_eq!(c["base"]["hidden"][0]["run_id"], 9_000_000_000_018_i64);
}

#[tokio::test]
async fn the_ingested_cohort_is_another_baseline() {
    let site = Site::sample().await;
    let now = "2026-11-30T12:00:00Z".parse().unwrap();
    site.store.set_kind("40809149952".parse().unwrap(), Kind::Official, "ingested", "reviewer", now).await.unwrap();
    let c = site.json("/api/v1/compare?base=official&head=41261902147").await;
    assert_eq!(c["base"]["runs"][0]["run_id"], 40_809_149_952_i64);
    assert_eq!(shown(&c["points"][1]["delta"]["tput_per_gpu"]["pct"]), "−7.8 %");
}

#[tokio::test]
async fn problems_name_the_parameter() {
    let site = Site::sample().await;
    let now = "2026-11-30T12:00:00Z".parse().unwrap();
    site.store.purge("9000000000001".parse().unwrap(), "wrong image", "reviewer", now).await.unwrap();
    for (query, status, parameter, part) in [
        ("", 400, Some("head"), "head is needed"),
        ("head=abc", 400, Some("head"), "is not a run id"),
        ("head=41261902147&base=abc", 400, Some("base"), "`official`"),
        ("head=12345", 404, None, "head=12345"),
        ("head=41261902147&base=77", 404, None, "base=77"),
        ("head=9000000000001", 410, None, "wrong image"),
        ("head=9000000000005&base=9000000000001", 410, None, "base=9000000000001"),
        ("head=40809149952", 400, Some("base"), "has no baseline of its own"),
        ("head=41261902147&base=9000000000005", 400, Some("base"), "synthetic and real runs are not compared"),
        ("head=41261902147&base=40809149952&as_of=2026-11-01", 400, Some("as_of"), "base=official"),
        ("head=41261902147&base=official&as_of=soon", 400, Some("as_of"), "soon"),
        ("head=41261902147&x=speed", 400, Some("x"), "is not a metric"),
        ("head=41261902147&y=std_e2el", 400, Some("y"), "no better end"),
        ("head=41261902147&colour=red", 400, Some("colour"), "colour"),
    ] {
        let answer = site.get(&format!("/api/v1/compare?{query}")).await;
        assert_eq!(answer.status.as_u16(), status, "{query}: {}", answer.text());
        let problem = answer.json();
        assert_eq!(problem.get("parameter").and_then(Value::as_str), parameter, "{query}");
        assert!(problem["detail"].as_str().is_some_and(|d| d.contains(part)), "{query}: {problem}");
    }
}

#[tokio::test]
async fn the_page_answers_in_html_alone() {
    let site = Site::sample().await;
    let now = "2026-11-30T12:00:00Z".parse().unwrap();
    site.store.purge("9000000000002".parse().unwrap(), "wrong image", "reviewer", now).await.unwrap();
    for (query, status, parts) in [
        (PAIR, 200, vec!["Run 41261902147 against run 40809149952", "Worse:", "−7.8", "10,222 → 9,425", "What differs"]),
        ("head=41261902147", 200, vec!["against run 40809149952"]),
        ("base=official&head=9000000000025&show=notable", 200, vec!["SYNTHETIC SAMPLE DATA", "the official curve", "--c:"]),
        ("base=official&head=41261902147", 200, vec!["Nothing to compare:", "no official run has any of these curves"]),
        ("", 200, vec!["Name a run and what to compare it with"]),
        ("head=abc", 400, vec!["head=abc", "is not used", "Newest runs"]),
        ("base=abc&head=41261902147", 200, vec!["base=abc", "is not used", "against run 40809149952"]),
        ("base=77&head=41261902147", 404, vec!["Run 77", "never ingested", "Choose another baseline"]),
        ("base=41261902147&head=77", 404, vec!["Run 77", "never ingested"]),
        ("base=9000000000002&head=9000000000006", 410, vec!["wrong image", "Choose another baseline"]),
        ("base=9000000000005&head=41261902147", 200, vec!["synthetic and real runs are not compared"]),
        ("head=40809149952", 200, vec!["has no baseline of its own", "No earlier run of its pull request"]),
    ] {
        let answer = site.get(&format!("/compare?{query}")).await;
        assert_eq!(answer.status.as_u16(), status, "{query}");
        let text = answer.text().replace("<code>", "").replace("</code>", "").replace("</strong>", "").replace("<!>", "");
        for part in parts {
            assert!(text.contains(part), "{query}: {part:?} is missing");
        }
    }
    let run = site.get("/runs/41261902147").await.text();
    assert!(run.contains("href=\"/compare?base=40809149952&amp;head=41261902147\""), "the run's page leads here");
    assert!(run.contains("href=\"/compare?base=official&amp;head=41261902147\""));
}

#[tokio::test]
async fn pages_and_answers_have_etags() {
    let site = Site::sample().await;
    for path in [format!("/compare?{PAIR}"), format!("/api/v1/compare?{PAIR}")] {
        let answer = site.get(&path).await;
        assert_eq!(answer.status, StatusCode::OK);
        assert!(!answer.header("etag").is_empty(), "{path}");
    }
}

#[tokio::test]
async fn shape() {
    let site = Site::sample().await;
    let mut c = site.json(&format!("/api/v1/compare?{PAIR}")).await;
    // One point of each list is shape enough.
    if let Some(points) = c["points"].as_array_mut() {
        points.truncate(1);
    }
    if let Some(evals) = c["evals"].as_array_mut() {
        evals.truncate(1);
    }
    insta::assert_json_snapshot!("compare", c);
}
