//! The tabs: state, actions and view of each. No tab imports another, and none knows the shell.

pub mod export;
pub mod feeds;
pub mod lookup;
pub mod quota;
pub mod tags;
