//! Check 11: agentic runs with speculative decoding simulate the golden acceptance length.

mod curves;
mod method;
mod sources;

use paretoscope_domain::fact::FactKind;
use paretoscope_domain::format::fixed;
use paretoscope_domain::repo::RepoFacts;

use self::curves::{Candidates, Finding};
use self::sources::{Aim, Modes, aims, draft_lengths};
use super::affected::{Submission, is_agentic};
use super::context::Context;
use super::draft::{Draft, Rule};
use super::find::number;
use super::places::{Hit, Place};
use super::text::{distinct, list, run_page, state};
use crate::check::{Check, Input};

static RULE: Rule = Rule {
    id: 11,
    name: "Golden acceptance length",
    rule: "Agentic configurations that decode speculatively simulate acceptance at the committed golden length of their model, thinking mode and draft length: \
           SGLANG_SIMULATE_ACC_LEN with match-expected and real-draft-token, synthetic_acceptance_length with rejection_sample_method synthetic, \
           TLLM_SPEC_DECODE_FORCE_NUM_ACCEPTED_TOKENS plus one, or --spec-decode-acceptance-length. Other scenarios do not simulate. Without a committed curve the \
           source must be stated. Also told: a measured mean further than 0.02 from the golden length.",
    source: "PR review checklist, check 11; the last sentence is ours",
};

/// How far a measured mean may be from the golden length before it is told.
const MEASURED_WITHIN: f64 = 0.02;

pub(crate) fn check(x: &Context<'_, '_>) -> Check {
    let mut draft = match x.measured(&RULE) {
        Ok(draft) => draft,
        Err(done) => return *done,
    };
    if x.submissions.is_empty() {
        x.assessed.settle(&mut draft);
        draft.ask("What is submitted is not known.", "Whether it decodes speculatively and, if so, the simulated acceptance length.");
        return draft.done();
    }
    let speculative: Vec<&Submission> = x.submissions.iter().filter(|s| s.speculative).collect();
    if speculative.is_empty() {
        return draft.not_applicable("Nothing submitted decodes speculatively.");
    }
    x.assessed.settle(&mut draft);
    let aims = aims(x);
    aims.iter().for_each(|a| draft.input(a.input()));
    not_elsewhere(&mut draft, x, &aims);
    let agentic: Vec<&Submission> = speculative.into_iter().filter(|s| is_agentic(&s.scenario)).collect();
    if !agentic.is_empty() {
        golden(&mut draft, x, &agentic, &aims);
    }
    draft.done()
}

/// Only agentic configurations may simulate.
fn not_elsewhere(draft: &mut Draft, x: &Context<'_, '_>, aims: &[Aim]) {
    let fixed: Vec<&Submission> = x.submissions.iter().filter(|s| !is_agentic(&s.scenario)).collect();
    if fixed.is_empty() {
        return;
    }
    let only = fixed.len() == x.submissions.len();
    let of_fixed = |aim: &Aim| {
        let label = aim.point.as_deref();
        x.run().is_some_and(|r| r.points.iter().any(|p| !p.scenario.is_agentic() && Some(p.label.as_str()) == label))
    };
    let simulated: Vec<&Aim> = aims.iter().filter(|a| a.simulates).collect();
    let wrong: Vec<String> = simulated.iter().filter(|a| only || of_fixed(a)).map(|a| a.in_words()).collect();
    let unclear: Vec<String> = simulated.iter().filter(|a| !only && a.point.is_none()).map(|a| a.in_words()).collect();
    let seen = x.places().seen();
    if !wrong.is_empty() {
        draft.fail(format!("Acceptance is simulated on a configuration that is not agentic: {}.", list(&wrong)));
    } else if !unclear.is_empty() {
        draft.ask(
            format!("Which scenarios simulate acceptance is not told: {}.", list(&unclear)),
            "Whether the fixed sequences ran with simulated acceptance.",
        );
    } else if seen.environment() {
        draft.pass(format!("Fixed sequences do not simulate acceptance; settings of the run are {}.", seen.how()));
    } else {
        draft.ask(
            "Whether fixed sequences simulate acceptance is not known: no setting of the run is.",
            "The environment and arguments of the fixed-sequence jobs.",
        );
    }
}

