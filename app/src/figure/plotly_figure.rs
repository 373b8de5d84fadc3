//! A figure as plotly's: `{data, wide, narrow}`, one layout for each size that a page shows. Ranges, ticks, margins and sizes are
//! given in full, in the SVG's pixels; the island scales them with the drawing.

use plotly::Layout;
use plotly::common::{Anchor, Font, HoverInfo, Label as HoverLabel, Line, Marker, MarkerSymbol, Mode, Visible};
use plotly::layout::{Annotation, Axis as PlotlyAxis, AxisType, DragMode, HoverMode, Margin, TicksDirection};
use plotly::{Scatter, Trace};
use serde_json::{Value, json};

use super::frame::{self, Chrome, Frame};
use super::ticks::Tick;
use super::{Axis, Figure, Mark, Series, SeriesRole, Size, svg};

const INK: &str = "var(--ink)";
const MUTED: &str = "var(--muted)";
const GRID: &str = "var(--grid)";
const PAPER: &str = "var(--paper)";
const NOTHING: &str = "rgba(0,0,0,0)";

pub(super) fn json(figure: &Figure) -> String {
    let mut traces = Vec::new();
    for s in figure.back_to_front() {
        series(figure, s, &mut traces);
    }
    let value = json!({ "data": traces, "wide": layout(figure, Size::Wide), "narrow": layout(figure, Size::Narrow) });
    // Inside a script element: nothing may end it, or open a comment.
    value.to_string().replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

/// Plotly reads a little HTML in its texts.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn value(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or(Value::Null)
}

/// A trace as JSON, with what the crate's types can't say.
fn trace(t: &dyn Trace, more: &[(&str, Value)]) -> Value {
    let mut out = value(&t.to_json());
    if let Value::Object(map) = &mut out {
        for (key, v) in more {
            map.insert((*key).to_owned(), v.clone());
        }
    }
    out
}

/// Ties, line, points and crosses of a series, back to front. All name their series in `legendgroup`.
fn series(figure: &Figure, s: &Series, out: &mut Vec<Value>) {
    let colour = svg::series_variable(s.colour);
    let compact = figure.is_compact();
    let opacity = if s.role == SeriesRole::Baseline { svg::MUTED } else { 1.0 };
    let visible = || if s.hidden { Visible::False } else { Visible::True };
    let name = escaped(&s.name);

    let ties: Vec<(&Mark, (f64, f64))> = s.points.iter().filter_map(|p| p.tie.map(|tie| (p, tie))).collect();
    if !ties.is_empty() && !compact {
        let x: Vec<Option<f64>> = ties.iter().flat_map(|(p, tie)| [Some(p.x), Some(tie.0), None]).collect();
        let y: Vec<Option<f64>> = ties.iter().flat_map(|(p, tie)| [Some(p.y), Some(tie.1), None]).collect();
        let t = Scatter::new(x, y)
            .mode(Mode::Lines)
            .name(&name)
            .legend_group(&s.key)
            .visible(visible())
            .opacity(0.5 * opacity)
            .hover_info(HoverInfo::Skip)
            .line(Line::new().color(colour.clone()).width(1.0));
        out.push(trace(t.as_ref(), &[]));
    }
    if s.line.len() > 1 {
        let t = Scatter::new(s.line.iter().map(|p| p.0).collect(), s.line.iter().map(|p| p.1).collect())
            .mode(Mode::Lines)
            .name(&name)
            .legend_group(&s.key)
            .visible(visible())
            .opacity(opacity)
            .hover_info(HoverInfo::Skip)
            .line(Line::new().color(colour.clone()).width(if s.role == SeriesRole::Head { 2.0 } else { 1.5 }).dash(s.dash.plotly()));
        out.push(trace(t.as_ref(), &[]));
    }
    // Frontier points last, so that they lie on top.
    let points: Vec<&Mark> = s.points.iter().filter(|p| !p.on_frontier).chain(s.points.iter().filter(|p| p.on_frontier)).collect();
    if !points.is_empty() {
        out.push(markers(s, &points, &colour, figure.series.len() > 1, compact, opacity));
    }
    let marked: Vec<&&Mark> = points.iter().filter(|p| p.marked).collect();
    if !marked.is_empty() && !compact {
        let size = (2.0 * svg::CROSS * RADIUS) as usize;
        let t = Scatter::new(marked.iter().map(|p| p.x).collect(), marked.iter().map(|p| p.y).collect())
            .mode(Mode::Markers)
            .name(&name)
            .legend_group(&s.key)
            .visible(visible())
            .opacity(opacity)
            .hover_info(HoverInfo::Skip)
            .marker(Marker::new().symbol(MarkerSymbol::XThin).size(size).line(Line::new().color(INK).width(1.5)));
        out.push(trace(t.as_ref(), &[("cliponaxis", json!(false))]));
    }
}

const RADIUS: f64 = 5.0;

