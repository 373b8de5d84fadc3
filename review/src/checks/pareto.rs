//! Check 14: how many points of each affected curve stand on the frontier of throughput over latency.

use paretoscope_domain::curve::CurveKey;
use paretoscope_domain::format::fixed;
use paretoscope_domain::frontier::{Better, Direction, Frontier, Place, Verdict, frontier};
use paretoscope_domain::point::Point;

use super::context::Context;
use super::draft::{Draft, Rule};
use super::text::{count, list};
use crate::check::{Check, Input};

static RULE: Rule = Rule {
    id: 14,
    name: "Pareto coverage",
    rule: "On each affected curve, everything that makes one series pooled, at least five points stand on the frontier of total throughput per GPU over end-to-end latency, and no \
           point lacks either: P90 and P75 for agentic traces, the median for fixed sequences. A point is kept if its throughput is above that of every quicker one, or \
           equal to the best at a latency of its own. Fewer, or a point that can't take part, needs a recorded bypass.",
    source: "PR review checklist, check 14",
};

const AXES: Direction = Direction { x: Better::Lower, y: Better::Higher };
const THROUGHPUT: &str = "tput_per_gpu";

/// One curve at one percentile.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Coverage {
    /// Frontier of the points, in their order.
    pub(crate) frontier: Frontier,
    /// Verdict.
    pub(crate) verdict: Verdict,
}

/// A list that the rule can't be applied to.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum CoverageError {
    /// There is no curve, or a curve has no point.
    #[error("the list of {0} is empty")]
    Empty(&'static str),
    /// A curve is listed twice: its points would have to be pooled.
    #[error("the curve {0} is listed twice")]
    Duplicate(String),
}

/// A curve by its key: (latency, throughput) of each point.
pub(crate) type Listed<'a> = (&'a str, Vec<(Option<f64>, Option<f64>)>);

