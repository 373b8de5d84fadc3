//! Finding a setting by name in a text that may be YAML, JSON, a shell line or a command.

/// A setting found: its value as far as the text tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// Value; `None` for a bare flag.
    pub(crate) value: Option<String>,
}

/// One letter of a name: case and the choice of `-` or `_` make no difference.
fn same(a: u8, b: u8) -> bool {
    let fold = |c: u8| if c == b'-' { b'_' } else { c.to_ascii_lowercase() };
    fold(a) == fold(b)
}

/// Whether two names name one setting: leading dashes, case and `-` for `_` make no difference.
pub(crate) fn same_name(a: &str, b: &str) -> bool {
    let (a, b) = (a.trim_start_matches('-').as_bytes(), b.trim_start_matches('-').as_bytes());
    a.len() == b.len() && a.iter().zip(b).all(|(x, y)| same(*x, *y))
}

/// Every place where `text` sets `name`, in order.
pub(crate) fn settings(text: &str, name: &str) -> Vec<Found> {
    let (bytes, needle) = (text.as_bytes(), name.as_bytes());
    let word = |b: Option<&u8>| b.is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(window) = bytes.get(at..at + needle.len()) {
        let end = at + needle.len();
        let hit = window.iter().zip(needle).all(|(a, b)| same(*a, *b));
        let before = at.checked_sub(1).and_then(|i| bytes.get(i));
        let after = bytes.get(end);
        if hit && !word(before) && !word(after) && after != Some(&b'-') {
            out.push(Found { value: text.get(end..).and_then(value) });
            at = end;
        } else {
            at += 1;
        }
    }
    out
}

/// The value after a name: over quotes, `:`, `=` and commas to the next word, text in braces as a whole.
fn value(rest: &str) -> Option<String> {
    let line = rest.lines().next().unwrap_or_default();
    let start = line.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ':' | '=' | ',' | '\\'));
    // The name ended the line, or something that is no value follows.
    if start.is_empty() || start.starts_with(['#', '}', ']', ')', ';', '&', '|']) || start.starts_with("--") {
        return None;
    }
    // `name other`, with nothing but a space between them in a sentence of flags: the next flag is no value.
    if let Some(close) = start.chars().next().and_then(|c| match c {
        '{' => Some('}'),
        '[' => Some(']'),
        _ => None,
    }) {
        let open = start.chars().next().unwrap_or(close);
        let mut depth = 0_i32;
        for (i, c) in start.char_indices() {
            if c == open {
                depth += 1;
            } else if c == close {
                depth -= 1;
                if depth == 0 {
                    return start.get(..=i).map(str::to_owned);
                }
            }
        }
        return Some(start.to_owned());
    }
    let end =
        start.find(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ',' | '}' | ']' | ')' | ';' | '\\')).unwrap_or(start.len());
    start.get(..end).filter(|v| !v.is_empty()).map(str::to_owned)
}

/// Whether a value switches something on. An engine's own default is written `EnvBool(False)`; people write `not set`.
pub(crate) fn is_on(value: &str) -> bool {
    let value = value.trim().trim_matches(['"', '\'']).to_ascii_lowercase();
    let value = value.strip_prefix("envbool(").and_then(|v| v.strip_suffix(')')).unwrap_or(&value);
    !matches!(value, "" | "0" | "false" | "no" | "off" | "none" | "null" | "unset" | "not set" | "absent")
}

/// A number in a value.
pub(crate) fn number(value: &str) -> Option<f64> {
    value.trim().trim_matches(['"', '\'']).parse().ok().filter(|n: &f64| n.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_in_every_form() {
        for (text, name, values) in [
            ("  SGLANG_SIMULATE_ACC_LEN: \"3.51\"", "SGLANG_SIMULATE_ACC_LEN", vec![Some("3.51")]),
            ("export SGLANG_SIMULATE_ACC_LEN=3.51 # golden", "SGLANG_SIMULATE_ACC_LEN", vec![Some("3.51")]),
            ("--hf-overrides '{\"a\": {\"b\": 1}}' --x", "hf_overrides", vec![Some("{\"a\": {\"b\": 1}}")]),
            ("--enable-x --y 3", "enable-x", vec![None]),
            ("--y 3", "y", vec![Some("3")]),
            ("[\"--hf-overrides\",\"{1}\"]", "hf-overrides", vec![Some("{1}")]),
            ("{\"A_B\":\"1\",\"C\":2}", "A_B", vec![Some("1")]),
            ("A_B_C=1 XA_B=2", "A_B", vec![]),
            ("a-b-c: 1", "a-b", vec![]),
            ("A=1; A=2", "A", vec![Some("1"), Some("2")]),
            ("A:", "A", vec![None]),
            ("überA A=ü", "A", vec![Some("ü")]),
        ] {
            let found: Vec<Option<String>> = settings(text, name).into_iter().map(|f| f.value).collect();
            let found: Vec<Option<&str>> = found.iter().map(Option::as_deref).collect();
            assert_eq!(found, values, "{text} / {name}");
        }
    }

    #[test]
    fn on_and_off() {
        for on in ["1", "true", "True", "\"1\"", "yes", "auto"] {
            assert!(is_on(on), "{on}");
        }
        for off in ["0", "false", "False", "", "None", "'0'", "EnvBool(False)", "not set"] {
            assert!(!is_on(off), "{off}");
        }
        assert_eq!(number("\"3.51\""), Some(3.51));
        assert_eq!(number("x"), None);
    }

    #[test]
    fn names() {
        assert!(same_name("--speculative-dspark-block-size", "speculative_dspark_block_size"));
        assert!(!same_name("speculative_num_steps", "num_steps"));
    }
}
