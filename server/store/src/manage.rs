//! What people decide about a run: its kind, whether it is hidden. Who, when and why are kept.

use jiff::Timestamp;
use paretoscope_domain::run::{AuditEntry, Purge, RunFacts};
use paretoscope_domain::{Kind, RunId};

use crate::error::StoreError;
use crate::read::StoredRun;
use crate::tx::Tx;
use crate::{Store, apply, codec, read};

impl Store {
    /// Moves a run along unofficial → staged → official, or back. Returns the kind it had; `None` where the run is not known.
    ///
    /// Staging a staged run again refreshes it: who, when and why are kept, and whoever shows it reads it anew. Other staged runs
    /// stay as they are. Any other kind that it has already changes nothing.
    ///
    /// # Errors
    /// When the database can't be written.
    pub async fn set_kind(&self, id: RunId, kind: Kind, reason: &str, actor: &str, now: Timestamp) -> Result<Option<Kind>, StoreError> {
        let mut tx = self.begin(id).await?;
        let Some(StoredRun { facts, .. }) = read::stored_run(tx.connection(), id).await? else { return Ok(None) };
        let before = facts.kind;
        if kind == before && kind == Kind::Staged {
            write_audit(&mut tx, id, entry("set-kind", STAGED_AGAIN.to_owned(), reason, actor, now)).await?;
            tx.commit([id]).await?;
        } else if kind != before {
            let facts = RunFacts { kind, ..facts };
            let update = sqlx::query("UPDATE runs SET facts = $2 WHERE run_id = $1").bind(id.get()).bind(apply::bare_facts(&facts)?);
            tx.write(update).await?;
            write_audit(&mut tx, id, entry("set-kind", format!("{before} → {kind}"), reason, actor, now)).await?;
            self.summarise(&mut tx, id).await?;
            tx.commit([id]).await?;
        }
        Ok(Some(before))
    }

    /// Hides a run from every curve. Returns whether that changed anything; `None` where the run is not known.
    ///
    /// # Errors
    /// When the database can't be written.
    pub async fn purge(&self, id: RunId, reason: &str, actor: &str, now: Timestamp) -> Result<Option<bool>, StoreError> {
        let purge = Purge { reason: reason.to_owned(), actor: actor.to_owned(), at: now };
        self.hide(id, Some(purge), entry("purge", "shown → hidden".to_owned(), reason, actor, now)).await
    }

    /// Shows a purged run again. Returns whether that changed anything; `None` where the run is not known.
    ///
    /// # Errors
    /// When the database can't be written.
    pub async fn restore(&self, id: RunId, reason: &str, actor: &str, now: Timestamp) -> Result<Option<bool>, StoreError> {
        self.hide(id, None, entry("restore", "hidden → shown".to_owned(), reason, actor, now)).await
    }

    async fn hide(&self, id: RunId, purge: Option<Purge>, entry: AuditEntry) -> Result<Option<bool>, StoreError> {
        let mut tx = self.begin(id).await?;
        let Some(StoredRun { purged, .. }) = read::stored_run(tx.connection(), id).await? else { return Ok(None) };
        if purged.is_some() == purge.is_some() {
            return Ok(Some(false));
        }
        let text = purge.as_ref().map(codec::to_json).transpose()?;
        tx.write(sqlx::query("UPDATE runs SET purged = $2 WHERE run_id = $1").bind(id.get()).bind(text)).await?;
        write_audit(&mut tx, id, entry).await?;
        self.summarise(&mut tx, id).await?;
        tx.commit([id]).await?;
        Ok(Some(true))
    }
}

/// What the audit says of a staged run that is staged again.
pub(crate) const STAGED_AGAIN: &str = "staged again";

fn entry(action: &str, detail: String, reason: &str, actor: &str, at: Timestamp) -> AuditEntry {
    AuditEntry { action: action.to_owned(), detail, reason: reason.to_owned(), actor: actor.to_owned(), at }
}

pub(crate) async fn write_audit(tx: &mut Tx, id: RunId, entry: AuditEntry) -> Result<(), StoreError> {
    let AuditEntry { action, detail, reason, actor, at } = entry;
    let insert = sqlx::query(
        "INSERT INTO audit (run_id, seq, at, action, detail, reason, actor)
         SELECT $1, COALESCE(MAX(seq), -1) + 1, $2, $3, $4, $5, $6 FROM audit WHERE run_id = $1",
    )
    .bind(id.get())
    .bind(codec::micros(at))
    .bind(action)
    .bind(detail)
    .bind(reason)
    .bind(actor);
    tx.write(insert).await
}
