//! The figure as a whole: geometry, texts, and that plotly is given what the SVG shows.
#![expect(clippy::indexing_slicing, reason = "a test fails by panicking")]

use paretoscope_domain::curve::{CurveKey, CurvePoint};
use paretoscope_domain::frontier::{Place, Verdict, frontier};
use serde_json::Value;

use super::frame::{Chrome, Frame};
use super::*;

/// A curve of (label, x, y).
pub(super) fn curve(rows: &[(&str, Option<f64>, Option<f64>)], axes: &Axes) -> Curve {
    let at: Vec<_> = rows.iter().map(|(_, x, y)| (*x, *y)).collect();
    let f = frontier(&at, axes.direction().unwrap());
    let id = |i: &usize| PointId::from_text(format!("{i:08x}"));
    let points = rows
        .iter()
        .zip(&f.places)
        .enumerate()
        .map(|(i, ((label, x, y), place))| {
            let by = if let Place::Dominated(by) = place { by.clone() } else { Vec::new() };
            CurvePoint {
                point_id: id(&i),
                label: (*label).to_owned(),
                x: *x,
                y: *y,
                on_frontier: *place == Place::Frontier,
                dominated_by: by.first().and_then(|i| rows.get(*i)).map(|row| row.0.to_owned()),
                dominators: by.iter().map(id).collect(),
            }
        })
        .collect();
    Curve {
        series: "A curve".into(),
        key: CurveKey::parse("m|agentic-traces|gb300|sglang|fp4|").unwrap(),
        total: rows.len(),
        eligible: f.eligible(),
        invalid: f.invalid(),
        frontier: f.count(),
        verdict: Verdict::of(&f),
        points,
        line: f.line.iter().map(id).collect(),
    }
}

pub(super) fn axes() -> Axes {
    Axes { x: Metric::parse("p90_e2el").unwrap(), y: Metric::parse("tput_per_gpu").unwrap() }
}

const Y: [f64; 8] = [8105.0, 9425.0, 29242.0, 57957.0, 118_105.0, 224_816.0, 321_183.0, 340_890.0];
const P90: [f64; 8] = [5.67, 6.29, 6.25, 7.64, 12.07, 15.40, 23.44, 33.68];
const LABELS: [&str; 8] =
    ["TP4 c1", "TP4 c4", "TP4 c16", "TP4 c32", "TP2/EP2 c64", "TP2/EP2/DPA c64", "TP2/EP2/DPA c128", "TP2/EP2/DPA c160"];

/// The reference run's P90 curve with a baseline a little behind it.
pub(super) fn reference() -> FigureInput {
    let rows = |f: f64| -> Vec<(&str, Option<f64>, Option<f64>)> {
        LABELS.into_iter().zip(P90).zip(Y).map(|((l, x), y)| (l, Some(x * f), Some(y / f))).collect()
    };
    let mut head = SeriesInput::new("GB300 · SGLang · FP4", curve(&rows(1.0), &axes()), SeriesRole::Head, 0);
    head.links = head.curve.points.iter().map(|p| (p.point_id.clone(), format!("/runs/1/points/{}", p.point_id))).collect();
    head.marked.insert(PointId::from_text("00000007"));
    let mut base = SeriesInput::new("run 40809149952", curve(&rows(1.05), &axes()), SeriesRole::Baseline, 1);
    base.key = "base".into();
    let mut input = FigureInput::new("DeepSeek-V4.1-Flash · agentic traces", axes(), vec![head, base]);
    input.subtitle = Some("run 41261902147 · commit 41d29b28".into());
    input.notice = Some("UNOFFICIAL RUN: not an official result".into());
    input
}

fn all_drawings(figure: &Figure) -> Vec<String> {
    let mut all = vec![figure.svg(Size::Wide), figure.svg(Size::Narrow)];
    for size in [Size::Wide, Size::Narrow, Size::Preview] {
        for theme in [Theme::Light, Theme::Dark] {
            all.push(figure.standalone_svg(size, theme));
        }
    }
    all
}

fn variants() -> Vec<(&'static str, FigureInput)> {
    let with = |change: fn(&mut FigureInput)| {
        let mut input = reference();
        change(&mut input);
        input
    };
    vec![
        ("reference", reference()),
        ("log", with(|i| (i.log_x, i.log_y) = (true, true))),
        ("optimal only", with(|i| i.optimal_only = true)),
        ("hidden", with(|i| i.hidden = vec!["0".into()])),
        ("no series", with(|i| i.series.clear())),
        ("one point", with(|i| i.series[0].curve = curve(&[("a", Some(1.0), Some(1.0))], &axes()))),
        (
            "coincident and missing",
            with(|i| {
                let rows = [("a", Some(1.0), Some(5.0)), ("b", Some(1.0), Some(5.0)), ("c", None, Some(5.0)), ("d", Some(0.0), Some(5.0))];
                i.series[0].curve = curve(&rows, &axes());
            }),
        ),
        (
            "hostile",
            with(|i| {
                i.title = "</title><script>alert(1)</script>&amp;\u{1}".into();
                i.notice = Some("\"><b>\u{0}\n".into());
                i.series[0].name = "</script><!-- ' \" & <img src=x onerror=alert(1)>".into();
                i.series[0].key = "\" onload=\"x".into();
                i.series[0].curve.points[0].label = "<b>x</b>&".into();
                i.series[0].note = Some("]]>".into());
            }),
        ),
    ]
}

