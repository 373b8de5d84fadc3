//! Finding commits, run numbers and sentences in what people write.

use jiff::Timestamp;
use paretoscope_domain::RunId;
use paretoscope_domain::pull::Comment;

/// How far behind a marker its value may stand.
const NEAR: usize = 160;

/// One text of a comment: comments are edited in place, and earlier texts are kept where they were seen.
pub(crate) struct TextVersion<'a> {
    /// When this text was written.
    pub(crate) at: Timestamp,
    /// The text.
    pub(crate) text: &'a str,
    /// Whether it stands there now.
    pub(crate) current: bool,
    /// What is not sure about the time, or what came before it and was not seen.
    pub(crate) note: Option<String>,
}

/// The texts of a comment, oldest first; the last one is the current one.
pub(crate) fn versions(comment: &Comment) -> Vec<TextVersion<'_>> {
    let edited = comment.updated_at != comment.at;
    let mut all: Vec<TextVersion<'_>> = comment
        .earlier
        .iter()
        .filter(|(_, text)| *text != comment.body)
        .map(|(at, text)| TextVersion { at: *at, text, current: false, note: None })
        .collect();
    all.sort_by_key(|v| v.at);
    let note = match (edited, all.is_empty()) {
        (false, _) => None,
        (true, true) => Some(format!("first written {}; that text was not seen here", minute(comment.at))),
        (true, false) => Some(format!("first written {}, edited since", minute(comment.at))),
    };
    all.push(TextVersion { at: comment.updated_at.max(comment.at), text: &comment.body, current: true, note });
    all
}

/// `2026-11-03 03:28 UTC`.
pub(crate) fn minute(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d %H:%M UTC").to_string()
}

/// First digits of a commit.
pub(crate) fn short(sha: &str) -> String {
    sha.chars().take(8).collect()
}

/// `3 points`, `1 point`.
pub(crate) fn count(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// `a, b and c`.
pub(crate) fn joined(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [init @ .., last] => format!("{} and {last}", init.join(", ")),
    }
}

/// A line without its Markdown: marks of lists, headings, emphasis and code, and signs before the first word.
pub(crate) fn bare(line: &str) -> String {
    // Pictures are not words: a bot's tick beside its headline.
    let kept: String =
        line.chars().filter(|c| !matches!(c, '*' | '`' | '\u{2600}'..='\u{27bf}' | '\u{1f300}'..='\u{1faff}' | '\u{fe0f}')).collect();
    let words: Vec<&str> = kept.split_whitespace().collect();
    words.join(" ").trim_start_matches(|c: char| !c.is_alphanumeric()).to_owned()
}

/// The first line that says something, shortened.
pub(crate) fn excerpt(text: &str) -> String {
    const LENGTH: usize = 160;
    let line = text.lines().map(str::trim).find(|l| l.chars().any(char::is_alphanumeric) && !l.starts_with("<!--")).unwrap_or_default();
    if line.chars().count() <= LENGTH {
        return line.to_owned();
    }
    let cut: String = line.chars().take(LENGTH).collect();
    format!("{}…", cut.rsplit_once(' ').map_or(cut.as_str(), |(head, _)| head))
}

/// Where `marker` ends in `text`, whatever its case.
pub(crate) fn after<'a>(text: &'a str, marker: &str) -> Option<&'a str> {
    let at = text.to_ascii_lowercase().find(&marker.to_ascii_lowercase())?;
    text.get(at + marker.len()..)
}

/// Whether a text holds another, whatever its case.
pub(crate) fn holds(text: &str, part: &str) -> bool {
    text.to_ascii_lowercase().contains(&part.to_ascii_lowercase())
}

fn near(text: &str) -> &str {
    let end = text.char_indices().map(|(i, _)| i).find(|i| *i >= NEAR).unwrap_or(text.len());
    text.get(..end).unwrap_or(text)
}

fn tokens(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|t| !t.is_empty())
}

/// Whether a word can be a commit: 7 to 40 hexadecimal digits, a letter among them unless it is whole (numbers of runs are digits).
fn is_commit(word: &str) -> bool {
    let hex = word.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    hex && (word.len() == 40 || ((7..40).contains(&word.len()) && word.bytes().any(|b| b.is_ascii_alphabetic())))
}

/// The first commit named soon after `marker`.
pub(crate) fn commit_after(text: &str, marker: &str) -> Option<String> {
    tokens(near(after(text, marker)?)).find(|w| is_commit(w)).map(str::to_owned)
}

/// The first number of a run soon after `marker`. Runs have nine digits or more, which tells them from other numbers.
pub(crate) fn run_after(text: &str, marker: &str) -> Option<RunId> {
    tokens(near(after(text, marker)?)).find_map(run_number)
}

/// A word that is the number of a run.
pub(crate) fn run_number(word: &str) -> Option<RunId> {
    (word.len() >= 9 && word.bytes().all(|b| b.is_ascii_digit())).then(|| word.parse().ok()).flatten()
}

/// Markdown links of a text: what they say and where they lead, HTTPS only.
pub(crate) fn links(text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices("](https://") {
        let before = text.get(..at).unwrap_or_default();
        let label = before.rfind('[').and_then(|open| before.get(open + 1..)).unwrap_or_default();
        let address = text.get(at + 2..).unwrap_or_default();
        let address = address.split([')', ' ', '\n', '"']).next().unwrap_or_default();
        found.push((bare(label), address.to_owned()));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commits_and_runs_are_found_where_they_are_said_to_be() {
        let text = "Assessed head: 41d29b2834a85fcee09db6f9f52653b7c2f30ef3, which is the current head. The pinned run is Run Sweep 41261902147 (pull_request, head 41d29b28).";
        assert_eq!(commit_after(text, "assessed head").as_deref(), Some("41d29b2834a85fcee09db6f9f52653b7c2f30ef3"));
        assert_eq!(run_after(text, "pinned run"), RunId::new(41_261_902_147));
        assert_eq!(commit_after("head (9bd047ac7) as", "head").as_deref(), Some("9bd047ac7"));
        // A number of a run is no commit, a word is none.
        assert_eq!(commit_after("run 41261902147 effaced", "run").as_deref(), Some("effaced"));
        assert_eq!(commit_after("run 41261902147", "run"), None);
        assert_eq!(run_after("in 1319 samples", "in"), None);
        assert_eq!(commit_after("nothing", "assessed"), None);
    }

    #[test]
    fn links_are_read_from_markdown() {
        assert_eq!(
            links("[Ingest workflow](https://a/b/1) · [**Source**](https://a/runs/2 \"x\") [no](http://c)"),
            [("Ingest workflow".to_owned(), "https://a/b/1".to_owned()), ("Source".to_owned(), "https://a/runs/2".to_owned())]
        );
    }

    #[test]
    fn an_excerpt_is_the_first_line_that_says_something() {
        assert_eq!(excerpt("<!-- marker -->\n\n---\nHello *you*\nmore"), "Hello *you*");
        assert!(excerpt(&"word ".repeat(60)).ends_with("word…"));
        assert_eq!(excerpt(""), "");
    }
}
