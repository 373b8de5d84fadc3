//! The list of runs: filters, order, pages.

use leptos::prelude::*;
use paretoscope_domain::Kind;

use super::{Choices, Facets, RunsPage};
use crate::document::{Head, Site};
use crate::parts::view::{empty, problems};
use crate::parts::{Block, runs as list, words};
use crate::view_state::{RunsSort, RunsView, address};

fn text_field(name: &'static str, label: &'static str, value: Option<String>, kind: &'static str) -> Block {
    view! { <label class="field"><span>{label}</span><input type=kind name=name value=value.unwrap_or_default() autocomplete="off"/></label> }.into_any()
}

fn menu(name: &'static str, label: &'static str, options: Vec<(String, String)>, chosen: &str) -> Block {
    let options = options
        .into_iter()
        .map(|(value, text)| {
            let selected = value == chosen;
            view! { <option value=value selected=selected>{text}</option> }
        })
        .collect_view();
    view! { <label class="field"><span>{label}</span><select name=name>{options}</select></label> }.into_any()
}

fn facet(name: &'static str, label: &'static str, choices: Choices, chosen: Option<&str>, word: impl Fn(&str) -> String) -> Block {
    let chosen = chosen.unwrap_or_default();
    let mut options: Vec<(String, String)> = vec![(String::new(), "all".to_owned())];
    options.extend(choices.into_iter().map(|(key, n)| {
        let text = format!("{} ({})", word(&key), words::whole(n));
        (key, text)
    }));
    if !options.iter().any(|(key, _)| key == chosen) {
        options.push((chosen.to_owned(), format!("{chosen} (none)")));
    }
    menu(name, label, options, chosen)
}

fn filters(site: &Site, view: &RunsView, facets: Facets) -> Block {
    let Facets { models, hardware, frameworks } = facets;
    let w = &site.words;
    use paretoscope_domain::vocabulary::WordList;
    let key = |list, text: &Option<String>| text.as_deref().map(|t| w.canonical(list, t));
    let kinds = std::iter::once((String::new(), "all".to_owned())).chain(Kind::ALL.map(|k| (k.to_string(), k.to_string()))).collect();
    let orders = RunsSort::ALL.map(|s| (s.as_str().to_owned(), s.title().to_owned())).to_vec();
    let unseen = view.rest.iter().map(|(k, v)| view! { <input type="hidden" name=k.clone() value=v.clone()/> }).collect_view();
    let limit = view.limit.map(|n| view! { <input type="hidden" name="limit" value=n.to_string()/> });
    view! {
        <form id="filters" class="controls" method="get" action="/runs" role="search" aria-label="Runs">
            {text_field("q", "Search", view.q.clone(), "search")}
            {menu("kind", "Kind", kinds, view.kind.map(Kind::as_str).unwrap_or_default())}
            {facet("model", "Model", models, key(WordList::Model, &view.model).as_deref(), |k| w.model_label(k).to_owned())}
            {facet("hardware", "Hardware", hardware, key(WordList::Hardware, &view.hardware).as_deref(), |k| w.hardware_label(k).to_owned())}
            {facet("framework", "Framework", frameworks, key(WordList::Framework, &view.framework).as_deref(), |k| w.framework_label(k).to_owned())}
            <label class="field short"><span>"Pull request"</span><input type="text" inputmode="numeric" name="pr" value=view.pr.map(|n| n.to_string()).unwrap_or_default() autocomplete="off"/></label>
            {text_field("author", "Author", view.author.clone(), "text")}
            {text_field("from", "From (UTC)", view.from.map(|d| d.to_string()), "date")}
            {text_field("to", "To (UTC)", view.to.map(|d| d.to_string()), "date")}
            {menu("sort", "Order", orders, view.sort.as_str())}
            {limit}
            {unseen}
            <button type="submit">"Show"</button>
            {view.is_filtered().then(|| view! { <a class="reset" href="/runs">"Clear"</a> })}
        </form>
    }
    .into_any()
}

pub(crate) fn runs(site: &Site, page: RunsPage) -> (Head, Block) {
    let RunsPage { view, items, total, next, facets, problems: bad } = page;
    let head = Head {
        title: "Runs".to_owned(),
        description: format!(
            "{} of the inference benchmark, with search and filters.",
            words::capital(&words::count(total, "run", "runs"))
        ),
        path: address("/runs", &view.to_query()),
        image: None,
        nav: "/runs",
    };
    let found = words::count(total, "run", "runs");
    let shown = if items.len() < total { format!("{} of {found}", words::whole(items.len())) } else { found };
    let table = if !items.is_empty() {
        list::table("Runs", &items, site)
    } else if view.is_filtered() || view.cursor.is_some() {
        view! {
            <div class="empty">
                <p>"No run passes all filters: each of them narrows the list, and purged runs are left out."</p>
                <p><a href="/runs">"Show all runs"</a></p>
            </div>
        }
        .into_any()
    } else {
        empty("No runs yet. Read the artifacts of one: `paretoscope ingest <folder>`, or load the bundled sample: `paretoscope sample`.")
    };
    let first = view.cursor.is_some().then(|| {
        let href = address("/runs", &view.at(None).to_query());
        view! { <a href=href rel="first">"First page"</a> }
    });
    let next = next.map(|cursor| {
        let href = address("/runs", &view.at(Some(&cursor)).to_query());
        view! { <a href=href rel="next">"Next page"</a> }
    });
    let pages =
        (first.is_some() || next.is_some()).then(|| view! { <nav class="pages" aria-label="Pages of the list">{first}{next}</nav> });
    let body = view! {
        <header class="page-head">
            <h1>"Runs"</h1>
            <p class="meta">{shown}</p>
        </header>
        {problems(&bad)}
        {filters(site, &view, facets)}
        {table}
        {pages}
    };
    (head, body.into_any())
}
