//! The explorer and the evals page, with the runs that the address asks for.

use std::sync::Arc;

use leptos::prelude::*;
use paretoscope_domain::point::Point;
use paretoscope_domain::run::{Run, RunDetail};

use super::{IdProblem, OverlayPage};
use crate::document::{Head, Site};
use crate::figure::{FigureInput, SeriesRole};
use crate::pages::run::{notice, standing, standing_prefix};
use crate::parts::chart::{Controls, Drawn, chart, controls, series};
use crate::parts::curves::{self, GroupKey};
use crate::parts::points::{columns, rows, table};
use crate::parts::view::{empty, inner, problems, pull, run_path, sentence};
use crate::parts::{Block, evals, islands, runs as list, view, words as say};
use crate::view_state::{OverlayView, address, axes_for};

/// Which of the two pages.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Which {
    Inference,
    Evaluation,
}

impl Which {
    fn path(self) -> &'static str {
        match self {
            Self::Inference => "/inference",
            Self::Evaluation => "/evaluation",
        }
    }

    fn title(self) -> &'static str {
        match self {
            Self::Inference => "Inference",
            Self::Evaluation => "Evaluation",
        }
    }

    fn other(self) -> (Self, &'static str) {
        match self {
            Self::Inference => (Self::Evaluation, "Evals of the same runs"),
            Self::Evaluation => (Self::Inference, "Points of the same runs"),
        }
    }
}

/// One banner per run: what it is not, where it leads, and how to take it off.
fn banners(which: Which, v: &OverlayView, runs: &[Arc<RunDetail>], site: &Site) -> Block {
    runs.iter()
        .map(|d| {
            let run = &d.run;
            let class = match (run.synthetic, run.kind) {
                (true, _) => "band run synthetic",
                (_, paretoscope_domain::Kind::Unofficial) => "band run unofficial",
                (_, paretoscope_domain::Kind::Staged) => "band run staged",
                (_, paretoscope_domain::Kind::Official) => "band run official",
            };
            let text = notice(run).unwrap_or_else(|| "OFFICIAL RUN".to_owned());
            let id = run.run_id.to_string();
            let off = address(which.path(), &v.without(&id).to_query());
            let pr = run.pr_number.map(|n| view! { " · " {pull(run, n, format!("PR #{n}"), None, &site.repo)} });
            view! {
                <li class=class>
                    <strong>{text}</strong>
                    " " {inner(run_path(run), format!("run {id}"))} {pr} " · " {say::run_title(run, &site.words)}
                    " " <a class="remove" href=off aria-label=format!("Take run {id} off")>"take off"</a>
                </li>
            }
        })
        .collect_view()
        .into_any()
}

fn id_problems(list: &[IdProblem]) -> Block {
    if list.is_empty() {
        return ().into_any();
    }
    let items = list
        .iter()
        .map(|p| {
            let IdProblem { id, reason, what_to_do } = p;
            view! { <li><strong>{format!("Run {id}")}</strong> ": " {sentence(reason)} " " {sentence(what_to_do)}</li> }
        })
        .collect_view();
    view! { <div class="notice bad" role="status"><p><strong>"Not every run can be shown."</strong></p><ul>{items}</ul></div> }.into_any()
}

/// Without runs: how to use the page.
fn how_to(which: Which, site: &Site, newest: &[Run], asked: bool) -> Block {
    let path = which.path();
    let newest = if newest.is_empty() && asked {
        view! { <p><a href="/runs">"All runs that are stored"</a></p> }.into_any()
    } else if newest.is_empty() {
        empty("No runs are stored yet: `paretoscope ingest <folder>` reads one, `paretoscope sample` loads the bundled sample.")
    } else {
        view! { <h2>"Newest runs"</h2> {list::table("Newest runs", newest, site)} }.into_any()
    };
    view! {
        <p class="lead">{sentence(&format!("Name the runs to show by their ids, as their addresses on GitHub end: `{path}?unofficialRun=41261902147`. Several ids with commas lay runs over each other."))}</p>
        <form class="controls" method="get" action=path aria-label="Runs to show">
            <label class="field wide"><span>"Run ids"</span><input type="text" name="unofficialRun" inputmode="numeric" autocomplete="off" required=true/></label>
            <button type="submit">"Show"</button>
        </form>
        {newest}
    }
    .into_any()
}

