//! Whole checkouts: both layouts, git, and what is not there.
#![expect(clippy::indexing_slicing, clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;
use std::process::Command;

use paretoscope_domain::repo::RepoFacts;
use paretoscope_domain::vocabulary::Vocabulary;
use paretoscope_facts::repo::{RepoError, RepoOptions, read, reason};

const CONFIG: &str = "\
# First of its kind.
#
# And its only one.
m1-fp4-b200-sglang:
  image: example/engine:1 # pinned
  model: org/M-1
  model-prefix: m1
  runner: cluster:b200-x
  precision: fp4
  framework: sglang
  multinode: false
  srt-recipe-dir: m1/sglang/b200-fp4
  scenarios:
    agentic-coding:
    - dram-utilization: 0.5
      search-space:
      - { tp: 4, spec-decoding: mtp, kv-offloading: none, conc-list: [1, 4], srt-recipe: \"agentic.yaml:override_low\" }
      - { tp: 2, ep: 2, dp-attn: true, kv-offloading: dram, kv-offload-backend: { name: hicache, version: \"1\" }, conc-start: 4, conc-end: 24, srt-recipe: agentic.yaml }
      - { tp: four, conc-list: [1] }
      - { conc-list: [1] }
      - { tp: 1, conc-list: [1], conc-start: 1, conc-end: 2 }
      - { tp: 1, conc-list: [0] }
    fixed-seq-len:
    - isl: 8192
      osl: 1024
      search-space:
      - { tp: 8, conc-list: [64] }
    - osl: 1024
      search-space: []
m1-fp8-gb300-dynamo:
  image: example/engine:1
  model: org/M-1
  model-prefix: m1
  runner: cluster:gb300-x
  precision: fp8
  framework: dynamo-sglang
  multinode: true
  disagg: false
  colour: blue
  scenarios:
    agentic-coding:
    - search-space:
      - conc-list: [8]
        num-nodes: 2
        kv-offloading: none
        worker: { tp: 8, ep: 8, dp-attn: true }
      - conc-list: [9]
        prefill: { num-worker: 1, tp: 16, ep: 1, dp-attn: false, additional-settings: [\"X=1\", \"CONFIG_FILE=recipes/a.yaml:override_b\"] }
        decode: { num-worker: 0, tp: 0, ep: 0, dp-attn: false }
broken: 3
";

fn put(root: &Path, files: &[(&str, &str)]) {
    for (path, text) in files {
        let path = root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
}

fn facts(root: &Path, options: &RepoOptions) -> RepoFacts {
    read(root, options, &Vocabulary::shipped().unwrap()).unwrap()
}

const CHANGELOG: &str =
    "- config-keys: [m1-*, old-*]\n  description: [one]\n  pr-link: https://github.com/SemiAnalysisAI/InferenceX/pull/1\n";
const MODELS: &str = "| Model | Prefix | Date added | Active scenarios | Deprecated scenarios |\n|---|---|---|---|---|\n| M-1 | `m1` | 2026-01-01 | Agentic coding | |\n";

#[test]
fn both_layouts() {
    let older = [
        ("perf-changelog.yaml", CHANGELOG),
        ("configs/nvidia-master.yaml", CONFIG),
        ("configs/runners.yaml", "labels: {}"),
        ("MODELS.md", MODELS),
        ("golden_al_distribution/m1.yaml", "m-1: {thinking_on: {1: 1.5}}"),
        ("utils/evals/thresholds.yaml", "default: {gsm8k: 0.9}"),
        ("docs/PR_REVIEW_CHECKLIST.md", "- [ ] one"),
        (".github/CODEOWNERS", "* @a"),
    ];
    let newer = [
        ("inferencex-e2e/perf-changelog.yaml", CHANGELOG),
        ("inferencex-e2e/configs/nvidia-master.yaml", CONFIG),
        ("inferencex-e2e/docs/MODELS.md", MODELS),
        ("inferencex-e2e/infx/golden_al_distribution/m1.yaml", "m-1: {thinking_on: {1: 1.5}}"),
        ("inferencex-e2e/infx/evals/thresholds.yaml", "{\"default\": {\"gsm8k\": 0.9}}"),
        ("inferencex-e2e/docs/PR_REVIEW_CHECKLIST.md", "- [ ] one"),
        (".github/CODEOWNERS", "* @a"),
    ];
    let mut read_of = Vec::new();
    for (files, root) in [(&older[..], ""), (&newer[..], "inferencex-e2e")] {
        let folder = tempfile::tempdir().unwrap();
        put(folder.path(), files);
        let facts = facts(folder.path(), &RepoOptions::default());
        assert_eq!(facts.root, root);
        assert_eq!((facts.changelog.len(), facts.configs.len(), facts.models.len(), facts.golden.len()), (1, 2, 1, 1));
        assert_eq!(
            (facts.thresholds.len(), facts.code_owners.as_ref().unwrap().rules.len(), facts.checklist.as_ref().unwrap().items.len()),
            (1, 1, 1)
        );
        assert_eq!(facts.changelog[0].config_keys, ["m1-fp4-b200-sglang", "m1-fp8-gb300-dynamo"]);
        read_of.push(facts);
    }
    assert_eq!(read_of[0].configs, read_of[1].configs);
    assert_eq!(read_of[0].changelog, read_of[1].changelog);
    assert_eq!(read_of[0].models, read_of[1].models);

    // Where both lie there, the newer one is read and the older one named.
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), &older);
    put(folder.path(), &newer);
    let facts = facts(folder.path(), &RepoOptions::default());
    let other: Vec<&str> = facts.refused.iter().filter(|r| r.reason == reason::OTHER_PLACE).map(|r| r.file.as_str()).collect();
    assert_eq!(
        other,
        [
            "configs",
            "perf-changelog.yaml",
            "MODELS.md",
            "golden_al_distribution",
            "utils/evals/thresholds.yaml",
            "docs/PR_REVIEW_CHECKLIST.md"
        ]
    );
}

#[test]
fn a_master_configuration() {
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), &[("configs/nvidia-master.yaml", CONFIG), ("configs/amd-master.yaml", "broken: 4\n")]);
    let facts = facts(folder.path(), &RepoOptions::default());
    let one = facts.configs.iter().find(|c| c.key == "m1-fp4-b200-sglang").unwrap();
    assert_eq!(one.comments, ["First of its kind.", "", "And its only one.", "pinned"]);
    assert_eq!((one.line, one.image.as_deref()), (4, Some("example/engine:1")));
    let points: Vec<(&str, usize, u32, Option<&str>)> =
        one.points.iter().map(|p| (p.scenario.as_str(), p.item, p.conc, p.recipe.as_deref())).collect();
    let (low, all) = (Some("m1/sglang/b200-fp4/agentic.yaml:override_low"), Some("m1/sglang/b200-fp4/agentic.yaml"));
    let agentic = "agentic-traces";
    assert_eq!(
        points,
        [
            (agentic, 0, 1, low),
            (agentic, 0, 4, low),
            (agentic, 1, 4, all),
            (agentic, 1, 8, all),
            (agentic, 1, 16, all),
            (agentic, 1, 24, all),
            ("8k1k", 0, 64, None)
        ]
    );
    let second = &one.points[2];
    assert_eq!(
        (second.parallel.tp, second.parallel.ep, second.parallel.pp, second.parallel.dp_attention),
        (Some(2), Some(2), Some(1), Some(true))
    );
    assert_eq!(
        (second.kv_offloading.as_str(), second.kv_offload_backend.as_deref(), second.spec_decoding.as_str()),
        ("dram", Some("hicache"), "none")
    );
    assert!(second.recipe_identity.contains("\"dram-utilization\":0.5") && !one.points[0].recipe_identity.contains("dram-utilization"));

    let several = facts.configs.iter().find(|c| c.key == "m1-fp8-gb300-dynamo").unwrap();
    let sizes: Vec<_> = several.points.iter().map(|p| (p.conc, p.parallel.tp, p.prefill.is_some(), p.nodes, p.recipe.as_deref())).collect();
    assert_eq!(sizes, [(8, Some(8), false, Some(2), None), (9, Some(16), false, None, Some("recipes/a.yaml:override_b"))]);

    let refused: Vec<(Option<u64>, &str, &str, bool)> =
        facts.refused.iter().map(|r| (r.line, r.what.as_str(), r.reason.as_str(), r.kept)).collect();
    let key = "m1-fp4-b200-sglang";
    let item = |n: usize| format!("{key} {agentic} item {n}");
    assert_eq!(
        refused,
        [
            (Some(1), "broken", reason::WRONG_TYPE, false),
            (Some(19), &item(2), reason::WRONG_TYPE, false),
            (Some(20), &item(3), reason::MISSING, false),
            (Some(21), &item(4), reason::CONTRADICTION, false),
            (Some(22), &item(5), reason::WRONG_TYPE, false),
            (Some(28), key, reason::MISSING, false),
            (Some(39), "m1-fp8-gb300-dynamo", reason::UNKNOWN_KEY, true),
            (Some(50), "broken", reason::WRONG_TYPE, false),
        ]
    );
}

#[test]
fn recipes_are_equal_by_what_they_generate() {
    let identity = |item: &str, image: &str| {
        let text = format!(
            "k:\n  image: {image}\n  model: o/m\n  model-prefix: m\n  runner: r\n  precision: fp4\n  framework: vllm\n  multinode: false\n  scenarios:\n    agentic-coding:\n    - search-space:\n      - {item}\n"
        );
        let folder = tempfile::tempdir().unwrap();
        put(folder.path(), &[("configs/x-master.yaml", &text)]);
        facts(folder.path(), &RepoOptions::default()).configs[0].points[0].recipe_identity.clone()
    };
    let base = identity("{ tp: 4, conc-list: [1] }", "i:1");
    for (item, image, same) in [
        ("{ conc-list: [8, 9], tp: 4 }", "i:1", true),
        ("{ tp: 4, ep: 1, pp: 1, dp-attn: false, spec-decoding: none, kv-offloading: none, conc-start: 1, conc-end: 2 }", "i:1", true),
        ("{ tp: 4, conc-list: [1] }", "i:2", false),
        ("{ tp: 4, ep: 4, conc-list: [1] }", "i:1", false),
        ("{ tp: 4, spec-decoding: mtp, conc-list: [1] }", "i:1", false),
        ("{ tp: 4, srt-recipe: a.yaml, conc-list: [1] }", "i:1", false),
    ] {
        assert_eq!(identity(item, image) == base, same, "{item} {image}");
    }
}

#[test]
fn a_master_file_with_a_tab_loses_one_entry() {
    let entry = |key: &str| {
        format!(
            "# about {key}\n{key}:\n  model: o/m\n  model-prefix: m\n  runner: r\n  precision: fp4\n  framework: vllm\n  multinode: false\n  image: i\n  scenarios:\n    agentic-coding:\n    - search-space:\n      - {{ tp: 4, conc-list: [1] }}\n\n"
        )
    };
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), &[("configs/x-master.yaml", &format!("{}bad:\n\tmodel: x\n{}", entry("a"), entry("b")))]);
    let facts = facts(folder.path(), &RepoOptions::default());
    let found: Vec<(&str, u64, &[String])> = facts.configs.iter().map(|c| (c.key.as_str(), c.line, c.comments.as_slice())).collect();
    assert_eq!(found, [("a", 2, &["about a".to_owned()][..]), ("b", 18, &["about b".to_owned()][..])]);
    let refused: Vec<(&str, &str, bool)> = facts.refused.iter().map(|r| (r.what.as_str(), r.reason.as_str(), r.kept)).collect();
    assert_eq!(refused, [("the file", reason::NOT_YAML, true), ("bad", reason::NOT_YAML, false)]);
}

