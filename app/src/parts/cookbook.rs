//! Entries of the cookbook as a table: what each claims, and where that drifts.

use std::collections::BTreeSet;

use leptos::prelude::*;
use paretoscope_domain::RunId;
use paretoscope_domain::cookbook::CookbookStatus;
use paretoscope_domain::run::Image;
use paretoscope_domain::vocabulary::Vocabulary;
use paretoscope_review::drift::{CookbookEntry, Drift, DriftKind};

use super::Block;
use super::view::{inner, link, missing_cell, scroller};
use super::words;
use crate::view_state::{CookbookColumn, CookbookView, address};

/// A table of entries; with a view its heads sort.
pub(crate) fn table(
    caption: &str,
    entries: &[&CookbookEntry],
    known: &BTreeSet<RunId>,
    w: &Vocabulary,
    view: Option<&CookbookView>,
) -> Block {
    let head = |column: Option<CookbookColumn>, title: &'static str| match (column, view) {
        (Some(column), Some(view)) => {
            let href = address("/cookbook", &view.sorted_by(column).to_query());
            let sorted = (view.sort.column == column).then_some(if view.sort.reversed { "descending" } else { "ascending" });
            view! { <th scope="col" aria-sort=sorted><a href=href>{title}</a></th> }.into_any()
        }
        _ => view! { <th scope="col">{title}</th> }.into_any(),
    };
    let heads = vec![
        head(Some(CookbookColumn::Key), "Configuration"),
        head(Some(CookbookColumn::Model), "Model"),
        head(Some(CookbookColumn::Hardware), "GPU"),
        head(Some(CookbookColumn::Status), "Status"),
        head(Some(CookbookColumn::Drift), "Drift"),
        head(Some(CookbookColumn::Run), "Run"),
        head(None, "Commit"),
        head(None, "Image"),
        head(None, "Golden AL"),
        head(Some(CookbookColumn::AsOf), "Where"),
    ];
    let lines = entries.iter().map(|e| line(e, known, w)).collect_view();
    scroller(
        caption.to_owned(),
        view! {
            <table class="wide-table cookbook">
                <caption class="visually-hidden">{caption.to_owned()}</caption>
                <thead><tr>{heads}</tr></thead>
                <tbody>{lines}</tbody>
            </table>
        },
    )
}

/// `verified on the PR`, or what each of several says.
pub(crate) fn statuses(entries: &[&CookbookEntry]) -> String {
    let all = [CookbookStatus::NotPublished, CookbookStatus::InProgress, CookbookStatus::VerifiedPr, CookbookStatus::Verified];
    let counts: Vec<(CookbookStatus, usize)> =
        all.into_iter().map(|s| (s, entries.iter().filter(|e| e.status == s).count())).filter(|(_, n)| *n > 0).collect();
    match counts.as_slice() {
        [(only, _)] => only.title().to_owned(),
        many => many.iter().map(|(s, n)| format!("{n} {}", s.title())).collect::<Vec<_>>().join(", "),
    }
}

/// The drift of some entries in a sentence.
pub(crate) fn drift_sentence(entries: &[&CookbookEntry]) -> String {
    let mut said: Vec<&str> = Vec::new();
    for d in entries.iter().flat_map(|e| &e.drift) {
        if !said.contains(&d.sentence.as_str()) {
            said.push(&d.sentence);
        }
    }
    let unknown = entries.iter().any(|e| !e.not_known.is_empty());
    match said.as_slice() {
        [] if unknown => "No drift in what could be looked at.".to_owned(),
        [] => "No drift.".to_owned(),
        [one] => format!("{}.", words::capital(one)),
        [one, rest @ ..] => format!("{}, and {} more.", words::capital(one), rest.len()),
    }
}

