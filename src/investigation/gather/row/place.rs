//! Where in a row an address is: its event, its role, its port and its surroundings.

mod beside;
mod named;

use std::{
    hash::{BuildHasher, Hasher},
    net::IpAddr,
    ops::Range,
};

use foldhash::fast::FixedState;

use beside::is_relay;

use super::{MOST_ADDRESSES, RowReader, port::port_behind};
use crate::{
    investigation::{
        board::is_column,
        gather::values::{ValueNumber, Values},
        text::{AddressRole, WORD},
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
    /// Why it is no address that somebody has, if its field says so.
    pub(in crate::investigation::gather) aside: Option<NoAddress>,
    /// The number of the name of its field, if that has one of its own.
    field: Option<u32>,
}

/// What is written like an address and is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::investigation::gather) enum NoAddress {
    Version,
    /// What somebody typed as a name or a password.
    UserName,
}

impl RowReader {
    /// Where an address of the row is.
    pub(in crate::investigation::gather) fn place_of(&mut self, row: &[u8], hit: &Hit) -> HitPlace {
        let mut place = HitPlace {
            event: 0,
            role: AddressRole::Unknown,
            port: None,
            aside: None,
            field: None,
        };
        if !self.reads_roles {
            return place;
        }
        place.port = port_behind(row, hit);
        let mut is_decided = false;
        if let Some(field) = self.fields.at(row, &hit.at) {
            let (number, group) = (field.number, field.group);
            place.event = self.fields.event_of(group);
            place.field = (field.name != WORD).then_some(number);
            let Some(address) = hit.found.address() else {
                return place;
            };
            let role = self.names.of(field.path_number, &self.fields).role;
            let named = self.named(row, hit, &field, role);
            (place.role, place.aside) = (named.role, named.aside);
            if place.field.is_some() {
                is_decided = self.weigh_name(row, number, address, &mut place);
            }
        }
        if is_relay(row, hit) && self.fields.iter().any(|view| view.name == "from") {
            place.role = AddressRole::Source;
        }
        let is_of_field = place.role != AddressRole::Unknown;
        if !is_of_field && !is_decided {
            place.role = self.role_beside(row, hit, place.port.is_some());
        }
        self.last = Some((hit.at.clone(), place.role));
        let Some(address) = hit.found.address() else {
            return place;
        };
        // What a line says first of an address is its role there.
        let mut roles = self.row_roles.iter();
        let before = roles.find(|parts| (parts.0, parts.1) == (address, place.event));
        match before {
            Some((.., role))
                if !is_of_field
                    && (*role != AddressRole::Unknown || place.role != AddressRole::Own) =>
            {
                place.role = *role;
            }
            _ if self.row_roles.len() < MOST_ADDRESSES => {
                self.row_roles.push((address, place.event, place.role));
            }
            _ => {}
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
        let meaning = self.names.of(number, &self.fields);
        let column = meaning.column.or_new(|| {
            let is_wanted = wanted.iter().any(|name| is_column(PORT, name));
            values.column(PORT, is_wanted)
        });
        let number = (column?, values.value(port)?);
        // A form has it as a field already.
        let has = |parts: &(u16, ValueNumber, Option<IpAddr>, u32)| (parts.0, parts.1) == number;
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
