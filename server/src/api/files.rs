//! A run's points and chart as files, labelled unofficial where it is.

use std::sync::Arc;

use ::http::header;
use axum::extract::{Path, RawQuery, State};
use axum::response::{IntoResponse, Response};

use paretoscope_app::view_state::{BaselineParam, RunView};

use super::{frontier, run_id};
use crate::app::App;
use crate::export;
use crate::http::{Params, Problem};
use crate::pages::run::baseline;
use crate::preview;

fn file(content_type: &'static str, name: String, body: impl Into<Vec<u8>>) -> Response {
    ([(header::CONTENT_TYPE, content_type.to_owned()), (header::CONTENT_DISPOSITION, format!("inline; filename=\"{name}\""))], body.into())
        .into_response()
}

/// Points of a run as CSV. Lines before the header start with `#` and say what the run is.
#[utoipa::path(
    get, path = "/runs/{id}/points.csv", tag = "files",
    params(("id" = i64, Path, description = "Run id")),
    responses((status = 200, content_type = "text/csv", body = String), (status = 404, body = Problem, content_type = "application/problem+json"))
)]
pub async fn points_csv(State(app): State<Arc<App>>, Path(id): Path<String>, RawQuery(query): RawQuery) -> Result<Response, Problem> {
    Params::parse(query.as_deref(), &[])?;
    let run = app.shown_run(run_id(&id)?)?;
    let detail = app.detail(&run).await?;
    let body = export::points_csv(&detail).map_err(|e| Problem::internal(&e))?;
    Ok(file("text/csv; charset=utf-8", format!("run-{id}-points.csv"), body))
}

/// Points of a run as a Markdown table, ready to paste.
#[utoipa::path(
    get, path = "/runs/{id}/points.md", tag = "files",
    params(("id" = i64, Path, description = "Run id")),
    responses((status = 200, content_type = "text/markdown", body = String), (status = 404, body = Problem, content_type = "application/problem+json"))
)]
pub async fn points_md(State(app): State<Arc<App>>, Path(id): Path<String>, RawQuery(query): RawQuery) -> Result<Response, Problem> {
    Params::parse(query.as_deref(), &[])?;
    let run = app.shown_run(run_id(&id)?)?;
    let detail = app.detail(&run).await?;
    let body = export::points_md(&detail, &app.words.vocabulary);
    Ok(file("text/markdown; charset=utf-8", format!("run-{id}-points.md"), body))
}

/// Parameters of a run's page that say what its chart shows.
const VIEW: [&str; 10] = ["attempt", "baseline", "model", "scenario", "x", "y", "logx", "logy", "optimal", "hide"];

/// Chart of a run's curves as SVG: what the run's page shows at the same parameters.
#[utoipa::path(
    get, path = "/runs/{id}/chart.svg", tag = "files",
    params(
        ("id" = i64, Path, description = "Run id"),
        ("x" = Option<String>, Query, description = "Metric across"),
        ("y" = Option<String>, Query, description = "Metric up"),
        ("baseline" = Option<String>, Query, description = "A run id, or `none`"),
        ("attempt" = Option<u32>, Query, description = "The run as it stood after this attempt"),
        ("model" = Option<String>, Query, description = "Model, where the run has several"),
        ("scenario" = Option<String>, Query, description = "Scenario, where the run has several"),
        ("logx" = Option<u8>, Query, description = "1: logarithmic x axis"),
        ("logy" = Option<u8>, Query, description = "1: logarithmic y axis"),
        ("optimal" = Option<u8>, Query, description = "1: only points on the frontier"),
        ("hide" = Option<String>, Query, description = "Series to leave out, as the page's address has them"),
    ),
    responses((status = 200, content_type = "image/svg+xml", body = String), (status = 400, body = Problem, content_type = "application/problem+json"))
)]
pub async fn chart_svg(State(app): State<Arc<App>>, Path(id): Path<String>, RawQuery(query): RawQuery) -> Result<Response, Problem> {
    let params = Params::parse(query.as_deref(), &VIEW)?;
    let run = app.shown_run(run_id(&id)?)?;
    frontier::axes(&params, &run)?;
    let (view, mut problems) = RunView::parse(query.as_deref().unwrap_or_default());
    let baseline = baseline(&app, &run, view.baseline, &mut problems).await?;
    if let Some(problem) = problems.into_iter().next() {
        // The problem's words begin with the parameter's name.
        let name = VIEW.into_iter().find(|name| problem.contains(name)).unwrap_or("x");
        return Err(Problem::parameter(name, problem));
    }
    let detail = app.detail(&run).await?;
    let svg = preview::chart_svg(&app, &view, &detail, &baseline);
    Ok(file("image/svg+xml", format!("run-{id}.svg"), svg))
}

/// Preview image of a run, 1200 × 630, as pasted links show it.
#[utoipa::path(
    get, path = "/runs/{id}/preview.png", tag = "files",
    params(("id" = i64, Path, description = "Run id")),
    responses((status = 200, content_type = "image/png", body = Vec<u8>), (status = 404, body = Problem, content_type = "application/problem+json"))
)]
pub async fn preview_png(State(app): State<Arc<App>>, Path(id): Path<String>, RawQuery(query): RawQuery) -> Result<Response, Problem> {
    Params::parse(query.as_deref(), &[])?;
    let run = app.shown_run(run_id(&id)?)?;
    let detail = app.detail(&run).await?;
    let baseline = baseline(&app, &run, BaselineParam::Auto, &mut Vec::new()).await?;
    let png = preview::png(&app, &detail, &baseline)?;
    Ok(file("image/png", format!("run-{id}.png"), png))
}
