//! What a question is about: an address or a network, as people write them.

use std::{fmt, net::IpAddr};

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
}
