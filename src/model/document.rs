//! One JSON text as the service sent it, with the tree read from it.
//!
//! The text is kept beside everything decoded from it, so that nothing the service said is lost: repeated keys, the
//! spelling of numbers, the order of keys, unknown fields. What is shown or written out is made from the text.

mod layout;
mod tokens;
mod tree;

use std::{borrow::Cow, sync::Arc};

use serde::de::IgnoredAny;
use serde_json::Value;

use super::visible;
use tokens::JsonTokens;

/// A JSON text and its tree. Cloning is cheap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document(Arc<DocumentParts>);

#[derive(Debug, PartialEq, Eq)]
struct DocumentParts {
    text: String,
    value: Value,
    lossy: bool,
}

impl Document {
    /// Deepest nesting of arrays and objects that is read.
    pub const DEEPEST: usize = 64;
    /// Most values in one document, which bounds the memory of its tree.
    pub const MOST_VALUES: usize = 500_000;

    /// Reads one JSON text. A byte order mark is dropped, bytes that are not UTF-8 become replacement characters.
    ///
    /// In the tree the last of repeated keys wins and half a surrogate pair becomes a replacement character.
    ///
    /// # Errors
    /// [`Malformed`] says what the bytes are instead.
    pub fn read(bytes: &[u8]) -> Result<Self, Malformed> {
        let text = decode(bytes);
        let lossy = matches!(text, Cow::Owned(_));
        match text.trim_start().chars().next() {
            None => return Err(Malformed::Empty),
            Some('<') => return Err(Malformed::WebPage),
            Some(_) => {}
        }
        check_bounds(&text)?;
        serde_json::from_str::<IgnoredAny>(&text).map_err(|error| Malformed::syntax(&error))?;
        Ok(Self(Arc::new(DocumentParts {
            value: tree::grow(&text),
            text: text.into_owned(),
            lossy,
        })))
    }

    /// The text as it was sent, except for a byte order mark and bytes that were not UTF-8.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// The tree. Numbers keep all their digits, keys their order.
    #[must_use]
    pub fn value(&self) -> &Value {
        &self.0.value
    }

    /// Every value of a key of the outermost object, in the order sent. The tree keeps the last one only.
    #[must_use]
    pub fn values_of(&self, key: &str) -> Vec<Value> {
        tree::values_of(self.text(), key)
    }

    /// Whether some bytes were not UTF-8, so that the text holds replacement characters in their place.
    #[must_use]
    pub fn lossy(&self) -> bool {
        self.0.lossy
    }

    /// The same JSON on one line: equal as data, without white space between the parts, and with every character that
    /// could steer a terminal as a `\u` escape.
    #[must_use]
    pub fn to_line(&self) -> String {
        layout::on_one_line(self.text())
    }

    /// [`Document::to_line`] of a text that is known to be JSON, such as a line of a feed that was taken, without a tree;
    /// and whether some bytes were not UTF-8.
    #[must_use]
    pub fn line_of(bytes: &[u8]) -> (String, bool) {
        let text = decode(bytes);
        (layout::on_one_line(&text), matches!(text, Cow::Owned(_)))
    }

    /// The same JSON indented by two spaces, escaped like [`Document::to_line`]; no line feed at its end.
    #[must_use]
    pub fn pretty(&self) -> String {
        layout::indented(self.text())
    }
}

/// The same JSON with every character that could steer a terminal as a `\u` escape, equal as data.
#[must_use]
pub fn screen_safe(json: &str) -> String {
    layout::escaped(json)
}

/// JSON bytes as they are, if they can be in a line of output so: text without anything that could steer a screen.
/// Whether they are JSON is not asked here.
#[must_use]
pub fn as_line(json: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(json).ok()?;
    // Nearly all of it is plain ASCII, of which only controls do harm.
    let harmless = if text.is_ascii() {
        !text.bytes().any(|byte| byte.is_ascii_control())
    } else {
        !text.contains(visible::is_hostile)
    };
    harmless.then(|| text.trim())
}

/// The text in these bytes without a byte order mark; owned exactly when bytes had to be replaced.
pub(super) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes))
}

/// Refuses what would cost too much stack or memory, before anything is built from it.
fn check_bounds(text: &str) -> Result<(), Malformed> {
    let (mut depth, mut values) = (0_usize, 0_usize);
    for token in JsonTokens::of(text) {
        match token {
            "{" | "[" => depth += 1,
            "}" | "]" => depth = depth.saturating_sub(1),
            "," | ":" => {}
            _ => values += 1,
        }
        if depth > Document::DEEPEST {
            return Err(Malformed::TooDeep);
        }
        if values > Document::MOST_VALUES {
            return Err(Malformed::TooMany);
        }
    }
    Ok(())
}

/// Why bytes are not one JSON text that can be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Malformed {
    /// Nothing but white space.
    #[error("nothing was sent where JSON belongs")]
    Empty,
    /// A web page, such as a proxy or a captive portal puts in place of an answer.
    #[error("a web page was sent where JSON belongs")]
    WebPage,
    /// Nested deeper than [`Document::DEEPEST`].
    #[error("the JSON is nested deeper than {}", Document::DEEPEST)]
    TooDeep,
    /// More than [`Document::MOST_VALUES`] keys and values.
    #[error("the JSON holds more than {} values", Document::MOST_VALUES)]
    TooMany,
    /// Not JSON from this place on.
    #[error("not JSON at line {line} column {column}: {message}")]
    Syntax {
        /// Counted from 1.
        line: usize,
        /// Counted in bytes from 1.
        column: usize,
        /// What the parser missed there.
        message: String,
    },
}

