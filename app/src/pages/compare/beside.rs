//! What stands beside the points: those that only one side has, evals, and what differs.

use leptos::prelude::*;
use paretoscope_domain::format::fixed;
use paretoscope_review::compare::{Alone, Difference, EvalPair, EvalSide};

use super::Context;
use crate::parts::view::{empty, inner, missing_cell, scroller, swapped_section, written};
use crate::parts::{Block, words};

/// Points that only one side has, and why.
pub(super) fn alone(c: &Context<'_>) -> Block {
    let (head, base) = (&c.comparison.head.title, &c.comparison.base.title);
    let parts = [(format!("Only in {head}"), &c.comparison.added), (format!("Only in {base}"), &c.comparison.removed)];
    if parts.iter().all(|(_, points)| points.is_empty()) {
        return swapped_section("alone", "Points of one side", empty("Every point of each side has a counterpart in the other."));
    }
    let several = c.comparison.curves.len() > 1;
    let blocks = parts
        .into_iter()
        .filter(|(_, points)| !points.is_empty())
        .map(|(title, points)| {
            let lines = points.iter().map(|p| line(p, several, c)).collect_view();
            let table = scroller(
                title.clone(),
                view! {
                    <table>
                        <caption class="visually-hidden">{title.clone()}</caption>
                        <thead><tr>
                            <th scope="col">"Point"</th>
                            {several.then(|| view! { <th scope="col">"Curve"</th> })}
                            <th scope="col">"Why the other side has none"</th>
                        </tr></thead>
                        <tbody>{lines}</tbody>
                    </table>
                },
            );
            view! { <h3>{format!("{title} ({})", points.len())}</h3> {table} }
        })
        .collect_view();
    swapped_section("alone", "Points of one side", blocks)
}

fn line(p: &Alone, several: bool, c: &Context<'_>) -> Block {
    let near = p.near_miss.as_ref().map(|n| {
        view! { " " {inner(format!("/runs/{}/points/{}", n.run_id, n.point_id), format!("See {} of run {}", n.label, n.run_id))} }
    });
    let curve = several.then(|| view! { <td>{p.curve.title(c.words)}</td> });
    view! {
        <tr>
            <th scope="row">{inner(format!("/runs/{}/points/{}", p.run_id, p.point_id), p.label.clone())}</th>
            {curve}
            <td class="wrap">{p.reason.clone()}{near}</td>
        </tr>
    }
    .into_any()
}

/// Evals side by side.
pub(super) fn evals(c: &Context<'_>) -> Block {
    let list = &c.comparison.evals;
    if list.is_empty() {
        return swapped_section("evals", "Evals", empty("Neither side has evals."));
    }
    let lines = list.iter().map(eval).collect_view();
    let caption = format!("Evals of {} against {}", c.comparison.head.title, c.comparison.base.title);
    let table = scroller(
        caption.clone(),
        view! {
            <table class="evals">
                <caption class="visually-hidden">{caption}</caption>
                <thead><tr>
                    <th scope="col">"Configuration"</th>
                    <th scope="col">"Task"</th>
                    <th scope="col" class="n">"Baseline"</th>
                    <th scope="col" class="n">"Run"</th>
                    <th scope="col" class="n">"Difference"</th>
                    <th scope="col" class="n">"2σ"</th>
                    <th scope="col">"Verdict"</th>
                </tr></thead>
                <tbody>{lines}</tbody>
            </table>
        },
    );
    let note = "2σ is the bound 2·√(s_a(1−s_a)/n_a + s_b(1−s_b)/n_b) of the two scores: it covers the sampling of questions only.";
    swapped_section("evals", "Evals", view! { {table} <p class="fine">{note}</p> })
}

fn score(side: Option<&EvalSide>, whose: &str) -> Block {
    match side {
        None => missing_cell(&format!("{whose} has no such eval")),
        Some(EvalSide { score: None, .. }) => missing_cell("the row has no score"),
        Some(EvalSide { score: Some(s), n, score_name, .. }) => {
            let n = n.map(|n| format!("n {}", fixed(n, 0)));
            let title = score_name.clone().map(|name| format!("{name} {}", words::exact(*s)));
            view! { <td class="n" title=title>{words::score(*s)}<small>{n}</small></td> }.into_any()
        }
    }
}

fn eval(e: &EvalPair) -> Block {
    let difference = match e.difference {
        Some(d) => {
            let text = words::score(d);
            written(if d > 0.0 { format!("+{text}") } else { text }, Some(words::exact(d)))
        }
        None => missing_cell("needs both scores"),
    };
    let bound = match e.bound {
        Some(b) => written(words::score(b), Some(words::exact(b))),
        None => missing_cell("needs both scores and numbers of answers"),
    };
    let verdict = match (e.significant, e.better) {
        (Some(true), Some(true)) => ("mark better", "better beyond 2σ"),
        (Some(true), _) => ("mark failed", "worse beyond 2σ"),
        (Some(false), _) => ("mark on", "within 2σ"),
        (None, _) => ("mark aside", "can't be told"),
    };
    let note = e.note.clone().map(|n| view! { <small>{n}</small> });
    view! {
        <tr>
            <th scope="row">{e.label.clone()}</th>
            <td>{e.task.clone()}</td>
            {score(e.base.as_ref(), "the baseline")}
            {score(e.head.as_ref(), "the run")}
            {difference}
            {bound}
            <td class=verdict.0>{verdict.1}{note}</td>
        </tr>
    }
    .into_any()
}

/// What differs besides the figures, and how far it is known.
pub(super) fn differences(c: &Context<'_>) -> Block {
    let d = &c.comparison.differences;
    let known = d.known.iter().map(|k| view! { <li>{k.sentence.clone()}</li> }).collect_view();
    let table = if d.found.is_empty() {
        empty("Nothing that both sides state differs. What is not known of a side is listed below.")
    } else {
        let lines = d.found.iter().map(difference).collect_view();
        scroller(
            "What differs",
            view! {
                <table>
                    <caption class="visually-hidden">"What differs besides the figures"</caption>
                    <thead><tr>
                        <th scope="col">"What"</th>
                        <th scope="col">"Baseline"</th>
                        <th scope="col">"Run"</th>
                        <th scope="col">"Points"</th>
                    </tr></thead>
                    <tbody>{lines}</tbody>
                </table>
            },
        )
    };
    swapped_section("differences", "What differs", view! { {table} <ul class="fine">{known}</ul> })
}

fn difference(d: &Difference) -> Block {
    let value = |v: Option<&str>| match v {
        None => view! { <td class="missing">"not there"</td> }.into_any(),
        Some("") => view! { <td>"given"</td> }.into_any(),
        Some(text) => view! { <td class="file wrap">{text.to_owned()}</td> }.into_any(),
    };
    let name = d.name.clone().map(|n| view! { " " <code>{n}</code> });
    let eval = d.eval.then_some(" (the eval's server)");
    let points = if d.points.is_empty() { "all".to_owned() } else { d.points.join(", ") };
    view! {
        <tr>
            <th scope="row">{words::capital(d.about.title())}{name}{eval}</th>
            {value(d.base.as_deref())}
            {value(d.head.as_deref())}
            <td class="wrap">{points}</td>
        </tr>
    }
    .into_any()
}
