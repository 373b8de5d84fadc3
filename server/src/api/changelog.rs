//! The benchmark repository's changelog.

use std::sync::Arc;

use axum::extract::{RawQuery, State};
use axum::response::Response;
use jiff::Timestamp;
use paretoscope_domain::repo::Refused;
use paretoscope_review::changelog::{ChangelogFilter, ChangelogItem};
use serde::Serialize;

use super::json;
use crate::app::App;
use crate::http::{Params, Problem};
use crate::review::changelog::Told;

/// A page of the changelog.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct ChangelogList {
    /// Entries, newest first: those that only the head of a pull request has, then those of the main branch.
    items: Vec<ChangelogItem>,
    /// Value of `cursor` for the next page; null on the last.
    next: Option<String>,
    /// The state of the main branch; null where none was synced.
    main: Option<ChangelogMain>,
    /// What of its file could not be used.
    left_out: Vec<Refused>,
    /// Pull requests whose heads were synced and are looked at only with `pr`.
    further_pulls: Vec<i64>,
}

/// A synced state of the main branch.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct ChangelogMain {
    /// `owner/name`.
    repo: String,
    /// Commit; null where none is known.
    commit: Option<String>,
    /// When it was made; null where not known.
    #[schema(value_type = Option<String>, format = DateTime)]
    committed_at: Option<Timestamp>,
}

/// Entries of a page unless asked otherwise.
const LIMIT: usize = 50;
/// Entries of a page at most.
const LIMIT_MAX: usize = 1000;

/// The changelog of the newest synced state of the main branch and what the heads of pull requests add to it, newest first.
#[utoipa::path(
    get, path = "/changelog", tag = "review",
    params(
        ("config" = Option<String>, Query, description = "A configuration key, or a pattern of keys: `*` stands for any text"),
        ("pr" = Option<i64>, Query, description = "Pull request number"),
        ("q" = Option<String>, Query, description = "Words to find in keys, description, link, scenario types, oddities and runs"),
        ("limit" = Option<usize>, Query, description = "Entries a page, 1 to 1000; 50 unless given"),
        ("cursor" = Option<String>, Query, description = "`next` of the page before"),
    ),
    responses((status = 200, body = ChangelogList), (status = 400, body = Problem, content_type = "application/problem+json"))
)]
pub async fn list(State(app): State<Arc<App>>, RawQuery(query): RawQuery) -> Result<Response, Problem> {
    let params = Params::parse(query.as_deref(), &["config", "pr", "q", "limit", "cursor"])?;
    let text = |name: &str| params.text(name).map(str::to_owned);
    let filter = ChangelogFilter { config: text("config"), pr: params.read::<i64>("pr")?, q: text("q") };
    let limit = params.read::<usize>("limit")?.unwrap_or(LIMIT);
    if !(1..=LIMIT_MAX).contains(&limit) {
        return Err(Problem::parameter("limit", format!("limit={limit}: a page has 1 to {LIMIT_MAX} entries.")));
    }
    let Told { changelog, main, further, known_pulls: _ } = app.changelog(filter.pr).await?;
    let from = match params.text("cursor") {
        None => 0,
        Some(id) => changelog
            .items
            .iter()
            .position(|item| item.id == id)
            .map(|at| at + 1)
            .ok_or_else(|| Problem::parameter("cursor", format!("cursor={id}: use the value of `next` that the page before gave.")))?,
    };
    let mut found = changelog.items.into_iter().skip(from).filter(|item| filter.fits(item));
    let items: Vec<ChangelogItem> = found.by_ref().take(limit).collect();
    let next = found.next().and(items.last()).map(|item| item.id.clone());
    let main = main.map(|m| ChangelogMain { repo: m.repo.clone(), commit: m.commit.clone(), committed_at: m.committed_at });
    Ok(json(&ChangelogList { items, next, main, left_out: changelog.left_out, further_pulls: further }))
}
