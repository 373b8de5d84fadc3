//! What happened to a pull request, in order: commands, runs, sign-offs, verdicts, rounds of the cookbook.

pub mod commands;

pub use commands::{Command, CommandKind, Standing, commands, current_pin};
