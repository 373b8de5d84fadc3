//! Charts: one [`Figure`] per chart, drawn by the server as SVG (first paint, no JavaScript, print, embed, preview image) and
//! given to plotly as its figure for hover and zoom. Both come from the same ranges, ticks, margins, colours and shapes, so that
//! nothing moves when plotly takes over.
//!
//! [`Figure::build`] decides everything that does not depend on the size of the drawing; [`frame`] lays it out for a size; `svg`
//! and `plotly` write it down. The page places it with [`ChartFigure`] and [`Legend`]; `islands` bring it to life.

mod frame;
pub mod legend;
mod plotly_figure;
mod shape;
mod svg;
mod ticks;

use std::collections::{HashMap, HashSet};

use paretoscope_domain::PointId;
use paretoscope_domain::curve::{Axes, Curve};
use paretoscope_domain::format;
use paretoscope_domain::frontier::Better;
use paretoscope_domain::metric::Metric;

pub use self::legend::{ChartFigure, Legend, LegendEntry};
use self::shape::{Shape, Stroke};
use self::ticks::Span;

/// What a series is to the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SeriesRole {
    /// What it is compared with: behind, dashed, muted, without labels.
    Baseline,
    /// Laid over the others: a dash pattern of its own.
    Overlay,
    /// What the page is about.
    Head,
}

/// One curve and how it is drawn.
#[derive(Clone, Debug)]
pub struct SeriesInput {
    /// Stable short name, unique in the figure, without commas: what `hide=` lists. Empty: the index of the series.
    pub key: String,
    /// Name in the legend.
    pub name: String,
    /// The curve on the figure's axes.
    pub curve: Curve,
    /// What it is to the page.
    pub role: SeriesRole,
    /// Colour, 0 to 7.
    pub colour: usize,
    /// Page of each point.
    pub links: HashMap<PointId, String>,
    /// Points with a mark (`high_failure`).
    pub marked: HashSet<PointId>,
    /// `unofficial`, `synthetic sample`, …
    pub note: Option<String>,
}

impl SeriesInput {
    /// A series with nothing but a name, a curve and a colour; the other fields are empty.
    #[must_use]
    pub fn new(name: impl Into<String>, curve: Curve, role: SeriesRole, colour: usize) -> Self {
        Self { key: String::new(), name: name.into(), curve, role, colour, links: HashMap::new(), marked: HashSet::new(), note: None }
    }
}

/// Everything a figure is built from.
#[derive(Clone, Debug)]
pub struct FigureInput {
    /// What is shown, in a line.
    pub title: String,
    /// Commit, run, date: a second line of the standalone drawings.
    pub subtitle: Option<String>,
    /// Metrics across and up.
    pub axes: Axes,
    /// Logarithmic x axis.
    pub log_x: bool,
    /// Logarithmic y axis.
    pub log_y: bool,
    /// Leave out dominated points.
    pub optimal_only: bool,
    /// The series, in the legend's order.
    pub series: Vec<SeriesInput>,
    /// Drawn into every image: `UNOFFICIAL RUN: not an official result`.
    pub notice: Option<String>,
    /// Labels beside the points.
    pub labels: bool,
    /// Keys of the series that are hidden.
    pub hidden: Vec<String>,
}

impl FigureInput {
    /// A figure of `series` on `axes`: linear, all points, labelled, nothing hidden.
    #[must_use]
    pub fn new(title: impl Into<String>, axes: Axes, series: Vec<SeriesInput>) -> Self {
        Self {
            title: title.into(),
            subtitle: None,
            axes,
            log_x: false,
            log_y: false,
            optimal_only: false,
            series,
            notice: None,
            labels: true,
            hidden: Vec::new(),
        }
    }
}

/// Gives the address of the view that hides the series of these keys.
pub type ViewAddress<'a> = dyn Fn(&[&str]) -> String + 'a;

/// Size of a drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// 880 × 480.
    Wide,
    /// 380 × 360, for phones.
    Narrow,
    /// 1200 × 630, the preview image of a link.
    Preview,
}

