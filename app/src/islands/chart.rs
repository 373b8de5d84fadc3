//! plotly over the server's drawing. Nothing moves: the same ranges, ticks and margins, scaled as the drawing is. Without
//! plotly (not loaded yet, or not at all) the drawing itself answers to the legend and to the table's rows.

use std::cell::{Cell, RefCell};

use js_sys::{Array, JSON, JsString, Object, Reflect};
use wasm_bindgen::prelude::*;
use web_sys::{Element, HtmlScriptElement, ResizeObserver};

use super::{dom, legend, swap};

thread_local! {
    static CHART: RefCell<Chart> = RefCell::new(Chart::default());
    static STARTED: Cell<bool> = const { Cell::new(false) };
}

/// What is known of the chart on the page.
#[derive(Default)]
struct Chart {
    /// What plotly draws into; kept over changes of the page's parts.
    plot: Option<Element>,
    /// Width of the drawing when plotly last drew.
    width: f64,
    /// Ranges as the figure has them, to tell zooming from resetting.
    home: Option<[f64; 4]>,
    zoomed: bool,
    /// Point that a finger tapped last: the first tap shows it, the second opens it.
    tapped: Option<(String, f64)>,
    /// Keys of the hidden series.
    hidden: Vec<String>,
    /// Number of the newest wish to draw.
    wish: u32,
    /// Point lit at the moment.
    lit: Option<String>,
    observer: Option<ResizeObserver>,
}

/// Starts everything, once.
pub(super) fn start() {
    if STARTED.replace(true) {
        return;
    }
    let (Some(window), Some(document)) = (dom::window(), dom::document()) else { return };
    swap::start();
    legend::start();
    for kind in ["mouseover", "focusin"] {
        dom::listen(&document, kind, |event| {
            let id = dom::around(&event, "[data-point]").and_then(|e| e.get_attribute("data-point"));
            let in_plot = dom::around(&event, ".plot").is_some();
            if !in_plot {
                light(id.as_deref(), true);
            }
        });
    }
    if let Ok(Some(system)) = window.match_media("(prefers-color-scheme: dark)") {
        dom::listen(&system, "change", |_| recolour());
    }
    // On idle, so that plotly costs the first paint nothing.
    let load = dom::function(|_| load());
    if dom::get(&window, "requestIdleCallback").is_undefined() {
        let _ = window.set_timeout_with_callback_and_timeout_and_arguments_0(&load, 400);
    } else {
        let options = Object::new();
        dom::set(&options, "timeout", &2000.into());
        dom::call(&window, "requestIdleCallback", &[&load, &options]);
    }
}

pub(super) use swap::remember as remember_address;

/// What plotly draws into, once it has.
fn plot() -> Option<Element> {
    CHART.with_borrow(|c| c.plot.clone())
}

fn plotly() -> Option<JsValue> {
    let plotly = dom::get(&dom::window()?.into(), "Plotly");
    (!plotly.is_undefined()).then_some(plotly)
}

/// Loads plotly, then draws. Where it can't be loaded the drawing stays.
fn load() {
    if dom::find("#chart-data").is_none() {
        return;
    }
    if plotly().is_some() {
        redraw();
        return;
    }
    let source = dom::find("[data-plotly]").and_then(|e| e.get_attribute("data-plotly")).filter(|s| !s.is_empty());
    let (Some(source), Some(document)) = (source, dom::document()) else { return };
    let (Ok(script), Some(head)) = (document.create_element("script"), document.head()) else { return };
    let Ok(script) = script.dyn_into::<HtmlScriptElement>() else { return };
    script.set_src(&source);
    script.set_async(true);
    dom::listen(&script, "load", |_| redraw());
    let _ = head.append_child(&script);
}

/// The drawing that is shown at this width.
fn drawing() -> Option<Element> {
    dom::all("#chart .chart-svg").into_iter().find(|svg| svg.get_bounding_client_rect().width() > 0.0)
}

/// Takes plotly's element out of a part that is about to be replaced.
pub(super) fn keep(part: &Element) {
    if let Some(plot) = plot()
        && part.contains(Some(&plot))
    {
        plot.remove();
        CHART.with_borrow_mut(|c| c.zoomed = false);
    }
}

/// The colours changed.
pub(super) fn recolour() {
    if plot().is_some() {
        // The style sheet's variables follow the attribute at once; the system's setting a moment later.
        dom::later(0, redraw);
    }
}

