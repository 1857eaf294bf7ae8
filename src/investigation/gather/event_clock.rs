//! Counts the events of all addresses of a text by minute, and in longer units where there are too many times.

use std::mem::size_of;

use jiff::Timestamp;

use super::{
    event_times::{EventTimes, Minute},
    occurrences::Occurrences,
    room::of_list,
};

/// The most times of all addresses that are kept.
const MOST: usize = 1 << 20;

/// How many minutes a unit has: a minute, ten, an hour, six, a day, a week.
const UNITS: [Minute; 6] = [1, 10, 60, 6 * 60, 24 * 60, 7 * 24 * 60];

/// An event that goes on for longer has a beginning and an end, and nothing between them.
const LONGEST: Minute = 24 * 60;

/// The unit in which all of them are counted.
#[derive(Debug, Default)]
pub(super) struct EventClock {
    /// The place of the unit among [`UNITS`].
    unit: usize,
    /// How many times are kept.
    kept: usize,
}

impl EventClock {
    /// Counts an event; one that goes on is in each minute of its time. Returns whether there are too many times.
    pub(super) fn count(
        &mut self,
        seen: &mut Occurrences,
        at: Timestamp,
        until: Option<Timestamp>,
    ) -> bool {
        let unit = UNITS[self.unit];
        let times = seen
            .events
            .get_or_insert_with(|| Box::new(EventTimes::new(unit)));
        let before = times.len();
        let first = minute_of(at);
        times.add(first, 1);
        if let Some(last) = until.map(minute_of).filter(|last| *last > first) {
            let start = first.div_euclid(unit) * unit;
            if last - start <= LONGEST {
                (start + unit..last)
                    .step_by(step_of(unit))
                    .for_each(|at| times.add(at, 1));
            }
            if last >= start + unit {
                times.add(last, 1);
            }
        }
        self.kept = (self.kept + times.len()).saturating_sub(before);
        self.kept > MOST
    }

    /// Counts all of them in longer units, until half of them are there at most or there is no longer unit.
    pub(super) fn coarsen(&mut self, all: &mut [Occurrences]) {
        while self.kept > MOST / 2 && self.unit + 1 < UNITS.len() {
            self.unit += 1;
            let times = all
                .iter_mut()
                .filter_map(|occurrences| occurrences.events.as_deref_mut());
            self.kept = times
                .map(|times| {
                    times.coarsen(UNITS[self.unit]);
                    times.len()
                })
                .sum();
        }
    }

    /// Puts the times of all addresses in order.
    pub(super) fn settle(all: &mut [Occurrences]) {
        let times = all
            .iter_mut()
            .filter_map(|occurrences| occurrences.events.as_deref_mut());
        times.for_each(EventTimes::settle);
    }

    /// How many bytes the times take.
    pub(super) fn size(&self) -> usize {
        // A list has up to twice the room that it needs.
        of_list::<(Minute, u32)>(self.kept, 2 * self.kept)
            + self.kept.min(MOST) / 4 * size_of::<EventTimes>()
    }
}

fn step_of(unit: Minute) -> usize {
    usize::try_from(unit).unwrap_or(1)
}

/// The minute of a time; one beyond the count is taken for its end.
fn minute_of(at: Timestamp) -> Minute {
    let minute = at.as_second().div_euclid(60);
    Minute::try_from(minute).unwrap_or(if minute < 0 { Minute::MIN } else { Minute::MAX })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(minute: i64) -> Timestamp {
        Timestamp::from_second(minute * 60 + 59).expect("a time")
    }

    fn counted(minutes: &[(i64, Option<i64>)]) -> Vec<(Minute, u32)> {
        let (mut clock, mut all) = (EventClock::default(), [Occurrences::default()]);
        for (from, until) in minutes {
            clock.count(&mut all[0], at(*from), until.map(at));
        }
        EventClock::settle(&mut all);
        all[0]
            .events
            .iter()
            .flat_map(|times| times.iter())
            .collect()
    }

    #[test]
    fn events_are_counted_by_minute_whatever_their_order() {
        let newest_first: Vec<_> = (0..1000).rev().map(|minute| (minute / 2, None)).collect();
        let expected: Vec<_> = (0..500).map(|minute| (minute, 2)).collect();
        assert_eq!(counted(&newest_first), expected);
        assert_eq!(
            counted(&[(7, None), (-1, None), (7, None)]),
            [(-1, 1), (7, 2)]
        );
    }

    #[test]
    fn an_event_that_goes_on_is_in_each_minute_unless_it_is_long() {
        let expected = [(3, 1), (4, 1), (5, 1)];
        assert_eq!(counted(&[(3, Some(5))]), expected);
        assert_eq!(counted(&[(3, Some(3))]), [(3, 1)]);
        assert_eq!(
            counted(&[(3, Some(1))]),
            [(3, 1)],
            "it ends before it begins"
        );
        assert_eq!(counted(&[(3, Some(100_000))]), [(3, 1), (100_000, 1)]);
    }

    #[test]
    fn too_many_times_are_counted_in_longer_units() {
        let mut clock = EventClock::default();
        let mut all = vec![Occurrences::default(); 2];
        let minutes = i64::try_from(MOST).expect("few");
        let is_full = (0..=minutes).any(|minute| clock.count(&mut all[0], at(minute), None));
        assert!(is_full);
        clock.count(&mut all[1], at(15), None);
        clock.coarsen(&mut all);
        let times = |of: usize| all[of].events.as_deref().expect("times");
        assert_eq!((times(0).unit(), times(1).unit()), (10, 10));
        assert_eq!(times(0).iter().next(), Some((0, 10)));
        assert_eq!(times(1).iter().collect::<Vec<_>>(), [(10, 1)]);
        let all_events: u64 = times(0).iter().map(|(_, events)| u64::from(events)).sum();
        assert_eq!(all_events, minutes.unsigned_abs() + 1);
        assert!(clock.kept <= MOST / 2);
        clock.count(&mut all[1], at(29), None);
        assert_eq!(times_of(&all[1]), [(10, 1), (20, 1)]);
    }

    fn times_of(seen: &Occurrences) -> Vec<(Minute, u32)> {
        seen.events.iter().flat_map(|times| times.iter()).collect()
    }
}
