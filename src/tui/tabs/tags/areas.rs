//! Where the parts of the Tags tab are drawn.

use ratatui::layout::{Constraint, Layout, Rect, Size};

use crate::tui::ui::areas;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Typing {
    Name,
    Filter,
}

/// The parts of the tab.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TagsAreas {
    /// Where the name of a tag is typed; empty while none is.
    pub(super) line: Rect,
    pub(super) list: Rect,
    /// The metadata; in the same place as the list where there is no room for both.
    pub(super) page: Rect,
}

impl TagsAreas {
    pub(super) fn of(body: Rect, typing: Option<Typing>) -> Self {
        let typed = u16::from(typing == Some(Typing::Name));
        let [line, rest] =
            Layout::vertical([Constraint::Length(typed), Constraint::Min(0)]).areas(body);
        if !areas::is_wide(Size::new(body.width, body.height + 3)) {
            return Self {
                line,
                list: rest,
                page: rest,
            };
        }
        let width = (body.width / 15 * 8).clamp(53, 88);
        let [list, page] =
            Layout::horizontal([Constraint::Length(width), Constraint::Min(0)]).areas(rest);
        Self { line, list, page }
    }

    /// The same, where one part may have the whole screen.
    pub(super) fn zoomed(self, zoomed: bool) -> Self {
        if !zoomed {
            return self;
        }
        let whole = self.list.union(self.page);
        Self {
            list: whole,
            page: whole,
            ..self
        }
    }

    /// Whether list and metadata are side by side.
    pub(super) fn beside(&self) -> bool {
        self.list != self.page
    }
}
