//! Operations: is it empty, how much is there, is it sound, a copy of it.

use std::path::Path;

use paretoscope_domain::RunId;
use sqlx::migrate::Migrate;

use crate::error::StoreError;
use crate::{Store, dialect};

/// How much is stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Runs.
    pub runs: u64,
    /// Points that count.
    pub points: u64,
    /// Evals that count.
    pub evals: u64,
    /// Failed points.
    pub failed_points: u64,
    /// Pull requests.
    pub pulls: u64,
    /// States of the benchmark repository.
    pub repo_states: u64,
    /// States of cookbook files.
    pub cookbook_states: u64,
    /// Facts about executions.
    pub facts: u64,
}

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// As it should be.
    Ok,
    /// Works; someone should look.
    Warning,
    /// Broken.
    Error,
}

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What was looked at: `tables`, `integrity`, …
    pub check: &'static str,
    /// How it is.
    pub severity: Severity,
    /// What was found and, where something is wrong, what to do.
    pub detail: String,
}

/// Rows that hang on nothing, and what to do; each asks for one number.
const ORPHANS: [(&str, &str); 5] = [
    (
        "SELECT COUNT(*) FROM points p WHERE NOT EXISTS (SELECT 1 FROM point_bodies b WHERE b.run_id = p.run_id AND b.version = p.version)",
        "points without a body",
    ),
    (
        "SELECT COUNT(*) FROM point_bodies b WHERE NOT EXISTS (SELECT 1 FROM points p WHERE p.run_id = b.run_id AND p.version = b.version)",
        "bodies without a point",
    ),
    ("SELECT COUNT(*) FROM points p WHERE NOT EXISTS (SELECT 1 FROM runs r WHERE r.run_id = p.run_id)", "points without a run"),
    ("SELECT COUNT(*) FROM evals e WHERE NOT EXISTS (SELECT 1 FROM runs r WHERE r.run_id = e.run_id)", "evals without a run"),
    (
        "SELECT COUNT(*) FROM pull_commits c WHERE NOT EXISTS (SELECT 1 FROM pulls p WHERE p.repo = c.repo AND p.number = c.number)",
        "commits without their pull request",
    ),
];

/// Identities of which not exactly one version counts; each asks for one number.
const DOUBLES: [(&str, &str); 2] = [
    (
        "SELECT COUNT(*) FROM (SELECT 1 AS one FROM points GROUP BY run_id, point_id HAVING SUM(1 - superseded) <> 1) AS wrong",
        "points of which not exactly one version counts",
    ),
    (
        "SELECT COUNT(*) FROM (SELECT 1 AS one FROM evals GROUP BY run_id, eval_id HAVING SUM(1 - superseded) <> 1) AS wrong",
        "evals of which not exactly one version counts",
    ),
];

