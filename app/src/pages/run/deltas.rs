//! Changes against the baseline, point by point, of the scenario's headline metrics. Everything both runs state, with noise,
//! frontiers and what differs, is on the comparison's own page.

use leptos::prelude::*;
use paretoscope_domain::curve::CurveKey;
use paretoscope_domain::delta::{BestMatch, Change};
use paretoscope_domain::format::percent_change;
use paretoscope_domain::metric::Metric;
use paretoscope_domain::point::Point;

use super::{Context, following};
use crate::parts::curves::scenario_metrics;
use crate::parts::points::sense;
use crate::parts::view::{empty, inner, metric_head, missing_cell, run_path, scroller};
use crate::parts::{Block, words};
use crate::view_state::{CompareBase, CompareView, address};

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
    let view = CompareView::of(CompareBase::Run(base.run_id), c.detail.run.run_id);
    let all = address("/compare", &CompareView { all_metrics: true, ..view.clone() }.to_query());
    let more = address("/compare", &view.to_query());
    let intro = view! {
        <p class="fine">
            {format!("{} matched by configuration, never by order, name or image", words::count(matched.pairs.len(), "point", "points"))}
            {format!("; {} only here, {} only in ", matched.added.len(), matched.removed.len())}
            {inner(run_path(base), format!("run {}", base.run_id))}
            ". " <a href=more>"Compare them: noise, frontiers, evals, what differs"</a> " · " <a href=all>"every metric that both state"</a>
        </p>
    };
    let metrics = headline(&matched.pairs);
    if metrics.is_empty() {
        let body = view! { {intro} {empty("The two runs have no point in common that states the same headline metric.")} }.into_any();
        return following("deltas", title, body);
    }
    let mut keys: Vec<CurveKey> = Vec::new();
    let mut rows: Vec<Vec<(&Point, &Point, BestMatch)>> = Vec::new();
    for (b, h, how) in matched.with_how() {
        let key = CurveKey::of(h);
        let at = keys.iter().position(|k| *k == key).unwrap_or_else(|| {
            keys.push(key);
            rows.push(Vec::new());
            keys.len() - 1
        });
        if let Some(group) = rows.get_mut(at) {
            group.push((b, h, how));
        }
    }
    let several = keys.len() > 1;
    let width = (1 + metrics.len()).to_string();
    let bodies = keys
        .iter()
        .zip(rows)
        .map(|(key, rows)| {
            let head = several.then(|| {
                let title = key.title(c.words);
                view! { <tr class="curve"><th colspan=width.clone() scope="rowgroup">{title}</th></tr> }
            });
            let lines = rows.into_iter().map(|(b, h, how)| line(b, h, how, &metrics)).collect_view();
            view! { <tbody>{head}{lines}</tbody> }
        })
        .collect_view();
    let heads = metrics.iter().map(|m| metric_head(m, !several)).collect_view();
    let added = alone(&matched.added, "only in this run", metrics.len());
    let removed = alone(&matched.removed, "only in the baseline", metrics.len());
    let table = scroller(
        title.clone(),
        view! {
            <table class="deltas">
                <caption class="visually-hidden">{title.clone()}</caption>
                <thead><tr><th scope="col" data-sort=(!several).then_some("text")>"Point"</th>{heads}</tr></thead>
                {bodies}
                <tbody>{added}{removed}</tbody>
            </table>
        },
    );
    following("deltas", title, view! { {intro} {table} }.into_any())
}

/// Headline metrics of the matched points' scenarios, as far as a pair states them on both sides.
fn headline(pairs: &[(&Point, &Point)]) -> Vec<Metric> {
    let mut scenarios: Vec<_> = pairs.iter().map(|(_, h)| h.scenario).collect();
    scenarios.dedup();
    let mut out: Vec<Metric> = Vec::new();
    for metric in scenarios.into_iter().flat_map(scenario_metrics) {
        if !out.iter().any(|m| m.name == metric.name) {
            out.push(metric);
        }
    }
    out.retain(|m| pairs.iter().any(|(b, h)| b.metric(&m.name).is_some() && h.metric(&m.name).is_some()));
    out
}

fn line(base: &Point, head: &Point, how: BestMatch, metrics: &[Metric]) -> Block {
    let cells = metrics.iter().map(|m| cell(m, base.metric(&m.name), head.metric(&m.name))).collect_view();
    let note = how.in_words().map(|text| {
        let text = words::capital(&text);
        view! { <span class="note" title=text.clone()>"best match"<span class="visually-hidden">{format!(": {text}")}</span></span> }
    });
    let href = format!("/runs/{}/points/{}", head.run_id, head.id);
    view! { <tr data-point=head.id.to_string()><th scope="row"><a href=href>{head.label.clone()}</a>{note}</th>{cells}</tr> }.into_any()
}

/// The change, its sense, and both values.
fn cell(metric: &Metric, base: Option<f64>, head: Option<f64>) -> Block {
    let (b, h) = match (base, head) {
        (Some(b), Some(h)) => (b, h),
        (None, _) => return missing_cell("the baseline's row doesn't state it"),
        (_, None) => return missing_cell("not in its row"),
    };
    let Change { pct, better, .. } = Change::of(metric, b, h);
    let values = format!("{} → {}", words::value(metric, b), words::value(metric, h));
    let title = format!("{} → {}", words::exact(b), words::exact(h));
    let Some(pct) = pct else {
        return view! { <td class="n" title="the baseline's value is 0, so there is no change in per cent">{values}</td> }.into_any();
    };
    let text = percent_change(pct);
    let (class, word) = sense(better, &text);
    view! {
        <td class=format!("n change {class}") title=title data-value=words::exact(pct)>
            {text}<span class="sense">{word}</span><small>{values}</small>
        </td>
    }
    .into_any()
}

fn alone(points: &[&Point], what: &'static str, columns: usize) -> Block {
    points
        .iter()
        .map(|p| {
            let link = inner(format!("/runs/{}/points/{}", p.run_id, p.id), p.label.clone());
            view! { <tr class="gone"><th scope="row">{link}</th><td colspan=columns.to_string() class="missing">{what}</td></tr> }
        })
        .collect_view()
        .into_any()
}
