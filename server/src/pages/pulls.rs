//! `/pulls` and `/pulls/{number}`

use std::sync::Arc;

use axum::extract::{Path, RawQuery, State};
use axum::response::Response;
use http::StatusCode;
use paretoscope_app::view_state::PullsView;
use paretoscope_app::{Page, PullPage, PullsPage};

use super::{html, problem};
use crate::app::App;
use crate::http::cache::until_tomorrow;
use crate::review::pulls::{PullFilter, PullsFound};

/// Pull requests of a page.
pub const PAGE: usize = 25;

/// The list of pull requests.
pub async fn list(State(app): State<Arc<App>>, RawQuery(query): RawQuery) -> Response {
    let (view, problems) = PullsView::parse(query.as_deref().unwrap_or_default());
    let filter = PullFilter { state: view.state, q: view.q.clone() };
    match app.pulls_found(&filter, view.cursor, PAGE).await {
        Ok(PullsFound { items, total, next }) => {
            until_tomorrow(html(&app, StatusCode::OK, Page::Pulls(PullsPage { view, items, total, next, problems })))
        }
        Err(error) => problem::broken(&app, &error),
    }
}

/// One pull request.
pub async fn show(State(app): State<Arc<App>>, Path(number): Path<String>) -> Response {
    let text = number.trim_start_matches('#');
    let Some(number) = text.parse::<i64>().ok().filter(|n| *n > 0) else { return problem::bad_pull(&app, text) };
    match app.pull_answer(number).await {
        Ok(Some(answer)) => {
            let page = PullPage { answer: answer.as_ref().clone() };
            until_tomorrow(html(&app, StatusCode::OK, Page::Pull(Box::new(page))))
        }
        Ok(None) => problem::unknown_pull(&app, number),
        Err(error) => problem::broken(&app, &error),
    }
}
