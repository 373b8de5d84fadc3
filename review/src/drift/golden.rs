//! Committed golden acceptance lengths: which curves belong to a model, and what a recipe's draft length is (§3.3).

use paretoscope_domain::repo::{GoldenCurve, RepoFacts};
use paretoscope_domain::vocabulary::Vocabulary;

/// A committed value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Committed<'a> {
    /// The curve it stands in.
    pub curve: &'a GoldenCurve,
    /// Draft length.
    pub draft_length: u32,
    /// Acceptance length.
    pub value: f64,
}

impl Committed<'_> {
    /// `3.51 (dsv41flash_dspark.yaml, thinking_on, draft length 5)`.
    #[must_use]
    pub fn in_words(&self) -> String {
        format!("{:.2} ({}, {}, draft length {})", self.value, self.curve.file, self.curve.thinking, self.draft_length)
    }
}

/// Values are committed to two decimals.
const HALF_A_STEP: f64 = 0.005;

/// Whether a value is the committed one.
#[must_use]
pub fn same(a: f64, b: f64) -> bool {
    (a - b).abs() < HALF_A_STEP
}

/// The curves of a model. `paths` are its names as served: where a curve has one of them, only such curves count, because a
/// model's later checkpoint has a curve of its own. Else those that the vocabulary files under the same model, by the curve's
/// own name or by what its file's name begins with. Two files may share one model: both are given.
#[must_use]
pub fn curves<'a>(facts: &'a RepoFacts, paths: &[&str], model: Option<&str>, words: &Vocabulary) -> Vec<&'a GoldenCurve> {
    let last = |path: &str| path.trim_end_matches('/').rsplit('/').next().unwrap_or(path).to_lowercase();
    let names: Vec<String> = paths.iter().map(|p| last(p)).collect();
    let exact: Vec<&GoldenCurve> = facts.golden.iter().filter(|c| names.contains(&c.model.to_lowercase())).collect();
    if !exact.is_empty() {
        return exact;
    }
    let Some(model) = model else { return Vec::new() };
    let key = |curve: &GoldenCurve| {
        let stem = curve.file.rsplit('/').next().unwrap_or(&curve.file).split(['_', '.']).next().unwrap_or_default().to_owned();
        let by_name = words.model(Some(&curve.model), Some(&curve.model));
        by_name.or_else(|| words.model(Some(&stem), None)).map(|e| e.key.clone())
    };
    facts.golden.iter().filter(|c| key(c).as_deref() == Some(model)).collect()
}

/// Values of curves, at one draft length where that is known, else at all of them.
#[must_use]
pub fn values<'a>(curves: &[&'a GoldenCurve], draft_length: Option<u32>, thinking: Option<&str>) -> Vec<Committed<'a>> {
    curves
        .iter()
        .filter(|c| thinking.is_none_or(|t| c.thinking == t))
        .flat_map(|curve| curve.lengths.iter().map(move |(length, value)| Committed { curve, draft_length: *length, value: *value }))
        .filter(|c| draft_length.is_none_or(|l| l == c.draft_length))
        .collect()
}

/// Draft length that server arguments ask for: DSpark's block size, else the number of speculative steps, else the number of
/// draft tokens less the one that the target adds. Flags may be written with dashes or underscores.
pub fn draft_length<'a>(arguments: impl IntoIterator<Item = (&'a str, &'a str)> + Clone) -> Option<u32> {
    let read = |wanted: &str| {
        let mut found =
            arguments.clone().into_iter().filter(|(flag, _)| plain(flag) == wanted).filter_map(|(_, v)| v.trim().parse::<u32>().ok());
        let first = found.next()?;
        // Cells have one set of arguments a block; where these disagree nothing is known.
        found.all(|other| other == first).then_some(first)
    };
    read("speculative_dspark_block_size")
        .or_else(|| read("speculative_num_steps"))
        .or_else(|| read("speculative_num_draft_tokens").and_then(|n| n.checked_sub(1)))
        .filter(|n| *n > 0)
}

