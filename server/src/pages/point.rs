//! `/runs/{run_id}/points/{point_id}`

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::Response;
use http::StatusCode;
use paretoscope_app::view_state::BaselineParam;
use paretoscope_app::{BaselineChoice, CookbookShown, Page, PointPage, RawVersion};
use paretoscope_domain::{PointId, RunId, delta};
use paretoscope_store::StoreError;

use super::{html, problem, run::baseline};
use crate::app::App;

/// A point's page.
pub async fn show(State(app): State<Arc<App>>, Path((id, point)): Path<(String, String)>) -> Response {
    let Ok(id) = id.parse::<RunId>() else { return problem::bad_run_id(&app, &id) };
    let snapshot = app.snapshot();
    let Some(run) = snapshot.run(id) else { return problem::unknown_run(&app, id) };
    if let Some(purge) = &run.purged {
        return problem::purged_run(&app, id, purge);
    }
    let point_id = PointId::from_text(point.as_str());
    let page = async {
        let detail = app.detail(run).await?;
        let mut versions: Vec<_> = detail.points.iter().filter(|p| p.id == point_id).cloned().collect();
        // The one that counts first.
        versions.sort_by_key(|p| p.superseded);
        if versions.is_empty() {
            return Ok(None);
        }
        let base = match baseline(&app, run, BaselineParam::Auto, &mut Vec::new()).await? {
            BaselineChoice::Some { run: base, points, .. } => {
                let matched = delta::matched(&points, &detail.points);
                matched.pairs.iter().find(|(_, head)| head.id == point_id).map(|(b, _)| (*base.clone(), (*b).clone()))
            }
            BaselineChoice::None { .. } => None,
        };
        let raw = app.store.raw_point(id, &point_id).await?.into_iter().map(as_shown).collect();
        let siblings = detail.points.clone();
        let cookbook = match versions.first() {
            Some(point) => app.cookbook_of_point(run, point).await?,
            None => CookbookShown::default(),
        };
        let evidence = detail.evidence.clone();
        Ok::<_, StoreError>(Some(PointPage { run: detail.run.clone(), versions, siblings, raw, baseline: base, evidence, cookbook }))
    };
    match page.await {
        Ok(Some(page)) => html(&app, StatusCode::OK, Page::Point(Box::new(page))),
        Ok(None) => problem::unknown_point(&app, id, &point),
        Err(error) => problem::broken(&app, &error),
    }
}

fn as_shown(stored: paretoscope_store::RawVersion) -> RawVersion {
    let paretoscope_store::RawVersion { attempt, artifact, file, row, raw, .. } = stored;
    RawVersion { artifact, file, row, attempt, json: raw }
}
