//! The reference run as its sign-off tells it (SemiAnalysisAI/InferenceX#4603), and an invented run of fixed sequences.

use std::sync::Arc;

use jiff::Timestamp;
use paretoscope_app::view_state::{OverlayView, RunView, RunsView};
use paretoscope_app::*;
use paretoscope_domain::curve::CurveKey;
use paretoscope_domain::eval::{EvalRecord, StoredEval, review};
use paretoscope_domain::natural_key::{eval_base, eval_id, point_id};
use paretoscope_domain::point::{Metrics, Offload, Parallel, Point, Requests, Role, Status, Topology};
use paretoscope_domain::report::{Counts, Families, IngestReport, Quarantined, Tally};
use paretoscope_domain::run::*;
use paretoscope_domain::threshold::Thresholds;
use paretoscope_domain::vocabulary::Vocabulary;
use paretoscope_domain::{Attempt, Kind, RunId, Scenario, label};

pub(crate) const HEAD: i64 = 41_261_902_147;
pub(crate) const BASE: i64 = 40_809_149_952;

pub(crate) fn site() -> Site {
    Site {
        css: "/assets/app.css".into(),
        js: "/assets/app.js".into(),
        wasm: "/assets/app.wasm".into(),
        plotly: "/assets/plotly.js".into(),
        icon: "/assets/icon.svg".into(),
        public_url: "https://paretoscope.example".into(),
        repo: paretoscope_domain::run::DEFAULT_REPO.into(),
        words: Arc::new(words()),
        version: "0.1.0",
    }
}

pub(crate) fn words() -> Vocabulary {
    Vocabulary::shipped().expect("the shipped vocabulary parses")
}

pub(crate) fn id(n: i64) -> RunId {
    RunId::new(n).expect("positive")
}

pub(crate) fn attempt(n: u32) -> Attempt {
    Attempt::new(n).expect("positive")
}

/// A point without metrics.
pub(crate) fn point(run: i64, scenario: Scenario, parallel: Parallel, conc: u32) -> Point {
    let lengths = match scenario {
        Scenario::AgenticTraces => (None, None),
        Scenario::Fixed { isl, osl } => (Some(isl), Some(osl)),
    };
    let mut p = Point {
        id: paretoscope_domain::PointId::from_text(""),
        run_id: id(run),
        attempt: None,
        label: String::new(),
        model: "dsv41flash".into(),
        model_path: Some("deepseek-ai/DeepSeek-V4.1-Flash".into()),
        hardware: "gb300".into(),
        hardware_label: "gb300".into(),
        framework: "sglang".into(),
        precision: "fp4".into(),
        spec_method: "mtp".into(),
        scenario,
        isl: lengths.0,
        osl: lengths.1,
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
        artifact: format!("bmk_agentic_dsv41flash_conc{conc}"),
        file: "result.json".into(),
        row: None,
        status: Status::Ok,
        reasons: vec![],
        notes: vec![],
        superseded: false,
        metrics: Metrics::new(),
    };
    p.set_topology(Topology::Aggregated(parallel));
    p.id = point_id(&p);
    p
}

fn parallel(tp: u32, ep: u32, dpa: bool) -> Parallel {
    Parallel { tp: Some(tp), ep: Some(ep), dp_attention: Some(dpa), ..Parallel::default() }
}

/// tp, ep, DP attention, concurrency, P90 and P75 E2EL, throughput per GPU, change in per cent, attempt.
type Measured = (u32, u32, bool, u32, f64, f64, f64, f64, u32);

const TABLE: [Measured; 8] = [
    (4, 1, false, 1, 5.67, 3.17, 8105.0, 0.1, 1),
    (4, 1, false, 4, 6.29, 2.79, 9425.0, -7.8, 1),
    (4, 1, false, 16, 6.25, 3.01, 29242.0, -0.0, 2),
    (2, 2, false, 16, 7.64, 3.55, 57957.0, 0.2, 1),
    (2, 2, false, 32, 12.07, 5.79, 118_105.0, -0.6, 1),
    (2, 2, true, 64, 15.40, 7.61, 224_816.0, 0.3, 2),
    (2, 2, true, 128, 23.44, 10.72, 321_183.0, 0.3, 2),
    (2, 2, true, 160, 33.68, 14.56, 340_890.0, -3.5, 1),
];

