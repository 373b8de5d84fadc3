//! `paretoscope`: see `paretoscope --help`.

use std::process::ExitCode;

use clap::Parser;
use paretoscope_server::cli::Cli;

fn main() -> ExitCode {
    paretoscope_server::cli::run(Cli::parse())
}
