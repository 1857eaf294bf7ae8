//! When releases appear: a day's feed is generated after three in the morning and can be had between four and five
//! (contract, part 8.3), so that before that the latest one is yesterday's.

use jiff::{Timestamp, ToSpan};

use super::world::RELEASES;
use crate::{
    contract::Feed,
    model::{Day, Window},
};

/// When the data of a day was put together.
pub(crate) fn generated_at(feed: Feed, day: Day) -> Timestamp {
    day.at(3, minute(feed) / 2)
}

/// When a day's JSON becomes downloadable.
pub(crate) fn available_at(feed: Feed, day: Day) -> Timestamp {
    day.at(4, minute(feed))
}

/// Feeds appear one after the other, six minutes apart.
fn minute(feed: Feed) -> i8 {
    let place = Feed::all().position(|other| other == feed).unwrap_or(0);
    i8::try_from(1 + 6 * place).unwrap_or(59)
}

pub(crate) fn latest(feed: Feed, now: Timestamp) -> Day {
    let today = Day::of(now);
    if now < available_at(feed, today) {
        today.plus(-1)
    } else {
        today
    }
}

/// The day of the latest MMDB, which is produced after the JSON (contract, part 2.8): a day behind for the largest feed.
pub(crate) fn latest_mmdb(feed: Feed, now: Timestamp) -> Day {
    latest(feed, now).plus(if feed == Feed::AnonymousResidential {
        -1
    } else {
        0
    })
}

/// All days that there are releases of, the oldest first.
pub(crate) fn days(feed: Feed, now: Timestamp) -> impl Iterator<Item = Day> {
    let latest = latest(feed, now);
    (0..RELEASES).rev().map(move |back| latest.plus(-back))
}

/// Whether there is a release of this day.
pub(crate) fn has(feed: Feed, day: Day, now: Timestamp) -> bool {
    days(feed, now).any(|there| there == day)
}

/// The latest realtime window that is over.
pub(crate) fn latest_window(now: Timestamp) -> Window {
    let minutes = i64::from(Window::MINUTES);
    Window::of(now.checked_sub(minutes.minutes()).unwrap_or(now))
}

/// The windows of a day that there are files of.
pub(crate) fn windows(day: Day, now: Timestamp) -> Vec<Window> {
    let all = (0..24).flat_map(|hour| {
        (0..60)
            .step_by(usize::from(Window::MINUTES))
            .map(move |minute| (hour, minute))
    });
    let windows =
        all.filter_map(|(hour, minute)| Window::new(day, &format!("{hour:02}{minute:02}")));
    windows.filter(|window| has_window(*window, now)).collect()
}

/// Whether there is a file of this window: it is over, and not older than the daily releases.
pub(crate) fn has_window(window: Window, now: Timestamp) -> bool {
    let age = Day::of(now).days_since(window.day);
    let whole = Window::of(window.begins()) == window;
    whole && window <= latest_window(now) && age < RELEASES
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().expect(text)
    }

    #[test]
    fn before_the_release_hour_the_latest_is_yesterdays() {
        let day = Day::new(2026, 11, 20).expect("day");
        for feed in Feed::all() {
            assert_eq!(latest(feed, at("2026-11-20T03:59:59Z")), day.plus(-1));
            assert_eq!(latest(feed, at("2026-11-20T05:00:00Z")), day);
            assert!(generated_at(feed, day) < available_at(feed, day));
        }
        let now = at("2026-11-20T12:00:00Z");
        assert_eq!(days(Feed::Dch, now).count(), 14);
        assert!(has(Feed::Dch, day.plus(-13), now) && !has(Feed::Dch, day.plus(-14), now));
        assert!(!has(Feed::Dch, day.plus(1), now));
    }

    #[test]
    fn a_window_is_there_once_it_is_over() {
        let now = at("2026-11-20T12:04:59Z");
        assert_eq!(latest_window(now).to_string(), "20261120/1155");
        assert_eq!(windows(Day::of(now), now).len(), 12 * 12);
        assert_eq!(windows(Day::of(now).plus(-1), now).len(), 288);
        assert_eq!(windows(Day::of(now).plus(-14), now).len(), 0);
        assert!(!has_window(
            Window::new(Day::of(now), "1157").expect("window"),
            now
        ));
    }
}
