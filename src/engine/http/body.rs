//! Bodies: read within limits of size, silence and slowness.

use std::time::{Duration, Instant};

use bytes::Bytes;
use reqwest::Response;

use super::{client::UnreadReply, trace::Trace};
use crate::contract::Token;
use crate::engine::error::{Error, Kind, Result};

/// The most that an answer of an API may hold.
pub(in crate::engine) const LARGEST_ANSWER: usize = 16 << 20;
/// A body slower than this many bytes a second, for [`PATIENCE`], counts as broken.
const SLOWEST: u64 = 1 << 10;
const PATIENCE: Duration = Duration::from_secs(30);

/// A body that comes piece by piece.
pub(in crate::engine) struct BodyStream {
    response: Response,
    trace: Trace,
    silence: Duration,
    /// How long was waited for what came, without the time in which nobody took it.
    waited: Duration,
    came: u64,
}

impl BodyStream {
    pub(in crate::engine) fn of(reply: UnreadReply, silence: Duration) -> Self {
        Self {
            response: reply.response,
            trace: reply.trace,
            silence,
            waited: Duration::ZERO,
            came: 0,
        }
    }

    /// The next piece; `None` at the end that the service announced.
    pub(in crate::engine) async fn next(&mut self) -> Result<Option<Bytes>> {
        let piece = self.piece().await;
        match &piece {
            Ok(Some(piece)) => self.trace.came(piece.len() as u64),
            Ok(None) => {}
            Err(error) => self.trace.failed(&error.message),
        }
        piece
    }

    async fn piece(&mut self) -> Result<Option<Bytes>> {
        let began = Instant::now();
        let piece = tokio::time::timeout(self.silence, self.response.chunk()).await;
        self.waited += began.elapsed();
        let piece = piece
            .map_err(|_| broken(&format!("no data for {} s", self.silence.as_secs_f64())))?
            .map_err(|_| broken("the connection was cut off before the end"))?;
        let Some(piece) = piece else { return Ok(None) };
        self.came += piece.len() as u64;
        if self.waited >= PATIENCE {
            if self.came < SLOWEST * self.waited.as_secs() {
                return Err(broken("slower than 1 KiB/s for 30 s"));
            }
            (self.waited, self.came) = (Duration::ZERO, 0);
        }
        Ok(Some(piece))
    }

    /// The whole of a small body.
    pub(in crate::engine) async fn whole(mut self) -> Result<Vec<u8>> {
        let mut whole = Vec::new();
        while let Some(piece) = self.next().await? {
            if whole.len() + piece.len() > LARGEST_ANSWER {
                return Err(Error::faulty(
                    "the answer is larger than 16 MiB, which no answer of this kind is",
                ));
            }
            whole.extend_from_slice(&piece);
        }
        Ok(whole)
    }

    /// The beginning of a body that explains a refusal. Errors are ignored, and the wait is short.
    pub(in crate::engine) async fn beginning(mut self) -> Vec<u8> {
        const ENOUGH: usize = 4 << 10;
        let mut beginning = Vec::new();
        let read = async {
            while beginning.len() < ENOUGH {
                match self.next().await {
                    Ok(Some(piece)) => beginning.extend_from_slice(&piece),
                    _ => break,
                }
            }
        };
        let _ = tokio::time::timeout(Duration::from_secs(2), read).await;
        beginning.truncate(ENOUGH);
        beginning
    }
}

/// Whether a body begins as a web page does, whatever its headers call it.
pub(in crate::engine) fn is_web_page(body: &[u8]) -> bool {
    let text = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
    text.trim_ascii_start().starts_with(b"<")
}

fn broken(why: &str) -> Error {
    Error::new(Kind::Network, format!("the answer was cut off: {why}"))
        .hint("check the network, then try again")
}

/// What the body of a refusal says, as one line for people: the text of `{"error": …}`, else plain text. The contract
/// does not state a shape, so any is read, and a web page is named as such. A service may repeat what it was sent: of the
/// token no part is shown.
pub(super) fn said(body: &[u8], web_page: bool, token: &Token) -> Option<String> {
    let text = token.hidden_in(&String::from_utf8_lossy(body), "token");
    let text = text.trim();
    if text.is_empty() {
        return None;
    }
    if web_page || is_web_page(body) {
        return Some("a web page: a proxy or a login page may be in between".to_owned());
    }
    let value: Option<serde_json::Value> = serde_json::from_str(text).ok();
    let named = value.as_ref().and_then(|value| {
        let keys = ["error", "message", "detail", "msg", "title"];
        keys.iter()
            .filter_map(|key| value.get(key))
            .find_map(|found| match found {
                serde_json::Value::String(text) => Some(text.clone()),
                serde_json::Value::Object(inner) => inner
                    .get("message")
                    .and_then(|inner| inner.as_str())
                    .map(str::to_owned),
                _ => None,
            })
    });
    let line = named.unwrap_or_else(|| text.split_whitespace().collect::<Vec<_>>().join(" "));
    // Behind an escape it was not found in the text.
    let line = token.hidden_in(&line, "token");
    let short: String = line.chars().take(200).collect();
    Some(crate::model::visible(&short).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_a_refusal_are_found_in_any_shape() {
        let token = Token::new("proof-1").expect("token");
        let said = |body: &str| said(body.as_bytes(), false, &token);
        assert_eq!(
            said(r#"{"error":"quota used"}"#).as_deref(),
            Some("quota used")
        );
        assert_eq!(
            said(r#"{"error":{"message":"deep"}}"#).as_deref(),
            Some("deep")
        );
        assert_eq!(said("plain\n text ").as_deref(), Some("plain text"));
        assert_eq!(said(r#"["odd"]"#).as_deref(), Some(r#"["odd"]"#));
        assert_eq!(said(""), None);
        assert!(
            said("<!doctype html><p>Log in")
                .expect("page")
                .contains("web page")
        );
        for echo in ["no proof-1 here", r#"{"error":"no proof\u002d1 here"}"#] {
            assert_eq!(said(echo).as_deref(), Some("no [token] here"));
        }
        assert_eq!(said("a\u{1b}[2Jb").as_deref(), Some("a\\x1b[2Jb"));
        assert_eq!(said(&"x".repeat(9000)).map(|line| line.len()), Some(200));
    }
}
