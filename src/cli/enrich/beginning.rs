//! How the texts of a run begin, by which a later run knows them again.

use std::{
    io::{self, Read},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use crate::investigation::earlier_run::TextMark;

/// The first bytes of the texts, one after the other, as far as they were read. Clones share them.
#[derive(Clone, Debug, Default)]
pub(super) struct TextBeginning(Arc<Mutex<Begun>>);

#[derive(Debug, Default)]
struct Begun {
    bytes: Vec<u8>,
    /// How many there were when the first addresses were handed over.
    at_first: Option<usize>,
}

impl TextBeginning {
    /// A text whose first bytes are kept where the texts before it are shorter than what is kept.
    pub(super) fn of<R: Read + Send>(&self, text: R) -> impl Read + Send + use<R> {
        BegunText {
            text,
            beginning: self.clone(),
            is_full: false,
        }
    }

    /// Notes that addresses are handed over.
    pub(super) fn hand_over(&self) {
        let mut begun = self.begun();
        let length = begun.bytes.len();
        begun.at_first.get_or_insert(length);
    }

    /// How much is kept so far.
    pub(super) fn length(&self) -> usize {
        self.begun().bytes.len()
    }

    /// What a later run compares: what was read before the first row.
    pub(super) fn mark(&self) -> TextMark {
        let begun = self.begun();
        TextMark::of(&begun.bytes[..begun.at_first.unwrap_or(begun.bytes.len())])
    }

    /// Whether the texts begin as those of an earlier run, as far as they were read.
    pub(super) fn fits(&self, mark: &TextMark) -> bool {
        mark.fits(&self.begun().bytes)
    }

    fn begun(&self) -> MutexGuard<'_, Begun> {
        // Nothing panics while it is held.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A text that is being read.
struct BegunText<R> {
    text: R,
    beginning: TextBeginning,
    is_full: bool,
}

impl<R: Read> Read for BegunText<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.text.read(into)?;
        if !self.is_full {
            let kept = &mut self.beginning.begun().bytes;
            let more = count.min(TextMark::MOST - kept.len());
            kept.extend_from_slice(&into[..more]);
            self.is_full = kept.len() == TextMark::MOST;
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_is_that_of_all_texts_together() {
        let beginning = TextBeginning::default();
        let mut text = String::new();
        for word in ["198.51.100.7\n", "198.51.100.8\n"] {
            let mut read = beginning.of(word.as_bytes());
            read.read_to_string(&mut text).expect("read");
        }
        assert_eq!(beginning.length(), 26);
        assert_eq!(beginning.mark(), TextMark::of(text.as_bytes()));
        assert!(beginning.fits(&TextMark::of(b"198.51.100.7\n1")));
        assert!(!beginning.fits(&TextMark::of(b"198.51.100.8\n")));
    }

    #[test]
    fn what_is_read_behind_the_first_row_is_no_part_of_its_mark() {
        let beginning = TextBeginning::default();
        let mut text = beginning.of(&b"198.51.100.7\n198.51.100.8\n"[..]);
        text.read_exact(&mut [0; 13]).expect("read");
        beginning.hand_over();
        text.read_exact(&mut [0; 13]).expect("read");
        beginning.hand_over();
        assert_eq!(beginning.mark(), TextMark::of(b"198.51.100.7\n"));
        assert!(beginning.fits(&TextMark::of(b"198.51.100.7\n198.51.100.8\n")));
    }

    #[test]
    fn of_a_long_text_no_more_is_kept_than_is_compared() {
        let beginning = TextBeginning::default();
        let text = vec![b'7'; TextMark::MOST + 9];
        for bytes in [&text[..9], &text] {
            let mut read = beginning.of(bytes);
            io::copy(&mut read, &mut io::sink()).expect("read");
        }
        assert_eq!(beginning.mark(), TextMark::of(&text[..TextMark::MOST]));
    }
}
