//! Both frontiers in one chart, who came and who went, and what lies under them.

use leptos::prelude::*;
use paretoscope_domain::format::percent_change;
use paretoscope_domain::metric::Metric;
use paretoscope_review::compare::{CurveComparison, Move};

use super::{Context, choice, path};
use crate::figure::{FigureInput, SeriesRole};
use crate::pages::run::{notice, standing};
use crate::parts::chart::{Controls, Drawn, chart, controls, series, short_title};
use crate::parts::curves::{self, GroupKey};
use crate::parts::view::empty;
use crate::parts::{Block, words};
use crate::view_state::CompareView;

/// The section: controls, chart, and what it says; what stands beside the chart comes before that.
pub(super) fn section(c: &Context<'_>, groups: &[GroupKey], beside: Option<Block>) -> Block {
    let Some(group) = &c.group else {
        return empty(
            "Neither side holds points, so there is nothing to draw or to compare. Each run's own page says what became of its rows.",
        );
    };
    let heads = curves::members(&c.head.points, group);
    let bases = curves::members(c.base.points(), group);
    let mut pool = heads.to_vec();
    pool.extend(bases.iter().cloned());
    let form = controls(Controls {
        action: "/compare".to_owned(),
        axes: &c.axes,
        log_x: c.view.log_x,
        log_y: c.view.log_y,
        optimal: c.view.optimal,
        pairs: c.view.pairs(),
        points: &pool,
        whose: "either side's",
        more: Some(choice::fields(c)),
        more_names: &["base", "as_of"],
    });
    let drawn = vec![
        Drawn {
            prefix: String::new(),
            name: c.comparison.head.title.clone(),
            role: SeriesRole::Head,
            curves: curves::on(&heads, &c.axes, c.words),
            points: &heads,
            note: standing(&c.head.run),
        },
        Drawn {
            prefix: "baseline".to_owned(),
            name: c.comparison.base.title.clone(),
            role: SeriesRole::Baseline,
            curves: curves::on(&bases, &c.axes, c.words),
            points: &bases,
            note: match c.base {
                super::BasePoints::Run(detail) => standing(&detail.run),
                super::BasePoints::Official(_) => None,
            },
        },
    ];
    let mut input = FigureInput::new(group.title(c.words), c.axes.clone(), series(drawn, c.words));
    (input.log_x, input.log_y, input.optimal_only) = (c.view.log_x, c.view.log_y, c.view.optimal);
    input.hidden.clone_from(&c.view.hidden);
    input.notice = notice(&c.head.run);
    let caption = format!("{}; {} is dashed", group.title(c.words), c.comparison.base.title);
    let figure = chart(input, caption, &|keys: &[&str]| path(&c.view.hiding(keys)));
    view! {
        <section id="frontiers" aria-labelledby="frontiers-title">
            <h2 id="frontiers-title" class="visually-hidden">"Frontiers"</h2>
            {tabs(c, groups, group)}
            {form}
            <div class="split">
                <div class="split-chart">{figure}</div>
                <div class="split-table">{beside}<div id="frontier-facts" data-swap="">{facts(c, group)}</div></div>
            </div>
        </section>
    }
    .into_any()
}

/// Links between the charts where there are several models or scenarios.
fn tabs(c: &Context<'_>, groups: &[GroupKey], group: &GroupKey) -> Block {
    let links = groups
        .iter()
        .map(|g| {
            let same = g.scenario == group.scenario;
            let view = CompareView {
                model: Some(g.model.clone()),
                scenario: Some(g.scenario),
                x: c.view.x.clone().filter(|_| same),
                hidden: Vec::new(),
                ..c.view.clone()
            };
            let current = (g == group).then_some("page");
            view! { <li><a href=path(&view) aria-current=current>{g.title(c.words)}</a></li> }
        })
        .collect_view();
    let links = (groups.len() > 1).then(|| view! { <nav class="tabs" aria-label="Model and scenario"><ul>{links}</ul></nav> });
    // Always there, so that the page has the same parts whatever it compares.
    view! { <div id="groups" data-swap="">{links}</div> }.into_any()
}