fn head_of(which: Which, v: &OverlayView, runs: &[Arc<RunDetail>], site: &Site) -> Head {
    let (title, description) = match runs {
        [] => (
            which.title().to_owned(),
            format!("{} of benchmark runs by their ids.", if which == Which::Inference { "Pareto frontiers" } else { "Accuracy" }),
        ),
        [one] => {
            let run = &one.run;
            let what = format!("{}{} · {} · run {}", standing_prefix(run), say::run_title(run, &site.words), which.title(), run.run_id);
            (what, notice(run).unwrap_or_else(|| "Official run.".to_owned()))
        }
        many => {
            let official = many.iter().all(|d| d.run.kind == paretoscope_domain::Kind::Official && !d.run.synthetic);
            let prefix = if official { "" } else { "UNOFFICIAL · " };
            let ids = many.iter().map(|d| d.run.run_id.to_string()).collect::<Vec<_>>().join(", ");
            (format!("{prefix}{} · runs {ids}", which.title()), format!("{} laid over each other.", say::count(many.len(), "run", "runs")))
        }
    };
    Head {
        title,
        description,
        path: address(which.path(), &v.to_query()),
        image: runs.first().map(|d| format!("/api/v1/runs/{}/preview.png", d.run.run_id)),
        nav: which.path(),
    }
}

fn frame(
    which: Which,
    site: &Site,
    page: OverlayPage,
    content: impl FnOnce(&OverlayView, &[Arc<RunDetail>], &mut Vec<String>) -> Block,
) -> (Head, Block) {
    let OverlayPage { view: v, runs, problems: bad_ids, parameter_problems: mut bad, newest } = page;
    let head = head_of(which, &v, &runs, site);
    let shown = if runs.is_empty() { how_to(which, site, &newest, !v.ids.is_empty()) } else { content(&v, &runs, &mut bad) };
    let banners = (!runs.is_empty()).then(|| view! { <ul class="bands" aria-label="Runs shown">{banners(which, &v, &runs, site)}</ul> });
    let (other, text) = which.other();
    let across = (!runs.is_empty()).then(|| {
        view! { <div class="actions"><a href=address(other.path(), &v.to_query())>{text}</a>{islands::copy_link()}</div> }
    });
    let body = view! {
        {banners}
        <header class="page-head"><div class="title-row"><h1>{which.title()}</h1>{across}</div></header>
        {id_problems(&bad_ids)}
        {problems(&bad)}
        {shown}
    };
    (head, body.into_any())
}

pub(crate) fn inference(site: &Site, page: OverlayPage) -> (Head, Block) {
    frame(Which::Inference, site, page, |v, runs, bad| explorer(site, v, runs, bad))
}

