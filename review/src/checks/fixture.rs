//! The reference story as gathered facts, for the tests of the checks: every change of it is a case.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use jiff::Timestamp;
use paretoscope_domain::cookbook::{Cell, CellPoint, CookbookFile, CookbookVersion};
use paretoscope_domain::eval::{Eval, EvalRecord, StoredEval, review};
use paretoscope_domain::fact::{FactKind, FactOrigin, RunFact};
use paretoscope_domain::natural_key::{eval_base, eval_id, point_id};
use paretoscope_domain::point::{Offload, Parallel, Point, Requests, Status};
use paretoscope_domain::pull::{Comment, Known, Pull, PullCommit, PullFile, PullState};
use paretoscope_domain::repo::{Checklist, CodeOwners, ConfigFact, GoldenCurve, MatrixPoint, ModelFact, OwnerRule, RepoChange, RepoFacts};
use paretoscope_domain::run::{Artifact, ChangelogEntry, Family, Image, JobEvent, Reading, Run, RunDetail};
use paretoscope_domain::threshold::Thresholds;
use paretoscope_domain::vocabulary::Vocabulary;
use paretoscope_domain::{Attempt, Kind, PointId, RunId, Scenario, label};
use serde_json::json;

use crate::check::{Check, CheckStatus};
use crate::checks::ALL;
use crate::checks::context::Context;
use crate::gathered::{Entry, Gathered};
use crate::timeline::is_sign_off;

/// The pinned run's commit.
pub(crate) const HEAD: &str = "41d29b2834a85fcee09db6f9f52653b7c2f30ef3";
/// The pinned run.
pub(crate) const RUN: i64 = 41_261_902_147;
/// The run pinned before.
pub(crate) const OLDER_RUN: i64 = 40_809_149_952;
/// The image of the pinned run.
pub(crate) const IMAGE: &str =
    "lmsysorg/sglang:nightly-dev-cu13-20261030-302b78cc@sha256:d4b7701dc94d287e4fc135dfb4c1a88df0778a936255021aeb26eb54d396e579";
const KEY: &str = "dsv41flash-fp4-gb300-sglang-agentic-dspark";
const MODEL: &str = "deepseek-ai/DeepSeek-V4.1-Flash";

/// Layout, concurrency, attempt that measured it, P90 and P75 E2EL in seconds, tok/s/GPU.
const MEASURED: [(&str, u32, u32, f64, f64, f64); 8] = [
    ("TP4", 1, 1, 5.67, 3.17, 8105.0),
    ("TP4", 4, 1, 6.29, 2.79, 9425.0),
    ("TP4", 16, 2, 6.25, 3.01, 29_242.0),
    ("TP2/EP2", 16, 1, 7.64, 3.55, 57_957.0),
    ("TP2/EP2", 32, 1, 12.07, 5.79, 118_105.0),
    ("TP2/EP2/DPA", 64, 2, 15.40, 7.61, 224_816.0),
    ("TP2/EP2/DPA", 128, 2, 23.44, 10.72, 321_183.0),
    ("TP2/EP2/DPA", 160, 1, 33.68, 14.56, 340_890.0),
];

/// Layout, concurrency, attempt, score.
const SCORED: [(&str, u32, u32, f64); 6] = [
    ("TP4", 1, 1, 0.9735),
    ("TP4", 4, 1, 0.9757),
    ("TP4", 16, 2, 0.9757),
    ("TP2/EP2", 16, 2, 0.9735),
    ("TP2/EP2", 32, 1, 0.9757),
    ("TP2/EP2/DPA", 160, 1, 0.9689),
];

/// One case of a check: what is changed of the reference story, and what the check then says.
pub(crate) struct Case {
    name: &'static str,
    status: CheckStatus,
    says: &'static str,
    change: Box<dyn Fn(&mut World)>,
}

impl Case {
    pub(crate) fn new(name: &'static str, status: CheckStatus, says: &'static str, change: impl Fn(&mut World) + 'static) -> Self {
        Self { name, status, says, change: Box::new(change) }
    }
}

