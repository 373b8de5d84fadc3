//! What a phrase of a deprecation is about: a scenario, a precision, the arm without speculative decoding.

use paretoscope_domain::Scenario;
use paretoscope_domain::vocabulary::Vocabulary;

/// What a phrase is about; `None` stands for all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct About {
    pub(crate) scenario: Option<String>,
    pub(crate) precision: Option<String>,
    pub(crate) spec_decoding: Option<bool>,
}

/// Understands a phrase as a whole or not at all: `Single-turn 8k1k`, `Agentic coding, non-MTP`, `All bf16 recipes, in every
/// scenario, on NVIDIA and AMD`. Remarks in parentheses are left out.
pub(crate) fn understood(phrase: &str, words: &Vocabulary) -> Option<About> {
    let text = without_remarks(phrase).replace(['`', '*'], "").to_ascii_lowercase();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = text.trim_end_matches(['.', ',', ';', ' ']);
    if let Some(scenario) = scenario(text) {
        return Some(About { scenario: Some(scenario), ..About::default() });
    }
    if let Some(rest) = text.strip_prefix("agentic coding").map(|rest| rest.trim_start_matches([',', ' ']))
        && is_arm_without(rest)
    {
        return Some(About { scenario: Some(Scenario::AgenticTraces.to_string()), spec_decoding: Some(false), precision: None });
    }
    if is_arm_without(text) {
        return Some(About { spec_decoding: Some(false), ..About::default() });
    }
    let mut parts = text.split(", ");
    let precision = parts.next()?.strip_prefix("all ")?.strip_suffix(" recipes")?;
    let tails = ["in every scenario", "on nvidia and amd", "on amd and nvidia"];
    let precision = words.precision(precision).filter(|_| parts.all(|part| tails.contains(&part)))?;
    Some(About { precision: Some(precision.key.clone()), ..About::default() })
}

/// A scenario's key by its written name.
fn scenario(text: &str) -> Option<String> {
    let name = text.strip_prefix("single-turn ").unwrap_or(text);
    name.parse::<Scenario>().ok().map(|scenario| scenario.to_string())
}

/// The scenarios that a sentence names.
pub(crate) fn scenarios_in(sentence: &str) -> Vec<String> {
    let text = sentence.to_ascii_lowercase();
    let mut found: Vec<String> = Vec::new();
    if text.contains("agentic coding") {
        found.push(Scenario::AgenticTraces.to_string());
    }
    for word in text.split(|c: char| !c.is_ascii_alphanumeric()) {
        if word.starts_with(|c: char| c.is_ascii_digit())
            && let Some(scenario) = scenario(word)
            && !found.contains(&scenario)
        {
            found.push(scenario);
        }
    }
    found
}

/// Whether a phrase names the arm of a pair that runs without speculative decoding: `non-MTP arm`, `standalone non-DSpark baseline`.
fn is_arm_without(text: &str) -> bool {
    let text = text.strip_prefix("standalone ").unwrap_or(text);
    let Some(rest) = text.strip_prefix("non-") else { return false };
    let (method, rest) = rest.split_once(' ').unwrap_or((rest, ""));
    let methods = ["mtp", "eagle", "eagle3", "dspark", "spec-decode", "spec-decoding", "speculative"];
    methods.contains(&method) && ["", "arm", "baseline", "a/b baseline"].contains(&rest)
}

/// Splits a cell at the commas outside parentheses. Parts that only narrow the one before stay with it.
pub(crate) fn parts(cell: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    let mut depth = 0_usize;
    let mut part = String::new();
    for c in cell.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if c == ',' && depth == 0 {
            parts.push(std::mem::take(&mut part));
        } else {
            part.push(c);
        }
    }
    parts.push(part);
    let mut joined: Vec<String> = Vec::new();
    for part in parts.into_iter().map(|p| p.trim().to_owned()).filter(|p| !p.is_empty()) {
        let lower = part.to_ascii_lowercase();
        let narrows = ["non-", "standalone non-", "in every ", "on ", "both "].iter().any(|start| lower.starts_with(start));
        match joined.last_mut().filter(|_| narrows) {
            Some(last) => last.extend([", ", &part]),
            None => joined.push(part),
        }
    }
    joined
}

/// The text outside parentheses.
pub(crate) fn without_remarks(text: &str) -> String {
    let mut depth = 0_usize;
    let mut kept = String::new();
    for c in text.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            c if depth == 0 => kept.push(c),
            _ => {}
        }
    }
    kept
}

/// The texts inside parentheses.
pub(crate) fn remarks(text: &str) -> Vec<&str> {
    text.split('(').skip(1).map(|rest| rest.split(')').next().unwrap_or(rest)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases() {
        let words = Vocabulary::shipped().unwrap();
        let about = |scenario: &str, precision: &str, spec: Option<bool>| About {
            scenario: Some(scenario.to_owned()).filter(|s| !s.is_empty()),
            precision: Some(precision.to_owned()).filter(|s| !s.is_empty()),
            spec_decoding: spec,
        };
        for (phrase, expected) in [
            ("Single-turn 8k1k", Some(about("8k1k", "", None))),
            ("Single-turn 1k1k (removed 2026-08-04)", Some(about("1k1k", "", None))),
            ("Agentic coding", Some(about("agentic-traces", "", None))),
            ("Agentic coding, non-EAGLE3", Some(about("agentic-traces", "", Some(false)))),
            ("Agentic coding non-DSpark arm (deprecated from day 0)", Some(about("agentic-traces", "", Some(false)))),
            ("Standalone non-DSpark A/B baseline (not required from day 0)", Some(about("", "", Some(false)))),
            ("All bf16 recipes, in every scenario, on NVIDIA and AMD", Some(about("", "bf16", None))),
            ("all **bf16** recipes", Some(about("", "bf16", None))),
            ("All bf16 recipes, on AMD", None),
            ("All old recipes", None),
            ("Agentic coding on B200", None),
            ("non-MI355X arm", None),
            ("The earlier recipes were retired", None),
            ("", None),
        ] {
            assert_eq!(understood(phrase, &words), expected, "{phrase}");
        }
    }

    #[test]
    fn cells_in_parts() {
        assert_eq!(
            parts("A 1k1k, B (x, y), non-MTP arm, all bf16 recipes, on NVIDIA and AMD"),
            ["A 1k1k", "B (x, y), non-MTP arm", "all bf16 recipes, on NVIDIA and AMD"]
        );
        assert_eq!(scenarios_in("the Single-turn 8k1k scenario on Kimi-K2.5/2.6 (`kimik2.5`)"), ["8k1k"]);
        assert_eq!(scenarios_in("for agentic coding, 1k1k and 1k8k"), ["agentic-traces", "1k1k", "1k8k"]);
        assert_eq!(remarks("a (b) c (d (e)"), ["b", "d ", "e"]);
    }
}
