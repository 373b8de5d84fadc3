//! Two runs, or a run and the official curve, against each other.

use std::sync::Arc;

use axum::extract::{RawQuery, State};
use axum::response::Response;
use jiff::civil::Date;
use paretoscope_app::view_state::CompareBase;
use paretoscope_domain::RunId;
use paretoscope_domain::ids::BadRunId;
use paretoscope_domain::metric::Metric;
use paretoscope_review::compare::{Comparison, NotCompared, Options};

use super::json;
use crate::app::App;
use crate::http::{Params, Problem};
use crate::review::compare::{Asked, NoComparison, Which};

/// Compares two runs, or a run and the official curve.
///
/// Points are matched by model, hardware, framework, precision, scenario, topology, offload and concurrency (and the spec method for
/// fixed sequences), never by order, name, image or fingerprint. A change is relevant by fixed thresholds per metric and significant
/// against the spread of the configuration's own earlier runs; its class says both. What one side doesn't state is null, with the
/// reason.
#[utoipa::path(
    get, path = "/compare", tag = "review",
    params(
        ("base" = Option<String>, Query, description = "What is compared with: a run id, or `official` for the official curve; the run's own baseline unless given"),
        ("head" = i64, Query, description = "The run that is compared"),
        ("x" = Option<String>, Query, description = "Metric across: each scenario's own unless given"),
        ("y" = Option<String>, Query, description = "Metric up: tput_per_gpu unless given"),
        ("as_of" = Option<String>, Query, description = "With `base=official`: the last day it may come from, YYYY-MM-DD"),
    ),
    responses(
        (status = 200, body = Comparison),
        (status = 400, body = Problem, content_type = "application/problem+json"),
        (status = 404, body = Problem, content_type = "application/problem+json", description = "A run was never seen"),
        (status = 410, body = Problem, content_type = "application/problem+json", description = "A run is purged"),
    )
)]
pub async fn show(State(app): State<Arc<App>>, RawQuery(query): RawQuery) -> Result<Response, Problem> {
    let params = Params::parse(query.as_deref(), &["base", "head", "x", "y", "as_of"])?;
    let asked = asked(&params)?;
    let compared = app.compare(&asked).await.map_err(problem)?;
    Ok(json(&compared.comparison))
}

/// Reads what is asked for.
fn asked(params: &Params) -> Result<Asked, Problem> {
    let id = |name: &str, text: &str| -> Result<RunId, Problem> {
        text.parse().map_err(|e: BadRunId| Problem::parameter(name, format!("{e}.")))
    };
    let head = params.text("head").ok_or_else(|| Problem::parameter("head", "head is needed: the id of the run that is compared."))?;
    let head = id("head", head)?;
    let base = match params.text("base") {
        None => CompareBase::Auto,
        Some("official") => CompareBase::Official,
        Some(text) => CompareBase::Run(
            id("base", text).map_err(|p| Problem::parameter("base", format!("{} `official` is the official curve.", p.detail)))?,
        ),
    };
    let as_of = params.read::<Date>("as_of")?;
    if as_of.is_some() && base != CompareBase::Official {
        return Err(Problem::parameter("as_of", "as_of goes with base=official: it says from which day the official curve is taken."));
    }
    let axis = |name: &str| -> Result<Option<Metric>, Problem> {
        let Some(text) = params.text(name) else { return Ok(None) };
        Metric::parse(text).map(Some).map_err(|e| Problem::parameter(name, format!("{e}.")))
    };
    Ok(Asked { base, head, as_of, options: Options { x: axis("x")?, y: axis("y")? } })
}

fn problem(error: NoComparison) -> Problem {
    match error {
        NoComparison::Unknown { id, which } => Problem::not_found(format!(
            "{}={id}: run {id} was never ingested here. Ingest its artifacts with `paretoscope ingest PATH --run-id {id}`, or check the number.",
            which.parameter()
        )),
        NoComparison::Purged { .. } => Problem::gone(format!("{error}.")),
        NoComparison::NoBaseline { .. } => Problem::parameter("base", format!("{error}.")),
        NoComparison::NotCompared(NotCompared::NoDirection(ref axis)) => {
            Problem::parameter(if axis.is_x { "x" } else { "y" }, format!("{error}."))
        }
        NoComparison::NotCompared(NotCompared::Mixed { .. }) => Problem::parameter(Which::Base.parameter(), format!("{error}.")),
        NoComparison::Store(error) => error.into(),
    }
}
