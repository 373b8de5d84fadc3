use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

const PATH: &str = "docs/src/snippets/agentx/example-org/example.jsx";
const DIGEST: &str = "sha256:1111111111111111111111111111111111111111111111111111111111111111";

fn now() -> Timestamp {
    "2026-11-30T00:00:00Z".parse().unwrap()
}

fn of(bytes: &[u8]) -> CookbookRead {
    read_text(PATH, bytes, &Options::default(), now())
}

/// An invented snippet with everything odd that real ones were seen with.
const EXAMPLE: &str = include_str!("example.jsx");

fn snippet() -> Value {
    let (_, object) = EXAMPLE.split_once("agentx = ").unwrap();
    serde_json::from_str(object.trim_end().trim_end_matches(';')).unwrap()
}

fn file(object: &Value) -> String {
    format!(
        "// GENERATED — do not edit.\n//   from main@aaaa {{plus open PRs}}\nexport const agentx = {};\n",
        serde_json::to_string_pretty(object).unwrap()
    )
}

fn names(args: &[(String, Option<String>)]) -> Vec<String> {
    args.iter().map(|(flag, value)| value.as_ref().map_or_else(|| flag.clone(), |v| format!("{flag}={v}"))).collect()
}

#[test]
fn a_snippet_with_all_that_real_ones_hold() {
    let read = of(EXAMPLE.as_bytes());
    assert_eq!(read.refused, []);
    let [version] = read.versions.as_slice() else { panic!("one version") };
    let file = &version.file;
    assert!(version.digest.starts_with("sha256:") && version.digest.len() == 71);
    assert_eq!((file.repo.as_str(), file.path.as_str(), file.model.as_str()), (COOKBOOK_REPO, PATH, "Example-1"));
    assert_eq!(file.header[..2], ["GENERATED — do not edit.", "from main@aaaa {plus open PRs}"]);
    assert_eq!((file.source_repo.as_deref(), file.source_sha.as_deref()), (Some("SemiAnalysisAI/InferenceX"), Some("aaaaaaaaaaaa")));
    assert_eq!(file.pulls[&11].run_id.map(|r| r.get()), Some(9_000_000_000_901));
    assert_eq!((file.pulls[&12].run_id, file.pulls[&12].status.as_deref()), (None, Some("in-progress")));

    let cell = &file.cells[0];
    assert_eq!((cell.run_id.map(|r| r.get()), cell.attempt.map(|a| a.get()), cell.pr), (Some(9_000_000_000_901), Some(2), Some(11)));
    assert_eq!((cell.image.as_deref(), cell.image_digest.as_deref()), (Some("lmsysorg/sglang:nightly-1"), Some(DIGEST)));
    assert_eq!(cell.points.iter().map(|p| p.concs.clone()).collect::<Vec<_>>(), [vec![1], vec![16, 32], vec![64]]);
    assert_eq!((cell.points[0].item.as_deref(), cell.points[0].golden_al.as_deref()), (Some("0"), Some("3.51")));
    assert_eq!(
        names(&cell.args),
        [
            "--port=30000",
            "--bs=1 2 4",
            "--trust-remote-code",
            "--only-first=x",
            "--max-running-requests=2",
            "--max-running-requests=64",
            "--new",
            "--replaced",
            "--data-dir=/tmp/etcd",
            "--request-plane=tcp",
        ]
    );
    let env: Vec<String> = cell.env.iter().map(|(k, v)| format!("{k}={v}")).collect();
    assert_eq!(env, ["SGLANG_DEFAULT_THINKING=1", "PATCHED=1", "SGLANG_TIMEOUT_KEEP_ALIVE=900", "DYN=tcp"]);
    assert_eq!(cell.commands, ["python3 -m sglang.launch_server", "pip install example", "etcd", "python3 -m dynamo.sglang"]);

    let other = &file.cells[1];
    assert_eq!(
        (other.image_digest.as_deref(), other.image_status.as_deref(), other.status_word.as_deref()),
        (None, Some("pruned"), Some("in-progress"))
    );
    assert_eq!((other.run_id, other.pr, other.points[0].golden_al.as_deref()), (None, Some(12), Some("4.8")));
    assert!(other.env.contains(&("SGLANG_NVFP4_CKPT_FP8_NEXTN_MOE".to_owned(), "1".to_owned())), "from the shared environment");
    assert_eq!(names(&other.args), ["--port=30000", "--trust-remote-code", "--only-first=x", "--max-running-requests=2", "--tp=4"]);
}

