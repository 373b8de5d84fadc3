//! The languages of the evidence, and the words both halves of the review share.

use std::str::FromStr;

use jiff::Timestamp;
use jiff::tz::TimeZone;

/// A language that evidence is written in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// English.
    #[default]
    En,
    /// Chinese, simplified.
    Zh,
}

/// A language that evidence is not written in.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no language of the evidence: en or zh")]
pub struct UnknownLanguage(pub String);

impl FromStr for Language {
    type Err = UnknownLanguage;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        [Self::En, Self::Zh].into_iter().find(|l| l.as_str() == text.trim()).ok_or_else(|| UnknownLanguage(text.to_owned()))
    }
}

impl Language {
    /// The word in an address: `en`, `zh`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Zh => "zh",
        }
    }

    /// Its own name: `English`, `中文`.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::En => "English",
            Self::Zh => "中文",
        }
    }

    /// One of two texts that say the same. Both stand side by side wherever something is said, so that neither is forgotten.
    #[must_use]
    pub fn of(self, en: impl Into<String>, zh: impl Into<String>) -> String {
        match self {
            Self::En => en.into(),
            Self::Zh => zh.into(),
        }
    }

    /// `a, b and c`; `a、b 和 c`.
    #[must_use]
    pub fn list(self, names: &[String]) -> String {
        // Chinese has spaces beside Latin letters only.
        let plain = names.iter().rev().nth(1).is_some_and(|name| name.ends_with('）'));
        let (comma, and) = match self {
            Self::En => (", ", " and "),
            Self::Zh if plain => ("、", "和 "),
            Self::Zh => ("、", " 和 "),
        };
        match names {
            [] => String::new(),
            [one] => one.clone(),
            [head @ .., last] => format!("{}{and}{last}", head.join(comma)),
        }
    }

    /// A time to the minute, UTC, as it sorts: `2026-11-03 03:28 UTC`.
    #[must_use]
    pub fn time(self, at: Timestamp) -> String {
        let at = at.to_zoned(TimeZone::UTC);
        format!("{} {:02}:{:02} UTC", at.date(), at.hour(), at.minute())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_are_read_and_named() {
        assert_eq!("zh".parse(), Ok(Language::Zh));
        assert_eq!(" en ".parse(), Ok(Language::En));
        assert!("de".parse::<Language>().is_err());
        let names: Vec<String> = ["a", "b", "c"].map(str::to_owned).to_vec();
        assert_eq!(Language::En.list(&names), "a, b and c");
        assert_eq!(Language::Zh.list(&names), "a、b 和 c");
        assert_eq!(Language::En.list(&["a".to_owned()]), "a");
        assert_eq!(Language::En.time("2026-11-03T03:28:14Z".parse().unwrap()), "2026-11-03 03:28 UTC");
    }
}