fn golden(draft: &mut Draft, x: &Context<'_, '_>, agentic: &[&Submission], aims: &[Aim]) {
    let seen = x.places().seen();
    if aims.is_empty() {
        if seen.environment_read() {
            draft.fail(format!("No simulated acceptance length among the settings of the run, {}.", seen.how()));
        } else {
            draft.ask(
                "The simulated acceptance length is not known.",
                "The environment and arguments of the launch, in the recipe or the server's log.",
            );
        }
        return;
    }
    let states: Vec<&RepoFacts> = [x.g.main, x.g.head, x.g.base].into_iter().flatten().filter(|f| !f.golden.is_empty()).collect();
    let Some(newest) = states.first().copied() else {
        draft.ask(
            "Golden acceptance lengths are not synced.",
            "The committed golden lengths of the model, or sync a checkout that holds them.",
        );
        return;
    };
    method::check(draft, x, agentic, aims);
    let modes = Modes::of(x);
    modes.hits.iter().for_each(|h| draft.input(h.clone()));
    let lengths = draft_lengths(x);
    lengths.iter().for_each(|(_, h)| draft.input(h.input()));
    let mut matched: Vec<(Option<String>, f64)> = Vec::new();
    for (model, checkpoint) in
        distinct(agentic.iter().map(|s| (s.model.clone().unwrap_or_else(|| s.model_word.clone()), s.checkpoint.clone())))
    {
        // A state of the main branch from before the model says nothing of it; what the pull request departs from may. Its own
        // head may not: a pull request does not bring its own target.
        let knows = |facts: &RepoFacts| !Candidates::of(x, facts, &model, checkpoint.as_deref()).curves.is_empty();
        let facts = [x.g.main, x.g.base].into_iter().flatten().find(|facts| knows(facts)).unwrap_or(newest);
        let candidates = Candidates::of(x, facts, &model, checkpoint.as_deref());
        describe(draft, facts, &candidates);
        let mut said: Vec<(f64, Finding, Vec<Option<String>>)> = Vec::new();
        for (point, value) in distinct(aims.iter().map(|a| (a.point.clone(), a.value))) {
            let own = |p: &Option<String>| point.is_none() || p.is_none() || *p == point;
            let mine = distinct(lengths.iter().filter(|(_, h)| own(&h.point)).map(|(n, _)| *n));
            let finding = candidates.find(value, modes.known(), &mine);
            if let Finding::Golden { .. } = finding {
                matched.push((point.clone(), value));
            }
            match said.iter_mut().find(|(v, f, _)| sources::same(*v, value) && *f == finding) {
                Some((_, _, points)) => points.push(point),
                None => said.push((value, finding, vec![point])),
            }
        }
        for (value, finding, points) in &said {
            say(draft, facts, &candidates, points, *value, finding);
        }
    }
    measured(draft, x, &matched);
    cookbook(draft, x, &matched);
}

fn describe(draft: &mut Draft, facts: &RepoFacts, candidates: &Candidates<'_>) {
    for curve in &candidates.curves {
        let values: Vec<String> = curve.lengths.iter().map(|(n, v)| format!("{n}: {}", fixed(*v, 2))).collect();
        let input = Input::new(format!("{}, {} {}", curve.file, curve.model, curve.thinking), values.join(", "));
        draft.input(match super::text::file_page(facts, &curve.file, None) {
            Some(page) => input.at(page),
            None => input,
        });
    }
}

