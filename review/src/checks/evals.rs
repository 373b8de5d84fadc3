//! Check 2: evals are there, on the right image, above their threshold, and not below their siblings or the ingested cohort.

use std::collections::BTreeSet;

use paretoscope_domain::curve::CurveKey;
use paretoscope_domain::eval::Eval;
use paretoscope_domain::format::fixed;
use paretoscope_domain::repo::RepoFacts;
use paretoscope_domain::run::RunDetail;
use paretoscope_domain::significance::two_sigma_bound;

use super::affected::{image_in_words, same_image, split_image};
use super::context::Context;
use super::draft::{Draft, Rule};
use super::jobs::{Job, jobs};
use super::text::{count, distinct, evals_page, list, run_page, sentence, some, state};
use crate::check::{Check, Input};

static RULE: Rule = Rule {
    id: 2,
    name: "Evals",
    rule: "The pinned run has evals of every curve, on the image that the pull request pins. Each score is at or above its threshold (the model's own for the task, else the \
           task's default, else 0.85), over more than no answers and without an integration error; it is at most two sigma, 2·√(s₁(1−s₁)/n₁ + s₂(1−s₂)/n₂), below the \
           best of its siblings in the run and below the same row of the last ingested official run.",
    source: "PR review checklist, check 2",
};

/// Task thresholds where neither a model nor the default names one.
const FALLBACK: f64 = 0.85;

pub(crate) fn check(x: &Context<'_, '_>) -> Check {
    let mut draft = match x.measured(&RULE) {
        Ok(draft) => draft,
        Err(done) => return *done,
    };
    let Some(run) = x.assessed.settle(&mut draft) else { return draft.done() };
    let evals: Vec<&Eval> = run.evals.iter().filter(|e| !e.superseded).collect();
    let entries = &x.affected.entries;
    if evals.is_empty() && !entries.is_empty() && entries.iter().all(|e| e.no_evals == Some(true)) {
        return draft.not_applicable("The changelog entry asks for no evals (no-evals).");
    }
    present(&mut draft, run, &evals);
    if evals.is_empty() {
        return draft.done();
    }
    for e in &evals {
        draft.input(Input::new(format!("{} {}", e.task, e.label), row_in_words(e)).at(evals_page(run.run.run_id)));
    }
    thresholds(&mut draft, x, run, &evals);
    siblings(&mut draft, run, &evals);
    cohort(&mut draft, x, &evals);
    images(&mut draft, x, run, &evals);
    draft.done()
}

/// Whether every curve has an eval, and every agentic topology one at its highest concurrency.
fn present(draft: &mut Draft, run: &RunDetail, evals: &[&Eval]) {
    let counting = || run.points.iter().filter(|p| p.counts());
    let page = evals_page(run.run.run_id);
    draft.input(Input::new("evals", count(evals.len(), "row")).at(page));
    let curves = distinct(counting().map(CurveKey::of));
    let mut bare: Vec<String> = Vec::new();
    for key in &curves {
        let own =
            |e: &&&Eval| e.model == key.model && e.hardware == key.hardware && e.framework == key.framework && e.precision == key.precision;
        if !evals.iter().any(|e| own(&e)) {
            bare.push(format!("{} {} {} {}", key.model, key.hardware, key.framework, key.precision));
        }
    }
    if evals.is_empty() {
        draft.fail(format!("Run {} has no evals.", run.run.run_id));
    } else if !bare.is_empty() {
        draft.fail(format!("No eval covers {}.", list(&distinct(bare))));
    }
    // The planner runs one at the highest concurrency of each deployment.
    let mut uncovered: BTreeSet<String> = BTreeSet::new();
    for p in counting().filter(|p| p.scenario.is_agentic()) {
        let layout = paretoscope_domain::label::topology(&p.topology());
        let highest = counting()
            .filter(|q| q.scenario.is_agentic() && paretoscope_domain::label::topology(&q.topology()) == layout)
            .map(|q| q.conc)
            .max();
        let label = paretoscope_domain::label::label(&p.topology(), highest);
        if !evals.iter().any(|e| e.label == label) {
            uncovered.insert(label);
        }
    }
    if !evals.is_empty() && !uncovered.is_empty() {
        let labels: Vec<String> = uncovered.into_iter().collect();
        draft.ask(
            format!("The highest concurrency of a topology has no eval: {}.", list(&labels)),
            format!("Whether evals of {} were to run.", list(&labels)),
        );
    }
}

