//! What a question is about: an address or a network, as people write them.

use std::{
    fmt,
    net::{IpAddr, Ipv4Addr},
};

use ipnet::IpNet;

use super::{
    TagName,
    lenient::{Field, scalar},
};

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
            Self::Address(ip) => *ip == address,
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
    #[error("{0:?} is not an IPv4 or IPv6 address")]
    Malformed(String),
    /// Looks like IPv4 but has padded or octal parts, which programs read differently.
    #[error("{0:?} has zero-padded parts, which some programs read as octal")]
    Padded(String),
    /// An address with a zone (`%eth0`), which means nothing outside its machine.
    #[error("{text:?} has a zone, which only its machine understands")]
    Zoned {
        /// What was typed.
        text: String,
        /// The address without the zone, if it is one.
        address: Option<IpAddr>,
    },
    /// Two addresses joined by a dash.
    #[error("{text:?} is a range of addresses")]
    Range {
        text: String,
        /// The smallest network that holds both.
        within: IpNet,
    },
    /// Addresses or networks, separated by commas or semicolons.
    #[error("{0:?} is several addresses")]
    Several(String),
    /// An IPv4 address as one number.
    #[error("{text:?} is a number; as an address it is {address}")]
    Number { text: String, address: Ipv4Addr },
    /// The number of an autonomous system (`AS64500`).
    #[error("{text:?} is an autonomous system")]
    System { text: String, number: u32 },
    /// What looks like the tag of a service.
    #[error("{:?} is not an address; it looks like a tag", .0.as_str())]
    Tag(TagName),
    /// A network where one address is needed.
    #[error("{0:?} is a network; the Context API answers for one address")]
    Network(String),
    /// A network whose prefix is longer than an address of its family.
    #[error("{text:?}: prefix length {length} exceeds {most}")]
    PrefixTooLong {
        /// What was typed.
        text: String,
        length: u32,
        /// The longest length of the family.
        most: u8,
    },
}

impl BadAddress {
    /// The term of the filter language that selects the records of what was typed, for what is no address.
    #[must_use]
    pub fn filter(&self) -> Option<String> {
        match self {
            Self::Range { within, .. } => Some(format!("net:{within}")),
            Self::System { number, .. } => Some(format!("asn:{number}")),
            Self::Tag(tag) => Some(format!("tag:{tag}")),
            _ => None,
        }
    }
}

/// Reads one address as people write it: surrounding blanks, `[…]` around IPv6 and defanged dots and colons
/// (`198[.]51[.]100[.]7`) are understood, an IPv4-mapped IPv6 address is taken as its IPv4 address, a network of one address as
/// that address.
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
    if let Some((address, _)) = plain.split_once('%') {
        let (text, address) = (quoted(), address.parse().ok());
        return Err(BadAddress::Zoned { text, address });
    }
    if let Ok(network) = plain.parse::<IpNet>() {
        return if network.prefix_len() == network.max_prefix_len() {
            Ok(network.addr().to_canonical())
        } else {
            Err(BadAddress::Network(quoted()))
        };
    }
    if let Some((length, most)) = excess(&plain) {
        let text = quoted();
        return Err(BadAddress::PrefixTooLong { text, length, most });
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
    Err(something_else(&plain, quoted()))
}

/// What a text is that is no address.
fn something_else(plain: &str, text: String) -> BadAddress {
    /// Smaller numbers are rarely addresses.
    const LEAST: u32 = 1 << 24;
    let address = |text: &str| text.trim().parse::<IpAddr>().ok();
    if let Some((first, last)) = plain.split_once(['-', '–'])
        && let (Some(first), Some(last)) = (address(first), address(last))
        && let Some(within) = smallest_network(first, last)
    {
        return BadAddress::Range { text, within };
    }
    let mut parts = plain
        .split([',', ';'])
        .filter(|part| !part.trim().is_empty());
    if plain.contains([',', ';']) && parts.all(|part| parse_subject(part).is_ok()) {
        return BadAddress::Several(text);
    }
    let number = match plain.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => plain.parse(),
    };
    if let Some(number) = number.ok().filter(|number| *number >= LEAST) {
        let address = Ipv4Addr::from_bits(number);
        return BadAddress::Number { text, address };
    }
    let system = plain
        .get(..2)
        .filter(|start| start.eq_ignore_ascii_case("as"));
    if let Some(Ok(number)) = system.map(|_| plain[2..].parse()) {
        return BadAddress::System { text, number };
    }
    let is_spelled_as_tag = plain.contains('_') || !plain.contains(char::is_lowercase);
    let has_letter = plain.starts_with(|first: char| first.is_ascii_alphabetic());
    match plain.parse() {
        Ok(tag) if is_spelled_as_tag && has_letter && !plain.contains('.') => BadAddress::Tag(tag),
        _ => BadAddress::Malformed(text),
    }
}

