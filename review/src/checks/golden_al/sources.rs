//! Where the simulated acceptance length, the draft length and the thinking mode of a run are told.

use paretoscope_domain::fact::FactKind;
use paretoscope_domain::format::fixed;

use super::ran;
use crate::check::Input;
use crate::checks::context::Context;
use crate::checks::find::number;
use crate::checks::places::{Hit, Place};
use crate::checks::text::{distinct, run_page};

/// Settings by which an engine simulates acceptance, and what to add to get an acceptance length.
const SIMULATED: [(&str, f64); 4] = [
    ("SGLANG_SIMULATE_ACC_LEN", 0.0),
    ("synthetic_acceptance_length", 0.0),
    // Accepted draft tokens, without the token of the target itself.
    ("TLLM_SPEC_DECODE_FORCE_NUM_ACCEPTED_TOKENS", 1.0),
    ("spec-decode-acceptance-length", 0.0),
];

/// Settings that tell the draft length, the surest first.
const LENGTHS: [&str; 7] = [
    "speculative-dspark-block-size",
    "speculative-num-steps",
    "num-speculative-tokens",
    "num-nextn-predict-layers",
    "num-nextn",
    "max-draft-len",
    "spec-decode-num-tokens",
];

/// Settings that tell whether the model thinks.
const THINKING: [&str; 4] = ["SGLANG_DEFAULT_THINKING", "enable-thinking", "thinking", "default-thinking"];

/// An acceptance length that a run aimed at, by one source.
#[derive(Clone, Debug)]
pub(super) struct Aim {
    /// Acceptance length.
    pub(super) value: f64,
    /// Point it is about.
    pub(super) point: Option<String>,
    /// Whether it is an engine's own setting.
    pub(super) simulates: bool,
    /// Setting it was read from, as it stands.
    setting: String,
    /// Where it stands.
    whence: String,
    href: Option<String>,
}

impl Aim {
    pub(super) fn in_words(&self) -> String {
        let point = self.point.as_deref().map_or_else(String::new, |p| format!(" of {p}"));
        format!("{} ({}{point})", self.setting, self.whence)
    }

    pub(super) fn input(&self) -> Input {
        let point = self.point.as_deref().map_or_else(String::new, |p| format!(", {p}"));
        let input = Input::new(self.setting.clone(), format!("{} ({}{point})", shown(self.value), self.whence));
        match &self.href {
            Some(href) => input.at(href.clone()),
            None => input,
        }
    }
}

/// Everything that tells the length a run aimed at.
pub(super) fn aims(x: &Context<'_, '_>) -> Vec<Aim> {
    let places = x.places();
    let mut out: Vec<Aim> = Vec::new();
    for (name, more) in SIMULATED {
        for hit in places.settings(&[name]).into_iter().filter(ran) {
            let Some(value) = hit.value.as_deref().and_then(number) else { continue };
            out.push(Aim {
                value: value + more,
                point: hit.point.clone(),
                simulates: true,
                setting: hit.setting(),
                whence: hit.whence,
                href: hit.href,
            });
        }
    }
    let Some(run) = x.run() else { return out };
    for fact in places.facts(FactKind::GoldenAl).filter(|f| !f.eval) {
        let Some(value) = number(&fact.value) else { continue };
        out.push(Aim {
            value,
            point: fact.point.clone(),
            simulates: false,
            setting: format!("acceptance length aimed at {}", fact.value),
            whence: fact.origin.in_words(),
            href: Some(run_page(run.run.run_id)),
        });
    }
    for job in run.jobs.iter().filter(|j| j.eval_only != Some(true)) {
        let Some((text, value)) = job.golden_acceptance_length.as_deref().and_then(|t| Some((t, number(t)?))) else { continue };
        // Attempts of one job repeat it.
        if out.iter().any(|a| a.whence == "job event" && a.point.as_deref() == Some(&job.title) && same(a.value, value)) {
            continue;
        }
        out.push(Aim {
            value,
            point: Some(job.title.clone()),
            simulates: false,
            setting: format!("golden_acceptance_length={text}"),
            whence: "job event".to_owned(),
            href: Some(run_page(run.run.run_id)),
        });
    }
    out
}

/// Draft lengths told by the surest kind of setting there is, each with where it stands.
pub(super) fn draft_lengths(x: &Context<'_, '_>) -> Vec<(u32, Hit)> {
    let places = x.places();
    for name in LENGTHS {
        let hits = places.settings(&[name]).into_iter().filter(ran);
        let told: Vec<(u32, Hit)> = hits.filter_map(|h| Some((h.value.as_deref()?.trim_matches(['"', '\'']).parse().ok()?, h))).collect();
        if !told.is_empty() {
            return told;
        }
    }
    Vec::new()
}

/// What tells whether the model thinks.
#[derive(Debug, Default)]
pub(super) struct Modes {
    modes: Vec<&'static str>,
    /// What was read, for the inputs.
    pub(super) hits: Vec<Input>,
}

impl Modes {
    /// From settings of the run; without them from the key under which someone states the golden length.
    pub(super) fn of(x: &Context<'_, '_>) -> Self {
        let places = x.places();
        let mut out = Self::default();
        for hit in places.settings(&THINKING).into_iter().filter(|h| ran(h) && h.place != Place::Master) {
            let mode = match hit.value.as_deref().map(|v| v.trim_matches(['"', '\'']).to_ascii_lowercase()).as_deref() {
                Some("1" | "true" | "on" | "yes") => "thinking_on",
                Some("0" | "false" | "off" | "no") => "thinking_off",
                _ => continue,
            };
            out.modes.push(mode);
            out.hits.push(hit.input());
        }
        if out.modes.is_empty() {
            for fact in places.facts(FactKind::GoldenAl) {
                let mode = ["thinking_on", "thinking_off"].into_iter().find(|m| fact.key.contains(m));
                out.modes.extend(mode);
                out.hits.extend(mode.map(|m| Input::new("thinking mode", format!("{m} ({})", fact.origin.in_words()))));
            }
        }
        out.modes = distinct(out.modes.drain(..));
        out
    }

    /// The mode, where all sources agree on one.
    pub(super) fn known(&self) -> Option<&'static str> {
        match self.modes.as_slice() {
            [one] => Some(one),
            _ => None,
        }
    }
}

/// Whether two acceptance lengths are equal: golden ones are committed with two decimals.
pub(super) fn same(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-6
}

/// An acceptance length with two decimals, or as many as it has.
pub(super) fn shown(value: f64) -> String {
    // A sum with one brings the noise of binary fractions.
    let rounded = (value * 1e6).round() / 1e6;
    let text = rounded.to_string();
    if text.split('.').nth(1).is_some_and(|d| d.len() > 2) { text } else { fixed(rounded, 2) }
}
