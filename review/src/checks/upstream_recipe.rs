//! Check 3: the serving configuration is published upstream, merged, at the pinned run.

use jiff::Timestamp;
use paretoscope_domain::cookbook::{Cell, CookbookStatus, CookbookVersion};
use paretoscope_domain::fact::{FactKind, RunFact};
use paretoscope_domain::pull::same_commit;
use paretoscope_domain::run::RunDetail;

use super::affected::{same_image, split_image};
use super::cells::{in_version, newest};
use super::context::Context;
use super::draft::{Draft, Rule};
use super::engine::Engine;
use super::find::same_name;
use super::text::{cookbook_page, count, day, distinct, list, short, some};
use crate::check::{Check, CheckStatus, Input};
use crate::timeline::rounds;

static RULE: Rule = Rule {
    id: 3,
    name: "Upstream recipe",
    rule: "Every affected vLLM or SGLang serving configuration, Dynamo counting as its engine, is documented in the engine's own recipes or cookbook by a pull request that is \
           merged before this one. It covers every point and every setting that production needs; what only the benchmark needs may be left out.",
    source: "PR review checklist, check 3",
};

/// Beginnings of settings that only the benchmark needs: synthetic acceptance, collection of metrics, the client, the harness.
const HARNESS: [&str; 14] = [
    "SGLANG_SIMULATE_",
    "TLLM_SPEC_DECODE_FORCE",
    "SYNTHETIC_ACCEPTANCE",
    "AIPERF_",
    "AGENTIC_",
    "CONC",
    "PYTHONNOUSERSITE",
    "PYTHONUNBUFFERED",
    "enable_metrics",
    "synthetic_acceptance",
    "rejection_sample_method",
    "spec_decode_acceptance",
    "HF_",
    "SLURM_",
];

pub(crate) fn check(x: &Context<'_, '_>) -> Check {
    let mut draft = match x.measured(&RULE) {
        Ok(draft) => draft,
        Err(done) => return *done,
    };
    let engines = distinct(x.submissions.iter().map(|s| Engine::of(&s.framework)));
    if !engines.is_empty() && engines.iter().all(|e| matches!(e, Engine::Other)) {
        return draft.not_applicable("No affected configuration serves with vLLM or SGLang.");
    }
    let run = x.assessed.settle(&mut draft);
    if !x.settle_configurations(&mut draft) {
        return draft.done();
    }
    if engines.contains(&Engine::Vllm) {
        draft.ask(
            "Recipes of vLLM name no run or commit, so nothing here can tell whether the configuration is published.",
            "The vLLM recipe that the sign-off links: merged, and covering the launch commands.",
        );
    }
    if engines.contains(&Engine::Sglang) || engines.is_empty() {
        cookbook(&mut draft, x, run);
    }
    draft.done()
}

fn cookbook(draft: &mut Draft, x: &Context<'_, '_>, run: Option<&RunDetail>) {
    if x.g.cookbook.is_empty() {
        draft.ask(
            "No state of the cookbook is synced.",
            "The cookbook's entry for these configurations: merged, with run, commit and image of the pin.",
        );
        return;
    }
    let Some(run) = run else { return };
    // The newest state that carries the pin decides; without one, the newest state tells what is there instead.
    let carries = x.g.cookbook.iter().rev().find(|v| in_version(v, &x.affected.keys).iter().any(|p| claims_run(p, run)));
    match carries {
        Some(version) => published(draft, x, run, version),
        None => not_published(draft, x, run),
    }
}

