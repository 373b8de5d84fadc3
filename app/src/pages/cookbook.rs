//! The cookbook: how far every configuration has come in the serving documentation, and where its claims drift.

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::sync::Arc;

use leptos::prelude::*;
use paretoscope_domain::RunId;
use paretoscope_domain::cookbook::CookbookStatus;
use paretoscope_domain::repo::Refused;
use paretoscope_domain::vocabulary::Vocabulary;
use paretoscope_review::drift::{Cookbook, CookbookEntry, CookbookFilter, DriftFilter};

use crate::document::{Head, Site};
use crate::parts::view::{empty, problems, section, sentence};
use crate::parts::{Block, cookbook as list, words};
use crate::view_state::{CookbookColumn, CookbookView, address};

/// What the page shows.
pub struct CookbookPage {
    /// State of the view.
    pub view: CookbookView,
    /// The cookbook, judged.
    pub cookbook: Arc<Cookbook>,
    /// What of its files could not be used.
    pub refused: Vec<Refused>,
    /// Whether any snippet was ever read.
    pub synced: bool,
    /// Runs that have a page here.
    pub known: BTreeSet<RunId>,
    /// Parameters that could not be used, in words.
    pub problems: Vec<String>,
}

const STATUSES: [CookbookStatus; 4] =
    [CookbookStatus::NotPublished, CookbookStatus::InProgress, CookbookStatus::VerifiedPr, CookbookStatus::Verified];

/// How to read snippets.
const HOW: &str = "Read snippets from a checkout of the cookbook's repository, or single files: `paretoscope cookbook sync PATH`.";

pub(crate) fn cookbook(site: &Site, page: CookbookPage) -> (Head, Block) {
    let CookbookPage { view, cookbook, refused, synced, known, problems: bad } = page;
    let w: &Vocabulary = &site.words;
    let entries = listed(&cookbook, &view, w);
    let counted = |fits: fn(&CookbookEntry) -> bool| words::whole(cookbook.entries.iter().filter(|e| fits(e)).count());
    let drifting = format!("{} with drift", counted(|e| !e.drift.is_empty()));
    let total = words::count(cookbook.entries.len(), "entry", "entries");
    let head = Head {
        title: "Cookbook".to_owned(),
        description: format!("{total} of the serving cookbook and the official data, {drifting} against pins, official runs and images."),
        path: address("/cookbook", &view.to_query()),
        image: None,
        nav: "/cookbook",
    };
    let summary = if entries.len() < cookbook.entries.len() { format!("{} of {total}", words::whole(entries.len())) } else { total };
    let table = match (entries.is_empty(), cookbook.entries.is_empty()) {
        (false, _) => list::table("Entries of the cookbook", &entries, &known, w, Some(&view)),
        (true, false) => view! {
            <div class="empty"><p>"No entry passes all filters."</p><p><a href="/cookbook">"Show all entries"</a></p></div>
        }
        .into_any(),
        (true, true) => empty(
            "Nothing is known yet: no snippet of the cookbook was read, and no configuration of the official data uses a framework that it documents.",
        ),
    };
    let unsynced =
        (!synced).then(|| empty(&format!("No snippet of the cookbook was read yet, so nothing can be said of its claims. {HOW}")));
    let left_out = left_out(&cookbook);
    let body = view! {
        <header class="page-head">
            <div class="title-row">
                <h1>"Cookbook"</h1>
                <div class="actions">
                    <details class="menu" id="export">
                        <summary>"Export"</summary>
                        {exports(&view)}
                    </details>
                </div>
            </div>
            <p class="meta">{summary}", "{drifting}</p>
            <p class="fine">"What the serving cookbook claims of each configuration, held against the newest pin, the official run, the ingested image, the committed golden acceptance lengths and the matrix."</p>
        </header>
        {problems(&bad)}
        {unsynced}
        {status_tabs(&cookbook, &view, w)}
        {form(&cookbook, &view, w)}
        {table}
        {left_out}
        {refusals(&refused)}
    };
    (head, body.into_any())
}

/// Entries that pass the view's filters, in its order.
fn listed<'a>(cookbook: &'a Cookbook, view: &CookbookView, w: &Vocabulary) -> Vec<&'a CookbookEntry> {
    let mut entries: Vec<&CookbookEntry> = cookbook.entries.iter().filter(|e| view.filter.fits(e, w)).collect();
    let order = |a: &CookbookEntry, b: &CookbookEntry| match view.sort.column {
        CookbookColumn::Key => (&a.config_key, &a.cell_id).cmp(&(&b.config_key, &b.cell_id)),
        CookbookColumn::Model => missing_last(&a.model, &b.model),
        CookbookColumn::Hardware => missing_last(&a.hardware, &b.hardware),
        CookbookColumn::Status => a.status.cmp(&b.status),
        CookbookColumn::Run => missing_last(&a.run_id, &b.run_id),
        CookbookColumn::Drift => (list::kinds(b), b.status).cmp(&(list::kinds(a), a.status)),
        CookbookColumn::AsOf => missing_last(&a.as_of, &b.as_of),
    };
    // Stable: among equals the key's order stays.
    entries.sort_by(|a, b| if view.sort.reversed { order(b, a) } else { order(a, b) });
    entries
}

