//! What the run says of itself: changelog, images, facts, where reused rows come from, changes of kind.

use leptos::prelude::*;
use paretoscope_domain::run::{ChangelogEntry, ReuseSource};

use super::Context;
use crate::parts::view::{empty, inner, link, scroller, section as part};
use crate::parts::{Block, words};

fn commit(run: &paretoscope_domain::run::Run, sha: &str) -> Block {
    let hex = (7..=40).contains(&sha.len()) && sha.bytes().all(|b| b.is_ascii_hexdigit());
    let url = hex.then(|| format!("https://github.com/{}/commit/{sha}", run.repo)).filter(|_| run.commit_url.is_some());
    view! { <span title=sha.to_owned()>{link(url.as_deref(), if hex { words::short_sha(sha) } else { sha.to_owned() })}</span> }.into_any()
}

/// The changelog section.
pub(super) fn changelog(c: &Context<'_>) -> Block {
    let entries = &c.detail.changelog;
    if entries.is_empty() {
        return part("changelog", "Changelog", empty("No changelog metadata came with this run's artifacts."));
    }
    let items = entries
        .iter()
        .map(|e| {
            let ChangelogEntry { config_keys, scenario_types, description, pr_link, append_only, evals_only, base_ref, head_ref } = e;
            let keys = config_keys.iter().map(|k| view! { <code>{k.clone()}</code> " " }).collect_view();
            let lines = description.iter().map(|d| view! { <li>{d.clone()}</li> }).collect_view();
            let mut marks: Vec<String> = Vec::new();
            if !scenario_types.is_empty() {
                marks.push(format!("only {}", words::joined(scenario_types)));
            }
            if *append_only {
                marks.push("only adds points".to_owned());
            }
            if *evals_only {
                marks.push("only runs evals".to_owned());
            }
            let marks = (!marks.is_empty()).then(|| view! { <p class="fine">{words::capital(&marks.join("; "))}"."</p> });
            let range = match (base_ref, head_ref) {
                (Some(base), Some(head)) => Some(
                    view! { <p class="fine">"From commit " {commit(&c.detail.run, base)} " to " {commit(&c.detail.run, head)} "."</p> }
                        .into_any(),
                ),
                (None, Some(head)) => Some(view! { <p class="fine">"Up to commit " {commit(&c.detail.run, head)} "."</p> }.into_any()),
                _ => None,
            };
            let pr = pr_link.as_deref().map(|url| view! { <p class="fine">{link(Some(url), url)}</p> });
            view! { <li class="entry"><p>{keys}</p><ul>{lines}</ul>{marks}{range}{pr}</li> }
        })
        .collect_view();
    let run = &c.detail.run;
    let ours = run.pr_number.filter(|_| !run.synthetic && run.repo.eq_ignore_ascii_case(c.repo));
    let all = ours.map(|pr| view! { <p>{inner(format!("/changelog?pr={pr}"), format!("What the changelog says of #{pr}"))}</p> });
    part("changelog", "Changelog", view! { <ul class="entries">{items}</ul> {all} })
}

fn fact(name: &'static str, value: Option<Block>) -> Block {
    let value = value.unwrap_or_else(|| view! { <span class="missing">"not stated"</span> }.into_any());
    view! { <dt>{name}</dt><dd>{value}</dd> }.into_any()
}

fn text(value: Option<&str>) -> Option<Block> {
    value.map(|v| v.to_owned().into_any())
}

fn reuse(r: &ReuseSource) -> Block {
    let ReuseSource { source_run_id, source_attempt, source_url, ingest_run_id, ingest_url, raw } = r;
    let run = |id: Option<paretoscope_domain::RunId>, url: Option<&str>| {
        id.map(|id| view! { {inner(format!("/runs/{id}"), format!("run {id}"))} " (" {link(url, "on GitHub")} ")" }.into_any())
    };
    view! {
        <h3>"Reused rows"</h3>
        <p>"This run did not measure its rows itself: they come from an earlier one."</p>
        <dl class="facts">
            {fact("Measured by", run(*source_run_id, source_url.as_deref()))}
            {fact("Attempt", source_attempt.map(|a| a.to_string().into_any()))}
            {fact("Ingested by", run(*ingest_run_id, ingest_url.as_deref()))}
        </dl>
        <details><summary>"The file"</summary><pre tabindex="0">{raw.clone()}</pre></details>
    }
    .into_any()
}

