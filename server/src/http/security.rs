//! Headers that every answer carries.

use axum::response::Response;
use http::{HeaderName, HeaderValue, header};

/// The content security policy of pages: our own scripts, wasm, the inline scripts by their hashes; plotly writes styles.
#[must_use]
pub fn policy(inline_script_hashes: &[String]) -> String {
    let hashes: String = inline_script_hashes.iter().map(|h| format!(" 'sha256-{h}'")).collect();
    format!(
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'{hashes}; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; \
         font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    )
}

/// Sets the headers that do not depend on the request.
pub fn set(response: &mut Response, policy: &HeaderValue) {
    let headers = response.headers_mut();
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert_with(|| policy.clone());
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("strict-origin-when-cross-origin"));
    headers.insert(HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin"));
}
