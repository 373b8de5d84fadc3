//! A run's points and evals as files. Whatever leaves the house says what it is.

use std::collections::BTreeSet;

use paretoscope_domain::format;
use paretoscope_domain::metric;
use paretoscope_domain::point::{Point, Role, Status};
use paretoscope_domain::run::{Run, RunDetail};
use paretoscope_domain::vocabulary::Vocabulary;

/// Where the figures come from, for exports of real runs.
const ATTRIBUTION: &str = "Results of the public benchmark InferenceX (Apache-2.0), ingested by Paretoscope.";

/// What a run is not: an official result, a measurement. Nothing for a real official run.
#[must_use]
pub fn warnings(run: &Run) -> Vec<&'static str> {
    let synthetic = run.synthetic.then_some("SYNTHETIC SAMPLE DATA: made up, not a measurement");
    run.kind.notice().into_iter().chain(synthetic).collect()
}

/// What must be said of a run wherever its figures go, a line each: warnings, where the figures come from, which run it is.
#[must_use]
pub fn notices(run: &Run) -> Vec<String> {
    let mut lines: Vec<String> = warnings(run).into_iter().map(str::to_owned).collect();
    if !run.synthetic {
        lines.push(ATTRIBUTION.to_owned());
    }
    let mut what = format!("Run {}", run.run_id);
    for (name, value) in [
        ("commit", run.head_sha.clone()),
        ("pull request", run.pr_number.map(|n| format!("#{n}"))),
        ("date", run.date.clone()),
        ("source", run.html_url.clone()),
    ] {
        if let Some(value) = value {
            what.push_str(&format!(", {name} {value}"));
        }
    }
    lines.push(what);
    lines
}

/// Columns that say which point it is; the metrics follow.
const IDENTITY: [&str; 44] = [
    "run_id",
    "kind",
    "synthetic",
    "attempt",
    "point_id",
    "label",
    "status",
    "reasons",
    "superseded",
    "model",
    "model_path",
    "hardware",
    "hardware_label",
    "framework",
    "precision",
    "spec_method",
    "scenario",
    "isl",
    "osl",
    "conc",
    "disagg",
    "multinode",
    "gpus",
    "tp",
    "pp",
    "ep",
    "dcp",
    "pcp",
    "dp_attention",
    "prefill",
    "decode",
    "image",
    "image_digest",
    "offload",
    "offload_backend",
    "router",
    "requests_total",
    "requests_successful",
    "requests_error_dropped",
    "recipe_fingerprint",
    "config_key",
    "artifact",
    "file",
    "row",
];

fn text<T: ToString>(value: Option<T>) -> String {
    value.map(|v| v.to_string()).unwrap_or_default()
}

fn role(role: Option<Role>) -> String {
    role.map(|r| format!("{} ×{} on {} GPUs", paretoscope_domain::label::parallel(&r.parallel()), text(r.workers), text(r.gpus)))
        .unwrap_or_default()
}

fn versioned(value: Option<&paretoscope_domain::point::Versioned>) -> String {
    value.map(|v| v.version.as_ref().map_or_else(|| v.name.clone(), |version| format!("{} {version}", v.name))).unwrap_or_default()
}

/// One point's identity, in the order of [`IDENTITY`].
fn identity(run: &Run, p: &Point) -> [String; IDENTITY.len()] {
    [
        p.run_id.to_string(),
        run.kind.to_string(),
        run.synthetic.to_string(),
        text(p.attempt),
        p.id.to_string(),
        p.label.clone(),
        if p.status == Status::Ok { "ok" } else { "failed" }.to_owned(),
        p.reasons.join(" "),
        p.superseded.to_string(),
        p.model.clone(),
        text(p.model_path.as_ref()),
        p.hardware.clone(),
        p.hardware_label.clone(),
        p.framework.clone(),
        p.precision.clone(),
        p.spec_method.clone(),
        p.scenario.to_string(),
        text(p.isl),
        text(p.osl),
        p.conc.to_string(),
        p.disagg.to_string(),
        p.multinode.to_string(),
        text(p.gpus),
        text(p.tp),
        text(p.pp),
        text(p.ep),
        text(p.dcp),
        text(p.pcp),
        text(p.dp_attention),
        role(p.prefill),
        role(p.decode),
        text(p.image.as_ref()),
        text(p.image_digest.as_ref()),
        p.offload.as_str().to_owned(),
        versioned(p.offload_backend.as_ref()),
        versioned(p.router.as_ref()),
        text(p.requests.total),
        text(p.requests.successful),
        text(p.requests.error_dropped),
        text(p.recipe_fingerprint.as_ref()),
        text(p.config_key.as_ref()),
        p.artifact.clone(),
        p.file.clone(),
        text(p.row),
    ]
}

/// Points as CSV: `#` lines, a header, a row a point (failed ones too, superseded ones not); an empty cell was not measured.
///
/// # Errors
/// When the rows can't be written, which memory alone can cause.
pub fn points_csv(detail: &RunDetail) -> Result<Vec<u8>, csv::Error> {
    let points: Vec<&Point> = detail.points.iter().filter(|p| !p.superseded).collect();
    table_csv(&detail.run, &points)
}

