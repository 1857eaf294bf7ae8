//! The place of a feed's file as metadata names it (contract, part 2.8, `location`).

use std::fmt;

use super::{Day, Window};

/// A checked path below a feed's base: a folder named by a day, and a file in it. A server's text becomes part of a
/// request only in this form.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FilePath {
    pub day: Day,
    file: String,
}

impl FilePath {
    /// Reads `<YYYYMMDD>/<file>`; anything that could lead elsewhere is refused.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (day, file) = text.split_once('/')?;
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
        let safe = !file.is_empty()
            && !file.starts_with('.')
            && !file.contains("..")
            && file.bytes().all(plain);
        safe.then_some(Self {
            day: Day::from_compact(day)?,
            file: file.to_owned(),
        })
    }

    /// Reads the realtime form, `realtime/<YYYYMMDD>/<HHMM>.json.gz`. The prefix repeats the end of the feed's base path
    /// and may be missing.
    #[must_use]
    pub fn parse_window(text: &str) -> Option<Window> {
        let path = Self::parse(text.strip_prefix("realtime/").unwrap_or(text))?;
        Window::new(path.day, path.file.strip_suffix(".json.gz")?)
    }

    /// The same file of another day.
    #[must_use]
    pub fn on(&self, day: Day) -> Self {
        Self {
            day,
            file: self.file.clone(),
        }
    }

    /// The file's name.
    #[must_use]
    pub fn file(&self) -> &str {
        &self.file
    }
}

impl fmt::Display for FilePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.day, self.file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_day_and_a_plain_file_make_a_path() {
        let path = FilePath::parse("20261120/feed.json.gz").expect("path");
        assert_eq!(
            (path.day, path.file()),
            (Day::new(2026, 11, 20).expect("day"), "feed.json.gz")
        );
        assert_eq!(path.to_string(), "20261120/feed.json.gz");
        for text in [
            "",
            "feed.json.gz",
            "20261120/",
            "20261120/../x",
            "20261120/a/b",
            "/20261120/x",
            "20261120/.x",
            "20261120/a..b",
            "20261120/a b",
            "20261120/x?y",
            "2026112/x",
            "20261120/%2e",
        ] {
            assert_eq!(FilePath::parse(text), None, "{text:?}");
        }
    }

    #[test]
    fn a_realtime_path_may_repeat_its_prefix() {
        let window = FilePath::parse_window("realtime/20261120/2310.json.gz");
        assert_eq!(
            window.map(|window| window.to_string()),
            Some("20261120/2310".to_owned())
        );
        assert_eq!(FilePath::parse_window("20261120/2310.json.gz"), window);
        assert_eq!(
            FilePath::parse_window("realtime/20261120/feed.json.gz"),
            None
        );
        assert_eq!(
            FilePath::parse_window("realtime/realtime/20261120/2310.json.gz"),
            None
        );
    }
}
