//! Invented feeds of any size, the same bytes for the same seed and count: what the benchmark reads and tests feed on.
//!
//! They are shaped like the daily feed of addresses, or the one of IPv6 networks: about 450 bytes a record, shuffled,
//! skewed as words are (few tags, countries and networks make up most of it), a fifth with arrays within tunnels, fields
//! absent as in real records. Addresses lie in `240.0.0.0/4`, the block that is reserved and never routed: the ranges for
//! documentation are too small for millions of different addresses, and nobody has one of these. Networks lie below
//! `2001:db8::/32`, in sizes from /36 to /128, nested up to eight deep. A later day lacks a few records of the day before,
//! changes a few and has a few more, in another order.
//!
//! A record is a pure function of seed, number and day: nothing is kept but the words.

mod record;
mod shuffle;
mod vocabulary;

use std::{
    io::{self, Write},
    net::{Ipv4Addr, Ipv6Addr},
    ops::Range,
    sync::Arc,
};

use fastrand::Rng;
use ipnet::Ipv6Net;

use self::{record::Record, shuffle::Shuffle};
pub(crate) use self::{shuffle::mix, vocabulary::Vocabulary};

/// One of so many records leaves, changes or comes anew each day.
const LEAVES: u64 = 50;
const CHANGES: u64 = 25;
const COMES: u64 = 33;

/// Lines are handed on in blocks of about this size.
const BLOCK: usize = 1 << 20;

/// What the records of a feed are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum About {
    /// IPv4 addresses, each once.
    Addresses,
    /// IPv6 networks of mixed sizes, each once.
    Networks,
}

/// A feed of one day.
#[derive(Clone, Debug)]
pub(crate) struct Generator {
    seed: u64,
    /// Records of the first day.
    count: u64,
    /// Days after the first.
    day: u64,
    about: About,
    words: Arc<Vocabulary>,
    places: Shuffle,
    sites: Shuffle,
    order: Shuffle,
}

impl Generator {
    /// So many records, at most 100 million.
    pub(crate) fn new(about: About, seed: u64, count: u64) -> Self {
        Self {
            seed,
            count,
            day: 0,
            about,
            words: Arc::new(Vocabulary::of(seed)),
            places: Shuffle::new(seed, 1 << 28),
            sites: Shuffle::new(seed, 1 << 24),
            order: Shuffle::new(seed, count),
        }
    }

    /// The day after: a few records more, a few fewer, a few changed.
    pub(crate) fn next_day(&self) -> Self {
        let mut next = self.clone();
        next.day += 1;
        next.order = Shuffle::new(mix(self.seed ^ next.day), next.numbers().end);
        next
    }

    /// The words of its records.
    pub(crate) fn words(&self) -> &Vocabulary {
        &self.words
    }

    /// The numbers that its records may have; all of the first day's have one.
    pub(crate) fn numbers(&self) -> Range<u64> {
        0..self.count + self.day * (self.count / COMES)
    }

    /// The address that the record of a number is about. Numbers past [`Generator::numbers`] give addresses that no record
    /// is about.
    pub(crate) fn address(&self, number: u64) -> Ipv4Addr {
        let place = u32::try_from(self.places.of(number)).unwrap_or(0);
        Ipv4Addr::from(0xf000_0000 | place)
    }

    /// The network that the record of a number is about.
    ///
    /// Eight numbers make a site: a /56 and what nests in it. One in 64 is a larger network around many sites instead.
    pub(crate) fn network(&self, number: u64) -> Ipv6Net {
        let around = number / 64;
        let (bits, length) = match number % 64 {
            63 if around < 1 << 4 => (around << 28, 36),
            63 if around < 1 << 12 => (around << 20, 44),
            _ => (self.sites.of(number / 8) << 8, 56),
        };
        let base = 0x2001_0db8_u128 << 96 | u128::from(bits) << 64;
        let (within, length) = match (length, number % 8) {
            (56, 0) => (0, 56),
            (56, 1) => (0x10 << 64, 60),
            (56, 2) => (0x12 << 64, 64),
            (56, 3) => (0xab << 64, 64),
            (56, 4) => (0x12 << 64 | 0x5 << 32, 96),
            (56, 5) => (0x12 << 64 | 0x5 << 32 | 0x7 << 16, 112),
            (56, 6) => (0x12 << 64 | 0x5 << 32 | 0x7 << 16 | 0x9, 128),
            (56, _) => (0xab << 64 | 0x9, 128),
            (length, _) => (0, length),
        };
        Ipv6Net::new(Ipv6Addr::from(base | within), length).unwrap_or_default()
    }

    /// Appends the line of a number with its line end, if there is a record of that number on this day.
    pub(crate) fn line(&self, number: u64, into: &mut Vec<u8>) -> bool {
        let came = match number.checked_sub(self.count) {
            None => 0,
            Some(past) => 1 + past / (self.count / COMES).max(1),
        };
        let draw = |day: u64| mix(self.seed ^ mix(number) ^ mix(!day));
        let since = came + 1..=self.day;
        if came > self.day || since.clone().any(|day| draw(day).is_multiple_of(LEAVES)) {
            return false;
        }
        let changed = since
            .rev()
            .find(|day| (draw(*day) / LEAVES).is_multiple_of(CHANGES))
            .unwrap_or(came);
        let rng = Rng::with_seed(draw(changed) ^ 1);
        let mut record = Record::new(rng, &self.words, into);
        match self.about {
            About::Addresses => record.of_address(self.address(number)),
            About::Networks => record.of_network(self.network(number)),
        }
        true
    }

    /// Hands all lines on, in blocks of whole lines, and returns how many they were.
    pub(crate) fn blocks(&self, mut take: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<u64> {
        let mut block = Vec::with_capacity(BLOCK + (16 << 10));
        let mut records = 0;
        for place in self.numbers() {
            records += u64::from(self.line(self.order.of(place), &mut block));
            if block.len() >= BLOCK {
                take(&block)?;
                block.clear();
            }
        }
        take(&block)?;
        Ok(records)
    }

    /// Writes all lines.
    pub(crate) fn write(&self, mut out: impl Write) -> io::Result<u64> {
        self.blocks(|block| out.write_all(block))
    }
}

/// A rank below `count`, the low ones as much more often as they are lower: about as words are (Zipf's law).
///
/// Whole numbers only, so that it is the same on every machine: a power of two at random, then a place up to it.
pub(crate) fn skewed(rng: &mut Rng, count: usize) -> usize {
    let powers = usize::BITS - count.leading_zeros();
    loop {
        let power = 1_usize << rng.u32(..powers);
        let rank = power - 1 + rng.usize(..power);
        if rank < count {
            return rank;
        }
    }
}
