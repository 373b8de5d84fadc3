//! Tables for the rules, laws for the whole, and the figures of the reference story.

use paretoscope_domain::curve::CurveKey;
use paretoscope_domain::eval::{Eval, ImageSource};
use paretoscope_domain::fact::{FactKind, FactOrigin, RunFact};
use paretoscope_domain::format::percent_change;
use paretoscope_domain::natural_key::point_id;
use paretoscope_domain::point::{Offload, Parallel, Requests, Status, Topology, Versioned};
use paretoscope_domain::run::{JobEvent, Purge, Run};
use paretoscope_domain::{EvalId, Kind, label};
use proptest::prelude::*;

use super::*;

fn words() -> &'static Vocabulary {
    static WORDS: std::sync::LazyLock<Vocabulary> = std::sync::LazyLock::new(|| Vocabulary::shipped().unwrap());
    &WORDS
}

fn id(n: i64) -> RunId {
    RunId::new(n).unwrap()
}

/// An agentic point: layout as `TP2/EP2/DPA`.
fn point(layout: &str, conc: u32) -> Point {
    let mut parallel = Parallel::default();
    for part in layout.split('/') {
        match (part.get(..2).unwrap_or_default(), part.get(2..).and_then(|n| n.parse().ok())) {
            ("TP", size) => parallel.tp = size,
            ("EP", size) => parallel.ep = size,
            _ => parallel.dp_attention = Some(true),
        }
    }
    let mut p = Point {
        id: PointId::from_text(""),
        run_id: id(1),
        attempt: None,
        label: String::new(),
        model: "dsv41flash".into(),
        model_path: None,
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
        gpus: parallel.gpus(),
        tp: None,
        pp: None,
        ep: None,
        dcp: None,
        pcp: None,
        dp_attention: None,
        prefill: None,
        decode: None,
        image: None,
        image_digest: None,
        offload: Offload::None,
        offload_backend: None,
        router: None,
        kv_transfer: None,
        requests: Requests::default(),
        recipe_fingerprint: None,
        config_key: None,
        artifact: "bmk_agentic_x".into(),
        file: "x.json".into(),
        row: None,
        status: Status::Ok,
        reasons: vec![],
        notes: vec![],
        superseded: false,
        metrics: Default::default(),
    };
    p.set_topology(Topology::Aggregated(parallel));
    p
}

fn with(mut p: Point, metrics: &[(&str, f64)]) -> Point {
    p.metrics.extend(metrics.iter().map(|(n, v)| ((*n).to_owned(), *v)));
    p
}