/// The section on images and provenance.
pub(super) fn section(c: &Context<'_>) -> Block {
    let run = &c.detail.run;
    let images = if run.images.is_empty() {
        empty("The rows state no image.")
    } else {
        let lines = run
            .images
            .iter()
            .map(|image| {
                let n = c.detail.points.iter().filter(|p| p.counts() && p.image.as_deref() == Some(&image.reference) && p.image_digest == image.digest).count();
                let page = words::image_page(&c.detail.run, &image.reference);
                let digest = image.digest.clone().map_or_else(
                    || view! { <td class="missing">"not stated"</td> }.into_any(),
                    |d| view! { <td class="file wrap">{d}</td> }.into_any(),
                );
                view! { <tr><th scope="row" class="file wrap">{link(page.as_deref(), image.reference.clone())}</th>{digest}<td class="n">{words::whole(n)}</td></tr> }
            })
            .collect_view();
        scroller(
            "Images",
            view! {
                <table>
                    <caption class="visually-hidden">"Images that the points ran on"</caption>
                    <thead><tr><th scope="col">"Image"</th><th scope="col">"Digest"</th><th scope="col" class="n">"Points"</th></tr></thead>
                    <tbody>{lines}</tbody>
                </table>
            },
        )
    };
    let keys = (!run.config_keys.is_empty())
        .then(|| run.config_keys.iter().map(|k| view! { <code>{k.clone()}</code> " " }).collect_view().into_any());
    let sha = run.head_sha.as_deref().map(|sha| view! { <span class="file wrap">{link(run.commit_url.as_deref(), sha)}</span> }.into_any());
    let pr = run.pr_number.map(|n| {
        let title = run.pr_title.as_deref().map(|t| format!(" {t}"));
        view! { {crate::parts::view::pull(run, n, format!("#{n}"), None, c.repo)} {title} }.into_any()
    });
    let created = (run.created_at.is_some() || run.date.is_some()).then(|| crate::parts::view::when(run));
    let facts = view! {
        <dl class="facts">
            {fact("Run", Some(link(run.html_url.as_deref(), run.run_id.to_string())))}
            {fact("Name", text(run.name.as_deref()))}
            {fact("Repository", Some(run.repo.clone().into_any()))}
            {fact("Pull request", pr)}
            {fact("Author of the pull request", text(run.pr_author.as_deref()))}
            {fact("Started by", text(run.actor.as_deref()))}
            {fact("Event", text(run.event.as_deref()))}
            {fact("Commit measured", sha)}
            {fact("Branch", text(run.head_branch.as_deref()))}
            {fact("Status", text(run.status.as_deref()))}
            {fact("Conclusion", text(run.conclusion.as_deref()))}
            {fact("Created", created)}
            {fact("Configuration keys", keys)}
            {fact("Last ingested", run.ingested_at.map(|at| words::time_words(at).into_any()))}
        </dl>
    };
    let reused = c.detail.reuse.as_ref().map(reuse);
    let audit = (!c.detail.audit.is_empty()).then(|| {
        let items = c
            .detail
            .audit
            .iter()
            .map(|a| {
                view! { <li><strong>{a.action.clone()}</strong> {format!(": {}. Reason: {} ({}, {})", a.detail.trim_end_matches('.'), a.reason, a.actor, words::time_words(a.at))}</li> }
            })
            .collect_view();
        view! { <h3 id="kind-history">"History of its kind"</h3> <ul class="plain">{items}</ul> }
    });
    let history = c.detail.audit.is_empty().then(|| {
        view! { <p class="fine">{format!("It has been {} since it was first ingested.", run.kind)}</p> }
    });
    part("provenance", "Images and provenance", view! { {images} {facts} {reused} {audit} {history} })
}
