//! The reader over the benchmark repository's own facts of August 2026. Skipped, saying so, where they are not at hand.
#![expect(clippy::indexing_slicing, clippy::expect_used, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use jiff::civil::{Date, date};
use paretoscope_domain::Scenario;
use paretoscope_domain::repo::{Refused, RepoFacts};
use paretoscope_domain::vocabulary::Vocabulary;
use paretoscope_facts::repo::{RepoOptions, read, reason};

fn checkout() -> Option<PathBuf> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2)?;
    let path = workspace.parent()?.join("shared/data/benchmark-repo");
    if !path.is_dir() {
        eprintln!("SKIPPED: {} is not there, so nothing is tried on real data", path.display());
        return None;
    }
    Some(path)
}

fn facts() -> Option<RepoFacts> {
    let words = Vocabulary::shipped().expect("the shipped vocabulary parses");
    Some(read(&checkout()?, &RepoOptions::default(), &words).expect("the checkout is read"))
}

fn listed(refused: &[Refused]) -> String {
    let line = |r: &Refused| format!("{}:{} {} {} kept={} {}\n", r.file, r.line.unwrap_or(0), r.what, r.reason, r.kept, r.detail);
    refused.iter().map(line).collect()
}

#[test]
fn every_changelog_entry_is_accounted_for() {
    let Some(facts) = facts() else { return };
    let odd: Vec<Refused> = facts.refused.iter().filter(|r| r.file == "perf-changelog.yaml").cloned().collect();
    let list = listed(&odd);
    let mut counts: BTreeMap<(&str, bool), usize> = BTreeMap::new();
    for r in &odd {
        *counts.entry((r.reason.as_str(), r.kept)).or_default() += 1;
    }
    assert_eq!(facts.changelog.len(), 772, "{list}");
    // 144 keys and 3 wildcards name nothing that is active in this state. The repository tells most of them apart as retired by its
    // archive (configs/deprecated), which is not in this copy; that 14 of them exist nowhere can't be seen from it.
    let expected = [(reason::LINK_SUFFIX, 1), (reason::MATCHES_NOTHING, 3), (reason::NO_SUCH_CONFIG, 144), (reason::PLACEHOLDER_LINK, 1)];
    assert_eq!(counts, expected.into_iter().map(|(reason, n)| ((reason, true), n)).collect(), "{list}");
    let at = |reason: &str| odd.iter().find(|r| r.reason == reason).and_then(|r| r.line);
    assert_eq!((at(reason::LINK_SUFFIX), at(reason::PLACEHOLDER_LINK)), (Some(5123), Some(5598)));

    let all = &facts.changelog;
    assert_eq!(all.iter().map(|c| c.number).collect::<Vec<_>>(), (1..=772).collect::<Vec<_>>());
    assert_eq!(all.iter().filter(|c| c.pr_number.is_none()).count(), 1);
    assert_eq!(all.iter().filter(|c| !c.scenario_types.is_empty()).count(), 67);
    assert_eq!(all.iter().filter(|c| c.evals_only).count(), 6);
    assert_eq!(all.iter().filter(|c| c.append_only).count(), 1);
    assert_eq!(
        all.iter().map(|c| c.patterns.len()).sum::<usize>(),
        all.iter().map(|c| c.patterns.iter().collect::<BTreeSet<_>>().len()).sum::<usize>()
    );
    assert_eq!(all.iter().filter(|c| !c.unresolved.is_empty()).count(), 351);
    let wildcard = all.iter().find(|c| c.patterns.contains(&"*gb200-dynamo-sglang".to_owned())).unwrap();
    assert!(!wildcard.config_keys.is_empty() && wildcard.config_keys.iter().all(|k| k.ends_with("gb200-dynamo-sglang")));
}

