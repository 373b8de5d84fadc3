//! The reference story of pull request 4603, and one claim after another that does not hold.

use std::sync::Arc;

use jiff::Timestamp;
use paretoscope_domain::cookbook::{CellPoint, CookbookPull};
use paretoscope_domain::pull::{Comment, Known, PullState};
use paretoscope_domain::repo::{GoldenCurve, MatrixPoint};
use paretoscope_domain::vocabulary::Vocabulary;
use serde_json::json;

use super::*;

const KEY: &str = "dsv41flash-fp4-gb300-sglang-agentic-dspark";
const OLD_RUN: i64 = 40_809_149_952;
const NEW_RUN: i64 = 41_261_902_147;
const OLD_SHA: &str = "9bd047ac7";
const NEW_SHA: &str = "41d29b2834a85fcee09db6f9f52653b7c2f30ef3";
const IMAGE: &str = "lmsysorg/sglang:nightly-dev-cu13-20261030-302b78cc";
const OLD_IMAGE: &str = "lmsysorg/sglang:nightly-dev-cu13-20261029-c10e0e17";
const DIGEST: &str = "sha256:d4b7701dc94d287e4fc135dfb4c1a88df0778a936255021aeb26eb54d396e579";

/// Everything that a judgement looks at, owned.
struct World {
    versions: Vec<CookbookVersion>,
    pulls: Vec<Pull>,
    runs: Vec<RunDetail>,
    main: Option<RepoFacts>,
    official: Vec<Run>,
    now: Timestamp,
}