/// Runs the cases of one check.
pub(crate) fn run_cases(id: u16, cases: &[Case]) {
    let mut wrong = Vec::new();
    for case in cases {
        let mut world = reference();
        (case.change)(&mut world);
        let check = world.check(id);
        let asks = matches!(check.status, CheckStatus::NeedsHuman | CheckStatus::Warn);
        if check.status != case.status || !check.detail.contains(case.says) || asks == check.look.is_empty() {
            wrong.push(format!(
                "{}: {:?}, expected {:?} with {:?}\n  detail: {}\n  look: {:?}",
                case.name, check.status, case.status, case.says, check.detail, check.look
            ));
        }
    }
    assert!(wrong.is_empty(), "check {id}:\n{}", wrong.join("\n"));
}

/// Facts of a pull request, owned.
pub(crate) struct World {
    pub(crate) pull: Pull,
    pub(crate) runs: Vec<Arc<RunDetail>>,
    pub(crate) head: Option<RepoFacts>,
    pub(crate) base: Option<RepoFacts>,
    pub(crate) main: Option<RepoFacts>,
    pub(crate) cookbook: Vec<CookbookVersion>,
    pub(crate) official: Vec<Arc<RunDetail>>,
    pub(crate) entries: Vec<Entry>,
    pub(crate) words: Vocabulary,
    pub(crate) thresholds: Thresholds,
    pub(crate) now: Timestamp,
}

