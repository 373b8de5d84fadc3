//! The sample's states of the benchmark repository, read as any other checkout.
#![expect(clippy::indexing_slicing, clippy::unwrap_used, reason = "a test fails by panicking")]

use jiff::civil::date;
use paretoscope_domain::label;
use paretoscope_domain::point::Topology;
use paretoscope_domain::repo::RepoFacts;
use paretoscope_domain::vocabulary::Vocabulary;
use paretoscope_facts::repo::{RepoOptions, read};

fn states() -> Vec<RepoFacts> {
    let words = Vocabulary::shipped().unwrap();
    paretoscope_sample::repo_states()
        .iter()
        .map(|state| {
            let folder = tempfile::tempdir().unwrap();
            paretoscope_sample::write_repo(folder.path(), state).unwrap();
            let options = RepoOptions {
                commit: state.commit.map(str::to_owned),
                committed_at: Some(state.committed_at.parse().unwrap()),
                ..RepoOptions::default()
            };
            read(folder.path(), &options, &words).unwrap()
        })
        .collect()
}

#[test]
fn the_story_is_read_without_a_remark() {
    let states = states();
    let [main, first, pinned] = &states[..] else { panic!("three states") };
    for state in [main, first, pinned] {
        assert_eq!(state.refused, []);
        assert_eq!((state.root.as_str(), state.read.len(), state.configs.len()), ("inferencex-e2e", 7, 1));
        let config = &state.configs[0];
        let labels: Vec<String> = config.points.iter().map(|p| label::label(&Topology::Aggregated(p.parallel), Some(p.conc))).collect();
        let expected =
            ["TP4 c1", "TP4 c4", "TP4 c16", "TP2/EP2 c16", "TP2/EP2 c32", "TP2/EP2/DPA c64", "TP2/EP2/DPA c128", "TP2/EP2/DPA c160"];
        assert_eq!(labels, expected);
        assert_eq!(config.points[0].recipe.as_deref(), Some("dsv41flash/sglang/gb300-fp4-mtp/agentic.yaml:override_tp4_c1"));
        assert_eq!(state.golden.len(), 1);
        let curve = &state.golden[0];
        assert_eq!(
            (curve.file.as_str(), curve.model.as_str(), curve.lengths.get(&5), curve.lengths.len()),
            ("dsv41flash_dspark.yaml", "deepseek-v4.1-flash", Some(&3.51), 1)
        );
        assert_eq!((state.thresholds["default"]["gsm8k"], state.thresholds["dsv4"]["gsm8k"]), (0.90, 0.91));
        assert!(!state.thresholds.contains_key("dsv41flash"));
        assert_eq!(state.checklist.as_ref().unwrap().items.len(), 20);
        assert_eq!(state.code_owners.as_ref().unwrap().rules.len(), 3);
        let model = |prefix: &str| state.models.iter().find(|m| m.prefix == prefix).unwrap();
        assert_eq!((model("dsv41flash").active.len(), model("dsv41flash").deprecated.len()), (1, 0));
        let dsv4: Vec<_> = model("dsv4").deprecated.iter().map(|d| (d.scenario.as_deref(), d.valid_to)).collect();
        assert_eq!(dsv4, [(Some("1k1k"), None), (Some("8k1k"), Some(date(2026, 9, 8)))]);
    }
    assert_eq!((main.changelog.len(), first.changelog.len(), pinned.changelog.len()), (0, 1, 1));
    assert_eq!(pinned.changelog[0].pr_number, Some(4603));
    assert_eq!(pinned.changelog[0].config_keys, [pinned.configs[0].key.clone()]);
    assert!(
        pinned.configs[0].image.as_deref().unwrap().ends_with("@sha256:d4b7701dc94d287e4fc135dfb4c1a88df0778a936255021aeb26eb54d396e579")
    );
    assert_eq!(pinned.configs[0].comments, ["Every point uses the Engram table in host memory."]);
}
