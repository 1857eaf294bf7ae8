//! The subjects of an index that was written, in the order of addresses: for lookups, for networks in a filter, for pages of a table, and
//! for comparing two days. How they are written: `entries`.

use std::{
    net::{IpAddr, Ipv4Addr},
    ops::Range,
};

use ipnet::IpNet;
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

use super::{
    QueryError, RowId,
    entries::{
        LooseEntry, NetworkKey, NetworkRow, PIECE, STRETCH, V4Entry, covers, key_of, rank_of,
        read_key,
    },
    file::MappedFile,
    section_kind,
    v4_prefix::{Prefixes, halves},
};
use crate::model::Subject;

/// How many subjects there are of each kind.
#[derive(Clone, Copy, Debug)]
pub(super) struct SubjectCounts {
    pub(super) addresses: usize,
    pub(super) networks: usize,
    pub(super) loose: usize,
}

/// The subjects of an index that was written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Subjects<'a>(pub(super) &'a MappedFile);

pub(super) fn damaged<T>(_: T) -> QueryError {
    QueryError::Damaged("the order of addresses does not add up".to_owned())
}

impl<'a> Subjects<'a> {
    pub(super) fn lows(self, piece: usize) -> Result<&'a [V4Entry], QueryError> {
        self.piece(section_kind::ADDRESSES, piece)
    }

    pub(super) fn networks(self, piece: usize) -> Result<&'a [NetworkRow], QueryError> {
        self.piece(section_kind::NETWORKS, piece)
    }

    /// The entries of a piece: all pieces but the last are whole, and the last is not empty.
    #[inline]
    fn piece<T>(self, kind: u32, piece: usize) -> Result<&'a [T], QueryError>
    where
        T: FromBytes + Immutable + KnownLayout + Unaligned,
    {
        let entries = <[T]>::ref_from_bytes(self.0.get(kind, piece)?).map_err(damaged)?;
        let is_last = piece + 1 == self.0.count(kind);
        let is_whole = entries.len() == PIECE || is_last && (1..PIECE).contains(&entries.len());
        is_whole.then_some(entries).ok_or_else(|| damaged(()))
    }

    fn network(self, place: usize) -> Result<&'a NetworkRow, QueryError> {
        self.networks(place / PIECE)?
            .get(place % PIECE)
            .ok_or_else(|| damaged(()))
    }

    pub(super) fn prefixes(self) -> Result<Prefixes<'a>, QueryError> {
        Prefixes::read(self.0.get(section_kind::PREFIXES, 0)?)
    }

    fn low(self, place: usize) -> Result<&'a V4Entry, QueryError> {
        self.lows(place / PIECE)?
            .get(place % PIECE)
            .ok_or_else(|| damaged(()))
    }

    /// How many subjects there are of each kind, which together are all records.
    pub(super) fn counts(self) -> Result<SubjectCounts, QueryError> {
        let counts = SubjectCounts {
            addresses: self.count::<V4Entry>(section_kind::ADDRESSES)?,
            networks: self.network_count()?,
            loose: self.count::<LooseEntry>(section_kind::LOOSE)?,
        };
        let SubjectCounts {
            addresses,
            networks,
            loose,
        } = counts;
        let is_all = (addresses + networks + loose) as u64 == self.0.records();
        let is_whole = is_all && self.prefixes()?.addresses() == addresses;
        is_whole.then_some(counts).ok_or_else(|| damaged(()))
    }

    /// How many entries the pieces of a kind hold.
    fn count<T>(self, kind: u32) -> Result<usize, QueryError>
    where
        T: FromBytes + Immutable + KnownLayout + Unaligned + 'a,
    {
        match self.0.count(kind).checked_sub(1) {
            None => Ok(0),
            Some(last) => Ok(last * PIECE + self.piece::<T>(kind, last)?.len()),
        }
    }

    /// The first place at or behind which addresses are not below this one.
    fn place_of(self, address: u64) -> Result<usize, QueryError> {
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
    fn network_place(self, key: &NetworkKey) -> Result<usize, QueryError> {
        let firsts = self.0.get(section_kind::FIRSTS, 0)?;
        let (firsts, _) = firsts.as_chunks::<18>();
        let key = rank_of(key);
        // The last stretch that begins below the key; the place is in it or right behind it.
        let stretch = firsts.partition_point(|first| rank_of(&read_key(first)) < key);
        let Some(stretch) = stretch.checked_sub(1) else {
            return Ok(0);
        };
        let start = stretch * STRETCH;
        let piece = self.networks(start / PIECE)?;
        let within = piece.get(start % PIECE..).ok_or_else(|| damaged(()))?;
        let within = &within[..within.len().min(STRETCH)];
        let below = within.partition_point(|network| rank_of(&network.key()) < key);
        Ok(start + below)
    }

    fn network_count(self) -> Result<usize, QueryError> {
        self.count::<NetworkRow>(section_kind::NETWORKS)
    }

    /// The records of an address with the place of the first of them, in the order of the file.
    pub(super) fn alike(
        self,
        address: Ipv4Addr,
    ) -> Result<(usize, impl Iterator<Item = Result<&'a V4Entry, QueryError>>), QueryError> {
        let (upper, lower) = halves(address.to_bits());
        let from = self.place_of(address.to_bits().into())?;
        let end = self.prefixes()?.of(upper).end;
        let alike = (from..end).map(move |place| self.low(place));
        let is_alike =
            move |low: &Result<&V4Entry, _>| low.as_ref().map_or(true, |low| low.lower == lower);
        Ok((from, alike.take_while(is_alike)))
    }

    /// The rows about exactly this network or address, in the order of the file, then those about networks that cover it, the most
    /// specific first.
    pub(super) fn covering(self, network: IpNet) -> Result<Vec<RowId>, QueryError> {
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
            if covers(&network.key(), &key) {
                self.rows_alike(place, &network.key(), &mut rows)?;
            }
            next = network.parent();
            steps += 1;
            if steps > 129 {
                return Err(damaged(()));
            }
        }
        Ok(rows)
    }

    /// Adds the rows of networks of this key, of which the first is at this place.
    fn rows_alike(
        self,
        place: usize,
        key: &NetworkKey,
        rows: &mut Vec<RowId>,
    ) -> Result<(), QueryError> {
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
    pub(super) fn addresses_within(self, network: IpNet) -> Result<Range<usize>, QueryError> {
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
    ) -> Result<(), QueryError> {
        let key = key_of(network);
        let count = self.network_count()?;
        if count == 0 {
            return Ok(());
        }
        for place in self.network_place(&key)?..count {
            let row = self.network(place)?;
            if !covers(&key, &row.key()) {
                break;
            }
            visit(row.row());
        }
        Ok(())
    }

    /// Whether a record is about an address or network that lies within one.
    pub(super) fn has_within(self, network: IpNet) -> Result<bool, QueryError> {
        if !self.addresses_within(network)?.is_empty() {
            return Ok(true);
        }
        let key = key_of(network);
        let place = self.network_place(&key)?;
        Ok(place < self.network_count()? && covers(&key, &self.network(place)?.key()))
    }

    /// The rows about IPv4 addresses at some places.
    pub(super) fn each_low(
        self,
        places: Range<usize>,
        mut visit: impl FnMut(RowId),
    ) -> Result<(), QueryError> {
        let mut from = places.start;
        while from < places.end {
            let piece = self.lows(from / PIECE)?;
            let to = places.end.min((from / PIECE + 1) * PIECE);
            let range = from % PIECE..from % PIECE + (to - from);
            piece
                .get(range)
                .ok_or_else(|| damaged(()))?
                .iter()
                .for_each(|low| visit(low.row()));
            from = to;
        }
        Ok(())
    }

    /// Rows about nothing that can be read.
    pub(super) fn loose(self) -> Result<Vec<(RowId, u64)>, QueryError> {
        let mut rows = Vec::new();
        for piece in 0..self.0.count(section_kind::LOOSE) {
            let entries = self.piece::<LooseEntry>(section_kind::LOOSE, piece)?.iter();
            rows.extend(entries.map(|entry| (entry.row(), entry.hash())));
        }
        Ok(rows)
    }

    /// The row at a place in the order: of addresses and networks, at the end those about nothing that can be read.
    pub(super) fn row_at(self, place: usize) -> Result<RowId, QueryError> {
        self.row_among(self.counts()?, place)
    }

    /// The same for many calls in a row: `counts` must be those of these subjects.
    pub(super) fn row_among(
        self,
        counts: SubjectCounts,
        place: usize,
    ) -> Result<RowId, QueryError> {
        let SubjectCounts {
            addresses,
            networks,
            ..
        } = counts;
        if let Some(loose) = place.checked_sub(addresses + networks) {
            let piece = self.piece::<LooseEntry>(section_kind::LOOSE, loose / PIECE)?;
            let entry = piece.get(loose % PIECE).ok_or_else(|| damaged(()))?;
            return Ok(entry.row());
        }
        let (address, network) = self.split(place, addresses, networks)?;
        if network == networks {
            return self.low(address).map(V4Entry::row);
        }
        if address == addresses {
            return self.network(network).map(NetworkRow::row);
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
    ) -> Result<(usize, usize), QueryError> {
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
    fn address_at(self, place: usize) -> Result<(u32, RowId), QueryError> {
        let (upper, _) = self.prefixes()?.at(place).ok_or_else(|| damaged(()))?;
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
    ) -> Result<usize, QueryError> {
        let SubjectCounts {
            addresses,
            networks,
            ..
        } = self.counts()?;
        let at = |found: Option<usize>| found.ok_or_else(|| damaged(()));
        let Some(subject) = subject else {
            let loose = self.loose()?;
            let found = loose.binary_search_by_key(&row, |(row, _)| *row).ok();
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
        let key = key_of(subject.network());
        let mut place = self.network_place(&key)?;
        while self.network(place)?.row() != row {
            if self.network(place)?.key() != key {
                return Err(damaged(()));
            }
            place += 1;
        }
        let network = *self.network(place)?;
        // Addresses before it, of which few can be alike.
        let IpNet::V4(own) = subject.network() else {
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
