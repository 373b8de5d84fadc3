//! The newest ingest report of a run.

use std::sync::Arc;

use axum::extract::{Path, RawQuery, State};
use axum::response::Response;
use paretoscope_domain::report::IngestReport;

use super::{json, run_id};
use crate::app::App;
use crate::http::{Params, Problem};

/// What the newest ingest of a run did with every row. A family that is not read yet is null.
#[utoipa::path(
    get, path = "/runs/{id}/ingest-report", tag = "runs",
    params(("id" = i64, Path, description = "Run id")),
    responses(
        (status = 200, body = IngestReport),
        (status = 400, body = Problem, content_type = "application/problem+json"),
        (status = 404, body = Problem, content_type = "application/problem+json", description = "Never seen"),
        (status = 410, body = Problem, content_type = "application/problem+json", description = "Purged"),
    )
)]
pub async fn show(State(app): State<Arc<App>>, Path(id): Path<String>, RawQuery(query): RawQuery) -> Result<Response, Problem> {
    Params::parse(query.as_deref(), &[])?;
    let run = app.shown_run(run_id(&id)?)?;
    let detail = app.detail(&run).await?;
    match &detail.report {
        Some(report) => Ok(json(report)),
        None => Err(Problem::not_found(format!("Run {id} has no ingest report."))),
    }
}
