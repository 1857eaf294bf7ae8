//! How an address occurs in a text.

use jiff::Timestamp;

use super::{event_times::EventTimes, values::Beside};
use crate::investigation::text::AddressRole;

/// Where, when and how often an address occurs in a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Occurrences {
    /// How often it occurs.
    pub count: u64,
    /// How many lines have it.
    pub lines: u64,
    /// The line of the first occurrence, from 1.
    pub first_line: u64,
    /// The number of the text in which that is, from 0.
    pub text: usize,
    /// The earliest and the latest time beside it.
    pub times: Option<(Timestamp, Timestamp)>,
    /// Its events by time, where they are counted.
    pub events: Option<Box<EventTimes>>,
    /// Whose address it is, by what the text says.
    pub role: AddressRole,
    /// Whether its last group may be a port, which the text does not decide.
    pub may_end_in_port: bool,
    /// What stands beside it.
    pub beside: Beside,
    pub(super) last: LastOccurrence,
}

impl Occurrences {
    /// Whether a query about the address is worth its price.
    #[must_use]
    pub fn is_worth_a_query(&self, any_role: bool) -> bool {
        (any_role || self.role.is_source()) && !self.may_end_in_port
    }
}

/// The occurrence before the next one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct LastOccurrence {
    pub(super) line: u64,
    /// The number of its row, and the event in that.
    pub(super) event: (u64, u32),
}

impl Occurrences {
    /// Adds those of the same address under another spelling.
    pub(super) fn merge(&mut self, other: &Self) {
        self.count += other.count;
        self.lines += other.lines;
        if (other.text, other.first_line) < (self.text, self.first_line) {
            (self.text, self.first_line) = (other.text, other.first_line);
        }
        self.role = self.role.min(other.role);
        self.times = match (self.times, other.times) {
            (Some((first, last)), Some((timestamp, more))) => {
                Some((first.min(timestamp), last.max(more)))
            }
            (pair, other) => pair.or(other),
        };
        match (&mut self.events, &other.events) {
            (Some(times), Some(more)) => times.merge(more),
            (times, more) => *times = times.take().or_else(|| more.clone()),
        }
        self.beside.merge(&other.beside);
    }
}
