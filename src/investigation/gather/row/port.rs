//! Ports behind addresses.

use std::{net::IpAddr, ops::Range};

use crate::model::scan::{Found, Hit, is_at_firewall};

/// The place of the port behind an address: `:443`, `]:443`, `.443`, `#53`, `(443)`, and of a firewall `/443`.
pub(super) fn port_behind(row: &[u8], hit: &Hit) -> Option<Range<usize>> {
    if matches!(hit.found, Found::Network(_)) {
        return None;
    }
    let behind = &row[hit.at.end..];
    let is_v6 = matches!(hit.found.address(), Some(IpAddr::V6(_)));
    let skip = match behind {
        [b']', b':', ..] => 2,
        [b':' | b'.' | b'#' | b'(' | b'/' | b'@' | b'[', ..] => 1,
        _ if behind.starts_with(b" port ") => 6,
        _ => return None,
    };
    let digits = behind[skip..]
        .iter()
        .take(6)
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let text = std::str::from_utf8(&behind[skip..skip + digits]).ok()?;
    let port: u16 = text.parse().ok()?;
    let next = behind.get(skip + digits);
    let is_length = behind[0] == b'/'
        && port <= if is_v6 { 128 } else { 32 }
        && !is_at_firewall(row, hit.at.start);
    let is_end = next.is_none_or(|next| {
        !next.is_ascii_alphanumeric() && *next != b'.'
            || *next == b'.'
                && behind
                    .get(skip + digits + 1)
                    .is_none_or(u8::is_ascii_whitespace)
    });
    // `PING 2001:db8::1(2001:db8::1)`
    let is_end = is_end && (behind[0] != b'(' || next == Some(&b')'));
    let is_port = digits > 0 && is_end && !is_length && port > 0;
    is_port.then(|| hit.at.end + skip..hit.at.end + skip + digits)
}
