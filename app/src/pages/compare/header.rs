//! Top of the page: what is compared with what, what each is not, and the answer.

use leptos::prelude::*;
use paretoscope_domain::Kind;
use paretoscope_review::compare::{Outcome, RunBrief, SideSummary, Verdict};

use super::{Context, path};
use crate::document::Head;
use crate::pages::run::{notice, standing_prefix};
use crate::parts::view::{badge, inner, link};
use crate::parts::{Block, islands, words};
use crate::view_state::{CompareBase, CompareView, address, write_pairs};

/// `Run 41261902147 against run 40809149952`.
fn title(c: &Context<'_>) -> String {
    format!("{} against {}", words::capital(&c.comparison.head.title), c.comparison.base.title)
}

/// A run in a line: standing, pull request, commit, day.
fn brief(r: &RunBrief) -> Block {
    let pr = r.pr_number.map(|n| format!(", PR #{n}"));
    let commit = r.head_sha.as_deref().map(|sha| {
        let short = words::short_sha(sha);
        view! { ", commit " <span title=sha.to_owned()>{short}</span> }
    });
    let date = match &r.date {
        Some(date) => view! { ", " <time datetime=date.clone()>{words::date_words(date)}</time> }.into_any(),
        None => view! { ", " <span class="missing">"date not known"</span> }.into_any(),
    };
    let ci = r.html_url.as_deref().map(|url| view! { " (" {link(Some(url), "CI")} ")" });
    view! { {inner(format!("/runs/{}", r.run_id), format!("run {}", r.run_id))} " " {badge(r.kind, r.synthetic)} {pr} {commit} {date} {ci} }
        .into_any()
}

/// A side: its runs, and those that are hidden.
fn side(name: &'static str, s: &SideSummary) -> Block {
    let several = s.runs.len() > 1;
    let runs = match s.runs.as_slice() {
        [] => view! { <span class="missing">"no official run has any of these curves"</span> }.into_any(),
        some => some
            .iter()
            .map(|r| {
                let curves = several.then(|| format!(" for {}", words::count(r.curves.len(), "curve", "curves")));
                view! { <span class="side-run">{brief(r)}{curves}</span> }
            })
            .collect_view()
            .into_any(),
    };
    let hidden = s
        .hidden
        .iter()
        .map(|h| view! { <span class="side-run missing">{format!("run {} would have given a curve, but it is hidden", h.run_id)}</span> })
        .collect_view();
    let official = s.official.then(|| {
        let day = s.as_of.as_deref().map_or_else(|| "the newest".to_owned(), |d| format!("as of {}", words::date_words(d)));
        format!("official curve, {day}: ")
    });
    view! { <dt>{name}</dt><dd>{official}{runs}{hidden}</dd> }.into_any()
}

/// What either side is not, once each.
fn bands(c: &Context<'_>) -> Block {
    let synthetic = c.comparison.head.synthetic;
    let kind = |s: &SideSummary| s.runs.iter().map(|r| r.kind).min();
    let (head, base) = (kind(&c.comparison.head), kind(&c.comparison.base));
    let band = |kind: Option<Kind>, who: String| {
        let class = match kind? {
            Kind::Unofficial => "band unofficial",
            Kind::Staged => "band staged",
            Kind::Official => return None,
        };
        let notice = kind?.notice()?;
        Some(view! { <p class=class><strong>{notice}</strong>{who}</p> })
    };
    let both = head == base;
    let whose = |title: &str| format!(" ({title})");
    let head_band = band(head, if both { " (both)".to_owned() } else { whose(&c.comparison.head.title) });
    let base_band = if both { None } else { band(base, whose(&c.comparison.base.title)) };
    view! {
        {head_band}
        {base_band}
        {synthetic.then(|| view! { <p class="band synthetic"><strong>{words::SYNTHETIC}</strong></p> })}
    }
    .into_any()
}

/// Class of the answer's mark.
fn class(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Better => "verdict better",
        Outcome::Worse => "verdict worse",
        Outcome::Mixed => "verdict mixed",
        Outcome::NothingToCompare | Outcome::Same | Outcome::WithinNoise => "verdict",
    }
}

/// The answer: its word, then the rest of the sentence.
fn verdict_line(verdict: &Verdict) -> Block {
    let class = class(verdict.outcome);
    match verdict.sentence.split_once(": ") {
        Some((word, rest)) => view! { <p class=class><strong>{format!("{word}: ")}</strong>{rest.to_owned()}</p> }.into_any(),
        None => view! { <p class=class>{verdict.sentence.clone()}</p> }.into_any(),
    }
}

/// The other way round: only runs can change places.
fn turned(c: &Context<'_>) -> Option<Block> {
    let base = c.comparison.base.run_id.filter(|_| c.comparison.base.run_id != c.comparison.head.run_id)?;
    let head = c.comparison.head.run_id?;
    let view = CompareView { base: CompareBase::Run(head), head: Some(base), hidden: Vec::new(), ..c.view.clone() };
    Some(view! { <a class="reset" href=path(&view)>"Change places"</a> }.into_any())
}

/// Bands, title, sides and the answer.
pub(super) fn header(c: &Context<'_>) -> Block {
    let verdict = &c.comparison.verdict;
    let pairs = c.view.pairs().into_iter().filter(|(k, _)| matches!(k.as_str(), "base" | "head" | "as_of" | "x" | "y")).collect();
    let json = address("/api/v1/compare", &write_pairs(&pairs));
    view! {
        <div id="compared" data-swap="">
            {bands(c)}
            <header class="page-head">
                <div class="title-row">
                    <h1>{title(c)}</h1>
                    <div class="actions">
                        {islands::copy_link()}
                        {turned(c)}
                        <a class="reset" href=json>"JSON"</a>
                    </div>
                </div>
                {verdict_line(verdict)}
                <dl class="sides">
                    {side("Baseline", &c.comparison.base)}
                    {side("Run", &c.comparison.head)}
                </dl>
            </header>
        </div>
    }
    .into_any()
}

/// Head of the document.
pub(super) fn head(c: &Context<'_>) -> Head {
    let run = &c.head.run;
    let notice = notice(run).map(|n| format!("{n}. ")).unwrap_or_default();
    Head {
        title: format!("{}{}", standing_prefix(run), title(c)),
        description: format!("{notice}{}", c.comparison.verdict.sentence),
        path: path(c.view),
        image: Some(format!("/api/v1/runs/{}/preview.png", run.run_id)),
        nav: "/runs",
    }
}
