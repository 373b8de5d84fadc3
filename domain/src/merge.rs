//! What becomes of a batch's rows when they meet what is stored: versions, precedence, duplicates, corrections.
//!
//! Attempts and re-uploads are *versions* of a point. The newest that did not fail counts, the others are superseded: a higher
//! attempt, then the job's own file before a collected one, then a later upload, is newer. Pure, so that both databases behave alike.

use std::collections::HashMap;

use jiff::Timestamp;

use crate::batch::{EvalRow, Origin, PointRow};
use crate::eval::EvalRecord;
use crate::ids::{Attempt, EvalId, PointId};
use crate::natural_key;
use crate::point::Status;
use crate::report::Outcome;

/// Where a version was read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Attempt, where known.
    pub attempt: Option<Attempt>,
    /// Kind of file.
    pub origin: Origin,
    /// Artifact.
    pub artifact: String,
    /// File.
    pub file: String,
    /// Row of a collected file.
    pub row: Option<u32>,
    /// Upload time.
    pub uploaded_at: Option<Timestamp>,
    /// GitHub's id of the artifact.
    pub artifact_id: Option<i64>,
}

impl Source {
    /// Whether both name one place: the same artifact, file and row, and not two known attempts that differ.
    fn same_place(&self, other: &Self) -> bool {
        self.artifact == other.artifact
            && self.file == other.file
            && self.row == other.row
            && self.attempt.zip(other.attempt).is_none_or(|(a, b)| a == b)
    }

    /// What makes a version newer, lowest first.
    fn age(&self) -> (Option<Attempt>, Origin, Option<Timestamp>, Option<i64>) {
        (self.attempt, self.origin, self.uploaded_at, self.artifact_id)
    }
}

/// A version of a point that is stored already.
#[derive(Clone, Debug)]
pub struct StoredPointVersion {
    /// Its number in the store; later ones are higher.
    pub version: i64,
    /// Point.
    pub point_id: PointId,
    /// Where it was read.
    pub source: Source,
    /// [`natural_key::content_hash`].
    pub content: String,
    /// Whether it failed.
    pub failed: bool,
    /// Whether it is marked superseded.
    pub superseded: bool,
}

/// A version of an eval that is stored already.
#[derive(Clone, Debug)]
pub struct StoredEvalVersion {
    /// Its number in the store.
    pub version: i64,
    /// Eval.
    pub eval_id: EvalId,
    /// [`natural_key::eval_base`].
    pub base: String,
    /// Where it was read.
    pub source: Source,
    /// What it says.
    pub record: EvalRecord,
    /// Whether it is marked superseded.
    pub superseded: bool,
}

/// Names a version: one that is stored, or the incoming row that becomes one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VersionRef {
    /// Stored under this number.
    Stored(i64),
    /// Row of the batch, by index.
    Incoming(usize),
}

/// What to write.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan<Id> {
    /// One outcome per incoming row.
    pub outcomes: Vec<Outcome>,
    /// Incoming rows that become new versions, with their identity.
    pub inserts: Vec<(usize, Id)>,
    /// Stored versions that an incoming row takes the place of.
    pub updates: Vec<(i64, usize)>,
    /// Versions of touched identities, and whether each is superseded now.
    pub superseded: Vec<(VersionRef, bool)>,
}

fn source_of_point(row: &PointRow) -> Source {
    Source {
        attempt: row.point.attempt,
        origin: row.upload.origin,
        artifact: row.point.artifact.clone(),
        file: row.point.file.clone(),
        row: row.point.row,
        uploaded_at: row.upload.uploaded_at,
        artifact_id: row.upload.artifact_id,
    }
}

fn source_of_eval(row: &EvalRow) -> Source {
    Source {
        attempt: row.record.attempt,
        origin: row.upload.origin,
        artifact: row.record.artifact.clone(),
        file: row.record.file.clone(),
        row: row.record.row,
        uploaded_at: row.upload.uploaded_at,
        artifact_id: row.upload.artifact_id,
    }
}

/// A version while the plan is made.
#[derive(Clone, Debug)]
struct Version {
    at: VersionRef,
    source: Source,
    content: String,
    failed: bool,
    superseded: Option<bool>,
}

