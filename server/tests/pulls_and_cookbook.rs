//! `pulls import`, `cookbook sync` and what `sample` brings, by the command line: reports, exit statuses, and that nothing rolls back.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

/// A command over a database of its own.
struct Cli {
    folder: tempfile::TempDir,
}

/// How a command ended.
struct Ended {
    status: i32,
    out: String,
    err: String,
}

impl Cli {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn run(&self, arguments: &[&str]) -> Ended {
        let output = Command::new(env!("CARGO_BIN_EXE_paretoscope"))
            .args(arguments)
            .current_dir(self.folder.path())
            .env("PARETOSCOPE_DATABASE_URL", format!("sqlite://{}", self.folder.path().join("test.db").display()))
            .env_remove("PARETOSCOPE_REPO")
            .output()
            .unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Ended { status: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) }
    }

    /// Runs with --json: the exit status and the lines.
    fn json(&self, arguments: &[&str]) -> (i32, Vec<Value>) {
        let ended = self.run(&[&["--json"], arguments].concat());
        (ended.status, ended.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
    }

    fn write(&self, name: &str, contents: &str) {
        let path = self.folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, contents).unwrap();
    }
}

fn sample_folder() -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../sample/pulls/4603").to_str().unwrap().to_owned()
}

fn pull(updated: &str, head: &str, commits: usize) -> Value {
    json!({
        "number": 7, "state": "open", "title": "A title", "user": {"login": "pr-author"}, "updated_at": updated, "commits": commits,
        "changed_files": 0, "comments": 0, "head": {"sha": head}, "base": {"ref": "main", "repo": {"full_name": "o/r"}},
    })
}

fn commit(sha: &str) -> Value {
    json!({"sha": sha, "commit": {"message": "M", "committer": {"date": "2026-10-30T00:00:00Z"}}, "parents": []})
}

const FIRST: &str = "1111111111111111111111111111111111111111";
const SECOND: &str = "2222222222222222222222222222222222222222";

#[test]
fn the_sample_brings_what_the_reference_pull_request_rests_on_once() {
    let cli = Cli::new();
    let stored = |lines: &[Value]| -> Vec<(String, String)> {
        let beside = lines.iter().filter(|l| l.get("loaded").is_some());
        beside.map(|l| (l["loaded"].as_str().unwrap().to_owned(), l["stored"].as_str().unwrap().to_owned())).collect()
    };
    let (status, lines) = cli.json(&["sample"]);
    assert_eq!(status, 0);
    let first = stored(&lines);
    for part in [
        "Benchmark repository, main",
        "Pull request 4603 (retold)",
        "Run 41261902147, ",
        "sgl-project/sglang#47464",
        "sgl-project/sglang#47929",
    ] {
        assert!(first.iter().any(|(loaded, stored)| loaded.contains(part) && stored == "new"), "{part}: {first:?}");
    }
    let (_, again) = cli.json(&["sample"]);
    assert!(stored(&again).iter().all(|(_, stored)| stored == "same"), "{again:?}");
    // The same from the files that lie in the repository.
    let (status, lines) = cli.json(&["pulls", "import", &sample_folder()]);
    assert_eq!((status, lines[0]["pulls"][0]["stored"].as_str(), lines[0]["refused"].as_array().unwrap().len()), (0, Some("same"), 0));
    // A list alone takes nothing away.
    let (_, lines) = cli.json(&["pulls", "import", &format!("{}/comments.json", sample_folder())]);
    assert_eq!((lines[0]["pulls"][0]["stored"].as_str(), lines[0]["pulls"][0]["commits"].as_u64()), (Some("same"), Some(5)));
}

#[test]
fn payloads_are_merged_and_older_ones_roll_nothing_back() {
    let cli = Cli::new();
    cli.write("later/pull.json", &pull("2026-11-02T00:00:00Z", SECOND, 1).to_string());
    cli.write("later/commits.json", &json!([commit(SECOND)]).to_string());
    cli.write("before/pull.json", &pull("2026-11-01T00:00:00Z", FIRST, 1).to_string());
    cli.write("before/commits.json", &json!([commit(FIRST)]).to_string());
    let later = cli.run(&["pulls", "import", "later"]);
    assert_eq!(later.status, 0);
    assert!(later.out.contains("o/r#7 “A title”: new"), "{}", later.out);
    assert!(later.out.contains("known now: 1 commit, 0 files, 0 comments, 0 reviews (not known to be all)"), "{}", later.out);
    let (status, lines) = cli.json(&["pulls", "import", "before"]);
    let told = &lines[0]["pulls"][0];
    assert_eq!(
        (status, told["stored"].as_str(), told["commits"].as_u64(), told["dropped"].as_u64()),
        (0, Some("changed"), Some(1), Some(1))
    );
    assert_eq!(told["known"]["commits"], json!(true));
    let (_, lines) = cli.json(&["pulls", "import", "before", "later"]);
    assert_eq!(lines[0]["pulls"][0]["stored"], json!("same"));
}