impl World {
    pub(crate) fn gathered(&self) -> Gathered<'_> {
        Gathered {
            pull: &self.pull,
            runs: &self.runs,
            head: self.head.as_ref(),
            base: self.base.as_ref(),
            main: self.main.as_ref(),
            cookbook: &self.cookbook,
            official: &self.official,
            entries: &self.entries,
            words: &self.words,
            thresholds: &self.thresholds,
            now: self.now,
        }
    }

    pub(crate) fn check(&self, id: u16) -> Check {
        let g = self.gathered();
        let at = usize::from(if id < 100 { id } else { id - 100 + 19 });
        let check = ALL[at](&Context::new(&g));
        assert_eq!(check.id, id);
        check
    }

    pub(crate) fn run_mut(&mut self) -> &mut RunDetail {
        Arc::make_mut(&mut self.runs[0])
    }

    pub(crate) fn entry_mut(&mut self) -> &mut RepoChange {
        self.head.as_mut().unwrap().changelog.iter_mut().find(|e| e.pr_number == Some(4603)).unwrap()
    }

    pub(crate) fn sign_off_mut(&mut self) -> &mut Comment {
        self.pull.comments.iter_mut().find(|c| is_sign_off(&c.body)).unwrap()
    }

    pub(crate) fn remove_sign_off(&mut self) {
        self.pull.comments.retain(|c| !is_sign_off(&c.body));
    }

    /// Cells of the cookbook's newest state.
    pub(crate) fn cells_mut(&mut self) -> impl Iterator<Item = &mut Cell> {
        self.cookbook.last_mut().unwrap().file.cells.iter_mut()
    }

    /// A pull request that touches a document and nothing else.
    pub(crate) fn only_documents(&mut self) {
        self.pull.files = vec![file("docs/guide.md", "+words")];
        self.pull.comments.retain(|c| !c.body.starts_with("/use"));
        self.runs.clear();
    }

    /// Adds a line to the recipe that the pull request changes.
    pub(crate) fn add_line(&mut self, line: &str) {
        let recipe = self.pull.files.iter_mut().find(|f| f.path.ends_with("agentic.yaml")).unwrap();
        recipe.patch.as_mut().unwrap().push_str(&format!("\n+{line}"));
    }

    /// Adds a fact that was read in a log of the pinned run.
    pub(crate) fn read_fact(&mut self, kind: FactKind, key: &str, value: &str) {
        let origin = FactOrigin::Artifact { artifact: "server_logs_x".into(), file: "server.log".into(), line: Some(12) };
        let run_id = self.runs[0].run.run_id;
        self.run_mut().evidence.push(RunFact {
            run_id,
            attempt: None,
            point: None,
            eval: false,
            kind,
            key: key.into(),
            value: value.into(),
            count: None,
            origin,
        });
    }

    pub(crate) fn read_env(&mut self, key: &str, value: &str) {
        self.read_fact(FactKind::Env, key, value);
    }

    pub(crate) fn read_argument(&mut self, key: &str, value: &str) {
        self.read_fact(FactKind::Argument, key, value);
    }

    fn configs_mut(&mut self) -> impl Iterator<Item = &mut ConfigFact> {
        [&mut self.head, &mut self.base, &mut self.main].into_iter().flatten().flat_map(|f| f.configs.iter_mut())
    }

    pub(crate) fn set_image(&mut self, image: &str) {
        self.head.as_mut().unwrap().configs[0].image = Some(image.to_owned());
    }

    pub(crate) fn set_framework(&mut self, framework: &str) {
        self.configs_mut().for_each(|c| c.framework = framework.to_owned());
        let run = self.run_mut();
        run.points.iter_mut().for_each(|p| p.framework = framework.to_owned());
        run.evals.iter_mut().for_each(|e| e.framework = framework.to_owned());
    }

    pub(crate) fn set_hardware(&mut self, hardware: &str) {
        self.configs_mut().for_each(|c| c.runner = format!("cluster:{hardware}-x"));
        let run = self.run_mut();
        run.points.iter_mut().for_each(|p| p.hardware = hardware.to_owned());
        run.evals.iter_mut().for_each(|e| e.hardware = hardware.to_owned());
    }

    pub(crate) fn set_spec(&mut self, spec: &str) {
        self.configs_mut().flat_map(|c| c.points.iter_mut()).for_each(|p| p.spec_decoding = spec.to_owned());
        self.run_mut().points.iter_mut().for_each(|p| p.spec_method = spec.to_owned());
    }

    pub(crate) fn set_scenario(&mut self, scenario: &str) {
        let parsed: Scenario = scenario.parse().unwrap();
        let (isl, osl) = match parsed {
            Scenario::AgenticTraces => (None, None),
            Scenario::Fixed { isl, osl } => (Some(isl), Some(osl)),
        };
        for p in self.configs_mut().flat_map(|c| c.points.iter_mut()) {
            (p.scenario, p.isl, p.osl) = (scenario.to_owned(), isl, osl);
        }
        self.entry_mut().scenario_types.clear();
        for p in &mut self.run_mut().points {
            (p.scenario, p.isl, p.osl) = (parsed, isl, osl);
        }
    }

    /// Scores of the six evals, all over `n` answers.
    pub(crate) fn set_scores(&mut self, scores: &[f64; 6], n: f64) {
        let points = self.runs[0].points.clone();
        self.run_mut().evals = evals(&points, scores, &[n; 6]);
    }

    /// Number of answers of one eval, which changes every bound.
    pub(crate) fn set_n(&mut self, which: usize, n: f64) {
        let scores: Vec<f64> = self.runs[0].evals.iter().map(|e| e.score.unwrap()).collect();
        let mut ns: Vec<f64> = self.runs[0].evals.iter().map(|e| e.n.unwrap()).collect();
        ns[which] = n;
        let points = self.runs[0].points.clone();
        self.run_mut().evals = evals(&points, scores.as_slice().try_into().unwrap(), ns.as_slice().try_into().unwrap());
    }
}

/// The reference story.
pub(crate) fn reference() -> World {
    let head = repo(HEAD, IMAGE);
    let mut base = repo("ba5e0000ba5e0000", "lmsysorg/sglang:nightly-dev-cu13-20261021-c1c287a4");
    base.changelog.clear();
    let mut main = repo("aaaa0000aaaa0000", "lmsysorg/sglang:nightly-dev-cu13-20261021-c1c287a4");
    main.changelog.clear();
    World {
        pull: pull(),
        runs: vec![
            Arc::new(run(RUN, HEAD, IMAGE, true)),
            Arc::new(run(OLDER_RUN, "9bd047ac7", "lmsysorg/sglang:nightly-dev-cu13-20261029-c10e0e17", false)),
        ],
        head: Some(head),
        base: Some(base),
        main: Some(main),
        cookbook: vec![cookbook(47464, "2026-10-30T02:00:00Z", None), cookbook(47929, "2026-11-03T03:28:14Z", Some(RUN))],
        official: vec![],
        entries: vec![],
        words: words().clone(),
        thresholds: thresholds().clone(),
        now: time("2026-11-06T12:00:00Z"),
    }
}

