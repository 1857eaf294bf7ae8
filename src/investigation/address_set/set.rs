//! Sets of addresses as the fewest networks that cover exactly them.

use std::{
    iter,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
};

use ipnet::{IpNet, Ipv4Net, Ipv6Net};

use crate::engine::Family;

/// A set of IPv4 and IPv6 addresses.
///
/// It is held as the fewest networks that cover exactly these addresses, which are the same whatever it was made of, by number and
/// disjoint.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AddressSet {
    pub(super) v4: Blocks<u32>,
    pub(super) v6: Blocks<Wide>,
}

/// The number of an IPv6 address: its halves, which take three quarters of the memory of a `u128` with a length beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Wide {
    high: u64,
    low: u64,
}

/// The number of an address.
pub(super) trait Number: Copy + Ord {
    /// Its bits.
    const BITS: u8;
    fn to_bits(self) -> u128;
    /// The lower bits of a number.
    fn of_bits(bits: u128) -> Self;
}

impl Number for u32 {
    const BITS: u8 = 32;

    fn to_bits(self) -> u128 {
        self.into()
    }

    #[expect(clippy::cast_possible_truncation, reason = "numbers of IPv4 addresses")]
    fn of_bits(bits: u128) -> Self {
        bits as Self
    }
}

impl Number for Wide {
    const BITS: u8 = 128;

    fn to_bits(self) -> u128 {
        u128::from(self.high) << 64 | u128::from(self.low)
    }

    #[expect(clippy::cast_possible_truncation, reason = "the halves")]
    fn of_bits(bits: u128) -> Self {
        Self {
            high: (bits >> 64) as u64,
            low: bits as u64,
        }
    }
}

/// A network: its first address and the length of its prefix. There may be tens of millions: aligned, three bytes of eight would be
/// nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(Rust, packed)]
pub(super) struct Block<N> {
    pub(super) first: N,
    pub(super) length: u8,
}

impl<N: Number> Block<N> {
    /// The bits that vary within it.
    pub(super) fn host_bits(self) -> u128 {
        match N::BITS - self.length {
            128 => u128::MAX,
            bits => (1 << bits) - 1,
        }
    }

    pub(super) fn last(self) -> u128 {
        self.first.to_bits() | self.host_bits()
    }

    /// The network that this and the next one make up, if they do.
    fn joined(self, next: Self) -> Option<Self> {
        if self.length != next.length || self.length == 0 {
            return None;
        }
        let half = self.host_bits() + 1;
        let is_lower = self.first.to_bits() & half == 0;
        (is_lower && self.first.to_bits() | half == next.first.to_bits()).then_some(Self {
            first: self.first,
            length: self.length - 1,
        })
    }
}

/// The room that networks begin with.
const LEAST_ROOM: usize = 64;

/// Networks of one family, by number and disjoint, no two of which make up one.
pub(super) type Blocks<N> = Vec<Block<N>>;

/// The first and the last of the addresses without a gap.
pub(super) type Range = (u128, u128);

/// Adds a network that begins behind the ones before, or within the last of them.
fn push<N: Number>(blocks: &mut Blocks<N>, next: Block<N>) {
    if blocks
        .last()
        .is_some_and(|last| next.first.to_bits() <= last.last())
    {
        return;
    }
    let mut next = next;
    while let Some(joined) = blocks.last().and_then(|last| last.joined(next)) {
        blocks.pop();
        next = joined;
    }
    blocks.push(next);
}

/// Sorts networks and leaves the fewest that cover the same addresses. In place: there may be millions.
fn normalize<N: Number>(blocks: &mut Blocks<N>) {
    // A larger network is before the smaller ones in it.
    blocks.sort_unstable();
    let mut kept = 0;
    for place in 0..blocks.len() {
        let mut next = blocks[place];
        if kept > 0 && next.first.to_bits() <= blocks[kept - 1].last() {
            continue;
        }
        while kept > 0
            && let Some(joined) = blocks[kept - 1].joined(next)
        {
            kept -= 1;
            next = joined;
        }
        blocks[kept] = next;
        kept += 1;
    }
    blocks.truncate(kept);
    // Moving it takes as much again for a moment.
    if blocks.capacity() - kept > kept / 4 {
        blocks.shrink_to_fit();
    }
}

