//! Check 13: the draft is served as it ships. A scan of settings; what it finds a person reads.

use super::context::Context;
use super::draft::{Draft, Rule};
use super::find::{is_on, same_name};
use super::places::{Hit, Place};
use super::scan::{Weight, conclude, lay_out};
use super::text::{distinct, list};
use crate::check::{Check, Input};

static RULE: Rule = Rule {
    id: 13,
    name: "Draft precision",
    rule: "Draft models and draft heads are served as they ship, at their stored precision, through the image's default handling: no quantisation, dtype or other checkpoint \
           for the draft. SGLANG_NVFP4_CKPT_FP8_NEXTN_MOE is enabled nowhere, inherited settings included.",
    source: "PR review checklist, check 13",
};

/// The variable that may never be on.
const BANNED: &str = "SGLANG_NVFP4_CKPT_FP8_NEXTN_MOE";
/// Settings of the draft alone.
const OVERRIDES: [&str; 9] = [
    "speculative-draft-model-quantization",
    "speculative-draft-model-dtype",
    "speculative-draft-dtype",
    "speculative-draft-kv-cache-dtype",
    "speculative-draft-load-format",
    "draft-model-quantization",
    "draft-quantization",
    "draft-dtype",
    "draft-kv-cache-dtype",
];
/// Settings that name a draft.
const PATHS: [&str; 4] = ["speculative-draft-model-path", "speculative-draft-model", "draft-model-path", "speculative-model-dir"];
/// Words that mark a variable as the draft's, and as one of precision.
const DRAFT_WORDS: [&str; 5] = ["DRAFT", "DSPARK", "NEXTN", "EAGLE", "MTP"];
const PRECISION_WORDS: [&str; 8] = ["FP8", "FP4", "BF16", "FP16", "INT8", "DTYPE", "QUANT", "PRECISION"];

pub(crate) fn check(x: &Context<'_, '_>) -> Check {
    let mut draft = match x.measured(&RULE) {
        Ok(draft) => draft,
        Err(done) => return *done,
    };
    let places = x.places();
    let mut hits: Vec<(Hit, Weight)> = Vec::new();
    for hit in places.settings(&[BANNED]) {
        let weight = match hit.value.as_deref() {
            Some(value) if is_on(value) => Weight::Banned,
            Some(_) => Weight::Fine,
            None => Weight::Read,
        };
        hits.push((hit, weight));
    }
    let enabled = hits.iter().any(|(_, w)| *w == Weight::Banned);
    if !enabled && !x.submissions.is_empty() && !x.submissions.iter().any(|s| s.speculative) {
        return draft.not_applicable("Nothing submitted decodes speculatively.");
    }
    hits.extend(places.settings(&OVERRIDES).into_iter().filter(is_override).map(|h| (h, Weight::Read)));
    hits.extend(places.settings(&PATHS).into_iter().filter(|h| h.value.is_some()).map(|h| {
        let weight = if is_bundled(x, &h) { Weight::Fine } else { Weight::Read };
        (h, weight)
    }));
    hits.extend(suspicious(x).into_iter().map(|h| (h, Weight::Read)));
    let clean = hits.iter().all(|(_, w)| *w == Weight::Fine);
    lay_out(&mut draft, &hits);
    places.notes(&["nextn_moe", "draft"]).into_iter().for_each(|n| draft.input(n));
    cookbook(&mut draft, &hits);
    if clean {
        conclude(&mut draft, &places.seen(), &format!("Neither {BANNED} nor a quantisation, dtype or path of the draft"));
    } else {
        draft.input(places.seen().input());
    }
    draft.done()
}

/// `none`, `auto` and nothing are the default handling.
fn is_override(hit: &Hit) -> bool {
    hit.value.as_deref().is_some_and(|v| is_on(v) && !v.eq_ignore_ascii_case("auto"))
}

/// Whether the draft comes with the served checkpoint.
fn is_bundled(x: &Context<'_, '_>, hit: &Hit) -> bool {
    let Some(path) = hit.value.as_deref() else { return false };
    let last = |p: &str| p.trim_end_matches('/').rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    x.submissions.iter().filter_map(|s| s.checkpoint.as_deref()).any(|c| last(c) == last(path))
}

/// Variables of the run whose names speak of a draft and of a precision.
fn suspicious(x: &Context<'_, '_>) -> Vec<Hit> {
    let speaks = |name: &str| {
        let upper = name.to_ascii_uppercase();
        DRAFT_WORDS.iter().any(|w| upper.contains(w)) && PRECISION_WORDS.iter().any(|w| upper.contains(w))
    };
    let known = |name: &str| OVERRIDES.iter().chain(&PATHS).chain([&BANNED]).any(|k| same_name(k, name));
    let of_run = x.run().into_iter().flat_map(|r| r.evidence.iter()).map(|f| f.key.clone());
    let added = x.g.pull.files.iter().flat_map(super::diff::added).flat_map(|a| names_in(a.text));
    let names = distinct(of_run.chain(added).filter(|n| speaks(n) && !known(n)));
    let places = x.places();
    names.iter().flat_map(|n| places.settings(&[n])).filter(|h| h.place != Place::Cookbook && h.value.is_some()).collect()
}

