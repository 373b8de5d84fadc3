//! Check 0: whoever signs owns what is changed.

use paretoscope_domain::repo::{CodeOwners, OwnerRule, RepoFacts};

use super::context::Context;
use super::draft::{Draft, Rule};
use super::owners::{is_catch_all, rule_of};
use super::signoff::login;
use super::text::{count, file_page, files_page, list, some, state, timeline_page};
use crate::check::{Check, Input};

static RULE: Rule = Rule {
    id: 0,
    name: "Code owner",
    rule: "The author of the sign-off owns every changed path by the CODEOWNERS file of the base branch. The last pattern that matches a path decides. A path that only the \
           catch-all covers needs anyone whom the file lists: one of the catch-all's owners, or a named owner of something else that the pull request changes.",
    source: "PR review checklist, check 0; GitHub's documentation of CODEOWNERS",
};

/// What the rule says of one path.
#[derive(Debug, PartialEq, Eq)]
enum Standing<'a> {
    /// The signer is a named owner.
    Named,
    /// Only the catch-all covers it.
    CatchAll(&'a OwnerRule),
    /// Owned by teams or addresses, which can't be resolved here.
    Unresolved(&'a OwnerRule),
    /// Owned by others.
    Others(&'a OwnerRule),
    /// Owned by nobody.
    Nobody,
}

pub(crate) fn check(x: &Context<'_, '_>) -> Check {
    let mut draft = Draft::new(&RULE);
    let Some((_, comment)) = &x.sign_off else {
        return no_sign_off(draft, x);
    };
    let signer = &comment.author;
    let page = comment.url.clone().unwrap_or_else(|| timeline_page(x.g.pull));
    draft.input(Input::new("sign-off", format!("by {signer} on {}", super::text::day(comment.at))).at(page));
    if !x.g.pull.known.files {
        draft.ask("The changed files were not read.", "Which files the pull request changes, and who owns them.");
    }
    let Some((facts, owners)) = code_owners(x) else {
        draft.ask("No CODEOWNERS file is synced.", "The CODEOWNERS file of the base branch, or sync a checkout that has it.");
        return draft.done();
    };
    let input = Input::new("CODEOWNERS", format!("{}, {}, {}", owners.file, count(owners.rules.len(), "rule"), state(facts)));
    draft.input(match file_page(facts, &owners.file, None) {
        Some(page) => input.at(page),
        None => input,
    });
    if x.g.pull.known.files {
        paths(&mut draft, x, owners, signer);
    }
    draft.done()
}

fn no_sign_off(mut draft: Draft, x: &Context<'_, '_>) -> Check {
    if x.g.pull.known.comments {
        draft.ask("No sign-off yet.", "A code owner's sign-off: the review checklist in a comment, ticked.");
    } else {
        draft.ask("The comments were not read, so no sign-off is known.", "Whether a code owner has signed off.");
    }
    draft.done()
}

/// The file that counts: of the base branch before the merge.
fn code_owners<'a>(x: &Context<'_, 'a>) -> Option<(&'a RepoFacts, &'a CodeOwners)> {
    let merged = x.g.pull.merged_at.is_some();
    let order = if merged { [x.g.base, x.g.main, x.g.head] } else { [x.g.main, x.g.base, x.g.head] };
    order.into_iter().flatten().find_map(|f| f.code_owners.as_ref().map(|o| (f, o)))
}

fn paths(draft: &mut Draft, x: &Context<'_, '_>, owners: &CodeOwners, signer: &str) {
    let signer_key = login(signer);
    let mut paths: Vec<&str> = Vec::new();
    for file in &x.g.pull.files {
        paths.push(&file.path);
        // A renamed file leaves a path that had an owner too.
        paths.extend(file.previous_path.as_deref());
    }
    let placed: Vec<(&str, Standing<'_>)> = paths.into_iter().map(|path| (path, standing(owners, path, &signer_key))).collect();
    for (path, at) in &placed {
        draft.input(Input::new(*path, in_words(at, owners, path)).at(files_page(x.g.pull)));
    }
    let named: Vec<&str> = placed.iter().filter(|(_, s)| *s == Standing::Named).map(|(p, _)| *p).collect();
    let lists = |rule: &OwnerRule| rule.owners.iter().any(|o| login(o) == signer_key);
    let listed_anywhere = owners.rules.iter().any(lists);
    if !named.is_empty() {
        draft.pass(format!("{signer} is a named owner of {}.", some(&named, 4)));
    }
    for (path, at) in &placed {
        match at {
            Standing::Named => {}
            Standing::CatchAll(rule) if lists(rule) => draft.pass(format!("{signer} is an owner of the catch-all, which alone covers {path}.")),
            Standing::CatchAll(_) if !named.is_empty() => {
                draft.pass(format!("{path} falls under the catch-all only, which a listed owner satisfies."));
            }
            Standing::CatchAll(_) if listed_anywhere => draft.ask(
                format!("{path} falls under the catch-all only; {signer} is listed in the file, but owns nothing that this pull request changes."),
                format!("Whether {signer} may sign for {path}."),
            ),
            Standing::CatchAll(rule) | Standing::Others(rule) => {
                if let Some(teams) = teams(rule) {
                    draft.ask(format!("{path} is owned by {teams}; who is in it is not known here."), format!("Whether {signer} is in {teams}."));
                } else {
                    draft.fail(format!("{path} is owned by {}, not by {signer}.", list(&rule.owners)));
                }
            }
            Standing::Unresolved(rule) => {
                let teams = teams(rule).unwrap_or_else(|| list(&rule.owners));
                draft.ask(format!("{path} is owned by {teams}; who is in it is not known here."), format!("Whether {signer} is in {teams}."));
            }
            Standing::Nobody => draft.ask(format!("No rule names an owner of {path}."), format!("Who may sign for {path}.")),
        }
    }
    if placed.is_empty() {
        draft.ask("The pull request changes no file.", "What there is to sign for.");
    }
}

fn standing<'a>(owners: &'a CodeOwners, path: &str, signer: &str) -> Standing<'a> {
    let Some(rule) = rule_of(owners, path).filter(|r| !r.owners.is_empty()) else { return Standing::Nobody };
    if is_catch_all(rule) {
        Standing::CatchAll(rule)
    } else if rule.owners.iter().any(|o| login(o) == signer) {
        Standing::Named
    } else if teams(rule).is_some() {
        Standing::Unresolved(rule)
    } else {
        Standing::Others(rule)
    }
}

