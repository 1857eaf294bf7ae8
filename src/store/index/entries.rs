//! The subjects of the records, sorted by address across all chunks: the entries as written, and as sorted before that.
//!
//! ```text
//! addresses   lower half u16, row u32, hash of the record 6 bytes; sorted by address, then row; pieces of 65,536
//! networks    family u8 (4, 6), first address 16 bytes, length u8, is a lone address u8 (0, 1), parent u32, row u32, hash u64;
//!             sorted by family, first address, length, row; pieces of 65,536
//! firsts      family u8, first address 16 bytes, length u8: of networks 0, 128, 256 and so on
//! loose       row u32, hash u64; sorted by row; pieces of 65,536
//! ```
//!
//! Rows are [`RowId`]s, hashes those of `content`. Most records of most feeds have one IPv4 address as their subject. Such an
//! entry takes 12 bytes: the lower half of the address, its row, and the low 6 bytes of the hash.
//!
//! `networks` has the records whose subject is a network or a single IPv6 address. A single address has length 128 and the mark
//! of a lone address; a network of length 128 does not have the mark. An IPv4 network is in `networks` even if its length is 32.
//! Its address is in the first four of the sixteen bytes, the others are 0. First addresses are in network byte order, so that
//! they sort as bytes. All other numbers are little-endian.
//!
//! The *order of addresses* is the merged order of `addresses` and `networks`: by family, first address, length and row, where an
//! IPv4 address has length 32. The records in `loose`, whose subject is missing or unreadable, come last. The file has no such
//! merged list: a reader merges the two.
//!
//! The parent of a network is the position in `networks` of the smallest larger network that covers it, or `0xffff_ffff` if there
//! is none. If several records have that network, it is the position of the first. Records of one network have the same parent.
//! To find the networks that cover an address, take the last network that does not come after the address in the order, then its
//! parent, and so on up to one without a parent. Skip the networks that do not cover the address. The others come the most
//! specific first, each with all records of the same network, which are adjacent.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{IpNet, Ipv4Net, Ipv6Net};
use zerocopy::{
    FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned,
    little_endian::{U16, U32, U64},
};

use super::{
    RowId,
    external_sort::Sorted,
    id::{lower_half, lower_word, place, upper_half},
};
use crate::model::Subject;

pub(super) const PIECE: usize = 1 << 16;
/// The distance between networks that are in `firsts`.
pub(super) const STRETCH: usize = 128;
const NONE: u32 = u32::MAX;

/// A record of one IPv4 address, for sorting.
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct Address {
    bits: U32,
    row: U32,
    hash: U64,
    /// Set when the chunk is full.
    pub(super) clients: U64,
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

    pub(super) fn row(&self) -> RowId {
        RowId(self.row.get())
    }

    pub(super) fn upper(&self) -> u16 {
        upper_half(self.bits.get())
    }

    /// The entry as written.
    pub(super) fn low(&self) -> V4Entry {
        let mut hash = [0; 6];
        hash.copy_from_slice(&self.hash.as_bytes()[..6]);
        V4Entry {
            lower: lower_half(self.bits.get()).into(),
            row: self.row,
            hash,
        }
    }
}

/// A record of one IPv4 address, as written.
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct V4Entry {
    pub(super) lower: U16,
    row: U32,
    /// The low 48 bits of the hash. They suffice, since only records of one address are compared.
    hash: [u8; 6],
}

impl V4Entry {
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

/// A record of a network or of an IPv6 address, as written. A lone address counts as a network.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned,
)]
#[repr(C)]
pub(super) struct NetworkRow {
    family: u8,
    first: [u8; 16],
    length: u8,
    lone: u8,
    parent: U32,
    row: U32,
    pub(super) hash: U64,
}

/// A network with its number of clients, for sorting.
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct SortedNetwork {
    pub(super) network: NetworkRow,
    /// Set when the chunk is full.
    pub(super) clients: U64,
}

