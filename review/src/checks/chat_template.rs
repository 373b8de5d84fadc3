//! Check 9: speculative decoding goes through the chat template.

use paretoscope_domain::fact::FactKind;

use super::context::Context;
use super::draft::Rule;
use super::places::{Hit, Place};
use super::text::{distinct, list};
use crate::check::{Check, Input};

static RULE: Rule = Rule {
    id: 9,
    name: "Chat template",
    rule: "Configurations that decode speculatively are driven through the chat endpoint or with the chat template, so that acceptance lengths are those of real use.",
    source: "PR review checklist, check 9",
};

/// Settings that say which endpoint the client uses.
const ENDPOINTS: [&str; 3] = ["endpoint-type", "endpoint", "use-chat-template"];
/// Variables that say how the model thinks; they show that a chat template is in force, not that requests go through it.
const THINKING: [&str; 5] =
    ["SGLANG_DEFAULT_THINKING", "SGLANG_DSV41_REASONING_EFFORT", "reasoning-effort", "chat-template", "chat-template-kwargs"];

pub(crate) fn check(x: &Context<'_, '_>) -> Check {
    let mut draft = match x.measured(&RULE) {
        Ok(draft) => draft,
        Err(done) => return *done,
    };
    if !x.submissions.is_empty() && !x.submissions.iter().any(|s| s.speculative) {
        return draft.not_applicable("Nothing submitted decodes speculatively.");
    }
    let places = x.places();
    let notes: Vec<_> = places.facts(FactKind::Note).filter(|f| speaks_of_chat(&f.key) || speaks_of_chat(&f.value)).collect();
    for note in &notes {
        let input =
            Input::new(if note.key.is_empty() { "note" } else { &note.key }, format!("{} ({})", note.value, note.origin.in_words()));
        draft.input(match x.run() {
            Some(run) => input.at(super::text::run_page(run.run.run_id)),
            None => input,
        });
    }
    let ran = |h: &Hit| h.place != Place::Cookbook && !h.mention;
    let endpoints: Vec<Hit> = places.settings(&ENDPOINTS).into_iter().filter(ran).collect();
    let thinking: Vec<Hit> = places.settings(&THINKING).into_iter().filter(ran).collect();
    endpoints.iter().chain(&thinking).for_each(|h| draft.input(h.input()));
    let plain: Vec<String> = endpoints.iter().filter(|h| is_plain(h)).map(Hit::in_words).collect();
    let chat: Vec<String> = endpoints.iter().filter(|h| is_chat(h)).map(Hit::in_words).collect();
    let noted: Vec<String> = notes.iter().filter(|n| !n.value.to_ascii_lowercase().contains("not ")).map(|n| n.origin.in_words()).collect();
    let mode =
        if thinking.is_empty() { String::new() } else { format!(" Thinking: {}.", list(&distinct(thinking.iter().map(Hit::setting)))) };
    if !plain.is_empty() {
        draft.fail(format!("Requests go past the chat template: {}.", list(&plain)));
    } else if !chat.is_empty() {
        draft.pass(format!("Requests go through the chat endpoint: {}.{mode}", list(&chat)));
    } else if !noted.is_empty() {
        draft.pass(format!("Requests go through the chat endpoint, {}.{mode}", list(&distinct(noted))));
    } else {
        draft.ask(
            format!("Nothing that was read tells which endpoint the client used.{mode}"),
            "The client's command in the job's log: the chat endpoint, or --use-chat-template.",
        );
    }
    draft.done()
}

/// Whether a text is about the chat endpoint or template.
fn speaks_of_chat(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    text.contains("chat endpoint") || text.contains("chat template") || text.contains("chat_template") || text.contains("chat/completions")
}

fn is_chat(hit: &Hit) -> bool {
    match hit.value.as_deref() {
        Some(value) => value.contains("chat") || (hit.name == "use-chat-template" && super::find::is_on(value)),
        None => hit.name == "use-chat-template",
    }
}

fn is_plain(hit: &Hit) -> bool {
    hit.value.as_deref().is_some_and(|v| v.contains("completions") && !v.contains("chat"))
}

#[cfg(test)]
mod tests {
    use paretoscope_domain::fact::FactKind;

    use crate::check::CheckStatus::{Fail, NeedsHuman, NotApplicable, Pass};
    use crate::checks::fixture::{Case, run_cases};

    #[test]
    fn chat_template() {
        run_cases(
            9,
            &[
                Case::new("the reference", Pass, "stated by the code owner", |_| {}),
                Case::new("the client's argument", Pass, "endpoint-type=chat", |w| {
                    w.run_mut().evidence.retain(|f| f.kind != FactKind::Note);
                    w.read_argument("endpoint_type", "chat");
                }),
                Case::new("the plain endpoint", Fail, "past the chat template", |w| w.read_argument("endpoint", "/v1/completions")),
                Case::new("nobody tells", NeedsHuman, "Thinking: SGLANG_DEFAULT_THINKING=1", |w| {
                    w.run_mut().evidence.retain(|f| f.kind != FactKind::Note)
                }),
                Case::new("no speculative decoding", NotApplicable, "Nothing submitted", |w| w.set_spec("none")),
                Case::new("the run is not known", NeedsHuman, "Nothing that was read", |w| w.runs.clear()),
            ],
        );
    }
}