/// A run of points, unofficial, of pull request 7, on a day of 2026.
fn run(number: i64, date: &str, mut points: Vec<Point>) -> RunDetail {
    for p in &mut points {
        p.run_id = id(number);
        p.id = point_id(p);
    }
    label::assign(&mut points);
    let mut curves: Vec<CurveKey> = points.iter().filter(|p| p.counts()).map(CurveKey::of).collect();
    curves.sort();
    curves.dedup();
    RunDetail {
        run: Run {
            run_id: id(number),
            kind: Kind::Unofficial,
            synthetic: false,
            attempt: None,
            attempts: vec![],
            attempt_details: vec![],
            actor: None,
            name: None,
            event: None,
            status: None,
            conclusion: None,
            head_sha: None,
            head_branch: None,
            repo: "owner/name".into(),
            html_url: None,
            commit_url: None,
            pr_number: Some(7),
            pr_url: None,
            pr_title: None,
            pr_author: None,
            created_at: None,
            date: (!date.is_empty()).then(|| date.into()),
            config_keys: vec![],
            images: vec![],
            models: vec![],
            hardware: vec![],
            frameworks: vec![],
            precisions: vec![],
            scenarios: vec![],
            point_count: points.len(),
            failed_count: 0,
            eval_count: 0,
            eval_passing: 0,
            baseline_run_id: None,
            curves,
            ingested_at: None,
            purged: None,
        },
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

fn official(mut detail: RunDetail) -> RunDetail {
    detail.run.kind = Kind::Official;
    detail.run.pr_number = None;
    detail
}

fn compared(base: &RunDetail, head: &RunDetail) -> Comparison {
    compare(&Side::run(base), &Side::run(head), &[], &Options::default(), words()).unwrap()
}

/// The reference table: layout, concurrency, P90 E2EL, throughput.
const TABLE: [(&str, u32, f64, f64); 8] = [
    ("TP4", 1, 5.67, 8105.0),
    ("TP4", 4, 6.29, 9425.0),
    ("TP4", 16, 6.25, 29242.0),
    ("TP2/EP2", 16, 7.64, 57957.0),
    ("TP2/EP2", 32, 12.07, 118_105.0),
    ("TP2/EP2/DPA", 64, 15.40, 224_816.0),
    ("TP2/EP2/DPA", 128, 23.44, 321_183.0),
    ("TP2/EP2/DPA", 160, 33.68, 340_890.0),
];

fn reference_head() -> RunDetail {
    let points = TABLE.iter().map(|(l, c, x, y)| with(point(l, *c), &[("p90_e2el", *x), ("tput_per_gpu", *y)])).collect();
    run(41_261_902_147, "2026-11-01", points)
}

/// A run with throughput alone, such that the reference run's changes against it are these, in per cent.
fn throughput_only(number: i64, date: &str, changes: [f64; 8]) -> RunDetail {
    let points =
        TABLE.iter().zip(changes).map(|((l, c, _, y), pct)| with(point(l, *c), &[("tput_per_gpu", (y / (1.0 + pct / 100.0)).round())]));
    run(number, date, points.collect())
}

fn reference_base() -> RunDetail {
    throughput_only(40_809_149_952, "2026-10-29", [0.1, -7.8, 0.0, 0.2, -0.6, 0.3, 0.3, -3.5])
}

fn percents(c: &Comparison, metric: &str) -> Vec<String> {
    c.points.iter().map(|p| p.delta.get(metric).and_then(|d| d.pct).map_or_else(|| "none".into(), percent_change)).collect()
}

#[test]
fn the_reference_figures() {
    let c = compared(&reference_base(), &reference_head());
    assert_eq!(percents(&c, "tput_per_gpu"), ["+0.1 %", "−7.8 %", "0.0 %", "+0.2 %", "−0.6 %", "+0.3 %", "+0.3 %", "−3.5 %"]);
    let labels: Vec<&str> = c.points.iter().map(|p| p.label.as_str()).collect();
    assert_eq!(labels[..3], ["TP4 c1", "TP4 c4", "TP4 c16"]);
    assert_eq!(c.verdict.outcome, Outcome::Worse);
    assert_eq!(
        c.verdict.sentence,
        "Worse: throughput per GPU is worse at 2 of 8 points (most at TP4 c4: −7.8 %, large). Not enough earlier runs to tell noise: 0 of \
         4 values at most. Changes are judged by fixed thresholds alone."
    );
    let latency = c.points[0].delta.get("p90_e2el").unwrap();
    assert_eq!((latency.base, latency.head, latency.missing), (None, Some(5.67), Some(Missing::Base)), "missing, not 0");
    let curve = &c.curves[0];
    assert_eq!(curve.not_compared.as_deref(), Some("Frontiers can't be compared: run 40809149952 states no P90 E2EL."));
    assert!(curve.entered.is_empty() && curve.left.is_empty() && curve.area.is_none());
    let uplift = &c.uplift["tput_per_gpu"];
    assert_eq!((uplift.n, uplift.of, uplift.better), (8, 8, Some(false)));
    assert_eq!(uplift.in_words(), "−1.4 % over 8 of 8 points");
}

/// The story's two answers came from two baselines: the run before, and the ingested cohort.
#[test]
fn another_baseline_gives_another_answer() {
    let cohort = official(throughput_only(40_059_333_495, "2026-10-20", [12.1, -6.4, 0.5, 1.0, -1.0, 2.0, -2.0, -2.1]));
    let head = reference_head();
    assert_eq!(percents(&compared(&cohort, &head), "tput_per_gpu")[1], "−6.4 %");
    assert_eq!(percents(&compared(&reference_base(), &head), "tput_per_gpu")[1], "−7.8 %");
    let side = official_as_of(&[&cohort], None, &head.run.curves, Some(head.run.run_id));
    let c = compare(&side, &Side::run(&head), &[], &Options::default(), words()).unwrap();
    assert_eq!(percents(&c, "tput_per_gpu")[1], "−6.4 %");
    assert_eq!((c.base.title.as_str(), c.base.run_id, c.base.official), ("the official curve", None, true));
    assert_eq!(c.base.runs[0].run_id, id(40_059_333_495));
}

#[test]
fn the_official_curve_as_of_a_date() {
    let at = |n, date, conc| official(run(n, date, vec![with(point("TP4", conc), &[("tput_per_gpu", 1.0)])]));
    let (old, new, undated) = (at(1, "2026-01-01", 1), at(2, "2026-03-01", 2), at(9, "", 3));
    let mut hidden = at(3, "2026-02-01", 4);
    hidden.run.purged = Some(Purge { reason: "r".into(), actor: "a".into(), at: "2026-04-01T00:00:00Z".parse().unwrap() });
    let unofficial = run(4, "2026-02-15", vec![with(point("TP4", 5), &[("tput_per_gpu", 1.0)])]);
    let all = [&old, &new, &undated, &hidden, &unofficial];
    let curves = &old.run.curves;
    let of = |date: Option<&str>, except: Option<i64>| {
        let side = official_as_of(&all, date.map(|d| d.parse().unwrap()), curves, except.map(id));
        (
            side.points.iter().map(|p| (p.run_id.get(), p.conc)).collect::<Vec<_>>(),
            side.hidden.iter().map(|(_, r)| r.get()).collect::<Vec<_>>(),
        )
    };
    assert_eq!(of(None, None), (vec![(2, 2)], vec![]), "the newest, though an older one is hidden");
    assert_eq!(of(Some("2026-03-01"), None), (vec![(2, 2)], vec![]), "not later than the day");
    assert_eq!(of(Some("2026-02-28"), None), (vec![(1, 1)], vec![3]), "the hidden one is told");
    assert_eq!(of(Some("2025-12-31"), None), (vec![], vec![]));
    assert_eq!(of(None, Some(2)), (vec![(1, 1)], vec![3]), "never the run itself");
    let title = official_as_of(&all, Some("2026-02-28".parse().unwrap()), curves, None).title();
    assert_eq!(title, "the official curve as of 2026-02-28");
}

#[test]
fn each_curve_comes_from_its_own_run() {
    let other = |mut p: Point| {
        p.hardware = "b200".into();
        p
    };
    let a = official(run(1, "2026-01-01", vec![point("TP4", 1), other(point("TP4", 1))]));
    let b = official(run(2, "2026-02-01", vec![point("TP8", 1)]));
    let side = official_as_of(&[&a, &b], None, &a.run.curves, None);
    let mut from: Vec<(i64, &str)> = side.points.iter().map(|p| (p.run_id.get(), p.hardware.as_str())).collect();
    from.sort_unstable();
    assert_eq!(from, [(1, "b200"), (2, "gb300")], "the newest run has no b200, and its curve replaces the older one's whole");
    assert_eq!(side.runs.iter().map(|(d, _)| d.run.run_id.get()).collect::<Vec<_>>(), [2, 1], "newest first");
}

#[test]
fn synthetic_and_real_are_not_compared() {
    let real = reference_head();
    let mut made_up = reference_base();
    made_up.run.synthetic = true;
    let refused = compare(&Side::run(&made_up), &Side::run(&real), &[], &Options::default(), words()).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "run 40809149952 is synthetic sample data and run 41261902147 was measured: synthetic and real runs are not compared"
    );
    let axes = Options { x: Some(Metric::describe("std_e2el")), y: None };
    assert!(matches!(compare(&Side::run(&real), &Side::run(&real), &[], &axes, words()), Err(NotCompared::NoDirection(_))));
}

fn why(base: &RunDetail, head: &RunDetail) -> Vec<(Why, String)> {
    let c = compared(base, head);
    c.added.into_iter().chain(c.removed).map(|a| (a.why, a.reason)).collect()
}

#[test]
fn why_only_one_side_has_a_point() {
    let base = |points| run(1, "2026-01-01", points);
    let head = |points| run(2, "2026-01-02", points);
    let fixed = |mut p: Point, spec: &str| {
        p.scenario = Scenario::Fixed { isl: 8192, osl: 1024 };
        p.spec_method = spec.into();
        p
    };
    let lmcache = |mut p: Point| {
        p.offload = Offload::Dram;
        p.offload_backend = Some(Versioned { name: "lmcache".into(), version: None });
        p
    };
    let failed = |mut p: Point| {
        p.status = Status::Failed;
        p.reasons = vec!["no_successful_requests".into()];
        p
    };
    let old = |mut p: Point| {
        p.superseded = true;
        p
    };
    let mut lost = base(vec![point("TP4", 1)]);
    lost.jobs.push(JobEvent {
        attempt: None,
        title: "TP4 c4".into(),
        eval_only: Some(false),
        outcome: Some("failure".into()),
        error: Some("DatasetLoaderError".into()),
        runner: None,
        started_at: None,
        duration_s: None,
        golden_acceptance_length: None,
        artifact: "job_event_x".into(),
        raw: None,
    });
    let mut elsewhere = point("TP4", 4);
    elsewhere.hardware = "b200".into();
    for (b, expected, reason) in [
        (base(vec![failed(point("TP4", 4))]), Why::Failed, "It failed in run 1: no successful requests."),
        (base(vec![old(point("TP4", 4))]), Why::Superseded, "Run 1 holds only versions of it that no longer count."),
        (lost, Why::JobFailed, "Its job failed in run 1 and left no row: DatasetLoaderError."),
        (
            base(vec![lmcache(point("TP4", 4))]),
            Why::OtherOffload,
            "Run 1 measured it with another offload setting: TP4 c4 has offload lmcache instead of none.",
        ),
        (
            base(vec![point("TP4", 16), point("TP4", 1)]),
            Why::NoSuchConcurrency,
            "c4 is not in the matrix of run 1: TP4 was measured at c1, c16.",
        ),
        (base(vec![point("TP8", 4)]), Why::NoSuchTopology, "TP4 is not in the matrix of run 1."),
        (base(vec![elsewhere]), Why::NoSuchCurve, "Run 1 holds nothing of this curve."),
    ] {
        let found = why(&b, &head(vec![point("TP4", 4)]));
        assert_eq!(found[0], (expected, reason.to_owned()));
    }
    let found = why(&base(vec![fixed(point("TP4", 4), "none")]), &head(vec![fixed(point("TP4", 4), "mtp")]));
    assert_eq!(found[0].0, Why::OtherSpecMethod);
    assert_eq!(found[0].1, "Run 1 measured it with another spec method: TP4 c4 has spec method none instead of mtp.");
    let c = compared(&base(vec![lmcache(point("TP4", 4))]), &head(vec![point("TP4", 4)]));
    let near = c.added[0].near_miss.as_ref().unwrap();
    assert_eq!((near.run_id, near.differs.as_slice()), (id(1), &["offload lmcache instead of none".to_owned()][..]));
    assert_eq!(c.removed[0].near_miss.as_ref().unwrap().differs, ["offload none instead of lmcache"]);
}

#[test]
fn a_hidden_official_run_is_the_reason_where_it_is() {
    let mut hidden = official(run(1, "2026-01-01", vec![point("TP4", 1)]));
    hidden.run.purged = Some(Purge { reason: "r".into(), actor: "a".into(), at: "2026-04-01T00:00:00Z".parse().unwrap() });
    let head = run(2, "2026-01-02", vec![point("TP4", 1)]);
    let side = official_as_of(&[&hidden], None, &head.run.curves, None);
    let c = compare(&side, &Side::run(&head), &[], &Options::default(), words()).unwrap();
    assert_eq!((c.added[0].why, c.verdict.outcome), (Why::HiddenRun, Outcome::NothingToCompare));
    assert_eq!(c.added[0].reason, "Run 1 would have given the official curve this curve, but it is hidden.");
    assert_eq!(c.base.hidden[0].run_id, id(1));
}

#[test]
fn frontiers_say_who_came_and_who_went() {
    let at = |l: &str, c, x, y| with(point(l, c), &[("p90_e2el", x), ("tput_per_gpu", y)]);
    let base =
        run(1, "2026-01-01", vec![at("TP4", 1, 1.0, 10.0), at("TP4", 2, 2.0, 8.0), at("TP4", 4, 4.0, 30.0), at("TP4", 8, 5.0, 40.0)]);
    let head =
        run(2, "2026-01-02", vec![at("TP4", 1, 1.0, 10.0), at("TP4", 2, 2.0, 20.0), at("TP4", 4, 4.5, 15.0), at("TP4", 16, 6.0, 50.0)]);
    let c = compared(&base, &head);
    let curve = &c.curves[0];
    let told = |moves: &[Move]| moves.iter().map(|m| (m.label.clone(), m.why.clone())).collect::<Vec<_>>();
    let s = |t: &str| t.to_owned();
    assert_eq!(told(&curve.entered), [(s("TP4 c2"), s("was dominated by TP4 c1")), (s("TP4 c16"), s("new"))]);
    assert_eq!(told(&curve.left), [(s("TP4 c4"), s("dominated by TP4 c2 now")), (s("TP4 c8"), s("not measured any more"))]);
    let area = curve.area.as_ref().unwrap();
    // From 1 to 5. Base: 10 from 1 to 4, 30 from 4 to 5. Head: 10 from 1 to 2, 20 from 2 to 5.
    assert_eq!((area.from, area.to, area.base, area.head), (1.0, 5.0, 60.0, 70.0));
    assert_eq!(area.better, Some(true));
    let uplift = curve.uplift.as_ref().unwrap();
    assert_eq!((uplift.n, uplift.of), (3, 5));
}

#[test]
fn frontiers_without_a_common_range_have_no_area() {
    let at = |c, x, y| with(point("TP4", c), &[("p90_e2el", x), ("tput_per_gpu", y)]);
    let base = run(1, "2026-01-01", vec![at(1, 1.0, 10.0), at(2, 2.0, 20.0)]);
    let apart = run(2, "2026-01-02", vec![at(1, 3.0, 10.0), at(2, 4.0, 20.0)]);
    let touching = run(2, "2026-01-02", vec![at(1, 2.0, 10.0), at(2, 4.0, 20.0)]);
    for (head, why) in [(apart, "share no range of P90 E2EL"), (touching, "share a single value of P90 E2EL")] {
        let c = compared(&base, &head);
        assert!(c.curves[0].area.is_none() && c.curves[0].no_area.as_ref().unwrap().contains(why), "{:?}", c.curves[0].no_area);
    }
}

#[test]
fn axes_follow_the_scenario_and_the_choice() {
    let mut fixed = with(point("TP4", 1), &[("median_intvty", 50.0), ("tput_per_gpu", 1.0)]);
    fixed.scenario = Scenario::Fixed { isl: 1024, osl: 1024 };
    let a = run(1, "2026-01-01", vec![with(point("TP4", 1), &[("p90_e2el", 1.0), ("tput_per_gpu", 1.0)]), fixed]);
    let c = compared(&a, &a);
    let axes: Vec<(&str, &str)> = c.curves.iter().map(|c| (c.x.as_str(), c.y.as_str())).collect();
    assert_eq!(axes, [("p90_e2el", "tput_per_gpu"), ("median_intvty", "tput_per_gpu")]);
    assert_eq!(c.points.iter().map(|p| p.curve).collect::<Vec<_>>(), [0, 1]);
    let options = Options { x: Some(Metric::describe("p75_e2el")), y: None };
    let c = compare(&Side::run(&a), &Side::run(&a), &[], &options, words()).unwrap();
    assert!(c.curves.iter().all(|c| c.x == "p75_e2el" && c.not_compared.is_some()));
}

/// Earlier runs of one point with these throughputs, a day each.
fn history(values: &[f64]) -> Vec<RunDetail> {
    (1..)
        .zip(values)
        .map(|(n, v)| official(run(n, &format!("2026-01-{n:02}"), vec![with(point("TP4", 1), &[("tput_per_gpu", *v)])])))
        .collect()
}

#[test]
fn noise_is_told_by_the_configurations_own_earlier_runs() {
    let head = run(50, "2026-03-01", vec![with(point("TP4", 1), &[("tput_per_gpu", 97.0)])]);
    let base = run(40, "2026-02-01", vec![with(point("TP4", 1), &[("tput_per_gpu", 100.0)])]);
    let delta = |values: &[f64]| {
        let past = history(values);
        let past: Vec<&RunDetail> = past.iter().collect();
        let c = compare(&Side::run(&base), &Side::run(&head), &past, &Options::default(), words()).unwrap();
        (c.points[0].delta.get("tput_per_gpu").unwrap().clone(), c.noise, c.verdict)
    };
    let (few, noise, verdict) = delta(&[100.0, 101.0, 100.0]);
    assert_eq!((few.significant, few.band, few.earlier, few.class), (None, None, 3, Some(Class::Notable)), "the threshold alone");
    assert!(noise.sentence.contains("3 of 4 values at most"), "{}", noise.sentence);
    assert!(verdict.sentence.ends_with(&noise.sentence));
    let (quiet, noise, verdict) = delta(&[100.0, 100.2, 100.1, 100.3, 100.2]);
    assert_eq!((quiet.significant, quiet.class, quiet.relevance), (Some(true), Some(Class::Notable), Some(Relevance::Notable)));
    assert_eq!((noise.pairs_with_enough, noise.most), (1, 5));
    assert!(!verdict.sentence.contains("Noise"), "where all is known the sentence needs no more: {}", verdict.sentence);
    let (loud, _, verdict) = delta(&[100.0, 110.0, 95.0, 108.0, 97.0]);
    assert_eq!((loud.significant, loud.class, loud.relevance), (Some(false), Some(Class::WithinNoise), Some(Relevance::Notable)));
    assert_eq!(verdict.outcome, Outcome::WithinNoise);
    assert_eq!(verdict.sentence, "Within noise: throughput per GPU shows nothing notable at the one point.");
}

#[test]
fn earlier_runs_are_official_or_of_the_pull_request() {
    let p = || vec![with(point("TP4", 1), &[("tput_per_gpu", 1.0)])];
    let head = run(10, "2026-02-01", p());
    let mut other_pr = run(3, "2026-01-03", p());
    other_pr.run.pr_number = Some(8);
    let mut made_up = official(run(4, "2026-01-04", p()));
    made_up.run.synthetic = true;
    let mut elsewhere = official(run(5, "2026-01-05", p()));
    elsewhere.run.curves[0].hardware = "b200".into();
    let all = [
        official(run(1, "2026-01-01", p())),
        run(2, "2026-01-02", p()),
        other_pr,
        made_up,
        elsewhere,
        official(run(6, "2026-02-02", p())),
        official(run(7, "", p())),
    ];
    let found = |limit| earlier_runs(&head.run, all.iter().map(|d| &d.run), limit).into_iter().map(RunId::get).collect::<Vec<_>>();
    assert_eq!(found(9), [2, 1]);
    assert_eq!(found(1), [2]);
}

fn eval(number: i64, label: &str, score: Option<f64>, n: Option<f64>) -> Eval {
    Eval {
        id: EvalId::from_text(format!("{number}{label}")),
        run_id: id(number),
        task: "gsm8k".into(),
        label: label.into(),
        conc: Some(1),
        model: "dsv41flash".into(),
        hardware: "gb300".into(),
        framework: "sglang".into(),
        precision: "fp4".into(),
        spec_method: "mtp".into(),
        score,
        score_name: Some("em_strict".into()),
        stderr: None,
        n,
        wilson: None,
        threshold: 0.9,
        threshold_source: "default".into(),
        passes: true,
        best_sibling: None,
        gap: None,
        bound: None,
        within_2_sigma: None,
        attempt: None,
        image: None,
        image_digest: None,
        image_source: ImageSource::Unknown,
        integration_error: None,
        artifact: "eval".into(),
        file: "x".into(),
        row: None,
        superseded: false,
    }
}

#[test]
fn evals_stand_side_by_side_with_two_sigma() {
    let (mut base, mut head) = (reference_base(), reference_head());
    base.evals = vec![
        eval(1, "TP4 c1", Some(0.97), Some(1319.0)),
        eval(1, "TP4 c4", Some(0.97), Some(1319.0)),
        eval(1, "TP4 c16", Some(0.97), None),
        eval(1, "TP8 c1", Some(0.97), Some(10.0)),
    ];
    head.evals = vec![
        eval(2, "TP4 c16", Some(0.96), Some(1319.0)),
        eval(2, "TP4 c4", Some(0.90), Some(1319.0)),
        eval(2, "TP4 c1", Some(0.975), Some(1319.0)),
        eval(2, "TP2 c1", None, None),
    ];
    let c = compared(&base, &head);
    let told: Vec<(&str, Option<bool>, Option<bool>, bool)> =
        c.evals.iter().map(|e| (e.label.as_str(), e.significant, e.better, e.note.is_some())).collect();
    assert_eq!(
        told,
        [
            ("TP4 c16", None, Some(false), true),
            ("TP4 c4", Some(true), Some(false), false),
            ("TP4 c1", Some(false), Some(true), false),
            ("TP2 c1", None, None, true),
            ("TP8 c1", None, None, true),
        ]
    );
    assert!(c.verdict.sentence.contains("Evals beyond 2σ: gsm8k TP4 c4 is worse."), "{}", c.verdict.sentence);
    assert_eq!(c.evals[4].note.as_deref(), Some("The run has no such eval."));
}

#[test]
fn what_differs_is_told_as_far_as_it_is_known() {
    let fact = |run: i64, point: &str, kind, key: &str, value: &str| RunFact {
        run_id: id(run),
        attempt: None,
        point: Some(point.into()),
        eval: false,
        kind,
        key: key.into(),
        value: value.into(),
        count: None,
        origin: FactOrigin::Stated { by: "code owner".into(), url: None, at: None },
    };
    let (mut base, mut head) = (reference_base(), reference_head());
    base.run.head_sha = Some("9bd047ac7".into());
    head.run.head_sha = Some("41d29b2834a85fcee09db6f9f52653b7c2f30ef3".into());
    for p in &mut base.points {
        p.image = Some("lmsysorg/sglang:old".into());
    }
    for p in &mut head.points {
        p.image = Some("lmsysorg/sglang:new".into());
        p.image_digest = Some("sha256:d4".into());
    }
    base.points[0].recipe_fingerprint = Some("aa".into());
    head.points[0].recipe_fingerprint = Some("bb".into());
    base.evidence = vec![
        fact(1, "TP4 c1", FactKind::Env, "A", "1"),
        fact(1, "TP4 c1", FactKind::Env, "B", "1"),
        fact(1, "TP4 c4", FactKind::Env, "A", "1"),
    ];
    head.evidence = vec![
        fact(2, "TP4 c1", FactKind::Env, "A", "1"),
        fact(2, "TP4 c1", FactKind::Env, "C", "2"),
        fact(2, "TP4 c1", FactKind::Argument, "kv_cache_dtype", "fp8_e4m3"),
    ];
    let d = compared(&base, &head).differences;
    let found: Vec<_> =
        d.found.iter().map(|d| (d.about, d.name.as_deref(), d.base.as_deref(), d.head.as_deref(), d.points.len())).collect();
    assert_eq!(
        found,
        [
            (About::Commit, None, Some("9bd047ac7"), Some("41d29b2834a85fcee09db6f9f52653b7c2f30ef3"), 0),
            (About::Image, None, Some("lmsysorg/sglang:old"), Some("lmsysorg/sglang:new"), 0),
            (About::RecipeFingerprint, None, Some("aa"), Some("bb"), 1),
            (About::Environment, Some("B"), Some("1"), None, 1),
            (About::Environment, Some("C"), None, Some("2"), 1),
        ]
    );
    let known: Vec<&str> = d.known.iter().map(|k| k.sentence.as_str()).collect();
    assert_eq!(
        known,
        [
            "They measured different commits.",
            "The image is different for 8 of 8 matched points.",
            "The image digest is not known for 8 (the baseline's rows don't state it) of 8 matched points.",
            "The recipe fingerprint is different for 1, not known for 7 of 8 matched points.",
            "Server arguments of run 40809149952 are not known: no artifact that was read states them.",
            "Environment variables known on both sides: 1 equal, 2 different. On one side only, so not compared: environments of TP4 c4.",
        ]
    );
    let mut same = head.clone();
    same.run.head_sha = Some("41d29b28".into());
    assert!(compared(&same, &head).differences.found.is_empty(), "a short sha is the commit it is the start of");
}

#[test]
fn several_of_one_configuration_are_told() {
    let of = |f: &str, v: f64| {
        let mut p = with(point("TP4", 4), &[("tput_per_gpu", v)]);
        p.recipe_fingerprint = Some(f.into());
        p
    };
    let base = run(1, "2026-01-01", vec![of("aa", 100.0)]);
    let head = run(2, "2026-01-02", vec![of("bb", 50.0), of("aa", 101.0)]);
    let c = compared(&base, &head);
    assert_eq!(percents(&c, "tput_per_gpu"), ["−50.0 %", "+1.0 %"]);
    assert!(c.points.iter().all(|p| p.note.is_some()) && c.added.is_empty());
    let uplift = &c.uplift["tput_per_gpu"];
    assert_eq!((uplift.n, uplift.of, percent_change(uplift.pct).as_str()), (1, 1, "+1.0 %"), "each point once");
}

#[test]
fn nothing_in_common_is_said() {
    let base = run(1, "2026-01-01", vec![with(point("TP4", 1), &[("tput_per_gpu", 1.0)])]);
    let head = run(2, "2026-01-02", vec![with(point("TP8", 1), &[("tput_per_gpu", 1.0)])]);
    let c = compared(&base, &head);
    assert_eq!(c.verdict.outcome, Outcome::NothingToCompare);
    assert_eq!(c.verdict.sentence, "Nothing to compare: run 2 and run 1 share no configuration. 1 point only in run 2, 1 only in run 1.");
    let silent = run(3, "2026-01-03", vec![with(point("TP4", 1), &[("num_requests_total", 9.0)])]);
    let c = compared(&base, &silent);
    assert!(c.verdict.sentence.contains("state none of the judged metrics in common"), "{}", c.verdict.sentence);
}

#[test]
fn as_text_and_as_markdown() {
    let c = compared(&reference_base(), &reference_head());
    insta::assert_snapshot!("text", as_text(&c));
    insta::assert_snapshot!("markdown", as_markdown(&c));
    let text = as_text(&c);
    assert!(text.lines().all(|l| l.chars().count() <= 200));
    let mut evil = reference_head();
    evil.points[0].label = "a|b <script>".into();
    let md = as_markdown(&compared(&reference_base(), &evil));
    assert!(md.contains("a\\|b &lt;script>") && !md.contains("<script>"));
}

#[test]
fn the_json_is_the_contracts() {
    let c = compared(&reference_base(), &reference_head());
    let json = serde_json::to_value(&c).unwrap();
    let first = &json["points"][1];
    assert_eq!(first["label"], "TP4 c4");
    assert_eq!(first["delta"]["tput_per_gpu"]["base"], 10222.0);
    assert_eq!(first["delta"]["tput_per_gpu"]["better"], false);
    assert_eq!(first["delta"]["p90_e2el"]["base"], serde_json::Value::Null);
    assert_eq!(first["delta"]["p90_e2el"]["missing"], "base");
    for field in ["base", "head", "points", "added", "removed", "uplift", "evals"] {
        assert!(json.get(field).is_some(), "{field}");
    }
    assert_eq!(serde_json::from_value::<Comparison>(json).unwrap(), c, "to the last digit");
}

// ---- Laws ----

#[derive(Clone, Debug)]
struct Seed {
    tp: u32,
    conc: u32,
    fingerprint: Option<&'static str>,
    image: Option<&'static str>,
    spec: &'static str,
    fixed: bool,
    failed: bool,
    metrics: Vec<(&'static str, f64)>,
}

fn seed() -> impl Strategy<Value = Seed> {
    let metric = prop::sample::select(vec!["tput_per_gpu", "p90_e2el", "median_intvty", "avg_power_w", "kv_cache_pool_tokens", "odd name"]);
    let metrics = prop::collection::btree_map(metric, prop_oneof![Just(0.0), 0.001..1e6_f64], 0..6);
    (
        prop::sample::select(vec![1_u32, 2, 4]),
        prop::sample::select(vec![1_u32, 2]),
        prop::option::of(prop::sample::select(vec!["aa", "bb", "cc"])),
        prop::option::of(prop::sample::select(vec!["i", "j"])),
        prop::sample::select(vec!["none", "mtp"]),
        any::<bool>(),
        prop::bool::weighted(0.1),
        metrics,
    )
        .prop_map(|(tp, conc, fingerprint, image, spec, fixed, failed, metrics)| Seed {
            tp,
            conc,
            fingerprint,
            image,
            spec,
            fixed,
            failed,
            metrics: metrics.into_iter().collect(),
        })
}

fn made(number: i64, date: &str, seeds: &[Seed]) -> RunDetail {
    let mut points: Vec<Point> = Vec::new();
    for s in seeds {
        let mut p = with(point(&format!("TP{}", s.tp), s.conc), &s.metrics);
        p.run_id = id(number);
        p.recipe_fingerprint = s.fingerprint.map(str::to_owned);
        p.image = s.image.map(str::to_owned);
        p.spec_method = s.spec.into();
        if s.fixed {
            p.scenario = Scenario::Fixed { isl: 1024, osl: 1024 };
        }
        if s.failed {
            p.status = Status::Failed;
        }
        p.id = point_id(&p);
        if !points.iter().any(|q| q.id == p.id) {
            points.push(p);
        }
    }
    run(number, date, points)
}

/// What a comparison says of pairs and lone points, whatever their order.
fn said(c: &Comparison) -> (Vec<String>, Vec<String>, Vec<String>) {
    let mut pairs: Vec<String> =
        c.points.iter().map(|p| format!("{} {} {:?} {:?}", p.base_point_id, p.head_point_id, p.matched, p.delta)).collect();
    pairs.sort();
    let alone = |of: &[Alone]| {
        let mut out: Vec<String> = of.iter().map(|a| format!("{} {}", a.point_id, a.reason)).collect();
        out.sort();
        out
    };
    (pairs, alone(&c.added), alone(&c.removed))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn a_run_against_itself_is_all_zero(seeds in prop::collection::vec(seed(), 0..12)) {
        let a = made(1, "2026-01-01", &seeds);
        let c = compared(&a, &a);
        prop_assert_eq!(c.points.len(), a.points.iter().filter(|p| p.counts()).count());
        for p in &c.points {
            prop_assert_eq!(&p.base_point_id, &p.head_point_id);
            for (name, d) in p.delta.iter() {
                prop_assert_eq!((d.pct, d.better, d.missing), (Some(0.0), None, None), "{}", name);
            }
        }
        prop_assert!(c.added.is_empty() && c.removed.is_empty() && c.differences.found.is_empty());
        prop_assert!(c.uplift.values().all(|u| u.ratio == 1.0 && u.better.is_none() && u.n <= u.of));
        prop_assert!(c.curves.iter().all(|c| c.entered.is_empty() && c.left.is_empty()));
        prop_assert!(c.curves.iter().filter_map(|c| c.area.as_ref()).all(|a| a.base == a.head && a.better.is_none()));
        if !a.points.is_empty() {
            prop_assert_eq!(c.verdict.outcome, Outcome::Same);
        }
    }

    #[test]
    fn the_other_way_round_better_is_worse(x in prop::collection::vec(seed(), 0..12), y in prop::collection::vec(seed(), 0..12)) {
        let (a, b) = (made(1, "2026-01-01", &x), made(2, "2026-01-02", &y));
        let (there, back) = (compared(&a, &b), compared(&b, &a));
        let mut ids: Vec<_> = there.points.iter().map(|p| (p.base_point_id.clone(), p.head_point_id.clone())).collect();
        let mut turned: Vec<_> = back.points.iter().map(|p| (p.head_point_id.clone(), p.base_point_id.clone())).collect();
        ids.sort();
        turned.sort();
        prop_assert_eq!(ids, turned);
        for p in &there.points {
            let q = back.points.iter().find(|q| q.base_point_id == p.head_point_id && q.head_point_id == p.base_point_id).unwrap();
            for (name, d) in p.delta.iter() {
                let e = q.delta.get(name).unwrap();
                prop_assert_eq!((d.base, d.head), (e.head, e.base));
                prop_assert_eq!(d.better, e.better.map(|b| !b));
                if let (Some(d), Some(e)) = (d.pct, e.pct) {
                    let product = (1.0 + d / 100.0) * (1.0 + e / 100.0);
                    // A fall to 0 has no way back in per cent.
                    prop_assert!((product - 1.0).abs() < 1e-6 || d == -100.0 || e == -100.0, "{} {} {}", name, d, e);
                }
            }
        }
        prop_assert_eq!(there.added.len(), back.removed.len());
        prop_assert_eq!(there.removed.len(), back.added.len());
        for (name, u) in &there.uplift {
            let v = &back.uplift[name];
            prop_assert!((u.ratio * v.ratio - 1.0).abs() < 1e-9 && (u.n, u.of) == (v.n, v.of));
        }
        let swapped = |o| match o { Outcome::Better => Outcome::Worse, Outcome::Worse => Outcome::Better, o => o };
        // Thresholds are per cent of the baseline, so at their edge the classes may differ, and from 0 there is no change in per cent;
        // the sense never turns.
        let zero = a.points.iter().chain(&b.points).any(|p| p.metrics.values().any(|v| *v == 0.0));
        let plain = |o| matches!(o, Outcome::Better | Outcome::Worse);
        if !zero && plain(there.verdict.outcome) && plain(back.verdict.outcome) {
            prop_assert_eq!(there.verdict.outcome, swapped(back.verdict.outcome));
        }
    }

    #[test]
    fn the_order_of_points_says_nothing(
        x in prop::collection::vec(seed(), 0..10),
        y in Just(()).prop_flat_map(|()| prop::collection::vec(seed(), 0..10)).prop_shuffle(),
        turn in 0_usize..10,
    ) {
        let (a, b) = (made(1, "2026-01-01", &x), made(2, "2026-01-02", &y));
        let (mut c, mut d) = (a.clone(), b.clone());
        c.points.reverse();
        let n = d.points.len().max(1);
        d.points.rotate_left(turn % n);
        let (one, other) = (compared(&a, &b), compared(&c, &d));
        prop_assert_eq!(said(&one), said(&other));
        prop_assert_eq!(one.verdict.outcome, other.verdict.outcome);
        prop_assert_eq!(&one.differences.known, &other.differences.known);
    }
}
