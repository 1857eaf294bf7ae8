//! The terminal front: state that changes in one place, and views that only read it.
//!
//! ```text
//! ui < ctx < tabs < shell
//! ```
//!
//! [`ui`] is how things look, [`ctx`] what a tab works with, [`tabs`] the tabs, [`shell`] what holds them together. A widget
//! is a plain state struct with small synchronous methods, and a `draw` that takes the state by reference. Pages and
//! lists are laid out in drawing alone: it keeps their measure in their state, and where a click leads; the next move goes by that.
//! [`shell::screen`] alone writes to the terminal, [`shell::worker`] alone asks the engine for what takes time. Keys are looked up
//! in one table ([`shell::keys`]), so that lists take a [`ui::cursor::Motion`] and only fields of text take key events.
//!
//! Four parts carry a tab. A [`ctx::list::List`] is any list of rows, from five to ten million: cursor, columns, order, filter, marks,
//! copies. A [`ctx::surface::Surface`] is what is open over a tab: the shell keeps a stack of them for each tab, and one of its own
//! over everything; the topmost gets the keys. [`ctx::asked::Asked`] is a question with its answer and its error.
//! [`ctx::tab::Tab::when`] says what a gesture costs now, or why it has no effect, and [`ctx::tab::Actions::when_acting`] the same of
//! an action; the shell refuses it in one place. The comparison and the examples of Lookup, what lies over the browser of Feeds, and
//! the preview of Export still have lists or modes of their own.
//!
//! # The way of a lookup, from the key to the frame
//!
//! 1. `shell/runtime.rs`, `run`: the event of the terminal becomes a [`shell::msg::Msg`].
//! 2. `shell/app.rs`, `update`: each message changes the state; the effects come out at its end, and `carry_out` of the runtime gives
//!    questions to the worker.
//! 3. `shell/route.rs`, `key` and `gesture`: the bindings of the scopes in front give an intent; `refuses` asks `when` of the tab, then
//!    `on_front` of the application hands the gesture to what is in front.
//! 4. `tabs/lookup/tab.rs`, `on`: what has the focus handles it, here the field.
//! 5. `tabs/lookup.rs`, `on_enter` by `enter`: the text becomes an address, and that a query.
//! 6. `tabs/lookup/answers.rs`, `visit_as_priced`: what was promised to be free, by what was read ahead of Enter, sends nothing; the
//!    query goes on the trail.
//! 7. `tabs/lookup/case.rs`, `find`: asks [`ctx::request::Question::Resolve`], unless the configuration or an earlier answer says
//!    otherwise; [`ctx::UpdateCtx::ask`] makes it an effect.
//! 8. `shell/worker.rs`, `answer`: asks the engine, in `engine/answers/resolve.rs`, `by_policy`: local and cached answers first, which
//!    come back as [`shell::msg::Msg::AtHand`]; then a query if they do not replace it. [`shell::msg::Msg::Answered`] ends the job.
//! 9. Both come through `update` to `handle` of the tab, `found` and `take` of `answers.rs`, and into the case: `take_at_hand`, which
//!    waits on under the same job where a query follows, and `take_live`. What leads on from the record is asked by `ask_around`.
//! 10. `shell/view.rs`, `parts`: the frame; `tabs/lookup/view.rs`, `draw`: the panes of the tab.
//! 11. `tabs/lookup/record.rs`, `draw`: the record as sections of a page; [`ctx::sheet`] keeps its cursor, [`ui::widgets::page`] draws.

pub mod ctx;
#[cfg(test)]
pub(crate) mod harness;
pub mod shell;
pub mod tabs;
#[cfg(test)]
pub(crate) mod test_terminal;
pub mod ui;

pub use ctx::Entered;
pub use shell::runtime::{ExplorerEnd, ExplorerOptions, run};
