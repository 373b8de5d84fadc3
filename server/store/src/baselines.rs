//! Baselines of many runs at once: [`paretoscope_domain::baseline`] with an index, so that a list costs n log n and not n².

use std::collections::{BTreeMap, BTreeSet, HashMap};

use paretoscope_domain::baseline::{Baseline, baseline};
use paretoscope_domain::curve::CurveKey;
use paretoscope_domain::run::Run;
use paretoscope_domain::{Kind, RunId};

/// Runs that may be a baseline on one curve, by day. The rule orders by day first, so of each list only the head's own day and the
/// newest day before it matter.
type Days<'a> = BTreeMap<&'a str, Vec<usize>>;

/// Which list a run is looked up in: (synthetic, curve, pull request, or `None` for the official ones).
type Lane<'a> = (bool, &'a CurveKey, Option<i64>);

/// Sets every run's baseline.
pub(crate) fn fill(runs: &mut [Run]) {
    let found = find(runs);
    for (run, baseline) in runs.iter_mut().zip(found) {
        run.baseline_run_id = baseline;
    }
}

fn find(runs: &[Run]) -> Vec<Option<RunId>> {
    let mut lanes: HashMap<Lane<'_>, Days<'_>> = HashMap::new();
    for (i, run) in runs.iter().enumerate() {
        let (Some(day), None) = (run.date.as_deref(), &run.purged) else { continue };
        for curve in &run.curves {
            if run.kind == Kind::Official {
                lanes.entry((run.synthetic, curve, None)).or_default().entry(day).or_default().push(i);
            }
            if run.pr_number.is_some() {
                lanes.entry((run.synthetic, curve, run.pr_number)).or_default().entry(day).or_default().push(i);
            }
        }
    }
    runs.iter()
        .map(|head| {
            let day = head.date.as_deref()?;
            let mut candidates: BTreeSet<(RunId, usize)> = BTreeSet::new();
            for curve in &head.curves {
                for pr in std::iter::once(None).chain(head.pr_number.map(Some)) {
                    let Some(days) = lanes.get(&(head.synthetic, curve, pr)) else { continue };
                    let today = days.get(day).into_iter();
                    let before = days.range(..day).next_back().map(|(_, runs)| runs).into_iter();
                    candidates.extend(today.chain(before).flatten().filter_map(|i| runs.get(*i).map(|r| (r.run_id, *i))));
                }
            }
            baseline(&Baseline::from(head), candidates.iter().filter_map(|(_, i)| runs.get(*i)).map(Baseline::from))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use paretoscope_domain::run::Purge;

    /// A small, fixed source of numbers: the cases are the same each time.
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, n: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % n
        }
    }

    fn curve(n: u64) -> CurveKey {
        CurveKey::parse(&format!("m|agentic-traces|gb300|sglang|fp{n}|")).unwrap()
    }

    #[test]
    fn the_index_finds_what_the_rule_finds() {
        let mut numbers = Numbers(7);
        for _ in 0..60 {
            let mut runs: Vec<Run> = (1..=50)
                .map(|id| {
                    let mut run = crate::summary::blank(RunId::new(id).unwrap());
                    run.kind = *Kind::ALL.get(numbers.below(3) as usize).unwrap();
                    run.synthetic = numbers.below(4) == 0;
                    run.pr_number = Some(numbers.below(5) as i64).filter(|n| *n > 0);
                    run.date = Some(numbers.below(9)).filter(|n| *n > 0).map(|n| format!("2026-11-0{n}"));
                    run.created_at = Some(numbers.below(4)).filter(|n| *n > 0).and_then(|n| crate::codec::time(n as i64));
                    run.curves = (0..3).filter(|_| numbers.below(2) == 0).map(curve).collect();
                    run.purged = (numbers.below(8) == 0).then(|| Purge {
                        reason: "r".into(),
                        actor: "a".into(),
                        at: crate::codec::time(0).unwrap(),
                    });
                    run
                })
                .collect();
            let oracle: Vec<_> = runs.iter().map(|head| baseline(&head.into(), runs.iter().map(Baseline::from))).collect();
            runs.reverse();
            fill(&mut runs);
            runs.reverse();
            assert_eq!(runs.iter().map(|r| r.baseline_run_id).collect::<Vec<_>>(), oracle);
        }
    }
}
