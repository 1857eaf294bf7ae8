//! The terminal front: state that changes in one place, and views that only read it.
//!
//! A widget is a plain state struct with small synchronous methods, and a `draw` that takes the state by reference.
//! Drawing never changes state: how far a list is scrolled follows from its cursor and its height. [`screen`] alone
//! touches the terminal. Keys are looked up elsewhere, so that lists take a [`cursor::Motion`] and only fields of text
//! take key events.

pub mod cells;
pub mod cursor;
pub mod sanitize;
pub mod screen;
#[cfg(test)]
pub(crate) mod stage;
pub mod theme;
pub mod widgets;