fn words() -> &'static Vocabulary {
    static WORDS: OnceLock<Vocabulary> = OnceLock::new();
    WORDS.get_or_init(|| Vocabulary::shipped().unwrap())
}

fn thresholds() -> &'static Thresholds {
    static THRESHOLDS: OnceLock<Thresholds> = OnceLock::new();
    THRESHOLDS.get_or_init(|| Thresholds::shipped().unwrap())
}

fn time(text: &str) -> Timestamp {
    text.parse().unwrap()
}

pub(crate) fn comment(id: i64, at: &str, author: &str, association: Option<&str>, body: &str) -> Comment {
    Comment {
        id,
        author: author.into(),
        bot: author == "bot",
        association: association.map(str::to_owned),
        at: time(at),
        updated_at: time(at),
        body: body.into(),
        url: Some(format!("https://github.com/SemiAnalysisAI/InferenceX/pull/4603#issuecomment-{id}")),
        earlier: vec![],
        deleted: false,
    }
}

pub(crate) fn commit(sha: &str, message: &str, parents: &[&str]) -> PullCommit {
    PullCommit {
        sha: sha.into(),
        message: message.into(),
        author: None,
        at: None,
        parents: parents.iter().map(|p| (*p).to_owned()).collect(),
    }
}

fn file(path: &str, patch: &str) -> PullFile {
    let patch = format!("@@ -1,1 +1,9 @@\n {patch}");
    PullFile { path: path.into(), previous_path: None, status: "modified".into(), additions: 1, deletions: 0, patch: Some(patch) }
}

/// Items of the fixture's checklist.
const ITEMS: [&str; 4] = [
    "Verified that this is the latest checklist",
    "Verified that the sweep passed",
    "Verified that evals pass",
    "Reported the Pareto counts",
];

fn pull() -> Pull {
    let owner = Some("COLLABORATOR");
    let ticked: Vec<String> = ITEMS.iter().map(|i| format!("- [x] {i}")).collect();
    let sign_off = format!("As a reviewer and CODEOWNER I looked at this.\n\n{}\n\nSigned: code owner", ticked.join("\n"));
    let merged = |n: u32| format!("sgl-project/sglang#{n} has been merged: the cookbook has the config.");
    Pull {
        repo: "SemiAnalysisAI/InferenceX".into(),
        number: 4603,
        title: "Tune".into(),
        body: "Moves the image from nightly-dev-cu13-20261021-c1c287a4 to nightly-dev-cu13-20261030-302b78cc. TP4 c1 runs the megakernel. The search space is unchanged."
            .into(),
        state: PullState::Open,
        author: "PR author".into(),
        url: "https://github.com/SemiAnalysisAI/InferenceX/pull/4603".into(),
        head_sha: HEAD.into(),
        labels: vec!["full-sweep-fail-fast".into()],
        commits: vec![
            commit("9bd047ac7aaaaaaa", "Tune", &["0000001"]),
            commit("6bb31166bbbbbbbb", "Newer image", &["9bd047ac7"]),
            commit("cb232ed0cccccccc", "Merge branch 'main' into tune", &["6bb31166", "1111111"]),
            commit(HEAD, "Merge branch 'main' into tune", &["cb232ed0", "2222222"]),
        ],
        files: vec![
            file("inferencex-e2e/configs/nvidia-master.yaml", "  image: x"),
            file("inferencex-e2e/perf-changelog.yaml", "- config-keys: []"),
            file("inferencex-e2e/recipes/dsv41flash/sglang/gb300-fp4-mtp/agentic.yaml", "  dsv4-attn-backend: flashmla"),
        ],
        comments: vec![
            comment(1, "2026-10-30T01:00:00Z", "code owner", owner, "/use 40809149952"),
            comment(2, "2026-10-30T03:00:00Z", "code owner", owner, &merged(47464)),
            comment(3, "2026-11-02T10:00:00Z", "code owner", owner, "/use 41261902147"),
            comment(4, "2026-11-03T03:30:00Z", "code owner", owner, &merged(47929)),
            comment(5, "2026-11-03T05:00:00Z", "code owner", owner, &sign_off),
        ],
        known: Known { pull: true, commits: true, files: true, comments: true, reviews: true, events: true },
        ..Pull::default()
    }
}