#[test]
fn retired_configurations_are_no_strangers() {
    let folder = tempfile::tempdir().unwrap();
    put(
        folder.path(),
        &[
            ("perf-changelog.yaml", CHANGELOG),
            ("configs/deprecated/nvidia-old-master.yaml", "old-a:\n  model: x\n"),
            ("configs/nvidia-master.yaml", CONFIG),
        ],
    );
    let facts = facts(folder.path(), &RepoOptions::default());
    assert_eq!(facts.changelog[0].unresolved, ["old-*"]);
    let odd: Vec<&str> = facts.refused.iter().filter(|r| r.file == "perf-changelog.yaml").map(|r| r.reason.as_str()).collect();
    assert_eq!(odd, [reason::RETIRED_CONFIG]);
}

#[test]
fn what_is_no_checkout() {
    let folder = tempfile::tempdir().unwrap();
    let words = Vocabulary::shipped().unwrap();
    let missing = folder.path().join("nowhere");
    assert!(matches!(read(&missing, &RepoOptions::default(), &words), Err(RepoError::NotAFolder(_))));
    assert!(matches!(read(folder.path(), &RepoOptions::default(), &words), Err(RepoError::Nothing(_))));
    std::fs::write(folder.path().join("perf-changelog.yaml"), [0xff, 0xfe]).unwrap();
    let facts = facts(folder.path(), &RepoOptions::default());
    assert_eq!((facts.refused[0].reason.as_str(), facts.refused[0].kept, facts.read.len()), (reason::UNREADABLE, false, 0));
}

