//! ipspect, the terminal explorer for IP intelligence.
//!
//! # The map of the code
//!
//! ```text
//! model < contract < store < engine < report < { cli, tui }        demo beside store, on model and contract alone
//! ```
//!
//! | layer | is | must not |
//! |---|---|---|
//! | [`model`] | what the service says: records, tags, metadata, days, addresses | do I/O, wait |
//! | [`contract`] | how to ask: hosts, token, endpoints, catalogue, export rules, meaning of a refusal | send anything, touch files |
//! | [`store`] | what is local: releases of feeds, their indexes, filters, exports, differences | wait, send |
//! | [`engine`] | the façade over its services, and all policy of I/O: requests, downloads, which source answers, the account | draw, print |
//! | [`report`] | the one wording: fields, facts, notes; text, tables, CSV, JSON lines, Markdown | print, draw |
//! | [`demo`] | the other end of the contract: a service over an invented world, with faults on demand | use the store, so that each checks the other |
//! | [`cli`] | the headless front | know the terminal front or the demo |
//! | [`tui`] | the terminal front | know the command line or the demo |
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
//!   ([`contract::export`]), the feeds ([`contract::catalog`]). `report` words a table's rows by their keys.
//! - [`engine::Engine`] is concrete. There is no mock of it: the embedded service is a real server on loopback, so the
//!   seam is the socket.
//! - In the explorer, facts come in as [`tui::shell::msg::Msg`], effects go out as [`tui::ctx::cmd::Cmd`], and what a key
//!   means stands in one table ([`tui::shell::keys::BINDINGS`]).
//! - Cancelling is dropping: a download that is dropped leaves its part and its journal for the next start.

pub mod cli;
pub mod contract;
pub mod demo;
pub mod engine;
pub mod model;
pub mod report;
pub mod store;
pub mod tui;
