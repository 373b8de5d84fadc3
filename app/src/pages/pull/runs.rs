//! Runs of the pull request.

use leptos::prelude::*;
use paretoscope_review::timeline::{PullAnswer, PullRun};

use crate::parts::view::{badge, empty, inner, link, missing_cell, scroller, section as part};
use crate::parts::{Block, words};

/// The section.
pub(super) fn section(a: &PullAnswer) -> Block {
    if a.runs.is_empty() {
        return part("runs", "Runs", empty("No run of it is known here. Read the artifacts of one: `paretoscope ingest PATH --run-id N`."));
    }
    let lines = a.runs.iter().map(|r| line(a, r)).collect_view();
    part(
        "runs",
        "Runs",
        scroller(
            "Runs of the pull request",
            view! {
                <table class="wide-table">
                    <caption class="visually-hidden">"Runs of the pull request"</caption>
                    <thead>
                        <tr>
                            <th scope="col">"Run"</th>
                            <th scope="col">"Kind"</th>
                            <th scope="col">"Commit"</th>
                            <th scope="col">"In the pull request"</th>
                            <th scope="col">"Conclusion"</th>
                            <th scope="col">"Attempts"</th>
                            <th scope="col" class="n">"Points"</th>
                            <th scope="col" class="n">"Evals passing"</th>
                            <th scope="col">"Image"</th>
                            <th scope="col">"Date (UTC)"</th>
                        </tr>
                    </thead>
                    <tbody>{lines}</tbody>
                </table>
            },
        ),
    )
}

fn missing(why: &'static str) -> Block {
    view! { <td class="missing">{why}</td> }.into_any()
}

fn line(a: &PullAnswer, run: &PullRun) -> Block {
    let PullRun {
        run_id,
        known,
        kind,
        head_sha,
        in_pull,
        status: _,
        conclusion,
        attempts,
        created_at,
        date,
        point_count,
        failed_count,
        eval_count,
        eval_passing,
        images,
        pinned,
        html_url,
    } = run;
    let pin = pinned.then(|| view! { " " <span class="badge official">"pinned"</span> });
    let name = if *known {
        view! { <th scope="row">{inner(format!("/runs/{run_id}"), run_id.to_string())}{pin}</th> }.into_any()
    } else {
        view! { <th scope="row">{link(html_url.as_deref(), run_id.to_string())}{pin}<small>"never ingested here, or hidden"</small></th> }
            .into_any()
    };
    let kind = match kind {
        Some(kind) => view! { <td>{badge(*kind, false)}</td> }.into_any(),
        None => missing("not known"),
    };
    let commit = match head_sha {
        Some(sha) => {
            let page = format!("https://github.com/{}/commit/{sha}", a.repo);
            view! { <td class="file" title=sha.clone()>{link(Some(&page), words::short_sha(sha))}</td> }.into_any()
        }
        None => missing("not known"),
    };
    let inside = match in_pull {
        Some(true) => view! { <td>"yes"</td> }.into_any(),
        Some(false) => view! { <td><span class="badge failed">"no"</span></td> }.into_any(),
        None => missing("not known"),
    };
    let conclusion = match conclusion {
        Some(word) => view! { <td>{word.clone()}</td> }.into_any(),
        None => missing("not known"),
    };
    let attempts = if attempts.is_empty() {
        missing("not known")
    } else {
        let items = attempts
            .iter()
            .map(|t| {
                let failed =
                    if t.failed_jobs > 0 { format!(", {} failed", words::count(t.failed_jobs, "job", "jobs")) } else { String::new() };
                let text = format!(
                    "{}: {}, {}{failed}",
                    t.attempt,
                    words::count(t.point_count, "point", "points"),
                    words::count(t.eval_count, "eval", "evals")
                );
                view! { <li>{text}</li> }
            })
            .collect_view();
        view! { <td><ul class="plain tight">{items}</ul></td> }.into_any()
    };
    let points = match (point_count, failed_count) {
        (Some(n), failed) => {
            let failed = failed.filter(|f| *f > 0).map(|f| view! { <small>{format!("{} failed", words::whole(f))}</small> });
            view! { <td class="n">{words::whole(*n)}{failed}</td> }.into_any()
        }
        (None, _) => missing_cell("not known"),
    };
    let evals = match (eval_count, eval_passing) {
        (Some(0), _) => missing_cell("no evals"),
        (Some(n), Some(passing)) => view! { <td class="n">{format!("{} of {}", words::whole(*passing), words::whole(*n))}</td> }.into_any(),
        _ => missing_cell("not known"),
    };
    let images = match images.as_slice() {
        [] => missing("not known"),
        many => {
            let items =
                many.iter().map(|i| view! { <li class="file" title=words::full_image(i)>{words::short_image(i)}</li> }).collect_view();
            view! { <td><ul class="plain tight">{items}</ul></td> }.into_any()
        }
    };
    let when = match (created_at, date) {
        (Some(at), _) => {
            view! { <td><time datetime=at.to_string() title=words::time_words(*at)>{words::date_words(&at.to_string())}</time></td> }
                .into_any()
        }
        (None, Some(date)) => view! { <td><time datetime=date.clone()>{words::date_words(date)}</time></td> }.into_any(),
        (None, None) => missing("not known"),
    };
    view! { <tr>{name}{kind}{commit}{inside}{conclusion}{attempts}{points}{evals}{images}{when}</tr> }.into_any()
}
