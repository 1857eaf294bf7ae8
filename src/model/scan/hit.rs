//! What is found in a text.

use std::{net::IpAddr, ops::Range};

use ipnet::IpNet;

/// What is in one place of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Found {
    /// An address; an IPv4-mapped IPv6 address is its IPv4 address.
    Address(IpAddr),
    /// A network, shorter than an address and with no bits beyond its length.
    Network(IpNet),
    /// Four numbers of which some are padded with zeros, which some programs read as octal.
    Padded,
}

/// A find and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The bytes that spell it, defanging included; of an address in brackets or with a port, the address alone.
    pub at: Range<usize>,
    /// What it is.
    pub found: Found,
}
