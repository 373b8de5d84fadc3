//! What every page has: colours by choice, copy buttons, tables that sort. All by listeners on the document, so that parts of the
//! page can be replaced.

use std::cell::Cell;
use std::cmp::Ordering;

use wasm_bindgen::prelude::*;
use web_sys::Element;

use super::dom;

thread_local! {
    static STARTED: Cell<bool> = const { Cell::new(false) };
}

/// Starts everything, once.
pub(super) fn start() {
    if STARTED.replace(true) {
        return;
    }
    let Some(document) = dom::document() else { return };
    if let (Ok(status), Some(body)) = (document.create_element("div"), document.body()) {
        status.set_id("page-status");
        status.set_class_name("visually-hidden");
        let _ = status.set_attribute("role", "status");
        let _ = body.append_child(&status);
    }
    show_theme(&chosen_theme());
    enhance();
    dom::listen(&document, "click", |event| {
        if let Some(button) = dom::around(&event, "[data-copy]") {
            copy(&button);
        } else if dom::around(&event, "[data-theme-toggle]").is_some() {
            next_theme();
        } else if let Some(button) = dom::around(&event, "th[data-sort] button") {
            sort_by(&button);
        }
    });
}

/// Gives parts that came later what the page had from the start.
pub(super) fn enhance() {
    let Some(document) = dom::document() else { return };
    for head in dom::all("th[data-sort]:not(:has(button))") {
        let Ok(button) = document.create_element("button") else { continue };
        let _ = button.set_attribute("type", "button");
        button.set_class_name("sort");
        while let Some(child) = head.first_child() {
            let _ = button.append_child(&child);
        }
        let _ = head.append_child(&button);
    }
    for search in dom::all(".legend-search") {
        let _ = search.remove_attribute("hidden");
    }
}

// ---- Colours ----

const THEMES: [&str; 3] = ["system", "light", "dark"];

fn chosen_theme() -> String {
    let stored = dom::window().and_then(|w| w.local_storage().ok().flatten()).and_then(|s| s.get_item("theme").ok().flatten());
    stored.unwrap_or_else(|| "system".to_owned())
}

fn next_theme() {
    let now = chosen_theme();
    let index = THEMES.iter().position(|t| *t == now).unwrap_or(0);
    let next = THEMES.get((index + 1) % THEMES.len()).copied().unwrap_or("system");
    if let Some(storage) = dom::window().and_then(|w| w.local_storage().ok().flatten()) {
        let _ = if next == "system" { storage.remove_item("theme") } else { storage.set_item("theme", next) };
    }
    show_theme(next);
    dom::announce(&theme_words(next));
    super::chart::recolour();
}

fn theme_words(theme: &str) -> String {
    ["Theme: ", theme].concat()
}

fn show_theme(theme: &str) {
    if let Some(root) = dom::find("html") {
        let _ = if theme == "system" { root.remove_attribute("data-theme") } else { root.set_attribute("data-theme", theme) };
    }
    for button in dom::all("[data-theme-toggle]") {
        button.set_text_content(Some(&theme_words(theme)));
    }
}

// ---- Copying ----

/// Copies what a button names: the text at an address of this site, its own text, else the address of the page.
fn copy(button: &Element) {
    let Some(window) = dom::window() else { return };
    if let Some(address) = button.get_attribute("data-copy-from") {
        let response = dom::call(&window, "fetch", &[&address.as_str().into()]);
        let text =
            dom::then(
                &response,
                |response| {
                    if dom::get(&response, "ok").is_truthy() { dom::call(&response, "text", &[]) } else { JsValue::NULL }
                },
            );
        let button = button.clone();
        let copied = dom::then(&text, move |text| {
            match text.as_string() {
                Some(text) => write(&button, text),
                None => dom::announce(NOT_COPIED),
            }
            JsValue::NULL
        });
        dom::call(&copied, "catch", &[&dom::function(|_| dom::announce(NOT_COPIED))]);
        return;
    }
    let text = button.get_attribute("data-copy").filter(|t| !t.is_empty());
    if let Some(text) = text.or_else(|| window.location().href().ok()) {
        write(button, text);
    }
}

