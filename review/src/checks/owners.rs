//! Patterns of a CODEOWNERS file, as GitHub documents them: like `.gitignore`, without `!`, `[ ]` and an escaped `#`.

use paretoscope_domain::repo::{CodeOwners, OwnerRule};

/// The rule that decides who owns a path: the last that matches.
pub(crate) fn rule_of<'a>(owners: &'a CodeOwners, path: &str) -> Option<&'a OwnerRule> {
    owners.rules.iter().rfind(|rule| matches(&rule.pattern, path))
}

/// Whether a rule covers every path.
pub(crate) fn is_catch_all(rule: &OwnerRule) -> bool {
    matches!(rule.pattern.as_str(), "*" | "**" | "/**" | "**/*")
}

/// Whether a pattern covers a path of the repository.
pub(crate) fn matches(pattern: &str, path: &str) -> bool {
    let path: Vec<&str> = path.split('/').filter(|s| !s.is_empty()).collect();
    let directory = pattern.ends_with('/');
    let body = pattern.trim_end_matches('/');
    // A slash at the start or in the middle ties the pattern to the root.
    let tied = body.contains('/');
    let mut segments: Vec<&str> = body.split('/').filter(|s| !s.is_empty()).collect();
    if segments.is_empty() || pattern.starts_with('!') {
        return false;
    }
    if !tied {
        segments.insert(0, "**");
    }
    // `docs/*` covers the files in docs, not those further down; anything else also covers what lies below a match.
    let one_level = tied && segments.last() == Some(&"*");
    let fits = |depth: usize| path.get(..depth).is_some_and(|head| all(&segments, head));
    let longest_directory = path.len().saturating_sub(1);
    if !directory && fits(path.len()) {
        return true;
    }
    !one_level && (1..=longest_directory).any(fits)
}

/// Whether segments of a pattern match segments of a path, as a whole.
fn all(pattern: &[&str], path: &[&str]) -> bool {
    match pattern {
        [] => path.is_empty(),
        // At the end it stands for everything below, of which there is something.
        ["**"] => !path.is_empty(),
        ["**", rest @ ..] => (0..=path.len()).any(|skip| path.get(skip..).is_some_and(|tail| all(rest, tail))),
        [first, rest @ ..] => path.split_first().is_some_and(|(name, tail)| segment(first.as_bytes(), name.as_bytes()) && all(rest, tail)),
    }
}

/// Whether one segment matches: `*` is any text, `?` one letter, `\` takes the next letter as it is.
fn segment(pattern: &[u8], name: &[u8]) -> bool {
    match (pattern, name) {
        ([], _) => name.is_empty(),
        ([b'*', rest @ ..], _) => (0..=name.len()).any(|skip| name.get(skip..).is_some_and(|tail| segment(rest, tail))),
        ([b'?', rest @ ..], [_, tail @ ..]) => segment(rest, tail),
        ([b'\\', escaped, rest @ ..], [letter, tail @ ..]) => escaped == letter && segment(rest, tail),
        ([p, rest @ ..], [letter, tail @ ..]) => p == letter && segment(rest, tail),
        (_, []) => false,
    }
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    /// The examples of GitHub's documentation, and some of its sentences.
    #[test]
    fn documented_examples() {
        for (pattern, path, yes) in [
            ("*", "a.md", true),
            ("*", "a/b/c.rs", true),
            ("*.js", "x.js", true),
            ("*.js", "deep/er/x.js", true),
            ("*.js", "x.jsx", false),
            ("*.go", "cmd/main.go", true),
            ("/build/logs/", "build/logs/a.log", true),
            ("/build/logs/", "build/logs/deep/a.log", true),
            ("/build/logs/", "other/build/logs/a.log", false),
            ("/build/logs/", "build/logs", false),
            ("docs/*", "docs/getting-started.md", true),
            ("docs/*", "docs/build-app/troubleshooting.md", false),
            ("docs/*", "x/docs/a.md", false),
            ("apps/", "apps/a", true),
            ("apps/", "x/apps/deep/a", true),
            ("apps/", "apps", false),
            ("/docs/", "docs/a/b", true),
            ("/docs/", "x/docs/a", false),
            ("/scripts/", "scripts/x.sh", true),
            ("**/logs", "build/logs/a", true),
            ("**/logs", "scripts/logs/a", true),
            ("**/logs", "deeply/nested/logs/a", true),
            ("**/logs", "logs/a", true),
            ("/apps/github", "apps/github/x", true),
            ("/apps/github", "apps/github", true),
            ("/apps/github", "apps/githubx", false),
            ("/docs/**", "docs/a/b", true),
            ("/docs/**", "docs", false),
            ("a/**/z", "a/z", true),
            ("a/**/z", "a/b/c/z", true),
            ("inferencex-e2e/configs/nvidia-master.yaml", "inferencex-e2e/configs/nvidia-master.yaml", true),
            ("nvidia-master.yaml", "inferencex-e2e/configs/nvidia-master.yaml", true),
            ("recipes/**/gb300-*/", "recipes/dsv41flash/sglang/gb300-fp4-mtp/agentic.yaml", true),
            ("recipes/**/gb300-*/", "recipes/dsv41flash/sglang/gb200-fp4/agentic.yaml", false),
            ("a?c", "abc", true),
            ("a\\ b", "a b", true),
            ("!a", "a", false),
            ("", "a", false),
            ("/", "a", false),
            ("a[bc]", "ab", false),
        ] {
            assert_eq!(matches(pattern, path), yes, "{pattern} {path}");
        }
    }

    #[test]
    fn the_last_rule_wins() {
        let rule = |line, pattern: &str, owners: &[&str]| OwnerRule {
            line,
            pattern: pattern.to_owned(),
            owners: owners.iter().map(|o| (*o).to_owned()).collect(),
        };
        let owners = CodeOwners {
            file: "CODEOWNERS".into(),
            rules: vec![rule(1, "*", &["@a"]), rule(2, "/apps/", &["@b"]), rule(3, "/apps/github", &[])],
        };
        let line = |path: &str| rule_of(&owners, path).map(|r| r.line);
        assert_eq!((line("x"), line("apps/x"), line("apps/github/x")), (Some(1), Some(2), Some(3)));
        assert!(is_catch_all(&owners.rules[0]) && !is_catch_all(&owners.rules[1]));
    }
}
