//! Points with more failed requests than the gate allows.

use paretoscope_domain::format::fixed;
use paretoscope_domain::point::{Point, reason};

use crate::check::{Check, Input};
use crate::checks::context::Context;
use crate::checks::draft::Rule;
use crate::checks::text::{list, run_page, some};

static RULE: Rule = Rule {
    id: 105,
    name: "Failed requests",
    rule: "Of a point's completed requests at most one in ten failed for agentic traces, one in twenty for fixed sequences.",
    source: "the benchmark's gates of failed requests",
};

pub(crate) fn check(x: &Context<'_, '_>) -> Check {
    let mut draft = match x.measured(&RULE) {
        Ok(draft) => draft,
        Err(done) => return *done,
    };
    let Some(run) = x.assessed.settle(&mut draft) else { return draft.done() };
    let points: Vec<&Point> = run.points.iter().filter(|p| p.counts()).collect();
    if points.is_empty() {
        return draft.not_applicable("The run has no point that counts.");
    }
    let (mut over, mut unknown) = (Vec::new(), Vec::new());
    for p in &points {
        let marked = p.reasons.iter().any(|r| r == reason::HIGH_FAILURE);
        let allowed = if p.scenario.is_agentic() { 0.10 } else { 0.05 };
        let share = share(p);
        match share {
            Some((failed, all)) => {
                draft.input(Input::new(p.label.clone(), format!("{failed} of {all} failed")).at(run_page(run.run.run_id)));
                // Counts of requests are small: the division is exact enough.
                let part = failed as f64 / all as f64;
                if marked || part > allowed {
                    over.push(format!("{} {} % of {all}, allowed {} %", p.label, fixed(part * 100.0, 1), fixed(allowed * 100.0, 0)));
                }
            }
            None if marked => over.push(format!("{} by the row's own account", p.label)),
            None => unknown.push(p.label.as_str()),
        }
    }
    if !over.is_empty() {
        draft.fail(format!("More failed requests than allowed: {}.", list(&over)));
    }
    if !unknown.is_empty() {
        draft.ask(format!("How many requests of {} failed is not told.", some(&unknown, 8)), "The request counts of these points.");
    }
    if over.is_empty() && unknown.is_empty() {
        draft.pass(format!("All {} points are within their gate.", points.len()));
    }
    draft.done()
}

/// Failed and completed requests; completed are those that succeeded and those that failed.
fn share(p: &Point) -> Option<(u64, u64)> {
    let (failed, ok) = p.requests.error_dropped.zip(p.requests.successful)?;
    Some((failed, failed + ok)).filter(|(_, all)| *all > 0)
}

#[cfg(test)]
mod tests {
    use paretoscope_domain::point::reason;

    use crate::check::CheckStatus::{Fail, NeedsHuman, NotApplicable, Pass};
    use crate::checks::fixture::{Case, World, run_cases};

    fn requests(w: &mut World, failed: u64, ok: u64) {
        w.run_mut().points.iter_mut().for_each(|p| (p.requests.error_dropped, p.requests.successful) = (Some(failed), Some(ok)));
    }

    #[test]
    fn request_gates() {
        run_cases(
            105,
            &[
                Case::new("the reference does not tell", NeedsHuman, "How many requests of TP4 c1", |_| {}),
                Case::new("one in ten is allowed", Pass, "All 8 points", |w| requests(w, 10, 90)),
                Case::new("one more is not", Fail, "TP4 c1 11.0 % of 100, allowed 10 %", |w| requests(w, 11, 89)),
                Case::new("fixed sequences: one in twenty", Fail, "allowed 5 %", |w| {
                    w.set_scenario("8k1k");
                    requests(w, 6, 94);
                }),
                Case::new("marked by ingest", Fail, "by the row's own account", |w| {
                    w.run_mut().points.iter_mut().for_each(|p| p.reasons.push(reason::HIGH_FAILURE.into()));
                }),
                Case::new("no points", NotApplicable, "no point that counts", |w| w.run_mut().points.clear()),
            ],
        );
    }
}
