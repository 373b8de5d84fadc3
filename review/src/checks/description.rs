//! Check 15: what the description claims is true. Claims that data can answer are laid out; the rest a person reads.

use std::collections::BTreeSet;

use super::affected::split_image;
use super::claims::{digests, images, labels, runs, tags_like};
use super::context::Context;
use super::draft::{Draft, Rule};
use super::text::{count, distinct, list, sentence};
use crate::check::{Check, Input};

static RULE: Rule = Rule {
    id: 15,
    name: "Description of the pull request",
    rule: "What the description says of images, recipes, search space and results agrees with the diff and the pinned run.",
    source: "PR review checklist, check 15",
};

pub(crate) fn check(x: &Context<'_, '_>) -> Check {
    let mut draft = Draft::new(&RULE);
    if !x.g.pull.known.pull {
        draft.ask("The pull request itself was not read.", "The description, against the diff and the pinned run.");
        return draft.done();
    }
    let body = x.g.pull.body.as_str();
    let page = x.g.pull.url.clone();
    if body.trim().is_empty() {
        return draft.not_applicable("The description is empty: it claims nothing.");
    }
    let mut claims = Claims { matched: Vec::new(), open: Vec::new() };
    image(&mut draft, x, body, &mut claims);
    digest(&mut draft, x, body, &mut claims);
    search_space(&mut draft, x, body, &mut claims);
    points(x, body, &mut claims);
    for run in runs(body) {
        let known = x.g.runs.iter().chain(x.g.official).any(|r| r.run.run_id.to_string() == run);
        claims.say(known, format!("run {run}"));
    }
    for key in x.affected.keys.iter().filter(|k| body.contains(k.as_str())) {
        claims.say(true, format!("configuration {key}"));
    }
    let input = |name: &str, of: &[String]| {
        let input = Input::new(name, list(of));
        if page.is_empty() { input } else { input.at(page.clone()) }
    };
    if !claims.matched.is_empty() {
        draft.input(input("agrees with data", &claims.matched));
    }
    if !claims.open.is_empty() {
        draft.input(input("named, nothing to compare with", &claims.open));
    }
    let found = match claims.matched.len() {
        0 => "Nothing in the description could be compared with data.".to_owned(),
        n => format!(
            "{} of the description {} with data: {}.",
            sentence(&count(n, "claim")),
            if n == 1 { "agrees" } else { "agree" },
            list(&claims.matched)
        ),
    };
    if draft.worst().is_none() {
        draft.ask(found, "The description's other sentences, against the diff and the pinned run.");
    } else {
        draft.told(found);
    }
    draft.done()
}

/// What of the description could be compared.
struct Claims {
    matched: Vec<String>,
    open: Vec<String>,
}

impl Claims {
    fn say(&mut self, matched: bool, claim: String) {
        let list = if matched { &mut self.matched } else { &mut self.open };
        if !list.contains(&claim) {
            list.push(claim);
        }
    }
}

/// Images of now: of the configurations at the head, else of the run.
fn current(x: &Context<'_, '_>) -> Vec<(String, Option<String>)> {
    let head = x.affected.head_images();
    if head.is_empty() {
        return x.run().map(|r| r.run.images.iter().map(|i| (i.reference.clone(), i.digest.clone())).collect()).unwrap_or_default();
    }
    head.into_iter().map(|(image, _)| split_image(&image)).collect()
}

/// Images named, whole or by tag: the one of now must be among them, if any of its kind is.
fn image(draft: &mut Draft, x: &Context<'_, '_>, body: &str, claims: &mut Claims) {
    let now = current(x);
    let mut earlier: BTreeSet<String> = x.affected.base.iter().filter_map(|c| c.image.as_deref()).map(|i| split_image(i).0).collect();
    earlier.extend(x.g.runs.iter().chain(x.g.official).flat_map(|r| r.run.images.iter().map(|i| i.reference.clone())));
    let mut named: Vec<String> = images(body).iter().map(|i| split_image(i).0).collect();
    for (reference, _) in &now {
        if let Some((repository, tag)) = reference.rsplit_once(':') {
            named.extend(tags_like(body, tag).into_iter().map(|t| format!("{repository}:{t}")));
        }
    }
    let named = distinct(named);
    for image in &named {
        let is_now = now.iter().any(|(r, _)| r == image);
        claims.say(is_now || earlier.contains(image), if is_now { format!("image {image}") } else { format!("earlier image {image}") });
    }
    let none_is_now = !named.is_empty() && !now.is_empty() && !named.iter().any(|n| now.iter().any(|(r, _)| r == n));
    if none_is_now {
        let images: Vec<&str> = now.iter().map(|(r, _)| r.as_str()).collect();
        draft.warn(
            format!("The description names {}, but the image is {}.", list(&named), list(&images)),
            "Whether the description is out of date.",
        );
    }
}

