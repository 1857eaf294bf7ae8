//! The container: sections in sequence, each with a checksum, and a directory of them at the end.
//!
//! ```text
//! head        MAGIC 8 bytes, version u32, 0 u32
//! sections    any bytes, in the order in which they were written
//! directory   for each section: kind u32, ordinal u32, offset u64, length u64, hash u64
//! tail        records u64, offset of the directory u64, hash u64, MAGIC 8 bytes
//! ```
//!
//! `MAGIC` is `ipspect` in ASCII and a zero byte. The version is 3. Offsets count from the start of the file. The directory ends
//! where the tail begins, 32 bytes before the end of the file. Numbers are little-endian.
//!
//! `xxh3` is XXH3 with 64 bits and seed 0. The hash of a section is `xxh3(its bytes)`. The hash in the tail is `xxh3(directory)
//! XOR xxh3(records)`, where `records` is the 8 bytes of that number in the tail.
//!
//! The tail comes last, so a truncated file has none. Opening verifies head, tail and directory. A section is verified at its
//! first use, so the time to open a file does not depend on its size. A published file is never modified; it is replaced by
//! another of the same name.

use std::{
    fs::File,
    io::{self, BufWriter, Write},
    sync::atomic::{AtomicBool, Ordering},
};

use xxhash_rust::xxh3::{Xxh3, xxh3_64};
use zerocopy::{
    FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned,
    little_endian::{U32, U64},
};

use super::{NotOpened, QueryError, id::place, words::Put};
use crate::store::{
    Folder,
    mapping::{Fault, Mapping},
};

const MAGIC: [u8; 8] = *b"ipspect\0";
/// The current version. Any change of the format gets a new version; older files are rebuilt.
const VERSION: u32 = 3;

#[derive(FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct FileHeader {
    magic: [u8; 8],
    version: U32,
    zero: U32,
}

#[derive(FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Tail {
    records: U64,
    directory: U64,
    hash: U64,
    magic: [u8; 8],
}

#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct DirectoryEntry {
    kind: U32,
    ordinal: U32,
    offset: U64,
    length: U64,
    hash: U64,
}

/// Writes the container.
#[derive(Debug)]
pub(super) struct IndexFileWriter {
    output: BufWriter<File>,
    length: u64,
    entries: Vec<DirectoryEntry>,
}

impl IndexFileWriter {
    /// Creates the file, readable by its owner only, and replaces whatever has its name, even a link.
    pub(super) fn create(folder: &Folder, name: &str) -> io::Result<Self> {
        folder.remove(name)?;
        let head = FileHeader {
            magic: MAGIC,
            version: VERSION.into(),
            zero: 0.into(),
        };
        let mut writer = Self {
            output: BufWriter::with_capacity(1 << 18, folder.create_new(name)?),
            length: 0,
            entries: Vec::new(),
        };
        writer.write(head.as_bytes())?;
        Ok(writer)
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.output.write_all(bytes)?;
        self.length += bytes.len() as u64;
        Ok(())
    }

    /// Writes a section. Its ordinal is the number of earlier sections of its kind.
    pub(super) fn section(&mut self, kind: u32, bytes: &[u8]) -> io::Result<()> {
        self.note(kind, bytes.len() as u64, xxh3_64(bytes));
        self.write(bytes)
    }

