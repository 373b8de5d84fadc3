//! Points that hung: a profile that ended early while the GPUs went on.

use paretoscope_domain::format::fixed;

use crate::check::{Check, Input};
use crate::checks::context::Context;
use crate::checks::draft::Rule;
use crate::checks::text::{list, run_page, some};

static RULE: Rule = Rule {
    id: 100,
    name: "Hung points",
    rule: "An agentic point hung if its profile lasted less than 3,240 s, nine tenths of an hour, and telemetry goes on for 300 s or more after its last request.",
    source: "the signature by which published points were purged before",
};

/// Shortest profile that is not suspicious, seconds.
const SHORTEST: f64 = 3240.0;

pub(crate) fn check(x: &Context<'_, '_>) -> Check {
    let mut draft = match x.measured(&RULE) {
        Ok(draft) => draft,
        Err(done) => return *done,
    };
    let Some(run) = x.run() else {
        x.assessed.settle(&mut draft);
        return draft.done();
    };
    draft.input(Input::new("run", run.run.run_id.to_string()).at(run_page(run.run.run_id)));
    let agentic: Vec<_> = run.points.iter().filter(|p| p.counts() && p.scenario.is_agentic()).collect();
    if agentic.is_empty() {
        return draft.not_applicable("The run has no agentic point.");
    }
    let known: Vec<(&str, f64)> = agentic.iter().filter_map(|p| Some((p.label.as_str(), p.metric("duration_seconds")?))).collect();
    if known.is_empty() {
        return draft.not_applicable("No row tells how long it profiled, and telemetry is not read: the signature can't be looked for.");
    }
    let unknown: Vec<&str> = agentic.iter().filter(|p| p.metric("duration_seconds").is_none()).map(|p| p.label.as_str()).collect();
    let short: Vec<String> = known.iter().filter(|(_, s)| *s < SHORTEST).map(|(label, s)| format!("{label} {} s", fixed(*s, 0))).collect();
    for (label, seconds) in &known {
        draft.input(Input::new(format!("profile of {label}"), format!("{} s", fixed(*seconds, 1))));
    }
    if !short.is_empty() {
        draft.ask(
            format!("Profiled for less than 3,240 s: {}.", list(&short)),
            "GPU telemetry of these points: whether it goes on for 300 s or more after the last request.",
        );
    }
    if !unknown.is_empty() {
        draft.ask(format!("How long {} profiled is not told.", some(&unknown, 8)), "The profiles of these points.");
    }
    if short.is_empty() && unknown.is_empty() {
        draft.pass(format!("All {} agentic points profiled for 3,240 s or more.", known.len()));
    }
    draft.done()
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test fails by panicking")]
mod tests {
    use crate::check::CheckStatus::{NeedsHuman, NotApplicable, Pass};
    use crate::checks::fixture::{Case, World, run_cases};

    fn durations(w: &mut World, seconds: f64) {
        w.run_mut().points.iter_mut().for_each(|p| {
            p.metrics.insert("duration_seconds".into(), seconds);
        });
    }

    #[test]
    fn hung() {
        run_cases(
            100,
            &[
                Case::new("the reference: nothing tells", NotApplicable, "telemetry is not read", |_| {}),
                Case::new("an hour each", Pass, "All 8 agentic points", |w| durations(w, 3601.0)),
                Case::new("one ended early", NeedsHuman, "TP4 c1 1,800 s", |w| {
                    durations(w, 3601.0);
                    w.run_mut().points[0].metrics.insert("duration_seconds".into(), 1800.0);
                }),
                Case::new("one does not tell", NeedsHuman, "How long TP4 c1 profiled", |w| {
                    durations(w, 3601.0);
                    w.run_mut().points[0].metrics.remove("duration_seconds");
                }),
                Case::new("fixed sequences", NotApplicable, "no agentic point", |w| w.set_scenario("8k1k")),
            ],
        );
    }
}