impl Store {
    /// Whether no run is stored.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn is_empty(&self) -> Result<bool, StoreError> {
        let one: Option<i64> = sqlx::query_scalar("SELECT run_id FROM runs LIMIT 1").fetch_optional(&self.pool).await?;
        Ok(one.is_none())
    }

    /// How much is stored.
    ///
    /// # Errors
    /// When the database can't be read.
    pub async fn counts(&self) -> Result<Totals, StoreError> {
        type Row = (i64, i64, i64, i64, i64, i64, i64, i64);
        let (runs, points, evals, failed_points, pulls, repo_states, cookbook_states, facts): Row = sqlx::query_as(
            "SELECT (SELECT COUNT(*) FROM runs),
                    (SELECT COUNT(*) FROM points WHERE status = 'ok' AND superseded = 0),
                    (SELECT COUNT(*) FROM evals WHERE superseded = 0),
                    (SELECT COUNT(*) FROM points WHERE status = 'failed' AND superseded = 0),
                    (SELECT COUNT(*) FROM pulls),
                    (SELECT COUNT(*) FROM repo_states),
                    (SELECT COUNT(*) FROM cookbook_states),
                    (SELECT CAST(COALESCE(SUM(count), 0) AS BIGINT) FROM run_facts)",
        )
        .fetch_one(&self.pool)
        .await?;
        let size = crate::codec::size;
        Ok(Totals {
            runs: size(runs),
            points: size(points),
            evals: size(evals),
            failed_points: size(failed_points),
            pulls: size(pulls),
            repo_states: size(repo_states),
            cookbook_states: size(cookbook_states),
            facts: size(facts),
        })
    }

    /// Looks at the database for `doctor`: tables, the file, rows that hang on nothing.
    ///
    /// # Errors
    /// When the database can't be read at all.
    pub async fn check(&self) -> Result<Vec<Finding>, StoreError> {
        let mut findings = vec![self.check_tables().await?];
        if findings.iter().any(|f| f.severity == Severity::Error) {
            return Ok(findings);
        }
        let damage = self.dialect.integrity(&self.pool).await?;
        findings.push(if damage.is_empty() {
            finding("integrity", Severity::Ok, format!("{} finds nothing wrong", self.dialect.name()))
        } else {
            let detail = format!("the file is damaged: restore a backup ({})", damage.join("; "));
            finding("integrity", Severity::Error, detail)
        });
        for (check, queries, advice) in [
            ("orphans", ORPHANS.as_slice(), "restore a backup, or ingest again"),
            ("versions", DOUBLES.as_slice(), "ingest the runs again"),
        ] {
            let mut wrong = Vec::new();
            for (sql, what) in queries {
                let n: i64 = sqlx::query_scalar(*sql).fetch_one(&self.pool).await?;
                if n > 0 {
                    wrong.push(format!("{n} {what}"));
                }
            }
            findings.push(if wrong.is_empty() {
                finding(check, Severity::Ok, "none".to_owned())
            } else {
                finding(check, Severity::Error, format!("{}: {advice}", wrong.join(", ")))
            });
        }
        findings.push(self.check_documents().await?);
        Ok(findings)
    }

    /// Whether what was synced can be read back. Runs are read for every page, so theirs show by themselves.
    async fn check_documents(&self) -> Result<Finding, StoreError> {
        let mut wrong = Vec::new();
        let mut note = |result: Result<(), StoreError>| match result {
            Err(StoreError::Unreadable { of, what, .. }) => {
                wrong.push(format!("{of}, {what}"));
                Ok(())
            }
            other => other,
        };
        let pulls: Vec<(String, i64)> =
            sqlx::query_as("SELECT repo, number FROM pulls ORDER BY repo, number").fetch_all(&self.pool).await?;
        for (repo, number) in pulls {
            note(self.pull(&repo, number).await.map(drop))?;
        }
        let states: Vec<(String, String)> =
            sqlx::query_as("SELECT repo, state FROM repo_states ORDER BY repo, state").fetch_all(&self.pool).await?;
        for (repo, state) in states {
            note(self.repo_facts(&repo, &state).await.map(drop))?;
        }
        note(self.cookbook().await.map(drop))?;
        let runs: Vec<i64> = sqlx::query_scalar("SELECT DISTINCT run_id FROM run_facts ORDER BY run_id").fetch_all(&self.pool).await?;
        for run in runs.into_iter().filter_map(RunId::new) {
            note(self.evidence(run).await.map(drop))?;
        }
        Ok(if wrong.is_empty() {
            finding("documents", Severity::Ok, "all can be read".to_owned())
        } else {
            finding("documents", Severity::Error, format!("can't be read: {}; sync or import them again", wrong.join("; ")))
        })
    }

    /// Whether all numbered steps are applied, and no others.
    async fn check_tables(&self) -> Result<Finding, StoreError> {
        let steps = self.dialect.steps();
        let mut connection = self.pool.acquire().await?;
        let known: Vec<i64> = steps.iter().map(|step| step.version).collect();
        let applied = connection.list_applied_migrations(&steps.table_name).await;
        let Ok(applied) = applied else {
            return Ok(finding("tables", Severity::Error, "there are none yet: run `paretoscope migrate`".to_owned()));
        };
        let applied: Vec<i64> = applied.iter().map(|step| step.version).collect();
        let missing = known.iter().filter(|v| !applied.contains(v)).count();
        let foreign = applied.iter().filter(|v| !known.contains(v)).count();
        Ok(if missing > 0 {
            finding("tables", Severity::Error, format!("{missing} steps are not applied yet: run `paretoscope migrate`"))
        } else if foreign > 0 {
            let detail = format!("{foreign} steps are of a newer Paretoscope: use the version that wrote this database");
            finding("tables", Severity::Error, detail)
        } else {
            finding("tables", Severity::Ok, format!("{} of {} steps applied on {}", applied.len(), known.len(), self.dialect.name()))
        })
    }

    /// Writes a copy of an SQLite database to a new file while others read and write.
    ///
    /// # Errors
    /// When the file is there already or can't be written, and on PostgreSQL, which has its own tool (the message names it).
    pub async fn backup_to(&self, file: &Path) -> Result<(), StoreError> {
        self.dialect.backup(&self.pool, file).await
    }

    /// The database's address without its password.
    #[must_use]
    pub fn address(&self) -> String {
        dialect::without_password(&self.url)
    }
}

fn finding(check: &'static str, severity: Severity, detail: String) -> Finding {
    Finding { check, severity, detail }
}
