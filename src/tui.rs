//! The terminal front: state that changes in one place, and views that only read it.
//!
//! A widget is a plain state struct with small synchronous methods, and a `draw` that takes the state by reference.
//! Drawing never changes state: how far a list is scrolled follows from its cursor and its height. [`screen`] alone
//! touches the terminal, [`worker`] alone calls the engine. Keys are looked up in one table ([`keys`]), so that lists take
//! a [`cursor::Motion`] and only fields of text take key events.

pub mod app;
pub mod areas;
pub mod cells;
pub mod cursor;
pub mod evidence;
pub mod export;
pub mod feeds;
pub mod jobs;
pub mod keys;
pub mod lookup;
pub mod msg;
pub mod outbox;
pub mod quota;
pub mod raw;
#[cfg(test)]
pub(crate) mod rehearsal;
pub mod remote;
pub mod run;
pub mod sample;
pub mod sanitize;
pub mod screen;
#[cfg(test)]
pub(crate) mod script;
pub mod sheet;
#[cfg(test)]
pub(crate) mod stage;
pub mod tags;
pub mod theme;
pub mod trail;
pub mod view;
pub mod welcome;
pub mod widgets;
pub mod words;
pub mod worker;

pub use run::{Options, Outcome, run};
