//! What a reviewer of a benchmark pull request has to decide, as pure functions over gathered facts.
//!
//! * `compare`: two runs against each other: changes, noise, frontiers, evals, a verdict sentence
//! * `checks`: the verifier's checks 0 to 18
//! * `timeline`: commands, pins, sign-offs, verdicts, rounds of the cookbook, and what is missing before the merge
//! * `drift`: the cookbook's claims against pins, official runs and images
//! * `changelog`: the repository's changelog linked to runs and pull requests
//! * `evidence`: the sign-off's additional-detail section as Markdown
//!
//! Nothing here reads a file, a database or a clock. Nothing passes because it could not be looked at.

pub mod changelog;
pub mod check;
pub mod checks;
pub mod compare;
pub mod drift;
pub mod evidence;
pub mod gathered;
pub mod timeline;

pub use check::{Check, CheckStatus, Input};
pub use gathered::Gathered;
