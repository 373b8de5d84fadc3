//! Where snippets lie, which commit brought them, and on which page people read them.

use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use jiff::Timestamp;
use walkdir::WalkDir;

/// The folder of the snippets, wherever the documentation lies.
const FOLDER: [&str; 2] = ["snippets", "agentx"];
/// The site of the documentation.
const SITE: &str = "https://docs.sglang.io";

/// Every snippet at or below a path, in order. Names that begin with `_` are the code that shows them.
pub(super) fn snippets(path: &Path) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path.to_owned()];
    }
    let skipped = |name: &str| (name.starts_with('.') && name.len() > 1) || name == "node_modules";
    let walk = WalkDir::new(path).sort_by_file_name().into_iter();
    let walk = walk.filter_entry(|e| e.depth() == 0 || !e.file_name().to_str().is_some_and(skipped));
    let files = walk.filter_map(Result::ok).filter(|e| e.file_type().is_file()).map(walkdir::DirEntry::into_path);
    let named: Vec<PathBuf> = files.filter(|f| is_named_snippet(f)).collect();
    let placed: Vec<PathBuf> = named.iter().filter(|f| place(f).is_some()).cloned().collect();
    if placed.is_empty() { named.into_iter().filter(|f| declares(f)).collect() } else { placed }
}

fn is_named_snippet(file: &Path) -> bool {
    let name = file.file_name().and_then(|n| n.to_str()).unwrap_or_default();
    let kind = file.extension().and_then(|x| x.to_str()).unwrap_or_default();
    !name.starts_with('_') && (kind == "jsx" || (kind == "json" && place(file).is_some()))
}

fn declares(file: &Path) -> bool {
    fs::read_to_string(file).is_ok_and(|text| text.contains("export const agentx"))
}

fn parts(path: &Path) -> Vec<&str> {
    path.components().filter_map(|c| if let Component::Normal(part) = c { part.to_str() } else { None }).collect()
}

/// Where `snippets/agentx` stands among the parts of a path.
fn place(file: &Path) -> Option<usize> {
    parts(file).windows(2).rposition(|pair| pair == FOLDER)
}

/// A file's path within its repository: from the folder of the documentation on (`docs/src/snippets/agentx/…`); its own name
/// where it lies elsewhere.
pub(super) fn path_within(file: &Path) -> String {
    let parts = parts(file);
    let start = place(file).map(|at| {
        let under_src = at.checked_sub(1).filter(|i| parts.get(*i) == Some(&"src"));
        let docs = under_src.unwrap_or(at).checked_sub(1).filter(|i| parts.get(*i).is_some_and(|p| p.starts_with("docs")));
        docs.or(under_src).unwrap_or(at)
    });
    match start {
        Some(start) => parts.get(start..).unwrap_or_default().join("/"),
        None => parts.last().copied().unwrap_or_default().to_owned(),
    }
}

/// What git tells of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Origin {
    pub(super) commit: Option<String>,
    pub(super) at: Option<Timestamp>,
    /// Pull request that its newest commit names.
    pub(super) pull: Option<i64>,
    /// The file is not as it stands in the commit.
    pub(super) changed: bool,
}

/// The checkout around a path.
pub(super) struct Checkout {
    root: Option<PathBuf>,
    /// Only a part of the history is there: the newest commit at hand need not have touched the file.
    shallow: bool,
    /// Pages of the documentation that show a snippet: path, text.
    pages: Vec<(PathBuf, String)>,
}

impl Checkout {
    pub(super) fn around(path: &Path) -> Self {
        let folder = if path.is_dir() { path } else { path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new(".")) };
        let root = git(folder, &["rev-parse", "--show-toplevel"]).map(|told| PathBuf::from(told.trim()));
        let shallow = git(folder, &["rev-parse", "--is-shallow-repository"]).is_none_or(|told| told.trim() != "false");
        Self { root, shallow, pages: pages(path) }
    }

    /// Which commit brought a file to this state.
    pub(super) fn origin(&self, file: &Path) -> Origin {
        let none = Origin::default();
        let (Some(root), Ok(file)) = (&self.root, file.canonicalize()) else { return none };
        let root = root.canonicalize().unwrap_or_else(|_| root.clone());
        let Some(within) = file.strip_prefix(&root).ok().and_then(Path::to_str) else { return none };
        if git(&root, &["ls-files", "--error-unmatch", "--", within]).is_none() {
            // It merely lies inside a repository.
            return none;
        }
        if git(&root, &["status", "--porcelain", "--", within]).is_none_or(|told| !told.trim().is_empty()) {
            return Origin { changed: true, ..none };
        }
        let Some(told) = git(&root, &["log", "-1", "--no-show-signature", "--format=%H%n%cI%n%s", "--", within]) else { return none };
        let mut lines = told.lines();
        let (commit, at, subject) = (lines.next(), lines.next(), lines.next());
        let pull = subject.filter(|_| !self.shallow).and_then(pull_of_subject);
        Origin { commit: commit.map(str::to_owned), at: at.and_then(|t| t.parse().ok()), pull, changed: false }
    }

    /// The page that shows a file: the one that imports it, at the heading under which it does.
    pub(super) fn page(&self, file: &Path) -> Option<String> {
        let within = path_within(file);
        let import = within.split_once("snippets/").map(|(_, rest)| format!("snippets/{rest}"))?;
        let (page, text) = self.pages.iter().find(|(_, text)| text.contains(&import))?;
        let parts = parts(page);
        let start = parts.iter().rposition(|p| p.starts_with("docs"))? + 1;
        let address = parts.get(start..)?.join("/");
        let address = address.strip_suffix(".mdx").unwrap_or(&address);
        let anchor = heading(text).map(|h| format!("#{h}")).unwrap_or_default();
        Some(format!("{SITE}/{address}{anchor}"))
    }
}

