//! The web assets: style sheet, scripts, the browser's half, icons. `tools/web` builds
//! them into `target/site`; a release binary carries them, a debug one reads them there.
//!
//! A file's name holds the hash of its content, so browsers keep it for good; pages get
//! today's names from [`url`] and [`urls`]. Each file has a Brotli and a gzip copy beside
//! it, so serving one never compresses.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
    sync::OnceLock,
};

use axum::{
    body::Body,
    extract::Path,
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use rust_embed::RustEmbed;

/// Where [`serve`] is mounted; also the first part of each path in the manifest.
const PREFIX: &str = "/assets/";

/// The embedded folder. It may be missing while the server is compiled (tests, lints):
/// then pages name addresses that answer 404.
#[derive(RustEmbed)]
#[folder = "$CARGO_MANIFEST_DIR/../target/site"]
#[allow_missing = true]
struct Site;

/// `make build` sets this to a checksum of the manifest: cargo then compiles this file
/// anew when the assets changed, also when there were none before.
const _: Option<&str> = option_env!("PARETOSCOPE_SITE");

/// The addresses that every page's head needs.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct AssetUrls {
    /// The style sheet.
    pub css: String,
    /// wasm-bindgen's glue, an ES module; its default export takes the address of `wasm`.
    pub js: String,
    /// The browser's half: the islands.
    pub wasm: String,
    /// plotly.js, loaded when the browser is idle.
    pub plotly: String,
    /// The site's icon.
    pub icon: String,
}

/// The addresses of the assets that every page uses.
pub fn urls() -> AssetUrls {
    let manifest = manifest();
    AssetUrls {
        css: manifest.url("app.css"),
        js: manifest.url("app.js"),
        wasm: manifest.url("app.wasm"),
        plotly: manifest.url("plotly.js"),
        icon: manifest.url("icon.svg"),
    }
}

/// The address of an asset by its logical name: `app.css`, `fonts/inter.woff2`.
///
/// A name that was not built gives `/assets/<name>`, which answers 404.
pub fn url(logical: &str) -> String {
    manifest().url(logical)
}

/// `GET /assets/{*path}`: the file in the smallest encoding that the client takes.
///
/// 404 for anything that isn't in the manifest.
pub async fn serve(Path(path): Path<String>, headers: HeaderMap) -> Response {
    respond(&path, &headers, manifest(), |file| Site::get(file).map(|file| file.data))
}

/// Logical names and the paths they were built to.
#[derive(Debug, Default)]
struct Manifest {
    /// Logical name to path below the site: `app.css` → `assets/app.1a2b3c4d.css`.
    paths: BTreeMap<String, String>,
    /// The values of `paths`: what may be asked for.
    known: BTreeSet<String>,
}

/// The manifest that was built, read once; empty when nothing was.
fn manifest() -> &'static Manifest {
    static MANIFEST: OnceLock<Manifest> = OnceLock::new();
    MANIFEST.get_or_init(|| match Site::get("manifest.json") {
        Some(file) => Manifest::parse(&file.data).unwrap_or_else(|error| {
            tracing::error!(%error, "the manifest of the web assets can't be read: run `make web`");
            Manifest::default()
        }),
        None => {
            tracing::warn!("the web assets aren't built, pages will be bare: run `make web`");
            Manifest::default()
        }
    })
}

impl Manifest {
    fn parse(json: &[u8]) -> serde_json::Result<Self> {
        let paths: BTreeMap<String, String> = serde_json::from_slice(json)?;
        let known = paths.values().cloned().collect();
        Ok(Self { paths, known })
    }

    fn url(&self, logical: &str) -> String {
        match self.paths.get(logical) {
            Some(path) => format!("/{path}"),
            None => format!("{PREFIX}{logical}"),
        }
    }
}

