//! One run: what it is, the answer in cards, the chart with its points, and everything they rest on.

mod artifacts;
mod attempts;
mod cards;
mod cookbook;
mod deltas;
mod header;
mod provenance;
mod report;

use std::borrow::Cow;

use leptos::prelude::*;
use paretoscope_domain::curve::{Axes, Curve};
use paretoscope_domain::delta::{Matched, matched};
use paretoscope_domain::point::Point;
use paretoscope_domain::run::{Run, RunDetail};
use paretoscope_domain::vocabulary::Vocabulary;

use super::{BaselineChoice, CookbookShown, RunPage};
use crate::document::{Head, Site};
use crate::figure::{FigureInput, SeriesRole};
use crate::parts::chart::{Controls, Drawn, chart, controls, series};
use crate::parts::curves::{self, GroupKey};
use crate::parts::points::{Against, columns, rows, superseded, table};
use crate::parts::view::{empty, section, swapped_section};
use crate::parts::{Block, evals, facts, islands, view, words};
use crate::view_state::{BaselineParam, RunView, address, axes_for};

pub(crate) use self::header::standing_prefix;

/// What the parts of the page share.
pub(crate) struct Context<'a> {
    pub(crate) words: &'a Vocabulary,
    /// The repository whose pull requests have pages here.
    pub(crate) repo: &'a str,
    pub(crate) view: &'a RunView,
    pub(crate) detail: &'a RunDetail,
    pub(crate) baseline: Option<(&'a Run, &'a [Point])>,
    pub(crate) matched: Option<Matched<'a>>,
    /// What is drawn: model and scenario.
    pub(crate) group: Option<GroupKey>,
    pub(crate) axes: Axes,
    pub(crate) cookbook: &'a CookbookShown,
}

impl Context<'_> {
    pub(crate) fn path(&self) -> String {
        view::run_path(&self.detail.run)
    }
}

/// The page.
pub(crate) fn run(site: &Site, page: RunPage) -> (Head, Block) {
    let RunPage { view, detail, baseline, candidates, cookbook, mut problems } = page;
    let words: &Vocabulary = &site.words;
    let detail = as_viewed(&view, &detail);
    let groups = curves::groups(&detail.points);
    let (group, unmatched) = curves::chosen(&groups, view.model.as_deref(), view.scenario, words);
    problems.extend(unmatched);
    let scenario = group.as_ref().map_or(paretoscope_domain::Scenario::AgenticTraces, |g| g.scenario);
    let (base, why_none) = match &baseline {
        BaselineChoice::None { why } => (None, Some(why.clone())),
        BaselineChoice::Some { run, points, .. } => (Some((&**run, points.as_slice())), None),
    };
    let context = Context {
        words,
        repo: &site.repo,
        view: &view,
        detail: &detail,
        baseline: base,
        matched: base.map(|(_, points)| matched(points, &detail.points)),
        axes: axes_for(view.x.as_deref(), view.y.as_deref(), scenario),
        group,
        cookbook: &cookbook,
    };
    let cards = cards::of(&context, why_none.as_deref());
    let head = header::head(&context, &cards);
    let body = view! {
        {view::bands(&detail.run)}
        {header::header(&context, &candidates)}
        {view::problems(&problems)}
        {cards::cards(&cards)}
        {frontiers(&context, &groups, &baseline, &candidates)}
        {anchors()}
        {eval_section(&context)}
        {deltas::section(&context, why_none.as_deref())}
        {cookbook::section(&context)}
        {attempts::section(&context)}
        {provenance::changelog(&context)}
        {provenance::section(&context)}
        {section("environment", "Environment and facts", facts::table(&detail.evidence.iter().collect::<Vec<_>>()))}
        {report::section(&context)}
        {artifacts::section(&context)}
    }
    .into_any();
    (head, body)
}

/// What the rest of the page holds.
fn anchors() -> Block {
    let links = [
        ("evals", "Evals"),
        ("deltas", "Deltas"),
        ("cookbook", "Cookbook"),
        ("attempts", "Attempts and jobs"),
        ("changelog", "Changelog"),
        ("provenance", "Images and provenance"),
        ("environment", "Environment and facts"),
        ("ingest", "Ingest report"),
        ("artifacts", "Artifacts"),
    ]
    .map(|(id, title)| view! { <li><a href=format!("#{id}")>{title}</a></li> })
    .collect_view();
    view! { <nav class="tabs anchors" aria-label="On this page"><ul>{links}</ul></nav> }.into_any()
}