#[test]
fn a_json_file_is_the_same_object() {
    let (jsx, plain) = (of(file(&snippet()).as_bytes()), of(snippet().to_string().as_bytes()));
    let wrapped = of(json!({ "agentx": snippet() }).to_string().as_bytes());
    assert_eq!(plain.versions[0].file.cells, jsx.versions[0].file.cells);
    assert_eq!(wrapped.versions[0].file.cells, jsx.versions[0].file.cells);
}

#[test]
fn what_does_not_parse_says_where() {
    let whole = file(&snippet());
    let cut = whole.get(..whole.len() - 10).unwrap();
    for (text, reason, line) in [
        ("", "no_object", None),
        ("export const deployment = {};", "no_object", None),
        ("export const agentx = make();", "no_object", None),
        (cut, "no_object", None),
        ("// a\nexport const agentx = {\n \"cells\": [],\n model: 1,\n};", "bad_json", Some(4)),
        ("export const agentx = {\"cells\": [1,]};", "bad_json", Some(1)),
        ("export const agentx = {\"model\": \"x\"};", "missing_field", None),
        ("\u{0}", "no_object", None),
    ] {
        let read = of(text.as_bytes());
        assert!(read.versions.is_empty());
        assert_eq!(
            (read.refused[0].reason.as_str(), read.refused[0].line, read.refused[0].file.as_str()),
            (reason, line, PATH),
            "{text:?}"
        );
    }
    assert_eq!(of(b"\xff").refused[0].reason, "not_utf8");
}

#[test]
fn a_broken_cell_leaves_the_others() {
    let broken = |change: &dyn Fn(&mut Value)| {
        let mut snippet = snippet();
        change(&mut snippet);
        let read = of(file(&snippet).as_bytes());
        let kept: Vec<String> = read.versions[0].file.cells.iter().map(|c| c.id.rsplit('#').next().unwrap().to_owned()).collect();
        (read.refused.iter().map(|r| r.reason.clone()).collect::<Vec<_>>(), kept)
    };
    let set = |path: &'static str, value: Value| move |s: &mut Value| *s.pointer_mut(path).unwrap() = value.clone();
    let remove = |cell: usize, key: &'static str| move |s: &mut Value| drop(s["cells"][cell].as_object_mut().unwrap().remove(key));
    for (change, reason) in [
        (Box::new(set("/cells/1", json!(7))) as Box<dyn Fn(&mut Value)>, "wrong_type"),
        (Box::new(remove(1, "id")), "missing_field"),
        (Box::new(set("/cells/1/id", json!("no-item"))), ""),
        (Box::new(set("/cells/1/id", json!("ex-fp4-gb300-sglang-agentic#0"))), "duplicate_id"),
        (Box::new(set("/cells/1/prov/pr", json!("twelve"))), "bad_provenance"),
        (Box::new(|s: &mut Value| s["cells"][1]["prov"]["run"] = json!("9000000000901/x")), "bad_provenance"),
        (Box::new(set("/cells/1/points/0/concs", json!([0]))), "bad_point"),
        (Box::new(set("/cells/1/points/0", json!({"item": 1}))), "bad_point"),
        (Box::new(set("/cells/1/routers/sglang/blocks/0/ref", json!([9, "sglang", 0]))), "bad_blocks"),
        (Box::new(set("/cells/1/routers/sglang/blocks/0/ref", json!([1, "sglang", 0]))), "bad_blocks"),
        (Box::new(set("/cells/1/routers/sglang/blocks/0/envRef", json!(9))), "bad_blocks"),
        (Box::new(set("/cells/1/routers/sglang/blocks/0/diff", json!("x"))), "bad_blocks"),
    ] {
        let (reasons, kept) = broken(&*change);
        if reason.is_empty() {
            assert_eq!((reasons.len(), kept.len()), (0, 2), "the key is told beside it");
        } else {
            assert_eq!((reasons, kept), (vec![reason.to_owned()], vec!["0".to_owned()]));
        }
    }
    // What another cell rests on takes that one along.
    let (reasons, kept) = broken(&set("/cells/0/routers/sglang/blocks/0/args", json!([7])));
    assert_eq!((reasons, kept.len()), (vec!["bad_blocks".to_owned(); 2], 0));
    let (reasons, kept) = broken(&set("/source/prs/12/run", json!(true)));
    assert_eq!((reasons, kept.len()), (vec!["bad_run".to_owned()], 2));
}

