//! The API over the bundled sample: the reference run's story in figures, errors, ETags, the OpenAPI document.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test fails by panicking")]

mod common;

use axum::body::Body;
use common::Site;
use http::{Request, StatusCode};
use serde_json::{Value, json};

const RUN: &str = "/api/v1/runs/41261902147";

#[tokio::test]
async fn the_reference_run() {
    let site = Site::sample().await;
    let run = site.json(RUN).await;
    assert_eq!(run["run_id"], 41_261_902_147_i64);
    assert_eq!(run["kind"], "unofficial");
    assert_eq!(run["synthetic"], false);
    assert_eq!(run["attempt"], 2);
    assert_eq!(run["attempts"], json!([1, 2]));
    assert_eq!(run["head_sha"], "41d29b2834a85fcee09db6f9f52653b7c2f30ef3");
    assert_eq!(run["commit_url"], "https://github.com/SemiAnalysisAI/InferenceX/commit/41d29b2834a85fcee09db6f9f52653b7c2f30ef3");
    assert_eq!(run["pr_number"], 4603);
    assert_eq!(run["pr_url"], "https://github.com/SemiAnalysisAI/InferenceX/pull/4603");
    assert_eq!(run["conclusion"], "success");
    assert_eq!(run["date"], "2026-11-01");
    assert_eq!(run["created_at"], Value::Null, "only the day is told");
    assert_eq!(run["config_keys"], json!(["dsv41flash-fp4-gb300-sglang-agentic-dspark"]));
    assert_eq!(
        run["images"],
        json!([{
            "reference": "lmsysorg/sglang:nightly-dev-cu13-20261030-302b78cc",
            "digest": "sha256:d4b7701dc94d287e4fc135dfb4c1a88df0778a936255021aeb26eb54d396e579"
        }])
    );
    assert_eq!(
        (&run["models"], &run["hardware"], &run["scenarios"]),
        (&json!(["dsv41flash"]), &json!(["gb300"]), &json!(["agentic-traces"]))
    );
    assert_eq!((&run["point_count"], &run["eval_count"]), (&json!(8), &json!(6)));
    assert_eq!(run["baseline_run_id"], 40_809_149_952_i64);
}

#[tokio::test]
async fn the_reference_frontiers() {
    let site = Site::sample().await;
    for (x, off, by) in [("p90_e2el", "TP4 c4", "TP4 c16"), ("p75_e2el", "TP4 c1", "TP4 c4")] {
        let answer = site.json(&format!("{RUN}/frontier?x={x}&y=tput_per_gpu")).await;
        assert_eq!((&answer["x"], &answer["y"]), (&json!(x), &json!("tput_per_gpu")));
        let [curve] = answer["curves"].as_array().unwrap().as_slice() else { panic!("one curve: {answer}") };
        assert_eq!(
            (&curve["total"], &curve["eligible"], &curve["invalid"], &curve["frontier"], &curve["verdict"]),
            (&json!(8), &json!(8), &json!(0), &json!(7), &json!("pass"))
        );
        let dominated: Vec<(&str, &str)> = curve["points"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|p| p["on_frontier"] == false)
            .map(|p| (p["label"].as_str().unwrap(), p["dominated_by"].as_str().unwrap()))
            .collect();
        assert_eq!(dominated, [(off, by)], "{x}");
    }
    let older = site.json("/api/v1/runs/40809149952/frontier?x=p90_e2el").await;
    assert_eq!(older["curves"][0]["verdict"], "not_measured", "that run states no latency");
    let p50 = site.json(&format!("{RUN}/frontier?x=p50_e2el")).await;
    assert_eq!(p50["x"], "median_e2el", "p50 is median");
}

