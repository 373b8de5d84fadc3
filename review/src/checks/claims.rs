//! Things named in a text that data can be compared with: images, digests, commits, runs, points.

use super::affected::split_image;
use super::text::distinct;

/// Images named in a text: `repository:tag`, with a digest where one stands there.
pub(crate) fn images(text: &str) -> Vec<String> {
    let word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | ':' | '.' | '-' | '_' | '@' | '#');
    let words = text.split(|c: char| !word(c)).map(|w| w.trim_matches(['.', ':', '-', '@', '#']));
    distinct(
        words
            .filter(|w| !w.contains("//") && !w.starts_with("http"))
            .filter(|w| {
                let (reference, _) = split_image(w);
                reference.rsplit_once(':').is_some_and(|(name, tag)| {
                    name.contains('/') && !tag.contains('/') && tag.len() > 1 && tag.contains(|c: char| c.is_ascii_digit())
                })
            })
            .map(str::to_owned),
    )
}

/// Tags that look like one: a word that begins as the tag does up to its first digit, with as many parts.
pub(crate) fn tags_like(text: &str, tag: &str) -> Vec<String> {
    let Some(digit) = tag.find(|c: char| c.is_ascii_digit()) else { return Vec::new() };
    let stem: String = tag.chars().take(digit).collect();
    if stem.len() < 2 {
        return Vec::new();
    }
    let parts = |t: &str| t.split('-').count();
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_'))).map(|w| w.trim_matches(['.', '-', '_']));
    distinct(words.filter(|w| w.starts_with(&stem) && w.len() > stem.len() && parts(w) == parts(tag)).map(str::to_owned))
}

/// Digests named in a text.
pub(crate) fn digests(text: &str) -> Vec<String> {
    distinct(text.match_indices("sha256:").filter_map(|(at, mark)| {
        let rest = text.get(at + mark.len()..)?;
        let hex: String = rest.chars().take_while(char::is_ascii_hexdigit).collect();
        (hex.len() >= 8).then(|| format!("sha256:{hex}"))
    }))
}

/// Numbers of runs: ten digits or more, by themselves or in an address.
pub(crate) fn runs(text: &str) -> Vec<String> {
    distinct(
        text.split(|c: char| !c.is_ascii_alphanumeric())
            .filter(|w| (10..=12).contains(&w.len()) && w.bytes().all(|b| b.is_ascii_digit()))
            .map(str::to_owned),
    )
}

/// Labels of points: `TP4 c1/c4/c16` is three.
pub(crate) fn labels(text: &str) -> Vec<String> {
    let words: Vec<&str> =
        text.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '(' | ')' | '|' | '*' | '`')).filter(|w| !w.is_empty()).collect();
    let mut out = Vec::new();
    for (i, word) in words.iter().enumerate() {
        let layout = word.starts_with("TP") && word.get(2..).is_some_and(|r| r.starts_with(|c: char| c.is_ascii_digit()));
        if !layout {
            continue;
        }
        let Some(next) = words.get(i + 1) else { continue };
        let concs: Vec<u32> = next.trim_end_matches(['.', ':']).split('/').map_while(|c| c.strip_prefix('c')?.parse().ok()).collect();
        out.extend(concs.into_iter().map(|c| format!("{word} c{c}")));
    }
    distinct(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_text_names() {
        let text = "Move to lmsysorg/sglang:nightly-dev-cu13-20261030-302b78cc (from nightly-dev-cu13-20261021-c1c287a4), \
                    digest sha256:d4b7701dc94d. See https://github.com/a/b:1 and run 41261902147. TP4 c1/c4/c16 and TP2/EP2 c16/c32: flashmla.";
        assert_eq!(images(text), ["lmsysorg/sglang:nightly-dev-cu13-20261030-302b78cc"]);
        assert_eq!(
            tags_like(text, "nightly-dev-cu13-20261030-302b78cc"),
            ["nightly-dev-cu13-20261030-302b78cc", "nightly-dev-cu13-20261021-c1c287a4"]
        );
        assert_eq!(digests(text), ["sha256:d4b7701dc94d"]);
        assert_eq!(runs(text), ["41261902147"]);
        assert_eq!(labels(text), ["TP4 c1", "TP4 c4", "TP4 c16", "TP2/EP2 c16", "TP2/EP2 c32"]);
        assert_eq!(tags_like("v0.5.1", "v0.5.2"), Vec::<String>::new(), "too short a beginning to tell");
    }
}
