//! Hearing of changes that others made: other processes on one SQLite file, other servers on one PostgreSQL.

use std::time::Duration;

use sqlx::postgres::PgListener;

use crate::Store;
use crate::dialect::ChangeProbe;
use crate::error::StoreError;

/// How often an SQLite file is looked at.
const LOOK: Duration = Duration::from_millis(250);

/// Data versions as they come.
pub struct Changes {
    store: Store,
    last: i64,
    probe: ChangeProbe,
    listener: Option<PgListener>,
}

impl Store {
    /// Hears of every later change, whoever makes it: through LISTEN on PostgreSQL, by looking at the file every 250 ms on SQLite.
    ///
    /// # Errors
    /// When the database can't be reached.
    pub async fn listen(&self) -> Result<Changes, StoreError> {
        // Listen first, then read: a change between the two is heard.
        let listener = self.dialect.listener().await?;
        let mut probe = self.change_probe();
        probe.may_have_changed();
        Ok(Changes { last: self.data_version().await?, store: self.clone(), probe, listener })
    }
}

impl Changes {
    /// Waits for a data version above the last one seen. May be dropped and called again at any time.
    ///
    /// # Errors
    /// When the database can't be reached; call again after a while.
    pub async fn next(&mut self) -> Result<i64, StoreError> {
        loop {
            // Also right after a (re)connection, for what was missed meanwhile.
            let looked = self.listener.is_some() || self.probe.may_have_changed();
            if looked {
                let version = self.store.data_version().await?;
                if version != self.last {
                    self.last = version;
                    return Ok(version);
                }
            }
            match &mut self.listener {
                // `None` is a connection that was lost and is there again.
                Some(listener) => drop(listener.try_recv().await?),
                None => tokio::time::sleep(LOOK).await,
            }
        }
    }
}
