//! The reference run as its sign-off tells it, in both languages; what is missing; and the limit.

use paretoscope_domain::cookbook::CookbookStatus;
use paretoscope_domain::curve::CurveKey;
use paretoscope_domain::eval::{Eval, EvalRecord, StoredEval, review};
use paretoscope_domain::fact::{FactKind, FactOrigin, RunFact};
use paretoscope_domain::label;
use paretoscope_domain::natural_key::{eval_base, eval_id, point_id};
use paretoscope_domain::point::Point;
use paretoscope_domain::pull::{Known, PullCommit};
use paretoscope_domain::repo::GoldenCurve;
use paretoscope_domain::run::{Artifact, AttemptSummary, Family, Image, JobEvent, Reading};
use paretoscope_domain::threshold::Thresholds;
use paretoscope_domain::{Attempt, RunId};
use serde_json::json;

use super::document::Heading;
use super::*;
use crate::drift::{Against as DriftAgainst, Drift, DriftKind, Missing, NotKnown};

const HEAD: i64 = 41_261_902_147;
const BASE: i64 = 40_809_149_952;
const KEY: &str = "dsv41flash-fp4-gb300-sglang-agentic-dspark";
const SHA: &str = "41d29b2834a85fcee09db6f9f52653b7c2f30ef3";
const IMAGE: &str = "lmsysorg/sglang:nightly-dev-cu13-20261030-302b78cc";
const OLD_IMAGE: &str = "lmsysorg/sglang:nightly-dev-cu13-20261029-c10e0e17";
const DIGEST: &str = "sha256:d4b7701dc94d287e4fc135dfb4c1a88df0778a936255021aeb26eb54d396e579";

/// tp, ep, DP attention, concurrency, P90 and P75 E2EL, throughput per GPU, change in per cent, attempt.
type Measured = (u32, u32, bool, u32, f64, f64, f64, f64, u32);

const TABLE: [Measured; 8] = [
    (4, 1, false, 1, 5.67, 3.17, 8105.0, 0.1, 1),
    (4, 1, false, 4, 6.29, 2.79, 9425.0, -7.8, 1),
    (4, 1, false, 16, 6.25, 3.01, 29_242.0, -0.0, 2),
    (2, 2, false, 16, 7.64, 3.55, 57_957.0, 0.2, 1),
    (2, 2, false, 32, 12.07, 5.79, 118_105.0, -0.6, 1),
    (2, 2, true, 64, 15.40, 7.61, 224_816.0, 0.3, 2),
    (2, 2, true, 128, 23.44, 10.72, 321_183.0, 0.3, 2),
    (2, 2, true, 160, 33.68, 14.56, 340_890.0, -3.5, 1),
];

/// Index in the table, score, attempt.
const SCORES: [(usize, f64, u32); 6] = [(0, 0.9735, 1), (1, 0.9757, 1), (2, 0.9757, 2), (3, 0.9735, 2), (4, 0.9757, 1), (7, 0.9689, 1)];

fn attempt(n: u32) -> Option<Attempt> {
    Attempt::new(n)
}

fn run_id(n: i64) -> RunId {
    RunId::new(n).unwrap()
}

fn point(run: i64, measured: &Measured) -> Point {
    let (tp, ep, dpa, conc, ..) = *measured;
    let mut p: Point = serde_json::from_value(json!({
        "id": "", "run_id": run, "label": "", "model": "dsv41flash", "model_path": "deepseek-ai/DeepSeek-V4.1-Flash", "hardware": "gb300",
        "hardware_label": "gb300", "framework": "sglang", "precision": "fp4", "spec_method": "mtp", "scenario": "agentic-traces", "conc": conc,
        "disagg": false, "multinode": false, "tp": tp, "ep": ep, "dp_attention": dpa, "offload": "none", "requests": {}, "artifact": "bmk_agentic_x",
        "file": "x.json", "status": "ok", "reasons": [], "notes": [], "superseded": false, "metrics": {}
    }))
    .unwrap();
    p.id = point_id(&p);
    p
}

