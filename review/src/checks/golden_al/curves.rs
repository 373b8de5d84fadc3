//! Golden curves that may be meant, and what a value is to them.

use paretoscope_domain::repo::{GoldenCurve, RepoFacts};

use super::sources::{same, shown};
use crate::checks::context::Context;
use crate::checks::text::distinct;
use crate::drift::golden;

/// Curves of a model; several files may hold one model.
#[derive(Debug)]
pub(super) struct Candidates<'a> {
    /// The curves.
    pub(super) curves: Vec<&'a GoldenCurve>,
    /// What was looked for.
    pub(super) wanted: String,
}

/// What a value is to the curves.
#[derive(Debug, PartialEq)]
pub(super) enum Finding {
    /// No curve has this model, mode and draft length.
    NoCurve,
    /// Every curve that may be meant has this value.
    Golden {
        /// Which.
        entries: Vec<String>,
    },
    /// None has it.
    Other {
        /// What they have instead.
        entries: Vec<String>,
    },
    /// Some have it, others not.
    Ambiguous {
        /// Those that have it.
        equal: Vec<String>,
        /// Those that have another.
        other: Vec<String>,
    },
    /// The mode or draft length is not known; some entry has the value.
    Unsettled {
        /// What is not known.
        unknown: &'static str,
        /// Entries that have it.
        equal: Vec<String>,
    },
}

impl<'a> Candidates<'a> {
    /// Curves under the served checkpoint's own name; else all of the model; of these those of the draft method, if it is known.
    pub(super) fn of(x: &Context<'_, '_>, facts: &'a RepoFacts, model: &str, checkpoint: Option<&str>) -> Self {
        let paths: Vec<&str> = checkpoint.into_iter().collect();
        let curves = golden::curves(facts, &paths, Some(model), x.g.words);
        Self { curves: method(x, curves), wanted: checkpoint.unwrap_or(model).to_owned() }
    }

    /// What `value` is, for a mode and draft lengths as far as they are known.
    pub(super) fn find(&self, value: f64, mode: Option<&str>, lengths: &[u32]) -> Finding {
        let fits = |(curve, n, _): &(&GoldenCurve, u32, f64)| {
            mode.is_none_or(|m| curve.thinking == m) && (lengths.is_empty() || lengths.contains(n))
        };
        let entries: Vec<(&GoldenCurve, u32, f64)> =
            self.curves.iter().flat_map(|c| c.lengths.iter().map(|(n, v)| (*c, *n, *v))).filter(fits).collect();
        if entries.is_empty() {
            return Finding::NoCurve;
        }
        let (equal, other): (Vec<_>, Vec<_>) = entries.into_iter().partition(|(_, _, v)| same(*v, value));
        let plain =
            |e: &[(&GoldenCurve, u32, f64)]| distinct(e.iter().map(|(c, n, _)| format!("{}, {}, draft length {n}", c.file, c.thinking)));
        let valued = |e: &[(&GoldenCurve, u32, f64)]| {
            distinct(e.iter().map(|(c, n, v)| format!("{} ({}, {}, draft length {n})", shown(*v), c.file, c.thinking)))
        };
        let unknown = match (mode, lengths.len()) {
            (_, n) if n != 1 => Some("draft length"),
            (None, _) => Some("thinking mode"),
            _ => None,
        };
        if equal.is_empty() {
            return Finding::Other { entries: valued(&other) };
        }
        match unknown {
            // Where every mode says the same, the mode makes no difference; a curve of one mode alone does not tell that.
            Some("thinking mode") if other.is_empty() && distinct(equal.iter().map(|(c, ..)| c.thinking.as_str())).len() > 1 => {
                Finding::Golden { entries: plain(&equal) }
            }
            Some(unknown) => Finding::Unsettled { unknown, equal: plain(&equal) },
            None if other.is_empty() => Finding::Golden { entries: plain(&equal) },
            None => Finding::Ambiguous { equal: plain(&equal), other: valued(&other) },
        }
    }
}

/// Curves of the draft method that the settings name, where some are of it.
fn method<'a>(x: &Context<'_, '_>, curves: Vec<&'a GoldenCurve>) -> Vec<&'a GoldenCurve> {
    let places = x.places();
    let dspark = !places.settings(&["speculative-dspark-block-size"]).is_empty();
    let names = places.settings(&["speculative-algorithm", "method"]);
    let says = |word: &str| {
        names.iter().filter(|h| super::ran(h)).any(|h| h.value.as_deref().is_some_and(|v| v.to_ascii_lowercase().contains(word)))
    };
    let word = if dspark || says("dspark") {
        "dspark"
    } else if says("eagle3") {
        "eagle3"
    } else if says("mtp") || says("nextn") {
        "mtp"
    } else {
        return curves;
    };
    let of_method: Vec<&GoldenCurve> = curves.iter().copied().filter(|c| c.file.to_ascii_lowercase().contains(word)).collect();
    if of_method.is_empty() { curves } else { of_method }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(file: &str, thinking: &str, lengths: &[(u32, f64)]) -> GoldenCurve {
        GoldenCurve {
            file: file.into(),
            model: "m".into(),
            thinking: thinking.into(),
            lengths: lengths.iter().copied().collect(),
            source: None,
            comments: vec![],
        }
    }

    #[test]
    fn a_value_and_the_curves() {
        let (on, off) = (curve("a.yaml", "thinking_on", &[(4, 3.3), (5, 3.51)]), curve("a.yaml", "thinking_off", &[(5, 3.38)]));
        let twin = curve("b.yaml", "thinking_on", &[(5, 3.62)]);
        let of = |curves: Vec<&'static GoldenCurve>| Candidates { curves, wanted: "m".into() };
        let (on, off, twin): (&'static _, &'static _, &'static _) =
            (Box::leak(Box::new(on)), Box::leak(Box::new(off)), Box::leak(Box::new(twin)));
        let one = of(vec![on, off]);
        let word = |f: Finding| match f {
            Finding::NoCurve => "none",
            Finding::Golden { .. } => "golden",
            Finding::Other { .. } => "other",
            Finding::Ambiguous { .. } => "ambiguous",
            Finding::Unsettled { unknown, .. } => unknown,
        };
        for (value, mode, lengths, expected) in [
            (3.51, Some("thinking_on"), &[5_u32][..], "golden"),
            (2.51 + 1.0, Some("thinking_on"), &[5], "golden"),
            (3.5, Some("thinking_on"), &[5], "other"),
            (3.51, Some("thinking_off"), &[5], "other"),
            (3.51, Some("thinking_on"), &[4], "other"),
            (3.51, Some("thinking_on"), &[9], "none"),
            (3.51, None, &[5], "thinking mode"),
            (3.51, Some("thinking_on"), &[], "draft length"),
            (3.51, Some("thinking_on"), &[4, 5], "draft length"),
            (9.0, None, &[], "other"),
        ] {
            assert_eq!(word(one.find(value, mode, lengths)), expected, "{value} {mode:?} {lengths:?}");
        }
        assert_eq!(word(of(vec![on, twin]).find(3.51, Some("thinking_on"), &[5])), "ambiguous");
        assert_eq!(word(of(vec![on]).find(3.51, None, &[5])), "thinking mode");
        assert_eq!(word(of(vec![]).find(3.51, None, &[5])), "none");
    }
}