const IMAGE: &str = "lmsysorg/sglang:nightly-dev-cu13-20261030-302b78cc";
const DIGEST: &str = "sha256:d4b7701dc94d287e4fc135dfb4c1a88df0778a936255021aeb26eb54d396e579";

pub(crate) fn head_points() -> Vec<Point> {
    let mut points: Vec<Point> = TABLE
        .iter()
        .map(|(tp, ep, dpa, conc, p90, p75, tput, _, by)| {
            let mut p = point(HEAD, Scenario::AgenticTraces, parallel(*tp, *ep, *dpa), *conc);
            p.attempt = Some(attempt(*by));
            p.image = Some(IMAGE.into());
            p.image_digest = Some(DIGEST.into());
            for (name, value) in [("p90_e2el", *p90), ("p75_e2el", *p75), ("tput_per_gpu", *tput)] {
                p.metrics.insert(name.into(), value);
            }
            p
        })
        .collect();
    label::assign(&mut points);
    points
}

pub(crate) fn base_points() -> Vec<Point> {
    let mut points: Vec<Point> = TABLE
        .iter()
        .map(|(tp, ep, dpa, conc, _, _, tput, change, _)| {
            let mut p = point(BASE, Scenario::AgenticTraces, parallel(*tp, *ep, *dpa), *conc);
            p.metrics.insert("tput_per_gpu".into(), (tput / (1.0 + change / 100.0)).round());
            p.notes.push("throughput derived from the change that the sign-off states".into());
            p
        })
        .collect();
    label::assign(&mut points);
    points
}

pub(crate) fn run(number: i64) -> Run {
    Run {
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
        repo: DEFAULT_REPO.into(),
        html_url: Some(format!("https://github.com/SemiAnalysisAI/InferenceX/actions/runs/{number}")),
        commit_url: None,
        pr_number: Some(4603),
        pr_url: Some("https://github.com/SemiAnalysisAI/InferenceX/pull/4603".into()),
        pr_title: Some("Move dsv41flash-fp4-gb300-sglang-agentic-dspark to a digest-pinned image".into()),
        pr_author: Some("weireweire".into()),
        created_at: None,
        date: None,
        config_keys: vec![],
        images: vec![],
        models: vec!["dsv41flash".into()],
        hardware: vec!["gb300".into()],
        frameworks: vec!["sglang".into()],
        precisions: vec!["fp4".into()],
        scenarios: vec!["agentic-traces".into()],
        point_count: 8,
        failed_count: 0,
        eval_count: 0,
        eval_passing: 0,
        baseline_run_id: None,
        curves: vec![CurveKey {
            model: "dsv41flash".into(),
            scenario: Scenario::AgenticTraces,
            hardware: "gb300".into(),
            framework: "sglang".into(),
            precision: "fp4".into(),
            spec_method: None,
        }],
        ingested_at: Some("2026-11-30T05:00:00Z".parse::<Timestamp>().expect("a time")),
        purged: None,
    }
}

fn summary(n: u32, points: usize, evals: usize, failed: usize) -> AttemptSummary {
    AttemptSummary {
        attempt: attempt(n),
        conclusion: Some(if failed > 0 { "failure" } else { "success" }.into()),
        html_url: Some(format!("https://github.com/SemiAnalysisAI/InferenceX/actions/runs/{HEAD}/attempts/{n}")),
        point_count: points,
        eval_count: evals,
        failed_jobs: failed,
    }
}

pub(crate) fn head_run() -> Run {
    Run {
        attempt: Some(attempt(2)),
        attempts: vec![attempt(1), attempt(2)],
        attempt_details: vec![summary(1, 5, 4, 5), summary(2, 3, 2, 0)],
        name: Some("Run Sweep".into()),
        event: Some("pull_request".into()),
        status: Some("completed".into()),
        conclusion: Some("success".into()),
        head_sha: Some("41d29b28aa11bb22cc33dd44ee55ff6677889900".into()),
        head_branch: Some("dsv41flash-image".into()),
        commit_url: Some("https://github.com/SemiAnalysisAI/InferenceX/commit/41d29b28aa11bb22cc33dd44ee55ff6677889900".into()),
        date: Some("2026-11-01".into()),
        config_keys: vec!["dsv41flash-fp4-gb300-sglang-agentic-dspark".into()],
        images: vec![Image { reference: IMAGE.into(), digest: Some(DIGEST.into()) }],
        eval_count: 6,
        eval_passing: 6,
        baseline_run_id: Some(id(BASE)),
        ..run(HEAD)
    }
}

