//! Answers by (address, data version): made once, kept as bytes with their ETag and compressed forms.
//!
//! Every GET is a function of the address and the version of the data, so its bytes are too. An answer is kept until the
//! version moves on or the cache is full; what a client sends back as `If-None-Match` costs a comparison. What also follows the
//! calendar (what is expired, what is retired) says so, and is kept until the day ends ([`until_tomorrow`]).

use std::sync::{Arc, OnceLock};

use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use quick_cache::{Weighter, sync::Cache};

use crate::app::App;

/// Answers larger than this are passed on, not kept.
const KEPT_BYTES: usize = 8 << 20;
/// All kept answers together.
const CACHE_BYTES: u64 = 96 << 20;
/// Below this, compressing costs more than it saves.
const COMPRESS_FROM: usize = 860;

/// An encoding we answer in, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Encoding {
    Brotli,
    Zstd,
    Gzip,
    Identity,
}

impl Encoding {
    fn name(self) -> Option<&'static str> {
        match self {
            Self::Brotli => Some("br"),
            Self::Zstd => Some("zstd"),
            Self::Gzip => Some("gzip"),
            Self::Identity => None,
        }
    }

    /// The best encoding that the client takes: the one of the highest weight, ours first among equals.
    fn negotiate(headers: &HeaderMap) -> Self {
        let accepted = headers.get(header::ACCEPT_ENCODING).and_then(|v| v.to_str().ok()).unwrap_or_default();
        let weight = |name: &str| -> f32 {
            let mut any = 0.0;
            for part in accepted.split(',') {
                let mut pieces = part.split(';');
                let coding = pieces.next().unwrap_or_default().trim();
                let q = pieces.find_map(|p| p.trim().strip_prefix("q=")).and_then(|q| q.parse().ok()).unwrap_or(1.0);
                if coding.eq_ignore_ascii_case(name) {
                    return q;
                }
                if coding == "*" {
                    any = q;
                }
            }
            any
        };
        let mut best = (Self::Identity, 0.0);
        for encoding in [Self::Brotli, Self::Zstd, Self::Gzip] {
            let q = encoding.name().map_or(0.0, weight);
            if q > best.1 {
                best = (encoding, q);
            }
        }
        best.0
    }
}

/// Until when an answer holds, though the data stays as it is.
#[derive(Clone, Copy, Debug)]
struct Until(Timestamp);

/// The same answer, kept no longer than to the end of the day (UTC).
#[must_use]
pub fn until_tomorrow(mut response: Response) -> Response {
    let tomorrow = Timestamp::now().to_zoned(TimeZone::UTC).tomorrow().and_then(|day| day.start_of_day());
    // Without a tomorrow it is not kept at all.
    let until = tomorrow.map_or(Timestamp::MIN, |day| day.timestamp());
    response.extensions_mut().insert(Until(until));
    response
}

/// An answer as it is kept.
#[derive(Debug)]
struct Kept {
    until: Option<Until>,
    status: StatusCode,
    headers: HeaderMap,
    etag: HeaderValue,
    identity: Bytes,
    brotli: OnceLock<Bytes>,
    zstd: OnceLock<Bytes>,
    gzip: OnceLock<Bytes>,
}

impl Kept {
    fn new(status: StatusCode, headers: HeaderMap, identity: Bytes) -> Self {
        use sha2::{Digest, Sha256};
        let mut digest = hex::encode(Sha256::digest(&identity));
        digest.truncate(20);
        let etag = HeaderValue::from_str(&format!("W/\"{digest}\"")).unwrap_or_else(|_| HeaderValue::from_static("W/\"0\""));
        Self { until: None, status, headers, etag, identity, brotli: OnceLock::new(), zstd: OnceLock::new(), gzip: OnceLock::new() }
    }

    /// Whether it may still be given out.
    fn holds(&self) -> bool {
        self.until.is_none_or(|Until(end)| Timestamp::now() < end)
    }

