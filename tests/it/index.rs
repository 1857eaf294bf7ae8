//! The index of a release against a naive twin, which decodes every line and asks each record in turn.
//!
//! Feeds are drawn with every oddity that `Records` of the reliability rules names, mixed with clean records. The usual
//! run draws a few dozen; the long one, with many more and with larger ones, is
//!
//! ```sh
//! cargo test --release --test it index:: -- --ignored
//! ```

mod answers;
mod damage;
mod feeds;
mod fixture;
#[expect(dead_code, reason = "the benchmark uses the rest of it")]
#[path = "../../benches/feed_engine/generator.rs"]
mod generator;
mod golden;
mod invented;
mod lines;
mod many;
mod naive;
mod oddities;
mod questions;
mod reader;
mod records;
mod sorted;
mod sql;
