//! What the service lists: runs of a feed, files of a day. The contract does not show the shape (part 4.2, rule 6), so any
//! is read: lists and objects of many kinds, plain text, an index as web servers make them.

mod entry;
mod shapes;
mod words;

use std::collections::HashSet;

pub use self::entry::ListingEntry;
use self::entry::{MOST, last_segment};
use super::{Day, Document, Malformed, Window, document};

/// Names that were listed, in the order sent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Listing {
    pub entries: Vec<ListingEntry>,
}

impl Listing {
    /// Reads the answer to a request for a list.
    ///
    /// # Errors
    /// [`NotAListing`] when there is neither a list, be it empty, nor a name such as releases have.
    pub fn read(bytes: &[u8]) -> Result<Self, NotAListing> {
        let text = document::decode(bytes);
        let entries = match Document::read(bytes) {
            Ok(document) => shapes::entries(document.value())
                .or_else(|| words::entries(&text))
                .ok_or(NotAListing::NoNames)?,
            Err(why @ (Malformed::Syntax { .. } | Malformed::WebPage)) => shapes::lines(&text)
                .or_else(|| words::entries(&text))
                .ok_or(NotAListing::Malformed(why))?,
            Err(why) => return Err(NotAListing::Malformed(why)),
        };
        if entries.len() > MOST {
            return Err(NotAListing::TooMany);
        }
        Ok(Self { entries })
    }

    /// The days that are named, each once.
    #[must_use]
    pub fn days(&self) -> Vec<Day> {
        let mut seen = HashSet::new();
        let days = self.entries.iter().filter_map(ListingEntry::day);
        days.filter(|day| seen.insert(*day)).collect()
    }

    /// The realtime windows that are named, each once, in the list of this day.
    #[must_use]
    pub fn windows(&self, day: Day) -> Vec<Window> {
        let mut seen = HashSet::new();
        let of_day = |entry: &&ListingEntry| entry.day().is_none_or(|other| other == day);
        let windows = self.entries.iter().filter(of_day).filter_map(|entry| {
            let file = last_segment(&entry.name);
            Window::new(day, file.strip_suffix(".json.gz").unwrap_or(file))
        });
        windows.filter(|window| seen.insert(*window)).collect()
    }
}

/// Why an answer is no listing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotAListing {
    /// Neither JSON nor a text with names in it.
    #[error("{0}")]
    Malformed(Malformed),
    /// JSON without a list and without names.
    #[error("the answer names no runs and no files")]
    NoNames,
    /// More names than any feed has.
    #[error("the answer names more than {MOST} runs or files")]
    TooMany,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use serde_json::Value;

    use super::*;

    fn read(text: &str) -> Listing {
        Listing::read(text.as_bytes()).expect(text)
    }

    #[test]
    fn a_listing_without_end_takes_no_memory() {
        let lines = "1\n".repeat(MOST + 1);
        let words: Vec<String> = (0..=MOST).map(|n| format!("a{n}/20261120")).collect();
        let array = format!("[{}1]", "1,".repeat(MOST));
        for text in [lines, words.join("\n"), array] {
            let refused = Listing::read(text.as_bytes()).expect_err("too many");
            assert_eq!(refused, NotAListing::TooMany);
        }
    }

    fn names(text: &str) -> Vec<String> {
        read(text)
            .entries
            .into_iter()
            .map(|entry| entry.name)
            .collect()
    }

    #[test]
    fn any_shape_names_the_runs() {
        for text in [
            r#"["20261119/", "20261120/"]"#,
            r"[20261119, 20261120]",
            r#"[{"name": "20261119/"}, {"name": "20261120", "size": 1}]"#,
            r#"{"count": 2, "runs": ["20261119", "20261120"]}"#,
            r#"{"data": {"runs": [{"date": "20261119"}, {"date": "20261120"}]}, "next": null}"#,
            r#"{"20261119": {"size": 1}, "20261120": {}}"#,
            r#"{"result": {"20261119": 1, "20261120": null}}"#,
            "20261119/\n20261120/\n",
            "20261119\r\n20261120",
            "                 PRE 20261119/\n                 PRE 20261120/\n",
            "{\"name\": \"20261119\"}\n{\"name\": \"20261120\"}\n",
            "<html><h1>Index</h1><a href=\"../\">Up</a><a href=\"20261119/\">20261119/</a> 2026-11-19 04:00\
             <A HREF='/v2/anonymous/20261120/'>20261120/</A></html>",
        ] {
            assert_eq!(names(text), ["20261119", "20261120"], "{text}");
            assert_eq!(read(text).days().len(), 2, "{text}");
        }
    }

    #[test]
    fn what_is_said_of_a_file_is_kept() {
        let listing = read(
            r#"{"files": [{"Key": "20261120/feed.json.gz", "Size": "12", "LastModified": "2026-11-20T04:00:00Z",
                "etag": "x"}], "folders": ["20261119/"]}"#,
        );
        let entry = &listing.entries[0];
        assert_eq!(entry.name, "20261120/feed.json.gz");
        assert_eq!(entry.size, Some(12));
        assert_eq!(entry.modified.as_deref(), Some("2026-11-20T04:00:00Z"));
        assert_eq!(entry.extra, [("etag".to_owned(), Value::from("x"))]);
        assert_eq!(listing.entries[1].name, "20261119");
        assert_eq!(listing.days().len(), 2);
    }

    #[test]
    fn files_below_a_day_are_paths() {
        assert_eq!(
            names(r#"{"20261119": ["feed.json.gz", "feed.mmdb"], "20261120": []}"#),
            ["20261119/feed.json.gz", "20261119/feed.mmdb", "20261120"]
        );
    }

    #[test]
    fn windows_are_found_among_files() {
        let day = Day::new(2026, 11, 20).expect("a day");
        let text = r#"["2305.json.gz", "realtime/20261120/2310.json.gz", "20261119/2315.json.gz", "2310",
            "2460.json.gz", "latest.json.gz"]"#;
        let windows: Vec<_> = read(text)
            .windows(day)
            .iter()
            .map(|window| window.hhmm())
            .collect();
        assert_eq!(windows, ["2305", "2310"]);
    }

    #[test]
    fn an_empty_list_is_a_list() {
        for text in ["[]", r#"{"runs": []}"#, r#"{"files": [], "folders": []}"#] {
            assert_eq!(read(text), Listing::default());
        }
    }

    #[test]
    fn what_lists_nothing_says_so() {
        for text in [
            r#"{"error": "denied"}"#,
            r#"{"status": 403, "path": "/v2/anonymous/"}"#,
            "{}",
            "true",
            r#"[{"code": 7}]"#,
        ] {
            assert_eq!(
                Listing::read(text.as_bytes()),
                Err(NotAListing::NoNames),
                "{text}"
            );
        }
        for text in [
            "",
            "access denied",
            "[\"20261120\"",
            "<html><a href=\"/login.css\">Sign in</a>",
        ] {
            let error = Listing::read(text.as_bytes());
            assert!(
                matches!(error, Err(NotAListing::Malformed(_))),
                "{text}: {error:?}"
            );
        }
    }

    proptest! {
        #[test]
        fn no_bytes_break_the_reader(bytes in prop::collection::vec(any::<u8>(), 0..200), text in "[\\[\\]{}:,\"0-9a-z/.< >\n]{0,80}") {
            for bytes in [bytes.as_slice(), text.as_bytes()] {
                if let Ok(listing) = Listing::read(bytes) {
                    let _ = listing.days();
                    let _ = listing.windows(Day::new(2026, 11, 20).expect("a day"));
                }
            }
        }
    }
}
