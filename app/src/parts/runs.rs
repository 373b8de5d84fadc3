//! Runs as a table: the list, the newest on the first page.

use leptos::prelude::*;
use paretoscope_domain::run::Run;

use super::Block;
use super::view::{badge, day, inner, link, missing_cell, pull, run_path, scroller};
use super::words;
use crate::document::Site;

/// A table of runs.
pub(crate) fn table(caption: &str, runs: &[Run], site: &Site) -> Block {
    let lines = runs.iter().map(|run| line(run, site)).collect_view();
    scroller(
        caption.to_owned(),
        view! {
            <table class="runs">
                <caption class="visually-hidden">{caption.to_owned()}</caption>
                <thead>
                    <tr>
                        <th scope="col">"Run"</th>
                        <th scope="col">"Kind"</th>
                        <th scope="col">"What it measured"</th>
                        <th scope="col">"Pull request"</th>
                        <th scope="col">"Commit"</th>
                        <th scope="col" class="n">"Points"</th>
                        <th scope="col" class="n">"Evals passing"</th>
                        <th scope="col">"Date (UTC)"</th>
                    </tr>
                </thead>
                <tbody>{lines}</tbody>
            </table>
        },
    )
}

fn line(run: &Run, site: &Site) -> Block {
    let pr = match run.pr_number {
        Some(n) => view! { <td title=run.pr_title.clone()>{pull(run, n, format!("#{n}"), None, &site.repo)}</td> }.into_any(),
        None => view! { <td class="missing" title="no pull request is known">{words::MISSING}</td> }.into_any(),
    };
    let commit = match &run.head_sha {
        Some(sha) => view! { <td class="file" title=sha.clone()>{link(run.commit_url.as_deref(), words::short_sha(sha))}</td> }.into_any(),
        None => view! { <td class="missing" title="no commit is known">{words::MISSING}</td> }.into_any(),
    };
    let failed = (run.failed_count > 0).then(|| view! { <small>{format!("{} failed", words::whole(run.failed_count))}</small> });
    let evals = if run.eval_count == 0 {
        missing_cell("no evals")
    } else {
        view! { <td class="n">{format!("{} of {}", words::whole(run.eval_passing), words::whole(run.eval_count))}</td> }.into_any()
    };
    let name = words::run_title(run, &site.words);
    view! {
        <tr>
            <th scope="row">{inner(run_path(run), run.run_id.to_string())}</th>
            <td>{badge(run.kind, run.synthetic)}</td>
            <td title=run.name.clone()>{name}</td>
            {pr}
            {commit}
            <td class="n">{words::whole(run.point_count)}{failed}</td>
            {evals}
            <td>{day(run)}</td>
        </tr>
    }
    .into_any()
}
