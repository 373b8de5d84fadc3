//! Top of a run's page: what it measured, on what, when; and the head of the document.

use leptos::prelude::*;
use paretoscope_domain::run::Run;

use super::Context;
use super::cards::Card;
use crate::document::Head;
use crate::parts::view::{exports, link, when};
use crate::parts::words::image_page;
use crate::parts::{Block, islands, view, words};
use crate::view_state::{CompareBase, CompareView, RunView, address, write_pairs};

/// `PR #4603 · commit 41d29b28 · run 41261902147 · 1 Nov 2026`.
pub(super) fn one_line(run: &Run) -> String {
    let mut parts: Vec<String> = Vec::new();
    parts.extend(run.pr_number.map(|n| format!("PR #{n}")));
    parts.extend(run.head_sha.as_deref().map(|sha| format!("commit {}", words::short_sha(sha))));
    parts.push(format!("run {}", run.run_id));
    parts.extend(run.date.as_deref().map(words::date_words));
    parts.join(" · ")
}

/// Attempts in words: `attempts 1–2`, `attempt 1`, `attempt not known`.
fn attempts(run: &Run) -> String {
    match run.attempts.as_slice() {
        [] => "attempt not known".to_owned(),
        [one] => format!("attempt {one}"),
        [first, .., last] if last.get() - first.get() + 1 == u32::try_from(run.attempts.len()).unwrap_or(0) => {
            format!("attempts {first}–{last}")
        }
        all => format!("attempts {}", words::joined(&all.iter().map(ToString::to_string).collect::<Vec<_>>())),
    }
}

/// Title, facts, copy and export.
pub(super) fn header(c: &Context<'_>, candidates: &[Run]) -> Block {
    let run = &c.detail.run;
    let title = words::run_title(run, c.words);
    let pr = run.pr_number.map(|n| {
        let author = run.pr_author.as_deref().or(run.actor.as_deref()).map(|a| format!(" by {a}"));
        view! { <li title=run.pr_title.clone()>{view::pull(run, n, format!("PR #{n}"), author, c.repo)}</li> }
    });
    let started = (run.pr_number.is_none()).then(|| run.actor.as_deref().map(|a| view! { <li>{format!("started by {a}")}</li> }));
    let commit = match &run.head_sha {
        Some(sha) => view! { <li title=sha.clone()>"commit " {link(run.commit_url.as_deref(), words::short_sha(sha))}</li> }.into_any(),
        None => view! { <li class="missing">"commit not known"</li> }.into_any(),
    };
    let branch = run.head_branch.as_deref().map(|b| view! { <li>"branch " <span class="file">{b.to_owned()}</span></li> });
    let image = match run.images.as_slice() {
        [] => view! { <li class="missing">"image not known"</li> }.into_any(),
        [one] => view! { <li title=words::full_image(one)>"image " <span class="file">{link(image_page(run, &one.reference).as_deref(), words::short_image(one))}</span></li> }.into_any(),
        many => {
            let all = many.iter().map(words::full_image).collect::<Vec<_>>().join("\n");
            view! { <li title=all><a href="#provenance">{words::count(many.len(), "image", "images")}</a></li> }.into_any()
        }
    };
    let end = match (run.status.as_deref(), run.conclusion.as_deref()) {
        (_, Some(conclusion)) => conclusion.to_owned(),
        (Some(status), None) => status.replace('_', " "),
        (None, None) => "conclusion not known".to_owned(),
    };
    let as_of = c.view.attempt.map(|attempt| {
        let all = address(&c.path(), &RunView { attempt: None, ..c.view.clone() }.to_query());
        view! {
            <div class="notice" role="status">
                <p>{format!("Shown as it stood after attempt {attempt}: what later attempts measured is left out. ")}<a href=all>"Show all attempts"</a></p>
            </div>
        }
    });
    let chart_query = write_pairs(
        &c.view
            .pairs()
            .into_iter()
            .filter(|(k, _)| matches!(k.as_str(), "x" | "y" | "logx" | "logy" | "optimal" | "baseline" | "scenario" | "model" | "attempt"))
            .collect(),
    );
    view! {
        <header class="page-head">
            <div class="title-row">
                <h1>{title}</h1>
                <div class="actions">
                    {islands::copy_link()}
                    <details class="menu" id="compare" data-swap="">
                        <summary>"Compare"</summary>
                        {compare(c, candidates)}
                    </details>
                    <details class="menu" id="evidence" data-swap="">
                        <summary>"Evidence"</summary>
                        {evidence(c)}
                    </details>
                    <details class="menu" id="export" data-swap="">
                        <summary>"Export"</summary>
                        {exports(c.detail, &chart_query)}
                    </details>
                </div>
            </div>
            <ul class="meta" aria-label="Facts">
                <li>{view::badge(run.kind, run.synthetic)}</li>
                {pr}
                {started}
                {commit}
                {branch}
                {image}
                <li>{link(run.html_url.as_deref(), format!("run {}", run.run_id))} ", " <a href="#attempts">{attempts(run)}</a> ", " {end}</li>
                <li>{when(run)}</li>
            </ul>
            {as_of}
        </header>
    }
    .into_any()
}

