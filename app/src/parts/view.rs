//! Small pieces of markup: links, numbers in tables, notices, sections.

use leptos::prelude::*;
use paretoscope_domain::Kind;
use paretoscope_domain::metric::Metric;
use paretoscope_domain::run::{Run, RunDetail};

use super::Block;
use super::words::{self, MISSING, SYNTHETIC};

/// A link out, where the address may be linked; else its text alone.
pub(crate) fn link(url: Option<&str>, text: impl Into<String>) -> Block {
    let text = text.into();
    match url.and_then(words::https) {
        Some(href) => view! { <a href=href rel="noopener">{text}</a> }.into_any(),
        None => view! { <span>{text}</span> }.into_any(),
    }
}

/// A link within the site.
pub(crate) fn inner(href: String, text: impl Into<String>) -> Block {
    view! { <a href=href>{text.into()}</a> }.into_any()
}

/// A run's pull request: its page here, who wrote it, GitHub's page. Of another repository only the latter; a synthetic run's is
/// a name.
pub(crate) fn pull(run: &Run, number: i64, text: String, author: Option<String>, repo: &str) -> Block {
    if run.synthetic || !run.repo.eq_ignore_ascii_case(repo) {
        return view! { {link(run.pr_url.as_deref(), text)}{author} }.into_any();
    }
    let github = run.pr_url.as_deref().and_then(words::https).map(|href| {
        view! { " " <a class="github" href=href rel="noopener" aria-label=format!("#{number} on GitHub")>"GitHub"</a> }
    });
    view! { <a href=format!("/pulls/{number}")>{text}</a>{author}{github} }.into_any()
}

/// A sentence whose parts between backquotes are code.
pub(crate) fn sentence(text: &str) -> Block {
    text.split('`')
        .enumerate()
        .filter(|(_, part)| !part.is_empty())
        .map(|(i, part)| {
            let part = part.to_owned();
            if i % 2 == 1 { view! { <code>{part}</code> }.into_any() } else { part.into_any() }
        })
        .collect_view()
        .into_any()
}

/// A cell with a measured number: short for people, exact on hover; a dash with the reason where there is none.
pub(crate) fn number(metric: &Metric, value: Option<f64>, missing: &str) -> Block {
    match value {
        Some(v) => view! { <td class="n" title=words::exact(v) data-value=words::exact(v)>{words::value(metric, v)}</td> }.into_any(),
        None => missing_cell(missing),
    }
}

/// A cell with a number already written, and its exact form.
pub(crate) fn written(text: String, exact: Option<String>) -> Block {
    view! { <td class="n" title=exact>{text}</td> }.into_any()
}

/// An empty cell that says why it is empty.
pub(crate) fn missing_cell(why: &str) -> Block {
    view! { <td class="n missing" title=why.to_owned()>{MISSING}<span class="visually-hidden">{format!(" ({why})")}</span></td> }.into_any()
}

/// A count in a table.
pub(crate) fn count_cell(n: u64) -> Block {
    // Display only: counts stay far below 2^53.
    view! { <td class="n">{paretoscope_domain::format::fixed(n as f64, 0)}</td> }.into_any()
}

/// A table's head: name, unit under it, right-aligned; sorts the table where that makes sense.
pub(crate) fn metric_head(metric: &Metric, sorts: bool) -> Block {
    let unit = metric.unit.symbol();
    let sort = sorts.then_some("num");
    view! { <th scope="col" class="n" data-sort=sort title=metric.name.clone()>{words::column(metric)}<small>{unit}</small></th> }
        .into_any()
}

/// A region that scrolls sideways by itself, reachable by keyboard.
pub(crate) fn scroller(label: impl Into<String>, content: impl IntoView + 'static) -> Block {
    let label: String = label.into();
    view! { <div class="scroll" role="region" aria-label=format!("{label}, table") tabindex="0">{content.into_any()}</div> }.into_any()
}

/// A section of a page with an anchor of its own.
pub(crate) fn section(id: &'static str, title: impl Into<String>, content: impl IntoView + 'static) -> Block {
    let heading = format!("{id}-title");
    let label = heading.clone();
    view! {
        <section id=id aria-labelledby=label>
            <h2 id=heading>{title.into()}</h2>
            {content.into_any()}
        </section>
    }
    .into_any()
}

