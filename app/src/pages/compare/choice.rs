//! What to compare with what: the baseline's menu, and the page where there is nothing to compare yet.

use leptos::prelude::*;
use paretoscope_domain::run::Run;

use super::{Context, path};
use crate::document::{Head, Site};
use crate::pages::IdProblem;
use crate::parts::view::{bands, empty, inner, problems, run_path, sentence};
use crate::parts::{Block, runs as list, words};
use crate::view_state::{CompareBase, CompareView};

/// `run 40809149952 (unofficial, 29 Oct 2026)`.
fn option_text(run: &Run) -> String {
    let date = run.date.as_deref().map(words::date_words).map(|d| format!(", {d}")).unwrap_or_default();
    format!("run {} ({}{date})", run.run_id, run.kind)
}

/// The menu of baselines and the day of the official curve: the baseline is always named, and can always be changed.
pub(super) fn fields(c: &Context<'_>) -> Block {
    let head = &c.head.run;
    base_fields(c.view, head, c.candidates)
}

fn base_fields(view: &CompareView, head: &Run, candidates: &[Run]) -> Block {
    let chosen = match view.base {
        CompareBase::Auto => String::new(),
        CompareBase::Official => "official".to_owned(),
        CompareBase::Run(id) => id.to_string(),
    };
    let rule = head.baseline_run_id.map_or_else(|| "by the rule: none".to_owned(), |id| format!("run {id} (by the rule)"));
    let mut listed = vec![(String::new(), rule), ("official".to_owned(), "the official curve".to_owned())];
    listed.extend(candidates.iter().filter(|r| r.run_id != head.run_id).map(|r| (r.run_id.to_string(), option_text(r))));
    if !listed.iter().any(|(value, _)| *value == chosen) {
        listed.push((chosen.clone(), format!("run {chosen}")));
    }
    let options = listed
        .into_iter()
        .map(|(value, text)| {
            let selected = value == chosen;
            view! { <option value=value selected=selected>{text}</option> }
        })
        .collect_view();
    let day = view.as_of.map(|d| d.to_string()).unwrap_or_default();
    view! {
        <label class="field"><span>"Baseline"</span><select name="base">{options}</select></label>
        <label class="field"><span>"Official curve as of"</span><input type="date" name="as_of" value=day/></label>
    }
    .into_any()
}

/// No run was asked for: how to use the page.
pub(super) fn nothing(site: &Site, view: &CompareView, newest: &[Run], bad: &[String]) -> (Head, Block) {
    let newest = if newest.is_empty() {
        empty("No runs are stored yet: `paretoscope ingest <folder>` reads one, `paretoscope sample` loads the bundled sample.")
    } else {
        view! { <h2>"Newest runs"</h2> {list::table("Newest runs", newest, site)} }.into_any()
    };
    let base = match view.base {
        CompareBase::Run(id) => id.to_string(),
        CompareBase::Official => "official".to_owned(),
        CompareBase::Auto => String::new(),
    };
    let body = view! {
        <header class="page-head"><div class="title-row"><h1>"Compare"</h1></div></header>
        {problems(bad)}
        <p class="lead">{sentence("Name a run and what to compare it with, by their ids, as their addresses on GitHub end: `/compare?base=40809149952&head=41261902147`. The baseline `official` is the official curve, newest or as of a day; without one the run's own baseline is taken.")}</p>
        <form class="controls" method="get" action="/compare" aria-label="Runs to compare">
            <label class="field"><span>"Baseline"</span><input type="text" name="base" value=base autocomplete="off" placeholder="official"/></label>
            <label class="field"><span>"Run"</span><input type="text" name="head" inputmode="numeric" autocomplete="off" required=true/></label>
            <button type="submit">"Compare"</button>
        </form>
        {newest}
    };
    let head = Head {
        title: "Compare".to_owned(),
        description: "Two benchmark runs, or a run and the official curve, against each other.".to_owned(),
        path: path(view),
        image: None,
        nav: "/runs",
    };
    (head, body.into_any())
}

/// The run may be there, but nothing to compare it with.
pub(super) fn refused(
    _site: &Site,
    view: &CompareView,
    head: Option<&Run>,
    ids: &[IdProblem],
    why: Option<&str>,
    candidates: &[Run],
    bad: &[String],
) -> (Head, Block) {
    let items = ids
        .iter()
        .map(|p| view! { <li><strong>{format!("Run {}", p.id)}</strong> ": " {sentence(&p.reason)} " " {sentence(&p.what_to_do)}</li> })
        .collect_view();
    let ids = (!ids.is_empty()).then(|| {
        view! { <div class="notice bad" role="status"><p><strong>"Nothing can be compared."</strong></p><ul>{items}</ul></div> }
    });
    let why = why.map(|w| view! { <div class="notice" role="status"><p>{sentence(w)}</p></div> });
    let form = match head {
        Some(run) => view! {
            <p>"Choose another baseline for " {inner(run_path(run), format!("run {}", run.run_id))} ":"</p>
            <form class="controls" method="get" action="/compare" aria-label="Baseline">
                {base_fields(view, run, candidates)}
                <input type="hidden" name="head" value=run.run_id.to_string()/>
                <button type="submit">"Compare"</button>
            </form>
        }
        .into_any(),
        None => view! { <p><a href="/runs">"See all runs"</a></p> }.into_any(),
    };
    let title = head.map_or_else(|| "Compare".to_owned(), |run| format!("Compare run {}", run.run_id));
    let body = view! {
        {head.map(bands)}
        <header class="page-head"><div class="title-row"><h1>{title.clone()}</h1></div></header>
        {problems(bad)}
        {ids}
        {why}
        {form}
    };
    let description = "These runs can't be compared; the page says why.".to_owned();
    (Head { title, description, path: path(view), image: None, nav: "/runs" }, body.into_any())
}