#[test]
fn what_is_refused_is_named_and_the_rest_lands() {
    let cli = Cli::new();
    cli.write("pull.json", &pull("2026-11-02T00:00:00Z", SECOND, 1).to_string());
    cli.write("rows.json", "[{\"hw\": \"gb300\", \"conc\": 4}]");
    cli.write("cut.json", "{\"number\": 7,\n");
    let ended = cli.run(&["pulls", "import", "pull.json", "rows.json", "cut.json", "absent.json"]);
    assert_eq!(ended.status, 3);
    for part in ["refused: rows.json", "not_recognised", "refused: cut.json, line 2", "bad_json", "refused: absent.json: unreadable"] {
        assert!(ended.out.contains(part), "{part}: {}", ended.out);
    }
    assert_eq!(cli.run(&["pulls", "import", "rows.json"]).status, 1);
    let nothing = cli.run(&["pulls", "import", "."]);
    assert_eq!(nothing.status, 3, "the folder holds them all");
    fs::create_dir(cli.folder.path().join("empty")).unwrap();
    let empty = cli.run(&["--json", "pulls", "import", "empty"]);
    assert_eq!(empty.status, 1);
    assert!(serde_json::from_str::<Value>(&empty.err).unwrap()["error"].as_str().unwrap().contains("no *.json file"), "{}", empty.err);
    assert_eq!(cli.run(&["pulls", "import"]).status, 2);
}

fn snippet(status: &str) -> String {
    let cell = json!({
        "id": "ex-fp4-gb300-sglang#0", "configKey": "ex-fp4-gb300-sglang", "hw": "gb300", "label": "Agg TP4",
        "prov": {"sha": "abcdef12", "pr": "7", "status": status}, "points": [{"concs": [4], "item": 0}],
    });
    format!("// Invented\nexport const agentx = {};\n", json!({"model": "Example-1", "cells": [cell]}))
}

#[test]
fn a_snippet_that_fails_keeps_its_last_good_state() {
    const FILE: &str = "sglang/docs/src/snippets/agentx/org/model.jsx";
    let cli = Cli::new();
    cli.write(FILE, &snippet("in-progress"));
    cli.write("sglang/docs/src/snippets/agentx/org/other.jsx", &snippet("verified"));
    let sync = ["cookbook", "sync", "sglang", "--committed-at", "2026-11-01T00:00:00Z", "--cookbook-pr", "47464"];
    let (status, lines) = cli.json(&sync);
    let file = &lines[0]["files"][0];
    assert_eq!((status, lines[0]["files"].as_array().unwrap().len()), (0, 2));
    assert_eq!(
        (file["path"].as_str(), file["stored"].as_str(), file["cookbook_pr"].as_i64()),
        (Some(&FILE[7..]), Some("new"), Some(47464))
    );
    assert_eq!(file["statuses"], json!({"in-progress": 1}));
    assert_eq!(cli.json(&sync).1[0]["files"][0]["stored"], json!("same"));

    cli.write(FILE, "// Invented\nexport const agentx = {\"cells\": [,]};\n");
    let failed = cli.run(&sync);
    assert_eq!(failed.status, 3);
    assert!(failed.out.contains("refused: docs/src/snippets/agentx/org/model.jsx, line 2: bad_json"), "{}", failed.out);
    assert!(failed.out.contains("model.jsx: its last good state stays, of 2026-11-01T00:00:00Z"), "{}", failed.out);
    let (status, lines) = cli.json(&["cookbook", "sync", FILE]);
    assert_eq!(
        (status, lines[0]["files"].as_array().unwrap().len(), lines[0]["left"][0]["last_good"].as_str()),
        (1, 0, Some("2026-11-01T00:00:00Z"))
    );

    cli.write(FILE, &snippet("verified-pr"));
    let (status, lines) = cli.json(&["cookbook", "sync", FILE, "--committed-at", "2026-11-03T03:28:14Z"]);
    assert_eq!((status, lines[0]["files"][0]["stored"].as_str()), (0, Some("new")));
    let nothing = cli.run(&["cookbook", "sync", "absent"]);
    assert_eq!(nothing.status, 1);
    assert!(nothing.err.contains("absent"), "{}", nothing.err);
}
