//! Facts of a run's execution that are in no result row, each with where it was found or who stated it.

use std::collections::BTreeMap;

use leptos::prelude::*;
use paretoscope_domain::fact::{FactKind, FactOrigin, RunFact};

use super::Block;
use super::view::{empty, link, scroller};
use super::words;

/// What a kind is called, and the order of the table.
fn title(kind: FactKind) -> &'static str {
    match kind {
        FactKind::Env => "environment",
        FactKind::Argument => "argument",
        FactKind::GoldenAl => "golden AL",
        FactKind::MeasuredAl => "measured AL",
        FactKind::BuildCommit => "built from",
        FactKind::BuildUrl => "build",
        FactKind::Ancestry => "standing to the main branch",
        FactKind::Patch => "patch",
        FactKind::Note => "note",
    }
}

/// Where it stands, or who said so.
fn origin(f: &RunFact) -> Block {
    match &f.origin {
        FactOrigin::Artifact { .. } => view! { <span class="file">{f.origin.in_words()}</span> }.into_any(),
        FactOrigin::Stated { url, at, .. } => {
            let when = at.map(|t| view! { <small>{words::time_words(t)}</small> });
            view! { {link(url.as_deref(), f.origin.in_words())} {when} }.into_any()
        }
    }
}

/// A table of facts, one row for what several points say alike; why there is none where there is none.
pub(crate) fn table(facts: &[&RunFact]) -> Block {
    if facts.is_empty() {
        return empty(
            "Nothing is known of the environment, the server's arguments, acceptance lengths or builds: no server log or job event that was read states any, and nobody has.",
        );
    }
    type Key<'a> = (FactKind, &'a str, &'a str, bool);
    let mut rows: BTreeMap<Key<'_>, Vec<&RunFact>> = BTreeMap::new();
    for f in facts {
        rows.entry((f.kind, &f.key, &f.value, f.eval)).or_default().push(f);
    }
    let stated = facts.iter().filter(|f| matches!(f.origin, FactOrigin::Stated { .. })).count();
    let stated = (stated > 0).then(|| {
        let n = words::count(stated, "fact is", "facts are");
        view! { <p class="fine">{format!("{n} only stated by people: no artifact that was read shows them.")}</p> }
    });
    let lines = rows
        .into_iter()
        .map(|((kind, key, value, eval), facts)| {
            let mut points: Vec<String> = facts.iter().filter_map(|f| f.point.clone()).collect();
            points.sort();
            points.dedup();
            let of = if points.is_empty() || facts.iter().any(|f| f.point.is_none()) { "the run".to_owned() } else { points.join(", ") };
            let eval = eval.then(|| view! { <small>"eval server"</small> });
            let count = facts.iter().filter_map(|f| f.count).max();
            let count =
                count.and_then(|n| usize::try_from(n).ok()).map(|n| view! { <small>{words::count(n, "log line", "log lines")}</small> });
            let more = (facts.len() > 1).then(|| view! { <small>{format!("and {} more", facts.len() - 1)}</small> });
            view! {
                <tr>
                    <td>{title(kind)}</td>
                    <th scope="row" class="file">{key.to_owned()}</th>
                    <td class="file wrap">{value.to_owned()}{count}</td>
                    <td class="wrap">{of}{eval}</td>
                    <td class="wrap">{facts.first().map(|f| origin(f))}{more}</td>
                </tr>
            }
        })
        .collect_view();
    let table = scroller(
        "Environment and facts",
        view! {
            <table class="wide-table">
                <caption class="visually-hidden">"Environment, arguments, acceptance lengths and builds"</caption>
                <thead>
                    <tr>
                        <th scope="col">"What"</th>
                        <th scope="col">"Name"</th>
                        <th scope="col">"Value"</th>
                        <th scope="col">"Of"</th>
                        <th scope="col">"Found in"</th>
                    </tr>
                </thead>
                <tbody>{lines}</tbody>
            </table>
        },
    );
    view! { {table} {stated} }.into_any()
}

/// Facts about a point: its own, and those about the whole run.
pub(crate) fn of_point<'a>(facts: &'a [RunFact], label: &str) -> Vec<&'a RunFact> {
    facts.iter().filter(|f| f.point.as_deref().is_none_or(|p| p == label)).collect()
}
