//! What the sign-off and the verdict state about the runs, where their logs are not at hand. Each group names its place there.

use super::{NUMBER, REPO, SIGN_OFF, VERDICT, page};
use crate::json::{Json, Object};

/// When both were last edited: after sgl-project/sglang#47929 was merged, which they tell.
pub(super) const SIGNED_AT: &str = "2026-11-03T05:00:00Z";
pub(super) const JUDGED_AT: &str = "2026-11-03T05:40:00Z";

const RUN: i64 = 41_261_902_147;
const OLDER_RUN: i64 = 40_809_149_952;

/// A fact: what it is about, its kind, key and value.
struct Fact {
    run: i64,
    point: Option<&'static str>,
    eval: bool,
    kind: &'static str,
    key: &'static str,
    value: &'static str,
    count: Option<i64>,
}

const fn fact(kind: &'static str, key: &'static str, value: &'static str) -> Fact {
    Fact { run: RUN, point: None, eval: false, kind, key, value, count: None }
}

const fn at(point: &'static str, fact: Fact) -> Fact {
    Fact { point: Some(point), ..fact }
}

const fn eval(fact: Fact) -> Fact {
    Fact { eval: true, ..fact }
}

const C1: &str = "TP4 c1";
/// The "DEP2 c64" of the sign-off.
const DPA_C64: &str = "TP2/EP2/DPA c64";

/// Sign-off, additional detail.
const SIGNED: [Fact; 46] = [
    // Golden AL: "the generated config and fingerprint show".
    fact("env", "SGLANG_SIMULATE_ACC_LEN", "3.51"),
    fact("env", "SGLANG_SIMULATE_ACC_METHOD", "match-expected"),
    fact("env", "SGLANG_SIMULATE_ACC_TOKEN_MODE", "real-draft-token"),
    fact("golden_al", "deepseek-v4.1-flash.thinking_on.5", "3.51"),
    fact("argument", "speculative_dspark_block_size", "5"),
    at(C1, fact("env", "SGLANG_SIMULATE_ACC_GREEDY", "0")),
    at(C1, fact("env", "SGLANG_OPT_DSV41_DSPARK_SIM_DRAW_AHEAD", "1")),
    at(C1, Fact { count: Some(5_107), ..fact("measured_al", "accept_len", "3.510") }),
    at(DPA_C64, Fact { count: Some(8_983), ..fact("measured_al", "accept_len", "3.512") }),
    // Chat template.
    at(C1, fact("env", "SGLANG_DEFAULT_THINKING", "1")),
    at(C1, fact("env", "SGLANG_DSV41_REASONING_EFFORT", "high")),
    fact("note", "chat template", "the AgentX client replays through the chat endpoint with thinking on"),
    // Draft precision: server logs of TP4 c1 and of the DP-attention point.
    at(C1, fact("argument", "speculative_draft_model_path", "deepseek-ai/DeepSeek-V4.1-Flash")),
    at(DPA_C64, fact("argument", "speculative_draft_model_path", "deepseek-ai/DeepSeek-V4.1-Flash")),
    at(C1, fact("argument", "dtype", "auto")),
    at(DPA_C64, fact("argument", "dtype", "auto")),
    at(C1, fact("argument", "quantization", "None")),
    at(DPA_C64, fact("argument", "quantization", "None")),
    at(C1, fact("argument", "speculative_draft_model_quantization", "None")),
    at(DPA_C64, fact("argument", "speculative_draft_model_quantization", "None")),
    at(C1, fact("argument", "speculative_draft_kv_cache_dtype", "None")),
    at(DPA_C64, fact("argument", "speculative_draft_kv_cache_dtype", "None")),
    at(C1, fact("argument", "kv_cache_dtype", "fp8_e4m3")),
    at(DPA_C64, fact("argument", "kv_cache_dtype", "fp8_e4m3")),
    at(C1, fact("argument", "speculative_moe_runner_backend", "flashinfer_mxfp4")),
    fact("env", "SGLANG_DSPARK_OPT_MARKOV_W2_BF16", "True"),
    at(C1, fact("env", "SGLANG_ENABLE_NV_MEGA_RUNTIME_OPTIMIZATION", "1")),
    at(C1, fact("env", "SGLANG_SPEC_TP_SYNC", "rng,-dspark-accept-sample")),
    fact(
        "note",
        "SGLANG_NVFP4_CKPT_FP8_NEXTN_MOE",
        "not enabled: in neither the recipe, the generated files, the fingerprint's environment nor the server logs of TP4 c1 and \
         TP2/EP2/DPA c64; off by default at the build commit",
    ),
    // Description and sign-off: the points that pin the attention backend.
    at(C1, fact("argument", "dsv4_attn_backend", "flashmla")),
    at("TP4 c4", fact("argument", "dsv4_attn_backend", "flashmla")),
    at("TP4 c16", fact("argument", "dsv4_attn_backend", "flashmla")),
    at("TP2/EP2 c16", fact("argument", "dsv4_attn_backend", "flashmla")),
    at("TP2/EP2 c32", fact("argument", "dsv4_attn_backend", "flashmla")),
    at(C1, fact("argument", "enable_nvidia_megakernel", "True")),
    at(C1, fact("argument", "mem_fraction_static", "0.91")),
    at(C1, fact("argument", "cuda_graph_max_bs_decode", "1")),
    // Evals: "the TP4 c1 eval server ran the changed path".
    at(C1, eval(fact("argument", "enable_nvidia_megakernel", "True"))),
    at(C1, eval(fact("argument", "dsv4_attn_backend", "flashmla"))),
    at(C1, eval(fact("argument", "kv_cache_dtype", "fp8_e4m3"))),
    // Upstream image.
    fact("build_commit", "amd64", "302b78ccf078"),
    fact("build_commit", "arm64", "52604e1d46c1"),
    fact("build_url", "arm64", "https://github.com/sgl-project/sglang/actions/runs/40978821580"),
    fact("ancestry", "302b78ccf078", "ancestor"),
    fact("ancestry", "52604e1d46c1", "ancestor"),
    // Evals, of the run before.
    Fact { run: OLDER_RUN, ..fact("note", "gsm8k em_strict", "0.9719 to 0.9750 over its rows") },
];

