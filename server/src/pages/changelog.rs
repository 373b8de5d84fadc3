//! `/changelog`

use std::sync::Arc;

use axum::extract::{RawQuery, State};
use axum::response::Response;
use http::StatusCode;
use paretoscope_app::view_state::ChangelogView;
use paretoscope_app::{ChangelogPage, ChangelogState, Page};
use paretoscope_review::changelog::{ChangelogGroup, ChangelogItem, grouped};

use super::{html, problem};
use crate::app::App;
use crate::review::changelog::Told;

/// Groups of a page.
const PAGE: usize = 25;

/// The changelog's page.
pub async fn show(State(app): State<Arc<App>>, RawQuery(query): RawQuery) -> Response {
    let (view, mut problems) = ChangelogView::parse(query.as_deref().unwrap_or_default());
    let Told { changelog, main, further, known_pulls } = match app.changelog(view.filter.pr).await {
        Ok(told) => told,
        Err(error) => return problem::broken(&app, &error),
    };
    let fitting: Vec<ChangelogItem> = changelog.items.into_iter().filter(|item| view.filter.fits(item)).collect();
    let total = fitting.len();
    let groups = grouped(fitting);
    let from = match &view.cursor {
        None => 0,
        Some(cursor) => match groups.iter().position(|group| head(group) == Some(cursor)) {
            Some(at) => at + 1,
            None => {
                problems.push(format!("The page after entry {cursor} can't be found in this list: showing the first page."));
                0
            }
        },
    };
    let all = groups.len();
    let groups: Vec<ChangelogGroup> = groups.into_iter().skip(from).take(PAGE).collect();
    let next = (from + groups.len() < all).then(|| groups.last().and_then(head).map(str::to_owned)).flatten();
    let state = main.as_ref().map(|m| ChangelogState {
        repo: m.repo.clone(),
        commit: m.commit.clone(),
        committed_at: m.committed_at,
        retold: m.retold.clone(),
    });
    let configs = main.map(|m| m.configs.iter().map(|config| config.key.clone()).collect()).unwrap_or_default();
    let left_out = changelog.left_out;
    let page = ChangelogPage { view, groups, total, next, main: state, left_out, further, known_pulls, configs, problems };
    html(&app, StatusCode::OK, Page::Changelog(Box::new(page)))
}

/// The entry that heads a group.
fn head(group: &ChangelogGroup) -> Option<&str> {
    group.items.first().map(|item| item.id.as_str())
}
