//! Runs.

use std::sync::Arc;

use axum::extract::{Path, RawQuery, State};
use axum::response::Response;
use paretoscope_domain::Kind;
use paretoscope_domain::run::Run;
use serde::Serialize;

use super::{json, run_id};
use crate::app::App;
use crate::http::{Params, Problem};
use crate::pages::runs::RunFilter;

/// A page of runs.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct RunList {
    /// Runs, newest first; undated ones last.
    items: Vec<Run>,
    /// Value of `cursor` for the next page; null on the last.
    next: Option<String>,
}

/// Runs of a page unless asked otherwise.
const LIMIT: usize = 50;
/// Runs of a page at most.
const LIMIT_MAX: usize = 500;

/// Runs, newest first.
#[utoipa::path(
    get, path = "/runs", tag = "runs",
    params(
        ("kind" = Option<String>, Query, description = "unofficial, staged or official"),
        ("model" = Option<String>, Query, description = "Model key, alias or name"),
        ("hardware" = Option<String>, Query, description = "Hardware key or name"),
        ("framework" = Option<String>, Query, description = "Framework key, alias or name"),
        ("pr" = Option<i64>, Query, description = "Pull request number"),
        ("q" = Option<String>, Query, description = "Words to find in number, pull request, commit, branch, people, configuration, image, model"),
        ("limit" = Option<usize>, Query, description = "Runs a page, 1 to 500; 50 unless given"),
        ("cursor" = Option<String>, Query, description = "`next` of the page before"),
    ),
    responses((status = 200, body = RunList), (status = 400, body = Problem, content_type = "application/problem+json"))
)]
pub async fn list(State(app): State<Arc<App>>, RawQuery(query): RawQuery) -> Result<Response, Problem> {
    let params = Params::parse(query.as_deref(), &["kind", "model", "hardware", "framework", "pr", "q", "limit", "cursor"])?;
    let filter = RunFilter {
        kind: params.read::<Kind>("kind")?,
        model: params.text("model").map(str::to_owned),
        hardware: params.text("hardware").map(str::to_owned),
        framework: params.text("framework").map(str::to_owned),
        pr: params.read::<i64>("pr")?,
        q: params.text("q").map(str::to_owned),
        ..RunFilter::default()
    };
    let limit = params.read::<usize>("limit")?.unwrap_or(LIMIT);
    if !(1..=LIMIT_MAX).contains(&limit) {
        return Err(Problem::parameter("limit", format!("limit={limit}: a page has 1 to {LIMIT_MAX} runs.")));
    }
    let snapshot = app.snapshot();
    let from =
        match params.text("cursor") {
            None => 0,
            Some(text) => text.parse().ok().and_then(|id| snapshot.position(id)).map(|at| at + 1).ok_or_else(|| {
                Problem::parameter("cursor", format!("cursor={text}: use the value of `next` that the page before gave."))
            })?,
        };
    let matcher = filter.matcher(&app.words.vocabulary);
    let mut found = snapshot.runs.iter().skip(from).filter(|run| matcher.fits(run));
    let items: Vec<Run> = found.by_ref().take(limit).map(|run| Run::clone(run)).collect();
    let next = found.next().and(items.last()).map(|run| run.run_id.to_string());
    Ok(json(&RunList { items, next }))
}

/// One run.
#[utoipa::path(
    get, path = "/runs/{id}", tag = "runs", params(("id" = i64, Path, description = "Run id")),
    responses(
        (status = 200, body = Run),
        (status = 400, body = Problem, content_type = "application/problem+json"),
        (status = 404, body = Problem, content_type = "application/problem+json", description = "Never seen"),
        (status = 410, body = Problem, content_type = "application/problem+json", description = "Purged"),
    )
)]
pub async fn one(State(app): State<Arc<App>>, Path(id): Path<String>, RawQuery(query): RawQuery) -> Result<Response, Problem> {
    Params::parse(query.as_deref(), &[])?;
    Ok(json(&*app.shown_run(run_id(&id)?)?))
}