/// Chart and points.
fn frontiers(c: &Context<'_>, groups: &[GroupKey], baseline: &BaselineChoice, candidates: &[Run]) -> Block {
    let Some(group) = &c.group else {
        return section(
            "frontiers",
            "Points",
            empty(&format!(
                "This run holds no points, so there is nothing to draw. The ingest report below says what became of its rows. To read its artifacts again: `paretoscope ingest <folder> --run-id {}`.",
                c.detail.run.run_id
            )),
        );
    };
    let points = curves::members(&c.detail.points, group);
    let drawn = curves::on(&points, &c.axes, c.words);
    let base_points = c.baseline.map(|(_, points)| curves::members(points, group));
    let others: Vec<Block> = groups.iter().filter(|g| *g != group).map(|g| other_group(c, g)).collect();
    let more = baseline_field(c, baseline, candidates);
    let form = controls(Controls {
        action: c.path(),
        axes: &c.axes,
        log_x: c.view.log_x,
        log_y: c.view.log_y,
        optimal: c.view.optimal,
        pairs: c.view.pairs(),
        points: &points,
        whose: "this run's",
        more: Some(more),
        more_names: &["baseline"],
    });
    let figure = draw(c, group, &points, drawn.clone(), base_points.as_deref());
    let columns = columns(&c.axes, group.scenario);
    let in_group = |p: &&Point| GroupKey::of(p) == *group;
    let against = c.baseline.zip(c.matched.as_ref()).map(|((run, _), m)| Against {
        run_id: run.run_id,
        metric: &c.axes.y,
        removed: m.removed.iter().copied().filter(in_group).collect(),
    });
    let lines = rows(&points, &drawn, &c.axes, &columns, c.matched.as_ref());
    let caption = format!("Points of run {}, {}", c.detail.run.run_id, group.title(c.words));
    let points_table = table(caption, &columns, &lines, against.as_ref(), c.words);
    let old = superseded(&points, &columns);
    view! {
        <section id="frontiers" aria-labelledby="frontiers-title">
            <h2 id="frontiers-title" class="visually-hidden">"Pareto chart and points"</h2>
            {group_tabs(c, groups, group)}
            {form}
            {islands::chart()}
            <div class="split">
                <div class="split-chart">{figure}</div>
                <div id="points" class="split-table" data-swap="">{points_table}{old}</div>
            </div>
            {(!others.is_empty()).then(|| view! { <div id="other-points" data-swap="">{others}</div> })}
        </section>
    }
    .into_any()
}

/// Links between the charts of a run that has several models or scenarios.
fn group_tabs(c: &Context<'_>, groups: &[GroupKey], group: &GroupKey) -> Option<Block> {
    if groups.len() < 2 {
        return None;
    }
    let links = groups
        .iter()
        .map(|g| {
            // Axes belong to a scenario: another one opens with its own.
            let same = g.scenario == group.scenario;
            let view = RunView {
                model: Some(g.model.clone()),
                scenario: Some(g.scenario),
                x: c.view.x.clone().filter(|_| same),
                hidden: Vec::new(),
                ..c.view.clone()
            };
            let current = (g == group).then_some("page");
            view! { <li><a href=address(&c.path(), &view.to_query()) aria-current=current>{g.title(c.words)}</a></li> }
        })
        .collect_view();
    Some(view! { <nav id="groups" class="tabs" data-swap="" aria-label="Model and scenario"><ul>{links}</ul></nav> }.into_any())
}

/// Which run to compare with.
fn baseline_field(c: &Context<'_>, baseline: &BaselineChoice, candidates: &[Run]) -> Block {
    let chosen = match c.view.baseline {
        BaselineParam::Auto => String::new(),
        BaselineParam::None => "none".to_owned(),
        BaselineParam::Run(id) => id.to_string(),
    };
    let auto = match baseline {
        BaselineChoice::Some { run, chosen: false, .. } => format!("run {} (by the rule)", run.run_id),
        _ => c.detail.run.baseline_run_id.map_or_else(|| "by the rule: none".to_owned(), |id| format!("run {id} (by the rule)")),
    };
    let mut listed: Vec<(String, String)> = vec![(String::new(), auto), ("none".to_owned(), "nothing".to_owned())];
    listed.extend(candidates.iter().filter(|r| r.run_id != c.detail.run.run_id).map(|r| {
        let date = r.date.as_deref().map(words::date_words).map(|d| format!(", {d}")).unwrap_or_default();
        (r.run_id.to_string(), format!("run {} ({}{date})", r.run_id, r.kind))
    }));
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
    view! { <label class="field"><span>"Against"</span><select name="baseline">{options}</select></label> }.into_any()
}

/// The chart that a view of a run shows: the same for the page, for `chart.svg` and for the preview image. `None` where the run
/// holds no points. Axes, scenario and attempt are the view's, `baseline` is drawn behind.
#[must_use]
pub fn run_figure(words: &Vocabulary, view: &RunView, detail: &RunDetail, baseline: Option<(&Run, &[Point])>) -> Option<FigureInput> {
    let detail = as_viewed(view, detail);
    let groups = curves::groups(&detail.points);
    let group = curves::chosen(&groups, view.model.as_deref(), view.scenario, words).0?;
    let axes = axes_for(view.x.as_deref(), view.y.as_deref(), group.scenario);
    let points = curves::members(&detail.points, &group);
    let drawn = curves::on(&points, &axes, words);
    let base = baseline.map(|(run, points)| (run, curves::members(points, &group)));
    let base = base.as_ref().map(|(run, points)| (*run, &**points));
    Some(figure_input(words, view, &detail.run, (&axes, &group), (&points, drawn), base))
}

