//! One object of the results, key by key in the order of the contract of the command line: a line of JSON, and the cells of a
//! row of CSV.

use serde::Serialize;
use serde_json::{Value, json};

use crate::{
    engine::Error,
    model::{Document, document},
};

/// An object that is being written.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// Keys and their values, as JSON.
    keys: Vec<(&'static str, String)>,
    /// Values of CSV alone, as JSON; they go before those of a key of the same name.
    cells: Vec<(&'static str, String)>,
}

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
    pub fn key(mut self, key: &'static str, value: impl Serialize) -> Self {
        self.keys.push((key, json_of(value)));
        self
    }

    /// A key that is left out where there is no value.
    #[must_use]
    pub fn some(self, key: &'static str, value: Option<impl Serialize>) -> Self {
        match value {
            Some(value) => self.key(key, value),
            None => self,
        }
    }

    /// A value of CSV that JSON does not have, or words otherwise.
    #[must_use]
    pub fn cell(mut self, column: &'static str, value: impl Serialize) -> Self {
        self.cells.push((column, json_of(value)));
        self
    }

    /// Values of these columns of CSV.
    #[must_use]
    pub fn cells(self, columns: &[&'static str], values: &[String]) -> Self {
        let cells = columns.iter().zip(values);
        cells.fold(self, |line, (column, value)| line.cell(column, value))
    }

    /// A key with a list of objects.
    #[must_use]
    pub fn objects(mut self, key: &'static str, objects: &[Self]) -> Self {
        let objects: Vec<String> = objects.iter().map(Self::end).collect();
        self.keys.push((key, format!("[{}]", objects.join(","))));
        self
    }

    /// A key with a document of the service as it was sent, or null; and whether bytes of it had to be replaced.
    #[must_use]
    pub fn document(self, key: &'static str, document: Option<&Document>) -> Self {
        self.documents([(key, document)])
    }

    /// Keys with documents, and whether bytes of any had to be replaced.
    #[must_use]
    pub fn documents<const N: usize>(
        mut self,
        documents: [(&'static str, Option<&Document>); N],
    ) -> Self {
        let mut lossy = None;
        for (key, document) in documents {
            let text = document.map_or_else(|| "null".to_owned(), Document::to_line);
            self.keys.push((key, text));
            lossy = lossy.or(document.filter(|document| document.lossy()));
        }
        self.some("lossy", lossy.map(|_| true))
    }

    /// The failure, as the value of `error`; its kind alone in CSV.
    #[must_use]
    pub fn error(self, error: &Error) -> Self {
        let word = error.kind.word();
        let value = json!({"kind": word, "message": error.message, "hint": error.hint, "status": error.status});
        self.key("error", value).cell("error", word)
    }

    /// The finished line, without its end.
    #[must_use]
    pub fn end(&self) -> String {
        let keys = self.keys.iter();
        let keys = keys.map(|(key, value)| format!("\"{key}\":{value}"));
        format!("{{{}}}", keys.collect::<Vec<_>>().join(","))
    }

    /// The cell of a column of CSV: empty where the object has no such key, or null.
    pub(super) fn cell_of(&self, column: &str) -> String {
        let own = |(name, _): &&(&str, String)| *name == column;
        let Some((_, json)) = self.cells.iter().chain(&self.keys).find(own) else {
            return String::new();
        };
        match serde_json::from_str(json) {
            Ok(Value::String(text)) => text,
            Ok(Value::Null) => String::new(),
            _ => json.clone(),
        }
    }
}

/// A value of our own, safe for a screen.
fn json_of(value: impl Serialize) -> String {
    // Texts, numbers and lists of them always serialize.
    let json = serde_json::to_string(&value).unwrap_or_else(|_| "null".to_owned());
    document::screen_safe(&json)
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
    #[test]
    fn cells_are_the_values_of_keys_unless_csv_has_its_own() {
        let error = Error::new(Kind::Network, "no answer");
        let line = Line::about("x\u{202e}", None)
            .key("count", 3)
            .key("day", None::<&str>)
            .key("file", Some(true))
            .cell("file", "sound")
            .error(&error);
        for (column, expected) in [
            ("query", "x\u{202e}"),
            ("input", ""),
            ("count", "3"),
            ("day", ""),
            ("file", "sound"),
            ("error", "network"),
        ] {
            assert_eq!(line.cell_of(column), expected, "{column}");
        }
    }
}
