//! Identifiers as types of their own, so that a run's number cannot stand where an attempt's belongs.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Number of a CI run: positive, as GitHub gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(transparent)]
pub struct RunId(i64);

/// Why a text is no run id.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a run id: a run id is a positive whole number, as in the address of the run on GitHub")]
pub struct BadRunId(pub String);

impl RunId {
    /// A run id from a number; `None` unless it is positive.
    #[must_use]
    pub fn new(number: i64) -> Option<Self> {
        (number > 0).then_some(Self(number))
    }

    /// The number itself.
    #[must_use]
    pub fn get(self) -> i64 {
        self.0
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for RunId {
    type Err = BadRunId;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let digits = text.trim();
        let number = if digits.bytes().all(|b| b.is_ascii_digit()) { digits.parse().ok() } else { None };
        number.and_then(Self::new).ok_or_else(|| BadRunId(text.to_owned()))
    }
}

/// Attempt of a run: 1 for the first, one more for each rerun.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(transparent)]
pub struct Attempt(u32);

impl Attempt {
    /// An attempt from a number; `None` for 0.
    #[must_use]
    pub fn new(number: u32) -> Option<Self> {
        (number > 0).then_some(Self(number))
    }

    /// The number itself.
    #[must_use]
    pub fn get(self) -> u32 {
        self.0
    }
}

impl fmt::Display for Attempt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

macro_rules! hash_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// Takes a text as it is stored or asked for; it need not name anything that exists.
            #[must_use]
            pub fn from_text(text: impl Into<String>) -> Self {
                Self(text.into())
            }

            /// The text: hexadecimal digits.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

hash_id! {
    /// Identity of a point: a hash of its natural key ([`crate::natural_key`]).
    PointId
}
hash_id! {
    /// Identity of an eval row: a hash of its natural key ([`crate::natural_key`]).
    EvalId
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn run_ids_are_positive_whole_numbers() {
        assert_eq!("41261902147".parse::<RunId>().map(RunId::get), Ok(41_261_902_147));
        assert_eq!("007".parse::<RunId>().map(RunId::get), Ok(7));
        for bad in ["", "0", "-1", "abc", "1.5", "99999999999999999999", "12x"] {
            assert!(bad.parse::<RunId>().is_err(), "{bad:?}");
        }
    }

    #[test]
    fn there_is_no_attempt_zero() {
        assert_eq!(Attempt::new(0), None);
        assert_eq!(Attempt::new(2).map(Attempt::get), Some(2));
    }
}
