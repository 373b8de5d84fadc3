//! Which entries are asked for: the same for the page, the API and the file.

use std::str::FromStr;

use paretoscope_domain::cookbook::CookbookStatus;
use paretoscope_domain::vocabulary::Vocabulary;

use super::{CookbookEntry, DriftKind};

/// What an entry's drift must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DriftFilter {
    /// Some.
    Any,
    /// None that is known, and all claims could be looked at.
    None,
    /// None that is known, but something could not be looked at.
    NotKnown,
    /// Some of a kind.
    Kind(DriftKind),
}

/// A text that is no such filter.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("drift is any, none, not_known or one of {}", DriftKind::ALL.map(DriftKind::as_str).join(", "))]
pub struct BadDriftFilter;

impl DriftFilter {
    /// All choices, as a menu shows them.
    #[must_use]
    pub fn all() -> Vec<Self> {
        [Self::Any, Self::None, Self::NotKnown].into_iter().chain(DriftKind::ALL.map(Self::Kind)).collect()
    }

    /// The word in the address.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Any => "any",
            Self::None => "none",
            Self::NotKnown => "not_known",
            Self::Kind(kind) => kind.as_str(),
        }
    }

    /// For people.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Any => "any drift",
            Self::None => "no drift",
            Self::NotKnown => "no drift known, not all looked at",
            Self::Kind(kind) => kind.title(),
        }
    }

    /// Whether an entry has it.
    #[must_use]
    pub fn fits(self, e: &CookbookEntry) -> bool {
        match self {
            Self::Any => !e.drift.is_empty(),
            Self::None => e.drift.is_empty() && e.not_known.is_empty(),
            Self::NotKnown => e.drift.is_empty() && !e.not_known.is_empty(),
            Self::Kind(kind) => e.drift.iter().any(|d| d.kind == kind),
        }
    }
}

impl FromStr for DriftFilter {
    type Err = BadDriftFilter;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::all().into_iter().find(|f| f.as_str() == text.trim()).ok_or(BadDriftFilter)
    }
}

/// Which entries are asked for; all that is given must fit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CookbookFilter {
    /// Status.
    pub status: Option<CookbookStatus>,
    /// Drift.
    pub drift: Option<DriftFilter>,
    /// Words to find in key, cell, label, model, hardware, framework, run, commit, image and pull request.
    pub q: Option<String>,
}

impl CookbookFilter {
    /// Whether an entry fits.
    #[must_use]
    pub fn fits(&self, e: &CookbookEntry, words: &Vocabulary) -> bool {
        self.status.is_none_or(|s| e.status == s) && self.drift.is_none_or(|d| d.fits(e)) && self.mentions(e, words)
    }

    fn mentions(&self, e: &CookbookEntry, words: &Vocabulary) -> bool {
        let q = self.q.as_deref().unwrap_or_default().to_lowercase();
        let mut needles = q.split_whitespace().map(|w| w.trim_start_matches('#')).filter(|w| !w.is_empty()).peekable();
        if needles.peek().is_none() {
            return true;
        }
        let shown =
            |key: &Option<String>, label: fn(&Vocabulary, &str) -> String| key.as_deref().map(|k| label(words, k)).unwrap_or_default();
        let texts = [
            e.cell_id.clone().unwrap_or_else(|| e.config_key.clone()),
            e.label.clone().unwrap_or_default(),
            e.model.clone().unwrap_or_default(),
            shown(&e.model, |w, k| w.model_label(k).to_owned()),
            e.hardware.clone().unwrap_or_default(),
            shown(&e.hardware, |w, k| w.hardware_label(k).to_owned()),
            e.framework.clone().unwrap_or_default(),
            shown(&e.framework, |w, k| w.framework_label(k).to_owned()),
            e.run_id.map(|r| r.to_string()).unwrap_or_default(),
            e.pinned_run_id.map(|r| r.to_string()).unwrap_or_default(),
            e.official_run_id.map(|r| r.to_string()).unwrap_or_default(),
            e.pr.map(|n| n.to_string()).unwrap_or_default(),
            e.sha.clone().unwrap_or_default(),
            e.image.clone().unwrap_or_default(),
            e.image_digest.clone().unwrap_or_default(),
        ]
        .join("\n")
        .to_lowercase();
        needles.all(|needle| texts.contains(needle))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_are_read_as_they_are_written() {
        for filter in DriftFilter::all() {
            assert_eq!(filter.as_str().parse(), Ok(filter));
        }
        let error = "lost".parse::<DriftFilter>().unwrap_err().to_string();
        assert!(error.contains("forbidden_flag") && error.contains("any"), "{error}");
    }
}
