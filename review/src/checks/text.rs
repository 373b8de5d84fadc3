//! Words of the checks' sentences, and where the pages are.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use paretoscope_domain::RunId;
use paretoscope_domain::pull::Pull;
use paretoscope_domain::repo::RepoFacts;

/// `1 job`, `8 jobs`, `2 entries`.
pub(crate) fn count(n: usize, thing: &str) -> String {
    match (n, thing.strip_suffix("ry")) {
        (1, _) => format!("1 {thing}"),
        (_, Some(stem)) => format!("{n} {stem}ries"),
        (_, None) => format!("{n} {thing}s"),
    }
}

/// `a`, `a and b`, `a, b and c`.
pub(crate) fn list<S: AsRef<str>>(items: &[S]) -> String {
    match items {
        [] => "none".to_owned(),
        [one] => one.as_ref().to_owned(),
        [head @ .., last] => {
            let head: Vec<&str> = head.iter().map(AsRef::as_ref).collect();
            format!("{} and {}", head.join(", "), last.as_ref())
        }
    }
}

/// At most `most` of the items, and how many more there are.
pub(crate) fn some<S: AsRef<str>>(items: &[S], most: usize) -> String {
    if items.len() <= most {
        return list(items);
    }
    let head: Vec<&str> = items.iter().take(most).map(AsRef::as_ref).collect();
    format!("{} and {} more", head.join(", "), items.len() - most)
}

/// Items without repetitions, in their order.
pub(crate) fn distinct<T: PartialEq>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut out: Vec<T> = Vec::new();
    for item in items {
        if !out.contains(&item) {
            out.push(item);
        }
    }
    out
}

/// The first letter in upper case: sentences begin so.
pub(crate) fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// Eight digits of a sha.
pub(crate) fn short(sha: &str) -> String {
    sha.chars().take(8).collect()
}

/// A day, UTC.
pub(crate) fn day(at: Timestamp) -> String {
    at.to_zoned(TimeZone::UTC).date().to_string()
}

/// Page of a run.
pub(crate) fn run_page(run: RunId) -> String {
    format!("/runs/{run}")
}

/// Evals on the page of a run.
pub(crate) fn evals_page(run: RunId) -> String {
    format!("/runs/{run}#evals")
}

/// Timeline of the pull request.
pub(crate) fn timeline_page(pull: &Pull) -> String {
    format!("/pulls/{}#timeline", pull.number)
}

/// Cookbook status of a configuration.
pub(crate) fn cookbook_page(key: &str) -> String {
    format!("/cookbook?config={key}")
}

/// Changed files of the pull request on GitHub.
pub(crate) fn files_page(pull: &Pull) -> String {
    format!("https://github.com/{}/pull/{}/files", pull.repo, pull.number)
}

/// A commit on GitHub.
pub(crate) fn commit_page(repo: &str, sha: &str) -> String {
    format!("https://github.com/{repo}/commit/{sha}")
}

/// A file of the benchmark repository at the synced commit, on GitHub; `None` where the commit is not known.
pub(crate) fn file_page(facts: &RepoFacts, file: &str, line: Option<u64>) -> Option<String> {
    let commit = facts.commit.as_deref()?;
    let (repo, line) = (&facts.repo, line.map_or_else(String::new, |l| format!("#L{l}")));
    // A fact names its file alone or with its folder; `read` has the path.
    let path = facts.read.iter().find(|p| *p == file || p.ends_with(&format!("/{file}"))).map_or(file, String::as_str);
    Some(format!("https://github.com/{repo}/blob/{commit}/{path}{line}"))
}

/// What a synced state is called in a sentence: `commit 41d29b28`.
pub(crate) fn state(facts: &RepoFacts) -> String {
    facts.commit.as_deref().map_or_else(|| "a checkout without a known commit".to_owned(), |sha| format!("commit {}", short(sha)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists() {
        for (n, thing, text) in [(1, "job", "1 job"), (8, "job", "8 jobs"), (0, "entry", "0 entries"), (2, "key", "2 keys")] {
            assert_eq!(count(n, thing), text);
        }
        for (items, text) in [(vec![], "none"), (vec!["a"], "a"), (vec!["a", "b"], "a and b"), (vec!["a", "b", "c"], "a, b and c")] {
            assert_eq!(list(&items), text);
        }
        assert_eq!(some(&["a", "b", "c", "d"], 2), "a, b and 2 more");
        assert_eq!(distinct([1, 2, 1]), [1, 2]);
        assert_eq!(sentence("no pin"), "No pin");
    }
}
