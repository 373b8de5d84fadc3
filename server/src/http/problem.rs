//! Errors of the API: RFC 9457 problem documents, logged once, here at the edge.

use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use paretoscope_store::StoreError;
use serde::Serialize;

/// An error as the client reads it.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
pub struct Problem {
    /// What kind of problem: a path of this server's documentation.
    #[serde(rename = "type")]
    pub kind: String,
    /// The kind in words.
    pub title: String,
    /// HTTP status.
    pub status: u16,
    /// What exactly, and what to do.
    pub detail: String,
    /// The parameter at fault, where one is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parameter: Option<String>,
}

impl Problem {
    fn new(status: StatusCode, kind: &str, title: &str, detail: impl Into<String>) -> Self {
        Self {
            kind: format!("/api/v1/problems/{kind}"),
            title: title.to_owned(),
            status: status.as_u16(),
            detail: detail.into(),
            parameter: None,
        }
    }

    /// 400: a parameter is unknown, repeated or malformed.
    #[must_use]
    pub fn parameter(name: &str, detail: impl Into<String>) -> Self {
        let mut problem = Self::new(StatusCode::BAD_REQUEST, "bad-parameter", "A parameter can't be used", detail);
        problem.parameter = Some(name.to_owned());
        problem
    }

    /// 404: nothing of that name was ever seen.
    #[must_use]
    pub fn not_found(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not-found", "Not found", detail)
    }

    /// 410: it was here and is hidden now.
    #[must_use]
    pub fn gone(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::GONE, "gone", "No longer shown", detail)
    }

    /// 500: our fault; what exactly is in the log.
    #[must_use]
    pub fn internal(error: &dyn std::error::Error) -> Self {
        tracing::error!(error = %chain(error), "a request failed");
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "internal",
            "Something broke on the server",
            "The server's log has the cause. Trying again later may help.",
        )
    }

    /// The status.
    #[must_use]
    pub fn status_code(&self) -> StatusCode {
        StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }
}

/// An error with all its sources, outermost first.
pub fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        if !text.contains(&cause_text) {
            text.push_str(": ");
            text.push_str(&cause_text);
        }
        source = cause.source();
    }
    text
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        Self::internal(&error)
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = self.status_code();
        let body = serde_json::to_vec(&self).unwrap_or_default();
        let mut response = (status, body).into_response();
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        response
    }
}
