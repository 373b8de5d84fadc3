//! What is kept: SQLite or PostgreSQL through sqlx, one set of SQL for both.
//!
//! [`Store::apply`] takes what ingest read of a run and stores it in one transaction; the `paretoscope_domain::merge` rules decide
//! what becomes of each row. `repo.rs`, `pulls.rs` and `cookbook.rs` keep what is synced beside the runs, `evidence.rs` the facts about
//! how runs were executed. Everything else reads. Whatever changes what is shown grows [`Store::data_version`] in the same
//! transaction, so that caches can key on it.
//!
//! Where the two databases differ is in `dialect.rs` alone; one test-suite runs against both (`tests/suite.rs`).

mod apply;
mod baselines;
mod changes;
mod codec;
mod cookbook;
mod dialect;
mod error;
mod evidence;
mod health;
mod manage;
mod pulls;
mod read;
mod repo;
mod rows;
mod summary;
mod tx;

use std::fmt;
use std::sync::Arc;

use paretoscope_domain::RunId;
use paretoscope_domain::threshold::Thresholds;
use paretoscope_domain::vocabulary::Vocabulary;
use sqlx::AnyPool;

pub use changes::Changes;
pub use dialect::ChangeProbe;
pub use error::StoreError;
pub use health::{Finding, Severity, Totals};
pub use paretoscope_domain::synced::{PullRow, RepoState, Stored};
pub use read::RawVersion;
pub use repo::main_state;

use dialect::{Dialect, Turn};

/// The words that summaries are computed with.
#[derive(Clone, Debug)]
pub struct Words {
    /// Lowest passing scores.
    pub thresholds: Arc<Thresholds>,
    /// Names and their spellings.
    pub vocabulary: Arc<Vocabulary>,
}

/// A database. Cloning it is cheap; all clones share its connections.
#[derive(Clone)]
pub struct Store {
    pool: AnyPool,
    dialect: Dialect,
    words: Words,
    /// With the password: shown only through [`Store::address`].
    url: Arc<str>,
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store").field("address", &self.address()).finish_non_exhaustive()
    }
}

impl Store {
    /// Connects to `sqlite://FILE` (created if it is not there), `postgres://…` or `postgresql://…`. The tables are not touched:
    /// see [`Self::migrate`].
    ///
    /// # Errors
    /// When the URL is no such thing, or the database can't be reached; the message says what to do and shows no password.
    pub async fn open(url: &str, words: Words) -> Result<Self, StoreError> {
        let (dialect, pool) = dialect::open(url).await?;
        Ok(Self { pool, dialect, words, url: url.into() })
    }

    /// Brings the tables up to date, and the stored summaries where a newer version computes them otherwise.
    ///
    /// # Errors
    /// When a step fails; on both databases a failed step leaves nothing behind.
    pub async fn migrate(&self) -> Result<(), StoreError> {
        self.dialect.steps().run(&self.pool).await.map_err(StoreError::Migrate)?;
        let revision: i64 = sqlx::query_scalar("SELECT value FROM meta WHERE name = 'summary_revision'").fetch_one(&self.pool).await?;
        if revision < summary::REVISION {
            self.summarise_all().await?;
        }
        Ok(())
    }

    /// Computes all stored summaries again: after a change of thresholds or of the rules. Returns how many rows changed.
    ///
    /// # Errors
    /// When the database can't be written.
    pub async fn summarise_all(&self) -> Result<u64, StoreError> {
        let ids: Vec<i64> = sqlx::query_scalar("SELECT run_id FROM runs ORDER BY run_id").fetch_all(&self.pool).await?;
        let mut changed = 0;
        for id in ids.into_iter().filter_map(RunId::new) {
            let mut tx = self.begin(id).await?;
            self.summarise(&mut tx, id).await?;
            if tx.changed > 0 {
                changed += tx.changed;
                tx.commit([id]).await?;
            }
        }
        let mut tx = self.begin_turn(Turn::Store).await?;
        let revision = sqlx::query("UPDATE meta SET value = $1 WHERE name = 'summary_revision'").bind(summary::REVISION);
        tx.write(revision).await?;
        tx.commit([]).await?;
        Ok(changed)
    }

    /// The number of the newest change; grows with everything that changes what is shown.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn data_version(&self) -> Result<i64, StoreError> {
        Ok(sqlx::query_scalar("SELECT value FROM meta WHERE name = 'data_version'").fetch_one(&self.pool).await?)
    }

    /// Tells cheaply whether anything may have changed.
    #[must_use]
    pub fn change_probe(&self) -> ChangeProbe {
        self.dialect.probe()
    }

    /// Closes all connections, once those in use are given back.
    pub async fn close(&self) {
        self.pool.close().await;
    }
}
