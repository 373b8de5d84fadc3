//! What is never kept: secrets. A name tells most of them, the shape of a value the rest.

use paretoscope_domain::fact::FactKind;

/// What stands in the place of a secret.
pub(super) const NOT_KEPT: &str = "(not kept)";

/// Most that is kept of a value, in bytes.
const LONGEST_VALUE: usize = 4 << 10;

/// How tokens begin that services hand out, and the least that follows.
const TOKENS: [(&str, usize); 10] = [
    ("hf_", 20),
    ("ghp_", 20),
    ("gho_", 20),
    ("ghs_", 20),
    ("ghu_", 20),
    ("github_pat_", 20),
    ("glpat-", 16),
    ("sk-", 20),
    ("nvapi-", 20),
    ("AKIA", 16),
];

/// The value as it may be kept.
pub(super) fn kept(key: &str, kind: FactKind, value: &str) -> String {
    let empty = value.is_empty() || value == "None";
    if kind != FactKind::Patch && is_secret(key) && !empty {
        return NOT_KEPT.to_owned();
    }
    cut(&without_tokens(&without_credentials(value)))
}

/// Whether a variable or a flag of that name holds a secret. `TOKEN_MODE` and `max_tokens` are none.
fn is_secret(key: &str) -> bool {
    let key = key.to_ascii_lowercase();
    let parts: Vec<&str> = key.split(['_', '-', '.']).collect();
    let last = parts.last().copied().unwrap_or_default();
    let among = |word: &str| parts.contains(&word);
    matches!(last, "token" | "key" | "apikey" | "auth" | "credential" | "credentials" | "passphrase")
        || among("secret")
        || among("secrets")
        || key.contains("password")
        || key.contains("passwd")
        || (among("access") && among("key"))
        || (among("api") && (among("key") || among("keys")))
}

/// A text without the user and password of addresses in it.
fn without_credentials(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("://") {
        let (before, after) = rest.split_at(at + 3);
        out.push_str(before);
        let end = after.find(|c: char| c == '/' || c == '"' || c == '\'' || c.is_whitespace()).unwrap_or(after.len());
        let (host, left) = after.split_at(end);
        match host.rsplit_once('@') {
            Some((_, host)) => {
                out.push_str(NOT_KEPT);
                out.push('@');
                out.push_str(host);
            }
            None => out.push_str(host),
        }
        rest = left;
    }
    out.push_str(rest);
    out
}

/// A text without what looks like a token, and without secrets that it assigns: `--api-key x`, `HF_TOKEN=x`, `"password": "x"`.
fn without_tokens(text: &str) -> String {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_-.+/~".contains(c);
    let mut out = String::with_capacity(text.len());
    // A secret's name was read: whether what assigns it was, too.
    let mut named: Option<bool> = None;
    for word in text.split_inclusive(|c: char| !is_part(c)) {
        let bare = word.trim_end_matches(|c: char| !is_part(c));
        let behind = word.get(bare.len()..).unwrap_or_default();
        let token = TOKENS.iter().any(|(begin, least)| bare.strip_prefix(begin).is_some_and(|rest| rest.len() >= *least));
        if bare.is_empty() {
            // Between a name and its value.
        } else if token || named == Some(true) {
            out.push_str(NOT_KEPT);
            named = None;
        } else {
            out.push_str(bare);
            let at_once = bare.starts_with("--") || bare.eq_ignore_ascii_case("bearer");
            named = (is_secret(bare) || bare.eq_ignore_ascii_case("bearer")).then_some(at_once);
        }
        out.push_str(behind);
        for c in behind.chars() {
            named = match c {
                '=' | ':' => named.map(|_| true),
                '"' | '\'' | ' ' => named,
                _ => None,
            };
        }
    }
    out
}

fn cut(text: &str) -> String {
    if text.len() <= LONGEST_VALUE {
        return text.to_owned();
    }
    let end = text.floor_char_boundary(LONGEST_VALUE);
    format!("{}… (cut, {} bytes)", text.get(..end).unwrap_or_default(), text.len())
}
