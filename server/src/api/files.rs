//! A run's points and chart as files, labelled unofficial where it is.

use std::sync::Arc;

use axum::extract::{Path, RawQuery, State};
use axum::response::{IntoResponse, Response};
use ::http::header;

use super::{frontier, run_id};
use crate::app::App;
use crate::export;
use crate::http::{Params, Problem};
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

/// Chart of a run's curves as SVG.
#[utoipa::path(
    get, path = "/runs/{id}/chart.svg", tag = "files",
    params(
        ("id" = i64, Path, description = "Run id"),
        ("x" = Option<String>, Query, description = "Metric across"),
        ("y" = Option<String>, Query, description = "Metric up"),
    ),
    responses((status = 200, content_type = "image/svg+xml", body = String), (status = 400, body = Problem, content_type = "application/problem+json"))
)]
pub async fn chart_svg(State(app): State<Arc<App>>, Path(id): Path<String>, RawQuery(query): RawQuery) -> Result<Response, Problem> {
    let params = Params::parse(query.as_deref(), &["x", "y"])?;
    let run = app.shown_run(run_id(&id)?)?;
    let axes = frontier::axes(&params, &run)?;
    let detail = app.detail(&run).await?;
    let svg = preview::chart_svg(&app, &detail, axes)?;
    Ok(file("image/svg+xml", format!("run-{id}.svg"), svg))
}

/// Preview image of a run, 1200 × 630, as pasted links show it.
#[utoipa::path(
    get, path = "/runs/{id}/preview.png", tag = "files",
    params(("id" = i64, Path, description = "Run id")),
    responses((status = 200, content_type = "image/png", body = Vec<u8>), (status = 404, body = Problem, content_type = "application/problem+json"))
)]
pub async fn preview_png(State(app): State<Arc<App>>, Path(id): Path<String>, RawQuery(query): RawQuery) -> Result<Response, Problem> {
    let params = Params::parse(query.as_deref(), &[])?;
    let run = app.shown_run(run_id(&id)?)?;
    let axes = frontier::axes(&params, &run)?;
    let detail = app.detail(&run).await?;
    let png = preview::png(&app, &detail, axes)?;
    Ok(file("image/png", format!("run-{id}.png"), png))
}
