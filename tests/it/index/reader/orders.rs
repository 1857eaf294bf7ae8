//! Records by what they are about and by number of clients.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::{
    Reader,
    bytes::{Bytes, set_bits},
    kind,
};

/// Entries of a piece.
const PIECE: u32 = 65_536;
/// Records of a block of the order by clients.
const BLOCK: u32 = 128;

/// A network, or a lone address of IPv6.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Network {
    pub(super) first: IpAddr,
    pub(super) length: u8,
    pub(super) is_address: bool,
    /// The place of the nearest network that covers it.
    pub(super) parent: Option<u32>,
    pub(super) row: u32,
}

impl Network {
    /// Whether an address lies in it.
    pub(super) fn covers(&self, address: IpAddr) -> bool {
        let bits = |address| match address {
            IpAddr::V4(address) => u128::from(Ipv4Addr::to_bits(address)) << 96,
            IpAddr::V6(address) => address.to_bits(),
        };
        let same = (bits(self.first) ^ bits(address)).leading_zeros();
        self.first.is_ipv4() == address.is_ipv4() && same >= self.length.into()
    }

    /// A network with the hash of its record.
    fn read(bytes: &mut Bytes) -> Option<(Self, u64)> {
        let (family, first) = (bytes.u8()?, bytes.array::<16>()?);
        let network = Self {
            first: match (family, first) {
                (4, [a, b, c, d, ..]) => Ipv4Addr::new(a, b, c, d).into(),
                (6, _) => Ipv6Addr::from(first).into(),
                _ => return None,
            },
            length: bytes.u8()?,
            is_address: bytes.u8()? == 1,
            parent: Some(bytes.u32()?).filter(|parent| *parent != u32::MAX),
            row: bytes.u32()?,
        };
        Some((network, bytes.u64()?))
    }
}

