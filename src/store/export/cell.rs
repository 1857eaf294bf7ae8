//! One cell of an export, and how numbers and addresses are spelt in every text.

use std::{borrow::Cow, io::Write, net::IpAddr};

use crate::model::Subject;

/// What stands in one column of one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cell<'a> {
    /// Nothing is known.
    Null,
    /// A text.
    Text(&'a str),
    /// A whole number.
    Number(u64),
    /// Texts.
    Texts(&'a [Cow<'a, str>]),
    /// The address or network that the row is about.
    Subject(Subject),
}

impl<'a> Cell<'a> {
    /// A text, if it is known.
    pub(super) fn text(text: Option<&'a str>) -> Self {
        text.map_or(Self::Null, Self::Text)
    }

    /// A number, if it is known.
    pub(super) fn number(number: Option<u64>) -> Self {
        number.map_or(Self::Null, Self::Number)
    }
}

/// A number in decimal digits. Rows have many: this takes a quarter of what formatting takes.
pub(super) fn number(mut number: u64, into: &mut Vec<u8>) {
    let mut digits = [b'0'; 20];
    let mut first = digits.len();
    loop {
        first -= 1;
        // One digit.
        digits[first] = b'0' + (number % 10).to_le_bytes()[0];
        number /= 10;
        if number == 0 {
            break;
        }
    }
    into.extend_from_slice(&digits[first..]);
}

/// An address or network in its usual spelling.
pub(super) fn subject(subject: Subject, into: &mut Vec<u8>) {
    match subject {
        Subject::Address(address) => spell(address, into),
        Subject::Network(network) => {
            spell(network.addr(), into);
            into.push(b'/');
            number(network.prefix_len().into(), into);
        }
    }
}

fn spell(address: IpAddr, into: &mut Vec<u8>) {
    match address {
        IpAddr::V4(address) => {
            for (place, octet) in address.octets().into_iter().enumerate() {
                if place > 0 {
                    into.push(b'.');
                }
                number(octet.into(), into);
            }
        }
        // Writing to memory does not fail.
        IpAddr::V6(address) => drop(write!(into, "{address}")),
    }
}