/// Names of variables in a line: capitals, digits and underscores.
fn names_in(line: &str) -> Vec<String> {
    line.split(|c: char| !(c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_'))
        .filter(|w| w.len() > 6 && w.contains('_') && w.starts_with(|c: char| c.is_ascii_uppercase()))
        .map(str::to_owned)
        .collect()
}

/// The cookbook must not spread what is banned either.
fn cookbook(draft: &mut Draft, hits: &[(Hit, Weight)]) {
    let cells = distinct(hits.iter().filter(|(h, w)| *w == Weight::Banned && h.place == Place::Cookbook).map(|(h, _)| h.whence.clone()));
    if !cells.is_empty() {
        draft.input(Input::new("enabled in the cookbook", list(&cells)));
    }
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test fails by panicking")]
mod tests {
    use crate::check::CheckStatus::{Fail, NeedsHuman, NotApplicable, Pass};
    use crate::checks::fixture::{Case, run_cases};

    #[test]
    fn draft_precision() {
        run_cases(
            13,
            &[
                Case::new("the reference without its restated default", Pass, "Neither SGLANG_NVFP4_CKPT_FP8_NEXTN_MOE", |_| {}),
                Case::new("a default restated is still to be read", NeedsHuman, "SGLANG_DSPARK_OPT_MARKOV_W2_BF16=True", |w| {
                    w.read_env("SGLANG_DSPARK_OPT_MARKOV_W2_BF16", "True");
                }),
                Case::new("enabled in the run", Fail, "SGLANG_NVFP4_CKPT_FP8_NEXTN_MOE=1", |w| {
                    w.read_env("SGLANG_NVFP4_CKPT_FP8_NEXTN_MOE", "1")
                }),
                Case::new("disabled in the run", Pass, "Neither", |w| w.read_env("SGLANG_NVFP4_CKPT_FP8_NEXTN_MOE", "0")),
                Case::new("enabled in the diff", Fail, "added", |w| w.add_line("      SGLANG_NVFP4_CKPT_FP8_NEXTN_MOE: \"1\"")),
                Case::new("enabled in the cookbook", Fail, "cookbook cell", |w| {
                    w.cells_mut().for_each(|c| c.env.push(("SGLANG_NVFP4_CKPT_FP8_NEXTN_MOE".into(), "1".into())));
                }),
                Case::new("enabled in a job event", Fail, "job event", |w| {
                    w.run_mut().jobs[0].raw = Some("{\"env\":{\"SGLANG_NVFP4_CKPT_FP8_NEXTN_MOE\":\"true\"}}".into());
                }),
                Case::new("named in a comment", NeedsHuman, "SGLANG_NVFP4_CKPT_FP8_NEXTN_MOE=1", |w| {
                    w.add_line("# SGLANG_NVFP4_CKPT_FP8_NEXTN_MOE=1")
                }),
                Case::new("the draft's own dtype", NeedsHuman, "speculative-draft-model-quantization=fp8", |w| {
                    w.read_argument("speculative_draft_model_quantization", "fp8");
                }),
                Case::new("the default handling", Pass, "Neither", |w| w.read_argument("speculative_draft_model_quantization", "None")),
                Case::new("the bundled draft", Pass, "Neither", |w| {
                    w.read_argument("speculative_draft_model_path", "deepseek-ai/DeepSeek-V4.1-Flash")
                }),
                Case::new("a draft of its own", NeedsHuman, "speculative-draft-model-path=someone/Draft", |w| {
                    w.read_argument("speculative_draft_model_path", "someone/Draft");
                }),
                Case::new("no speculative decoding", NotApplicable, "Nothing submitted decodes speculatively", |w| w.set_spec("none")),
                Case::new("no speculative decoding, and still enabled", Fail, "SGLANG_NVFP4_CKPT_FP8_NEXTN_MOE=1", |w| {
                    w.set_spec("none");
                    w.read_env("SGLANG_NVFP4_CKPT_FP8_NEXTN_MOE", "1");
                }),
                Case::new("no settings of the run", NeedsHuman, "not everything could be looked at", |w| w.run_mut().evidence.clear()),
                Case::new("the diff was not read", NeedsHuman, "not everything could be looked at", |w| w.pull.known.files = false),
            ],
        );
    }
}
