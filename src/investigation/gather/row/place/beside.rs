//! What is around an address that says whose it is.

use std::ops::Range;

use super::super::{RowReader, url::is_of_url};
use crate::{
    investigation::text::{AddressRole, LISTENING, OF_REQUEST, role_at},
    model::scan::Hit,
};

impl RowReader {
    /// Whose an address is by what is around it in the row.
    pub(super) fn role_beside(&self, row: &[u8], hit: &Hit, has_port: bool) -> AddressRole {
        let last = self.last.as_ref();
        match last {
            // `outside:198.51.100.7/51234 (198.51.100.7/51234)`
            Some((last, role)) if is_in_brackets_behind(row, last, &hit.at) => return *role,
            // `http://192.0.2.10:8101,http://[2001:db8::10]:8101`
            Some((last, role)) if is_url_behind(row, last, hit) => return *role,
            _ => {}
        }
        let role = role_at(row, &hit.at, last.is_none());
        if role != AddressRole::Unknown {
            return role;
        }
        // The host of an URL that another one asked for.
        let is_asked = is_of_url(row, hit)
            && self.outside_urls.is_some()
            && self.outside_urls != hit.found.address();
        if is_asked {
            return AddressRole::Destination;
        }
        if !self.has_several && LISTENING.is_in(row) {
            return AddressRole::Own;
        }
        // `198.51.100.7, 203.0.113.9` of a request: a client and the proxies behind it.
        let is_listed = last.is_some_and(|(last, role)| {
            matches!(row.get(last.end..hit.at.start), Some(b"," | b", "))
                && !matches!(role, AddressRole::Destination | AddressRole::Own)
        });
        let request_end = self.fields.request_end();
        let has_request = || {
            *self
                .has_request
                .get_or_init(|| request_end.is_some() || OF_REQUEST.is_in(row))
        };
        if is_listed && has_request() {
            return AddressRole::Proxy;
        }
        // What follows the fields of a request is where it went on to: `203.0.113.80:8080`.
        if has_port && request_end.is_some_and(|end| end <= hit.at.start) {
            return AddressRole::Destination;
        }
        AddressRole::Unknown
    }
}

/// Whether an address is in brackets directly behind another one and its port.
fn is_in_brackets_behind(row: &[u8], last: &Range<usize>, range: &Range<usize>) -> bool {
    let Some(between) = row.get(last.end..range.start) else {
        return false;
    };
    let Some(port) = between.strip_suffix(b" (") else {
        return false;
    };
    port.len() <= 6
        && port
            .iter()
            .all(|byte| byte.is_ascii_digit() || b":/#".contains(byte))
}

/// Whether an address is the host of an URL in a list of them, directly behind another one.
fn is_url_behind(row: &[u8], last: &Range<usize>, hit: &Hit) -> bool {
    let Some(between) = row.get(last.end..hit.at.start) else {
        return false;
    };
    let is_of_port = |byte: &&u8| byte.is_ascii_digit() || b"]:".contains(byte);
    let port = between.iter().take_while(is_of_port).count();
    let rest = between[port..]
        .strip_prefix(b",")
        .map(<[u8]>::trim_ascii_start);
    rest.is_some_and(|rest| matches!(rest, b"http://" | b"http://[" | b"https://" | b"https://["))
}

/// Whether an address is that of the relay of a message, as sendmail names it: of one that came, the one who brought it.
pub(super) fn is_relay(row: &[u8], hit: &Hit) -> bool {
    let Some(before) = row[..hit.at.start].strip_suffix(b"[") else {
        return false;
    };
    let item = memchr::memrchr(b',', before).map_or(before, |at| &before[at + 1..]);
    item.trim_ascii_start().starts_with(b"relay=")
}
