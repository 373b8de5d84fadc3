//! What can go wrong, said so that a reader knows what to do. No message holds the password of a database URL.

use std::path::PathBuf;

/// An error of the store.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The URL names no database that we know.
    #[error(
        "{url:?} is no database URL: use sqlite://FILE (such as sqlite://paretoscope.db) or postgres://USER:PASSWORD@HOST/DATABASE (--database-url or PARETOSCOPE_DATABASE_URL)"
    )]
    BadUrl {
        /// The URL without its password.
        url: String,
    },
    /// The folder of an SQLite file is not there.
    #[error("the database {} can't be created: its folder does not exist; create the folder or choose another file", file.display())]
    NoFolder {
        /// File asked for.
        file: PathBuf,
    },
    /// The database can't be reached or opened.
    #[error("the database {url} can't be opened: {advice}")]
    Open {
        /// The URL without its password.
        url: String,
        /// What to do.
        advice: &'static str,
        /// What the driver says.
        #[source]
        source: sqlx::Error,
    },
    /// The tables could not be brought up to date.
    #[error("the tables of the database can't be brought up to date; `paretoscope doctor` tells its state")]
    Migrate(#[source] sqlx::migrate::MigrateError),
    /// The tables are not there or of another age.
    #[error("the database has no tables yet, or older ones: run `paretoscope migrate`")]
    NotMigrated(#[source] sqlx::Error),
    /// Too many at once, or someone holds a lock for long.
    #[error("the database is busy: another process holds it for longer than we wait; try again, or see what else has it open")]
    Busy(#[source] sqlx::Error),
    /// A query failed.
    #[error("the database refused a query")]
    Database(#[source] sqlx::Error),
    /// What is stored can't be read.
    #[error(
        "{of}: what is stored as {what} can't be read; the database was written by another version, or is damaged: run `paretoscope doctor`"
    )]
    Unreadable {
        /// Whose: `run 41261902147`.
        of: String,
        /// Which part.
        what: &'static str,
        /// Why.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A value can't be written as JSON.
    #[error("a value can't be written as JSON")]
    Unwritable(#[source] serde_json::Error),
    /// Compressing failed.
    #[error("a text can't be compressed")]
    Compress(#[source] std::io::Error),
    /// The file to back up to is there already.
    #[error("{} is there already: choose a new file for the backup", file.display())]
    BackupExists {
        /// File asked for.
        file: PathBuf,
    },
    /// PostgreSQL has its own tool.
    #[error("a PostgreSQL database is backed up with its own tool: pg_dump --format=custom --file=BACKUP DATABASE-URL (and pg_restore)")]
    BackupWithPgDump,
}

impl From<sqlx::Error> for StoreError {
    fn from(source: sqlx::Error) -> Self {
        let code = source.as_database_error().and_then(|e| e.code()).map(std::borrow::Cow::into_owned);
        let message = source.as_database_error().map(|e| e.message().to_owned()).unwrap_or_default();
        match code.as_deref() {
            // PostgreSQL: undefined table or column.
            Some("42P01" | "42703") => Self::NotMigrated(source),
            // SQLite: SQLITE_ERROR covers much; the text tells.
            Some("1") if message.starts_with("no such table") || message.starts_with("no such column") => Self::NotMigrated(source),
            // SQLITE_BUSY in its kinds; PostgreSQL's lock_not_available and deadlock_detected.
            Some("5" | "261" | "517" | "55P03" | "40P01") => Self::Busy(source),
            _ if matches!(source, sqlx::Error::PoolTimedOut) => Self::Busy(source),
            _ => Self::Database(source),
        }
    }
}