fn head_points() -> Vec<Point> {
    let mut points: Vec<Point> = TABLE
        .iter()
        .map(|m| {
            let mut p = point(HEAD, m);
            (p.attempt, p.image, p.image_digest) = (attempt(m.8), Some(IMAGE.into()), Some(DIGEST.into()));
            p.metrics = [("p90_e2el", m.4), ("p75_e2el", m.5), ("tput_per_gpu", m.6)].map(|(k, v)| (k.to_owned(), v)).into();
            p
        })
        .collect();
    label::assign(&mut points);
    points
}

fn base_points() -> Vec<Point> {
    let mut points: Vec<Point> = TABLE
        .iter()
        .map(|m| {
            let mut p = point(BASE, m);
            p.image = Some(OLD_IMAGE.into());
            p.metrics.insert("tput_per_gpu".into(), (m.6 / (1.0 + m.7 / 100.0)).round());
            p.notes.push("throughput derived from the stated change".into());
            p
        })
        .collect();
    label::assign(&mut points);
    points
}

fn evals(points: &[Point]) -> Vec<Eval> {
    let stored: Vec<StoredEval> = SCORES
        .iter()
        .map(|(i, score, by)| {
            let p = &points[*i];
            let record = EvalRecord {
                run_id: p.run_id,
                attempt: attempt(*by),
                task: "gsm8k".into(),
                suite: None,
                model: p.model.clone(),
                model_prefix: Some(p.model.clone()),
                model_path: None,
                hardware: p.hardware.clone(),
                hardware_label: p.hardware_label.clone(),
                framework: p.framework.clone(),
                precision: p.precision.clone(),
                spec_method: p.spec_method.clone(),
                isl: None,
                osl: None,
                conc: Some(p.conc),
                disagg: false,
                multinode: false,
                parallel: paretoscope_domain::point::Parallel { tp: p.tp, ep: p.ep, dp_attention: p.dp_attention, ..Default::default() },
                prefill: None,
                decode: None,
                recipe_fingerprint: None,
                score: Some(*score),
                score_name: Some("em_strict".into()),
                stderr: None,
                n: Some(1319.0),
                metrics: Default::default(),
                integration_error: None,
                artifact: "eval_results_all".into(),
                file: "agg_eval_all.json".into(),
                row: None,
            };
            StoredEval { id: eval_id(&eval_base(&record), None), superseded: false, record }
        })
        .collect();
    review(&stored, points, &Thresholds::shipped().unwrap(), &Vocabulary::shipped().unwrap())
}

fn run(id: i64, sha: &str, date: &str, points: &[Point]) -> Run {
    let mut run: Run = serde_json::from_value(json!({
        "run_id": id, "kind": "unofficial", "synthetic": false, "attempts": [], "attempt_details": [], "head_sha": sha, "repo": "SemiAnalysisAI/InferenceX",
        "html_url": format!("https://github.com/SemiAnalysisAI/InferenceX/actions/runs/{id}"), "pr_number": 4603, "date": date, "config_keys": [KEY],
        "images": [], "models": ["dsv41flash"], "hardware": ["gb300"], "frameworks": ["sglang"], "precisions": ["fp4"], "scenarios": ["agentic-traces"],
        "point_count": points.len(), "failed_count": 0, "eval_count": 0, "eval_passing": 0, "curves": []
    }))
    .unwrap();
    let mut curves: Vec<CurveKey> = points.iter().map(CurveKey::of).collect();
    curves.dedup();
    run.curves = curves;
    run
}

