//! One object on one line, key by key in the order of the contract of the command line.

use serde::Serialize;
use serde_json::json;

use crate::{
    engine::Error,
    model::{Document, document},
};

/// An object that is being written.
#[derive(Clone, Debug)]
pub struct Line(String);

impl Default for Line {
    fn default() -> Self {
        Self::new()
    }
}

impl Line {
    /// An object without keys.
    #[must_use]
    pub fn new() -> Self {
        Self("{".to_owned())
    }

    /// The object that reports a failure.
    #[must_use]
    pub fn failure(query: Option<&str>, error: &Error) -> Self {
        Self::new().key("query", query).error(error)
    }

    /// A key with a value of our own.
    #[must_use]
    pub fn key(self, key: &str, value: impl Serialize) -> Self {
        // Texts, numbers and lists of them always serialize.
        let value = serde_json::to_string(&value).unwrap_or_else(|_| "null".to_owned());
        self.verbatim(key, &document::screen_safe(&value))
    }

    /// What was typed, where it differs from what it was taken for.
    #[must_use]
    pub fn input(self, typed: Option<&str>) -> Self {
        match typed {
            Some(typed) => self.key("input", typed),
            None => self,
        }
    }

    /// A key with a document of the service as it was sent, or null; and whether bytes of it had to be replaced.
    #[must_use]
    pub fn document(self, key: &str, document: Option<&Document>) -> Self {
        self.documents([(key, document)])
    }

    /// Keys with documents, and whether bytes of any had to be replaced.
    #[must_use]
    pub fn documents<const N: usize>(self, documents: [(&str, Option<&Document>); N]) -> Self {
        let lossy = documents
            .iter()
            .any(|(_, document)| document.is_some_and(Document::lossy));
        let line = documents.into_iter().fold(self, |line, (key, document)| {
            let text = document.map_or_else(|| "null".to_owned(), Document::to_line);
            line.verbatim(key, &text)
        });
        if lossy { line.key("lossy", true) } else { line }
    }

    /// The failure, as the value of `error`.
    #[must_use]
    pub fn error(self, error: &Error) -> Self {
        let value = json!({"kind": error.kind.word(), "message": error.message, "hint": error.hint, "status": error.status});
        self.key("error", value)
    }

    /// The finished line, without its end.
    #[must_use]
    pub fn end(mut self) -> String {
        self.0.push('}');
        self.0
    }

    fn verbatim(mut self, key: &str, value: &str) -> Self {
        if self.0.len() > 1 {
            self.0.push(',');
        }
        self.0.push('"');
        self.0.push_str(key);
        self.0.push_str("\":");
        self.0.push_str(value);
        self
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
        let line = Line::failure(Some("x\u{202e}"), &error).end();
        assert_eq!(
            line,
            r#"{"query":"x\u202e","error":{"kind":"network","message":"a\u009bb\u007f","hint":null,"status":null}}"#
        );
    }
}