    /// Writes a section piece by piece, so that it need not fit in memory.
    pub(super) fn section_of(
        &mut self,
        kind: u32,
        put_all: impl FnOnce(&mut Put<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        let (start, mut hash) = (self.length, Xxh3::new());
        put_all(&mut |bytes| {
            hash.update(bytes);
            self.write(bytes)
        })?;
        let length = self.length - start;
        self.note(kind, length, hash.digest());
        if let Some(entry) = self.entries.last_mut() {
            entry.offset = start.into();
        }
        Ok(())
    }

    /// Adds a directory entry for a section that begins at the end of the file so far.
    fn note(&mut self, kind: u32, length: u64, hash: u64) {
        let ordinal = self.entries.iter().rev().find(|entry| entry.kind == kind);
        let ordinal = ordinal.map_or(0, |entry| entry.ordinal.get() + 1);
        self.entries.push(DirectoryEntry {
            kind: kind.into(),
            ordinal: ordinal.into(),
            offset: self.length.into(),
            length: length.into(),
            hash: hash.into(),
        });
    }

    /// Writes directory and tail and syncs the file to disk. Returns its length.
    pub(super) fn finish(mut self, records: u64) -> io::Result<u64> {
        let directory = self.length;
        let entries = std::mem::take(&mut self.entries);
        let bytes = entries.as_bytes();
        let tail = Tail {
            records: records.into(),
            directory: directory.into(),
            hash: hash_of(bytes, records).into(),
            magic: MAGIC,
        };
        self.write(bytes)?;
        self.write(tail.as_bytes())?;
        let length = self.length;
        let file = self
            .output
            .into_inner()
            .map_err(io::IntoInnerError::into_error)?;
        file.sync_all()?;
        Ok(length)
    }
}

/// The hash of the tail: it covers the directory and the number of records.
fn hash_of(directory: &[u8], records: u64) -> u64 {
    xxh3_64(directory) ^ xxh3_64(&records.to_le_bytes())
}

#[derive(Debug)]
pub(super) struct MappedFile {
    map: Mapping,
    /// By kind, then ordinal.
    entries: Vec<Vec<MappedSection>>,
    records: u64,
}

#[derive(Debug)]
struct MappedSection {
    start: usize,
    end: usize,
    hash: u64,
    checked: AtomicBool,
}

impl MappedFile {
    /// Maps a file after checking that it is a complete index. `kinds` is the number of kinds of sections. `fault` is what is said
    /// where somebody cuts the file off while it is mapped.
    pub(super) fn open(file: &File, fault: &Fault, kinds: u32) -> Result<Self, NotOpened> {
        let length = file.metadata().map_err(NotOpened::Io)?.len();
        let unfit = |why: &str| NotOpened::Unfit(why.to_owned());
        if length < (size_of::<FileHeader>() + size_of::<Tail>()) as u64 {
            return Err(unfit("it is too short"));
        }
        let map = Mapping::of(file, fault).map_err(NotOpened::Io)?;
        let (head, _) = FileHeader::ref_from_prefix(&map).map_err(|_| unfit("it has no head"))?;
        if head.magic != MAGIC {
            return Err(unfit("it is no index"));
        }
        let version = head.version.get();
        if version > VERSION {
            return Err(NotOpened::Newer(version));
        }
        if version < VERSION || head.zero != 0 {
            return Err(unfit("it is of an older version"));
        }
        let (before, tail) = Tail::ref_from_suffix(&map).map_err(|_| unfit("it has no tail"))?;
        if tail.magic != MAGIC {
            return Err(unfit("its end is missing"));
        }
        let records = tail.records.get();
        let directory = usize::try_from(tail.directory.get())
            .ok()
            .and_then(|at| before.get(at..));
        let directory = directory.ok_or_else(|| unfit("its directory is missing"))?;
        if hash_of(directory, records) != tail.hash.get() {
            return Err(unfit("its directory is damaged"));
        }
        let listed = <[DirectoryEntry]>::ref_from_bytes(directory)
            .map_err(|_| unfit("its directory is damaged"))?;
        let mut entries: Vec<Vec<MappedSection>> = (0..kinds).map(|_| Vec::new()).collect();
        for entry in listed {
            let section = MappedSection::of(entry, before.len())
                .ok_or_else(|| unfit("its directory is damaged"))?;
            let of_kind = usize::try_from(entry.kind.get())
                .ok()
                .and_then(|kind| entries.get_mut(kind));
            match of_kind {
                Some(sections) if sections.len() as u64 == u64::from(entry.ordinal.get()) => {
                    sections.push(section)
                }
                _ => return Err(unfit("its directory is damaged")),
            }
        }
        Ok(Self {
            map,
            entries,
            records,
        })
    }

    /// The number of records in the whole file.
    pub(super) fn records(&self) -> u64 {
        self.records
    }

    /// The number of sections of a kind.
    pub(super) fn count(&self, kind: u32) -> usize {
        self.entries.get(place(kind)).map_or(0, Vec::len)
    }

    /// The bytes of a section, verified at its first use.
    #[inline]
    pub(super) fn get(&self, kind: u32, ordinal: usize) -> Result<&[u8], QueryError> {
        let section = self
            .entries
            .get(place(kind))
            .and_then(|sections| sections.get(ordinal));
        let section = section.ok_or_else(|| damaged(kind, ordinal, "is missing"))?;
        let bytes = self.map.get(section.start..section.end);
        let bytes = bytes.ok_or_else(|| damaged(kind, ordinal, "is missing"))?;
        if !section.checked.load(Ordering::Relaxed) {
            if xxh3_64(bytes) != section.hash {
                return Err(damaged(
                    kind,
                    ordinal,
                    "does not have the bytes that were written",
                ));
            }
            section.checked.store(true, Ordering::Relaxed);
        }
        Ok(bytes)
    }

