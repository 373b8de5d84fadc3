//! The cookbook: what it claims of every configuration, and where that drifts.

use std::sync::Arc;

use ::http::header;
use axum::extract::{RawQuery, State};
use axum::response::{IntoResponse, Response};
use paretoscope_domain::cookbook::CookbookStatus;
use paretoscope_domain::repo::Refused;
use paretoscope_review::drift::{CookbookEntry, CookbookFilter, Drift, DriftFilter, LeftOut};
use serde::Serialize;

use super::json;
use crate::app::App;
use crate::http::{Params, Problem};

/// The cookbook.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct CookbookAnswer {
    /// One for each cell, and one for each configuration that the official data knows and the cookbook doesn't; by key.
    entries: Vec<CookbookEntry>,
    /// Configurations of the official data that can't be in the cookbook.
    left_out: Vec<LeftOut>,
    /// Snippets, or parts of them, that could not be used.
    refused: Vec<Refused>,
    /// Whether any snippet was ever read.
    synced: bool,
}

/// The filter that a request asks for.
fn filter(query: Option<&str>) -> Result<CookbookFilter, Problem> {
    let params = Params::parse(query, &["status", "drift", "q"])?;
    let status = params.text("status").map(|text| {
        CookbookStatus::parse(text).ok_or_else(|| {
            Problem::parameter("status", format!("status={text}: it is not-published, in-progress, verified-pr or verified."))
        })
    });
    Ok(CookbookFilter { status: status.transpose()?, drift: params.read::<DriftFilter>("drift")?, q: params.text("q").map(str::to_owned) })
}

/// What the serving cookbook claims of each configuration, against pins, official runs, images, golden acceptance lengths and
/// matrices. A claim that could not be looked at is in `not_known`, never in `drift`.
#[utoipa::path(
    get, path = "/cookbook", tag = "review",
    params(
        ("status" = Option<String>, Query, description = "not-published, in-progress, verified-pr or verified"),
        ("drift" = Option<String>, Query, description = "any, none, not_known, or a kind: run, commit, image, image_pruned, golden_al, points, status, forbidden_flag"),
        ("q" = Option<String>, Query, description = "Words to find in key, cell, label, model, hardware, framework, run, commit, image and pull request"),
    ),
    responses((status = 200, body = CookbookAnswer), (status = 400, body = Problem, content_type = "application/problem+json"))
)]
pub async fn list(State(app): State<Arc<App>>, RawQuery(query): RawQuery) -> Result<Response, Problem> {
    let filter = filter(query.as_deref())?;
    let (facts, cookbook) = (app.facts().await?, app.cookbook().await?);
    let entries = cookbook.entries.iter().filter(|e| filter.fits(e, &app.words.vocabulary)).cloned().collect();
    let (left_out, refused, synced) = (cookbook.left_out.clone(), facts.cookbook_refused.clone(), !facts.cookbook.is_empty());
    Ok(json(&CookbookAnswer { entries, left_out, refused, synced }))
}

/// The same entries as CSV: a row an entry, drift in words.
#[utoipa::path(
    get, path = "/cookbook.csv", tag = "files",
    params(
        ("status" = Option<String>, Query, description = "As for `/cookbook`"),
        ("drift" = Option<String>, Query, description = "As for `/cookbook`"),
        ("q" = Option<String>, Query, description = "As for `/cookbook`"),
    ),
    responses((status = 200, content_type = "text/csv", body = String), (status = 400, body = Problem, content_type = "application/problem+json"))
)]
pub async fn csv(State(app): State<Arc<App>>, RawQuery(query): RawQuery) -> Result<Response, Problem> {
    let filter = filter(query.as_deref())?;
    let cookbook = app.cookbook().await?;
    let entries: Vec<&CookbookEntry> = cookbook.entries.iter().filter(|e| filter.fits(e, &app.words.vocabulary)).collect();
    let body = cookbook_csv(&entries).map_err(|e| Problem::internal(&e))?;
    let head = [(header::CONTENT_TYPE, "text/csv; charset=utf-8"), (header::CONTENT_DISPOSITION, "inline; filename=\"cookbook.csv\"")];
    Ok((head, body).into_response())
}

const COLUMNS: [&str; 29] = [
    "config_key",
    "cell_id",
    "label",
    "model",
    "hardware",
    "framework",
    "status",
    "sha",
    "run_id",
    "attempt",
    "pr",
    "image",
    "image_digest",
    "image_status",
    "golden_al",
    "concs",
    "date",
    "pinned_run_id",
    "official_run_id",
    "drift",
    "drift_kinds",
    "not_known",
    "notes",
    "as_of",
    "repo",
    "path",
    "commit",
    "cookbook_pr",
    "page",
];

fn cookbook_csv(entries: &[&CookbookEntry]) -> Result<Vec<u8>, csv::Error> {
    fn text<T: ToString>(value: Option<&T>) -> String {
        value.map(ToString::to_string).unwrap_or_default()
    }
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(COLUMNS)?;
    for e in entries {
        let kind = |d: &Drift| d.kind.as_str();
        let mut kinds: Vec<&str> = e.drift.iter().map(kind).collect();
        kinds.dedup();
        let CookbookEntry { config_key, cell_id, model, hardware, framework, label, status, sha, run_id, attempt, pr, .. } = e;
        let row: [String; COLUMNS.len()] = [
            config_key.clone(),
            text(cell_id.as_ref()),
            text(label.as_ref()),
            text(model.as_ref()),
            text(hardware.as_ref()),
            text(framework.as_ref()),
            status.as_str().to_owned(),
            text(sha.as_ref()),
            text(run_id.as_ref()),
            text(attempt.as_ref()),
            text(pr.as_ref()),
            text(e.image.as_ref()),
            text(e.image_digest.as_ref()),
            text(e.image_status.as_ref()),
            text(e.golden_al.as_ref()),
            e.concs.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
            text(e.date.as_ref()),
            text(e.pinned_run_id.as_ref()),
            text(e.official_run_id.as_ref()),
            e.drift.iter().map(|d| d.sentence.as_str()).collect::<Vec<_>>().join("; "),
            kinds.join(" "),
            e.not_known.iter().map(|n| format!("{}: {}", n.kind.title(), n.why)).collect::<Vec<_>>().join("; "),
            e.notes.join(" "),
            text(e.as_of.as_ref()),
            text(e.repo.as_ref()),
            text(e.path.as_ref()),
            text(e.commit.as_ref()),
            text(e.cookbook_pr.as_ref()),
            text(e.page.as_ref()),
        ];
        writer.write_record(row)?;
    }
    writer.into_inner().map_err(|e| e.into_error().into())
}
