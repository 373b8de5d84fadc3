//! Check 6: an upstream image, pinned by digest, built from the engine's main branch; the in-tree engines come first.

use paretoscope_domain::fact::FactKind;
use paretoscope_domain::pull::same_commit;
use paretoscope_domain::run::RunDetail;

use super::affected::{head_page, image_in_words, split_image};
use super::context::Context;
use super::draft::{Draft, Rule};
use super::engine::{Engine, is_preview};
use super::text::{count, distinct, list, run_page, short};
use crate::check::{Check, Input};

static RULE: Rule = Rule {
    id: 6,
    name: "Upstream image and order of engines",
    rule: "vLLM and SGLang run from their own images (vllm/vllm-openai, lmsysorg/sglang, with -rocm on AMD), pinned by digest and built from a commit of the engine's main branch; \
           Dynamo counts as its engine. Other engines need an existing vLLM or SGLang entry for the same model and hardware, but on hardware in preview.",
    source: "PR review checklist, check 6",
};

/// Repositories of the in-tree engines' own images.
const UPSTREAM: [&str; 4] = ["vllm/vllm-openai", "vllm/vllm-openai-rocm", "lmsysorg/sglang", "lmsysorg/sglang-rocm"];

/// An image and what it serves.
struct Used {
    /// As written.
    image: String,
    /// Engine of the framework it serves.
    engine: Engine,
    /// Where it is named.
    whence: String,
    /// Page of that.
    href: Option<String>,
}

pub(crate) fn check(x: &Context<'_, '_>) -> Check {
    let mut draft = match x.measured(&RULE) {
        Ok(draft) => draft,
        Err(done) => return *done,
    };
    let used = used(x);
    if used.is_empty() {
        draft.ask("No image of this pull request is known.", "The image of each affected configuration.");
    }
    for u in &used {
        let (reference, digest) = split_image(&u.image);
        let input = Input::new("image", format!("{} ({})", image_in_words(&reference, digest.as_deref()), u.whence));
        draft.input(match &u.href {
            Some(href) => input.at(href.clone()),
            None => input,
        });
        repository(&mut draft, &reference, u.engine);
        if digest.as_deref().is_none_or(|d| !is_digest(d)) {
            draft.fail(format!("{reference} is a tag without a digest: what it names can change."));
        }
    }
    if used.iter().any(|u| u.engine.in_tree()) {
        match x.run() {
            Some(run) => ancestry(&mut draft, run),
            None => draft.ask(
                "No run is known, so nothing tells which commit the image was built from.",
                "The commit of the build, and whether the engine's main branch has it.",
            ),
        }
    }
    order(&mut draft, x);
    draft.done()
}

/// Images of the configurations at the head, else of the run's points.
fn used(x: &Context<'_, '_>) -> Vec<Used> {
    let planned: Vec<Used> = x
        .affected
        .head
        .iter()
        .filter_map(|c| {
            let href = head_page(x.g, &c.file, c.line);
            Some(Used { image: c.image.clone()?, engine: Engine::of(&c.framework), whence: format!("configuration {}", c.key), href })
        })
        .collect();
    if !planned.is_empty() {
        return planned;
    }
    let Some(run) = x.run() else { return Vec::new() };
    let measured = distinct(
        run.points.iter().filter(|p| !p.superseded).filter_map(|p| Some((p.image.clone()?, p.image_digest.clone(), p.framework.clone()))),
    );
    measured
        .into_iter()
        .map(|(image, digest, framework)| Used {
            image: digest.map_or(image.clone(), |d| format!("{image}@{d}")),
            engine: Engine::of(&framework),
            whence: format!("points of run {}", run.run.run_id),
            href: Some(run_page(run.run.run_id)),
        })
        .collect()
}

fn repository(draft: &mut Draft, reference: &str, engine: Engine) {
    if !engine.in_tree() {
        return;
    }
    let name = repository_of(reference);
    if UPSTREAM.contains(&name) {
        draft.pass(format!("{reference} is of the upstream repository {name}."));
    } else {
        draft.fail(format!("{name} is none of the upstream repositories {}.", list(&UPSTREAM)));
    }
}

