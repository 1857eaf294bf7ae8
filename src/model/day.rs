//! Dates of the service: feed days and realtime windows, always UTC (contract, part 8.4).

use std::{fmt, str::FromStr, time::SystemTime};

use jiff::{Timestamp, ToSpan, civil::Date, tz::TimeZone};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// A calendar day in UTC, the unit of feed releases and of historical lookups.
///
/// Shown as `YYYYMMDD`, the form of feed paths and of `dt`; [`Day::dashed`] gives the form of `diffDate`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(Date);

/// The instant of a system clock; one beyond the calendar is taken for its end.
#[must_use]
pub fn instant_of(clock: SystemTime) -> Timestamp {
    Timestamp::try_from(clock).unwrap_or(Timestamp::MAX)
}

impl Day {
    /// The day with these numbers, if the calendar has it.
    #[must_use]
    pub fn new(year: i16, month: i8, day: i8) -> Option<Self> {
        Date::new(year, month, day).ok().map(Self)
    }

    /// The UTC day in which `instant` lies.
    #[must_use]
    pub fn of(instant: Timestamp) -> Self {
        Self(instant.to_zoned(TimeZone::UTC).date())
    }

    /// This day moved by a number of days, negative for the past; stays at the calendar's end when it would leave it.
    #[must_use]
    pub fn plus(self, days: i32) -> Self {
        Self(self.0.saturating_add(days.days()))
    }

    /// How many days `self` lies after `earlier`; negative when it lies before.
    #[must_use]
    pub fn days_since(self, earlier: Self) -> i32 {
        earlier.0.until(self.0).map_or(0, |span| span.get_days())
    }

    /// The calendar date, for what needs more than this type gives.
    #[must_use]
    pub fn date(self) -> Date {
        self.0
    }

    /// The instant at which this day has lasted `hour` hours and `minute` minutes.
    ///
    /// # Panics
    /// Never for an hour below 24 and a minute below 60.
    #[must_use]
    pub fn at(self, hour: i8, minute: i8) -> Timestamp {
        self.0
            .at(hour.clamp(0, 23), minute.clamp(0, 59), 0, 0)
            .to_zoned(TimeZone::UTC)
            .map_or(Timestamp::MAX, |zoned| zoned.timestamp())
    }

    /// `YYYY-MM-DD`, the form of the export's `diffDate`.
    #[must_use]
    pub fn dashed(self) -> String {
        self.0.to_string()
    }

    /// Reads a day as people write it: a date in either spelling, `today`, `yesterday`, or `-7d` for so many days before
    /// today, the letter may be left out.
    ///
    /// # Errors
    /// [`BadDay::Word`] for any other text.
    pub fn read(text: &str, today: Self) -> Result<Self, BadDay> {
        let text = text.trim();
        let day = match text {
            "today" => Some(today),
            "yesterday" => Some(today.plus(-1)),
            _ => match text.strip_prefix('-') {
                Some(days) => days_before(days).map(|days| today.plus(-days)),
                None => text.parse().ok(),
            },
        };
        day.ok_or_else(|| BadDay::Word(text.to_owned()))
    }

    /// This day, unless it comes after `last`.
    ///
    /// # Errors
    /// [`BadDay::Future`].
    pub fn until(self, last: Self) -> Result<Self, BadDay> {
        if self > last {
            return Err(BadDay::Future(self));
        }
        Ok(self)
    }

    /// Reads exactly `YYYYMMDD`, as it is in paths.
    #[must_use]
    pub fn from_compact(text: &str) -> Option<Self> {
        let digits = text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_digit());
        if !digits {
            return None;
        }
        Self::new(
            text[..4].parse().ok()?,
            text[4..6].parse().ok()?,
            text[6..].parse().ok()?,
        )
    }

    /// Reads exactly `YYYY-MM-DD`.
    #[must_use]
    pub fn from_dashed(text: &str) -> Option<Self> {
        let mut parts = text.split('-');
        let [year, month, day] = [parts.next()?, parts.next()?, parts.next()?];
        let shaped =
            year.len() == 4 && month.len() == 2 && day.len() == 2 && parts.next().is_none();
        if shaped {
            Self::from_compact(&format!("{year}{month}{day}"))
        } else {
            None
        }
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!(
            "{:04}{:02}{:02}",
            self.0.year(),
            self.0.month(),
            self.0.day()
        ))
    }
}

/// A number of days as it is behind the minus: digits, and a `d` or none.
fn days_before(text: &str) -> Option<i32> {
    let digits = text.strip_suffix('d').unwrap_or(text);
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    let days: Option<u16> = digits.parse().ok().filter(|_| is_number);
    days.map(i32::from)
}

/// Why a text is not a day.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadDay {
    #[error("{0:?} is not a day: write YYYYMMDD or YYYY-MM-DD")]
    Date(String),
    /// It is neither a date nor one of the words for a day.
    #[error("{0:?} is not a day: write 2026-11-01, -7d, yesterday or today")]
    Word(String),
    /// The day has not begun.
    #[error("{} is in the future", .0.dashed())]
    Future(Day),
}

