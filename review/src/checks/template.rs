//! Check 5: the sign-off has every item of the review checklist, ticked.

use paretoscope_domain::repo::{Checklist, RepoFacts};

use super::context::Context;
use super::draft::{Draft, Rule};
use super::signoff::{Item, items, plain};
use super::text::{count, day, file_page, list, short, state, timeline_page};
use crate::check::{Check, Input};
use crate::timeline::{SignOff, is_about};

static RULE: Rule = Rule {
    id: 5,
    name: "Checklist",
    rule: "The sign-off holds every item of the current review checklist, and each is ticked. Emphasis, links and white space make no difference; words after an item don't either.",
    source: "PR review checklist, check 5",
};

pub(crate) fn check(x: &Context<'_, '_>) -> Check {
    let mut draft = Draft::new(&RULE);
    let Some((sign_off, comment)) = &x.sign_off else {
        if x.g.pull.known.comments {
            draft.ask("No sign-off yet.", "A code owner's sign-off: the review checklist in a comment, ticked.");
        } else {
            draft.ask("The comments were not read, so no sign-off is known.", "Whether the sign-off has every item of the checklist.");
        }
        return draft.done();
    };
    let signed = items(&comment.body);
    let page = comment.url.clone().unwrap_or_else(|| timeline_page(x.g.pull));
    draft.input(Input::new("sign-off", format!("by {} on {}, {}", comment.author, day(comment.at), count(signed.len(), "item"))).at(page));
    let Some((facts, checklist)) = checklist(x) else {
        draft.ask(
            "No review checklist is synced.",
            "Whether the sign-off has every item of the current checklist, or sync a checkout that holds it.",
        );
        return draft.done();
    };
    let input = Input::new("checklist", format!("{}, {}, {}", checklist.file, count(checklist.items.len(), "item"), state(facts)));
    draft.input(match file_page(facts, &checklist.file, None) {
        Some(page) => input.at(page),
        None => input,
    });
    compare(&mut draft, checklist, &signed);
    about(&mut draft, x, sign_off);
    if facts.committed_at.is_some_and(|at| at > comment.at) {
        draft.told(format!("The synced checklist is of {}, later than the sign-off.", state(facts)));
    }
    draft.done()
}

/// A sign-off that assessed another commit or run than those of now may not hold any more.
fn about(draft: &mut Draft, x: &Context<'_, '_>, sign_off: &SignOff) {
    if is_about(sign_off, &x.g.pull.head_sha) == Some(false) {
        let assessed = sign_off.commit.as_deref().map(short).unwrap_or_default();
        draft.warn(
            format!("The sign-off assessed {assessed}, the head is {}.", short(&x.g.pull.head_sha)),
            format!("Whether what came after {assessed} needs another sign-off."),
        );
    }
    let pinned = x.assessed.pin.as_ref().and_then(|p| p.run_id);
    if let Some((signed, pinned)) = sign_off.run_id.zip(pinned).filter(|(a, b)| a != b) {
        draft.warn(
            format!("The sign-off rests on run {signed}, but run {pinned} is pinned."),
            format!("Whether the sign-off holds for run {pinned}."),
        );
    }
}

/// The newest checklist known.
fn checklist<'a>(x: &Context<'_, 'a>) -> Option<(&'a RepoFacts, &'a Checklist)> {
    [x.g.main, x.g.base, x.g.head].into_iter().flatten().find_map(|f| f.checklist.as_ref().filter(|c| !c.items.is_empty()).map(|c| (f, c)))
}