/// The thinking mode that an environment or arguments state: `thinking_on`, `thinking_off`.
pub fn thinking<'a>(environment: impl IntoIterator<Item = (&'a str, &'a str)>) -> Option<&'static str> {
    environment.into_iter().find(|(name, _)| *name == "SGLANG_DEFAULT_THINKING").and_then(|(_, value)| match truth(value)? {
        true => Some("thinking_on"),
        false => Some("thinking_off"),
    })
}

/// A flag without its dashes, in snake case.
#[must_use]
pub fn plain(flag: &str) -> String {
    flag.trim_start_matches('-').replace('-', "_").to_lowercase()
}

/// Whether a switch's value is on; `None` for what is neither.
#[must_use]
pub fn truth(value: &str) -> Option<bool> {
    match value.trim().trim_matches(['"', '\'']).to_ascii_lowercase().as_str() {
        "1" | "true" | "yes" | "on" => Some(true),
        "0" | "false" | "no" | "off" | "" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draft_lengths() {
        for (arguments, length) in [
            (vec![("--speculative-dspark-block-size", "5")], Some(5)),
            (vec![("speculative_dspark_block_size", "5"), ("--speculative-num-draft-tokens", "6")], Some(5)),
            (vec![("--speculative-num-steps", "3"), ("--speculative-num-draft-tokens", "4")], Some(3)),
            (vec![("--speculative-num-draft-tokens", "4")], Some(3)),
            (vec![("--speculative-num-draft-tokens", "1")], None),
            (vec![("--speculative-num-steps", "3"), ("--speculative-num-steps", "5")], None),
            (vec![("--speculative-num-steps", "three")], None),
            (vec![], None),
        ] {
            assert_eq!(draft_length(arguments.clone()), length, "{arguments:?}");
        }
    }

    #[test]
    fn curves_of_a_model() {
        let curve = |file: &str, model: &str| GoldenCurve {
            file: file.into(),
            model: model.into(),
            thinking: "thinking_on".into(),
            lengths: [(5, 3.51)].into(),
            source: None,
            comments: vec![],
        };
        let facts = RepoFacts {
            golden: vec![
                curve("dsv41flash_dspark.yaml", "deepseek-v4.1-flash"),
                curve("kimik3_dspark.yaml", "kimi-k3"),
                curve("kimik3_dspark_probabilistic.yaml", "kimi-k3"),
                curve("dsv4_mtp.yaml", "deepseek-v4-pro"),
                curve("dsv4-pro-0813-dspark.yaml", "deepseek-v4-pro-0813"),
                curve("qwen3.5_mtp.yaml", "qwen3.5-397b-a17b-nvfp4"),
            ],
            ..RepoFacts::default()
        };
        let words = Vocabulary::shipped().unwrap();
        let files = |paths: &[&str], model| curves(&facts, paths, model, &words).iter().map(|c| c.file.clone()).collect::<Vec<_>>();
        assert_eq!(files(&["deepseek-ai/DeepSeek-V4.1-Flash"], Some("dsv41flash")), ["dsv41flash_dspark.yaml"]);
        assert_eq!(files(&["moonshotai/Kimi-K3"], Some("kimik3")), ["kimik3_dspark.yaml", "kimik3_dspark_probabilistic.yaml"]);
        assert_eq!(files(&["deepseek-ai/DeepSeek-V4-Pro-0813"], Some("dsv4")), ["dsv4-pro-0813-dspark.yaml"]);
        assert_eq!(files(&["Qwen/Qwen3.5-397B-A17B"], Some("qwen3.5")), ["qwen3.5_mtp.yaml"]);
        assert!(files(&["nobody/nothing"], None).is_empty());
        let two = curves(&facts, &["kimi-k3"], None, &words);
        assert_eq!(values(&two, Some(5), None).len(), 2);
        assert!(values(&two, Some(4), None).is_empty());
        assert_eq!(values(&two, None, Some("thinking_off")), []);
    }

    #[test]
    fn switches() {
        for (value, on) in [("1", Some(true)), ("'True'", Some(true)), ("0", Some(false)), ("", Some(false)), ("2", None)] {
            assert_eq!(truth(value), on, "{value}");
        }
        assert_eq!(thinking([("SGLANG_DEFAULT_THINKING", "1")]), Some("thinking_on"));
        assert_eq!(thinking([("OTHER", "1")]), None);
    }
}
