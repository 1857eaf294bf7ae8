//! How everything looks to this person on this terminal: the theme by its name, what the terminal says of its ground, with or without
//! Unicode, for the eye or for a screen reader.

use ratatui::{
    Frame,
    layout::{Position, Rect, Size},
};

use super::{Shade, SymbolSet, Theme, glyphs, sanitize};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// The name of the theme that was chosen.
    pub theme: &'static str,
    /// The ground of the terminal, once it is known.
    pub ground: Option<Shade>,
    /// Whether no colour may be written.
    pub no_color: bool,
    /// How symbols beyond ASCII are written.
    pub spelling: SymbolSet,
    /// Whether the screen is read aloud.
    pub screen_reader: bool,
}

impl Default for Look {
    fn default() -> Self {
        Self {
            theme: Theme::NAMES[0],
            ground: None,
            no_color: false,
            spelling: SymbolSet::Unicode,
            screen_reader: false,
        }
    }
}

/// What keys act on, on a screen that is read aloud.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spoken {
    /// Where the selected row begins, and what is in it.
    pub selected: Option<(Position, String)>,
    /// Whether the user types: the cursor is in the text.
    pub is_typing: bool,
}

impl Look {
    /// Cells that a screen which is read aloud is wide at most: panes are never side by side there, since a line is read as one.
    const ALOUD: u16 = 80;

    #[must_use]
    pub fn colours(&self) -> Theme {
        let theme = Theme::named(self.theme, self.ground, self.no_color);
        let theme = theme.unwrap_or_else(Theme::terminal);
        if self.screen_reader {
            theme.spoken()
        } else {
            theme
        }
    }

    /// Whether the colours depend on the ground of the terminal and that is not known yet.
    #[must_use]
    pub fn asks_for_ground(&self) -> bool {
        !self.no_color && self.ground.is_none() && Theme::depends_on_ground(self.theme)
    }

    /// The part of a terminal of this size that is drawn on.
    #[must_use]
    pub fn size(&self, size: Size) -> Size {
        if self.screen_reader {
            Size::new(size.width.min(Self::ALOUD), size.height)
        } else {
            size
        }
    }

    /// Writes the finished frame as it can be read.
    pub fn finish(&self, frame: &mut Frame<'_>) {
        let buffer = frame.buffer_mut();
        if self.spelling != SymbolSet::Unicode {
            // What it puts in the place of hostile text is spelt, too.
            sanitize::clean(buffer);
        }
        glyphs::spell(buffer, self.spelling, self.screen_reader);
    }
}

/// Takes the marks off a frame that is read aloud, and gives what keys act on: of several selected rows the narrowest, which lies over
/// the others.
pub fn take_marks(frame: &mut Frame<'_>) -> Spoken {
    let buffer = frame.buffer_mut();
    let area = buffer.area;
    let mut spoken = Spoken::default();
    let mut narrowest = u16::MAX;
    for y in area.top()..area.bottom() {
        let mut x = area.left();
        while x < area.right() {
            let mut run = Rect::new(x, y, 0, 1);
            let mut text = String::new();
            while run.right() < area.right()
                && buffer[(run.right(), y)].modifier.contains(Theme::MARK)
            {
                let cell = &mut buffer[(run.right(), y)];
                cell.modifier -= Theme::MARK;
                text.push_str(cell.symbol());
                run.width += 1;
            }
            if (1..narrowest).contains(&run.width) {
                narrowest = run.width;
                spoken.selected = Some((Position::new(x, y), read_aloud(&text)));
            }
            x = run.right().max(x + 1);
        }
    }
    for cell in &mut buffer.content {
        spoken.is_typing |= cell.modifier.contains(Theme::TYPED);
        cell.modifier -= Theme::TYPED;
    }
    spoken
}

/// The cells of a row as one reads them: without the sign of the selection, and with a comma where columns lie apart.
fn read_aloud(row: &str) -> String {
    let row = row.trim().trim_start_matches('>').trim_start();
    let parts = row.split("  ").map(str::trim);
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use ratatui::text::Line;

    use super::*;
    use crate::tui::{test_terminal, ui::Focus};

    #[test]
    fn the_ground_is_asked_for_where_it_matters() {
        let look = |theme| Look {
            theme,
            ..Look::default()
        };
        for (name, asks) in [
            ("terminal", false),
            ("dark", false),
            ("auto", true),
            ("high-contrast", true),
        ] {
            assert_eq!(look(name).asks_for_ground(), asks, "{name}");
            let no_color = true;
            let without = Look {
                no_color,
                ..look(name)
            };
            assert!(!without.asks_for_ground(), "{name}");
        }
        let ground = Some(Shade::Light);
        let known = Look {
            ground,
            ..look("auto")
        };
        assert!(!known.asks_for_ground());
        assert_eq!(known.colours(), look("light").colours());
        assert_eq!(look("auto").colours(), Theme::terminal());
    }

    #[test]
    fn the_narrowest_selected_row_is_read_and_no_mark_is_left() {
        let theme = Theme::terminal().spoken();
        let mut spoken = Spoken::default();
        let buffer = test_terminal::buffer(40, 3, |frame| {
            let row = |y, width| Rect::new(0, y, width, 1);
            frame.render_widget(Line::raw("> 198.51.100.7   live  now"), row(0, 40));
            frame.render_widget(Line::raw("> yes   y"), row(2, 20));
            for place in [row(0, 40), row(2, 20)] {
                let buffer = frame.buffer_mut();
                buffer.set_style(place, theme.row(Focus::Here));
            }
            spoken = take_marks(frame);
        });
        assert_eq!(
            spoken.selected,
            Some((Position::new(0, 2), "yes, y".to_owned()))
        );
        assert!(!spoken.is_typing);
        assert!(
            buffer
                .content
                .iter()
                .all(|cell| !cell.modifier.contains(Theme::MARK))
        );
        assert_eq!(
            read_aloud("> 198.51.100.7   live  now "),
            "198.51.100.7, live, now"
        );
    }
}
