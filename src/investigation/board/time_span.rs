//! A span of time as filters write it: `2026-11-25`, `2026-11-25T03..05`, `2026-11-25T03:10..03:20`, all of UTC.

use std::{fmt, ops::Range, str::FromStr};

use jiff::Timestamp;

use crate::{investigation::gather::Minute, model::Day};

const HOUR: Minute = 60;
const DAY: Minute = 24 * HOUR;

/// A span of time, by its minutes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeSpan(pub Range<Minute>);

/// Why a text is no span of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadSpan {
    Form,
    /// It ends before it begins.
    Order,
}

impl fmt::Display for BadSpan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Form => "write time:2026-11-25T03..05, in UTC",
            Self::Order => "it ends before it begins",
        })
    }
}

impl TimeSpan {
    /// What is in both.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        Self(self.0.start.max(other.0.start)..self.0.end.min(other.0.end))
    }

    /// Whether something that begins in one minute and has so many is in it, or a part of that.
    #[must_use]
    pub fn meets(&self, start: Minute, minutes: Minute) -> bool {
        start < self.0.end && start.saturating_add(minutes) > self.0.start
    }
}

/// A day, an hour or a minute: where it begins, and how long it is.
fn point(text: &str) -> Option<(Minute, Minute)> {
    let (day, clock) = match text.split_once(['T', 't']) {
        Some((day, clock)) => (day, Some(clock)),
        None => (text, None),
    };
    let day: Day = day.parse().ok()?;
    let start = Minute::try_from(day.at(0, 0).as_second() / 60).ok()?;
    let Some(clock) = clock else {
        return Some((start, DAY));
    };
    let (hour, minute) = match clock.split_once(':') {
        Some((hour, minute)) => (hour, Some(minute)),
        None => (clock, None),
    };
    let number = |text: &str, below: Minute| {
        let is_two_digits = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
        let number: Option<Minute> = text.parse().ok();
        number
            .filter(|number| *number < below)
            .filter(|_| is_two_digits)
    };
    let start = start + number(hour, 24)? * HOUR;
    match minute {
        Some(minute) => Some((start + number(minute, 60)?, 1)),
        None => Some((start, HOUR)),
    }
}

impl FromStr for TimeSpan {
    type Err = BadSpan;

    /// The end may be without what it has in common with the beginning, and either may be left out.
    fn from_str(text: &str) -> Result<Self, BadSpan> {
        let Some((from, to)) = text.split_once("..") else {
            let (start, minutes) = point(text).ok_or(BadSpan::Form)?;
            return Ok(Self(start..start + minutes));
        };
        if from.is_empty() && to.is_empty() {
            return Err(BadSpan::Form);
        }
        let start = match from {
            "" => Minute::MIN,
            from => point(from).ok_or(BadSpan::Form)?.0,
        };
        let in_common = from.len().checked_sub(to.len());
        let in_common = in_common
            .and_then(|end| from.get(..end))
            .unwrap_or_default();
        let end = match to {
            "" => Minute::MAX,
            to => {
                let end = point(to).or_else(|| point(&format!("{in_common}{to}")));
                let (start, minutes) = end.ok_or(BadSpan::Form)?;
                start + minutes
            }
        };
        if start < end {
            Ok(Self(start..end))
        } else {
            Err(BadSpan::Order)
        }
    }
}

impl fmt::Display for TimeSpan {
    /// As short as it is exact.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Range { start, end } = self.0;
        let open = |end: Minute| end == Minute::MIN || end == Minute::MAX;
        let ends = [start, end].into_iter().filter(|number| !open(*number));
        let all = |unit| ends.clone().all(|number| number.rem_euclid(unit) == 0);
        let unit = [DAY, HOUR].into_iter().find(|unit| all(*unit)).unwrap_or(1);
        let from = if open(start) {
            String::new()
        } else {
            written(start, unit)
        };
        if end.checked_sub(unit) == Some(start) {
            return f.write_str(&from);
        }
        let to = if open(end) {
            String::new()
        } else {
            written(end - unit, unit)
        };
        // An hour of the same day needs no day, a day of the same month no month.
        let in_common = [11, 8]
            .into_iter()
            .find(|length| to.len() > *length && from.get(..*length) == to.get(..*length));
        write!(f, "{from}..{}", &to[in_common.unwrap_or_default()..])
    }
}

