//! The events of a board by time, for one look: bins of the same length, each with how many there were and how many of them came from
//! tunnels and proxies.

use std::ops::Range;

use super::time_span::TimeSpan;
use crate::investigation::gather::{EventTimes, Minute};

/// The most bins of a strip.
pub const MOST_BINS: usize = 48;

/// The lengths of bins that people count in, in minutes; beyond the last one whole multiples of it.
const LENGTHS: [Minute; 15] = [
    1,
    2,
    5,
    10,
    15,
    30,
    60,
    120,
    180,
    240,
    360,
    720,
    1440,
    2 * 1440,
    7 * 1440,
];

/// Events by time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventStrip {
    pub bins: Vec<EventBin>,
    /// The first minute of the first bin.
    start: Minute,
    /// How many minutes a bin has.
    minutes: Minute,
}

/// The events of a bin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EventBin {
    pub events: u64,
    /// Those of addresses that are a VPN, a proxy or an exit of Tor.
    pub hidden: u64,
}

impl EventBin {
    /// The events of some bins.
    #[must_use]
    pub fn sum(bins: &[Self]) -> Self {
        bins.iter().fold(Self::default(), |sum, bin| Self {
            events: sum.events + bin.events,
            hidden: sum.hidden + bin.hidden,
        })
    }
}

impl EventStrip {
    /// The strip of these addresses, each with whether it hides who comes from there, within a span; `None` without an event.
    #[must_use]
    pub fn of<'e>(
        addresses: impl Iterator<Item = (&'e EventTimes, bool)>,
        within: Option<&TimeSpan>,
    ) -> Option<Self> {
        // Those of each address are elsewhere in memory, and there may be millions: they are gone to once.
        let mut events: Vec<(Minute, u32, bool)> = Vec::new();
        let mut ends: Option<(Minute, Minute, Minute)> = None;
        for (times, is_hidden) in addresses {
            let unit = times.unit();
            let own = times
                .iter()
                .filter(|(at, _)| within.is_none_or(|span| span.meets(*at, unit)));
            for (at, count) in own {
                let end = at.saturating_add(unit);
                let (longest, first, last) = ends.unwrap_or((unit, at, end));
                ends = Some((longest.max(unit), first.min(at), last.max(end)));
                events.push((at, count, is_hidden));
            }
        }
        let (unit, first, last) = ends?;
        let (start, minutes, count) = settle(first..last, unit);
        let mut bins = vec![EventBin::default(); count];
        for (at, count, is_hidden) in events {
            let bin = usize::try_from((i64::from(at) - i64::from(start)) / i64::from(minutes));
            let Some(bin) = bin.ok().and_then(|at| bins.get_mut(at)) else {
                continue;
            };
            bin.events += u64::from(count);
            bin.hidden += u64::from(if is_hidden { count } else { 0 });
        }
        Some(Self {
            bins,
            start,
            minutes,
        })
    }

    /// The time of some bins.
    #[must_use]
    pub fn span(&self, bins: Range<usize>) -> TimeSpan {
        let at = |bin: usize| {
            let minutes = i64::from(self.minutes) * i64::try_from(bin).unwrap_or(i64::MAX);
            let at = i64::from(self.start).saturating_add(minutes);
            Minute::try_from(at).unwrap_or(Minute::MAX)
        };
        TimeSpan(at(bins.start)..at(bins.end))
    }

    /// The bin of a minute, the nearest one of a minute beyond the strip.
    #[must_use]
    pub fn bin_of(&self, minute: Minute) -> usize {
        let bin = i64::from(minute.max(self.start)) - i64::from(self.start);
        let bin = usize::try_from(bin / i64::from(self.minutes)).unwrap_or(usize::MAX);
        bin.min(self.bins.len() - 1)
    }

    /// How many minutes a bin has.
    #[must_use]
    pub fn minutes(&self) -> Minute {
        self.minutes
    }

    /// The bin with the most events, the first of several.
    #[must_use]
    pub fn fullest(&self) -> usize {
        let most = self.bins.iter().map(|bin| bin.events).max();
        let fullest = self.bins.iter().position(|bin| Some(bin.events) == most);
        fullest.unwrap_or_default()
    }
}

/// Where the first bin begins, how long a bin is and how many there are: the shortest length with which they are few enough, and no
/// shorter than the unit in which events are counted.
fn settle(time: Range<Minute>, unit: Minute) -> (Minute, Minute, usize) {
    let [first, last] = [time.start, time.end].map(i64::from);
    let week = i64::from(LENGTHS[LENGTHS.len() - 1]);
    let longer = (1..).map(|times| times * week);
    let lengths = LENGTHS.into_iter().map(i64::from).chain(longer);
    let bins = |length: i64| {
        let start = first.div_euclid(length) * length;
        (start, length, (last - start + length - 1) / length)
    };
    let most = i64::try_from(MOST_BINS).unwrap_or(i64::MAX);
    let mut settled = lengths
        .filter(|length| *length % i64::from(unit) == 0)
        .map(bins)
        .filter(|(.., count)| *count <= most);
    let (start, length, count) = settled.next().unwrap_or((first, last - first, 1));
    let minute = |number: i64| Minute::try_from(number).unwrap_or(Minute::MIN);
    (
        minute(start),
        minute(length),
        usize::try_from(count).unwrap_or(1),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::investigation::gather::GatheredText;

    fn strip(text: &str, within: Option<&str>) -> Option<EventStrip> {
        let now = "2026-11-28T10:00:00Z".parse().expect("a time");
        let text = GatheredText::of(text, now);
        let within = within.map(|text| text.parse().expect("a span"));
        let times = text.addresses.iter();
        let times = times.filter_map(|(address, _, seen)| {
            let is_hidden = address.to_string().ends_with(".7");
            Some((seen.events.as_deref()?, is_hidden))
        });
        EventStrip::of(times, within.as_ref())
    }

    #[test]
    fn events_are_in_bins_of_a_length_that_people_count_in() {
        let line = |hour: u32| {
            let address = if hour == 3 { 7 } else { 8 };
            format!("2026-11-25T{hour:02}:30:00Z 198.51.100.{address}\n")
        };
        let text: String = (0..24).map(line).collect();
        let day = strip(&text, None).expect("events");
        assert_eq!((day.minutes(), day.bins.len()), (30, 47));
        let expected = EventBin {
            events: 24,
            hidden: 1,
        };
        assert_eq!(EventBin::sum(&day.bins), expected);
        assert_eq!(
            day.bins[6],
            EventBin {
                events: 1,
                hidden: 1
            }
        );
        assert_eq!(day.span(6..7).to_string(), "2026-11-25T03:30..03:59");
        let hours = strip(&text, Some("2026-11-25T03..04")).expect("events");
        assert_eq!(EventBin::sum(&hours.bins).events, 2);
        assert_eq!(hours.minutes(), 2);
        assert_eq!(strip("198.51.100.7", None), None, "no time");
        assert_eq!(strip(&text, Some("2026-11-26")), None, "none in the span");
    }

    #[test]
    fn one_event_far_away_leaves_the_others_in_few_bins() {
        let text = "1971-01-01T00:00:00Z 198.51.100.7\n2026-11-25T00:00:00Z 198.51.100.8\n";
        let strip = strip(text, None).expect("events");
        assert!(strip.bins.len() <= MOST_BINS);
        assert_eq!(EventBin::sum(&strip.bins).events, 2);
        assert_eq!(strip.fullest(), 0);
    }
}
