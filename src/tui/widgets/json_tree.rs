//! stub
use crate::tui::cursor::Motion;
use serde_json::Value;
/// A tree.
#[derive(Debug)]
pub struct JsonTree(Value);
impl JsonTree {
    pub fn new(value: Value) -> Self {
        Self(value)
    }
    pub fn search(&mut self, _text: &str) {}
    pub fn step(&mut self, _motion: Motion, _height: usize) {}
    pub fn toggle(&mut self, _height: usize) {}
    pub fn fold_all(&mut self) {}
    pub fn unfold_all(&mut self) {}
    pub fn next_match(&mut self, _height: usize) {}
    pub fn previous_match(&mut self, _height: usize) {}
    pub fn selected_value(&self) -> &Value {
        &self.0
    }
    pub fn selected_path(&self) -> String {
        String::new()
    }
    pub fn matches(&self) -> Option<String> {
        None
    }
    pub fn draw(
        &self,
        _f: &mut ratatui::Frame<'_>,
        _a: ratatui::layout::Rect,
        _th: &crate::tui::theme::Theme,
        _x: crate::tui::theme::Focus,
    ) {
    }
}
