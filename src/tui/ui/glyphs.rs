//! Every symbol beyond ASCII that the explorer draws by itself, and what stands for it where ASCII is all there is.
//!
//! Views draw the symbols of this table; the finished frame is spelt as the terminal and the person can read it. Each symbol takes one
//! cell, and so does what stands for it, so that nothing moves.

use ratatui::buffer::{Buffer, Cell};
use unicode_width::UnicodeWidthStr;

/// Stands for text that was cut.
pub const ELLIPSIS: &str = "…";
/// A line across.
pub const RULE: &str = "─";
/// From one value to the next.
pub const ARROW: &str = "→";
/// Stands for each letter of a secret.
pub const DOT: &str = "•";
/// Stands for what cannot be shown, and for a day that cannot be chosen.
pub const MARK: &str = "·";
/// Stands for a day with a tunnel or proxy of no operator, and for one without any.
pub const FULL: &str = "●";
pub const DASH: &str = "–";
/// A part that can be unfolded.
pub const FOLDED: &str = "▸";
/// A part that can be folded.
pub const UNFOLDED: &str = "▾";
/// Behind a unit of area.
pub const SQUARED: &str = "²";
/// A cell of a bar, from none to eight eighths.
pub const EIGHTHS: [&str; 9] = [" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"];

/// A cell of an upright bar, from none to eight eighths.
pub const LEVELS: [&str; 9] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", EIGHTHS[8]];

/// A cell for each number, from nothing to the highest of them: what changes little looks so.
#[must_use]
pub fn spark(numbers: &[u64]) -> String {
    let most = numbers.iter().max().copied().unwrap_or_default().max(1);
    let steps = LEVELS.len() as u128 - 2;
    let level = |number: &u64| 1 + (u128::from(*number) * steps / u128::from(most)) as usize;
    numbers.iter().map(|number| LEVELS[level(number)]).collect()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GlyphUse {
    /// It has a meaning of its own.
    Sign,
    /// It guides the eye: read aloud it means nothing.
    Drawing,
}

/// Each symbol, what stands for it in ASCII, and what it is for.
#[rustfmt::skip]
const TABLE: [(&str, &str, GlyphUse); 35] = [
    (ELLIPSIS, "~", GlyphUse::Sign),
    (ARROW, ">", GlyphUse::Sign),
    (DOT, "*", GlyphUse::Sign),
    (MARK, ".", GlyphUse::Sign),
    (FULL, "*", GlyphUse::Sign),
    (DASH, "-", GlyphUse::Sign),
    (FOLDED, "+", GlyphUse::Sign),
    (UNFOLDED, "-", GlyphUse::Sign),
    (SQUARED, "2", GlyphUse::Sign),
    (RULE, "-", GlyphUse::Drawing),
    ("│", "|", GlyphUse::Drawing),
    ("┌", "+", GlyphUse::Drawing),
    ("┐", "+", GlyphUse::Drawing),
    ("└", "+", GlyphUse::Drawing),
    ("┘", "+", GlyphUse::Drawing),
    ("├", "+", GlyphUse::Drawing),
    ("┤", "+", GlyphUse::Drawing),
    ("┬", "+", GlyphUse::Drawing),
    ("┴", "+", GlyphUse::Drawing),
    ("┼", "+", GlyphUse::Drawing),
    (EIGHTHS[1], ".", GlyphUse::Drawing),
    (EIGHTHS[2], ".", GlyphUse::Drawing),
    (EIGHTHS[3], ":", GlyphUse::Drawing),
    (EIGHTHS[4], "=", GlyphUse::Drawing),
    (EIGHTHS[5], "=", GlyphUse::Drawing),
    (EIGHTHS[6], "=", GlyphUse::Drawing),
    (EIGHTHS[7], "#", GlyphUse::Drawing),
    (EIGHTHS[8], "#", GlyphUse::Drawing),
    (LEVELS[1], "_", GlyphUse::Drawing),
    (LEVELS[2], ".", GlyphUse::Drawing),
    (LEVELS[3], ":", GlyphUse::Drawing),
    (LEVELS[4], "-", GlyphUse::Drawing),
    (LEVELS[5], "=", GlyphUse::Drawing),
    (LEVELS[6], "+", GlyphUse::Drawing),
    (LEVELS[7], "*", GlyphUse::Drawing),
];

/// How symbols beyond ASCII are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SymbolSet {
    /// As they are.
    #[default]
    Unicode,
    /// Those of the table in ASCII, all others as they are.
    Ascii,
    /// All in ASCII: the terminal reads no UTF-8. What comes from outside has `?` for each letter that is not of ASCII.
    AsciiOnly,
}

