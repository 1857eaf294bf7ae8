//! stub
use crate::{
    model::Day,
    tui::{cursor::Motion, widgets::text_field::TextField},
};
/// A calendar.
#[derive(Debug)]
pub struct Calendar {
    day: Day,
    field: TextField,
}
impl Calendar {
    pub fn new(day: Day, _last: Day, _known: Vec<Day>) -> Self {
        Self {
            day,
            field: TextField::new(""),
        }
    }
    pub fn field(&mut self) -> &mut TextField {
        &mut self.field
    }
    pub fn typed(&mut self) {}
    pub fn step(&mut self, _motion: Motion) {}
    pub fn select(&mut self, day: Day) {
        self.day = day;
    }
    pub fn chosen(&self) -> Result<Day, String> {
        Ok(self.day)
    }
    pub fn draw(
        &self,
        _f: &mut ratatui::Frame<'_>,
        _a: ratatui::layout::Rect,
        _th: &crate::tui::theme::Theme,
        _t: &str,
    ) {
    }
}