/// Adds a network to those that are read. Their room grows by a quarter and not to twice as much: there may be millions.
fn append<N>(blocks: &mut Blocks<N>, next: Block<N>) {
    if blocks.len() == blocks.capacity() {
        blocks.reserve_exact(blocks.len() / 4 + LEAST_ROOM);
    }
    blocks.push(next);
}

/// The addresses of networks, as ranges with gaps between them.
fn ranges<N: Number>(blocks: &[Block<N>]) -> impl Iterator<Item = Range> {
    let mut blocks = blocks.iter().peekable();
    iter::from_fn(move || {
        let block = blocks.next()?;
        let (first, mut last) = (block.first.to_bits(), block.last());
        while let Some(next) =
            blocks.next_if(|next| last.checked_add(1) == Some(next.first.to_bits()))
        {
            last = next.last();
        }
        Some((first, last))
    })
}

/// The networks of a range.
fn blocks<N: Number>((first, last): Range) -> impl Iterator<Item = Block<N>> {
    let mut next = (first <= last).then_some(first);
    iter::from_fn(move || {
        let first = next?;
        // As large as the first address allows, and no larger than the range.
        let aligned = first.trailing_zeros().min(N::BITS.into());
        let fits = (last - first).checked_add(1).map_or(128, u128::ilog2);
        let bits = u8::try_from(aligned.min(fits)).unwrap_or(0);
        let block = Block {
            first: N::of_bits(first),
            length: N::BITS - bits,
        };
        next = block.last().checked_add(1).filter(|next| *next <= last);
        Some(block)
    })
}

/// What two sets are combined to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetOperation {
    /// What is in either.
    Union,
    /// What is in both.
    Intersect,
    /// What is in the first alone.
    Subtract,
}

/// The ranges of one operation on two sets: the places where either begins or ends are walked in order.
fn combined<N: Number>((a, b): (&[Block<N>], &[Block<N>]), operation: SetOperation) -> Blocks<N> {
    let is_wanted = |in_a: bool, in_b: bool| match operation {
        SetOperation::Union => in_a || in_b,
        SetOperation::Intersect => in_a && in_b,
        SetOperation::Subtract => in_a && !in_b,
    };
    let mut blocks = Vec::new();
    // Room that is not used is not taken, and a result that grows would be in memory twice. Without it, it grows.
    let _ = blocks.try_reserve_exact(a.len() + b.len());
    let (mut a, mut b) = (ranges(a), ranges(b));
    let (mut of_a, mut of_b) = (a.next(), b.next());
    // The first address that was not looked at.
    let mut at = 0;
    loop {
        // Up to where nothing changes, and whether that lies in each.
        let ahead = |range: Option<Range>| match range {
            None => (u128::MAX, false),
            Some((first, _)) if at < first => (first - 1, false),
            Some((_, last)) => (last, true),
        };
        let ((to_a, in_a), (to_b, in_b)) = (ahead(of_a), ahead(of_b));
        let to = to_a.min(to_b);
        if is_wanted(in_a, in_b) {
            for block in self::blocks((at, to)) {
                push(&mut blocks, block);
            }
        }
        if of_a.is_some_and(|(_, last)| last == to) {
            of_a = a.next();
        }
        if of_b.is_some_and(|(_, last)| last == to) {
            of_b = b.next();
        }
        if (of_a.is_none() && of_b.is_none()) || to == u128::MAX {
            return blocks;
        }
        at = to + 1;
    }
}

/// The number of addresses; one too few for all of IPv6.
fn number<N: Number>(blocks: &[Block<N>]) -> u128 {
    let each = blocks.iter().map(|block| block.host_bits());
    each.fold(0, |all: u128, bits| {
        all.saturating_add(bits).saturating_add(1)
    })
}

/// Whether a number of a range is in these.
pub(super) fn meets<N: Number>(blocks: &[Block<N>], (first, last): Range) -> bool {
    let after = blocks.partition_point(|block| block.first.to_bits() <= last);
    after > 0 && first <= blocks[after - 1].last()
}

impl AddressSet {
    /// The set of these networks.
    #[must_use]
    pub fn of(networks: impl IntoIterator<Item = IpNet>) -> Self {
        let mut builder = AddressSetBuilder::default();
        for network in networks {
            builder.add(network);
        }
        builder.end()
    }

