//! What records are about, in the order of addresses, across all chunks: for lookups, for networks in a filter, for
//! ranking, and for comparing two days.
//!
//! ```text
//! addresses   lower half u16, row u32, hash of the record 6 bytes; sorted by address, then row; pieces of 65,536
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

use super::{
    NoAnswer, RowId,
    along::All,
    file::Sections,
    id::{lower_half, lower_word, place, upper_half},
    kinds,
    prefixes::{Prefixes, halves},
    runs::Sorted,
};
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
    /// Known when the chunk is full.
    clients: U64,
}

impl Address {
    pub(super) fn new(address: Ipv4Addr, row: RowId, hash: u64) -> Self {
        Self {
            bits: address.to_bits().into(),
            row: row.0.into(),
            hash: hash.into(),
            clients: 0.into(),
        }
    }

    pub(super) fn upper(&self) -> u16 {
        upper_half(self.bits.get())
    }

    /// As it is written.
    pub(super) fn low(&self) -> Low {
        let mut hash = [0; 6];
        hash.copy_from_slice(&self.hash.as_bytes()[..6]);
        Low {
            lower: lower_half(self.bits.get()).into(),
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
    row: U32,
    /// The low 48 bits of the hash: two lines of one address are compared, not each with all others.
    hash: [u8; 6],
}

impl Low {
    #[inline]
    pub(super) fn row(&self) -> RowId {
        RowId(self.row.get())
    }

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
    row: U32,
    pub(super) hash: U64,
}

/// The same as it is sorted.
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct SortedNetwork {
    pub(super) network: Network,
    /// Known when the chunk is full.
    clients: U64,
}

/// What is sorted, by the row that it is of.
pub(super) trait OfRow {
    fn row(&self) -> RowId;
    /// The number of clients in its row, 0 where none is known.
    fn clients(&self) -> u64;
    fn set_clients(&mut self, clients: u64);
}

impl OfRow for Address {
    fn row(&self) -> RowId {
        RowId(self.row.get())
    }

    fn clients(&self) -> u64 {
        self.clients.get()
    }

    fn set_clients(&mut self, clients: u64) {
        self.clients = clients.into();
    }
}

impl OfRow for SortedNetwork {
    fn row(&self) -> RowId {
        self.network.row()
    }

    fn clients(&self) -> u64 {
        self.clients.get()
    }

    fn set_clients(&mut self, clients: u64) {
        self.clients = clients.into();
    }
}

impl OfRow for LooseRecord {
    fn row(&self) -> RowId {
        self.entry.row()
    }

    fn clients(&self) -> u64 {
        self.clients.get()
    }

    fn set_clients(&mut self, clients: u64) {
        self.clients = clients.into();
    }
}

/// Where a network stands in the order.
pub(super) type Key = (u8, [u8; 16], u8);

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

impl SortedNetwork {
    pub(super) fn new(subject: Subject, row: RowId, hash: u64) -> Self {
        let network = network_of(subject);
        let (family, first, length) = key_of(network);
        let network = Network {
            family,
            first,
            length,
            lone: u8::from(matches!(subject, Subject::Address(_))),
            parent: NONE.into(),
            row: row.0.into(),
            hash: hash.into(),
        };
        Self {
            network,
            clients: 0.into(),
        }
    }
}

impl Network {
    pub(super) fn row(&self) -> RowId {
        RowId(self.row.get())
    }

    /// Where it stands among networks.
    pub(super) fn order(&self) -> (Key, RowId) {
        (self.key(), self.row())
    }

    /// Whether the record of an IPv4 address comes before it.
    pub(super) fn comes_after(&self, address: u32, row: RowId) -> bool {
        let key = key_of(IpAddr::from(Ipv4Addr::from_bits(address)).into());
        (key, row) < self.order()
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

/// How many subjects there are of each kind.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counts {
    pub(super) addresses: usize,
    pub(super) networks: usize,
    pub(super) loose: usize,
}

/// A row about nothing that can be read, as it is written.
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct LooseEntry {
    row: U32,
    hash: U64,
}

/// The same as it is sorted.
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct LooseRecord {
    pub(super) entry: LooseEntry,
    clients: U64,
}

impl LooseRecord {
    pub(super) fn new(row: RowId, hash: u64) -> Self {
        let entry = LooseEntry {
            row: row.0.into(),
            hash: hash.into(),
        };
        Self {
            entry,
            clients: 0.into(),
        }
    }
}

impl Sorted for LooseRecord {
    type Order = RowId;

    fn order(&self) -> RowId {
        self.entry.row()
    }
}

impl LooseEntry {
    fn row(&self) -> RowId {
        RowId(self.row.get())
    }
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
            .map(|key| entries[place(lower_word(*key))])
            .collect();
    }
}

impl Sorted for SortedNetwork {
    type Order = (Key, RowId);

    fn order(&self) -> (Key, RowId) {
        self.network.order()
    }
}

impl Address {
    /// Its number.
    pub(super) fn bits(&self) -> u32 {
        self.bits.get()
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
        self.piece(kinds::ADDRESSES, piece)
    }

    pub(super) fn networks(self, piece: usize) -> Result<&'a [Network], NoAnswer> {
        self.piece(kinds::NETWORKS, piece)
    }

    /// The entries of a piece: all pieces but the last are whole, and the last is not empty.
    #[inline]
    fn piece<T>(self, kind: u32, piece: usize) -> Result<&'a [T], NoAnswer>
    where
        T: FromBytes + Immutable + KnownLayout + Unaligned,
    {
        let entries = <[T]>::ref_from_bytes(self.0.get(kind, piece)?).map_err(odd)?;
        let is_last = piece + 1 == self.0.count(kind);
        let is_whole = entries.len() == PIECE || is_last && (1..PIECE).contains(&entries.len());
        is_whole.then_some(entries).ok_or_else(|| odd(()))
    }

    fn network(self, place: usize) -> Result<&'a Network, NoAnswer> {
        self.networks(place / PIECE)?
            .get(place % PIECE)
            .ok_or_else(|| odd(()))
    }

