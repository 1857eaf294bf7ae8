//! What records are about, in the order of addresses, across all chunks: for lookups, for networks in a filter, for
//! ranking, and for comparing two days.
//!
//! ```text
//! addresses   low half u16, row u32, hash of the line 6 bytes; sorted by address, then row; pieces of 65,536
//! networks    family u8 (4, 6), first address 16 bytes, length u8, is a lone address u8, parent u32, row u32, hash u64;
//!             sorted by family, first address, length, row; pieces of 65,536
//! firsts      family u8, first address 16 bytes, length u8: of each 128th network
//! loose       row u32, hash u64; pieces of 65,536
//! ```
//!
//! Most records of most feeds are about one IPv4 address, which takes 12 bytes this way. An IPv4 network has its address in the
//! first four of the sixteen bytes. The parent of a network is the place of the nearest one that covers it (the first
//! of several alike): from the place where an address would be sorted in, parents lead to all that cover it, the most
//! specific first. All numbers in networks but the addresses are little-endian; addresses are as on the wire, so that
//! they sort as bytes.

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    ops::Range,
};

use ipnet::{IpNet, Ipv4Net, Ipv6Net};
use zerocopy::{
    FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned,
    little_endian::{U16, U32, U64},
};

use super::{NoAnswer, Row, along::All, file::Sections, halves::Halves, kinds, runs::Sorted};
use crate::model::Subject;

/// Entries of a piece.
pub(super) const PIECE: usize = 1 << 16;
/// Networks from one in `firsts` to the next.
pub(super) const STRETCH: usize = 128;
/// No parent.
const NONE: u32 = u32::MAX;

/// A record about one IPv4 address, as it is sorted.
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct Address {
    bits: U32,
    row: U32,
    hash: U64,
}

impl Address {
    pub(super) fn new(address: Ipv4Addr, row: u32, hash: u64) -> Self {
        Self {
            bits: address.to_bits().into(),
            row: row.into(),
            hash: hash.into(),
        }
    }

    pub(super) fn upper(&self) -> usize {
        self.bits.get() as usize >> 16
    }

    /// As it is written.
    pub(super) fn low(&self) -> Low {
        let mut hash = [0; 6];
        hash.copy_from_slice(&self.hash.as_bytes()[..6]);
        Low {
            // The low half.
            lower: (self.bits.get() as u16).into(),
            row: self.row,
            hash,
        }
    }
}

/// The same as it is written.
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct Low {
    pub(super) lower: U16,
    pub(super) row: U32,
    /// The low 48 bits of the hash: two lines of one address are compared, not each with all others.
    hash: [u8; 6],
}

impl Low {
    pub(super) fn hash(&self) -> u64 {
        let mut bytes = [0; 8];
        bytes[..6].copy_from_slice(&self.hash);
        u64::from_le_bytes(bytes)
    }
}

/// A record about a network or an IPv6 address, as it is sorted and written. A lone address is a network, too.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned,
)]
#[repr(C)]
pub(super) struct Network {
    family: u8,
    first: [u8; 16],
    length: u8,
    lone: u8,
    parent: U32,
    pub(super) row: U32,
    pub(super) hash: U64,
}

/// Where a network stands in the order.
type Key = (u8, [u8; 16], u8);

/// Where a subject stands in the order of subjects.
pub(super) fn order_of(subject: Subject) -> impl Ord {
    key_of(network_of(subject))
}

/// What sorts as a key does, and is compared faster.
#[inline]
fn rank_of((family, first, length): &Key) -> (u8, u128, u8) {
    (*family, u128::from_be_bytes(*first), *length)
}

#[inline]
fn read_key([family, first @ .., length]: &[u8; 18]) -> Key {
    (*family, *first, *length)
}

/// A key as bytes.
fn bytes_of((family, first, length): &Key) -> [u8; 18] {
    let mut bytes = [0; 18];
    (bytes[0], bytes[17]) = (*family, *length);
    bytes[1..17].copy_from_slice(first);
    bytes
}

impl Network {
    pub(super) fn of(subject: Subject, row: u32, hash: u64) -> Self {
        let network = network_of(subject);
        let (family, first, length) = key_of(network);
        Self {
            family,
            first,
            length,
            lone: u8::from(matches!(subject, Subject::Address(_))),
            parent: NONE.into(),
            row: row.into(),
            hash: hash.into(),
        }
    }

    fn key(&self) -> Key {
        (self.family, self.first, self.length)
    }

    /// Its key as it is written for the first one of a stretch.
    pub(super) fn head(&self) -> [u8; 18] {
        bytes_of(&self.key())
    }

    fn covers(&self, (family, first, length): &Key) -> bool {
        self.family == *family
            && self.length <= *length
            && (u128::from_be_bytes(self.first) ^ u128::from_be_bytes(*first))
                .checked_shr(128 - u32::from(self.length))
                .is_none_or(|differs| differs == 0)
    }

