//! A text that is read at once, with all its addresses: those that cannot be looked up, too.

use std::{io::Read, net::IpAddr, path::PathBuf, sync::Arc};

use ipnet::{IpNet, Ipv4Net, Ipv6Net};
use jiff::{Timestamp, tz::TimeZone};

use super::{FoundAddress, GatherFailure, Gatherer, Gathering, Occurrences, TextTotals, Values};
use crate::{
    investigation::event_time::{DateOrder, TimeReader, zone_named},
    model::{Admission, Day},
};

/// The addresses of a text, and what stands beside them.
#[derive(Clone, Debug, Default)]
pub struct GatheredText {
    /// Each once, in the order of the text; with the days of events once for each UTC day.
    pub addresses: Vec<(IpAddr, Option<Day>, Occurrences)>,
    pub values: Arc<Values>,
    pub totals: TextTotals,
    /// Whether an address comes once for each day of its events.
    pub by_day: bool,
    /// The zone of times that name none.
    pub zone: String,
    /// The file that has the text.
    pub file: Option<PathBuf>,
}

impl GatheredText {
    /// Reads a text; times that name no zone are taken for UTC.
    #[must_use]
    pub fn of(text: &str, now: Timestamp) -> Self {
        Self::read(text, false, "UTC", now)
    }

    /// The same with each address once for each UTC day of its events.
    #[must_use]
    pub fn by_day(text: &str, now: Timestamp) -> Self {
        Self::read(text, true, "UTC", now)
    }

    /// Reads a text, by the days of its events or not; times that name no zone are of this one, of UTC if there is none of this name.
    #[must_use]
    pub fn read(text: &str, by_day: bool, zone: &str, now: Timestamp) -> Self {
        let mut gatherer = gatherer(by_day, zone, now);
        gatherer.begin(0, text.as_bytes());
        let mut found = Vec::new();
        gatherer.take(text.as_bytes(), true, &mut |address| found.push(address));
        Self::gathered(gatherer, found, by_day, zone)
    }

    /// The same block by block, of a text of any length.
    ///
    /// # Errors
    /// A failure to read; more addresses than there is room for.
    pub fn read_from(
        text: impl Read + Send,
        by_day: bool,
        zone: &str,
        now: Timestamp,
    ) -> Result<Self, GatherFailure> {
        let mut gatherer = gatherer(by_day, zone, now);
        let mut found = Vec::new();
        gatherer.read_to_end(text, 0, usize::MAX, &mut |more| {
            found.extend(more);
            true
        })?;
        Ok(Self::gathered(gatherer, found, by_day, zone))
    }

    fn gathered(gatherer: Gatherer, found: Vec<FoundAddress>, by_day: bool, zone: &str) -> Self {
        let (totals, found) = gatherer.end(found);
        let mut values = Arc::default();
        let addresses = found.filter_map(|address| {
            let (seen, own_values) = *address.seen?;
            values = own_values;
            Some((address.address, address.day, seen))
        });
        Self {
            addresses: addresses.collect(),
            values,
            totals,
            by_day,
            zone: zone_or_utc(zone).0.to_owned(),
            file: None,
        }
    }

    /// Addresses with nothing beside them.
    #[must_use]
    pub fn of_addresses(addresses: Vec<IpAddr>) -> Self {
        let once = |(line, address)| (address, None, Occurrences::once(line));
        Self {
            addresses: (1..).zip(addresses).map(once).collect(),
            ..Self::default()
        }
    }

    /// The number of networks in the text.
    #[must_use]
    pub fn networks(&self) -> u64 {
        let aside = &self.totals.set_aside;
        aside.get("network").copied().unwrap_or_default()
    }
}

fn gatherer(by_day: bool, zone: &str, now: Timestamp) -> Gatherer {
    let (_, zone) = zone_or_utc(zone);
    let all = [
        IpNet::from(Ipv4Net::default()),
        IpNet::from(Ipv6Net::default()),
    ];
    let gathering = Gathering {
        counts: true,
        times: Some(TimeReader::new(DateOrder::Iso, zone, now)),
        events: true,
        by_day,
        cells: true,
        ..Gathering::default()
    };
    Gatherer::new(Admission::with(all.to_vec()), gathering)
}

/// The zone of this name, and how it is called.
fn zone_or_utc(name: &str) -> (&str, TimeZone) {
    match zone_named(name) {
        Some(zone) => (name, zone),
        None => ("UTC", TimeZone::UTC),
    }
}

impl Occurrences {
    /// A single one, in this line.
    #[must_use]
    pub fn once(line: u64) -> Self {
        Self {
            count: 1,
            lines: 1,
            first_line: line,
            ..Self::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_read_block_by_block_as_it_is_at_once() {
        let line = |number: u32| {
            let host = number % 250;
            format!("2026-11-20T10:00:00Z user=u{host} src=198.51.100.{host}\n")
        };
        let text: String = (0..20_000).map(line).collect();
        let now = Timestamp::UNIX_EPOCH;
        let whole = GatheredText::read(&text, true, "+02:00", now);
        let read = GatheredText::read_from(text.as_bytes(), true, "+02:00", now).expect("read");
        assert_eq!(whole.addresses.len(), 250);
        assert_eq!(read.addresses, whole.addresses);
        assert_eq!(read.totals, whole.totals);
        assert_eq!((read.zone, read.by_day), (whole.zone, whole.by_day));
    }

    #[test]
    fn a_text_is_read_with_what_is_not_public() {
        let now = "2026-11-24T10:00:00Z".parse().expect("a time");
        let text = "2026-11-20T03:58:07Z user=alice 198.51.100.7 10.0.0.1\nuser=bob 198.51.100.7 192.0.2.0/24\n";
        let gathered = GatheredText::of(text, now);
        let found = gathered.addresses.iter();
        let found: Vec<_> = found
            .map(|(address, _, seen)| (address.to_string(), seen.count))
            .collect();
        let expected = [("198.51.100.7".to_owned(), 2), ("10.0.0.1".to_owned(), 1)];
        assert_eq!(found, expected);
        assert_eq!(gathered.networks(), 1);
        assert_eq!(gathered.values.columns()[0], "user");
        assert!(gathered.addresses[0].2.times.is_some());
    }
}
