//! A text that is read at once, with all its addresses: those that cannot be looked up, too.

use std::{net::IpAddr, path::PathBuf, sync::Arc};

use ipnet::{IpNet, Ipv4Net, Ipv6Net};
use jiff::{Timestamp, tz::TimeZone};

use super::{Gatherer, Gathering, Occurrences, TextTotals, Values};
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
        let (zone_name, zone) = match zone_named(zone) {
            Some(own) => (zone, own),
            None => ("UTC", TimeZone::UTC),
        };
        let all = [
            IpNet::from(Ipv4Net::default()),
            IpNet::from(Ipv6Net::default()),
        ];
        let gathering = Gathering {
            counts: true,
            times: Some(TimeReader::new(DateOrder::Iso, zone, now)),
            by_day,
            cells: true,
            wanted: Vec::new(),
        };
        let mut gatherer = Gatherer::new(Admission::with(all.to_vec()), gathering);
        gatherer.begin(0, text.as_bytes());
        let mut found = Vec::new();
        gatherer.take(text.as_bytes(), true, &mut |own| found.push(own));
        let (totals, found) = gatherer.end(found);
        let mut values = Arc::default();
        let addresses = found.into_iter().filter_map(|own| {
            let (seen, own_values) = own.seen?;
            values = own_values;
            Some((own.address, own.day, seen))
        });
        Self {
            addresses: addresses.collect(),
            values,
            totals,
            by_day,
            zone: zone_name.to_owned(),
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