/// One answer for one value, and the points that aim at it.
fn say(draft: &mut Draft, facts: &RepoFacts, candidates: &Candidates<'_>, points: &[Option<String>], value: f64, finding: &Finding) {
    let value = sources::shown(value);
    // A source that names no point speaks of all.
    let named: Option<Vec<&str>> = points.iter().map(Option::as_deref).collect();
    let about = named.map_or_else(String::new, |n| format!("{}: ", list(&n)));
    match finding {
        Finding::NoCurve => draft.ask(
            format!("{about}no committed golden length fits {} ({}).", candidates.wanted, state(facts)),
            format!("Where {value} comes from: without a committed curve the sign-off must state the source."),
        ),
        Finding::Golden { entries } => draft.pass(format!("{about}{value} is the golden length ({}).", list(entries))),
        Finding::Other { entries } => draft.fail(format!("{about}{value} is not the golden length: {}.", list(entries))),
        Finding::Ambiguous { equal, other } => draft.ask(
            format!("{about}{value} is the golden length of {}, but not of {}.", list(equal), list(other)),
            format!("Which of them is meant: {}.", list(&equal.iter().chain(other).collect::<Vec<_>>())),
        ),
        Finding::Unsettled { unknown, equal } => draft.ask(
            format!("{about}the {unknown} is not known; {value} is the golden length of {}.", list(equal)),
            format!("The {unknown} of the run."),
        ),
    }
}

/// Measured means against the golden length.
fn measured(draft: &mut Draft, x: &Context<'_, '_>, golden: &[(Option<String>, f64)]) {
    let Some(run) = x.run() else { return };
    let (mut near, mut far) = (Vec::new(), Vec::new());
    for fact in run.evidence.iter().filter(|f| f.kind == FactKind::MeasuredAl && !f.eval) {
        let lines = fact.count.map_or_else(String::new, |n| format!(" over {n} log lines"));
        let point = fact.point.clone().unwrap_or_else(|| "the run".to_owned());
        draft.input(
            Input::new(format!("measured, {point}"), format!("{}{lines} ({})", fact.value, fact.origin.in_words()))
                .at(run_page(run.run.run_id)),
        );
        let Some(mean) = number(&fact.value) else { continue };
        let targets = distinct(golden.iter().filter(|(p, _)| p.is_none() || fact.point.is_none() || *p == fact.point).map(|(_, v)| *v));
        let [target] = targets.as_slice() else { continue };
        // The allowance takes the noise of decimal fractions.
        if (mean - target).abs() <= MEASURED_WITHIN + 1e-9 {
            near.push(format!("{} on {point}{lines}", fact.value));
        } else {
            far.push(format!("{} on {point}{lines} against {}", fact.value, sources::shown(*target)));
        }
    }
    if !near.is_empty() {
        draft.told(format!("Measured: {}.", list(&near)));
    }
    if !far.is_empty() {
        draft.warn(
            format!("Measured further than {MEASURED_WITHIN} from the golden length: {}.", list(&far)),
            "Why the measured mean differs from the simulated one.",
        );
    }
}

/// What the cookbook writes as golden: told, since drift has a page of its own.
fn cookbook(draft: &mut Draft, x: &Context<'_, '_>, golden: &[(Option<String>, f64)]) {
    let words = distinct(super::cells::of(x.g, &x.affected.keys).iter().flat_map(|p| p.points.iter()).filter_map(|p| p.golden_al.clone()));
    if words.is_empty() {
        return;
    }
    let differs = words.iter().any(|w| number(w).is_some_and(|v| !golden.is_empty() && golden.iter().all(|(_, g)| !sources::same(v, *g))));
    let text = if differs { format!("{}, which differs", list(&words)) } else { list(&words) };
    draft.input(Input::new("golden length in the cookbook", text));
}

/// Hits that tell what ran: neither the cookbook nor words about it, and not an eval's server.
fn ran(hit: &Hit) -> bool {
    hit.place != Place::Cookbook && !hit.mention && !hit.eval
}

#[cfg(test)]
mod tests {
    use paretoscope_domain::fact::FactKind;

    use crate::check::CheckStatus::{Fail, NeedsHuman, NotApplicable, Pass, Warn};
    use crate::checks::fixture::{Case, World, golden_curve, run_cases};