/// A section that the chart's controls change.
pub(crate) fn swapped_section(id: &'static str, title: impl Into<String>, content: impl IntoView + 'static) -> Block {
    let heading = format!("{id}-title");
    let label = heading.clone();
    view! {
        <section id=id data-swap="" aria-labelledby=label>
            <h2 id=heading>{title.into()}</h2>
            {content.into_any()}
        </section>
    }
    .into_any()
}

/// Why something is empty, and what to do.
pub(crate) fn empty(text: &str) -> Block {
    view! { <p class="empty">{sentence(text)}</p> }.into_any()
}

/// Kind of a run as a word with a shape.
pub(crate) fn badge(kind: Kind, synthetic: bool) -> Block {
    let (class, text) = match kind {
        Kind::Unofficial => ("badge unofficial", "unofficial"),
        Kind::Staged => ("badge staged", "staged"),
        Kind::Official => ("badge official", "official"),
    };
    view! {
        <span class=class>{text}</span>
        {synthetic.then(|| view! { " " <span class="badge synthetic">"synthetic"</span> })}
    }
    .into_any()
}

/// The bands across the top of a run's page: what it is not.
pub(crate) fn bands(run: &Run) -> Block {
    let kind = match run.kind {
        Kind::Unofficial => Some("band unofficial"),
        Kind::Staged => Some("band staged"),
        Kind::Official => None,
    };
    let notice = kind.zip(run.kind.notice());
    let purge = run
        .purged
        .as_ref()
        .map(|p| format!("PURGED: hidden from every curve since {} by {}. Reason: {}", words::time_words(p.at), p.actor, p.reason));
    view! {
        {notice.map(|(class, text)| view! { <p class=class><strong>{text}</strong></p> })}
        {run.synthetic.then(|| view! { <p class="band synthetic"><strong>{SYNTHETIC}</strong></p> })}
        {purge.map(|text| view! { <p class="band purged"><strong>{text}</strong></p> })}
    }
    .into_any()
}

/// When a run was created, as far as it is known.
pub(crate) fn when(run: &Run) -> Block {
    match (run.created_at, run.date.as_deref()) {
        (Some(at), _) => view! { <time datetime=at.to_string()>{words::time_words(at)}</time> }.into_any(),
        (None, Some(date)) => view! { <time datetime=date.to_owned()>{words::date_words(date)}</time> }.into_any(),
        (None, None) => view! { <span class="missing">"date not known"</span> }.into_any(),
    }
}

/// The day of a run, for a list.
pub(crate) fn day(run: &Run) -> Block {
    let date = run.date.clone().or_else(|| run.created_at.map(|at| at.to_string()));
    match date {
        Some(date) => {
            let exact = run.created_at.map(words::time_words);
            let words = words::date_words(&date);
            view! { <time datetime=date title=exact>{words}</time> }.into_any()
        }
        None => view! { <span class="missing">"not known"</span> }.into_any(),
    }
}

/// Problems with parameters or ids, in words.
pub(crate) fn problems(list: &[String]) -> Block {
    if list.is_empty() {
        return ().into_any();
    }
    let items = list.iter().map(|text| view! { <li>{sentence(text)}</li> }).collect_view();
    view! {
        <div class="notice" role="status">
            <p><strong>"Not all of the address could be used."</strong></p>
            <ul>{items}</ul>
        </div>
    }
    .into_any()
}

/// Address of a run's page.
pub(crate) fn run_path(run: &Run) -> String {
    format!("/runs/{}", run.run_id)
}

/// Links to one run's points as files.
pub(crate) fn exports(detail: &RunDetail, chart_query: &str) -> Block {
    let base = format!("/api/v1/runs/{}", detail.run.run_id);
    let links = [
        ("CSV", format!("{base}/points.csv")),
        ("Markdown", format!("{base}/points.md")),
        ("JSON", format!("{base}/points")),
        ("Chart as SVG", crate::view_state::address(&format!("{base}/chart.svg"), chart_query)),
        ("Preview image", format!("{base}/preview.png")),
    ];
    let items = links.into_iter().map(|(text, href)| view! { <li><a href=href>{text}</a></li> }).collect_view();
    view! { <ul class="exports" aria-label="Export">{items}</ul> }.into_any()
}
