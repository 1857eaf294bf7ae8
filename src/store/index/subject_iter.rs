//! Iterates over all subjects of an index, in the order of addresses.

use std::net::Ipv4Addr;

use super::{
    QueryError, RowId,
    entries::{NetworkRow, PIECE, V4Entry},
    section_kind,
    subjects::{Subjects, damaged},
};
use crate::model::Subject;

/// An iterator over all subjects.
#[derive(Debug)]
pub(super) struct SubjectIter<'a> {
    subjects: Subjects<'a>,
    /// The upper half to continue the search from, the current upper half, and the number of its addresses that remain.
    next_upper: u32,
    upper: u16,
    left: usize,
    /// The number of addresses visited, and the rest of the current piece.
    low: usize,
    lows: &'a [V4Entry],
    network: usize,
    networks: &'a [NetworkRow],
    /// There are no further networks.
    is_past_networks: bool,
    failed: bool,
}

impl<'a> Subjects<'a> {
    /// All subjects in order: IPv4 before IPv6, by first address, the larger network first, then by row.
    pub(super) fn all(self) -> SubjectIter<'a> {
        SubjectIter::of(self)
    }
}

impl<'a> SubjectIter<'a> {
    pub(super) fn of(subjects: Subjects<'a>) -> Self {
        Self {
            subjects,
            next_upper: 0,
            upper: 0,
            left: 0,
            low: 0,
            lows: &[],
            network: 0,
            networks: &[],
            is_past_networks: false,
            failed: false,
        }
    }

    fn next_low(&mut self) -> Result<Option<(u32, &'a V4Entry)>, QueryError> {
        while self.left == 0 {
            let Some((upper, places)) = self.subjects.prefixes()?.next(self.next_upper)? else {
                return Ok(None);
            };
            self.left = places.len();
            self.upper = upper;
            self.next_upper = u32::from(upper) + 1;
        }
        if self.lows.is_empty() {
            self.lows = self.subjects.lows(self.low / PIECE)?;
        }
        let low = self.lows.first().ok_or_else(|| damaged(()))?;
        Ok(Some((self.address(low), low)))
    }

    /// The address of an entry of the current upper half.
    #[inline]
    fn address(&self, low: &V4Entry) -> u32 {
        u32::from(self.upper) << 16 | u32::from(low.lower.get())
    }

    fn next_network(&mut self) -> Result<Option<&'a NetworkRow>, QueryError> {
        if self.networks.is_empty()
            && self.network / PIECE < self.subjects.0.count(section_kind::NETWORKS)
        {
            let piece = self.subjects.networks(self.network / PIECE)?;
            let rest = piece.get(self.network % PIECE..);
            self.networks = rest.ok_or_else(|| damaged(()))?;
        }
        Ok(self.networks.first())
    }

    fn step(&mut self) -> Result<Option<(Subject, RowId, u64)>, QueryError> {
        let low = self.next_low()?;
        let network = self.next_network()?;
        self.is_past_networks = network.is_none();
        let low_first = match (low, network) {
            (None, None) => return Ok(None),
            (Some(_), None) => true,
            (None, Some(_)) => false,
            (Some((address, low)), Some(network)) => network.comes_after(address, low.row()),
        };
        if let Some((address, low)) = low.filter(|_| low_first) {
            (self.left, self.low, self.lows) = (self.left - 1, self.low + 1, &self.lows[1..]);
            let subject = Subject::Address(Ipv4Addr::from_bits(address).into());
            return Ok(Some((subject, low.row(), low.hash())));
        }
        let network = network.ok_or_else(|| damaged(()))?;
        (self.network, self.networks) = (self.network + 1, &self.networks[1..]);
        let subject = network.subject().ok_or_else(|| damaged(()))?;
        Ok(Some((subject, network.row(), network.hash.get())))
    }
}

impl Iterator for SubjectIter<'_> {
    type Item = Result<(Subject, RowId, u64), QueryError>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        // The fast path: most are addresses that share the upper half of the one before.
        if let [low, rest @ ..] = self.lows
            && self.left > 0
            && self.is_past_networks
        {
            (self.left, self.low, self.lows) = (self.left - 1, self.low + 1, rest);
            let subject = Subject::Address(Ipv4Addr::from_bits(self.address(low)).into());
            return Some(Ok((subject, low.row(), low.hash())));
        }
        if self.failed {
            return None;
        }
        let step = self.step();
        self.failed = step.is_err();
        step.transpose()
    }
}
