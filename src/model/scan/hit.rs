//! What is found in a text.

use std::{
    net::{IpAddr, Ipv6Addr},
    ops::Range,
};

use ipnet::IpNet;

/// What is in one place of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Found {
    /// An address; an IPv4-mapped IPv6 address is its IPv4 address.
    Address(IpAddr),
    /// An IPv6 address without brackets whose last group reads as a port as well: the address with that group, and without.
    MayEndInPort(Ipv6Addr, Ipv6Addr),
    /// A network, shorter than an address and with no bits beyond its length.
    Network(IpNet),
    /// Four numbers of which some are padded with zeros, which some programs read as octal.
    Padded,
    /// Four numbers that are the version of a product.
    Version,
}

impl Found {
    /// The address that it is, as it is written.
    #[must_use]
    pub fn address(self) -> Option<IpAddr> {
        match self {
            Self::Address(address) => Some(address),
            Self::MayEndInPort(whole, _) => Some(whole.into()),
            Self::Network(_) | Self::Padded | Self::Version => None,
        }
    }
}

/// A find and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The bytes that spell it, defanging included; of an address in brackets or with a port, the address alone.
    pub at: Range<usize>,
    /// What it is.
    pub found: Found,
}