/// Another figure is in the page. Where it is large, its drawing is shown at once and plotly takes over when there is time.
pub(super) fn changed() {
    const LARGE: usize = 100_000;
    hide(&legend::hidden());
    let is_large = dom::find("#chart-data").and_then(|data| data.text_content()).is_some_and(|text| text.len() > LARGE);
    if !is_large {
        redraw();
        return;
    }
    let wish = CHART.with_borrow_mut(|c| {
        c.wish += 1;
        c.wish
    });
    if let Some(plot) = plot() {
        dom::style(&plot, "display", "none");
    }
    dom::later(600, move || {
        if CHART.with_borrow(|c| c.wish) == wish {
            redraw();
        }
    });
}

/// Draws the page's figure with plotly, if it is there.
pub(super) fn redraw() {
    let Some(plotly) = plotly() else { return };
    if draw(&plotly).is_none() {
        // Nothing to draw: an empty figure says why in the drawing itself.
        if let Some(plot) = CHART.with_borrow_mut(|c| c.plot.take()) {
            dom::call(&plotly, "purge", &[&plot]);
            plot.remove();
        }
    }
}

fn draw(plotly: &JsValue) -> Option<()> {
    let document = dom::document()?;
    let window = dom::window()?;
    let frame = dom::find("#chart .chart-box")?;
    let svg = drawing()?;
    let text = resolved(&frame, &dom::find("#chart-data")?.text_content()?);
    let figure = JSON::parse(&text).ok()?;
    let data = dom::get(&figure, "data");
    let traces = Array::from(&data);
    if traces.length() == 0 {
        return None;
    }
    // Hiding is ours (see `hide`): plotly draws every series.
    let mut hidden = legend::hidden();
    for trace in traces.iter() {
        if dom::get(&trace, "visible").as_bool() == Some(false) && !legend::is_there() {
            hidden.extend(dom::get(&trace, "legendgroup").as_string());
        }
        dom::set(&trace, "visible", &true.into());
    }
    CHART.with_borrow_mut(|c| c.hidden = hidden);
    let is_narrow = svg.class_list().contains("narrow");
    let layout = dom::get(&figure, if is_narrow { "narrow" } else { "wide" });
    let home = ranges(&layout);
    let place = svg.get_bounding_client_rect();
    let outer = frame.get_bounding_client_rect();
    let scale = place.width() / dom::get(&layout, "width").as_f64()?;
    scaled(&layout, scale);
    scaled(&data, scale);
    let family = window.get_computed_style(&svg).ok().flatten().and_then(|s| s.get_property_value("font-family").ok());
    dom::set(&dom::get(&layout, "font"), "family", &family.unwrap_or_default().into());
    // A finger scrolls the page; zooming is for a mouse.
    if is_touch() {
        dom::set(&layout, "dragmode", &false.into());
    }
    let config = Object::new();
    for name in ["displayModeBar", "responsive", "scrollZoom", "showTips", "showAxisDragHandles"] {
        dom::set(&config, name, &false.into());
    }
    dom::set(&config, "doubleClick", &"reset".into());

    let is_new = plot().is_none();
    let plot = match plot() {
        Some(plot) => plot,
        None => {
            let plot = document.create_element("div").ok()?;
            plot.set_class_name("plot");
            let _ = plot.set_attribute("aria-hidden", "true");
            plot
        }
    };
    if CHART.with_borrow(|c| c.zoomed) {
        // A resize or other colours keep the zoom.
        let old = dom::get(&plot, "layout");
        for axis in ["xaxis", "yaxis"] {
            let (to, from) = (dom::get(&layout, axis), dom::get(&old, axis));
            dom::set(&to, "range", &dom::get(&from, "range"));
            dom::set(&to, "tickmode", &"auto".into());
        }
    }
    dom::style(&frame, "position", "relative");
    dom::style(&plot, "display", "block");
    dom::style(&plot, "position", "absolute");
    dom::style(&plot, "left", &dom::px(place.left() - outer.left()));
    dom::style(&plot, "top", &dom::px(place.top() - outer.top()));
    if !frame.contains(Some(&plot)) {
        let _ = frame.append_child(&plot);
    }
    CHART.with_borrow_mut(|c| {
        c.plot = Some(plot.clone());
        c.width = place.width();
        c.home = home;
    });
    let drawn = dom::call(plotly, "react", &[&plot, &data, &layout, &config]);
    hide_in_plot();
    let after = {
        let (frame, svg, plot) = (frame.clone(), svg, plot.clone());
        move |_| {
            for other in dom::all_in(&frame, ".chart-svg") {
                dom::style(&other, "visibility", "hidden");
            }
            // The drawing's name and description now stand for plotly's.
            let _ = frame.set_attribute("role", "img");
            for name in ["aria-labelledby", "aria-describedby"] {
                let _ = frame.set_attribute(name, &svg.get_attribute(name).unwrap_or_default());
            }
            if is_new {
                listen(&plot);
            }
            // For tests and style: what is shown is plotly's.
            let _ = frame.set_attribute("data-drawn", "plotly");
        }
    };
    dom::call(&drawn, "then", &[&dom::function(after)]);
    observe(&frame);
    Some(())
}

