//! Answers before they are sent. All are in memory: the largest is a feed of some megabytes.

use bytes::Bytes;
use hyper::{
    Response, StatusCode,
    header::{CONTENT_TYPE, HeaderValue},
};
use serde_json::{Value, json};

use super::world::json_line;

/// An answer of the service.
pub(crate) type HttpReply = Response<Bytes>;

/// An answer with a body of a type.
pub(crate) fn reply(
    status: StatusCode,
    content_type: &'static str,
    body: impl Into<Bytes>,
) -> HttpReply {
    let mut reply = Response::new(body.into());
    *reply.status_mut() = status;
    reply
        .headers_mut()
        .insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    reply
}

pub(crate) fn json(value: &Value) -> HttpReply {
    reply(StatusCode::OK, "application/json", json_line(value))
}

/// A refusal that says why in JSON. The contract does not show the shape of refusals (part 7): this is the usual one, and the faults
/// `plain` and `wordless` give others.
pub(crate) fn json_error(status: StatusCode, why: &str) -> HttpReply {
    reply(
        status,
        "application/json",
        json!({"error": why}).to_string(),
    )
}

/// An answer without a body.
pub(crate) fn empty(status: StatusCode) -> HttpReply {
    let mut reply = Response::default();
    *reply.status_mut() = status;
    reply
}

/// Builds replies.
pub(crate) trait ReplyExt {
    /// The reply with one more header; a value that no header can carry is left out.
    fn with(self, name: &'static str, value: impl ToString) -> Self;
}

impl ReplyExt for HttpReply {
    fn with(mut self, name: &'static str, value: impl ToString) -> Self {
        if let Ok(value) = HeaderValue::from_str(&value.to_string()) {
            self.headers_mut().insert(name, value);
        }
        self
    }
}