fn digest(draft: &mut Draft, x: &Context<'_, '_>, body: &str, claims: &mut Claims) {
    let now: Vec<String> = current(x).into_iter().filter_map(|(_, d)| d).collect();
    let named = digests(body);
    let is_now = |d: &str| now.iter().any(|n| n.starts_with(d));
    for d in &named {
        claims.say(is_now(d), format!("digest {d}"));
    }
    if !named.is_empty() && !now.is_empty() && !named.iter().any(|d| is_now(d)) {
        draft.warn(
            format!("The description names the digest {}, but it is {}.", list(&named), list(&now)),
            "Whether the description is out of date.",
        );
    }
}

/// "The search space is unchanged" can be checked.
fn search_space(draft: &mut Draft, x: &Context<'_, '_>, body: &str, claims: &mut Claims) {
    let text = body.to_ascii_lowercase();
    let says = ["search space is unchanged", "search space unchanged", "unchanged search space", "search space did not change"]
        .iter()
        .any(|p| text.contains(p));
    if !says {
        return;
    }
    if x.affected.head.is_empty() || x.affected.base.is_empty() {
        claims.say(false, "the search space is unchanged".to_owned());
        return;
    }
    let points = |configs: &[&paretoscope_domain::repo::ConfigFact]| -> BTreeSet<String> {
        configs.iter().flat_map(|c| c.points.iter().map(|p| super::matrix::planned_name(c, p))).collect()
    };
    let (before, now) = (points(&x.affected.base), points(&x.affected.head));
    if before == now {
        claims.say(true, "the search space is unchanged".to_owned());
        return;
    }
    let gone: Vec<&String> = before.difference(&now).collect();
    let new: Vec<&String> = now.difference(&before).collect();
    draft.warn(
        format!("The description says that the search space is unchanged, but it lost {} and gained {}.", list(&gone), list(&new)),
        "Whether the description or the configuration is wrong.",
    );
}

/// Points that the description names. It may speak of another configuration's, so one that is not here contradicts nothing.
fn points(x: &Context<'_, '_>, body: &str, claims: &mut Claims) {
    let planned = x
        .affected
        .head
        .iter()
        .flat_map(|c| c.points.iter())
        .map(|p| paretoscope_domain::label::label(&super::affected::planned_topology(p), Some(p.conc)));
    let measured = x.run().into_iter().flat_map(|r| r.points.iter().map(|p| p.label.clone()));
    let here = distinct(planned.chain(measured));
    for label in labels(body) {
        claims.say(here.contains(&label), format!("point {label}"));
    }
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test fails by panicking")]
mod tests {
    use crate::check::CheckStatus::{NeedsHuman, NotApplicable, Warn};
    use crate::checks::fixture::{Case, matrix_point, run_cases};

    /// It never passes: that a description is true, no comparison of names can tell.
    #[test]
    fn description() {
        run_cases(
            15,
            &[
                Case::new(
                    "the reference: what agrees is listed",
                    NeedsHuman,
                    "image lmsysorg/sglang:nightly-dev-cu13-20261030-302b78cc",
                    |_| {},
                ),
                Case::new("the search space is compared", NeedsHuman, "the search space is unchanged", |_| {}),
                Case::new("an image of before only", Warn, "but the image is lmsysorg/sglang:nightly-dev-cu13-20261030-302b78cc", |w| {
                    w.pull.body = "Moves to nightly-dev-cu13-20261029-c10e0e17.".into();
                }),
                Case::new("another digest", Warn, "names the digest sha256:00000000", |w| w.pull.body = "At sha256:00000000.".into()),
                Case::new("a search space that changed", Warn, "it lost none and gained", |w| {
                    w.head.as_mut().unwrap().configs[0].points.push(matrix_point("TP4", 32));
                }),
                Case::new("a point of another configuration contradicts nothing", NeedsHuman, "agree", |w| {
                    w.pull.body.push_str(" As TP8 c512 does.")
                }),
                Case::new("nothing to compare", NeedsHuman, "Nothing in the description could be compared", |w| {
                    w.pull.body = "Makes it faster.".into()
                }),
                Case::new("an empty description", NotApplicable, "it claims nothing", |w| w.pull.body = " \n".into()),
                Case::new("not read", NeedsHuman, "was not read", |w| w.pull.known.pull = false),
            ],
        );
    }
}