impl Size {
    /// Width and height, in pixels.
    #[must_use]
    pub fn pixels(self) -> (u32, u32) {
        match self {
            Self::Wide => (880, 480),
            Self::Narrow => (380, 360),
            Self::Preview => (1200, 630),
        }
    }
}

/// Colours of a standalone drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// Dark on white.
    Light,
    /// Light on near-black.
    Dark,
}

/// A chart, ready to be drawn.
#[derive(Clone, Debug)]
pub struct Figure {
    title: String,
    subtitle: Option<String>,
    notice: Option<String>,
    x: Axis,
    y: Axis,
    labels: bool,
    series: Vec<Series>,
    /// Points that lack a coordinate (or, on a logarithmic axis, a positive one).
    undrawn: usize,
    /// Dominated points left out on request.
    left_out: usize,
    empty: Option<String>,
}

/// One axis.
#[derive(Clone, Debug)]
struct Axis {
    metric: Metric,
    /// `P90 E2EL (s), lower is better`
    title: String,
    span: Span,
}

impl Axis {
    fn better(&self) -> Better {
        self.metric.better.unwrap_or(Better::Higher)
    }

    /// The title with an arrow to the good end: `← P90 E2EL (s), lower is better`.
    fn title_across(&self) -> String {
        match self.metric.better {
            Some(Better::Lower) => format!("← {}", self.title),
            Some(Better::Higher) => format!("{} →", self.title),
            None => self.title.clone(),
        }
    }

    /// The same for the axis that goes up.
    fn title_up(&self) -> String {
        match self.metric.better {
            Some(Better::Lower) => format!("↓ {}", self.title),
            Some(Better::Higher) => format!("↑ {}", self.title),
            None => self.title.clone(),
        }
    }
}

/// One series: its drawn points and its line.
#[derive(Clone, Debug)]
struct Series {
    key: String,
    name: String,
    note: Option<String>,
    role: SeriesRole,
    colour: usize,
    shape: Shape,
    dash: Stroke,
    hidden: bool,
    /// Distinct coordinates on the frontier.
    frontier: usize,
    points: Vec<Mark>,
    /// Frontier, by x ascending.
    line: Vec<(f64, f64)>,
}

/// One drawn point.
#[derive(Clone, Debug)]
struct Mark {
    id: String,
    link: Option<String>,
    /// Text beside it: `TP4 c1`, or `TP4 c1 + 2 more` for the first of several at the same place; none for the others.
    beside: Option<String>,
    /// `TP4 c1`, with all labels of the place.
    name: String,
    /// `5.67 s`
    x_text: String,
    /// `8,105 tok/s/GPU`
    y_text: String,
    /// `on the frontier`, `dominated by TP4 c16`, …
    standing: String,
    x: f64,
    y: f64,
    on_frontier: bool,
    marked: bool,
    /// Where the point stands that dominates it.
    tie: Option<(f64, f64)>,
}

/// A figure of so many points is drawn by one path a series, without a link for each; plotly and the table have those.
const COMPACT_FROM: usize = 600;

