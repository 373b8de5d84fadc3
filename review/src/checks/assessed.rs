//! Which run the checks look at: the pinned one, where there is one.

use paretoscope_domain::RunId;
use paretoscope_domain::run::RunDetail;

use super::draft::Draft;
use super::text::{run_page, timeline_page};
use crate::check::Input;
use crate::gathered::Gathered;
use crate::timeline::commands::{Command, Standing, commands, current_pin};
use crate::timeline::picked;

/// The run that the checks look at.
#[derive(Debug)]
pub(crate) struct Assessed<'a> {
    /// All commands, oldest first.
    pub(crate) commands: Vec<Command>,
    /// The command that decides, if there is one.
    pub(crate) pin: Option<Command>,
    /// The run, where it is known here.
    pub(crate) run: Option<&'a RunDetail>,
    /// Why it is not settled that this is the run: a sentence, and what to look at.
    unsettled: Option<(String, String)>,
}

impl<'a> Assessed<'a> {
    /// The pinned run; else the newest known one, which settles nothing.
    pub(crate) fn of(g: &Gathered<'a>) -> Self {
        let all = commands(g.pull);
        let pin = current_pin(&all).cloned();
        let newest = g.runs.first().map(AsRef::as_ref);
        let (run, unsettled) = match (&pin, pin.as_ref().and_then(|p| p.run_id)) {
            (Some(_), Some(id)) => match g.runs.iter().find(|r| r.run.run_id == id) {
                Some(run) => (Some(run.as_ref()), doubt(&all, pin.as_ref())),
                None => (None, Some(not_here(id))),
            },
            // A bare command takes the newest successful run with results.
            (Some(pin), None) => {
                let run = picked(pin, g).and_then(|id| g.runs.iter().find(|r| r.run.run_id == id)).map(AsRef::as_ref);
                let text = match run {
                    Some(run) => format!(
                        "{} names no run: at the merge it takes the newest successful one, which among those known here is {}.",
                        pin.text(),
                        run.run.run_id
                    ),
                    None => format!("{} names no run, and no successful run with results is known here.", pin.text()),
                };
                (run, Some((text, format!("Which run {} resolves to now.", pin.text()))))
            }
            (None, _) if !g.pull.known.comments => (
                newest,
                Some((
                    unpinned("The comments were not read, so no pin is known", newest),
                    "The newest authorised /use comment.".to_owned(),
                )),
            ),
            (None, _) => {
                let look = match newest {
                    Some(run) => format!("Whether run {} is the one to pin.", run.run.run_id),
                    None => "Whether a sweep has run, and which run is to be pinned.".to_owned(),
                };
                (newest, Some((unpinned("No run is pinned", newest), look)))
            }
        };
        Self { commands: all, pin, run, unsettled }
    }

    /// The run; where it is not settled that it is the one, the draft asks.
    pub(crate) fn settle(&self, draft: &mut Draft) -> Option<&'a RunDetail> {
        if let Some((text, look)) = &self.unsettled {
            draft.ask(text.clone(), look.clone());
        }
        if let Some(run) = self.run {
            draft.input(Input::new("run", describe(run)).at(run_page(run.run.run_id)));
        }
        self.run
    }

    /// The pin as an input.
    pub(crate) fn pin_input(&self, g: &Gathered<'_>) -> Option<Input> {
        let pin = self.pin.as_ref()?;
        let input = Input::new("newest reuse command", in_words(pin));
        Some(input.at(pin.url.clone().unwrap_or_else(|| timeline_page(g.pull))))
    }
}

/// A command for people: `/use 41261902147 by a COLLABORATOR (code owner) on 2026-11-02`.
pub(crate) fn in_words(command: &Command) -> String {
    let standing = command.association.as_deref().unwrap_or("no known association");
    format!("{} by {} ({standing}) on {}", command.text(), command.author, super::text::day(command.at))
}

/// A run for people: `41261902147 at 41d29b28, success after attempt 2`.
fn describe(run: &RunDetail) -> String {
    let mut text = run.run.run_id.to_string();
    if let Some(sha) = run.run.head_sha.as_deref() {
        text.push_str(&format!(" at {}", super::text::short(sha)));
    }
    if let Some(conclusion) = run.run.conclusion.as_deref().or(run.run.status.as_deref()) {
        text.push_str(&format!(", {conclusion}"));
    }
    if let Some(attempt) = run.run.attempt {
        text.push_str(&format!(" after attempt {attempt}"));
    }
    text
}

/// A newer command of someone whose standing nobody told may or may not be the pin.
fn doubt(all: &[Command], pin: Option<&Command>) -> Option<(String, String)> {
    let pin = pin?;
    let newer = all.iter().rfind(|c| {
        c.can_pin()
            && (c.at, c.comment_id) > (pin.at, pin.comment_id)
            && c.run_id != pin.run_id
            && matches!(c.standing, Standing::Unknown { .. })
    })?;
    Some((
        format!("A newer {} may replace {}: the standing of its author is not known.", newer.text(), pin.text()),
        format!("Whether {} may authorise a reuse.", newer.author),
    ))
}

fn not_here(id: RunId) -> (String, String) {
    (format!("Run {id} is pinned and is not known here."), format!("Run {id} on GitHub, or ingest it and look again."))
}

fn unpinned(why: &str, newest: Option<&RunDetail>) -> String {
    match newest {
        Some(run) => format!("{why}; what follows is about the newest known run, {}.", run.run.run_id),
        None => format!("{why}, and no run of the pull request is known here."),
    }
}
