//! Pull requests.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::{Path, RawQuery, State};
use axum::response::Response;
use jiff::Timestamp;
use paretoscope_app::PullListItem;
use paretoscope_app::view_state::PullsState;
use paretoscope_domain::RunId;
use paretoscope_domain::pull::PullState;
use paretoscope_review::timeline::PullAnswer;
use serde::Serialize;

use super::json;
use crate::app::App;
use crate::http::cache::until_tomorrow;
use crate::http::{Params, Problem};
use crate::pages::pulls::PAGE;
use crate::review::pulls::PullFilter;

/// Pull requests of a page at most.
const LIMIT_MAX: usize = 100;

/// A page of pull requests.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct PullList {
    /// Pull requests, the highest number first.
    items: Vec<PullListed>,
    /// Value of `cursor` for the next page; null on the last.
    next: Option<i64>,
}

/// A pull request in the list.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct PullListed {
    /// Number.
    number: i64,
    /// Title; null where never told.
    title: Option<String>,
    /// State; null where its payload was never read.
    state: Option<PullState>,
    /// Whether it is a draft; null where its payload was never read.
    draft: Option<bool>,
    /// Who opened it; null where never told.
    author: Option<String>,
    /// Page on GitHub.
    url: String,
    /// The pinned run; null where none is.
    pinned_run_id: Option<RunId>,
    /// Runs of it that are known here.
    run_count: usize,
    /// How many of checks 0 to 18 gave which status; null where they can't be asked.
    checks: Option<BTreeMap<String, usize>>,
    /// When it last changed.
    #[schema(value_type = Option<String>, format = DateTime)]
    updated_at: Option<Timestamp>,
    /// Whether it is a retelling and no payload of GitHub's.
    retold: bool,
}

impl From<PullListItem> for PullListed {
    fn from(item: PullListItem) -> Self {
        let PullListItem { number, title, state, draft, author, url, pinned, pinned_known: _, runs, checks, updated_at, retold } = item;
        let told = |text: String| (!text.is_empty()).then_some(text);
        Self {
            number,
            title: told(title),
            state,
            draft: state.map(|_| draft),
            author: told(author),
            url,
            pinned_run_id: pinned,
            run_count: runs,
            checks: checks.map(|c| c.into_iter().map(|(status, n)| (status.as_str().to_owned(), n)).collect()),
            updated_at,
            retold,
        }
    }
}

/// Pull requests, the highest number first: those that were imported, and those that runs name.
#[utoipa::path(
    get, path = "/pulls", tag = "pulls",
    params(
        ("state" = Option<String>, Query, description = "open, merged, closed, or unread: known only from runs that name it"),
        ("q" = Option<String>, Query, description = "Words to find in number, title, author, labels, commits, runs, configurations"),
        ("limit" = Option<usize>, Query, description = "Pull requests a page, 1 to 100; 25 unless given"),
        ("cursor" = Option<i64>, Query, description = "`next` of the page before"),
    ),
    responses((status = 200, body = PullList), (status = 400, body = Problem, content_type = "application/problem+json"))
)]
pub async fn list(State(app): State<Arc<App>>, RawQuery(query): RawQuery) -> Result<Response, Problem> {
    let params = Params::parse(query.as_deref(), &["state", "q", "limit", "cursor"])?;
    let state = match params.text("state") {
        None => None,
        Some(word) => Some(PullsState::parse(word).ok_or_else(|| {
            Problem::parameter("state", format!("state={word}: the states are {}.", PullsState::ALL.map(PullsState::as_str).join(", ")))
        })?),
    };
    let limit = params.read::<usize>("limit")?.unwrap_or(PAGE);
    if !(1..=LIMIT_MAX).contains(&limit) {
        return Err(Problem::parameter("limit", format!("limit={limit}: a page has 1 to {LIMIT_MAX} pull requests.")));
    }
    let filter = PullFilter { state, q: params.text("q").map(str::to_owned) };
    let found = app.pulls_found(&filter, params.read::<i64>("cursor")?, limit).await?;
    let list = PullList { items: found.items.into_iter().map(PullListed::from).collect(), next: found.next };
    Ok(until_tomorrow(json(&list)))
}

/// One pull request: timeline, pins, sign-off, verdict, checks, cookbook rounds, and how it stands now.
#[utoipa::path(
    get, path = "/pulls/{n}", tag = "pulls", params(("n" = i64, Path, description = "Number of the pull request")),
    responses(
        (status = 200, body = PullAnswer),
        (status = 400, body = Problem, content_type = "application/problem+json"),
        (status = 404, body = Problem, content_type = "application/problem+json", description = "Neither it nor a run of it was ever read"),
    )
)]
pub async fn one(State(app): State<Arc<App>>, Path(number): Path<String>, RawQuery(query): RawQuery) -> Result<Response, Problem> {
    Params::parse(query.as_deref(), &[])?;
    let number = number
        .parse::<i64>()
        .ok()
        .filter(|n| *n > 0)
        .ok_or_else(|| Problem::parameter("n", format!("{number:?} is not the number of a pull request: a positive whole number.")))?;
    let answer = app.pull_answer(number).await?.ok_or_else(|| {
        Problem::not_found(format!(
            "Pull request #{number} was never read here, and no run names it. `paretoscope pulls import FILE…` reads saved payloads of it."
        ))
    })?;
    Ok(until_tomorrow(json(&*answer)))
}
