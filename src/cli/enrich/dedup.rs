//! The distinct addresses of a text; those that cannot be looked up are counted by reason.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    net::IpAddr,
};

use foldhash::fast::RandomState;
use ipnet::IpNet;
use xxhash_rust::xxh3::xxh3_64;

use crate::{
    model::{
        Admission,
        scan::{Found, scan},
    },
    report::{count, each},
};

/// The number of an address that is set aside.
const SET_ASIDE: u32 = u32::MAX;

/// A public address, reported at its first occurrence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FoundAddress {
    pub(super) address: IpAddr,
    /// Its spelling in the text, if not canonical.
    pub(super) typed: Option<Box<str>>,
    /// Where and how often it occurs, once the whole text is read.
    pub(super) seen: Option<Occurrences>,
}

/// Where and how often an address occurs in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Occurrences {
    pub(super) count: u64,
    /// The line of the first occurrence, from 1.
    pub(super) first_line: u64,
    /// The number of the text in which that is, from 0.
    pub(super) text: usize,
}

/// The addresses found so far.
#[derive(Debug)]
pub(super) struct Dedup {
    admission: Admission,
    /// Each address with its number among the public ones, or [`SET_ASIDE`].
    addresses: HashMap<IpAddr, u32, RandomState>,
    /// The occurrences of each public address, if they are counted.
    seen: Option<Vec<Occurrences>>,
    /// The number of the text that is read.
    text: usize,
    /// Line ends before the next part.
    lines: u64,
    networks: HashSet<IpNet, RandomState>,
    /// Hashes of zero-padded spellings, to count each once.
    padded: HashSet<u64, RandomState>,
    totals: TextTotals,
}

/// Counts of the finds. All except the first count distinct ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct TextTotals {
    /// Every occurrence.
    pub(super) found: u64,
    /// Addresses that can be asked about.
    pub(super) public: u64,
    /// What was set aside, by its reason.
    pub(super) set_aside: BTreeMap<&'static str, u64>,
}

impl Dedup {
    /// An empty set; `counts` is whether occurrences are counted.
    pub(super) fn new(admission: Admission, counts: bool) -> Self {
        Self {
            admission,
            addresses: HashMap::default(),
            seen: counts.then(Vec::new),
            text: 0,
            lines: 0,
            networks: HashSet::default(),
            padded: HashSet::default(),
            totals: TextTotals::default(),
        }
    }

    /// Starts the text of this number.
    pub(super) fn begin(&mut self, text: usize) {
        (self.text, self.lines) = (text, 0);
    }

    /// Scans a part of the text that splits no address; reports each public address at its first occurrence.
    pub(super) fn take(&mut self, text: &[u8], hear: &mut impl FnMut(FoundAddress)) {
        let mut counted = 0;
        scan(text, &mut |hit| {
            self.totals.found += 1;
            if self.seen.is_some() {
                self.lines += line_ends(&text[counted..hit.at.start]);
                counted = hit.at.start;
            }
            let aside = match hit.found {
                Found::Address(address) => {
                    if let Some(number) = self.addresses.get(&address) {
                        let seen = self
                            .seen
                            .as_mut()
                            .map(|seen| seen.get_mut(*number as usize));
                        if let Some(Some(seen)) = seen {
                            seen.count += 1;
                        }
                        return;
                    }
                    let reserved = self.admission.refuses(address);
                    let number = match reserved {
                        None => u32::try_from(self.totals.public).unwrap_or(SET_ASIDE),
                        Some(_) => SET_ASIDE,
                    };
                    self.addresses.insert(address, number);
                    let Some(reserved) = reserved else {
                        self.totals.public += 1;
                        if let Some(seen) = &mut self.seen {
                            seen.push(Occurrences {
                                count: 1,
                                first_line: self.lines + 1,
                                text: self.text,
                            });
                        }
                        hear(FoundAddress {
                            address,
                            typed: typed(&text[hit.at], address),
                            seen: None,
                        });
                        return;
                    };
                    reserved.word()
                }
                Found::Network(network) if self.networks.insert(network) => "network",
                Found::Padded if self.padded.insert(xxh3_64(&text[hit.at])) => "zero-padded",
                Found::Network(_) | Found::Padded => return,
            };
            *self.totals.set_aside.entry(aside).or_default() += 1;
        });
        if self.seen.is_some() {
            self.lines += line_ends(&text[counted..]);
        }
    }

    /// Where and how often the address of a number occurs, if that was counted.
    pub(super) fn seen(&self, number: usize) -> Option<Occurrences> {
        self.seen.as_ref()?.get(number).copied()
    }

    pub(super) fn end(self) -> TextTotals {
        self.totals
    }
}

fn line_ends(text: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', text).count() as u64
}

/// The spelling of an address, if not canonical.
fn typed(spelling: &[u8], address: IpAddr) -> Option<Box<str>> {
    let spelling = String::from_utf8_lossy(spelling);
    (spelling != address.to_string()).then(|| spelling.into())
}

impl TextTotals {
    /// Distinct finds.
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
        let mut dedup = Dedup::new(Admission::with(blocks.to_vec()), true);
        let mut told = Vec::new();
        let text = "198.51.100.7 10.0.0.1\n198[.]51[.]100[.]8 10.0.0.1\n\n::ffff:198.51.100.7 198.51.100.0/24 2001:DB8::7 198.051.100.7 \
            198.51.100.0/24 127.0.0.1 10.0.0.2 198.051.100.7";
        for part in text.split_inclusive(' ') {
            dedup.take(part.as_bytes(), &mut |found_address| {
                let typed = found_address.typed.unwrap_or_default();
                told.push(format!("{} {typed}", found_address.address));
            });
        }
        assert_eq!(
            told,
            [
                "198.51.100.7 ",
                "198.51.100.8 198[.]51[.]100[.]8",
                "2001:db8::7 2001:DB8::7"
            ]
        );
        let seen = |number| dedup.seen(number).map(|seen| (seen.count, seen.first_line));
        assert_eq!(
            [0, 1, 2, 3].map(seen),
            [Some((2, 1)), Some((1, 2)), Some((1, 4)), None]
        );
        let totals = dedup.end();
        assert_eq!((totals.found, totals.unique(), totals.public), (12, 8, 3));
        let words = totals.set_aside_in_words();
        assert_eq!(
            words.as_deref(),
            Some("1 loopback, 1 network, 2 private, 1 zero-padded")
        );
    }
}
