//! The chart's controls, the chart and its legend.

use std::collections::{HashMap, HashSet};

use leptos::prelude::*;
use paretoscope_domain::curve::{Axes, Curve, CurveKey};
use paretoscope_domain::metric::Metric;
use paretoscope_domain::point::{Point, reason};

use super::Block;
use super::curves::is_measured;
use super::words;
use crate::figure::{ChartFigure, Figure, FigureInput, Legend, SeriesInput, SeriesRole};
use crate::view_state::{Pairs, X_QUANTITIES, Y_METRICS};

/// Statistics offered for each x quantity.
const X_STATISTICS: [&str; 3] = ["p90", "p75", "median"];

/// What the controls stand at.
pub(crate) struct Controls<'a> {
    /// Address the form leads to.
    pub(crate) action: String,
    /// Axes drawn.
    pub(crate) axes: &'a Axes,
    pub(crate) log_x: bool,
    pub(crate) log_y: bool,
    pub(crate) optimal: bool,
    /// All pairs of the view: what the form has no field for goes along unseen.
    pub(crate) pairs: Pairs,
    /// Points drawn: what they don't measure is offered greyed.
    pub(crate) points: &'a [Point],
    /// Whose rows they are, for that reason: `this run's`.
    pub(crate) whose: &'static str,
    /// More fields.
    pub(crate) more: Option<Block>,
    /// Names of those fields.
    pub(crate) more_names: &'static [&'static str],
}

struct Choice {
    value: String,
    text: String,
    disabled: bool,
}

fn choice(metric: &Metric, points: &[Point], whose: &str) -> Choice {
    let measured = is_measured(points, &metric.name);
    let label = words::capital(&metric.to_string());
    let text = if measured { label } else { format!("{} — not in {whose} rows", words::capital(&metric.label)) };
    Choice { value: metric.name.clone(), text, disabled: !measured }
}

fn options(choices: Vec<Choice>, selected: &str) -> Block {
    choices
        .into_iter()
        .map(|c| {
            let is_selected = c.value == selected;
            // A chosen axis stays chosen even where nothing was measured on it: the chart says why it is empty.
            view! { <option value=c.value selected=is_selected disabled=c.disabled && !is_selected>{c.text}</option> }
        })
        .collect_view()
        .into_any()
}

fn x_menu(axes: &Axes, points: &[Point], whose: &str) -> Block {
    let mut offered: HashSet<String> = HashSet::new();
    let groups = X_QUANTITIES
        .iter()
        .map(|(quantity, title)| {
            let choices: Vec<Choice> =
                X_STATISTICS.iter().map(|s| Metric::describe(&format!("{s}_{quantity}"))).map(|m| choice(&m, points, whose)).collect();
            offered.extend(choices.iter().map(|c| c.value.clone()));
            view! { <optgroup label=*title>{options(choices, &axes.x.name)}</optgroup> }
        })
        .collect_view();
    let own = (!offered.contains(&axes.x.name)).then(
        || view! { <optgroup label="Chosen in the address">{options(vec![choice(&axes.x, points, whose)], &axes.x.name)}</optgroup> },
    );
    view! { {groups} {own} }.into_any()
}

fn y_menu(axes: &Axes, points: &[Point], whose: &str) -> Block {
    let mut choices: Vec<Choice> = Y_METRICS.iter().map(|name| choice(&Metric::describe(name), points, whose)).collect();
    if !Y_METRICS.contains(&axes.y.name.as_str()) {
        choices.push(choice(&axes.y, points, whose));
    }
    options(choices, &axes.y.name)
}

/// The form above the chart. Without JavaScript its button opens the view; with it, a change is enough.
pub(crate) fn controls(c: Controls<'_>) -> Block {
    let Controls { action, axes, log_x, log_y, optimal, pairs, points, whose, more, more_names } = c;
    let mine = ["x", "y", "logx", "logy", "optimal"];
    let unseen = pairs
        .into_iter()
        .filter(|(key, _)| !mine.contains(&key.as_str()) && !more_names.contains(&key.as_str()))
        .map(|(key, value)| view! { <input type="hidden" name=key value=value/> })
        .collect_view();
    let switch = |name: &'static str, text: &'static str, on: bool| {
        view! { <label class="switch"><input type="checkbox" name=name value="1" checked=on/>{text}</label> }
    };
    view! {
        <form id="chart-controls" class="controls" method="get" action=action aria-label="Chart">
            <label class="field"><span>"Up"</span><select name="y">{y_menu(axes, points, whose)}</select></label>
            <label class="field"><span>"Across"</span><select name="x">{x_menu(axes, points, whose)}</select></label>
            {switch("logx", "log x", log_x)}
            {switch("logy", "log y", log_y)}
            {switch("optimal", "optimal only", optimal)}
            {more}
            {unseen}
            <button type="submit" class="no-script">"Show"</button>
        </form>
    }
    .into_any()
}