/// Follows the drawing's width.
fn observe(frame: &Element) {
    let known = CHART.with_borrow(|c| c.observer.clone());
    let observer = known.or_else(|| {
        ResizeObserver::new(&dom::function(|_| {
            let width = drawing().map_or(0.0, |svg| svg.get_bounding_client_rect().width());
            if width > 0.0 && CHART.with_borrow(|c| (c.width - width).abs() > 0.5) {
                redraw();
            }
        }))
        .ok()
    });
    if let Some(observer) = &observer {
        observer.disconnect();
        observer.observe(frame);
    }
    CHART.with_borrow_mut(|c| c.observer = observer);
}

/// Names of colours become colours: those that figure/plotly_figure.rs writes.
fn resolved(frame: &Element, text: &str) -> String {
    let mut text = JsString::from(text);
    for name in [
        "--ink",
        "--muted",
        "--grid",
        "--paper",
        "--series-0",
        "--series-1",
        "--series-2",
        "--series-3",
        "--series-4",
        "--series-5",
        "--series-6",
        "--series-7",
    ] {
        let variable = ["var(", name, ")"].concat();
        text = dom::replaced(&text, &variable, &colour(frame, &variable));
    }
    text.into()
}

/// A variable's colour as plotly can read it: `rgb(…)`, as browsers tell the style sheet's colours.
fn colour(frame: &Element, variable: &str) -> String {
    let asked = || {
        let probe = dom::document()?.create_element("i").ok()?;
        dom::style(&probe, "color", variable);
        let _ = frame.append_child(&probe);
        let colour = dom::window()?.get_computed_style(&probe).ok()??.get_property_value("color").ok();
        probe.remove();
        colour
    };
    asked().unwrap_or_default()
}

/// Scales every size of a figure, in place, and gives dashes the drawing's lengths.
fn scaled(value: &JsValue, scale: f64) {
    if Array::is_array(value) {
        for item in Array::from(value).iter() {
            if item.is_object() {
                scaled(&item, scale);
            }
        }
        return;
    }
    for key in Reflect::own_keys(value).into_iter().flat_map(|keys| keys.to_vec()) {
        let Some(name) = key.as_string() else { continue };
        let item = dom::get(value, &name);
        match name.as_str() {
            "width" | "height" | "l" | "r" | "t" | "b" | "size" | "xshift" | "yshift" => {
                if let Some(number) = item.as_f64() {
                    dom::set(value, &name, &(number * scale).into());
                }
            }
            // The lengths of figure/shape.rs.
            "dash" => {
                let lengths: &[f64] = match item.as_string().as_deref() {
                    Some("dash") => &[7.0, 5.0],
                    Some("dot") => &[2.0, 4.0],
                    Some("dashdot") => &[9.0, 4.0, 2.0, 4.0],
                    Some("longdash") => &[14.0, 5.0],
                    Some("longdashdot") => &[14.0, 4.0, 2.0, 4.0],
                    _ => continue,
                };
                let scaled = Array::new();
                for length in lengths {
                    scaled.push(&(length * scale).into());
                }
                dom::set(value, &name, &scaled.join("px,").concat(&"px".into()));
            }
            // Long arrays without sizes.
            "x" | "y" | "ids" | "hovertext" | "customdata" | "color" | "tickvals" | "ticktext" | "range" => {}
            _ if item.is_object() => scaled(&item, scale),
            _ => {}
        }
    }
}

