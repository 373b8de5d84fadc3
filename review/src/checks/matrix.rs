//! Check 18: the run measured what the configurations generate, on their image, and nothing was dropped in silence.

use paretoscope_domain::Scenario;
use paretoscope_domain::delta::{Change, matched};
use paretoscope_domain::format::percent_change;
use paretoscope_domain::label;
use paretoscope_domain::metric::Metric;
use paretoscope_domain::point::{Offload, Point, Topology};
use paretoscope_domain::repo::{ConfigFact, MatrixPoint};
use paretoscope_domain::run::RunDetail;

use super::affected::{head_page, image_in_words, is_agentic, planned_topology, same_image, settled, split_image};
use super::claims::tags_like;
use super::context::Context;
use super::draft::{Draft, Rule};
use super::text::{count, distinct, list, sentence, some, state};
use crate::check::{Check, Input};

static RULE: Rule = Rule {
    id: 18,
    name: "Configurations, images and points",
    rule: "Every point that the affected configurations generate was measured and no other, on the configuration's image and with GPU counts that follow from the topology. The \
           changelog names a changed image, and no point of before is dropped without a word. Changes of throughput and interactivity against the ingested cohort are told only. \
           Overrides inside recipe files are not read here.",
    source: "PR review checklist, check 18",
};

/// What makes a planned and a measured point the same.
#[derive(Clone, Debug, PartialEq)]
struct Same {
    scenario: String,
    isl: Option<u32>,
    osl: Option<u32>,
    conc: u32,
    topology: Topology,
    offloaded: bool,
    spec: Option<String>,
}

pub(crate) fn check(x: &Context<'_, '_>) -> Check {
    let mut draft = match x.measured(&RULE) {
        Ok(draft) => draft,
        Err(done) => return *done,
    };
    let run = x.assessed.settle(&mut draft);
    if x.settle_head(&mut draft) {
        refused(&mut draft, x);
        if let Some(run) = run {
            points(&mut draft, x, run);
            images(&mut draft, x, run);
            gpus(&mut draft, run);
        }
        removed(&mut draft, x);
        changelog(&mut draft, x);
    }
    if let Some(run) = run {
        deltas(&mut draft, x, run);
    }
    draft.done()
}

/// Labels of the points that the configurations generate and the run lacks; `None` where the configurations are not known.
pub(crate) fn missing_points(x: &Context<'_, '_>, run: &RunDetail) -> Option<Vec<String>> {
    let wanted = wanted(x);
    if wanted.is_empty() {
        return None;
    }
    let measured: Vec<Same> = run.points.iter().filter(|p| p.counts()).map(of_point).collect();
    Some(wanted.iter().filter(|(_, p)| !measured.contains(&of_planned(x, p))).map(|(c, p)| planned_name(c, p)).collect())
}

/// Points that the entries select; entries that run evals only select none.
fn wanted<'a>(x: &Context<'_, 'a>) -> Vec<(&'a ConfigFact, &'a MatrixPoint)> {
    let evals_only = |key: &str| {
        let mut about = x.affected.entries.iter().filter(|e| e.keys.iter().any(|k| k == key)).peekable();
        about.peek().is_some() && about.all(|e| e.evals_only)
    };
    x.affected
        .head
        .iter()
        .filter(|c| !evals_only(&c.key))
        .flat_map(|c| c.points.iter().filter(|p| x.affected.selects(&c.key, &p.scenario)).map(|p| (*c, p)))
        .collect()
}

fn of_planned(x: &Context<'_, '_>, p: &MatrixPoint) -> Same {
    let spec = x.g.words.spec_method(&p.spec_decoding).map_or_else(|| p.spec_decoding.clone(), |e| e.key.clone());
    Same {
        scenario: p.scenario.parse::<Scenario>().map_or_else(|_| p.scenario.clone(), |s| s.to_string()),
        isl: p.isl,
        osl: p.osl,
        conc: p.conc,
        topology: settled(&planned_topology(p)),
        offloaded: p.kv_offloading != "none",
        spec: (!is_agentic(&p.scenario)).then_some(spec),
    }
}

fn of_point(p: &Point) -> Same {
    Same {
        scenario: p.scenario.to_string(),
        isl: p.isl,
        osl: p.osl,
        conc: p.conc,
        topology: settled(&p.topology()),
        // A row that does not say whether it offloads is not known to.
        offloaded: p.offload == Offload::Dram,
        spec: (!p.scenario.is_agentic()).then(|| p.spec_method.clone()),
    }
}

