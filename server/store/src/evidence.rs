//! Facts about how runs were executed: one row for each source, an artifact of an attempt or someone's statement.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use jiff::Timestamp;
use paretoscope_domain::fact::{FactOrigin, RunFact};
use paretoscope_domain::run::{Artifact, Reading};
use paretoscope_domain::synced::Stored;
use paretoscope_domain::{Attempt, RunId};
use sqlx::{AnyConnection, FromRow};

use crate::dialect::Turn;
use crate::error::StoreError;
use crate::tx::Tx;
use crate::{Store, codec};

impl Store {
    /// Keeps facts, in place of what the same sources said of the same runs before: who stated them and where or, for facts of an
    /// artifact, its name and attempt. A run need not be known yet. The same again writes nothing.
    ///
    /// # Errors
    /// When the database can't be written.
    pub async fn put_evidence(&self, facts: Vec<RunFact>, now: Timestamp) -> Result<Stored, StoreError> {
        let mut by_run: BTreeMap<RunId, Vec<RunFact>> = BTreeMap::new();
        for fact in facts {
            by_run.entry(fact.run_id).or_default().push(fact);
        }
        let runs: Vec<RunId> = by_run.keys().copied().collect();
        let mut tx = self.begin_turn(Turn::Runs(&runs)).await?;
        let mut changed = Vec::new();
        let mut outcomes = Vec::new();
        for (run, facts) in by_run {
            let before = tx.changed;
            outcomes.extend(write_sources(&mut tx, run, by_source(facts), now).await?);
            if tx.changed > before {
                changed.push(run);
            }
        }
        if !changed.is_empty() {
            tx.commit(changed).await?;
        }
        Ok(match outcomes.as_slice() {
            all if all.iter().all(|o| *o == Stored::Same) => Stored::Same,
            all if all.iter().all(|o| *o == Stored::New) => Stored::New,
            _ => Stored::Changed,
        })
    }

    /// Facts about how a run was executed: by artifact and attempt, then what is stated. Empty where none are known.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn evidence(&self, run: RunId) -> Result<Vec<RunFact>, StoreError> {
        let mut sources = sources(&mut *self.pool.acquire().await?, run).await?;
        sources.sort_by(|a, b| (a.of.stated, &a.of.source, a.of.attempt, a.seq).cmp(&(b.of.stated, &b.of.source, b.of.attempt, b.seq)));
        let mut facts = Vec::new();
        for source in sources {
            facts.extend(codec::unpack_json::<Vec<RunFact>>(run, "its evidence", &source.facts)?);
        }
        Ok(facts)
    }
}

/// The facts of an ingest, in place of what the same artifacts said before. An artifact that was read and says nothing now takes
/// its earlier facts away; one that was only listed does not.
pub(crate) async fn write(tx: &mut Tx, run: RunId, facts: Vec<RunFact>, artifacts: &[Artifact], now: Timestamp) -> Result<(), StoreError> {
    let mut told = by_source(facts);
    for artifact in artifacts.iter().filter(|a| a.reading == Reading::Read) {
        let of = Source { stated: false, source: artifact.name.clone(), url: None, attempt: artifact.attempt };
        told.entry(of).or_default();
    }
    write_sources(tx, run, told, now).await?;
    Ok(())
}

/// Who says something: the key of a row.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Source {
    stated: bool,
    source: String,
    url: Option<String>,
    attempt: Option<Attempt>,
}

impl Source {
    fn of(fact: &RunFact) -> Self {
        match &fact.origin {
            FactOrigin::Artifact { artifact, .. } => Self { stated: false, source: artifact.clone(), url: None, attempt: fact.attempt },
            // A statement may speak of several attempts.
            FactOrigin::Stated { by, url, .. } => Self { stated: true, source: by.clone(), url: url.clone(), attempt: None },
        }
    }

    /// Whether both may be the same: an attempt may become known later.
    fn fits(&self, other: &Self) -> bool {
        (self.stated, &self.source, &self.url) == (other.stated, &other.source, &other.url)
            && self.attempt.zip(other.attempt).is_none_or(|(a, b)| a == b)
    }
}

fn by_source(facts: Vec<RunFact>) -> BTreeMap<Source, Vec<RunFact>> {
    let mut sources: BTreeMap<Source, Vec<RunFact>> = BTreeMap::new();
    for fact in facts {
        sources.entry(Source::of(&fact)).or_default().push(fact);
    }
    sources
}

/// A stored row.
struct StoredSource {
    seq: i64,
    of: Source,
    digest: String,
    facts: Vec<u8>,
}

