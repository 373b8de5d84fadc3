//! What happened to a pull request, in order, and how it stands now.
//!
//! [`answer`] puts everything together; [`commands`], [`sign_offs`], [`verdicts`] and [`rounds`] read one thing each.

mod answer;
pub mod commands;
mod cookbook;
mod dry_run;
pub mod ingest;
mod items;
pub mod labels;
mod now;
mod pin;
mod signoff;
pub mod staging;
mod text;
mod verdict;

pub use answer::{Pin, PullAnswer, PullRun, answer, measured_head};
pub use commands::{Command, CommandKind, Standing, commands, current_pin};
pub use cookbook::{CookbookRound, rounds};
pub use dry_run::{DryRow, DryRun, dry_run};
pub use items::{Actor, ItemKind, Link, Outcome, TimelineItem, timeline};
pub use now::{Beside, Hidden, Missing, Now, PinNow, now};
pub use pin::{Later, Lifetime, LifetimeState, Measured, lifetime, measured, picked};
pub use signoff::{SignOff, SignedItem, current_sign_off, is_about, is_sign_off, sign_offs};
pub use verdict::{ToldCheck, Verdict, current_verdict, is_verdict, verdicts};

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test fails by panicking")]
mod tests;
