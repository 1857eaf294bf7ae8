//! Cuts a JSON text into its parts.

/// The parts of a JSON text as slices of it: one of `{ } [ ] , :`, a string with its quotes, or a bare word (a number,
/// `true`, `false`, `null`). White space is left out.
///
/// Any text at all can be cut; whether the parts make JSON is not asked here.
#[derive(Clone)]
pub(super) struct JsonTokens<'a> {
    rest: &'a str,
}

impl<'a> JsonTokens<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        Self { rest: text }
    }
}

impl<'a> Iterator for JsonTokens<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let rest = self.rest.trim_start_matches(is_blank);
        let length = match rest.bytes().next()? {
            b'{' | b'}' | b'[' | b']' | b',' | b':' => 1,
            b'"' => string_length(rest.as_bytes()),
            _ => rest.find(ends_a_word).unwrap_or(rest.len()),
        };
        let (token, rest) = rest.split_at(length);
        self.rest = rest;
        Some(token)
    }
}

fn is_blank(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\n' | '\r')
}

fn ends_a_word(character: char) -> bool {
    is_blank(character) || matches!(character, '{' | '}' | '[' | ']' | ',' | ':' | '"')
}

/// Bytes of the string that begins here, up to its closing quote, or to the end when it has none.
fn string_length(bytes: &[u8]) -> usize {
    let mut at = 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_text_is_cut_at_its_marks() {
        let tokens: Vec<_> = JsonTokens::of(r#" {"a\"}": [-1.5e3,true] }"#).collect();
        assert_eq!(
            tokens,
            ["{", r#""a\"}""#, ":", "[", "-1.5e3", ",", "true", "]", "}"]
        );
    }

    proptest! {
        #[test]
        fn any_text_is_cut_without_loss(text in "[\\PC\"\\\\{}:, \n]{0,40}") {
            let kept: String = JsonTokens::of(&text).collect();
            let solid = |text: &str| text.replace(is_blank, "");
            prop_assert_eq!(solid(&kept), solid(&text));
        }
    }
}