pub(crate) fn base_run() -> Run {
    Run { head_sha: Some("9bd047ac7".into()), date: Some("2026-10-29".into()), ..run(BASE) }
}

fn evals(points: &[Point]) -> Vec<paretoscope_domain::eval::Eval> {
    let rows = [(0, 0.9735), (1, 0.9757), (2, 0.9757), (3, 0.9735), (4, 0.9757), (7, 0.9689)];
    let stored: Vec<StoredEval> = rows
        .iter()
        .filter_map(|(i, score)| {
            let p = points.get(*i)?;
            let record = EvalRecord {
                run_id: p.run_id,
                attempt: p.attempt,
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
                parallel: Parallel { tp: p.tp, ep: p.ep, dp_attention: p.dp_attention, ..Parallel::default() },
                prefill: None,
                decode: None,
                recipe_fingerprint: None,
                score: Some(*score),
                score_name: Some("em_strict".into()),
                stderr: None,
                n: Some(1319.0),
                metrics: Metrics::new(),
                integration_error: None,
                artifact: "eval_results_all".into(),
                file: "agg_eval_all.json".into(),
                row: Some(u32::try_from(*i).ok()?),
            };
            Some(StoredEval { id: eval_id(&eval_base(&record), None), superseded: false, record })
        })
        .collect();
    review(&stored, points, &Thresholds::shipped().expect("shipped thresholds parse"), &words())
}

fn lost_job(title: &str, eval: bool) -> JobEvent {
    JobEvent {
        attempt: Some(attempt(1)),
        title: title.into(),
        eval_only: Some(eval),
        outcome: Some("failure".into()),
        error: Some("DatasetLoaderError: Network or API error communicating with HuggingFace Hub".into()),
        runner: None,
        started_at: None,
        duration_s: None,
        golden_acceptance_length: Some("3.51".into()),
        artifact: format!("job_event_{}", title.to_lowercase().replace([' ', '/'], "_")),
        raw: None,
    }
}

fn artifact(name: &str, by: u32, family: Family, reading: Reading, size: u64) -> Artifact {
    Artifact {
        name: name.into(),
        attempt: Some(attempt(by)),
        artifact_id: None,
        family,
        reading,
        size,
        digest: Some("sha256:00ffaa00112233445566778899aabbccddeeff00112233445566778899aabbcc".into()),
        uploaded_at: None,
        expires_at: Some("2027-01-30".into()),
        files: vec![ArtifactFile { path: "result.json".into(), size, digest: None, reading }],
        pairs_with: None,
    }
}

pub(crate) fn head_detail() -> RunDetail {
    let points = head_points();
    let evals = evals(&points);
    RunDetail {
        run: head_run(),
        evals,
        artifacts: vec![
            artifact("bmk_agentic_dsv41flash_tp4_conc1_spec-mtp_fp4_sglang_gb300", 1, Family::Benchmark, Reading::Read, 812),
            artifact("agentic_dsv41flash_tp4_conc1", 1, Family::Trace, Reading::NotReadYet, 240_512_000),
            artifact("eval_results_all", 2, Family::CollectedEvals, Reading::Read, 4120),
        ],
        jobs: vec![
            lost_job("TP4 c16", false),
            lost_job("TP2/EP2/DPA c64", false),
            lost_job("TP2/EP2/DPA c128", false),
            lost_job("TP4 c16", true),
            lost_job("TP2/EP2 c16", true),
            JobEvent { outcome: Some("success".into()), error: None, duration_s: Some(2912.0), ..lost_job("TP4 c1", false) },
        ],
        changelog: vec![ChangelogEntry {
            config_keys: vec!["dsv41flash-fp4-gb300-sglang-agentic-dspark".into()],
            scenario_types: vec!["agentic-coding".into()],
            description: vec!["Image pinned by digest".into(), "flashmla attention on TP4 and TP2/EP2".into()],
            pr_link: Some("https://github.com/SemiAnalysisAI/InferenceX/pull/4603".into()),
            append_only: false,
            evals_only: false,
            base_ref: None,
            head_ref: Some("41d29b28aa11bb22cc33dd44ee55ff6677889900".into()),
        }],
        run_stats: vec![RunStat { name: "gb300".into(), n_success: 14, total: 19 }],
        reuse: None,
        report: Some(IngestReport {
            rows: Families {
                benchmark: Some(Tally { new: 8, ..Tally::default() }),
                eval: Some(Tally { new: 6, duplicate: 6, ..Tally::default() }),
                trace: None,
                power: None,
            },
            counts: Counts { benchmark_files: 8, raw_benchmark_rows: 8, changelog_entries_written: 1, ..Counts::default() },
            quarantine: vec![Quarantined {
                artifact: "bmk_x".into(),
                file: "r.json".into(),
                row: None,
                reason: "unmapped_model".into(),
                detail: "no entry knows the model <b>nova</b>".into(),
            }],
            ingested_at: Some("2026-11-30T05:00:00Z".parse().expect("a time")),
            rows_changed: 31,
        }),
        audit: vec![],
        evidence: Vec::new(),
        points,
    }
}

