//! Values in words: absent is shown as absent, numbers are grouped, text from outside is escaped.

use jiff::{SignedDuration, Timestamp};
use ratatui::text::Line;

use super::Theme;
use crate::{
    model::{Field, visible},
    store::Generation,
};

/// A field as a line; what is missing in dim words.
pub fn shown<T>(
    field: &Field<T>,
    theme: &Theme,
    words: impl FnOnce(&T) -> String,
) -> Line<'static> {
    match field {
        Field::Is(value) => Line::raw(visible(&words(value)).into_owned()),
        Field::Absent => Line::styled("(absent)", theme.dim),
        Field::Null => Line::styled("(null)", theme.dim),
        Field::Odd => Line::styled("(unreadable, see raw)", theme.warn),
    }
}

pub use crate::report::{
    count as number, counted, decimal, instant, signed, size as bytes, stated as plain,
};

#[must_use]
pub fn queries(number: u64) -> String {
    counted(number, "query")
}

/// The first of several values, and how many there are beside it.
#[must_use]
pub fn few(values: &[String]) -> String {
    match values {
        [] => "none".to_owned(),
        [only] => only.clone(),
        [first, rest @ ..] => format!("{first} (+{})", rest.len()),
    }
}

/// A time of this session: to the second, with the date where it is not that of `now`.
#[must_use]
pub fn clock(at: Timestamp, now: Timestamp) -> String {
    let date = |at: Timestamp| at.strftime("%F").to_string();
    if date(at) == date(now) {
        at.strftime("%H:%M:%SZ").to_string()
    } else {
        instant(at)
    }
}

/// How long ago something was, roughly: `now`, `4m`, `2h`, `1d`; `~2h` for a release of which only the day is known.
#[must_use]
pub fn age(since: impl Into<Generation>, now: Timestamp) -> String {
    let Generation { at, is_known } = since.into();
    let passed = now.duration_since(at).max(SignedDuration::ZERO);
    let mark = if is_known { "" } else { "~" };
    match (passed.as_mins(), passed.as_hours()) {
        (0, _) => "now".to_owned(),
        (minutes @ 1..60, _) => format!("{mark}{minutes}m"),
        (_, hours @ 1..48) => format!("{mark}{hours}h"),
        (_, hours) => format!("{mark}{}d", hours / 24),
    }
}

/// When the words of [`age`] change next.
#[must_use]
pub fn age_changes(at: Timestamp, now: Timestamp) -> Timestamp {
    let passed = now.duration_since(at).max(SignedDuration::ZERO);
    let next = match (passed.as_mins(), passed.as_hours()) {
        (minutes @ ..60, _) => SignedDuration::from_mins(minutes + 1),
        (_, hours @ ..48) => SignedDuration::from_hours(hours + 1),
        (_, hours) => SignedDuration::from_hours((hours / 24 + 1) * 24),
    };
    at.saturating_add(next).unwrap_or(Timestamp::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        for (value, expected) in [
            (0, "0"),
            (999, "999"),
            (1000, "1,000"),
            (48_120, "48,120"),
            (1_234_567, "1,234,567"),
        ] {
            assert_eq!(number(value), expected);
        }
    }

    #[test]
    fn an_age_from_the_day_alone_is_marked() {
        let at: Timestamp = "2026-11-20T00:00:00Z".parse().expect("timestamp");
        for (minutes, expected) in [(0, "now"), (9, "~9m"), (130, "~2h"), (2880, "~2d")] {
            let day = Generation {
                at,
                is_known: false,
            };
            assert_eq!(age(day, at + SignedDuration::from_mins(minutes)), expected);
        }
    }

    #[test]
    fn a_time_of_another_day_has_its_date() {
        let now: Timestamp = "2026-11-20T00:14:00Z".parse().expect("timestamp");
        let minutes = |number| SignedDuration::from_mins(number);
        assert_eq!(clock(now - minutes(4), now), "00:10:00Z");
        assert_eq!(clock(now - minutes(24), now), "2026-11-19 23:50:00Z");
    }

    #[test]
    fn ages_are_rough() {
        let at = Timestamp::UNIX_EPOCH;
        for (seconds, expected) in [
            (0, "now"),
            (59, "now"),
            (60, "1m"),
            (3599, "59m"),
            (3600, "1h"),
            (172_799, "47h"),
            (172_800, "2d"),
        ] {
            assert_eq!(age(at, at + SignedDuration::from_secs(seconds)), expected);
        }
        assert_eq!(age(at + SignedDuration::from_secs(9), at), "now");
        for seconds in [0, 1, 59, 60, 3599, 3600, 5000, 172_799, 172_800, 1_000_000] {
            let now = at + SignedDuration::from_secs(seconds);
            let changes = age_changes(at, now);
            let before = changes - SignedDuration::from_secs(1);
            assert_eq!(age(at, before), age(at, now), "{seconds}");
            assert_ne!(age(at, changes), age(at, now), "{seconds}");
        }
    }
}