/// A state that names the pinned run: does the rest fit?
fn published(draft: &mut Draft, x: &Context<'_, '_>, run: &RunDetail, version: &CookbookVersion) {
    let cells: Vec<&Cell> = in_version(version, &x.affected.keys);
    cells_as_inputs(draft, &cells);
    let round = round(version);
    let id = run.run.run_id;
    let unlike: Vec<String> = cells.iter().filter_map(|p| Some(format!("{} {}", p.id, unlike(p, run)?))).collect();
    if !unlike.is_empty() {
        draft.fail(format!("Cells differ from run {id}: {}.", list(&unlike)));
    }
    let status = distinct(cells.iter().map(|p| p.status_word.clone().unwrap_or_else(|| "no status".to_owned())));
    match merged(x, version) {
        Some((at, how)) if x.g.pull.merged_at.is_none_or(|m| at <= m) => {
            if unlike.is_empty() {
                draft.pass(format!(
                    "The cookbook's state {round} ({how} {}) publishes run {id} at its commit and image, {}.",
                    day(at),
                    list(&status)
                ));
            }
        }
        Some((at, how)) => draft.warn(
            format!("The cookbook's state {round} publishes run {id}, but was {how} {}, after this pull request was merged.", day(at)),
            "Whether the configuration was published upstream before the merge in another form.",
        ),
        None => draft.ask(
            format!("The cookbook's state {round} publishes run {id}; whether it is merged is not known."),
            format!("Whether {round} is merged."),
        ),
    }
    points(draft, run, &cells);
    settings(draft, x, run, &cells);
}

/// Points of the run that no cell has.
fn points(draft: &mut Draft, run: &RunDetail, cells: &[&Cell]) {
    let concs: Vec<u32> = cells.iter().flat_map(|p| p.points.iter()).flat_map(|p| p.concs.iter().copied()).collect();
    let counting: Vec<_> = run.points.iter().filter(|p| p.counts()).collect();
    // A concurrency at which the run has several points must stand as often in the cells; which one lacks is not told then.
    let mut missing: Vec<String> = Vec::new();
    let mut covered = 0;
    for conc in distinct(counting.iter().map(|p| p.conc)) {
        let labels: Vec<&str> = counting.iter().filter(|p| p.conc == conc).map(|p| p.label.as_str()).collect();
        let there = concs.iter().filter(|c| **c == conc).count().min(labels.len());
        covered += there;
        match labels.len() - there {
            0 => {}
            n if n == labels.len() => missing.extend(labels.iter().map(|l| (*l).to_owned())),
            n => missing.push(format!("{n} of {}", list(&labels))),
        }
    }
    draft.input(Input::new("points covered", format!("{covered} of {}, by concurrency", counting.len())));
    if concs.is_empty() {
        draft.ask("The cells list no points.", "Whether the cookbook covers every point.");
    } else if !missing.is_empty() {
        draft.fail(format!("The cookbook has no {}.", list(&missing)));
    }
}

/// Settings known of the run that the cells do not have.
fn settings(draft: &mut Draft, x: &Context<'_, '_>, run: &RunDetail, cells: &[&Cell]) {
    let known: Vec<&RunFact> =
        run.evidence.iter().filter(|f| !f.eval && matches!(f.kind, FactKind::Env | FactKind::Argument) && !is_default(f)).collect();
    let seen = x.places().seen();
    if known.is_empty() {
        draft.ask(
            format!("No environment and no argument of run {} is known, so flags could not be compared.", run.run.run_id),
            "Whether the cookbook's commands have every flag and variable of the launch that production needs.",
        );
        return;
    }
    let harness = |name: &str| HARNESS.iter().any(|h| name.get(..h.len()).is_some_and(|start| same_name(start, h)));
    let has = |name: &str| {
        cells.iter().any(|p| {
            p.env.iter().any(|(n, _)| same_name(n, name))
                || p.args.iter().any(|(n, _)| same_name(n, name))
                || p.commands.iter().any(|c| !super::find::settings(c, name).is_empty())
        })
    };
    let names = distinct(known.iter().map(|f| f.key.clone()));
    let (left_out, production): (Vec<String>, Vec<String>) = names.into_iter().partition(|n| harness(n));
    let missing: Vec<String> = production.iter().filter(|n| !has(n)).cloned().collect();
    draft.input(Input::new(
        "settings of the run",
        format!("{}; {} for the benchmark only: {}", seen.how(), left_out.len(), list(&left_out)),
    ));
    draft.input(Input::new("settings not found in the cookbook", list(&missing)));
    if missing.is_empty() {
        draft.told(format!(
            "Its cells have all {} known of the run that production needs ({}).",
            count(production.len(), "setting"),
            seen.how()
        ));
    } else {
        draft.told(format!(
            "Of {} known of the run ({}), its cells lack {}: {}.",
            count(production.len(), "setting"),
            seen.how(),
            missing.len(),
            some(&missing, 8)
        ));
    }
}

