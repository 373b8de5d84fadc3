//! Check 12: what is declared as only adding points only adds points.

use std::collections::{BTreeMap, BTreeSet};

use paretoscope_domain::repo::{ConfigFact, MatrixPoint, RepoFacts};
use serde_json::Value;

use super::affected::{NewEntry, is_agentic};
use super::context::Context;
use super::draft::{Draft, Rule};
use super::text::{count, distinct, files_page, list, sentence, some, state};
use crate::check::{Check, Input};

static RULE: Rule = Rule {
    id: 12,
    name: "Append-only",
    rule: "An entry with append-only: true adds points to existing configurations and drops none: every recipe and concurrency of before is still generated, at least one is \
           added, each added one belongs to a visual series that existed with exactly one image, the same as now, and what is not selected is unchanged. Whether other changed \
           files can affect old points is for a person.",
    source: "PR review checklist, check 12",
};

pub(crate) fn check(x: &Context<'_, '_>) -> Check {
    let mut draft = match x.measured(&RULE) {
        Ok(draft) => draft,
        Err(done) => return *done,
    };
    draft.input(x.affected.from.clone());
    let entries = &x.affected.entries;
    if entries.is_empty() {
        draft.ask("No changelog entry of this pull request is known.", "Whether a new changelog entry sets append-only: true.");
        return draft.done();
    }
    let (declared, ordinary): (Vec<&NewEntry>, Vec<&NewEntry>) = entries.iter().partition(|e| e.append_only);
    if declared.is_empty() {
        let does = if entries.len() == 1 { "The new changelog entry does" } else { "The new changelog entries do" };
        return draft.not_applicable(format!("{does} not set append-only: true."));
    }
    if !ordinary.is_empty() {
        draft.fail("An append-only entry shares the sweep with ordinary ones.");
    }
    let (Some(base), Some(head)) = (x.g.base, x.g.head) else {
        let lacking = match (x.g.base.is_some(), x.g.head.is_some()) {
            (false, false) => "neither the base nor the head",
            (false, true) => "not the base",
            _ => "not the head",
        };
        draft.ask(
            format!("The benchmark repository was synced at {lacking} of this pull request."),
            "What the configurations generated before and generate now.",
        );
        return draft.done();
    };
    draft.input(Input::new("before", state(base)));
    draft.input(Input::new("now", state(head)));
    matrices(&mut draft, base, head, &declared);
    rest(&mut draft, x);
    draft.done()
}

/// What is generated, as check 12 compares it.
fn matrices(draft: &mut Draft, base: &RepoFacts, head: &RepoFacts, declared: &[&NewEntry]) {
    let selects = |key: &str, scenario: &str| declared.iter().any(|e| e.keys.iter().any(|k| k == key) && e.selects(scenario));
    let keys = distinct(declared.iter().flat_map(|e| e.keys.iter()));
    let mut added: Vec<(&ConfigFact, &MatrixPoint)> = Vec::new();
    for key in keys {
        let (Some(before), Some(now)) = (config(base, key), config(head, key)) else {
            draft.fail(format!("{key} is no existing configuration: it is not in both the base and the head."));
            continue;
        };
        let (old, new) = (groups(before, &|s| selects(key, s)), groups(now, &|s| selects(key, s)));
        let mut lost: Vec<String> = Vec::new();
        for (identity, points) in &old {
            let left = new.get(identity);
            lost.extend(points.iter().filter(|(conc, _)| !left.is_some_and(|l| l.contains_key(conc))).map(|(_, p)| name(p)));
        }
        if lost.is_empty() {
            draft.pass(format!("{key}: every point of before is still generated with its recipe."));
        } else {
            draft.fail(format!(
                "{key}: {} of before no longer generated with its recipe: {}.",
                sentence(&count(lost.len(), "point")),
                some(&lost, 8)
            ));
        }
        for (identity, points) in &new {
            let had = old.get(identity);
            added.extend(points.iter().filter(|(conc, _)| !had.is_some_and(|h| h.contains_key(conc))).map(|(_, p)| (now, *p)));
        }
    }
    if added.is_empty() {
        draft.fail("Nothing is added.");
    } else {
        let names: Vec<String> = added.iter().map(|(c, p)| format!("{} {}", c.key, name(p))).collect();
        draft.input(Input::new("added", list(&names)));
    }
    series(draft, base, &added);
    unselected(draft, base, head, &selects);
}

fn config<'a>(facts: &'a RepoFacts, key: &str) -> Option<&'a ConfigFact> {
    facts.configs.iter().find(|c| c.key == key)
}