fn detail(run: Run, points: Vec<Point>) -> RunDetail {
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

fn job(by: u32, title: &str, eval: bool, lost: bool) -> JobEvent {
    JobEvent {
        attempt: attempt(by),
        title: title.into(),
        eval_only: Some(eval),
        outcome: Some(if lost { "failure" } else { "success" }.into()),
        error: lost.then(|| "DatasetLoaderError: Network or API error communicating with HuggingFace Hub".into()),
        runner: None,
        started_at: None,
        duration_s: None,
        golden_acceptance_length: Some("3.51".into()),
        artifact: "job_event_x".into(),
        raw: None,
    }
}

fn fact(kind: FactKind, point: Option<&str>, key: &str, value: &str, count: Option<u64>) -> RunFact {
    let origin = FactOrigin::Stated {
        by: "code owner".into(),
        url: Some("https://github.com/SemiAnalysisAI/InferenceX/pull/4603".into()),
        at: None,
    };
    RunFact {
        run_id: run_id(HEAD),
        attempt: None,
        point: point.map(str::to_owned),
        eval: false,
        kind,
        key: key.into(),
        value: value.into(),
        count,
        origin,
    }
}

fn head() -> RunDetail {
    let points = head_points();
    let mut run = run(HEAD, SHA, "2026-11-01", &points);
    run.name = Some("Run Sweep".into());
    (run.event, run.status, run.conclusion) = (Some("pull_request".into()), Some("completed".into()), Some("success".into()));
    run.attempts = [1, 2].into_iter().filter_map(attempt).collect();
    let summary = |n: u32, points, evals, failed| AttemptSummary {
        attempt: attempt(n).unwrap(),
        conclusion: Some(if failed > 0 { "failure" } else { "success" }.into()),
        html_url: None,
        point_count: points,
        eval_count: evals,
        failed_jobs: failed,
    };
    run.attempt_details = vec![summary(1, 5, 4, 5), summary(2, 3, 2, 0)];
    run.images = vec![Image { reference: IMAGE.into(), digest: Some(DIGEST.into()) }];
    let mut jobs = Vec::new();
    for (p, m) in points.iter().zip(&TABLE) {
        jobs.extend((1..=m.8).map(|by| job(by, &p.label, false, by < m.8)));
    }
    for (i, _, by) in SCORES {
        jobs.extend((1..=by).map(|n| job(n, &points[i].label, true, n < by)));
    }
    let artifact = |name: &str, family| Artifact {
        name: name.into(),
        attempt: attempt(1),
        artifact_id: None,
        family,
        reading: Reading::Read,
        size: 1,
        digest: None,
        uploaded_at: None,
        expires_at: Some("2027-01-30".into()),
        files: vec![],
        pairs_with: None,
    };
    let evidence = vec![
        fact(FactKind::Env, Some("TP4 c1"), "SGLANG_SIMULATE_ACC_LEN", "3.51", None),
        fact(FactKind::Env, Some("TP4 c1"), "SGLANG_SIMULATE_ACC_METHOD", "match-expected", None),
        fact(FactKind::Env, Some("TP4 c1"), "SGLANG_DEFAULT_THINKING", "1", None),
        fact(FactKind::Argument, None, "speculative_dspark_block_size", "5", None),
        fact(FactKind::MeasuredAl, Some("TP4 c1"), "", "3.510", Some(5107)),
        fact(FactKind::MeasuredAl, Some("TP2/EP2/DPA c64"), "", "3.512", Some(8983)),
        fact(FactKind::BuildCommit, None, "arm64", "52604e1d46c1", None),
        fact(FactKind::BuildUrl, None, "", "https://github.com/sgl-project/sglang/actions/runs/40978821580", None),
        fact(FactKind::Ancestry, None, "52604e1d46c1", "ancestor", None),
    ];
    let evals = evals(&points);
    RunDetail {
        evals,
        jobs,
        artifacts: vec![artifact("bmk_agentic_x", Family::Benchmark), artifact("eval_results_all", Family::CollectedEvals)],
        evidence,
        ..detail(run, points)
    }
}

fn base() -> RunDetail {
    let points = base_points();
    detail(run(BASE, "9bd047ac7", "2026-10-29", &points), points)
}

fn pull() -> Pull {
    let comment = |id: i64, at: &str, body: &str| {
        let value = json!({ "id": id, "author": "code owner", "bot": false, "association": "COLLABORATOR", "at": at, "updated_at": at, "body": body,
            "url": format!("https://github.com/SemiAnalysisAI/InferenceX/pull/4603#issuecomment-{id}"), "earlier": [] });
        serde_json::from_value(value).unwrap()
    };
    let commit = |sha: &str| PullCommit { sha: sha.into(), message: "m".into(), author: None, at: None, parents: vec!["p".into()] };
    Pull {
        repo: "SemiAnalysisAI/InferenceX".into(),
        number: 4603,
        head_sha: SHA.into(),
        commits: vec![commit("9bd047ac7"), commit("6bb31166"), commit(SHA)],
        comments: vec![comment(1, "2026-10-30T10:00:00Z", "/use 40809149952"), comment(2, "2026-11-02T10:00:00Z", "/use 41261902147")],
        known: Known { pull: true, commits: true, comments: true, ..Known::default() },
        ..Pull::default()
    }
}

fn facts() -> RepoFacts {
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
        thresholds: [("default".to_owned(), [("gsm8k".to_owned(), 0.90)].into())].into(),
        ..RepoFacts::default()
    }
}