/// Verdict.
const JUDGED: [Fact; 4] = [
    // Check 6.
    fact("note", "image build", "run 40978821580 of sgl-project/sglang, on schedule from main at 302b78cc"),
    // Check 10.
    fact("note", "harness", "its one patch, 573-participating-gpus.patch, changes power telemetry, not the serving stack"),
    // Check 16.
    fact("note", "NVIDIA overview", "the table of framework recipes has a row for DeepSeek-V4.1-Flash with the SGLang cell filled"),
    // Check 2.
    fact("note", "exact ingested cohort", "run 40059333495"),
];

pub(super) fn of_sign_off() -> Object {
    stated("code owner (sign-off)", SIGN_OFF, SIGNED_AT, &SIGNED)
}

pub(super) fn of_verdict() -> Object {
    stated("bot (verdict)", VERDICT, JUDGED_AT, &JUDGED)
}

fn stated(by: &str, comment: i64, at: &str, facts: &[Fact]) -> Object {
    let one = |fact: &Fact| {
        let Fact { run, point, eval, kind, key, value, count } = fact;
        Object::new()
            .with("run_id", *run)
            .with("point", point.map_or(Json::Null, Json::from))
            .with("eval", *eval)
            .with("kind", *kind)
            .with("key", *key)
            .with("value", *value)
            .with("count", count.map_or(Json::Null, Json::Int))
    };
    Object::new()
        .with("stated_facts", 1_i64)
        .with("repo", REPO)
        .with("pull", NUMBER)
        .with("by", by)
        .with("url", format!("{}#issuecomment-{comment}", page()))
        .with("at", at)
        .with("facts", facts.iter().map(one).collect::<Vec<_>>())
}
