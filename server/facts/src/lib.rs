//! From what lies around a run to typed facts and typed refusals. Knows no database.
//!
//! * `repo`: a checkout of the benchmark repository
//! * `pull`: saved GitHub payloads of a pull request, and stated facts about its runs
//! * `cookbook`: generated snippets of the serving cookbook

pub mod cookbook;
pub mod pull;
pub mod repo;