fn entry() -> CookbookEntry {
    CookbookEntry {
        config_key: KEY.into(),
        cell_id: Some(format!("{KEY}#0")),
        model: Some("dsv41flash".into()),
        hardware: Some("gb300".into()),
        framework: Some("sglang".into()),
        label: Some("Agg TP4".into()),
        status: CookbookStatus::InProgress,
        sha: Some("9bd047ac7".into()),
        run_id: None,
        attempt: None,
        pr: Some(4603),
        image: Some(OLD_IMAGE.into()),
        image_digest: None,
        image_status: Some("ok".into()),
        golden_al: Some("3.51".into()),
        concs: vec![1, 4, 16],
        date: None,
        repo: Some("sgl-project/sglang".into()),
        path: Some("docs/x.jsx".into()),
        commit: None,
        cookbook_pr: Some(47464),
        page: None,
        source_repo: None,
        as_of: None,
        pinned_run_id: Some(run_id(HEAD)),
        official_run_id: None,
        drift: vec![Drift {
            kind: DriftKind::Run,
            expected: Some(HEAD.to_string()),
            found: None,
            against: DriftAgainst::Pin { pr: 4603 },
            sentence: format!("run: cookbook none, pinned {HEAD}"),
            href: None,
            since: None,
        }],
        not_known: vec![NotKnown { kind: DriftKind::Points, missing: Missing::RepoNotRead, why: String::new() }],
        notes: vec![],
    }
}

/// Everything an evidence is written from, owned.
struct World {
    head: RunDetail,
    base: Option<Arc<RunDetail>>,
    pull: Option<Pull>,
    facts: Option<RepoFacts>,
    cookbook: Option<Vec<CookbookEntry>>,
    public_url: &'static str,
}

impl World {
    fn reference() -> Self {
        Self {
            head: head(),
            base: Some(Arc::new(base())),
            pull: Some(pull()),
            facts: Some(facts()),
            cookbook: Some(vec![entry()]),
            public_url: "https://bench.example.org",
        }
    }

    /// The same run with nothing beside its rows.
    fn bare() -> Self {
        let mut world = Self { base: None, pull: None, facts: None, cookbook: None, ..Self::reference() };
        (world.head.evals, world.head.jobs, world.head.artifacts, world.head.evidence) = Default::default();
        world
    }

    fn evidence(&self, language: Language) -> String {
        let words = Vocabulary::shipped().unwrap();
        let against = match &self.base {
            Some(detail) => Against::Some { detail, chosen: false },
            None => Against::None(NoBaseline::NoEarlier),
        };
        let input = EvidenceInput {
            detail: &self.head,
            against,
            pull: self.pull.as_ref(),
            head: None,
            main: self.facts.as_ref(),
            cookbook: self.cookbook.as_deref(),
            words: &words,
            public_url: self.public_url,
            now: "2026-11-30T00:00:00Z".parse().unwrap(),
        };
        evidence(&input, language)
    }
}

