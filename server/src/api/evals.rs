//! Evals of a run.

use std::sync::Arc;

use axum::extract::{Path, RawQuery, State};
use axum::response::Response;
use paretoscope_domain::eval::Eval;

use super::{json, run_id};
use crate::app::App;
use crate::http::{Params, Problem};

/// Evals of a run that count, with threshold, interval and best sibling. Scores, gaps and bounds are fractions.
#[utoipa::path(
    get, path = "/runs/{id}/evals", tag = "evals",
    params(("id" = i64, Path, description = "Run id")),
    responses(
        (status = 200, body = Vec<Eval>),
        (status = 400, body = Problem, content_type = "application/problem+json"),
        (status = 404, body = Problem, content_type = "application/problem+json", description = "Never seen"),
        (status = 410, body = Problem, content_type = "application/problem+json", description = "Purged"),
    )
)]
pub async fn list(State(app): State<Arc<App>>, Path(id): Path<String>, RawQuery(query): RawQuery) -> Result<Response, Problem> {
    Params::parse(query.as_deref(), &[])?;
    let run = app.shown_run(run_id(&id)?)?;
    let detail = app.detail(&run).await?;
    let evals: Vec<&Eval> = detail.evals.iter().filter(|e| !e.superseded).collect();
    Ok(json(&evals))
}
