//! The one order of addresses and networks, in which every index, file and list of records is.

use std::{cmp::Ordering, net::IpAddr};

use super::Subject;

/// A subject in the order of addresses: IPv4 before IPv6, then by first address, the larger network first. An address and the network
/// that holds it alone are equal.
#[derive(Clone, Copy, Debug)]
pub struct ByAddress(pub Subject);

impl ByAddress {
    fn position(self) -> (bool, u128, u8) {
        let (address, length) = match self.0 {
            Subject::Address(address) => (address, if address.is_ipv4() { 32 } else { 128 }),
            Subject::Network(network) => (network.network(), network.prefix_len()),
        };
        match address {
            IpAddr::V4(address) => (false, u128::from(address.to_bits()), length),
            IpAddr::V6(address) => (true, address.to_bits(), length),
        }
    }
}

impl PartialEq for ByAddress {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        // The first is quicker, and nearly always enough.
        self.0 == other.0 || self.position() == other.position()
    }
}

impl Eq for ByAddress {}

impl PartialOrd for ByAddress {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for ByAddress {
    fn cmp(&self, other: &Self) -> Ordering {
        self.position().cmp(&other.position())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn subject(text: &str) -> Subject {
        text.parse().map_or_else(
            |_| Subject::Network(text.parse().expect(text)),
            Subject::Address,
        )
    }

    #[test]
    fn subjects_are_in_the_order_of_addresses() {
        let ordered = [
            "192.0.2.0/24",
            "192.0.2.0/25",
            "192.0.2.0",
            "192.0.2.1",
            "203.0.113.9",
            "::/0",
            "2001:db8::/32",
            "2001:db8::/48",
            "2001:db8::7",
        ];
        let subjects: Vec<ByAddress> = ordered
            .iter()
            .map(|text| ByAddress(subject(text)))
            .collect();
        assert!(subjects.is_sorted_by(|a, b| a < b), "{subjects:?}");
        assert_eq!(
            ByAddress(subject("192.0.2.1")),
            ByAddress(subject("192.0.2.1/32"))
        );
    }
}
