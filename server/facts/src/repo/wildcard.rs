//! Names with wildcards, as the changelog's `config-keys` have them: `*` stands for any text, also none, anywhere.

/// Whether `name` is what `pattern` stands for.
pub(crate) fn matches(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = name.strip_prefix(first) else { return false };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else { return rest.is_empty() };
    for part in parts {
        match rest.find(part).and_then(|at| rest.get(at + part.len()..)) {
            Some(after) => rest = after,
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars() {
        for (pattern, name, expected) in [
            ("a-b", "a-b", true),
            ("a-b", "a-bc", false),
            ("a*", "a", true),
            ("a*", "abc", true),
            ("a*", "ba", false),
            ("*gb200-x", "y-gb200-x", true),
            ("*gb200-x", "y-gb200-xz", false),
            ("70b-*-v", "70b-fp8-h100-v", true),
            ("70b-*-v", "70b-v", false),
            ("a*b*c", "a1b2b3c", true),
            ("a*b*c", "acb", false),
            ("ab*ba", "aba", false),
            ("*", "", true),
            ("**", "x", true),
            ("a*é", "aöé", true),
            ("", "", true),
            ("", "x", false),
        ] {
            assert_eq!(matches(pattern, name), expected, "{pattern} {name}");
        }
    }
}
