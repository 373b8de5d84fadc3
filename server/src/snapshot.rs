//! The runs in memory, behind an atomic pointer, rebuilt when the version of the data moves on.

use std::collections::HashMap;
use std::sync::Arc;

use paretoscope_domain::RunId;
use paretoscope_domain::run::Run;

/// All runs as lists need them, newest first, at one version of the data.
#[derive(Debug, Default)]
pub struct Snapshot {
    /// Version of the data.
    pub version: i64,
    /// Runs, newest first; undated ones last.
    pub runs: Vec<Arc<Run>>,
    index: HashMap<RunId, usize>,
    /// Where each pull request's and each curve's runs stand, for baselines and candidates.
    by_curve: HashMap<String, Vec<usize>>,
}

impl Snapshot {
    /// A snapshot of `runs`, which are newest first.
    #[must_use]
    pub fn new(version: i64, runs: Vec<Run>) -> Self {
        let runs: Vec<Arc<Run>> = runs.into_iter().map(Arc::new).collect();
        let index = runs.iter().enumerate().map(|(i, r)| (r.run_id, i)).collect();
        let mut by_curve: HashMap<String, Vec<usize>> = HashMap::new();
        for (i, run) in runs.iter().enumerate() {
            for curve in &run.curves {
                by_curve.entry(curve.as_text()).or_default().push(i);
            }
        }
        Self { version, runs, index, by_curve }
    }

    /// A run by its number.
    #[must_use]
    pub fn run(&self, id: RunId) -> Option<&Arc<Run>> {
        self.position(id).and_then(|i| self.runs.get(i))
    }

    /// Where a run stands in [`Self::runs`].
    #[must_use]
    pub fn position(&self, id: RunId) -> Option<usize> {
        self.index.get(&id).copied()
    }

    /// Runs that share a curve with `run`, newest first, and may be compared with it: neither itself, nor purged, nor of the
    /// other world (synthetic runs stay among themselves).
    #[must_use]
    pub fn comparable(&self, run: &Run) -> Vec<Arc<Run>> {
        let mut at: Vec<usize> = run.curves.iter().filter_map(|c| self.by_curve.get(&c.as_text())).flatten().copied().collect();
        at.sort_unstable();
        at.dedup();
        at.into_iter()
            .filter_map(|i| self.runs.get(i))
            .filter(|r| r.run_id != run.run_id && r.purged.is_none() && r.synthetic == run.synthetic)
            .cloned()
            .collect()
    }
}
