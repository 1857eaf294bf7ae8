//! How everything looks, whatever it shows: widgets, colours, cells, words. Nothing here knows what a tab works with.

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