impl Malformed {
    fn syntax(error: &serde_json::Error) -> Self {
        let message = error.to_string();
        let place = message.rfind(" at line ").unwrap_or(message.len());
        Self::Syntax {
            line: error.line(),
            column: error.column(),
            message: message[..place].to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(text: &str) -> Document {
        Document::read(text.as_bytes()).expect(text)
    }

    #[test]
    fn every_value_of_a_repeated_key_is_found() {
        let document = read(
            r#"{"ip":"192.0.2.1","in":{"ip":"192.0.2.9"},"\u0069p":["x",{"ip":1}],"ip":null}"#,
        );
        assert_eq!(
            document.values_of("ip"),
            [json!("192.0.2.1"), json!(["x", {"ip": 1}]), json!(null)]
        );
        assert!(document.values_of("none").is_empty());
        assert!(read(r#"["ip","x"]"#).values_of("ip").is_empty());
    }

    #[test]
    fn the_text_stays_as_sent() {
        let text = " {\"b\": 1.50, \"a\" :1E400,\"b\":9007199254740993 }\r\n";
        let document = read(text);
        assert_eq!(document.text(), text);
        assert_eq!(
            document.value().to_string(),
            r#"{"b":9007199254740993,"a":1e+400}"#
        );
        assert!(!document.lossy());
    }

    #[test]
    fn a_byte_order_mark_is_dropped() {
        let document = Document::read(b"\xef\xbb\xbf[1]").expect("one list");
        assert_eq!(document.text(), "[1]");
    }

    #[test]
    fn bytes_that_are_not_utf8_are_replaced_and_said_to_be() {
        let document = Document::read(b"{\"city\":\"Z\xfcrich\"}").expect("one object");
        assert_eq!(document.value(), &json!({"city": "Z\u{fffd}rich"}));
        assert!(document.lossy());
    }

    #[test]
    fn a_line_needs_no_tree() {
        for bytes in [
            &b"{ \"a\": [1.0, \"\xc2\x85\"] }"[..],
            b"{\"a\":\"Z\xfcrich\"}",
        ] {
            let document = Document::read(bytes).expect("one object");
            assert_eq!(
                Document::line_of(bytes),
                (document.to_line(), document.lossy())
            );
        }
    }

    #[test]
    fn halves_of_surrogate_pairs_and_nul_do_no_harm() {
        let text = r#"{"a\ud800":"\udc00x\ud83d\ude00\ud83d\u0041","b":"\u0000"}"#;
        let document = read(text);
        assert_eq!(
            document.value(),
            &json!({"a\u{fffd}": "\u{fffd}x\u{1f600}\u{fffd}A", "b": "\0"})
        );
        assert_eq!(document.to_line(), text);
    }

    #[test]
    fn keys_that_mean_something_to_the_parser_mean_nothing_here() {
        let text = r#"{"$serde_json::private::Number":"x","$serde_json::private::RawValue":"["}"#;
        assert_eq!(
            read(text).value().as_object().map(serde_json::Map::len),
            Some(2)
        );
    }

    #[test]
    fn nesting_ends_at_the_limit() {
        let nested = |depth| "[".repeat(depth) + &"]".repeat(depth);
        assert!(Document::read(nested(64).as_bytes()).is_ok());
        for text in [nested(65), nested(100_000), "[{\"a\":".repeat(100_000)] {
            assert_eq!(Document::read(text.as_bytes()), Err(Malformed::TooDeep));
        }
        assert!(Document::read(format!("[{:?}]", nested(100)).as_bytes()).is_ok());
    }

    #[test]
    fn harmless_lines_stay_as_they_are() {
        for text in ["{\"a\": 1.50}", "{\"city\":\"Zürich\"}"] {
            assert_eq!(as_line(text.as_bytes()), Some(text));
        }
        assert_eq!(as_line(b" {} "), Some("{}"));
        for bytes in [
            &b"{\"a\":\"\x7f\"}"[..],
            b"{\t}",
            b"\xff",
            "{\"a\":\"\u{202e}\"}".as_bytes(),
            "\u{feff}{}".as_bytes(),
        ] {
            assert_eq!(as_line(bytes), None);
        }
    }

    #[test]
    fn the_number_of_values_is_bounded() {
        let text = format!("[0{}]", ",0".repeat(Document::MOST_VALUES));
        assert_eq!(Document::read(text.as_bytes()), Err(Malformed::TooMany));
    }

    #[test]
    fn what_is_no_json_is_named() {
        for text in ["", " \r\n", "\u{feff}"] {
            assert_eq!(Document::read(text.as_bytes()), Err(Malformed::Empty));
        }
        assert_eq!(
            Document::read(b"\n<html><body>Sign in</body>"),
            Err(Malformed::WebPage)
        );
        let error = Document::read(b"{\n  \"a\": nil}").expect_err("no JSON");
        assert_eq!(
            error.to_string(),
            "not JSON at line 2 column 9: expected ident"
        );
        for text in [
            "{} {}", "{\"a\"}", "[1,]", "\"a\nb\"", "\"", "\"\\", "01", "}",
        ] {
            let error = Document::read(text.as_bytes()).expect_err(text);
            assert!(matches!(error, Malformed::Syntax { .. }), "{text}");
        }
    }
}