#[test]
fn drawings_are_well_formed_and_the_same_each_time() {
    for (name, input) in variants() {
        let (one, two) = (Figure::build(input.clone()), Figure::build(input));
        assert_eq!(one.plotly_json(), two.plotly_json(), "{name}");
        for (a, b) in all_drawings(&one).into_iter().zip(all_drawings(&two)) {
            assert_eq!(a, b, "{name}");
            let parsed = roxmltree::Document::parse(&a).unwrap_or_else(|e| panic!("{name}: {e}\n{a}"));
            assert!(!a.contains("NaN") && !a.contains("inf"), "{name}");
            assert!(parsed.descendants().all(|n| !n.has_tag_name("script") && !n.has_tag_name("img")), "{name}");
        }
    }
}

#[test]
fn json_can_stand_in_a_script_element() {
    for (name, input) in variants() {
        let text = Figure::build(input).plotly_json();
        assert!(!text.contains('<'), "{name}");
        let parsed: Value = serde_json::from_str(&text).unwrap();
        assert!(parsed["data"].is_array() && parsed["wide"].is_object() && parsed["narrow"].is_object(), "{name}");
    }
}

#[test]
fn points_lie_inside_the_plot() {
    for (name, input) in variants() {
        let figure = Figure::build(input);
        for size in [Size::Wide, Size::Narrow, Size::Preview] {
            let frame = Frame::lay_out(&figure, size, Chrome::NONE);
            for p in figure.series.iter().flat_map(|s| &s.points) {
                let (x, y) = frame.at(&figure, (p.x, p.y));
                let plot = frame.plot;
                assert!(x >= plot.x && x <= plot.right() && y >= plot.y && y <= plot.bottom(), "{name}: {} at {x},{y}", p.name);
            }
        }
    }
}

/// What makes the takeover invisible: plotly's numbers are the drawing's.
#[test]
fn plotly_has_the_ranges_ticks_and_margins_of_the_drawing() {
    for (name, input) in variants() {
        let figure = Figure::build(input);
        let json: Value = serde_json::from_str(&figure.plotly_json()).unwrap();
        for (size, key) in [(Size::Wide, "wide"), (Size::Narrow, "narrow")] {
            let frame = Frame::lay_out(&figure, size, Chrome::NONE);
            let layout = &json[key];
            let texts = |axis: &str| -> Vec<String> {
                layout[axis]["ticktext"].as_array().unwrap().iter().map(|t| t.as_str().unwrap().to_owned()).collect()
            };
            assert_eq!(texts("xaxis"), frame.x_ticks.iter().map(|t| t.text.clone()).collect::<Vec<_>>(), "{name}");
            assert_eq!(texts("yaxis"), frame.y_ticks.iter().map(|t| t.text.clone()).collect::<Vec<_>>(), "{name}");
            for (axis, span) in [("xaxis", figure.x.span), ("yaxis", figure.y.span)] {
                assert_eq!(layout[axis]["range"], serde_json::json!([span.low, span.high]), "{name}");
                assert_eq!(layout[axis]["type"], if span.log { "log" } else { "linear" });
            }
            assert_eq!(layout["margin"]["l"].as_f64(), Some(frame.plot.x));
            assert_eq!(layout["margin"]["t"].as_f64(), Some(frame.plot.y));
            assert_eq!(layout["margin"]["r"].as_f64(), Some(frame.width - frame.plot.right()));
            assert_eq!(layout["margin"]["b"].as_f64(), Some(frame.height - frame.plot.bottom()));
            assert_eq!(layout["font"]["size"].as_f64(), Some(frame.font));
        }
    }
}

#[test]
fn words_say_what_is_drawn() {
    let figure = Figure::build(reference());
    assert_eq!(figure.is_empty(), None);
    assert_eq!(figure.axes_in_words(), "throughput per GPU against P90 E2EL");
    let words = figure.description();
    for part in [
        "Across: P90 E2EL (s), lower is better. Up: throughput per GPU (tok/s/GPU), higher is better.",
        "GB300 · SGLang · FP4: 8 points, 7 on the frontier; TP4 c4 dominated by TP4 c16.",
    ] {
        assert!(words.contains(part), "{words}");
    }
    let missing = |rows: &[(&str, Option<f64>, Option<f64>)]| {
        let series = SeriesInput::new("s", curve(rows, &axes()), SeriesRole::Head, 0);
        Figure::build(FigureInput::new("t", axes(), vec![series])).is_empty().map(str::to_owned)
    };
    for (rows, why) in [
        (vec![], Some("No points to draw: nothing matches what was asked for.")),
        (vec![("a", None, Some(1.0))], Some("Nothing to draw: no point states P90 E2EL.")),
        (vec![("a", None, None)], Some("Nothing to draw: no point states P90 E2EL or throughput per GPU.")),
        (
            vec![("a", None, Some(1.0)), ("b", Some(1.0), None)],
            Some("Nothing to draw: no point states both P90 E2EL and throughput per GPU."),
        ),
        (vec![("a", Some(1.0), Some(1.0))], None),
    ] {
        assert_eq!(missing(&rows).as_deref(), why);
    }
}