pub(crate) fn rule(line: u64, pattern: &str, owners: &[&str]) -> OwnerRule {
    OwnerRule { line, pattern: pattern.into(), owners: owners.iter().map(|o| (*o).to_owned()).collect() }
}

pub(crate) fn golden_curve(file: &str, thinking: &str, lengths: &[(u32, f64)]) -> GoldenCurve {
    GoldenCurve {
        file: file.into(),
        model: "deepseek-v4.1-flash".into(),
        thinking: thinking.into(),
        lengths: lengths.iter().copied().collect(),
        source: None,
        comments: vec![],
    }
}

fn parallel(layout: &str) -> Parallel {
    let size = |name: &str| layout.split('/').find_map(|part| part.strip_prefix(name)?.parse().ok());
    Parallel { tp: size("TP"), ep: Some(size("EP").unwrap_or(1)), dp_attention: Some(layout.ends_with("DPA")), ..Parallel::default() }
}

pub(crate) fn matrix_point(layout: &str, conc: u32) -> MatrixPoint {
    MatrixPoint {
        scenario: "agentic-traces".into(),
        isl: None,
        osl: None,
        item: 0,
        conc,
        parallel: parallel(layout),
        prefill: None,
        decode: None,
        spec_decoding: "mtp".into(),
        kv_offloading: "none".into(),
        kv_offload_backend: None,
        nodes: None,
        recipe: Some(format!("agentic.yaml:override_{layout}")),
        recipe_identity: json!({"layout": layout, "recipe": "agentic.yaml"}).to_string(),
    }
}

fn repo(commit: &str, image: &str) -> RepoFacts {
    RepoFacts {
        repo: "SemiAnalysisAI/InferenceX".into(),
        commit: Some(commit.into()),
        committed_at: Some(time("2026-11-01T08:00:00Z")),
        root: "inferencex-e2e".into(),
        read: vec!["inferencex-e2e/perf-changelog.yaml".into(), "inferencex-e2e/configs/nvidia-master.yaml".into()],
        changelog: vec![RepoChange {
            number: 900,
            line: 4000,
            patterns: vec![KEY.into()],
            config_keys: vec![KEY.into()],
            description: vec!["Image nightly-dev-cu13-20261030-302b78cc by digest".into()],
            pr_number: Some(4603),
            scenario_types: vec!["agentic-coding".into()],
            ..RepoChange::default()
        }],
        models: vec![ModelFact {
            prefix: "dsv41flash".into(),
            name: "DeepSeek-V4.1-Flash".into(),
            added: None,
            active: vec!["Agentic coding (SGLang DSpark)".into()],
            deprecated: vec![],
        }],
        golden: vec![
            golden_curve("dsv41flash_dspark.yaml", "thinking_on", &[(4, 3.30), (5, 3.51)]),
            golden_curve("dsv41flash_dspark.yaml", "thinking_off", &[(4, 3.19), (5, 3.38)]),
        ],
        thresholds: BTreeMap::from([("default".to_owned(), BTreeMap::from([("gsm8k".to_owned(), 0.90)]))]),
        configs: vec![ConfigFact {
            key: KEY.into(),
            file: "nvidia-master.yaml".into(),
            line: 300,
            image: Some(image.into()),
            model: MODEL.into(),
            model_prefix: "dsv41flash".into(),
            runner: "cluster:gb300-nv".into(),
            precision: "fp4".into(),
            framework: "sglang".into(),
            multinode: false,
            disagg: false,
            router: None,
            kv_transfer: None,
            comments: vec![],
            points: MEASURED.iter().map(|(layout, conc, ..)| matrix_point(layout, *conc)).collect(),
            raw: json!({"image": image, "model": MODEL}).to_string(),
        }],
        code_owners: Some(CodeOwners {
            file: "CODEOWNERS".into(),
            rules: vec![
                rule(1, "*", &["@maintainer"]),
                rule(2, "/inferencex-e2e/configs/nvidia-master.yaml", &["@engineer", "@code-owner"]),
                rule(3, "/inferencex-e2e/recipes/**/gb300-*/", &["@code-owner"]),
            ],
        }),
        checklist: Some(Checklist { file: "docs/PR_REVIEW_CHECKLIST.md".into(), items: ITEMS.iter().map(|i| (*i).to_owned()).collect() }),
        ..RepoFacts::default()
    }
}