#[test]
fn every_configuration_is_expanded() {
    let Some(facts) = facts() else { return };
    let list = listed(&facts.refused);
    assert_eq!(facts.configs.len(), 208);
    assert_eq!(facts.configs.iter().filter(|c| c.file == "nvidia-master.yaml").count(), 152);
    assert_eq!(facts.configs.iter().filter(|c| c.file == "nvidia-master.yaml" && c.multinode).count(), 83);
    let points: Vec<_> = facts.configs.iter().flat_map(|c| &c.points).collect();
    let agentic = points.iter().filter(|p| p.scenario == Scenario::AgenticTraces.to_string()).count();
    assert_eq!((points.len(), points.len() - agentic, agentic), (2078, 1332, 746), "{list}");
    assert!(!facts.refused.iter().any(|r| r.file.starts_with("configs/")), "{list}");
    assert!(points.iter().all(|p| p.parallel.tp.is_some() || (p.prefill.is_some() && p.decode.is_some())));
    assert!(points.iter().all(|p| p.isl.is_some() != (p.scenario == "agentic-traces")));

    // The oldest disaggregated one, its recipe in the additional settings.
    let config = facts.configs.iter().find(|c| c.key == "dsr1-fp4-b200-dynamo-trt").unwrap();
    assert_eq!(
        (config.line, config.router.as_deref(), config.kv_transfer.as_deref()),
        (1, Some("dynamo-router 0.8.1.post1"), Some("nixl"))
    );
    let first = &config.points[0];
    assert_eq!(
        (first.conc, first.item, first.spec_decoding.as_str(), first.prefill.unwrap().tp, first.decode.unwrap().tp),
        (90, 0, "mtp", Some(4), Some(8))
    );
    assert_eq!(first.recipe.as_deref(), Some("recipes/trtllm/b200-fp4/8k1k/mtp/ctx1_gen1_dep8_batch8_eplb0_mtp3.yaml"));
    // Comments stand with the entry below them.
    let config = facts
        .configs
        .iter()
        .find(|c| c.key == "kimik3-fp4-mi355x-atom-agentic-mtp")
        .or_else(|| {
            facts
                .configs
                .iter()
                .find(|c| c.comments.iter().any(|l| l.contains("Kimi-K3 MXFP4 agentic-coding benchmark on MI355X via ATOM")))
        })
        .unwrap();
    assert_eq!(config.comments.len(), 14, "{:?}", config.comments);
}

#[test]
fn golden_curves_are_told_apart_by_file() {
    let Some(facts) = facts() else { return };
    let files: BTreeSet<&str> = facts.golden.iter().map(|c| c.file.as_str()).collect();
    assert_eq!((files.len(), facts.golden.len()), (9, 14));
    let shared: Vec<&str> = facts.refused.iter().filter(|r| r.reason == reason::SHARED_KEY && r.kept).map(|r| r.what.as_str()).collect();
    assert_eq!(shared, ["kimi-k3", "minimax-m3"]);
    let of = |file: &str| facts.golden.iter().find(|c| c.file == file && c.thinking == "thinking_on").unwrap();
    assert_eq!((of("minimaxm3_eagle3.yaml").lengths[&3], of("minimaxm3_eagle3_gqa.yaml").lengths[&3]), (2.83, 2.78));
    assert_eq!(of("kimik3_dspark.yaml").source.as_deref(), Some("https://github.com/SemiAnalysisAI/InferenceX/actions/runs/30304797750"));
    assert!(facts.golden.iter().all(|c| c.lengths.len() == 8 && c.source.is_some()));
}

