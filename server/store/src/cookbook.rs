//! States of the cookbook's files, and what could not be read of them.

use std::collections::BTreeMap;

use jiff::Timestamp;
use paretoscope_domain::cookbook::{CookbookFile, CookbookVersion};
use paretoscope_domain::repo::Refused;
use paretoscope_domain::synced::Stored;
use sqlx::{AnyConnection, FromRow};

use crate::dialect::Turn;
use crate::error::StoreError;
use crate::tx::Tx;
use crate::{Store, codec};

impl Store {
    /// Keeps states of cookbook files, and what the same reading could not use. Says of each state what became of it, in order.
    ///
    /// A file whose reading failed keeps its last good state; what was wrong is remembered until that file reads well. A file that is
    /// in neither list was not read, and keeps both. The same again writes nothing.
    ///
    /// # Errors
    /// When the database can't be written.
    pub async fn put_cookbook(
        &self,
        versions: Vec<CookbookVersion>,
        refused: Vec<Refused>,
        now: Timestamp,
    ) -> Result<Vec<Stored>, StoreError> {
        let mut tx = self.begin_turn(Turn::Synced).await?;
        let mut read: BTreeMap<String, Vec<Refused>> = versions.iter().map(|v| (v.file.path.clone(), Vec::new())).collect();
        for refusal in refused {
            read.entry(refusal.file.clone()).or_default().push(refusal);
        }
        let mut outcomes = Vec::with_capacity(versions.len());
        for version in versions {
            outcomes.push(write_version(&mut tx, version).await?);
        }
        write_refused(&mut tx, read, now).await?;
        if tx.changed > 0 {
            tx.commit([]).await?;
        }
        Ok(outcomes)
    }

    /// States of all cookbook files, oldest first by [`CookbookVersion::at`].
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn cookbook(&self) -> Result<Vec<CookbookVersion>, StoreError> {
        let rows: Vec<StateRow> =
            sqlx::query_as("SELECT path, seq, digest, commit_sha, committed_at, synced_at, file FROM cookbook_states")
                .fetch_all(&self.pool)
                .await?;
        let mut states =
            rows.into_iter().map(|row| Ok((row.seq, row.version()?))).collect::<Result<Vec<(i64, CookbookVersion)>, StoreError>>()?;
        // Here, not in SQL: PostgreSQL sorts text by its locale.
        states.sort_by(|(a_seq, a), (b_seq, b)| {
            (a.at(), a.synced_at, &a.file.repo, &a.file.path, a_seq).cmp(&(b.at(), b.synced_at, &b.file.repo, &b.file.path, b_seq))
        });
        Ok(states.into_iter().map(|(_, state)| state).collect())
    }

    /// What the latest readings of cookbook files could not use, by file.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn cookbook_refused(&self) -> Result<Vec<Refused>, StoreError> {
        let mut refused = refusals(&mut *self.pool.acquire().await?).await?;
        refused.sort_by(|(a_seq, a), (b_seq, b)| (&a.file, a_seq).cmp(&(&b.file, b_seq)));
        Ok(refused.into_iter().map(|(_, refused)| refused).collect())
    }
}

#[derive(FromRow)]
struct StateRow {
    path: String,
    seq: i64,
    digest: String,
    commit_sha: Option<String>,
    committed_at: Option<i64>,
    synced_at: i64,
    file: Vec<u8>,
}

impl StateRow {
    fn version(self) -> Result<CookbookVersion, StoreError> {
        let Self { path, seq: _, digest, commit_sha, committed_at, synced_at, file } = self;
        let file: CookbookFile = codec::unpack_json(path.as_str(), "a state of the cookbook", &file)?;
        Ok(CookbookVersion {
            file: CookbookFile { commit: commit_sha, ..file },
            digest,
            committed_at: committed_at.and_then(codec::time),
            synced_at: codec::time(synced_at).unwrap_or_default(),
        })
    }
}

