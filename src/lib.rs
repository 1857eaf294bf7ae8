//! ipspect, the terminal explorer for IP intelligence.

pub mod contract;
pub mod model;
