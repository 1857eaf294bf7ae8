//! Where in a row an address is: its event, its role, its port and its surroundings.

use std::{
    hash::{BuildHasher, Hasher},
    net::IpAddr,
    ops::Range,
};

use foldhash::fast::FixedState;

use super::{MOST_ADDRESSES, RowReader, port::port_behind};
use crate::{
    investigation::{
        board::is_column,
        gather::values::{ValueNumber, Values},
        text::{AddressRole, FieldRole, FieldView, RowFields, WORD, role_at, role_of_name},
    },
    model::scan::Hit,
};

/// The bytes before an address that surround it.
const NEAR: usize = 64;

/// The most letters of the word before an address.
const LONGEST_CUE: usize = 16;

/// The column of the port of an address.
const PORT: &str = "port";

/// Where in a row an address is.
#[derive(Clone, Debug)]
pub(in crate::investigation::gather) struct HitPlace {
    /// The event of the row that it belongs to.
    pub(in crate::investigation::gather) event: u32,
    pub(in crate::investigation::gather) role: AddressRole,
    /// The place of its port.
    pub(in crate::investigation::gather) port: Option<Range<usize>>,
    /// Whether its field holds a version.
    pub(in crate::investigation::gather) is_version: bool,
    /// The number of the name of its field, if that has one of its own.
    field: Option<u32>,
}

impl RowReader {
    /// Where an address of the row is.
    pub(in crate::investigation::gather) fn place_of(&mut self, row: &[u8], hit: &Hit) -> HitPlace {
        let mut place = HitPlace {
            event: 0,
            role: AddressRole::Unknown,
            port: None,
            is_version: false,
            field: None,
        };
        if !self.reads_roles {
            return place;
        }
        place.port = port_behind(row, hit);
        if let Some(field) = self.fields.at(row, &hit.at) {
            let (group, at) = (field.group, field.at.clone());
            place.event = self.fields.event_of(group);
            place.field = (field.name != WORD).then_some(field.number);
            if hit.found.address().is_none() {
                return place;
            }
            let mut role = self.names.of(field.path_number, &self.fields).role;
            let pair = pair_of(&self.fields, &field);
            if let Some(name) = pair {
                role = role_of_name(name);
            }
            // `host=198.51.100.7` is a client.
            if field.name.eq_ignore_ascii_case("host") && row[..at.start].ends_with(b"=") {
                role = FieldRole::Other;
            }
            // Behind the two ends of a connection those of the answer, as after a translation.
            if is_of_answer(&self.fields, &field) {
                role = match role {
                    FieldRole::Address(AddressRole::Source) => {
                        FieldRole::Address(AddressRole::Destination)
                    }
                    FieldRole::Address(AddressRole::Destination) => {
                        FieldRole::Address(AddressRole::Own)
                    }
                    other => other,
                };
            }
            match role {
                FieldRole::Address(role) => place.role = role,
                FieldRole::Version => place.is_version = true,
                FieldRole::Agent => {
                    let before = &row[at.start..hit.at.start];
                    place.is_version = before.ends_with(b"/") && !before.ends_with(b"//");
                }
                FieldRole::Forwarded => {
                    let list = self.fields.list_of(group);
                    let mut before = self.fields.iter().take_while(|own| own.at.start < at.start);
                    let is_first = !row[at.start..hit.at.start].contains(&b',')
                        && !before.any(|own| {
                            own.name == field.name
                                && pair.is_none()
                                && list.is_some()
                                && self.fields.list_of(own.group) == list
                        });
                    place.role = if is_first {
                        AddressRole::Source
                    } else {
                        AddressRole::Proxy
                    };
                }
                FieldRole::Time(_) | FieldRole::Zone | FieldRole::Other => {}
            }
        }
        if is_relay(row, hit) && self.fields.iter().any(|own| own.name == "from") {
            place.role = AddressRole::Source;
        }
        let is_of_field = place.role != AddressRole::Unknown;
        if !is_of_field {
            place.role = match &self.last {
                // `outside:198.51.100.7/51234 (198.51.100.7/51234)`
                Some((last, role)) if is_in_brackets_behind(row, last, &hit.at) => *role,
                last => role_at(row, &hit.at, last.is_none()),
            };
        }
        self.last = Some((hit.at.clone(), place.role));
        if let Some(address) = hit.found.address() {
            // What a line says first of an address is its role there.
            let before = self
                .row_roles
                .iter()
                .find(|own| (own.0, own.1) == (address, place.event));
            match before {
                Some((.., role)) if !is_of_field => place.role = *role,
                _ if self.row_roles.len() < MOST_ADDRESSES => {
                    self.row_roles.push((address, place.event, place.role));
                }
                _ => {}
            }
        }
        place
    }