#[derive(FromRow)]
struct SourceRow {
    seq: i64,
    origin: String,
    source: String,
    url: Option<String>,
    attempt: Option<i64>,
    digest: String,
    facts: Vec<u8>,
}

async fn sources(connection: &mut AnyConnection, run: RunId) -> Result<Vec<StoredSource>, StoreError> {
    let rows: Vec<SourceRow> =
        sqlx::query_as("SELECT seq, origin, source, url, attempt, digest, facts FROM run_facts WHERE run_id = $1 ORDER BY seq")
            .bind(run.get())
            .fetch_all(connection)
            .await?;
    let stored = |row: SourceRow| {
        let SourceRow { seq, origin, source, url, attempt, digest, facts } = row;
        let of = Source { stated: origin == "stated", source, url, attempt: codec::attempt(attempt) };
        StoredSource { seq, of, digest, facts }
    };
    Ok(rows.into_iter().map(stored).collect())
}

async fn write_sources(tx: &mut Tx, run: RunId, told: BTreeMap<Source, Vec<RunFact>>, now: Timestamp) -> Result<Vec<Stored>, StoreError> {
    let mut stored = sources(tx.connection(), run).await?;
    let mut next = stored.iter().map(|s| s.seq + 1).max().unwrap_or(0);
    // Those that are the same beyond doubt first, so that none of them is taken by one whose attempt is not known.
    let (sure, unsure): (Vec<_>, Vec<_>) = told.into_iter().partition(|(of, _)| stored.iter().any(|s| s.of == *of));
    let mut outcomes = Vec::new();
    for (of, facts) in sure.into_iter().chain(unsure) {
        let fitting: Vec<usize> = stored.iter().enumerate().filter(|(_, s)| s.of.fits(&of)).map(|(i, _)| i).collect();
        // Nothing said by one of several: whose facts that takes away can't be told.
        if facts.is_empty() && fitting.len() != 1 && !stored.iter().any(|s| s.of == of) {
            continue;
        }
        let best = fitting.into_iter().filter_map(|i| stored.get(i).map(|s| (s.of == of, s.of.attempt, Reverse(s.seq), i))).max();
        let known = best.map(|(.., i)| stored.swap_remove(i));
        let attempt = of.attempt.or(known.as_ref().and_then(|k| k.of.attempt));
        let (seq, digest_before, known_facts) = match known {
            Some(known) => (known.seq, Some((known.digest, known.of.attempt)), Some(known.facts)),
            None => (next, None, None),
        };
        if facts.is_empty() {
            tx.write(sqlx::query("DELETE FROM run_facts WHERE run_id = $1 AND seq = $2").bind(run.get()).bind(seq)).await?;
            continue;
        }
        let before = match &known_facts {
            Some(packed) if facts.iter().any(|f| f.point.is_none()) => codec::unpack_json(run, "its evidence", packed)?,
            _ => Vec::new(),
        };
        let facts: Vec<RunFact> =
            facts.into_iter().map(|fact| RunFact { attempt: fact.attempt.or(attempt), point: point(&fact, &before), ..fact }).collect();
        let text = codec::to_json(&facts)?;
        let digest = codec::digest(&text);
        if digest_before.as_ref() == Some(&(digest.clone(), attempt)) {
            outcomes.push(Stored::Same);
            continue;
        }
        outcomes.push(if digest_before.is_some() { Stored::Changed } else { Stored::New });
        next = next.max(seq + 1);
        let upsert = sqlx::query(
            "INSERT INTO run_facts (run_id, seq, origin, source, url, attempt, at, count, digest, facts)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
             ON CONFLICT (run_id, seq) DO UPDATE SET attempt = excluded.attempt, at = excluded.at, count = excluded.count,
                 digest = excluded.digest, facts = excluded.facts",
        )
        .bind(run.get())
        .bind(seq)
        .bind(if of.stated { "stated" } else { "artifact" })
        .bind(of.source)
        .bind(of.url)
        .bind(codec::number(attempt))
        .bind(codec::micros(now))
        .bind(codec::count(facts.len() as u64))
        .bind(digest)
        .bind(codec::pack(&text)?);
        tx.write(upsert).await?;
    }
    Ok(outcomes)
}

/// The point that a fact is about: as told or, where a later reading saw the artifact without its benchmark's, as known before.
fn point(fact: &RunFact, before: &[RunFact]) -> Option<String> {
    let same = |b: &&RunFact| {
        matches!(b.origin, FactOrigin::Artifact { .. })
            && (b.kind, &b.key, &b.value, &b.origin) == (fact.kind, &fact.key, &fact.value, &fact.origin)
    };
    fact.point.clone().or_else(|| before.iter().find(same)?.point.clone())
}
