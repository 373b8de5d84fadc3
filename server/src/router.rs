//! Every address, as a table of contents.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::middleware::{from_fn_with_state, map_response_with_state};
use axum::response::Response;
use axum::routing::get;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::timeout::TimeoutLayer;

use crate::app::App;
use crate::http::{cache, security};
use crate::{api, assets, operations, pages};

/// The whole site over an application.
pub fn router(app: Arc<App>) -> Router {
    let pages = Router::new()
        .route("/", get(pages::home::show))
        .route("/runs", get(pages::runs::show))
        .route("/runs/{run_id}", get(pages::run::show))
        .route("/runs/{run_id}/points/{point_id}", get(pages::point::show))
        .route("/pulls", get(pages::pulls::list))
        .route("/pulls/{number}", get(pages::pulls::show))
        .route("/cookbook", get(pages::cookbook::show))
        .route("/changelog", get(pages::changelog::show))
        .route("/compare", get(pages::compare::show))
        .route("/inference", get(pages::overlay::inference))
        .route("/evaluation", get(pages::overlay::evaluation))
        .fallback(pages::problem::not_found);
    let (api, document) = api::router();
    let cached = pages.nest("/api/v1", api.merge(api::openapi::router(document))).layer(from_fn_with_state(Arc::clone(&app), cache::serve));
    Router::new()
        .merge(cached)
        .route("/assets/{*path}", get(assets::serve))
        .route("/favicon.ico", get(pages::favicon))
        .route("/robots.txt", get(pages::robots))
        .route("/healthz", get(operations::healthz))
        .route("/readyz", get(operations::readyz))
        .route("/metrics", get(operations::metrics))
        .layer(map_response_with_state(Arc::clone(&app), secure))
        .layer(TimeoutLayer::with_status_code(http::StatusCode::GATEWAY_TIMEOUT, Duration::from_secs(30)))
        .layer(CatchPanicLayer::new())
        .with_state(app)
}

async fn secure(State(app): State<Arc<App>>, mut response: Response) -> Response {
    security::set(&mut response, &app.policy);
    response
}