#[test]
fn blocks_may_build_on_their_own_router_and_share_environments() {
    let mut snippet = snippet();
    let whole = json!({"kind": "worker", "cmd": "a", "args": [["--x", "1"], "--bare"], "env": [0, {"B": "own"}]});
    let other = json!({"from": 0, "cmd": "b", "diff": {"args": [["--y", "2"]], "env": {"B": null}}, "drop": ["kind"]});
    snippet["cells"][1]["routers"] = json!({"sglang": {"blocks": [whole, other]}});
    let file = of(file(&snippet).as_bytes()).versions.remove(0).file;
    assert_eq!(names(&file.cells[1].args), ["--x=1", "--bare", "--y=2"]);
    assert_eq!(file.cells[1].commands, ["a", "b"]);
    let env: Vec<&str> = file.cells[1].env.iter().map(|(k, _)| k.as_str()).collect();
    assert_eq!(env, ["SGLANG_TIMEOUT_KEEP_ALIVE", "B"]);
}

#[test]
fn points_may_have_a_provenance_of_their_own() {
    let mut snippet = snippet();
    snippet["cells"][1].as_object_mut().unwrap().remove("prov");
    snippet["cells"][1]["points"] = json!([
        {"concs": [4], "status": "verified", "pr": "11", "runUrl": "https://github.com/SemiAnalysisAI/InferenceX/actions/runs/9000000000901/attempts/1"},
        {"concs": [8], "status": "verified", "pr": "11", "runUrl": "https://github.com/SemiAnalysisAI/InferenceX/actions/runs/9000000000901/attempts/1"},
    ]);
    let cells = of(file(&snippet).as_bytes()).versions.remove(0).file.cells;
    assert_eq!((cells.len(), cells[1].points.len(), cells[1].status_word.as_deref()), (2, 2, Some("verified")));
    assert_eq!(cells[1].attempt.map(|a| a.get()), Some(1));
    snippet["cells"][1]["points"][1]["status"] = json!("in-progress");
    let cells = of(file(&snippet).as_bytes()).versions.remove(0).file.cells;
    assert_eq!(cells.iter().map(|c| c.id.rsplit('#').next().unwrap()).collect::<Vec<_>>(), ["0", "1@1", "1@2"]);
}

