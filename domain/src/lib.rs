//! The words and the maths of Paretoscope: pure values and functions, no IO.
//!
//! Everything that the rest of the product says about a run is decided here and tested by tables and by laws.
//! The words are those of `docs/glossary.md`.

pub mod baseline;
pub mod batch;
pub mod cookbook;
pub mod curve;
pub mod delta;
pub mod eval;
pub mod fact;
pub mod format;
pub mod frontier;
pub mod ids;
pub mod kind;
pub mod label;
pub mod merge;
pub mod metric;
pub mod natural_key;
pub mod point;
pub mod pull;
mod pull_merge;
pub mod repo;
pub mod report;
pub mod run;
pub mod scenario;
pub mod significance;
pub mod synced;
pub mod threshold;
pub mod vocabulary;

pub use baseline::Baseline;
pub use ids::{Attempt, EvalId, PointId, RunId};
pub use kind::Kind;
pub use scenario::Scenario;
