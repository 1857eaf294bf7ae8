//! stub
use super::columns::Column;
use crate::tui::{
    cursor::Cursor,
    theme::{Focus, Theme},
};
use ratatui::{Frame, layout::Rect, text::Line};
pub fn draw<'a>(
    _frame: &mut Frame<'_>,
    _area: Rect,
    _columns: &[Column<'_>],
    _cursor: Cursor,
    _len: usize,
    _row: impl Fn(usize) -> Vec<Line<'a>>,
    _theme: &Theme,
    _focus: Focus,
) {
}