    pub(super) fn subject(&self) -> Option<Subject> {
        let [a, b, c, d, ..] = self.first;
        let network = match self.family {
            4 => IpNet::V4(Ipv4Net::new(Ipv4Addr::new(a, b, c, d), self.length).ok()?),
            _ => IpNet::V6(Ipv6Net::new(Ipv6Addr::from(self.first), self.length).ok()?),
        };
        Some(match self.lone {
            0 => Subject::Network(network),
            _ => Subject::Address(network.addr()),
        })
    }
}

fn network_of(subject: Subject) -> IpNet {
    match subject {
        Subject::Address(address) => address.into(),
        Subject::Network(network) => network,
    }
}

pub(super) fn key_of(network: IpNet) -> Key {
    let mut first = [0; 16];
    let family = match network.network() {
        IpAddr::V4(address) => {
            first[..4].copy_from_slice(&address.octets());
            4
        }
        IpAddr::V6(address) => {
            first = address.octets();
            6
        }
    };
    (family, first, network.prefix_len())
}

/// Links each network, as they come in order, to the nearest one that covers it.
#[derive(Debug, Default)]
pub(super) struct Linker {
    place: u32,
    open: Vec<(u32, Network)>,
}

impl Linker {
    pub(super) fn link(&mut self, network: &mut Network) {
        let key = network.key();
        while self.open.last().is_some_and(|(_, last)| !last.covers(&key)) {
            self.open.pop();
        }
        match self.open.last() {
            // Of several alike the first one leads on, and stands for all.
            Some((_, last)) if last.key() == key => network.parent = last.parent,
            last => {
                network.parent = last.map_or(NONE, |(place, _)| *place).into();
                self.open.push((self.place, *network));
            }
        }
        self.place += 1;
    }
}

impl Sorted for Address {
    type Order = u64;

    fn order(&self) -> u64 {
        u64::from(self.bits.get()) << 32 | u64::from(self.row.get())
    }

    /// Sorts plain numbers of address and place instead, which is three times as fast. Entries come in the order of rows.
    fn sort(entries: &mut Vec<Self>) {
        let keys = entries.iter().zip(0_u64..);
        let mut keys: Vec<u64> = keys
            .map(|(entry, place)| u64::from(entry.bits.get()) << 32 | place)
            .collect();
        keys.sort_unstable();
        *entries = keys
            .iter()
            .map(|key| entries[*key as u32 as usize])
            .collect();
    }
}

impl Sorted for Network {
    type Order = (Key, u32);

    fn order(&self) -> (Key, u32) {
        (self.key(), self.row.get())
    }
}

/// The subjects of an index that was written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Subjects<'a>(pub(super) &'a Sections);

pub(super) fn odd<T>(_: T) -> NoAnswer {
    NoAnswer::Damaged("the order of addresses does not add up".to_owned())
}

