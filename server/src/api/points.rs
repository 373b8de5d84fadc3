//! Points of a run.

use std::sync::Arc;

use axum::extract::{Path, RawQuery, State};
use axum::response::Response;
use paretoscope_domain::point::Point;

use super::{json, run_id};
use crate::app::App;
use crate::http::{Params, Problem};

/// Points of a run: those that count and those that failed; superseded versions on request.
#[utoipa::path(
    get, path = "/runs/{id}/points", tag = "points",
    params(
        ("id" = i64, Path, description = "Run id"),
        ("include" = Option<String>, Query, description = "`superseded`: older versions of the points too"),
    ),
    responses(
        (status = 200, body = Vec<Point>),
        (status = 400, body = Problem, content_type = "application/problem+json"),
        (status = 404, body = Problem, content_type = "application/problem+json", description = "Never seen"),
        (status = 410, body = Problem, content_type = "application/problem+json", description = "Purged"),
    )
)]
pub async fn list(State(app): State<Arc<App>>, Path(id): Path<String>, RawQuery(query): RawQuery) -> Result<Response, Problem> {
    let params = Params::parse(query.as_deref(), &["include"])?;
    let superseded = match params.text("include") {
        None => false,
        Some("superseded") => true,
        Some(other) => return Err(Problem::parameter("include", format!("include={other}: only `superseded` can be included."))),
    };
    let run = app.shown_run(run_id(&id)?)?;
    let detail = app.detail(&run).await?;
    let points: Vec<&Point> = detail.points.iter().filter(|p| superseded || !p.superseded).collect();
    Ok(json(&points))
}
