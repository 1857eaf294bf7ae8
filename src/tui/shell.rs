//! The shell around the tabs: the loop, the application's state, keys, overlays and the frame.

pub mod action;
mod answer;
pub mod app;
mod commands;
mod copy;
mod effects;
mod front;
mod header;
pub mod keys;
#[cfg(test)]
mod looks;
pub mod msg;
mod other_scopes;
pub mod overlay;
mod palette;
mod pointing;
#[cfg(test)]
mod prices;
#[cfg(test)]
mod random;
pub mod raw;
pub mod registry;
mod route;
pub mod runtime;
pub mod screen;
pub mod setup;
mod sorting;
#[cfg(test)]
mod tests;
pub mod tour;
mod tour_keys;
pub mod view;
pub mod worker;
