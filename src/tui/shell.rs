//! The shell around the tabs: the loop, the application's state, keys, overlays and the frame.

pub mod app;
mod block_list;
mod commands;
mod copy;
mod header;
pub mod keys;
#[cfg(test)]
mod looks;
pub mod msg;
pub mod overlays;
mod palette;
#[cfg(test)]
mod prices;
#[cfg(test)]
mod random;
pub mod raw;
pub mod registry;
mod route;
pub mod runtime;
pub mod screen;
mod setup;
#[cfg(test)]
mod tests;
mod tour;
pub mod view;
pub mod worker;
mod write_list;
