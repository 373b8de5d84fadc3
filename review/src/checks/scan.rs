//! What the flag scans share: hits laid out, and an answer that says what was and what was not seen.

use super::draft::Draft;
use super::places::{Hit, Seen};
use super::text::{distinct, list, some};

/// How bad a hit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Weight {
    /// Banned: it fails.
    Banned,
    /// Someone must read it.
    Read,
    /// As it should be: laid out only.
    Fine,
}

/// Adds hits to a draft: banned ones fail, unless they are only mentioned in words, others ask.
pub(crate) fn lay_out(draft: &mut Draft, hits: &[(Hit, Weight)]) {
    for (hit, _) in hits {
        draft.input(hit.input());
    }
    // What stands in a comment or a description is not what ran.
    let certain = |h: &Hit| !h.mention;
    let banned: Vec<String> = distinct(hits.iter().filter(|(h, w)| *w == Weight::Banned && certain(h)).map(|(h, _)| h.in_words()));
    let read: Vec<&Hit> =
        hits.iter().filter(|(h, w)| *w == Weight::Read || (*w == Weight::Banned && !certain(h))).map(|(h, _)| h).collect();
    if !banned.is_empty() {
        draft.fail(format!("Found {}.", some(&banned, 4)));
    }
    if !read.is_empty() {
        let names = distinct(read.iter().map(|h| h.setting()));
        let words = distinct(read.iter().map(|h| h.in_words()));
        draft.ask(format!("To be read: {}.", some(&names, 6)), format!("{}.", some(&words, 8)));
    }
}

/// The answer of a scan that found nothing that weighs: in order if all was seen that it needs, else a person must look.
pub(crate) fn conclude(draft: &mut Draft, seen: &Seen, nothing: &str) {
    draft.input(seen.input());
    if seen.enough() {
        draft.pass(format!("{nothing} in the added lines and in the settings of the run, {}.", seen.how()));
        return;
    }
    let missing = seen.missing();
    draft.ask(format!("{nothing} in what was looked at, but not everything could be looked at."), String::new());
    missing.into_iter().for_each(|m| draft.look(m));
}

/// Names of settings for a sentence.
pub(crate) fn names(hits: &[Hit]) -> String {
    list(&distinct(hits.iter().map(Hit::setting)))
}
