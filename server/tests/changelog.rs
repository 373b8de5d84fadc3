//! `repo sync` by the command line, and the changelog as API and page.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod common;

use std::fs;
use std::path::Path;
use std::process::Command;

use common::Site;
use http::StatusCode;
use paretoscope_facts::repo::{RepoOptions, read};
use serde_json::Value;

const LINK: &str = "https://github.com/SemiAnalysisAI/InferenceX/pull";
const KEYS: [&str; 5] = ["m1-fp4-b200-vllm", "m1-fp8-b200-vllm", "m1-fp8-h200-vllm", "m1-fp8-gb300-vllm", "m2-fp4-b200-sglang"];

fn master() -> String {
    let entry = |key: &str| {
        format!(
            "{key}:\n  image: example/engine:1\n  model: org/m\n  model-prefix: m1\n  runner: b200\n  precision: fp4\n  framework: vllm\n  \
             multinode: false\n  scenarios:\n    fixed-seq-len:\n    - {{ isl: 8192, osl: 1024, search-space: [{{ tp: 8, conc-list: [4, 8] }}] }}\n"
        )
    };
    KEYS.iter().map(|key| entry(key)).collect()
}

fn entry(keys: &str, pull: &str, text: &str) -> String {
    format!("- config-keys: [{keys}]\n  description:\n    - \"{text}\"\n  pr-link: {LINK}/{pull}\n\n")
}

