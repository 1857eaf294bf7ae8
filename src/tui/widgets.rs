//! The parts that screens are made of. None of them knows what it shows.

pub mod bar;
pub mod columns;
pub mod notice;
pub mod page;
pub mod pane;
pub mod popup;
pub mod text_field;
