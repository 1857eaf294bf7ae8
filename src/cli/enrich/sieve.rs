//! What a text holds: each address once, and what cannot be asked set aside, with the reason.

use std::{
    collections::{BTreeMap, HashSet},
    net::IpAddr,
};

use foldhash::fast::RandomState;
use ipnet::IpNet;
use xxhash_rust::xxh3::xxh3_64;

use crate::{
    cli::print::{count, each},
    model::{
        Admission,
        scan::{Found, scan},
    },
};

/// What was found so far.
#[derive(Debug)]
pub(super) struct Sieve {
    admission: Admission,
    addresses: HashSet<IpAddr, RandomState>,
    networks: HashSet<IpNet, RandomState>,
    /// By the hash of their spelling: they are only counted.
    padded: HashSet<u64, RandomState>,
    sifted: Sifted,
}

/// Counts of what was found. All but the first are of different ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sifted {
    /// Everything, each time that it stands there.
    pub(super) found: u64,
    /// Addresses that can be asked about.
    pub(super) public: u64,
    /// What was set aside, by its reason.
    pub(super) set_aside: BTreeMap<&'static str, u64>,
}

impl Sieve {
    pub(super) fn new(admission: Admission) -> Self {
        Self {
            admission,
            addresses: HashSet::default(),
            networks: HashSet::default(),
            padded: HashSet::default(),
            sifted: Sifted::default(),
        }
    }

    /// Takes a part of the text that cuts no address apart; tells of each address that can be asked about when it comes
    /// up first.
    pub(super) fn take(&mut self, text: &[u8], hear: &mut impl FnMut(IpAddr)) {
        scan(text, &mut |hit| {
            self.sifted.found += 1;
            let aside = match hit.found {
                Found::Address(address) => {
                    if !self.addresses.insert(address) {
                        return;
                    }
                    let Some(reserved) = self.admission.refuses(address) else {
                        self.sifted.public += 1;
                        hear(address);
                        return;
                    };
                    reserved.word()
                }
                Found::Network(network) if self.networks.insert(network) => "network",
                Found::Padded if self.padded.insert(xxh3_64(&text[hit.at])) => "zero-padded",
                Found::Network(_) | Found::Padded => return,
            };
            *self.sifted.set_aside.entry(aside).or_default() += 1;
        });
    }

    /// What was found in all.
    pub(super) fn end(self) -> Sifted {
        self.sifted
    }
}

impl Sifted {
    /// Different ones.
    pub(super) fn unique(&self) -> u64 {
        self.public + self.set_aside.values().sum::<u64>()
    }

    /// What was set aside, in words; `None` for nothing.
    pub(super) fn set_aside_in_words(&self) -> Option<String> {
        let words: Vec<String> = self
            .set_aside
            .iter()
            .map(|(reason, number)| format!("{} {reason}", count(*number)))
            .collect();
        (!words.is_empty()).then(|| each(&words, ", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_address_comes_once_and_the_rest_is_set_aside_with_the_reason() {
        let blocks = ["198.51.100.0/24", "2001:db8::/32"].map(|block| block.parse().expect(block));
        let mut sieve = Sieve::new(Admission::with(blocks.to_vec()));
        let mut told = Vec::new();
        let text = "198.51.100.7 10.0.0.1 198[.]51[.]100[.]8 10.0.0.1 ::ffff:198.51.100.7 198.51.100.0/24 2001:DB8::7 198.051.100.7 \
            198.51.100.0/24 127.0.0.1 10.0.0.2 198.051.100.7";
        for part in text.split_inclusive(' ') {
            sieve.take(part.as_bytes(), &mut |address| {
                told.push(address.to_string())
            });
        }
        assert_eq!(told, ["198.51.100.7", "198.51.100.8", "2001:db8::7"]);
        let sifted = sieve.end();
        assert_eq!((sifted.found, sifted.unique(), sifted.public), (12, 8, 3));
        let words = sifted.set_aside_in_words();
        assert_eq!(
            words.as_deref(),
            Some("1 loopback, 1 network, 2 private, 1 zero-padded")
        );
    }
}