pub(crate) fn base_detail() -> RunDetail {
    RunDetail {
        run: base_run(),
        points: base_points(),
        evals: vec![],
        artifacts: vec![],
        jobs: vec![],
        changelog: vec![],
        run_stats: vec![],
        reuse: None,
        report: None,
        audit: vec![],
        evidence: Vec::new(),
    }
}

pub(crate) fn run_page(query: &str) -> Page {
    run_page_of(head_detail(), query)
}

pub(crate) fn run_page_of(detail: RunDetail, query: &str) -> Page {
    let (view, problems) = RunView::parse(query);
    let baseline = if view.baseline == view_state::BaselineParam::None {
        BaselineChoice::None { why: "The address asks for none.".into() }
    } else {
        BaselineChoice::Some { run: Box::new(base_run()), points: base_points(), chosen: false }
    };
    Page::Run(Box::new(RunPage {
        view,
        detail: Arc::new(detail),
        baseline,
        candidates: vec![base_run()],
        cookbook: CookbookShown::default(),
        problems,
    }))
}

/// A synthetic run of fixed sequences, aggregated and disaggregated, with a failed point and one with many errors.
pub(crate) fn fixed_detail() -> RunDetail {
    let scenario = Scenario::Fixed { isl: 8192, osl: 1024 };
    let number = 9_000_000_000_001;
    let mut points: Vec<Point> = Vec::new();
    for (spec, gain) in [("none", 1.0), ("mtp", 1.3)] {
        for (i, conc) in [4_u32, 8, 16, 32, 64, 128].into_iter().enumerate() {
            let step = f64::from(u32::try_from(i).expect("small"));
            let mut p = point(number, scenario, parallel(8, 8, false), conc);
            p.spec_method = spec.into();
            p.hardware = "h200".into();
            p.precision = "fp8".into();
            let intvty = gain * 110.0 / (1.0 + step * 0.6);
            for (name, value) in [
                ("median_intvty", intvty),
                ("median_e2el", 1024.0 / intvty),
                ("median_ttft", 0.2 + 0.1 * step),
                ("median_tpot", 1.0 / intvty),
                ("tput_per_gpu", 400.0 * gain * (1.0 + step * 1.7)),
                ("output_tput_per_gpu", 45.0 * gain * (1.0 + step * 1.7)),
                ("avg_power_w", 450.0 + 40.0 * step),
            ] {
                p.metrics.insert(name.into(), value);
            }
            if i == 3 {
                p.reasons.push("high_failure".into());
            }
            if i == 5 && spec == "mtp" {
                p.status = Status::Failed;
                p.reasons.push("no_successful_requests".into());
                p.metrics.clear();
            }
            p.id = point_id(&p);
            points.push(p);
        }
    }
    let role = |tp, workers, gpus| Role {
        tp: Some(tp),
        ep: Some(tp),
        dp_attention: Some(true),
        workers: Some(workers),
        gpus: Some(gpus),
        ..Role::default()
    };
    let mut apart = point(number, scenario, Parallel::default(), 256);
    apart.disagg = true;
    apart.hardware = "h200".into();
    apart.precision = "fp8".into();
    apart.set_topology(Topology::Disaggregated { prefill: role(1, 4, 4), decode: role(8, 1, 8) });
    apart.metrics.insert("median_intvty".into(), 61.0);
    apart.metrics.insert("median_e2el".into(), 17.0);
    apart.metrics.insert("tput_per_gpu".into(), 2600.0);
    apart.id = point_id(&apart);
    points.push(apart);
    label::assign(&mut points);
    let mut curves: Vec<CurveKey> = points.iter().map(CurveKey::of).collect();
    curves.dedup();
    curves.sort();
    curves.dedup();
    RunDetail {
        run: Run {
            synthetic: true,
            kind: Kind::Official,
            html_url: None,
            pr_number: None,
            pr_url: None,
            actor: Some("synthetic".into()),
            hardware: vec!["h200".into()],
            precisions: vec!["fp8".into()],
            scenarios: vec!["8k1k".into()],
            curves,
            point_count: points.len() - 1,
            failed_count: 1,
            created_at: Some("2026-10-03T14:03:00Z".parse().expect("a time")),
            date: Some("2026-10-03".into()),
            ..run(number)
        },
        points,
        ..base_detail()
    }
}