#[tokio::test]
async fn the_reference_points() {
    let site = Site::sample().await;
    let points = site.json(&format!("{RUN}/points")).await;
    let table: Vec<(String, f64, f64, f64, u64)> = points
        .as_array()
        .unwrap()
        .iter()
        .map(|p| {
            let m = |name: &str| p["metrics"][name].as_f64().unwrap();
            (p["label"].as_str().unwrap().to_owned(), m("p90_e2el"), m("p75_e2el"), m("tput_per_gpu"), p["attempt"].as_u64().unwrap())
        })
        .collect();
    let expected = [
        ("TP4 c1", 5.67, 3.17, 8105.0, 1),
        ("TP4 c4", 6.29, 2.79, 9425.0, 1),
        ("TP4 c16", 6.25, 3.01, 29242.0, 2),
        ("TP2/EP2 c16", 7.64, 3.55, 57957.0, 1),
        ("TP2/EP2 c32", 12.07, 5.79, 118_105.0, 1),
        ("TP2/EP2/DPA c64", 15.40, 7.61, 224_816.0, 2),
        ("TP2/EP2/DPA c128", 23.44, 10.72, 321_183.0, 2),
        ("TP2/EP2/DPA c160", 33.68, 14.56, 340_890.0, 1),
    ];
    assert_eq!(table, expected.map(|(l, a, b, c, d)| (l.to_owned(), a, b, c, d)));
    let first = &points[0];
    assert_eq!((&first["gpus"], &first["prefill"], &first["requests"]["total"]), (&json!(4), &Value::Null, &Value::Null));
    assert_eq!(first["config_key"], "dsv41flash-fp4-gb300-sglang-agentic-dspark");
}

#[tokio::test]
async fn the_reference_evals() {
    let site = Site::sample().await;
    let evals = site.json(&format!("{RUN}/evals")).await;
    let evals = evals.as_array().unwrap();
    assert_eq!(evals.len(), 6);
    assert!(evals.iter().all(|e| e["n"] == 1319.0 && e["passes"] == true && e["threshold"] == 0.9 && e["threshold_source"] == "default"));
    assert!(evals.iter().all(|e| e["within_2_sigma"] == true && e["stderr"].is_null()));
    let best = evals.iter().map(|e| e["score"].as_f64().unwrap()).fold(0.0, f64::max);
    assert_eq!(best, 0.9757);
    let widest = evals.iter().max_by(|a, b| a["gap"].as_f64().unwrap().total_cmp(&b["gap"].as_f64().unwrap())).unwrap();
    assert_eq!(widest["label"], "TP2/EP2/DPA c160");
    assert_eq!(format!("{:.4}", widest["gap"].as_f64().unwrap()), "0.0068");
    assert_eq!(format!("{:.4}", widest["bound"].as_f64().unwrap()), "0.0128");
    assert!(evals.iter().all(|e| e["image"] == "lmsysorg/sglang:nightly-dev-cu13-20261030-302b78cc"));
}

#[tokio::test]
async fn the_reference_report_accounts_for_every_row() {
    let site = Site::sample().await;
    let report = site.json(&format!("{RUN}/ingest-report")).await;
    assert_eq!(report["rows"]["benchmark"], json!({"new": 8, "duplicate": 0, "skipped": 0, "unmapped": 0, "failed": 0}));
    assert_eq!(report["rows"]["eval"], json!({"new": 6, "duplicate": 6, "skipped": 0, "unmapped": 0, "failed": 0}));
    assert_eq!((&report["rows"]["trace"], &report["rows"]["power"]), (&Value::Null, &Value::Null), "not read yet is null, never 0");
    let counts = &report["counts"];
    assert_eq!(
        (&counts["benchmarkFiles"], &counts["rawBenchmarkRows"], &counts["coveredByPerJobFiles"]),
        (&json!(8), &json!(8), &json!(0))
    );
    assert_eq!((&counts["evalSamplesNew"], &counts["changelogEntriesWritten"]), (&Value::Null, &json!(1)));
    assert_eq!(report["quarantine"], json!([]));
}

