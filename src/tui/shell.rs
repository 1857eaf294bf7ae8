//! What holds the tabs together: the loop, the application's state, keys, overlays and the frame around the tabs.

pub mod action;
pub mod app;
mod commands;
mod copy;
mod front;
mod ground;
pub mod keys;
#[cfg(test)]
mod looks;
pub mod msg;
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
mod settle;
pub mod setup;
mod sorting;
#[cfg(test)]
mod tests;
pub mod tour;
mod touring;
pub mod view;
pub mod worker;
