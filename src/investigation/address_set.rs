//! Sets of addresses: what a list or a filter covers, united, intersected and subtracted.

mod list;
mod name;
mod records;
mod set;
mod wider;
mod written;

pub use self::{
    list::read_list,
    name::SetName,
    records::set_of_records,
    set::{AddressSet, AddressSetBuilder, SetOperation},
    wider::{MOST_EXACT, Widened, Widening},
    written::{WrittenList, read_written},
};