impl Serialize for Day {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Day {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(D::Error::custom)
    }
}

impl FromStr for Day {
    type Err = BadDay;

    /// Accepts both spellings: `YYYYMMDD` and `YYYY-MM-DD`.
    fn from_str(text: &str) -> Result<Self, BadDay> {
        let text = text.trim();
        Self::from_compact(text)
            .or_else(|| Self::from_dashed(text))
            .ok_or_else(|| BadDay::Date(text.to_owned()))
    }
}

/// The five minutes that one realtime file covers, named by day and `HHMM` in UTC (contract, part 4.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Window {
    /// The day of the file's folder.
    pub day: Day,
    hour: u8,
    minute: u8,
}

impl Window {
    /// Minutes that one realtime file covers.
    pub const MINUTES: u8 = 5;

    /// The window of this day named `HHMM`, if that is a time of day.
    #[must_use]
    pub fn new(day: Day, hhmm: &str) -> Option<Self> {
        let digits = hhmm.len() == 4 && hhmm.bytes().all(|byte| byte.is_ascii_digit());
        let (hour, minute) = if digits {
            (hhmm[..2].parse().ok()?, hhmm[2..].parse().ok()?)
        } else {
            return None;
        };
        (hour < 24 && minute < 60).then_some(Self { day, hour, minute })
    }

    /// The window in which `instant` lies.
    #[must_use]
    pub fn of(instant: Timestamp) -> Self {
        let zoned = instant.to_zoned(TimeZone::UTC);
        let minute = zoned.minute().unsigned_abs();
        Self {
            day: Day::of(instant),
            hour: zoned.hour().unsigned_abs(),
            minute: minute - minute % Self::MINUTES,
        }
    }

    /// The instant at which the window begins.
    #[must_use]
    pub fn begins(self) -> Timestamp {
        self.day
            .at(self.hour.cast_signed(), self.minute.cast_signed())
    }

    /// `HHMM`, as in the file's name.
    #[must_use]
    pub fn hhmm(self) -> String {
        format!("{:02}{:02}", self.hour, self.minute)
    }

    /// The time of day at which it begins, in UTC, as people write it: `23:10Z`.
    #[must_use]
    pub fn clock(self) -> String {
        format!("{:02}:{:02}Z", self.hour, self.minute)
    }
}

impl fmt::Display for Window {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.day, self.hhmm())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> Day {
        text.parse().expect(text)
    }

    #[test]
    fn both_spellings_are_one_day() {
        assert_eq!(day("20261120"), day("2026-11-20"));
        assert_eq!(day("20261120").to_string(), "20261120");
        assert_eq!(day("20261120").dashed(), "2026-11-20");
        assert_eq!(format!("[{:>10}]", day("20261120")), "[  20261120]");
    }

    #[test]
    fn what_is_no_day_is_refused() {
        for text in [
            "",
            "2026112",
            "20261131",
            "20260229",
            "2026-1-2",
            "20-261120",
            "2026-11-20-1",
            "２０２６１１２０",
            "+2261120",
        ] {
            assert!(text.parse::<Day>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn days_are_read_as_people_write_them() {
        let today = day("20261120");
        for (text, expected) in [
            ("today", "20261120"),
            (" yesterday ", "20261119"),
            ("-0", "20261120"),
            ("-7d", "20261113"),
            ("-30", "20261021"),
            ("20261001", "20261001"),
            ("2026-10-01", "20261001"),
            ("20261121", "20261121"),
        ] {
            assert_eq!(Day::read(text, today), Ok(day(expected)), "{text}");
        }
        for text in [
            "", "-", "-d", "--3", "-+3", "-99999", "-7w", "7d", "soon", "20261131",
        ] {
            let bad = Day::read(text, today);
            assert_eq!(bad, Err(BadDay::Word(text.to_owned())), "{text}");
        }
        assert_eq!(today.until(today), Ok(today));
        let tomorrow = today.plus(1).until(today).map_err(|why| why.to_string());
        assert_eq!(tomorrow, Err("2026-11-21 is in the future".to_owned()));
    }

    #[test]
    fn days_move_over_month_and_year() {
        assert_eq!(day("20261231").plus(1), day("20270101"));
        assert_eq!(day("20240301").plus(-1), day("20240229"));
        assert_eq!(day("20261120").days_since(day("20261001")), 50);
        assert_eq!(day("20261001").days_since(day("20261120")), -50);
    }

    #[test]
    fn an_instant_falls_into_its_window() {
        let instant: Timestamp = "2026-11-20T23:14:59Z".parse().expect("timestamp");
        let window = Window::of(instant);
        assert_eq!(window.to_string(), "20261120/2310");
        assert_eq!(window.begins().to_string(), "2026-11-20T23:10:00Z");
        assert_eq!(Window::new(day("20261120"), "2310"), Some(window));
        assert_eq!(Window::new(day("20261120"), "2460"), None);
        assert_eq!(Window::new(day("20261120"), "231"), None);
    }
}
