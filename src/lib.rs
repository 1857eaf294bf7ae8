//! ipspect, the terminal explorer for IP intelligence.

pub mod cli;
pub mod contract;
pub mod demo;
pub mod engine;
pub mod model;
pub mod store;
pub mod tui;
