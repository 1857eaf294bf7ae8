//! The storage behind the feeds: signed links, ranges, validators. It never sees tokens.

use std::{ops::Range, sync::Arc};

use hyper::{
    StatusCode,
    header::{IF_RANGE, RANGE},
    http::request::Parts,
};
use jiff::tz::TimeZone;

use crate::demo::{
    files::{DemoFile, Edition},
    link::BadLink,
    reply::{HttpReply, ReplyExt, empty, json_error, reply},
    state::ServiceState,
};

pub(super) async fn answer(state: &Arc<ServiceState>, request: &Parts) -> HttpReply {
    let id = match state.signer.check(&request.uri.to_string(), state.now()) {
        Ok(id) => id,
        Err(BadLink::Unsigned) => return denied("SignatureDoesNotMatch"),
        Err(BadLink::Expired) => return expired(),
    };
    let edition = request
        .extensions
        .get::<Edition>()
        .copied()
        .unwrap_or_default();
    let Ok(file) = state.files.file(&state.world, id, edition).await else {
        return json_error(StatusCode::INTERNAL_SERVER_ERROR, "an error occurred");
    };
    let modified = http_date(&file);
    let header = |name| {
        request
            .headers
            .get(name)
            .and_then(|value| value.to_str().ok())
    };
    let current = |validator: &str| validator == file.etag || validator == modified;
    let range = header(RANGE).filter(|_| header(IF_RANGE).is_none_or(current));
    let size = file.bytes.len();
    let part = match range.map(|range| parse_range(range, size)) {
        None | Some(ByteRange::Everything) => {
            reply(StatusCode::OK, CONTENT_TYPE, file.bytes.clone())
        }
        Some(ByteRange::Part(part)) => {
            let shown = format!("bytes {}-{}/{size}", part.start, part.end - 1);
            reply(
                StatusCode::PARTIAL_CONTENT,
                CONTENT_TYPE,
                file.bytes.slice(part),
            )
            .with("content-range", shown)
        }
        Some(ByteRange::Nothing) => empty(StatusCode::RANGE_NOT_SATISFIABLE)
            .with("content-range", format!("bytes */{size}")),
    };
    part.with("etag", &file.etag)
        .with("x-goog-generation", file.generation)
        .with("last-modified", modified)
        .with("accept-ranges", "bytes")
}

const CONTENT_TYPE: &str = "application/octet-stream";

/// The answer to a link that was good once; the fault of this name gives it, too.
pub(crate) fn expired() -> HttpReply {
    denied("ExpiredToken")
}

fn denied(code: &str) -> HttpReply {
    let body =
        format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>{code}</Code></Error>\n");
    reply(StatusCode::FORBIDDEN, "application/xml", body)
}

fn http_date(file: &DemoFile) -> String {
    file.modified
        .to_zoned(TimeZone::UTC)
        .strftime("%a, %d %b %Y %H:%M:%S GMT")
        .to_string()
}

/// What a `Range` header asks of a file.
#[derive(Debug, PartialEq, Eq)]
enum ByteRange {
    /// The header is not one that is understood, which means the whole file (RFC 9110, 14.2).
    Everything,
    Part(Range<usize>),
    Nothing,
}

fn parse_range(header: &str, size: usize) -> ByteRange {
    let bounds = header
        .strip_prefix("bytes=")
        .and_then(|range| range.split_once('-'));
    let number = |text: &str| (!text.is_empty()).then(|| text.parse::<usize>().ok());
    let (first, last) = match bounds.map(|(first, last)| (number(first), number(last))) {
        Some((None, Some(Some(0)))) => return ByteRange::Nothing,
        Some((None, Some(Some(suffix)))) => (size.saturating_sub(suffix), None),
        Some((Some(Some(first)), None)) => (first, None),
        Some((Some(Some(first)), Some(Some(last)))) if first <= last => (first, Some(last)),
        _ => return ByteRange::Everything,
    };
    let end = last.map_or(size, |last| size.min(last.saturating_add(1)));
    if first < size {
        ByteRange::Part(first..end)
    } else {
        ByteRange::Nothing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_those_of_the_standard() {
        for (header, expected) in [
            ("bytes=0-", ByteRange::Part(0..100)),
            ("bytes=10-19", ByteRange::Part(10..20)),
            ("bytes=90-900", ByteRange::Part(90..100)),
            ("bytes=-5", ByteRange::Part(95..100)),
            ("bytes=-500", ByteRange::Part(0..100)),
            ("bytes=100-", ByteRange::Nothing),
            ("bytes=-0", ByteRange::Nothing),
            ("bytes=20-10", ByteRange::Everything),
            ("bytes=0-1,5-6", ByteRange::Everything),
            ("lines=0-1", ByteRange::Everything),
            ("bytes=-", ByteRange::Everything),
        ] {
            assert_eq!(parse_range(header, 100), expected, "{header}");
        }
    }
}
