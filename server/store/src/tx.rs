//! A transaction that writes, counts what it changes, and numbers the change.

use paretoscope_domain::RunId;
use sqlx::any::AnyArguments;
use sqlx::query::Query;
use sqlx::{Any, AnyConnection, Transaction};
use tokio::sync::OwnedMutexGuard;

use crate::Store;
use crate::dialect::Turn;
use crate::error::StoreError;

/// A transaction that writes. Dropped without [`Self::commit`], it leaves no trace.
pub(crate) struct Tx {
    inner: Transaction<'static, Any>,
    /// Rows changed so far.
    pub(crate) changed: u64,
    /// Our turn among this process's writers; let go after the transaction.
    _turn: Option<OwnedMutexGuard<()>>,
}

impl Store {
    /// Begins a transaction that writes to a run.
    pub(crate) async fn begin(&self, run: RunId) -> Result<Tx, StoreError> {
        self.begin_turn(Turn::Runs(&[run])).await
    }

    /// Begins a transaction that writes.
    pub(crate) async fn begin_turn(&self, turn: Turn<'_>) -> Result<Tx, StoreError> {
        let (inner, turn) = self.dialect.begin(&self.pool, turn).await?;
        Ok(Tx { inner, changed: 0, _turn: turn })
    }
}

impl Tx {
    /// The connection, for reading.
    pub(crate) fn connection(&mut self) -> &mut AnyConnection {
        &mut self.inner
    }

    /// Writes, and counts the rows.
    pub(crate) async fn write(&mut self, query: Query<'_, Any, AnyArguments>) -> Result<(), StoreError> {
        self.changed += self.uncounted(query).await?;
        Ok(())
    }

    /// Writes what is no change of the data: when it was last looked at.
    pub(crate) async fn uncounted(&mut self, query: Query<'_, Any, AnyArguments>) -> Result<u64, StoreError> {
        Ok(query.execute(&mut *self.inner).await?.rows_affected())
    }

    /// Numbers the change of these runs, or of none, and makes it last. The number is taken last, so that writers of different runs wait for each other
    /// only here.
    pub(crate) async fn commit(mut self, runs: impl IntoIterator<Item = RunId>) -> Result<i64, StoreError> {
        self.uncounted(sqlx::query("UPDATE meta SET value = value + 1 WHERE name = 'data_version'")).await?;
        let version: i64 = sqlx::query_scalar("SELECT value FROM meta WHERE name = 'data_version'").fetch_one(self.connection()).await?;
        for run in runs {
            self.uncounted(sqlx::query("UPDATE runs SET changed_in = $2 WHERE run_id = $1").bind(run.get()).bind(version)).await?;
        }
        self.inner.commit().await?;
        Ok(version)
    }
}
