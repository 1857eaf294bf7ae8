//! What the service says of a feed's current release: the Feed Metadata Object (contract, part 2.8).

use jiff::Timestamp;
use serde_json::Value;

use super::{
    Day, FilePath, Window,
    lenient::{Field, NotAnObject, ObjectReader, scalar},
};

/// The current release of a feed in its two forms, or the latest realtime window.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FeedMetadata {
    pub json: Field<ReleaseMetadata>,
    /// The MMDB release, for feeds that have one; it is made after the JSON and may be of an earlier day.
    pub mmdb: Field<ReleaseMetadata>,
    /// Paths of keys that the contract does not name.
    pub unknown: Vec<String>,
    /// Paths of fields that could not be read.
    pub odd: Vec<String>,
}

/// One release of a feed in one form.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReleaseMetadata {
    /// Path of the file as sent; [`ReleaseMetadata::path`] and [`ReleaseMetadata::window`] check it.
    pub location: Field<String>,
    /// The day of the data, or for realtime the instant.
    pub date: Field<ReleaseDate>,
    /// When it was made.
    pub generated_at: Field<Timestamp>,
    /// When it could be downloaded.
    pub available_at: Field<Timestamp>,
    /// Its size, in a unit that the contract does not show; never to be trusted for allocating.
    pub filesize: Field<u64>,
    /// The keys that the contract does not name, with what they hold.
    pub extra: Vec<(String, Value)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReleaseDate {
    Day(Day),
    /// Of a realtime window.
    Instant(Timestamp),
}

impl FeedMetadata {
    /// Reads the metadata of a daily or realtime feed.
    ///
    /// # Errors
    /// [`NotAnObject`] for any other value.
    pub fn decode(value: &Value) -> Result<Self, NotAnObject> {
        let mut reader = ObjectReader::open(value)?;
        Ok(Self {
            json: reader.object("json", ReleaseMetadata::read),
            mmdb: reader.object("mmdb", ReleaseMetadata::read),
            unknown: reader.unknown(),
            odd: reader.odd(),
        })
    }

    /// Whether the MMDB is of an earlier day than the JSON, because the matching one is still being built.
    #[must_use]
    pub fn mmdb_lags(&self) -> bool {
        let day = |release: &Field<ReleaseMetadata>| release.is().and_then(ReleaseMetadata::day);
        matches!((day(&self.mmdb), day(&self.json)), (Some(mmdb), Some(json)) if mmdb < json)
    }
}

impl ReleaseMetadata {
    fn read(reader: &mut ObjectReader<'_>) -> Self {
        Self {
            location: reader.text("location"),
            date: reader.scalar("date", ReleaseDate::parse),
            generated_at: reader.timestamp("generated_at"),
            available_at: reader.timestamp("available_at"),
            filesize: reader.count("filesize"),
            extra: reader
                .left_over()
                .map(|(key, value)| (key.to_owned(), value.clone()))
                .collect(),
        }
    }

    /// The file of a daily release, if `location` is a path that is safe to ask for.
    #[must_use]
    pub fn path(&self) -> Option<FilePath> {
        FilePath::parse(self.location.text()?)
    }

    /// The realtime window, if `location` names one.
    #[must_use]
    pub fn window(&self) -> Option<Window> {
        FilePath::parse_window(self.location.text()?)
    }

    /// The day of the data: that of `date`, else that of `location`.
    #[must_use]
    pub fn day(&self) -> Option<Day> {
        let dated = self.date.is().map(|date| date.day());
        dated
            .or_else(|| Some(self.path()?.day))
            .or_else(|| Some(self.window()?.day))
    }

    /// How many records it holds, where the service says so beyond the contract (`line_count`).
    #[must_use]
    pub fn line_count(&self) -> Option<u64> {
        let (_, value) = self.extra.iter().find(|(key, _)| key == "line_count")?;
        value.as_u64()
    }
}

impl ReleaseDate {
    /// The UTC day.
    #[must_use]
    pub fn day(self) -> Day {
        match self {
            Self::Day(day) => day,
            Self::Instant(instant) => Day::of(instant),
        }
    }

    fn parse(text: &str) -> Option<Self> {
        let day = text.parse().ok().map(Self::Day);
        day.or_else(|| scalar::timestamp(text).map(Self::Instant))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn decode(value: &Value) -> FeedMetadata {
        FeedMetadata::decode(value).expect("metadata")
    }

    #[test]
    fn a_daily_release_is_read_with_what_it_adds() {
        let metadata = decode(&json!({
            "json": {"location": "20261120/feed.json.gz", "date": "20261120", "generated_at": "2026-11-20T03:58:00Z",
                "available_at": "2026-11-20T04:01:00.5", "filesize": 3_446_711_233_u64, "line_count": 20_100_000},
            "mmdb": {"location": "20261119/feed.mmdb", "date": 20_261_119, "filesize": "-"},
            "beta": true
        }));
        let json = metadata.json.is().expect("a release");
        assert_eq!(
            json.path().map(|path| path.to_string()),
            Some("20261120/feed.json.gz".into())
        );
        assert_eq!(json.day(), Day::new(2026, 11, 20));
        assert_eq!(json.filesize, Field::Is(3_446_711_233));
        assert_eq!(json.line_count(), Some(20_100_000));
        assert_eq!(
            json.available_at.map(|at| at.to_string()),
            Field::Is("2026-11-20T04:01:00.5Z".into())
        );
        assert!(metadata.mmdb_lags());
        assert_eq!(metadata.unknown, ["json.line_count", "beta"]);
        assert_eq!(metadata.odd, ["mmdb.filesize"]);
    }

    #[test]
    fn a_feed_without_mmdb_does_not_lag() {
        let metadata = decode(&json!({"json": {"location": "20261120/feed.json.gz"}}));
        assert_eq!(metadata.mmdb, Field::Absent);
        assert!(!metadata.mmdb_lags());
        let day = metadata.json.is().and_then(ReleaseMetadata::day);
        assert_eq!(day, Day::new(2026, 11, 20));
    }

    #[test]
    fn a_realtime_window_has_an_instant() {
        for location in ["realtime/20261120/2310.json.gz", "20261120/2310.json.gz"] {
            let metadata =
                decode(&json!({"json": {"location": location, "date": "2026-11-20T23:10:00Z"}}));
            let release = metadata.json.is().expect("a release");
            assert_eq!(
                release.window().map(|window| window.to_string()),
                Some("20261120/2310".into())
            );
            assert_eq!(release.day(), Day::new(2026, 11, 20));
        }
    }

    #[test]
    fn a_path_that_leads_elsewhere_is_none() {
        for location in [
            "../20261120/feed.json.gz",
            "/20261120/feed.json.gz",
            "https://192.0.2.1/x",
            "",
        ] {
            let metadata = decode(&json!({"json": {"location": location}}));
            let release = metadata.json.is().expect("a release");
            assert_eq!(
                (release.path(), release.window()),
                (None, None),
                "{location}"
            );
        }
    }
}
