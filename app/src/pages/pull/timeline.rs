//! What happened, oldest first.

use leptos::prelude::*;
use paretoscope_domain::report::Tally;
use paretoscope_review::timeline::ingest::ToldIngest;
use paretoscope_review::timeline::{ItemKind, Link, Outcome, PullAnswer, TimelineItem};

use crate::parts::view::{count_cell, empty, inner, link, scroller, section as part};
use crate::parts::{Block, words};

/// The section.
pub(super) fn section(a: &PullAnswer) -> Block {
    if a.timeline.is_empty() {
        return part(
            "timeline",
            "Timeline",
            empty("Nothing is known: `paretoscope pulls import FILE…` reads saved payloads of the pull request."),
        );
    }
    let mut last_day = String::new();
    let items = a
        .timeline
        .iter()
        .map(|item| {
            let day = day(item);
            let head = (day != last_day).then(|| day.clone());
            last_day = day;
            line(item, head)
        })
        .collect_view();
    part("timeline", "Timeline", view! { <ol class="timeline">{items}</ol> })
}

fn day(item: &TimelineItem) -> String {
    let date = item.at.map(|at| at.to_string()).or_else(|| item.day.clone());
    date.map_or_else(|| "day not known".to_owned(), |d| words::date_words(&d))
}

fn line(item: &TimelineItem, day: Option<String>) -> Block {
    let TimelineItem { at, day: only_day, time_note, kind, actor, title, detail, outcome, links, sha: _, run_id: _, folded, ingest } = item;
    let time = match (at, only_day) {
        (Some(at), _) => {
            let minute = at.strftime("%H:%M").to_string();
            view! { <time datetime=at.to_string() title=words::time_words(*at)>{minute}</time> }.into_any()
        }
        (None, Some(date)) => view! { <time datetime=date.clone() class="missing">"day only"</time> }.into_any(),
        (None, None) => view! { <span class="missing">"not told"</span> }.into_any(),
    };
    let who = actor.as_ref().map(|a| {
        let role = a.role.as_deref().map(|r| format!(" ({r})")).unwrap_or_default();
        view! { <span class="who">{format!("{}{role}", a.name)}</span> }
    });
    let badge = outcome.map(outcome_badge);
    let more = view! {
        {(!detail.is_empty()).then(|| view! { <p>{detail.clone()}</p> })}
        {time_note.as_deref().map(|n| view! { <p class="fine">{words::capital(n)}"."</p> })}
        {ingest.as_ref().map(numbers)}
    };
    let class = format!("item {}", class_of(*kind));
    // The word stands before it already.
    let short = title.strip_prefix(kind.title()).and_then(|rest| rest.strip_prefix(' ')).unwrap_or(title).to_owned();
    let title = view! { <span class="item-kind">{kind.title()}</span>" "<strong>{short}</strong>" "{badge}" "{who} };
    let links = (!links.is_empty()).then(|| view! { " "<span class="links">{list(links)}</span> });
    let body = if *folded {
        view! { <details><summary>{title}</summary><p>{links}</p>{more}</details> }.into_any()
    } else {
        view! { <p>{title}{links}</p>{more} }.into_any()
    };
    view! {
        {day.map(|d| view! { <li class="day">{d}</li> })}
        <li class=class><div class="item-time">{time}</div><div class="item-body">{body}</div></li>
    }
    .into_any()
}

fn class_of(kind: ItemKind) -> &'static str {
    match kind {
        ItemKind::Run => "run",
        ItemKind::Command => "command",
        ItemKind::SignOff | ItemKind::Verdict => "paper",
        ItemKind::Merge | ItemKind::Ingest => "end",
        _ => "other",
    }
}

fn outcome_badge(outcome: Outcome) -> Block {
    let class = match outcome {
        Outcome::Current | Outcome::Accepted => "badge official",
        Outcome::Superseded => "badge",
        Outcome::Refused => "badge failed",
        Outcome::Undecided => "badge unofficial",
    };
    view! { <span class=class>{outcome.title()}</span> }.into_any()
}

fn list(links: &[Link]) -> Block {
    links
        .iter()
        .map(|Link { text, href }| {
            let one = if href.starts_with('/') { inner(href.clone(), text.clone()) } else { link(Some(href), text.clone()) };
            view! { <span>{one}</span>" " }
        })
        .collect_view()
        .into_any()
}

/// The numbers of an ingest report, as it tells them.
fn numbers(told: &ToldIngest) -> Block {
    let rows = &told.rows;
    let lines = [("benchmark", rows.benchmark), ("eval", rows.eval), ("trace", rows.trace), ("power", rows.power)]
        .map(|(name, tally)| {
            let cells = match tally {
                Some(Tally { new, duplicate, skipped, unmapped, failed }) => {
                    [new, duplicate, skipped, unmapped, failed].map(count_cell).into_iter().collect_view().into_any()
                }
                None => view! { <td colspan="5" class="missing">"not told"</td> }.into_any(),
            };
            view! { <tr><th scope="row">{name}</th>{cells}</tr> }
        })
        .into_iter()
        .collect_view();
    let counters = told
        .counters
        .iter()
        // Display only: counts stay far below 2^53.
        .map(|(name, n)| view! { <li>{format!("{name} {}", paretoscope_domain::format::fixed(*n as f64, 0))}</li> })
        .collect_view();
    view! {
        {scroller(
            "What the benchmark's ingest wrote",
            view! {
                <table>
                    <caption class="visually-hidden">"What the benchmark's ingest wrote, as its report tells"</caption>
                    <thead>
                        <tr>
                            <th scope="col">"Rows"</th>
                            <th scope="col" class="n">"New"</th>
                            <th scope="col" class="n">"Duplicate"</th>
                            <th scope="col" class="n">"Skipped"</th>
                            <th scope="col" class="n">"Unmapped"</th>
                            <th scope="col" class="n">"Failed"</th>
                        </tr>
                    </thead>
                    <tbody>{lines}</tbody>
                </table>
            },
        )}
        <ul class="meta">{counters}</ul>
    }
    .into_any()
}
