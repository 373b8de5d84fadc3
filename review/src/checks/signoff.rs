//! What a sign-off holds: the items of its checklist, whole, and texts and logins for comparison.

/// An item of a task list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Item {
    /// Whether it is ticked.
    pub(crate) ticked: bool,
    /// Text, continuation lines joined.
    pub(crate) text: String,
}

/// The items of the task lists in a text.
pub(crate) fn items(body: &str) -> Vec<Item> {
    let mut out: Vec<Item> = Vec::new();
    // Whether the line before belongs to an item.
    let mut open = false;
    for line in body.lines() {
        let text = line.trim();
        if let Some((ticked, rest)) = task(text) {
            out.push(Item { ticked, text: rest.trim().to_owned() });
            open = true;
            continue;
        }
        let continues = open && !text.is_empty() && line.starts_with([' ', '\t']) && !text.starts_with(['#', '-', '*', '+', '>']);
        match out.last_mut() {
            Some(item) if continues => {
                item.text.push(' ');
                item.text.push_str(text);
            }
            _ => open = false,
        }
    }
    out
}

/// A task: whether it is ticked, and its text.
fn task(line: &str) -> Option<(bool, &str)> {
    let rest = line.strip_prefix(['-', '*', '+'])?.trim_start();
    let rest = rest.strip_prefix('[')?;
    let (mark, rest) = rest.split_once(']')?;
    match mark.trim() {
        "" => Some((false, rest)),
        "x" | "X" => Some((true, rest)),
        _ => None,
    }
}

/// A text without Markdown, links' addresses, HTML tags, punctuation of emphasis and differences of space and case.
pub(crate) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let tail = rest.get(c.len_utf8()..).unwrap_or_default();
        // An image or link: its text stays. An autolink or tag goes.
        if c == ']' && tail.starts_with('(') {
            rest = tail.split_once(')').map_or("", |(_, after)| after);
            continue;
        }
        if c == '<' && tail.starts_with(|n: char| n.is_ascii_alphabetic() || n == '/') {
            rest = tail.split_once('>').map_or("", |(_, after)| after);
            continue;
        }
        match c {
            '[' | ']' | '*' | '_' | '`' | '~' | '\\' | '!' => {}
            _ if c.is_whitespace() => out.push(' '),
            _ => out.extend(c.to_lowercase()),
        }
        rest = tail;
    }
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A login for comparison: without `@`, case or spaces.
pub(crate) fn login(text: &str) -> String {
    text.trim().trim_start_matches('@').to_ascii_lowercase().replace(' ', "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn task_lists() {
        let body = "Checklist\n- [x] One **thing**,\n  over two lines\n* [ ] Two\n  - [X] Nested\n\nDetail\n- plain\n- [y] no task";
        let item = |ticked, text: &str| Item { ticked, text: text.to_owned() };
        assert_eq!(items(body), [item(true, "One **thing**, over two lines"), item(false, "Two"), item(true, "Nested")]);
    }

    #[test]
    fn markdown_makes_no_difference() {
        for (a, b) in [
            ("See the [list](https://x/y), `now`", "see the list, now"),
            ("**Bold** and _slanted_\n  text", "bold and slanted text"),
            ("a<br>b <https://x> c", "ab c"),
            ("docs/waiver/<PR_NUMBER>.md", "docs/waiver/.md"),
        ] {
            assert_eq!(plain(a), b);
        }
    }
}
