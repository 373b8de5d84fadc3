//! How an engine simulates: the switches beside the acceptance length.

use super::ran;
use super::sources::Aim;
use crate::checks::affected::Submission;
use crate::checks::context::Context;
use crate::checks::draft::Draft;
use crate::checks::engine::Engine;
use crate::checks::text::{distinct, list};

/// A switch and the value it must have.
const SGLANG: [(&str, &str); 2] =
    [("SGLANG_SIMULATE_ACC_METHOD", "match-expected"), ("SGLANG_SIMULATE_ACC_TOKEN_MODE", "real-draft-token")];
const VLLM: [(&str, &str); 1] = [("rejection_sample_method", "synthetic")];

/// Whether the engine's own setting is known, and its switches are as they must be.
pub(super) fn check(draft: &mut Draft, x: &Context<'_, '_>, agentic: &[&Submission], aims: &[Aim]) {
    if !aims.iter().any(|a| a.simulates) {
        draft.ask(
            "The engine's own setting is not known, only the length aimed at.",
            "The environment and arguments of the launch: what simulates acceptance, and how.",
        );
        return;
    }
    for engine in distinct(agentic.iter().map(|s| Engine::of(&s.framework))) {
        let switches: &[(&str, &str)] = match engine {
            Engine::Sglang => &SGLANG,
            Engine::Vllm => &VLLM,
            Engine::Other => &[],
        };
        for (name, wanted) in switches {
            switch(draft, x, name, wanted);
        }
    }
}

fn switch(draft: &mut Draft, x: &Context<'_, '_>, name: &str, wanted: &str) {
    let hits: Vec<_> = x.places().settings(&[name]).into_iter().filter(ran).collect();
    hits.iter().for_each(|h| draft.input(h.input()));
    let values = distinct(hits.iter().filter_map(|h| h.value.clone()));
    if values.is_empty() {
        draft.ask(format!("{name} is not known."), format!("Whether {name} is {wanted}."));
    }
    let others: Vec<&String> = values.iter().filter(|v| v.trim_matches(['"', '\'']) != wanted).collect();
    if !others.is_empty() {
        draft.fail(format!("{name} is {}, not {wanted}.", list(&others)));
    }
}