    /// Verifies a section again, even if it was verified before.
    pub(super) fn check(&self, kind: u32, ordinal: usize) -> Result<(), QueryError> {
        if let Some(section) = self
            .entries
            .get(place(kind))
            .and_then(|sections| sections.get(ordinal))
        {
            section.checked.store(false, Ordering::Relaxed);
        }
        self.get(kind, ordinal).map(|_| ())
    }
}

impl MappedSection {
    fn of(entry: &DirectoryEntry, end_of_sections: usize) -> Option<Self> {
        let start = usize::try_from(entry.offset.get()).ok()?;
        let end = start.checked_add(usize::try_from(entry.length.get()).ok()?)?;
        (end <= end_of_sections).then(|| Self {
            start,
            end,
            hash: entry.hash.get(),
            checked: AtomicBool::new(false),
        })
    }
}

fn damaged(kind: u32, ordinal: usize, what: &str) -> QueryError {
    QueryError::Damaged(format!("section {kind}/{ordinal} {what}"))
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use super::*;

    fn open(path: &Path, kinds: u32) -> Result<MappedFile, NotOpened> {
        let file = File::open(path).map_err(NotOpened::Io)?;
        MappedFile::open(&file, &Fault::in_file(path), kinds)
    }

    fn written(dir: &Path) -> std::path::PathBuf {
        let path = dir.join("x");
        let folder = Folder::root(dir).expect("folder");
        let mut writer = IndexFileWriter::create(&folder, "x").expect("create");
        writer.section(0, b"first").expect("write");
        writer.section(2, b"").expect("write");
        writer.section(0, b"second").expect("write");
        assert_eq!(
            writer.finish(7).expect("finish"),
            fs::metadata(&path).expect("file").len()
        );
        path
    }

    #[test]
    fn sections_come_back_by_kind_and_ordinal() {
        let dir = tempfile::tempdir().expect("directory");
        let sections = open(&written(dir.path()), 3).expect("open");
        assert_eq!(sections.get(0, 1), Ok(&b"second"[..]));
        assert_eq!(sections.get(2, 0), Ok(&b""[..]));
        assert_eq!(
            (sections.count(0), sections.count(1), sections.records()),
            (2, 0, 7)
        );
        assert!(sections.get(1, 0).is_err() && sections.get(9, 0).is_err());
    }

    #[test]
    fn no_flipped_bit_and_no_truncation_goes_unseen() {
        let dir = tempfile::tempdir().expect("directory");
        let path = written(dir.path());
        let good = fs::read(&path).expect("bytes");
        let spoilt = dir.path().join("spoilt");
        let is_fit = |bytes: &[u8]| {
            fs::write(&spoilt, bytes).expect("write");
            match open(&spoilt, 3) {
                Err(_) => false,
                Ok(sections) => [(0, 0), (0, 1), (2, 0)]
                    .iter()
                    .all(|(kind, at)| sections.get(*kind, *at).is_ok()),
            }
        };
        assert!(is_fit(&good));
        for at in 0..good.len() * 8 {
            let mut bad = good.clone();
            bad[at / 8] ^= 1 << (at % 8);
            assert!(!is_fit(&bad), "bit {at}");
        }
        for length in 0..good.len() {
            assert!(!is_fit(&good[..length]), "{length} bytes");
        }
    }

    #[test]
    fn another_version_is_told_from_damage() {
        let dir = tempfile::tempdir().expect("directory");
        let path = written(dir.path());
        let mut bytes = fs::read(&path).expect("bytes");
        let mut of = |version: u32| {
            bytes[8..12].copy_from_slice(&version.to_le_bytes());
            fs::write(&path, &bytes).expect("write");
            open(&path, 3)
        };
        let newer = VERSION + 1;
        assert!(matches!(of(newer), Err(NotOpened::Newer(version)) if version == newer));
        assert!(matches!(of(VERSION - 1), Err(NotOpened::Unfit(_))));
        assert!(of(VERSION).is_ok());
    }
}
