//! The table beside a chart: every point with its numbers, its change and how it stands on the axes.

use std::collections::HashMap;

use leptos::prelude::*;
use paretoscope_domain::PointId;
use paretoscope_domain::curve::{Axes, Curve, CurveKey};
use paretoscope_domain::delta::{Change, Matched};
use paretoscope_domain::format;
use paretoscope_domain::metric::Metric;
use paretoscope_domain::point::{Point, Status};
use paretoscope_domain::vocabulary::Vocabulary;

use super::Block;
use super::curves::{scenario_metrics, standing};
use super::view::{inner, metric_head, missing_cell, number, scroller};
use super::words;

/// How a point stands on the axes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Mark {
    /// On the frontier.
    Frontier,
    /// Dominated by the point of this label.
    Dominated(String),
    /// Takes no part, for this reason.
    Aside(String),
    /// Failed, for this reason.
    Failed(String),
}

/// One row of the table.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Row {
    pub(crate) id: PointId,
    pub(crate) href: String,
    pub(crate) label: String,
    pub(crate) curve: CurveKey,
    pub(crate) values: Vec<Option<f64>>,
    pub(crate) change: Option<Change>,
    pub(crate) mark: Mark,
    pub(crate) attempt: Option<u32>,
    pub(crate) notes: Vec<String>,
}

/// Metrics of the table's columns: the scenario's own, and what the axes add.
pub(crate) fn columns(axes: &Axes, scenario: paretoscope_domain::Scenario) -> Vec<Metric> {
    let mut out: Vec<Metric> = Vec::new();
    let own = scenario_metrics(scenario);
    let (latencies, throughput) = own.split_at(own.len().saturating_sub(1));
    for metric in latencies.iter().chain([&axes.x]).chain(throughput).chain([&axes.y]) {
        if !out.iter().any(|m| m.name == metric.name) {
            out.push(metric.clone());
        }
    }
    out
}

/// The rows of a group: points that count in the run's order, then failed ones. Superseded versions have a table of their own.
pub(crate) fn rows(points: &[Point], curves: &[Curve], axes: &Axes, columns: &[Metric], matched: Option<&Matched<'_>>) -> Vec<Row> {
    let standing = standing(curves);
    let changes: HashMap<PointId, Change> = matched
        .map(|m| paretoscope_domain::delta::changes(m, &axes.y).into_iter().map(|(p, c)| (p.id.clone(), c)).collect())
        .unwrap_or_default();
    let mut rows: Vec<Row> = Vec::new();
    let failed = points.iter().filter(|p| !p.superseded && p.status == Status::Failed);
    for p in points.iter().filter(|p| p.counts()).chain(failed) {
        let mark = if p.status == Status::Failed {
            Mark::Failed(words::joined(&words::marks(p)))
        } else {
            match standing.get(&p.id) {
                Some(c) if c.on_frontier => Mark::Frontier,
                Some(c) => match &c.dominated_by {
                    Some(by) => Mark::Dominated(by.clone()),
                    None => Mark::Aside(aside(p, axes)),
                },
                None => Mark::Aside(aside(p, axes)),
            }
        };
        let notes =
            if p.status == Status::Failed { p.notes.clone() } else { words::marks(p).into_iter().chain(p.notes.iter().cloned()).collect() };
        rows.push(Row {
            id: p.id.clone(),
            href: format!("/runs/{}/points/{}", p.run_id, p.id),
            label: p.label.clone(),
            curve: CurveKey::of(p),
            values: columns.iter().map(|m| p.metric(&m.name)).collect(),
            change: changes.get(&p.id).cloned(),
            mark,
            attempt: p.attempt.map(paretoscope_domain::Attempt::get),
            notes,
        });
    }
    rows
}

/// Why a point that counts takes no part on the axes.
fn aside(p: &Point, axes: &Axes) -> String {
    let lacks: Vec<String> = [&axes.x, &axes.y]
        .into_iter()
        .filter_map(|m| match p.metric(&m.name) {
            None => Some(format!("{} is not in its row", m.label)),
            Some(v) if v.is_finite() && v > 0.0 => None,
            Some(v) => Some(format!("{} is {v}, not above zero", m.label)),
        })
        .collect();
    format!("not drawn: {}", words::joined(&lacks))
}

