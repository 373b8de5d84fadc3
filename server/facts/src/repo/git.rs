//! Which commit a checkout stands on, when it was made, and what differs from it.

use std::path::Path;
use std::process::Command;

use jiff::Timestamp;

use super::places::NEWER_ROOT;

/// A checkout that git knows.
pub(crate) struct Git<'a> {
    root: &'a Path,
    /// Where `root` lies in the repository: empty, or with a `/` at its end.
    prefix: String,
}

/// A commit and its time.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Commit {
    pub(crate) sha: String,
    pub(crate) at: Option<Timestamp>,
}

impl<'a> Git<'a> {
    /// The git of the checkout at `root`; `None` where there is none, or no git here. A folder that merely lies inside another
    /// repository is none of it: that repository's commit says nothing about the folder's files.
    pub(crate) fn of(root: &'a Path) -> Option<Self> {
        let asked = Self { root, prefix: String::new() };
        let prefix = asked.ask(&["rev-parse", "--show-prefix"])?.trim().to_owned();
        (prefix.is_empty() || prefix.trim_end_matches('/') == NEWER_ROOT).then_some(Self { root, prefix })
    }

    /// A commit by name or sha.
    pub(crate) fn commit(&self, name: &str) -> Option<Commit> {
        // A name that looks like an option is none.
        let name = Some(name).filter(|n| !n.starts_with('-'))?;
        let told = self.ask(&["log", "-1", "--no-show-signature", "--format=%H %cI", name, "--"])?;
        let (sha, at) = told.trim().split_once(' ')?;
        Some(Commit { sha: sha.to_owned(), at: at.parse().ok() })
    }

    /// Which of the files are not as they stand in the commit: changed, or unknown to git.
    pub(crate) fn differing(&self, files: &[String]) -> Vec<String> {
        let mut args = vec!["status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=all", "--ignored=matching", "--"];
        args.extend(files.iter().map(String::as_str));
        let told = self.ask(&args).unwrap_or_default();
        let named: Vec<&str> = told.split('\0').filter_map(|entry| entry.get(3..)).collect();
        files.iter().filter(|file| named.contains(&format!("{}{file}", self.prefix).as_str())).cloned().collect()
    }

    /// Output of a git command; `None` where it fails. Nothing that the checkout configures is run, and nothing is written.
    fn ask(&self, args: &[&str]) -> Option<String> {
        let mut git = Command::new("git");
        git.arg("-C").arg(self.root).args(["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"]).args(args);
        for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"] {
            git.env_remove(name);
        }
        let output = git.env("GIT_OPTIONAL_LOCKS", "0").output().ok()?;
        output.status.success().then(|| String::from_utf8(output.stdout).ok()).flatten()
    }
}
