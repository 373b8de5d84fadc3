//! Check 7: nothing submitted is deprecated on the day of the review.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use paretoscope_domain::Scenario;
use paretoscope_domain::repo::{Deprecation, ModelFact, RepoFacts};

use super::affected::Submission;
use super::context::Context;
use super::draft::{Draft, Rule};
use super::text::{file_page, list, state};
use crate::check::{Check, Input};

static RULE: Rule = Rule {
    id: 7,
    name: "Deprecated models",
    rule: "On the day of the review (the merge, once merged) no submitted model, scenario, pair of both, precision or arm without speculative decoding is past the last day that \
           the list of models allows it. What is past its day but marked as not carried out yet is told and does not fail.",
    source: "PR review checklist, check 7",
};

pub(crate) fn check(x: &Context<'_, '_>) -> Check {
    let mut draft = match x.measured(&RULE) {
        Ok(draft) => draft,
        Err(done) => return *done,
    };
    let day = x.g.pull.merged_at.unwrap_or(x.g.now).to_zoned(TimeZone::UTC).date();
    draft.input(Input::new("day of the review", day.to_string()));
    if x.submissions.is_empty() {
        draft.ask("What is submitted is not known.", "Which models and scenarios the pull request submits, against the list of models.");
        return draft.done();
    }
    let Some(facts) = x.g.main.or(x.g.base).or(x.g.head).filter(|f| !f.models.is_empty()) else {
        draft.ask("The list of models is not synced.", "The list of models of the benchmark repository, or sync a checkout of it.");
        return draft.done();
    };
    let input = Input::new("list of models", state(facts));
    draft.input(match file_page(facts, "MODELS.md", None) {
        Some(page) => input.at(page),
        None => input,
    });
    for submission in &x.submissions {
        one(&mut draft, x, facts, submission, day);
    }
    draft.done()
}

fn one(draft: &mut Draft, x: &Context<'_, '_>, facts: &RepoFacts, s: &Submission, day: Date) {
    let title = s.title(x.g.words);
    let Some(model) = listed(x, facts, s) else {
        draft.ask(
            format!("{title}: the list of models has no {}.", s.model_word),
            format!("Whether {} is an accepted model.", s.model_word),
        );
        return;
    };
    let active = if model.active.is_empty() { "none".to_owned() } else { list(&model.active) };
    draft.input(Input::new(title.clone(), format!("{}: active {active}", model.prefix)));
    let concerned: Vec<&Deprecation> = model.deprecated.iter().chain(&facts.scenarios).filter(|d| concerns(d, s)).collect();
    let mut past = false;
    for d in concerned {
        let text = words(d);
        match d.valid_to {
            Some(last) if day <= last => draft.told(format!("{title} is allowed until {last}.")),
            _ if d.enacted => {
                past = true;
                draft.fail(format!("{title} is deprecated{}: {text}.", last_day(d)));
            }
            _ => {
                past = true;
                draft.warn(
                    format!("{title} is deprecated{}, not carried out yet: {text}.", last_day(d)),
                    format!("Whether {title} may still be submitted."),
                );
            }
        }
    }
    let retired = model.active.is_empty() || model.active.iter().all(|a| a.trim().to_ascii_lowercase().starts_with("none"));
    if past {
        return;
    }
    if retired {
        draft.fail(format!("{title}: the model is retired, it has no active scenario."));
    } else {
        draft.pass(format!("{title} is not deprecated on {day}."));
    }
}

/// The model's entry: by its prefix or any spelling of it.
fn listed<'a>(x: &Context<'_, '_>, facts: &'a RepoFacts, s: &Submission) -> Option<&'a ModelFact> {
    let key = |prefix: &str| x.g.words.model(Some(prefix), None).map(|e| e.key.clone());
    facts
        .models
        .iter()
        .find(|m| m.prefix == s.model_word)
        .or_else(|| facts.models.iter().find(|m| s.model.is_some() && (key(&m.prefix) == s.model || Some(&m.prefix) == s.model.as_ref())))
}