/// Both axes' ranges of a layout.
fn ranges(layout: &JsValue) -> Option<[f64; 4]> {
    let end = |axis: &str, end: &str| dom::get(&dom::get(&dom::get(layout, axis), "range"), end).as_f64();
    Some([end("xaxis", "0")?, end("xaxis", "1")?, end("yaxis", "0")?, end("yaxis", "1")?])
}

fn is_touch() -> bool {
    dom::window().and_then(|w| w.match_media("(pointer: coarse)").ok().flatten()).is_some_and(|query| query.matches())
}

/// What plotly reports.
fn listen(plot: &Element) {
    let on = |kind: &str, act: fn(JsValue)| {
        dom::call(plot, "on", &[&kind.into(), &dom::function(act)]);
    };
    on("plotly_hover", |event| {
        if let Some((id, _)) = point(&event) {
            light(Some(&id), false);
        }
    });
    on("plotly_unhover", |_| light(None, false));
    on("plotly_click", |event| {
        let (Some((id, Some(link))), Some(window)) = (point(&event), dom::window()) else { return };
        if is_touch() && !tapped_again(id) {
            return;
        }
        let click = dom::get(&event, "event");
        let modified = ["ctrlKey", "metaKey"].iter().any(|key| dom::get(&click, key).is_truthy());
        let _ = if modified { window.open_with_url_and_target(&link, "_blank").map(drop) } else { window.location().assign(&link) };
    });
    on("plotly_relayout", |_| zoomed());
    // Whatever plotly drew anew, what is hidden stays hidden.
    on("plotly_afterplot", |_| {
        hide_in_plot();
    });
}

/// Id and link of the point that an event is about.
fn point(event: &JsValue) -> Option<(String, Option<String>)> {
    let point = dom::get(&dom::get(event, "points"), "0");
    let (trace, index) = (dom::get(&point, "data"), dom::get(&point, "pointNumber").as_f64()? as u32);
    let at = |list: &str| Reflect::get_u32(&dom::get(&trace, list), index).ok().and_then(|item| item.as_string());
    let id = at("ids")?;
    let link = match dom::get(&trace, "meta").as_string() {
        Some(prefix) => Some(prefix + &id),
        None => at("customdata"),
    };
    Some((id, link.filter(|l| !l.is_empty())))
}

/// Whether a finger taps a point for the second time. Browsers report one tap as several events in quick succession.
fn tapped_again(id: String) -> bool {
    let now = js_sys::Date::now();
    CHART.with_borrow_mut(|c| match &c.tapped {
        Some((last, at)) if *last == id => now - at > 500.0,
        _ => {
            c.tapped = Some((id, now));
            false
        }
    })
}

/// Zoomed in, plotly makes ticks of its own; back at home, the figure's stand again.
fn zoomed() {
    let Some(plot) = plot() else { return };
    let (now, home) = (ranges(&dom::get(&plot, "layout")), CHART.with_borrow(|c| c.home));
    let (Some(now), Some(home)) = (now, home) else { return };
    let near = |a: f64, b: f64, span: f64| (a - b).abs() <= span.abs() * 1e-6;
    let [x0, x1, y0, y1] = home;
    let [a0, a1, b0, b1] = now;
    let at_home = near(a0, x0, x1 - x0) && near(a1, x1, x1 - x0) && near(b0, y0, y1 - y0) && near(b1, y1, y1 - y0);
    if CHART.with_borrow_mut(|c| std::mem::replace(&mut c.zoomed, !at_home)) == at_home {
        let changes = Object::new();
        let mode = if at_home { "array" } else { "auto" };
        for axis in ["xaxis.tickmode", "yaxis.tickmode"] {
            dom::set(&changes, axis, &mode.into());
        }
        if let Some(plotly) = plotly() {
            dom::call(&plotly, "relayout", &[&plot, &changes]);
        }
        reset_button(!at_home);
    }
}

