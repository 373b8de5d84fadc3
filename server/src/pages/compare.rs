//! `/compare?base=…&head=…`

use std::sync::Arc;

use axum::extract::{RawQuery, State};
use axum::response::Response;
use http::StatusCode;
use paretoscope_app::view_state::{CompareView, axes_for, read_pairs};
use paretoscope_app::{ComparePage, CompareShown, IdProblem, Page};
use paretoscope_domain::metric::Metric;
use paretoscope_domain::run::Run;
use paretoscope_domain::{RunId, Scenario};
use paretoscope_review::compare::Options;

use super::{html, problem};
use crate::app::App;
use crate::review::compare::{Asked, Compared, NoComparison};

/// Runs that the page offers where none is asked for.
const OFFERED: usize = 12;

/// Two runs, or a run and the official curve.
pub async fn show(State(app): State<Arc<App>>, RawQuery(query): RawQuery) -> Response {
    let query = query.unwrap_or_default();
    let (view, problems) = CompareView::parse(&query);
    let snapshot = app.snapshot();
    let Some(head) = view.head else {
        let newest = snapshot.runs.iter().filter(|r| r.purged.is_none()).take(OFFERED).map(|r| Run::clone(r)).collect();
        // A head that is no run id is told in the page; the address itself is at fault.
        let asked = read_pairs(&query).iter().any(|(k, v)| k == "head" && !v.trim().is_empty());
        let status = if asked { StatusCode::BAD_REQUEST } else { StatusCode::OK };
        return page(&app, status, ComparePage { view, shown: CompareShown::Nothing, candidates: Vec::new(), newest, problems });
    };
    let run = snapshot.run(head).filter(|r| r.purged.is_none());
    let candidates = run.map(|run| snapshot.comparable(run).iter().map(|r| Run::clone(r)).collect()).unwrap_or_default();
    let scenario = run.and_then(|r| r.curves.first()).map(|c| c.scenario);
    let asked = Asked { base: view.base, head, as_of: view.as_of, options: options(&view, scenario) };
    let (status, shown) = match app.compare(&asked).await {
        Ok(Compared { comparison, head, base }) => {
            (StatusCode::OK, CompareShown::Compared { comparison: Box::new(comparison), head, base })
        }
        Err(NoComparison::Store(error)) => return problem::broken(&app, &error),
        Err(error) => refused(error, run.map(|r| Run::clone(r))),
    };
    page(&app, status, ComparePage { view, shown, candidates, newest: Vec::new(), problems })
}

fn page(app: &App, status: StatusCode, page: ComparePage) -> Response {
    html(app, status, Page::Compare(Box::new(page)))
}

/// The axes of a view: a bare quantity stands for the scenario's own statistic.
fn options(view: &CompareView, scenario: Option<Scenario>) -> Options {
    let scenario = view.scenario.or(scenario).unwrap_or(Scenario::AgenticTraces);
    let axes = axes_for(view.x.as_deref(), view.y.as_deref(), scenario);
    let chosen = |name: &Option<String>, metric: Metric| name.as_ref().map(|_| metric);
    Options { x: chosen(&view.x, axes.x), y: chosen(&view.y, axes.y) }
}

/// Why nothing is compared, and how the page is answered.
fn refused(error: NoComparison, head: Option<Run>) -> (StatusCode, CompareShown) {
    let unknown = |id: RunId| IdProblem {
        id: id.to_string(),
        reason: "It was never ingested here.".to_owned(),
        what_to_do: format!("Ingest its artifacts: `paretoscope ingest PATH --run-id {id}`."),
    };
    let (status, ids, why) = match error {
        NoComparison::Unknown { id, .. } => (StatusCode::NOT_FOUND, vec![unknown(id)], None),
        NoComparison::Purged { id, purge, .. } => {
            let reason = format!("It is hidden since {}: {}", purge.at, purge.reason);
            let what_to_do = "Ask who purged it, or choose another run.".to_owned();
            (StatusCode::GONE, vec![IdProblem { id: id.to_string(), reason, what_to_do }], None)
        }
        NoComparison::NoBaseline { head, why } => {
            let why = format!("Run {head} has no baseline of its own. {why} Choose a run below, or the official curve.");
            (StatusCode::OK, Vec::new(), Some(why))
        }
        other => (StatusCode::OK, Vec::new(), Some(format!("{}.", capital(&other.to_string())))),
    };
    (status, CompareShown::Refused { head, ids, why })
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
