//! Check 8: no benchmark hacks. A scan of flags; what it finds a person reads.

use super::context::Context;
use super::draft::Rule;
use super::engine::Engine;
use super::find::is_on;
use super::places::Hit;
use super::scan::{Weight, conclude, lay_out};
use crate::check::{Check, Input};

static RULE: Rule = Rule {
    id: 8,
    name: "Benchmark hacks",
    rule: "The model's architecture is served as it is: no --hf-overrides, no JSON override of the model's configuration, no skipped layers or indexer steps. Events and metrics of \
           the engine are not switched off. New models disable integer all-reduce; SGLang on AMD says so with ROCM_QUICK_REDUCE_QUANTIZATION=NONE.",
    source: "PR review checklist, check 8",
};

/// Settings that change the model.
const OVERRIDES: [&str; 3] = ["hf-overrides", "json-model-override-args", "model-override-args"];
/// Settings that may leave out work; whether they do is for a person to read.
const SKIPS: [&str; 9] = [
    "num-hidden-layers",
    "skip-layers",
    "skip-layer",
    "layer-skip",
    "skip-indexer",
    "indexer-skip",
    "index-skip-freq",
    "index-topk-freq",
    "sparse-indexer-skip",
];
/// Phrases that hint at the same.
const SKIP_PHRASES: [&str; 6] = ["skip_layer", "skip-layer", "skip_indexer", "skip-indexer", "indexer_skip", "index_skip"];
const EVENTS: [&str; 1] = ["publish_events_and_metrics"];
const QUICK_REDUCE: [&str; 2] = ["ROCM_QUICK_REDUCE_QUANTIZATION", "VLLM_ROCM_QUICK_REDUCE_QUANTIZATION"];

pub(crate) fn check(x: &Context<'_, '_>) -> Check {
    let mut draft = match x.measured(&RULE) {
        Ok(draft) => draft,
        Err(done) => return *done,
    };
    let places = x.places();
    let mut hits: Vec<(Hit, Weight)> = Vec::new();
    let with = |weight: Weight| move |h: Hit| (h, weight);
    hits.extend(places.settings(&OVERRIDES).into_iter().filter(not_empty).map(with(Weight::Banned)));
    let skips = places.settings(&SKIPS).into_iter().filter(|h| h.value.as_deref().is_none_or(is_on));
    let named: Vec<Hit> = skips.collect();
    let phrases = places.phrases(&SKIP_PHRASES).into_iter().filter(|h| !named.iter().any(|n| n.whence == h.whence && n.point == h.point));
    hits.extend(phrases.map(with(Weight::Read)).collect::<Vec<_>>());
    hits.extend(named.into_iter().map(with(Weight::Read)));
    hits.extend(places.settings(&EVENTS).into_iter().map(|h| {
        let off = h.value.as_deref().is_some_and(|v| !is_on(v));
        (h, if off { Weight::Banned } else { Weight::Fine })
    }));
    let clean = hits.iter().all(|(_, w)| *w == Weight::Fine);
    lay_out(&mut draft, &hits);
    all_reduce(&mut draft, x);
    if clean {
        conclude(&mut draft, &places.seen(), "No override of the model, skipped layer or indexer step");
    } else {
        draft.input(places.seen().input());
    }
    draft.done()
}

/// An override that is switched off overrides nothing.
fn not_empty(hit: &Hit) -> bool {
    hit.value.as_deref().is_none_or(|v| is_on(v) && v != "{}")
}