fn concerns(d: &Deprecation, s: &Submission) -> bool {
    let scenario = |text: &str| text.parse::<Scenario>().ok();
    d.scenario.as_deref().is_none_or(|t| t == s.scenario || scenario(t).is_some_and(|a| scenario(&s.scenario) == Some(a)))
        && d.precision.as_deref().is_none_or(|p| p.eq_ignore_ascii_case(&s.precision))
        && d.spec_decoding.is_none_or(|arm| arm == s.speculative)
}

fn last_day(d: &Deprecation) -> String {
    d.valid_to.map_or_else(String::new, |last| format!(" (last day {last})"))
}

fn words(d: &Deprecation) -> String {
    let text = d.text.trim().trim_end_matches('.');
    if text.is_empty() { format!("line {}", d.line) } else { format!("{text} (line {})", d.line) }
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test fails by panicking")]
mod tests {
    use paretoscope_domain::repo::Deprecation;

    use crate::check::CheckStatus::{Fail, NeedsHuman, NotApplicable, Pass, Warn};
    use crate::checks::fixture::{Case, World, run_cases};

    fn deprecate(w: &mut World, change: impl Fn(&mut Deprecation)) {
        let mut d = Deprecation {
            scenario: Some("agentic-traces".into()),
            valid_to: Some("2026-11-01".parse().unwrap()),
            enacted: true,
            text: "agentic".into(),
            line: 12,
            ..Deprecation::default()
        };
        change(&mut d);
        w.main.as_mut().unwrap().models[0].deprecated.push(d);
    }

    #[test]
    fn deprecated() {
        run_cases(
            7,
            &[
                Case::new("the reference", Pass, "is not deprecated on 2026-11-06", |_| {}),
                Case::new("a deprecated pair", Fail, "is deprecated (last day 2026-11-01): agentic (line 12)", |w| deprecate(w, |_| {})),
                Case::new("on its last day", Pass, "allowed until 2026-11-06", |w| {
                    deprecate(w, |d| d.valid_to = Some("2026-11-06".parse().unwrap()))
                }),
                Case::new("merged in time", Pass, "is not deprecated on 2026-10-31", |w| {
                    deprecate(w, |_| {});
                    w.pull.merged_at = Some("2026-10-31T12:00:00Z".parse().unwrap());
                }),
                Case::new("another scenario", Pass, "not deprecated", |w| deprecate(w, |d| d.scenario = Some("8k1k".into()))),
                Case::new("its precision in every scenario", Fail, "is deprecated", |w| {
                    deprecate(w, |d| (d.scenario, d.precision) = (None, Some("FP4".into())))
                }),
                Case::new("another precision", Pass, "not deprecated", |w| {
                    deprecate(w, |d| (d.scenario, d.precision) = (None, Some("bf16".into())))
                }),
                Case::new("the arm without speculative decoding", Pass, "not deprecated", |w| {
                    deprecate(w, |d| d.spec_decoding = Some(false))
                }),
                Case::new("that arm, submitted", Fail, "is deprecated", |w| {
                    deprecate(w, |d| d.spec_decoding = Some(false));
                    w.set_spec("none");
                }),
                Case::new("not carried out yet", Warn, "not carried out yet", |w| deprecate(w, |d| d.enacted = false)),
                Case::new("a scenario deprecated for all", Fail, "is deprecated (last day 2026-07-17)", |w| {
                    let d = Deprecation {
                        scenario: Some("agentic".into()),
                        valid_to: Some("2026-07-17".parse().unwrap()),
                        enacted: true,
                        ..Deprecation::default()
                    };
                    w.main.as_mut().unwrap().scenarios.push(d);
                }),
                Case::new("a retired model", Fail, "the model is retired", |w| {
                    w.main.as_mut().unwrap().models[0].active = vec!["None (retired)".into()]
                }),
                Case::new("a model that is not listed", NeedsHuman, "has no dsv41flash", |w| {
                    w.main.as_mut().unwrap().models[0].prefix = "other".into()
                }),
                Case::new("no list", NeedsHuman, "not synced", |w| (w.main, w.base, w.head) = (None, None, None)),
                Case::new("nothing known of the submission", NeedsHuman, "What is submitted is not known", |w| {
                    w.runs.clear();
                    w.head = None;
                }),
                Case::new("only documents", NotApplicable, "only documents", |w| w.only_documents()),
            ],
        );
    }
}