#[test]
fn the_reference_run_in_english() {
    insta::assert_snapshot!("reference_en", World::reference().evidence(Language::En));
}

#[test]
fn the_reference_run_in_chinese() {
    insta::assert_snapshot!("reference_zh", World::reference().evidence(Language::Zh));
}

#[test]
fn a_run_of_which_little_is_known() {
    insta::assert_snapshot!("bare_en", World::bare().evidence(Language::En));
    insta::assert_snapshot!("bare_zh", World::bare().evidence(Language::Zh));
}

#[test]
fn every_heading_stands_in_every_text() {
    for world in [World::reference(), World::bare()] {
        for language in [Language::En, Language::Zh] {
            let text = world.evidence(language);
            let found: Vec<&str> = text.lines().filter_map(|l| l.strip_prefix("#### ")).collect();
            assert_eq!(found, Heading::ALL.map(|h| h.title(language)));
            for heading in Heading::ALL {
                let title = heading.title(language);
                let after = text.split_once(&format!("#### {title}\n")).unwrap().1;
                let body = after.split("\n#### ").next().unwrap();
                assert!(body.contains("- ") || body.contains("| "), "nothing below {title}");
            }
        }
    }
}

#[test]
fn the_first_line_says_what_a_run_is_not() {
    let first = |change: fn(&mut Run), language| {
        let mut world = World::reference();
        change(&mut world.head.run);
        world.evidence(language).lines().next().unwrap_or_default().to_owned()
    };
    use paretoscope_domain::Kind;
    assert_eq!(first(|_| {}, Language::En), "> **UNOFFICIAL RUN: not an official result**");
    assert_eq!(first(|_| {}, Language::Zh), "> **非正式 run：不是正式结果**");
    assert_eq!(first(|r| r.kind = Kind::Staged, Language::En), "> **STAGED RUN: not an official result**");
    assert_eq!(first(|r| r.kind = Kind::Official, Language::En), "> **Official run**");
    assert_eq!(
        first(|r| (r.kind, r.synthetic) = (Kind::Official, true), Language::En),
        "> **SYNTHETIC SAMPLE DATA: made up, not a measurement**"
    );
}

