//! What an analyst does with many answers. Pure where it can be, so that explorer and command line give the same answers.

pub mod address_set;
pub mod blocklist;
pub mod board;
pub mod case;
pub mod collateral;
pub mod common;
pub mod comparison;
pub mod earlier_run;
pub mod event_answer;
pub mod event_time;
pub mod explanation;
pub mod gather;
pub mod history;
pub mod text;
pub mod watch;
