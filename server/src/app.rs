//! What the handlers share: store, snapshot, caches, words.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use arc_swap::ArcSwap;
use http::HeaderValue;
use paretoscope_app::Site;
use paretoscope_domain::RunId;
use paretoscope_domain::run::{Run, RunDetail};
use paretoscope_store::{ChangeProbe, Store, StoreError};
use quick_cache::sync::Cache;

use crate::facts::Kept;
use crate::http::cache::ResponseCache;
use crate::http::{Problem, security};
use crate::operations::Metrics;
use crate::review::cookbook::Judged;
use crate::review::pulls::Answers;
use crate::settings::Words;
use crate::snapshot::Snapshot;

/// Runs whose whole detail is kept.
const KEPT_DETAILS: usize = 64;

/// The application.
pub struct App {
    /// Store.
    pub store: Store,
    /// Vocabulary and thresholds.
    pub words: Words,
    /// The benchmark's repository, `owner/name`.
    pub repo: String,
    /// What every page needs.
    pub site: Site,
    /// Kept answers.
    pub cache: ResponseCache,
    /// Counters.
    pub metrics: Metrics,
    /// Content security policy of pages.
    pub policy: HeaderValue,
    /// What is known beside the runs.
    pub(crate) kept: Kept,
    /// Answers about pull requests.
    pub(crate) answers: Answers,
    /// The cookbook, judged.
    pub(crate) judged: Judged,
    snapshot: ArcSwap<Snapshot>,
    details: Cache<(i64, RunId), Arc<RunDetail>>,
    /// Looked at before each answer where that is cheap (SQLite); elsewhere changes are listened for.
    probe: Option<Mutex<ChangeProbe>>,
    refreshing: tokio::sync::Mutex<()>,
}

impl App {
    /// An application over a migrated store, for the benchmark of one repository; reads the first snapshot.
    ///
    /// # Errors
    /// When the store can't be read.
    pub async fn new(store: Store, words: Words, public_url: &str, repo: &str) -> Result<Arc<Self>, StoreError> {
        let urls = crate::assets::urls();
        let site = Site {
            css: urls.css,
            js: urls.js,
            wasm: urls.wasm,
            plotly: urls.plotly,
            icon: urls.icon,
            public_url: public_url.trim_end_matches('/').to_owned(),
            repo: repo.to_owned(),
            words: Arc::clone(&words.vocabulary),
            version: env!("CARGO_PKG_VERSION"),
        };
        let policy = security::policy(&script_hashes());
        let probe = store.change_probe();
        let app = Arc::new(Self {
            probe: probe.is_cheap().then(|| Mutex::new(probe)),
            snapshot: ArcSwap::from_pointee(read_snapshot(&store).await?),
            store,
            words,
            repo: repo.to_owned(),
            site,
            kept: Kept::default(),
            answers: Answers::default(),
            judged: Judged::default(),
            cache: ResponseCache::default(),
            metrics: Metrics::default(),
            policy: HeaderValue::from_str(&policy).unwrap_or_else(|_| HeaderValue::from_static("default-src 'self'")),
            details: Cache::new(KEPT_DETAILS),
            refreshing: tokio::sync::Mutex::new(()),
        });
        if app.probe.is_none() {
            tokio::spawn(follow(Arc::downgrade(&app), app.store.clone()));
        }
        Ok(app)
    }

    /// The snapshot of now.
    #[must_use]
    pub fn snapshot(&self) -> Arc<Snapshot> {
        self.snapshot.load_full()
    }

    /// Rebuilds the snapshot if the data moved on: cheap where nothing changed. Another process may have ingested.
    pub async fn refresh(&self) {
        let Some(probe) = &self.probe else { return };
        // A panic while the time stamps were compared leaves nothing half done.
        if probe.lock().unwrap_or_else(PoisonError::into_inner).may_have_changed() {
            self.catch_up().await;
        }
    }

