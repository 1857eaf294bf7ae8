//! stub
use crate::tui::{cursor::Motion, widgets::text_field::TextField};
/// An item.
#[derive(Clone, Debug)]
pub struct Item<T> {
    pub label: String,
    pub detail: String,
    pub key: String,
    pub enabled: Result<(), &'static str>,
    pub value: T,
}
/// A picker.
#[derive(Debug)]
pub struct Picker<T> {
    items: Vec<Item<T>>,
    field: TextField,
}
impl<T> Picker<T> {
    pub fn new(items: Vec<Item<T>>) -> Self {
        Self {
            items,
            field: TextField::new(""),
        }
    }
    pub fn field(&mut self) -> &mut TextField {
        &mut self.field
    }
    pub fn refilter(&mut self) {}
    pub fn step(&mut self, _motion: Motion, _height: usize) {}
    pub fn chosen(&self) -> Option<&Item<T>> {
        self.items.first()
    }
    pub fn items(&self) -> &[Item<T>] {
        &self.items
    }
    pub fn draw(
        &self,
        _f: &mut ratatui::Frame<'_>,
        _a: ratatui::layout::Rect,
        _t: &str,
        _th: &crate::tui::theme::Theme,
    ) {
    }
}