fn explorer(site: &Site, v: &OverlayView, runs: &[Arc<RunDetail>], bad: &mut Vec<String>) -> Block {
    let words = &site.words;
    let groups = curves::groups(runs.iter().flat_map(|d| &d.points));
    let (group, unmatched) = curves::chosen(&groups, v.model.as_deref(), v.scenario, words);
    bad.extend(unmatched);
    let Some(group) = group else {
        return empty("These runs hold no points, so there is nothing to draw. Each run's own page says what became of its rows.");
    };
    let axes = axes_for(v.x.as_deref(), v.y.as_deref(), group.scenario);
    let mut members: Vec<(&Run, Vec<Point>)> = runs.iter().map(|d| (&d.run, curves::members(&d.points, &group).into_owned())).collect();
    if !v.precisions.is_empty() {
        let wanted = |p: &Point| v.precisions.contains(&p.precision);
        if members.iter().any(|(_, points)| points.iter().any(wanted)) {
            members.iter_mut().for_each(|(_, points)| points.retain(wanted));
        } else {
            bad.push(format!("No point here has precision {}, so precisions don't narrow the chart.", v.precisions.join(" or ")));
        }
    }
    let several = runs.len() > 1;
    let drawn: Vec<Drawn<'_>> = members
        .iter()
        .map(|(run, points)| Drawn {
            prefix: if several { run.run_id.to_string() } else { String::new() },
            name: if several { format!("run {}", run.run_id) } else { String::new() },
            role: if several { SeriesRole::Overlay } else { SeriesRole::Head },
            curves: curves::on(points, &axes, words),
            points,
            note: standing(run),
        })
        .collect();
    let mut input = FigureInput::new(group.title(words), axes.clone(), series(drawn, words));
    (input.log_x, input.log_y, input.optimal_only) = (v.log_x, v.log_y, v.optimal);
    input.hidden.clone_from(&v.hidden);
    let mut notices: Vec<String> = runs.iter().filter_map(|d| notice(&d.run)).collect();
    notices.dedup();
    input.notice = (!notices.is_empty()).then(|| notices.join(" · "));
    let href = |keys: &[&str]| address("/inference", &v.hiding(keys).to_query());
    let figure = chart(input, group.title(words), &href);
    let pool: Vec<Point> = members.iter().flat_map(|(_, points)| points.iter().cloned()).collect();
    let form = controls(Controls {
        action: "/inference".to_owned(),
        axes: &axes,
        log_x: v.log_x,
        log_y: v.log_y,
        optimal: v.optimal,
        pairs: v.pairs(),
        points: &pool,
        whose: if several { "these runs'" } else { "this run's" },
        more: None,
        more_names: &[],
    });
    let columns = columns(&axes, group.scenario);
    let tables = members
        .iter()
        .map(|(run, points)| {
            let on = curves::on(points, &axes, words);
            let lines = rows(points, &on, &axes, &columns, None);
            let title = several.then(
                || view! { <h3>{inner(run_path(run), format!("Run {}", run.run_id))} " " {view::badge(run.kind, run.synthetic)}</h3> },
            );
            let body = if lines.is_empty() {
                empty(&format!("Run {} has no points of {}.", run.run_id, group.title(words)))
            } else {
                table(format!("Points of run {}", run.run_id), &columns, &lines, None, words)
            };
            view! { {title} {body} }
        })
        .collect_view();
    let tabs = (groups.len() > 1).then(|| tabs(v, &groups, &group, site));
    view! {
        <section id="frontiers" aria-labelledby="frontiers-title">
            <h2 id="frontiers-title" class="visually-hidden">"Pareto chart and points"</h2>
            {tabs}
            {form}
            {islands::chart()}
            <div class="split">
                <div class="split-chart">{figure}</div>
                <div id="points" class="split-table" data-swap="">{tables}</div>
            </div>
        </section>
    }
    .into_any()
}

fn tabs(v: &OverlayView, groups: &[GroupKey], group: &GroupKey, site: &Site) -> Block {
    let links = groups
        .iter()
        .map(|g| {
            let same = g.scenario == group.scenario;
            let view = OverlayView {
                model: Some(g.model.clone()),
                scenario: Some(g.scenario),
                x: v.x.clone().filter(|_| same),
                hidden: Vec::new(),
                ..v.clone()
            };
            let current = (g == group).then_some("page");
            view! { <li><a href=address("/inference", &view.to_query()) aria-current=current>{g.title(&site.words)}</a></li> }
        })
        .collect_view();
    view! { <nav id="groups" class="tabs" data-swap="" aria-label="Model and scenario"><ul>{links}</ul></nav> }.into_any()
}

pub(crate) fn evaluation(site: &Site, page: OverlayPage) -> (Head, Block) {
    frame(Which::Evaluation, site, page, |v, runs, bad| {
        let has = |task: &str| runs.iter().any(|d| d.evals.iter().any(|e| e.task == task));
        let task = v.task.as_deref().filter(|t| has(t));
        if let (Some(asked), None) = (&v.task, task) {
            bad.push(format!("No run here has evals of the task {asked}, so all tasks are shown."));
        }
        runs.iter()
            .map(|d| {
                let mut mine = evals::counting(&d.evals);
                mine.retain(|e| task.is_none_or(|t| e.task == t));
                let id = d.run.run_id;
                let line = evals::headline(&mine).map(|h| view! { <p><strong>{h}</strong> ". " {evals::sentence(&mine)}</p> });
                let body = if mine.is_empty() {
                    empty(&format!("Run {id} has no evals: none of its artifacts holds eval rows."))
                } else {
                    evals::table(format!("Evals of run {id}"), &mine, false)
                };
                view! {
                    <section aria-labelledby=format!("run-{id}")>
                        <h2 id=format!("run-{id}")>{inner(run_path(&d.run), format!("Run {id}"))} " " {view::badge(d.run.kind, d.run.synthetic)}</h2>
                        {line}
                        {body}
                    </section>
                }
            })
            .collect_view()
            .into_any()
    })
}
