//! CODEOWNERS: a pattern and its owners on each line. Which rule wins for a path is decided where it is asked.

use paretoscope_domain::repo::{CodeOwners, OwnerRule, Refused};

use super::notes::{Notes, reason};
use super::places::Source;

pub(crate) fn read(source: &Source, refused: &mut Vec<Refused>) -> CodeOwners {
    let mut notes = Notes::on(&source.path, refused);
    let mut rules = Vec::new();
    for (line, text) in (1_u64..).zip(source.text.lines()) {
        let mut words = words(text).into_iter();
        let Some(pattern) = words.next() else { continue };
        let owners: Vec<String> = words.collect();
        // GitHub leaves a line out that has a form it doesn't know, so it must not win here either.
        if pattern.starts_with('!') || pattern.starts_with("\\#") || pattern.contains('[') {
            notes.refuse(line, &pattern, reason::NOT_UNDERSTOOD, "GitHub knows no negation, no escaped # and no [ranges] in this file");
            continue;
        }
        if let Some(owner) = owners.iter().find(|owner| !owner.contains('@') || owner.len() < 2) {
            notes.refuse(
                line,
                &pattern,
                reason::WRONG_TYPE,
                format!("{owner:?} is no @user, @team or mail address, so GitHub leaves the line out"),
            );
            continue;
        }
        rules.push(OwnerRule { line, pattern, owners });
    }
    CodeOwners { file: source.path.clone(), rules }
}

/// The words of a line up to its comment; `\ ` is a space within a word.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' if chars.peek() == Some(&' ') => word.extend(chars.next()),
            '#' if word.is_empty() => break,
            c if c.is_whitespace() => words.extend(Some(std::mem::take(&mut word)).filter(|w| !w.is_empty())),
            c => word.push(c),
        }
    }
    words.extend(Some(word).filter(|w| !w.is_empty()));
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules() {
        let text = "* @org/core\n\n# about configs\n/configs/  @a @org/b # beside\ndocs/a\\ b.md c@example.org\nfree/\n!x @a\n[ab].md @a\nother name-without-at\n";
        let mut refused = Vec::new();
        let owners = read(&Source { path: ".github/CODEOWNERS".to_owned(), text: text.to_owned() }, &mut refused);
        let found: Vec<(u64, &str, Vec<&str>)> =
            owners.rules.iter().map(|r| (r.line, r.pattern.as_str(), r.owners.iter().map(String::as_str).collect())).collect();
        assert_eq!(
            found,
            [
                (1, "*", vec!["@org/core"]),
                (4, "/configs/", vec!["@a", "@org/b"]),
                (5, "docs/a b.md", vec!["c@example.org"]),
                (6, "free/", vec![]),
            ]
        );
        let refused: Vec<(Option<u64>, &str)> = refused.iter().map(|r| (r.line, r.reason.as_str())).collect();
        assert_eq!(refused, [(Some(7), reason::NOT_UNDERSTOOD), (Some(8), reason::NOT_UNDERSTOOD), (Some(9), reason::WRONG_TYPE)]);
    }
}