/// Repository of a reference: without Docker Hub's own names and the tag.
fn repository_of(reference: &str) -> &str {
    let hub = ["docker.io/", "index.docker.io/", "registry-1.docker.io/"];
    let name = hub.iter().find_map(|h| reference.strip_prefix(h)).unwrap_or(reference);
    match name.rsplit_once(':') {
        // A colon before a slash belongs to a registry's port.
        Some((head, tail)) if !tail.contains('/') => head,
        _ => name,
    }
}

fn is_digest(text: &str) -> bool {
    text.strip_prefix("sha256:").is_some_and(|hex| hex.len() == 64 && hex.bytes().all(|b| b.is_ascii_hexdigit()))
}

/// Commits of the build, and whether the main branch has them.
fn ancestry(draft: &mut Draft, run: &RunDetail) {
    let facts = |kind: FactKind| run.evidence.iter().filter(move |f| f.kind == kind);
    let page = run_page(run.run.run_id);
    for f in facts(FactKind::BuildCommit).chain(facts(FactKind::BuildUrl)) {
        let name = if f.kind == FactKind::BuildCommit { "build commit" } else { "build" };
        let platform = if f.key.is_empty() { String::new() } else { format!(" {}", f.key) };
        let href = if f.value.starts_with("https://") { f.value.clone() } else { page.clone() };
        draft.input(Input::new(format!("{name}{platform}"), format!("{} ({})", f.value, f.origin.in_words())).at(href));
    }
    let builds = distinct(facts(FactKind::BuildCommit).map(|f| f.value.trim().to_owned()));
    let known: Vec<_> = facts(FactKind::Ancestry).collect();
    let strangers: Vec<String> =
        known.iter().filter(|f| f.value.trim() != "ancestor").map(|f| format!("{} ({})", short(&f.key), f.value)).collect();
    let open: Vec<String> = builds.iter().filter(|b| !known.iter().any(|f| same_commit(&f.key, b))).map(|b| short(b)).collect();
    if !strangers.is_empty() {
        draft.fail(format!("Not built from the engine's main branch: {}.", list(&strangers)));
        return;
    }
    if known.is_empty() || !open.is_empty() {
        let what = if builds.is_empty() {
            "The commit that the image was built from is not known.".to_owned()
        } else {
            format!("Whether the engine's main branch has {} is not known.", list(&open))
        };
        draft.ask(what, "The commit of the build, and whether it is an ancestor of the engine's main branch.");
        return;
    }
    let commits = distinct(known.iter().map(|f| short(&f.key)));
    let origins = distinct(known.iter().map(|f| f.origin.in_words()));
    let ancestors = if commits.len() == 1 { "is an ancestor" } else { "are ancestors" };
    draft.pass(format!("{} {ancestors} of the engine's main branch ({}).", list(&commits), list(&origins)));
}

/// Whether an in-tree engine's entry exists where a vendor's engine is submitted.
fn order(draft: &mut Draft, x: &Context<'_, '_>) {
    let vendor: Vec<_> = x.submissions.iter().filter(|s| !Engine::of(&s.framework).in_tree()).collect();
    if x.submissions.is_empty() {
        draft.ask(
            "What is submitted is not known, nor therefore whether another engine must come first.",
            "Which engine the configurations serve with.",
        );
        return;
    }
    if vendor.is_empty() {
        draft.told("vLLM and SGLang entries need no other first.");
        return;
    }
    if x.g.entries.is_empty() {
        draft.ask(
            "No official or merged entry is known here, so the order of engines can't be told.",
            "Whether vLLM or SGLang has an entry for the same model and hardware.",
        );
        return;
    }
    for (model, hardware) in distinct(vendor.iter().map(|s| (s.model.clone().unwrap_or_else(|| s.model_word.clone()), s.hardware.clone())))
    {
        let firsts = distinct(
            x.g.entries
                .iter()
                .filter(|e| e.model == model && e.hardware == hardware && Engine::of(&e.framework).in_tree())
                .map(|e| e.framework.clone()),
        );
        let (m, h) = (x.g.words.model_label(&model), x.g.words.hardware_label(&hardware));
        draft.input(Input::new(format!("entries of {m} on {h}"), list(&firsts)));
        if !firsts.is_empty() {
            draft.pass(format!("{m} on {h} has {} first: {}.", count(firsts.len(), "in-tree entry"), list(&firsts)));
        } else if is_preview(&hardware) {
            draft.ask(
                format!("{m} on {h} has no vLLM or SGLang entry; {h} is in preview."),
                "Whether the exception for new hardware is due.",
            );
        } else {
            draft.fail(format!("{m} on {h} has no vLLM or SGLang entry, which must come first."));
        }
    }
}