fn thresholds(draft: &mut Draft, x: &Context<'_, '_>, run: &RunDetail, evals: &[&Eval]) {
    let facts = x.g.main.or(x.g.head).filter(|f| !f.thresholds.is_empty());
    draft.input(Input::new(
        "thresholds",
        facts.map_or_else(|| "those shipped here".to_owned(), |f| format!("the benchmark repository's, {}", state(f))),
    ));
    let mut below = Vec::new();
    let mut untold = Vec::new();
    let mut broken = Vec::new();
    let mut named: Vec<String> = Vec::new();
    for e in evals {
        let (least, source) = facts.map_or_else(|| (e.threshold, e.threshold_source.clone()), |f| threshold(x, f, e));
        named.push(format!("{} ({source})", fixed(least, 2)));
        let name = format!("{} {}", e.task, e.label);
        if let Some(error) = &e.integration_error {
            broken.push(format!("{name}: {error}"));
        }
        match (e.score, e.n) {
            (None, _) if e.integration_error.is_some() => {}
            (None, _) => broken.push(format!("{name}: no score")),
            (Some(_), Some(n)) if n <= 0.0 => broken.push(format!("{name}: n = {n}")),
            (Some(score), n) => {
                if score < least {
                    below.push(format!("{name} {} < {}", exact(score), exact(least)));
                }
                if n.is_none() {
                    untold.push(name);
                }
            }
        }
    }
    if !broken.is_empty() {
        draft.fail(format!("{}.", list(&broken)));
    }
    if !below.is_empty() {
        draft.fail(format!("Below the threshold: {}.", list(&below)));
    }
    if !untold.is_empty() {
        draft.ask(
            format!("The number of answers is not told for {}.", list(&untold)),
            format!("The results files of run {}: n of {}.", run.run.run_id, list(&untold)),
        );
    }
    if broken.is_empty() && below.is_empty() {
        draft.pass(format!("{} at or above the threshold {}.", sentence(&count(evals.len(), "row")), list(&distinct(named))));
    }
}

/// Threshold of the benchmark repository: `models.<prefix>.<task>`, `default.<task>`, 0.85.
fn threshold(x: &Context<'_, '_>, facts: &RepoFacts, e: &Eval) -> (f64, String) {
    let of = |who: &str| facts.thresholds.get(who).and_then(|tasks| tasks.get(&e.task)).copied();
    for prefix in x.g.words.model_spellings(&e.model) {
        if let Some(least) = of(&prefix) {
            return (least, format!("model {prefix}"));
        }
    }
    match of("default") {
        Some(least) => (least, "default".to_owned()),
        // Suites without an entry that only inform have no lowest score; the row knows.
        None if e.threshold == 0.0 => (0.0, "diagnostic".to_owned()),
        None => (FALLBACK, "fallback".to_owned()),
    }
}

fn siblings(draft: &mut Draft, run: &RunDetail, evals: &[&Eval]) {
    let far: Vec<String> =
        evals.iter().filter(|e| e.within_2_sigma == Some(false)).filter_map(|e| Some(gap_in_words(&e.label, e.gap?, e.bound?))).collect();
    let untold: Vec<&str> = evals.iter().filter(|e| e.gap.is_some() && e.bound.is_none()).map(|e| e.label.as_str()).collect();
    if !far.is_empty() {
        draft.fail(format!("More than two sigma below the best sibling: {}.", list(&far)));
    }
    if !untold.is_empty() {
        draft.ask(
            format!("No bound can be computed for {}: a number of answers is missing.", list(&untold)),
            format!("The evals of run {}: n of each row.", run.run.run_id),
        );
    }
    let largest =
        evals.iter().filter(|e| e.within_2_sigma == Some(true)).max_by(|a, b| a.gap.unwrap_or(0.0).total_cmp(&b.gap.unwrap_or(0.0)));
    match largest {
        Some(e) if far.is_empty() && untold.is_empty() => {
            let (gap, bound) = (e.gap.unwrap_or_default(), e.bound.unwrap_or_default());
            draft.pass(format!("Largest gap to the best sibling {} ({}), within two sigma = {}.", fixed(gap, 4), e.label, fixed(bound, 4)));
        }
        Some(_) => {}
        None if far.is_empty() && untold.is_empty() => draft.told("No row has a sibling."),
        None => {}
    }
}