/// A minute as the beginning of a unit.
fn written(minute: Minute, unit: Minute) -> String {
    let form = match unit {
        DAY => "%Y-%m-%d",
        HOUR => "%Y-%m-%dT%H",
        _ => "%Y-%m-%dT%H:%M",
    };
    let at = Timestamp::from_second(i64::from(minute) * 60);
    at.map_or_else(|_| String::new(), |at| at.strftime(form).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_is_read_and_written() {
        for (text, from, minutes, again) in [
            ("2026-11-25", "2026-11-25T00:00:00Z", DAY, "2026-11-25"),
            ("20261125", "2026-11-25T00:00:00Z", DAY, "2026-11-25"),
            ("2026-11-25T03", "2026-11-25T03:00:00Z", 60, "2026-11-25T03"),
            (
                "2026-11-25T03..05",
                "2026-11-25T03:00:00Z",
                180,
                "2026-11-25T03..05",
            ),
            (
                "2026-11-25t03:10",
                "2026-11-25T03:10:00Z",
                1,
                "2026-11-25T03:10",
            ),
            (
                "2026-11-25T03:10..03:19",
                "2026-11-25T03:10:00Z",
                10,
                "2026-11-25T03:10..03:19",
            ),
            (
                "2026-11-25T03:10..19",
                "2026-11-25T03:10:00Z",
                10,
                "2026-11-25T03:10..03:19",
            ),
            (
                "2026-11-25..27",
                "2026-11-25T00:00:00Z",
                3 * DAY,
                "2026-11-25..27",
            ),
            (
                "2026-11-30..12-01",
                "2026-11-30T00:00:00Z",
                2 * DAY,
                "2026-11-30..2026-12-01",
            ),
            (
                "2026-11-25T22..26T01",
                "2026-11-25T22:00:00Z",
                240,
                "2026-11-25T22..26T01",
            ),
        ] {
            let span: TimeSpan = text.parse().expect(text);
            let start: Timestamp = from.parse().expect("a time");
            assert_eq!(i64::from(span.0.start) * 60, start.as_second(), "{text}");
            assert_eq!(span.0.end - span.0.start, minutes, "{text}");
            assert_eq!(span.to_string(), again, "{text}");
            assert_eq!(again.parse(), Ok(span), "{text}");
        }
    }

    #[test]
    fn an_end_may_be_left_out() {
        let from: TimeSpan = "2026-11-25T03..".parse().expect("a span");
        assert_eq!(
            (from.0.end, from.to_string().as_str()),
            (Minute::MAX, "2026-11-25T03..")
        );
        let to: TimeSpan = "..2026-11-25".parse().expect("a span");
        assert_eq!(
            (to.0.start, to.to_string().as_str()),
            (Minute::MIN, "..2026-11-25")
        );
        assert!(to.meets(Minute::MIN, 1) && !to.meets(Minute::MAX, 1));
    }

    #[test]
    fn what_is_no_span_is_refused() {
        for text in [
            "",
            "..",
            "soon",
            "2026-11-25T",
            "2026-11-25T3",
            "2026-11-25T24",
            "2026-11-25T03:60",
            "2026-13-01",
            "2026-11-25T03..26",
            "03..05",
            "2026-11-25...26",
            "2026-11-25T+3",
        ] {
            assert_eq!(text.parse::<TimeSpan>(), Err(BadSpan::Form), "{text}");
        }
        assert_eq!("2026-11-25T05..03".parse::<TimeSpan>(), Err(BadSpan::Order));
    }

    #[test]
    fn a_longer_unit_is_met_in_each_of_its_parts() {
        let span = TimeSpan(100..110);
        for (start, minutes, meets) in [
            (90, 10, false),
            (90, 11, true),
            (109, 1, true),
            (110, 10, false),
        ] {
            assert_eq!(span.meets(start, minutes), meets, "{start} {minutes}");
        }
    }
}
