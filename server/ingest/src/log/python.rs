//! Values as Python prints them, as far as it takes to tell one field from the next.

/// Fields of `name=value, …)` or `'name': value, …}`: the text after the opening bracket. A field that the end of the text cuts
/// off is left out, for its value is not known.
pub(super) fn fields(text: &str, between: char) -> Vec<(String, String)> {
    let mut fields = Vec::new();
    let mut depth = 0_u32;
    let mut quote: Option<char> = None;
    let mut escaped = false;
    let mut start = 0;
    let mut split: Option<usize> = None;
    for (at, c) in text.char_indices() {
        if let Some(open) = quote {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                _ if c == open => quote = None,
                _ => {}
            }
            continue;
        }
        match c {
            '\'' | '"' => quote = Some(c),
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth > 0 => depth -= 1,
            ',' | ')' | ']' | '}' if depth == 0 => {
                let name = split.and_then(|s| text.get(start..s));
                let value = split.and_then(|s| text.get(s + between.len_utf8()..at));
                if let (Some(name), Some(value)) = (name.map(|n| n.trim().trim_matches(['\'', '"'])), value)
                    && is_name(name)
                {
                    fields.push((name.to_owned(), unquoted(value.trim())));
                }
                if c != ',' {
                    return fields;
                }
                (start, split) = (at + 1, None);
            }
            _ if c == between && depth == 0 && split.is_none() => split = Some(at),
            _ => {}
        }
    }
    fields
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.len() < 200 && text.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c))
}

/// A text without the quotes around it; anything else as it is.
pub(super) fn unquoted(text: &str) -> String {
    for quote in ['\'', '"'] {
        let Some(inner) = text.strip_prefix(quote).and_then(|t| t.strip_suffix(quote)) else { continue };
        if !inner.contains('\\') {
            // `'a' or 'b'` is not one text.
            return if inner.contains(quote) { text.to_owned() } else { inner.to_owned() };
        }
        let mut out = String::with_capacity(inner.len());
        let mut chars = inner.chars();
        while let Some(c) = chars.next() {
            match c {
                '\\' => match chars.next() {
                    Some('n') => out.push('\n'),
                    Some('t') => out.push('\t'),
                    Some(c @ ('\\' | '\'' | '"')) => out.push(c),
                    Some(other) => out.extend(['\\', other]),
                    None => out.push('\\'),
                },
                _ if c == quote => return text.to_owned(),
                _ => out.push(c),
            }
        }
        return out;
    }
    text.to_owned()
}

/// Pairs of quoted names and values anywhere in a line: `"NAME": "value"`, as JSON and Python print environments.
pub(super) fn pairs(line: &str) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    let mut rest = line;
    while let Some(at) = rest.find(['"', '\'']) {
        let quote = if rest.get(at..=at) == Some("\"") { '"' } else { '\'' };
        let after = rest.get(at + 1..).unwrap_or_default();
        let Some(end) = after.find(quote) else { break };
        let name = after.get(..end).unwrap_or_default();
        let behind = after.get(end + 1..).unwrap_or_default();
        let value = behind.trim_start().strip_prefix(':').map(str::trim_start);
        match value {
            // What is in there has names of its own.
            Some(value) if value.starts_with(['{', '[']) => rest = value,
            Some(value) if is_name(name) => {
                let (value, left) = value_of(value);
                pairs.push((name.to_owned(), unquoted(value)));
                rest = left;
            }
            // This quote may have ended a text: the next one may begin a name.
            _ => rest = after,
        }
    }
    pairs
}

/// A value and what follows it.
fn value_of(text: &str) -> (&str, &str) {
    let Some(quote) = text.chars().next().filter(|c| ['"', '\''].contains(c)) else {
        let end = text.find([',', '}', ']']).unwrap_or(text.len());
        return (text.get(..end).unwrap_or_default().trim_end(), text.get(end..).unwrap_or_default());
    };
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return (text.get(..=at).unwrap_or_default(), text.get(at + 1..).unwrap_or_default()),
            _ => {}
        }
    }
    (text, "")
}
