//! Whether a file is a whole MMDB database, in the `MaxMind` DB format 2.0, in bounded memory.
//!
//! A file that was cut off has no metadata at its end, or metadata without its end. One that lacks a part in its middle has a tree that
//! does not end where its metadata say, or records that lead beyond the data. So the metadata are read to the last byte of the file, each
//! record of the tree is looked at, and values are followed: some of them, or all.

mod damage;
mod pages;
#[cfg(test)]
mod tests;
mod values;

use std::io::{self, Read, Seek, SeekFrom};

pub(super) use self::damage::NotWhole;
use self::{
    damage::{Checked, damaged},
    pages::Pages,
    values::{Section, Type, Walk},
};

/// What precedes the metadata, which is the last part of the file.
const MARKER: &[u8] = b"\xab\xcd\xefMaxMind.com";
/// The metadata with their marker are no larger than this.
const TAIL: u64 = 128 << 10;
/// The zero bytes between the tree and the data.
const SEPARATOR: u32 = 16;
/// How many values are followed where not all are.
const SAMPLE: u64 = 4096;
/// The nodes that are read at once.
const NODES: u32 = 8192;
/// How many values are remembered as good, since most networks share theirs with others.
const KNOWN: usize = 1 << 16;

/// How much of the data is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// A sample, and what is last in the file: enough for a download that was cut or mixed up.
    Sample,
    /// All values, for a file that has been on a disk for long.
    All,
}

/// Checks a database.
///
/// # Errors
/// [`NotWhole`].
pub(super) fn check<F: Read + Seek>(
    file: &mut F,
    extent: Extent,
    stop: &dyn Fn() -> bool,
) -> Checked<()> {
    let length = file.seek(SeekFrom::End(0))?;
    let Some(metadata) = marker_end(file, length)? else {
        return damaged("it does not end as an MMDB file does");
    };
    let mut pages = Pages::of(file);
    let metadata = Section {
        begin: metadata,
        end: length,
    };
    let described = Metadata::read(&mut pages, metadata)?;
    let tree = u64::from(described.nodes) * u64::from(described.node_bytes());
    let data = Section {
        begin: tree + u64::from(SEPARATOR),
        end: metadata.begin - MARKER.len() as u64,
    };
    if data.begin > data.end {
        return damaged("its search tree is shorter than its metadata say");
    }
    for at in tree..data.begin {
        if pages.byte(at)? != 0 {
            return damaged("its search tree does not end where its metadata say");
        }
    }
    Tree {
        described,
        data,
        extent,
        stop,
    }
    .check(&mut pages)
}

/// Where the metadata begin, behind the last marker.
fn marker_end(file: &mut (impl Read + Seek), length: u64) -> io::Result<Option<u64>> {
    let begin = length.saturating_sub(TAIL);
    file.seek(SeekFrom::Start(begin))?;
    let mut tail = Vec::new();
    file.take(TAIL).read_to_end(&mut tail)?;
    let marker = memchr::memmem::rfind(&tail, MARKER);
    Ok(marker.map(|at| begin + (at + MARKER.len()) as u64))
}

/// What the metadata say of the tree.
#[derive(Clone, Copy, Debug)]
struct Metadata {
    nodes: u32,
    record_size: u16,
}

impl Metadata {
    /// Reads the map, which must end with the file. Two of its keys are optional, and there may be more than the format knows.
    fn read<F: Read + Seek>(pages: &mut Pages<'_, F>, section: Section) -> Checked<Self> {
        const BROKEN: &str = "its metadata are cut off or damaged";
        let mut walk = Walk::of(pages, section);
        match walk.follow(section.begin) {
            Ok(end) if end == section.end => {}
            Err(NotWhole::Unread(error)) => return Err(error.into()),
            _ => return damaged(BROKEN),
        }
        let Some(fields) = walk.fields(section.begin)? else {
            return damaged(BROKEN);
        };
        let number = |name: &str, kind: Type| {
            let mut fields = fields.iter();
            let field = fields.find(|field| field.name == name && field.kind == kind)?;
            field.number
        };
        let is_text = |field: &&values::Field| field.kind == Type::Text;
        let mut types = fields.iter().filter(|field| field.name == "database_type");
        let is_typed = types.next().as_ref().is_some_and(is_text);
        let is_optional = |name, kind| {
            let mut own = fields.iter().filter(|field| field.name == name);
            own.all(|field| field.kind == kind)
        };
        let version = number("binary_format_major_version", Type::U16);
        let has_all = is_typed
            && version == Some(2)
            && number("binary_format_minor_version", Type::U16).is_some()
            && number("build_epoch", Type::U64).is_some()
            && matches!(number("ip_version", Type::U16), Some(4 | 6))
            && is_optional("description", Type::Map)
            && is_optional("languages", Type::List);
        let nodes = number("node_count", Type::U32).and_then(|nodes| u32::try_from(nodes).ok());
        let record_size = number("record_size", Type::U16);
        match (nodes, record_size) {
            (Some(nodes @ 1..), Some(record_size @ (24 | 28 | 32))) if has_all => Ok(Self {
                nodes,
                record_size: u16::try_from(record_size).unwrap_or(32),
            }),
            _ => damaged("its metadata lack what readers need, or are of another format"),
        }
    }

