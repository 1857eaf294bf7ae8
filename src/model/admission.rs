//! Which addresses the service can know, and which of them may be sent.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::IpNet;

use super::Subject;

/// The reason why an address is not a public one: the service would answer 400 (contract, part 7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reserved {
    /// `0.0.0.0/8`, `::`.
    Unspecified,
    /// Private networks and unique local IPv6.
    Private,
    /// Carrier-grade address translation, `100.64.0.0/10`.
    Shared,
    /// The machine itself.
    Loopback,
    /// Valid on one link only.
    LinkLocal,
    Documentation,
    Benchmarking,
    /// Addresses of groups.
    Multicast,
    Broadcast,
    /// Assigned to protocols or kept for later.
    Protocol,
    /// A real address, at a service whose data is invented.
    NotInvented,
}

impl Reserved {
    /// One word for lists and counts, such as `private`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Unspecified => "unspecified",
            Self::Private => "private",
            Self::Shared => "shared (carrier NAT)",
            Self::Loopback => "loopback",
            Self::LinkLocal => "link-local",
            Self::Documentation => "documentation",
            Self::Benchmarking => "benchmarking",
            Self::Multicast => "multicast",
            Self::Broadcast => "broadcast",
            Self::Protocol => "reserved",
            Self::NotInvented => "outside the invented ranges of the demo",
        }
    }

    /// Why such an address is not sent, after `it is`.
    #[must_use]
    pub fn why(self) -> String {
        match self {
            Self::NotInvented => format!("{}, such as 198.51.100.0/24", self.word()),
            _ => format!("not public ({})", self.word()),
        }
    }

    /// The reason for which `address` is not public, or `None` for a public one.
    #[must_use]
    pub fn of(address: IpAddr) -> Option<Self> {
        match address.to_canonical() {
            IpAddr::V4(address) => reserved_v4(address),
            IpAddr::V6(address) => reserved_v6(address),
        }
    }
}

fn reserved_v4(address: Ipv4Addr) -> Option<Reserved> {
    let [a, b, c, _] = address.octets();
    match (a, b, c) {
        (0, ..) => Some(Reserved::Unspecified),
        (10, ..) | (172, 16..=31, _) | (192, 168, _) => Some(Reserved::Private),
        (100, 64..=127, _) => Some(Reserved::Shared),
        (127, ..) => Some(Reserved::Loopback),
        (169, 254, _) => Some(Reserved::LinkLocal),
        (192, 0, 2) | (198, 51, 100) | (203, 0, 113) => Some(Reserved::Documentation),
        (198, 18..=19, _) => Some(Reserved::Benchmarking),
        (224..=239, ..) => Some(Reserved::Multicast),
        (255, 255, 255) if address.is_broadcast() => Some(Reserved::Broadcast),
        (192, 0, 0) | (240..=255, ..) => Some(Reserved::Protocol),
        _ => None,
    }
}

fn reserved_v6(address: Ipv6Addr) -> Option<Reserved> {
    let segments = address.segments();
    match segments {
        [0, 0, 0, 0, 0, 0, 0, 0] => Some(Reserved::Unspecified),
        [0, 0, 0, 0, 0, 0, 0, 1] => Some(Reserved::Loopback),
        [0x2001, 0xdb8, ..] | [0x3fff, 0..=0xfff, ..] => Some(Reserved::Documentation),
        [0x2001, 0x2, 0, ..] => Some(Reserved::Benchmarking),
        // Teredo is routed; the rest of 2001::/23 belongs to protocols.
        [0x2001, 0, ..] => None,
        [0x2001, 0..=0x1ff, ..] | [0x100, 0, 0, 0, ..] | [0x64, 0xff9b, 1, ..] => {
            Some(Reserved::Protocol)
        }
        [first, ..] if first & 0xfe00 == 0xfc00 => Some(Reserved::Private),
        [first, ..] if first & 0xff80 == 0xfe80 => Some(Reserved::LinkLocal),
        [first, ..] if first & 0xff00 == 0xff00 => Some(Reserved::Multicast),
        // NAT64 carries public IPv4 addresses; all other global unicast is 2000::/3.
        [0x64, 0xff9b, 0, ..] => None,
        [first, ..] if first & 0xe000 == 0x2000 => None,
        _ => Some(Reserved::Protocol),
    }
}

/// Which addresses may be sent: public ones, and the blocks that a profile admits although they are reserved
/// (`treat_as_public`); of a service with invented data its ranges alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Admission {
    blocks: Vec<IpNet>,
    /// Whether the blocks are all that the service knows.
    is_invented: bool,
}

impl Admission {
    /// Public addresses, and these blocks.
    #[must_use]
    pub fn with(blocks: Vec<IpNet>) -> Self {
        Self {
            blocks,
            is_invented: false,
        }
    }

