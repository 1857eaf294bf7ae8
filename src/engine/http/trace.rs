//! What `-v` shows of a request once it has ended: method, URL, status, bytes, milliseconds; and what `-vv` shows besides: the
//! headers of both sides, when they go out and when they come. The token is never shown, nor the query of a signed URL.

use std::{fmt::Write, time::Instant};

use reqwest::{
    Url,
    header::{HeaderMap, HeaderValue},
};
use tracing::Level;

use crate::{contract::Token, model::visible};

/// What is in place of what is not shown.
const HIDDEN: &str = "[hidden]";
/// Headers whose values are secrets.
const SECRET: [&str; 5] = [
    Token::HEADER,
    "authorization",
    "cookie",
    "proxy-authorization",
    "set-cookie",
];

/// A request in flight. It is logged when dropped, so that none is missed.
#[derive(Debug)]
pub(super) struct Trace {
    method: &'static str,
    url: String,
    began: Instant,
    status: Option<u16>,
    bytes: u64,
    failure: Option<String>,
}

impl Trace {
    /// A GET that is about to be sent. A URL that the service led to may be signed: its query is left out.
    pub(super) fn of(url: &Url, is_own: bool, headers: &HeaderMap, token: &Token) -> Self {
        Self::begin("GET", shown_url(url, is_own, token), headers, Some(token))
    }

    /// A POST that is about to be sent to where the configuration says, with a password if there is one. The body is not shown.
    pub(super) fn of_post(url: &Url, headers: &HeaderMap, password: Option<&Token>) -> Self {
        Self::begin(
            "POST",
            without_secret(url.as_str(), password),
            headers,
            password,
        )
    }

    fn begin(
        method: &'static str,
        url: String,
        headers: &HeaderMap,
        secret: Option<&Token>,
    ) -> Self {
        if tracing::enabled!(Level::TRACE) {
            tracing::trace!("> {method} {url}{}", header_lines('>', headers, secret));
        }
        Self {
            method,
            url,
            began: Instant::now(),
            status: None,
            bytes: 0,
            failure: None,
        }
    }

    /// The headers of the answer were received.
    pub(super) fn answered(&mut self, status: u16, headers: &HeaderMap, secret: Option<&Token>) {
        self.status = Some(status);
        if tracing::enabled!(Level::TRACE) {
            let url = &self.url;
            tracing::trace!("< {status} {url}{}", header_lines('<', headers, secret));
        }
    }

    /// This many bytes of the body were received.
    pub(super) fn came(&mut self, bytes: u64) {
        self.bytes += bytes;
    }

    /// It ended before its time.
    pub(super) fn failed(&mut self, why: &str) {
        self.failure = Some(why.to_owned());
    }

    /// Method, URL, status, bytes, milliseconds; and why it failed, if it did.
    fn line(&self) -> String {
        let status = self
            .status
            .map_or_else(|| "no answer".to_owned(), |status| status.to_string());
        let (method, url, bytes) = (self.method, &self.url, self.bytes);
        let elapsed = self.began.elapsed().as_millis();
        let failure = self.failure.as_ref();
        let failure = failure.map_or_else(String::new, |why| format!(": {}", visible(why)));
        format!("{method} {url} {status}, {bytes} bytes, {elapsed} ms{failure}")
    }
}

impl Drop for Trace {
    fn drop(&mut self) {
        tracing::debug!("{}", self.line());
    }
}

fn shown_url(url: &Url, is_own: bool, token: &Token) -> String {
    let mut url = url.clone();
    // Neither can fail: every URL that is asked has a host.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.set_fragment(None);
    if !is_own {
        url.set_query(None);
    }
    without_secret(url.as_str(), Some(token))
}

/// Each header on a line of its own, behind the sign of its direction.
fn header_lines(sign: char, headers: &HeaderMap, secret: Option<&Token>) -> String {
    let mut lines = String::new();
    for (name, value) in headers {
        // Writing to a text does not fail.
        let _ = write!(
            lines,
            "\n{sign} {name}: {}",
            shown_value(name.as_str(), value, secret)
        );
    }
    lines
}

/// The value of a header; of one that holds a URL no query.
fn shown_value(name: &str, value: &HeaderValue, secret: Option<&Token>) -> String {
    if value.is_sensitive() || SECRET.contains(&name) {
        return HIDDEN.to_owned();
    }
    let text = String::from_utf8_lossy(value.as_bytes());
    let text = match text.split_once('?') {
        Some((before, _)) => format!("{before}?{HIDDEN}"),
        None => text.into_owned(),
    };
    visible(&without_secret(&text, secret)).into_owned()
}

pub(super) fn without_secret(text: &str, secret: Option<&Token>) -> String {
    match secret {
        Some(secret) => text.replace(secret.expose(), HIDDEN),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use reqwest::header::HeaderName;

    use super::*;

    fn token() -> Token {
        Token::new("proof-1").expect("token")
    }

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            let value = HeaderValue::from_bytes(value.as_bytes()).expect("value");
            headers.insert(HeaderName::from_static(name), value);
        }
        headers
    }

    #[test]
    fn a_url_of_the_service_is_whole_and_one_that_it_led_to_has_no_query() {
        let url = Url::parse("https://me:secret@feeds.example/v2/x?dt=20261120&echo=proof-1#x");
        let url = url.expect("url");
        assert_eq!(
            shown_url(&url, true, &token()),
            "https://feeds.example/v2/x?dt=20261120&echo=[hidden]"
        );
        assert_eq!(
            shown_url(&url, false, &token()),
            "https://feeds.example/v2/x"
        );
    }

    #[test]
    fn headers_show_neither_secrets_nor_signatures() {
        let headers = headers(&[
            ("token", "proof-1"),
            ("set-cookie", "session=7"),
            ("location", "https://storage.example/f?sig=7"),
            ("x-echo", "you sent proof-1"),
            ("x-odd", "a\u{9b}b"),
        ]);
        let lines = header_lines('<', &headers, Some(&token()));
        for shown in [
            "\n< token: [hidden]",
            "\n< set-cookie: [hidden]",
            "\n< location: https://storage.example/f?[hidden]",
            "\n< x-echo: you sent [hidden]",
            "\n< x-odd: a\\u{9b}b",
        ] {
            assert!(lines.contains(shown), "{shown} is not in {lines}");
        }
    }

    #[test]
    fn a_request_is_one_line() {
        let url = Url::parse("https://feeds.example/v2/x").expect("url");
        let mut trace = Trace::of(&url, true, &HeaderMap::new(), &token());
        assert!(
            trace
                .line()
                .starts_with("GET https://feeds.example/v2/x no answer, 0 bytes, ")
        );
        trace.answered(200, &HeaderMap::new(), Some(&token()));
        trace.came(1200);
        trace.failed("cut\noff");
        let line = trace.line();
        assert!(line.starts_with("GET https://feeds.example/v2/x 200, 1200 bytes, "));
        assert!(line.ends_with(" ms: cut\\x0aoff"), "{line}");
    }
}
