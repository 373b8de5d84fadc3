//! JSON as benchmark scripts write it: with a byte order mark, or with Python's `NaN` and `Infinity` where a number should be.
//!
//! Valid JSON is read as it is. Only what the strict reader rejects is read a second time, with such words replaced by a marked
//! text, so that the one row that holds them is refused and its neighbours land.

use serde_json::Value;

use crate::refusal::{Refusal, code};

/// Marks a text that stands where a bare word stood. It starts with NUL, which no script writes into a text.
const MARK: &str = "\u{0}not a number: ";
const MARK_ESCAPED: &str = "\\u0000not a number: ";

/// A document, and whether it has marked texts in it.
#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) value: Value,
    pub(crate) marked: bool,
}

/// Reads a document.
pub(crate) fn parse(bytes: &[u8]) -> Result<Document, Refusal> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let strict = match serde_json::from_slice(bytes) {
        Ok(value) => return Ok(Document { value, marked: false }),
        Err(error) => error,
    };
    let bad = |error: &serde_json::Error| Refusal::new(code::BAD_JSON, error.to_string());
    let text = std::str::from_utf8(bytes).map_err(|e| Refusal::new(code::BAD_JSON, format!("not UTF-8: {e}")))?;
    match mark_bare_words(text) {
        None => Err(bad(&strict)),
        Some(marked) => match serde_json::from_str(&marked) {
            Ok(value) => Ok(Document { value, marked: true }),
            Err(error) => Err(bad(&error)),
        },
    }
}

/// The first marked text below `value`, as the path to it and the word that stood there.
pub(crate) fn find_mark(value: &Value) -> Option<(String, &str)> {
    match value {
        Value::String(text) => text.strip_prefix(MARK).map(|word| (String::new(), word)),
        Value::Array(items) => items.iter().enumerate().find_map(|(i, v)| find_mark(v).map(|(p, w)| (join(&format!("[{i}]"), &p), w))),
        Value::Object(map) => map.iter().find_map(|(k, v)| find_mark(v).map(|(p, w)| (join(k, &p), w))),
        _ => None,
    }
}

fn join(head: &str, tail: &str) -> String {
    if tail.is_empty() { head.to_owned() } else { format!("{head}.{tail}") }
}

/// Replaces bare words that stand for no finite number; `None` where there are none.
pub(crate) fn mark_bare_words(text: &str) -> Option<String> {
    let mut out: Option<String> = None;
    let mut copied = 0;
    let mut chars = text.char_indices().peekable();
    let mut in_string = false;
    while let Some((start, c)) = chars.next() {
        if in_string {
            match c {
                '\\' => drop(chars.next()),
                '"' => in_string = false,
                _ => {}
            }
            continue;
        }
        if c == '"' {
            in_string = true;
            continue;
        }
        if !is_word(c) {
            continue;
        }
        let mut end = start + c.len_utf8();
        while let Some((at, _)) = chars.next_if(|(_, c)| is_word(*c)) {
            end = at + 1;
        }
        let word = text.get(start..end).unwrap_or_default();
        if is_no_number(word) {
            let out = out.get_or_insert_with(|| String::with_capacity(text.len() + 64));
            out.push_str(text.get(copied..start).unwrap_or_default());
            out.push('"');
            out.push_str(MARK_ESCAPED);
            out.push_str(word);
            out.push('"');
            copied = end;
        }
    }
    out.map(|mut out| {
        out.push_str(text.get(copied..).unwrap_or_default());
        out
    })
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.')
}

/// Python's and JavaScript's words, and numbers that no double can hold.
fn is_no_number(word: &str) -> bool {
    let bare = word.trim_start_matches(['+', '-']);
    if ["nan", "inf", "infinity"].iter().any(|w| bare.eq_ignore_ascii_case(w)) {
        return true;
    }
    bare.starts_with(|c: char| c.is_ascii_digit()) && word.parse::<f64>().is_ok_and(f64::is_infinite)
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test fails by panicking")]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn bare_words_are_marked_where_they_stand() {
        let d = parse(br#"[{"a": NaN, "t": "NaN \" Infinity"}, {"b": [1, -Infinity]}, {"c": 1e999, "d": 2}]"#).unwrap();
        assert!(d.marked);
        let rows = d.value.as_array().unwrap();
        assert_eq!(find_mark(&rows[0]), Some(("a".to_owned(), "NaN")));
        assert_eq!(rows[0]["t"], json!("NaN \" Infinity"));
        assert_eq!(find_mark(&rows[1]), Some(("b.[1]".to_owned(), "-Infinity")));
        assert_eq!(find_mark(&rows[2]), Some(("c".to_owned(), "1e999")));
        assert_eq!(rows[2]["d"], json!(2));
    }

    #[test]
    fn what_is_broken_says_where() {
        for (text, words) in [
            ("{\n \"a\": 1,\n \"b\"", "line 3"),
            ("", "line 1"),
            ("[1, NaN", "line 1"),
            ("{\"a\": NaN,}", "line 1"),
            ("nonsense", "line 1"),
        ] {
            let refusal = parse(text.as_bytes()).unwrap_err();
            assert_eq!(refusal.reason, code::BAD_JSON, "{text}");
            assert!(refusal.detail.contains(words), "{text}: {}", refusal.detail);
        }
        assert!(parse(b"\"\xff\"").unwrap_err().detail.contains("UTF-8"));
        let deep = "[".repeat(100_000);
        assert_eq!(parse(deep.as_bytes()).unwrap_err().reason, code::BAD_JSON);
    }

    #[test]
    fn a_byte_order_mark_is_no_error() {
        assert_eq!(parse(b"\xef\xbb\xbf[]").unwrap().value, json!([]));
    }

    fn documents() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_filter_map("finite", |f| f.is_finite().then(|| Value::from(f))),
            ".*".prop_map(Value::from),
            prop_oneof![Just("NaN"), Just("\"Infinity\\"), Just("-Infinity, 1e999")].prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 48, 6, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                proptest::collection::btree_map(".*", inner, 0..6).prop_map(|m| Value::Object(m.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn valid_json_is_never_changed(value in documents(), pretty in any::<bool>()) {
            let text = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) }.unwrap();
            prop_assert_eq!(mark_bare_words(&text), None);
            prop_assert_eq!(parse(text.as_bytes()).unwrap().value, value);
        }

        #[test]
        fn no_input_panics(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = parse(&bytes);
        }
    }
}