fn compare(draft: &mut Draft, checklist: &Checklist, signed: &[Item]) {
    let texts: Vec<(bool, String)> = signed.iter().map(|i| (i.ticked, plain(&i.text))).collect();
    let mut taken = vec![false; texts.len()];
    let (mut missing, mut open) = (Vec::new(), Vec::new());
    for item in &checklist.items {
        let wanted = plain(item);
        let free = |i: usize| taken.get(i) == Some(&false);
        let equal = texts.iter().enumerate().position(|(i, (_, text))| free(i) && *text == wanted);
        let begins = || texts.iter().enumerate().position(|(i, (_, text))| free(i) && text.starts_with(&wanted));
        let Some(at) = equal.or_else(begins) else {
            missing.push(brief(item));
            continue;
        };
        taken.iter_mut().skip(at).take(1).for_each(|t| *t = true);
        if !texts.get(at).is_some_and(|(ticked, _)| *ticked) {
            open.push(brief(item));
        }
    }
    let extra: Vec<String> = signed.iter().zip(&taken).filter(|(_, t)| !**t).map(|(i, _)| brief(&i.text)).collect();
    for (name, of) in [("missing", &missing), ("not ticked", &open), ("not of the checklist", &extra)] {
        of.iter().for_each(|text| draft.input(Input::new(name, text.clone())));
    }
    if !missing.is_empty() {
        draft.fail(format!("{} of {} missing: {}.", missing.len(), count(checklist.items.len(), "item"), list(&missing)));
    }
    if !open.is_empty() {
        draft.fail(format!("{} of {} not ticked: {}.", open.len(), count(checklist.items.len(), "item"), list(&open)));
    }
    if missing.is_empty() && open.is_empty() {
        draft.pass(format!("All {} are there and ticked.", count(checklist.items.len(), "item")));
    }
}

/// The beginning of an item.
fn brief(text: &str) -> String {
    const MOST: usize = 90;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= MOST { line } else { format!("{}…", line.chars().take(MOST).collect::<String>()) }
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test fails by panicking")]
mod tests {
    use crate::check::CheckStatus::{Fail, NeedsHuman, Pass, Warn};
    use crate::checks::fixture::{Case, run_cases};

    #[test]
    fn checklist() {
        run_cases(
            5,
            &[
                Case::new("the reference", Pass, "All 4 items are there and ticked", |_| {}),
                Case::new("markup and remarks make no difference", Pass, "All 4 items", |w| {
                    let s = w.sign_off_mut();
                    s.body = s.body.replace("the sweep passed", "the **sweep** passed  ([run](https://x/y))");
                }),
                Case::new("an item is not ticked", Fail, "1 of 4 items not ticked: Verified that the sweep passed", |w| {
                    let s = w.sign_off_mut();
                    s.body = s.body.replace("[x] Verified that the sweep", "[ ] Verified that the sweep");
                }),
                Case::new("an item is missing", Fail, "1 of 5 items missing: Something new", |w| {
                    w.main.as_mut().unwrap().checklist.as_mut().unwrap().items.push("Something new".into());
                }),
                Case::new("the same item twice must be there twice", Fail, "1 of 5 items missing", |w| {
                    let items = &mut w.main.as_mut().unwrap().checklist.as_mut().unwrap().items;
                    items.push(items[0].clone());
                }),
                Case::new("the sign-off is about an older commit", Warn, "assessed 9bd047ac, the head is 41d29b28", |w| {
                    w.sign_off_mut().body.push_str("\nAdditional detail section\nAssessed head: 9bd047ac7");
                }),
                Case::new("the sign-off rests on another run", Warn, "rests on run 40809149952, but run 41261902147 is pinned", |w| {
                    w.sign_off_mut().body.push_str("\nAdditional detail section\nThe pinned run is 40809149952");
                }),
                Case::new("no sign-off", NeedsHuman, "No sign-off yet", |w| w.remove_sign_off()),
                Case::new("no checklist", NeedsHuman, "No review checklist is synced", |w| {
                    for facts in [&mut w.main, &mut w.base, &mut w.head].into_iter().flatten() {
                        facts.checklist = None;
                    }
                }),
                Case::new("comments not read", NeedsHuman, "comments were not read", |w| {
                    w.pull.comments.clear();
                    w.pull.known.comments = false;
                }),
            ],
        );
    }
}
