//! The JSON API, `/api/v1`: a folder of nouns. Shapes are the domain's own types; the OpenAPI document is made from them.

use std::sync::Arc;

use axum::Router;
use axum::response::{IntoResponse, Response};
use paretoscope_domain::RunId;
use serde::Serialize;
use utoipa::openapi::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::http::Problem;

pub mod changelog;
pub mod compare;
pub mod cookbook;
pub mod evals;
pub mod evidence;
pub mod files;
pub mod frontier;
pub mod openapi;
pub mod points;
pub mod pulls;
pub mod report;
pub mod runs;

/// All API handlers, and the document that describes them.
pub fn router() -> (Router<Arc<App>>, OpenApi) {
    OpenApiRouter::with_openapi(openapi::base())
        .routes(routes!(runs::list))
        .routes(routes!(runs::one))
        .routes(routes!(points::list))
        .routes(routes!(files::points_csv))
        .routes(routes!(files::points_md))
        .routes(routes!(files::chart_svg))
        .routes(routes!(files::preview_png))
        .routes(routes!(frontier::show))
        .routes(routes!(evals::list))
        .routes(routes!(report::show))
        .routes(routes!(compare::show))
        .routes(routes!(pulls::list))
        .routes(routes!(pulls::one))
        .routes(routes!(cookbook::list))
        .routes(routes!(cookbook::csv))
        .routes(routes!(changelog::list))
        .routes(routes!(evidence::show))
        .fallback(openapi::unknown)
        .split_for_parts()
}

/// A run id in an address.
///
/// # Errors
/// 400 naming `id`.
pub fn run_id(text: &str) -> Result<RunId, Problem> {
    text.parse().map_err(|e: paretoscope_domain::ids::BadRunId| Problem::parameter("id", format!("{e}.")))
}

/// A value as JSON. Not-a-number can't occur: ingest refuses it.
pub fn json<T: Serialize>(value: &T) -> Response {
    match serde_json::to_vec(value) {
        Ok(body) => ([(::http::header::CONTENT_TYPE, "application/json")], body).into_response(),
        Err(error) => Problem::internal(&error).into_response(),
    }
}
