//! Patterns with `*`, which stands for any text.

/// Whether `text` matches `pattern` as a whole.
pub(crate) fn matches(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(rest) = parts.next().and_then(|first| text.strip_prefix(first)) else { return false };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else { return rest.is_empty() };
    let mut rest = rest;
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = rest.get(at + part.len()..).unwrap_or_default();
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn stars() {
        for (pattern, text, yes) in [
            ("a", "a", true),
            ("a", "ab", false),
            ("*", "", true),
            ("a*", "abc", true),
            ("*-sglang-*", "dsv4-fp4-sglang-agentic", true),
            ("*-sglang-*", "dsv4-fp4-vllm-agentic", false),
            ("a*b*c", "a1b2c", true),
            ("a*b*c", "a1b2", false),
            ("ab*ba", "aba", false),
        ] {
            assert_eq!(matches(pattern, text), yes, "{pattern} {text}");
        }
    }
}
