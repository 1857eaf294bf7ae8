//! The moment of a release: a day, or a realtime window.

use std::fmt;

use jiff::{SignedDuration, Timestamp};

use crate::{
    contract::{Freshness, cadence},
    model::{Day, Window},
};

/// Identifies a release of a feed by its day or realtime window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Moment {
    /// A daily release.
    Day(Day),
    Window(Window),
}

/// From when the age of something counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Generation {
    pub at: Timestamp,
    /// Whether it was generated then. Otherwise its day began then, and it is at most as old as it seems.
    pub is_known: bool,
}

impl From<Timestamp> for Generation {
    fn from(at: Timestamp) -> Self {
        Self { at, is_known: true }
    }
}

impl Moment {
    /// From when the age of its release counts if the time of generation is unknown: 00:00 UTC of its day. A window of realtime is as
    /// old as its name.
    #[must_use]
    pub fn generation(self) -> Generation {
        Generation {
            at: self.begins(),
            is_known: matches!(self, Self::Window(_)),
        }
    }

    /// How its release compares with the one that is due now.
    #[must_use]
    pub fn freshness(self, now: Timestamp) -> Freshness {
        match self {
            Self::Day(day) => cadence::of_day(day, now),
            Self::Window(window) => cadence::of_window(window, now),
        }
    }

    /// The day that contains it.
    #[must_use]
    pub fn day(self) -> Day {
        match self {
            Self::Day(day) => day,
            Self::Window(window) => window.day,
        }
    }

    #[must_use]
    pub fn begins(self) -> Timestamp {
        match self {
            Self::Day(day) => day.at(0, 0),
            Self::Window(window) => window.begins(),
        }
    }

    /// Whether it is more than a day ahead of this clock, which is impossible for a release.
    #[must_use]
    pub fn is_ahead_of(self, clock: Timestamp) -> bool {
        self.begins().duration_since(clock) > SignedDuration::from_hours(24)
    }

    /// The day with dashes, with the time of a window.
    #[must_use]
    pub fn dashed(self) -> String {
        match self {
            Self::Day(day) => day.dashed(),
            Self::Window(window) => format!("{} {}", window.day.dashed(), window.clock()),
        }
    }

    /// Parses the name of a release's folder.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        match name.split_once('-') {
            None => Day::from_compact(name).map(Self::Day),
            Some((day, hhmm)) => Window::new(Day::from_compact(day)?, hhmm).map(Self::Window),
        }
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Day(day) => day.fmt(f),
            Self::Window(window) => f.pad(&format!("{}-{}", window.day, window.hhmm())),
        }
    }
}
