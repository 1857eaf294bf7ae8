//! The widgets, independent of their content.

pub mod bar;
pub mod calendar;
pub mod columns;
pub mod facets;
pub mod form;
pub mod json_tree;
pub mod notice;
pub mod page;
pub mod pane;
pub mod picker;
pub mod popup;
pub mod table;
pub mod text_field;