#[tokio::test]
async fn runs_are_listed_filtered_and_paged() {
    let site = Site::sample().await;
    let all = site.json("/api/v1/runs?limit=500").await;
    let ids: Vec<i64> = all["items"].as_array().unwrap().iter().map(|r| r["run_id"].as_i64().unwrap()).collect();
    assert_eq!(all["next"], Value::Null);
    assert_eq!(&ids[..2], [41_261_902_147, 40_809_149_952], "newest first");
    let mut paged = Vec::new();
    let mut cursor = String::new();
    loop {
        let page = site.json(&format!("/api/v1/runs?limit=7{cursor}")).await;
        paged.extend(page["items"].as_array().unwrap().iter().map(|r| r["run_id"].as_i64().unwrap()));
        match page["next"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    assert_eq!(paged, ids, "the pages are the list");
    for (query, count) in [
        ("pr=4603", 2),
        ("model=DeepSeek-V4.1-Flash", 2),
        ("hardware=gb300&framework=sglang&kind=unofficial", 2),
        ("q=41d29b28", 1),
        ("q=%234603", 2),
    ] {
        let found = site.json(&format!("/api/v1/runs?{query}")).await;
        assert_eq!(found["items"].as_array().unwrap().len(), count, "{query}");
    }
    let synthetic = all["items"].as_array().unwrap().iter().filter(|r| r["synthetic"] == true).count();
    assert!(synthetic > 10 && synthetic + 2 == ids.len());
}

#[tokio::test]
async fn synthetic_and_real_runs_never_mix() {
    let site = Site::sample().await;
    let all = site.json("/api/v1/runs?limit=500").await;
    let runs = all["items"].as_array().unwrap();
    let synthetic = |id: &Value| runs.iter().find(|r| r["run_id"] == *id).map(|r| r["synthetic"].as_bool().unwrap()).unwrap();
    let with_baseline: Vec<&Value> = runs.iter().filter(|r| !r["baseline_run_id"].is_null()).collect();
    assert!(with_baseline.len() > 3);
    for run in with_baseline {
        assert_eq!(synthetic(&run["baseline_run_id"]), run["synthetic"].as_bool().unwrap());
    }
}

#[tokio::test]
async fn problems_name_the_parameter() {
    let site = Site::sample().await;
    for (path, status, parameter) in [
        ("/api/v1/runs?limit=0", 400, Some("limit")),
        ("/api/v1/runs?limit=x", 400, Some("limit")),
        ("/api/v1/runs?cursor=1", 400, Some("cursor")),
        ("/api/v1/runs?kind=best", 400, Some("kind")),
        ("/api/v1/runs?colour=red", 400, Some("colour")),
        ("/api/v1/runs/abc", 400, Some("id")),
        ("/api/v1/runs/0", 400, Some("id")),
        ("/api/v1/runs/12345", 404, None),
        ("/api/v1/runs/41261902147/points?include=all", 400, Some("include")),
        ("/api/v1/runs/41261902147/frontier?x=speed", 400, Some("x")),
        ("/api/v1/runs/41261902147/frontier?y=std_e2el", 400, Some("y")),
        ("/api/v1/nothing", 404, None),
    ] {
        let answer = site.get(path).await;
        assert_eq!(answer.status.as_u16(), status, "{path}");
        assert_eq!(answer.header("content-type"), "application/problem+json", "{path}");
        let problem = answer.json();
        assert_eq!(problem["status"], status, "{path}");
        assert_eq!(problem.get("parameter").and_then(Value::as_str), parameter, "{path}");
        assert!(problem["detail"].as_str().is_some_and(|d| d.len() > 10), "{path}: {problem}");
    }
}

#[tokio::test]
async fn every_get_has_an_etag() {
    let site = Site::sample().await;
    for path in [
        "/",
        "/runs",
        "/runs/41261902147",
        "/inference",
        "/evaluation?unofficialRun=41261902147",
        "/api/v1/openapi.json",
        "/api/v1/runs",
        "/api/v1/runs/41261902147",
        "/api/v1/runs/41261902147/points",
        "/api/v1/runs/41261902147/points.csv",
        "/api/v1/runs/41261902147/points.md",
        "/api/v1/runs/41261902147/chart.svg",
        "/api/v1/runs/41261902147/preview.png",
        "/api/v1/runs/41261902147/frontier",
        "/api/v1/runs/41261902147/evals",
        "/api/v1/runs/41261902147/ingest-report",
    ] {
        let first = site.get(path).await;
        assert_eq!(first.status, StatusCode::OK, "{path}");
        let etag = first.header("etag").to_owned();
        assert!(!etag.is_empty(), "{path}");
        let again = site.request(Request::get(path).header("if-none-match", &etag).body(Body::empty()).unwrap()).await;
        assert_eq!((again.status, again.body.len()), (StatusCode::NOT_MODIFIED, 0), "{path}");
    }
}

#[tokio::test]
async fn an_answer_moves_on_with_the_data() {
    let site = Site::empty().await;
    assert_eq!(site.get(RUN).await.status, StatusCode::NOT_FOUND);
    let folder = tempfile::tempdir().unwrap();
    let paths = paretoscope_sample::write_to(folder.path(), &paretoscope_sample::reference_runs()).unwrap();
    site.ingest(&paths, &paretoscope_ingest::Options::default()).await;
    assert_eq!(site.get(RUN).await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_purged_run_is_gone_and_comes_back() {
    let site = Site::sample().await;
    let id = "41261902147".parse().unwrap();
    let now = "2026-11-30T12:00:00Z".parse().unwrap();
    assert!(site.store.purge(id, "wrong draft model", "reviewer", now).await.unwrap().is_some());
    for path in [RUN, "/runs/41261902147", "/inference?unofficialRun=41261902147"] {
        let answer = site.get(path).await;
        assert_eq!(answer.status, StatusCode::GONE, "{path}");
        assert!(answer.text().contains("wrong draft model"), "{path}");
    }
    let list = site.json("/api/v1/runs?limit=500").await;
    assert!(list["items"].as_array().unwrap().iter().all(|r| r["run_id"] != 41_261_902_147_i64));
    assert!(site.store.restore(id, "it was the right one", "reviewer", now).await.unwrap().is_some());
    assert_eq!(site.get(RUN).await.status, StatusCode::OK);
}

#[tokio::test]
async fn files_say_that_the_run_is_unofficial() {
    let site = Site::sample().await;
    for file in ["points.csv", "points.md", "chart.svg"] {
        let text = site.get(&format!("{RUN}/{file}")).await.text();
        assert!(text.contains("UNOFFICIAL RUN"), "{file}");
    }
    let png = site.get(&format!("{RUN}/preview.png")).await;
    assert_eq!(png.header("content-type"), "image/png");
    assert_eq!(&png.body[..8], b"\x89PNG\r\n\x1a\n");
    let csv = site.get(&format!("{RUN}/points.csv")).await;
    let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(csv.body.as_slice());
    let headers = reader.headers().unwrap().clone();
    let tput = headers.iter().position(|h| h == "tput_per_gpu").unwrap();
    let values: Vec<String> = reader.records().map(|r| r.unwrap()[tput].to_owned()).collect();
    assert_eq!(values.len(), 8);
    assert_eq!(values[0], "8105");
    let synthetic = site.get("/api/v1/runs/9000000000001/points.csv").await.text();
    assert!(synthetic.contains("SYNTHETIC SAMPLE DATA"));
}

#[tokio::test]
async fn the_openapi_document() {
    let site = Site::empty().await;
    let document = site.json("/api/v1/openapi.json").await;
    insta::assert_json_snapshot!(document);
}

#[tokio::test]
async fn shapes() {
    let site = Site::sample().await;
    let redactions = |mut v: Value| {
        if let Some(o) = v.as_object_mut() {
            o.remove("ingested_at");
        }
        v
    };
    insta::assert_json_snapshot!("run", redactions(site.json(RUN).await));
    insta::assert_json_snapshot!("points", site.json(&format!("{RUN}/points")).await);
    insta::assert_json_snapshot!("frontier", site.json(&format!("{RUN}/frontier?x=p90_e2el&y=tput_per_gpu")).await);
    insta::assert_json_snapshot!("evals", site.json(&format!("{RUN}/evals")).await);
    insta::assert_json_snapshot!("disaggregated point", disaggregated(&site).await);
}

/// The first disaggregated point of the synthetic history.
async fn disaggregated(site: &Site) -> Value {
    let runs = site.json("/api/v1/runs?limit=500").await;
    for run in runs["items"].as_array().unwrap() {
        let points = site.json(&format!("/api/v1/runs/{}/points", run["run_id"])).await;
        if let Some(p) = points.as_array().unwrap().iter().find(|p| p["disagg"] == true) {
            return p.clone();
        }
    }
    panic!("the synthetic history has a disaggregated point");
}

#[tokio::test]
async fn headers_of_every_answer() {
    let site = Site::sample().await;
    for path in ["/runs/41261902147", "/api/v1/runs", "/healthz"] {
        let answer = site.get(path).await;
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
        assert!(answer.header("content-security-policy").contains("default-src 'none'"), "{path}");
    }
    assert_eq!(site.get("/readyz").await.status, StatusCode::OK);
    assert!(site.get("/metrics").await.text().contains("paretoscope_runs "));
}
