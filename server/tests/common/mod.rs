//! A server in this process over a database of its own.
#![expect(dead_code, reason = "each test file uses its own part")]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::body::{Body, to_bytes};
use http::{HeaderMap, Request, StatusCode};
use paretoscope_domain::run::DEFAULT_REPO;
use paretoscope_ingest::Options;
use paretoscope_server::app::App;
use paretoscope_server::router::router;
use paretoscope_server::settings::{Settings, Words};
use paretoscope_store::Store;
use serde_json::Value;
use tower::ServiceExt as _;

/// A site and what belongs to it.
pub(crate) struct Site {
    pub(crate) store: Store,
    pub(crate) words: Words,
    router: axum::Router,
    _folder: tempfile::TempDir,
}

pub(crate) fn words() -> Words {
    Settings { database_url: String::new(), vocabulary: None, repo: String::new(), public_url: String::new() }.words().unwrap()
}

/// Folder of the real data, or `None`, said aloud.
pub(crate) fn real_data(test: &str) -> Option<PathBuf> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data");
    if data.is_dir() {
        return Some(data);
    }
    eprintln!("SKIPPED {test}: ../shared/data is not here");
    None
}

impl Site {
    /// An empty site.
    pub(crate) async fn empty() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let words = words();
        let store_words = paretoscope_store::Words { vocabulary: Arc::clone(&words.vocabulary), thresholds: Arc::clone(&words.thresholds) };
        let store = Store::open(&format!("sqlite://{}", folder.path().join("test.db").display()), store_words).await.unwrap();
        store.migrate().await.unwrap();
        let app = App::new(store.clone(), words.clone(), "https://bench.example.org", DEFAULT_REPO).await.unwrap();
        Self { store, words, router: router(app), _folder: folder }
    }

    /// A site with the bundled sample.
    pub(crate) async fn sample() -> Self {
        let site = Self::empty().await;
        let folder = tempfile::tempdir().unwrap();
        let mut runs = paretoscope_sample::reference_runs();
        runs.extend(paretoscope_sample::synthetic_runs());
        let paths = paretoscope_sample::write_to(folder.path(), &runs).unwrap();
        site.ingest(&paths, &Options::default()).await;
        site
    }

    /// Ingests as the command line does.
    pub(crate) async fn ingest(&self, paths: &[PathBuf], options: &Options) -> Vec<paretoscope_domain::report::IngestReport> {
        let batches = paretoscope_ingest::read(paths, options, &self.words.vocabulary, &mut |_| {}).unwrap();
        let mut reports = Vec::new();
        for batch in batches {
            reports.push(self.store.apply(batch, "2026-11-30T00:00:00Z".parse().unwrap()).await.unwrap());
        }
        reports
    }

    /// One GET.
    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.request(Request::get(path).body(Body::empty()).unwrap()).await
    }

    /// One request.
    pub(crate) async fn request(&self, request: Request<Body>) -> Answer {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let body = to_bytes(body, usize::MAX).await.unwrap().to_vec();
        Answer { status: parts.status, headers: parts.headers, body }
    }

    /// JSON of a GET that must be 200.
    pub(crate) async fn json(&self, path: &str) -> Value {
        let answer = self.get(path).await;
        assert_eq!(answer.status, StatusCode::OK, "{path}: {}", answer.text());
        answer.json()
    }
}

/// An answer, whole.
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    #[expect(clippy::panic, reason = "a test fails by panicking")]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|e| panic!("{e}: {}", self.text()))
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|v| v.to_str().ok()).unwrap_or_default()
    }
}