    /// The bytes of a node, which is two records.
    fn node_bytes(self) -> u16 {
        self.record_size / 4
    }

    /// The records of a node.
    fn records(self, node: &[u8]) -> [u32; 2] {
        let number = |bytes: &[u8]| {
            let add = |number: u32, byte: &u8| number << 8 | u32::from(*byte);
            bytes.iter().fold(0, add)
        };
        match self.record_size {
            24 => [number(&node[..3]), number(&node[3..])],
            28 => [
                u32::from(node[3] >> 4) << 24 | number(&node[..3]),
                u32::from(node[3] & 15) << 24 | number(&node[4..]),
            ],
            _ => [number(&node[..4]), number(&node[4..])],
        }
    }
}

struct Tree<'a> {
    described: Metadata,
    data: Section,
    extent: Extent,
    stop: &'a dyn Fn() -> bool,
}

impl Tree<'_> {
    /// Looks at each record: it is a node, nothing, or a place in the data, where a value is followed.
    fn check<F: Read + Seek>(&self, pages: &mut Pages<'_, F>) -> Checked<()> {
        let nodes = self.described.nodes;
        let node_bytes = u32::from(self.described.node_bytes());
        let mut followed = Followed::of(self);
        let mut read = Vec::new();
        for first in (0..nodes).step_by(NODES as usize) {
            if (self.stop)() {
                return Err(io::Error::from(io::ErrorKind::Interrupted).into());
            }
            let count = NODES.min(nodes - first);
            let at = u64::from(first) * u64::from(node_bytes);
            pages.read(at, (count * node_bytes) as usize, &mut read)?;
            for node in read.chunks_exact(node_bytes as usize) {
                for record in self.described.records(node) {
                    if record <= nodes {
                        continue;
                    }
                    let place = (record - nodes).checked_sub(SEPARATOR);
                    match place.map(u64::from) {
                        Some(place) if place < self.data.end - self.data.begin => {
                            followed.meet(place, pages)?;
                        }
                        _ => return damaged("its search tree leads beyond its data"),
                    }
                }
            }
        }
        followed.last(pages)
    }
}

/// The values that were followed.
struct Followed<'a> {
    tree: &'a Tree<'a>,
    /// Records that lead to a value.
    met: u64,
    /// One of so many is followed.
    each: u64,
    /// The last place in the data that a record leads to.
    last: Option<u64>,
    /// Places of values that are good, each at the remainder of its number.
    known: Vec<Option<u64>>,
    /// How many values within values may still be read: a file that was made to cost time is not followed to the end.
    budget: u64,
}

impl<'a> Followed<'a> {
    fn of(tree: &'a Tree<'a>) -> Self {
        let records = 2 * u64::from(tree.described.nodes);
        Self {
            tree,
            met: 0,
            each: match tree.extent {
                Extent::Sample => records.div_ceil(SAMPLE).max(1),
                Extent::All => 1,
            },
            last: None,
            known: vec![None; KNOWN],
            budget: 64 * (tree.data.end + (1 << 20)),
        }
    }

    fn meet<F: Read + Seek>(&mut self, place: u64, pages: &mut Pages<'_, F>) -> Checked<()> {
        self.last = self.last.max(Some(place));
        self.met += 1;
        if !(self.met - 1).is_multiple_of(self.each) {
            return Ok(());
        }
        self.follow(place, pages)
    }

    fn last<F: Read + Seek>(&mut self, pages: &mut Pages<'_, F>) -> Checked<()> {
        self.last.map_or(Ok(()), |place| self.follow(place, pages))
    }

    fn follow<F: Read + Seek>(&mut self, place: u64, pages: &mut Pages<'_, F>) -> Checked<()> {
        let slot = usize::try_from(place).unwrap_or_default() % KNOWN;
        if self.known[slot] == Some(place) || self.budget == 0 {
            return Ok(());
        }
        let data = self.tree.data;
        let mut walk = Walk::of(pages, data);
        walk.follow(data.begin + place)?;
        self.budget = self.budget.saturating_sub(walk.steps());
        self.known[slot] = Some(place);
        Ok(())
    }
}
