//! One pull request: how it stands now, its checks, and what happened.

mod cookbook;
mod now;
mod papers;
mod runs;
mod timeline;

use leptos::prelude::*;
use paretoscope_review::timeline::PullAnswer;

use super::PullPage;
use super::pulls::state_badge;
use crate::document::{Head, Site};
use crate::parts::view::{empty, link, section, sentence};
use crate::parts::{Block, checks, islands, words};

/// The page.
pub(crate) fn pull(site: &Site, page: PullPage) -> (Head, Block) {
    let PullPage { answer } = page;
    let a = &answer;
    let body = view! {
        {a.retold.as_deref().map(|text| view! { <p class="band synthetic"><strong>"RETOLD: "</strong>{sentence(text)}</p> })}
        {header(a)}
        <div class="split pull-top">
            {now::section(a)}
            {check_section(a)}
        </div>
        {anchors()}
        {timeline::section(a)}
        {runs::section(a)}
        {cookbook::section(a)}
        {papers::section(a)}
        {notes(a)}
    }
    .into_any();
    let _ = site;
    (head(a), body)
}

/// Address of a pull request's page.
pub(crate) fn path(number: i64) -> String {
    format!("/pulls/{number}")
}

fn head(a: &PullAnswer) -> Head {
    let pin = match a.now.pin.as_ref().and_then(|p| p.run_id) {
        Some(run) => format!("Pinned: run {run}."),
        None => "No run is pinned.".to_owned(),
    };
    Head {
        title: if a.title.is_empty() { format!("Pull request #{}", a.number) } else { format!("#{} {}", a.number, a.title) },
        description: format!("{} {pin}", a.now.sentence),
        path: path(a.number),
        image: None,
        nav: "/pulls",
    }
}

fn header(a: &PullAnswer) -> Block {
    let title = if a.title.is_empty() { "title not told".to_owned() } else { a.title.clone() };
    let author = if a.author.is_empty() { "author not told".to_owned() } else { format!("by {}", a.author) };
    let head = if a.head_sha.is_empty() {
        view! { <li class="missing">"head not told"</li> }.into_any()
    } else {
        let page = format!("https://github.com/{}/commit/{}", a.repo, a.head_sha);
        view! { <li title=a.head_sha.clone()>"head " {link(Some(&page), words::short_sha(&a.head_sha))}</li> }.into_any()
    };
    let labels = a.labels.iter().map(|l| view! { <li><span class="badge">{l.clone()}</span></li> }).collect_view();
    let updated = a.updated_at.map(|at| view! { <li>"updated " <time datetime=at.to_string()>{words::time_words(at)}</time></li> });
    view! {
        <header class="page-head">
            <div class="title-row">
                <h1>{format!("#{} ", a.number)}{title}</h1>
                <div class="actions">
                    {islands::copy_link()}
                    {evidence(a)}
                </div>
            </div>
            <ul class="meta" aria-label="Facts">
                <li>{state_badge(a.state, a.draft)}</li>
                <li>{author}</li>
                <li>{link(Some(&a.url), format!("#{} on GitHub", a.number))}</li>
                {head}
                {updated}
                {labels}
            </ul>
        </header>
    }
    .into_any()
}

/// The evidence of the pinned run as Markdown, against that run's own baseline, in each language.
fn evidence(a: &PullAnswer) -> Option<Block> {
    let run = a.runs.iter().find(|r| r.pinned && r.known)?.run_id;
    let items = [("en", "English"), ("zh", "中文")]
        .map(|(lang, title)| {
            let href = format!("/api/v1/runs/{run}/evidence?lang={lang}");
            let copy = islands::copy_from(href.clone(), format!("Copy ({title})"));
            view! { <li><a href=href lang=lang>{format!("Markdown ({title})")}</a></li> <li class="js-only">{copy}</li> }
        })
        .into_iter()
        .collect_view();
    let menu = view! {
        <details class="menu" id="evidence">
            <summary>"Evidence"</summary>
            <ul aria-label=format!("Evidence of run {run}, to paste into a review")>{items}</ul>
        </details>
    };
    Some(menu.into_any())
}

fn check_section(a: &PullAnswer) -> Block {
    if a.checks.is_empty() {
        return section(
            "checks",
            "Checks",
            empty(
                "The checks look at the pull request itself, which was not read: `paretoscope pulls import FILE…` reads saved payloads of it.",
            ),
        );
    }
    let told = a.verdict.as_ref().map(|v| v.checks.as_slice()).unwrap_or_default();
    let (asked, ours): (Vec<_>, Vec<_>) = a.checks.iter().cloned().partition(|c| c.id < 100);
    let beside = (!ours.is_empty()).then(|| view! { <h3>"What no check asks"</h3>{checks::grid("Beside the checks", &ours, &[])} });
    section("checks", "Checks", view! { {checks::grid("Checks 0 to 18", &asked, told)} {beside} })
}

/// What the rest of the page holds.
fn anchors() -> Block {
    let links = [
        ("timeline", "Timeline"),
        ("runs", "Runs"),
        ("cookbook", "Cookbook"),
        ("papers", "Sign-off and verdict"),
        ("notes", "What is not known"),
    ]
    .map(|(id, title)| view! { <li><a href=format!("#{id}")>{title}</a></li> })
    .collect_view();
    view! { <nav class="tabs anchors" aria-label="On this page"><ul>{links}</ul></nav> }.into_any()
}

fn notes(a: &PullAnswer) -> Block {
    let body = if a.notes.is_empty() {
        view! { <p>"All of the pull request was read."</p> }.into_any()
    } else {
        let items = a.notes.iter().map(|n| view! { <li>{sentence(n)}</li> }).collect_view();
        view! { <ul>{items}</ul> }.into_any()
    };
    section("notes", "What is not known", body)
}