/// Selected points by recipe and concurrency.
fn groups<'a>(config: &'a ConfigFact, selects: &dyn Fn(&str) -> bool) -> BTreeMap<&'a str, BTreeMap<u32, &'a MatrixPoint>> {
    let mut out: BTreeMap<&str, BTreeMap<u32, &MatrixPoint>> = BTreeMap::new();
    for p in config.points.iter().filter(|p| selects(&p.scenario)) {
        out.entry(p.recipe_identity.as_str()).or_default().insert(p.conc, p);
    }
    out
}

/// Each added point's visual series exists before, with exactly one image, which is the one of now.
fn series(draft: &mut Draft, base: &RepoFacts, added: &[(&ConfigFact, &MatrixPoint)]) {
    let mut images: BTreeMap<Series, BTreeSet<Option<&str>>> = BTreeMap::new();
    for c in &base.configs {
        for p in &c.points {
            images.entry(series_of(c, p)).or_default().insert(c.image.as_deref());
        }
    }
    let mut fine = 0;
    for (c, p) in added {
        let who = format!("{} {}", c.key, name(p));
        let before: Vec<Option<&str>> = images.get(&series_of(c, p)).map(|s| s.iter().copied().collect()).unwrap_or_default();
        match (before.as_slice(), c.image.as_deref()) {
            ([], _) => draft.fail(format!("{who} starts a visual series: none like it existed.")),
            ([Some(old)], Some(new)) if *old == new => fine += 1,
            ([Some(old)], Some(new)) => draft.fail(format!("{who} runs on {new}, its series on {old}.")),
            ([None], _) | (_, None) => draft.fail(format!("{who}: its series or it names no image.")),
            (several, _) => draft.fail(format!("{who}: its series ran on {}.", count(several.len(), "image"))),
        }
    }
    if fine == added.len() && fine > 0 {
        draft.pass(format!(
            "{} {} in existing series on the same image.",
            sentence(&count(fine, "added point")),
            if fine == 1 { "is" } else { "are" }
        ));
    }
}

type Series = (String, String, String, String, String, bool, String, Option<u32>, Option<u32>, bool, Option<String>, String);

/// Model, prefix, precision, framework, runner, disaggregation, scenario, lengths, offload, spec method (fixed only), workers' hardware.
fn series_of(c: &ConfigFact, p: &MatrixPoint) -> Series {
    (
        c.model.clone(),
        c.model_prefix.clone(),
        c.precision.clone(),
        c.framework.clone(),
        c.runner.clone(),
        c.disagg,
        p.scenario.clone(),
        p.isl,
        p.osl,
        p.kv_offloading != "none",
        (!is_agentic(&p.scenario)).then(|| p.spec_decoding.clone()),
        worker_hardware(p),
    )
}

/// Hardware of the workers, where the matrix entry names any.
fn worker_hardware(p: &MatrixPoint) -> String {
    let entry: Value = serde_json::from_str(&p.recipe_identity).unwrap_or_default();
    let of = |role: &str| entry.get(role).and_then(|r| r.get("hardware")).and_then(Value::as_str).unwrap_or_default().to_owned();
    format!("{}/{}", of("prefill"), of("decode"))
}

/// Points that the entries do not select, in both states.
fn unselected(draft: &mut Draft, base: &RepoFacts, head: &RepoFacts, selects: &dyn Fn(&str, &str) -> bool) {
    let outside = |c: &ConfigFact| -> BTreeSet<(String, u32)> {
        c.points.iter().filter(|p| !selects(&c.key, &p.scenario)).map(|p| (p.recipe_identity.clone(), p.conc)).collect()
    };
    let keys: BTreeSet<&str> = base.configs.iter().chain(&head.configs).map(|c| c.key.as_str()).collect();
    let mut changed: Vec<&str> = Vec::new();
    for key in keys {
        let touched = [base, head].iter().filter_map(|f| config(f, key)).any(|c| c.points.iter().any(|p| selects(key, &p.scenario)));
        let same = match (config(base, key), config(head, key)) {
            (Some(b), Some(h)) => outside(b) == outside(h) && (touched || b.image == h.image),
            _ => touched,
        };
        if !same {
            changed.push(key);
        }
    }
    if changed.is_empty() {
        draft.pass("What is not selected is unchanged.");
    } else {
        draft.fail(format!("Not selected, and changed: {}.", some(&changed, 8)));
    }
}

