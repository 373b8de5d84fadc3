//! A comparison: which runs it needs, read and handed to `paretoscope_review::compare`.

use std::sync::Arc;

use jiff::civil::Date;
use paretoscope_app::view_state::CompareBase;
use paretoscope_domain::RunId;
use paretoscope_domain::run::{Purge, Run, RunDetail};
use paretoscope_review::compare::{Comparison, NotCompared, Options, Side, compare, earlier_runs, official_as_of, official_sources};
use paretoscope_store::StoreError;

use crate::app::App;
use crate::pages::run::no_baseline;

/// Earlier runs that noise is told from at most: the newest ones.
const EARLIER_MAX: usize = 12;

/// What is to be compared.
#[derive(Clone, Debug)]
pub struct Asked {
    /// What is compared with.
    pub base: CompareBase,
    /// The run.
    pub head: RunId,
    /// Last day that the official curve may come from.
    pub as_of: Option<Date>,
    /// Axes.
    pub options: Options,
}

/// A comparison and what it was made of.
pub struct Compared {
    /// The comparison.
    pub comparison: Comparison,
    /// The run.
    pub head: Arc<RunDetail>,
    /// Where the baseline's points stand.
    pub base: paretoscope_app::BasePoints,
}

/// Which of the two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// What is compared with.
    Base,
    /// What is compared.
    Head,
}

impl Which {
    /// The parameter that names it.
    #[must_use]
    pub fn parameter(self) -> &'static str {
        match self {
            Self::Base => "base",
            Self::Head => "head",
        }
    }
}

/// Why there is no comparison.
#[derive(Debug, thiserror::Error)]
pub enum NoComparison {
    /// A run was never seen.
    #[error("{}={id}: run {id} was never ingested here", which.parameter())]
    Unknown {
        /// Which side.
        which: Which,
        /// The run.
        id: RunId,
    },
    /// A run is hidden.
    #[error("{}={id}: run {id} is hidden since {}: {}", which.parameter(), purge.at, purge.reason)]
    Purged {
        /// Which side.
        which: Which,
        /// The run.
        id: RunId,
        /// Why, since when.
        purge: Box<Purge>,
    },
    /// No baseline was named, and the rule finds none.
    #[error("run {head} has no baseline of its own: {why} Name one: a run's id, or `official`")]
    NoBaseline {
        /// The run.
        head: RunId,
        /// Why, as a sentence.
        why: String,
    },
    /// The two can't be compared.
    #[error(transparent)]
    NotCompared(#[from] NotCompared),
    /// The store can't be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl App {
    /// Compares what is asked for.
    ///
    /// # Errors
    /// When a run is unknown or hidden, there is nothing to compare with, or the store can't be read.
    pub async fn compare(&self, asked: &Asked) -> Result<Compared, NoComparison> {
        let run = self.side(Which::Head, asked.head)?;
        let base = match asked.base {
            CompareBase::Official => None,
            CompareBase::Run(id) => Some(self.side(Which::Base, id)?),
            CompareBase::Auto => match run.baseline_run_id.and_then(|id| self.snapshot().run(id).cloned()) {
                Some(base) => Some(base),
                None => return Err(NoComparison::NoBaseline { head: run.run_id, why: no_baseline(&run) }),
            },
        };
        let head = self.detail(&run).await?;
        let history = self.history(&run).await?;
        let history: Vec<&RunDetail> = history.iter().map(Arc::as_ref).collect();
        let words = &self.words.vocabulary;
        let head_side = Side::run(&head);
        let (comparison, base) = match base {
            Some(base) => {
                let detail = self.detail(&base).await?;
                let comparison = compare(&Side::run(&detail), &head_side, &history, &asked.options, words)?;
                (comparison, paretoscope_app::BasePoints::Run(detail))
            }
            None => {
                let sources = self.official(&run, asked.as_of).await?;
                let details: Vec<&RunDetail> = sources.iter().map(Arc::as_ref).collect();
                let side = official_as_of(&details, asked.as_of, &run.curves, Some(run.run_id));
                let comparison = compare(&side, &head_side, &history, &asked.options, words)?;
                (comparison, paretoscope_app::BasePoints::Official(side.points.into_owned()))
            }
        };
        Ok(Compared { comparison, head, base })
    }

    /// A run that may be a side.
    fn side(&self, which: Which, id: RunId) -> Result<Arc<Run>, NoComparison> {
        let snapshot = self.snapshot();
        let run = snapshot.run(id).ok_or(NoComparison::Unknown { which, id })?;
        match &run.purged {
            Some(purge) => Err(NoComparison::Purged { which, id, purge: Box::new(purge.clone()) }),
            None => Ok(Arc::clone(run)),
        }
    }

    /// Earlier runs that tell the noise of a run's configurations.
    async fn history(&self, run: &Run) -> Result<Vec<Arc<RunDetail>>, StoreError> {
        let snapshot = self.snapshot();
        let comparable = snapshot.comparable(run);
        self.details_of(earlier_runs(run, comparable.iter().map(Arc::as_ref), EARLIER_MAX)).await
    }

    /// Runs that give the official curves of a run, and those that would but are hidden: the latter are told, not shown.
    async fn official(&self, run: &Run, as_of: Option<Date>) -> Result<Vec<Arc<RunDetail>>, StoreError> {
        let snapshot = self.snapshot();
        let all = snapshot.runs.iter().map(Arc::as_ref);
        let sources = official_sources(all, as_of, &run.curves, run.synthetic, Some(run.run_id));
        let mut ids: Vec<RunId> = sources.iter().flat_map(|s| [s.run, s.hidden]).flatten().collect();
        ids.sort_unstable();
        ids.dedup();
        self.details_of(ids).await
    }

    async fn details_of(&self, ids: Vec<RunId>) -> Result<Vec<Arc<RunDetail>>, StoreError> {
        let snapshot = self.snapshot();
        let mut out = Vec::with_capacity(ids.len());
        for run in ids.into_iter().filter_map(|id| snapshot.run(id)) {
            out.push(self.detail(run).await?);
        }
        Ok(out)
    }
}