/// A planned point for people.
pub(crate) fn planned_name(c: &ConfigFact, p: &MatrixPoint) -> String {
    let offload = if p.kv_offloading == "none" {
        String::new()
    } else {
        format!(" · {}", p.kv_offload_backend.as_deref().unwrap_or(&p.kv_offloading))
    };
    let scenario = if is_agentic(&p.scenario) { String::new() } else { format!("{} ", p.scenario) };
    let key = if c.points.iter().any(|q| q.scenario != p.scenario) { scenario } else { String::new() };
    format!("{key}{}{offload}", label::label(&planned_topology(p), Some(p.conc)))
}

/// Entries of the checkout that could not be used.
fn refused(draft: &mut Draft, x: &Context<'_, '_>) {
    let Some(head) = x.g.head else { return };
    let own = head.refused.iter().filter(|r| x.affected.keys.iter().any(|k| r.what == *k || r.what.starts_with(&format!("{k} "))));
    for r in own {
        let text = format!("{}: {}", r.what, r.detail);
        if r.kept {
            draft.warn(format!("{text}."), format!("{} line {}: {}.", r.file, r.line.unwrap_or_default(), r.detail));
        } else {
            draft.fail(format!("The configuration can't be used: {text}."));
        }
    }
}

fn points(draft: &mut Draft, x: &Context<'_, '_>, run: &RunDetail) {
    let wanted = wanted(x);
    let counting: Vec<&Point> = run.points.iter().filter(|p| p.counts()).collect();
    let mut left: Vec<(&Point, Same)> = counting.iter().map(|p| (*p, of_point(p))).collect();
    let mut missing = Vec::new();
    for (c, p) in &wanted {
        let same = of_planned(x, p);
        match left.iter().position(|(_, s)| *s == same) {
            Some(at) => drop(left.remove(at)),
            None => missing.push(planned_name(c, p)),
        }
    }
    draft.input(Input::new("generated points", format!("{}, {}", wanted.len(), x.g.head.map(state).unwrap_or_default())));
    draft.input(Input::new("measured points", counting.len().to_string()).at(format!("/runs/{}#points", run.run.run_id)));
    let extra: Vec<&str> = left.iter().map(|(p, _)| p.label.as_str()).collect();
    if !missing.is_empty() {
        draft.fail(format!("{} of {} generated points not measured: {}.", missing.len(), wanted.len(), some(&missing, 10)));
    }
    if !extra.is_empty() {
        draft.fail(format!("Measured, but not generated: {}.", some(&extra, 10)));
    }
    if wanted.is_empty() && extra.is_empty() {
        draft.told("The entries generate no points.");
    } else if missing.is_empty() && extra.is_empty() {
        draft.pass(format!("All {} generated points were measured, and no other.", wanted.len()));
    }
}

/// Every point ran on an image that a configuration of its kind names.
fn images(draft: &mut Draft, x: &Context<'_, '_>, run: &RunDetail) {
    let pinned: Vec<(String, Option<String>)> = x.affected.head_images().into_iter().map(|(i, _)| split_image(&i)).collect();
    for (c, image) in x.affected.head.iter().filter_map(|c| Some((c, c.image.as_deref()?))) {
        let input = Input::new(format!("image of {}", c.key), image);
        draft.input(match head_page(x.g, &c.file, c.line) {
            Some(page) => input.at(page),
            None => input,
        });
    }
    if pinned.is_empty() {
        draft.ask("The configurations name no image.", "Which image the points were to run on.");
        return;
    }
    let (mut other, mut unknown, mut undigested) = (Vec::new(), Vec::new(), Vec::new());
    for p in run.points.iter().filter(|p| p.counts()) {
        let Some(image) = p.image.as_deref() else {
            unknown.push(p.label.as_str());
            continue;
        };
        let own = (image, p.image_digest.as_deref());
        match pinned.iter().find(|(r, d)| same_image((r, d.as_deref()), own)) {
            None => other.push(format!("{} on {}", p.label, image_in_words(image, p.image_digest.as_deref()))),
            Some((_, Some(_))) if p.image_digest.is_none() => undigested.push(p.label.as_str()),
            Some(_) => {}
        }
    }
    if !other.is_empty() {
        draft.fail(format!("On another image than the configuration's: {}.", some(&other, 6)));
    }
    if !unknown.is_empty() {
        draft.ask(format!("The image of {} is not known.", some(&unknown, 8)), "The server logs of these points: the image.");
    }
    if !undigested.is_empty() {
        draft.told(format!("{} without a digest of {} own.", some(&undigested, 8), if undigested.len() == 1 { "its" } else { "their" }));
    }
    if other.is_empty() && unknown.is_empty() {
        draft.pass("All points ran on the configuration's image.");
    }
}