    fn set_env(w: &mut World, key: &str, value: &str) {
        w.run_mut().evidence.iter_mut().filter(|f| f.key == key).for_each(|f| f.value = value.to_owned());
    }

    fn drop_fact(w: &mut World, key: &str) {
        w.run_mut().evidence.retain(|f| f.key != key);
    }

    #[test]
    fn golden_acceptance_length() {
        run_cases(
            11,
            &[
                Case::new("the reference", Pass, "3.51 is the golden length (dsv41flash_dspark.yaml, thinking_on, draft length 5)", |_| {}),
                Case::new("the reference tells what was measured", Pass, "Measured: 3.510 on TP4 c1 over 5107 log lines", |_| {}),
                Case::new(
                    "another target",
                    Fail,
                    "3.80 is not the golden length: 3.51 (dsv41flash_dspark.yaml, thinking_on, draft length 5)",
                    |w| {
                        set_env(w, "SGLANG_SIMULATE_ACC_LEN", "3.80");
                    },
                ),
                Case::new("a job event aimed elsewhere", Fail, "TP4 c1: 3.38 is not the golden length", |w| {
                    w.run_mut()
                        .jobs
                        .iter_mut()
                        .filter(|j| j.title == "TP4 c1")
                        .for_each(|j| j.golden_acceptance_length = Some("3.38".into()));
                }),
                Case::new("another draft length", Fail, "3.51 is not the golden length: 3.30", |w| {
                    set_env(w, "speculative_dspark_block_size", "4")
                }),
                Case::new("thinking off", Fail, "3.38 (dsv41flash_dspark.yaml, thinking_off", |w| {
                    set_env(w, "SGLANG_DEFAULT_THINKING", "0")
                }),
                Case::new(
                    "thinking not known: both are tried",
                    NeedsHuman,
                    "the thinking mode is not known; 3.51 is the golden length of dsv41flash_dspark.yaml, thinking_on, draft length 5",
                    |w| {
                        drop_fact(w, "SGLANG_DEFAULT_THINKING");
                    },
                ),
                Case::new("draft length not known", NeedsHuman, "the draft length is not known", |w| {
                    drop_fact(w, "speculative_dspark_block_size")
                }),
                Case::new(
                    "two golden files with one key",
                    NeedsHuman,
                    "3.51 is the golden length of dsv41flash_dspark.yaml, thinking_on, draft length 5, but not of 3.62 (dsv41flash_dspark_block.yaml",
                    |w| {
                        let other = golden_curve("dsv41flash_dspark_block.yaml", "thinking_on", &[(5, 3.62)]);
                        w.main.as_mut().unwrap().golden.push(other);
                    },
                ),
                Case::new("two golden files that agree", Pass, "dsv41flash_dspark_block.yaml", |w| {
                    let other = golden_curve("dsv41flash_dspark_block.yaml", "thinking_on", &[(5, 3.51)]);
                    w.main.as_mut().unwrap().golden.push(other);
                }),
                Case::new("two golden files, neither fits", Fail, "3.62", |w| {
                    let other = golden_curve("dsv41flash_dspark_block.yaml", "thinking_on", &[(5, 3.62)]);
                    w.main.as_mut().unwrap().golden.push(other);
                    set_env(w, "SGLANG_SIMULATE_ACC_LEN", "3.99");
                }),
                Case::new("a main branch from before the model", Pass, "3.51 is the golden length", |w| {
                    w.main
                        .as_mut()
                        .unwrap()
                        .golden
                        .iter_mut()
                        .for_each(|c| (c.model, c.file) = ("kimi-k3".into(), "kimik3_dspark.yaml".into()));
                }),
                Case::new("no curve of the model", NeedsHuman, "no committed golden length fits", |w| {
                    let states = [w.main.as_mut(), w.base.as_mut()].into_iter().flatten();
                    states
                        .flat_map(|f| f.golden.iter_mut())
                        .for_each(|c| (c.model, c.file) = ("kimi-k3".into(), "kimik3_dspark.yaml".into()));
                }),
                Case::new("a length that the curve lacks", NeedsHuman, "no committed golden length fits", |w| {
                    set_env(w, "speculative_dspark_block_size", "9")
                }),
                Case::new("golden lengths not synced", NeedsHuman, "not synced", |w| {
                    for facts in [&mut w.main, &mut w.base, &mut w.head].into_iter().flatten() {
                        facts.golden.clear();
                    }
                }),
                Case::new("another method", Fail, "SGLANG_SIMULATE_ACC_METHOD is other, not match-expected", |w| {
                    set_env(w, "SGLANG_SIMULATE_ACC_METHOD", "other")
                }),
                Case::new("the method is not told", NeedsHuman, "SGLANG_SIMULATE_ACC_TOKEN_MODE is not known", |w| {
                    drop_fact(w, "SGLANG_SIMULATE_ACC_TOKEN_MODE")
                }),
                Case::new("only the job event tells", NeedsHuman, "The engine's own setting is not known", |w| {
                    w.run_mut().evidence.retain(|f| f.kind != FactKind::GoldenAl && !f.key.starts_with("SGLANG_SIMULATE"));
                }),
                Case::new("measured far off", Warn, "Measured further than 0.02 from the golden length: 3.31", |w| {
                    w.run_mut().evidence.iter_mut().filter(|f| f.kind == FactKind::MeasuredAl).for_each(|f| f.value = "3.31".into());
                }),
                Case::new("vLLM", Pass, "3.51 is the golden length", |w| {
                    w.set_framework("vllm");
                    w.run_mut().evidence.retain(|f| !f.key.starts_with("SGLANG_SIMULATE") && f.key != "speculative_dspark_block_size");
                    w.read_argument(
                        "speculative_config",
                        "{\"method\":\"dspark\",\"num_speculative_tokens\":5,\"rejection_sample_method\":\"synthetic\",\"synthetic_acceptance_length\":3.51}",
                    );
                }),
                Case::new("TensorRT-LLM counts accepted tokens, without the one of its own", Pass, "3.51 is the golden length", |w| {
                    w.set_framework("trt");
                    w.run_mut().evidence.retain(|f| !f.key.starts_with("SGLANG_SIMULATE"));
                    w.read_env("TLLM_SPEC_DECODE_FORCE_NUM_ACCEPTED_TOKENS", "2.51");
                }),
                Case::new("ATOM", Pass, "3.51 is the golden length", |w| {
                    w.set_framework("atom");
                    w.run_mut().evidence.retain(|f| !f.key.starts_with("SGLANG_SIMULATE"));
                    w.read_argument("spec_decode_acceptance_length", "3.51");
                }),
                Case::new("nothing simulated", Fail, "No simulated acceptance length among the settings", |w| {
                    w.run_mut().evidence.retain(|f| f.kind != FactKind::GoldenAl && !f.key.starts_with("SGLANG_SIMULATE"));
                    w.run_mut().jobs.iter_mut().for_each(|j| j.golden_acceptance_length = None);
                    w.read_env("OTHER", "1");
                }),
                Case::new("nothing known", NeedsHuman, "is not known", |w| {
                    w.run_mut().evidence.clear();
                    w.run_mut().jobs.iter_mut().for_each(|j| j.golden_acceptance_length = None);
                }),
                Case::new("simulated on a fixed sequence", Fail, "not agentic", |w| w.set_scenario("8k1k")),
                Case::new("a fixed sequence that simulates nothing", Pass, "Fixed sequences do not simulate acceptance", |w| {
                    w.set_scenario("8k1k");
                    w.run_mut().evidence.retain(|f| !f.key.starts_with("SGLANG_SIMULATE"));
                }),
                Case::new("no speculative decoding", NotApplicable, "Nothing submitted decodes speculatively", |w| w.set_spec("none")),
                Case::new("the run is not known here", NeedsHuman, "not known here", |w| w.runs.clear()),
            ],
        );
    }
}
