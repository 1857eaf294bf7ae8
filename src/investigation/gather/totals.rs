//! What was found in a text, in numbers.

use std::collections::BTreeMap;

use crate::investigation::event_time::{EventTime, HourOfZone, ZoneBasis, ZoneName};

/// What looks like an address and cannot be looked up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetAside {
    /// As it is written.
    pub text: Box<str>,
    pub reason: &'static str,
    /// The line of the first occurrence, from 1, and the number of its text, from 0.
    pub line: u64,
    pub file: usize,
}

/// Counts of the finds. All except the first count distinct ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextTotals {
    /// Every occurrence.
    pub found: u64,
    /// Addresses that can be asked about.
    pub public: u64,
    /// What was set aside, by its reason.
    pub set_aside: BTreeMap<&'static str, u64>,
    /// The same one by one, where they are listed.
    pub listed_aside: Vec<SetAside>,
    /// Rows with an address, and those of them that have a time, where rows are told apart.
    pub rows: u64,
    pub timed: u64,
    /// What was assumed of the times.
    pub assumed: AssumedTimes,
    /// Whether some of what stands beside addresses was left out for want of room.
    pub is_cut: bool,
    /// Whether the text has more columns than are kept.
    pub has_more_columns: bool,
    /// Whether an address has more values of a column than are kept.
    pub has_others: bool,
}

/// How many rows have a time of which something was assumed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AssumedTimes {
    /// Their time names no zone.
    pub without_zone: u64,
    /// Their time has no year.
    pub without_year: u64,
    /// Their hour comes twice in the zone, on the day on which clocks go back.
    pub twice: u64,
    /// Their hour does not exist in the zone, on the day on which clocks go forward.
    pub never: u64,
    /// Their time is later than now.
    pub in_future: u64,
    /// The names of zones whose offset is not known, each with its rows.
    pub names: BTreeMap<ZoneName, u64>,
}

impl TextTotals {
    /// Distinct finds.
    #[must_use]
    pub fn unique(&self) -> u64 {
        self.public + self.set_aside.values().sum::<u64>()
    }

    /// Counts an event, and what was assumed of its time.
    pub(super) fn count(&mut self, time: Option<&EventTime>) {
        self.rows += 1;
        let Some(time) = time else { return };
        self.timed += 1;
        let assumed = &mut self.assumed;
        match time.zone {
            ZoneBasis::Written => {}
            ZoneBasis::Assumed => assumed.without_zone += 1,
            ZoneBasis::Unresolved(name) => *assumed.names.entry(name).or_default() += 1,
        }
        assumed.without_year += u64::from(time.is_year_assumed);
        assumed.twice += u64::from(time.hour == HourOfZone::Twice);
        assumed.never += u64::from(time.hour == HourOfZone::Never);
        assumed.in_future += u64::from(time.is_in_future);
    }
}
