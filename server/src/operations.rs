//! Whether it lives, whether it is ready, and its counters.

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::{StatusCode, header};

use crate::app::App;

/// Counters of the process.
#[derive(Debug, Default)]
pub struct Metrics {
    hits: AtomicU64,
    misses: AtomicU64,
    refreshes: AtomicU64,
}

impl Metrics {
    /// An answer came from the cache.
    pub fn hit(&self) {
        self.hits.fetch_add(1, Ordering::Relaxed);
    }

    /// An answer was made.
    pub fn miss(&self) {
        self.misses.fetch_add(1, Ordering::Relaxed);
    }

    /// The snapshot was rebuilt.
    pub fn refreshed(&self) {
        self.refreshes.fetch_add(1, Ordering::Relaxed);
    }
}

/// `GET /healthz`: the process answers.
pub async fn healthz() -> &'static str {
    "ok\n"
}

/// `GET /readyz`: the database answers too; 503 where it doesn't.
pub async fn readyz(State(app): State<Arc<App>>) -> Response {
    match app.store.data_version().await {
        Ok(_) => "ready\n".into_response(),
        Err(error) => {
            tracing::warn!(%error, "not ready");
            (StatusCode::SERVICE_UNAVAILABLE, "not ready: the database doesn't answer\n").into_response()
        }
    }
}

/// `GET /metrics`: counters in the Prometheus text format.
pub async fn metrics(State(app): State<Arc<App>>) -> Response {
    app.refresh().await;
    let snapshot = app.snapshot();
    let mut text = String::new();
    let mut line = |name: &str, kind: &str, help: &str, value: u64| {
        // Writing to a String can't fail.
        let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}\n{name} {value}");
    };
    let m = &app.metrics;
    line("paretoscope_response_cache_hits_total", "counter", "Answers from the cache", m.hits.load(Ordering::Relaxed));
    line("paretoscope_response_cache_misses_total", "counter", "Answers that were made", m.misses.load(Ordering::Relaxed));
    line("paretoscope_snapshot_refreshes_total", "counter", "Rebuilds of the snapshot", m.refreshes.load(Ordering::Relaxed));
    line("paretoscope_runs", "gauge", "Runs stored", u64::try_from(snapshot.runs.len()).unwrap_or(u64::MAX));
    line("paretoscope_data_version", "gauge", "Version of the data", u64::try_from(snapshot.version).unwrap_or(0));
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response()
}