/// Drift in words, and what could not be looked at.
pub(crate) fn drift_of(e: &CookbookEntry) -> Block {
    let items = e.drift.iter().map(|d| view! { <li>{sentence(d)}</li> }).collect_view();
    let none = e.drift.is_empty().then(|| match (e.status, e.not_known.is_empty()) {
        (CookbookStatus::NotPublished, _) => view! { <span class="missing">"nothing claimed"</span> },
        (_, true) => view! { <span class="missing">"none"</span> },
        (_, false) => view! { <span class="missing">"none known"</span> },
    });
    let list = (!e.drift.is_empty()).then(|| view! { <ul class="plain tight drift">{items}</ul> });
    let missing = (!e.not_known.is_empty()).then(|| {
        let items = e.not_known.iter().map(|n| view! { <li>{format!("{}: {}", n.kind.title(), n.why)}</li> }).collect_view();
        view! { <details><summary>{format!("{} not known", e.not_known.len())}</summary><ul class="plain tight">{items}</ul></details> }
    });
    view! { {none} {list} {missing} }.into_any()
}

fn sentence(d: &Drift) -> Block {
    let text = d.sentence.clone();
    let since = d.since.map(|t| format!("since {}", words::time_words(t)));
    match d.href.as_deref() {
        Some(href) if href.starts_with('/') => view! { <span title=since>{inner(href.to_owned(), text)}</span> }.into_any(),
        other => view! { <span title=since>{link(other, text)}</span> }.into_any(),
    }
}

/// Where a run is shown: here, else on GitHub.
fn run_link(id: RunId, known: &BTreeSet<RunId>, repo: Option<&str>) -> Block {
    if known.contains(&id) {
        return inner(format!("/runs/{id}"), id.to_string());
    }
    let url = repo.and_then(github).map(|r| format!("{r}/actions/runs/{id}"));
    link(url.as_deref(), id.to_string())
}

/// Page of a repository: `owner/name` or its address.
fn github(repo: &str) -> Option<String> {
    let bare = repo.trim_start_matches("https://github.com/").trim_end_matches('/');
    let plain = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'));
    match bare.split('/').collect::<Vec<_>>().as_slice() {
        [owner, name] if plain(owner) && plain(name) => Some(format!("https://github.com/{owner}/{name}")),
        _ => None,
    }
}

fn hex(sha: &str) -> bool {
    (7..=40).contains(&sha.len()) && sha.bytes().all(|b| b.is_ascii_hexdigit())
}

fn cell_or(value: Option<Block>, why: &str) -> Block {
    value.unwrap_or_else(|| missing_cell(why))
}

fn line(e: &CookbookEntry, known: &BTreeSet<RunId>, w: &Vocabulary) -> Block {
    let name = e.cell_id.clone().unwrap_or_else(|| e.config_key.clone());
    let published = e.status != CookbookStatus::NotPublished;
    let why = if published { "the cell doesn't state it" } else { "not published" };
    let label = e.label.as_ref().map(|l| view! { <small>{l.clone()}</small> });
    let concs = (!e.concs.is_empty()).then(|| {
        let list = e.concs.iter().map(|c| format!("c{c}")).collect::<Vec<_>>().join(" ");
        view! { <small>{list}</small> }
    });
    let notes = e.notes.iter().map(|n| view! { <small>{n.clone()}</small> }).collect_view();
    let model = e.model.as_deref().map(|k| view! { <td>{w.model_label(k).to_owned()}</td> }.into_any());
    let hardware = e.hardware.as_deref().map(|k| {
        let framework = e.framework.as_deref().map(|f| view! { <small>{w.framework_label(f).to_owned()}</small> });
        view! { <td>{w.hardware_label(k).to_owned()}{framework}</td> }.into_any()
    });
    let repo = e.source_repo.as_deref();
    let run = match (e.run_id, e.official_run_id) {
        (Some(id), _) => {
            let attempt = e.attempt.map(|a| view! { <small>{format!("attempt {a}")}</small> });
            Some(view! { <td class="n">{run_link(id, known, repo)}{attempt}</td> }.into_any())
        }
        (None, Some(id)) if !published => {
            Some(view! { <td class="n">{run_link(id, known, repo)}<small>"official"</small></td> }.into_any())
        }
        (None, _) => None,
    };
    let commit = e.sha.as_deref().map(|sha| {
        let url = repo.and_then(github).filter(|_| hex(sha)).map(|r| format!("{r}/commit/{sha}"));
        view! { <td class="file" title=sha.to_owned()>{link(url.as_deref(), words::short_sha(sha))}</td> }.into_any()
    });
    let image = e.image.as_ref().map(|reference| {
        let image = Image { reference: reference.clone(), digest: e.image_digest.clone() };
        let status = e.image_status.as_ref().map(|s| view! { <small>{s.clone()}</small> });
        view! { <td class="file wrap" title=words::full_image(&image)>{words::short_image(&image)}{status}</td> }.into_any()
    });
    let golden = e.golden_al.as_ref().map(|g| view! { <td class="n">{g.clone()}</td> }.into_any());
    view! {
        <tr>
            <th scope="row" class="file wrap">{name}{label}{concs}</th>
            {cell_or(model, "not told")}
            {cell_or(hardware, "not told")}
            <td>{badge(e.status)}{e.date.as_ref().map(|d| view! { <small>{d.clone()}</small> })}</td>
            <td class="wrap">{drift_of(e)}{notes}</td>
            {cell_or(run, if published { "no run is claimed" } else { "not published" })}
            {cell_or(commit, why)}
            {cell_or(image, why)}
            {cell_or(golden, why)}
            <td>{places(e)}</td>
        </tr>
    }
    .into_any()
}