/// GPU counts that follow from the topology: tp × pp × pcp; EP and DCP share devices.
fn gpus(draft: &mut Draft, run: &RunDetail) {
    let (mut wrong, mut unknown) = (Vec::new(), Vec::new());
    for p in run.points.iter().filter(|p| p.counts()) {
        let expected = match p.topology() {
            Topology::Aggregated(parallel) => parallel.gpus(),
            Topology::Disaggregated { prefill, decode } => prefill.gpus.zip(decode.gpus).map(|(a, b)| a + b),
        };
        match (p.gpus, expected) {
            (Some(stated), Some(expected)) if stated != expected => {
                wrong.push(format!("{}: {stated} stated, {expected} by its topology", p.label))
            }
            (Some(_), Some(_)) => {}
            _ => unknown.push(p.label.as_str()),
        }
    }
    if !wrong.is_empty() {
        draft.fail(format!("GPU counts don't follow from the topology: {}.", list(&wrong)));
    }
    if !unknown.is_empty() {
        draft.ask(format!("The GPU count of {} is not known.", some(&unknown, 8)), "The GPU counts of these points.");
    }
}

/// Points that the base generated and the head does not.
fn removed(draft: &mut Draft, x: &Context<'_, '_>) {
    let Some(base) = x.g.base else {
        draft.ask(
            "The benchmark repository was not synced at the base of this pull request, so removed points would not show.",
            "Whether the configurations generated points before that they don't any more.",
        );
        return;
    };
    let now: Vec<(String, Same)> =
        x.affected.head.iter().flat_map(|c| c.points.iter().map(|p| (c.key.clone(), of_planned(x, p)))).collect();
    let before = x.affected.base.iter().flat_map(|c| c.points.iter().map(move |p| (*c, p)));
    let gone: Vec<String> = before
        .filter(|(c, p)| !now.contains(&(c.key.clone(), of_planned(x, p))))
        .map(|(c, p)| format!("{} {}", c.key, planned_name(c, p)))
        .collect();
    draft.input(Input::new("before", format!("{}, {}", count(x.affected.base.len(), "configuration"), state(base))));
    if gone.is_empty() {
        draft.pass("No point of before is removed.");
        return;
    }
    let words: Vec<String> = x.affected.entries.iter().flat_map(|e| e.description.iter()).map(|d| d.to_ascii_lowercase()).collect();
    let told = words.iter().any(|w| ["remov", "drop", "delet", "retire", "no longer", "without the"].iter().any(|v| w.contains(v)));
    let text = format!("{} removed: {}", sentence(&count(gone.len(), "point")), some(&gone, 8));
    if told {
        draft.warn(format!("{text}; the changelog speaks of a removal."), "Whether the changelog entry names all of them.");
    } else {
        draft.fail(format!("{text}; the changelog does not say so."));
    }
}

/// A changed image must stand in the changelog.
fn changelog(draft: &mut Draft, x: &Context<'_, '_>) {
    let changed: Vec<(&str, &str)> = x
        .affected
        .head
        .iter()
        .filter_map(|c| {
            let before = x.affected.base.iter().find(|b| b.key == c.key)?.image.as_deref()?;
            let now = c.image.as_deref()?;
            (before != now).then_some((before, now))
        })
        .collect();
    let text: String = x.affected.entries.iter().flat_map(|e| e.description.iter()).fold(String::new(), |all, line| all + line + "\n");
    for (before, now) in distinct(changed) {
        draft.input(Input::new("image before", before));
        let reference = split_image(now).0;
        let tag = reference.rsplit_once(':').map_or("", |(_, t)| t);
        if x.affected.entries.is_empty() {
            continue;
        }
        if !tag.is_empty() && text.contains(tag) {
            draft.pass(format!("The changelog names the new image {tag}."));
        } else {
            let others = tags_like(&text, tag);
            let instead = if others.is_empty() { String::new() } else { format!(" but {}", list(&others)) };
            draft.warn(
                format!("The image changed to {reference}, which the changelog does not name{instead}."),
                "Whether the changelog entry is true.",
            );
        }
    }
}