#[test]
fn coincident_points_share_a_label_and_all_name_the_place() {
    let rows = [("a", Some(1.0), Some(5.0)), ("b", Some(1.0), Some(5.0)), ("c", Some(1.0), Some(5.0))];
    let series = SeriesInput::new("s", curve(&rows, &axes()), SeriesRole::Head, 0);
    let figure = Figure::build(FigureInput::new("t", axes(), vec![series]));
    let beside: Vec<_> = figure.series[0].points.iter().map(|p| p.beside.as_deref()).collect();
    assert_eq!(beside, [Some("a + 2 more"), None, None]);
    assert_eq!(figure.series[0].points[2].name, "c (same place: a, b, c)");
}

#[test]
fn labels_overlap_nothing_and_baselines_have_none() {
    let figure = Figure::build(reference());
    let frame = Frame::lay_out(&figure, Size::Wide, Chrome::NONE);
    let labels = frame.labels(&figure);
    assert!(labels.iter().all(|l| l.series == "0"));
    assert!(labels.len() >= 6, "{labels:?}");
}

/// In the preview image the label of TP4 c16 once stood beside TP4 c4.
#[test]
fn a_label_is_nearest_to_the_point_that_it_names() {
    let figure = Figure::build(reference());
    for size in [Size::Wide, Size::Narrow, Size::Preview] {
        let frame = Frame::lay_out(&figure, size, Chrome::NONE);
        for label in frame.labels(&figure) {
            let own = frame.at(&figure, (label.x, label.y));
            let anchor = (own.0 + label.dx, own.1 + label.dy);
            let far = |c: (f64, f64)| (c.0 - anchor.0).hypot(c.1 - anchor.1);
            for point in figure.series.iter().flat_map(|s| &s.points) {
                let other = frame.at(&figure, (point.x, point.y));
                assert!(other == own || far(own) <= far(other), "{size:?}: {label:?} is nearer to {}", point.name);
            }
        }
    }
}

#[test]
fn a_legend_in_an_image_says_how_many_series_it_leaves_out() {
    let mut input = reference();
    for i in 0..30 {
        let rows = [("a", Some(1.0 + f64::from(i)), Some(5.0))];
        input.series.push(SeriesInput::new(format!("run 4080914995{i}"), curve(&rows, &axes()), SeriesRole::Overlay, 2));
    }
    let svg = Figure::build(input).standalone_svg(Size::Preview, Theme::Light);
    let shown = svg.matches(">run 4080914995").count();
    assert!(svg.contains(&format!(">+ {} more<", 32 - 1 - shown)), "{shown}");
    assert!(shown < 10);
}

#[test]
fn hidden_series_move_nothing() {
    let shown = Figure::build(reference());
    let mut input = reference();
    input.hidden = vec!["base".into()];
    let hidden = Figure::build(input);
    assert_eq!((shown.x.span, shown.y.span), (hidden.x.span, hidden.y.span));
    assert!(hidden.svg(Size::Wide).contains("data-series=\"base\" opacity=\"0.55\" display=\"none\""));
    assert!(hidden.legend(None)[1].hidden);
}

#[test]
fn many_points_are_drawn_by_few_elements() {
    let labels: Vec<String> = (0..5000).map(|i| format!("TP4 c{i}")).collect();
    let rows: Vec<_> =
        labels.iter().enumerate().map(|(i, l)| (l.as_str(), Some(1.0 + (i * 7919 % 5000) as f64), Some(1.0 + (i % 100) as f64))).collect();
    let series = SeriesInput::new("s", curve(&rows, &axes()), SeriesRole::Head, 0);
    let figure = Figure::build(FigureInput::new("t", axes(), vec![series]));
    let svg = figure.svg(Size::Wide);
    assert!(svg.len() < 400_000, "{}", svg.len());
    assert!(svg.matches("<path").count() < 10);
    roxmltree::Document::parse(&svg).unwrap();
}

#[test]
fn the_drawing_of_a_small_figure() {
    let rows = [("TP4 c1", Some(5.0), Some(100.0)), ("TP4 c4", Some(8.0), Some(90.0)), ("TP4 c16", Some(10.0), Some(300.0))];
    let mut series = SeriesInput::new("GB300", curve(&rows, &axes()), SeriesRole::Head, 0);
    series.links.insert(PointId::from_text("00000000"), "/runs/1/points/00000000".into());
    let figure = Figure::build(FigureInput::new("A small figure", axes(), vec![series]));
    insta::assert_snapshot!("small_svg", figure.svg(Size::Narrow).replace("><", ">\n<"));
    let json: Value = serde_json::from_str(&figure.plotly_json()).unwrap();
    insta::assert_snapshot!("small_plotly", serde_json::to_string_pretty(&json).unwrap());
}