/// One state meets those of its file.
///
/// The same bytes are the same state, unless a later commit brought them back after others. What a repeated reading tells beside
/// the bytes (the commit, its time, the pull request that brought it) fills what was not known; an earlier time of the same bytes
/// is when they came.
async fn write_version(tx: &mut Tx, told: CookbookVersion) -> Result<Stored, StoreError> {
    let (repo, path) = (codec::repo_key(&told.file.repo), told.file.path.clone());
    let rows: Vec<StateRow> = sqlx::query_as(
        "SELECT path, seq, digest, commit_sha, committed_at, synced_at, file FROM cookbook_states WHERE repo = $1 AND path = $2",
    )
    .bind(repo.clone())
    .bind(path)
    .fetch_all(tx.connection())
    .await?;
    let next = rows.iter().map(|row| row.seq + 1).max().unwrap_or(0);
    let mut known = rows.into_iter().map(|row| Ok((row.seq, row.version()?))).collect::<Result<Vec<_>, StoreError>>()?;
    known.sort_by_key(|(seq, state)| (state.at(), *seq));
    let Some((seq, before)) = same_state(&known, &told) else {
        write(tx, &repo, next, &told).await?;
        return Ok(Stored::New);
    };
    let earliest = match (before.committed_at, told.committed_at) {
        (Some(ours), Some(theirs)) => Some(ours.min(theirs)),
        (ours, theirs) => ours.or(theirs),
    };
    // The commit goes with the time.
    let commit =
        if earliest == before.committed_at { before.file.commit.clone().or(told.file.commit.clone()) } else { told.file.commit.clone() };
    let merged = CookbookVersion {
        file: CookbookFile {
            commit,
            cookbook_pr: before.file.cookbook_pr.or(told.file.cookbook_pr),
            page: told.file.page.clone().or(before.file.page.clone()),
            ..told.file
        },
        digest: told.digest,
        committed_at: earliest,
        synced_at: before.synced_at,
    };
    if merged == *before {
        return Ok(Stored::Same);
    }
    write(tx, &repo, *seq, &merged).await?;
    Ok(Stored::Changed)
}

/// The stored state that this one is, among those of its file, oldest first.
fn same_state<'a>(known: &'a [(i64, CookbookVersion)], told: &CookbookVersion) -> Option<&'a (i64, CookbookVersion)> {
    let same_bytes = |(_, state): &&(i64, CookbookVersion)| state.digest == told.digest;
    let Some(at) = told.committed_at else {
        // Without a time nothing tells that the bytes came back: the newest of them.
        return known.iter().rev().find(same_bytes);
    };
    if let Some(same) = known.iter().filter(same_bytes).find(|(_, s)| s.committed_at == Some(at) || s.committed_at.is_none()) {
        return Some(same);
    }
    // The state before it in time, and the one after it.
    let after = known.iter().position(|(_, state)| state.at() > at).unwrap_or(known.len());
    let neighbours = [after.checked_sub(1), Some(after)];
    neighbours.into_iter().flatten().filter_map(|i| known.get(i)).find(same_bytes)
}

async fn write(tx: &mut Tx, repo: &str, seq: i64, version: &CookbookVersion) -> Result<(), StoreError> {
    let CookbookVersion { file, digest, committed_at, synced_at } = version;
    let upsert = sqlx::query(
        "INSERT INTO cookbook_states (repo, path, seq, digest, commit_sha, committed_at, synced_at, file)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
         ON CONFLICT (repo, path, seq) DO UPDATE SET digest = excluded.digest, commit_sha = excluded.commit_sha,
             committed_at = excluded.committed_at, synced_at = excluded.synced_at, file = excluded.file",
    )
    .bind(repo.to_owned())
    .bind(file.path.clone())
    .bind(seq)
    .bind(digest.clone())
    .bind(file.commit.clone())
    .bind(committed_at.map(codec::micros))
    .bind(codec::micros(*synced_at))
    .bind(codec::pack(&codec::to_json(file)?)?);
    tx.write(upsert).await
}

async fn refusals(connection: &mut AnyConnection) -> Result<Vec<(i64, Refused)>, StoreError> {
    let rows: Vec<(String, i64, String)> = sqlx::query_as("SELECT path, seq, refused FROM cookbook_refused").fetch_all(connection).await?;
    rows.into_iter().map(|(path, seq, text)| Ok((seq, codec::from_json(path.as_str(), "what was refused of it", &text)?))).collect()
}

/// What is wrong with the files that were read, in place of what was wrong with them before.
async fn write_refused(tx: &mut Tx, read: BTreeMap<String, Vec<Refused>>, now: Timestamp) -> Result<(), StoreError> {
    let mut before: BTreeMap<String, BTreeMap<i64, Refused>> = BTreeMap::new();
    for (seq, refused) in refusals(tx.connection()).await? {
        before.entry(refused.file.clone()).or_default().insert(seq, refused);
    }
    for (path, refused) in read {
        let stored: Vec<Refused> = before.remove(&path).unwrap_or_default().into_values().collect();
        if stored == refused {
            continue;
        }
        tx.write(sqlx::query("DELETE FROM cookbook_refused WHERE path = $1").bind(path.clone())).await?;
        for (seq, refusal) in (0..).zip(&refused) {
            let insert = sqlx::query("INSERT INTO cookbook_refused (path, seq, at, refused) VALUES ($1, $2, $3, $4)")
                .bind(path.clone())
                .bind(seq)
                .bind(codec::micros(now))
                .bind(codec::to_json(refusal)?);
            tx.write(insert).await?;
        }
    }
    Ok(())
}
