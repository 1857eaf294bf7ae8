//! What a question is about: an address or a network, and which addresses the service can know.

use std::{
    fmt,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
};

use ipnet::IpNet;

use super::lenient::{Field, scalar};

/// An address, or a network in CIDR notation: exactly one of them identifies a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Subject {
    /// One address; never an IPv4-mapped IPv6 address.
    Address(IpAddr),
    /// A network, its host bits cleared.
    Network(IpNet),
}

impl Subject {
    /// What a record is about that has these two fields: the address, else the network.
    #[must_use]
    pub fn of(ip: &Field<IpAddr>, network: &Field<IpNet>) -> Option<Self> {
        let address = ip.is().copied().map(Self::Address);
        address.or(network.is().copied().map(Self::Network))
    }

    /// The network, of one address for an address.
    #[must_use]
    pub fn network(&self) -> IpNet {
        match self {
            Self::Address(address) => (*address).into(),
            Self::Network(network) => *network,
        }
    }

    /// Whether `address` is this address or lies in this network.
    #[must_use]
    pub fn covers(&self, address: IpAddr) -> bool {
        match self {
            Self::Address(own) => *own == address,
            Self::Network(network) => network.contains(&address),
        }
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address(address) => address.fmt(f),
            Self::Network(network) => network.fmt(f),
        }
    }
}

/// Why a text is not one address.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadAddress {
    /// Not an address at all.
    #[error("{0:?} is not an IPv4 or IPv6 address")]
    Malformed(String),
    /// Looks like IPv4 but has padded or octal parts, which programs read differently.
    #[error("{0:?} has zero-padded parts, which some programs read as octal")]
    Padded(String),
    /// An address with a zone (`%eth0`), which means nothing outside its machine.
    #[error("{0:?} carries a zone, so it is local to one machine")]
    Zoned(String),
    /// A network where one address is needed.
    #[error("{0:?} is a network; the Context API answers for one address")]
    Network(String),
}

/// Reads one address as people write it: surrounding blanks, `[…]` around IPv6 and defanged dots and colons
/// (`198[.]51[.]100[.]7`) are understood, an IPv4-mapped IPv6 address is taken as its IPv4 address.
///
/// # Errors
/// [`BadAddress`] says what the text is instead.
pub fn parse_address(text: &str) -> Result<IpAddr, BadAddress> {
    let quoted = || text.trim().to_owned();
    let mut plain = refanged(text);
    if let Some(inner) = plain
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'))
    {
        plain = inner.to_owned();
    }
    if let Ok(address) = plain.parse::<IpAddr>() {
        return Ok(address.to_canonical());
    }
    if plain.contains('%') {
        return Err(BadAddress::Zoned(quoted()));
    }
    if plain.parse::<IpNet>().is_ok() {
        return Err(BadAddress::Network(quoted()));
    }
    let parts: Vec<&str> = plain.split('.').collect();
    let numbers = parts.len() == 4
        && parts
            .iter()
            .all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()));
    if numbers
        && parts
            .iter()
            .any(|part| part.len() > 1 && part.starts_with('0'))
    {
        return Err(BadAddress::Padded(quoted()));
    }
    Err(BadAddress::Malformed(quoted()))
}

/// Reads one address, or one network in CIDR notation, as people write them. Bits of a network beyond its length are
/// cleared; a network of one address is that address.
///
/// # Errors
/// [`BadAddress`] says what the text is instead.
pub fn parse_subject(text: &str) -> Result<Subject, BadAddress> {
    match parse_address(text) {
        Ok(address) => Ok(Subject::Address(address)),
        Err(BadAddress::Network(quoted)) => {
            let network = scalar::network(&refanged(text)).ok_or(BadAddress::Malformed(quoted))?;
            Ok(if network.prefix_len() == network.max_prefix_len() {
                Subject::Address(network.addr())
            } else {
                Subject::Network(network)
            })
        }
        Err(other) => Err(other),
    }
}

/// The text without what keeps an address from being clicked on.
fn refanged(text: &str) -> String {
    text.trim()
        .replace("[.]", ".")
        .replace("(.)", ".")
        .replace("[:]", ":")
}

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
    /// For documentation.
    Documentation,
    /// For benchmarks.
    Benchmarking,
    /// Addresses of groups.
    Multicast,
    /// The broadcast address.
    Broadcast,
    /// Assigned to protocols or kept for later.
    Protocol,
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
/// (`treat_as_public`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Admission {
    blocks: Vec<IpNet>,
}

impl Admission {
    /// Public addresses, and these blocks.
    #[must_use]
    pub fn with(blocks: Vec<IpNet>) -> Self {
        Self { blocks }
    }

    /// The reason for which `address` must not be sent, or `None` when it may be.
    #[must_use]
    pub fn refuses(&self, address: IpAddr) -> Option<Reserved> {
        Reserved::of(address).filter(|_| !self.blocks.iter().any(|block| block.contains(&address)))
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

    #[test]
    fn addresses_are_read_as_people_write_them() {
        for (text, expected) in [
            ("198.51.100.7", "198.51.100.7"),
            ("  198.51.100.7\n", "198.51.100.7"),
            ("198[.]51[.]100[.]7", "198.51.100.7"),
            ("::ffff:198.51.100.7", "198.51.100.7"),
            ("2001:DB8:0:0::1", "2001:db8::1"),
            ("[2001:db8::1]", "2001:db8::1"),
            ("2001[:]db8[:][:]1", "2001:db8::1"),
        ] {
            assert_eq!(
                parse_address(text).map(|address| address.to_string()),
                Ok(expected.to_owned()),
                "{text:?}"
            );
        }
    }

    #[test]
    fn networks_are_subjects_too() {
        for (text, expected) in [
            ("198.51.100.7", "198.51.100.7"),
            ("198[.]51[.]100[.]7/24", "198.51.100.0/24"),
            ("198.51.100.7/32", "198.51.100.7"),
            ("::ffff:198.51.100.0/120", "198.51.100.0/24"),
            ("2001:db8::7/32", "2001:db8::/32"),
        ] {
            let subject = parse_subject(text).map(|subject| subject.to_string());
            assert_eq!(subject, Ok(expected.to_owned()), "{text}");
        }
        for text in ["198.51.100.0/33", "example/24", "198.051.100.0"] {
            assert!(parse_subject(text).is_err(), "{text}");
        }
        let refuses =
            |text: &str| Admission::default().refuses_all_of(parse_subject(text).expect(text));
        assert_eq!(refuses("10.0.0.0/9"), Some(Reserved::Private));
        assert_eq!(refuses("198.51.100.0/22"), None);
        assert_eq!(refuses("10.0.0.1"), Some(Reserved::Private));
    }

    #[test]
    fn what_is_no_address_says_what_it_is() {
        assert!(matches!(
            parse_address("198.051.100.007"),
            Err(BadAddress::Padded(_))
        ));
        assert!(matches!(
            parse_address("fe80::1%eth0"),
            Err(BadAddress::Zoned(_))
        ));
        assert!(matches!(
            parse_address("198.51.100.0/24"),
            Err(BadAddress::Network(_))
        ));
        for text in [
            "",
            "example",
            "1.2.3",
            "1.2.3.4.5",
            "256.1.1.1",
            "::g",
            "1.2.3.4 5",
        ] {
            assert!(
                matches!(parse_address(text), Err(BadAddress::Malformed(_))),
                "{text:?}"
            );
        }
    }

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
