//! Text measured in terminal cells: cut, padded and wrapped by what it takes on the screen, not by characters.

use std::{borrow::Cow, mem};

use ratatui::{
    style::Style,
    text::{Line, Span},
};
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

pub use super::glyphs::ELLIPSIS;

/// How many cells a text takes.
#[must_use]
pub fn width(text: &str) -> u16 {
    within(text.width())
}

/// How many cells a line takes.
#[must_use]
pub fn line_width(line: &Line<'_>) -> u16 {
    within(line.width())
}

/// Cells of what may be wider than any screen: so many at most, so that the sum of a few fits, too.
fn within(width: usize) -> u16 {
    const WIDEST: u16 = u16::MAX / 8;
    u16::try_from(width).unwrap_or(WIDEST).min(WIDEST)
}

/// A text that takes `room` cells at most, with `…` for an end that was cut.
#[must_use]
pub fn cut(text: &str, room: u16) -> Cow<'_, str> {
    if width(text) <= room {
        return Cow::Borrowed(text);
    }
    let kept = leading(text, room.saturating_sub(1));
    Cow::Owned(if room == 0 {
        String::new()
    } else {
        format!("{kept}{ELLIPSIS}")
    })
}

/// A text that takes `room` cells at most, with `…` for a beginning that was cut: for paths, which end with what matters.
#[must_use]
pub fn cut_start(text: &str, room: u16) -> Cow<'_, str> {
    if width(text) <= room {
        return Cow::Borrowed(text);
    }
    let Some(mut left) = room.checked_sub(1) else {
        return Cow::Borrowed("");
    };
    let mut kept = Vec::new();
    for (symbol, cells) in graphemes(text).rev() {
        let Some(rest) = left.checked_sub(cells) else {
            break;
        };
        left = rest;
        kept.push(symbol);
    }
    kept.push(ELLIPSIS);
    kept.reverse();
    Cow::Owned(kept.concat())
}

/// The beginning of a text that fits into `room` cells, no grapheme divided.
#[must_use]
pub fn leading(text: &str, room: u16) -> String {
    let mut left = room;
    graphemes(text)
        .map_while(|(symbol, cells)| {
            left = left.checked_sub(cells)?;
            Some(symbol)
        })
        .collect()
}

/// The graphemes of a text with the cells that each takes.
#[must_use]
pub fn graphemes(text: &str) -> impl DoubleEndedIterator<Item = (&str, u16)> {
    text.graphemes(true).map(|symbol| (symbol, width(symbol)))
}