fn respond(path: &str, request: &HeaderMap, manifest: &Manifest, read: impl Fn(&str) -> Option<Cow<'static, [u8]>>) -> Response {
    let file = format!("{}{path}", PREFIX.trim_start_matches('/'));
    if !manifest.known.contains(&file) {
        return (StatusCode::NOT_FOUND, "no such asset\n").into_response();
    }
    let packed = Encoding::accepted(request).find_map(|encoding| Some((Some(encoding), read(&format!("{file}.{}", encoding.suffix()))?)));
    let Some((encoding, bytes)) = packed.or_else(|| Some((None, read(&file)?))) else {
        return (StatusCode::NOT_FOUND, "no such asset\n").into_response();
    };

    // The name changes with the content, so it is the tag; each encoding has its own.
    let tag = format!("\"{path}{}\"", encoding.map_or("", Encoding::tag_suffix));
    let mut response = if matches_tag(request, &tag) { StatusCode::NOT_MODIFIED.into_response() } else { Response::new(body(bytes)) };
    let headers = response.headers_mut();
    if let Ok(tag) = HeaderValue::try_from(tag) {
        headers.insert(header::ETAG, tag);
    }
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=31536000, immutable"));
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    headers.insert(header::CONTENT_TYPE, content_type(path));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if let Some(encoding) = encoding {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding.token()));
    }
    response
}

/// Embedded bytes are sent as they are, without a copy.
fn body(bytes: Cow<'static, [u8]>) -> Body {
    match bytes {
        Cow::Borrowed(bytes) => Body::from(Bytes::from_static(bytes)),
        Cow::Owned(bytes) => Body::from(bytes),
    }
}

fn matches_tag(request: &HeaderMap, tag: &str) -> bool {
    request
        .get_all(header::IF_NONE_MATCH)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(|candidate| candidate.trim().trim_start_matches("W/"))
        .any(|candidate| candidate == "*" || candidate == tag)
}

fn content_type(path: &str) -> HeaderValue {
    let kind = mime_guess::from_path(path).first_or_octet_stream();
    let text = match kind.essence_str() {
        "text/javascript" | "application/javascript" => "text/javascript; charset=utf-8".to_owned(),
        text if text.starts_with("text/") => format!("{text}; charset=utf-8"),
        other => other.to_owned(),
    };
    HeaderValue::try_from(text).unwrap_or_else(|_| HeaderValue::from_static("application/octet-stream"))
}

/// The encodings that `tools/web` prepares, the smaller first.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Encoding {
    Brotli,
    Gzip,
}

impl Encoding {
    /// Those that the request takes (RFC 9110 §12.5.3), the smaller first.
    fn accepted(request: &HeaderMap) -> impl Iterator<Item = Self> {
        let accept = request
            .get_all(header::ACCEPT_ENCODING)
            .iter()
            .filter_map(|value| value.to_str().ok())
            .collect::<Vec<_>>()
            .join(",")
            .to_ascii_lowercase();
        [Self::Brotli, Self::Gzip].into_iter().filter(move |encoding| accepts(&accept, encoding.token()))
    }

    fn token(self) -> &'static str {
        match self {
            Self::Brotli => "br",
            Self::Gzip => "gzip",
        }
    }

    fn suffix(self) -> &'static str {
        match self {
            Self::Brotli => "br",
            Self::Gzip => "gz",
        }
    }

    fn tag_suffix(self) -> &'static str {
        match self {
            Self::Brotli => ".br",
            Self::Gzip => ".gz",
        }
    }
}