pub(crate) fn fixed_page(query: &str) -> Page {
    let (view, problems) = RunView::parse(query);
    let detail = fixed_detail();
    let mut old = detail.clone();
    old.points.iter_mut().for_each(|p| {
        p.run_id = id(9_000_000_000_000);
        p.metrics.values_mut().for_each(|v| *v *= 0.97);
        p.id = point_id(p);
    });
    old.points.remove(0);
    if let Some(mut gone) = old.points.first().cloned() {
        gone.conc = 512;
        gone.id = point_id(&gone);
        old.points.push(gone);
        label::assign(&mut old.points);
    }
    let base = Run { run_id: id(9_000_000_000_000), ..detail.run.clone() };
    let baseline = BaselineChoice::Some { run: Box::new(base.clone()), points: old.points, chosen: false };
    Page::Run(Box::new(RunPage {
        view,
        detail: Arc::new(detail),
        baseline,
        candidates: vec![base],
        cookbook: CookbookShown::default(),
        problems,
    }))
}

pub(crate) fn point_page() -> Page {
    let points = head_points();
    let p = points[1].clone();
    let base = base_points()[1].clone();
    Page::Point(Box::new(PointPage {
        run: head_run(),
        versions: vec![p],
        siblings: points,
        raw: vec![RawVersion {
            artifact: "bmk_agentic_dsv41flash_conc4".into(),
            file: "result.json".into(),
            row: None,
            attempt: Some(attempt(1)),
            json: "{\n  \"hw\": \"gb300\",\n  \"note\": \"</pre><script>alert(1)</script>\"\n}".into(),
        }],
        baseline: Some((base_run(), base)),
        evidence: vec![],
        cookbook: CookbookShown::default(),
    }))
}

pub(crate) fn runs_page(query: &str) -> Page {
    let (view, problems) = RunsView::parse(query);
    let items = if view.is_filtered() { vec![] } else { vec![head_run(), base_run(), fixed_detail().run] };
    Page::Runs(RunsPage {
        view,
        total: items.len(),
        items,
        next: Some("c2".into()),
        facets: Facets {
            models: vec![("dsv41flash".into(), 3)],
            hardware: vec![("gb300".into(), 2), ("h200".into(), 1)],
            frameworks: vec![("sglang".into(), 3)],
        },
        problems,
    })
}

pub(crate) fn home_page() -> Page {
    Page::Home(HomePage {
        newest: vec![head_run(), base_run(), fixed_detail().run],
        runs_total: 28,
        points_total: 412,
        evals_total: 37,
        synthetic_runs: 26,
        changes: vec![("Run 41261902147: 8 points new".into(), Some(format!("/runs/{HEAD}")))],
    })
}

pub(crate) fn overlay_page(query: &str, evaluation: bool) -> Page {
    let (view, parameter_problems) = OverlayView::parse(query);
    let known = [Arc::new(head_detail()), Arc::new(base_detail())];
    let find = |wanted: &str| known.iter().find(|d| d.run.run_id.to_string() == wanted).cloned();
    let problems = view
        .ids
        .iter()
        .filter(|i| find(i).is_none())
        .map(|i| IdProblem {
            id: i.clone(),
            reason: "no artifacts of it were ever read.".into(),
            what_to_do: format!("Read them: `paretoscope ingest <folder> --run-id {i}`."),
        })
        .collect();
    let page = Box::new(OverlayPage {
        runs: view.ids.iter().filter_map(|i| find(i)).collect(),
        view,
        problems,
        parameter_problems,
        newest: vec![head_run(), base_run()],
    });
    if evaluation { Page::Evaluation(page) } else { Page::Inference(page) }
}
