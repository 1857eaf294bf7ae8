//! The numbers of addresses. Those of IPv4 are apart: there are more of them, and they are shorter.

use std::{
    collections::HashMap,
    hash::Hash,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
};

use foldhash::fast::RandomState;

use super::room::of_table;
use crate::model::Day;

/// An address and the day of its events, if it comes once for each, with its number.
type Numbers<A> = HashMap<(A, Option<Day>), u32, RandomState>;

/// The numbers of addresses.
#[derive(Debug, Default)]
pub(super) struct AddressNumbers {
    v4: Numbers<Ipv4Addr>,
    v6: Numbers<Ipv6Addr>,
}

impl AddressNumbers {
    /// The number of an address, and whether it is new.
    pub(super) fn of(
        &mut self,
        address: IpAddr,
        day: Option<Day>,
        new: impl FnOnce() -> u32,
    ) -> (u32, bool) {
        match address {
            IpAddr::V4(address) => number_in(&mut self.v4, (address, day), new),
            IpAddr::V6(address) => number_in(&mut self.v6, (address, day), new),
        }
    }

    /// The number of an address that has one and comes once for all days.
    pub(super) fn get(&self, address: IpAddr) -> Option<u32> {
        match address {
            IpAddr::V4(address) => self.v4.get(&(address, None)).copied(),
            IpAddr::V6(address) => self.of_v6(address, None),
        }
    }

    /// The number of an IPv6 address that has one.
    pub(super) fn of_v6(&self, address: Ipv6Addr, day: Option<Day>) -> Option<u32> {
        self.v6.get(&(address, day)).copied()
    }

    /// The days of IPv6 addresses, by number.
    pub(super) fn days_of_v6(&self) -> impl Iterator<Item = (u32, Option<Day>)> {
        self.v6.iter().map(|((_, day), number)| (*number, *day))
    }

    pub(super) fn len(&self) -> usize {
        self.v4.len() + self.v6.len()
    }

    /// How many bytes they take.
    pub(super) fn size(&self) -> usize {
        size(&self.v4) + size(&self.v6)
    }
}

fn number_in<A: Eq + Hash>(
    numbers: &mut Numbers<A>,
    key: (A, Option<Day>),
    new: impl FnOnce() -> u32,
) -> (u32, bool) {
    let mut is_new = false;
    let number = numbers.entry(key).or_insert_with(|| {
        is_new = true;
        new()
    });
    (*number, is_new)
}

fn size<A>(numbers: &Numbers<A>) -> usize {
    of_table::<((A, Option<Day>), u32)>(numbers.len(), numbers.capacity())
}
