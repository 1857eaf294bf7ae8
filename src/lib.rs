//! ipspect, the terminal explorer for IP intelligence.

pub mod model;
