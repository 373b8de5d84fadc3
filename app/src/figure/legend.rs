//! The HTML around a chart: the figure element with its drawings and data, and the legend.

use leptos::prelude::*;

use super::shape::Shape;
use super::{Figure, SeriesRole, Size, ViewAddress, svg};

/// One entry of the legend.
#[derive(Clone, Debug, PartialEq)]
pub struct LegendEntry {
    /// Key of the series, as in `hide=`.
    pub key: String,
    /// Name of the series.
    pub name: String,
    /// Class that gives it its colour: `s0` … `s7`.
    pub class: String,
    /// What it is to the page.
    pub role: SeriesRole,
    /// Name of the line's dash: `solid`, `dash`, …
    pub dash: &'static str,
    /// Name of the markers' shape: `circle`, …
    pub shape: &'static str,
    /// Drawn points.
    pub count: usize,
    /// Distinct coordinates on the frontier.
    pub frontier: usize,
    /// `unofficial`, `synthetic sample`, …
    pub note: Option<String>,
    /// Whether it is hidden.
    pub hidden: bool,
    /// Address of the view after a click.
    pub href: Option<String>,
    /// A small drawing of its line and marker.
    sample: String,
}

/// Above so many entries the legend gets a search field.
const SEARCH_FROM: usize = 8;

pub(super) fn entries(figure: &Figure, href: Option<&ViewAddress<'_>>) -> Vec<LegendEntry> {
    let all: Vec<(&str, bool)> = figure.series.iter().map(|s| (s.key.as_str(), s.hidden)).collect();
    figure
        .series
        .iter()
        .map(|s| LegendEntry {
            key: s.key.clone(),
            name: s.name.clone(),
            class: format!("s{}", s.colour),
            role: s.role,
            dash: s.dash.name(),
            shape: s.shape.name(),
            count: s.points.len(),
            frontier: s.frontier,
            note: s.note.clone(),
            hidden: s.hidden,
            href: href.map(|href| href(&hidden_after_click(&all, &s.key))),
            sample: sample(s.shape, s.dash.lengths(), s.colour),
        })
        .collect()
}

/// The rule of a click: with all series shown it solos the one; clicked again it restores all; else it toggles the one. The
/// last one shown restores all instead of hiding everything. `islands/legend.rs` has the same rule.
fn hidden_after_click<'a>(all: &[(&'a str, bool)], clicked: &str) -> Vec<&'a str> {
    let shown = all.iter().filter(|(_, hidden)| !hidden).count();
    let is_hidden = all.iter().any(|(key, hidden)| *key == clicked && *hidden);
    all.iter()
        .filter(|(key, hidden)| {
            if shown == all.len() {
                *key != clicked
            } else if shown == 1 && !is_hidden {
                false
            } else if *key == clicked {
                !hidden
            } else {
                *hidden
            }
        })
        .map(|(key, _)| *key)
        .collect()
}

fn sample(shape: Shape, dash: Option<&str>, colour: usize) -> String {
    let dashes = dash.map(|d| format!(" stroke-dasharray=\"{d}\"")).unwrap_or_default();
    format!(
        "<svg class=\"sample\" viewBox=\"0 0 30 12\" width=\"30\" height=\"12\" aria-hidden=\"true\"><path d=\"M0,6H30\" \
         stroke=\"{c}\" stroke-width=\"2\"{dashes}/><path d=\"{p}\" fill=\"{c}\"/></svg>",
        c = svg::series_variable(colour),
        p = shape.path(15.0, 6.0, 4.5)
    )
}

/// The legend: a list of toggles, each a link to the view it leads to, with a search field where there are many.
#[component]
pub fn Legend(
    /// Entries, from [`Figure::legend`].
    entries: Vec<LegendEntry>,
) -> impl IntoView {
    let search = (entries.len() > SEARCH_FROM).then(|| {
        // Only of use with JavaScript: the island shows it.
        view! {
            <label class="legend-search" hidden>
                <span>"Find a series"</span>
                <input type="search" autocomplete="off" data-legend-search=""/>
            </label>
        }
    });
    let items = entries
        .into_iter()
        .map(|entry| {
            let LegendEntry { key, name, class, role, count, frontier, note, hidden, href, sample, dash: _, shape: _ } = entry;
            let role_word = match role {
                SeriesRole::Head => None,
                SeriesRole::Baseline => Some("baseline"),
                SeriesRole::Overlay => Some("overlay"),
            };
            let pressed = if hidden { "false" } else { "true" };
            let inside = view! {
                <span class="legend-sample" inner_html=sample></span>
                <span class="legend-name">{name}</span>
                {role_word.map(|word| view! { <span class="legend-role">{word}</span> })}
                {note.map(|note| view! { <span class="legend-note">{note}</span> })}
                <span class="legend-count">{format!("{frontier}/{count}")}<span class="visually-hidden">" on the frontier"</span></span>
            };
            let class = format!("legend-entry {class}");
            match href {
                Some(href) => view! {
                    <li><a class=class href=href role="button" aria-pressed=pressed data-series=key>{inside}</a></li>
                }
                .into_any(),
                None => view! {
                    <li><button type="button" class=class aria-pressed=pressed data-series=key>{inside}</button></li>
                }
                .into_any(),
            }
        })
        .collect_view();
    view! {
        <div class="legend" id="chart-legend" data-swap="">
            {search}
            <ul class="legend-list" aria-label="Series">{items}</ul>
        </div>
    }
}

/// The chart: `figure#chart` with the drawings for wide and narrow screens and the data for plotly. The children are its
/// caption. It is replaced as a whole (`data-swap`) when a control changes.
#[component]
pub fn ChartFigure(
    /// The chart.
    figure: Figure,
    /// Its caption; goes into `figcaption#chart-caption`.
    children: Children,
) -> impl IntoView {
    let mut drawings = figure.svg(Size::Wide);
    if !figure.is_compact() {
        drawings.push_str(&figure.svg(Size::Narrow));
    }
    let data = format!("<script type=\"application/json\" id=\"chart-data\">{}</script>", figure.plotly_json());
    view! {
        <figure id="chart" class="chart" data-swap="">
            <figcaption id="chart-caption">{children()}</figcaption>
            <div class="chart-box" inner_html=drawings></div>
            <div hidden inner_html=data></div>
        </figure>
    }
}

#[cfg(test)]
mod tests {
    use super::hidden_after_click;

    #[test]
    fn a_click_solos_restores_or_toggles() {
        for (all, clicked, hidden) in [
            (vec![("a", false), ("b", false), ("c", false)], "b", vec!["a", "c"]),
            (vec![("a", true), ("b", false), ("c", true)], "b", vec![]),
            (vec![("a", true), ("b", false), ("c", true)], "a", vec!["c"]),
            (vec![("a", false), ("b", false), ("c", true)], "b", vec!["b", "c"]),
            (vec![("a", true), ("b", true)], "a", vec!["b"]),
            (vec![("a", false)], "a", vec![]),
        ] {
            assert_eq!(hidden_after_click(&all, clicked), hidden, "{all:?} {clicked}");
        }
    }
}
