//! Rounds of the cookbook, what each claimed, and where that drifted from the pin.

use leptos::prelude::*;
use paretoscope_review::drift;
use paretoscope_review::timeline::{CookbookRound, Link, PullAnswer};

use crate::parts::view::{empty, inner, link, scroller, section as part};
use crate::parts::{Block, words};

/// The section.
pub(super) fn section(a: &PullAnswer) -> Block {
    if a.cookbook.is_empty() {
        return part(
            "cookbook",
            "Cookbook",
            empty(
                "No comment speaks of a cookbook round, and no synced snippet mirrors this pull request. Read snippets: `paretoscope cookbook sync PATH`.",
            ),
        );
    }
    let lines = a.cookbook.iter().map(|r| line(a, r)).collect_view();
    part(
        "cookbook",
        "Cookbook",
        scroller(
            "Rounds of the cookbook",
            view! {
                <table class="wide-table">
                    <caption class="visually-hidden">"Rounds of the cookbook"</caption>
                    <thead>
                        <tr>
                            <th scope="col">"Round"</th>
                            <th scope="col">"Announced (UTC)"</th>
                            <th scope="col">"Merged (UTC)"</th>
                            <th scope="col">"Shows"</th>
                            <th scope="col">"Drift"</th>
                            <th scope="col">"Where"</th>
                        </tr>
                    </thead>
                    <tbody>{lines}</tbody>
                </table>
            },
        ),
    )
}

fn line(a: &PullAnswer, round: &CookbookRound) -> Block {
    let CookbookRound {
        repo,
        number,
        url,
        announced_at,
        merged_at,
        merged_told_by,
        config_keys,
        status,
        run_id,
        sha,
        page,
        comments,
        missed_pin,
        settled_by,
        state,
    } = round;
    let name = match number {
        Some(n) => link(url.as_deref(), format!("{repo}#{n}")),
        None => view! { <span>{format!("{repo}, a state of the snippet")}</span> }.into_any(),
    };
    let keys = config_keys.iter().map(|k| view! { <small class="file">{k.clone()}</small> }).collect_view();
    let when = |at: &Option<jiff::Timestamp>, note: Option<&str>| {
        match at {
        Some(at) => view! { <td><time datetime=at.to_string()>{words::time_words(*at)}</time>{note.map(|n| view! { <small>{format!("told by {n}")}</small> })}</td> }.into_any(),
        None => view! { <td class="missing">"not told"</td> }.into_any(),
    }
    };
    let known = |run: &paretoscope_domain::RunId| a.runs.iter().any(|r| r.known && r.run_id == *run);
    let shows = match (state, run_id, status) {
        (Some(state), ..) => claims(state, &known),
        (None, Some(run), _) => view! { <span>{run_text(run, &known)}</span> <small>"as the comments tell"</small> }.into_any(),
        (None, None, Some(status)) => {
            let at = sha.as_deref().map(|s| format!(" at {}", words::short_sha(s))).unwrap_or_default();
            view! { <span>{format!("{}{at}", status.title())}</span> <small>"as the comments tell"</small> }.into_any()
        }
        (None, None, None) => view! { <span class="missing">"not told"</span> }.into_any(),
    };
    let drifts = drift_list(state.as_ref(), missed_pin.as_deref(), *settled_by);
    let links = comments
        .iter()
        .map(|Link { text, href }| view! { <li>{link(Some(href), text.clone())}</li> })
        .chain(page.iter().map(|p| view! { <li>{link(Some(p), "cookbook page".to_owned())}</li> }))
        .collect_view();
    view! {
        <tr>
            <th scope="row">{name}{keys}</th>
            {when(announced_at, None)}
            {when(merged_at, merged_told_by.as_deref())}
            <td class="wrap">{shows}</td>
            <td class="wrap">{drifts}</td>
            <td><ul class="plain tight">{links}</ul></td>
        </tr>
    }
    .into_any()
}

fn run_text(run: &paretoscope_domain::RunId, known: &impl Fn(&paretoscope_domain::RunId) -> bool) -> Block {
    if known(run) { inner(format!("/runs/{run}"), format!("run {run}")) } else { format!("run {run}").into_any() }
}

/// What the snippet said, cells that say the same together.
fn claims(state: &drift::Round, known: &impl Fn(&paretoscope_domain::RunId) -> bool) -> Block {
    let mut said: Vec<(&drift::CookbookEntry, usize)> = Vec::new();
    for entry in &state.entries {
        let same = |e: &drift::CookbookEntry| (e.status, e.run_id, &e.sha) == (entry.status, entry.run_id, &entry.sha);
        match said.iter_mut().find(|(e, _)| same(e)) {
            Some((_, n)) => *n += 1,
            None => said.push((entry, 1)),
        }
    }
    let items = said
        .into_iter()
        .map(|(e, n)| {
            let cells = (n > 1).then(|| format!(" ({n} cells)"));
            let sha = e.sha.as_deref().map(|s| format!(" at {}", words::short_sha(s)));
            view! { <li>{e.status.title()}{e.run_id.as_ref().map(|r| view! { ", " {run_text(r, known)} })}{sha}{cells}</li> }
        })
        .collect_view();
    view! { <ul class="plain tight">{items}</ul> }.into_any()
}

fn drift_list(state: Option<&drift::Round>, missed: Option<&str>, settled_by: Option<i64>) -> Block {
    let mut sentences: Vec<(String, Option<String>)> = Vec::new();
    for d in state.into_iter().flat_map(|s| &s.entries).flat_map(|e| &e.drift) {
        if !sentences.iter().any(|(s, _)| *s == d.sentence) {
            sentences.push((d.sentence.clone(), d.href.clone()));
        }
    }
    if sentences.is_empty() && missed.is_none() {
        let word = if state.is_some() { "none" } else { "none told; its snippet was not synced here" };
        return view! { <span class="missing">{word}</span> }.into_any();
    }
    let items = sentences
        .into_iter()
        .map(|(sentence, href)| match href {
            Some(href) if href.starts_with('/') => view! { <li>{inner(href, sentence)}</li> }.into_any(),
            Some(href) => view! { <li>{link(Some(&href), sentence)}</li> }.into_any(),
            None => view! { <li>{sentence}</li> }.into_any(),
        })
        .collect_view();
    let missed = missed.map(|m| {
        let settled = settled_by.map_or_else(|| " No later round made up for it yet.".to_owned(), |n| format!(" #{n} made up for it."));
        view! { <li><span class="badge unofficial">"missed the pin"</span>{format!(" {m}{settled}")}</li> }
    });
    view! { <ul class="plain tight">{missed}{items}</ul> }.into_any()
}