fn point(run: i64, layout: &str, conc: u32, attempt: u32, image: &str) -> Point {
    let (reference, digest) = super::affected::split_image(image);
    let layout = parallel(layout);
    let mut p = Point {
        id: PointId::from_text(""),
        run_id: RunId::new(run).unwrap(),
        attempt: Attempt::new(attempt),
        label: String::new(),
        model: "dsv41flash".into(),
        model_path: Some(MODEL.into()),
        hardware: "gb300".into(),
        hardware_label: "gb300".into(),
        framework: "sglang".into(),
        precision: "fp4".into(),
        spec_method: "mtp".into(),
        scenario: Scenario::AgenticTraces,
        isl: None,
        osl: None,
        conc,
        disagg: false,
        multinode: false,
        gpus: layout.gpus(),
        tp: layout.tp,
        pp: None,
        ep: layout.ep,
        dcp: None,
        pcp: None,
        dp_attention: layout.dp_attention,
        prefill: None,
        decode: None,
        image: Some(reference),
        image_digest: digest,
        offload: Offload::None,
        offload_backend: None,
        router: None,
        kv_transfer: None,
        requests: Requests::default(),
        recipe_fingerprint: None,
        config_key: Some(KEY.into()),
        artifact: "bmk_agentic_x".into(),
        file: "x.json".into(),
        row: None,
        status: Status::Ok,
        reasons: vec![],
        notes: vec![],
        superseded: false,
        metrics: BTreeMap::new(),
    };
    p.id = point_id(&p);
    p.label = label::label(&p.topology(), Some(conc));
    p
}

fn evals(points: &[Point], scores: &[f64; 6], ns: &[f64; 6]) -> Vec<Eval> {
    let stored: Vec<StoredEval> = SCORED
        .iter()
        .zip(scores.iter().zip(ns))
        .map(|((layout, conc, attempt, _), (score, n))| {
            let record = EvalRecord {
                run_id: RunId::new(RUN).unwrap(),
                attempt: Attempt::new(*attempt),
                task: "gsm8k".into(),
                suite: None,
                model: "dsv41flash".into(),
                model_prefix: Some("dsv41flash".into()),
                model_path: Some(MODEL.into()),
                hardware: "gb300".into(),
                hardware_label: "GB300".into(),
                framework: "sglang".into(),
                precision: "fp4".into(),
                spec_method: "mtp".into(),
                isl: None,
                osl: None,
                conc: Some(*conc),
                disagg: false,
                multinode: false,
                parallel: parallel(layout),
                prefill: None,
                decode: None,
                recipe_fingerprint: None,
                score: Some(*score),
                score_name: Some("em_strict".into()),
                stderr: None,
                n: Some(*n),
                metrics: BTreeMap::new(),
                integration_error: None,
                artifact: "eval_results_all".into(),
                file: "agg_eval_all.json".into(),
                row: None,
            };
            StoredEval { id: eval_id(&eval_base(&record), None), superseded: false, record }
        })
        .collect();
    review(&stored, points, thresholds(), words())
}

