//! Text from outside, made safe for the screens of people: what would steer a terminal or hide in a line is shown.

use std::{borrow::Cow, fmt::Write};

use unicode_width::UnicodeWidthChar;

/// Marks without a width of their own that may follow one character before the rest of them is cut.
const MOST_MARKS: usize = 4;

/// Whether a character must never reach a screen as itself.
///
/// These are the C0 and C1 controls and DEL, the bidi controls, whatever is invisible by design (zero-width characters,
/// the byte order mark, fillers, tag characters and the variation selectors beside them) and the two line separators.
#[must_use]
pub fn is_hostile(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{ad}'
                | '\u{61c}'
                | '\u{115f}'..='\u{1160}'
                | '\u{180e}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{3164}'
                | '\u{feff}'
                | '\u{ffa0}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}

/// One line of text with every hostile character as an escape such as `\x1b` or `\u{202e}`, line feeds and tabs included.
///
/// More than four combining marks in a row are cut, and U+FFFD stands for those that went. Applying it twice changes
/// nothing more.
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    let mut marks = 0;
    let harmless = text.chars().all(|character| {
        marks = marks_up_to(character, marks);
        marks <= MOST_MARKS && !is_hostile(character)
    });
    if harmless {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(escape(text))
    }
}

/// Like [`visible`], but lines stay lines: `\n` is kept, and so is `\r\n` as `\n`.
#[must_use]
pub fn visible_lines(text: &str) -> Cow<'_, str> {
    if !text.contains('\n') {
        return visible(text);
    }
    let lines: Vec<_> = text
        .split('\n')
        .map(|line| visible(line.strip_suffix('\r').unwrap_or(line)))
        .collect();
    Cow::Owned(lines.join("\n"))
}

/// How many marks are in a row once `character` follows `before` of them.
fn marks_up_to(character: char, before: usize) -> usize {
    let is_mark = !is_hostile(character) && character.width() == Some(0);
    if is_mark { before + 1 } else { 0 }
}

fn escape(text: &str) -> String {
    let mut shown = String::with_capacity(text.len() + 16);
    let mut marks = 0;
    for character in text.chars() {
        marks = marks_up_to(character, marks);
        if marks > MOST_MARKS {
            if marks == MOST_MARKS + 1 {
                shown.push(char::REPLACEMENT_CHARACTER);
            }
        } else if !is_hostile(character) {
            shown.push(character);
        } else if character.is_ascii() {
            let _ = write!(shown, "\\x{:02x}", u32::from(character));
        } else {
            shown.extend(character.escape_unicode());
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn ordinary_text_is_borrowed() {
        for text in ["", "Example Hosting BV", "Zürich 東京 Київ", "cafe\u{301}"] {
            assert!(matches!(visible(text), Cow::Borrowed(same) if same == text));
        }
    }

    #[test]
    fn what_steers_or_hides_is_shown() {
        for (text, expected) in [
            ("a\u{1b}[2Jb", r"a\x1b[2Jb"),
            ("a\nb\tc\0", r"a\x0ab\x09c\x00"),
            ("\u{7f}\u{9b}", r"\x7f\u{9b}"),
            ("abc\u{202e}def", r"abc\u{202e}def"),
            ("A\u{200b}B\u{feff}", r"A\u{200b}B\u{feff}"),
            ("\u{e0041}\u{2028}", r"\u{e0041}\u{2028}"),
        ] {
            assert_eq!(visible(text), expected);
        }
    }

    #[test]
    fn a_pile_of_marks_is_cut() {
        let pile = format!("e{}x", "\u{301}".repeat(1000));
        assert_eq!(visible(&pile), format!("e{}\u{fffd}x", "\u{301}".repeat(4)));
    }

    #[test]
    fn lines_stay_lines_where_they_may() {
        assert_eq!(
            visible_lines("one\r\ntwo\n\x1bthree"),
            "one\ntwo\n\\x1bthree"
        );
        assert_eq!(visible_lines("one\rtwo"), r"one\x0dtwo");
    }

    proptest! {
        #[test]
        fn nothing_hostile_is_left_and_twice_is_once(text in any::<String>()) {
            let once = visible(&text).into_owned();
            prop_assert!(!once.chars().any(is_hostile));
            prop_assert_eq!(visible(&once), once.as_str());
            prop_assert!(!visible_lines(&text).chars().any(|c| c != '\n' && is_hostile(c)));
        }
    }
}
