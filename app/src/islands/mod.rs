//! What a page does in the browser. Every page works without; these only make something quicker or nicer.
//!
//! * [`ThemeToggle`] stands in every page's header. Any island also brings the page's small helpers to life: copy buttons
//!   ([`CopyButton`]), tables that sort (`th[data-sort]`), rows and points that light each other (`[data-point]`).
//! * [`ChartIsland`] stands beside a chart: plotly over the server's drawing, controls without a reload, the legend.
//!
//! Islands have no props: what they need is in the document, which keeps the module small. plotly.js is loaded from the address
//! in the attribute `data-plotly` of any element, such as `<html data-plotly="/assets/plotly.….js">`.

#[cfg(feature = "hydrate")]
mod chart;
#[cfg(feature = "hydrate")]
mod dom;
#[cfg(feature = "hydrate")]
mod legend;
#[cfg(feature = "hydrate")]
mod page;
#[cfg(feature = "hydrate")]
mod swap;

use leptos::prelude::*;

/// Switches between the system's colours, light and dark. The choice is kept in `localStorage.theme` and told to the style sheet
/// as `<html data-theme="light">`; a script in the head should set it before the first paint.
#[island]
pub fn ThemeToggle() -> impl IntoView {
    #[cfg(feature = "hydrate")]
    page::start();
    view! { <button type="button" class="theme-toggle js-only" id="theme-toggle" data-theme-toggle="">"Theme: system"</button> }
}

/// Brings the chart of the page to life. Renders nothing.
#[island]
pub fn ChartIsland() -> impl IntoView {
    #[cfg(feature = "hydrate")]
    {
        page::start();
        chart::start();
    }
}

/// A button that copies a text, or the address of the page. Lives from any island on the page.
#[component]
pub fn CopyButton(
    /// What is copied; empty: the address of the page.
    #[prop(optional, into)]
    text: String,
    /// Words on the button.
    #[prop(optional, into)]
    label: Option<String>,
) -> impl IntoView {
    let label = label.unwrap_or_else(|| "Copy link".to_owned());
    view! { <button type="button" class="copy js-only" data-copy=text>{label}</button> }
}
