//! The review checklist: every box of the file, nested ones too. The boxes stand in a fenced template there, so they are told by
//! their lines and not by Markdown's structure.

use paretoscope_domain::repo::{Checklist, Refused};

use super::notes::{Notes, reason};
use super::places::Source;

pub(crate) fn read(source: &Source, refused: &mut Vec<Refused>) -> Checklist {
    let mut items: Vec<String> = Vec::new();
    let mut goes_on = false;
    for line in source.text.lines() {
        let text = line.trim();
        if let Some(item) = boxed(text) {
            items.push(item.to_owned());
            goes_on = true;
        } else if goes_on && !text.is_empty() && line.starts_with([' ', '\t']) && !begins_another(text) {
            if let Some(item) = items.last_mut() {
                if !item.is_empty() {
                    item.push(' ');
                }
                item.push_str(text);
            }
        } else {
            goes_on = false;
        }
    }
    if items.is_empty() {
        Notes::on(&source.path, refused).odd_file(reason::MISSING, "it has no box to tick");
    }
    Checklist { file: source.path.clone(), items }
}

/// Text behind a box.
fn boxed(text: &str) -> Option<&str> {
    let rest = text.strip_prefix(['-', '*', '+'])?.trim_start();
    let rest = rest.strip_prefix('[')?.strip_prefix([' ', 'x', 'X'])?.strip_prefix(']')?;
    (rest.is_empty() || rest.starts_with(char::is_whitespace)).then(|| rest.trim())
}

fn begins_another(text: &str) -> bool {
    ["- ", "* ", "+ ", "```", "#"].iter().any(|mark| text.starts_with(mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes() {
        let text = "# Checklist\n- no box\n```\nI have:\n- [ ] looked at one\n- [x] and at two,\n  which goes on\n  - [ ] and a nested one\n    - a remark\n- [ ]\n  text below\n- [y] no box\n- [link](x)\n\n- [ ] last\n\n  apart\n```\n";
        let mut refused = Vec::new();
        let list = read(&Source { path: "docs/PR_REVIEW_CHECKLIST.md".to_owned(), text: text.to_owned() }, &mut refused);
        assert_eq!(list.items, ["looked at one", "and at two, which goes on", "and a nested one", "text below", "last"]);
        assert_eq!(refused, []);
        read(&Source { path: "x".to_owned(), text: "nothing".to_owned() }, &mut refused);
        assert_eq!(refused.len(), 1);
    }
}