fn checkout(folder: &Path, changelog: &str) {
    for (path, text) in [("perf-changelog.yaml", changelog), ("configs/nvidia-master.yaml", &master())] {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

fn sync(folder: &Path, more: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_paretoscope"))
        .args(["repo", "sync"])
        .arg(folder.join("checkout"))
        .args(more)
        .current_dir(folder)
        .env("PARETOSCOPE_DATABASE_URL", format!("sqlite://{}", folder.join("test.db").display()))
        .env_remove("PARETOSCOPE_REPO")
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[test]
fn a_checkout_is_synced_by_command_line() {
    let folder = tempfile::tempdir().unwrap();
    let changelog = format!("{}{}", entry("m1-*", "7", "One"), entry("gone", "XXX", "Two"));
    checkout(&folder.path().join("checkout"), &changelog);
    let commit = ["--commit", "41d29b28", "--committed-at", "2026-11-01T10:00:00Z"];
    let (status, out, _) = sync(folder.path(), &commit);
    assert_eq!(status, 0, "odd entries are kept: {out}");
    for expected in [
        "SemiAnalysisAI/InferenceX, commit 41d29b28 of 2026-11-01T10:00:00Z: new\n",
        "changelog          2 entries\n",
        "configurations     5, which generate 10 points: 10 fixed sequences, 0 agentic\n",
        "code owners        no such file\n",
        "odd, kept: perf-changelog.yaml:9: entry 2: placeholder_link",
        "odd, kept: perf-changelog.yaml:6: gone: no_such_config",
    ] {
        assert!(out.contains(expected), "{expected:?} is not in\n{out}");
    }
    let (status, out, _) = sync(folder.path(), &commit);
    assert_eq!((status, out.contains(": unchanged\n")), (0, true), "{out}");

    checkout(&folder.path().join("checkout"), &format!("{changelog}- just a text\n"));
    let (status, out, _) = sync(folder.path(), &[&commit[..], &["--json"]].concat());
    let report: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(status, 3, "an entry was left out");
    assert_eq!(
        (report["stored"].as_str(), report["counts"]["left_out"].as_u64(), report["counts"]["odd"].as_u64()),
        (Some("changed"), Some(1), Some(2))
    );
    let left_out = report["refused"].as_array().unwrap().iter().find(|r| r["kept"] == false).unwrap();
    assert_eq!((left_out["line"].as_u64(), left_out["reason"].as_str()), (Some(11), Some("wrong_type")));

    assert_eq!(sync(folder.path(), &["--commit", "main"]).0, 2);
    fs::remove_dir_all(folder.path().join("checkout")).unwrap();
    let (status, _, err) = sync(folder.path(), &[]);
    assert_eq!((status, err.contains("is not a folder")), (1, true), "{err}");
}

async fn put(site: &Site, changelog: &str, commit: &str, at: &str) {
    let folder = tempfile::tempdir().unwrap();
    checkout(folder.path(), changelog);
    let options = RepoOptions { commit: Some(commit.to_owned()), committed_at: at.parse().ok(), ..RepoOptions::default() };
    let facts = read(folder.path(), &options, &site.words.vocabulary).unwrap();
    site.store.put_repo(facts, at.parse().unwrap()).await.unwrap();
}

const MAIN: &str = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
const HEAD: &str = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb";

async fn site() -> Site {
    let site = Site::sample().await;
    let changelog = format!(
        "{}{}{}{}- surprise: 1\n",
        entry("m1-*", "4603", "Raise the limit"),
        entry("m2-fp4-b200-sglang", "8", "Newer image"),
        entry("m1-*", "4603", "Lower the limit again"),
        entry("gone", "XXX", "A <b>bold</b> word"),
    );
    put(&site, &changelog, MAIN, "2026-10-01T00:00:00Z").await;
    site
}

fn numbers(answer: &Value) -> Vec<u64> {
    answer["items"].as_array().unwrap().iter().map(|item| item["number"].as_u64().unwrap()).collect()
}

#[tokio::test]
async fn entries_newest_first_page_by_page() {
    let site = site().await;
    let all = site.json("/api/v1/changelog").await;
    assert_eq!(numbers(&all), [4, 3, 2, 1]);
    assert_eq!((all["next"].clone(), all["main"]["commit"].as_str()), (Value::Null, Some(MAIN)));
    assert_eq!(all["left_out"][0]["reason"], "unknown_key");
    let newest = &all["items"][0];
    assert_eq!((newest["pr_number"].clone(), newest["odd"][0]["reason"].as_str()), (Value::Null, Some("placeholder_link")));
    let of_pull = &all["items"][1];
    assert_eq!(of_pull["config_keys"].as_array().unwrap().len(), 4);
    // The sample's run names another configuration, the older run none.
    let runs: Vec<i64> = of_pull["runs"].as_array().unwrap().iter().map(|r| r["run_id"].as_i64().unwrap()).collect();
    assert_eq!(runs, [40_809_149_952]);

    let first = site.json("/api/v1/changelog?limit=3").await;
    assert_eq!((numbers(&first), first["next"].as_str()), (vec![4, 3, 2], Some("2")));
    assert_eq!(numbers(&site.json("/api/v1/changelog?limit=3&cursor=2").await), [1]);
    for (query, expected) in [
        ("config=m1-fp8-h200-vllm", vec![3, 1]),
        ("config=gone", vec![4]),
        ("config=*sglang", vec![2]),
        ("pr=4603", vec![3, 1]),
        ("q=limit+again", vec![3]),
        ("q=40809149952", vec![3, 1]),
        ("q=nothing", vec![]),
    ] {
        assert_eq!(numbers(&site.json(&format!("/api/v1/changelog?{query}")).await), expected, "{query}");
    }
    for (query, parameter) in [("limit=0", "limit"), ("limit=1001", "limit"), ("cursor=9", "cursor"), ("pr=x", "pr"), ("date=1", "date")] {
        let answer = site.get(&format!("/api/v1/changelog?{query}")).await;
        assert_eq!((answer.status, answer.json()["parameter"].as_str()), (StatusCode::BAD_REQUEST, Some(parameter)), "{query}");
    }
}

#[tokio::test]
async fn what_only_a_pull_requests_head_has() {
    let site = site().await;
    let changelog = format!("{}{}", entry("m1-*", "4603", "Raise the limit"), entry("m1-fp4-b200-vllm", "9", "Proposed"));
    put(&site, &changelog, HEAD, "2026-10-02T00:00:00Z").await;
    let folder = tempfile::tempdir().unwrap();
    let pull = serde_json::json!({
        "number": 9, "state": "open", "title": "T", "user": {"login": "pr-author"}, "updated_at": "2026-10-02T00:00:00Z",
        "head": {"sha": HEAD}, "base": {"ref": "main", "repo": {"full_name": "SemiAnalysisAI/InferenceX"}},
    });
    fs::write(folder.path().join("pull.json"), pull.to_string()).unwrap();
    let texts = [("pull.json".to_owned(), pull.to_string().into_bytes())];
    for pull in paretoscope_facts::pull::read_texts(texts, &paretoscope_facts::pull::Options::default()).pulls {
        site.store.put_pull(pull, "2026-10-02T00:00:00Z".parse().unwrap()).await.unwrap();
    }
    let all = site.json("/api/v1/changelog").await;
    let ids: Vec<&str> = all["items"].as_array().unwrap().iter().map(|i| i["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["9.2", "4", "3", "2", "1"]);
    assert_eq!((all["items"][0]["on_pull"].as_i64(), all["items"][0]["commit"].as_str()), (Some(9), Some(HEAD)));
    let page = site.get("/changelog?pr=9").await.text();
    assert!(page.contains("not on main") && page.contains("href=\"/pulls/9\""), "{page}");
}

#[tokio::test]
async fn the_page_says_all_without_javascript() {
    let empty = Site::empty().await;
    let page = empty.get("/changelog").await;
    assert_eq!(page.status, StatusCode::OK);
    assert!(page.text().contains("<code>paretoscope repo sync PATH</code>"), "{}", page.text());

    let site = site().await;
    let page = site.get("/changelog").await.text();
    for expected in [
        "aria-current=\"page\">Changelog",
        "href=\"/pulls/4603\"",
        // Entries of one pull request and configuration stand together.
        "Raise the limit",
        "Lower the limit again",
        "<summary><code>m1-*</code> 4 configurations",
        "href=\"/changelog?config=m1-fp8-h200-vllm\"",
        "href=\"/runs/40809149952\"",
        "A &lt;b&gt;bold",
        "has a placeholder for the number of its pull request",
        "Entries that could not be used",
    ] {
        assert!(page.contains(expected), "{expected:?} is not in\n{page}");
    }
    assert!(page.find("Lower the limit again") < page.find("Raise the limit") && page.find("Raise the limit") < page.find("Newer image"));
    assert!(!page.contains("<b>bold"));
    let filtered = site.get("/changelog?config=nothing&pr=x").await.text();
    assert!(filtered.contains("No entry passes all filters") && filtered.contains("Not all of the address could be used"), "{filtered}");
    let paged = site.get("/changelog?cursor=77").await.text();
    assert!(paged.contains("The page after entry 77 can't be found"), "{paged}");
}