/// Index of the version that counts: the newest that did not fail, or the newest if all did.
fn winner(versions: &[Version]) -> Option<usize> {
    let order = |v: &Version| match v.at {
        VersionRef::Stored(n) => (0, n),
        VersionRef::Incoming(i) => (1, i64::try_from(i).unwrap_or(i64::MAX)),
    };
    versions
        .iter()
        .enumerate()
        .max_by(|(_, a), (_, b)| {
            (!a.failed).cmp(&!b.failed).then_with(|| a.source.age().cmp(&b.source.age())).then_with(|| order(a).cmp(&order(b)))
        })
        .map(|(i, _)| i)
}

/// Marks of the versions of one identity: all superseded but the winner. Marks that already hold are left out.
fn marks(versions: &[Version]) -> Vec<(VersionRef, bool)> {
    let winner = winner(versions);
    versions
        .iter()
        .enumerate()
        .map(|(i, v)| (v, Some(i) != winner))
        .filter(|(v, superseded)| v.superseded != Some(*superseded))
        .map(|(v, superseded)| (v.at, superseded))
        .collect()
}

/// What becomes of a batch's benchmark rows.
#[must_use]
pub fn points(stored: &[StoredPointVersion], incoming: &[PointRow]) -> Plan<PointId> {
    let mut versions: HashMap<PointId, Vec<Version>> = HashMap::new();
    for s in stored {
        versions.entry(s.point_id.clone()).or_default().push(Version {
            at: VersionRef::Stored(s.version),
            source: s.source.clone(),
            content: s.content.clone(),
            failed: s.failed,
            superseded: Some(s.superseded),
        });
    }
    let mut plan = Plan { outcomes: vec![Outcome::New; incoming.len()], inserts: vec![], updates: vec![], superseded: vec![] };
    let mut touched: Vec<PointId> = Vec::new();
    // The jobs' own files first: a collected row yields to them.
    let mut order: Vec<usize> = (0..incoming.len()).collect();
    order.sort_by_key(|i| incoming.get(*i).map(|r| std::cmp::Reverse(r.upload.origin)));
    for i in order {
        let Some(row) = incoming.get(i) else { continue };
        let id = row.point.id.clone();
        let known = versions.entry(id.clone()).or_default();
        let version = Version {
            at: VersionRef::Incoming(i),
            source: source_of_point(row),
            content: natural_key::content_hash(&row.point),
            failed: row.point.status == Status::Failed,
            superseded: None,
        };
        let outcome = place(known, version, &mut plan, i, &id);
        if matches!(outcome, Outcome::New | Outcome::Replaced) && !touched.contains(&id) {
            touched.push(id);
        }
        // A failed point is stored, and counted as skipped whether or not it was stored before.
        let outcome = if row.point.status == Status::Failed && outcome != Outcome::Covered { Outcome::Skipped } else { outcome };
        if let Some(slot) = plan.outcomes.get_mut(i) {
            *slot = outcome;
        }
    }
    for id in touched {
        plan.superseded.extend(versions.get(&id).map(|v| marks(v)).unwrap_or_default());
    }
    plan
}

/// Places one incoming version among those known of its identity.
fn place<Id: Clone>(known: &mut Vec<Version>, version: Version, plan: &mut Plan<Id>, i: usize, id: &Id) -> Outcome {
    if version.source.origin == Origin::Collected
        && known.iter().any(|v| {
            v.source.origin == Origin::PerJob
                && (v.content == version.content
                    || ((!v.failed || version.failed)
                        && version.source.attempt.zip(v.source.attempt).is_none_or(|(mine, theirs)| mine <= theirs)))
        })
    {
        return Outcome::Covered;
    }
    if let Some(same) = known.iter_mut().find(|v| v.content == version.content) {
        // An attempt that was not known is known now: the row gains it.
        if same.source.attempt.is_none() && version.source.attempt.is_some() && same.source.same_place(&version.source) {
            return take_place(same, version, plan, i);
        }
        return Outcome::Duplicate;
    }
    if let Some(corrected) = known.iter_mut().find(|v| v.source.same_place(&version.source)) {
        return take_place(corrected, version, plan, i);
    }
    plan.inserts.push((i, id.clone()));
    known.push(version);
    Outcome::New
}

