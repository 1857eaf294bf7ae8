//! How old a release is, where that has to be named.

use jiff::Timestamp;

use super::counted;
use crate::{
    contract::{
        Feed, Freshness,
        cadence::{old_day, old_window},
    },
    store::{Generation, Moment},
};

/// The age of a release that is older than two of its periods: `anonymous of 2024-06-14 is 892 days old`, with `~` before the number
/// where it counts from the day alone.
#[must_use]
pub fn age(feed: Feed, release: Moment, generation: Generation, now: Timestamp) -> Option<String> {
    let (number, unit) = match release {
        Moment::Day(_) => (old_day(generation.at, now)?, "day"),
        Moment::Window(_) => match old_window(generation.at, now)? {
            minutes @ ..120 => (minutes, "minute"),
            minutes @ 120..2880 => (minutes / 60, "hour"),
            minutes => (minutes / (24 * 60), "day"),
        },
    };
    let number = u64::try_from(number).unwrap_or_default();
    let mark = if generation.is_known { "" } else { "~" };
    let (day, age) = (release.dashed(), counted(number, unit));
    Some(format!("{feed} of {day} is {mark}{age} old"))
}

/// How far a release is behind its cadence; nothing for a current one.
#[must_use]
pub fn behind(freshness: Freshness) -> Option<String> {
    match freshness {
        Freshness::Current => None,
        Freshness::DaysBehind(days) => Some(format!("{} behind", counted(days.into(), "day"))),
        Freshness::MinutesBehind(minutes) => Some(format!("{minutes} min behind")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_age_is_named_in_the_largest_unit_that_fits() {
        let named = |feed, moment: &str, now: &str| {
            let moment = Moment::parse(moment).expect(moment);
            age(feed, moment, moment.generation(), now.parse().expect(now))
        };
        let words = |text: &str| Some(text.to_owned());
        for (feed, moment, now, expected) in [
            (Feed::Anonymous, "20261119", "2026-11-20T12:00:00Z", None),
            (
                Feed::Anonymous,
                "20240611",
                "2026-11-20T12:00:00Z",
                words("anonymous of 2024-06-11 is ~892 days old"),
            ),
            (
                Feed::Realtime,
                "20261120-1100",
                "2026-11-20T12:00:00Z",
                words("realtime of 2026-11-20 11:00Z is 60 minutes old"),
            ),
            (
                Feed::Realtime,
                "20261119-1100",
                "2026-11-20T12:00:00Z",
                words("realtime of 2026-11-19 11:00Z is 25 hours old"),
            ),
        ] {
            assert_eq!(named(feed, moment, now), expected);
        }
    }
}
