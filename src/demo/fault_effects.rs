//! What faults do to a request before it is answered, and to the answer after.
//!
//! The answers themselves know nothing of faults, save that a file has editions.

use bytes::Bytes;
use hyper::{
    StatusCode,
    header::{CONTENT_TYPE, HeaderValue, RANGE},
    http::request::Parts,
};
use serde_json::{Value, json};

use super::{
    answers::expired,
    fault::FaultKind,
    files::Edition,
    reply::{HttpReply, ReplyExt, empty, json_error, reply},
};

/// The answer that a fault gives in place of the service.
pub(crate) fn instead(kind: &FaultKind, own_url: &str) -> Option<HttpReply> {
    Some(match kind {
        FaultKind::Status(status, seconds) => {
            let status = StatusCode::from_u16(*status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
            let refusal = json_error(status, status.canonical_reason().unwrap_or("error"));
            match seconds {
                Some(seconds) => refusal.with("retry-after", seconds),
                None => refusal,
            }
        }
        FaultKind::Html => reply(StatusCode::OK, "text/html; charset=utf-8", LOGIN_PAGE),
        FaultKind::Redirect(url) => empty(StatusCode::FOUND).with("location", url),
        FaultKind::Loop => empty(StatusCode::FOUND).with("location", own_url),
        FaultKind::Expired => expired(),
        _ => return None,
    })
}

const LOGIN_PAGE: &str = "<!DOCTYPE html>\n<html><head><title>Guest network</title></head><body>\
    <form method=\"post\"><h1>Please sign in</h1><input name=\"room\"></form></body></html>\n";

/// Changes the request as far as a fault is about what is asked.
pub(crate) fn before(kind: &FaultKind, request: &mut Parts) {
    match kind {
        FaultKind::NoRange => {
            request.headers.remove(RANGE);
        }
        FaultKind::Changed => {
            request.extensions.insert(Edition::Second);
        }
        _ => {}
    }
}

/// Applies a fault that changes the headers or the body of a reply.
pub(crate) fn after(kind: &FaultKind, reply: &mut HttpReply) {
    match kind {
        FaultKind::NoRange => {
            reply.headers_mut().remove("accept-ranges");
        }
        FaultKind::NoBalance => {
            reply.headers_mut().remove("x-balance-remaining");
        }
        FaultKind::Short => {
            let half = reply.body().len() / 2;
            *reply.body_mut() = reply.body().slice(..half);
        }
        FaultKind::Corrupt => {
            let mut bytes = reply.body().to_vec();
            let middle = bytes.len() / 2;
            if let Some(byte) = bytes.get_mut(middle) {
                *byte ^= 0x10;
            }
            *reply.body_mut() = bytes.into();
        }
        FaultKind::Other => rewrite(reply, |record| {
            record["ip"] = "203.0.113.99".into();
            record.to_string().into()
        }),
        FaultKind::Odd => rewrite(reply, odd),
        FaultKind::Plain => in_plain_words(reply),
        FaultKind::Wordless if is_refusal(reply) => {
            reply.headers_mut().remove(CONTENT_TYPE);
            *reply.body_mut() = Bytes::new();
        }
        _ => {}
    }
}

fn is_refusal(reply: &HttpReply) -> bool {
    reply.status().is_client_error() || reply.status().is_server_error()
}

/// A refusal as text, such as proxies and routers before a service send.
fn in_plain_words(reply: &mut HttpReply) {
    let said = serde_json::from_slice::<Value>(reply.body());
    if let (true, Ok(said)) = (is_refusal(reply), said)
        && let Some(why) = said["error"].as_str()
    {
        *reply.body_mut() = format!("{why}\n").into();
        let text = HeaderValue::from_static("text/plain; charset=utf-8");
        reply.headers_mut().insert(CONTENT_TYPE, text);
    }
}

/// Rewrites a record; what is not one stays.
fn rewrite(reply: &mut HttpReply, change: impl FnOnce(&mut Value) -> Bytes) {
    let json = reply
        .headers()
        .get(CONTENT_TYPE)
        .is_some_and(|kind| kind == "application/json");
    if !json || reply.status() != StatusCode::OK {
        return;
    }
    if let Ok(mut record) = serde_json::from_slice::<Value>(reply.body())
        && record.get("ip").is_some()
    {
        *reply.body_mut() = change(&mut record);
    }
}

/// The record with everything in it that a strict reader stumbles over, as bytes: part of it is no text.
fn odd(record: &mut Value) -> Bytes {
    record["client"] = json!({"count": 14.0, "countries": "six", "spread": u64::MAX, "types": "MOBILE", "proxies": null});
    record["risks"] = "TUNNEL".into();
    record["tunnels"] = json!([
        {"type": "VPN", "operator": 7, "anonymous": "yes", "entries": [{"ip": "198.51.100.70"}]},
        null,
        "PROXY",
    ]);
    record["seen"] = json!({"first": null, "sources": [1, 2.50, {"deep": [[[[]]]]}]});
    let text = record.to_string();
    let open = text.strip_suffix('}').unwrap_or(&text);
    let mut bytes = open.as_bytes().to_vec();
    bytes.extend(b",\"lone\":\"\\ud800 surrogate\",\"latin\":\"caf\xe9\",\"huge\":184467440737095516160,\"infrastructure\":\"TWICE\"}");
    bytes.into()
}