    /// Whether its type is worth compressing.
    fn compressible(&self) -> bool {
        let kind = self.headers.get(header::CONTENT_TYPE).and_then(|v| v.to_str().ok()).unwrap_or_default();
        self.identity.len() >= COMPRESS_FROM && (kind.starts_with("text/") || kind.contains("json") || kind.contains("svg"))
    }

    fn body(&self, encoding: Encoding) -> Bytes {
        let bytes = match encoding {
            Encoding::Identity => return self.identity.clone(),
            Encoding::Brotli => self.brotli.get_or_init(|| brotli_of(&self.identity)),
            Encoding::Zstd => self.zstd.get_or_init(|| zstd::bulk::compress(&self.identity, 6).map(Bytes::from).unwrap_or_default()),
            Encoding::Gzip => self.gzip.get_or_init(|| gzip_of(&self.identity)),
        };
        bytes.clone()
    }

    fn answer(&self, request: &HeaderMap) -> Response {
        let known = request.get(header::IF_NONE_MATCH).and_then(|v| v.to_str().ok()).is_some_and(|sent| {
            let ours = self.etag.to_str().unwrap_or_default().trim_start_matches("W/");
            sent.split(',').any(|tag| tag.trim() == "*" || tag.trim().trim_start_matches("W/") == ours)
        });
        if known && self.status == StatusCode::OK {
            let mut response = StatusCode::NOT_MODIFIED.into_response();
            self.common(response.headers_mut());
            return response;
        }
        let mut encoding = if self.compressible() { Encoding::negotiate(request) } else { Encoding::Identity };
        let mut body = self.body(encoding);
        if body.is_empty() && !self.identity.is_empty() {
            (encoding, body) = (Encoding::Identity, self.identity.clone());
        }
        let mut response = (self.status, Body::from(body)).into_response();
        let headers = response.headers_mut();
        headers.remove(header::CONTENT_TYPE);
        for (name, value) in &self.headers {
            headers.append(name, value.clone());
        }
        self.common(headers);
        if let Some(name) = encoding.name() {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(name));
        }
        response
    }

    fn common(&self, headers: &mut HeaderMap) {
        headers.insert(header::ETAG, self.etag.clone());
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    }
}

fn brotli_of(bytes: &[u8]) -> Bytes {
    // A large page is waited for: better a little larger than much later.
    let quality = if bytes.len() > 256 << 10 { 2 } else { 5 };
    let params = brotli::enc::BrotliEncoderParams { quality, lgwin: 22, size_hint: bytes.len(), ..Default::default() };
    let mut out = Vec::with_capacity(bytes.len() / 4);
    match brotli::BrotliCompress(&mut &*bytes, &mut out, &params) {
        Ok(_) => Bytes::from(out),
        Err(_) => Bytes::new(),
    }
}

fn gzip_of(bytes: &[u8]) -> Bytes {
    use std::io::Write;
    let mut encoder = flate2::write::GzEncoder::new(Vec::with_capacity(bytes.len() / 4), flate2::Compression::new(6));
    match encoder.write_all(bytes).and_then(|()| encoder.finish()) {
        Ok(out) => Bytes::from(out),
        Err(_) => Bytes::new(),
    }
}

/// Weight of a kept answer: its bytes, with room for the compressed forms.
#[derive(Clone, Copy, Debug)]
struct ByBytes;

impl Weighter<(i64, String), Arc<Kept>> for ByBytes {
    fn weight(&self, key: &(i64, String), kept: &Arc<Kept>) -> u64 {
        let bytes = key.1.len() + kept.identity.len() + kept.identity.len() / 2 + 512;
        u64::try_from(bytes).unwrap_or(u64::MAX)
    }
}

/// The kept answers.
#[derive(Debug)]
pub struct ResponseCache {
    entries: Cache<(i64, String), Arc<Kept>, ByBytes>,
}

