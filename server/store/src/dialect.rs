//! Everything in which SQLite and PostgreSQL differ. All other files speak to both with one set of SQL.
//!
//! One set means: `$1` placeholders (both know them), JSON as text, times as whole microseconds, booleans as 0 and 1.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use paretoscope_domain::RunId;
use sqlx::any::{AnyArguments, AnyConnectOptions, AnyPoolOptions};
use sqlx::migrate::Migrator;
use sqlx::postgres::PgListener;
use sqlx::query::Query;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{Any, AnyConnection, AnyPool, ConnectOptions, Connection, Executor, Transaction};
use tokio::sync::{Mutex, OwnedMutexGuard};

use crate::error::StoreError;

static SQLITE_STEPS: Migrator = sqlx::migrate!("../../migrations/sqlite");
static POSTGRES_STEPS: Migrator = sqlx::migrate!("../../migrations/postgres");

/// Channel on which PostgreSQL tells of a new data version (migrations/postgres).
const CHANNEL: &str = "paretoscope";

/// How long we wait for another's lock.
const PATIENCE: Duration = Duration::from_secs(10);

/// Settings of every SQLite connection. WAL: readers and the writer don't wait for each other. NORMAL: a power cut may lose the
/// last transaction, never the file.
const SQLITE_SETTINGS: [&str; 7] = [
    "PRAGMA busy_timeout = 10000",
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = NORMAL",
    "PRAGMA foreign_keys = ON",
    "PRAGMA mmap_size = 1073741824",
    "PRAGMA cache_size = -16384",
    "PRAGMA temp_store = MEMORY",
];

/// What a transaction writes to: writers of one thing never interleave.
#[derive(Clone, Copy)]
pub(crate) enum Turn<'a> {
    /// These runs, in ascending order.
    Runs(&'a [RunId]),
    /// What is synced: pull requests, repository, cookbook.
    Synced,
    /// Something of its own.
    Store,
}

impl Turn<'_> {
    /// Numbers of the locks, in an order that is the same for everybody. Runs are positive.
    fn locks(self) -> Vec<i64> {
        match self {
            Self::Runs(runs) => runs.iter().map(|run| run.get()).collect(),
            Self::Synced => vec![-1],
            Self::Store => Vec::new(),
        }
    }
}

/// The database we speak to.
#[derive(Clone)]
pub(crate) enum Dialect {
    /// SQLite.
    Sqlite {
        /// The file; `None` in memory.
        file: Option<Arc<PathBuf>>,
        /// Writers of this process queue here, in order, instead of polling for the file's lock.
        writer: Arc<Mutex<()>>,
    },
    /// PostgreSQL.
    Postgres {
        /// The URL with its password: never shown.
        url: Arc<str>,
    },
}

/// A database URL without its password.
pub(crate) fn without_password(url: &str) -> String {
    let (head, query) = url.split_once('?').map_or((url, None), |(head, query)| (head, Some(query)));
    // The last @ ends the credentials, whatever a password holds.
    let shown = match head.split_once("://").map(|(scheme, rest)| (scheme, rest.rsplit_once('@'))) {
        Some((scheme, Some((credentials, rest)))) => {
            let user = credentials.split_once(':').map_or(credentials, |(user, _)| user);
            let mark = if credentials.contains(':') { ":…" } else { "" };
            format!("{scheme}://{user}{mark}@{rest}")
        }
        _ => head.to_owned(),
    };
    let Some(query) = query else { return shown };
    let safe: Vec<&str> = query.split('&').filter(|p| !p.to_ascii_lowercase().contains("password")).collect();
    if safe.is_empty() { shown } else { format!("{shown}?{}", safe.join("&")) }
}

