//! `/runs/{run_id}`

use std::sync::Arc;

use axum::extract::{Path, RawQuery, State};
use axum::response::Response;
use http::StatusCode;
use paretoscope_app::view_state::{BaselineParam, RunView};
use paretoscope_app::{BaselineChoice, Page, RunPage};
use paretoscope_domain::RunId;
use paretoscope_domain::run::Run;
use paretoscope_store::StoreError;

use super::{html, problem};
use crate::app::App;

/// A run's page.
pub async fn show(State(app): State<Arc<App>>, Path(id): Path<String>, RawQuery(query): RawQuery) -> Response {
    let Ok(id) = id.parse::<RunId>() else { return problem::bad_run_id(&app, &id) };
    let snapshot = app.snapshot();
    let Some(run) = snapshot.run(id) else { return problem::unknown_run(&app, id) };
    if let Some(purge) = &run.purged {
        return problem::purged_run(&app, id, purge);
    }
    let (view, mut problems) = RunView::parse(query.as_deref().unwrap_or_default());
    if let Some(attempt) = view.attempt.filter(|a| !run.attempts.contains(a)) {
        problems.push(format!("attempt={attempt}: nothing of this run is known to come from attempt {attempt}."));
    }
    let page = async {
        let detail = app.detail(run).await?;
        let baseline = baseline(&app, run, view.baseline, &mut problems).await?;
        let candidates = snapshot.comparable(run).iter().map(|r| Run::clone(r)).collect();
        let cookbook = app.cookbook_of_run(run).await?;
        Ok::<_, StoreError>(RunPage { view, detail, baseline, candidates, cookbook, problems })
    };
    match page.await {
        Ok(page) => html(&app, StatusCode::OK, Page::Run(Box::new(page))),
        Err(error) => problem::broken(&app, &error),
    }
}

/// The baseline that is asked for, else the run's own.
///
/// # Errors
/// When the store can't be read.
pub async fn baseline(app: &App, run: &Run, asked: BaselineParam, problems: &mut Vec<String>) -> Result<BaselineChoice, StoreError> {
    let snapshot = app.snapshot();
    let chosen = match asked {
        BaselineParam::None => return Ok(BaselineChoice::None { why: "No baseline was chosen.".to_owned() }),
        BaselineParam::Run(id) => match snapshot.run(id).filter(|r| r.purged.is_none()) {
            Some(base) if base.synthetic != run.synthetic => {
                problems.push(format!("baseline={id}: synthetic and real runs are not compared."));
                None
            }
            Some(_) if id == run.run_id => {
                problems.push(format!("baseline={id}: a run is not compared with itself."));
                None
            }
            Some(base) => Some(base),
            None => {
                problems.push(format!("baseline={id}: run {id} was never seen here, or is hidden."));
                None
            }
        },
        BaselineParam::Auto => None,
    };
    let base = chosen.or_else(|| run.baseline_run_id.and_then(|id| snapshot.run(id)));
    match base {
        Some(base) => {
            let detail = app.detail(base).await?;
            let run = Box::new(Run::clone(base));
            Ok(BaselineChoice::Some { run, points: detail.points.clone(), chosen: chosen.is_some() })
        }
        None => Ok(BaselineChoice::None { why: no_baseline(run) }),
    }
}

/// Why a run has no baseline.
pub(crate) fn no_baseline(run: &Run) -> String {
    if run.date.is_none() {
        "Its date is not known, so no run can be called earlier.".to_owned()
    } else if run.curves.is_empty() {
        "It has no curve that another run could share.".to_owned()
    } else if run.synthetic {
        "No earlier synthetic run shares a curve with it.".to_owned()
    } else {
        "No earlier run of its pull request and no earlier official run shares a curve with it.".to_owned()
    }
}
