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
//!
//! Four parts carry a tab. A [`ctx::list::List`] is any list of rows: cursor, columns, order, filter, marks, copies. A
//! [`ctx::surface::Surface`] is what is open over a tab: the shell keeps a stack of them for each tab, and the topmost gets the keys.
//! [`ctx::asked::Asked`] is a question with its answer and its error. [`ctx::tab::Tab::when`] says what a gesture or an action costs
//! now, or why it has no effect; the shell refuses it in one place. Tags, Quota, the table of Lookup and the browser of Feeds stand on
//! them; the list of feeds, exports, the trail and the comparison still have lists, modes, requests and refusals of their own.

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
