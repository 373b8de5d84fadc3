//! `/inference?unofficialRun=…` and `/evaluation?unofficialRun=…`: the runs asked for, one beside the other.

use std::sync::Arc;

use axum::extract::{RawQuery, State};
use axum::response::Response;
use http::StatusCode;
use paretoscope_app::view_state::OverlayView;
use paretoscope_app::{IdProblem, OverlayPage, Page};
use paretoscope_domain::RunId;
use paretoscope_domain::run::Run;
use paretoscope_store::StoreError;

use super::{html, problem};
use crate::app::App;

/// Runs that one page overlays at most.
const RUNS_MAX: usize = 16;
/// Runs that the page offers where none is asked for.
const OFFERED: usize = 12;

/// Performance of the runs asked for.
pub async fn inference(State(app): State<Arc<App>>, RawQuery(query): RawQuery) -> Response {
    show(&app, query.as_deref(), Page::Inference, |run| run.point_count == 0 && run.failed_count == 0).await
}

/// Accuracy of the runs asked for.
pub async fn evaluation(State(app): State<Arc<App>>, RawQuery(query): RawQuery) -> Response {
    show(&app, query.as_deref(), Page::Evaluation, |run| run.eval_count == 0).await
}

/// What became of the ids: how the page is to be answered.
#[derive(Default)]
struct Found {
    good: usize,
    unknown: usize,
    purged: usize,
}

impl Found {
    /// 200 as soon as one is good; 410 where all that were ever seen are hidden; 404 where none is known.
    fn status(&self) -> StatusCode {
        if self.good > 0 || self.unknown + self.purged == 0 {
            StatusCode::OK
        } else if self.unknown == 0 {
            StatusCode::GONE
        } else {
            StatusCode::NOT_FOUND
        }
    }
}

async fn show(app: &App, query: Option<&str>, page: fn(Box<OverlayPage>) -> Page, is_empty: fn(&Run) -> bool) -> Response {
    let (view, parameter_problems) = OverlayView::parse(query.unwrap_or_default());
    let snapshot = app.snapshot();
    let mut found = Found::default();
    let mut problems: Vec<IdProblem> = Vec::new();
    let mut runs = Vec::new();
    let mut complain = |id: &str, reason: String, what_to_do: String| problems.push(IdProblem { id: id.to_owned(), reason, what_to_do });
    for text in view.ids.iter().take(RUNS_MAX) {
        let Ok(id) = text.parse::<RunId>() else {
            found.unknown += 1;
            complain(text, "It is not a run id.".to_owned(), "Use the number in the address of the run on GitHub.".to_owned());
            continue;
        };
        match snapshot.run(id) {
            None => {
                found.unknown += 1;
                complain(
                    text,
                    "It was never ingested here.".to_owned(),
                    format!("Ingest its artifacts: `paretoscope ingest PATH --run-id {id}`."),
                );
            }
            Some(run) => match &run.purged {
                Some(purge) => {
                    found.purged += 1;
                    complain(
                        text,
                        format!("It is hidden since {}: {}", purge.at, purge.reason),
                        "Ask who purged it, or choose another run.".to_owned(),
                    );
                }
                None => {
                    found.good += 1;
                    if is_empty(run) {
                        complain(
                            text,
                            "It holds nothing that this page could show.".to_owned(),
                            format!("Its ingest report says what became of every row: /runs/{id}#ingest"),
                        );
                    }
                    match app.detail(run).await {
                        Ok(detail) => runs.push(detail),
                        Err(error) => return broken(app, &error),
                    }
                }
            },
        }
    }
    for text in view.ids.iter().skip(RUNS_MAX) {
        complain(text, format!("Only {RUNS_MAX} runs can be shown at once."), "Leave some of the others out.".to_owned());
    }
    let newest = if view.ids.is_empty() {
        snapshot.runs.iter().filter(|r| r.purged.is_none() && !is_empty(r)).take(OFFERED).map(|r| Run::clone(r)).collect()
    } else {
        Vec::new()
    };
    html(app, found.status(), page(Box::new(OverlayPage { view, runs, problems, parameter_problems, newest })))
}

fn broken(app: &App, error: &StoreError) -> Response {
    problem::broken(app, error)
}
