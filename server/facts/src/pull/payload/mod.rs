//! Payloads, each to its value and what it says of the pull request it belongs to. An error names what is missing.

mod commit;
mod conversation;
mod event;
mod file;
mod pull;

pub(super) use commit::commit;
pub(super) use conversation::{comment, permission, review};
pub(super) use event::{TimelineItem, timeline_item};
pub(super) use file::file;
pub(super) use pull::{pull, pull_of_gh};

use super::owner::Hint;

/// A value and where it belongs.
pub(super) type Parsed<T> = Result<(T, Hint), String>;

fn missing(what: &str) -> String {
    format!("it has no {what}")
}
