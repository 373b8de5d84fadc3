//! The legend's toggles: at once in the drawing, and in the address so that a copied link shows the same.

use js_sys::JsString;
use wasm_bindgen::prelude::*;
use web_sys::Element;

use super::{chart, dom};

/// Starts listening.
pub(super) fn start() {
    let Some(document) = dom::document() else { return };
    dom::listen(&document, "click", |event| {
        if let Some(entry) = dom::around(&event, "#chart-legend [data-series]")
            && !dom::is_modified(&event)
        {
            event.prevent_default();
            toggle(&entry);
        }
    });
    dom::listen(&document, "keydown", |event| {
        // A link that is a button: the space bar presses it.
        if let Some(entry) = dom::around(&event, "#chart-legend a[data-series]")
            && dom::get(&event, "key").as_string().as_deref() == Some(" ")
        {
            event.prevent_default();
            toggle(&entry);
        }
    });
    dom::listen(&document, "input", |event| {
        if let Some(field) = dom::around(&event, "[data-legend-search]") {
            let wanted = dom::lower(&dom::get(&field, "value").as_string().unwrap_or_default());
            for item in dom::all("#chart-legend li") {
                let words = dom::lower(&item.text_content().unwrap_or_default());
                let shown = JsString::from(words).includes(&wanted, 0);
                let _ = item.toggle_attribute_with_force("hidden", !shown);
            }
        }
    });
}

/// Keys of the hidden series, as the legend has them.
pub(super) fn hidden() -> Vec<String> {
    entries().into_iter().filter(|(_, _, hidden)| *hidden).map(|(_, key, _)| key).collect()
}

/// Whether the page has a legend; an embedded chart has none.
pub(super) fn is_there() -> bool {
    dom::find("#chart-legend").is_some()
}

/// Entries with their key and whether they are hidden.
fn entries() -> Vec<(Element, String, bool)> {
    dom::all("#chart-legend [data-series]")
        .into_iter()
        .map(|e| {
            let key = e.get_attribute("data-series").unwrap_or_default();
            let hidden = e.get_attribute("aria-pressed").as_deref() == Some("false");
            (e, key, hidden)
        })
        .collect()
}

fn toggle(entry: &Element) {
    let Some(clicked) = entry.get_attribute("data-series") else { return };
    let all = entries();
    let after = hidden_after_click(&all, &clicked);
    for (e, key, _) in &all {
        let _ = e.set_attribute("aria-pressed", if after.contains(key) { "false" } else { "true" });
    }
    chart::hide(&after);
    let listed = listed_keys(&after);
    if let Some(window) = dom::window()
        && let Ok(here) = window.location().href()
        && let Ok(history) = window.history()
    {
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&with_hidden(&here, &listed)));
    }
    chart::remember_address();
    // Links for another tab, and the form's own field, follow.
    let all = entries();
    for (e, key, _) in &all {
        if let Some(href) = e.get_attribute("href") {
            let _ = e.set_attribute("href", &with_hidden(&href, &listed_keys(&hidden_after_click(&all, key))));
        }
    }
    if let Some(form) = dom::find("#chart-controls") {
        for field in dom::all_in(&form, "input[name=hide]") {
            field.remove();
        }
        if !listed.is_empty()
            && let Some(field) = dom::document().and_then(|d| d.create_element("input").ok())
        {
            for (name, value) in [("type", "hidden"), ("name", "hide"), ("value", &listed)] {
                let _ = field.set_attribute(name, value);
            }
            let _ = form.append_child(&field);
        }
    }
}

/// Keys as an address has them.
fn listed_keys(keys: &[String]) -> String {
    let mut out = String::new();
    for key in keys {
        if !out.is_empty() {
            out.push(',');
        }
        out.push_str(key);
    }
    out
}

/// The same rule as `figure/legend.rs`: solo, restore, toggle; never nothing at all.
fn hidden_after_click(all: &[(Element, String, bool)], clicked: &str) -> Vec<String> {
    let shown = all.iter().filter(|(_, _, hidden)| !hidden).count();
    let is_hidden = all.iter().any(|(_, key, hidden)| key == clicked && *hidden);
    all.iter()
        .filter(|(_, key, hidden)| {
            if shown == all.len() {
                key != clicked
            } else if shown == 1 && !is_hidden {
                false
            } else if key == clicked {
                !hidden
            } else {
                *hidden
            }
        })
        .map(|(_, key, _)| key.clone())
        .collect()
}

/// An address with another `hide`, the rest as it was.
fn with_hidden(address: &str, hidden: &str) -> String {
    let (rest, hash) = address.split_once('#').map_or((address, ""), |(a, h)| (a, h));
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    let mut out = String::from(path);
    let mut separator = '?';
    let mine = if hidden.is_empty() { String::new() } else { ["hide=", &dom::encoded(hidden)].concat() };
    let others = query.split('&').filter(|pair| !pair.is_empty() && !pair.starts_with("hide="));
    for pair in others.chain(Some(mine.as_str()).filter(|m| !m.is_empty())) {
        out.push(separator);
        out.push_str(pair);
        separator = '&';
    }
    if !hash.is_empty() {
        out.push('#');
        out.push_str(hash);
    }
    out
}
