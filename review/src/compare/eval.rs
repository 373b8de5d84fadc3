//! Evals side by side.

use std::collections::HashMap;

use paretoscope_domain::eval::Eval;
use paretoscope_domain::significance::two_sigma_bound;
use paretoscope_domain::{EvalId, RunId};
use serde::{Deserialize, Serialize};

use super::side::Side;

/// One side of a pair of evals.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct EvalSide {
    /// Eval.
    pub id: EvalId,
    /// Its run.
    pub run_id: RunId,
    /// Score, a fraction; null where the row has none.
    pub score: Option<f64>,
    /// Which score it is.
    pub score_name: Option<String>,
    /// Answers; null where the row doesn't state them.
    pub n: Option<f64>,
    /// Whether it passes its threshold.
    pub passes: bool,
}

impl EvalSide {
    fn of(e: &Eval) -> Self {
        Self { id: e.id.clone(), run_id: e.run_id, score: e.score, score_name: e.score_name.clone(), n: e.n, passes: e.passes }
    }
}

/// The evals of one task and configuration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct EvalPair {
    /// Topology and concurrency in the points' notation; with the spec method where several share it.
    pub label: String,
    /// Task.
    pub task: String,
    /// Model key.
    pub model: String,
    /// Spec method key of the run's eval, else of the baseline's.
    pub spec_method: String,
    /// The baseline's; null where it has none.
    pub base: Option<EvalSide>,
    /// The run's; null where it has none.
    pub head: Option<EvalSide>,
    /// The run's score less the baseline's; null where either is missing.
    pub difference: Option<f64>,
    /// Two-sigma bound of that difference; null where a score or a number of answers is missing.
    pub bound: Option<f64>,
    /// Whether the difference is beyond the bound; null where it can't be told.
    pub significant: Option<bool>,
    /// Whether the run's is better; null where nothing changed or a score is missing.
    pub better: Option<bool>,
    /// Why it can't be compared, or what to know of the comparison, as a sentence.
    pub note: Option<String>,
}

/// What makes two evals of different runs the same: task, model, hardware, framework, precision, topology and concurrency.
type Key<'a> = (&'a str, &'a str, &'a str, &'a str, &'a str, &'a str);

fn key(e: &Eval) -> Key<'_> {
    (&e.task, &e.model, &e.hardware, &e.framework, &e.precision, &e.label)
}

/// The evals of both sides, in the run's order, then those that only the baseline has.
pub(super) fn compared(base: &Side<'_>, head: &Side<'_>) -> Vec<EvalPair> {
    let mut pool: HashMap<Key<'_>, Vec<&Eval>> = HashMap::new();
    for e in &base.evals {
        pool.entry(key(e)).or_default().push(e);
    }
    // Neither order nor run number decides which of several is taken.
    for group in pool.values_mut() {
        group.sort_by_key(|e| (e.spec_method.as_str(), e.id.as_str()));
    }
    let mut out: Vec<EvalPair> = head
        .evals
        .iter()
        .map(|h| {
            let group = pool.get_mut(&key(h)).filter(|g| !g.is_empty());
            let base = group.map(|g| {
                let at = g.iter().position(|b| b.spec_method == h.spec_method).unwrap_or(0);
                g.remove(at)
            });
            pair(base, Some(h))
        })
        .collect();
    let left: std::collections::HashSet<&EvalId> = pool.values().flatten().map(|e| &e.id).collect();
    out.extend(base.evals.iter().filter(|e| left.contains(&e.id)).map(|b| pair(Some(b), None)));
    tell_apart(&mut out);
    out
}

/// Pairs of one task, model and label gain the spec method.
fn tell_apart(pairs: &mut [EvalPair]) {
    let mut seen: HashMap<(String, String, String), usize> = HashMap::new();
    for p in pairs.iter() {
        *seen.entry((p.task.clone(), p.model.clone(), p.label.clone())).or_default() += 1;
    }
    for p in pairs.iter_mut() {
        if seen.get(&(p.task.clone(), p.model.clone(), p.label.clone())).is_some_and(|n| *n > 1) {
            p.label = format!("{} · {}", p.label, if p.spec_method == "none" { "no spec method" } else { &p.spec_method });
        }
    }
}

fn pair(base: Option<&Eval>, head: Option<&Eval>) -> EvalPair {
    let any = head.or(base);
    let text = |get: fn(&Eval) -> &String| any.map(get).cloned().unwrap_or_default();
    let score = |e: Option<&Eval>| e.and_then(|e| e.score);
    let (b, h) = (score(base), score(head));
    let answers = |e: Option<&Eval>| e.and_then(|e| e.n);
    let difference = b.zip(h).map(|(b, h)| h - b);
    let bound = b.zip(answers(base)).zip(h.zip(answers(head))).and_then(|(b, h)| two_sigma_bound(b, h));
    let names = |e: Option<&Eval>| e.and_then(|e| e.score_name.clone());
    let note = match (base, head) {
        (None, _) => Some("The baseline has no such eval.".to_owned()),
        (_, None) => Some("The run has no such eval.".to_owned()),
        (Some(_), Some(_)) if b.is_none() => Some("The baseline's row has no score.".to_owned()),
        (Some(_), Some(_)) if h.is_none() => Some("The run's row has no score.".to_owned()),
        (Some(bi), Some(hi)) if bound.is_none() => Some(if bi.n.is_none() || hi.n.is_none() {
            "A row doesn't state how many answers it rests on, so significance can't be told.".to_owned()
        } else {
            "A score is no share of answers, so significance can't be told.".to_owned()
        }),
        (Some(bi), Some(hi)) if names(base) != names(head) => {
            let name = |e: &Eval| e.score_name.clone().unwrap_or_else(|| "an unnamed score".to_owned());
            Some(format!("Not the same score: {} against {}.", name(hi), name(bi)))
        }
        (Some(bi), Some(hi)) if bi.spec_method != hi.spec_method => {
            Some(format!("Not the same spec method: {} against {}.", hi.spec_method, bi.spec_method))
        }
        _ => None,
    };
    EvalPair {
        label: text(|e| &e.label),
        task: text(|e| &e.task),
        model: text(|e| &e.model),
        spec_method: text(|e| &e.spec_method),
        base: base.map(EvalSide::of),
        head: head.map(EvalSide::of),
        difference,
        bound,
        significant: difference.zip(bound).map(|(d, bound)| d.abs() > bound),
        better: difference.filter(|d| *d != 0.0).map(|d| d > 0.0),
        note,
    }
}