#[cfg(test)]
mod tests {
    use paretoscope_domain::fact::FactKind;

    use super::repository_of;
    use crate::check::CheckStatus::{Fail, NeedsHuman, NotApplicable, Pass};
    use crate::checks::fixture::{Case, run_cases};
    use crate::gathered::Entry;

    #[test]
    fn repositories() {
        for (reference, repository) in [
            ("lmsysorg/sglang:v1", "lmsysorg/sglang"),
            ("docker.io/vllm/vllm-openai:v1", "vllm/vllm-openai"),
            ("host:5000/a/b", "host:5000/a/b"),
            ("host:5000/a/b:tag", "host:5000/a/b"),
            ("lmsysorg/sglang", "lmsysorg/sglang"),
        ] {
            assert_eq!(repository_of(reference), repository);
        }
    }

    #[test]
    fn upstream_image() {
        run_cases(
            6,
            &[
                Case::new("the reference", Pass, "52604e1d is an ancestor", |_| {}),
                Case::new("a tag without digest", Fail, "is a tag without a digest", |w| {
                    w.set_image("lmsysorg/sglang:nightly-dev-cu13-20261030-302b78cc")
                }),
                Case::new("half a digest", Fail, "is a tag without a digest", |w| w.set_image("lmsysorg/sglang:x@sha256:d4b7701d")),
                Case::new("somebody's own build", Fail, "somebody/sglang is none of the upstream repositories", |w| {
                    w.set_image(&format!("somebody/sglang:x@sha256:{}", "0".repeat(64)));
                }),
                Case::new("another engine's upstream image", Pass, "upstream repository vllm/vllm-openai", |w| {
                    w.set_image(&format!("vllm/vllm-openai:x@sha256:{}", "0".repeat(64)));
                    w.set_framework("dynamo-vllm");
                }),
                Case::new("built from a branch", Fail, "Not built from the engine's main branch", |w| {
                    w.run_mut()
                        .evidence
                        .iter_mut()
                        .filter(|f| f.kind == FactKind::Ancestry)
                        .for_each(|f| f.value = "not an ancestor".into());
                }),
                Case::new("nobody tells the ancestry", NeedsHuman, "Whether the engine's main branch has 52604e1d is not known", |w| {
                    w.run_mut().evidence.retain(|f| f.kind != FactKind::Ancestry);
                }),
                Case::new("nobody tells the build", NeedsHuman, "commit that the image was built from is not known", |w| {
                    w.run_mut().evidence.clear()
                }),
                Case::new("a vendor's engine with an entry before it", Pass, "has 1 in-tree entry first: sglang", |w| {
                    w.set_framework("trt");
                    w.entries = vec![Entry { model: "dsv41flash".into(), hardware: "gb300".into(), framework: "sglang".into() }];
                }),
                Case::new("Dynamo counts as its engine", Pass, "has 1 in-tree entry first: dynamo-vllm", |w| {
                    w.set_framework("dynamo-trt");
                    w.entries = vec![Entry { model: "dsv41flash".into(), hardware: "gb300".into(), framework: "dynamo-vllm".into() }];
                }),
                Case::new("a vendor's engine first", Fail, "which must come first", |w| {
                    w.set_framework("trt");
                    w.entries = vec![Entry { model: "dsv41flash".into(), hardware: "gb200".into(), framework: "sglang".into() }];
                }),
                Case::new("a vendor's engine first on new hardware", NeedsHuman, "in preview", |w| {
                    w.set_framework("trt");
                    w.set_hardware("vr200");
                    w.entries = vec![Entry { model: "dsv41flash".into(), hardware: "gb200".into(), framework: "sglang".into() }];
                }),
                Case::new("a vendor's engine, no entry known", NeedsHuman, "No official or merged entry is known", |w| {
                    w.set_framework("trt")
                }),
                Case::new("nothing known", NeedsHuman, "No image of this pull request is known", |w| {
                    w.runs.clear();
                    w.head = None;
                }),
                Case::new("only documents", NotApplicable, "only documents", |w| w.only_documents()),
            ],
        );
    }
}
