//! Small words for the document. Everything gives way quietly where the browser lacks something: a page works without.
//!
//! Numbers become text, text is searched and folded by the browser's own functions: Rust's would be a third of this module.

use js_sys::{Array, Function, JsString, Reflect};
use wasm_bindgen::prelude::*;
use web_sys::{Document, Element, Event, EventTarget, HtmlElement, Window};

pub(super) fn window() -> Option<Window> {
    web_sys::window()
}

pub(super) fn document() -> Option<Document> {
    window()?.document()
}

/// First element of the page that matches.
pub(super) fn find(selector: &str) -> Option<Element> {
    document()?.query_selector(selector).ok().flatten()
}

/// All elements of the page that match.
pub(super) fn all(selector: &str) -> Vec<Element> {
    document().map(|d| all_of(&d.query_selector_all(selector))).unwrap_or_default()
}

/// All elements below `root` that match.
pub(super) fn all_in(root: &Element, selector: &str) -> Vec<Element> {
    all_of(&root.query_selector_all(selector))
}

pub(super) fn all_of(list: &Result<web_sys::NodeList, JsValue>) -> Vec<Element> {
    let Ok(list) = list else { return Vec::new() };
    (0..list.length()).filter_map(|i| list.get(i)?.dyn_into().ok()).collect()
}

/// Calls `act` for every event of a kind, for as long as the page lives.
pub(super) fn listen(target: &EventTarget, kind: &str, act: impl FnMut(Event) + 'static) {
    let act: Box<dyn FnMut(Event)> = Box::new(act);
    let act = Closure::wrap(act).into_js_value();
    // Only fails for what is no event target.
    let _ = target.add_event_listener_with_callback(kind, act.unchecked_ref());
}

/// A function for scripts to call.
pub(super) fn function(act: impl FnMut(JsValue) + 'static) -> Function {
    let act: Box<dyn FnMut(JsValue)> = Box::new(act);
    Closure::wrap(act).into_js_value().unchecked_into()
}

/// What comes of a promise. `act` may give another promise; a failure goes by.
pub(super) fn then(promise: &JsValue, act: impl FnMut(JsValue) -> JsValue + 'static) -> JsValue {
    let act: Box<dyn FnMut(JsValue) -> JsValue> = Box::new(act);
    call(promise, "then", &[&Closure::wrap(act).into_js_value()])
}

/// The nearest element around an event's target that matches.
pub(super) fn around(event: &Event, selector: &str) -> Option<Element> {
    event.target()?.dyn_into::<Element>().ok()?.closest(selector).ok().flatten()
}

/// A member of a script's object; undefined where there is none.
pub(super) fn get(object: &JsValue, key: &str) -> JsValue {
    Reflect::get(object, &key.into()).unwrap_or(JsValue::UNDEFINED)
}

pub(super) fn set(object: &JsValue, key: &str, value: &JsValue) {
    let _ = Reflect::set(object, &key.into(), value);
}

/// Calls a method; undefined where there is none or it throws.
pub(super) fn call(object: &JsValue, method: &str, arguments: &[&JsValue]) -> JsValue {
    let Ok(method) = get(object, method).dyn_into::<Function>() else { return JsValue::UNDEFINED };
    let list = Array::new();
    for argument in arguments {
        list.push(argument);
    }
    Reflect::apply(&method, object, &list).unwrap_or(JsValue::UNDEFINED)
}

/// A number as the browser writes it.
pub(super) fn text(number: f64) -> String {
    js_sys::Number::from(number).to_string_with_radix(10).map(String::from).unwrap_or_default()
}

/// A length.
pub(super) fn px(number: f64) -> String {
    text(number) + "px"
}

/// A text with every `from` made `to`.
pub(super) fn replaced(text: &JsString, from: &str, to: &str) -> JsString {
    text.replace_all(from, to)
}

/// A text in small letters.
pub(super) fn lower(text: &str) -> String {
    JsString::from(text).to_lower_case().into()
}

/// An encoded value for a query, with the characters left readable that may stand there as they are.
pub(super) fn encoded(value: &str) -> String {
    let mut text = js_sys::encode_uri_component(value);
    for (code, sign) in [("%2C", ","), ("%3A", ":"), ("%2F", "/")] {
        text = replaced(&text, code, sign);
    }
    text.into()
}

/// Sets an inline style by script, which a strict content security policy allows.
pub(super) fn style(element: &Element, name: &str, value: &str) {
    if let Some(element) = element.dyn_ref::<HtmlElement>() {
        let _ = element.style().set_property(name, value);
    } else {
        // An SVG element has a style too.
        call(&get(element, "style"), "setProperty", &[&name.into(), &value.into()]);
    }
}

/// Calls `act` once, after some milliseconds.
pub(super) fn later(milliseconds: i32, mut act: impl FnMut() + 'static) {
    if let Some(w) = window() {
        let _ = w.set_timeout_with_callback_and_timeout_and_arguments_0(&function(move |_| act()), milliseconds);
    }
}

/// Tells a screen reader.
pub(super) fn announce(text: &str) {
    if let Some(status) = find("#page-status") {
        status.set_text_content(Some(text));
    }
}

/// Whether a click asks for another tab or window.
pub(super) fn is_modified(event: &Event) -> bool {
    ["ctrlKey", "metaKey", "shiftKey", "altKey"].iter().any(|key| get(event, key).is_truthy())
}
