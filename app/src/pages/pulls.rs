//! The list of pull requests.

use leptos::prelude::*;
use paretoscope_domain::pull::PullState;
use paretoscope_review::CheckStatus;

use super::{PullListItem, PullsPage};
use crate::document::{Head, Site};
use crate::parts::checks::mark;
use crate::parts::view::{empty, inner, link, problems, scroller};
use crate::parts::{Block, words};
use crate::view_state::{PullsState, PullsView, address};

/// State of a pull request as a word with a shape.
pub(crate) fn state_badge(state: Option<PullState>, draft: bool) -> Block {
    let (class, text) = match (state, draft) {
        (Some(PullState::Open), true) => ("badge draft", "draft"),
        (Some(PullState::Open), false) => ("badge open", "open"),
        (Some(PullState::Merged), _) => ("badge official", "merged"),
        (Some(PullState::Closed), _) => ("badge", "closed"),
        (None, _) => ("badge unread", "not imported"),
    };
    view! { <span class=class>{text}</span> }.into_any()
}

fn filters(view: &PullsView) -> Block {
    let chosen = view.state;
    let states = PullsState::ALL
        .map(|s| view! { <option value=s.as_str() selected=chosen == Some(s)>{s.title()}</option> })
        .into_iter()
        .collect_view();
    let unseen = view.rest.iter().map(|(k, v)| view! { <input type="hidden" name=k.clone() value=v.clone()/> }).collect_view();
    view! {
        <form id="filters" class="controls" method="get" action="/pulls" role="search" aria-label="Pull requests">
            <label class="field"><span>"Search"</span><input type="search" name="q" value=view.q.clone().unwrap_or_default() autocomplete="off"/></label>
            <label class="field"><span>"State"</span><select name="state"><option value="" selected=chosen.is_none()>"all"</option>{states}</select></label>
            {unseen}
            <button type="submit">"Show"</button>
            {view.is_filtered().then(|| view! { <a class="reset" href="/pulls">"Clear"</a> })}
        </form>
    }
    .into_any()
}

/// How many checks gave which answer: what is not in order first.
fn summary(checks: &[(CheckStatus, usize)]) -> Block {
    use CheckStatus::{Fail, NeedsHuman, NotApplicable, Pass, Warn};
    let shown = [Fail, Warn, NeedsHuman, Pass, NotApplicable]
        .into_iter()
        .filter_map(|status| {
            let n = checks.iter().find(|(s, _)| *s == status).map(|(_, n)| *n).filter(|n| *n > 0)?;
            Some(view! { <li>{mark(status)}" "{status.title()}" "<strong>{words::whole(n)}</strong></li> })
        })
        .collect_view();
    view! { <ul class="check-counts">{shown}</ul> }.into_any()
}

fn line(item: PullListItem) -> Block {
    let PullListItem { number, title, state, draft, author, url, pinned, pinned_known, runs, checks, updated_at, retold } = item;
    let path = format!("/pulls/{number}");
    let title = if title.is_empty() {
        view! { <td class="wrap missing">"title not told"</td> }.into_any()
    } else {
        let retold = retold.then(|| view! { <small>"retold, not GitHub's payload"</small> });
        view! { <td class="wrap">{title}{retold}</td> }.into_any()
    };
    let author =
        if author.is_empty() { view! { <td class="missing">"not told"</td> }.into_any() } else { view! { <td>{author}</td> }.into_any() };
    let pinned = match pinned {
        Some(run) if pinned_known => view! { <td>{inner(format!("/runs/{run}"), run.to_string())}</td> }.into_any(),
        Some(run) => view! { <td>{run.to_string()}<small>"not known here"</small></td> }.into_any(),
        None => view! { <td class="missing">"none"</td> }.into_any(),
    };
    let checks = match checks {
        Some(counts) => view! { <td>{summary(&counts)}</td> }.into_any(),
        None => view! { <td class="missing">"can't be decided: not imported"</td> }.into_any(),
    };
    let updated = match updated_at {
        Some(at) => {
            view! { <td><time datetime=at.to_string() title=words::time_words(at)>{words::date_words(&at.to_string())}</time></td> }
                .into_any()
        }
        None => view! { <td class="missing">"not told"</td> }.into_any(),
    };
    view! {
        <tr>
            <th scope="row">{inner(path, format!("#{number}"))}</th>
            {title}
            <td>{state_badge(state, draft)}</td>
            {author}
            {pinned}
            <td class="n">{words::whole(runs)}</td>
            {checks}
            {updated}
            <td>{link(Some(&url), "GitHub")}</td>
        </tr>
    }
    .into_any()
}

pub(crate) fn pulls(_site: &Site, page: PullsPage) -> (Head, Block) {
    let PullsPage { view, items, total, next, problems: bad } = page;
    let found = words::count(total, "pull request", "pull requests");
    let head = Head {
        title: "Pull requests".to_owned(),
        description: format!("{}: pinned runs, checks, what is missing before the merge.", words::capital(&found)),
        path: address("/pulls", &view.to_query()),
        image: None,
        nav: "/pulls",
    };
    let shown = if items.len() < total { format!("{} of {found}", words::whole(items.len())) } else { found };
    let table = if items.is_empty() && view.is_filtered() {
        view! {
            <div class="empty">
                <p>"No pull request passes both filters."</p>
                <p><a href="/pulls">"Show all pull requests"</a></p>
            </div>
        }
        .into_any()
    } else if items.is_empty() {
        empty(
            "No pull requests yet, and no run names one. Read saved payloads: `paretoscope pulls import FILE…`, or load the bundled sample: `paretoscope sample`.",
        )
    } else {
        let lines = items.into_iter().map(line).collect_view();
        scroller(
            "Pull requests",
            view! {
                <table class="wide-table pulls">
                    <caption class="visually-hidden">"Pull requests"</caption>
                    <thead>
                        <tr>
                            <th scope="col">"Number"</th>
                            <th scope="col">"Title"</th>
                            <th scope="col">"State"</th>
                            <th scope="col">"Author"</th>
                            <th scope="col">"Pinned run"</th>
                            <th scope="col" class="n">"Runs"</th>
                            <th scope="col">"Checks"</th>
                            <th scope="col">"Updated (UTC)"</th>
                            <th scope="col">"Page"</th>
                        </tr>
                    </thead>
                    <tbody>{lines}</tbody>
                </table>
            },
        )
    };
    let first = view.cursor.is_some().then(|| {
        let href = address("/pulls", &view.at(None).to_query());
        view! { <a href=href rel="first">"First page"</a> }
    });
    let next = next.map(|cursor| {
        let href = address("/pulls", &view.at(Some(cursor)).to_query());
        view! { <a href=href rel="next">"Next page"</a> }
    });
    let pages =
        (first.is_some() || next.is_some()).then(|| view! { <nav class="pages" aria-label="Pages of the list">{first}{next}</nav> });
    let body = view! {
        <header class="page-head">
            <h1>"Pull requests"</h1>
            <p class="meta">{shown}</p>
        </header>
        {problems(&bad)}
        {filters(&view)}
        {table}
        {pages}
    };
    (head, body.into_any())
}
