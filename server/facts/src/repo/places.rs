//! Where a checkout keeps what is read. The benchmark repository was re-rooted in autumn 2026, and earlier too: each thing is
//! looked for in the newest place first.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use paretoscope_domain::repo::Refused;

use super::notes::{Notes, reason};

/// Folder of the newer layout that holds the changelog and the master configurations.
pub(crate) const NEWER_ROOT: &str = "inferencex-e2e";

/// Something to be read, and where it may lie.
pub(crate) struct Wanted {
    places: &'static [&'static str],
}

pub(crate) const CHANGELOG: Wanted = Wanted { places: &["inferencex-e2e/perf-changelog.yaml", "perf-changelog.yaml"] };
pub(crate) const CONFIGS: Wanted = Wanted { places: &["inferencex-e2e/configs", "configs", ".github/configs"] };
pub(crate) const MODELS: Wanted =
    Wanted { places: &["inferencex-e2e/docs/MODELS.md", "inferencex-e2e/MODELS.md", "docs/MODELS.md", "MODELS.md"] };
pub(crate) const GOLDEN: Wanted = Wanted {
    places: &[
        "inferencex-e2e/infx/golden_al_distribution",
        "inferencex-e2e/golden_al_distribution",
        "infx/golden_al_distribution",
        "golden_al_distribution",
        "utils/golden_al_distribution",
    ],
};
pub(crate) const THRESHOLDS: Wanted = Wanted {
    places: &[
        "inferencex-e2e/infx/evals/thresholds.yaml",
        "inferencex-e2e/utils/evals/thresholds.yaml",
        "infx/evals/thresholds.yaml",
        "utils/evals/thresholds.yaml",
    ],
};
/// In the order in which GitHub looks.
pub(crate) const CODE_OWNERS: Wanted = Wanted { places: &[".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS"] };
pub(crate) const CHECKLIST: Wanted = Wanted {
    places: &[
        "inferencex-e2e/docs/PR_REVIEW_CHECKLIST.md",
        "inferencex-e2e/PR_REVIEW_CHECKLIST.md",
        "docs/PR_REVIEW_CHECKLIST.md",
        ".github/PR_REVIEW_CHECKLIST.md",
        "PR_REVIEW_CHECKLIST.md",
    ],
};

/// A file's place, relative to the checkout with `/` between its parts, and its text.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) path: String,
    pub(crate) text: String,
}

impl Source {
    /// Name of the file.
    pub(crate) fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }
}

/// A folder that is read from.
pub(crate) struct Checkout<'a> {
    root: &'a Path,
    /// Files that were read.
    pub(crate) read: Vec<String>,
    pub(crate) refused: Vec<Refused>,
}

impl<'a> Checkout<'a> {
    pub(crate) fn at(root: &'a Path) -> Self {
        Self { root, read: Vec::new(), refused: Vec::new() }
    }

    /// The file, from the first place that has it; the others are noted.
    pub(crate) fn file(&mut self, wanted: &Wanted) -> Option<Source> {
        let path = self.first(wanted, Path::is_file)?;
        self.open(path.to_owned())
    }

    /// The files of the folder whose names `takes` takes, by name.
    pub(crate) fn files(&mut self, wanted: &Wanted, below: &str, takes: impl Fn(&str) -> bool) -> Vec<Source> {
        let Some(folder) = self.first(wanted, Path::is_dir) else { return Vec::new() };
        let folder = if below.is_empty() { folder.to_owned() } else { format!("{folder}/{below}") };
        let names = match names_in(&self.root.join(&folder)) {
            Ok(names) => names,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Vec::new(),
            Err(error) => {
                Notes::on(&folder, &mut self.refused).refuse_file(reason::UNREADABLE, error.to_string());
                return Vec::new();
            }
        };
        names.into_iter().filter(|name| takes(name)).filter_map(|name| self.open(format!("{folder}/{name}"))).collect()
    }

    /// Where the first of the places lies.
    pub(crate) fn place(&self, wanted: &Wanted) -> Option<&'static str> {
        wanted.places.iter().copied().find(|place| self.root.join(place).exists())
    }

    fn first(&mut self, wanted: &Wanted, is: impl Fn(&Path) -> bool) -> Option<&'static str> {
        let mut there = wanted.places.iter().copied().filter(|place| is(&self.root.join(place)));
        let first = there.next()?;
        for other in there {
            let seen = self.refused.iter().any(|r| r.file == other && r.reason == reason::OTHER_PLACE);
            if !seen {
                Notes::on(other, &mut self.refused).refuse_file(reason::OTHER_PLACE, format!("{first} is read instead"));
            }
        }
        Some(first)
    }

    fn open(&mut self, path: String) -> Option<Source> {
        let text = fs::read(self.root.join(&path)).map_err(|e| e.to_string());
        match text
            .and_then(|bytes| String::from_utf8(bytes).map_err(|e| format!("not UTF-8 from byte {} on", e.utf8_error().valid_up_to())))
        {
            Ok(text) => {
                self.read.push(path.clone());
                Some(Source { path, text: text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text) })
            }
            Err(detail) => {
                Notes::on(&path, &mut self.refused).refuse_file(reason::UNREADABLE, detail);
                None
            }
        }
    }
}

fn names_in(folder: &PathBuf) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.path().is_file() {
            names.extend(entry.file_name().into_string());
        }
    }
    names.sort();
    Ok(names)
}