/// A line that takes `room` cells at most, with `…` for an end that was cut.
#[must_use]
pub fn cut_line(line: Line<'_>, room: u16) -> Line<'_> {
    if line_width(&line) <= room {
        return line;
    }
    let mut left = room;
    let mut spans = Vec::with_capacity(line.spans.len());
    for span in line.spans {
        let cells = width(&span.content);
        if cells < left {
            left -= cells;
            spans.push(span);
            continue;
        }
        if left > 0 {
            let end = format!("{}{ELLIPSIS}", leading(&span.content, left - 1));
            spans.push(Span::styled(end, span.style));
        }
        break;
    }
    Line {
        style: line.style,
        alignment: line.alignment,
        spans,
    }
}

/// A line broken between words into lines of `room` cells at most; a word that is longer is broken where it must be.
///
/// Blanks at a break are dropped. There is always one line at least.
#[must_use]
pub fn wrap(line: Line<'_>, room: u16) -> Vec<Line<'_>> {
    if line_width(&line) <= room || room == 0 {
        return vec![line];
    }
    let mut wrapped = Wrapped::default();
    let mut word: Vec<(String, Style)> = Vec::new();
    for span in &line.spans {
        for grapheme in span.styled_graphemes(line.style) {
            let blank = grapheme.symbol.chars().all(char::is_whitespace);
            if blank {
                wrapped.take_word(&mut word, room);
                wrapped.take_blank(grapheme.symbol, grapheme.style);
            } else {
                word.push((grapheme.symbol.to_owned(), grapheme.style));
            }
        }
    }
    wrapped.take_word(&mut word, room);
    wrapped.finish()
}

/// What is at the left of a text, and the text in what is left of `room`: its further lines begin below its first word.
#[must_use]
pub fn hang<'a>(head: Line<'a>, text: Line<'a>, room: u16) -> Vec<Line<'a>> {
    let indent = line_width(&head);
    let blank = " ".repeat(indent.into());
    // The style of the head is its own: a dimmed text beside a coloured sign would have that colour, too.
    let mut head = Some(spans(head, Style::new()).collect::<Line<'a>>());
    let lines = wrap(text, room.saturating_sub(indent)).into_iter();
    lines
        .map(|line| {
            let mut whole = head.take().unwrap_or_else(|| Line::raw(blank.clone()));
            whole.extend(spans(line, Style::new()));
            whole
        })
        .collect()
}

/// The spans of a line with all of their style: that of the line, over `base`, is in each.
pub fn spans(line: Line<'_>, base: Style) -> impl Iterator<Item = Span<'_>> {
    let style = base.patch(line.style);
    line.spans.into_iter().map(move |span| Span {
        style: style.patch(span.style),
        ..span
    })
}

/// Lines filled so far, and the one that is being filled.
#[derive(Default)]
struct Wrapped {
    lines: Vec<Vec<(String, Style)>>,
    current: Vec<(String, Style)>,
    used: u16,
    blanks: Vec<(String, Style)>,
}

impl Wrapped {
    fn take_blank(&mut self, symbol: &str, style: Style) {
        self.blanks.push((symbol.to_owned(), style));
    }

    fn take_word(&mut self, word: &mut Vec<(String, Style)>, room: u16) {
        if word.is_empty() {
            return;
        }
        let (cells, gap) = (width_of(word), width_of(&self.blanks));
        let fits = self.used.saturating_add(gap).saturating_add(cells) <= room;
        if fits {
            self.current.append(&mut self.blanks);
            self.used += gap;
        } else {
            self.blanks.clear();
            if self.used > 0 {
                self.break_line();
            }
        }
        for (symbol, style) in mem::take(word) {
            let cells = width(&symbol);
            if self.used > 0 && self.used.saturating_add(cells) > room {
                self.break_line();
            }
            self.used += cells;
            self.current.push((symbol, style));
        }
    }

    fn break_line(&mut self) {
        self.lines.push(mem::take(&mut self.current));
        self.used = 0;
    }

    fn finish(mut self) -> Vec<Line<'static>> {
        if !self.current.is_empty() || self.lines.is_empty() {
            self.break_line();
        }
        self.lines.into_iter().map(joined).collect()
    }
}

/// How many cells graphemes take; of a text of any length.
fn width_of(graphemes: &[(String, Style)]) -> u16 {
    let cells = graphemes.iter().map(|(symbol, _)| width(symbol));
    cells.fold(0, u16::saturating_add)
}

/// Neighbours of one style become one span.
fn joined(graphemes: Vec<(String, Style)>) -> Line<'static> {
    let mut spans: Vec<Span<'static>> = Vec::new();
    for (symbol, style) in graphemes {
        match spans.last_mut() {
            Some(last) if last.style == style => last.content.to_mut().push_str(&symbol),
            _ => spans.push(Span::styled(symbol, style)),
        }
    }
    Line::from(spans)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use ratatui::style::Stylize;

    use super::*;

    #[test]
    fn text_is_cut_by_cells() {
        for (text, room, expected) in [
            ("ACME_VPN", 8, "ACME_VPN"),
            ("ACME_VPN", 7, "ACME_V…"),
            ("ACME_VPN", 1, "…"),
            ("ACME_VPN", 0, ""),
            ("東京東京", 7, "東京東…"),
            ("東京東京", 6, "東京…"),
            ("東京", 2, "…"),
        ] {
            assert_eq!(cut(text, room), expected, "{text} in {room}");
        }
    }

    #[test]
    fn the_widths_of_endless_texts_can_be_added() {
        let long = "x".repeat(70_000);
        let [one, two] = [width(&long), line_width(&Line::raw(long.clone()))];
        assert!(one > 5_000 && one == two);
        assert!(
            one.checked_add(two)
                .and_then(|both| both.checked_add(two))
                .is_some()
        );
        assert_eq!(cut(&long, 9), "xxxxxxxx…");
    }

    #[test]
    fn paths_lose_their_beginning() {
        assert_eq!(
            cut_start("feeds/20261120/feed.json.gz", 13),
            "…feed.json.gz"
        );
        assert_eq!(cut_start("feed", 4), "feed");
        assert_eq!(cut_start("feed", 0), "");
    }

    #[test]
    fn further_lines_of_a_text_begin_below_its_first_word() {
        let lines = hang(
            Line::raw("i  "),
            Line::raw("the busiest are kept").dim(),
            14,
        );
        let texts: Vec<String> = lines.iter().map(ToString::to_string).collect();
        assert_eq!(texts, ["i  the busiest", "   are kept"]);
        assert_eq!(lines[1].spans[1].style, Style::new().dim());
    }

    #[test]
    fn a_line_is_cut_with_its_styles() {
        let line = Line::from(vec!["AS ".dim(), "64500 Example".bold()]);
        assert_eq!(
            cut_line(line, 8),
            Line::from(vec!["AS ".dim(), "6450…".bold()])
        );
    }

    #[test]
    fn a_word_of_any_length_is_broken() {
        let word = "a".repeat(70_000);
        let blanks = " ".repeat(70_000);
        let lines = wrap(Line::raw(format!("{word}{blanks}b")), 100);
        assert_eq!((lines.len(), lines[700].to_string()), (701, "b".to_owned()));
    }

    #[test]
    fn lines_break_between_words() {
        let shown = |text: &'static str, room| -> Vec<String> {
            wrap(Line::from(text), room)
                .iter()
                .map(ToString::to_string)
                .collect()
        };
        assert_eq!(
            shown("OPENVPN IPSEC WIREGUARD", 14),
            ["OPENVPN IPSEC", "WIREGUARD"]
        );
        assert_eq!(shown("OPENVPN", 3), ["OPE", "NVP", "N"]);
        assert_eq!(shown("a  b", 4), ["a  b"]);
        assert_eq!(shown("", 4), [""]);
        assert_eq!(shown("東京", 1), ["東", "京"]);
    }

    proptest! {
        #[test]
        fn what_is_cut_fits(text in "\\PC{0,20}", room in 0_u16..12) {
            prop_assert!(width(&cut(&text, room)) <= room);
            prop_assert!(width(&cut_start(&text, room)) <= room);
            prop_assert!(line_width(&cut_line(Line::from(text.as_str()), room)) <= room);
        }

        #[test]
        fn wrapping_keeps_every_word(text in "[a-z東 ]{0,60}", room in 2_u16..20) {
            let lines = wrap(Line::from(text.as_str()), room);
            prop_assert!(lines.iter().all(|line| line_width(line) <= room));
            let bare = |text: &str| text.replace(' ', "");
            let kept: String = lines.iter().map(ToString::to_string).collect();
            prop_assert_eq!(bare(&kept), bare(&text));
        }
    }
}