/// An engine's log repeats every argument: `None`, `auto` and `False` are what it does anyway.
fn is_default(fact: &RunFact) -> bool {
    fact.kind == FactKind::Argument && matches!(fact.value.trim().to_ascii_lowercase().as_str(), "none" | "auto" | "false")
}

fn not_published(draft: &mut Draft, x: &Context<'_, '_>, run: &RunDetail) {
    let id = run.run.run_id;
    let states = newest(x.g);
    let cells: Vec<&Cell> = states.iter().flat_map(|v| in_version(v, &x.affected.keys)).collect();
    if cells.is_empty() {
        draft.fail(format!("No state of the cookbook that is known here has a cell of {}.", list(&x.affected.keys)));
        return;
    }
    cells_as_inputs(draft, &cells);
    let runs = distinct(cells.iter().filter_map(|p| p.run_id)).into_iter().map(|r| r.to_string()).collect::<Vec<_>>();
    let mirrors = cells.iter().all(|p| p.sha.as_deref().zip(run.run.head_sha.as_deref()).is_some_and(|(a, b)| same_commit(a, b)));
    let progress = cells.iter().all(|p| p.status_word.as_deref() == Some(CookbookStatus::InProgress.as_str()));
    let shown = states.iter().find(|v| !in_version(v, &x.affected.keys).is_empty()).map(|v| round(v)).unwrap_or_default();
    if !runs.is_empty() {
        draft.fail(format!("The cookbook claims run {}, not the pinned {id} ({shown}).", list(&runs)));
    } else if mirrors && progress {
        draft.warn(
            format!("The cookbook mirrors the measured commit as in progress, without a run ({shown}): its commands are the measured ones, not yet marked so."),
            format!("The next round of the cookbook: it must name run {id} before the merge."),
        );
    } else {
        draft.fail(format!("The cookbook names no run and another commit than the measured one ({shown})."));
    }
    if draft.worst() != Some(CheckStatus::Fail) {
        points(draft, run, &cells);
        settings(draft, x, run, &cells);
    }
}

fn cells_as_inputs(draft: &mut Draft, cells: &[&Cell]) {
    for p in cells {
        let c = *p;
        let run = c.run_id.map_or_else(|| "no run".to_owned(), |r| format!("run {r}"));
        let sha = c.sha.as_deref().map_or_else(|| "no commit".to_owned(), short);
        let text =
            format!("{run}, {sha}, {}, {}", c.status_word.as_deref().unwrap_or("no status"), c.image.as_deref().unwrap_or("no image"));
        draft.input(Input::new(format!("cell {}", c.id), text).at(cookbook_page(&c.config_key)));
    }
}

fn claims_run(cell: &Cell, run: &RunDetail) -> bool {
    cell.run_id == Some(run.run.run_id)
}

/// How a cell of the round differs from the run; `None` where it doesn't.
fn unlike(cell: &Cell, run: &RunDetail) -> Option<String> {
    if !claims_run(cell, run) {
        return Some(cell.run_id.map_or_else(|| "names no run".to_owned(), |r| format!("names run {r}")));
    }
    if let Some((theirs, ours)) = cell.sha.as_deref().zip(run.run.head_sha.as_deref())
        && !same_commit(theirs, ours)
    {
        return Some(format!("names commit {}", short(theirs)));
    }
    let image = split_image(cell.image.as_deref()?);
    let digest = cell.image_digest.as_deref().or(image.1.as_deref());
    let fits = run.run.images.iter().any(|i| same_image((&image.0, digest), (&i.reference, i.digest.as_deref())));
    (!fits && !run.run.images.is_empty()).then(|| format!("names image {}", super::affected::image_in_words(&image.0, digest)))
}

/// What a state is called: its pull request, else its commit.
fn round(version: &CookbookVersion) -> String {
    match (version.file.cookbook_pr, version.file.commit.as_deref()) {
        (Some(pr), _) => format!("{}#{pr}", version.file.repo),
        (None, Some(commit)) => format!("{} at {}", version.file.repo, short(commit)),
        (None, None) => format!("the cookbook as read on {}", day(version.synced_at)),
    }
}