/// The sort key of a network.
pub(super) type NetworkKey = (u8, [u8; 16], u8);

/// The sort key of a subject.
pub(super) fn order_of(subject: Subject) -> impl Ord {
    key_of(subject.network())
}

/// A form of the key with the same order, which compares faster.
#[inline]
pub(super) fn rank_of((family, first, length): &NetworkKey) -> (u8, u128, u8) {
    (*family, u128::from_be_bytes(*first), *length)
}

#[inline]
pub(super) fn read_key([family, first @ .., length]: &[u8; 18]) -> NetworkKey {
    (*family, *first, *length)
}

/// Whether a network covers another one or equals it.
#[inline]
pub(super) fn covers(outer: &NetworkKey, inner: &NetworkKey) -> bool {
    let (family, first, length) = outer;
    *family == inner.0
        && *length <= inner.2
        && (u128::from_be_bytes(*first) ^ u128::from_be_bytes(inner.1))
            .checked_shr(128 - u32::from(*length))
            .is_none_or(|differs| differs == 0)
}

fn bytes_of((family, first, length): &NetworkKey) -> [u8; 18] {
    let mut bytes = [0; 18];
    (bytes[0], bytes[17]) = (*family, *length);
    bytes[1..17].copy_from_slice(first);
    bytes
}

impl SortedNetwork {
    pub(super) fn new(subject: Subject, row: RowId, hash: u64) -> Self {
        let network = subject.network();
        let (family, first, length) = key_of(network);
        let network = NetworkRow {
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

impl NetworkRow {
    pub(super) fn row(&self) -> RowId {
        RowId(self.row.get())
    }

    /// Its sort key among networks.
    pub(super) fn order(&self) -> (NetworkKey, RowId) {
        (self.key(), self.row())
    }

    /// Whether it sorts after the record of an IPv4 address.
    pub(super) fn comes_after(&self, address: u32, row: RowId) -> bool {
        let key = key_of(IpAddr::from(Ipv4Addr::from_bits(address)).into());
        (key, row) < self.order()
    }

    pub(super) fn key(&self) -> NetworkKey {
        (self.family, self.first, self.length)
    }

    /// Its key, as written for the first network of a stretch.
    pub(super) fn head(&self) -> [u8; 18] {
        bytes_of(&self.key())
    }

    /// The position of the nearest larger network that covers it.
    pub(super) fn parent(&self) -> Option<usize> {
        let parent = self.parent.get();
        (parent != NONE).then(|| place(parent))
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

pub(super) fn key_of(network: IpNet) -> NetworkKey {
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

/// A record without a readable subject, as written.
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct LooseEntry {
    row: U32,
    hash: U64,
}

/// A record without a readable subject and its number of clients, for sorting.
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct LooseRecord {
    pub(super) entry: LooseEntry,
    /// Set when the chunk is full.
    pub(super) clients: U64,
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
    pub(super) fn row(&self) -> RowId {
        RowId(self.row.get())
    }

    pub(super) fn hash(&self) -> u64 {
        self.hash.get()
    }
}

/// Links each network to its parent; networks must come in order.
#[derive(Debug, Default)]
pub(super) struct Linker {
    place: u32,
    open: Vec<(u32, NetworkRow)>,
}

impl Linker {
    pub(super) fn link(&mut self, network: &mut NetworkRow) {
        let key = network.key();
        while self
            .open
            .last()
            .is_some_and(|(_, last)| !covers(&last.key(), &key))
        {
            self.open.pop();
        }
        match self.open.last() {
            // Of several equal networks, the first stays on the stack for all.
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

    /// Sorts plain numbers of address and index, which is three times as fast. Entries come in the order of rows, so the index
    /// preserves it.
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
    type Order = (NetworkKey, RowId);

    fn order(&self) -> (NetworkKey, RowId) {
        self.network.order()
    }
}

impl Address {
    pub(super) fn bits(&self) -> u32 {
        self.bits.get()
    }
}