/// The same rows of the last official run.
fn cohort(draft: &mut Draft, x: &Context<'_, '_>, evals: &[&Eval]) {
    let same = |a: &Eval, b: &Eval| {
        a.task == b.task
            && a.label == b.label
            && a.model == b.model
            && a.hardware == b.hardware
            && a.framework == b.framework
            && a.precision == b.precision
    };
    let Some(official) = x.g.official.iter().find(|r| r.evals.iter().any(|o| !o.superseded && evals.iter().any(|e| same(o, e)))) else {
        draft.told("No official run with these evals is known here, so there is no ingested cohort to compare with.");
        draft.input(Input::new("ingested cohort", "none known here"));
        x.places().notes(&["ingested cohort"]).into_iter().for_each(|n| draft.input(n));
        return;
    };
    let id = official.run.run_id;
    let (mut far, mut untold, mut alone) = (Vec::new(), Vec::new(), Vec::new());
    let mut largest: Option<(f64, f64, &str)> = None;
    for e in evals {
        let Some(old) = official.evals.iter().find(|o| !o.superseded && same(o, e)) else {
            alone.push(e.label.as_str());
            continue;
        };
        let (Some(score), Some(before)) = (e.score, old.score) else { continue };
        let Some(bound) = e.n.zip(old.n).and_then(|(n, m)| two_sigma_bound((before, m), (score, n))) else {
            untold.push(e.label.as_str());
            continue;
        };
        let gap = before - score;
        if gap > bound {
            far.push(gap_in_words(&e.label, gap, bound));
        }
        if largest.is_none_or(|(g, ..)| gap > g) {
            largest = Some((gap, bound, &e.label));
        }
    }
    draft.input(Input::new("ingested cohort", format!("run {id}")).at(evals_page(id)));
    if !far.is_empty() {
        draft.fail(format!("More than two sigma below the ingested cohort, run {id}: {}.", list(&far)));
    }
    if !untold.is_empty() {
        draft.ask(
            format!("No bound against run {id} can be computed for {}.", list(&untold)),
            format!("The evals of run {id}: n of each row."),
        );
    }
    if !alone.is_empty() {
        draft.told(format!("Run {id} has no row like {}.", list(&alone)));
    }
    if let Some((gap, bound, label)) = largest.filter(|_| far.is_empty() && untold.is_empty()) {
        let text = if gap > 0.0 {
            format!("largest gap {} ({label}), within {}", fixed(gap, 4), fixed(bound, 4))
        } else {
            "no row is lower".to_owned()
        };
        draft.pass(format!("Against the ingested cohort, run {id}: {text}."));
    }
}

/// Whether the evals ran on the image that the pull request pins.
fn images(draft: &mut Draft, x: &Context<'_, '_>, run: &RunDetail, evals: &[&Eval]) {
    let pinned = pinned_images(x, run);
    for (image, from, href) in &pinned {
        let (reference, digest) = split_image(image);
        let input = Input::new("image", format!("{} ({from})", image_in_words(&reference, digest.as_deref())));
        draft.input(match href {
            Some(href) => input.at(href.clone()),
            None => input,
        });
    }
    let all = jobs(run);
    let (mut other, mut unknown) = (Vec::new(), Vec::new());
    for e in evals {
        match eval_image(e, &all) {
            None => unknown.push(e.label.as_str()),
            Some((reference, digest)) => {
                let fits = pinned.iter().any(|(image, ..)| {
                    let (r, d) = split_image(image);
                    same_image((&r, d.as_deref()), (&reference, digest.as_deref()))
                });
                if !fits && !pinned.is_empty() {
                    other.push(format!("{} on {}", e.label, image_in_words(&reference, digest.as_deref())));
                }
            }
        }
    }
    if !other.is_empty() {
        draft.fail(format!("On another image than the pull request's: {}.", list(&other)));
    }
    if !unknown.is_empty() {
        draft.ask(
            format!("Which image {} ran on is not known: no row of an eval names one, and the points don't settle it.", some(&unknown, 8)),
            format!("Server logs of the eval jobs of run {}: the image.", run.run.run_id),
        );
    }
    if pinned.is_empty() {
        draft.ask("Which image the pull request pins is not known.", "The image of the configurations at the head.");
    } else if other.is_empty() && unknown.is_empty() {
        draft.pass("All ran on the image of the pull request.");
    }
}

