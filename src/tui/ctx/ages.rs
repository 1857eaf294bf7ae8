//! The times at which the wording of a visible age changes. An idle screen is redrawn only then, at most once a minute.
//!
//! All ages on the screen are worded here, so that none is forgotten.

use std::cell::Cell;

use jiff::{SignedDuration, Timestamp};

use crate::{store::Generation, tui::ui::words};

/// The ages of the last drawing.
#[derive(Debug, Default)]
pub struct AgeClock {
    drawn: Cell<Option<Timestamp>>,
    /// The earliest time at which the wording of one of them changes.
    next: Cell<Option<Timestamp>>,
}

impl AgeClock {
    /// The minimum time between two redraws for this reason.
    const PAUSE: SignedDuration = SignedDuration::from_mins(1);

    /// Begins a drawing: forgets the ages of the previous one.
    pub fn begin(&self, now: Timestamp) {
        self.drawn.set(Some(now));
        self.next.set(None);
    }

    /// The wording of an age: see [`words::age`].
    pub fn words(&self, since: impl Into<Generation>, now: Timestamp) -> String {
        let since = since.into();
        self.note(since.at, now);
        words::age(since, now)
    }

    /// Notes an age that is worded elsewhere and changes at the times of [`words::age`].
    pub fn note(&self, at: Timestamp, now: Timestamp) {
        let changes = words::age_changes(at, now);
        let first = self.next.get().map_or(changes, |next| next.min(changes));
        self.next.set(Some(first));
    }

    /// The time of the next redraw.
    #[must_use]
    pub fn wakes_at(&self) -> Option<Timestamp> {
        let next = self.next.get()?;
        Some(next.max(self.drawn.get()? + Self::PAUSE))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_change_counts_but_a_minute_passes_between_two() {
        let now: Timestamp = "2026-11-20T23:14:00Z".parse().expect("timestamp");
        let second = SignedDuration::from_secs;
        let ages = AgeClock::default();
        assert_eq!(ages.wakes_at(), None);
        ages.begin(now);
        assert_eq!(ages.wakes_at(), None, "no age is in view");
        assert_eq!(ages.words(now - second(3 * 3600 + 60), now), "3h");
        assert_eq!(ages.wakes_at(), Some(now + second(3540)));
        assert_eq!(ages.words(now - second(50), now), "now");
        assert_eq!(ages.wakes_at(), Some(now + second(60)));
        ages.begin(now);
        assert_eq!(ages.wakes_at(), None, "it left the view");
    }
}