    pub(super) fn prefixes(self) -> Result<Prefixes<'a>, NoAnswer> {
        Prefixes::read(self.0.get(kinds::PREFIXES, 0)?)
    }

    fn low(self, place: usize) -> Result<&'a Low, NoAnswer> {
        self.lows(place / PIECE)?
            .get(place % PIECE)
            .ok_or_else(|| odd(()))
    }

    /// How many subjects there are of each kind, which together are all records.
    pub(super) fn counts(self) -> Result<Counts, NoAnswer> {
        let counts = Counts {
            addresses: self.count::<Low>(kinds::ADDRESSES)?,
            networks: self.network_count()?,
            loose: self.count::<LooseEntry>(kinds::LOOSE)?,
        };
        let Counts {
            addresses,
            networks,
            loose,
        } = counts;
        let is_all = (addresses + networks + loose) as u64 == self.0.records();
        let is_whole = is_all && self.prefixes()?.addresses() == addresses;
        is_whole.then_some(counts).ok_or_else(|| odd(()))
    }

    /// How many entries the pieces of a kind hold.
    fn count<T>(self, kind: u32) -> Result<usize, NoAnswer>
    where
        T: FromBytes + Immutable + KnownLayout + Unaligned + 'a,
    {
        match self.0.count(kind).checked_sub(1) {
            None => Ok(0),
            Some(last) => Ok(last * PIECE + self.piece::<T>(kind, last)?.len()),
        }
    }

    /// The first place at or behind which addresses are not below this one.
    fn place_of(self, address: u64) -> Result<usize, NoAnswer> {
        let Ok(address) = u32::try_from(address) else {
            return self.prefixes().map(Prefixes::addresses);
        };
        let (upper, lower) = halves(address);
        let Range {
            start: mut from,
            end: mut to,
        } = self.prefixes()?.of(upper);
        while from < to {
            let middle = from.midpoint(to);
            if self.low(middle)?.lower < lower {
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
        self.count::<Network>(kinds::NETWORKS)
    }

    /// The records of an address with the place of the first of them, in the order of the file.
    pub(super) fn alike(
        self,
        address: Ipv4Addr,
    ) -> Result<(usize, impl Iterator<Item = Result<&'a Low, NoAnswer>>), NoAnswer> {
        let (upper, lower) = halves(address.to_bits());
        let from = self.place_of(address.to_bits().into())?;
        let end = self.prefixes()?.of(upper).end;
        let alike = (from..end).map(move |place| self.low(place));
        let is_alike =
            move |low: &Result<&Low, _>| low.as_ref().map_or(true, |low| low.lower == lower);
        Ok((from, alike.take_while(is_alike)))
    }

    /// The rows about exactly this network or address, in the order of the file, then those about networks that cover it, the most
    /// specific first.
    pub(super) fn covering(self, network: IpNet) -> Result<Vec<RowId>, NoAnswer> {
        let mut rows = Vec::new();
        if let IpNet::V4(network) = network
            && network.prefix_len() == 32
        {
            let (_, alike) = self.alike(network.addr())?;
            for low in alike {
                rows.push(low?.row());
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
            next = (parent != NONE).then_some(self::place(parent));
            steps += 1;
            if steps > 129 {
                return Err(odd(()));
            }
        }
        Ok(rows)
    }

    /// Adds the rows of networks of this key, of which the first is at this place.
    fn rows_alike(self, place: usize, key: &Key, rows: &mut Vec<RowId>) -> Result<(), NoAnswer> {
        let count = self.network_count()?;
        for place in place..count {
            let network = self.network(place)?;
            if network.key() != *key {
                break;
            }
            rows.push(network.row());
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
        mut visit: impl FnMut(RowId),
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
            visit(own.row());
        }
        Ok(())
    }

    /// The rows about IPv4 addresses at some places.
    pub(super) fn each_low(
        self,
        places: Range<usize>,
        mut visit: impl FnMut(RowId),
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
                .for_each(|low| visit(low.row()));
            from = to;
        }
        Ok(())
    }

    /// All subjects in order: IPv4 before IPv6, by first address, the larger network first, then by row.
    pub(super) fn all(self) -> All<'a> {
        All::of(self)
    }

    /// Rows about nothing that can be read.
    pub(super) fn loose(self) -> Result<Vec<(RowId, u64)>, NoAnswer> {
        let mut rows = Vec::new();
        for piece in 0..self.0.count(kinds::LOOSE) {
            let entries = self.piece::<LooseEntry>(kinds::LOOSE, piece)?.iter();
            rows.extend(entries.map(|entry| (entry.row(), entry.hash.get())));
        }
        Ok(rows)
    }

    /// The row at a place in the order: of addresses and networks, at the end those about nothing that can be read.
    pub(super) fn row_at(self, place: usize) -> Result<RowId, NoAnswer> {
        let Counts {
            addresses,
            networks,
            ..
        } = self.counts()?;
        if let Some(loose) = place.checked_sub(addresses + networks) {
            let piece = self.piece::<LooseEntry>(kinds::LOOSE, loose / PIECE)?;
            let entry = piece.get(loose % PIECE).ok_or_else(|| odd(()))?;
            return Ok(entry.row());
        }
        let (address, network) = self.split(place, addresses, networks)?;
        if network == networks {
            return self.low(address).map(Low::row);
        }
        if address == addresses {
            return self.network(network).map(Network::row);
        }
        let network = self.network(network)?;
        let (bits, row) = self.address_at(address)?;
        Ok(if network.comes_after(bits, row) {
            row
        } else {
            network.row()
        })
    }

    /// How many of the first so many subjects are addresses, and how many are networks.
    fn split(
        self,
        first: usize,
        addresses: usize,
        networks: usize,
    ) -> Result<(usize, usize), NoAnswer> {
        let (mut from, mut to) = (first.saturating_sub(networks), first.min(addresses));
        while from < to {
            let middle = from.midpoint(to);
            let (bits, row) = self.address_at(middle)?;
            if self.network(first - middle - 1)?.comes_after(bits, row) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        Ok((from, first - from))
    }

    /// The address at a place among addresses, and its row.
    fn address_at(self, place: usize) -> Result<(u32, RowId), NoAnswer> {
        let (upper, _) = self.prefixes()?.at(place).ok_or_else(|| odd(()))?;
        let low = self.low(place)?;
        Ok((
            u32::from(upper) << 16 | u32::from(low.lower.get()),
            low.row(),
        ))
    }

    /// The place in the order of a row that is about this.
    pub(super) fn place_of_row(
        self,
        row: RowId,
        subject: Option<Subject>,
    ) -> Result<usize, NoAnswer> {
        let Counts {
            addresses,
            networks,
            ..
        } = self.counts()?;
        let at = |found: Option<usize>| found.ok_or_else(|| odd(()));
        let Some(subject) = subject else {
            let loose = self.loose()?;
            let found = loose.binary_search_by_key(&row, |(own, _)| *own).ok();
            return Ok(addresses + networks + at(found)?);
        };
        if let Subject::Address(IpAddr::V4(address)) = subject {
            let (first, alike) = self.alike(address)?;
            let mut place = None;
            for (count, low) in alike.enumerate() {
                if low?.row() == row {
                    place = Some(first + count);
                    break;
                }
            }
            let place = at(place)?;
            // Networks before it: those of lower keys, and of its own key in lower rows.
            let key = key_of(IpAddr::from(address).into());
            let mut before = self.network_place(&key)?;
            while before < networks && self.network(before)?.order() < (key, row) {
                before += 1;
            }
            return Ok(place + before);
        }
        let key = key_of(network_of(subject));
        let mut place = self.network_place(&key)?;
        while self.network(place)?.row() != row {
            if self.network(place)?.key() != key {
                return Err(odd(()));
            }
            place += 1;
        }
        let network = *self.network(place)?;
        // Addresses before it, of which few can be alike.
        let IpNet::V4(own) = network_of(subject) else {
            return Ok(place + addresses);
        };
        let mut before = self.place_of(own.network().to_bits().into())?;
        while before < addresses {
            let (bits, row) = self.address_at(before)?;
            if !network.comes_after(bits, row) {
                break;
            }
            before += 1;
        }
        Ok(place + before)
    }
}