/// Images that the pull request pins: (image, where it stands, page). From the configurations at the head, else from the
/// points, which the run measured with the configurations of the commit it names.
fn pinned_images(x: &Context<'_, '_>, run: &RunDetail) -> Vec<(String, String, Option<String>)> {
    let head = x.affected.head_images();
    if !head.is_empty() {
        return head.into_iter().map(|(image, keys)| (image, format!("configuration {}", list(&keys)), None)).collect();
    }
    let measured = distinct(run.points.iter().filter(|p| p.counts()).filter_map(|p| Some((p.image.clone()?, p.image_digest.clone()))));
    measured
        .into_iter()
        .map(|(image, digest)| {
            let whole = digest.map_or(image.clone(), |d| format!("{image}@{d}"));
            (whole, "of the run's points; the configuration at the head is not synced".to_owned(), Some(run_page(run.run.run_id)))
        })
        .collect()
}

/// Image of an eval: its own job's, else the one joined through the points.
pub(crate) fn eval_image(e: &Eval, jobs: &[Job<'_>]) -> Option<(String, Option<String>)> {
    let own = jobs.iter().filter(|j| j.eval && j.title == e.label).find_map(Job::image);
    own.map(|i| split_image(&i)).or_else(|| Some((e.image.clone()?, e.image_digest.clone())))
}

fn gap_in_words(label: &str, gap: f64, bound: f64) -> String {
    format!("{label} by {} > {}", fixed(gap, 4), fixed(bound, 4))
}

/// A score in the digits it has, at least four.
fn exact(value: f64) -> String {
    let text = value.to_string();
    if text.split('.').nth(1).is_some_and(|d| d.len() > 4) { text } else { fixed(value, 4) }
}

fn row_in_words(e: &Eval) -> String {
    let score = e.score.map_or_else(|| "no score".to_owned(), exact);
    let n = e.n.map_or_else(|| "n not told".to_owned(), |n| format!("n = {n}"));
    match e.gap.zip(e.bound) {
        Some((gap, bound)) => format!("{score}, {n}, gap {} of {}", fixed(gap, 4), fixed(bound, 4)),
        None => format!("{score}, {n}"),
    }
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test fails by panicking")]
mod tests {
    use std::sync::Arc;

    use paretoscope_domain::Kind;

    use crate::check::CheckStatus::{Fail, NeedsHuman, NotApplicable, Pass};
    use crate::checks::fixture::{Case, IMAGE, World, run_cases};

    /// An official run with the same evals, changed by `change`.
    fn official(w: &mut World, change: impl Fn(&mut paretoscope_domain::eval::Eval)) {
        let mut run = (*w.runs[0]).clone();
        run.run.run_id = paretoscope_domain::RunId::new(40_059_333_495).unwrap();
        run.run.kind = Kind::Official;
        run.evals.iter_mut().for_each(change);
        w.official = vec![Arc::new(run)];
    }

    #[test]
    fn evals() {
        run_cases(
            2,
            &[
                Case::new(
                    "the reference",
                    Pass,
                    "Largest gap to the best sibling 0.0068 (TP2/EP2/DPA c160), within two sigma = 0.0128",
                    |_| {},
                ),
                Case::new("the ingested cohort", Pass, "run 40059333495: largest gap 0.0010", |w| {
                    official(w, |e| e.score = e.score.map(|s| s + 0.001))
                }),
                Case::new("below the ingested cohort", Fail, "More than two sigma below the ingested cohort", |w| {
                    official(w, |e| e.score = Some(0.99));
                }),
                Case::new("above the ingested cohort", Pass, "no row is lower", |w| official(w, |e| e.score = Some(0.95))),
                Case::new("a cohort of another n", Pass, "Against the ingested cohort", |w| {
                    official(w, |e| (e.score, e.n) = (Some(1.0), Some(2.0)));
                    w.set_scores(&[0.999; 6], 1319.0);
                }),
                Case::new("a cohort without n", NeedsHuman, "No bound against run 40059333495", |w| official(w, |e| e.n = None)),
                Case::new("a threshold just missed", Fail, "gsm8k TP4 c1 0.89999 < 0.9000", |w| w.set_scores(&[0.899_99; 6], 1319.0)),
                Case::new("a threshold just met", Pass, "6 rows at or above the threshold 0.90 (default)", |w| {
                    w.set_scores(&[0.9; 6], 1319.0)
                }),
                Case::new("a model's own threshold", Fail, "gsm8k TP4 c1 0.9000 < 0.9500", |w| {
                    w.main.as_mut().unwrap().thresholds.entry("dsv41flash".into()).or_default().insert("gsm8k".into(), 0.95);
                    w.set_scores(&[0.9; 6], 1319.0);
                }),
                Case::new("far below a sibling", Fail, "More than two sigma below the best sibling", |w| {
                    w.set_scores(&[0.9735, 0.9757, 0.9757, 0.9735, 0.9757, 0.95], 1319.0);
                }),
                Case::new("siblings of different n: few answers widen the bound", Pass, "within two sigma = 0.3838", |w| {
                    w.set_scores(&[0.9735, 0.9757, 0.9757, 0.9735, 0.9757, 0.92], 1319.0);
                    w.set_n(5, 2.0);
                }),
                Case::new("no n", NeedsHuman, "number of answers is not told", |w| {
                    w.run_mut().evals.iter_mut().for_each(|e| (e.n, e.bound, e.within_2_sigma) = (None, None, None));
                }),
                Case::new("n of zero", Fail, "n = 0", |w| w.run_mut().evals[0].n = Some(0.0)),
                Case::new("an integration error", Fail, "timeout", |w| w.run_mut().evals[0].integration_error = Some("timeout".into())),
                Case::new("eval rows on another image", Fail, "On another image", |w| {
                    w.run_mut().jobs.clear();
                    w.run_mut().evals[1].image = Some("lmsysorg/sglang:other".into());
                }),
                Case::new("the eval's own job says another image", Fail, "TP4 c4 on lmsysorg/sglang:old", |w| {
                    let job = w.run_mut().jobs.iter_mut().find(|j| j.title == "TP4 c4" && j.eval_only == Some(true)).unwrap();
                    job.raw = job.raw.as_ref().map(|r| r.replace(IMAGE, "lmsysorg/sglang:old"));
                }),
                Case::new("an image nobody knows", NeedsHuman, "Which image TP4 c1", |w| {
                    w.run_mut().jobs.clear();
                    w.run_mut().evals.iter_mut().for_each(|e| (e.image, e.image_digest) = (None, None));
                }),
                Case::new("the head is not synced: the points' image", Pass, "All ran on the image", |w| w.head = None),
                Case::new("no evals", Fail, "has no evals", |w| w.run_mut().evals.clear()),
                Case::new("a topology without one", NeedsHuman, "highest concurrency of a topology has no eval: TP2/EP2/DPA c160", |w| {
                    w.run_mut().evals.retain(|e| e.label != "TP2/EP2/DPA c160");
                }),
                Case::new("no-evals", NotApplicable, "no-evals", |w| {
                    w.run_mut().evals.clear();
                    w.entry_mut().no_evals = true;
                }),
                Case::new("the run is not known here", NeedsHuman, "not known here", |w| w.runs.clear()),
                Case::new("only documents", NotApplicable, "only documents", |w| w.only_documents()),
            ],
        );
    }
}