/// Integer all-reduce: a matter of new models; on AMD with SGLang a variable tells.
fn all_reduce(draft: &mut super::draft::Draft, x: &Context<'_, '_>) {
    let amd = x.submissions.iter().any(|s| s.hardware.starts_with("mi"));
    let hits = x.places().settings(&QUICK_REDUCE);
    if !amd {
        if hits.is_empty() && !x.submissions.is_empty() {
            draft.told("Integer all-reduce: no AMD hardware, and nothing sets it.");
        }
        lay_out(draft, &hits.into_iter().map(|h| (h, Weight::Read)).collect::<Vec<_>>());
        return;
    }
    let added: Vec<String> =
        x.g.main
            .or(x.g.head)
            .map(|f| {
                f.models
                    .iter()
                    .filter(|m| x.submissions.iter().any(|s| s.model_word == m.prefix || s.model.as_deref() == Some(&m.prefix)))
                    .collect::<Vec<_>>()
            })
            .unwrap_or_default()
            .into_iter()
            .map(|m| format!("{} added {}", m.prefix, m.added.map_or_else(|| "on a day not told".to_owned(), |d| d.to_string())))
            .collect();
    if !added.is_empty() {
        draft.input(Input::new("models", super::text::list(&added)));
    }
    let off = |h: &Hit| h.value.as_deref().is_some_and(|v| v.trim_matches(['"', '\'']).eq_ignore_ascii_case("none"));
    let engine_says = x.submissions.iter().filter(|s| s.hardware.starts_with("mi")).all(|s| Engine::of(&s.framework) == Engine::Sglang);
    let sure = !hits.is_empty() && hits.iter().all(|h| off(h) && !h.mention);
    lay_out(draft, &hits.iter().map(|h| (h.clone(), if off(h) { Weight::Fine } else { Weight::Read })).collect::<Vec<_>>());
    if sure {
        draft.pass(format!("Integer all-reduce is off: {}.", super::scan::names(&hits)));
    } else if hits.is_empty() {
        let what = if engine_says {
            "ROCM_QUICK_REDUCE_QUANTIZATION=NONE was not found"
        } else {
            "nothing tells whether integer all-reduce is off"
        };
        draft.ask(
            format!("On AMD hardware {what}; models that were there before are exempt."),
            "Whether the model is new by the list of models and, if so, whether integer all-reduce is off.",
        );
    }
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test fails by panicking")]
mod tests {
    use crate::check::CheckStatus::{Fail, NeedsHuman, NotApplicable, Pass};
    use crate::checks::fixture::{Case, run_cases};

    #[test]
    fn hacks() {
        run_cases(
            8,
            &[
                Case::new("the reference, its settings stated", Pass, "only stated by the code owner", |_| {}),
                Case::new("settings read in a log", Pass, "1 setting read in its artifacts", |w| w.read_env("NCCL_CUMEM_ENABLE", "1")),
                Case::new("an override in the diff", Fail, "hf-overrides={\"a\":1}", |w| w.add_line("    --hf-overrides '{\"a\":1}'")),
                Case::new("an override in the log", Fail, "json-model-override-args", |w| {
                    w.read_argument("json_model_override_args", "{\"num_layers\": 3}")
                }),
                Case::new("an empty override", Pass, "No override of the model", |w| w.read_argument("json_model_override_args", "{}")),
                Case::new("an override that a comment speaks of", NeedsHuman, "To be read: hf-overrides", |w| {
                    w.add_line("    # no --hf-overrides here")
                }),
                Case::new("a removed line", Pass, "No override", |w| {
                    w.pull.files[0].patch.as_mut().unwrap().push_str("\n-    --hf-overrides x")
                }),
                Case::new("layers that may be skipped", NeedsHuman, "skip-layers=2", |w| w.add_line("    skip-layers: 2")),
                Case::new("metrics switched off", Fail, "publish_events_and_metrics=false", |w| {
                    w.add_line("    publish_events_and_metrics: false")
                }),
                Case::new("metrics switched on", Pass, "No override", |w| w.add_line("    publish_events_and_metrics: true")),
                Case::new("the diff was not read", NeedsHuman, "not everything could be looked at", |w| w.pull.known.files = false),
                Case::new("the diff is retold", NeedsHuman, "not everything could be looked at", |w| {
                    w.pull.retold = Some("a retelling".into())
                }),
                Case::new("no settings of the run", NeedsHuman, "not everything could be looked at", |w| w.run_mut().evidence.clear()),
                Case::new("AMD, nothing said", NeedsHuman, "ROCM_QUICK_REDUCE_QUANTIZATION=NONE was not found", |w| {
                    w.set_hardware("mi355x")
                }),
                Case::new("AMD, said", Pass, "Integer all-reduce is off", |w| {
                    w.set_hardware("mi355x");
                    w.read_env("ROCM_QUICK_REDUCE_QUANTIZATION", "NONE");
                }),
                Case::new("AMD, on", NeedsHuman, "ROCM_QUICK_REDUCE_QUANTIZATION=INT8", |w| {
                    w.set_hardware("mi355x");
                    w.read_env("ROCM_QUICK_REDUCE_QUANTIZATION", "INT8");
                }),
                Case::new("only documents", NotApplicable, "only documents", |w| w.only_documents()),
            ],
        );
    }
}