fn git(root: &Path, args: &[&str]) {
    let done = Command::new("git")
        .arg("-C")
        .arg(root)
        .args(["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"])
        .args(args)
        .env("GIT_COMMITTER_DATE", "2026-11-01T10:00:00+01:00")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output()
        .unwrap();
    assert!(done.status.success(), "{args:?}: {}", String::from_utf8_lossy(&done.stderr));
}

#[test]
fn the_commit_is_the_checkouts_own() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    put(
        root,
        &[
            ("inferencex-e2e/perf-changelog.yaml", CHANGELOG),
            ("inferencex-e2e/configs/nvidia-master.yaml", CONFIG),
            ("copy/perf-changelog.yaml", CHANGELOG),
        ],
    );
    git(root, &["init", "-q"]);
    git(root, &["add", "."]);
    git(root, &["commit", "-q", "-m", "one"]);
    let own = facts(root, &RepoOptions::default());
    let commit = own.commit.clone().unwrap();
    assert_eq!((commit.len(), own.committed_at.unwrap().to_string()), (40, "2026-11-01T09:00:00Z".to_owned()));
    assert_eq!(facts(&root.join("inferencex-e2e"), &RepoOptions::default()).commit, own.commit);
    // A copy that lies inside another repository is none of its state.
    assert_eq!(facts(&root.join("copy"), &RepoOptions::default()).commit, None);

    // A changed and an unknown file are told.
    put(root, &[("inferencex-e2e/perf-changelog.yaml", &format!("{CHANGELOG}\n")), ("inferencex-e2e/configs/amd-master.yaml", "{}\n")]);
    for at in [root.to_owned(), root.join("inferencex-e2e")] {
        let differing = facts(&at, &RepoOptions::default()).refused.into_iter().filter(|r| r.reason == reason::DIFFERS_FROM_COMMIT).count();
        assert_eq!(differing, 2, "{}", at.display());
    }

    // A commit given counts; where it is another one than the checkout's, that is told.
    let given = |commit: &str| facts(root, &RepoOptions { commit: Some(commit.to_owned()), ..RepoOptions::default() });
    let short = given(&commit[..9]);
    assert_eq!((short.commit, short.committed_at), (own.commit, own.committed_at));
    assert!(!short.refused.iter().any(|r| r.reason == reason::OTHER_COMMIT));
    let other = given("41d29b2834a85fcee09db6f9f52653b7c2f30ef3");
    assert_eq!((other.commit.as_deref(), other.committed_at), (Some("41d29b2834a85fcee09db6f9f52653b7c2f30ef3"), None));
    assert!(other.refused.iter().any(|r| r.reason == reason::OTHER_COMMIT && r.kept));
}