/// An incoming version takes the place of a known one. What the new one does not know of its upload stays as it was known.
fn take_place<Id>(old: &mut Version, mut new: Version, plan: &mut Plan<Id>, i: usize) -> Outcome {
    let at = old.at;
    new.source.attempt = new.source.attempt.or(old.source.attempt);
    new.source.uploaded_at = new.source.uploaded_at.or(old.source.uploaded_at);
    new.source.artifact_id = new.source.artifact_id.or(old.source.artifact_id);
    match at {
        VersionRef::Stored(number) => {
            plan.updates.retain(|(n, _)| *n != number);
            plan.updates.push((number, i));
        }
        // Two rows of one batch at one place: the later one stands.
        VersionRef::Incoming(first) => {
            for insert in &mut plan.inserts {
                if insert.0 == first {
                    insert.0 = i;
                }
            }
            *old = Version { superseded: None, ..new };
            return Outcome::Replaced;
        }
    }
    *old = Version { at, superseded: old.superseded, ..new };
    Outcome::Replaced
}

/// What becomes of a batch's eval rows. A fingerprint separates two rows only where both have one; a collected row and a
/// per-job file that say the same are duplicates.
#[must_use]
pub fn evals(stored: &[StoredEvalVersion], incoming: &[EvalRow]) -> Plan<EvalId> {
    struct Known {
        version: Version,
        id: EvalId,
        record: EvalRecord,
    }
    let mut families: HashMap<String, Vec<Known>> = HashMap::new();
    for s in stored {
        families.entry(s.base.clone()).or_default().push(Known {
            version: Version {
                at: VersionRef::Stored(s.version),
                source: s.source.clone(),
                content: String::new(),
                failed: s.record.score.is_none(),
                superseded: Some(s.superseded),
            },
            id: s.eval_id.clone(),
            record: s.record.clone(),
        });
    }
    let mut plan = Plan { outcomes: vec![Outcome::New; incoming.len()], inserts: vec![], updates: vec![], superseded: vec![] };
    let mut touched: Vec<(String, EvalId)> = Vec::new();
    let mut order: Vec<usize> = (0..incoming.len()).collect();
    order.sort_by_key(|i| incoming.get(*i).map(|r| std::cmp::Reverse(r.upload.origin)));
    for i in order {
        let Some(row) = incoming.get(i) else { continue };
        let base = natural_key::eval_base(&row.record);
        let known = families.entry(base.clone()).or_default();
        let fingerprint = row.record.recipe_fingerprint.as_deref();
        let compatible = |k: &Known| fingerprint.is_none_or(|f| k.record.recipe_fingerprint.as_deref().is_none_or(|g| f == g));
        let id = match known.iter().find(|k| compatible(k)) {
            Some(k) => k.id.clone(),
            None => natural_key::eval_id(&base, if known.is_empty() { None } else { fingerprint }),
        };
        let source = source_of_eval(row);
        let version = Version {
            at: VersionRef::Incoming(i),
            source: source.clone(),
            content: String::new(),
            failed: row.record.score.is_none(),
            superseded: None,
        };
        let repeated = |k: &Known| {
            k.id == id
                && k.record.says_the_same(&row.record)
                && (k.version.source.origin != source.origin || k.version.source.same_place(&source) || {
                    k.version.source.attempt.zip(source.attempt).is_none_or(|(a, b)| a == b)
                })
        };
        let outcome = if let Some(k) = known.iter_mut().find(|k| repeated(k)) {
            let gains_attempt = k.version.source.attempt.is_none() && source.attempt.is_some() && k.version.source.same_place(&source);
            if gains_attempt { take_place(&mut k.version, version, &mut plan, i) } else { Outcome::Duplicate }
        } else if let Some(k) = known.iter_mut().find(|k| k.id == id && k.version.source.same_place(&source)) {
            k.record = row.record.clone();
            take_place(&mut k.version, version, &mut plan, i)
        } else {
            plan.inserts.push((i, id.clone()));
            known.push(Known { version, id: id.clone(), record: row.record.clone() });
            Outcome::New
        };
        let touch = (base, id);
        if matches!(outcome, Outcome::New | Outcome::Replaced) && !touched.contains(&touch) {
            touched.push(touch);
        }
        if let Some(slot) = plan.outcomes.get_mut(i) {
            *slot = outcome;
        }
    }
    for (base, id) in touched {
        let versions: Vec<Version> = families.get(&base).into_iter().flatten().filter(|k| k.id == id).map(|k| k.version.clone()).collect();
        plan.superseded.extend(marks(&versions));
    }
    plan
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::batch::Upload;
    use crate::label::tests::point;

    fn row(origin: Origin, attempt: u32, artifact: &str, tput: f64) -> PointRow {
        let mut p = point("TP4", 4);
        p.attempt = Attempt::new(attempt);
        p.artifact = artifact.into();
        p.metrics.insert("tput_per_gpu".into(), tput);
        PointRow { point: p, upload: Upload { origin, uploaded_at: None, artifact_id: None }, raw: "{}".into() }
    }

    /// Stores a plan's outcome as the store would, so that a second batch can meet it.
    fn store(rows: &[PointRow], plan: &Plan<PointId>) -> Vec<StoredPointVersion> {
        plan.inserts
            .iter()
            .map(|(i, id)| StoredPointVersion {
                version: *i as i64 + 1,
                point_id: id.clone(),
                source: source_of_point(&rows[*i]),
                content: natural_key::content_hash(&rows[*i].point),
                failed: rows[*i].point.status == Status::Failed,
                superseded: plan.superseded.contains(&(VersionRef::Incoming(*i), true)),
            })
            .collect()
    }

    #[test]
    fn a_higher_attempt_counts_and_the_lower_is_kept() {
        let rows = [row(Origin::PerJob, 2, "b", 2.0), row(Origin::PerJob, 1, "a", 1.0)];
        let plan = points(&[], &rows);
        assert_eq!(plan.outcomes, [Outcome::New, Outcome::New]);
        assert!(plan.superseded.contains(&(VersionRef::Incoming(0), false)));
        assert!(plan.superseded.contains(&(VersionRef::Incoming(1), true)));
    }

    #[test]
    fn a_failed_newer_attempt_never_wins() {
        let mut failed = row(Origin::PerJob, 2, "b", 2.0);
        failed.point.status = Status::Failed;
        let rows = [row(Origin::PerJob, 1, "a", 1.0), failed];
        let plan = points(&[], &rows);
        assert_eq!(plan.outcomes, [Outcome::New, Outcome::Skipped]);
        assert_eq!(plan.inserts.len(), 2, "the failed one is stored too");
        assert!(plan.superseded.contains(&(VersionRef::Incoming(1), true)));
    }

    #[test]
    fn a_collected_row_is_covered_by_the_jobs_own_file() {
        let rows = [row(Origin::Collected, 2, "results_bmk", 1.0), row(Origin::PerJob, 1, "a", 1.0)];
        let plan = points(&[], &rows);
        assert_eq!(plan.outcomes, [Outcome::Covered, Outcome::New]);
    }

    #[test]
    fn a_collected_row_that_says_otherwise_at_a_higher_attempt_is_a_version() {
        let rows = [row(Origin::Collected, 2, "results_bmk", 3.0), row(Origin::PerJob, 1, "a", 1.0)];
        let plan = points(&[], &rows);
        assert_eq!(plan.outcomes, [Outcome::New, Outcome::New]);
        assert!(plan.superseded.contains(&(VersionRef::Incoming(1), true)));
    }

    #[test]
    fn the_same_again_changes_nothing() {
        let rows = [row(Origin::PerJob, 1, "a", 1.0), row(Origin::PerJob, 2, "b", 2.0), row(Origin::Collected, 2, "r", 2.0)];
        let first = points(&[], &rows);
        let again = points(&store(&rows, &first), &rows);
        assert_eq!(again.outcomes, [Outcome::Duplicate, Outcome::Duplicate, Outcome::Covered]);
        assert!(again.inserts.is_empty() && again.updates.is_empty() && again.superseded.is_empty());
    }

    #[test]
    fn a_corrected_artifact_replaces_what_it_corrects() {
        let rows = [row(Origin::PerJob, 1, "a", 1.0)];
        let stored = store(&rows, &points(&[], &rows));
        let corrected = [row(Origin::PerJob, 1, "a", 1.5)];
        let plan = points(&stored, &corrected);
        assert_eq!(plan.outcomes, [Outcome::Replaced]);
        assert_eq!(plan.updates, [(1, 0)]);
        assert!(plan.inserts.is_empty());
    }

    #[test]
    fn a_re_upload_is_a_version_and_the_later_one_counts() {
        let mut later = row(Origin::PerJob, 1, "b", 2.0);
        later.upload.uploaded_at = Some(Timestamp::from_second(100).unwrap());
        let mut earlier = row(Origin::PerJob, 1, "a", 1.0);
        earlier.upload.uploaded_at = Some(Timestamp::from_second(50).unwrap());
        let plan = points(&[], &[later, earlier]);
        assert!(plan.superseded.contains(&(VersionRef::Incoming(1), true)));
    }

    #[test]
    fn an_attempt_that_becomes_known_is_kept() {
        let rows = [row(Origin::PerJob, 0, "a", 1.0)];
        let stored = store(&rows, &points(&[], &rows));
        let known = [row(Origin::PerJob, 2, "a", 1.0)];
        assert_eq!(points(&stored, &known).updates, [(1, 0)]);
        let stored = store(&known, &points(&[], &known));
        assert_eq!(points(&stored, &rows).outcomes, [Outcome::Duplicate]);
    }

    #[test]
    fn a_correction_without_an_attempt_keeps_the_attempt_it_corrects() {
        let rows = [row(Origin::PerJob, 1, "a", 1.0), row(Origin::PerJob, 2, "b", 2.0)];
        let stored = store(&rows, &points(&[], &rows));
        let plan = points(&stored, &[row(Origin::PerJob, 0, "b", 2.5)]);
        assert_eq!(plan.updates, [(2, 0)]);
        assert!(plan.superseded.is_empty(), "attempt 2 still counts");
    }

    #[test]
    fn two_equal_rows_of_one_collected_file_are_one_point() {
        let (mut a, mut b) = (row(Origin::Collected, 1, "r", 1.0), row(Origin::Collected, 1, "r", 1.0));
        (a.point.row, b.point.row) = (Some(0), Some(1));
        assert_eq!(points(&[], &[a, b]).outcomes, [Outcome::New, Outcome::Duplicate]);
    }

    fn eval_row(origin: Origin, attempt: u32, artifact: &str, score: f64, fingerprint: Option<&str>) -> EvalRow {
        let mut record = crate::eval::tests::record(4, 1, score);
        record.attempt = Attempt::new(attempt);
        record.artifact = artifact.into();
        record.recipe_fingerprint = fingerprint.map(str::to_owned);
        EvalRow { record, upload: Upload { origin, uploaded_at: None, artifact_id: None }, raw: "{}".into() }
    }

    #[test]
    fn collected_rows_and_per_job_files_of_one_eval_are_duplicates() {
        let rows =
            [eval_row(Origin::Collected, 2, "eval_results_all", 0.97, None), eval_row(Origin::PerJob, 1, "eval_a", 0.97, Some("ff"))];
        let plan = evals(&[], &rows);
        assert_eq!(plan.outcomes, [Outcome::Duplicate, Outcome::New]);
    }

    #[test]
    fn a_fingerprint_separates_evals_only_where_both_have_one() {
        let rows = [eval_row(Origin::PerJob, 1, "eval_a", 0.97, Some("aa")), eval_row(Origin::PerJob, 1, "eval_b", 0.95, Some("bb"))];
        let plan = evals(&[], &rows);
        assert_eq!(plan.outcomes, [Outcome::New, Outcome::New]);
        assert_ne!(plan.inserts[0].1, plan.inserts[1].1);
        assert!(plan.superseded.iter().all(|(_, superseded)| !superseded));
    }

    #[test]
    fn a_rerun_eval_supersedes_the_first() {
        let rows = [eval_row(Origin::PerJob, 1, "eval_a", 0.90, None), eval_row(Origin::PerJob, 2, "eval_b", 0.97, None)];
        let plan = evals(&[], &rows);
        assert_eq!(plan.outcomes, [Outcome::New, Outcome::New]);
        assert_eq!(plan.inserts[0].1, plan.inserts[1].1);
        assert!(plan.superseded.contains(&(VersionRef::Incoming(0), true)));
    }
}
