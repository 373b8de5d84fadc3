//! Frontier of each curve of a run.

use std::sync::Arc;

use axum::extract::{Path, RawQuery, State};
use axum::response::Response;
use paretoscope_domain::Scenario;
use paretoscope_domain::curve::{Axes, Curve, curves};
use paretoscope_domain::metric::Metric;
use paretoscope_domain::run::Run;
use serde::Serialize;

use super::{json, run_id};
use crate::app::App;
use crate::http::{Params, Problem};

/// Frontiers of a run on two axes.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct FrontierAnswer {
    /// Metric across.
    x: String,
    /// Metric up.
    y: String,
    /// The run's curves. Failed and superseded points are on none.
    curves: Vec<Curve>,
}

/// The axes that a request asks for, or those that the run's scenario opens with.
///
/// # Errors
/// 400 naming `x` or `y`.
pub fn axes(params: &Params, run: &Run) -> Result<Axes, Problem> {
    let scenario = run.curves.first().map_or(Scenario::AgenticTraces, |c| c.scenario);
    let (x, y) = Axes::default_for(scenario);
    let read = |name: &str, default: &str| -> Result<Metric, Problem> {
        let text = params.text(name).unwrap_or(default);
        let metric = Metric::parse(text).map_err(|e| Problem::parameter(name, format!("{e}.")))?;
        match metric.better {
            Some(_) => Ok(metric),
            None => Err(Problem::parameter(name, format!("{text} has no better end, so no frontier can be drawn on it."))),
        }
    };
    Ok(Axes { x: read("x", x)?, y: read("y", y)? })
}

/// Frontier of each curve of a run, on the axes asked for and computed on them.
///
/// The rule (pull request checklist, check 14): walking from the good end of x, a point is kept when its y is better than every
/// y so far, or equal to the best at a distinct x; points at the same coordinates are all on the frontier and count once.
#[utoipa::path(
    get, path = "/runs/{id}/frontier", tag = "points",
    params(
        ("id" = i64, Path, description = "Run id"),
        ("x" = Option<String>, Query, description = "Metric across: p90_e2el for agentic runs, median_intvty for fixed sequences, unless given"),
        ("y" = Option<String>, Query, description = "Metric up: tput_per_gpu unless given"),
    ),
    responses(
        (status = 200, body = FrontierAnswer),
        (status = 400, body = Problem, content_type = "application/problem+json"),
        (status = 404, body = Problem, content_type = "application/problem+json", description = "Never seen"),
        (status = 410, body = Problem, content_type = "application/problem+json", description = "Purged"),
    )
)]
pub async fn show(State(app): State<Arc<App>>, Path(id): Path<String>, RawQuery(query): RawQuery) -> Result<Response, Problem> {
    let params = Params::parse(query.as_deref(), &["x", "y"])?;
    let run = app.shown_run(run_id(&id)?)?;
    let axes = axes(&params, &run)?;
    let detail = app.detail(&run).await?;
    let curves = curves(&detail.points, &axes, &app.words.vocabulary)
        .map_err(|e| Problem::parameter(if e.is_x { "x" } else { "y" }, format!("{e}.")))?;
    Ok(json(&FrontierAnswer { x: axes.x.name, y: axes.y.name, curves }))
}