/// The smallest network that holds both addresses; none for addresses of two families.
fn smallest_network(first: IpAddr, last: IpAddr) -> Option<IpNet> {
    let mut network = IpNet::from(first);
    while !network.contains(&last) {
        network = network.supernet()?;
    }
    Some(network)
}

/// Reads one address, or one network in CIDR notation, as people write them. Bits of a network beyond its length are
/// cleared.
///
/// # Errors
/// [`BadAddress`] says what the text is instead.
pub fn parse_subject(text: &str) -> Result<Subject, BadAddress> {
    match parse_address(text) {
        Ok(address) => Ok(Subject::Address(address)),
        Err(BadAddress::Network(quoted)) => {
            let network = scalar::network(&refanged(text)).ok_or(BadAddress::Malformed(quoted))?;
            Ok(Subject::Network(network))
        }
        Err(other) => Err(other),
    }
}

/// The prefix length of a network, and the most that its family has, where it is longer than that.
fn excess(text: &str) -> Option<(u32, u8)> {
    let (address, length) = text.split_once('/')?;
    let address: IpAddr = address.parse().ok()?;
    let length: u32 = length.parse().ok()?;
    let most = if address.is_ipv4() { 32 } else { 128 };
    (length > u32::from(most)).then_some((length, most))
}

/// Reads a network in CIDR notation or an address, as people write them.
///
/// # Errors
/// [`BadAddress`] says what the text is instead.
pub fn parse_network(text: &str) -> Result<IpNet, BadAddress> {
    parse_subject(text).map(|subject| subject.network())
}

/// The text without what keeps an address from being clicked on.
fn refanged(text: &str) -> String {
    text.trim()
        .replace("[.]", ".")
        .replace("(.)", ".")
        .replace("[:]", ":")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Admission, Reserved};

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
            ("198.51.100.7/32", "198.51.100.7"),
            ("2001:db8::1/128", "2001:db8::1"),
            ("::ffff:198.51.100.7/128", "198.51.100.7"),
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
        let too_long = |text: &str| parse_network(text).map_err(|why| why.to_string());
        assert_eq!(
            too_long("198.51.100.0/33"),
            Err("\"198.51.100.0/33\": prefix length 33 exceeds 32".to_owned())
        );
        assert_eq!(
            too_long("2001:db8::/129"),
            Err("\"2001:db8::/129\": prefix length 129 exceeds 128".to_owned())
        );
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
            Err(BadAddress::Zoned { .. })
        ));
        assert!(matches!(
            parse_address("198.51.100.0/24"),
            Err(BadAddress::Network(_))
        ));
        let is = |text: &str| parse_address(text).expect_err(text);
        for (text, expected, filter) in [
            (
                "198.51.100.1-198.51.100.9",
                "is a range of addresses",
                Some("net:198.51.100.0/28"),
            ),
            (
                "2001:db8::1 - 2001:db8::2",
                "is a range of addresses",
                Some("net:2001:db8::/126"),
            ),
            ("198.51.100.1,198.51.100.9", "is several addresses", None),
            ("198.51.100.1;2001:db8::/32;", "is several addresses", None),
            (
                "3325256781",
                "is a number; as an address it is 198.51.100.77",
                None,
            ),
            (
                "0xC633644D",
                "is a number; as an address it is 198.51.100.77",
                None,
            ),
            ("AS64500", "is an autonomous system", Some("asn:64500")),
            ("as64500", "is an autonomous system", Some("asn:64500")),
            ("ACME_VPN", "looks like a tag", Some("tag:ACME_VPN")),
            ("acme_vpn", "looks like a tag", Some("tag:ACME_VPN")),
        ] {
            let bad = is(text);
            assert!(bad.to_string().ends_with(expected), "{text}: {bad}");
            assert_eq!(bad.filter().as_deref(), filter, "{text}");
        }
        for text in [
            "",
            "example",
            "12345",
            "4294967296",
            "198.51.100.1-2001:db8::1",
            "198.51.100.1,example",
            "as",
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
}