impl<'a> Subjects<'a> {
    pub(super) fn lows(self, piece: usize) -> Result<&'a [Low], NoAnswer> {
        <[Low]>::ref_from_bytes(self.0.get(kinds::ADDRESSES, piece)?).map_err(odd)
    }

    pub(super) fn networks(self, piece: usize) -> Result<&'a [Network], NoAnswer> {
        <[Network]>::ref_from_bytes(self.0.get(kinds::NETWORKS, piece)?).map_err(odd)
    }

    fn network(self, place: usize) -> Result<&'a Network, NoAnswer> {
        self.networks(place / PIECE)?
            .get(place % PIECE)
            .ok_or_else(|| odd(()))
    }

    pub(super) fn halves(self) -> Result<Halves<'a>, NoAnswer> {
        Halves::read(self.0.get(kinds::HALVES, 0)?)
    }

    /// The places of the addresses that have an upper half.
    fn half(self, upper: usize) -> Result<Range<usize>, NoAnswer> {
        self.halves()?.of(upper).ok_or_else(|| odd(()))
    }

    fn low(self, place: usize) -> Result<&'a Low, NoAnswer> {
        self.lows(place / PIECE)?
            .get(place % PIECE)
            .ok_or_else(|| odd(()))
    }

    /// The first place at or behind which addresses are not below this one.
    fn place_of(self, address: u64) -> Result<usize, NoAnswer> {
        let Ok(address) = u32::try_from(address) else {
            return Ok(self.half(0xffff)?.end);
        };
        let Range {
            start: mut from,
            end: mut to,
        } = self.half(address as usize >> 16)?;
        while from < to {
            let middle = from.midpoint(to);
            if u32::from(self.low(middle)?.lower.get()) < address & 0xffff {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        Ok(from)
    }

    /// The first place at or behind which a network's key is not below this one.
    fn network_place(self, key: &Key) -> Result<usize, NoAnswer> {
        let firsts = self.0.get(kinds::FIRSTS, 0)?;
        let (firsts, _) = firsts.as_chunks::<18>();
        let key = rank_of(key);
        // The last stretch that begins below the key; the place is in it or right behind it.
        let stretch = firsts.partition_point(|first| rank_of(&read_key(first)) < key);
        let Some(stretch) = stretch.checked_sub(1) else {
            return Ok(0);
        };
        let start = stretch * STRETCH;
        let piece = self.networks(start / PIECE)?;
        let within = piece.get(start % PIECE..).ok_or_else(|| odd(()))?;
        let within = &within[..within.len().min(STRETCH)];
        let below = within.partition_point(|network| rank_of(&network.key()) < key);
        Ok(start + below)
    }

    fn network_count(self) -> Result<usize, NoAnswer> {
        match self.0.count(kinds::NETWORKS).checked_sub(1) {
            None => Ok(0),
            Some(last) => Ok(last * PIECE + self.networks(last)?.len()),
        }
    }

    /// The rows about exactly this network or address, in the order of the file, then those about networks that cover it, the most
    /// specific first.
    pub(super) fn covering(self, network: IpNet) -> Result<Vec<Row>, NoAnswer> {
        let mut rows = Vec::new();
        if let IpNet::V4(network) = network
            && network.prefix_len() == 32
        {
            let address = network.addr().to_bits();
            let end = self.half(address as usize >> 16)?.end;
            for place in self.place_of(address.into())?..end {
                let low = self.low(place)?;
                if u32::from(low.lower.get()) != address & 0xffff {
                    break;
                }
                rows.push(Row(low.row.get()));
            }
        }
        let count = self.network_count()?;
        if count == 0 {
            return Ok(rows);
        }
        let key = key_of(network);
        let place = self.network_place(&key)?;
        self.rows_alike(place, &key, &mut rows)?;
        rows.sort_unstable();
        // The nearest that may cover it comes right before, perhaps behind others alike; its parents are the others.
        let mut next = place.checked_sub(1);
        while let Some(before) = next.and_then(|place| place.checked_sub(1)) {
            let (one, other) = (self.network(before)?, self.network(before + 1)?);
            if one.key() != other.key() {
                break;
            }
            next = Some(before);
        }
        let mut steps = 0;
        while let Some(place) = next {
            let network = self.network(place)?;
            if network.covers(&key) {
                self.rows_alike(place, &network.key(), &mut rows)?;
            }
            let parent = network.parent.get();
            next = (parent != NONE).then_some(parent as usize);
            steps += 1;
            if steps > 129 {
                return Err(odd(()));
            }
        }
        Ok(rows)
    }

    /// Adds the rows of networks of this key, of which the first is at this place.
    fn rows_alike(self, place: usize, key: &Key, rows: &mut Vec<Row>) -> Result<(), NoAnswer> {
        let count = self.network_count()?;
        for place in place..count {
            let network = self.network(place)?;
            if network.key() != *key {
                break;
            }
            rows.push(Row(network.row.get()));
        }
        Ok(())
    }

    /// The places of the IPv4 addresses that lie within a network.
    pub(super) fn addresses_within(self, network: IpNet) -> Result<Range<usize>, NoAnswer> {
        let IpNet::V4(network) = network else {
            return Ok(0..0);
        };
        let from = self.place_of(network.network().to_bits().into())?;
        let to = self.place_of(u64::from(network.broadcast().to_bits()) + 1)?;
        Ok(from..to)
    }

    /// The rows about networks, and IPv6 addresses, that lie within one.
    pub(super) fn networks_within(
        self,
        network: IpNet,
        mut visit: impl FnMut(u32),
    ) -> Result<(), NoAnswer> {
        let key = key_of(network);
        let count = self.network_count()?;
        if count == 0 {
            return Ok(());
        }
        for place in self.network_place(&key)?..count {
            let own = self.network(place)?;
            let outer = Network {
                length: key.2,
                first: key.1,
                family: key.0,
                ..*own
            };
            if !outer.covers(&own.key()) {
                break;
            }
            visit(own.row.get());
        }
        Ok(())
    }

    /// The rows about IPv4 addresses at some places.
    pub(super) fn each_low(
        self,
        places: Range<usize>,
        mut visit: impl FnMut(u32),
    ) -> Result<(), NoAnswer> {
        let mut from = places.start;
        while from < places.end {
            let piece = self.lows(from / PIECE)?;
            let to = places.end.min((from / PIECE + 1) * PIECE);
            let range = from % PIECE..from % PIECE + (to - from);
            piece
                .get(range)
                .ok_or_else(|| odd(()))?
                .iter()
                .for_each(|low| visit(low.row.get()));
            from = to;
        }
        Ok(())
    }

    /// All subjects in order: IPv4 before IPv6, by first address, the larger network first, then by row.
    pub(super) fn all(self) -> All<'a> {
        All::of(self)
    }

    /// Rows about nothing that can be read.
    pub(super) fn loose(self) -> Result<Vec<(Row, u64)>, NoAnswer> {
        let mut rows = Vec::new();
        for piece in 0..self.0.count(kinds::LOOSE) {
            let (entries, _) = self.0.get(kinds::LOOSE, piece)?.as_chunks::<12>();
            rows.extend(entries.iter().filter_map(|entry| {
                let (row, hash) = entry.split_first_chunk()?;
                Some((
                    Row(u32::from_le_bytes(*row)),
                    u64::from_le_bytes(*hash.first_chunk()?),
                ))
            }));
        }
        Ok(rows)
    }
}
