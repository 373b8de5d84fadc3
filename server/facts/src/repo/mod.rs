//! A checkout of the benchmark repository, read into facts at one commit (formats-and-rules §2.1, §2.2, §3.2, §3.3, §5).
//!
//! Both layouts are read: files at the checkout's root, and below `inferencex-e2e/`. What can't be used is listed with its place and
//! its reason, what is merely odd is kept and listed too, and neither costs anything else.

mod changelog;
mod checklist;
mod configs;
mod git;
mod golden;
mod matrix;
mod models;
mod notes;
mod owners;
mod places;
#[cfg(test)]
mod tests;
mod thresholds;
mod yaml;

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use paretoscope_domain::repo::{Refused, RepoFacts};
use paretoscope_domain::run::DEFAULT_REPO;
use paretoscope_domain::vocabulary::Vocabulary;

use self::changelog::Known;
use self::git::Git;
use self::notes::Notes;
use self::places::Checkout;

pub use self::notes::reason;

/// What the caller knows better than the checkout.
#[derive(Clone, Debug, Default)]
pub struct RepoOptions {
    /// `owner/name`; the public benchmark's repository where not given.
    pub repo: Option<String>,
    /// Commit that the files stand at; asked of git where not given.
    pub commit: Option<String>,
    /// When that commit was made; asked of git where not given.
    pub committed_at: Option<Timestamp>,
    /// Where it is no checkout but a retelling: what it is, in words.
    pub retold: Option<String>,
}

/// Why a checkout gave nothing.
#[derive(Debug, thiserror::Error)]
pub enum RepoError {
    /// The path is not a folder.
    #[error("{} is not a folder: give a checkout of the benchmark repository", .0.display())]
    NotAFolder(PathBuf),
    /// Nothing that is looked for lies there.
    #[error(
        "{} holds nothing of the benchmark repository: looked for perf-changelog.yaml, configs/, MODELS.md, golden_al_distribution/, \
         thresholds.yaml, CODEOWNERS and PR_REVIEW_CHECKLIST.md at its root, below inferencex-e2e/ and in their former places",
        .0.display()
    )]
    Nothing(PathBuf),
}

/// Reads the checkout at `path`.
///
/// # Errors
/// When `path` is no folder or holds none of the files. A file that can't be read is listed in [`RepoFacts::refused`] instead.
pub fn read(path: &Path, options: &RepoOptions, words: &Vocabulary) -> Result<RepoFacts, RepoError> {
    if !path.is_dir() {
        return Err(RepoError::NotAFolder(path.to_owned()));
    }
    let mut checkout = Checkout::at(path);
    let repo = options.repo.clone().unwrap_or_else(|| DEFAULT_REPO.to_owned());
    let mut facts = RepoFacts { repo, root: root(&checkout), retold: options.retold.clone(), ..RepoFacts::default() };
    // Notes on contents; those on the files themselves are the checkout's.
    let mut refused: Vec<Refused> = Vec::new();

    let masters = checkout.files(&places::CONFIGS, "", configs::is_master);
    let archive = checkout.files(&places::CONFIGS, "deprecated", |name| name.ends_with(".yaml") || name.ends_with(".yml"));
    facts.configs = configs::read(&masters, words, &mut refused);
    if let Some(source) = checkout.file(&places::CHANGELOG) {
        let retired = configs::retired(&archive, &mut refused);
        let known = Known { repo: &facts.repo, configs: facts.configs.iter().map(|c| c.key.as_str()).collect(), retired };
        facts.changelog = changelog::read(&source, &known, &mut refused);
    }
    if let Some(source) = checkout.file(&places::MODELS) {
        let models = models::read(&source, words, &mut refused);
        (facts.models, facts.scenarios) = (models.models, models.scenarios);
    }
    let golden = checkout.files(&places::GOLDEN, "", |name| name.ends_with(".yaml") || name.ends_with(".yml"));
    facts.golden = golden::read(&golden, &mut refused);
    facts.thresholds = checkout.file(&places::THRESHOLDS).map(|source| thresholds::read(&source, &mut refused)).unwrap_or_default();
    facts.code_owners = checkout.file(&places::CODE_OWNERS).map(|source| owners::read(&source, &mut refused));
    facts.checklist = checkout.file(&places::CHECKLIST).map(|source| checklist::read(&source, &mut refused));

    if checkout.read.is_empty() && checkout.refused.is_empty() {
        return Err(RepoError::Nothing(path.to_owned()));
    }
    (facts.commit, facts.committed_at) = commit(path, options, &checkout.read, &mut refused);
    facts.read = checkout.read;
    facts.refused = checkout.refused;
    facts.refused.append(&mut refused);
    Ok(facts)
}

/// The folder that holds the changelog and the master configurations.
fn root(checkout: &Checkout<'_>) -> String {
    let place = checkout.place(&places::CHANGELOG).or_else(|| checkout.place(&places::CONFIGS)).unwrap_or_default();
    if place.starts_with(places::NEWER_ROOT) { places::NEWER_ROOT.to_owned() } else { String::new() }
}

/// The commit and its time: as given, else as git tells. Files that are not as the commit has them are noted.
fn commit(path: &Path, options: &RepoOptions, read: &[String], refused: &mut Vec<Refused>) -> (Option<String>, Option<Timestamp>) {
    let git = Git::of(path);
    let head = git.as_ref().and_then(|git| git.commit("HEAD"));
    let Some(given) = options.commit.clone() else {
        let at = options.committed_at.or_else(|| head.as_ref().and_then(|c| c.at));
        if let (Some(git), Some(head)) = (&git, &head) {
            for file in git.differing(read) {
                let detail = format!("not as commit {} has it; what is read is the file as it lies here", short(&head.sha));
                Notes::on(&file, refused).odd_file(reason::DIFFERS_FROM_COMMIT, detail);
            }
        }
        return (head.map(|c| c.sha), at);
    };
    if let Some(head) = head.filter(|head| !head.sha.starts_with(&given.to_ascii_lowercase())) {
        let detail = format!(
            "the checkout stands on {}, the commit given is {}; its files are read as they lie here",
            short(&head.sha),
            short(&given)
        );
        Notes::on(".", refused).odd_file(reason::OTHER_COMMIT, detail);
    }
    let known = git.as_ref().and_then(|git| git.commit(&given));
    let at = options.committed_at.or_else(|| known.as_ref().and_then(|c| c.at));
    // A short sha that git knows is kept whole.
    (Some(known.filter(|c| c.sha.starts_with(&given.to_ascii_lowercase())).map_or(given, |c| c.sha)), at)
}

fn short(sha: &str) -> &str {
    sha.get(..8).unwrap_or(sha)
}
