//! A file by pages, some of which are kept.

use std::io::{self, Read, Seek, SeekFrom};

/// The bytes of a page.
const PAGE: u64 = 64 << 10;
/// How many pages are kept, each in the place of its number.
const KEPT: usize = 32;

#[derive(Debug)]
pub(super) struct Pages<'a, F> {
    file: &'a mut F,
    kept: Vec<Option<(u64, Vec<u8>)>>,
}

impl<'a, F: Read + Seek> Pages<'a, F> {
    pub(super) fn of(file: &'a mut F) -> Self {
        Self {
            file,
            kept: (0..KEPT).map(|_| None).collect(),
        }
    }

    /// The page with this byte, and where it is in the page.
    fn page(&mut self, at: u64) -> io::Result<(&[u8], usize)> {
        let (number, within) = (at / PAGE, (at % PAGE) as usize);
        let slot = usize::try_from(number % KEPT as u64).unwrap_or_default();
        if self.kept[slot]
            .as_ref()
            .is_none_or(|(count, _)| *count != number)
        {
            // The page that was here gives its memory to the next one.
            let old = self.kept[slot].take();
            let mut page = old.map(|(_, page)| page).unwrap_or_default();
            page.clear();
            self.file.seek(SeekFrom::Start(number * PAGE))?;
            (&mut *self.file).take(PAGE).read_to_end(&mut page)?;
            self.kept[slot] = Some((number, page));
        }
        match &self.kept[slot] {
            Some((_, page)) if within < page.len() => Ok((page, within)),
            // It was as long as that a moment ago.
            _ => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }

    pub(super) fn byte(&mut self, at: u64) -> io::Result<u8> {
        let (page, within) = self.page(at)?;
        Ok(page[within])
    }

    /// A big-endian number of up to eight bytes.
    pub(super) fn number(&mut self, at: u64, bytes: u64) -> io::Result<u64> {
        let mut number = 0;
        for at in at..at + bytes {
            number = number << 8 | u64::from(self.byte(at)?);
        }
        Ok(number)
    }

    /// The bytes of a page from here on, at most so many and at least one.
    pub(super) fn some(&mut self, at: u64, most: u64) -> io::Result<&[u8]> {
        let (page, within) = self.page(at)?;
        let there = &page[within..];
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        Ok(&there[..most.min(there.len())])
    }

    /// Reads bytes that are used once, past the pages that are kept.
    pub(super) fn read(&mut self, at: u64, length: usize, into: &mut Vec<u8>) -> io::Result<()> {
        into.resize(length, 0);
        self.file.seek(SeekFrom::Start(at))?;
        self.file.read_exact(into)
    }
}
