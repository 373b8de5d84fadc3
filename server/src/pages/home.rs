//! `/`

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use paretoscope_app::{HomePage, Page};
use paretoscope_domain::run::Run;

use super::html;
use crate::app::App;

/// Runs that the start page lists.
const NEWEST: usize = 12;

/// The start page.
pub async fn show(State(app): State<Arc<App>>) -> Response {
    let snapshot = app.snapshot();
    let shown = || snapshot.runs.iter().filter(|r| r.purged.is_none());
    // Real runs first: the synthetic history is there to fill an empty shelf.
    let real = shown().filter(|r| !r.synthetic);
    let made_up = shown().filter(|r| r.synthetic);
    let newest: Vec<Run> = real.chain(made_up).take(NEWEST).map(|r| Run::clone(r)).collect();
    let page = HomePage {
        newest,
        runs_total: shown().count(),
        points_total: shown().map(|r| r.point_count).sum(),
        evals_total: shown().map(|r| r.eval_count).sum(),
        synthetic_runs: shown().filter(|r| r.synthetic).count(),
        changes: changes(&snapshot.runs),
    };
    html(&app, StatusCode::OK, Page::Home(page))
}

/// What happened lately: the runs ingested last, newest first, those of one moment together.
fn changes(runs: &[Arc<Run>]) -> Vec<(String, Option<String>)> {
    const SHOWN: usize = 5;
    let mut moments: std::collections::BTreeMap<jiff::Timestamp, Vec<&Arc<Run>>> = std::collections::BTreeMap::new();
    for run in runs {
        if let Some(at) = run.ingested_at {
            moments.entry(at).or_default().push(run);
        }
    }
    let text = |at: jiff::Timestamp, runs: &[&Arc<Run>]| {
        let minute = at.strftime("%Y-%m-%d %H:%M UTC");
        match runs {
            [one] => (format!("{minute}: run {} ingested, {} points", one.run_id, one.point_count), Some(format!("/runs/{}", one.run_id))),
            many => (format!("{minute}: {} runs ingested", many.len()), Some("/runs?sort=ingested".to_owned())),
        }
    };
    moments.iter().rev().take(SHOWN).map(|(at, runs)| text(*at, runs)).collect()
}
