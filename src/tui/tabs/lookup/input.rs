//! Parses the text of the field: an address in any form, a network, or why it is neither.

use std::{
    collections::{HashMap, HashSet},
    net::IpAddr,
};

use ipnet::IpNet;

use crate::model::{
    Subject, parse_address, parse_subject,
    scan::{Found, scan},
};

/// What is typed or pasted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum LookupInput {
    Nothing,
    Address(IpAddr),
    /// Exactly one network, and no address.
    Network(IpNet),
    /// More than one.
    List(AddressList),
    /// Neither, and why.
    Bad(String),
}

/// The addresses of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct AddressList {
    /// Each once, in the order of the text, with how often it occurs there.
    pub(super) addresses: Vec<(IpAddr, u32)>,
    /// Different networks beside them.
    pub(super) networks: usize,
}

impl LookupInput {
    /// Reads a text: as one address or network, else for those that are anywhere in it.
    pub(super) fn of(text: &str) -> Self {
        if text.trim().is_empty() {
            return Self::Nothing;
        }
        match parse_subject(text) {
            Ok(Subject::Address(address)) => return Self::Address(address),
            Ok(Subject::Network(network)) => return Self::Network(network),
            Err(_) => {}
        }
        let mut list = AddressList::default();
        let mut places: HashMap<IpAddr, usize> = HashMap::new();
        let mut networks: Vec<IpNet> = Vec::new();
        let mut seen: HashSet<IpNet> = HashSet::new();
        scan(text.as_bytes(), &mut |hit| match hit.found {
            Found::Address(address) => {
                let at = *places.entry(address).or_insert_with(|| {
                    list.addresses.push((address, 0));
                    list.addresses.len() - 1
                });
                list.addresses[at].1 += 1;
            }
            Found::Network(network) => {
                if seen.insert(network) {
                    networks.push(network);
                }
            }
            Found::Padded => {}
        });
        list.networks = networks.len();
        match (list.addresses.as_slice(), networks.as_slice()) {
            ([(only, _)], []) => Self::Address(*only),
            ([], [only]) => Self::Network(*only),
            ([], []) => Self::Bad(match parse_address(text) {
                Err(why) => match why.filter() {
                    Some(term) => format!("{why} (in the filter of a feed: {term})"),
                    None => why.to_string(),
                },
                Ok(_) => "no address".to_owned(),
            }),
            ([], _) => Self::Bad("several networks; one can be browsed".to_owned()),
            _ => Self::List(list),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anything_with_an_address_in_it_is_understood() {
        let address = LookupInput::Address([198, 51, 100, 77].into());
        for text in [
            "198.51.100.77",
            " 198.51.100.77 ",
            "198.51.100.77:443",
            "https://198.51.100.77/login?x=1",
            "hxxp://198[.]51[.]100[.]77:8080/",
            "198[.]51[.]100[.]77",
            "198.51.100.77,",
            "(198.51.100.77)",
            "src=198.51.100.77 dst=198.51.100.77",
            "198.51.100.77/32",
            "198.51.100.77%eth0",
        ] {
            assert_eq!(LookupInput::of(text), address, "{text}");
        }
        let six = LookupInput::Address("2001:db8::1".parse().expect("address"));
        assert_eq!(LookupInput::of("[2001:db8::1]:443"), six);
        let network = LookupInput::Network("198.51.100.0/24".parse().expect("network"));
        for text in [
            "198.51.100.0/24",
            "198[.]51[.]100[.]0/24",
            "net 198.51.100.0/24,",
        ] {
            assert_eq!(LookupInput::of(text), network, "{text}");
        }
        let list = LookupInput::of("a 198.51.100.7 b 203.0.113.9, 198.51.100.7; 192.0.2.0/24");
        let expected = AddressList {
            addresses: vec![([198, 51, 100, 7].into(), 2), ([203, 0, 113, 9].into(), 1)],
            networks: 1,
        };
        assert_eq!(list, LookupInput::List(expected));
        assert_eq!(LookupInput::of(" "), LookupInput::Nothing);
        for (text, says) in [
            ("example", "is not an IPv4 or IPv6 address"),
            ("198.051.100.7", "has zero-padded parts"),
            ("Chrome/120.0.0.0", "is not an IPv4 or IPv6 address"),
            ("3325256781", "as an address it is 198.51.100.77"),
            ("AS64500", "(in the filter of a feed: asn:64500)"),
            ("ACME_VPN", "(in the filter of a feed: tag:ACME_VPN)"),
        ] {
            let LookupInput::Bad(why) = LookupInput::of(text) else {
                panic!("{text}");
            };
            assert!(why.contains(says), "{text}: {why}");
        }
    }
}
