//! Checks as a compact grid: number, name, status by word and shape; each opens to its rule, its inputs, its source and what to look at.

use leptos::prelude::*;
use paretoscope_review::timeline::ToldCheck;
use paretoscope_review::{Check, CheckStatus, Input};

use super::Block;
use super::view::{inner, link, sentence};

/// A status as a shape; the word stands beside it.
pub(crate) fn mark(status: CheckStatus) -> Block {
    let (class, sign) = match status {
        CheckStatus::Pass => ("mark-sign pass", "✓"),
        CheckStatus::Warn => ("mark-sign warn", "▲"),
        CheckStatus::Fail => ("mark-sign fail", "✕"),
        CheckStatus::NotApplicable => ("mark-sign none", "–"),
        CheckStatus::NeedsHuman => ("mark-sign human", "?"),
    };
    view! { <span class=class aria-hidden="true">{sign}</span> }.into_any()
}

/// The grid. `told` is what the verifier says of the same checks.
pub(crate) fn grid(label: &'static str, checks: &[Check], told: &[ToldCheck]) -> Block {
    let items = checks.iter().map(|c| item(c, told.iter().find(|t| t.id == c.id))).collect_view();
    view! { <ul class="checks" aria-label=label>{items}</ul> }.into_any()
}

fn item(check: &Check, told: Option<&ToldCheck>) -> Block {
    let Check { id, name, status, detail, rule, source, inputs, look } = check;
    // From 100 on the numbers are ours: they name nothing that a reader knows.
    let number = if *id < 100 { id.to_string() } else { "+".to_owned() };
    let looks = (!look.is_empty()).then(|| {
        let items = look.iter().map(|l| view! { <li>{sentence(l)}</li> }).collect_view();
        view! { <h3>"What to look at"</h3><ul>{items}</ul> }
    });
    let disagrees = told.and_then(|t| t.agrees) == Some(false);
    view! {
        <li>
            <details class="check">
                <summary>
                    <span class="check-number">{number}</span>
                    <span class="check-name">{name.clone()}</span>
                    <span class="check-status">
                        {mark(*status)}" "{status.title()}
                        {disagrees.then(|| view! { <span class="note">"verifier differs"</span> })}
                    </span>
                </summary>
                <div class="check-body" id=format!("check-{id}")>
                    <p>{sentence(detail)}</p>
                    {told.map(verifier)}
                    {looks}
                    {given(inputs)}
                    <p class="fine">"Rule: "{sentence(rule)}</p>
                    <p class="fine">"Source: "{sentence(source)}</p>
                </div>
            </details>
        </li>
    }
    .into_any()
}

/// What the verifier says of it.
fn verifier(told: &ToldCheck) -> Block {
    let ToldCheck { word, detail, agrees, .. } = told;
    let verdict = match agrees {
        Some(true) => "as here",
        Some(false) => "not as here",
        None => "not comparable: one of the two could not decide",
    };
    view! { <p class="fine">{format!("The verifier says {word} ({verdict})")}{(!detail.is_empty()).then(|| view! { ": "<q>{detail.clone()}</q> })}</p> }
        .into_any()
}

fn given(inputs: &[Input]) -> Option<Block> {
    if inputs.is_empty() {
        return None;
    }
    let items = inputs
        .iter()
        .map(|Input { name, value, href }| {
            let value = match href.as_deref() {
                Some(path) if path.starts_with(['/', '#']) => inner(path.to_owned(), value.clone()),
                Some(url) => link(Some(url), value.clone()),
                None => value.clone().into_any(),
            };
            view! { <dt>{name.clone()}</dt><dd>{value}</dd> }
        })
        .collect_view();
    Some(view! { <h3>"Inputs"</h3><dl class="facts">{items}</dl> }.into_any())
}