#[test]
fn a_checkout_is_searched_and_its_commit_told() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let write = |path: &str, text: &str| {
        let path = root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write(PATH, &file(&snippet()));
    write("docs/src/snippets/agentx/example-org/broken.jsx", "export const agentx = {");
    write("docs/src/snippets/_agentx.jsx", "export const AgentX = () => null;");
    write("docs/src/snippets/agentx/_helper.jsx", "export const x = 1;");
    write("docs/src/snippets/configs/other.jsx", "export const config = {};");
    write(
        "docs/cookbook/example/Example-1.mdx",
        "import { agentx } from \"/src/snippets/agentx/example-org/example.jsx\";\n\n## Agentic Deployment\n\n<AgentX data={agentx} />\n",
    );
    let read_all = |options: &Options| read(root, options, now()).unwrap();
    let plain = read_all(&Options::default());
    assert_eq!(plain.versions.iter().map(|v| v.file.path.as_str()).collect::<Vec<_>>(), [PATH]);
    assert_eq!(
        plain.refused.iter().map(|r| (r.file.as_str(), r.reason.as_str())).collect::<Vec<_>>(),
        [("docs/src/snippets/agentx/example-org/broken.jsx", "no_object")]
    );
    assert_eq!(plain.versions[0].file.page.as_deref(), Some("https://docs.sglang.io/cookbook/example/Example-1#agentic-deployment"));
    assert_eq!((plain.versions[0].committed_at, plain.versions[0].at()), (None, now()));

    let git = |args: &[&str]| {
        let out = std::process::Command::new("git")
            .arg("-C")
            .arg(root)
            .args(["-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "commit.gpgsign=false"])
            .args(args)
            .env("GIT_COMMITTER_DATE", "2026-11-03T03:28:14Z")
            .output()
            .unwrap();
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
        String::from_utf8(out.stdout).unwrap()
    };
    git(&["init", "-q"]);
    git(&["add", "."]);
    git(&["commit", "-q", "-m", "[docs] Sync the cookbook (#47929)"]);
    let told = read_all(&Options::default());
    let version = &told.versions[0];
    assert_eq!(version.file.commit.as_deref(), Some(git(&["rev-parse", "HEAD"]).trim()));
    assert_eq!((version.committed_at, version.file.cookbook_pr), (Some("2026-11-03T03:28:14Z".parse().unwrap()), Some(47929)));
    // What the caller knows counts first; a single file is the same file.
    let options = Options { commit: Some("abc".to_owned()), cookbook_pr: Some(1), page: Some("p".to_owned()), ..Options::default() };
    let single = read(&root.join(PATH), &options, now()).unwrap();
    assert_eq!(single.versions[0].file.path, PATH);
    assert_eq!((single.versions[0].file.commit.as_deref(), single.versions[0].file.cookbook_pr), (Some("abc"), Some(1)));
    // A changed file is none of the commit's.
    write(PATH, &format!("{}\n", file(&snippet())));
    let changed = read_all(&Options::default());
    assert_eq!((changed.versions[0].file.commit.as_deref(), changed.versions[0].committed_at), (None, None));
    assert!(changed.refused.iter().any(|r| r.reason == "differs_from_commit" && r.kept));
}

#[test]
fn where_there_is_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let error = |path: &Path, options: &Options| read(path, options, now()).unwrap_err().to_string();
    assert!(error(folder.path(), &Options::default()).contains("no snippet"));
    assert!(error(&folder.path().join("none"), &Options::default()).contains("none"));
    std::fs::write(folder.path().join("a.jsx"), file(&snippet())).unwrap();
    let told = Options { path: Some(PATH.to_owned()), ..Options::default() };
    assert_eq!(read(folder.path(), &told, now()).unwrap().versions[0].file.path, PATH);
    std::fs::write(folder.path().join("b.jsx"), file(&snippet())).unwrap();
    assert!(error(folder.path(), &told).contains("2 snippets"));
}

/// A snippet with one value anywhere in it replaced.
fn damaged() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "[ -~]{0,6}".prop_map(Value::from),
        Just(json!([])),
        Just(json!({})),
        Just(json!([0, "sglang", 0])),
        Just(json!([1, "sglang", 0])),
    ];
    (proptest::collection::vec((any::<prop::sample::Index>(), leaf), 1..4)).prop_map(|changes| {
        let mut value = snippet();
        for (at, with) in changes {
            let paths = pointers(&value, "");
            let path = at.get(&paths).clone();
            if let Some(place) = value.pointer_mut(&path) {
                *place = with;
            }
        }
        value
    })
}

fn pointers(value: &Value, at: &str) -> Vec<String> {
    let below: Vec<(String, &Value)> = match value {
        Value::Object(map) => map.iter().map(|(k, v)| (k.replace('~', "~0").replace('/', "~1"), v)).collect(),
        Value::Array(items) => items.iter().enumerate().map(|(i, v)| (i.to_string(), v)).collect(),
        _ => Vec::new(),
    };
    std::iter::once(at.to_owned()).chain(below.into_iter().flat_map(|(k, v)| pointers(v, &format!("{at}/{k}")))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_damage_panics_and_every_cell_is_accounted_for(value in damaged()) {
        let read = of(file(&value).as_bytes());
        match read.versions.as_slice() {
            [version] => {
                let cells = value["cells"].as_array().map_or(0, Vec::len);
                let refused = read.refused.iter().filter(|r| !r.what.starts_with("source.")).count();
                prop_assert!(version.file.cells.len() + refused >= cells);
            }
            _ => prop_assert!(!read.refused.is_empty()),
        }
    }

    #[test]
    fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200), at in 0..3000_usize) {
        let _ = of(&bytes);
        let mut text = file(&snippet()).into_bytes();
        text.truncate(at);
        text.extend(bytes);
        let _ = of(&text);
    }
}