/// A button that undoes zooming, for those who don't know of the double click.
fn reset_button(shown: bool) {
    if let Some(old) = dom::find("#chart-reset") {
        old.remove();
    }
    let (true, Some(document), Some(frame)) = (shown, dom::document(), dom::find("#chart")) else { return };
    let Ok(button) = document.create_element("button") else { return };
    button.set_id("chart-reset");
    let _ = button.set_attribute("type", "button");
    button.set_text_content(Some("Reset zoom"));
    dom::listen(&button, "click", |_| {
        CHART.with_borrow_mut(|c| c.zoomed = false);
        reset_button(false);
        redraw();
    });
    for (name, value) in [("position", "absolute"), ("right", "0"), ("top", "0"), ("z-index", "1")] {
        dom::style(&button, name, value);
    }
    if let Ok(Some(inner)) = frame.query_selector(".chart-box") {
        let _ = inner.append_child(&button);
    }
}

/// Shows and hides series, in the drawing and in plotly.
pub(super) fn hide(keys: &[String]) {
    CHART.with_borrow_mut(|c| c.hidden = keys.to_vec());
    for part in dom::all("#chart .chart-svg [data-series]") {
        let hidden = is_hidden(part.get_attribute("data-series"));
        let _ = if hidden { part.set_attribute("display", "none") } else { part.remove_attribute("display") };
    }
    if !hide_in_plot() {
        redraw();
    }
}

fn is_hidden(key: Option<String>) -> bool {
    key.is_some_and(|key| CHART.with_borrow(|c| c.hidden.contains(&key)))
}

/// Plotly's own way draws everything anew, half a second for thousands of points. What it has drawn is only not shown here,
/// and its search for points passes over it. False where something that should show is not drawn.
fn hide_in_plot() -> bool {
    let Some(plot) = plot() else { return true };
    let mut complete = true;
    for trace in Array::from(&dom::get(&plot, "_fullData")).iter() {
        let hidden = is_hidden(dom::get(&trace, "legendgroup").as_string());
        dom::set(&trace, "visible", &(!hidden).into());
        let id = dom::get(&trace, "uid").as_string().unwrap_or_default();
        let drawn = dom::all_in(&plot, &[".scatterlayer .trace", &id].concat());
        complete &= hidden || !drawn.is_empty();
        for part in drawn {
            dom::style(&part, "display", if hidden { "none" } else { "" });
        }
    }
    let labels = Array::from(&dom::get(&dom::get(&plot, "layout"), "annotations"));
    for drawn in dom::all_in(&plot, ".annotation[data-index]") {
        let index = drawn.get_attribute("data-index").unwrap_or_default();
        let hidden = is_hidden(dom::get(&dom::get(&labels, &index), "name").as_string());
        dom::style(&drawn, "display", if hidden { "none" } else { "" });
    }
    complete
}

/// Lights a point: its rows, its marker, and plotly's hover label if a row asked for it.
fn light(id: Option<&str>, from_row: bool) {
    if CHART.with_borrow(|c| c.lit.as_deref() == id) {
        return;
    }
    CHART.with_borrow_mut(|c| c.lit = id.map(str::to_owned));
    for old in dom::all(".lit") {
        let _ = old.class_list().remove_1("lit");
        if old.has_attribute("stroke-width") {
            let _ = old.remove_attribute("stroke-width");
        }
    }
    // Ids are hexadecimal; anything else could end the selector.
    let wanted = id.filter(|id| id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_'));
    if let Some(id) = wanted {
        for part in dom::all(&["[data-point=\"", id, "\"]"].concat()) {
            let _ = part.class_list().add_1("lit");
            if part.class_list().contains("pt") {
                let _ = part.set_attribute("stroke-width", "5");
            }
        }
    }
    let (true, Some(plotly), Some(plot)) = (from_row, plotly(), plot()) else { return };
    let hover = dom::get(&plotly, "Fx");
    let place = wanted.and_then(|id| {
        Array::from(&dom::get(&plot, "data")).iter().enumerate().find_map(|(curve, trace)| {
            let ids = dom::get(&trace, "ids");
            let index = if ids.is_object() { Array::from(&ids).index_of(&id.into(), 0) } else { -1 };
            (index >= 0 && !is_hidden(dom::get(&trace, "legendgroup").as_string())).then_some((curve, index))
        })
    });
    match place {
        Some((curve, index)) => {
            let point = Object::new();
            dom::set(&point, "curveNumber", &JsValue::from(curve as u32));
            dom::set(&point, "pointNumber", &JsValue::from(index));
            dom::call(&hover, "hover", &[&plot, &Array::of1(&point)]);
        }
        None => {
            dom::call(&hover, "unhover", &[&plot]);
        }
    }
}
