//! Rewrites a JSON text on one line or indented, equal as data and safe for a screen.

use std::fmt::Write;

use super::tokens::JsonTokens;
use crate::model::visible::is_hostile;

pub(super) fn on_one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for token in JsonTokens::of(text) {
        push_escaped(&mut line, token);
    }
    line
}

pub(super) fn indented(text: &str) -> String {
    let mut page = String::with_capacity(text.len() * 2);
    let (mut previous, mut depth) = ("", 0_usize);
    for token in JsonTokens::of(text) {
        let opened = matches!(previous, "{" | "[");
        let closes = matches!(token, "}" | "]");
        if closes {
            depth = depth.saturating_sub(1);
        }
        // An empty list or object stays on its line.
        if previous == "," || opened != closes {
            page.push('\n');
            page.extend(std::iter::repeat_n("  ", depth));
        }
        push_escaped(&mut page, token);
        match token {
            "{" | "[" => depth += 1,
            ":" => page.push(' '),
            _ => {}
        }
        previous = token;
    }
    page
}

pub(super) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    push_escaped(&mut safe, text);
    safe
}

/// Only strings can hold hostile characters, and inside of them an escape says the same as the character.
fn push_escaped(out: &mut String, token: &str) {
    let is_plain = token.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    if is_plain || !token.contains(is_hostile) {
        out.push_str(token);
        return;
    }
    for character in token.chars() {
        if is_hostile(character) {
            for unit in character.encode_utf16(&mut [0; 2]) {
                let _ = write!(out, "\\u{unit:04x}");
            }
        } else {
            out.push(character);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Map, Value};

    use crate::model::document::Document;

    fn read(text: &str) -> Document {
        Document::read(text.as_bytes()).expect(text)
    }

    #[test]
    fn one_line_keeps_what_was_said_and_how() {
        let document = read("{ \"a\" : 1.0 ,\n\"a\":[ 2e+3, \"\\u0026 \\/\" ],\t\"b\":{ } }");
        assert_eq!(
            document.to_line(),
            r#"{"a":1.0,"a":[2e+3,"\u0026 \/"],"b":{}}"#
        );
    }

    #[test]
    fn what_steers_a_screen_is_escaped() {
        let document = read("[\"a\u{202e}b\u{7f}\u{85}\u{e0041}\u{feff}é\"]");
        assert_eq!(
            document.to_line(),
            r#"["a\u202eb\u007f\u0085\udb40\udc41\ufeffé"]"#
        );
    }

    #[test]
    fn pages_are_indented() {
        let document = read(r#"{"a":[],"b":{"c":[1,{}],"d":null},"e":"{,}"}"#);
        let expected = r#"{
  "a": [],
  "b": {
    "c": [
      1,
      {}
    ],
    "d": null
  },
  "e": "{,}"
}"#;
        assert_eq!(document.pretty(), expected);
        assert_eq!(read("[ ]").pretty(), "[]");
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            any::<String>().prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 64, 8, |inner| {
            let pairs = prop::collection::vec((any::<String>(), inner.clone()), 0..8);
            prop_oneof![
                prop::collection::vec(inner, 0..8).prop_map(Value::from),
                pairs.prop_map(|pairs| Value::from(Map::from_iter(pairs))),
            ]
        })
    }

    proptest! {
        #[test]
        fn both_layouts_are_equal_as_data_and_safe(value in any_json()) {
            let document = read(&value.to_string());
            prop_assert_eq!(document.value(), &value);
            for text in [document.to_line(), document.pretty()] {
                prop_assert_eq!(&serde_json::from_str::<Value>(&text).expect("JSON"), &value);
                let unsafe_ones = text.chars().filter(|c| *c != '\n' && super::is_hostile(*c));
                prop_assert_eq!(unsafe_ones.count(), 0);
            }
            prop_assert_eq!(read(&document.pretty()).to_line(), document.to_line());
        }

        #[test]
        fn no_bytes_break_the_reader(bytes in prop::collection::vec(any::<u8>(), 0..200), text in "[\\[\\]{}:,\"\\\\u019eE.-]{0,60}") {
            let _ = Document::read(&bytes);
            if let Ok(document) = Document::read(text.as_bytes()) {
                let again = read(&document.to_line());
                prop_assert_eq!(again.value(), document.value());
            }
        }
    }
}