/// Changes against the ingested cohort: told only.
fn deltas(draft: &mut Draft, x: &Context<'_, '_>, run: &RunDetail) {
    let Some(cohort) = x.g.official.first() else {
        draft.input(Input::new("changes against the ingested cohort", "no official run that shares a curve is known here"));
        return;
    };
    let pairs = matched(&cohort.points, &run.points);
    let page = format!("/compare?base={}&head={}", cohort.run.run_id, run.run.run_id);
    let change = |name: &str, base: &Point, head: &Point| -> Option<String> {
        let metric = Metric::parse(name).ok()?;
        Change::of(&metric, base.metric(name)?, head.metric(name)?).pct.map(percent_change)
    };
    for (base, head) in &pairs.pairs {
        let throughput = change("tput_per_gpu", base, head).unwrap_or_else(|| "not known".to_owned());
        let interactivity = ["median_intvty", "mean_intvty", "p90_intvty"]
            .iter()
            .find_map(|m| Some(format!("{} {}", change(m, base, head)?, Metric::describe(m).label)));
        let text = format!("{throughput} tok/s/GPU, {}", interactivity.unwrap_or_else(|| "interactivity not known".to_owned()));
        draft.input(Input::new(format!("{} against run {}", head.label, cohort.run.run_id), text).at(page.clone()));
    }
    for p in &pairs.removed {
        draft.input(Input::new(format!("{} of run {}", p.label, cohort.run.run_id), "not in this run").at(page.clone()));
    }
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test fails by panicking")]
mod tests {
    use std::sync::Arc;

    use paretoscope_domain::repo::Refused;

    use crate::check::CheckStatus::{Fail, NeedsHuman, NotApplicable, Pass, Warn};
    use crate::checks::fixture::{Case, matrix_point, reference, run_cases};

    #[test]
    fn matrix() {
        run_cases(
            18,
            &[
                Case::new("the reference", Pass, "All 8 generated points were measured, and no other", |_| {}),
                Case::new("a point was not measured", Fail, "1 of 9 generated points not measured: TP4 c32", |w| {
                    w.head.as_mut().unwrap().configs[0].points.push(matrix_point("TP4", 32));
                }),
                Case::new("a point that nothing generates", Fail, "Measured, but not generated: TP4 c1", |w| {
                    w.head.as_mut().unwrap().configs[0].points.remove(0);
                    w.base.as_mut().unwrap().configs[0].points.remove(0);
                }),
                Case::new("on another image", Fail, "TP4 c1 on lmsysorg/sglang:old", |w| {
                    w.run_mut().points[0].image = Some("lmsysorg/sglang:old".into())
                }),
                Case::new("another digest", Fail, "On another image", |w| w.run_mut().points[0].image_digest = Some("sha256:00".into())),
                Case::new("GPU counts that don't follow", Fail, "TP4 c1: 8 stated, 4 by its topology", |w| {
                    w.run_mut().points[0].gpus = Some(8)
                }),
                Case::new(
                    "a silent removal",
                    Fail,
                    "1 point removed: dsv41flash-fp4-gb300-sglang-agentic-dspark TP8 c8; the changelog does not say so",
                    |w| {
                        w.base.as_mut().unwrap().configs[0].points.push(matrix_point("TP8", 8));
                    },
                ),
                Case::new("a removal that the changelog tells", Warn, "speaks of a removal", |w| {
                    w.base.as_mut().unwrap().configs[0].points.push(matrix_point("TP8", 8));
                    w.entry_mut().description.push("Removes TP8 c8".into());
                }),
                Case::new("a changed image that the changelog hides", Warn, "which the changelog does not name", |w| {
                    w.entry_mut().description = vec!["Tuned".into()]
                }),
                Case::new("a configuration that can't be used", Fail, "can't be used", |w| {
                    let key = w.head.as_ref().unwrap().configs[0].key.clone();
                    w.head.as_mut().unwrap().refused.push(Refused {
                        file: "nvidia-master.yaml".into(),
                        line: Some(3),
                        what: key,
                        reason: "bad".into(),
                        detail: "tp is not a number".into(),
                        kept: false,
                    });
                }),
                Case::new("the head is not synced", NeedsHuman, "was not synced at the head", |w| w.head = None),
                Case::new("the base is not synced", NeedsHuman, "removed points would not show", |w| w.base = None),
                Case::new("GPU counts not known", NeedsHuman, "GPU count of TP4 c1 is not known", |w| w.run_mut().points[0].gpus = None),
                Case::new("the run is not known here", NeedsHuman, "not known here", |w| w.runs.clear()),
                Case::new("only documents", NotApplicable, "only documents", |w| w.only_documents()),
            ],
        );
    }

    #[test]
    fn changes_are_told_only() {
        let mut world = reference();
        let mut cohort = (*world.runs[0]).clone();
        cohort.run.run_id = paretoscope_domain::RunId::new(40_059_333_495).unwrap();
        cohort.points.iter_mut().for_each(|p| *p.metrics.get_mut("tput_per_gpu").unwrap() *= 2.0);
        world.official = vec![Arc::new(cohort)];
        let check = world.check(18);
        assert_eq!(check.status, Pass);
        let change = check.inputs.iter().find(|i| i.name == "TP4 c1 against run 40059333495").unwrap();
        assert_eq!(change.value, "−50.0 % tok/s/GPU, interactivity not known");
        assert_eq!(change.href.as_deref(), Some("/compare?base=40059333495&head=41261902147"));
    }
}