/// Connects.
pub(crate) async fn open(url: &str) -> Result<(Dialect, AnyPool), StoreError> {
    sqlx::any::install_default_drivers();
    let bad = || StoreError::BadUrl { url: without_password(url) };
    match url.split_once(':').map(|(scheme, _)| scheme.to_ascii_lowercase()).as_deref() {
        Some("sqlite") => open_sqlite(url).await,
        Some("postgres" | "postgresql") => {
            let options: AnyConnectOptions = url.parse().map_err(|_| bad())?;
            let failed = |source| StoreError::Open { url: without_password(url), advice: POSTGRES_ADVICE, source };
            // A pool would keep trying and then tell of a time-out; one connection tells the cause.
            AnyConnection::connect_with(&options).await.map_err(failed)?.close().await.map_err(failed)?;
            let pool =
                AnyPoolOptions::new().max_connections(10).acquire_timeout(PATIENCE * 3).connect_with(options).await.map_err(failed)?;
            Ok((Dialect::Postgres { url: url.into() }, pool))
        }
        _ => Err(bad()),
    }
}

const POSTGRES_ADVICE: &str =
    "is the server running, does the database exist (createdb), and are user and password right? See the cause below";

async fn open_sqlite(url: &str) -> Result<(Dialect, AnyPool), StoreError> {
    let failed =
        |source| StoreError::Open { url: url.to_owned(), advice: "is it an SQLite file that this user may read and write?", source };
    let asked: SqliteConnectOptions = url.parse().map_err(failed)?;
    let in_memory = url.contains(":memory:") || url.contains("mode=memory");
    let (file, options) = if in_memory {
        (None, asked)
    } else {
        let file = std::path::absolute(asked.get_filename()).map_err(|e| failed(sqlx::Error::Io(e)))?;
        if !file.parent().is_some_and(Path::is_dir) {
            return Err(StoreError::NoFolder { file });
        }
        let options = if url.contains("mode=") { asked } else { asked.create_if_missing(true) };
        let options = options.filename(&file);
        (Some(Arc::new(file)), options)
    };
    let options: AnyConnectOptions = options.to_url_lossy().as_str().parse().map_err(failed)?;
    // Readers beside the one writer; a database in memory is gone with its only connection.
    let pool = AnyPoolOptions::new()
        .max_connections(if in_memory { 1 } else { 6 })
        .min_connections(1)
        .idle_timeout(if in_memory { None } else { Some(Duration::from_secs(600)) })
        .max_lifetime(None)
        .acquire_timeout(PATIENCE * 3)
        .after_connect(|connection: &mut AnyConnection, _| {
            Box::pin(async move {
                for setting in SQLITE_SETTINGS {
                    connection.execute(setting).await?;
                }
                Ok(())
            })
        })
        .connect_with(options)
        .await
        .map_err(failed)?;
    Ok((Dialect::Sqlite { file, writer: Arc::new(Mutex::new(())) }, pool))
}