/// A change in per cent with its sense in words and shape.
pub(crate) fn change_cell(change: Option<&Change>, missing: &str) -> Block {
    let Some(change) = change else { return missing_cell(missing) };
    let Change { base, head, pct, better } = change;
    let title = format!("{} → {}", words::exact(*base), words::exact(*head));
    let Some(pct) = pct else { return missing_cell("the baseline's value is 0, so there is no change in per cent") };
    let text = format::percent_change(*pct);
    let (class, word) = sense(*better, &text);
    view! { <td class=format!("n change {class}") title=title data-value=words::exact(*pct)>{text}<span class="sense">{word}</span></td> }
        .into_any()
}

/// Class and word of a change; one that rounds to nothing is neither better nor worse.
pub(crate) fn sense(better: Option<bool>, text: &str) -> (&'static str, &'static str) {
    match better {
        _ if text == "0.0 %" => ("same", "same"),
        Some(true) => ("better", "better"),
        Some(false) => ("worse", "worse"),
        None => ("", ""),
    }
}

fn mark_cell(mark: &Mark) -> Block {
    match mark {
        Mark::Frontier => view! { <td class="mark on">"on frontier"</td> }.into_any(),
        Mark::Dominated(by) => view! { <td class="mark dominated">"dominated by " <span class="label">{by.clone()}</span></td> }.into_any(),
        Mark::Aside(why) => view! { <td class="mark aside">{why.clone()}</td> }.into_any(),
        Mark::Failed(why) => view! { <td class="mark failed">"failed: " {why.clone()}</td> }.into_any(),
    }
}

/// What the table's change column compares with.
pub(crate) struct Against<'a> {
    /// The baseline's id, for the header.
    pub(crate) run_id: paretoscope_domain::RunId,
    /// Metric of the change.
    pub(crate) metric: &'a Metric,
    /// Points only the baseline has.
    pub(crate) removed: Vec<&'a Point>,
}

/// The table: rows by curve where there are several.
pub(crate) fn table(caption: String, columns: &[Metric], rows: &[Row], against: Option<&Against<'_>>, words: &Vocabulary) -> Block {
    let mut order: Vec<&CurveKey> = Vec::new();
    for row in rows {
        if !order.contains(&&row.curve) {
            order.push(&row.curve);
        }
    }
    let several = order.len() > 1;
    let attempts = rows.iter().any(|r| r.attempt.is_some());
    let width = 2 + columns.len() + usize::from(attempts) + usize::from(against.is_some());
    let bodies = order
        .iter()
        .map(|key| {
            let head = several.then(|| {
                let title = key.title(words);
                view! { <tr class="curve"><th colspan=width.to_string() scope="rowgroup">{title}</th></tr> }
            });
            let lines = rows.iter().filter(|r| r.curve == **key).map(|r| line(r, columns, attempts, against)).collect_view();
            view! { <tbody>{head}{lines}</tbody> }
        })
        .collect_view();
    let gone = against.filter(|a| !a.removed.is_empty()).map(|a| {
        let lines = a
            .removed
            .iter()
            .map(|p| {
                let cells = columns.iter().map(|m| number(m, p.metric(&m.name), "not in its row")).collect_view();
                view! {
                    <tr class="gone">
                        <th scope="row">{inner(format!("/runs/{}/points/{}", p.run_id, p.id), p.label.clone())}</th>
                        {cells}
                        {missing_cell("only the baseline has this point")}
                        <td class="mark aside">{format!("dropped: only run {} has it", a.run_id)}</td>
                        {attempts.then(|| view! { <td class="n"></td> })}
                    </tr>
                }
            })
            .collect_view();
        view! { <tbody>{lines}</tbody> }
    });
    let change_head = against.map(|a| {
        view! { <th scope="col" class="n" data-sort=(!several).then_some("num") title=format!("change of {} against run {}", a.metric.label, a.run_id)>"Δ"<small>{format!("vs {}", a.run_id)}</small></th> }
    });
    let head = columns.iter().map(|m| metric_head(m, !several)).collect_view();
    scroller(
        caption.clone(),
        view! {
            <table class="points">
                <caption class="visually-hidden">{caption}</caption>
                <thead>
                    <tr>
                        <th scope="col" data-sort=(!several).then_some("text")>"Point"</th>
                        {head}
                        {change_head}
                        <th scope="col">"Frontier"</th>
                        {attempts.then(|| view! { <th scope="col" class="n">"Attempt"</th> })}
                    </tr>
                </thead>
                {bodies}
                {gone}
            </table>
        },
    )
}

