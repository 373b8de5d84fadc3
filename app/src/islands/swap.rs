//! Controls without a reload: a change fetches the page that the form would lead to and puts its parts in place.

use std::cell::{Cell, RefCell};

use js_sys::Object;
use wasm_bindgen::prelude::*;
use web_sys::{AbortController, Document, DomParser, Element, SupportedType};

use super::{chart, dom, page};

thread_local! {
    /// Stops the fetch under way.
    static PENDING: RefCell<Option<AbortController>> = const { RefCell::new(None) };
    /// Number of the newest fetch.
    static NEWEST: Cell<u32> = const { Cell::new(0) };
    /// Path and query that the page shows.
    static SHOWN: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Starts listening.
pub(super) fn start() {
    let (Some(window), Some(document)) = (dom::window(), dom::document()) else { return };
    remember();
    for kind in ["change", "submit"] {
        dom::listen(&document, kind, |event| {
            if let Some(form) = dom::around(&event, "#chart-controls") {
                event.prevent_default();
                go_to(address_of(&form), true);
            }
        });
    }
    dom::listen(&window, "popstate", |_| {
        // Also fired for anchors within the page.
        let here = here();
        if SHOWN.with_borrow(|shown| *shown != here) {
            go_to(here, false);
        }
    });
}

/// Remembers that the page shows what the address says.
pub(super) fn remember() {
    let here = here();
    SHOWN.with_borrow_mut(|shown| *shown = here);
}

fn here() -> String {
    let Some(location) = dom::window().map(|w| w.location()) else { return String::new() };
    location.pathname().unwrap_or_default() + &location.search().unwrap_or_default()
}

/// The address that a form leads to, without empty fields.
fn address_of(form: &Element) -> String {
    let mut out = form.get_attribute("action").unwrap_or_default();
    let mut separator = '?';
    for field in dom::all_in(form, "[name]:enabled") {
        let is_off = field.get_attribute("type").as_deref() == Some("checkbox") && !dom::get(&field, "checked").is_truthy();
        let value = dom::get(&field, "value").as_string().filter(|value| !value.is_empty() && !is_off);
        if let (Some(name), Some(value)) = (field.get_attribute("name"), value) {
            out.push(separator);
            out.push_str(&dom::encoded(&name));
            out.push('=');
            out.push_str(&dom::encoded(&value));
            separator = '&';
        }
    }
    out
}

/// Shows another state of the page. The newest wins; where anything fails, the browser goes there itself.
fn go_to(address: String, push: bool) {
    let number = NEWEST.get() + 1;
    NEWEST.set(number);
    let controller = AbortController::new().ok();
    let signal = controller.as_ref().map(AbortController::signal);
    if let Some(old) = PENDING.replace(controller) {
        old.abort();
    }
    let is_newest = move || NEWEST.get() == number;
    let options = Object::new();
    if let Some(signal) = signal {
        dom::set(&options, "signal", &signal);
    }
    let Some(window) = dom::window() else { return };
    let response = dom::call(&window, "fetch", &[&address.as_str().into(), &options]);
    let text = dom::then(
        &response,
        |response| {
            if dom::get(&response, "ok").is_truthy() { dom::call(&response, "text", &[]) } else { JsValue::NULL }
        },
    );
    let target = address.clone();
    let shown = dom::then(&text, move |text| {
        if is_newest() {
            let new = text.as_string().and_then(|text| DomParser::new().ok()?.parse_from_string(&text, SupportedType::TextHtml).ok());
            if !new.is_some_and(|new| show(&new, &target, push)) {
                leave(&target);
            }
        }
        JsValue::NULL
    });
    let failed = dom::function(move |_| {
        if is_newest() {
            leave(&address);
        }
    });
    dom::call(&shown, "catch", &[&failed]);
}

/// Lets the browser go there itself.
fn leave(address: &str) {
    if let Some(window) = dom::window() {
        let _ = window.location().assign(address);
    }
}

/// Parts of a document that may be replaced; not those inside another such part.
fn parts(document: &Document) -> Vec<Element> {
    let mut parts = dom::all_of(&document.query_selector_all("[data-swap]"));
    parts.retain(|p| p.parent_element().is_none_or(|parent| !matches!(parent.closest("[data-swap]"), Ok(Some(_)))));
    parts
}

/// Puts the new document's parts in place. False where the documents have not the same parts.
fn show(new: &Document, address: &str, push: bool) -> bool {
    let (Some(window), Some(document)) = (dom::window(), dom::document()) else { return false };
    let (old_parts, new_parts) = (parts(&document), parts(new));
    let same = old_parts.len() == new_parts.len() && old_parts.iter().zip(&new_parts).all(|(a, b)| a.id() == b.id());
    if !same {
        return false;
    }
    let focused = document.active_element().map(|e| e.id()).filter(|id| !id.is_empty());
    for (old, new) in old_parts.iter().zip(&new_parts) {
        // What did not change stays, with its state: an opened menu, a sorted table.
        if !old.is_equal_node(Some(new)) || new.query_selector("#chart-data").is_ok_and(|found| found.is_some()) {
            chart::keep(old);
            let _ = old.replace_with_with_node_1(new);
        }
    }
    follow(new);
    document.set_title(&new.title());
    if push && let Ok(history) = window.history() {
        let _ = history.push_state_with_url(&JsValue::NULL, "", Some(address));
    }
    remember();
    page::enhance();
    chart::changed();
    if let Some(element) = focused.and_then(|id| document.get_element_by_id(&id)) {
        dom::call(&element, "focus", &[&JsValue::UNDEFINED]);
    }
    let caption = dom::find("#chart-caption").and_then(|c| c.text_content()).unwrap_or_default();
    dom::announce(&["Chart: ", &caption].concat());
    true
}

/// Sets the form to what the new document's form stands at.
fn follow(new: &Document) {
    let (Some(form), Some(wanted)) = (dom::find("#chart-controls"), new.get_element_by_id("chart-controls")) else { return };
    for field in dom::all_in(&form, "input[type=hidden]") {
        field.remove();
    }
    for theirs in dom::all_in(&wanted, "[name]") {
        let name = theirs.get_attribute("name").unwrap_or_default();
        if theirs.get_attribute("type").as_deref() == Some("hidden") {
            let _ = form.append_child(&theirs);
            continue;
        }
        let mine = dom::all_in(&form, "[name]").into_iter().find(|e| e.get_attribute("name").as_deref() == Some(&name));
        let Some(mine) = mine else { continue };
        if theirs.tag_name() == "SELECT" && mine.inner_html() != theirs.inner_html() {
            mine.set_inner_html(&theirs.inner_html());
        }
        for member in ["value", "checked"] {
            let value = dom::get(&theirs, member);
            if !value.is_undefined() {
                dom::set(&mine, member, &value);
            }
        }
    }
}