impl World {
    fn look<T>(&self, with: impl FnOnce(&CookbookInputs<'_>) -> T) -> T {
        let words = Vocabulary::shipped().unwrap();
        let pulls: Vec<&Pull> = self.pulls.iter().collect();
        let official: Vec<&Run> = self.official.iter().collect();
        let runs: Vec<Arc<RunDetail>> = self.runs.iter().cloned().map(Arc::new).collect();
        with(&CookbookInputs {
            versions: &self.versions,
            pulls: &pulls,
            runs: &runs,
            main: self.main.as_ref(),
            states: &[],
            official: &official,
            words: &words,
            now: self.now,
        })
    }

    fn cookbook(&self) -> Cookbook {
        self.look(cookbook)
    }

    /// Drift in words, of all cells, each once.
    fn drift(&self) -> Vec<String> {
        let mut all: Vec<String> = self.cookbook().entries.iter().flat_map(|e| &e.drift).map(|d| d.sentence.clone()).collect();
        all.dedup();
        all
    }

    fn not_known(&self) -> Vec<String> {
        let entries = self.cookbook().entries;
        entries.first().map(|e| e.not_known.iter().map(|n| format!("{}: {}", n.kind.title(), n.why)).collect()).unwrap_or_default()
    }
}

fn time(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn run_id(n: i64) -> RunId {
    RunId::new(n).unwrap()
}

fn comment(id: i64, at: &str, association: Option<&str>, body: &str) -> Comment {
    let comment = json!({
        "id": id, "author": "code owner", "bot": false, "association": association, "at": at, "updated_at": at, "body": body, "earlier": []
    });
    serde_json::from_value(comment).unwrap()
}

fn pull() -> Pull {
    Pull {
        repo: "SemiAnalysisAI/InferenceX".into(),
        number: 4603,
        state: PullState::Merged,
        merged_at: Some(time("2026-11-04T10:00:00Z")),
        comments: vec![
            comment(1, "2026-10-30T10:00:00Z", Some("COLLABORATOR"), "/use 40809149952"),
            comment(2, "2026-11-02T10:00:00Z", Some("COLLABORATOR"), "/use 41261902147"),
        ],
        known: Known { pull: true, comments: true, ..Known::default() },
        ..Pull::default()
    }
}

fn run(id: i64, sha: &str, image: &str, digest: Option<&str>) -> RunDetail {
    let point = |(tp, ep, conc): (u32, u32, u32)| {
        json!({
            "id": format!("{id}-{tp}-{conc}"), "run_id": id, "label": if ep > 1 { format!("TP{tp}/EP{ep} c{conc}") } else { format!("TP{tp} c{conc}") },
            "model": "dsv41flash", "hardware": "gb300", "hardware_label": "gb300", "framework": "sglang", "precision": "fp4", "spec_method": "mtp",
            "scenario": "agentic-traces", "conc": conc, "disagg": false, "multinode": false, "tp": tp, "ep": ep, "dp_attention": conc >= 64,
            "image": image, "image_digest": digest, "offload": "none", "requests": {}, "artifact": "a", "file": "f", "status": "ok",
            "reasons": [], "notes": [], "superseded": false, "metrics": {"tput_per_gpu": 1.0}
        })
    };
    let points: Vec<_> = MATRIX.into_iter().map(point).map(|p| serde_json::from_value(p).unwrap()).collect();
    let run = serde_json::from_value(json!({
        "run_id": id, "kind": "unofficial", "synthetic": false, "attempts": [], "attempt_details": [], "head_sha": sha, "repo": "SemiAnalysisAI/InferenceX",
        "pr_number": 4603, "config_keys": [KEY], "images": [], "models": ["dsv41flash"], "hardware": ["gb300"], "frameworks": ["sglang"],
        "precisions": ["fp4"], "scenarios": ["agentic-traces"], "point_count": 8, "failed_count": 0, "eval_count": 0, "eval_passing": 0, "curves": []
    }))
    .unwrap();
    RunDetail {
        run,
        points,
        evals: vec![],
        artifacts: vec![],
        jobs: vec![],
        changelog: vec![],
        run_stats: vec![],
        reuse: None,
        report: None,
        audit: vec![],
        evidence: vec![],
    }
}

/// tp, ep, concurrency.
const MATRIX: [(u32, u32, u32); 8] = [(4, 1, 1), (4, 1, 4), (4, 1, 16), (2, 2, 16), (2, 2, 32), (2, 2, 64), (2, 2, 128), (2, 2, 160)];

fn cell(item: &str, label: &str, concs: &[u32]) -> Cell {
    Cell {
        id: format!("{KEY}#{item}"),
        config_key: KEY.into(),
        hardware: "gb300".into(),
        label: label.into(),
        image: Some(IMAGE.into()),
        image_digest: Some(DIGEST.into()),
        image_status: Some("ok".into()),
        submitted: Some("sglang".into()),
        sha: Some(NEW_SHA.into()),
        run_id: Some(run_id(NEW_RUN)),
        attempt: Attempt::new(2),
        pr: Some(4603),
        status_word: Some("verified".into()),
        points: vec![CellPoint { concs: concs.to_vec(), golden_al: Some("3.51".into()), ..CellPoint::default() }],
        args: vec![("--speculative-dspark-block-size".into(), Some("5".into()))],
        ..Cell::default()
    }
}

fn state(cookbook_pr: i64, at: &str, change: impl Fn(&mut Cell)) -> CookbookVersion {
    let mut cells = vec![cell("0", "Agg TP4", &[1, 4, 16]), cell("1", "Agg TP2·EP2", &[16, 32]), cell("2", "Agg TP2·EP2", &[64, 128, 160])];
    cells.iter_mut().for_each(change);
    CookbookVersion {
        file: CookbookFile {
            repo: "sgl-project/sglang".into(),
            path: "docs/src/snippets/agentx/deepseek-ai/deepseek-v4_1.jsx".into(),
            model: "deepseek-ai/DeepSeek-V4.1-Flash".into(),
            source_repo: Some("SemiAnalysisAI/InferenceX".into()),
            cells,
            cookbook_pr: Some(cookbook_pr),
            ..CookbookFile::default()
        },
        digest: format!("sha256:{cookbook_pr}"),
        committed_at: Some(time(at)),
        synced_at: time("2026-11-30T00:00:00Z"),
    }
}

fn in_progress(cell: &mut Cell) {
    cell.status_word = Some("in-progress".into());
    (cell.run_id, cell.attempt) = (None, None);
    cell.sha = Some(OLD_SHA.into());
    cell.image = Some(OLD_IMAGE.into());
    cell.image_digest = None;
}

fn facts() -> RepoFacts {
    let points = MATRIX
        .into_iter()
        .map(|(tp, ep, conc)| MatrixPoint {
            scenario: "agentic-traces".into(),
            isl: None,
            osl: None,
            item: 0,
            conc,
            parallel: paretoscope_domain::point::Parallel { tp: Some(tp), ep: Some(ep), ..Default::default() },
            prefill: None,
            decode: None,
            spec_decoding: "mtp".into(),
            kv_offloading: "none".into(),
            kv_offload_backend: None,
            nodes: None,
            recipe: None,
            recipe_identity: String::new(),
        })
        .collect();
    RepoFacts {
        commit: Some("abcdef1234567".into()),
        golden: vec![GoldenCurve {
            file: "dsv41flash_dspark.yaml".into(),
            model: "deepseek-v4.1-flash".into(),
            thinking: "thinking_on".into(),
            lengths: [(4, 3.30), (5, 3.51)].into(),
            source: None,
            comments: vec![],
        }],
        configs: vec![ConfigFact {
            key: KEY.into(),
            file: "nvidia-master.yaml".into(),
            line: 1,
            image: Some(format!("{IMAGE}@{DIGEST}")),
            model: "deepseek-ai/DeepSeek-V4.1-Flash".into(),
            model_prefix: "dsv41flash".into(),
            runner: "cluster:gb300-nv".into(),
            precision: "fp4".into(),
            framework: "sglang".into(),
            multinode: false,
            disagg: false,
            router: None,
            kv_transfer: None,
            comments: vec![],
            points,
            raw: String::new(),
        }],
        ..RepoFacts::default()
    }
}

/// After the merge, with the newest round in place: nothing drifts.
fn world() -> World {
    World {
        versions: vec![
            state(47214, "2026-10-28T08:00:00Z", in_progress),
            state(47464, "2026-10-30T18:00:00Z", in_progress),
            state(47929, "2026-11-03T03:28:14Z", |_| {}),
        ],
        pulls: vec![pull()],
        runs: vec![run(OLD_RUN, OLD_SHA, OLD_IMAGE, None), run(NEW_RUN, NEW_SHA, IMAGE, Some(DIGEST))],
        main: Some(facts()),
        official: vec![],
        now: time("2026-11-30T00:00:00Z"),
    }
}

#[test]
fn the_newest_round_of_the_reference_holds() {
    let world = world();
    assert_eq!(world.drift(), Vec::<String>::new());
    assert_eq!(world.not_known(), Vec::<String>::new());
    let entries = world.cookbook().entries;
    assert_eq!(entries.len(), 3);
    let first = &entries[0];
    assert_eq!(
        (first.model.as_deref(), first.hardware.as_deref(), first.framework.as_deref()),
        (Some("dsv41flash"), Some("gb300"), Some("sglang"))
    );
    assert_eq!((first.status, first.pinned_run_id), (CookbookStatus::Verified, Some(run_id(NEW_RUN))));
    assert_eq!((first.golden_al.as_deref(), first.cookbook_pr), (Some("3.51"), Some(47929)));
}

#[test]
fn the_round_that_missed_the_pin_drifts_until_the_later_one() {
    let told: Vec<(Option<i64>, Vec<String>, Option<String>)> = world()
        .look(|inputs| rounds(inputs, 4603, &[]))
        .into_iter()
        .map(|r| {
            let first = r.entries.first().unwrap();
            let since = first.drift.first().and_then(|d| d.since).map(|t| t.to_string());
            (r.cookbook_pr, first.drift.iter().map(|d| d.sentence.clone()).collect(), since)
        })
        .collect();
    let missed = |run: i64| format!("run: cookbook none, pinned {run}");
    assert_eq!(
        told,
        [
            // Pinned while it stood; its commit and image are those of that run.
            (Some(47214), vec![missed(OLD_RUN)], Some("2026-10-30T10:00:00Z".to_owned())),
            // It came after the first pin, and missed the second one too.
            (
                Some(47464),
                vec![
                    missed(NEW_RUN),
                    "commit: cookbook 9bd047ac, run 41261902147 measured 41d29b28".to_owned(),
                    format!("image: cookbook {OLD_IMAGE}, run 41261902147 ran on {IMAGE}@{DIGEST}"),
                ],
                Some("2026-11-02T10:00:00Z".to_owned())
            ),
            (Some(47929), vec![], None),
        ]
    );
    // Between the first pin and the second, only the run was behind: the commands were the measured ones.
    let mut then = world();
    then.now = time("2026-11-01T00:00:00Z");
    assert_eq!(then.drift(), [missed(OLD_RUN)]);
    // Before any pin there is nothing to miss.
    then.now = time("2026-10-29T00:00:00Z");
    assert_eq!(then.drift(), Vec::<String>::new());
}

#[test]
fn each_kind_of_drift() {
    let with = |change: fn(&mut World)| {
        let mut world = world();
        change(&mut world);
        world.drift()
    };
    let newest = |change: fn(&mut Cell)| {
        let mut world = world();
        world.versions[2].file.cells.iter_mut().for_each(change);
        world.drift()
    };
    // Run.
    assert!(newest(|c| c.run_id = RunId::new(OLD_RUN)).contains(&"run: cookbook 40809149952, pinned 41261902147".to_owned()));
    assert_eq!(
        with(|w| w.pulls[0].comments.push(comment(3, "2026-11-03T00:00:00Z", Some("CONTRIBUTOR"), "/use 7"))),
        Vec::<String>::new(),
        "by someone without standing"
    );
    assert_eq!(with(|w| w.pulls[0].comments.clear()), ["run: cookbook 41261902147, pinned none"]);
    assert_eq!(
        with(|w| {
            let mut later = run(42_000_000_000, NEW_SHA, IMAGE, Some(DIGEST)).run;
            later.kind = paretoscope_domain::Kind::Official;
            w.official = vec![later];
        }),
        ["run: cookbook 41261902147, official 42000000000"]
    );
    assert_eq!(
        with(|w| w.official = vec![run(39_000_000_000, OLD_SHA, IMAGE, None).run]),
        Vec::<String>::new(),
        "ahead of the official run"
    );
    // Commit.
    assert_eq!(newest(|c| c.sha = Some("0123456789".into())), ["commit: cookbook 01234567, run 41261902147 measured 41d29b28"]);
    assert_eq!(newest(|c| c.sha = Some("41d29b28".into())), Vec::<String>::new(), "a short sha");
    // Image.
    assert_eq!(
        newest(|c| c.image_digest = Some("sha256:other".into())),
        [format!("image: cookbook {IMAGE}@sha256:other, run 41261902147 ran on {IMAGE}@{DIGEST}")]
    );
    assert_eq!(
        with(|w| {
            w.runs.clear();
            w.main.as_mut().unwrap().configs[0].image = Some(OLD_IMAGE.into());
        }),
        [format!("image: cookbook {IMAGE}@{DIGEST}, configuration at abcdef12 {OLD_IMAGE}")]
    );
    assert_eq!(
        newest(|c| c.image_status = Some("pruned".into())),
        [format!("image pruned: the snippet says that {IMAGE}@{DIGEST} is gone from the registry")]
    );
    assert_eq!(newest(|c| c.image_status = Some("digest-only".into())), Vec::<String>::new());
    // Golden acceptance length.
    assert_eq!(
        newest(|c| c.points[0].golden_al = Some("4.8".into())),
        ["golden AL: cookbook 4.8, committed 3.51 (dsv41flash_dspark.yaml, thinking_on, draft length 5)"]
    );
    assert_eq!(
        newest(|c| c.args = vec![("--speculative-dspark-block-size".into(), Some("7".into()))]),
        ["golden AL: cookbook 3.51, committed none for draft length 7 in dsv41flash_dspark.yaml"]
    );
    assert_eq!(
        newest(|c| {
            c.args.clear();
            c.points[0].golden_al = Some("9.9".into());
        }),
        ["golden AL: cookbook 9.9, committed another value at every draft length in dsv41flash_dspark.yaml"]
    );
    // Points.
    assert_eq!(
        newest(|c| c.points[0].concs.retain(|n| *n != 4)),
        ["points: only in run 41261902147: TP4 c4", "points: only in the configuration (abcdef12): TP4 c4"].repeat(3)
    );
    assert_eq!(
        with(|w| w.runs[1].points[7].status = paretoscope_domain::point::Status::Failed),
        ["points: only in the cookbook: TP2/EP2 c160"],
        "a failed point measured nothing"
    );
    assert_eq!(
        newest(|c| {
            c.label = "low latency".into();
            c.points[0].concs.retain(|n| *n != 32);
        }),
        ["points: only in run 41261902147: TP2/EP2 c32", "points: only in the configuration (abcdef12): TP2/EP2 c32"].repeat(3),
        "by concurrency where a label can't be read"
    );
    // Status.
    assert_eq!(
        newest(|c| c.status_word = Some("verified-pr".into())),
        ["status: cookbook verified on the PR, #4603 was merged on 2026-11-04 10:00 UTC"]
    );
    assert_eq!(
        with(|w| {
            w.versions[2].file.cells.iter_mut().for_each(|c| c.status_word = Some("verified-pr".into()));
            w.now = time("2026-11-03T12:00:00Z");
            w.main = None;
        }),
        Vec::<String>::new(),
        "not merged yet"
    );
    // Forbidden flags.
    assert_eq!(
        newest(|c| c.env = vec![("SGLANG_NVFP4_CKPT_FP8_NEXTN_MOE".into(), "1".into())]),
        ["forbidden flag: SGLANG_NVFP4_CKPT_FP8_NEXTN_MOE=1, which check 13 forbids"]
    );
    assert_eq!(newest(|c| c.env = vec![("SGLANG_NVFP4_CKPT_FP8_NEXTN_MOE".into(), "0".into())]), Vec::<String>::new());
    assert_eq!(
        newest(|c| c.args.push(("--json-model-override-args".into(), Some("{}".into())))),
        ["forbidden flag: --json-model-override-args {}, which check 8 forbids"]
    );
    assert_eq!(
        newest(|c| c.commands = vec!["env SGLANG_NVFP4_CKPT_FP8_NEXTN_MOE=true python3 -m sglang.launch_server".into()]),
        ["forbidden flag: SGLANG_NVFP4_CKPT_FP8_NEXTN_MOE=true, which check 13 forbids"]
    );
}

#[test]
fn what_can_t_be_looked_at_is_no_drift_and_says_why() {
    let with = |change: fn(&mut World)| {
        let mut world = world();
        change(&mut world);
        (world.drift(), world.not_known())
    };
    let cells = |w: &mut World, change: fn(&mut Cell)| w.versions[2].file.cells.iter_mut().for_each(change);
    let (drift, why) = with(|w| w.pulls.clear());
    assert_eq!(drift, Vec::<String>::new());
    assert_eq!(why, ["run: pull request #4603 or its comments were never read here"]);
    let (drift, why) = with(|w| w.pulls[0].known.comments = false);
    assert_eq!((drift.len(), why.len()), (0, 1));
    let (drift, why) = with(|w| w.pulls[0].comments.push(comment(3, "2026-11-03T00:00:00Z", None, "/use 7")));
    assert_eq!(drift, Vec::<String>::new());
    assert_eq!(why, ["run: the newest command on #4603 is by someone whose standing is not told"]);
    let (drift, why) = with(|w| w.pulls[0].comments.push(comment(3, "2026-11-03T00:00:00Z", Some("OWNER"), "/reuse-sweep-run")));
    assert_eq!((drift, why), (vec![], vec!["run: the command that counts on #4603 names no run".to_owned()]));
    let (drift, why) = with(|w| {
        w.runs.clear();
        w.main = None;
    });
    assert_eq!(drift, Vec::<String>::new());
    assert_eq!(
        why,
        [
            "commit: run 41261902147 was never ingested here",
            "image: run 41261902147 was never ingested here",
            "points: run 41261902147 was never ingested here",
            "golden AL: the benchmark repository was never synced",
            "points: the benchmark repository was never synced",
        ]
    );
    let (drift, why) = with(|w| w.runs[1].run.head_sha = None);
    assert_eq!((drift, why), (vec![], vec!["commit: run 41261902147 doesn't state it".to_owned()]));
    let (drift, why) = with(|w| w.runs[1].run.config_keys.push("another".into()));
    assert_eq!(drift, Vec::<String>::new());
    assert_eq!(
        why,
        [
            "image: run 41261902147 measured several configurations and its rows don't say which is which",
            "points: run 41261902147 measured several configurations and its rows don't say which is which",
        ]
    );
    let (drift, why) = with(|w| w.main.as_mut().unwrap().golden.clear());
    assert_eq!((drift, why), (vec![], vec!["golden AL: no committed golden curve belongs to the model".to_owned()]));
    for (change, expected) in [
        (
            (|c| c.args.clear()) as fn(&mut Cell),
            "golden AL: the cell's arguments state no draft length; the value stands in one of the model's curves",
        ),
        (|c| c.image_status = None, "image pruned: the cell doesn't state it"),
        (|c| c.sha = None, "commit: the cell doesn't state it"),
        (|c| c.image = None, "image: the cell doesn't state it"),
        (|c| c.pr = None, "run: the cell names no pull request"),
        (|c| c.status_word = Some("done".into()), "status: the status «done» is no word of the ladder"),
    ] {
        let mut world = world();
        cells(&mut world, change);
        assert_eq!(world.drift(), Vec::<String>::new(), "{expected}");
        assert_eq!(world.not_known(), [expected]);
    }
}

#[test]
fn a_configuration_that_no_snippet_has_is_not_published() {
    let mut world = world();
    let facts = world.main.as_mut().unwrap();
    let other = |key: &str, framework: &str| {
        let mut config = facts.configs[0].clone();
        config.key = key.into();
        config.framework = framework.into();
        config
    };
    let more = [other("dsv41flash-fp4-gb300-vllm-agentic", "vllm"), other("dsv41flash-fp4-gb300-dynamo-sglang-agentic", "dynamo-sglang")];
    facts.configs.extend(more);
    let mut official = run(39_000_000_000, OLD_SHA, IMAGE, None).run;
    official.config_keys = vec!["an-older-key".into()];
    world.official = vec![official];
    let cookbook = world.cookbook();
    let missing: Vec<_> = cookbook
        .entries
        .iter()
        .filter(|e| e.status == CookbookStatus::NotPublished)
        .map(|e| (e.config_key.as_str(), e.cell_id.as_deref(), e.official_run_id.map(RunId::get)))
        .collect();
    assert_eq!(missing, [("an-older-key", None, Some(39_000_000_000)), ("dsv41flash-fp4-gb300-dynamo-sglang-agentic", None, None)]);
    assert_eq!(cookbook.left_out.iter().map(|l| (l.framework.as_str(), l.configurations)).collect::<Vec<_>>(), [("vLLM", 1)]);
}

#[test]
fn a_snippet_whose_list_and_cell_disagree_is_told() {
    let mut world = world();
    let listed = CookbookPull { run_id: RunId::new(OLD_RUN), sha: Some(OLD_SHA.into()), status: Some("verified-pr".into()) };
    world.versions[2].file.pulls.insert(4603, listed);
    let notes = world.cookbook().entries[0].notes.clone();
    assert_eq!(
        notes,
        [
            "The snippet's list of pull requests names run 40809149952, the cell run 41261902147; the cell's counts.",
            "The snippet's list of pull requests names commit 9bd047ac, the cell 41d29b28; the cell's counts.",
        ]
    );
}

#[test]
fn drift_speaks_chinese() {
    let mut world = world();
    world.now = time("2026-11-02T12:00:00Z");
    let said: Vec<String> = world.cookbook().entries[0].drift.iter().map(|d| d.in_words(Language::Zh)).collect();
    assert_eq!(
        said,
        [
            "run：cookbook 无，固定 41261902147".to_owned(),
            "commit：cookbook 9bd047ac，run 41261902147 测量的是 41d29b28".to_owned(),
            format!("镜像：cookbook {OLD_IMAGE}，run 41261902147 使用的是 {IMAGE}@{DIGEST}"),
        ]
    );
}

#[test]
fn entries_of_a_run() {
    let world = world();
    let entries = world.cookbook().entries;
    assert_eq!(of_run(&entries, &world.runs[1].run).len(), 3);
    let cells = |point: usize| {
        let run = &world.runs[1];
        of_point(&entries, &run.run, &run.points[point]).iter().filter_map(|e| e.cell_id.as_deref()).collect::<Vec<_>>()
    };
    assert_eq!(
        (cells(2), cells(3), cells(7)),
        (
            vec!["dsv41flash-fp4-gb300-sglang-agentic-dspark#0"],
            vec!["dsv41flash-fp4-gb300-sglang-agentic-dspark#1"],
            vec!["dsv41flash-fp4-gb300-sglang-agentic-dspark#2"]
        )
    );
    let words = Vocabulary::shipped().unwrap();
    let found = |filter: CookbookFilter| entries.iter().filter(|e| filter.fits(e, &words)).count();
    assert_eq!(found(CookbookFilter { q: Some("#4603 GB300 deepseek".into()), ..CookbookFilter::default() }), 3);
    assert_eq!(found(CookbookFilter { q: Some("vllm".into()), ..CookbookFilter::default() }), 0);
    assert_eq!(
        found(CookbookFilter { drift: Some(DriftFilter::None), status: Some(CookbookStatus::Verified), ..CookbookFilter::default() }),
        3
    );
    assert_eq!(found(CookbookFilter { drift: Some(DriftFilter::Any), ..CookbookFilter::default() }), 0);
    let mut other = world.runs[0].run.clone();
    other.config_keys.clear();
    assert!(of_run(&entries, &other).is_empty());
    let mut synthetic = world.runs[1].run.clone();
    synthetic.synthetic = true;
    assert!(of_run(&entries, &synthetic).is_empty());
}
