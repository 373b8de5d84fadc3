//! Writes the sample to disk: `cargo run -p paretoscope-sample [-- DIR [--synthetic]]`.
//!
//! Without arguments, from the repository's root, it regenerates what is checked in: the reference runs in `sample/runs` and the
//! payloads of their pull request in `sample/pulls`.
//! `--synthetic` writes the synthetic history instead; it is never checked in, so that one needs a `DIR`.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

const USAGE: &str = "usage: paretoscope-sample [DIR [--synthetic]]";

fn main() -> io::Result<()> {
    let mut dir: Option<PathBuf> = None;
    let mut synthetic = false;
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--synthetic" => synthetic = true,
            flag if flag.starts_with('-') => return Err(usage()),
            _ if dir.is_some() => return Err(usage()),
            path => dir = Some(path.into()),
        }
    }
    let (dir, runs) = match (dir, synthetic) {
        (None, true) => return Err(usage()),
        (Some(dir), true) => (dir, paretoscope_sample::synthetic_runs()),
        (Some(dir), false) => (dir, paretoscope_sample::reference_runs()),
        (None, false) => {
            if !Path::new("sample/Cargo.toml").exists() {
                return Err(io::Error::new(io::ErrorKind::NotFound, "sample/ is not here: run from the repository's root, or name a DIR"));
            }
            ("sample/runs".into(), paretoscope_sample::reference_runs())
        }
    };
    let mut out = io::stdout().lock();
    if dir == Path::new("sample/runs") {
        paretoscope_sample::write_files(Path::new("sample/pulls"), &paretoscope_sample::pull_payloads())?;
        writeln!(out, "sample/pulls")?;
    }
    for folder in paretoscope_sample::write_to(&dir, &runs)? {
        writeln!(out, "{}", folder.display())?;
    }
    Ok(())
}

fn usage() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, USAGE)
}