/// Binds a number that may be missing.
///
/// sqlx's `Any` sends a missing `f64` to PostgreSQL as a missing `f32` and the other way round, and PostgreSQL remembers the type
/// of a parameter with the prepared statement; a missing `f32` arrives as what we mean. The suite over both databases holds this.
pub(crate) fn bind_double(query: Query<'_, Any, AnyArguments>, value: Option<f64>) -> Query<'_, Any, AnyArguments> {
    match value {
        Some(value) => query.bind(value),
        None => query.bind(None::<f32>),
    }
}

impl Dialect {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Sqlite { .. } => "SQLite",
            Self::Postgres { .. } => "PostgreSQL",
        }
    }

    pub(crate) fn steps(&self) -> &'static Migrator {
        match self {
            Self::Sqlite { .. } => &SQLITE_STEPS,
            Self::Postgres { .. } => &POSTGRES_STEPS,
        }
    }

    /// Begins a transaction that writes: writers of one run never interleave. On SQLite there is one writer at a time, and it has
    /// the file's lock from the start (two that read first and then want to write would each refuse to yield). On PostgreSQL writers of
    /// different runs go side by side until they number their change.
    pub(crate) async fn begin(
        &self,
        pool: &AnyPool,
        turn: Turn<'_>,
    ) -> Result<(Transaction<'static, Any>, Option<OwnedMutexGuard<()>>), StoreError> {
        match self {
            Self::Sqlite { writer, .. } => {
                let turn = Arc::clone(writer).lock_owned().await;
                Ok((pool.begin_with("BEGIN IMMEDIATE").await?, Some(turn)))
            }
            Self::Postgres { .. } => {
                let mut tx = pool.begin().await?;
                for lock in turn.locks() {
                    sqlx::query("SELECT pg_advisory_xact_lock($1)").bind(lock).execute(&mut *tx).await?;
                }
                Ok((tx, None))
            }
        }
    }

    /// Whether the file is sound, in the database's own words; empty where it is, or where the database sees to that itself.
    pub(crate) async fn integrity(&self, pool: &AnyPool) -> Result<Vec<String>, StoreError> {
        match self {
            Self::Sqlite { .. } => {
                let lines: Vec<String> = sqlx::query_scalar("PRAGMA integrity_check").fetch_all(pool).await?;
                Ok(lines.into_iter().filter(|line| line != "ok").collect())
            }
            Self::Postgres { .. } => Ok(Vec::new()),
        }
    }

    /// Writes a copy of the database to a new file while others read and write.
    pub(crate) async fn backup(&self, pool: &AnyPool, to: &Path) -> Result<(), StoreError> {
        match self {
            Self::Sqlite { .. } => {
                if to.exists() {
                    return Err(StoreError::BackupExists { file: to.to_owned() });
                }
                if !std::path::absolute(to).is_ok_and(|f| f.parent().is_some_and(Path::is_dir)) {
                    return Err(StoreError::NoFolder { file: to.to_owned() });
                }
                sqlx::query("VACUUM INTO $1").bind(to.display().to_string()).execute(pool).await?;
                Ok(())
            }
            Self::Postgres { .. } => Err(StoreError::BackupWithPgDump),
        }
    }

    pub(crate) fn probe(&self) -> ChangeProbe {
        ChangeProbe {
            files: match self {
                Self::Sqlite { file: Some(file), .. } => {
                    let mut wal = file.as_os_str().to_owned();
                    wal.push("-wal");
                    Some([file.as_ref().clone(), PathBuf::from(wal)])
                }
                Self::Sqlite { file: None, .. } | Self::Postgres { .. } => None,
            },
            last: None,
        }
    }

    /// A connection of its own that hears of changes as they are committed; `None` on SQLite, which has none.
    pub(crate) async fn listener(&self) -> Result<Option<PgListener>, StoreError> {
        match self {
            Self::Sqlite { .. } => Ok(None),
            Self::Postgres { url } => {
                let mut listener = PgListener::connect(url).await?;
                listener.listen(CHANNEL).await?;
                Ok(Some(listener))
            }
        }
    }
}

/// Tells cheaply whether the data may have changed since it was last asked: two `stat` calls on SQLite; on PostgreSQL, and in
/// memory, always "may have".
#[derive(Clone, Debug)]
pub struct ChangeProbe {
    files: Option<[PathBuf; 2]>,
    last: Option<[Option<(u64, SystemTime)>; 2]>,
}

impl ChangeProbe {
    /// Whether the data may have changed since the last call. The first call says yes.
    ///
    /// Ask before reading `data_version`: what is written between the two is then seen by the next call.
    pub fn may_have_changed(&mut self) -> bool {
        let Some(files) = &self.files else { return true };
        let now = files.each_ref().map(|file| {
            let meta = std::fs::metadata(file).ok()?;
            Some((meta.len(), meta.modified().ok()?))
        });
        let same = self.last == Some(now);
        self.last = Some(now);
        !same
    }

    /// Whether this probe can ever say no.
    #[must_use]
    pub fn is_cheap(&self) -> bool {
        self.files.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_are_shown_without_passwords() {
        for (url, shown) in [
            ("postgres://ann:s3cret@db/x", "postgres://ann:…@db/x"),
            ("postgres://ann:p@ss:w@rd@db:5432/x?sslmode=disable", "postgres://ann:…@db:5432/x?sslmode=disable"),
            ("postgres://ann@db/x?password=s3cret", "postgres://ann@db/x"),
            ("postgres:///x?host=/run&user=ann&password=s3cret", "postgres:///x?host=/run&user=ann"),
            ("sqlite://paretoscope.db", "sqlite://paretoscope.db"),
        ] {
            assert_eq!(without_password(url), shown);
        }
    }
}
