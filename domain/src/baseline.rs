//! The run that another is compared with, unless one is chosen.

use jiff::Timestamp;

use crate::curve::CurveKey;
use crate::ids::RunId;
use crate::kind::Kind;
use crate::run::Run;

/// What the baseline rule needs to know of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Baseline<'a> {
    /// Run.
    pub run_id: RunId,
    /// Kind.
    pub kind: Kind,
    /// Synthetic runs have baselines among themselves only.
    pub synthetic: bool,
    /// Hidden runs are nobody's baseline.
    pub purged: bool,
    /// Pull request.
    pub pr: Option<i64>,
    /// Day, `YYYY-MM-DD`; an undated run has no baseline and is none.
    pub date: Option<&'a str>,
    /// Time of that day, where known.
    pub created_at: Option<Timestamp>,
    /// Curves.
    pub curves: &'a [CurveKey],
}

impl<'a> From<&'a Run> for Baseline<'a> {
    fn from(run: &'a Run) -> Self {
        Self {
            run_id: run.run_id,
            kind: run.kind,
            synthetic: run.synthetic,
            purged: run.purged.is_some(),
            pr: run.pr_number,
            date: run.date.as_deref(),
            created_at: run.created_at,
            curves: &run.curves,
        }
    }
}

impl Baseline<'_> {
    /// Order in time: the day, then the time where both have one, then the run's number. An undated run is neither earlier nor later.
    #[must_use]
    pub fn is_earlier_than(&self, other: &Baseline<'_>) -> bool {
        let (Some(mine), Some(theirs)) = (self.date, other.date) else { return false };
        let times = self.created_at.zip(other.created_at);
        match mine.cmp(theirs) {
            std::cmp::Ordering::Less => true,
            std::cmp::Ordering::Greater => false,
            std::cmp::Ordering::Equal => match times {
                Some((a, b)) if a != b => a < b,
                _ => self.run_id < other.run_id,
            },
        }
    }
}

/// The baseline of `head`: the newest earlier run that shares a curve, of the same pull request, else official, else none.
/// Synthetic runs have baselines among themselves; undated runs have none. Source: the contract's «Words and keys».
#[must_use]
pub fn baseline<'a>(head: &Baseline<'_>, runs: impl IntoIterator<Item = Baseline<'a>>) -> Option<RunId> {
    let (mut same_pr, mut official): (Option<Baseline<'a>>, Option<Baseline<'a>>) = (None, None);
    for run in runs {
        let fits = run.run_id != head.run_id
            && !run.purged
            && run.synthetic == head.synthetic
            && run.is_earlier_than(head)
            && run.curves.iter().any(|c| head.curves.contains(c));
        if !fits {
            continue;
        }
        let newer = |old: &Option<Baseline<'_>>| old.as_ref().is_none_or(|old| old.is_earlier_than(&run));
        if head.pr.is_some() && run.pr == head.pr && newer(&same_pr) {
            same_pr = Some(run.clone());
        }
        if run.kind == Kind::Official && newer(&official) {
            official = Some(run);
        }
    }
    same_pr.or(official).map(|run| run.run_id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::tests::point;

    #[test]
    fn rule() {
        let shared = [CurveKey::of(&point("TP4", 1))];
        let mut other = point("TP4", 1);
        other.hardware = "b200".into();
        let elsewhere = [CurveKey::of(&other)];
        let run = |id: i64, kind, pr, date: Option<&'static str>| Baseline {
            run_id: RunId::new(id).unwrap(),
            kind,
            synthetic: false,
            purged: false,
            pr,
            date,
            created_at: None,
            curves: &shared,
        };
        use Kind::{Official, Unofficial};
        let head = run(10, Unofficial, Some(7), Some("2026-11-01"));
        let id = |n| RunId::new(n);
        for (runs, expected, why) in [
            (vec![], None, "none there"),
            (vec![run(1, Official, None, Some("2026-10-01"))], id(1), "official"),
            (
                vec![run(1, Official, None, Some("2026-10-01")), run(2, Unofficial, Some(7), Some("2026-09-01"))],
                id(2),
                "same pull request first",
            ),
            (vec![run(1, Official, None, Some("2026-10-01")), run(2, Official, None, Some("2026-10-20"))], id(2), "the newest"),
            (vec![run(1, Unofficial, None, Some("2026-10-01"))], None, "unofficial of another pull request"),
            (vec![run(11, Official, None, Some("2026-11-02"))], None, "later"),
            (vec![run(9, Official, None, Some("2026-11-01"))], id(9), "same day, lower number"),
            (vec![run(9, Official, None, None)], None, "undated"),
            (vec![Baseline { synthetic: true, ..run(1, Official, None, Some("2026-10-01")) }], None, "synthetic"),
            (vec![Baseline { purged: true, ..run(1, Official, None, Some("2026-10-01")) }], None, "purged"),
            (vec![Baseline { curves: &elsewhere, ..run(1, Official, None, Some("2026-10-01")) }], None, "no shared curve"),
        ] {
            assert_eq!(baseline(&head, runs), expected, "{why}");
        }
        assert_eq!(baseline(&run(10, Unofficial, None, None), vec![run(1, Official, None, Some("2026-10-01"))]), None);
    }
}
