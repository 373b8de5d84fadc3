//! `/cookbook`

use std::sync::Arc;

use axum::extract::{RawQuery, State};
use axum::response::Response;
use http::StatusCode;
use paretoscope_app::view_state::CookbookView;
use paretoscope_app::{CookbookPage, Page};
use paretoscope_store::StoreError;

use super::{html, problem};
use crate::app::App;

/// The cookbook's page.
pub async fn show(State(app): State<Arc<App>>, RawQuery(query): RawQuery) -> Response {
    let (view, problems) = CookbookView::parse(query.as_deref().unwrap_or_default());
    let page = async {
        let facts = app.facts().await?;
        let cookbook = app.cookbook().await?;
        let known = app.known_runs(&cookbook.entries.iter().collect::<Vec<_>>());
        let (refused, synced) = (facts.cookbook_refused.clone(), !facts.cookbook.is_empty());
        Ok::<_, StoreError>(CookbookPage { view, cookbook, refused, synced, known, problems })
    };
    match page.await {
        Ok(page) => html(&app, StatusCode::OK, Page::Cookbook(page)),
        Err(error) => problem::broken(&app, &error),
    }
}