    /// The column and the value of the port of an address.
    pub(in crate::investigation::gather) fn port(
        &mut self,
        row: &[u8],
        place: &HitPlace,
        values: &mut Values,
    ) -> Option<(u16, ValueNumber)> {
        let port = std::str::from_utf8(&row[place.port.clone()?]).ok()?;
        if !self.is_row {
            return None;
        }
        let wanted = &self.wanted;
        let number = self.fields.number_of(PORT);
        let own = self.names.of(number, &self.fields);
        let column = own.column.or_new(|| {
            let is_wanted = wanted.iter().any(|name| is_column(PORT, name));
            values.column(PORT, is_wanted)
        });
        let number = (column?, values.value(port)?);
        // A form has it as a field already.
        let has = |own: &(u16, ValueNumber, Option<IpAddr>, u32)| (own.0, own.1) == number;
        (!self.beside.iter().any(has)).then_some(number)
    }

    /// What surrounds an address, so that those in the same surroundings are written alike: its field, or the word before it.
    pub(in crate::investigation::gather) fn surroundings(
        &self,
        row: &[u8],
        hit: &Hit,
        place: &HitPlace,
    ) -> u64 {
        let mut hasher = FixedState::default().build_hasher();
        if let Some(field) = place.field {
            hasher.write(self.fields.name_of(field).as_bytes());
            return hasher.finish();
        }
        let before = &row[hit.at.start.saturating_sub(NEAR)..hit.at.start];
        let line = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
        let is_sign = |byte: &&u8| !byte.is_ascii_alphanumeric() && **byte != b'[';
        let signs = before[line..].iter().rev().take_while(is_sign).count();
        let word = &before[line..before.len() - signs];
        let letters = word.iter().rev().take(LONGEST_CUE);
        let len = letters.take_while(|byte| byte.is_ascii_alphanumeric());
        hasher.write(&word[word.len() - len.count()..]);
        hasher.finish()
    }
}

/// Whether an address is in brackets directly behind another one and its port.
fn is_in_brackets_behind(row: &[u8], last: &Range<usize>, own: &Range<usize>) -> bool {
    let Some(between) = row.get(last.end..own.start) else {
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

/// Whether an address is that of the relay of a message, as sendmail names it: of one that came, the one who brought it.
fn is_relay(row: &[u8], hit: &Hit) -> bool {
    let Some(before) = row[..hit.at.start].strip_suffix(b"[") else {
        return false;
    };
    let item = memchr::memrchr(b',', before).map_or(before, |at| &before[at + 1..]);
    item.trim_ascii_start().starts_with(b"relay=")
}

/// Whether a field is one of the second pair of `src=` and `dst=` in a line.
fn is_of_answer(fields: &RowFields, field: &FieldView<'_>) -> bool {
    if !matches!(field.name, "src" | "dst") {
        return false;
    }
    let mut before = fields
        .iter()
        .take_while(|own| own.at.start < field.at.start);
    before.any(|own| own.name == field.name && own.group == field.group)
}

/// The name that stands beside a value in the same object: `{"name":"Host","value":"203.0.113.5"}`, `{"type":"ip-dst","value":…}`.
fn pair_of<'f>(fields: &'f RowFields, field: &FieldView<'_>) -> Option<&'f str> {
    // CEF: `c6a2=2001:db8::7 c6a2Label=Source IPv6 Address`
    let is_label = |own: &FieldView<'_>| own.name.strip_suffix("Label") == Some(field.name);
    if let Some(label) = fields.iter().find(is_label) {
        return Some(label.value);
    }
    let last = |name: &str| {
        name.rsplit('.')
            .next()
            .unwrap_or_default()
            .to_ascii_lowercase()
    };
    if last(field.name) != "value" {
        return None;
    }
    let mut beside = fields.iter().filter(|own| own.group == field.group);
    let own =
        beside.find(|own| matches!(last(own.name).as_str(), "name" | "key" | "type" | "field"));
    own.map(|own| own.value)
}
