//! Handlers of the pages: each reads what its page shows and hands it to `paretoscope_app::render`.

use std::sync::Arc;

use ::http::{StatusCode, header};
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use paretoscope_app::Page;

use crate::app::App;

pub mod changelog;
pub mod compare;
pub mod cookbook;
pub mod home;
pub mod overlay;
pub mod point;
pub mod problem;
pub mod pulls;
pub mod run;
pub mod runs;

/// A page as an answer.
pub fn html(app: &App, status: StatusCode, page: Page) -> Response {
    let body = paretoscope_app::render(&app.site, page);
    (status, [(header::CONTENT_TYPE, "text/html; charset=utf-8")], body).into_response()
}

/// `/favicon.ico`: the icon's address is hashed, browsers ask here.
pub async fn favicon(State(app): State<Arc<App>>) -> Response {
    (StatusCode::TEMPORARY_REDIRECT, [(header::LOCATION, app.site.icon.clone())]).into_response()
}

/// `/robots.txt`: pages may be found; the API and overlays of any id need not be crawled.
pub async fn robots() -> &'static str {
    "User-agent: *\nDisallow: /api/\nDisallow: /inference?\nDisallow: /evaluation?\n"
}