    /// This set combined with another.
    #[must_use]
    pub fn combined(&self, other: &Self, operation: SetOperation) -> Self {
        Self {
            v4: combined((&self.v4, &other.v4), operation),
            v6: combined((&self.v6, &other.v6), operation),
        }
    }

    /// The addresses of one family.
    #[must_use]
    pub fn of_family(&self, family: Family) -> Self {
        let mut set = Self::default();
        match family {
            Family::V4 => set.v4.clone_from(&self.v4),
            Family::V6 => set.v6.clone_from(&self.v6),
        }
        set
    }

    /// The fewest networks that cover exactly this set, IPv4 first, by number.
    ///
    /// # Panics
    /// Never: no length is beyond its family.
    pub fn networks(&self) -> impl Iterator<Item = IpNet> {
        let v4 = self.v4.iter().map(|block| {
            Ipv4Net::new_assert(Ipv4Addr::from_bits(block.first), block.length).into()
        });
        let v6 = self.v6.iter().map(|block| {
            let first = Ipv6Addr::from_bits(block.first.to_bits());
            Ipv6Net::new_assert(first, block.length).into()
        });
        v4.chain(v6)
    }

    /// The number of these networks.
    #[must_use]
    pub fn len(&self) -> usize {
        self.v4.len() + self.v6.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of addresses; one too few for all of IPv6.
    #[must_use]
    pub fn addresses(&self) -> u128 {
        number(&self.v4).saturating_add(number(&self.v6))
    }

    /// Whether an address of a network is in it.
    #[must_use]
    pub fn meets(&self, network: IpNet) -> bool {
        match unmapped(network) {
            IpNet::V4(network) => {
                let ends = [network.network(), network.broadcast()];
                let [first, last] = ends.map(|end| end.to_bits().into());
                meets(&self.v4, (first, last))
            }
            IpNet::V6(network) => {
                let [first, last] = [network.network(), network.broadcast()].map(Ipv6Addr::to_bits);
                meets(&self.v6, (first, last))
            }
        }
    }

    #[must_use]
    pub fn contains(&self, address: IpAddr) -> bool {
        self.meets(address.into())
    }
}

/// A set that is being read: its networks in any order, within each other or twice.
#[derive(Debug, Default)]
pub struct AddressSetBuilder(AddressSet);

impl AddressSetBuilder {
    /// Adds a network. IPv4-mapped IPv6 is IPv4, which is how others read it.
    pub fn add(&mut self, network: IpNet) {
        match unmapped(network) {
            IpNet::V4(network) => {
                let first = network.network().to_bits();
                let length = network.prefix_len();
                append(&mut self.0.v4, Block { first, length });
            }
            IpNet::V6(network) => {
                let first = Wide::of_bits(network.network().to_bits());
                let length = network.prefix_len();
                append(&mut self.0.v6, Block { first, length });
            }
        }
    }

    /// Adds the addresses from one to another of the same family, both included; false where they are not in this order.
    #[must_use]
    pub fn add_range(&mut self, first: IpAddr, last: IpAddr) -> bool {
        match (first.to_canonical(), last.to_canonical()) {
            (IpAddr::V4(first), IpAddr::V4(last)) if first <= last => {
                let range = (first.to_bits().into(), last.to_bits().into());
                blocks(range).for_each(|block| append(&mut self.0.v4, block));
            }
            (IpAddr::V6(first), IpAddr::V6(last)) if first <= last => {
                let range = (first.to_bits(), last.to_bits());
                blocks(range).for_each(|block| append(&mut self.0.v6, block));
            }
            _ => return false,
        }
        true
    }

    #[must_use]
    pub fn end(mut self) -> AddressSet {
        normalize(&mut self.0.v4);
        normalize(&mut self.0.v6);
        self.0
    }
}

/// A network of IPv4-mapped addresses (`::ffff:0:0/96` and below) as the IPv4 network.
#[must_use]
fn unmapped(network: IpNet) -> IpNet {
    const MAPPED: u8 = 96;
    let IpNet::V6(v6) = network else {
        return network;
    };
    let within = v6.prefix_len().checked_sub(MAPPED);
    let v4 = within.zip(v6.network().to_ipv4_mapped());
    v4.and_then(|(length, address)| Ipv4Net::new(address, length).ok())
        .map_or(network, IpNet::V4)
}

#[cfg(test)]
mod tests;