    /// Rebuilds the snapshot if the version of the data is another.
    async fn catch_up(&self) {
        let _guard = self.refreshing.lock().await;
        let version = match self.store.data_version().await {
            Ok(version) => version,
            Err(error) => {
                tracing::error!(%error, "the data version can't be read: answering from the last snapshot");
                return;
            }
        };
        if version == self.snapshot.load().version {
            return;
        }
        match read_snapshot(&self.store).await {
            Ok(snapshot) => {
                self.snapshot.store(Arc::new(snapshot));
                self.cache.clear();
                self.details.clear();
                self.kept.clear();
                self.answers.clear();
                self.judged.clear();
                self.metrics.refreshed();
            }
            Err(error) => tracing::error!(%error, "the runs can't be read: answering from the last snapshot"),
        }
    }

    /// A run by number as the API asks for it: 404 where it was never seen, 410 where it is purged.
    ///
    /// # Errors
    /// The problem to answer with.
    pub fn shown_run(&self, id: RunId) -> Result<Arc<Run>, Problem> {
        let snapshot = self.snapshot();
        let run = snapshot.run(id).ok_or_else(|| {
            Problem::not_found(format!(
                "Run {id} was never ingested here. Ingest its artifacts with `paretoscope ingest PATH --run-id {id}`, or check the number."
            ))
        })?;
        match &run.purged {
            Some(purge) => Err(Problem::gone(format!("Run {id} is hidden since {}: {}", purge.at, purge.reason))),
            None => Ok(Arc::clone(run)),
        }
    }

    /// Everything about a run that is in the snapshot, from the cache where it is there.
    ///
    /// # Errors
    /// When the store can't be read.
    pub async fn detail(&self, run: &Arc<Run>) -> Result<Arc<RunDetail>, StoreError> {
        let key = (self.snapshot().version, run.run_id);
        if let Some(detail) = self.details.get(&key) {
            return Ok(detail);
        }
        // Runs are hidden, never deleted, so a run of the snapshot is in the store.
        let mut detail = self.store.detail(run.run_id).await?.unwrap_or_else(|| empty(run));
        // The store reads one run; what it is compared with is known to the snapshot.
        detail.run.baseline_run_id = run.baseline_run_id;
        let detail = Arc::new(detail);
        self.details.insert(key, Arc::clone(&detail));
        Ok(detail)
    }
}

/// Hears of changes that others make (PostgreSQL) and catches up, for as long as the application lives.
async fn follow(app: std::sync::Weak<App>, store: Store) {
    const AGAIN: Duration = Duration::from_secs(2);
    loop {
        let mut changes = match store.listen().await {
            Ok(changes) => changes,
            Err(error) => {
                tracing::warn!(%error, "can't listen for changes: trying again");
                tokio::time::sleep(AGAIN).await;
                if app.strong_count() == 0 {
                    return;
                }
                continue;
            }
        };
        loop {
            // Also once at the start: something may have changed before we listened.
            match app.upgrade() {
                Some(app) => app.catch_up().await,
                None => return,
            }
            if let Err(error) = changes.next().await {
                tracing::warn!(%error, "lost the database: listening anew");
                tokio::time::sleep(AGAIN).await;
                break;
            }
        }
    }
}

/// A run that holds nothing.
fn empty(run: &Run) -> RunDetail {
    RunDetail {
        run: run.clone(),
        points: Vec::new(),
        evals: Vec::new(),
        artifacts: Vec::new(),
        jobs: Vec::new(),
        changelog: Vec::new(),
        run_stats: Vec::new(),
        reuse: None,
        report: None,
        audit: Vec::new(),
        evidence: Vec::new(),
    }
}

async fn read_snapshot(store: &Store) -> Result<Snapshot, StoreError> {
    // The version first: what is written meanwhile is read again.
    let version = store.data_version().await?;
    Ok(Snapshot::new(version, store.runs().await?))
}

/// Base64 SHA-256 of each inline script of a page, for the policy.
fn script_hashes() -> Vec<String> {
    use base64::Engine as _;
    use sha2::{Digest, Sha256};
    let encode = |script: &&str| base64::engine::general_purpose::STANDARD.encode(Sha256::digest(script.as_bytes()));
    paretoscope_app::INLINE_SCRIPTS.iter().map(encode).collect()
}