/// Coverage of every curve.
///
/// # Errors
/// Where there is nothing to count, or a curve is listed twice.
pub(crate) fn coverage(curves: &[Listed<'_>]) -> Result<Vec<Coverage>, CoverageError> {
    if curves.is_empty() {
        return Err(CoverageError::Empty("curves"));
    }
    let mut out = Vec::new();
    for (i, (key, points)) in curves.iter().enumerate() {
        if points.is_empty() {
            return Err(CoverageError::Empty("points"));
        }
        if curves.iter().take(i).any(|(other, _)| other == key) {
            return Err(CoverageError::Duplicate((*key).to_owned()));
        }
        let frontier = frontier(points, AXES);
        let verdict = Verdict::of(&frontier);
        out.push(Coverage { frontier, verdict });
    }
    Ok(out)
}

pub(crate) fn check(x: &Context<'_, '_>) -> Check {
    let mut draft = match x.measured(&RULE) {
        Ok(draft) => draft,
        Err(done) => return *done,
    };
    let entries = &x.affected.entries;
    if !entries.is_empty() && entries.iter().all(|e| e.evals_only) {
        return draft.not_applicable("The changelog entry runs evals only: no curve is affected.");
    }
    let Some(run) = x.assessed.settle(&mut draft) else { return draft.done() };
    let mut curves: Vec<(CurveKey, Vec<&Point>)> = Vec::new();
    for p in run.points.iter().filter(|p| p.counts()) {
        let key = CurveKey::of(p);
        match curves.iter_mut().find(|(k, _)| *k == key) {
            Some((_, members)) => members.push(p),
            None => curves.push((key, vec![p])),
        }
    }
    for agentic in [true, false] {
        let mine: Vec<&(CurveKey, Vec<&Point>)> = curves.iter().filter(|(k, _)| k.scenario.is_agentic() == agentic).collect();
        let percentiles: &[(&str, &str)] = if agentic { &[("P90", "p90_e2el"), ("P75", "p75_e2el")] } else { &[("median", "median_e2el")] };
        if !mine.is_empty() {
            percentiles.iter().for_each(|(name, metric)| one(&mut draft, x, &mine, name, metric));
        }
    }
    if curves.is_empty() {
        draft.fail(format!("Run {} has no point that counts: {}.", run.run.run_id, CoverageError::Empty("points")));
    }
    draft.done()
}

/// All curves at one percentile.
fn one(draft: &mut Draft, x: &Context<'_, '_>, curves: &[&(CurveKey, Vec<&Point>)], percentile: &str, metric: &str) {
    let keys: Vec<String> = curves.iter().map(|(k, _)| k.as_text()).collect();
    let listed: Vec<Listed<'_>> = curves
        .iter()
        .zip(&keys)
        .map(|((_, members), key)| (key.as_str(), members.iter().map(|p| (p.metric(metric), p.metric(THROUGHPUT))).collect()))
        .collect();
    let answers = match coverage(&listed) {
        Ok(answers) => answers,
        Err(e) => return draft.fail(format!("{percentile}: {e}.")),
    };
    for ((key, members), answer) in curves.iter().zip(&answers) {
        say(draft, x, key, members, answer, percentile, metric, curves.len() > 1);
    }
}

#[expect(clippy::too_many_arguments, reason = "one sentence over one curve: all of it is said")]
fn say(
    draft: &mut Draft,
    x: &Context<'_, '_>,
    key: &CurveKey,
    members: &[&Point],
    answer: &Coverage,
    percentile: &str,
    metric: &str,
    several: bool,
) {
    let title = key.title(x.g.words);
    let about = if several { format!("{title}, {percentile}") } else { percentile.to_owned() };
    let score = format!("{}/{}", answer.frontier.count(), members.len());
    let page = x.run().map(|r| format!("/runs/{}?x={metric}&y={THROUGHPUT}#frontiers", r.run.run_id));
    let input =
        Input::new(format!("{percentile} E2EL, {title}"), format!("{score} on the frontier, {} invalid", answer.frontier.invalid()));
    draft.input(match &page {
        Some(page) => input.at(page.clone()),
        None => input,
    });
    let mut off = Vec::new();
    let mut lacking = Vec::new();
    for (p, place) in members.iter().zip(&answer.frontier.places) {
        let coordinates = format!("{} s, {} tok/s/GPU", number(p.metric(metric)), number(p.metric(THROUGHPUT)));
        let text = match place {
            Place::Frontier => format!("{coordinates}: on the frontier"),
            Place::Invalid => {
                lacking.push(p.label.as_str());
                format!("{coordinates}: can't take part")
            }
            Place::Dominated(by) => {
                let names: Vec<&str> = by.iter().filter_map(|i| members.get(*i)).map(|p| p.label.as_str()).collect();
                off.push(format!("{} is dominated by {}", p.label, list(&names)));
                format!("{coordinates}: dominated by {}", list(&names))
            }
        };
        draft.input(Input::new(format!("{percentile} {}", p.label), text));
    }
    let rest = if off.is_empty() { String::new() } else { format!(": {}", off.join("; ")) };
    match answer.verdict {
        Verdict::Pass => draft.pass(format!("{about} {score}{rest}.")),
        Verdict::NotMeasured => draft.ask(
            format!("{about}: no point has both {percentile} end-to-end latency and throughput."),
            format!("{percentile} E2EL of {title}, in the artifacts of the run."),
        ),
        Verdict::Warn => {
            let few = answer.frontier.count() < Verdict::ENOUGH;
            let why = match (few, lacking.is_empty()) {
                (true, true) => format!("fewer than {}", Verdict::ENOUGH),
                (false, _) => format!("{} can't take part: {}", count(lacking.len(), "point"), list(&lacking)),
                (true, false) => {
                    format!("fewer than {}, and {} can't take part: {}", Verdict::ENOUGH, count(lacking.len(), "point"), list(&lacking))
                }
            };
            draft.warn(
                format!("{about} {score}, {why}{rest}."),
                "A core maintainer's agreement: the bypass must be recorded before the merge.",
            );
        }
    }
}

fn number(value: Option<f64>) -> String {
    value.map_or_else(|| "not measured".to_owned(), |v| fixed(v, if v.abs() >= 1000.0 { 0 } else { 2 }))
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::check::CheckStatus::{Fail, NeedsHuman, NotApplicable, Pass, Warn};
    use crate::checks::fixture::{Case, World, run_cases};

    /// Curves of the rule: points, frontier, verdict.
    #[test]
    fn the_rule_by_tables() {
        let some = |v: &[(f64, f64)]| v.iter().map(|(x, y)| (Some(*x), Some(*y))).collect::<Vec<_>>();
        for (name, points, on, verdict) in [
            ("five", some(&[(1.0, 1.0), (2.0, 2.0), (3.0, 3.0), (4.0, 4.0), (5.0, 5.0)]), 5, Verdict::Pass),
            ("a curve with 4 frontier points", some(&[(1.0, 1.0), (2.0, 2.0), (3.0, 3.0), (4.0, 4.0), (5.0, 3.5)]), 4, Verdict::Warn),
            (
                "equal throughput at a larger latency is kept",
                some(&[(1.0, 1.0), (2.0, 2.0), (3.0, 3.0), (4.0, 4.0), (5.0, 4.0)]),
                5,
                Verdict::Pass,
            ),
            ("one coordinate counts once", some(&[(1.0, 1.0), (2.0, 2.0), (3.0, 3.0), (4.0, 4.0), (4.0, 4.0)]), 4, Verdict::Warn),
            ("at one latency the higher wins", some(&[(1.0, 1.0), (2.0, 2.0), (3.0, 3.0), (4.0, 4.0), (4.0, 3.5)]), 4, Verdict::Warn),
            ("nothing measured", vec![(None, Some(1.0))], 0, Verdict::NotMeasured),
        ] {
            let c = coverage(&[("k", points)]).unwrap();
            assert_eq!((c[0].frontier.count(), c[0].verdict), (on, verdict), "{name}");
        }
        let mut five = some(&[(1.0, 1.0), (2.0, 2.0), (3.0, 3.0), (4.0, 4.0), (5.0, 5.0)]);
        five.push((Some(0.0), Some(9.0)));
        assert_eq!(coverage(&[("k", five)]).unwrap()[0].verdict, Verdict::Warn, "an invalid point");
    }

    #[test]
    fn errors() {
        assert_eq!(coverage(&[]), Err(CoverageError::Empty("curves")));
        assert_eq!(coverage(&[("k", vec![])]), Err(CoverageError::Empty("points")));
        let one = || vec![(Some(1.0), Some(1.0))];
        assert_eq!(coverage(&[("k", one()), ("k", one())]), Err(CoverageError::Duplicate("k".into())));
    }

    fn keep(w: &mut World, labels: &[&str]) {
        w.run_mut().points.retain(|p| labels.contains(&p.label.as_str()));
    }

    #[test]
    fn pareto() {
        run_cases(
            14,
            &[
                Case::new("the reference at P90", Pass, "P90 7/8: TP4 c4 is dominated by TP4 c16.", |_| {}),
                Case::new("the reference at P75", Pass, "P75 7/8: TP4 c1 is dominated by TP4 c4 and TP4 c16.", |_| {}),
                Case::new("four on the frontier", Warn, "P90 4/4, fewer than 5", |w| {
                    keep(w, &["TP4 c1", "TP4 c16", "TP2/EP2 c16", "TP2/EP2 c32"]);
                }),
                Case::new("equal throughput at a larger latency", Pass, "P90 8/8", |w| {
                    // c4 with c16's throughput would dominate it but for the latency of its own.
                    for p in &mut w.run_mut().points {
                        if p.label == "TP4 c4" {
                            p.metrics.insert("tput_per_gpu".into(), 29_242.0);
                        }
                    }
                }),
                Case::new("a point without a latency", Warn, "1 point can't take part: TP4 c1", |w| {
                    w.run_mut().points[0].metrics.remove("p90_e2el");
                }),
                Case::new("a percentile that nobody measured", NeedsHuman, "no point has both P75", |w| {
                    w.run_mut().points.iter_mut().for_each(|p| {
                        p.metrics.remove("p75_e2el");
                    });
                }),
                Case::new("fixed sequences by the median", Pass, "median 8/8", |w| {
                    w.set_scenario("8k1k");
                    for (p, x) in w.run_mut().points.iter_mut().zip(1..) {
                        p.metrics.insert("median_e2el".into(), f64::from(x));
                    }
                }),
                Case::new("no points", Fail, "has no point that counts: the list of points is empty", |w| w.run_mut().points.clear()),
                Case::new("evals only", NotApplicable, "evals only", |w| w.entry_mut().evals_only = true),
                Case::new("the run is not known here", NeedsHuman, "not known here", |w| w.runs.clear()),
            ],
        );
    }
}