#[test]
fn the_figures_of_the_sign_off() {
    let text = World::reference().evidence(Language::En);
    let numbers: Vec<&str> =
        text.lines().filter(|l| l.starts_with("| [TP")).map(|l| l.split('|').map(str::trim).nth(5).unwrap_or_default()).collect();
    assert_eq!(numbers, ["+0.1 %", "−7.8 %", "0.0 %", "+0.2 %", "−0.6 %", "+0.3 %", "+0.3 %", "−3.5 %"]);
    for part in [
        "P90 E2EL: 7/8 frontier points (enough: the rule asks for 5). Off it: TP4 c4, dominated by TP4 c16.",
        "P75 E2EL: 7/8 frontier points (enough: the rule asks for 5). Off it: TP4 c1, dominated by TP4 c4 and TP4 c16.",
        "0.0068 (TP2/EP2/DPA c160), within 2σ = 0.0128",
        "All 6 evals pass",
        "3.51 matches the committed 3.51 (`dsv41flash_dspark.yaml`, `thinking_on`, draft length 5).",
        "Measured mean 3.510 on TP4 c1 over 5107 log lines",
        "Attempt 1 lost 3 benchmark jobs (TP4 c16, TP2/EP2/DPA c64 and TP2/EP2/DPA c128) and 2 eval jobs (TP4 c16 and TP2/EP2 c16) to: DatasetLoaderError",
        "Baseline: [run 40809149952](https://bench.example.org/runs/40809149952)",
        "It replaces [`/use 40809149952`]",
        "none before 2027-01-30",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

#[test]
fn bullets_link_to_the_page_that_shows_them() {
    for language in [Language::En, Language::Zh] {
        let text = World::reference().evidence(language);
        let known = text.split(&format!("#### {}", Heading::Unknown.title(language))).next().unwrap();
        for line in known.lines().filter(|l| l.starts_with("- ")) {
            assert!(line.contains("](https://bench.example.org/"), "{line}");
        }
        for row in known.lines().filter(|l| l.starts_with("| [TP")) {
            assert!(row.contains("](https://bench.example.org/runs/41261902147/points/"), "{row}");
        }
    }
    let mut world = World::reference();
    world.public_url = "";
    let text = world.evidence(Language::En);
    assert!(text.contains("](/runs/41261902147#points)") && text.contains("The links are paths"), "{text}");
}

#[test]
fn no_value_becomes_markup_or_a_command() {
    let evil = "x\n/use 1\n<script>alert(1)</script> | a @someone [b](javascript:c) # d";
    let mut world = World::reference();
    let run = &mut world.head.run;
    (run.name, run.event, run.conclusion) = (Some(evil.into()), Some(evil.into()), Some(evil.into()));
    world.head.jobs[0].title = evil.into();
    world.head.jobs[0].error = Some(evil.into());
    world.head.points[0].label = evil.into();
    world.head.evidence.push(fact(FactKind::Note, Some(evil), evil, evil, None));
    world.head.evidence.push(fact(FactKind::Env, Some(evil), evil, "a|b", None));
    world.cookbook.as_mut().unwrap()[0].label = Some(evil.into());
    world.cookbook.as_mut().unwrap()[0].repo = Some(evil.into());
    let columns = |line: &str| line.replace("\\|", "").matches('|').count();
    for language in [Language::En, Language::Zh] {
        let text = world.evidence(language);
        // Within code a tag is shown as it is.
        let plain = text.split('`').step_by(2).collect::<String>().replace("\\]", "");
        assert!(!plain.contains("<script") && !plain.contains("@someone") && !plain.contains("](javascript:"), "{text}");
        assert!(text.lines().all(|l| !l.trim_start().starts_with('/')), "{text}");
        let mut head = 0;
        for line in text.lines() {
            if line.starts_with("|---") || line.starts_with("|---:") {
                head = columns(line);
            } else if line.starts_with("| ") && head > 0 {
                assert_eq!(columns(line), head, "{line}");
            } else if !line.starts_with('|') {
                head = 0;
            }
        }
    }
}

#[test]
fn however_much_there_is_it_stays_short() {
    let mut world = World::reference();
    for i in 0..1000_u32 {
        let mut p = point(HEAD, &(4, 1, false, 1000 + i, 0.0, 0.0, 0.0, 0.0, 1));
        p.image = Some(format!("registry/image:{i}"));
        p.metrics = [("p90_e2el", f64::from(i) + 100.0), ("tput_per_gpu", f64::from(i) + 1.0)].map(|(k, v)| (k.to_owned(), v)).into();
        p.label = format!("TP4 c{}", 1000 + i);
        world.head.points.push(p);
        world.head.evidence.push(fact(FactKind::Env, Some("TP4 c1"), &format!("NAME_{i}"), &"v".repeat(2000), None));
        world.head.jobs.push(job(1, &format!("TP4 c{}", 1000 + i), false, true));
        world.head.jobs.last_mut().unwrap().error = Some(format!("{i}: {}", "e".repeat(1000)));
        let mut e = entry();
        e.cell_id = Some(format!("{KEY}#{i}"));
        world.cookbook.as_mut().unwrap().push(e);
    }
    for language in [Language::En, Language::Zh] {
        let text = world.evidence(language);
        assert!(text.chars().count() < LIMIT, "{}", text.chars().count());
        for heading in Heading::ALL {
            assert!(text.contains(&format!("#### {}\n", heading.title(language))));
        }
        let said = match language {
            Language::En => "left out to keep this short: [all of them](https://bench.example.org/",
            Language::Zh => "查看全部](https://bench.example.org/",
        };
        assert!(text.contains(said), "{text}");
    }
}