/// Owners that are no logins: teams (`@org/team`) and mail addresses.
fn teams(rule: &OwnerRule) -> Option<String> {
    let teams: Vec<&str> = rule.owners.iter().map(String::as_str).filter(|o| o.contains('/') || !o.starts_with('@')).collect();
    (!teams.is_empty()).then(|| list(&teams))
}

fn in_words(at: &Standing<'_>, owners: &CodeOwners, path: &str) -> String {
    let Some(rule) = rule_of(owners, path) else { return "no rule matches".to_owned() };
    let who = if rule.owners.is_empty() { "nobody".to_owned() } else { list(&rule.owners) };
    let only = if matches!(at, Standing::CatchAll(_)) { ", the catch-all" } else { "" };
    format!("{} (line {}{only}): {who}", rule.pattern, rule.line)
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test fails by panicking")]
mod tests {
    use crate::check::CheckStatus::{Fail, NeedsHuman, Pass};
    use crate::checks::fixture::{Case, World, rule as owner_rule, run_cases};

    fn owners(rules: &[(&str, &[&str])]) -> impl Fn(&mut World) {
        let rules: Vec<_> = rules.iter().zip(1..).map(|((pattern, who), line)| owner_rule(line, pattern, who)).collect();
        move |w| {
            for facts in [&mut w.main, &mut w.base, &mut w.head].into_iter().flatten() {
                facts.code_owners.as_mut().unwrap().rules = rules.clone();
            }
        }
    }

    #[test]
    fn code_owners() {
        run_cases(
            0,
            &[
                Case::new("the reference: named owner, the changelog under the catch-all only", Pass, "catch-all only", |_| {}),
                Case::new("owner of everything", Pass, "catch-all", |w| owners(&[("*", &["@code-owner"])])(w)),
                Case::new("a later rule takes the path away", Fail, "owned by @other", |w| {
                    owners(&[("*", &["@code-owner"]), ("*.yaml", &["@other"])])(w);
                }),
                Case::new("signed by someone who owns nothing", Fail, "not by PR author", |w| w.sign_off_mut().author = "PR author".into()),
                Case::new("a team can't be resolved", NeedsHuman, "@org/team", |w| owners(&[("*", &["@org/team"])])(w)),
                Case::new("a mail address can't be resolved", NeedsHuman, "a@b.c", |w| owners(&[("*.yaml", &["a@b.c"])])(w)),
                Case::new("listed elsewhere only", NeedsHuman, "owns nothing that this pull request changes", |w| {
                    owners(&[("*", &["@other"]), ("/docs/", &["@code-owner"])])(w);
                }),
                Case::new("a path that a rule frees of owners", NeedsHuman, "No rule names an owner", |w| {
                    owners(&[("*", &["@code-owner"]), ("*.yaml", &[])])(w);
                }),
                Case::new("a renamed file's former path counts", Fail, "old/path.rs", |w| {
                    owners(&[("*", &["@code-owner"]), ("/old/", &["@other"])])(w);
                    w.pull.files[0].previous_path = Some("old/path.rs".into());
                }),
                Case::new("no sign-off", NeedsHuman, "No sign-off yet", |w| w.remove_sign_off()),
                Case::new("comments not read", NeedsHuman, "comments were not read", |w| {
                    w.remove_sign_off();
                    w.pull.known.comments = false;
                }),
                Case::new("files not read", NeedsHuman, "files were not read", |w| w.pull.known.files = false),
                Case::new("no CODEOWNERS", NeedsHuman, "No CODEOWNERS", |w| {
                    for facts in [&mut w.main, &mut w.base, &mut w.head].into_iter().flatten() {
                        facts.code_owners = None;
                    }
                }),
            ],
        );
    }
}
