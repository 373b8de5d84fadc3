//! Facts from a checkout of the benchmark repository, at one commit: what the master configurations generate, what is
//! deprecated since when, golden acceptance lengths, thresholds, the changelog, who owns which path, the review checklist.

use std::collections::BTreeMap;

use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::point::{Parallel, Role};

/// Everything read of one checkout. What is absent there is empty or `None`, and `read` says which files were there.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RepoFacts {
    /// `owner/name`.
    pub repo: String,
    /// Commit of the checkout; `None` where it has no git history and none was given.
    pub commit: Option<String>,
    /// When that commit was made.
    pub committed_at: Option<Timestamp>,
    /// Folder of the checkout that holds `perf-changelog.yaml` and `configs/`: empty or `inferencex-e2e`.
    pub root: String,
    /// Files read, relative to the checkout.
    pub read: Vec<String>,
    /// Changelog, in the file's order (oldest first).
    pub changelog: Vec<RepoChange>,
    /// Models.
    pub models: Vec<ModelFact>,
    /// Scenarios deprecated for every model.
    pub scenarios: Vec<Deprecation>,
    /// Golden acceptance lengths, one per file, model and thinking mode.
    pub golden: Vec<GoldenCurve>,
    /// Lowest passing eval scores: `default` or a model prefix, then the task.
    pub thresholds: BTreeMap<String, BTreeMap<String, f64>>,
    /// Master configurations.
    pub configs: Vec<ConfigFact>,
    /// Owners of paths; `None` where the checkout has no such file.
    pub code_owners: Option<CodeOwners>,
    /// The review checklist; `None` where the checkout has no such file.
    pub checklist: Option<Checklist>,
    /// What could not be used, with its reason; the rest is kept.
    pub refused: Vec<Refused>,
    /// Where this is no checkout but a retelling: what it is, in words for the page. Its lines are not those of the repository's files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retold: Option<String>,
}

/// Something in a file that could not be used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Refused {
    /// File, relative to the checkout or as given.
    pub file: String,
    /// Line, from 1, where known.
    pub line: Option<u64>,
    /// What: a key, an entry's number.
    pub what: String,
    /// Code of the reason: `unknown_key`, `no_such_config`, `bad_link`, …
    pub reason: String,
    /// In words.
    pub detail: String,
    /// Whether the thing itself is kept (an odd one) or left out.
    pub kept: bool,
}

/// An entry of `perf-changelog.yaml`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RepoChange {
    /// Number in the file, from 1.
    pub number: usize,
    /// Line of its first key.
    pub line: u64,
    /// Keys as written, wildcards and all.
    pub patterns: Vec<String>,
    /// Keys of the master configurations that they name at this commit.
    pub config_keys: Vec<String>,
    /// Patterns that name no configuration at this commit.
    pub unresolved: Vec<String>,
    /// Description, a line each.
    pub description: Vec<String>,
    /// Link as written.
    pub pr_link: Option<String>,
    /// Pull request of that link; `None` for a placeholder.
    pub pr_number: Option<i64>,
    /// Scenario types it is limited to; empty for all.
    pub scenario_types: Vec<String>,
    /// Only evals run.
    pub evals_only: bool,
    /// Every eval runs.
    pub all_evals: bool,
    /// No eval runs.
    pub no_evals: bool,
    /// It only adds points.
    pub append_only: bool,
    /// Evals only from this prefill EP on.
    pub eval_min_prefill_ep: Option<u32>,
}

/// A model of MODELS.md.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelFact {
    /// Prefix: `dsv41flash`.
    pub prefix: String,
    /// Name.
    pub name: String,
    /// Day it was added, where told.
    pub added: Option<Date>,
    /// Active scenarios as written.
    pub active: Vec<String>,
    /// What of it is deprecated.
    pub deprecated: Vec<Deprecation>,
}

