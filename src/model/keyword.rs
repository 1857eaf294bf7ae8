//! The fields that are searched by words, under the names of the filter language.

use std::borrow::Cow;

use serde_json::Value;

use super::lenient::scalar;

/// A field whose values are words: searched for equality (with [`Keyword::Org`], for parts too), counted, listed. Its number is
/// in index files, so it stays what it is when others are added, and is below 16.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Keyword {
    /// Operator of a tunnel, or the tag of a service.
    Tag = 0,
    /// Kind of a tunnel.
    Type = 1,
    /// Two-letter country code.
    Cc = 2,
    /// Kind of infrastructure.
    Infra = 3,
    Risk = 4,
    /// Service or protocol that listens.
    Service = 5,
    Behavior = 6,
    /// Callback proxy on a device behind the address.
    Proxy = 7,
    /// Kind of a client's device.
    Device = 8,
    /// Number of the autonomous system.
    Asn = 9,
    /// Organization that uses the address, or that announces it.
    Org = 10,
    /// Entry address of a tunnel.
    Entry = 11,
}

/// Name and a term with it, by number.
const NAMES: [(Keyword, &str, &str); 12] = [
    (Keyword::Tag, "tag", "tag:ACME_VPN,CARGO_VPN"),
    (Keyword::Type, "type", "type:VPN"),
    (Keyword::Cc, "cc", "cc:NL,DE"),
    (Keyword::Infra, "infra", "-infra:MOBILE"),
    (Keyword::Risk, "risk", "risk:TUNNEL"),
    (Keyword::Service, "service", "service:OPENVPN"),
    (Keyword::Behavior, "behavior", "behavior:FILE_SHARING"),
    (Keyword::Proxy, "proxy", "proxy:BRAVO_PROXY"),
    (Keyword::Device, "device", "device:MOBILE"),
    (Keyword::Asn, "asn", "asn:64500"),
    (Keyword::Org, "org", "org:\"example host\""),
    (Keyword::Entry, "entry", "entry:198.51.100.70"),
];

impl Keyword {
    /// All, by number, which is the order in which they are documented.
    pub const ALL: [Self; NAMES.len()] = {
        let mut all = [Self::Tag; NAMES.len()];
        let mut at = 0;
        while at < all.len() {
            all[at] = NAMES[at].0;
            at += 1;
        }
        all
    };

    /// Its number in index files.
    #[must_use]
    pub const fn number(self) -> u32 {
        self as u32
    }

    /// Its name in the filter language.
    #[must_use]
    pub const fn name(self) -> &'static str {
        NAMES[self as usize].1
    }

    /// A term of the filter language with it.
    #[must_use]
    pub const fn example(self) -> &'static str {
        NAMES[self as usize].2
    }

    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|field| field.name() == name)
    }

    /// What people call it: the head of a list of its values.
    #[must_use]
    pub const fn heading(self) -> &'static str {
        match self {
            Self::Tag => "operator",
            Self::Cc => "country",
            Self::Asn => "AS",
            Self::Org => "organization",
            other => other.name(),
        }
    }

    /// Whether a record has at most one.
    #[must_use]
    pub const fn is_single(self) -> bool {
        matches!(self, Self::Infra | Self::Cc | Self::Asn)
    }

    /// Whether its values are words of a vocabulary. Numbers, addresses and names of organizations are any.
    #[must_use]
    pub const fn has_vocabulary(self) -> bool {
        !matches!(self, Self::Asn | Self::Org | Self::Entry)
    }

    /// Whether its words are the texts unchanged; others are read, and spelled again.
    #[must_use]
    pub fn is_of_texts(self) -> bool {
        !matches!(self, Self::Asn | Self::Entry)
    }

    /// The word that a value at one of its paths is; `None` for what says nothing there.
    #[must_use]
    pub fn read(self, value: &Value) -> Option<Cow<'_, str>> {
        match self {
            Self::Asn => {
                let number: u32 = scalar::whole(scalar::spelling(value)?)?;
                Some(number.to_string().into())
            }
            Self::Entry => Some(Self::address(value.as_str()?)),
            _ => value
                .as_str()
                .filter(|text| !text.trim().is_empty())
                .map(Cow::Borrowed),
        }
    }

    /// An address as it is compared: in its canonical spelling if it is one.
    fn address(text: &str) -> Cow<'_, str> {
        match scalar::address(text) {
            Some(address) => address.to_string().into(),
            None => text.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_places() {
        let numbers = Keyword::ALL.map(Keyword::number);
        assert!(
            (0..)
                .zip(numbers)
                .all(|(place, number)| place == number && number < 16)
        );
    }
}
