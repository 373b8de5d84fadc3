//! State of each page's view: one typed value a page, read from the query string and written back in one canonical order.
//!
//! `parse` never fails: what can't be used is reported in words and left out, and keys that a view doesn't know are kept, so
//! that a link made for a later (or the existing) dashboard survives a round trip. `parse(&view.to_query())` gives `view` again.

mod axes;
mod changelog;
mod compare;
mod cookbook;
mod overlay;
mod pulls;
mod query;
mod run;
mod runs;

pub use axes::{X_QUANTITIES, Y_METRICS, axes_for, axis_name};
pub use changelog::ChangelogView;
pub use compare::{CompareBase, CompareView};
pub use cookbook::{CookbookColumn, CookbookSort, CookbookView};
pub use overlay::OverlayView;
pub use pulls::{PullsState, PullsView};
pub use query::{Pairs, read_pairs, write_pairs};
pub use run::{BaselineParam, RunView};
pub use runs::{RunsSort, RunsView};

/// An address: a path with a query, if there is one.
#[must_use]
pub fn address(path: &str, query: &str) -> String {
    if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") }
}

#[cfg(test)]
mod tests;