/// One run's curves for a chart.
pub(crate) struct Drawn<'a> {
    /// Start of the series' keys; empty for the run that the page is about.
    pub(crate) prefix: String,
    /// Start of the series' names; empty where the curve says enough.
    pub(crate) name: String,
    pub(crate) role: SeriesRole,
    pub(crate) curves: Vec<Curve>,
    pub(crate) points: &'a [Point],
    /// `unofficial`, `synthetic sample`, …
    pub(crate) note: Option<String>,
}

/// Stable short name of a series: `gb300-sglang-fp4`.
fn series_key(prefix: &str, key: &CurveKey) -> String {
    let CurveKey { model: _, scenario: _, hardware, framework, precision, spec_method } = key;
    let mut parts: Vec<&str> = vec![prefix, hardware, framework, precision];
    parts.extend(spec_method.as_deref().filter(|s| *s != "none"));
    parts.retain(|p| !p.is_empty());
    parts.join("-").replace(',', "_")
}

/// What tells curves of one chart apart: hardware, framework, precision, spec method.
pub(crate) fn short_title(key: &CurveKey, words: &paretoscope_domain::vocabulary::Vocabulary) -> String {
    let mut parts = vec![words.hardware_label(&key.hardware), words.framework_label(&key.framework), words.precision_label(&key.precision)];
    parts.extend(key.spec_method.as_deref().filter(|s| *s != "none").map(|s| words.spec_label(s)));
    parts.join(" · ")
}

/// Colours that the style sheet has.
const COLOURS: usize = 8;

/// The series of a chart. A run and its baseline share a colour for each curve; runs of equal standing have one for each series
/// while there are enough, else one for each run.
pub(crate) fn series(drawn: Vec<Drawn<'_>>, words: &paretoscope_domain::vocabulary::Vocabulary) -> Vec<SeriesInput> {
    let overlaid = drawn.iter().any(|d| d.role == SeriesRole::Overlay);
    let enough = drawn.iter().map(|d| d.curves.len()).sum::<usize>() <= COLOURS;
    let mut colours: HashMap<String, usize> = HashMap::new();
    let mut out = Vec::new();
    for (index, Drawn { prefix, name, role, curves, points, note }) in drawn.into_iter().enumerate() {
        let marked: HashSet<_> =
            points.iter().filter(|p| p.reasons.iter().any(|r| r == reason::HIGH_FAILURE)).map(|p| p.id.clone()).collect();
        let links: HashMap<_, _> =
            points.iter().filter(|p| p.counts()).map(|p| (p.id.clone(), format!("/runs/{}/points/{}", p.run_id, p.id))).collect();
        let alone = curves.len() == 1;
        for curve in curves {
            let next = colours.len();
            let colour = match (overlaid, enough) {
                (true, true) => out.len(),
                (true, false) => index,
                (false, _) => *colours.entry(curve.key.as_text()).or_insert(next),
            };
            let of_curve: HashSet<_> = curve.points.iter().map(|p| &p.point_id).collect();
            let title = short_title(&curve.key, words);
            let series_name = match (name.is_empty(), alone) {
                (true, _) => title,
                (false, true) => name.clone(),
                (false, false) => format!("{name} · {title}"),
            };
            out.push(SeriesInput {
                key: series_key(&prefix, &curve.key),
                name: series_name,
                role,
                colour,
                links: links.iter().filter(|(id, _)| of_curve.contains(id)).map(|(id, l)| (id.clone(), l.clone())).collect(),
                marked: marked.iter().filter(|id| of_curve.contains(id)).cloned().collect(),
                note: note.clone(),
                curve,
            });
        }
    }
    out
}

/// The chart with its legend and caption.
pub(crate) fn chart(input: FigureInput, caption: String, href: &dyn Fn(&[&str]) -> String) -> Block {
    let figure = Figure::build(input);
    let entries = figure.legend(Some(href));
    let heading = words::capital(&figure.axes_in_words());
    view! {
        <ChartFigure figure=figure><strong>{heading}</strong>" "<span>{caption}</span></ChartFigure>
        <Legend entries=entries/>
    }
    .into_any()
}
