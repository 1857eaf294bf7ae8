//! The last defence against text that contains terminal control or hidden characters.
//!
//! Text from outside is made visible where it enters a view; a widget that forgot is caught here, over the finished
//! frame, before any of it is written.

use ratatui::buffer::Buffer;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::glyphs::MARK;
use crate::model::visible::is_hostile;

/// Marks without a width of their own that one cell may hold.
const MOST_MARKS: usize = 4;

/// Replaces every cell that holds a hostile character by [`MARK`], and cuts piles of combining marks.
///
/// The layout stays: what was two cells wide still takes two.
pub fn clean(buffer: &mut Buffer) {
    for cell in &mut buffer.content {
        let symbol = cell.symbol();
        // Nearly all cells hold one printable byte.
        if let [byte] = symbol.as_bytes()
            && (b' '..=b'~').contains(byte)
        {
            continue;
        }
        if symbol.contains(is_hostile) {
            let mark = MARK.repeat(symbol.width().clamp(1, 2));
            cell.set_symbol(&mark);
        } else if marks(symbol) > MOST_MARKS {
            let capped = capped(symbol);
            cell.set_symbol(&capped);
        }
    }
}

fn marks(symbol: &str) -> usize {
    symbol.chars().filter(|&c| is_mark(c)).count()
}

fn capped(symbol: &str) -> String {
    let mut room = MOST_MARKS;
    symbol
        .chars()
        .filter(|&character| {
            if !is_mark(character) {
                return true;
            }
            let fits = room > 0;
            room = room.saturating_sub(1);
            fits
        })
        .collect()
}

fn is_mark(character: char) -> bool {
    character.width() == Some(0)
}

/// Whether a character may be typed or pasted into a line.
#[must_use]
pub fn is_typable(character: char) -> bool {
    !is_hostile(character)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use ratatui::layout::Rect;

    use super::*;

    fn cleaned(symbol: &str) -> String {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 2, 1));
        buffer.content[0].set_symbol(symbol);
        clean(&mut buffer);
        buffer.content[0].symbol().to_owned()
    }

    #[test]
    fn what_steers_or_hides_becomes_a_mark() {
        for symbol in [
            "\u{1b}",
            "\u{7f}",
            "\u{9b}",
            "\n",
            "a\u{202e}",
            "\u{2066}b",
            "x\u{200b}",
            "\u{feff}",
            "\u{e0041}",
            "a\u{e0101}",
        ] {
            assert_eq!(cleaned(symbol), MARK, "{symbol:?}");
        }
    }

    #[test]
    fn ordinary_symbols_stay() {
        for symbol in ["a", " ", "é", "東", "e\u{301}", "❤\u{fe0f}", "│"] {
            assert_eq!(cleaned(symbol), symbol);
        }
    }

    #[test]
    fn the_width_stays() {
        assert_eq!(cleaned("東\u{202e}"), "··");
    }

    #[test]
    fn a_pile_of_marks_is_cut() {
        let pile = format!("e{}", "\u{301}".repeat(40));
        assert_eq!(cleaned(&pile), format!("e{}", "\u{301}".repeat(4)));
    }

    proptest! {
        #[test]
        fn nothing_hostile_is_left(symbol in any::<String>()) {
            prop_assert!(!cleaned(&symbol).contains(is_hostile));
        }
    }
}
