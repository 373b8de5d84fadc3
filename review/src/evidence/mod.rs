//! The sign-off's additional-detail section in Markdown, written from what was ingested: ready to paste, in English or Chinese.
//!
//! Every line links to the page that shows it. What is not known is not said; it is listed at the end with the reason.

use std::sync::Arc;

use jiff::Timestamp;
use paretoscope_domain::pull::Pull;
use paretoscope_domain::repo::RepoFacts;
use paretoscope_domain::run::{Run, RunDetail};
use paretoscope_domain::vocabulary::Vocabulary;

use crate::drift::CookbookEntry;

mod document;
mod escape;
mod language;
mod sections;
mod writer;

pub use language::{Language, UnknownLanguage};

/// Evidence is shorter than this, in characters: GitHub refuses comments of more than 65,536.
pub const LIMIT: usize = 60_000;

/// What the evidence is written from.
#[derive(Clone, Copy)]
pub struct EvidenceInput<'a> {
    /// The run.
    pub detail: &'a RunDetail,
    /// The run it is compared with.
    pub against: Against<'a>,
    /// Its pull request, where it was read.
    pub pull: Option<&'a Pull>,
    /// The benchmark repository at the run's own commit, where that was synced.
    pub head: Option<&'a RepoFacts>,
    /// The newest synced state of its main branch.
    pub main: Option<&'a RepoFacts>,
    /// The cookbook, judged; `None` where no snippet was ever synced.
    pub cookbook: Option<&'a [CookbookEntry]>,
    /// Names and their spellings.
    pub words: &'a Vocabulary,
    /// `https://host`; empty where it is not set, and links are paths then.
    pub public_url: &'a str,
    /// The time of writing, for what has expired.
    pub now: Timestamp,
}

/// The baseline: always named, never silent.
#[derive(Clone, Copy)]
pub enum Against<'a> {
    /// None.
    None(NoBaseline),
    /// A run.
    Some {
        /// The run and all it holds.
        detail: &'a Arc<RunDetail>,
        /// Whether it was asked for by its id; else the rule chose it.
        chosen: bool,
    },
}

/// Why there is no baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoBaseline {
    /// None was wanted.
    NotWanted,
    /// The run has no date, so none can be called earlier.
    Undated,
    /// The run has no curve that another could share.
    NoCurve,
    /// No earlier synthetic run shares a curve.
    NoSynthetic,
    /// No earlier run of the pull request and no official one shares a curve.
    NoEarlier,
}

impl NoBaseline {
    /// Why a run for which the rule finds none has none.
    #[must_use]
    pub fn of(run: &Run) -> Self {
        if run.date.is_none() {
            Self::Undated
        } else if run.curves.is_empty() {
            Self::NoCurve
        } else if run.synthetic {
            Self::NoSynthetic
        } else {
            Self::NoEarlier
        }
    }

    /// As a sentence.
    #[must_use]
    pub fn in_words(self, language: Language) -> String {
        let (en, zh) = match self {
            Self::NotWanted => ("no baseline was chosen", "没有选择基线"),
            Self::Undated => ("the run's date is not known, so no run can be called earlier", "该 run 的日期未知，无法判断哪个 run 更早"),
            Self::NoCurve => ("the run has no curve that another run could share", "该 run 没有可与其他 run 共有的曲线"),
            Self::NoSynthetic => ("no earlier synthetic run shares a curve with it", "没有更早的、与之共有曲线的合成 run"),
            Self::NoEarlier => (
                "no earlier run of its pull request and no earlier official run shares a curve with it",
                "其 pull request 中没有更早的 run、也没有更早的正式 run 与之共有曲线",
            ),
        };
        language.of(en, zh)
    }
}

/// The evidence of a run as Markdown, shorter than [`LIMIT`]. The first line says what the run is not; no line can be read as a
/// command by the bots that read comments.
#[must_use]
pub fn evidence(input: &EvidenceInput<'_>, language: Language) -> String {
    sections::document(input, language).render(language, LIMIT)
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test fails by panicking")]
mod tests;
