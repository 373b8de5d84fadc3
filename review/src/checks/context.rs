//! What all checks share, worked out once.

use paretoscope_domain::pull::Comment;
use paretoscope_domain::run::RunDetail;

use super::affected::{Affected, Submission, no_benchmark, submissions};
use super::assessed::Assessed;
use super::draft::{Draft, Rule};
use super::places::Places;
use crate::check::{Check, Input};
use crate::gathered::Gathered;
use crate::timeline::{SignOff, current_sign_off, sign_offs};

/// Gathered facts, and what follows from them for every check.
#[derive(Debug)]
pub(crate) struct Context<'g, 'a> {
    /// The facts.
    pub(crate) g: &'g Gathered<'a>,
    /// The run that is looked at.
    pub(crate) assessed: Assessed<'a>,
    /// What is affected.
    pub(crate) affected: Affected<'a>,
    /// What is submitted.
    pub(crate) submissions: Vec<Submission>,
    /// The sign-off that counts, and its comment.
    pub(crate) sign_off: Option<(SignOff, &'a Comment)>,
    /// Why checks about measurements have nothing to do, where they have not.
    idle: Option<String>,
}

impl<'g, 'a> Context<'g, 'a> {
    /// Works out what follows from the facts.
    pub(crate) fn new(g: &'g Gathered<'a>) -> Self {
        let assessed = Assessed::of(g);
        let affected = Affected::of(g, assessed.run);
        let submissions = submissions(g, &affected, assessed.run);
        let idle = no_benchmark(g, assessed.pin.is_some());
        let all = sign_offs(g.pull);
        let sign_off = current_sign_off(&all).and_then(|s| Some((s.clone(), g.pull.comments.iter().find(|c| c.id == s.comment_id)?)));
        Self { g, assessed, affected, submissions, sign_off, idle }
    }

    /// A draft of a check that concerns measurements; `Err` where nothing is measured by this pull request.
    pub(crate) fn measured(&self, rule: &'static Rule) -> Result<Draft, Box<Check>> {
        let draft = Draft::new(rule);
        match &self.idle {
            Some(why) => Err(Box::new(draft.not_applicable(why.clone()))),
            None => Ok(draft),
        }
    }

    /// The run, where it is known.
    pub(crate) fn run(&self) -> Option<&'a RunDetail> {
        self.assessed.run
    }

    /// Where settings may stand.
    pub(crate) fn places(&self) -> Places<'_, 'a> {
        Places::new(self.g, self.run(), &self.affected)
    }

    /// Adds the configurations as an input; asks where none is known.
    pub(crate) fn settle_configurations(&self, draft: &mut Draft) -> bool {
        if self.affected.keys.is_empty() {
            draft.ask(
                "No configuration of this pull request is known: neither a changelog entry nor a run of it tells one.",
                "Which configurations the pull request changes.",
            );
            return false;
        }
        draft.input(self.affected.from.clone());
        let keys = self.affected.keys.iter().map(|k| Input::new("configuration", k.clone()).at(format!("/changelog?config={k}")));
        keys.for_each(|k| draft.input(k));
        true
    }

    /// Asks for the configurations at the head, where they are not known.
    pub(crate) fn settle_head(&self, draft: &mut Draft) -> bool {
        if !self.settle_configurations(draft) {
            return false;
        }
        let Some(head) = self.g.head else {
            draft.ask(
                "The benchmark repository was not synced at the head of this pull request, so what its configurations generate is not known.",
                "The master configurations at the head, or sync a checkout of it and look again.",
            );
            return false;
        };
        let gone: Vec<&str> =
            self.affected.keys.iter().filter(|k| !head.configs.iter().any(|c| c.key == **k)).map(String::as_str).collect();
        if !gone.is_empty() {
            draft.ask(
                format!("No master configuration at the head ({}) is called {}.", super::text::state(head), super::text::list(&gone)),
                "Whether the changelog entry names the right configuration.",
            );
        }
        !self.affected.head.is_empty()
    }
}
