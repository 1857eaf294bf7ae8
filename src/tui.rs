//! The terminal front: state that changes in one place, and views that only read it.
//!
//! ```text
//! ui < ctx < tabs < shell
//! ```
//!
//! [`ui`] is how things look, [`ctx`] what a tab works with, [`tabs`] the tabs, [`shell`] what holds them together. A widget
//! is a plain state struct with small synchronous methods, and a `draw` that takes the state by reference. Pages and
//! lists are laid out in drawing alone: it keeps their measure in their state, and the next move goes by that; it changes
//! nothing else. [`shell::screen`] alone touches the terminal, [`shell::worker`] alone calls the engine. Keys are looked up
//! in one table ([`shell::keys`]), so that lists take a [`ui::cursor::Motion`] and only fields of text take key events.

pub mod ctx;
#[cfg(test)]
pub(crate) mod harness;
pub mod shell;
pub mod tabs;
#[cfg(test)]
pub(crate) mod test_terminal;
pub mod ui;

pub use ctx::request::Entered;
pub use shell::runtime::{ExplorerEnd, ExplorerOptions, run};
