//! One object of the results, key by key in the order of the contract of the command line.

use serde::Serialize;
use serde_json::json;

use crate::{
    engine::Error,
    model::{Document, document},
};

/// An object that is being written: keys, and their values as JSON.
#[derive(Clone, Debug, Default)]
pub struct Line(Vec<(&'static str, String)>);

impl Line {
    /// An object without keys.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The object about an input: what it was taken for, and what was typed where that differs.
    #[must_use]
    pub fn about(query: &str, typed: Option<&str>) -> Self {
        Self::new().key("query", query).some("input", typed)
    }

    /// A key with a value of our own.
    #[must_use]
    pub fn key(self, key: &'static str, value: impl Serialize) -> Self {
        self.raw(key, Some(Self::json_of(value)))
    }

    /// A key that is left out where there is no value.
    #[must_use]
    pub fn some(self, key: &'static str, value: Option<impl Serialize>) -> Self {
        self.raw(key, value.map(Self::json_of))
    }

    /// A key with JSON text; left out where there is none.
    #[must_use]
    pub(super) fn raw(mut self, key: &'static str, json: Option<String>) -> Self {
        self.0.extend(json.map(|json| (key, json)));
        self
    }

    /// A key with a list of objects.
    #[must_use]
    pub fn objects(self, key: &'static str, objects: impl IntoIterator<Item = Self>) -> Self {
        let objects: Vec<String> = objects.into_iter().map(|object| object.end()).collect();
        self.raw(key, Some(format!("[{}]", objects.join(","))))
    }

    /// A key with a document of the service as it was sent, or null; and whether bytes of it had to be replaced.
    #[must_use]
    pub fn document(self, key: &'static str, document: Option<&Document>) -> Self {
        let text = document.map_or_else(|| "null".to_owned(), Document::to_line);
        let lossy = document.filter(|document| document.lossy());
        self.raw(key, Some(text)).some("lossy", lossy.map(|_| true))
    }

    /// The failure, as the value of `error`.
    #[must_use]
    pub fn error(self, error: &Error) -> Self {
        let word = error.kind.word();
        let value = json!({"kind": word, "message": error.message, "hint": error.hint, "status": error.status});
        self.key("error", value)
    }

    /// The finished line, without its end.
    #[must_use]
    pub fn end(&self) -> String {
        let keys = self.0.iter();
        let keys = keys.map(|(key, value)| format!("\"{key}\":{value}"));
        format!("{{{}}}", keys.collect::<Vec<_>>().join(","))
    }

    /// A value of our own as JSON, safe for a screen.
    pub(super) fn json_of(value: impl Serialize) -> String {
        // Texts, numbers and lists of them always serialize.
        let json = serde_json::to_string(&value).unwrap_or_else(|_| "null".to_owned());
        document::screen_safe(&json)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Kind;

    #[test]
    fn a_record_goes_out_as_it_came() {
        let sent =
            "{ \"ip\":\"198.51.100.7\", \"n\":1.50, \"n\":1E400,\n\"odd\":\"\\ud800\u{202e}\" }";
        let document = Document::read(sent.as_bytes()).expect("document");
        let line = Line::new()
            .key("query", "198.51.100.7")
            .document("record", Some(&document))
            .end();
        let expected = r#"{"query":"198.51.100.7","record":{"ip":"198.51.100.7","n":1.50,"n":1E400,"odd":"\ud800\u202e"}}"#;
        assert_eq!(line, expected);
    }

    #[test]
    fn a_record_that_lost_bytes_says_so() {
        let document = Document::read(b"{\"city\":\"Z\xfcrich\"}").expect("document");
        let line = Line::new().document("record", Some(&document)).end();
        assert_eq!(
            line,
            "{\"record\":{\"city\":\"Z\u{fffd}rich\"},\"lossy\":true}"
        );
        assert_eq!(
            Line::new().document("record", None).end(),
            r#"{"record":null}"#
        );
    }

    #[test]
    fn own_texts_steer_no_screen() {
        let error = Error::new(Kind::Network, "a\u{9b}b\u{7f}");
        let line = Line::about("x\u{202e}", None).error(&error).end();
        assert_eq!(
            line,
            r#"{"query":"x\u202e","error":{"kind":"network","message":"a\u009bb\u007f","hint":null,"status":null}}"#
        );
    }
}
