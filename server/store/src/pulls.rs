//! Pull requests: what is told of one is merged with what is known of it.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use jiff::Timestamp;
use paretoscope_domain::pull::{Pull, PullState};
use paretoscope_domain::synced::{PullRow, Stored};

use crate::dialect::Turn;
use crate::error::StoreError;
use crate::tx::Tx;
use crate::{Store, codec};

impl Store {
    /// Keeps what is told of a pull request, merged with what is known ([`Pull::absorb`]). The same again writes nothing.
    ///
    /// # Errors
    /// When the database can't be written.
    pub async fn put_pull(&self, pull: Pull, now: Timestamp) -> Result<Stored, StoreError> {
        let (repo, number) = (codec::repo_key(&pull.repo), pull.number);
        let mut tx = self.begin_turn(Turn::Synced).await?;
        let packed: Option<Vec<u8>> = sqlx::query_scalar("SELECT pull FROM pulls WHERE repo = $1 AND number = $2")
            .bind(repo.clone())
            .bind(number)
            .fetch_optional(tx.connection())
            .await?;
        let before: Option<Pull> = packed.map(|packed| codec::unpack_json((repo.as_str(), number), "its contents", &packed)).transpose()?;
        let merged = match &before {
            // The name as it was told first: GitHub doesn't tell cases apart, the merge does.
            Some(before) => before.clone().absorb(Pull { repo: before.repo.clone(), ..pull }),
            None => Pull::default().absorb(pull),
        };
        if before.as_ref() == Some(&merged) {
            return Ok(Stored::Same);
        }
        let (known, pull) = (before.is_some(), merged);
        let row = row(&pull, now);
        let upsert = sqlx::query(
            "INSERT INTO pulls (repo, number, title, state, author, head_sha, created_at, updated_at, merged_at, synced_at, summary, pull)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
             ON CONFLICT (repo, number) DO UPDATE SET title = excluded.title, state = excluded.state, author = excluded.author,
                 head_sha = excluded.head_sha, created_at = excluded.created_at, updated_at = excluded.updated_at,
                 merged_at = excluded.merged_at, synced_at = excluded.synced_at, summary = excluded.summary, pull = excluded.pull",
        )
        .bind(repo.clone())
        .bind(number)
        .bind(row.title.clone())
        .bind(state_word(row.state))
        .bind(row.author.clone())
        .bind(row.head_sha.clone())
        .bind(row.created_at.map(codec::micros))
        .bind(row.updated_at.map(codec::micros))
        .bind(row.merged_at.map(codec::micros))
        .bind(codec::micros(now))
        .bind(codec::to_json(&row)?)
        .bind(codec::pack(&codec::to_json(&pull)?)?);
        tx.write(upsert).await?;
        write_commits(&mut tx, &repo, &pull).await?;
        tx.commit([]).await?;
        Ok(if known { Stored::Changed } else { Stored::New })
    }

    /// Everything known of a pull request; `None` where nothing is.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn pull(&self, repo: &str, number: i64) -> Result<Option<Pull>, StoreError> {
        let repo = codec::repo_key(repo);
        let packed: Option<Vec<u8>> = sqlx::query_scalar("SELECT pull FROM pulls WHERE repo = $1 AND number = $2")
            .bind(repo.clone())
            .bind(number)
            .fetch_optional(&self.pool)
            .await?;
        packed.map(|packed| codec::unpack_json((repo.as_str(), number), "its contents", &packed)).transpose()
    }

    /// Pull requests of a repository, the highest number first.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn pulls(&self, repo: &str) -> Result<Vec<PullRow>, StoreError> {
        let repo = codec::repo_key(repo);
        let rows: Vec<(i64, String)> =
            sqlx::query_as("SELECT number, summary FROM pulls WHERE repo = $1").bind(repo.clone()).fetch_all(&self.pool).await?;
        let mut pulls = rows
            .into_iter()
            .map(|(number, text)| codec::from_json((repo.as_str(), number), "its summary", &text))
            .collect::<Result<Vec<PullRow>, _>>()?;
        pulls.sort_by_key(|pull| Reverse(pull.number));
        Ok(pulls)
    }
}

fn row(pull: &Pull, now: Timestamp) -> PullRow {
    PullRow {
        repo: pull.repo.clone(),
        number: pull.number,
        title: pull.title.clone(),
        state: pull.state,
        draft: pull.draft,
        author: pull.author.clone(),
        head_sha: pull.head_sha.clone(),
        url: pull.url.clone(),
        labels: pull.labels.clone(),
        created_at: pull.created_at,
        updated_at: pull.updated_at,
        merged_at: pull.merged_at,
        synced_at: now,
        retold: pull.retold.clone(),
    }
}

fn state_word(state: PullState) -> &'static str {
    match state {
        PullState::Open => "open",
        PullState::Closed => "closed",
        PullState::Merged => "merged",
    }
}

/// Its commits, now and once, by which a checkout of one is known as no state of the main branch.
async fn write_commits(tx: &mut Tx, repo: &str, pull: &Pull) -> Result<(), StoreError> {
    let listed = pull.commits.iter().chain(&pull.dropped).map(|c| c.sha.as_str());
    let told: BTreeSet<String> = listed.chain([pull.head_sha.as_str()]).map(|sha| sha.trim().to_ascii_lowercase()).collect();
    let stored: Vec<String> = sqlx::query_scalar("SELECT sha FROM pull_commits WHERE repo = $1 AND number = $2")
        .bind(repo.to_owned())
        .bind(pull.number)
        .fetch_all(tx.connection())
        .await?;
    for sha in told {
        let Some(sha7) = codec::sha7(&sha).filter(|_| !stored.contains(&sha)) else { continue };
        let insert = sqlx::query("INSERT INTO pull_commits (repo, number, sha, sha7) VALUES ($1, $2, $3, $4)")
            .bind(repo.to_owned())
            .bind(pull.number)
            .bind(sha)
            .bind(sha7);
        tx.write(insert).await?;
    }
    Ok(())
}
