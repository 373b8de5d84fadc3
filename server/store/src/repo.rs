//! States of the benchmark repository: one for each commit that was synced.

use std::cmp::Reverse;

use jiff::Timestamp;
use paretoscope_domain::pull::same_commit;
use paretoscope_domain::repo::RepoFacts;
use paretoscope_domain::synced::{RepoState, Stored};
use sqlx::{AnyConnection, FromRow};

use crate::dialect::Turn;
use crate::error::StoreError;
use crate::{Store, codec};

impl Store {
    /// Keeps a state of the repository. Its key is its commit or, where none is known, a digest of what was read: the same state
    /// again writes nothing.
    ///
    /// # Errors
    /// When the database can't be written.
    pub async fn put_repo(&self, facts: RepoFacts, now: Timestamp) -> Result<Stored, StoreError> {
        let repo = codec::repo_key(&facts.repo);
        // A retelling takes nothing away from what was read of the commit itself.
        if let (Some(_), Some(commit)) = (&facts.retold, &facts.commit)
            && self.repo_facts(&repo, commit).await?.is_some_and(|known| known.retold.is_none())
        {
            return Ok(Stored::Same);
        }
        let mut tx = self.begin_turn(Turn::Synced).await?;
        let known = match facts.commit.as_deref() {
            Some(commit) => find(tx.connection(), &repo, commit).await?,
            None => None,
        };
        // What was known of the commit stays where this reading doesn't tell it.
        let known_commit = known.as_ref().map(|k| k.key.clone());
        let commit = match (facts.commit.clone(), known_commit) {
            (Some(told), Some(known)) => Some(if known.len() > told.len() { known } else { told }),
            (told, _) => told,
        };
        let facts = RepoFacts { committed_at: facts.committed_at.or(known.as_ref().and_then(|k| k.committed_at)), commit, ..facts };
        let text = codec::to_json(&facts)?;
        let digest = codec::digest(&text);
        let key = facts.commit.clone().unwrap_or_else(|| digest.clone());
        let before: Option<String> = match &known {
            Some(known) => Some(known.digest.clone()),
            None => {
                sqlx::query_scalar("SELECT digest FROM repo_states WHERE repo = $1 AND state = $2")
                    .bind(repo.clone())
                    .bind(key.clone())
                    .fetch_optional(tx.connection())
                    .await?
            }
        };
        if before.as_ref() == Some(&digest) {
            return Ok(Stored::Same);
        }
        if let Some(known) = known.filter(|known| known.key != key) {
            let rename = sqlx::query("UPDATE repo_states SET state = $3 WHERE repo = $1 AND state = $2")
                .bind(repo.clone())
                .bind(known.key)
                .bind(key.clone());
            tx.uncounted(rename).await?;
        }
        let upsert = sqlx::query(
            "INSERT INTO repo_states (repo, state, sha7, committed_at, synced_at, changelog_entries, configs, refused, digest, facts)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
             ON CONFLICT (repo, state) DO UPDATE SET sha7 = excluded.sha7, committed_at = excluded.committed_at,
                 synced_at = excluded.synced_at, changelog_entries = excluded.changelog_entries, configs = excluded.configs,
                 refused = excluded.refused, digest = excluded.digest, facts = excluded.facts",
        )
        .bind(repo)
        .bind(key)
        .bind(facts.commit.as_deref().and_then(codec::sha7))
        .bind(facts.committed_at.map(codec::micros))
        .bind(codec::micros(now))
        .bind(codec::count(facts.changelog.len() as u64))
        .bind(codec::count(facts.configs.len() as u64))
        .bind(codec::count(facts.refused.len() as u64))
        .bind(digest)
        .bind(codec::pack(&text)?);
        tx.write(upsert).await?;
        tx.commit([]).await?;
        Ok(if before.is_some() { Stored::Changed } else { Stored::New })
    }