fn missing_last<T: Ord>(a: &Option<T>, b: &Option<T>) -> Ordering {
    match (a, b) {
        (Some(a), Some(b)) => a.cmp(b),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => Ordering::Equal,
    }
}

/// Counts by status, as filters; each count is that under the other filters.
fn status_tabs(cookbook: &Cookbook, view: &CookbookView, w: &Vocabulary) -> Block {
    let link = |status: Option<CookbookStatus>| {
        let filter = CookbookFilter { status, ..view.filter.clone() };
        let n = cookbook.entries.iter().filter(|e| filter.fits(e, w)).count();
        let current = (view.filter.status == status).then_some("page");
        let href = address("/cookbook", &CookbookView { filter, ..view.clone() }.to_query());
        let title = status.map_or("all", CookbookStatus::title);
        view! { <li><a href=href aria-current=current>{title}" "<span class="count">{words::whole(n)}</span></a></li> }
    };
    let links = std::iter::once(None).chain(STATUSES.map(Some)).map(link).collect_view();
    view! { <nav id="statuses" class="tabs" aria-label="Status"><ul>{links}</ul></nav> }.into_any()
}

fn form(cookbook: &Cookbook, view: &CookbookView, w: &Vocabulary) -> Block {
    let options = DriftFilter::all()
        .into_iter()
        .map(|drift| {
            let filter = CookbookFilter { drift: Some(drift), ..view.filter.clone() };
            let n = cookbook.entries.iter().filter(|e| filter.fits(e, w)).count();
            let selected = view.filter.drift == Some(drift);
            view! { <option value=drift.as_str() selected=selected>{format!("{} ({})", drift.title(), words::whole(n))}</option> }
        })
        .collect_view();
    let kept: Vec<(String, String)> =
        crate::view_state::read_pairs(&view.to_query()).into_iter().filter(|(k, _)| !matches!(k.as_str(), "q" | "drift")).collect();
    let kept = kept.into_iter().map(|(k, v)| view! { <input type="hidden" name=k value=v/> }).collect_view();
    view! {
        <form id="filters" class="controls" method="get" action="/cookbook" role="search" aria-label="Cookbook">
            <label class="field wide"><span>"Search"</span><input type="search" name="q" value=view.filter.q.clone().unwrap_or_default() autocomplete="off"/></label>
            <label class="field"><span>"Drift"</span><select name="drift"><option value="" selected=view.filter.drift.is_none()>"all"</option>{options}</select></label>
            {kept}
            <button type="submit">"Show"</button>
            {view.is_filtered().then(|| view! { <a class="reset" href="/cookbook">"Clear"</a> })}
        </form>
    }
    .into_any()
}

/// The same entries as files; they know no order but the key's.
fn exports(view: &CookbookView) -> Block {
    let filtered = CookbookView { filter: view.filter.clone(), ..CookbookView::default() };
    let query = filtered.to_query();
    let links = [("JSON", "/api/v1/cookbook"), ("CSV", "/api/v1/cookbook.csv")]
        .into_iter()
        .map(|(text, path)| view! { <li><a href=address(path, &query)>{text}</a></li> })
        .collect_view();
    view! { <ul class="exports" aria-label="Export">{links}</ul> }.into_any()
}

fn left_out(cookbook: &Cookbook) -> Option<Block> {
    if cookbook.left_out.is_empty() {
        return None;
    }
    let items = cookbook
        .left_out
        .iter()
        .map(|l| {
            let n = words::count(l.configurations, "configuration", "configurations");
            view! { <li>{format!("{}: {n}. {}", l.framework, l.why)}</li> }
        })
        .collect_view();
    let total: usize = cookbook.left_out.iter().map(|l| l.configurations).sum();
    Some(
        view! {
            <details id="left-out">
                <summary>{format!("{} of the official data not listed", words::count(total, "configuration", "configurations"))}</summary>
                <ul class="plain">{items}</ul>
            </details>
        }
        .into_any(),
    )
}

/// Snippets and parts of them that could not be used; the last good state stays.
fn refusals(refused: &[Refused]) -> Option<Block> {
    if refused.is_empty() {
        return None;
    }
    let lines = refused
        .iter()
        .map(|r| {
            let line = r.line.map(|l| format!(", line {l}")).unwrap_or_default();
            let kept = if r.kept { "kept, with this remark" } else { "left out" };
            view! {
                <tr>
                    <th scope="row" class="file wrap">{format!("{}{line}", r.file)}</th>
                    <td class="file wrap">{r.what.clone()}</td>
                    <td>{r.reason.replace('_', " ")}</td>
                    <td class="wrap">{r.detail.clone()}</td>
                    <td>{kept}</td>
                </tr>
            }
        })
        .collect_view();
    let table = crate::parts::view::scroller(
        "Refused",
        view! {
            <table>
                <caption class="visually-hidden">"Snippets that could not be used"</caption>
                <thead>
                    <tr>
                        <th scope="col">"File"</th>
                        <th scope="col">"What"</th>
                        <th scope="col">"Reason"</th>
                        <th scope="col">"In words"</th>
                        <th scope="col">"Then"</th>
                    </tr>
                </thead>
                <tbody>{lines}</tbody>
            </table>
        },
    );
    let intro = sentence("A snippet that can't be read is skipped, and its last good state stays.");
    Some(section("refused", "Snippets that could not be used", view! { <p class="fine">{intro}</p> {table} }))
}