/// Writes a finished frame in this spelling; with `aloud` without what guides the eye alone.
pub fn spell(buffer: &mut Buffer, spelling: SymbolSet, aloud: bool) {
    if spelling == SymbolSet::Unicode && !aloud {
        return;
    }
    for cell in &mut buffer.content {
        if !cell.symbol().is_ascii() {
            spell_cell(cell, spelling, aloud);
        }
    }
}

fn spell_cell(cell: &mut Cell, spelling: SymbolSet, aloud: bool) {
    let found = TABLE.iter().find(|(symbol, ..)| *symbol == cell.symbol());
    match found {
        Some((_, _, GlyphUse::Drawing)) if aloud => {
            cell.set_symbol(" ");
        }
        Some(_) if spelling == SymbolSet::Unicode => {}
        Some((_, ascii, _)) => {
            cell.set_symbol(ascii);
        }
        None if spelling == SymbolSet::AsciiOnly => {
            let unreadable = "?".repeat(cell.symbol().width().clamp(1, 2));
            cell.set_symbol(&unreadable);
        }
        None => {}
    }
}

#[cfg(test)]
mod tests {
    use ratatui::layout::Rect;

    use super::*;

    fn spelt(text: &str, spelling: SymbolSet, aloud: bool) -> String {
        let width = u16::try_from(text.width()).expect("a short text");
        let mut buffer = Buffer::empty(Rect::new(0, 0, width, 1));
        buffer.set_string(0, 0, text, ratatui::style::Style::new());
        spell(&mut buffer, spelling, aloud);
        let symbols = buffer.content.iter().map(Cell::symbol);
        symbols.collect()
    }

    #[test]
    fn what_stands_for_a_symbol_is_one_cell_of_ascii() {
        for (symbol, ascii, _) in TABLE {
            assert_eq!((symbol.width(), ascii.width()), (1, 1), "{symbol}");
            assert!(!symbol.is_ascii() && ascii.is_ascii(), "{symbol}");
            let once = TABLE.iter().filter(|(other, ..)| *other == symbol).count();
            assert_eq!(once, 1, "{symbol}");
        }
    }

    #[test]
    fn numbers_are_a_line_from_nothing_to_the_highest() {
        assert_eq!(spark(&[5_602, 5_629, 5_579]), "▇█▇");
        assert_eq!(spark(&[0, 5, 10]), "▁▄█");
        assert_eq!(spark(&[0, u64::MAX]), "▁█");
        assert_eq!(spark(&[]), "");
    }

    #[test]
    fn a_frame_is_written_as_it_can_be_read() {
        let drawn = "┌ Tags ─┐│Zürich…│█▌";
        for (spelling, aloud, expected) in [
            (SymbolSet::Unicode, false, drawn),
            (SymbolSet::Ascii, false, "+ Tags -+|Zürich~|#="),
            (SymbolSet::AsciiOnly, false, "+ Tags -+|Z?rich~|#="),
            (SymbolSet::Unicode, true, "  Tags    Zürich…   "),
            (SymbolSet::Ascii, true, "  Tags    Zürich~   "),
        ] {
            assert_eq!(spelt(drawn, spelling, aloud), expected, "{spelling:?}");
        }
        // What is two cells wide still takes two.
        assert_eq!(spelt("東x", SymbolSet::AsciiOnly, false), "?? x");
    }
}
