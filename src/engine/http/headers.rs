//! The headers of an answer. A malformed header counts as absent, never as a value.

use std::time::Duration;

use jiff::Timestamp;
use reqwest::header::HeaderMap;

use crate::model::Day;

/// Longer header values are taken for absent.
pub(super) const LONGEST_HEADER: usize = 8 << 10;

/// What the headers of an answer say. What is missing or unreadable is `None`: unknown, never zero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::engine) struct Captured {
    /// `x-balance-remaining`
    pub(in crate::engine) balance: Option<u64>,
    /// `x-result-dt`
    pub(in crate::engine) result_date: Option<Day>,
    /// `x-feed-generation-date`, which is on the redirect.
    pub(in crate::engine) generation_date: Option<Day>,
    /// `ETag`, if it is a strong one.
    pub(in crate::engine) etag: Option<String>,
    /// `Last-Modified`
    pub(in crate::engine) last_modified: Option<String>,
    /// `Content-Length`
    pub(in crate::engine) length: Option<u64>,
    /// First byte and total of `Content-Range`.
    pub(in crate::engine) range: Option<(u64, Option<u64>)>,
    /// `Content-Type`
    pub(in crate::engine) content_type: Option<String>,
    /// `Retry-After`, in either of its forms.
    pub(in crate::engine) retry_after: Option<Duration>,
    /// `Date` of the host that was asked, the service's clock; of where it led to only if it gave none.
    pub(in crate::engine) date: Option<Timestamp>,
}

impl Captured {
    pub(super) fn of(headers: &HeaderMap) -> Self {
        let text = |name: &str| {
            let value = headers
                .get(name)
                .filter(|value| value.len() <= LONGEST_HEADER)?;
            value
                .to_str()
                .ok()
                .map(str::trim)
                .filter(|text| !text.is_empty())
        };
        let number = |name: &str| text(name).and_then(|text| text.parse::<u64>().ok());
        let date = text("date").and_then(timestamp_of_http);
        Self {
            balance: number("x-balance-remaining"),
            result_date: text("x-result-dt").and_then(day_of_header),
            generation_date: text("x-feed-generation-date").and_then(day_of_header),
            etag: text("etag")
                .filter(|tag| tag.starts_with('"'))
                .map(str::to_owned),
            last_modified: text("last-modified").map(str::to_owned),
            length: number("content-length"),
            range: text("content-range").and_then(content_range),
            content_type: text("content-type").map(str::to_ascii_lowercase),
            retry_after: text("retry-after").and_then(|text| retry_after(text, date)),
            date,
        }
    }

    /// `Last-Modified` as a time; `None` if unreadable.
    pub(in crate::engine) fn last_change(&self) -> Option<Timestamp> {
        timestamp_of_http(self.last_modified.as_deref()?)
    }

    /// What tells whether the file is still the same: the entity tag, else the date of its last change.
    #[must_use]
    pub(in crate::engine) fn validator(&self) -> Option<&str> {
        self.etag.as_deref().or(self.last_modified.as_deref())
    }

    /// Whether the answer names another state of the file than this validator does.
    #[must_use]
    pub(in crate::engine) fn contradicts(&self, validator: &str) -> bool {
        let same_kind = if validator.starts_with('"') {
            &self.etag
        } else {
            &self.last_modified
        };
        same_kind.as_deref().is_some_and(|text| text != validator)
    }

    /// Whether the answer calls itself a web page.
    #[must_use]
    pub(in crate::engine) fn is_web_page(&self) -> bool {
        self.content_type
            .as_deref()
            .is_some_and(|kind| kind.starts_with("text/html"))
    }
}

fn timestamp_of_http(text: &str) -> Option<Timestamp> {
    Timestamp::try_from(httpdate::parse_http_date(text).ok()?).ok()
}

/// The contract does not state the form of the dates in headers: both spellings of a day, a timestamp and an HTTP date
/// are read.
fn day_of_header(text: &str) -> Option<Day> {
    let instant = || {
        text.parse::<Timestamp>()
            .ok()
            .or_else(|| timestamp_of_http(text))
            .map(Day::of)
    };
    text.parse()
        .ok()
        .or_else(instant)
        .or_else(|| text.get(..10)?.parse().ok())
}

fn content_range(text: &str) -> Option<(u64, Option<u64>)> {
    let (range, total) = text.strip_prefix("bytes ")?.split_once('/')?;
    let first = range.split_once('-')?.0.trim().parse().ok()?;
    Some((first, total.trim().parse().ok()))
}

fn retry_after(text: &str, date: Option<Timestamp>) -> Option<Duration> {
    if let Ok(seconds) = text.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let until = timestamp_of_http(text)?;
    let pause = until.as_second().saturating_sub(date?.as_second());
    Some(Duration::from_secs(u64::try_from(pause).unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use reqwest::header::HeaderValue;

    use super::*;

    fn captured(pairs: &[(&'static str, &str)]) -> Captured {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.insert(*name, HeaderValue::from_str(value).expect("value"));
        }
        Captured::of(&headers)
    }

    #[test]
    fn headers_are_read_or_unknown() {
        let day = Day::new(2026, 11, 20);
        assert_eq!(captured(&[]), Captured::default());
        assert_eq!(
            captured(&[("x-balance-remaining", "48120")]).balance,
            Some(48_120)
        );
        for odd in ["", "-1", "many", "1e3", "99999999999999999999"] {
            assert_eq!(
                captured(&[("x-balance-remaining", odd)]).balance,
                None,
                "{odd:?}"
            );
        }
        for text in [
            "20261120",
            "2026-11-20",
            "2026-11-20T03:58:00Z",
            "Fri, 20 Nov 2026 03:58:00 GMT",
            "2026-11-20 03:58",
        ] {
            assert_eq!(
                captured(&[("x-feed-generation-date", text)]).generation_date,
                day,
                "{text:?}"
            );
        }
        assert_eq!(
            captured(&[("content-range", "bytes 100-199/4000")]).range,
            Some((100, Some(4000)))
        );
        assert_eq!(
            captured(&[("content-range", "bytes 100-199/*")]).range,
            Some((100, None))
        );
        assert_eq!(captured(&[("etag", "W/\"a\"")]).validator(), None);
        let long = "1".repeat(LONGEST_HEADER + 1);
        assert_eq!(captured(&[("x-balance-remaining", &long)]).balance, None);
        let later = [
            ("date", "Fri, 20 Nov 2026 03:58:00 GMT"),
            ("retry-after", "Fri, 20 Nov 2026 03:59:30 GMT"),
        ];
        assert_eq!(captured(&later).retry_after, Some(Duration::from_secs(90)));
        assert_eq!(
            captured(&[("retry-after", "7")]).retry_after,
            Some(Duration::from_secs(7))
        );
    }
}
