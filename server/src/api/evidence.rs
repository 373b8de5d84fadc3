//! The evidence of a run, ready to paste.

use std::sync::Arc;

use ::http::header;
use axum::extract::{Path, RawQuery, State};
use axum::response::{IntoResponse, Response};
use paretoscope_app::view_state::RunView;
use paretoscope_review::evidence::Language;

use super::run_id;
use crate::app::App;
use crate::http::cache::until_tomorrow;
use crate::http::{Params, Problem};

/// The additional-detail section of a sign-off as Markdown, shorter than 60,000 characters. Its first line says what the run is
/// not; what can't be known is listed at its end.
#[utoipa::path(
    get, path = "/runs/{id}/evidence", tag = "review",
    params(
        ("id" = i64, Path, description = "Run id"),
        ("baseline" = Option<String>, Query, description = "Run id, or `none`; the run's own baseline unless given"),
        ("lang" = Option<String>, Query, description = "en (default) or zh"),
    ),
    responses(
        (status = 200, content_type = "text/markdown", body = String),
        (status = 400, body = Problem, content_type = "application/problem+json"),
        (status = 404, body = Problem, content_type = "application/problem+json", description = "Never seen"),
        (status = 410, body = Problem, content_type = "application/problem+json", description = "Purged"),
    )
)]
pub async fn show(State(app): State<Arc<App>>, Path(id): Path<String>, RawQuery(query): RawQuery) -> Result<Response, Problem> {
    let params = Params::parse(query.as_deref(), &["baseline", "lang"])?;
    let language = params.read::<Language>("lang")?.unwrap_or_default();
    let run = app.shown_run(run_id(&id)?)?;
    let (view, mut problems) = RunView::parse(query.as_deref().unwrap_or_default());
    let text = app.evidence(&run, view.baseline, language, &mut problems).await?;
    if let Some(problem) = problems.into_iter().next() {
        return Err(Problem::parameter("baseline", problem));
    }
    let name = format!("inline; filename=\"run-{id}-evidence.{}.md\"", language.as_str());
    let head = [
        (header::CONTENT_TYPE, "text/markdown; charset=utf-8".to_owned()),
        (header::CONTENT_DISPOSITION, name),
        (header::CONTENT_LANGUAGE, language.as_str().to_owned()),
    ];
    // When CI deletes its artifacts is told against the day.
    Ok(until_tomorrow((head, text).into_response()))
}
