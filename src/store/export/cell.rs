//! One cell of an export, and the spelling of addresses in text formats.

use std::{borrow::Cow, io::Write, net::IpAddr};

use crate::{
    model::Subject,
    store::index::{spell_number, spell_v4},
};

/// The content of one column of one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ExportCell<'a> {
    /// Absent.
    Null,
    Text(&'a str),
    Number(u64),
    Texts(&'a [Cow<'a, str>]),
    /// The subject of the row.
    Subject(Subject),
}

impl<'a> ExportCell<'a> {
    /// A text, or null.
    pub(super) fn text(text: Option<&'a str>) -> Self {
        text.map_or(Self::Null, Self::Text)
    }

    /// A number, or null.
    pub(super) fn number(number: Option<u64>) -> Self {
        number.map_or(Self::Null, Self::Number)
    }
}

/// Appends an address or network in canonical spelling.
pub(super) fn subject(subject: Subject, into: &mut Vec<u8>) {
    match subject {
        Subject::Address(address) => spell(address, into),
        Subject::Network(network) => {
            spell(network.addr(), into);
            into.push(b'/');
            spell_number(network.prefix_len().into(), into);
        }
    }
}

fn spell(address: IpAddr, into: &mut Vec<u8>) {
    match address {
        IpAddr::V4(address) => spell_v4(address.octets(), into),
        // Writing to memory cannot fail.
        IpAddr::V6(address) => drop(write!(into, "{address}")),
    }
}
