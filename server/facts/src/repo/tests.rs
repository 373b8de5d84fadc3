//! Laws that hold for every reader of a checkout's files.

use proptest::prelude::*;

use super::*;
use crate::repo::places::Source;

/// A file of each kind that has something to read, to be spoiled.
const SEEDS: [&str; 5] = [
    "- config-keys: [a-*]\n  description: [x]\n  pr-link: https://github.com/o/r/pull/1\n",
    "a-1:\n  image: i # c\n  model: o/m\n  model-prefix: m\n  runner: r\n  precision: fp4\n  framework: vllm\n  multinode: true\n  scenarios:\n    agentic-coding:\n    - search-space:\n      - { tp: 4, conc-start: 1, conc-end: 9 }\n      - conc-list: [1]\n        prefill: &p { num-worker: 1, tp: 4, ep: 1, dp-attn: true }\n        decode: { <<: *p, tp: 8 }\n",
    "# Source GitHub Actions run: x\nm: {thinking_on: {1: 1.5, 2: 2.0}}\n",
    "default: {gsm8k: 0.9}\nmodels: {m: {gsm8k: 0.91}}\n",
    "### August 3, 2026\n\nAugust 3, 2026 is the last day for 8k1k on `m`.\n\n| Model | Prefix | Deprecated scenarios |\n|---|---|---|\n| M | `m` | Single-turn 8k1k (removed 2026-08-04) |\n- [ ] x\n",
];

fn read_all(text: &str) {
    let words = Vocabulary::default();
    let source = || Source { path: "x-master.yaml".to_owned(), text: text.to_owned() };
    let mut refused = Vec::new();
    let configs = configs::read(&[source()], &words, &mut refused);
    let known = Known {
        repo: "o/r",
        configs: configs.iter().map(|c| c.key.as_str()).collect(),
        retired: configs::retired(&[source()], &mut refused),
    };
    changelog::read(&source(), &known, &mut refused);
    models::read(&source(), &words, &mut refused);
    golden::read(&[source(), source()], &mut refused);
    thresholds::read(&source(), &mut refused);
    owners::read(&source(), &mut refused);
    checklist::read(&source(), &mut refused);
    // YAML breaks lines at a lone carriage return too.
    let lines = text.chars().filter(|c| matches!(c, '\n' | '\r')).count() as u64 + 1;
    assert!(refused.iter().all(|r| r.line.is_none_or(|line| (1..=lines).contains(&line))), "{text:?}: {refused:?}");
}

#[test]
fn texts_that_once_failed() {
    for text in ["{\r\r[", "%¡"] {
        read_all(text);
    }
}

proptest! {
    #[test]
    fn arbitrary_text_panics_no_reader(text in ".{0,200}") {
        read_all(&text);
    }

    #[test]
    fn a_spoiled_file_panics_no_reader(seed in 0..SEEDS.len(), at in 0_usize..400, gone in 0_usize..12, put in "[\t\n -~é]{0,6}") {
        let chars: Vec<char> = SEEDS.get(seed).copied().unwrap_or_default().chars().collect();
        let at = at % (chars.len() + 1);
        let spoiled: String = chars.iter().take(at).copied().chain(put.chars()).chain(chars.iter().skip(at + gone).copied()).collect();
        read_all(&spoiled);
    }
}
