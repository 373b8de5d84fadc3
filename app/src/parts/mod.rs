//! Components that several pages share, and the reasoning behind what they say.

pub(crate) mod chart;
pub(crate) mod checks;
pub(crate) mod cookbook;
pub(crate) mod curves;
pub(crate) mod evals;
pub(crate) mod facts;
pub(crate) mod islands;
pub(crate) mod points;
pub(crate) mod runs;
pub(crate) mod view;
pub(crate) mod words;

/// A block of markup of any type.
pub(crate) type Block = leptos::prelude::AnyView;