fn jobs() -> Vec<JobEvent> {
    let mut out = Vec::new();
    let benchmarks = MEASURED.iter().map(|(layout, conc, attempt, ..)| (*layout, *conc, *attempt, false));
    let evals = SCORED.iter().map(|(layout, conc, attempt, _)| (*layout, *conc, *attempt, true));
    for (layout, conc, succeeded_in, eval) in benchmarks.chain(evals) {
        for attempt in 1..=succeeded_in {
            let fine = attempt == succeeded_in;
            let raw = json!({"exp_name": format!("dsv41flash_{layout}_conc{conc}"), "conc": conc, "image": IMAGE, "scenario": "agentic-coding", "runner": format!("r{attempt}")});
            out.push(JobEvent {
                attempt: Attempt::new(attempt),
                title: format!("{layout} c{conc}"),
                eval_only: Some(eval),
                outcome: Some(if fine { "success" } else { "failure" }.into()),
                error: (!fine).then(|| "DatasetLoaderError: the hub did not answer".into()),
                runner: Some(format!("r{attempt}")),
                started_at: None,
                duration_s: None,
                golden_acceptance_length: (!eval).then(|| "3.51".into()),
                artifact: "job_event_x".into(),
                raw: Some(raw.to_string()),
            });
        }
    }
    out
}

fn stated(run: i64) -> Vec<RunFact> {
    let origin = || FactOrigin::Stated { by: "code owner".into(), url: None, at: None };
    let fact = |kind, point: Option<&str>, key: &str, value: &str, count| RunFact {
        run_id: RunId::new(run).unwrap(),
        attempt: None,
        point: point.map(str::to_owned),
        eval: false,
        kind,
        key: key.into(),
        value: value.into(),
        count,
        origin: origin(),
    };
    use FactKind::{Ancestry, Argument, BuildCommit, BuildUrl, Env, MeasuredAl, Note};
    vec![
        fact(Env, None, "SGLANG_SIMULATE_ACC_LEN", "3.51", None),
        fact(Env, None, "SGLANG_SIMULATE_ACC_METHOD", "match-expected", None),
        fact(Env, None, "SGLANG_SIMULATE_ACC_TOKEN_MODE", "real-draft-token", None),
        fact(Env, None, "SGLANG_DEFAULT_THINKING", "1", None),
        fact(Argument, None, "speculative_dspark_block_size", "5", None),
        fact(Argument, Some("TP4 c1"), "enable_nvidia_megakernel", "", None),
        fact(Argument, Some("TP4 c1"), "kv_cache_dtype", "fp8_e4m3", None),
        fact(MeasuredAl, Some("TP4 c1"), "accept_len", "3.510", Some(5107)),
        fact(MeasuredAl, Some("TP2/EP2/DPA c64"), "accept_len", "3.512", Some(8983)),
        fact(BuildCommit, None, "arm64", "52604e1d46c1", None),
        fact(BuildUrl, None, "arm64", "https://github.com/sgl-project/sglang/actions/runs/40978821580", None),
        fact(Ancestry, None, "52604e1d46c1", "ancestor", None),
        fact(Note, None, "chat endpoint", "The client replays through the chat endpoint, thinking on", None),
    ]
}