/// `#47929` at the end of a squashed commit's subject.
fn pull_of_subject(subject: &str) -> Option<i64> {
    subject.trim().strip_suffix(')')?.rsplit_once("(#")?.1.parse().ok().filter(|n| *n > 0)
}

/// Pages of the documentation around a path that import a snippet.
fn pages(path: &Path) -> Vec<(PathBuf, String)> {
    let absolute = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let inside = absolute.ancestors().find(|a| a.file_name().and_then(|n| n.to_str()).is_some_and(|n| n.starts_with("docs")));
    let roots: Vec<PathBuf> = match inside {
        Some(docs) => vec![docs.to_owned()],
        None => ["docs", "docs_new"].iter().map(|d| absolute.join(d)).filter(|d| d.is_dir()).collect(),
    };
    let files = roots.iter().flat_map(|root| WalkDir::new(root).sort_by_file_name().into_iter().filter_map(Result::ok));
    let files = files.filter(|e| e.file_type().is_file() && e.path().extension().is_some_and(|x| x == "mdx"));
    let with_text = files.filter_map(|e| Some((e.path().to_owned(), fs::read_to_string(e.path()).ok()?)));
    with_text.filter(|(_, text)| text.contains("snippets/agentx/")).collect()
}

/// Anchor of the heading under which a page shows its snippet.
fn heading(text: &str) -> Option<String> {
    let before = text.split_once("<AgentX").map(|(before, _)| before)?;
    let title = before.lines().rev().find_map(|line| line.strip_prefix('#').map(|rest| rest.trim_start_matches('#').trim()))?;
    let kept = title.to_lowercase().chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_')).collect::<String>();
    // Headings may be numbered; the site's anchors keep the number.
    Some(kept.split_whitespace().collect::<Vec<_>>().join("-"))
}

/// Output of a git command; `None` where it fails. Nothing that the checkout configures is run, and nothing is written.
fn git(folder: &Path, arguments: &[&str]) -> Option<String> {
    let mut git = Command::new("git");
    git.arg("-C").arg(folder).args(["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"]).args(arguments);
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"] {
        git.env_remove(name);
    }
    let output = git.env("GIT_OPTIONAL_LOCKS", "0").output().ok()?;
    output.status.success().then(|| String::from_utf8(output.stdout).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_start_at_the_documentation() {
        for (file, within) in [
            ("/x/sglang/docs/src/snippets/agentx/Qwen/q.jsx", "docs/src/snippets/agentx/Qwen/q.jsx"),
            ("sglang/docs_new/src/snippets/agentx/Qwen/q.jsx", "docs_new/src/snippets/agentx/Qwen/q.jsx"),
            ("snippets/agentx/Qwen/q.jsx", "snippets/agentx/Qwen/q.jsx"),
            ("a/src/snippets/agentx/q.jsx", "src/snippets/agentx/q.jsx"),
            ("/tmp/q.jsx", "q.jsx"),
        ] {
            assert_eq!(path_within(Path::new(file)), within);
        }
    }

    #[test]
    fn squashed_commits_name_their_pull_request() {
        assert_eq!(pull_of_subject("[docs] Sync the cookbook (#47929)"), Some(47929));
        assert_eq!(pull_of_subject("Sync the cookbook"), None);
        assert_eq!(pull_of_subject("Revert (#1) again"), None);
    }

    #[test]
    fn a_page_is_named_with_its_heading() {
        assert_eq!(
            heading("# A\n\n## Agentic Long-Context Deployment\n\n<AgentX data={agentx} />\n\n## After").as_deref(),
            Some("agentic-long-context-deployment")
        );
        assert_eq!(heading("# A\n"), None);
    }
}
