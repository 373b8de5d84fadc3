//! Check 17: Dynamo with TensorRT-LLM publishes its iteration and KV cache metrics.

use paretoscope_domain::fact::FactKind;
use paretoscope_domain::point::Point;

use super::context::Context;
use super::draft::{Draft, Rule};
use super::find::is_on;
use super::places::Place;
use super::text::{list, run_page, some};
use crate::check::{Check, Input};

static RULE: Rule = Rule {
    id: 17,
    name: "Publication of metrics",
    rule: "Benchmarks of Dynamo with TensorRT-LLM collect and publish the engine's iteration and KV cache metrics under the pinned Dynamo version and the effective settings; \
           KV events are not needed. Other frameworks are not concerned.",
    source: "PR review checklist, check 17",
};

const FRAMEWORK: &str = "dynamo-trt";
/// Metrics of a row that come from the server's own.
const OF_SERVER: [&str; 7] = [
    "gpu_kv_cache_usage_pct",
    "cpu_kv_cache_usage_pct",
    "kv_cache_pool_tokens",
    "server_gpu_cache_hit_rate",
    "server_cpu_cache_hit_rate",
    "server_overall_cache_hit_rate",
    "total_generation_tokens",
];
const SWITCHES: [&str; 3] = ["publish_events_and_metrics", "publish-metrics", "enable_iter_perf_stats"];

pub(crate) fn check(x: &Context<'_, '_>) -> Check {
    let mut draft = match x.measured(&RULE) {
        Ok(draft) => draft,
        Err(done) => return *done,
    };
    if x.submissions.is_empty() {
        draft.ask("What is submitted is not known.", "Whether it serves with Dynamo and TensorRT-LLM.");
        return draft.done();
    }
    if !x.submissions.iter().any(|s| s.framework == FRAMEWORK) {
        return draft.not_applicable("No Dynamo TensorRT-LLM serving path is affected.");
    }
    let places = x.places();
    let switches: Vec<_> = places.settings(&SWITCHES).into_iter().filter(|h| h.place != Place::Cookbook && !h.mention).collect();
    switches.iter().for_each(|h| draft.input(h.input()));
    let off: Vec<String> = switches.iter().filter(|h| h.value.as_deref().is_some_and(|v| !is_on(v))).map(|h| h.in_words()).collect();
    if !off.is_empty() {
        draft.fail(format!("Switched off: {}.", list(&off)));
    }
    for fact in places.facts(FactKind::Note).filter(|f| f.key.to_ascii_lowercase().contains("dynamo")) {
        draft.input(Input::new(fact.key.clone(), format!("{} ({})", fact.value, fact.origin.in_words())));
    }
    if let Some(run) = x.assessed.settle(&mut draft) {
        let points: Vec<&Point> = run.points.iter().filter(|p| p.counts() && p.framework == FRAMEWORK).collect();
        rows(&mut draft, &points, &run_page(run.run.run_id));
    }
    draft.done()
}

fn rows(draft: &mut Draft, points: &[&Point], page: &str) {
    let has = |p: &&&Point| OF_SERVER.iter().any(|m| p.metric(m).is_some());
    let (with, without): (Vec<&&Point>, Vec<&&Point>) = points.iter().partition(has);
    draft.input(Input::new("points with metrics of the server", format!("{} of {}", with.len(), points.len())).at(page));
    let agentic: Vec<&str> = without.iter().filter(|p| p.scenario.is_agentic()).map(|p| p.label.as_str()).collect();
    let fixed: Vec<&str> = without.iter().filter(|p| !p.scenario.is_agentic()).map(|p| p.label.as_str()).collect();
    if !agentic.is_empty() {
        draft.fail(format!("Without metrics of the server: {}.", some(&agentic, 8)));
    }
    if !fixed.is_empty() {
        draft.ask(
            format!("Rows of fixed sequences hold no metrics of the server, so whether {} published any is not known.", some(&fixed, 8)),
            "The metrics files of these jobs: iteration and KV cache metrics of the engine.",
        );
    }
    if points.is_empty() {
        draft.ask("The run has no point of Dynamo TensorRT-LLM.", "Which jobs of the run serve with it, and their metrics files.");
    } else if without.is_empty() {
        draft.pass(format!("All {} points have metrics of the server.", points.len()));
    }
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test fails by panicking")]
mod tests {
    use crate::check::CheckStatus::{Fail, NeedsHuman, NotApplicable, Pass};
    use crate::checks::fixture::{Case, World, run_cases};

    fn dynamo(w: &mut World) {
        w.set_framework("dynamo-trt");
        w.run_mut().points.iter_mut().for_each(|p| {
            p.metrics.insert("gpu_kv_cache_usage_pct".into(), 0.9);
        });
    }

    #[test]
    fn metrics_publication() {
        run_cases(
            17,
            &[
                Case::new("the reference", NotApplicable, "No Dynamo TensorRT-LLM", |_| {}),
                Case::new("all points have them", Pass, "All 8 points", dynamo),
                Case::new("a point has none", Fail, "Without metrics of the server: TP4 c1", |w| {
                    dynamo(w);
                    w.run_mut().points[0].metrics.remove("gpu_kv_cache_usage_pct");
                }),
                Case::new("switched off", Fail, "Switched off: publish_events_and_metrics=false", |w| {
                    dynamo(w);
                    w.read_argument("publish_events_and_metrics", "false");
                }),
                Case::new("fixed sequences don't tell", NeedsHuman, "Rows of fixed sequences", |w| {
                    dynamo(w);
                    w.set_scenario("8k1k");
                    w.run_mut().points[0].metrics.remove("gpu_kv_cache_usage_pct");
                }),
                Case::new("the run is not known here", NeedsHuman, "not known here", |w| {
                    dynamo(w);
                    w.runs.clear();
                }),
            ],
        );
    }
}
