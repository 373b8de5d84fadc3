//! Changes against the baseline, point by point: whatever both runs have.

use leptos::prelude::*;
use paretoscope_domain::curve::CurveKey;
use paretoscope_domain::delta::Change;
use paretoscope_domain::metric::Metric;
use paretoscope_domain::point::Point;

use super::{Context, following};
use crate::parts::points::change_cell;
use crate::parts::view::{empty, inner, missing_cell, number, run_path, scroller};
use crate::parts::{Block, words};

/// Metrics that a review looks at, in its order. Those that no matched pair has in common are left out.
const REVIEWED: [&str; 14] = [
    "tput_per_gpu",
    "output_tput_per_gpu",
    "p90_e2el",
    "p75_e2el",
    "median_e2el",
    "p90_ttft",
    "median_ttft",
    "p90_intvty",
    "median_intvty",
    "p90_tpot",
    "median_tpot",
    "avg_power_w",
    "joules_per_output_token",
    "joules_per_total_token",
];

/// The section.
pub(super) fn section(c: &Context<'_>, why: Option<&str>) -> Block {
    let (Some((base, _)), Some(matched)) = (c.baseline, &c.matched) else {
        let why = why.unwrap_or("There is no baseline.");
        return following(
            "deltas",
            "Deltas".to_owned(),
            empty(&format!("Nothing to compare with. {why} The menu «Against» above the chart takes any run that shares a curve.")),
        );
    };
    let title = format!("Deltas against run {}", base.run_id);
    let metrics: Vec<Metric> = REVIEWED
        .iter()
        .filter(|name| matched.pairs.iter().any(|(b, h)| b.metric(name).is_some() && h.metric(name).is_some()))
        .map(|name| Metric::describe(name))
        .collect();
    let both: std::collections::BTreeSet<&String> =
        matched.pairs.iter().flat_map(|(b, h)| b.metrics.keys().filter(|k| h.metrics.contains_key(*k))).collect();
    let others = both.iter().filter(|k| !metrics.iter().any(|m| m.name == ***k)).count();
    let intro = view! {
        <p class="fine">
            {format!("{} matched by configuration, never by order, name or image", words::count(matched.pairs.len(), "point", "points"))}
            {format!("; {} only here, {} only in ", matched.added.len(), matched.removed.len())}
            {inner(run_path(base), format!("run {}", base.run_id))}
            ". " {(others > 0).then(|| format!("{} more in common on the points' own pages.", words::count(others, "metric", "metrics")))}
        </p>
    };
    if metrics.is_empty() {
        let body = view! { {intro} {empty("The two runs have no point in common that states the same metric.")} }.into_any();
        return following("deltas", title, body);
    }
    let heads = metrics
        .iter()
        .map(|m| {
            let unit = m.unit.symbol();
            view! { <th scope="colgroup" colspan="3" class="group">{words::capital(&m.label)}<small>{unit}</small></th> }
        })
        .collect_view();
    let sub = metrics
        .iter()
        .map(
            |_| view! { <th scope="col" class="n start">"base"</th><th scope="col" class="n">"run"</th><th scope="col" class="n">"Δ"</th> },
        )
        .collect_view();
    let mut keys: Vec<CurveKey> = Vec::new();
    for (_, h) in &matched.pairs {
        let key = CurveKey::of(h);
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    let several = keys.len() > 1;
    let width = (1 + 3 * metrics.len()).to_string();
    let bodies = keys
        .iter()
        .map(|key| {
            let head = several.then(|| {
                let title = key.title(c.words);
                view! { <tr class="curve"><th colspan=width.clone() scope="rowgroup">{title}</th></tr> }
            });
            let lines = matched.pairs.iter().filter(|(_, h)| CurveKey::of(h) == *key).map(|(b, h)| pair(b, h, &metrics)).collect_view();
            view! { <tbody>{head}{lines}</tbody> }
        })
        .collect_view();
    let alone = |points: &[&Point], what: &'static str, base: bool| {
        points
            .iter()
            .map(|p| {
                let cells = metrics
                    .iter()
                    .map(|m| {
                        let here = number(m, p.metric(&m.name), "not in its row");
                        let none = missing_cell(what);
                        let (left, right) = if base { (here, none) } else { (none, here) };
                        view! { {left} {right} {missing_cell(what)} }
                    })
                    .collect_view();
                view! { <tr class="gone"><th scope="row">{inner(format!("/runs/{}/points/{}", p.run_id, p.id), p.label.clone())}<small>{what}</small></th>{cells}</tr> }
            })
            .collect_view()
    };
    let added = alone(&matched.added, "only in this run", false);
    let removed = alone(&matched.removed, "only in the baseline", true);
    let table = scroller(
        title.clone(),
        view! {
            <table class="deltas">
                <caption class="visually-hidden">{title.clone()}</caption>
                <thead>
                    <tr><th scope="col" rowspan="2">"Point"</th>{heads}</tr>
                    <tr>{sub}</tr>
                </thead>
                {bodies}
                <tbody>{added}{removed}</tbody>
            </table>
        },
    );
    following("deltas", title, view! { {intro} {table} }.into_any())
}

fn pair(base: &Point, head: &Point, metrics: &[Metric]) -> Block {
    let cells = metrics
        .iter()
        .map(|m| {
            let (b, h) = (base.metric(&m.name), head.metric(&m.name));
            let change = b.zip(h).map(|(b, h)| Change::of(m, b, h));
            view! {
                {number(m, b, "the baseline's row doesn't state it")}
                {number(m, h, "not in its row")}
                {change_cell(change.as_ref(), "needs both values")}
            }
        })
        .collect_view();
    let link = inner(format!("/runs/{}/points/{}", head.run_id, head.id), head.label.clone());
    view! { <tr data-point=head.id.to_string()><th scope="row">{link}</th>{cells}</tr> }.into_any()
}
