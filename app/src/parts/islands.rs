//! Where the islands stand in a page. Each page is complete without them.

use leptos::prelude::*;

use super::Block;

/// Light or dark.
pub(crate) fn theme() -> Block {
    view! { <crate::islands::ThemeToggle/> }.into_any()
}

/// Copies the address of the view. Brought to life by any island of the page.
pub(crate) fn copy_link() -> Block {
    view! { <crate::islands::CopyButton/> }.into_any()
}

/// Copies the text at an address of this site.
pub(crate) fn copy_from(href: String, label: String) -> Block {
    view! { <button type="button" class="copy" data-copy="" data-copy-from=href>{label}</button> }.into_any()
}

/// Follows the chart's controls without loading the page anew, and brings the chart to life.
pub(crate) fn chart() -> Block {
    view! { <crate::islands::ChartIsland/> }.into_any()
}
