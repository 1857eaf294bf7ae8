//! The addresses of a text with their occurrences, one by one: all of them at once would be there twice.

use std::{mem, sync::Arc};

use super::{doubt::SettledDoubts, found::FoundAddress, occurrences::Occurrences, values::Values};

/// The addresses that were reported, each with its occurrences if they were counted: those outside first, since where traffic went and
/// one's own hosts are answered last.
#[derive(Debug)]
pub struct CountedAddresses {
    found: Vec<FoundAddress>,
    /// Empty where nothing was counted.
    seen: Vec<Occurrences>,
    values: Arc<Values>,
    settled: SettledDoubts,
    /// The numbers of those that are left.
    order: std::vec::IntoIter<u32>,
}

impl CountedAddresses {
    pub(super) fn of(
        found: Vec<FoundAddress>,
        seen: Vec<Occurrences>,
        values: Values,
        settled: SettledDoubts,
    ) -> Self {
        let numbers = (0_u32..).zip(&found).map(|(number, _)| number);
        let mut order: Vec<u32> = numbers
            .filter(|number| !settled.gone.contains(number))
            .collect();
        let is_worth = |number: u32| {
            let seen = seen.get(number as usize);
            seen.is_none_or(|seen| seen.is_worth_a_query(false))
        };
        order.sort_by_key(|number| !is_worth(*number));
        Self {
            found,
            seen,
            values: Arc::new(values),
            settled,
            order: order.into_iter(),
        }
    }
}

impl Iterator for CountedAddresses {
    type Item = FoundAddress;

    fn next(&mut self) -> Option<FoundAddress> {
        let number = self.order.next()?;
        let found_address = &mut self.found[number as usize];
        let address = match self.settled.renamed.get(&number) {
            Some(renamed) => (*renamed).into(),
            None => found_address.address,
        };
        let seen = self.seen.get_mut(number as usize).map(mem::take);
        Some(FoundAddress {
            address,
            day: found_address.day,
            typed: found_address.typed.take(),
            seen: seen.map(|seen| Box::new((seen, self.values.clone()))),
        })
    }
}
