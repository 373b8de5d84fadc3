//! Which pull request a payload belongs to, as its addresses, its file's name or its neighbours tell.

/// What a payload says of where it belongs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Hint {
    /// `owner/name`.
    pub(super) repo: Option<String>,
    pub(super) number: Option<i64>,
    /// Commits that it names as its newest.
    pub(super) shas: Vec<String>,
}

impl Hint {
    /// What the addresses say, the first that says it.
    pub(super) fn of<'a>(addresses: impl IntoIterator<Item = Option<&'a str>>) -> Self {
        let mut hint = Self::default();
        for (repo, number) in addresses.into_iter().flatten().filter_map(address) {
            hint = hint.or(Self { repo: Some(repo), number, shas: Vec::new() });
        }
        hint
    }

    /// This, its gaps filled.
    pub(super) fn or(self, other: Self) -> Self {
        let shas = if self.shas.is_empty() { other.shas } else { self.shas };
        Self { repo: self.repo.or(other.repo), number: self.number.or(other.number), shas }
    }
}

/// Repository and pull request of an address of the API (`https://api.github.com/repos/o/r/issues/7/…`) or of a page
/// (`https://github.com/o/r/pull/7#…`).
pub(super) fn address(url: &str) -> Option<(String, Option<i64>)> {
    let (_, rest) = url.split_once("://")?;
    let (host, path) = rest.split_once('/')?;
    let path = path.split(['?', '#']).next()?;
    let mut parts: Vec<&str> = path.split('/').filter(|p| !p.is_empty()).collect();
    if let Some(at) = parts.iter().position(|p| *p == "repos") {
        parts.drain(..=at);
    } else if host.starts_with("api.") || parts.first() == Some(&"api") {
        return None;
    }
    let [owner, name, rest @ ..] = parts.as_slice() else { return None };
    let number = match rest {
        [kind, number, ..] if matches!(*kind, "pull" | "pulls" | "issues") => number.parse().ok().filter(|n: &i64| *n > 0),
        _ => None,
    };
    Some((format!("{owner}/{name}"), number))
}

const PARTS: [&str; 10] = ["commits", "files", "comments", "reviews", "events", "timeline", "labels", "permission", "permissions", "view"];
const PULLS: [&str; 7] = ["pr", "prs", "pull", "pulls", "issue", "issues", "request"];

/// The number of a pull request in a file's name or in that of the nearest folder that has one: `4603.json`, `pr-4603/commits.json`,
/// `4603_files.json`. Numbers of pages and days are none.
pub(super) fn number_in_name(file: &str) -> Option<i64> {
    let mut parts = file.rsplit('/');
    let name = parts.next()?;
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    std::iter::once(stem).chain(parts).find_map(number_in_part)
}

fn number_in_part(part: &str) -> Option<i64> {
    let words: Vec<String> =
        part.split(|c: char| !c.is_ascii_alphanumeric()).filter(|w| !w.is_empty()).map(str::to_ascii_lowercase).collect();
    // Longer ones are runs, not pull requests.
    let number = |word: &str| word.parse::<i64>().ok().filter(|n| *n > 0 && word.len() <= 7);
    if let [only] = words.as_slice() {
        let bare = PULLS.iter().find_map(|p| only.strip_prefix(p)).filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        return number(bare.unwrap_or(only));
    }
    words.iter().enumerate().find_map(|(at, word)| {
        let before = at.checked_sub(1).and_then(|i| words.get(i)).map(String::as_str);
        let after = words.get(at + 1).map(String::as_str);
        let glued = PULLS.iter().find_map(|p| word.strip_prefix(p)).and_then(number);
        let is_part = |w: Option<&str>| w.is_some_and(|w| PARTS.contains(&w));
        let named = before.is_some_and(|w| PULLS.contains(&w)) || is_part(after) || (is_part(before) && word.len() >= 3);
        glued.or_else(|| if named { number(word) } else { None })
    })
}

/// The folder of a file, empty where it has none.
pub(super) fn folder(file: &str) -> &str {
    file.rsplit_once('/').map_or("", |(folder, _)| folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_name_repositories_and_pull_requests() {
        let some = |number| Some(("o/r".to_owned(), number));
        for (url, expected) in [
            ("https://api.github.com/repos/o/r/pulls/7", some(Some(7))),
            ("https://api.github.com/repos/o/r/issues/7/labels", some(Some(7))),
            ("https://api.github.com/repos/o/r/issues/events/123", some(None)),
            ("https://api.github.com/repos/o/r/issues/comments/123", some(None)),
            ("https://api.github.com/repos/o/r/contents/a/b?ref=abc", some(None)),
            ("https://ghe.example.org/api/v3/repos/o/r/pulls/7", some(Some(7))),
            ("https://github.com/o/r/pull/7#issuecomment-1", some(Some(7))),
            ("https://github.com/o/r/commit/abc", some(None)),
            ("https://api.github.com/users/x", None),
            ("nonsense", None),
        ] {
            assert_eq!(address(url), expected, "{url}");
        }
    }

    #[test]
    fn names_tell_numbers_but_not_pages_runs_or_days() {
        for (file, number) in [
            ("4603.json", Some(4603)),
            ("4603/commits.json", Some(4603)),
            ("pr-4603/commits.json", Some(4603)),
            ("PR4603/x/commits.json", Some(4603)),
            ("a/pull_4603_comments.json", Some(4603)),
            ("4603-commits.json", Some(4603)),
            ("commits-4603.json", Some(4603)),
            ("pulls/4603/comments_2.json", Some(4603)),
            ("comments-2.json", None),
            ("comments_page2.json", None),
            ("2026-11-03/commits.json", None),
            ("41261902147/comments.json", None),
            ("commits.json", None),
            ("", None),
        ] {
            assert_eq!(number_in_name(file), number, "{file}");
        }
    }
}
