//! From CI artifacts to typed rows and typed refusals.
//!
//! [`read`] takes folders, zips and JSON files as they lie on disk and returns one [`RunBatch`] for each run: rows that were
//! understood, facts about the run, every artifact with size and digest, and a quarantine that names what was refused and why.
//! Nothing is guessed: identity comes from a row's content, and a word that the vocabulary lacks makes the row unmapped.
//!
//! * `discover`: which runs and artifacts there are, by names alone
//! * `source`: bytes, one file at a time, out of folders and zips that nobody vouches for
//! * `point`, `eval`, `job_event`, `run_files`: pure parsers, one for each kind of file
//! * `log`: server logs, line by line, for facts about how a run was executed; `evidence`: which point such a fact is about
//! * `artifact`, `run`: the assembly

mod artifact;
mod discover;
mod error;
mod eval;
mod evidence;
mod fields;
mod job_event;
mod json;
mod log;
mod options;
mod parts;
mod point;
mod refusal;
mod run;
mod run_files;
mod source;

pub use error::IngestError;
pub use options::{Limits, Options, Progress};
pub use paretoscope_domain::batch::RunBatch;
pub use run::read;
