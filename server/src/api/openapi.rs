//! The document that describes the API, made from the handlers' own types.

use std::sync::Arc;

use axum::Router;
use axum::extract::OriginalUri;
use axum::routing::get;
use utoipa::OpenApi as _;
use utoipa::openapi::OpenApi;

use super::json;
use crate::app::App;
use crate::http::Problem;

/// Title and conventions.
#[derive(utoipa::OpenApi)]
#[openapi(
    info(
        title = "Paretoscope",
        description = "Runs of the public LLM inference benchmark: what they measured, their Pareto frontiers, their evals.\n\n\
            Times are RFC 3339 in UTC, latencies seconds, throughput tokens per second. What was not measured is null, never 0. \
            Errors are RFC 9457 problem documents. Every answer has an ETag.",
        license(name = "Apache-2.0", identifier = "Apache-2.0")
    ),
    servers((url = "/api/v1"))
)]
struct Document;

/// The document before the handlers are added.
pub fn base() -> OpenApi {
    Document::openapi()
}

/// `/openapi.json`.
pub fn router(document: OpenApi) -> Router<Arc<App>> {
    let document = Arc::new(document);
    Router::new().route("/openapi.json", get(move || async move { json(&*document) }))
}

/// Anything else below `/api/v1`.
pub async fn unknown(OriginalUri(uri): OriginalUri) -> Problem {
    Problem::not_found(format!("There is no {} in this API; /api/v1/openapi.json lists what there is.", uri.path()))
}