/// What the frontiers say, curve by curve.
fn facts(c: &Context<'_>, group: &GroupKey) -> Block {
    let mine: Vec<&CurveComparison> =
        c.comparison.curves.iter().filter(|k| k.key.model == group.model && k.key.scenario == group.scenario).collect();
    let several = mine.len() > 1;
    let blocks = mine
        .iter()
        .map(|curve| {
            let title = several.then(|| view! { <h3>{short_title(&curve.key, c.words)}</h3> });
            view! { {title} {one(curve, c)} }
        })
        .collect_view();
    view! { <h2 class="facts-title">"Frontier against frontier"</h2> {blocks} }.into_any()
}

fn one(curve: &CurveComparison, c: &Context<'_>) -> Block {
    let (x, y) = (Metric::describe(&curve.x), Metric::describe(&curve.y));
    let uplift = curve.uplift.as_ref().map(|u| {
        view! {
            <dt>{format!("Geometric mean of {}", y.label)}</dt>
            <dd><strong class=sense(u.better)>{percent_change(u.pct)}</strong>{format!(" over {} of {}", u.n, words::count(u.of, "point", "points"))}</dd>
        }
    });
    if let Some(why) = &curve.not_compared {
        return view! { <p class="empty">{why.clone()}</p> <dl class="said">{uplift}</dl> }.into_any();
    }
    let counts = curve.base.as_ref().zip(curve.head.as_ref()).map(|(b, h)| {
        view! {
            <dt>{format!("On the frontier, {} against {}", y.label, x.label)}</dt>
            <dd>{format!("{} of {}; in the baseline {} of {}", h.frontier, words::count(h.total, "point", "points"), b.frontier, b.total)}</dd>
        }
    });
    let area = match (&curve.area, &curve.no_area) {
        (Some(a), _) => {
            let from = words::value(&x, a.from);
            let to = words::value(&x, a.to);
            let text = a.pct.map_or_else(|| "the baseline's is 0".to_owned(), percent_change);
            view! {
                <dt>"Area under the frontier"</dt>
                <dd>
                    <strong class=sense(a.better)>{text}</strong>{format!(" between {from} and {to} {}", x.unit.symbol())}
                    <small>"The best that is measured at each place, nothing interpolated, over the range that both frontiers cover."</small>
                </dd>
            }
            .into_any()
        }
        (None, why) => view! { <dt>"Area under the frontier"</dt><dd class="missing">{why.clone().unwrap_or_default()}</dd> }.into_any(),
    };
    view! {
        <dl class="said">
            {uplift}
            {counts}
            {moves("Entered the frontier", &curve.entered, c)}
            {moves("Left the frontier", &curve.left, c)}
            {area}
        </dl>
    }
    .into_any()
}

fn sense(better: Option<bool>) -> &'static str {
    match better {
        Some(true) => "better",
        Some(false) => "worse",
        None => "same",
    }
}

fn moves(title: &'static str, moves: &[Move], c: &Context<'_>) -> Block {
    if moves.is_empty() {
        return view! { <dt>{title}</dt><dd>"none"</dd> }.into_any();
    }
    let of = |points: &[paretoscope_domain::point::Point], id: &Option<paretoscope_domain::PointId>| {
        let id = id.as_ref()?;
        points.iter().find(|p| p.id == *id).map(|p| format!("/runs/{}/points/{}", p.run_id, p.id))
    };
    let items = moves
        .iter()
        .map(|m| {
            let href = of(&c.head.points, &m.head_point_id).or_else(|| of(c.base.points(), &m.base_point_id));
            let label = match href {
                Some(href) => view! { <a href=href>{m.label.clone()}</a> }.into_any(),
                None => m.label.clone().into_any(),
            };
            view! { <li>{label}{format!(": {}", m.why)}</li> }
        })
        .collect_view();
    view! { <dt>{title}</dt><dd><ul class="plain">{items}</ul></dd> }.into_any()
}