fn run(id: i64, head: &str, image: &str, whole: bool) -> RunDetail {
    let run_id = RunId::new(id).unwrap();
    let mut points: Vec<Point> = Vec::new();
    for (layout, conc, attempt, p90, p75, tput) in MEASURED {
        let mut p = point(id, layout, conc, attempt, image);
        p.metrics.insert("tput_per_gpu".into(), tput);
        if whole {
            p.metrics.insert("p90_e2el".into(), p90);
            p.metrics.insert("p75_e2el".into(), p75);
        }
        points.push(p);
    }
    let (reference, digest) = super::affected::split_image(image);
    let evals = if whole { evals(&points, &SCORED.map(|(.., score)| score), &[1319.0; 6]) } else { vec![] };
    RunDetail {
        run: Run {
            run_id,
            kind: Kind::Unofficial,
            synthetic: false,
            attempt: whole.then(|| Attempt::new(2)).flatten(),
            attempts: if whole { [1, 2].into_iter().filter_map(Attempt::new).collect() } else { vec![] },
            attempt_details: vec![],
            actor: None,
            name: Some("Run Sweep".into()),
            event: whole.then(|| "pull_request".into()),
            status: whole.then(|| "completed".into()),
            conclusion: whole.then(|| "success".into()),
            head_sha: Some(head.into()),
            head_branch: None,
            repo: "SemiAnalysisAI/InferenceX".into(),
            html_url: None,
            commit_url: None,
            pr_number: Some(4603),
            pr_url: None,
            pr_title: None,
            pr_author: Some("PR author".into()),
            created_at: None,
            date: Some(if whole { "2026-11-01" } else { "2026-10-29" }.into()),
            config_keys: vec![KEY.into()],
            images: vec![Image { reference, digest }],
            models: vec!["dsv41flash".into()],
            hardware: vec!["gb300".into()],
            frameworks: vec!["sglang".into()],
            precisions: vec!["fp4".into()],
            scenarios: vec!["agentic-traces".into()],
            point_count: points.len(),
            failed_count: 0,
            eval_count: evals.len(),
            eval_passing: evals.len(),
            baseline_run_id: None,
            curves: vec![],
            ingested_at: None,
            purged: None,
        },
        points,
        evals,
        artifacts: vec![Artifact {
            name: "bmk_agentic_x".into(),
            attempt: None,
            artifact_id: None,
            family: Family::Benchmark,
            reading: Reading::Read,
            size: 1,
            digest: None,
            uploaded_at: None,
            expires_at: Some("2027-01-30".into()),
            files: vec![],
            pairs_with: None,
        }],
        jobs: if whole { jobs() } else { vec![] },
        changelog: if whole {
            vec![ChangelogEntry {
                config_keys: vec![KEY.into()],
                scenario_types: vec!["agentic-coding".into()],
                description: vec![],
                pr_link: None,
                append_only: false,
                evals_only: false,
                base_ref: None,
                head_ref: None,
            }]
        } else {
            vec![]
        },
        run_stats: vec![],
        reuse: None,
        report: None,
        audit: vec![],
        evidence: if whole { stated(id) } else { vec![] },
    }
}

fn cookbook(round: i64, at: &str, run: Option<i64>) -> CookbookVersion {
    let (reference, digest) = super::affected::split_image(IMAGE);
    let layouts = ["TP4", "TP2/EP2", "TP2/EP2/DPA"];
    let cells = layouts.iter().zip(0..).map(|(layout, item)| Cell {
        id: format!("{KEY}#{item}"),
        config_key: KEY.into(),
        hardware: "gb300".into(),
        label: format!("Agg {layout}"),
        image: Some(reference.clone()),
        image_digest: digest.clone(),
        image_status: Some("ok".into()),
        sha: Some(if run.is_some() { HEAD.into() } else { "9bd047ac7".into() }),
        run_id: run.and_then(RunId::new),
        pr: Some(4603),
        status_word: Some(if run.is_some() { "verified-pr" } else { "in-progress" }.into()),
        points: vec![CellPoint {
            concs: MEASURED.iter().filter(|(l, ..)| l == layout).map(|(_, conc, ..)| *conc).collect(),
            golden_al: Some("3.51".into()),
            ..CellPoint::default()
        }],
        env: vec![("SGLANG_DEFAULT_THINKING".into(), "1".into())],
        args: [
            ("--speculative-dspark-block-size", Some("5")),
            ("--enable-nvidia-megakernel", None),
            ("--kv-cache-dtype", Some("fp8_e4m3")),
        ]
        .map(|(flag, value)| (flag.to_owned(), value.map(str::to_owned)))
        .to_vec(),
        ..Cell::default()
    });
    CookbookVersion {
        file: CookbookFile {
            repo: "sgl-project/sglang".into(),
            path: "docs/src/snippets/agentx/deepseek-ai/deepseek-v4_1.jsx".into(),
            model: "DeepSeek-V4.1-Flash".into(),
            cells: cells.collect(),
            cookbook_pr: Some(round),
            ..CookbookFile::default()
        },
        digest: format!("sha256:{round}"),
        committed_at: Some(time(at)),
        synced_at: time("2026-11-05T00:00:00Z"),
    }
}