/// When a state was merged, and how that is known.
fn merged(x: &Context<'_, '_>, version: &CookbookVersion) -> Option<(Timestamp, &'static str)> {
    let file = &version.file;
    if let Some(pr) = file.cookbook_pr {
        let told = rounds(x.g.pull, &x.assessed.commands, Vec::new());
        let of_round = told.iter().find(|r| r.number == Some(pr) && r.repo == file.repo).and_then(|r| r.merged_at);
        return of_round.or(version.committed_at).map(|at| (at, "merged"));
    }
    // A checkout's commit is on a branch that people read.
    version.committed_at.filter(|_| file.commit.is_some()).map(|at| (at, "committed"))
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test fails by panicking")]
mod tests {
    use paretoscope_domain::RunId;

    use crate::check::CheckStatus::{Fail, NeedsHuman, NotApplicable, Pass, Warn};
    use crate::checks::fixture::{Case, OLDER_RUN, run_cases};

    #[test]
    fn upstream_recipe() {
        run_cases(
            3,
            &[
                Case::new(
                    "the reference: the later round carries the pin",
                    Pass,
                    "sgl-project/sglang#47929 (merged 2026-11-03) publishes run 41261902147",
                    |_| {},
                ),
                Case::new("the round before missed the pin", Warn, "mirrors the measured commit as in progress", |w| {
                    w.cookbook.truncate(1);
                    let head = w.runs[0].run.head_sha.clone();
                    w.cookbook[0].file.cells.iter_mut().for_each(|c| c.sha = head.clone());
                }),
                Case::new("it mirrors an older commit", Fail, "another commit than the measured one", |w| w.cookbook.truncate(1)),
                Case::new("it claims another run", Fail, "claims run 40809149952, not the pinned 41261902147", |w| {
                    w.cells_mut().for_each(|c| c.run_id = RunId::new(OLDER_RUN));
                }),
                Case::new("one cell was left behind", Fail, "names run 40809149952", |w| {
                    w.cells_mut().next().unwrap().run_id = RunId::new(OLDER_RUN);
                }),
                Case::new("another image", Fail, "names image lmsysorg/sglang:old", |w| {
                    w.cells_mut().for_each(|c| c.image = Some("lmsysorg/sglang:old".into()))
                }),
                Case::new("a point is missing", Fail, "The cookbook has no TP2/EP2/DPA c160", |w| {
                    w.cells_mut().flat_map(|c| c.points.iter_mut()).for_each(|p| p.concs.retain(|c| *c != 160));
                }),
                Case::new("one of two points of a concurrency is missing", Fail, "The cookbook has no 1 of TP4 c16 and TP2/EP2 c16", |w| {
                    w.cells_mut().next().unwrap().points[0].concs.retain(|c| *c != 16);
                }),
                Case::new("published after the merge", Warn, "after this pull request was merged", |w| {
                    w.pull.merged_at = Some("2026-11-03T00:00:00Z".parse().unwrap());
                }),
                Case::new("no cell of the configuration", Fail, "has a cell of dsv41flash", |w| {
                    w.cookbook.iter_mut().for_each(|v| v.file.cells.clear());
                }),
                Case::new("nobody tells whether it is merged", NeedsHuman, "whether it is merged is not known", |w| {
                    w.cookbook.last_mut().unwrap().committed_at = None;
                    w.pull.comments.retain(|c| !c.body.contains("47929"));
                }),
                Case::new("no setting of the run is known", NeedsHuman, "flags could not be compared", |w| w.run_mut().evidence.clear()),
                Case::new("no cookbook", NeedsHuman, "No state of the cookbook", |w| w.cookbook.clear()),
                Case::new("vLLM", NeedsHuman, "Recipes of vLLM", |w| w.set_framework("vllm")),
                Case::new("a vendor's engine", NotApplicable, "with vLLM or SGLang", |w| w.set_framework("trt")),
            ],
        );
    }

    #[test]
    fn what_the_cookbook_lacks_is_listed() {
        let mut world = crate::checks::fixture::reference();
        world.cells_mut().for_each(|c| c.env.clear());
        let check = world.check(3);
        assert_eq!(check.status, Pass);
        let missing = check.inputs.iter().find(|i| i.name == "settings not found in the cookbook").unwrap();
        assert!(missing.value.contains("SGLANG_DEFAULT_THINKING") && !missing.value.contains("SIMULATE"), "{}", missing.value);
    }
}