impl Figure {
    /// Decides what is drawn: ranges over all series (also hidden ones, so that the legend moves nothing), places, texts.
    #[must_use]
    pub fn build(input: FigureInput) -> Self {
        let FigureInput { title, subtitle, axes, log_x, log_y, optimal_only, series: inputs, notice, labels, hidden } = input;
        let Axes { x: x_metric, y: y_metric } = axes;
        let drawable = |x: Option<f64>, y: Option<f64>| -> Option<(f64, f64)> {
            let x = x.filter(|v| v.is_finite() && (!log_x || *v > 0.0))?;
            let y = y.filter(|v| v.is_finite() && (!log_y || *v > 0.0))?;
            Some((x, y))
        };
        let (mut undrawn, mut left_out, mut overlays) = (0, 0, 0);
        let mut used_colours = [0usize; 8];
        let mut why = Why::default();
        let mut series = Vec::with_capacity(inputs.len());
        for (index, input) in inputs.into_iter().enumerate() {
            let SeriesInput { key, name, curve, role, colour, links, marked, note } = input;
            let colour = colour % used_colours.len();
            let again = used_colours.get_mut(colour).map_or(0, |n| {
                *n += 1;
                *n - 1
            });
            let dash = Stroke::of(role, overlays);
            overlays += usize::from(role == SeriesRole::Overlay);
            let key = if key.is_empty() { index.to_string() } else { key };

            let places: HashMap<&PointId, (f64, f64)> =
                curve.points.iter().filter_map(|p| drawable(p.x, p.y).map(|at| (&p.point_id, at))).collect();
            let mut stacks: HashMap<(u64, u64), Vec<&str>> = HashMap::new();
            let shown: Vec<_> = curve
                .points
                .iter()
                .filter_map(|p| {
                    why.count(p.x, p.y);
                    let Some((x, y)) = drawable(p.x, p.y) else {
                        undrawn += 1;
                        return None;
                    };
                    if optimal_only && !p.on_frontier {
                        left_out += 1;
                        return None;
                    }
                    stacks.entry((x.to_bits(), y.to_bits())).or_default().push(&p.label);
                    Some((p, x, y))
                })
                .collect();
            let mut first_seen: HashSet<(u64, u64)> = HashSet::new();
            let points = shown
                .into_iter()
                .map(|(p, x, y)| {
                    let place = (x.to_bits(), y.to_bits());
                    let stack = stacks.get(&place).map_or(&[][..], Vec::as_slice);
                    let first = first_seen.insert(place);
                    let (on_frontier, dominated_by) = (p.on_frontier, p.dominated_by.as_deref());
                    let mut standing = match dominated_by {
                        _ if on_frontier => "on the frontier".to_owned(),
                        Some(by) => format!("dominated by {by}"),
                        None => "not counted: a value is not above zero".to_owned(),
                    };
                    let is_marked = marked.contains(&p.point_id);
                    if is_marked {
                        standing.push_str(", high failure rate");
                    }
                    Mark {
                        id: p.point_id.as_str().to_owned(),
                        link: links.get(&p.point_id).cloned(),
                        beside: first.then(|| match stack.len() {
                            0 | 1 => p.label.clone(),
                            n => format!("{} + {} more", p.label, n - 1),
                        }),
                        name: if stack.len() > 1 { format!("{} (same place: {})", p.label, stack.join(", ")) } else { p.label.clone() },
                        x_text: with_unit(x, &x_metric),
                        y_text: with_unit(y, &y_metric),
                        standing,
                        x,
                        y,
                        on_frontier,
                        marked: is_marked,
                        tie: if on_frontier { None } else { p.dominators.first().and_then(|id| places.get(id)).copied() },
                    }
                })
                .collect();
            let line = curve.line.iter().filter_map(|id| places.get(id)).copied().collect();
            series.push(Series {
                hidden: hidden.contains(&key),
                key,
                name,
                note,
                role,
                colour,
                shape: Shape::of(colour, again),
                dash,
                frontier: curve.frontier,
                points,
                line,
            });
        }
        let drawn = || series.iter().flat_map(|s| s.points.iter());
        let empty = drawn().next().is_none().then(|| why.in_words(&x_metric, &y_metric, log_x || log_y));
        Self {
            title,
            subtitle,
            notice,
            x: axis(x_metric, Span::over(drawn().map(|p| p.x), log_x)),
            y: axis(y_metric, Span::over(drawn().map(|p| p.y), log_y)),
            labels,
            series,
            undrawn,
            left_out,
            empty,
        }
    }

    /// Why nothing is drawn, in words; `None` where something is.
    #[must_use]
    pub fn is_empty(&self) -> Option<&str> {
        self.empty.as_deref()
    }

    /// The axes in words: `throughput per GPU against P90 E2EL`.
    #[must_use]
    pub fn axes_in_words(&self) -> String {
        format!("{} against {}", self.y.metric.label, self.x.metric.label)
    }