fn markers(s: &Series, points: &[&Mark], colour: &str, one_of_several: bool, compact: bool, opacity: f64) -> Value {
    let colour = colour.to_owned();
    let radius = if compact { svg::COMPACT_RADIUS } else { RADIUS };
    let hollow = if compact { NOTHING } else { PAPER };
    let colours = points.iter().map(|p| if p.on_frontier { colour.clone() } else { hollow.to_owned() }).collect();
    let series = if one_of_several { format!("<br>{}", escaped(&s.name)) } else { String::new() };
    let text: Vec<String> = points
        .iter()
        .map(|p| {
            let (name, standing) = (escaped(&p.name), escaped(&p.standing));
            if compact {
                format!("{name}: {standing}")
            } else {
                format!("<b>{name}</b>{series}<br>{}<br>{}<br>{standing}", escaped(&p.x_text), escaped(&p.y_text))
            }
        })
        .collect();
    let t = Scatter::new(points.iter().map(|p| p.x).collect(), points.iter().map(|p| p.y).collect())
        .mode(Mode::Markers)
        .name(escaped(&s.name))
        .legend_group(&s.key)
        .visible(if s.hidden { Visible::False } else { Visible::True })
        .opacity(opacity)
        .ids(points.iter().map(|p| p.id.clone()).collect::<Vec<_>>())
        .hover_text_array(text)
        .hover_info(if compact { HoverInfo::All } else { HoverInfo::Text })
        .marker(
            Marker::new()
                .symbol(s.shape.symbol())
                .size((2.0 * radius) as usize)
                .color_array(colours)
                .line(Line::new().color(colour.clone()).width(if compact { 1.0 } else { 1.5 })),
        );
    // Links that end in the point's id are told once, as what stands before it.
    let prefix = points.first().and_then(|p| p.link.as_deref()?.strip_suffix(p.id.as_str())).map(str::to_owned);
    let by_prefix = prefix.as_ref().filter(|prefix| {
        points.iter().all(|p| p.link.as_deref().and_then(|link| link.strip_suffix(p.id.as_str())) == Some(prefix.as_str()))
    });
    let links = match by_prefix {
        Some(prefix) => ("meta", json!(prefix)),
        None => ("customdata", points.iter().map(|p| json!(p.link.as_deref().unwrap_or_default())).collect()),
    };
    trace(t.as_ref(), &[links, ("cliponaxis", json!(false))])
}

fn layout(figure: &Figure, size: Size) -> Value {
    let frame = Frame::lay_out(figure, size, Chrome::NONE);
    let (width, height) = size.pixels();
    let plot = frame.plot;
    let font = frame.font as usize;
    let mut annotations = vec![
        title(&figure.y.title_up(), font, frame.width - frame.font)
            .x(0.0)
            .x_anchor(Anchor::Left)
            .x_shift(svg::title_left(&frame) - plot.x)
            .y(1.0)
            .y_shift(frame.font * (svg::Y_TITLE + MIDDLE)),
        title(&figure.x.title_across(), font, frame.width - frame.font)
            .x(1.0)
            .x_anchor(Anchor::Right)
            .x_shift(0.0)
            .y(0.0)
            .y_shift(-frame.font * (svg::X_TITLE - MIDDLE)),
    ];
    for label in frame.labels(figure) {
        annotations.push(
            text(label.text, font, INK)
                .name(label.series)
                .x_ref("x")
                .y_ref("y")
                .x(if figure.x.span.log { label.x.log10() } else { label.x })
                .y(if figure.y.span.log { label.y.log10() } else { label.y })
                .x_anchor(match label.anchor {
                    frame::Anchor::Start => Anchor::Left,
                    frame::Anchor::Middle => Anchor::Center,
                    frame::Anchor::End => Anchor::Right,
                })
                .x_shift(label.dx)
                .y_shift(-label.dy),
        );
    }
    if let Some(why) = figure.is_empty() {
        annotations.push(text(why, font, INK).x_ref("paper").y_ref("paper").x(0.5).y(0.5).x_anchor(Anchor::Center));
    }
    let margin = Margin::new()
        .left(plot.x as usize)
        .right((frame.width - plot.right()).round() as usize)
        .top(plot.y as usize)
        .bottom((frame.height - plot.bottom()).round() as usize)
        .pad(0)
        .auto_expand(false);
    let layout = Layout::new()
        .auto_size(false)
        .width(width as usize)
        .height(height as usize)
        .margin(margin)
        .font(Font::new().size(font).color(INK))
        .paper_background_color(NOTHING)
        .plot_background_color(NOTHING)
        .show_legend(false)
        .hover_mode(HoverMode::Closest)
        .hover_distance(24)
        .hover_label(HoverLabel::new().background_color(PAPER).border_color(MUTED).font(Font::new().size(font).color(INK)))
        .drag_mode(DragMode::Zoom)
        .separators(".,")
        .x_axis(axis(&figure.x, &frame.x_ticks, font))
        .y_axis(axis(&figure.y, &frame.y_ticks, font))
        .annotations(annotations);
    value(&layout.to_json())
}

/// Half of a text's height above its baseline, in font sizes.
const MIDDLE: f64 = 0.35;

fn title(words: &str, font: usize, room: f64) -> Annotation {
    text(&frame::fitting(words, font as f64, room), font, INK).x_ref("paper").y_ref("paper")
}

fn text(words: &str, font: usize, colour: &'static str) -> Annotation {
    Annotation::new()
        .text(escaped(words))
        .show_arrow(false)
        .border_pad(0.0)
        .border_width(0.0)
        .y_anchor(Anchor::Middle)
        .font(Font::new().size(font).color(colour))
}

fn axis(axis: &Axis, ticks: &[Tick], font: usize) -> PlotlyAxis {
    PlotlyAxis::new()
        .type_(if axis.span.log { AxisType::Log } else { AxisType::Linear })
        .range(vec![axis.span.low, axis.span.high])
        .auto_range(false)
        .tick_values(ticks.iter().map(|t| t.value).collect())
        .tick_text(ticks.iter().map(|t| t.text.clone()).collect::<Vec<_>>())
        .ticks(TicksDirection::Outside)
        .tick_length(0)
        .tick_font(Font::new().size(font).color(MUTED))
        .tick_angle(0.0)
        .show_grid(true)
        .grid_color(GRID)
        .grid_width(1)
        .zero_line(false)
        .show_line(false)
        .auto_margin(false)
        // For ticks of plotly's own, when zoomed in.
        .tick_format(",~f")
        .hover_format(",.6~g")
}
