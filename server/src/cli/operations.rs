//! `paretoscope migrate`, `doctor`, `backup`.

use std::path::PathBuf;

use paretoscope_store::Severity;
use serde_json::json;

use super::{CliError, Context, Ended, print, print_json};

/// Brings the database to this version's shape.
#[derive(Debug, clap::Args)]
pub struct Migrate {}

impl Migrate {
    /// Runs it.
    ///
    /// # Errors
    /// When the database can't be opened or migrated.
    pub async fn run(self, context: &Context) -> Result<Ended, CliError> {
        context.store().await?;
        context.answer("The database has this version's shape.", json!({ "migrated": true }));
        Ok(Ended::Well)
    }
}

/// Looks the database and the set-up over.
#[derive(Debug, clap::Args)]
pub struct Doctor {}

impl Doctor {
    /// Runs it.
    ///
    /// # Errors
    /// When the database can't be opened.
    pub async fn run(self, context: &Context) -> Result<Ended, CliError> {
        let store = context.unmigrated_store().await?;
        let findings = store.check().await?;
        let word = |severity| match severity {
            Severity::Ok => "ok",
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        if context.json {
            let rows: Vec<_> =
                findings.iter().map(|f| json!({ "check": f.check, "severity": word(f.severity), "detail": f.detail })).collect();
            print_json(&rows)?;
        } else {
            for f in &findings {
                print(&format!("{:<8} {}: {}\n", word(f.severity), f.check, f.detail));
            }
        }
        Ok(if findings.iter().any(|f| f.severity == Severity::Error) { Ended::Nothing } else { Ended::Well })
    }
}

/// Copies the database to a file while it is in use.
#[derive(Debug, clap::Args)]
pub struct Backup {
    /// The file; it must not exist
    file: PathBuf,
}

impl Backup {
    /// Runs it.
    ///
    /// # Errors
    /// When the copy can't be made.
    pub async fn run(self, context: &Context) -> Result<Ended, CliError> {
        context.store().await?.backup_to(&self.file).await?;
        context.answer(&format!("Copied to {}.", self.file.display()), json!({ "backup": self.file }));
        Ok(Ended::Well)
    }
}
