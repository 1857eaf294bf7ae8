//! Addresses worth trying first.

use std::net::{IpAddr, Ipv6Addr};

use super::world::STORIES;

/// An address of the world and what it shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example {
    pub address: IpAddr,
    /// What looking it up shows, in one line.
    pub shows: &'static str,
}

/// The host in a network in a site, each with a record of its own.
const NESTED: Example = Example {
    address: IpAddr::V6(Ipv6Addr::new(0x2001, 0xdb8, 0x77, 1, 0, 0, 0, 7)),
    shows: "a host in nested IPv6 networks, each with its own record",
};

/// Addresses worth trying, the one to begin with first.
pub fn examples() -> impl Iterator<Item = Example> {
    let told = STORIES.iter().map(|story| Example {
        address: story.address.into(),
        shows: story.shows,
    });
    told.chain([NESTED])
}
