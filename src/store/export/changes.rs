//! What came and what left between two days, among the records that are wanted. One that stays is no change, whatever it
//! says now.

use std::{cmp::Reverse, collections::BinaryHeap, io, net::IpAddr};

use super::{
    days::{Days, NotExported, breathe, limit},
    record::{Record, Records},
};
use crate::{
    contract::ExportQuery,
    model::{Subject, export_row::Change},
    store::{
        Filter, Index, RowId, Stop,
        index::{NoAnswer, Selection},
    },
};

/// The place of a subject in the order of addresses, in which the subjects of an index come: IPv4 first, then by address,
/// then the larger network. An address and the network of it alone are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Place(bool, u128, u8);

impl Place {
    fn of(subject: Subject) -> Self {
        let (address, length) = match subject {
            Subject::Address(address) => (address, if address.is_ipv4() { 32 } else { 128 }),
            Subject::Network(network) => (network.addr(), network.prefix_len()),
        };
        match address {
            IpAddr::V4(address) => Self(false, u32::from(address).into(), length),
            IpAddr::V6(address) => Self(true, address.into(), length),
        }
    }
}

/// A change: the busiest come first, then those with the lower address. The truth says whether it came.
type Ranked = (Reverse<u64>, Place, bool, RowId);

/// Shows the changes that are wanted, the busiest first, cut at the limit.
pub(super) fn visit(
    query: &ExportQuery,
    days: Days<'_>,
    stop: &Stop,
    mut show: impl FnMut(Record<'_>, Option<Change>) -> io::Result<()>,
) -> Result<(), NotExported> {
    let now = Records::of(days.day, query.feed).map_err(NotExported::Day)?;
    let then = days.before.map(|before| Records::of(before, query.feed));
    let then = then.transpose().map_err(NotExported::Before)?;
    let read = |came, row, show: &mut dyn FnMut(Record<'_>) -> Result<(), NotExported>| match (
        &then, came,
    ) {
        (_, true) => now.each(&[row], NotExported::Day, show),
        (Some(then), false) => then.each(&[row], NotExported::Before, show),
        (None, false) => Ok(()),
    };
    let limit = usize::try_from(limit(query)).unwrap_or(usize::MAX);
    // The last one in rank is the largest one of the heap.
    let mut ranked: BinaryHeap<Ranked> = BinaryHeap::new();
    compare(query, days, stop, |came, place, row| {
        read(came, row, &mut |record| {
            ranked.push((Reverse(record.clients()), place, came, row));
            if ranked.len() > limit {
                ranked.pop();
            }
            Ok(())
        })
    })?;
    for (number, (_, _, came, row)) in ranked.into_sorted_vec().into_iter().enumerate() {
        breathe(number, stop)?;
        let change = if came { Change::Added } else { Change::Deleted };
        read(came, row, &mut |record| Ok(show(record, Some(change))?))?;
    }
    Ok(())
}

/// Tells of each record that one of the days has and the other has not, by address, and whether it came.
fn compare(
    query: &ExportQuery,
    days: Days<'_>,
    stop: &Stop,
    mut tell: impl FnMut(bool, Place, RowId) -> Result<(), NotExported>,
) -> Result<(), NotExported> {
    let filter = Filter::from(query);
    let select = |index: &Index| index.select(&filter, stop);
    let chosen = select(days.day).map_err(NotExported::Day)?;
    let chosen_before = days.before.map(select).transpose();
    let chosen_before = chosen_before.map_err(NotExported::Before)?;
    let mut now = places(days.day, &chosen).map(|found| found.map_err(NotExported::Day));
    let before = days.before.zip(chosen_before.as_ref());
    let mut then = before
        .into_iter()
        .flat_map(|(before, chosen)| places(before, chosen))
        .map(|found| found.map_err(NotExported::Before));
    let (mut came, mut left) = (now.next().transpose()?, then.next().transpose()?);
    for number in 0.. {
        breathe(number, stop)?;
        let at = |one: Option<(Place, RowId)>| one.map(|(place, _)| place);
        match (came, left) {
            (None, None) => break,
            (Some((place, row)), _) if left.is_none_or(|left| place < left.0) => {
                tell(true, place, row)?;
                came = now.next().transpose()?;
            }
            (_, Some((place, row))) if came.is_none_or(|came| place < came.0) => {
                tell(false, place, row)?;
                left = then.next().transpose()?;
            }
            (both, _) => {
                while at(came) == at(both) {
                    came = now.next().transpose()?;
                }
                while at(left) == at(both) {
                    left = then.next().transpose()?;
                }
            }
        }
    }
    Ok(())
}

/// The chosen rows of a day by address.
fn places<'a>(
    index: &'a Index,
    chosen: &'a Selection,
) -> impl Iterator<Item = Result<(Place, RowId), NoAnswer>> + 'a {
    index.subjects().filter_map(|found| match found {
        Ok((subject, row, _)) => chosen.contains(row).then(|| Ok((Place::of(subject), row))),
        Err(why) => Some(Err(why)),
    })
}
