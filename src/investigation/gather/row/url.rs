//! URLs around addresses.

use crate::model::scan::Hit;

/// Whether an address is the host of an URL.
pub(super) fn is_of_url(row: &[u8], hit: &Hit) -> bool {
    let before = &row[..hit.at.start];
    before
        .strip_suffix(b"[")
        .unwrap_or(before)
        .ends_with(b"://")
}
