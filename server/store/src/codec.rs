//! How values are written into columns: JSON, packed texts, times.

use jiff::Timestamp;
use paretoscope_domain::{Attempt, RunId};
use serde::Serialize;
use serde::de::DeserializeOwned;

use sha2::{Digest, Sha256};

use crate::error::StoreError;

/// Longest packed text that is unpacked, against a damaged or malicious frame: 256 MiB.
const LONGEST: usize = 256 << 20;

pub(crate) fn to_json<T: Serialize>(value: &T) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(StoreError::Unwritable)
}

/// Whose value it is, for the message when it can't be read.
pub(crate) trait Owner: Copy {
    fn in_words(self) -> String;
}

impl Owner for RunId {
    fn in_words(self) -> String {
        format!("run {self}")
    }
}

impl Owner for &str {
    fn in_words(self) -> String {
        self.to_owned()
    }
}

/// A pull request.
impl Owner for (&str, i64) {
    fn in_words(self) -> String {
        format!("pull request {}#{}", self.0, self.1)
    }
}

pub(crate) fn from_json<T: DeserializeOwned>(of: impl Owner, what: &'static str, text: &str) -> Result<T, StoreError> {
    serde_json::from_str(text).map_err(|e| StoreError::Unreadable { of: of.in_words(), what, source: Box::new(e) })
}

/// A value as packed JSON.
pub(crate) fn unpack_json<T: DeserializeOwned>(of: impl Owner, what: &'static str, packed: &[u8]) -> Result<T, StoreError> {
    from_json(of, what, &unpack(of, what, packed)?)
}

/// `sha256:…` of a text.
pub(crate) fn digest(text: &str) -> String {
    format!("sha256:{}", hex::encode(Sha256::digest(text.as_bytes())))
}

/// A repository's name as a key: GitHub doesn't tell cases apart.
pub(crate) fn repo_key(repo: &str) -> String {
    repo.trim().to_ascii_lowercase()
}

/// The digits by which a commit is found; `None` for what is too short to name one.
pub(crate) fn sha7(sha: &str) -> Option<String> {
    sha.trim().get(..7).map(str::to_ascii_lowercase)
}

pub(crate) fn pack(text: &str) -> Result<Vec<u8>, StoreError> {
    zstd::bulk::compress(text.as_bytes(), 3).map_err(StoreError::Compress)
}

pub(crate) fn unpack(of: impl Owner, what: &'static str, packed: &[u8]) -> Result<String, StoreError> {
    let unreadable = |source: Box<dyn std::error::Error + Send + Sync>| StoreError::Unreadable { of: of.in_words(), what, source };
    let size = zstd::zstd_safe::get_frame_content_size(packed)
        .ok()
        .flatten()
        .and_then(|n| usize::try_from(n).ok())
        .filter(|n| *n <= LONGEST)
        .ok_or_else(|| unreadable("no zstd frame of a known size".into()))?;
    let bytes = zstd::bulk::decompress(packed, size).map_err(|e| unreadable(Box::new(e)))?;
    String::from_utf8(bytes).map_err(|e| unreadable(Box::new(e)))
}

pub(crate) fn micros(at: Timestamp) -> i64 {
    at.as_microsecond()
}

pub(crate) fn time(micros: i64) -> Option<Timestamp> {
    Timestamp::from_microsecond(micros).ok()
}

pub(crate) fn attempt(number: Option<i64>) -> Option<Attempt> {
    number.and_then(|n| u32::try_from(n).ok()).and_then(Attempt::new)
}

pub(crate) fn number(attempt: Option<Attempt>) -> Option<i64> {
    attempt.map(|a| i64::from(a.get()))
}

/// A count for a BIGINT column; one that does not fit is the largest that does.
pub(crate) fn count(n: u64) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

/// A count from a BIGINT column.
pub(crate) fn size(n: i64) -> u64 {
    u64::try_from(n).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_texts_come_back() {
        let run = RunId::new(1).unwrap();
        for text in ["", "{}", "é\u{0}x", &"long ".repeat(10_000)] {
            assert_eq!(unpack(run, "raw", &pack(text).unwrap()).unwrap(), text);
        }
        assert!(unpack(run, "raw", b"rubbish").is_err());
    }
}