    /// These blocks alone: those of a service whose data is invented.
    #[must_use]
    pub fn invented(blocks: Vec<IpNet>) -> Self {
        Self {
            blocks,
            is_invented: true,
        }
    }

    /// The reason for which `address` must not be sent, or `None` when it may be.
    #[must_use]
    pub fn refuses(&self, address: IpAddr) -> Option<Reserved> {
        if self.blocks.iter().any(|block| block.contains(&address)) {
            return None;
        }
        let invented = self.is_invented.then_some(Reserved::NotInvented);
        Reserved::of(address).or(invented)
    }

    /// The reason for which nothing can be known of a subject; of a network only where it holds for both of its ends.
    #[must_use]
    pub fn refuses_all_of(&self, subject: Subject) -> Option<Reserved> {
        match subject {
            Subject::Address(address) => self.refuses(address),
            Subject::Network(network) => {
                let ends = [network.network(), network.broadcast()];
                let [first, last] = ends.map(|address| self.refuses(address));
                first.filter(|_| first == last)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// First and last address of each reserved block, and their public neighbours where there are any.
    #[test]
    #[expect(clippy::too_many_lines, reason = "one table of addresses")]
    fn reserved_blocks_end_where_they_should() {
        let table: &[(Option<Reserved>, &[&str])] = &[
            (
                Some(Reserved::Unspecified),
                &["0.0.0.0", "0.255.255.255", "::"],
            ),
            (
                Some(Reserved::Private),
                &[
                    "10.0.0.0",
                    "10.255.255.255",
                    "172.16.0.0",
                    "172.31.255.255",
                    "192.168.0.0",
                    "192.168.255.255",
                    "fc00::",
                    "fdff::1",
                ],
            ),
            (Some(Reserved::Shared), &["100.64.0.0", "100.127.255.255"]),
            (
                Some(Reserved::Loopback),
                &["127.0.0.0", "127.255.255.255", "::1"],
            ),
            (
                Some(Reserved::LinkLocal),
                &[
                    "169.254.0.0",
                    "169.254.255.255",
                    "fe80::",
                    "febf::1",
                    "fec0::1",
                ],
            ),
            (
                Some(Reserved::Documentation),
                &[
                    "192.0.2.0",
                    "198.51.100.255",
                    "203.0.113.7",
                    "2001:db8::",
                    "3fff:fff::1",
                ],
            ),
            (
                Some(Reserved::Benchmarking),
                &["198.18.0.0", "198.19.255.255", "2001:2::1"],
            ),
            (
                Some(Reserved::Multicast),
                &["224.0.0.0", "239.255.255.255", "ff02::1"],
            ),
            (Some(Reserved::Broadcast), &["255.255.255.255"]),
            (
                Some(Reserved::Protocol),
                &[
                    "192.0.0.1",
                    "240.0.0.0",
                    "255.255.255.254",
                    "100::1",
                    "2001:100::1",
                    "4000::1",
                ],
            ),
            (
                None,
                &[
                    "1.0.0.0",
                    "9.255.255.255",
                    "11.0.0.0",
                    "100.63.255.255",
                    "100.128.0.0",
                    "126.255.255.255",
                    "128.0.0.0",
                    "169.253.255.255",
                    "169.255.0.0",
                    "172.15.255.255",
                    "172.32.0.0",
                    "192.0.1.0",
                    "192.0.3.0",
                    "192.167.255.255",
                    "192.169.0.0",
                    "198.17.255.255",
                    "198.20.0.0",
                    "198.51.99.255",
                    "198.51.101.0",
                    "203.0.112.255",
                    "203.0.114.0",
                    "223.255.255.255",
                    "2000::1",
                    "2001:200::1",
                    "2001:0:1::1",
                    "2001:db9::1",
                    "2606::1",
                    "3ffe::1",
                    "3fff:1000::1",
                    "64:ff9b::1",
                ],
            ),
        ];
        for (expected, texts) in table {
            for text in *texts {
                assert_eq!(Reserved::of(text.parse().expect(text)), *expected, "{text}");
            }
        }
    }

    #[test]
    fn a_mapped_address_is_judged_as_its_ipv4_address() {
        assert_eq!(
            Reserved::of("::ffff:10.0.0.1".parse().expect("mapped")),
            Some(Reserved::Private)
        );
    }

    #[test]
    fn a_profile_admits_blocks() {
        let admission = Admission::with(vec!["198.51.100.0/24".parse().expect("block")]);
        assert_eq!(
            admission.refuses("198.51.100.7".parse().expect("address")),
            None
        );
        assert_eq!(
            admission.refuses("203.0.113.7".parse().expect("address")),
            Some(Reserved::Documentation)
        );
    }
}