/// Other changed files may affect old points: that is for a person.
fn rest(draft: &mut Draft, x: &Context<'_, '_>) {
    if !x.g.pull.known.files {
        draft.ask("The changed files were not read.", "Whether any changed file can affect a point that was there before.");
        return;
    }
    let generated = |path: &str| path.ends_with("perf-changelog.yaml") || path.ends_with("-master.yaml");
    let others: Vec<&str> = x.g.pull.files.iter().map(|f| f.path.as_str()).filter(|p| !generated(p)).collect();
    if others.is_empty() {
        draft.pass("No file but the changelog and the master configurations is changed.");
    } else {
        draft.input(Input::new("other files", list(&others)).at(files_page(x.g.pull)));
        draft.ask(
            format!("{} changed besides: {}.", sentence(&count(others.len(), "file")), some(&others, 6)),
            "Whether these changes can affect a point that was there before.",
        );
    }
}

/// A generated point for people: `agentic-traces TP4 c16`.
fn name(p: &MatrixPoint) -> String {
    format!("{} {}", p.scenario, paretoscope_domain::label::label(&super::affected::planned_topology(p), Some(p.conc)))
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test fails by panicking")]
mod tests {
    use crate::check::CheckStatus::{Fail, NeedsHuman, NotApplicable, Pass};
    use crate::checks::fixture::{Case, World, matrix_point, run_cases};

    /// The pull request appends TP4 c32 and changes nothing else.
    fn append(w: &mut World) {
        w.entry_mut().append_only = true;
        let base = w.head.clone().unwrap();
        w.base = Some(base);
        w.head.as_mut().unwrap().configs[0].points.push(matrix_point("TP4", 32));
        w.pull.files.retain(|f| f.path.ends_with("perf-changelog.yaml") || f.path.ends_with("-master.yaml"));
    }

    #[test]
    fn append_only() {
        run_cases(
            12,
            &[
                Case::new("the reference", NotApplicable, "does not set append-only: true", |_| {}),
                Case::new("a point is appended", Pass, "every point of before is still generated", append),
                Case::new(
                    "an appended sweep that drops an old point",
                    Fail,
                    "1 point of before no longer generated with its recipe: agentic-traces TP4 c4",
                    |w| {
                        append(w);
                        w.head.as_mut().unwrap().configs[0].points.retain(|p| p.conc != 4);
                    },
                ),
                Case::new("a recipe of before changed", Fail, "no longer generated with its recipe", |w| {
                    append(w);
                    w.head.as_mut().unwrap().configs[0].points[0].recipe_identity.push_str(" changed");
                }),
                Case::new("nothing is added", Fail, "Nothing is added", |w| {
                    append(w);
                    w.head.as_mut().unwrap().configs[0].points.pop();
                }),
                Case::new("another image", Fail, "runs on lmsysorg/sglang:new, its series on", |w| {
                    append(w);
                    w.head.as_mut().unwrap().configs[0].image = Some("lmsysorg/sglang:new".into());
                }),
                Case::new("a series of its own", Fail, "starts a visual series", |w| {
                    append(w);
                    w.head.as_mut().unwrap().configs[0].points.last_mut().unwrap().kv_offloading = "dram".into();
                }),
                Case::new("another configuration changed", Fail, "Not selected, and changed: other", |w| {
                    append(w);
                    let mut other = w.base.as_ref().unwrap().configs[0].clone();
                    other.key = "other".into();
                    w.base.as_mut().unwrap().configs.push(other.clone());
                    other.points.pop();
                    w.head.as_mut().unwrap().configs.push(other);
                }),
                Case::new("a new configuration", Fail, "no existing configuration", |w| {
                    append(w);
                    w.base.as_mut().unwrap().configs.clear();
                }),
                Case::new("beside an ordinary entry", Fail, "shares the sweep", |w| {
                    append(w);
                    let mut other = w.entry_mut().clone();
                    other.append_only = false;
                    w.head.as_mut().unwrap().changelog.push(other);
                }),
                Case::new("other files changed", NeedsHuman, "1 file changed besides: recipes/x.yaml", |w| {
                    append(w);
                    let mut file = w.pull.files[0].clone();
                    file.path = "recipes/x.yaml".into();
                    w.pull.files.push(file);
                }),
                Case::new("the base is not synced", NeedsHuman, "synced at not the base", |w| {
                    append(w);
                    w.base = None;
                }),
                Case::new("no entry is known", NeedsHuman, "No changelog entry", |w| {
                    w.head.as_mut().unwrap().changelog.clear();
                    w.run_mut().changelog.clear();
                }),
            ],
        );
    }
}
