//! The bundled sample: runs as the artifacts a CI run leaves behind, laid out as `gh run download` lays them (a
//! folder an artifact), so that they take the same way in as any other run.
//!
//! * [`reference_runs`]: two real runs of one pull request, with exactly the figures its public discussion states.
//! * [`synthetic_runs`]: an invented history from a fixed seed. Every such run says `"paretoscope_synthetic": true`
//!   in its `run.json`, and every page that shows it must say so too.
//! * [`pull_payloads`]: that pull request as GitHub's API would give it, retold, and what is stated about its runs.
//! * [`cookbook_states`]: the cookbook's snippet for its configuration, before and after the run was pinned.
//! * [`repo_states`]: checkouts of the benchmark repository before and at the heads of the reference pull request, retold.
//!
//! `sample/README.md` lists what is stated, what is missing and how to regenerate the checked-in files.

mod artifacts;
mod cookbook;
mod history;
mod json;
mod pull;
mod reference;
mod repo;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

pub use cookbook::SampleCookbook;
pub use repo::SampleRepo;

/// One run, as a folder of artifacts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SampleRun {
    /// The run's folder, named by its run id.
    pub dir: String,
    /// The run's files: `run.json`, and a folder for each artifact (under `attempt-N/` where the attempt is known).
    pub files: Vec<SampleFile>,
}

/// One file of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SampleFile {
    /// Relative to the run's folder, with `/` between its parts.
    pub path: String,
    /// The whole text of the file.
    pub contents: String,
}

/// Runs 41261902147 and 40809149952 of pull request 4603, with exactly the figures the pull request states.
#[must_use]
pub fn reference_runs() -> Vec<SampleRun> {
    reference::runs()
}

/// An invented history over eight months: several models, GPUs, frameworks and scenarios. The same bytes each time.
#[must_use]
pub fn synthetic_runs() -> Vec<SampleRun> {
    history::runs()
}

/// Payloads of pull request 4603 in GitHub's REST shapes, retold, and what its sign-off and verdict state about its runs. Paths are
/// `4603/pull.json` and the like; each file is what `paretoscope pulls import` takes.
#[must_use]
pub fn pull_payloads() -> Vec<SampleFile> {
    pull::payloads()
}

/// Two states of the cookbook's snippet for the reference configuration, oldest first: the round that missed the pin, and the one
/// that has it.
#[must_use]
pub fn cookbook_states() -> Vec<SampleCookbook> {
    cookbook::states()
}

/// States of the benchmark repository: main before pull request 4603, and two heads of it. To be written with [`write_repo`] and
/// read as any other checkout.
#[must_use]
pub fn repo_states() -> Vec<SampleRepo> {
    repo::states()
}

/// Writes a state of the repository as a checkout at `dir`.
///
/// # Errors
/// Any failure to write a file, naming it.
pub fn write_repo(dir: &Path, state: &SampleRepo) -> io::Result<()> {
    write_files(dir, &state.files)
}

/// Writes files below `dir`.
///
/// # Errors
/// Any failure to write a file, naming it.
pub fn write_files(dir: &Path, files: &[SampleFile]) -> io::Result<()> {
    for file in files {
        let path = dir.join(&file.path);
        write(&path, &file.contents).map_err(|error| naming(&path, error))?;
    }
    Ok(())
}

/// Writes runs below `dir`, a folder each, and returns the path of each run's folder. A run folder that is there
/// already is replaced whole, so that no file of an earlier version stays behind.
///
/// # Errors
/// Any failure to remove or write a file, naming it.
pub fn write_to(dir: &Path, runs: &[SampleRun]) -> io::Result<Vec<PathBuf>> {
    let mut written = Vec::with_capacity(runs.len());
    for run in runs {
        let folder = dir.join(&run.dir);
        if folder.exists() {
            fs::remove_dir_all(&folder).map_err(|error| naming(&folder, error))?;
        }
        for file in &run.files {
            let path = folder.join(&file.path);
            write(&path, &file.contents).map_err(|error| naming(&path, error))?;
        }
        written.push(folder);
    }
    Ok(written)
}

fn write(path: &Path, contents: &str) -> io::Result<()> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    fs::write(path, contents)
}

fn naming(path: &Path, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