/// Whether a lower-case `Accept-Encoding` takes this coding: named with a weight above 0,
/// or not named and `*` is.
fn accepts(accept: &str, coding: &str) -> bool {
    let weight = |wanted: &str| {
        accept.split(',').find_map(|item| {
            let mut parts = item.split(';').map(str::trim);
            (parts.next()? == wanted)
                .then(|| parts.find_map(|parameter| parameter.strip_prefix("q=")).map_or(1.0, |q| q.parse::<f32>().unwrap_or(0.0)))
        })
    };
    weight(coding).or_else(|| weight("*")).is_some_and(|q| q > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CSS: &str = "app.1a2b3c4d.css";

    fn a_manifest() -> Manifest {
        Manifest::parse(
            br#"{"app.css": "assets/app.1a2b3c4d.css", "app.wasm": "assets/app.5e6f7081.wasm", "fonts/a.woff2": "assets/fonts/a.00112233.woff2"}"#,
        )
        .unwrap()
    }

    /// Answers as if every file had both copies, the fonts none.
    fn get(path: &str, headers: &[(header::HeaderName, &str)]) -> Response {
        let request = headers.iter().map(|(name, value)| (name.clone(), value.parse().unwrap())).collect();
        respond(path, &request, &a_manifest(), |file| {
            let packed = file.ends_with(".br") || file.ends_with(".gz");
            (!(file.contains("fonts/") && packed)).then(|| Cow::Owned(file.as_bytes().to_vec()))
        })
    }

    fn header(response: &Response, name: header::HeaderName) -> Option<&str> {
        response.headers().get(name).map(|value| value.to_str().unwrap())
    }

    #[test]
    fn urls_are_hashed_and_fall_back_to_the_plain_name() {
        let manifest = a_manifest();
        assert_eq!(manifest.url("app.css"), "/assets/app.1a2b3c4d.css");
        assert_eq!(manifest.url("fonts/a.woff2"), "/assets/fonts/a.00112233.woff2");
        assert_eq!(manifest.url("app.js"), "/assets/app.js");
        assert!(url("app.css").starts_with("/assets/app."));
    }

    #[test]
    fn an_asset_is_kept_for_good() {
        let response = get(CSS, &[]);
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(header(&response, header::CACHE_CONTROL), Some("public, max-age=31536000, immutable"));
        assert_eq!(header(&response, header::CONTENT_TYPE), Some("text/css; charset=utf-8"));
        assert_eq!(header(&response, header::VARY), Some("accept-encoding"));
        assert_eq!(header(&response, header::ETAG), Some("\"app.1a2b3c4d.css\""));
        assert_eq!(header(&response, header::CONTENT_ENCODING), None);
    }

    #[test]
    fn the_smallest_accepted_encoding_is_served() {
        for (accept, encoding) in [
            ("gzip, deflate, br, zstd", Some("br")),
            ("GZIP", Some("gzip")),
            ("br;q=0, gzip;q=0.5", Some("gzip")),
            ("br; q=0.1", Some("br")),
            ("*", Some("br")),
            ("*;q=0", None),
            ("identity", None),
            ("", None),
        ] {
            let response = get(CSS, &[(header::ACCEPT_ENCODING, accept)]);
            assert_eq!(header(&response, header::CONTENT_ENCODING), encoding, "{accept}");
        }
        let font = get("fonts/a.00112233.woff2", &[(header::ACCEPT_ENCODING, "br")]);
        assert_eq!(font.status(), StatusCode::OK);
        assert_eq!(header(&font, header::CONTENT_ENCODING), None);
    }

    #[test]
    fn content_types() {
        for (path, kind) in [
            ("app.wasm", "application/wasm"),
            ("app.js", "text/javascript; charset=utf-8"),
            ("icon.svg", "image/svg+xml"),
            ("a.woff2", "font/woff2"),
            ("unknown", "application/octet-stream"),
        ] {
            assert_eq!(content_type(path), kind, "{path}");
        }
    }

    #[test]
    fn a_known_tag_is_answered_without_the_content() {
        let encoded = (header::ACCEPT_ENCODING, "br");
        let response = get(CSS, &[encoded.clone(), (header::IF_NONE_MATCH, "\"x\", W/\"app.1a2b3c4d.css.br\"")]);
        assert_eq!(response.status(), StatusCode::NOT_MODIFIED);
        let other_encoding = get(CSS, &[encoded, (header::IF_NONE_MATCH, "\"app.1a2b3c4d.css\"")]);
        assert_eq!(other_encoding.status(), StatusCode::OK);
    }

    #[test]
    fn only_what_was_built_is_served() {
        for path in ["app.css", "app.1a2b3c4d.css.br", "../manifest.json", "manifest.json", ""] {
            assert_eq!(get(path, &[]).status(), StatusCode::NOT_FOUND, "{path}");
        }
    }
}