/// The run as the view wants it: whole, or as it stood after an attempt.
fn as_viewed<'a>(view: &RunView, detail: &'a RunDetail) -> Cow<'a, RunDetail> {
    match view.attempt {
        Some(attempt) => Cow::Owned(curves::as_of(detail, attempt)),
        None => Cow::Borrowed(detail),
    }
}

fn figure_input(
    words: &Vocabulary,
    view: &RunView,
    run: &Run,
    (axes, group): (&Axes, &GroupKey),
    (points, drawn): (&[Point], Vec<Curve>),
    base: Option<(&Run, &[Point])>,
) -> FigureInput {
    let mut all =
        vec![Drawn { prefix: String::new(), name: String::new(), role: SeriesRole::Head, curves: drawn, points, note: standing(run) }];
    if let Some((base, points)) = base {
        all.push(Drawn {
            prefix: "baseline".to_owned(),
            name: format!("run {}", base.run_id),
            role: SeriesRole::Baseline,
            curves: curves::on(points, axes, words),
            points,
            note: standing(base),
        });
    }
    let title = if run.curves.len() == 1 { words::run_title(run, words) } else { group.title(words) };
    let mut input = FigureInput::new(title, axes.clone(), series(all, words));
    input.log_x = view.log_x;
    input.log_y = view.log_y;
    input.optimal_only = view.optimal;
    input.hidden.clone_from(&view.hidden);
    input.notice = notice(run);
    input.subtitle = Some(header::one_line(run));
    input
}

/// What a series is not, for the legend.
pub(crate) fn standing(run: &Run) -> Option<String> {
    match (run.synthetic, run.kind) {
        (true, kind) => Some(format!("synthetic sample, {kind}")),
        (false, paretoscope_domain::Kind::Official) => None,
        (false, kind) => Some(kind.to_string()),
    }
}

/// What is drawn into every image of a run.
pub(crate) fn notice(run: &Run) -> Option<String> {
    let parts: Vec<&str> = run.kind.notice().into_iter().chain(run.synthetic.then_some(words::SYNTHETIC)).collect();
    (!parts.is_empty()).then(|| parts.join(" · "))
}

fn draw(c: &Context<'_>, group: &GroupKey, points: &[Point], drawn: Vec<Curve>, base: Option<&[Point]>) -> Block {
    let base = c.baseline.map(|(run, _)| run).zip(base);
    let input = figure_input(c.words, c.view, &c.detail.run, (&c.axes, group), (points, drawn), base);
    let href = |keys: &[&str]| address(&c.path(), &c.view.hiding(keys).to_query());
    chart(input, group.title(c.words), &href)
}

/// Points of what is not drawn, on their scenario's own axes.
fn other_group(c: &Context<'_>, group: &GroupKey) -> Block {
    let axes = axes_for(None, None, group.scenario);
    let points = curves::members(&c.detail.points, group);
    let drawn = curves::on(&points, &axes, c.words);
    let columns = columns(&axes, group.scenario);
    let lines = rows(&points, &drawn, &axes, &columns, c.matched.as_ref());
    let against = c.baseline.zip(c.matched.as_ref()).map(|((run, _), m)| Against {
        run_id: run.run_id,
        metric: &axes.y,
        removed: m.removed.iter().copied().filter(|p| GroupKey::of(p) == *group).collect(),
    });
    let title = group.title(c.words);
    let stands = format!("The frontier is that of {} against {}.", axes.y.label, axes.x.label);
    view! {
        <h3>{title.clone()}</h3>
        <p class="fine">{stands}</p>
        {table(format!("Points of {title}"), &columns, &lines, against.as_ref(), c.words)}
        {superseded(&points, &columns)}
    }
    .into_any()
}

fn eval_section(c: &Context<'_>) -> Block {
    let counting = evals::counting(&c.detail.evals);
    let old = c.detail.evals.len() - counting.len();
    let body = if counting.is_empty() {
        empty("No evals: none of this run's artifacts holds eval rows.")
    } else {
        let old =
            (old > 0).then(|| view! { <p class="fine">{words::count(old, "superseded version", "superseded versions")}" not shown."</p> });
        view! { {evals::table(format!("Evals of run {}", c.detail.run.run_id), &counting, false)} {old} }.into_any()
    };
    section("evals", "Evals", body)
}

/// A section whose content follows the baseline.
pub(super) fn following(id: &'static str, title: String, body: Block) -> Block {
    swapped_section(id, title, body)
}
