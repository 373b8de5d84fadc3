//! Pages that say why there is nothing to see, and what to do.

use std::sync::Arc;

use axum::extract::{OriginalUri, State};
use axum::response::Response;
use http::StatusCode;
use paretoscope_app::{Page, ProblemPage};
use paretoscope_domain::RunId;
use paretoscope_domain::run::Purge;

use super::html;
use crate::app::App;
use crate::http::Problem;

fn page(
    app: &App,
    status: StatusCode,
    title: impl Into<String>,
    detail: impl Into<String>,
    advice: Vec<(String, Option<String>)>,
) -> Response {
    html(app, status, Page::Problem(ProblemPage { status: status.as_u16(), title: title.into(), detail: detail.into(), advice }))
}

fn all_runs() -> (String, Option<String>) {
    ("See all runs".to_owned(), Some("/runs".to_owned()))
}

/// No page at this address.
pub async fn not_found(State(app): State<Arc<App>>, OriginalUri(uri): OriginalUri) -> Response {
    page(
        &app,
        StatusCode::NOT_FOUND,
        "There is no such page",
        format!("Nothing is at {}.", uri.path()),
        vec![("Go to the start page".to_owned(), Some("/".to_owned())), all_runs()],
    )
}

/// A run that was never ingested.
pub fn unknown_run(app: &App, id: RunId) -> Response {
    page(
        app,
        StatusCode::NOT_FOUND,
        format!("Run {id} was never seen here"),
        "No artifacts of this run were ingested.",
        vec![
            (format!("Ingest its artifacts: `paretoscope ingest PATH --run-id {id}`"), None),
            ("Check the number against the run's address on GitHub".to_owned(), None),
            all_runs(),
        ],
    )
}

/// A text that is no run id.
pub fn bad_run_id(app: &App, text: &str) -> Response {
    page(
        app,
        StatusCode::NOT_FOUND,
        format!("“{text}” is not a run id"),
        "A run id is a positive whole number, as in the address of the run on GitHub.",
        vec![all_runs()],
    )
}

/// A pull request of which nothing was read.
pub fn unknown_pull(app: &App, number: i64) -> Response {
    page(
        app,
        StatusCode::NOT_FOUND,
        format!("Pull request #{number} was never read here"),
        "No payload of it was imported, and no run that is stored names it.",
        vec![
            ("Read saved payloads of it: `paretoscope pulls import FILE…`".to_owned(), None),
            (format!("Open #{number} on GitHub"), Some(format!("https://github.com/{}/pull/{number}", app.repo))),
            ("See all pull requests".to_owned(), Some("/pulls".to_owned())),
        ],
    )
}

/// A text that is no number of a pull request.
pub fn bad_pull(app: &App, text: &str) -> Response {
    page(
        app,
        StatusCode::NOT_FOUND,
        format!("“{text}” is not the number of a pull request"),
        "It is a positive whole number, as in the address of the pull request on GitHub.",
        vec![("See all pull requests".to_owned(), Some("/pulls".to_owned()))],
    )
}

/// A run that is hidden.
pub fn purged_run(app: &App, id: RunId, purge: &Purge) -> Response {
    page(
        app,
        StatusCode::GONE,
        format!("Run {id} is hidden"),
        format!("It was purged by {} at {}: {}", purge.actor, purge.at, purge.reason),
        vec![("Its data is kept; `paretoscope restore` shows it again".to_owned(), None), all_runs()],
    )
}

/// A point that its run does not have.
pub fn unknown_point(app: &App, run: RunId, point: &str) -> Response {
    page(
        app,
        StatusCode::NOT_FOUND,
        format!("Run {run} has no point “{point}”"),
        "A point's id is made from its configuration; it changes when the configuration does.",
        vec![(format!("See all points of run {run}"), Some(format!("/runs/{run}#points"))), all_runs()],
    )
}

/// What went wrong inside.
pub fn broken(app: &App, error: &dyn std::error::Error) -> Response {
    let problem = Problem::internal(error);
    page(app, problem.status_code(), problem.title, problem.detail, vec![all_runs()])
}
