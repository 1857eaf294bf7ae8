//! When a release is due (contract, part 8.3): daily feeds by 0500 UTC, realtime files for windows of five minutes.

use jiff::{SignedDuration, Timestamp};

use crate::model::{Day, Window};

/// The hour of the day, UTC, by which daily feeds are typically there.
const DUE_HOUR: i8 = 5;
/// Windows that a realtime file may lag behind the clock before that is worth a word; the contract states no delay.
const TOLERATED_WINDOWS: u32 = 3;

/// How a release compares with the contract's cadence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freshness {
    /// It is the one to be expected now.
    Current,
    /// It is this many days older than the one to be expected.
    DaysBehind(u32),
    /// It is this many minutes older than the window that ended last.
    MinutesBehind(u32),
}

/// The day whose daily release is to be expected at `now`.
#[must_use]
pub fn expected_day(now: Timestamp) -> Day {
    let today = Day::of(now);
    if now >= today.at(DUE_HOUR, 0) {
        today
    } else {
        today.plus(-1)
    }
}

/// How the release of `day` compares with the one due at `now`.
#[must_use]
pub fn of_day(day: Day, now: Timestamp) -> Freshness {
    match u32::try_from(expected_day(now).days_since(day)) {
        Ok(days) if days > 0 => Freshness::DaysBehind(days),
        _ => Freshness::Current,
    }
}

/// How the file of `window` compares with the one due at `now`.
#[must_use]
pub fn of_window(window: Window, now: Timestamp) -> Freshness {
    let length = SignedDuration::from_mins(i64::from(Window::MINUTES));
    let passed = now.duration_since(window.begins() + length).as_mins();
    let minutes = u32::try_from(passed).unwrap_or(0);
    if minutes > TOLERATED_WINDOWS * u32::from(Window::MINUTES) {
        Freshness::MinutesBehind(minutes)
    } else {
        Freshness::Current
    }
}

/// Periods of a feed after which an answer from its release is not given without naming its age.
const NAMED_PERIODS: i64 = 2;

/// How old a daily release is at `now`, in whole days, where that is more than two of its periods.
#[must_use]
pub fn old_day(generated: Timestamp, now: Timestamp) -> Option<i64> {
    let age = now.duration_since(generated);
    (age > SignedDuration::from_hours(24 * NAMED_PERIODS)).then(|| age.as_hours() / 24)
}

/// How old a window that began then is at `now`, in whole minutes, where it ended more than two windows ago.
#[must_use]
pub fn old_window(began: Timestamp, now: Timestamp) -> Option<i64> {
    let length = i64::from(Window::MINUTES);
    let age = now.duration_since(began);
    (age > SignedDuration::from_mins(length * (NAMED_PERIODS + 1))).then(|| age.as_mins())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().expect(text)
    }

    #[test]
    fn a_daily_release_is_due_at_five() {
        let day = |text: &str| text.parse::<Day>().expect(text);
        for (release, now, expected) in [
            ("20261120", "2026-11-20T05:00:00Z", Freshness::Current),
            ("20261119", "2026-11-20T04:59:59Z", Freshness::Current),
            ("20261119", "2026-11-20T05:00:00Z", Freshness::DaysBehind(1)),
            ("20261112", "2026-11-20T23:00:00Z", Freshness::DaysBehind(8)),
            ("20261121", "2026-11-20T23:00:00Z", Freshness::Current),
        ] {
            assert_eq!(
                of_day(day(release), at(now)),
                expected,
                "{release} at {now}"
            );
        }
    }

    #[test]
    fn a_window_is_due_soon_after_its_end() {
        let window = Window::of(at("2026-11-20T23:10:00Z"));
        assert_eq!(
            of_window(window, at("2026-11-20T23:16:00Z")),
            Freshness::Current
        );
        assert_eq!(
            of_window(window, at("2026-11-20T23:30:59Z")),
            Freshness::Current
        );
        assert_eq!(
            of_window(window, at("2026-11-20T23:31:00Z")),
            Freshness::MinutesBehind(16)
        );
        assert_eq!(
            of_window(window, at("2026-11-20T23:00:00Z")),
            Freshness::Current
        );
    }

    #[test]
    fn an_age_is_named_after_two_periods() {
        let day: Day = "20261118".parse().expect("day");
        for (now, expected) in [
            ("2026-11-18T12:00:00Z", None),
            ("2026-11-20T00:00:00Z", None),
            ("2026-11-20T00:00:01Z", Some(2)),
            ("2026-11-21T05:00:00Z", Some(3)),
            ("2026-11-17T05:00:00Z", None),
            ("2029-04-28T00:00:00Z", Some(892)),
        ] {
            assert_eq!(old_day(day.at(0, 0), at(now)), expected, "{now}");
        }
        let window = Window::of(at("2026-11-20T23:10:00Z"));
        for (now, expected) in [
            ("2026-11-20T23:25:00Z", None),
            ("2026-11-20T23:25:01Z", Some(15)),
            ("2026-11-21T23:15:00Z", Some(24 * 60 + 5)),
        ] {
            assert_eq!(old_window(window.begins(), at(now)), expected, "{now}");
        }
    }
}