/// A status as a word with a shape.
pub(crate) fn badge(status: CookbookStatus) -> Block {
    let class = match status {
        CookbookStatus::NotPublished => "badge",
        CookbookStatus::InProgress => "badge unofficial",
        CookbookStatus::VerifiedPr => "badge staged",
        CookbookStatus::Verified => "badge official",
    };
    view! { <span class=class>{status.title()}</span> }.into_any()
}

/// Links to the page, the pull requests and the commits behind an entry.
fn places(e: &CookbookEntry) -> Block {
    let mut items: Vec<Block> = Vec::new();
    if let Some(n) = e.pr {
        items.push(inner(format!("/pulls/{n}"), format!("PR #{n}")));
    }
    if let Some(page) = e.page.as_deref() {
        items.push(link(Some(page), "cookbook page"));
    }
    let repo = e.repo.as_deref().and_then(github);
    let name = e.repo.as_deref().and_then(|r| r.rsplit('/').next()).unwrap_or("cookbook").to_owned();
    if let Some(n) = e.cookbook_pr {
        items.push(link(repo.as_ref().map(|r| format!("{r}/pull/{n}")).as_deref(), format!("{name}#{n}")));
    }
    if let Some(commit) = e.commit.as_deref().filter(|c| hex(c)) {
        items.push(link(repo.as_ref().map(|r| format!("{r}/commit/{commit}")).as_deref(), format!("{name} {}", words::short_sha(commit))));
    }
    if let Some(path) = e.path.as_deref() {
        let plain = path.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-' | b'/'));
        let at = e.commit.as_deref().filter(|c| hex(c)).unwrap_or("main");
        let url = repo.filter(|_| plain).map(|r| format!("{r}/blob/{at}/{path}"));
        items.push(view! { <span title=path.to_owned()>{link(url.as_deref(), "snippet")}</span> }.into_any());
    }
    if items.is_empty() {
        return view! { <span class="missing" title="no snippet has it">{words::MISSING}</span> }.into_any();
    }
    let as_of = e.as_of.map(|t| view! { <li class="fine">"as of "<time datetime=t.to_string() title=words::time_words(t)>{words::date_words(&t.to_string())}</time></li> });
    let items = items.into_iter().map(|i| view! { <li>{i}</li> }).collect_view();
    view! { <ul class="plain tight">{items}{as_of}</ul> }.into_any()
}

/// Kinds of drift that an entry has, each once: how much is wrong with it.
pub(crate) fn kinds(e: &CookbookEntry) -> usize {
    e.drift.iter().map(|d| d.kind).collect::<BTreeSet<DriftKind>>().len()
}
