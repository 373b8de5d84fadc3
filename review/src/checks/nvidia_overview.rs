//! Check 16: NVIDIA's overview lists the model with this engine. A page outside: a person looks.

use super::context::Context;
use super::draft::Rule;
use super::text::{distinct, list};
use crate::check::{Check, Input};

static RULE: Rule = Rule {
    id: 16,
    name: "NVIDIA overview",
    rule: "For NVIDIA hardware the table of framework recipes in NVIDIA's overview has a row for the model with the engine's cell filled.",
    source: "PR review checklist, check 16",
};

/// GPUs that NVIDIA makes, by the beginning of their keys.
const NVIDIA: [&str; 9] = ["h100", "h200", "b200", "b300", "gb200", "gb300", "vr200", "rubin", "rtx"];

pub(crate) fn check(x: &Context<'_, '_>) -> Check {
    let mut draft = match x.measured(&RULE) {
        Ok(draft) => draft,
        Err(done) => return *done,
    };
    if x.submissions.is_empty() {
        draft.ask("What is submitted is not known.", "Whether it runs on NVIDIA hardware and, if so, the overview's row of the model.");
        return draft.done();
    }
    let rows = distinct(x.submissions.iter().filter(|s| NVIDIA.iter().any(|n| s.hardware.starts_with(n))).map(|s| {
        (
            s.model.as_deref().map_or_else(|| s.model_word.clone(), |m| x.g.words.model_label(m).to_owned()),
            x.g.words.framework_label(&s.framework).to_owned(),
        )
    }));
    if rows.is_empty() {
        let hardware = distinct(x.submissions.iter().map(|s| x.g.words.hardware_label(&s.hardware).to_owned()));
        return draft.not_applicable(format!("No NVIDIA hardware: {}.", list(&hardware)));
    }
    let cells: Vec<String> = rows.iter().map(|(model, engine)| format!("row {model}, cell {engine}")).collect();
    x.places().notes(&["nvidia overview"]).into_iter().for_each(|n| draft.input(n));
    let links = distinct(x.g.pull.comments.iter().flat_map(|c| links(&c.body)));
    links.iter().for_each(|l| draft.input(Input::new("link in a comment", l.clone()).at(l.clone())));
    draft.input(Input::new("to find in the overview", list(&cells)));
    let whence = links.first().map_or_else(|| "NVIDIA's overview, table of framework recipes".to_owned(), Clone::clone);
    draft.ask("The overview is a page of NVIDIA's, which is not read here.", format!("{whence}: {}.", list(&cells)));
    draft.done()
}

fn speaks(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    text.contains("nvidia") && text.contains("overview")
}

/// Addresses in lines that speak of the overview.
fn links(body: &str) -> Vec<String> {
    let of_line = |line: &str| -> Vec<String> {
        line.match_indices("https://")
            .filter_map(|(at, _)| line.get(at..))
            .map(|rest| rest.chars().take_while(|c| !c.is_whitespace() && !matches!(c, ')' | ']' | '>' | '"')).collect::<String>())
            .map(|l| l.trim_end_matches(['.', ',']).to_owned())
            .collect()
    };
    body.lines().filter(|l| speaks(l)).flat_map(of_line).collect()
}

#[cfg(test)]
mod tests {
    use crate::check::CheckStatus::{NeedsHuman, NotApplicable};
    use crate::checks::fixture::{Case, reference, run_cases};

    /// It never passes: the page is outside.
    #[test]
    fn overview() {
        run_cases(
            16,
            &[
                Case::new("NVIDIA hardware", NeedsHuman, "a page of NVIDIA's", |_| {}),
                Case::new("AMD hardware", NotApplicable, "No NVIDIA hardware: MI355X", |w| w.set_hardware("mi355x")),
                Case::new("nothing known", NeedsHuman, "What is submitted is not known", |w| {
                    w.runs.clear();
                    w.head = None;
                }),
            ],
        );
    }

    #[test]
    fn what_to_look_at_is_named() {
        let mut world = reference();
        world.sign_off_mut().body.push_str("\nNVIDIA overview: https://example.org/overview.md.\n");
        assert_eq!(world.check(16).look, ["https://example.org/overview.md: row DeepSeek-V4.1-Flash, cell SGLang."]);
    }
}