/// A deprecation. Each field that is `None` stands for all.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Deprecation {
    /// Scenario key (`agentic-traces`, `8k1k`, …); `None` for every scenario.
    pub scenario: Option<String>,
    /// Precision key; `None` for every precision.
    pub precision: Option<String>,
    /// Whether only one arm of an A/B pair is meant: `Some(false)` the arm without speculative decoding.
    pub spec_decoding: Option<bool>,
    /// Last day it was allowed; `None` where the file gives no day.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, format = Date))]
    pub valid_to: Option<Date>,
    /// Whether the file says that it is carried out.
    pub enacted: bool,
    /// The file's words.
    pub text: String,
    /// Line in the file.
    pub line: u64,
}

/// A golden acceptance length curve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct GoldenCurve {
    /// File name.
    pub file: String,
    /// Model as the file writes it. Two files may share one.
    pub model: String,
    /// `thinking_on` or `thinking_off`.
    pub thinking: String,
    /// Acceptance length by draft length (`num_speculative_tokens`).
    pub lengths: BTreeMap<u32, f64>,
    /// Run that measured it, from the file's comments.
    pub source: Option<String>,
    /// The file's comments, a line each.
    pub comments: Vec<String>,
}

/// An entry of a master configuration, expanded.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConfigFact {
    /// Key.
    pub key: String,
    /// File: `nvidia-master.yaml`.
    pub file: String,
    /// Line of the key.
    pub line: u64,
    /// Image as written.
    pub image: Option<String>,
    /// Model path.
    pub model: String,
    /// Model prefix.
    pub model_prefix: String,
    /// Runner label.
    pub runner: String,
    /// Precision.
    pub precision: String,
    /// Framework.
    pub framework: String,
    /// On several nodes.
    pub multinode: bool,
    /// Prefill and decode apart.
    pub disagg: bool,
    /// Router, as written.
    pub router: Option<String>,
    /// KV transfer.
    pub kv_transfer: Option<String>,
    /// Comment lines that stand right above or inside its head.
    pub comments: Vec<String>,
    /// Every point it generates, in order.
    pub points: Vec<MatrixPoint>,
    /// The entry, as JSON text.
    pub raw: String,
}

/// One point that a master configuration generates.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatrixPoint {
    /// Scenario key.
    pub scenario: String,
    /// Input tokens; `None` for agentic.
    pub isl: Option<u32>,
    /// Output tokens.
    pub osl: Option<u32>,
    /// Number of the search-space item within its scenario, from 0.
    pub item: usize,
    /// Concurrency.
    pub conc: u32,
    /// Parallelism, aggregated; empty when disaggregated.
    pub parallel: Parallel,
    /// Prefill side.
    pub prefill: Option<Role>,
    /// Decode side.
    pub decode: Option<Role>,
    /// Spec method as written (`none` where absent).
    pub spec_decoding: String,
    /// KV offload as written (`none` where absent).
    pub kv_offloading: String,
    /// KV offload backend.
    pub kv_offload_backend: Option<String>,
    /// Nodes of a worker, where stated.
    pub nodes: Option<u32>,
    /// Recipe: `file` or `file:override`.
    pub recipe: Option<String>,
    /// Everything of the matrix entry but concurrency, experiment name and fingerprint, as one text: what check 12 groups by.
    pub recipe_identity: String,
}

/// A CODEOWNERS file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CodeOwners {
    /// File.
    pub file: String,
    /// Rules in order; the last that matches a path wins.
    pub rules: Vec<OwnerRule>,
}

/// A rule of a CODEOWNERS file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct OwnerRule {
    /// Line.
    pub line: u64,
    /// Pattern, as in `.gitignore`.
    pub pattern: String,
    /// Owners, with their `@`; none frees the path of owners.
    pub owners: Vec<String>,
}

/// The review checklist.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Checklist {
    /// File.
    pub file: String,
    /// Items in order, their text without the box.
    pub items: Vec<String>,
}

/// Whether a pattern of the changelog's `config-keys` names a configuration key: `*` stands for any text, also none, anywhere.
#[must_use]
pub fn names(pattern: &str, key: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = key.strip_prefix(first) else { return false };
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
    fn patterns_of_configuration_keys() {
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
            assert_eq!(names(pattern, name), expected, "{pattern} {name}");
        }
    }
}
