//! Which run printed a line: what it asked, and of which text.

use serde::{Deserialize, Serialize};
use serde_json::json;
use xxhash_rust::xxh3::xxh3_64;

use crate::{contract::Feed, model::Day};

/// What decides the answers of a run. The first row of a run has it as `run`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunIdentity {
    /// The releases that are asked.
    #[serde(with = "releases")]
    pub feeds: Vec<(Feed, Day)>,
    /// Where they are.
    pub at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filter: Option<String>,
    pub zone: String,
    pub dates: String,
    pub at_time: bool,
    pub all: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top: Option<usize>,
    pub text: TextMark,
}

impl RunIdentity {
    /// Reads the value of `run`; `None` for what this version does not write.
    #[must_use]
    pub fn read(json: &str) -> Option<Self> {
        serde_json::from_str(json).ok()
    }

    /// The value of `run`.
    #[must_use]
    pub fn printed(&self) -> String {
        json!(self).to_string()
    }
}

/// The beginning of a text, which stays the same where the text grows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TextMark {
    /// Its length.
    pub bytes: usize,
    /// Its XXH3 with 64 bits, in hexadecimal digits.
    pub xxh3: String,
}

impl TextMark {
    /// The most bytes of a text that are looked at.
    pub const MOST: usize = 64 << 10;

    #[must_use]
    pub fn of(beginning: &[u8]) -> Self {
        Self {
            bytes: beginning.len(),
            xxh3: format!("{:016x}", xxh3_64(beginning)),
        }
    }

    /// Whether a text with this beginning, which is shorter than [`TextMark::MOST`] only where the text is, may be the one.
    #[must_use]
    pub fn fits(&self, beginning: &[u8]) -> bool {
        let own = beginning.get(..self.bytes);
        own.is_some_and(|bytes| Self::of(bytes) == *self)
    }
}

mod releases {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    use crate::{contract::Feed, model::Day};

    #[derive(Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Printed {
        feed: String,
        day: String,
    }

    pub(super) fn serialize<S: Serializer>(
        pairs: &[(Feed, Day)],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(pairs.iter().map(|(feed, day)| Printed {
            feed: feed.name().to_owned(),
            day: day.to_string(),
        }))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<(Feed, Day)>, D::Error> {
        let printed = Vec::<Printed>::deserialize(deserializer)?;
        let release = |printed: Printed| {
            let feed = printed.feed.parse().map_err(D::Error::custom)?;
            let day = printed.day.parse().map_err(D::Error::custom)?;
            Ok((feed, day))
        };
        printed.into_iter().map(release).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRINTED: &str = r#"{"feeds":[{"feed":"dch","day":"20261120"}],"at":"local","filter":"tag:A","zone":"UTC","dates":"iso","at_time":false,"all":false,"text":{"bytes":13,"xxh3":"TEXT"}}"#;

    fn printed() -> String {
        PRINTED.replace("TEXT", &TextMark::of(b"198.51.100.7\n").xxh3)
    }

    #[test]
    fn a_run_is_read_as_it_is_printed() {
        let run = RunIdentity::read(&printed()).expect("a run");
        assert_eq!(run.feeds.len(), 1);
        assert_eq!(run.filter.as_deref(), Some("tag:A"));
        assert_eq!(run.printed(), printed());
    }

    #[test]
    fn what_this_version_does_not_write_is_no_run() {
        for (from, to) in [
            ("\"dch\"", "\"a-feed\""),
            ("\"20261120\"", "\"yesterday\""),
            ("\"all\":false,", ""),
            ("\"all\":false,", "\"all\":false,\"sheet\":\"A\","),
            ("\"bytes\":13", "\"bytes\":-1"),
        ] {
            let other = printed().replace(from, to);
            assert_ne!(other, printed());
            assert_eq!(RunIdentity::read(&other), None, "{other}");
        }
    }

    #[test]
    fn a_text_that_has_grown_fits_and_another_does_not() {
        let mark = TextMark::of(b"198.51.100.7\n");
        assert!(mark.fits(b"198.51.100.7\n"));
        assert!(mark.fits(b"198.51.100.7\n198.51.100.8\n"));
        assert!(!mark.fits(b"198.51.100.8\n"));
        assert!(!mark.fits(b"198.51.100.7"));
    }
}