fn line(row: &Row, columns: &[Metric], attempts: bool, against: Option<&Against<'_>>) -> Block {
    let failed = matches!(row.mark, Mark::Failed(_));
    let class = match row.mark {
        Mark::Failed(_) => "failed",
        Mark::Dominated(_) => "dominated",
        Mark::Aside(_) => "aside",
        Mark::Frontier => "on",
    };
    let missing = if failed { "the point failed" } else { "not in its row" };
    let cells = columns.iter().zip(&row.values).map(|(m, v)| number(m, *v, missing)).collect_view();
    let change = against.map(|a| {
        let why = if failed { "the point failed".to_owned() } else { format!("run {} has no such point with this metric", a.run_id) };
        change_cell(row.change.as_ref(), &why)
    });
    let notes = (!row.notes.is_empty()).then(|| {
        let text = words::capital(&row.notes.join("; "));
        view! { <span class="note" title=text.clone()>"note"<span class="visually-hidden">{format!(": {text}")}</span></span> }
    });
    let attempt = attempts.then(|| match row.attempt {
        Some(n) => view! { <td class="n">{n}</td> }.into_any(),
        None => missing_cell("attempt not known"),
    });
    view! {
        <tr class=class data-point=row.id.to_string()>
            <th scope="row"><a href=row.href.clone()>{row.label.clone()}</a>{notes}</th>
            {cells}
            {change}
            {mark_cell(&row.mark)}
            {attempt}
        </tr>
    }
    .into_any()
}

/// Versions that no longer count, for the curious.
pub(crate) fn superseded(points: &[Point], columns: &[Metric]) -> Block {
    let old: Vec<&Point> = points.iter().filter(|p| p.superseded).collect();
    if old.is_empty() {
        return ().into_any();
    }
    let lines = old
        .iter()
        .map(|p| {
            let cells = columns.iter().map(|m| number(m, p.metric(&m.name), "not in its row")).collect_view();
            let why = if p.status == Status::Failed {
                format!("failed: {}", words::joined(&words::marks(p)))
            } else {
                "a newer version counts".to_owned()
            };
            let attempt = p.attempt.map_or_else(|| "not known".to_owned(), |a| a.to_string());
            view! {
                <tr class="superseded">
                    <th scope="row">{inner(format!("/runs/{}/points/{}", p.run_id, p.id), p.label.clone())}</th>
                    {cells}
                    <td>{why}</td>
                    <td class="n">{attempt}</td>
                    <td class="file">{p.artifact.clone()}</td>
                </tr>
            }
        })
        .collect_view();
    let head = columns.iter().map(|m| metric_head(m, false)).collect_view();
    let n = words::count(old.len(), "superseded version", "superseded versions");
    view! {
        <details>
            <summary>{n}</summary>
            {scroller(
                "Superseded versions",
                view! {
                    <table>
                        <caption class="visually-hidden">"Versions of points that a newer one supersedes"</caption>
                        <thead>
                            <tr>
                                <th scope="col">"Point"</th>
                                {head}
                                <th scope="col">"Why it doesn't count"</th>
                                <th scope="col" class="n">"Attempt"</th>
                                <th scope="col">"Artifact"</th>
                            </tr>
                        </thead>
                        <tbody>{lines}</tbody>
                    </table>
                },
            )}
        </details>
    }
    .into_any()
}
