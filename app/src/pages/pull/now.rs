//! How it stands now: the pin, what it rests on, and what is missing before the merge.

use leptos::prelude::*;
use paretoscope_domain::RunId;
use paretoscope_domain::format;
use paretoscope_review::timeline::{DryRun, Measured, Missing, PinNow, PullAnswer};

use crate::parts::view::{inner, link, section as part, sentence};
use crate::parts::{Block, words};

fn fact(name: &'static str, value: Block) -> Block {
    view! { <dt>{name}</dt><dd>{value}</dd> }.into_any()
}

/// The section.
pub(super) fn section(a: &PullAnswer) -> Block {
    let now = &a.now;
    let pin = match (&now.pin, &now.no_pin) {
        (Some(pin), _) => pinned(pin),
        (None, why) => view! { <strong>"none"</strong> {why.as_deref().map(|w| view! { <small>{sentence(w)}</small> })} }.into_any(),
    };
    let superseded = now.pin.as_ref().filter(|p| !p.superseded.is_empty()).map(|p| fact("Superseded", superseded(a, p)));
    let measured = now.measured.as_ref().map(|m| fact("Measured commit", commit(a, m)));
    let artifacts = now.artifacts.as_ref().map(|l| fact("Artifacts", l.sentence.clone().into_any()));
    let ingest = now.would_ingest.as_ref().map(|d| fact("Would be ingested", would(d)));
    let missing = (!now.missing.is_empty()).then(|| missing(&now.missing));
    part(
        "now",
        "Now",
        view! {
            <p class="verdict-sentence">{now.sentence.clone()}</p>
            <dl class="facts now">
                {fact("Pinned run", pin)}
                {superseded}
                {measured}
                {artifacts}
                {ingest}
            </dl>
            {missing}
        },
    )
}

fn pinned(pin: &PinNow) -> Block {
    let PinNow { run_id, command, known, note, superseded: _ } = pin;
    let run = match run_id {
        Some(run) if *known => inner(format!("/runs/{run}"), format!("run {run}")),
        Some(run) => view! { <span>{format!("run {run}")}</span> }.into_any(),
        None => view! { <span class="missing">"no run"</span> }.into_any(),
    };
    let standing = command.association.as_deref().unwrap_or("standing not told");
    let text = format!(" {} of {} ({standing}), {}", command.text(), command.author, words::time_words(command.at));
    view! {
        <strong>{run}</strong>
        <small>{link(command.url.as_deref(), "by")}{text}</small>
        {note.as_deref().map(|n| view! { <small>{sentence(n)}</small> })}
    }
    .into_any()
}

/// Earlier pins, with what changed since where both runs are known here.
fn superseded(a: &PullAnswer, pin: &PinNow) -> Block {
    let known = |run: RunId| a.runs.iter().any(|r| r.known && r.run_id == run);
    let items = pin
        .superseded
        .iter()
        .map(|c| {
            let text = format!("{} of {}, {}", c.text(), c.author, words::time_words(c.at));
            let run = c.run_id.filter(|r| known(*r)).map(|r| {
                let compare = pin.run_id.filter(|p| *p != r && known(*p)).map(|p| {
                    let href = format!("/compare?base={r}&head={p}");
                    view! { ", "<a href=href aria-label=format!("Compare run {r} with run {p}")>"compare"</a> }
                });
                view! { " ("<a href=format!("/runs/{r}") aria-label=format!("Run {r}")>"run"</a>{compare}")" }
            });
            view! { <li>{text}{run}</li> }
        })
        .collect_view();
    view! { <ul class="plain">{items}</ul> }.into_any()
}

fn commit(a: &PullAnswer, measured: &Measured) -> Block {
    let after = (!measured.after.is_empty()).then(|| {
        let items = measured
            .after
            .iter()
            .map(|c| {
                let page = format!("https://github.com/{}/commit/{}", a.repo, c.sha);
                let kind = if c.merge { " (merge)" } else { "" };
                view! { <li>{link(Some(&page), words::short_sha(&c.sha))}{format!(" {}{kind}", c.subject)}</li> }
            })
            .collect_view();
        view! { <ul class="plain">{items}</ul> }
    });
    view! { {measured.sentence.clone()} {after} }.into_any()
}

/// Counts of a dry run, a family after the other: `8 benchmark rows, 6 eval rows; traces not known`.
fn would(run: &DryRun) -> Block {
    // Display only: counts stay far below 2^53.
    let number = |n: u64| format::fixed(n as f64, 0);
    let items = run
        .rows
        .iter()
        .map(|row| {
            let skipped = row.skipped.filter(|n| *n > 0).map(|n| format!(", {} skipped", number(n))).unwrap_or_default();
            let text = match row.new {
                Some(n) => format!("{} {}{skipped}", row.family, number(n)),
                None => format!("{} not known", row.family),
            };
            let class = if row.new.is_none() { "missing" } else { "" };
            view! { <li class=class title=format!("counted from: {}", row.basis)>{text}</li> }
        })
        .collect_view();
    let notes = run.notes.iter().map(|n| view! { <small>{n.clone()}</small> }).collect_view();
    view! { <ul class="meta inline">{items}</ul>{notes} }.into_any()
}

fn missing(list: &[Missing]) -> Block {
    let item = |m: &Missing| {
        let at = match m.about.as_str() {
            "sign-off" | "verdict" => Some("#papers".to_owned()),
            "cookbook" => Some("#cookbook".to_owned()),
            "pin" | "commit" | "review" | "labels" => Some("#timeline".to_owned()),
            "artifacts" => Some("#runs".to_owned()),
            about => about.strip_prefix("check ").map(|n| format!("#check-{n}")),
        };
        let (class, sign, word) = if m.blocks { ("mark-sign fail", "✕", "missing") } else { ("mark-sign human", "?", "to look at") };
        view! {
            <li>
                <span class=class aria-hidden="true">{sign}</span>
                <span class="missing-word">{word}</span>
                <span>{sentence(&m.sentence)} {at.map(|href| view! { " " <a href=href aria-label=format!("Show: {}", m.about)>"show"</a> })}</span>
            </li>
        }
    };
    let (blocks, look): (Vec<_>, Vec<_>) = list.iter().partition(|m| m.blocks);
    let items = blocks.into_iter().chain(look).map(item).collect_view();
    view! { <h3>"Missing before the merge"</h3><ul class="missing-list">{items}</ul> }.into_any()
}