/// Told where the text at an address could not be had.
const NOT_COPIED: &str = "Could not be copied";

fn write(button: &Element, text: String) {
    let Some(window) = dom::window() else { return };
    let clipboard = dom::get(&dom::get(&window, "navigator"), "clipboard");
    if clipboard.is_undefined() {
        // Without a secure context there is no clipboard.
        by_hand(&text);
        return;
    }
    let button = button.clone();
    let promise = dom::call(&clipboard, "writeText", &[&text.as_str().into()]);
    dom::call(&promise, "then", &[&dom::function(move |_| copied(&button)), &dom::function(move |_| by_hand(&text))]);
}

fn copied(button: &Element) {
    dom::announce("Copied");
    // A second click while the word stands must not take it for the label.
    if button.has_attribute("data-copied") {
        return;
    }
    let label = button.text_content();
    let _ = button.set_attribute("data-copied", "");
    button.set_text_content(Some("Copied"));
    let button = button.clone();
    dom::later(2000, move || {
        button.set_text_content(label.as_deref());
        let _ = button.remove_attribute("data-copied");
    });
}

/// The text, selected, to copy by hand.
fn by_hand(text: &str) {
    if let Some(window) = dom::window() {
        let _ = window.prompt_with_message_and_default("Copy this:", text);
    }
}

// ---- Tables ----

/// Sorts the table's first body by the column of a heading: ascending, then descending. Missing values stay last.
fn sort_by(button: &Element) {
    let (Ok(Some(head)), Ok(Some(table))) = (button.closest("th"), button.closest("table")) else { return };
    let Ok(Some(body)) = table.query_selector("tbody") else { return };
    let column = dom::get(&head, "cellIndex").as_f64().unwrap_or(0.0) as usize;
    let numbers = head.get_attribute("data-sort").is_some_and(|kind| kind.starts_with("num"));
    let down = head.get_attribute("aria-sort").as_deref() == Some("ascending");

    // Each row goes behind those it does not precede. Rust's sort would be as large as the rest of this file.
    let mut rows: Vec<(Key, Element)> = Vec::new();
    for row in dom::all_of(&body.query_selector_all(":scope > tr")) {
        let key = Key::of(row.children().item(column as u32).as_ref(), numbers);
        let place = rows.partition_point(|(other, _)| other.order(&key, down) != Ordering::Greater);
        rows.insert(place, (key, row));
    }
    for (_, row) in rows {
        let _ = body.append_child(&row);
    }
    for other in dom::all_in(&table, "th[aria-sort]") {
        let _ = other.remove_attribute("aria-sort");
    }
    let _ = head.set_attribute("aria-sort", if down { "descending" } else { "ascending" });
}

/// What a cell is sorted by: `data-value`, else its text.
enum Key {
    Missing,
    Number(f64),
    Text(String),
}

impl Key {
    fn of(cell: Option<&Element>, number: bool) -> Self {
        let value = cell.and_then(|c| c.get_attribute("data-value").or_else(|| c.text_content()));
        let text = value.as_deref().map_or("", str::trim);
        let parsed = if number && !text.is_empty() { JsValue::from_str(text).unchecked_into_f64() } else { f64::NAN };
        if !parsed.is_nan() {
            Self::Number(parsed)
        } else if text.is_empty() || text == "—" || text == "–" || number {
            Self::Missing
        } else {
            Self::Text(dom::lower(text))
        }
    }

    fn order(&self, other: &Self, down: bool) -> Ordering {
        let order = match (self, other) {
            (Self::Missing, Self::Missing) => return Ordering::Equal,
            (Self::Missing, _) => return Ordering::Greater,
            (_, Self::Missing) => return Ordering::Less,
            (Self::Number(a), Self::Number(b)) => a.total_cmp(b),
            (Self::Text(a), Self::Text(b)) => a.cmp(b),
            (Self::Number(_), Self::Text(_)) => Ordering::Less,
            (Self::Text(_), Self::Number(_)) => Ordering::Greater,
        };
        if down { order.reverse() } else { order }
    }
}