    /// States of a repository, newest first: by the time of their commits, else of their reading.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn repo_states(&self, repo: &str) -> Result<Vec<RepoState>, StoreError> {
        let repo = codec::repo_key(repo);
        let mut connection = self.pool.acquire().await?;
        let rows: Vec<StateRow> = sqlx::query_as(
            "SELECT state, sha7, committed_at, synced_at, changelog_entries, configs, refused FROM repo_states WHERE repo = $1",
        )
        .bind(repo.clone())
        .fetch_all(&mut *connection)
        .await?;
        let on_pulls: Vec<(String, String, i64)> = sqlx::query_as(
            "SELECT s.state, c.sha, c.number FROM repo_states s JOIN pull_commits c ON c.repo = s.repo AND c.sha7 = s.sha7 WHERE s.repo = $1",
        )
        .bind(repo)
        .fetch_all(&mut *connection)
        .await?;
        let mut states: Vec<RepoState> = rows
            .into_iter()
            .map(|row| {
                let pull = on_pulls.iter().filter(|(state, sha, _)| *state == row.state && same_commit(state, sha)).map(|(.., n)| *n).max();
                RepoState {
                    commit: row.sha7.is_some().then(|| row.state.clone()),
                    key: row.state,
                    committed_at: row.committed_at.and_then(codec::time),
                    synced_at: codec::time(row.synced_at).unwrap_or_default(),
                    changelog_entries: codec::size(row.changelog_entries),
                    configs: codec::size(row.configs),
                    refused: codec::size(row.refused),
                    pull,
                }
            })
            .collect();
        states.sort_by(|a, b| (Reverse(a.at()), Reverse(a.synced_at), &a.key).cmp(&(Reverse(b.at()), Reverse(b.synced_at), &b.key)));
        Ok(states)
    }

    /// What was read of a repository at a commit, whose sha may be short, or by the key of a state; `None` where that was not synced.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn repo_facts(&self, repo: &str, commit: &str) -> Result<Option<RepoFacts>, StoreError> {
        let repo = codec::repo_key(repo);
        let mut connection = self.pool.acquire().await?;
        let state = match find(&mut connection, &repo, commit).await? {
            Some(known) => known.key,
            None => commit.trim().to_owned(),
        };
        let packed: Option<Vec<u8>> = sqlx::query_scalar("SELECT facts FROM repo_states WHERE repo = $1 AND state = $2")
            .bind(repo.clone())
            .bind(state)
            .fetch_optional(&mut *connection)
            .await?;
        packed.map(|packed| codec::unpack_json(repo.as_str(), "a state of the repository", &packed)).transpose()
    }

    /// The newest state of the main branch, as far as can be told: the newest one whose commit is none of a pull request that is
    /// known here, else the newest of all.
    ///
    /// A checkout doesn't say for sure which branch it is of; the commits of a pull request do. Its merge commit is the main
    /// branch's. The commits of a merged pull request stay out: squashed, they never were on the main branch, and otherwise the
    /// merge is newer.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn repo_main(&self, repo: &str) -> Result<Option<RepoFacts>, StoreError> {
        let states = self.repo_states(repo).await?;
        match main_state(&states) {
            Some(state) => self.repo_facts(repo, &state.key).await,
            None => Ok(None),
        }
    }
}

/// Which of the states, newest first, is the main branch's ([`Store::repo_main`]).
#[must_use]
pub fn main_state(states: &[RepoState]) -> Option<&RepoState> {
    states.iter().find(|state| state.pull.is_none()).or_else(|| states.first())
}

#[derive(FromRow)]
struct StateRow {
    state: String,
    sha7: Option<String>,
    committed_at: Option<i64>,
    synced_at: i64,
    changelog_entries: i64,
    configs: i64,
    refused: i64,
}

/// A stored state of a commit.
struct Known {
    key: String,
    committed_at: Option<Timestamp>,
    digest: String,
}

/// The stored state of a commit, either of which may be short. A short sha that names several is that of none.
async fn find(connection: &mut AnyConnection, repo: &str, commit: &str) -> Result<Option<Known>, StoreError> {
    let Some(sha7) = codec::sha7(commit) else { return Ok(None) };
    let rows: Vec<(String, Option<i64>, String)> =
        sqlx::query_as("SELECT state, committed_at, digest FROM repo_states WHERE repo = $1 AND sha7 = $2")
            .bind(repo.to_owned())
            .bind(sha7)
            .fetch_all(connection)
            .await?;
    let mut same = rows.into_iter().filter(|(state, ..)| same_commit(state, commit));
    Ok(match (same.next(), same.next()) {
        (Some((key, at, digest)), None) => Some(Known { key, committed_at: at.and_then(codec::time), digest }),
        _ => None,
    })
}
