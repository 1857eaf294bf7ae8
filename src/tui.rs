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
//! Four parts carry a tab. A [`ctx::list::List`] is any list of rows, from five to ten million: cursor, columns, order, filter, marks,
//! copies. A [`ctx::surface::Surface`] is what is open over a tab: the shell keeps a stack of them for each tab, its own dialogs and the
//! raw JSON included, and the topmost gets the keys. [`ctx::asked::Asked`] is a question with its answer and its error.
//! [`ctx::tab::Tab::when`] says what a gesture or an action costs now, or why it has no effect; the shell refuses it in one place. The
//! comparison of Lookup, what lies over the browser of Feeds, and the preview of Export still have lists or modes of their own.
//!
//! # The way of a lookup, from the key to the frame
//!
//! 1. `shell/runtime.rs`: the event of the terminal becomes a [`shell::msg::Msg`].
//! 2. `shell/app.rs`, `update`: each message changes the state in one place.
//! 3. `shell/route.rs`, `key`: the bindings of the scopes in front give an intent; `refuses` asks the tab, and says why not.
//! 4. `tabs/lookup.rs`, `enter`: what Enter does with what is in front. The text becomes an address and a question; from this follow
//!    `when` in `tabs/lookup/tab.rs`, whether it has an effect, and `on_enter`, the deed.
//! 5. `tabs/lookup/price.rs`, `quote`: what it costs, from the sources that were read when the address was typed.
//! 6. `tabs/lookup/answers.rs`, `visit`: the trail, then `find` of its case asks [`ctx::request::Question::Resolve`].
//! 7. `shell/worker.rs`, `answer`: the engine is asked; its answers come back as messages, to `update`.
//! 8. `engine/answers/resolve.rs`, `by_policy`: local and cached answers first, then a query if they do not replace it.
//! 9. `tabs/lookup/case.rs`, `found` and `ask_around`: the answer goes into its case; what leads on from it is asked together.
//! 10. `shell/view.rs` and `tabs/lookup/view.rs`: the frame, with what has the focus.
//! 11. `tabs/lookup/record.rs`: the record as a page, drawn.

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
