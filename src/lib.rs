//! ipspect, the terminal explorer for IP intelligence.
//!
//! # The map of the code
//!
//! ```text
//! model < contract < store < engine < investigation < report < { cli < mcp, tui }    demo beside store, on model and contract alone
//!                                                     terminal < { cli, tui }
//! ```
//!
//! | layer | is | must not |
//! |---|---|---|
//! | [`model`] | what the service says: records, tags, metadata, days, addresses | do I/O, wait |
//! | [`contract`] | how to ask: hosts, token, endpoints, catalogue, export rules, meaning of a refusal | send anything, touch files |
//! | [`store`] | what is local: releases of feeds, their indexes, filters, exports, differences | wait, send |
//! | [`engine`] | the façade over its services, and all policy of I/O: requests, downloads, which source answers, the account | draw, print |
//! | [`investigation`] | what an analyst does with many answers: what a text says beside its addresses, and when | draw, print, send |
//! | [`report`] | the one wording: fields, facts, notes; text, tables, CSV, JSON lines, Markdown | print, draw |
//! | [`demo`] | the other end of the contract: a service over an invented world, with faults on demand | use the store, so that each checks the other |
//! | [`terminal`] | what the terminal sends: keys, the mouse, pastes, and replies, which are never keys | know what a key means |
//! | [`cli`] | the headless front | know the terminal front or the demo |
//! | [`tui`] | the terminal front | know the command line or the demo |
//! | `mcp` | the front for assistants, where it is built: commands of the headless front as tools | ask or word anything itself |
//!
//! `main` puts together what the layers may not know of each other. Tests hold the picture true (`tests/it/layers.rs`), and find
//! files that name each other in a circle (`tests/it/circles.rs`).
//!
//! # The ideas that repeat
//!
//! - A request is a value, [`contract::Endpoint`]: the client turns it into a target, the embedded service reads it back.
//! - The service's own text stays beside everything read from it ([`model::Document`]); oddities of the wire are absorbed
//!   once, at reading ([`model::Field`]): absent is not null, null is not false.
//! - What there are several of is a table: the fields of records ([`model::fields`]), the parameters of an export
//!   ([`contract::export`]), the feeds ([`contract::catalog`]), the columns of each kind of row of the results ([`report::Columns`]), from
//!   which JSON, CSV, text and Markdown are written. `report` words a table's rows by their keys.
//! - [`engine::Engine`] is concrete. There is no mock of it: the embedded service is a real server on loopback, so the
//!   seam is the socket.
//! - In the explorer, facts come in as [`tui::shell::msg::Msg`], effects go out as [`tui::ctx::cmd::Cmd`], and what a key
//!   means is in one table ([`tui::shell::keys::BINDINGS`]).
//! - Cancelling is dropping: a download that is dropped leaves its part and its journal for the next start.
//!
//! # Decisions
//!
//! What newcomers ask about, and why it is so:
//!
//! - *One crate.* The layers share one release, one version and one table of fields. A workspace would fix their borders in
//!   manifests; tests do it here, name the line that crosses a border, and let a file move.
//! - *An index of our own, no database.* A release is written once and read many times, so nothing that a database has for updates is
//!   needed. An index is built while the bytes come, in bounded memory, is one file that is mapped, gives each record back byte for
//!   byte, and counts any field without reading records ([`store`]).
//! - *JSON, no protobuf or other schema on the wire.* The service speaks JSON and may add fields. What it sent is kept as sent; a
//!   generated type would drop what it does not know.
//! - *One state, one `update`.* A key, an answer and a tick are messages; all of them change the state in one synchronous function, and
//!   commands come out as data. So a test presses keys and reads the screen, without a terminal or a clock.
//! - *Decompression and indexing on threads, not in tasks.* They compute without waiting, and would hold up every other task of the
//!   runtime. Tasks wait for the network; threads do the work and look at a flag to end early.
//! - *A decoder of our own for what the terminal sends.* crossterm reports the bytes of a reply that it does not know as keys, and a
//!   window's title may contain the key of a paid query. Its types for keys and mouse events are used all the same.
//! - *A real server for demo and tests.* A mock would share the errors of the code that it stands for. The embedded service has code of
//!   its own for what both sides must do, so that each checks the other.
//! - *No query without being asked for.* Queries cost money. Each is written to the ledger before it is sent, so that a crash can only
//!   count too many.
//! - *Plain files, a manifest written last.* Anything can read the cache and a backup is a copy; a release without its manifest is not
//!   there.

pub mod cli;
pub mod contract;
pub mod demo;
pub mod engine;
pub mod investigation;
#[cfg(feature = "mcp")]
pub mod mcp;
pub mod model;
pub mod report;
pub mod store;
pub mod terminal;
pub mod tui;
