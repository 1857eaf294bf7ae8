//! What is looked for in every line, made ready once: to make it ready is dearer than to look.

use std::sync::LazyLock;

use memchr::memmem::Finder;

/// A short text that is looked for in lines.
#[derive(Debug)]
pub struct Needle(LazyLock<Finder<'static>>);

/// What stands behind the path of a request.
pub static OF_REQUEST: Needle = Needle(LazyLock::new(|| Finder::new(" HTTP/")));

/// What programs say of their own ends, with a capital letter or without.
pub static LISTENING: Needle = Needle(LazyLock::new(|| Finder::new("istening")));

/// What is around an end of a connection of Oracle.
pub(super) static OF_ORACLE: Needle = Needle(LazyLock::new(|| Finder::new("(ADDRESS=")));

/// What is behind the key of a message.
pub(super) static OF_KEY: Needle = Needle(LazyLock::new(|| Finder::new(": ")));

impl Needle {
    /// Where it is first.
    #[must_use]
    pub fn find(&self, text: &[u8]) -> Option<usize> {
        self.0.find(text)
    }

    #[must_use]
    pub fn is_in(&self, text: &[u8]) -> bool {
        self.find(text).is_some()
    }

    /// Whether it is there at least so often.
    pub(super) fn is_in_times(&self, text: &[u8], times: usize) -> bool {
        self.0.find_iter(text).take(times).count() == times
    }
}
