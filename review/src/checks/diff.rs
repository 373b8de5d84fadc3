//! Changed files of a pull request: which of their lines are known, and what they add.

use paretoscope_domain::pull::{Pull, PullFile};

/// How much of the change is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// The files were not read.
    Unknown,
    /// Of these files the lines are not known.
    Partly(Vec<String>),
    /// Someone retold the change of so many files: lines may be left out.
    Retold(usize),
    /// Every changed line, of so many files.
    Whole(usize),
}

impl Reach {
    /// How much of the change of `pull` is known.
    pub(crate) fn of(pull: &Pull) -> Self {
        if !pull.known.files {
            return Self::Unknown;
        }
        if pull.retold.is_some() {
            return Self::Retold(pull.files.len());
        }
        // A file without added lines can't add anything.
        let dark: Vec<String> = pull.files.iter().filter(|f| f.patch.is_none() && f.additions > 0).map(|f| f.path.clone()).collect();
        if dark.is_empty() { Self::Whole(pull.files.len()) } else { Self::Partly(dark) }
    }
}

/// An added line: its number in the new file, and its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Added<'a> {
    /// Line in the new file, from 1.
    pub(crate) line: u64,
    /// Text without the mark.
    pub(crate) text: &'a str,
}

/// Lines that a file's patch adds.
pub(crate) fn added(file: &PullFile) -> Vec<Added<'_>> {
    let mut line = 0_u64;
    let mut out = Vec::new();
    for text in file.patch.as_deref().unwrap_or_default().lines() {
        if let Some(start) = hunk_start(text) {
            line = start;
        } else if let Some(text) = text.strip_prefix('+') {
            out.push(Added { line, text });
            line += 1;
        } else if !text.starts_with('-') && !text.starts_with('\\') {
            line += 1;
        }
    }
    out
}

/// Start of a hunk in the new file: `@@ -10,4 +12,6 @@` is 12.
fn hunk_start(text: &str) -> Option<u64> {
    let ranges = text.strip_prefix("@@ ")?;
    let new = ranges.split_whitespace().find_map(|word| word.strip_prefix('+'))?;
    new.split(',').next()?.parse().ok()
}

/// Whether a file holds words about a change, not the change: a mention there is no use.
pub(crate) fn is_prose(path: &str) -> bool {
    path.ends_with(".md") || path.ends_with("perf-changelog.yaml") || path.ends_with(".rst") || path.ends_with(".txt")
}

/// Whether a line is a comment.
pub(crate) fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with('#') || line.starts_with("//")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(patch: Option<&str>, additions: u64) -> PullFile {
        PullFile {
            path: "a.yaml".into(),
            previous_path: None,
            status: "modified".into(),
            additions,
            deletions: 0,
            patch: patch.map(str::to_owned),
        }
    }

    #[test]
    fn added_lines_have_their_numbers() {
        let f = file(Some("@@ -1,2 +1,3 @@\n a\n+b\n c\n@@ -10 +20,2 @@ head\n-x\n+y\n+z\n\\ No newline at end of file"), 3);
        let lines: Vec<(u64, &str)> = added(&f).iter().map(|a| (a.line, a.text)).collect();
        assert_eq!(lines, [(2, "b"), (20, "y"), (21, "z")]);
    }

    #[test]
    fn what_is_known_of_a_change() {
        let mut pull = Pull::default();
        assert_eq!(Reach::of(&pull), Reach::Unknown);
        pull.known.files = true;
        pull.files = vec![file(Some(""), 1), file(None, 0)];
        assert_eq!(Reach::of(&pull), Reach::Whole(2));
        pull.files.push(file(None, 2));
        assert_eq!(Reach::of(&pull), Reach::Partly(vec!["a.yaml".into()]));
        pull.retold = Some("by heart".into());
        assert_eq!(Reach::of(&pull), Reach::Retold(3));
    }
}
