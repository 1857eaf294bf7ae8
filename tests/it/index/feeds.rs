//! Feeds as they are drawn: clean records of the generator, records put together from few words so that questions meet
//! them, and odd lines.

use std::{fmt, sync::LazyLock};

use proptest::{collection::vec, prelude::*, sample::select};

use super::{
    generator::{About, Generator},
    lines, oddities,
};

/// A feed, and how it is handed over.
#[derive(Clone)]
pub(crate) struct Feed {
    pub(crate) lines: Vec<Line>,
    /// Whether it begins with a byte order mark.
    pub(crate) marked: bool,
    /// Whether its last line has a line end.
    pub(crate) ended: bool,
    /// Lines of a block.
    pub(crate) block: usize,
}

/// A line without its end, and its end.
pub(crate) type Line = (Vec<u8>, &'static str);

impl Feed {
    /// Clean lines, each with its end.
    pub(crate) fn plain(lines: impl IntoIterator<Item = Vec<u8>>) -> Self {
        Self {
            lines: lines.into_iter().map(|line| (line, "\n")).collect(),
            marked: false,
            ended: true,
            block: 100,
        }
    }

    /// The bytes of its lines, with their ends.
    pub(crate) fn lines(&self) -> Vec<Vec<u8>> {
        let join = |(line, end): &Line| [line.as_slice(), end.as_bytes()].concat();
        let mut lines: Vec<Vec<u8>> = self.lines.iter().map(join).collect();
        if let (true, Some(first)) = (self.marked, lines.first_mut()) {
            first.splice(..0, *b"\xef\xbb\xbf");
        }
        if let (false, Some(last)) = (self.ended, lines.last_mut()) {
            last.pop();
        }
        lines
    }
}

impl fmt::Debug for Feed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            marked,
            ended,
            block,
            ..
        } = self;
        writeln!(f, "feed marked:{marked} ended:{ended} block:{block}")?;
        for (line, end) in &self.lines {
            let shown = line[..line.len().min(2000)].escape_ascii();
            writeln!(f, "{shown}{}", end.escape_default())?;
        }
        Ok(())
    }
}

/// Feeds of up to so many lines.
pub(crate) fn feeds(most: usize) -> impl Strategy<Value = Feed> {
    let end = prop_oneof![8 => Just("\n"), 1 => Just("\r\n")];
    let line = prop_oneof![
        3 => clean(),
        8 => lines::record(),
        2 => oddities::odd(),
    ];
    let ended = (line, end);
    let lines = prop_oneof![
        1 => vec(ended.clone(), 0..=3),
        4 => vec(ended, 0..=most),
    ];
    let parts = (lines, any::<bool>(), any::<bool>(), 1..200_usize);
    parts.prop_map(|(lines, marked, ended, block)| Feed {
        lines,
        marked,
        ended,
        block,
    })
}

/// The addresses and the networks of the generator that clean records are about.
pub(crate) fn generated() -> &'static [Generator; 2] {
    static FEEDS: LazyLock<[Generator; 2]> = LazyLock::new(|| {
        [About::Addresses, About::Networks].map(|about| Generator::new(about, 7, GENERATED))
    });
    &FEEDS
}

/// How many clean records there are of each.
pub(crate) const GENERATED: u64 = 128;

/// Clean records as the generator writes them, with repeats.
fn clean() -> impl Strategy<Value = Vec<u8>> + Clone {
    (select(vec![0_usize, 1]), 0..GENERATED).prop_map(|(which, number)| {
        let mut line = Vec::new();
        generated()[which].line(number, &mut line);
        line.pop();
        line
    })
}
