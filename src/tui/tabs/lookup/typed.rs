//! What a text of the field means: one address in whatever form, a network, or why it is neither.

use std::net::IpAddr;

use ipnet::IpNet;

use crate::model::{
    Subject, parse_address, parse_subject,
    scan::{Found, scan},
};

/// What is typed or pasted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Typed {
    /// Nothing at all.
    Nothing,
    /// Exactly one address.
    Address(IpAddr),
    /// Exactly one network, and no address.
    Network(IpNet),
    /// Neither, and why.
    Bad(String),
}

impl Typed {
    /// Reads a text: as one address or network, else for those that stand anywhere in it.
    pub(super) fn of(text: &str) -> Self {
        if text.trim().is_empty() {
            return Self::Nothing;
        }
        match parse_subject(text) {
            Ok(Subject::Address(address)) => return Self::Address(address),
            Ok(Subject::Network(network)) => return Self::Network(network),
            Err(_) => {}
        }
        let (mut addresses, mut networks) = (Vec::new(), Vec::new());
        scan(text.as_bytes(), &mut |hit| match hit.found {
            Found::Address(address) if !addresses.contains(&address) => addresses.push(address),
            Found::Network(network) if !networks.contains(&network) => networks.push(network),
            _ => {}
        });
        match (addresses.as_slice(), networks.as_slice()) {
            ([only], []) => Self::Address(*only),
            ([], [only]) => Self::Network(*only),
            ([], []) => Self::Bad(match parse_address(text) {
                Err(why) => why.to_string(),
                Ok(_) => "no address".to_owned(),
            }),
            _ => Self::Bad("several addresses".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anything_with_an_address_in_it_is_understood() {
        let address = Typed::Address([198, 51, 100, 77].into());
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
        ] {
            assert_eq!(Typed::of(text), address, "{text}");
        }
        let six = Typed::Address("2001:db8::1".parse().expect("address"));
        assert_eq!(Typed::of("[2001:db8::1]:443"), six);
        let network = Typed::Network("198.51.100.0/24".parse().expect("network"));
        for text in [
            "198.51.100.0/24",
            "198[.]51[.]100[.]0/24",
            "net 198.51.100.0/24,",
        ] {
            assert_eq!(Typed::of(text), network, "{text}");
        }
        assert_eq!(Typed::of(" "), Typed::Nothing);
        for text in ["example", "198.051.100.7"] {
            assert!(matches!(Typed::of(text), Typed::Bad(_)), "{text}");
        }
    }
}