fn table_csv(run: &Run, points: &[&Point]) -> Result<Vec<u8>, csv::Error> {
    let mut metrics: Vec<&str> =
        points.iter().flat_map(|p| p.metrics.keys().map(String::as_str)).collect::<BTreeSet<_>>().into_iter().collect();
    metrics.sort_by_cached_key(|name| metric::order(name));
    let mut out = Vec::new();
    for notice in notices(run) {
        out.extend_from_slice(format!("# {}\n", notice.replace(['\n', '\r'], " ")).as_bytes());
    }
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(IDENTITY.iter().copied().chain(metrics.iter().copied()))?;
    for p in points {
        let values = metrics.iter().map(|name| text(p.metric(name)));
        writer.write_record(identity(run, p).into_iter().chain(values))?;
    }
    writer.into_inner().map_err(|e| e.into_error().into())
}

/// Text for a cell of a Markdown table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace(['\n', '\r'], " ").replace('<', "&lt;")
}

/// Points as a Markdown table of the figures a reviewer pastes, a table a curve.
#[must_use]
pub fn points_md(detail: &RunDetail, words: &Vocabulary) -> String {
    use paretoscope_domain::curve::CurveKey;
    let mut out = String::new();
    for notice in notices(&detail.run) {
        out.push_str(&format!("> {}\n", cell(&notice)));
    }
    let shown: Vec<&Point> = detail.points.iter().filter(|p| !p.superseded).collect();
    let mut keys: Vec<CurveKey> = Vec::new();
    for p in &shown {
        let key = CurveKey::of(p);
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    for key in keys {
        let members: Vec<&&Point> = shown.iter().filter(|p| CurveKey::of(p) == key).collect();
        let columns: Vec<&str> = if key.scenario.is_agentic() {
            vec!["p90_e2el", "p75_e2el", "p90_intvty", "p90_ttft", "tput_per_gpu"]
        } else {
            vec!["median_e2el", "median_intvty", "median_ttft", "p99_ttft", "tput_per_gpu"]
        }
        .into_iter()
        .filter(|name| members.iter().any(|p| p.metric(name).is_some()))
        .collect();
        out.push_str(&format!("\n### {}\n\n| Point |", cell(&key.title(words))));
        for name in &columns {
            out.push_str(&format!(" {} |", cell(&metric::Metric::describe(name).to_string())));
        }
        out.push_str(" Attempt |\n|---|");
        out.push_str(&"---:|".repeat(columns.len() + 1));
        out.push('\n');
        for p in members {
            out.push_str(&format!("| {} |", cell(&p.label)));
            for name in &columns {
                out.push_str(&format!(" {} |", p.metric(name).map_or_else(|| "—".to_owned(), format::measured)));
            }
            let failed = if p.status == Status::Failed { format!(" failed: {}", p.reasons.join(", ")) } else { String::new() };
            out.push_str(&format!(" {}{} |\n", p.attempt.map_or_else(|| "—".to_owned(), |a| a.to_string()), cell(&failed)));
        }
    }
    out
}

/// Every stored point and eval as CSV: notices, points (superseded versions too), an empty line, evals.
///
/// # Errors
/// When the rows can't be written, which memory alone can cause.
pub fn all_csv(run: &Run, points: &[Point], evals: &[paretoscope_domain::eval::Eval]) -> Result<Vec<u8>, csv::Error> {
    let all: Vec<&Point> = points.iter().collect();
    let mut out = table_csv(run, &all)?;
    if evals.is_empty() {
        return Ok(out);
    }
    out.extend_from_slice(b"\n# Evals\n");
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record([
        "run_id",
        "kind",
        "synthetic",
        "attempt",
        "eval_id",
        "task",
        "label",
        "conc",
        "model",
        "hardware",
        "framework",
        "precision",
        "spec_method",
        "score",
        "score_name",
        "stderr",
        "n",
        "threshold",
        "threshold_source",
        "passes",
        "gap",
        "bound",
        "within_2_sigma",
        "image",
        "image_digest",
        "superseded",
        "artifact",
        "file",
        "row",
    ])?;
    for e in evals {
        writer.write_record([
            e.run_id.to_string(),
            run.kind.to_string(),
            run.synthetic.to_string(),
            text(e.attempt),
            e.id.to_string(),
            e.task.clone(),
            e.label.clone(),
            text(e.conc),
            e.model.clone(),
            e.hardware.clone(),
            e.framework.clone(),
            e.precision.clone(),
            e.spec_method.clone(),
            text(e.score),
            text(e.score_name.as_ref()),
            text(e.stderr),
            text(e.n),
            e.threshold.to_string(),
            e.threshold_source.clone(),
            e.passes.to_string(),
            text(e.gap),
            text(e.bound),
            text(e.within_2_sigma),
            text(e.image.as_ref()),
            text(e.image_digest.as_ref()),
            e.superseded.to_string(),
            e.artifact.clone(),
            e.file.clone(),
            text(e.row),
        ])?;
    }
    writer.into_inner().map_err(|e| e.into_error().into())
}
