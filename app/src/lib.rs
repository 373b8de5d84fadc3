//! What people see: pages, components, islands, figures, and the state of a view in its address.
//!
//! With feature `ssr` (the server) a page is a function from plain values to a whole HTML document: [`render`]. With feature
//! `hydrate` (the browser) only [`islands`] is compiled; the rest of a page is never shipped as code.

// The nested views of a page make deep types.
#![recursion_limit = "512"]

#[cfg(feature = "ssr")]
pub mod figure;
pub mod islands;

#[cfg(feature = "ssr")]
mod document;
#[cfg(feature = "ssr")]
pub mod pages;
#[cfg(feature = "ssr")]
mod parts;
#[cfg(feature = "ssr")]
pub mod view_state;

#[cfg(feature = "ssr")]
pub use document::{INLINE_SCRIPTS, Site, render};
#[cfg(feature = "ssr")]
pub use pages::*;

/// Entry of the browser's half, called once by the boot script of a page, before the islands' own functions. The islands hold no
/// signals, so Leptos' reactive start (`hydrate_islands`) is left out: it is a seventh of the module.
#[cfg(feature = "hydrate")]
#[wasm_bindgen::prelude::wasm_bindgen]
pub fn hydrate() {
    console_error_panic_hook::set_once();
}