impl Default for ResponseCache {
    fn default() -> Self {
        Self { entries: Cache::with_weighter(1_000, CACHE_BYTES, ByBytes) }
    }
}

impl ResponseCache {
    /// Drops everything: the data moved on.
    pub fn clear(&self) {
        self.entries.clear();
    }
}

/// Middleware over all pages and API calls: answers from the cache, or makes, keeps and answers.
pub async fn serve(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    app.refresh().await;
    if request.method() != Method::GET && request.method() != Method::HEAD {
        return next.run(request).await;
    }
    let headers = request.headers().clone();
    let address = request.uri().path_and_query().map_or("/", |p| p.as_str()).to_owned();
    let key = (app.snapshot().version, address);
    if let Some(kept) = app.cache.entries.get(&key).filter(|kept| kept.holds()) {
        app.metrics.hit();
        return kept.answer(&headers);
    }
    app.metrics.miss();
    // A HEAD is answered from what its GET would say; hyper leaves the body out.
    let mut request = request;
    *request.method_mut() = Method::GET;
    let response = next.run(request).await;
    let (parts, body) = response.into_parts();
    let Ok(bytes) = to_bytes(body, usize::MAX).await else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let until = parts.extensions.get::<Until>().copied();
    let kept = Arc::new(Kept { until, ..Kept::new(parts.status, parts.headers, bytes) });
    // Errors in parameters are as many as there are typing mistakes: they are not worth keeping.
    let worth_it = matches!(kept.status, StatusCode::OK | StatusCode::NOT_FOUND | StatusCode::GONE) && kept.identity.len() <= KEPT_BYTES;
    if worth_it && key.1.len() <= 2_048 {
        app.cache.entries.insert(key, Arc::clone(&kept));
    }
    kept.answer(&headers)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accept(text: &str) -> Encoding {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_str(text).unwrap());
        Encoding::negotiate(&headers)
    }

    #[test]
    fn encodings_are_negotiated() {
        for (text, encoding) in [
            ("gzip, deflate, br, zstd", Encoding::Brotli),
            ("gzip", Encoding::Gzip),
            ("zstd;q=1.0, br;q=0.5", Encoding::Zstd),
            ("br;q=0, gzip", Encoding::Gzip),
            ("*", Encoding::Brotli),
            ("identity", Encoding::Identity),
            ("", Encoding::Identity),
        ] {
            assert_eq!(accept(text), encoding, "{text}");
        }
        assert_eq!(Encoding::negotiate(&HeaderMap::new()), Encoding::Identity);
    }

    #[test]
    fn what_follows_the_calendar_is_kept_for_the_day() {
        let kept = |response: Response| {
            let (parts, _) = until_tomorrow(response).into_parts();
            Kept { until: parts.extensions.get::<Until>().copied(), ..Kept::new(parts.status, parts.headers, Bytes::new()) }
        };
        let today = kept(StatusCode::OK.into_response());
        assert!(today.holds() && today.until.is_some_and(|Until(end)| end.to_zoned(TimeZone::UTC).hour() == 0));
        assert!(!Kept { until: Some(Until(Timestamp::UNIX_EPOCH)), ..today }.holds());
    }

    #[test]
    fn a_known_etag_gets_304_and_compressed_bodies_unpack() {
        let mut headers = HeaderMap::new();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html"));
        let text = "Pareto ".repeat(500);
        let kept = Kept::new(StatusCode::OK, headers, Bytes::from(text.clone()));
        let mut request = HeaderMap::new();
        request.insert(header::IF_NONE_MATCH, kept.etag.clone());
        assert_eq!(kept.answer(&request).status(), StatusCode::NOT_MODIFIED);
        let mut plain = Vec::new();
        brotli::BrotliDecompress(&mut &*kept.body(Encoding::Brotli), &mut plain).unwrap();
        assert_eq!(plain, text.as_bytes());
        assert!(kept.body(Encoding::Zstd).len() < text.len() && kept.body(Encoding::Gzip).len() < text.len());
    }
}