impl Reader<'_> {
    /// The rows about an IPv4 address.
    pub(super) fn rows_of_address(&self, address: Ipv4Addr) -> Option<Vec<u32>> {
        let [upper, lower] = [address.to_bits() >> 16, address.to_bits() & 0xffff];
        let mut start = 0;
        for (number, end) in self.prefixes()? {
            if u32::from(number) == upper {
                let addresses: Option<Vec<_>> = (start..end).map(|at| self.address(at)).collect();
                let addresses = addresses?.into_iter();
                let same = addresses.filter(|(number, _)| u32::from(*number) == lower);
                return Some(same.map(|(_, row)| row).collect());
            }
            start = end;
        }
        Some(Vec::new())
    }

    /// The upper halves of addresses, and how many addresses there are up to the last of each.
    fn prefixes(&self) -> Option<Vec<(u16, u32)>> {
        let prefixes = self.section(kind::PREFIXES, 0)?;
        prefixes.all(|bytes| Some((bytes.u16()?, bytes.u32()?)))
    }

    /// The lower half of the address at a place among addresses, and its row.
    fn address(&self, place: u32) -> Option<(u16, u32)> {
        let mut piece = self.section(kind::ADDRESSES, place / PIECE)?;
        piece.take(place % PIECE * 12)?;
        Some((piece.u16()?, piece.u32()?))
    }

    /// Networks and IPv6 addresses, in order.
    pub(super) fn networks(&self) -> Option<Vec<Network>> {
        let networks = self.items(kind::NETWORKS, Network::read)?.into_iter();
        Some(networks.map(|(network, _)| network).collect())
    }

    /// The networks that cover an address, or are it, the most specific first.
    pub(super) fn covering(&self, address: IpAddr) -> Option<Vec<Network>> {
        let networks = self.networks()?;
        let at_or_before = networks.partition_point(|network| network.first <= address);
        let mut next = at_or_before.checked_sub(1);
        let mut found = Vec::new();
        while let Some(place) = next {
            let network = networks.get(place)?;
            let same =
                |other: &&Network| (other.first, other.length) == (network.first, network.length);
            if network.covers(address) {
                let all = networks.iter().filter(same);
                found.extend(all.cloned());
            }
            next = network.parent.map(|parent| parent as usize);
        }
        Some(found)
    }

    /// The rows that are about nothing that can be read, with the hashes of their records.
    fn loose(&self) -> Option<Vec<(u32, u64)>> {
        self.items(kind::LOOSE, |bytes| Some((bytes.u32()?, bytes.u64()?)))
    }

    /// Each row with the hash of its record, of which the low bits may be all there are.
    pub(super) fn hashes(&self) -> Option<Vec<(u32, u64, u64)>> {
        let address = |bytes: &mut Bytes| Some((bytes.u16()?, bytes.u32()?, bytes.number(6)?));
        let addresses = self.items(kind::ADDRESSES, address)?.into_iter();
        let networks = self.items(kind::NETWORKS, Network::read)?.into_iter();
        let networks = networks.map(|(network, hash)| (network.row, hash));
        let addresses = addresses.map(|(_, row, hash)| (row, hash, (1 << 48) - 1));
        let others = networks
            .chain(self.loose()?)
            .map(|(row, hash)| (row, hash, u64::MAX));
        Some(addresses.chain(others).collect())
    }

    /// The rows in the order of addresses: the row at a place is the one at this index.
    pub(super) fn rows_by_address(&self) -> Option<Vec<u32>> {
        let mut subjects = Vec::new();
        let mut start = 0;
        for (upper, end) in self.prefixes()? {
            for place in start..end {
                let (lower, row) = self.address(place)?;
                let address = Ipv4Addr::from_bits(u32::from(upper) << 16 | u32::from(lower));
                subjects.push((IpAddr::V4(address), 32, row));
            }
            start = end;
        }
        let networks = self.networks()?.into_iter();
        subjects.extend(networks.map(|network| (network.first, network.length, network.row)));
        subjects.sort_unstable();
        let loose = self.loose()?.into_iter().map(|(row, _)| row);
        let subjects = subjects.into_iter().map(|(_, _, row)| row);
        Some(subjects.chain(loose).collect())
    }

    /// The rows of a chunk by number of clients, the busiest first.
    pub(super) fn rows_by_clients(&self, chunk: u32) -> Option<Vec<(u64, Vec<u16>)>> {
        let mut section = self.section(kind::CLIENTS, chunk)?;
        let (runs, words) = (section.u32()?, section.u32()?);
        let known = set_bits(&section.many(words, Bytes::u64)?);
        let clients = section.many(runs, Bytes::u64)?;
        let ends = section.many(runs, Bytes::u32)?;
        let rows = section.all(Bytes::u16)?;
        let mut sorted = rows.clone();
        sorted.sort_unstable();
        let starts = [0].into_iter().chain(ends.clone());
        let runs = clients.into_iter().zip(starts.zip(ends));
        let runs = runs.map(|(clients, (start, end))| {
            Some((clients, rows.get(start as usize..end as usize)?.to_vec()))
        });
        (sorted == known).then(|| runs.collect())?
    }

    /// Each number of clients, and how many records there are up to its last, the most first.
    fn clients_order(&self) -> Option<Vec<(u64, u32)>> {
        let order = self.section(kind::CLIENTS_ORDER, 0)?;
        order.all(|bytes| Some((bytes.u64()?, bytes.u32()?)))
    }

    /// The number of clients of the record at a position in the order by clients, and its place.
    pub(super) fn at_position(&self, position: u32) -> Option<(u64, u32)> {
        let order = self.clients_order()?;
        let (clients, _) = order.into_iter().find(|(_, end)| position < *end)?;
        let piece = position / PIECE;
        let records = u32::try_from(self.records)
            .ok()?
            .checked_sub(piece * PIECE)?
            .min(PIECE);
        let mut blocks = self.section(kind::CLIENTS_BLOCKS, piece)?;
        let heads = records.div_ceil(BLOCK);
        let heads = blocks.many(heads, |bytes| Some((bytes.u32()?, bytes.u32()?)))?;
        let block = (position % PIECE / BLOCK) as usize;
        let start = block.checked_sub(1).map_or(0, |before| heads[before].1);
        let (mut place, end) = *heads.get(block)?;
        let mut distances = blocks.range(start.into(), end.into())?;
        for _ in 0..position % BLOCK {
            let distance = distances.variable_u32()?;
            place = place.wrapping_add(distance).wrapping_add(1);
        }
        Some((clients, place))
    }

    /// The position, in the order by clients, of the record at a place that has so many clients.
    pub(super) fn position(&self, clients: u64, place: u32) -> Option<u32> {
        let order = self.clients_order()?;
        let run = order.iter().position(|(number, _)| *number == clients)?;
        let mut low = run.checked_sub(1).map_or(0, |before| order[before].1);
        let mut high = order[run].1;
        while low < high {
            let middle = low.midpoint(high);
            match self.at_position(middle)?.1.cmp(&place) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }
}
