//! Widgets, colours, cells and words, independent of the tabs.

pub mod areas;
pub mod cells;
pub mod cursor;
pub mod fuzzy;
pub mod glyphs;
pub mod look;
pub mod sanitize;
pub mod spots;
pub mod theme;
pub mod widgets;
pub mod words;
