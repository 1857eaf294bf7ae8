//! stub
use crate::tui::{jobs::Job, theme::Theme};
use ratatui::{Frame, layout::Rect};
pub fn draw_job(_frame: &mut Frame<'_>, _area: Rect, _job: &Job, _theme: &Theme) {}
pub fn words(_job: &Job) -> String {
    String::new()
}