#[test]
fn models_and_what_is_deprecated() {
    let Some(facts) = facts() else { return };
    let list = listed(&facts.refused.iter().filter(|r| r.file == "MODELS.md").cloned().collect::<Vec<_>>());
    let prefixes: Vec<&str> = facts.models.iter().map(|m| m.prefix.as_str()).collect();
    assert_eq!(
        prefixes,
        [
            "qwen3.8",
            "kimik3",
            "glm5.2",
            "minimaxm3",
            "dsv4",
            "glm5",
            "glm5.1",
            "minimaxm2.5",
            "kimik2.5",
            "qwen3.5",
            "gptoss",
            "dsr1",
            "llama70b"
        ]
    );
    let scenarios: Vec<(Option<&str>, Option<Date>)> = facts.scenarios.iter().map(|d| (d.scenario.as_deref(), d.valid_to)).collect();
    assert_eq!(scenarios, [(Some("1k1k"), Some(date(2026, 7, 16))), (Some("1k8k"), Some(date(2026, 3, 26)))]);
    type Row<'a> = (Option<&'a str>, Option<&'a str>, Option<bool>, Option<Date>, bool);
    let of = |prefix: &str| -> Vec<Row<'_>> {
        let model = facts.models.iter().find(|m| m.prefix == prefix).unwrap();
        model.deprecated.iter().map(|d| (d.scenario.as_deref(), d.precision.as_deref(), d.spec_decoding, d.valid_to, d.enacted)).collect()
    };
    let august = |day| Some(date(2026, 8, day));
    for (prefix, expected) in [
        ("qwen3.8", vec![]),
        (
            "minimaxm3",
            vec![
                (Some("1k1k"), None, None, None, true),
                (Some("8k1k"), None, None, august(3), true),
                (Some("agentic-traces"), None, Some(false), august(3), false),
            ],
        ),
        ("kimik3", vec![(Some("agentic-traces"), None, Some(false), None, false)]),
        ("dsv4", vec![(Some("1k1k"), None, None, None, true), (Some("agentic-traces"), None, Some(false), august(3), false)]),
        (
            "glm5",
            vec![
                (None, None, None, Some(date(2026, 7, 17)), true),
                (Some("1k1k"), None, None, None, true),
                (Some("1k8k"), None, None, None, true),
                (Some("8k1k"), None, None, None, true),
            ],
        ),
        (
            "glm5.1",
            vec![
                (None, None, None, Some(date(2026, 7, 17)), true),
                (Some("1k1k"), None, None, None, true),
                (Some("8k1k"), None, None, None, true),
            ],
        ),
        (
            "kimik2.5",
            vec![
                (None, None, None, august(6), true),
                (Some("1k1k"), None, None, None, true),
                (Some("1k8k"), None, None, None, true),
                (Some("agentic-traces"), None, None, august(3), true),
                (Some("8k1k"), None, None, august(6), true),
            ],
        ),
        (
            "qwen3.5",
            vec![
                (Some("1k1k"), None, None, None, true),
                (Some("1k8k"), None, None, None, true),
                (None, Some("bf16"), None, august(3), true),
                (Some("agentic-traces"), None, Some(false), august(3), false),
            ],
        ),
        ("dsr1", vec![(Some("1k1k"), None, None, None, true), (Some("1k8k"), None, None, None, true)]),
        (
            "llama70b",
            vec![
                (None, None, None, Some(date(2025, 10, 28)), true),
                (Some("1k1k"), None, None, None, true),
                (Some("1k8k"), None, None, None, true),
                (Some("8k1k"), None, None, None, true),
            ],
        ),
    ] {
        assert_eq!(of(prefix), expected, "{prefix}\n{list}");
    }
    assert_eq!(list, "", "nothing of MODELS.md is left unread");
    assert!(facts.models.iter().all(|m| m.prefix == "qwen3.8" || m.added.is_some()));
}

#[test]
fn the_rest_and_what_is_not_there() {
    let Some(facts) = facts() else { return };
    assert_eq!(facts.thresholds["default"]["gsm8k"], 0.90);
    assert_eq!((facts.thresholds["qwen3.5"]["gsm8k"], facts.thresholds.len()), (0.94, 9));
    assert_eq!((facts.root.as_str(), facts.code_owners, facts.checklist), ("", None, None));
    // The copy lies in no git of its own.
    assert_eq!((facts.commit, facts.committed_at), (None, None));
    assert_eq!(facts.read.len(), 2 + 1 + 1 + 9 + 1);
}
