//! Values from data inside Markdown: nothing they hold may become markup, a mention or a command.

/// Longest value that is shown whole.
const LONGEST: usize = 400;

/// A text from data: signs with a meaning in Markdown are escaped, line breaks become spaces, and nobody is mentioned.
pub(super) fn text(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    for c in clipped(value).chars() {
        match c {
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '#' | '|' | '~' | '!' => {
                out.push('\\');
                out.push(c);
            }
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            // A zero-width space: shown as it is, but no mention.
            '@' => out.push_str("@&#8203;"),
            c => out.push(c),
        }
    }
    out
}

/// An identifier from data, as code. A fence longer than any within keeps back-ticks in.
pub(super) fn code(value: &str) -> String {
    let value = clipped(value);
    if value.is_empty() {
        return String::new();
    }
    let longest = value.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let pad = if value.starts_with('`') || value.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{value}{pad}{fence}")
}

/// A cell of a table: a bar would end it, in code too.
pub(super) fn cell(markdown: &str) -> String {
    let mut out = String::with_capacity(markdown.len());
    let mut escaped = false;
    for c in markdown.chars() {
        if c == '|' && !escaped {
            out.push('\\');
        }
        escaped = c == '\\' && !escaped;
        out.push(c);
    }
    out
}

/// A link; its text is Markdown already. An address from data that is not plain HTTPS, or a path of this site, is left out.
pub(super) fn link(markdown: &str, href: &str) -> String {
    if is_plain(href) { format!("[{markdown}]({href})") } else { markdown.to_owned() }
}

fn is_plain(href: &str) -> bool {
    let known = ["https://", "http://", "/"].iter().any(|start| href.starts_with(start));
    known && href.bytes().all(|b| b.is_ascii_graphic() && !matches!(b, b'"' | b'\'' | b'<' | b'>' | b'\\' | b'`' | b'(' | b')' | b'|'))
}

/// One line, not longer than what is shown whole.
fn clipped(value: &str) -> String {
    let line: String = value.split(|c: char| c.is_control()).map(str::trim).filter(|s| !s.is_empty()).collect::<Vec<_>>().join(" ");
    if line.chars().count() <= LONGEST {
        return line;
    }
    let mut short: String = line.chars().take(LONGEST).collect();
    short.push('…');
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_value_becomes_markup() {
        for (value, expected) in [
            ("a_b*c", "a\\_b\\*c"),
            ("<script>", "&lt;script&gt;"),
            ("x | y", "x \\| y"),
            ("[a](b)", "\\[a\\](b)"),
            ("two\nlines\r\n/use 1", "two lines /use 1"),
            ("@someone", "@&#8203;someone"),
            ("# head", "\\# head"),
        ] {
            assert_eq!(text(value), expected);
        }
        for (value, expected) in
            [("plain", "`plain`"), ("a`b", "``a`b``"), ("`a`", "`` `a` ``"), ("a|b", "`a|b`"), ("a\nb", "`a b`"), ("", "")]
        {
            assert_eq!(code(value), expected);
        }
        for (markdown, expected) in [("`a|b`", "`a\\|b`"), ("a \\| b", "a \\| b"), ("plain", "plain")] {
            assert_eq!(cell(markdown), expected);
        }
        assert_eq!(text(&"x".repeat(500)).chars().count(), LONGEST + 1);
    }

    #[test]
    fn only_plain_addresses_are_linked() {
        assert_eq!(link("x", "https://a/b?c=d#e"), "[x](https://a/b?c=d#e)");
        assert_eq!(link("x", "/runs/1"), "[x](/runs/1)");
        for bad in ["javascript:alert(1)", "https://a)b", "https://a b", "data:text/html,x", ""] {
            assert_eq!(link("x", bad), "x", "{bad}");
        }
    }
}
