//! Reading records that are rougher than the contract: every field by itself, so that an odd one costs that field only.
//!
//! A [`ObjectReader`] goes over one object. It remembers which keys were asked for; what is left over is unknown, and each key
//! of the wire is written once, where it is read.

mod field;
mod reader;
pub(super) mod scalar;

pub use field::Field;
pub use reader::{NotAnObject, ObjectReader};