    /// What the drawing shows, for those who don't see it: axes, counts, dominated points, what is not drawn.
    #[must_use]
    pub fn description(&self) -> String {
        if let Some(why) = &self.empty {
            return why.clone();
        }
        let mut out = format!("Across: {}. Up: {}.", self.x.title, self.y.title);
        for s in &self.series {
            let dominated: Vec<&Mark> = s.points.iter().filter(|p| !p.on_frontier).collect();
            out.push_str(&format!(" {}: {}, {} on the frontier", s.name, counted(s.points.len(), "point"), s.frontier));
            if s.hidden {
                out.push_str(", hidden");
            }
            match dominated.len() {
                0 => {}
                1..=6 => {
                    let list: Vec<String> = dominated.iter().map(|p| format!("{} {}", p.name, p.standing)).collect();
                    out.push_str(&format!("; {}", list.join("; ")));
                }
                n => out.push_str(&format!("; {n} dominated")),
            }
            out.push('.');
        }
        if self.left_out > 0 {
            out.push_str(&format!(" {} left out (optimal only).", counted(self.left_out, "dominated point")));
        }
        if self.undrawn > 0 {
            out.push_str(&format!(" {} not drawn for want of a value; the table lists all.", counted(self.undrawn, "point")));
        }
        out
    }

    /// Entries of the HTML legend, in the input's order. `href` gives the address of the view that a click leads to, for the
    /// keys hidden then; without JavaScript the entry is a plain link to it.
    #[must_use]
    pub fn legend(&self, href: Option<&ViewAddress<'_>>) -> Vec<LegendEntry> {
        legend::entries(self, href)
    }

    /// The drawing for the page: colours from the style sheet's variables, text in the page's font.
    #[must_use]
    pub fn svg(&self, size: Size) -> String {
        svg::page(self, size)
    }

    /// A drawing that stands alone: literal colours, background, notice, title and legend.
    #[must_use]
    pub fn standalone_svg(&self, size: Size, theme: Theme) -> String {
        svg::standalone(self, size, theme)
    }

    /// `{data, wide, narrow}` for plotly, safe inside `<script type="application/json">`. Colours are names of style sheet
    /// variables (`var(--series-0)`), which the island resolves.
    #[must_use]
    pub fn plotly_json(&self) -> String {
        plotly_figure::json(self)
    }

    /// Whether there are too many points to draw each as a link.
    fn is_compact(&self) -> bool {
        self.series.iter().map(|s| s.points.len()).sum::<usize>() > COMPACT_FROM
    }

    /// The series in drawing order: baselines behind, then overlays, then what the page is about.
    fn back_to_front(&self) -> Vec<&Series> {
        let mut all: Vec<&Series> = self.series.iter().collect();
        all.sort_by_key(|s| s.role);
        all
    }
}

fn axis(metric: Metric, span: Span) -> Axis {
    let direction = match metric.better {
        Some(Better::Lower) => ", lower is better",
        Some(Better::Higher) => ", higher is better",
        None => "",
    };
    let log = if span.log { ", log scale" } else { "" };
    Axis { title: format!("{metric}{direction}{log}"), metric, span }
}

fn with_unit(value: f64, metric: &Metric) -> String {
    let number = format::measured(value);
    match metric.unit.symbol() {
        "" => number,
        unit => format!("{number} {unit}"),
    }
}

fn counted(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

/// Counts why points are not drawn.
#[derive(Default)]
struct Why {
    points: usize,
    with_x: usize,
    with_y: usize,
}

impl Why {
    fn count(&mut self, x: Option<f64>, y: Option<f64>) {
        self.points += 1;
        self.with_x += usize::from(x.is_some());
        self.with_y += usize::from(y.is_some());
    }

    fn in_words(&self, x: &Metric, y: &Metric, log: bool) -> String {
        let Self { points, with_x, with_y } = *self;
        match (points, with_x, with_y) {
            (0, ..) => "No points to draw: nothing matches what was asked for.".to_owned(),
            (_, 0, 0) => format!("Nothing to draw: no point states {} or {}.", x.label, y.label),
            (_, 0, _) => format!("Nothing to draw: no point states {}.", x.label),
            (_, _, 0) => format!("Nothing to draw: no point states {}.", y.label),
            _ if log => "Nothing to draw: a logarithmic axis needs values above zero.".to_owned(),
            _ => format!("Nothing to draw: no point states both {} and {}.", x.label, y.label),
        }
    }
}

#[cfg(test)]
mod tests;
