//! Cells that are an address.

use std::net::IpAddr;

use crate::model::scan::scan;

/// The address that a cell is, with or without a port.
#[must_use]
pub fn address_of(cell: &str) -> Option<IpAddr> {
    let mut address = None;
    scan(cell.as_bytes(), &mut |hit| {
        let is_whole = hit.at.end == cell.len() || cell[hit.at.end..].starts_with([':', ']']);
        if hit.at.start <= 1 && is_whole {
            address = hit.found.address().or(address);
        }
    });
    address
}
