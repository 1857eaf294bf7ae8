//! When the events of an address were.

/// A minute of UTC, counted from 1970.
pub type Minute = i32;

/// The number of events of an address in each unit that has any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventTimes {
    /// How many minutes a unit has.
    unit: Minute,
    /// The first minute of each unit with its events: in order up to `settled`, then as they came.
    counts: Vec<(Minute, u32)>,
    settled: usize,
}

impl EventTimes {
    /// The fewest times among which those of the same unit are looked for.
    const FEW: usize = 16;

    pub(super) fn new(unit: Minute) -> Self {
        Self {
            unit,
            counts: Vec::new(),
            settled: 0,
        }
    }

    /// How many minutes a unit has.
    #[must_use]
    pub fn unit(&self) -> Minute {
        self.unit
    }

    /// How many times are kept.
    pub(super) fn len(&self) -> usize {
        self.counts.len()
    }

    /// The first minute of each unit, with its events, in order.
    pub fn iter(&self) -> impl Iterator<Item = (Minute, u32)> {
        self.counts.iter().copied()
    }

    /// Counts so many events. Most texts are in order, so that the unit is the one of the event before.
    pub(super) fn add(&mut self, at: Minute, events: u32) {
        let start = at.div_euclid(self.unit) * self.unit;
        match self.counts.last_mut() {
            Some((last, number)) if *last == start => *number = number.saturating_add(events),
            _ => self.counts.push((start, events)),
        }
        if self.counts.len() >= 2 * self.settled.max(Self::FEW) {
            self.settle();
        }
    }

    /// Puts them in order, each unit once.
    pub(super) fn settle(&mut self) {
        self.counts.sort_unstable_by_key(|(start, _)| *start);
        self.counts.dedup_by(|later, kept| {
            let is_same = later.0 == kept.0;
            if is_same {
                kept.1 = kept.1.saturating_add(later.1);
            }
            is_same
        });
        self.settled = self.counts.len();
    }

    /// Counts in units of so many minutes.
    pub(super) fn coarsen(&mut self, unit: Minute) {
        self.unit = unit;
        for (start, _) in &mut self.counts {
            *start = start.div_euclid(unit) * unit;
        }
        self.settle();
        self.counts.shrink_to_fit();
    }

    /// Adds those of the same address under another spelling.
    pub(super) fn merge(&mut self, other: &Self) {
        for (at, events) in other.iter() {
            self.add(at, events);
        }
        self.settle();
    }
}
