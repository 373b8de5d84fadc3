//! Building a check's answer from parts: the worst part is the answer, and every part says what it found.

use crate::check::{Check, CheckStatus, Input};

/// What stays the same of a check whatever it finds.
#[derive(Debug)]
pub(crate) struct Rule {
    /// Number.
    pub(crate) id: u16,
    /// Name.
    pub(crate) name: &'static str,
    /// The rule, in our words.
    pub(crate) rule: &'static str,
    /// Where the rule stands.
    pub(crate) source: &'static str,
}

/// An answer in the making.
#[derive(Debug)]
pub(crate) struct Draft {
    rule: &'static Rule,
    parts: Vec<(CheckStatus, String)>,
    told: Vec<String>,
    inputs: Vec<Input>,
    look: Vec<String>,
}

impl Draft {
    /// An answer without a part.
    pub(crate) fn new(rule: &'static Rule) -> Self {
        Self { rule, parts: Vec::new(), told: Vec::new(), inputs: Vec::new(), look: Vec::new() }
    }

    /// A part that is in order.
    pub(crate) fn pass(&mut self, text: impl Into<String>) {
        self.parts.push((CheckStatus::Pass, text.into()));
    }

    /// A part that someone with the right to bypass must agree to.
    pub(crate) fn warn(&mut self, text: impl Into<String>, look: impl Into<String>) {
        self.parts.push((CheckStatus::Warn, text.into()));
        self.look(look);
    }

    /// A part that is not in order.
    pub(crate) fn fail(&mut self, text: impl Into<String>) {
        self.parts.push((CheckStatus::Fail, text.into()));
    }

    /// A part that can't be decided here, and what a person must look at.
    pub(crate) fn ask(&mut self, text: impl Into<String>, look: impl Into<String>) {
        self.parts.push((CheckStatus::NeedsHuman, text.into()));
        self.look(look);
    }

    /// A sentence that decides nothing.
    pub(crate) fn told(&mut self, text: impl Into<String>) {
        self.told.push(text.into());
    }

    /// Something that was looked at.
    pub(crate) fn input(&mut self, input: Input) {
        self.inputs.push(input);
    }

    /// One more thing to look at.
    pub(crate) fn look(&mut self, look: impl Into<String>) {
        let look = look.into();
        if !look.is_empty() && !self.look.contains(&look) {
            self.look.push(look);
        }
    }

    /// The worst answer so far; `None` while there is no part.
    pub(crate) fn worst(&self) -> Option<CheckStatus> {
        self.parts.iter().map(|(status, _)| *status).max_by_key(|s| weight(*s))
    }

    /// The rule does not concern this pull request.
    pub(crate) fn not_applicable(mut self, why: impl Into<String>) -> Check {
        self.parts = vec![(CheckStatus::NotApplicable, why.into())];
        self.done()
    }

    /// The answer. One without a part could not be decided.
    pub(crate) fn done(mut self) -> Check {
        let status = self.worst().unwrap_or(CheckStatus::NeedsHuman);
        if self.parts.is_empty() {
            self.look("Everything this check asks: nothing was at hand to decide it.");
        }
        let decides = |s: CheckStatus| status == CheckStatus::Pass || s != CheckStatus::Pass;
        let mut shown: Vec<&(CheckStatus, String)> = self.parts.iter().filter(|(s, _)| decides(*s)).collect();
        shown.sort_by_key(|(s, _)| std::cmp::Reverse(weight(*s)));
        let sentences: Vec<&str> = shown.into_iter().map(|(_, text)| text.as_str()).chain(self.told.iter().map(String::as_str)).collect();
        let in_order: Vec<&str> = self.parts.iter().filter(|(s, _)| !decides(*s)).map(|(_, text)| text.as_str()).collect();
        if !in_order.is_empty() {
            self.inputs.push(Input::new("in order", in_order.join(" ")));
        }
        let asks = matches!(status, CheckStatus::NeedsHuman | CheckStatus::Warn);
        Check {
            id: self.rule.id,
            name: self.rule.name.to_owned(),
            status,
            detail: sentences.join(" "),
            rule: self.rule.rule.to_owned(),
            source: self.rule.source.to_owned(),
            inputs: self.inputs,
            look: if asks { self.look } else { Vec::new() },
        }
    }
}

/// How much an answer weighs when parts meet: a failure stands whatever else is undecided; what is undecided outweighs what
/// only needs agreement.
fn weight(status: CheckStatus) -> u8 {
    match status {
        CheckStatus::NotApplicable => 0,
        CheckStatus::Pass => 1,
        CheckStatus::Warn => 2,
        CheckStatus::NeedsHuman => 3,
        CheckStatus::Fail => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static RULE: Rule = Rule { id: 7, name: "n", rule: "r", source: "s" };

    #[test]
    fn the_worst_part_is_the_answer() {
        let mut draft = Draft::new(&RULE);
        draft.pass("Fine.");
        assert_eq!(draft.worst(), Some(CheckStatus::Pass));
        draft.warn("Thin.", "agree");
        draft.ask("Unknown.", "look");
        draft.told("By the way.");
        let check = draft.done();
        assert_eq!((check.status, check.detail.as_str()), (CheckStatus::NeedsHuman, "Unknown. Thin. By the way."));
        assert_eq!(check.look, ["agree", "look"]);
        assert_eq!(check.inputs, [Input::new("in order", "Fine.")]);
    }

    #[test]
    fn nothing_looked_at_never_passes() {
        let check = Draft::new(&RULE).done();
        assert_eq!(check.status, CheckStatus::NeedsHuman);
        assert!(!check.look.is_empty());
    }

    #[test]
    fn only_what_asks_has_something_to_look_at() {
        let mut draft = Draft::new(&RULE);
        draft.ask("Unknown.", "look");
        draft.fail("Wrong.");
        let check = draft.done();
        assert_eq!((check.status, check.detail.as_str(), check.look.len()), (CheckStatus::Fail, "Wrong. Unknown.", 0));
    }
}