/// Runs that the menu names beside the baseline.
const NAMED: usize = 5;

/// Where the run is compared: with the baseline that the page shows, the official curve, and the newest other runs of its curves.
fn compare(c: &Context<'_>, candidates: &[Run]) -> Block {
    let head = c.detail.run.run_id;
    let item = |base: CompareBase, text: String| {
        let href = address("/compare", &CompareView::of(base, head).to_query());
        view! { <li><a href=href>{text}</a></li> }
    };
    let shown = c.baseline.map(|(run, _)| run.run_id);
    let baseline = shown.map(|id| item(CompareBase::Run(id), format!("With run {id}, the baseline shown")));
    let others = candidates
        .iter()
        .filter(|r| r.run_id != head && Some(r.run_id) != shown)
        .take(NAMED)
        .map(|r| {
            let date = r.date.as_deref().map(words::date_words).map(|d| format!(", {d}")).unwrap_or_default();
            item(CompareBase::Run(r.run_id), format!("With run {} ({}{date})", r.run_id, r.kind))
        })
        .collect_view();
    view! {
        <ul aria-label="Compare this run">
            {baseline}
            {item(CompareBase::Official, "With the official curve".to_owned())}
            {others}
        </ul>
    }
    .into_any()
}

/// The evidence as Markdown, to open and to copy, in each language, against the baseline that the page shows.
fn evidence(c: &Context<'_>) -> Block {
    let baseline = c.view.pairs().into_iter().filter(|(k, _)| k == "baseline");
    let base: Vec<(String, String)> = baseline.collect();
    let items = ["en", "zh"]
        .into_iter()
        .zip(["English", "中文"])
        .map(|(lang, title)| {
            let pairs = base.iter().cloned().chain([("lang".to_owned(), lang.to_owned())]).collect();
            let href = address(&format!("/api/v1/runs/{}/evidence", c.detail.run.run_id), &write_pairs(&pairs));
            let copy = islands::copy_from(href.clone(), format!("Copy ({title})"));
            view! { <li><a href=href lang=lang>{format!("Markdown ({title})")}</a></li> <li class="js-only">{copy}</li> }
        })
        .collect_view();
    view! { <ul aria-label="Evidence to paste into a review">{items}</ul> }.into_any()
}

/// Head of the document: the answer in the title, the description and the preview.
pub(super) fn head(c: &Context<'_>, cards: &[Card]) -> Head {
    let run = &c.detail.run;
    let title = words::run_title(run, c.words);
    let prefix = standing_prefix(run);
    let mut description: Vec<String> = super::notice(run).map(|n| format!("{n}.")).into_iter().collect();
    description.extend(cards.iter().map(|card| format!("{}: {}.", card.title, card.headline.trim_end_matches('.'))));
    Head {
        title: format!("{prefix}{title} · run {}", run.run_id),
        description: description.join(" "),
        path: address(&c.path(), &c.view.to_query()),
        image: Some(format!("/api/v1/runs/{}/preview.png", run.run_id)),
        nav: "/runs",
    }
}

/// What a title of a run starts with.
pub(crate) fn standing_prefix(run: &Run) -> String {
    let kind = match run.kind {
        paretoscope_domain::Kind::Unofficial => "UNOFFICIAL · ",
        paretoscope_domain::Kind::Staged => "STAGED · ",
        paretoscope_domain::Kind::Official => "",
    };
    format!("{}{kind}", if run.synthetic { "SYNTHETIC · " } else { "" })
}
