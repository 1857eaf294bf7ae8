//! The log in the state directory: one file for entries of all kinds about investigations.
//!
//! Each entry has a kind and belongs to a profile and its service; entries of others are never returned. The number of entries of
//! a kind and their bytes are limited: a rewrite of the file drops the oldest first. Entries are small: their writers shorten or
//! omit large content, with a note.

use std::{
    collections::{BTreeSet, HashMap, HashSet, VecDeque},
    io,
    path::{Path, PathBuf},
};

use serde_json::{Map, Value};

use super::lines::{Collect, LineFile, SetAside};

/// The maximum number of entries of a kind, for one profile and service.
pub const MOST_ENTRIES: usize = 1_000;
/// A reader rewrites the file if this many entries exceed [`MOST_ENTRIES`].
const MOST_BEYOND: usize = 3 * MOST_ENTRIES;
/// The file is rewritten each time its size passes a multiple of this, in bytes.
const STEP: u64 = 16 << 20;
/// Entries up to this size have their own limit, so that a few large ones do not displace all others.
const SMALL: usize = 4 << 10;
/// The limit of bytes of small entries, and separately of large ones.
const MOST_BYTES: usize = 5 << 20;
/// The limit of bytes that one read returns; older entries are only counted.
const MOST_READ: usize = 4 << 20;

/// The case to which an entry belongs, if any.
const CASE: &str = "case";
/// What an entry is about, if it takes the place of an older one about that.
const ABOUT: &str = "about";

/// The owner of an entry.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct EntryOwner {
    /// The profile's name.
    pub profile: String,
    /// The URL of the service, or a word for the embedded one.
    pub service: String,
}

impl EntryOwner {
    /// Adds the owner to a line.
    pub fn sign(&self, line: &mut Map<String, Value>) {
        line.insert("profile".to_owned(), self.profile.clone().into());
        line.insert("service".to_owned(), self.service.clone().into());
    }

    /// The owner of a line.
    #[must_use]
    pub fn of(line: &Map<String, Value>) -> Option<Self> {
        let text = |key: &str| line.get(key)?.as_str().map(str::to_owned);
        Some(Self {
            profile: text("profile")?,
            service: text("service")?,
        })
    }

    /// Whether a line belongs to this owner.
    #[must_use]
    pub fn owns(&self, line: &Map<String, Value>) -> bool {
        let is = |key: &str, text: &str| line.get(key).and_then(Value::as_str) == Some(text);
        is("profile", &self.profile) && is("service", &self.service)
    }
}

/// An entry as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogEntry {
    pub kind: String,
    pub value: Value,
}

/// The result of a read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entries {
    /// The entries, oldest first.
    pub entries: Vec<LogEntry>,
    /// Rejected lines of the file, of any owner.
    pub set_aside: SetAside,
    /// Valid entries that exceeded the limits of a read.
    pub left_out: u64,
}

#[derive(Clone, Debug)]
pub struct EntryLog {
    lines: LineFile,
    owner: EntryOwner,
    /// The case to which the entries belong; those of no case are apart.
    case: Option<String>,
}

impl EntryLog {
    /// The log in this state directory, for one profile and service.
    #[must_use]
    pub fn new(state: &Path, owner: EntryOwner) -> Self {
        Self {
            lines: LineFile::new(state, "log", STEP),
            owner,
            case: None,
        }
    }

    /// The same for the entries of a case, or of none.
    #[must_use]
    pub fn of_case(self, case: Option<String>) -> Self {
        Self { case, ..self }
    }

    /// Whether a line belongs to this owner and case.
    fn owns(&self, line: &Map<String, Value>) -> bool {
        self.owner.owns(line) && case_of(line) == self.case.as_deref()
    }

    /// What the entries of a kind are about, of any owner and case.
    ///
    /// # Errors
    /// As for [`EntryLog::read`].
    pub fn about(&self, kind: &str) -> io::Result<HashSet<String>> {
        let mut all = HashSet::new();
        self.lines.scan(|line| {
            if line.get("kind").and_then(Value::as_str) == Some(kind) {
                all.extend(about(&line).map(str::to_owned));
            }
        })?;
        Ok(all)
    }

    /// The cases of which this owner has entries of these kinds, by name.
    ///
    /// # Errors
    /// As for [`EntryLog::read`].
    pub fn cases(&self, kinds: &[&str]) -> io::Result<BTreeSet<String>> {
        let mut cases = BTreeSet::new();
        self.lines.scan(|line| {
            let kind = line.get("kind").and_then(Value::as_str);
            if kind.is_some_and(|text| kinds.contains(&text)) && self.owner.owns(&line) {
                cases.extend(case_of(&line).map(str::to_owned));
            }
        })?;
        Ok(cases)
    }

    /// The path of the file.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        self.lines.path()
    }

    /// Adds an entry.
    ///
    /// # Errors
    /// [`super::folder::Unsafe::TooLong`] if it does not fit a line; a failure of the system.
    pub fn append(&self, kind: &str, value: Value) -> io::Result<()> {
        self.append_line(kind, None, value)
    }

    /// Adds an entry in place of the last one of this kind about the same thing.
    ///
    /// # Errors
    /// As for [`EntryLog::append`].
    pub fn replace(&self, kind: &str, about: &str, value: Value) -> io::Result<()> {
        self.append_line(kind, Some(about), value)
    }

    fn append_line(&self, kind: &str, about: Option<&str>, value: Value) -> io::Result<()> {
        let mut line = Map::new();
        line.insert("kind".to_owned(), kind.into());
        self.owner.sign(&mut line);
        if let Some(case) = &self.case {
            line.insert(CASE.to_owned(), case.as_str().into());
        }
        if let Some(about) = about {
            line.insert(ABOUT.to_owned(), about.into());
        }
        line.insert("value".to_owned(), value);
        if self.lines.append(line)? {
            // The entry is written. If the rewrite fails, the file is intact, and the next step tries again.
            let _ = self.lines.rewrite(Newest::default());
        }
        Ok(())
    }

    /// The entries of these kinds that belong to this profile and service.
    ///
    /// # Errors
    /// [`super::folder::Unsafe`]; a failure of the system.
    pub fn read(&self, kinds: &[&str]) -> io::Result<Entries> {
        let mut newest = VecDeque::new();
        let (mut bytes, mut left_out) = (0, 0);
        let mut counts = EntryCounts::default();
        let set_aside = self.lines.scan(|mut line| {
            counts.add(&line);
            let Some(kind) = line.get("kind").and_then(Value::as_str) else {
                return;
            };
            if !kinds.contains(&kind) || !self.owns(&line) {
                return;
            }
            let (kind, size) = (kind.to_owned(), size_of(&line));
            let value = line.shift_remove("value").unwrap_or_default();
            let about = about(&line).map(str::to_owned);
            if about.is_some() {
                let older =
                    newest
                        .iter()
                        .position(|(entry, of, _): &(LogEntry, Option<String>, usize)| {
                            entry.kind == kind && *of == about
                        });
                let older = older.and_then(|at| newest.remove(at));
                bytes -= older.map_or(0, |(.., size)| size);
            }
            newest.push_back((LogEntry { kind, value }, about, size));
            bytes += size;
            while bytes > MOST_READ || newest.len() > kinds.len() * MOST_ENTRIES {
                let Some((.., size)) = newest.pop_front() else {
                    break;
                };
                bytes -= size;
                left_out += 1;
            }
        })?;
        if counts.beyond >= MOST_BEYOND {
            // The entries were read; a rewrite only saves space.
            let _ = self.lines.rewrite(Newest::default());
        }
        Ok(Entries {
            entries: newest.into_iter().map(|(entry, ..)| entry).collect(),
            set_aside,
            left_out,
        })
    }

    /// Removes the entries of these kinds of this profile and service, and unreadable lines, which may be among them.
    ///
    /// # Errors
    /// A failure of the system.
    pub fn forget(&self, kinds: &[&str]) -> io::Result<()> {
        if !self.lines.path().try_exists()? {
            return self.lines.forget_aside();
        }
        self.lines.rewrite(OtherEntries {
            kinds,
            log: self,
            lines: Vec::new(),
        })?;
        self.lines.forget_aside()
    }

    /// The number of lines that rewrites set aside.
    ///
    /// # Errors
    /// A failure of the system.
    pub fn count_aside(&self) -> io::Result<u64> {
        self.lines.count_aside()
    }

    /// The file of those lines.
    #[must_use]
    pub fn aside(&self) -> PathBuf {
        self.lines.aside()
    }
}

/// The case of a line.
fn case_of(line: &Map<String, Value>) -> Option<&str> {
    line.get(CASE)?.as_str()
}

/// What an entry is about, if it takes the place of older ones.
fn about(line: &Map<String, Value>) -> Option<&str> {
    line.get(ABOUT)?.as_str()
}

/// The approximate size of an entry, in bytes.
fn size_of(line: &Map<String, Value>) -> usize {
    fn of(value: &Value) -> usize {
        match value {
            Value::String(text) => text.len() + 3,
            Value::Array(items) => items.iter().map(of).sum::<usize>() + 2,
            Value::Object(object) => size_of(object),
            _ => 8,
        }
    }
    line.iter()
        .map(|(key, value)| key.len() + 3 + of(value))
        .sum()
}

/// To whom and to which case entries belong.
#[derive(PartialEq, Eq, Hash)]
struct EntrySeries(Option<EntryOwner>, Option<String>);

impl EntrySeries {
    fn of(line: &Map<String, Value>) -> Self {
        Self(EntryOwner::of(line), case_of(line).map(str::to_owned))
    }
}

/// Counts entries by owner, case and kind.
#[derive(Default)]
struct EntryCounts {
    counts: HashMap<(EntrySeries, String), usize>,
    /// Those beyond [`MOST_ENTRIES`], which a rewrite removes.
    beyond: usize,
}

impl EntryCounts {
    /// Counts an entry; whether it is within [`MOST_ENTRIES`].
    fn add(&mut self, line: &Map<String, Value>) -> bool {
        let kind = line.get("kind").and_then(Value::as_str).unwrap_or_default();
        let count = self
            .counts
            .entry((EntrySeries::of(line), kind.to_owned()))
            .or_default();
        *count += 1;
        let is_within = *count <= MOST_ENTRIES;
        self.beyond += usize::from(!is_within);
        is_within
    }
}

/// Keeps the newest entries of each kind and owner, within bounds of bytes.
#[derive(Default)]
struct Newest {
    lines: VecDeque<(Map<String, Value>, usize)>,
    /// Bytes of all lines; limited to a multiple of what is kept.
    bytes: usize,
}

impl Collect for Newest {
    fn take(&mut self, line: Map<String, Value>) {
        let size = size_of(&line);
        self.lines.push_back((line, size));
        self.bytes += size;
        while self.bytes > 4 * MOST_BYTES {
            let Some((_, size)) = self.lines.pop_front() else {
                break;
            };
            self.bytes -= size;
        }
    }

    fn finish(self) -> Vec<Map<String, Value>> {
        let mut counts = EntryCounts::default();
        let (mut small, mut large) = (0, 0);
        let mut kept: Vec<Map<String, Value>> = Vec::new();
        let mut replaced = HashSet::new();
        for (line, size) in self.lines.into_iter().rev() {
            if let Some(about) = about(&line) {
                let kind = line.get("kind").and_then(Value::as_str);
                let key = (
                    EntrySeries::of(&line),
                    kind.map(str::to_owned),
                    about.to_owned(),
                );
                if !replaced.insert(key) {
                    continue;
                }
            }
            let bytes = if size <= SMALL {
                &mut small
            } else {
                &mut large
            };
            *bytes += size;
            if counts.add(&line) && *bytes <= MOST_BYTES {
                kept.push(line);
            }
        }
        kept.reverse();
        kept
    }
}

/// Keeps entries of other kinds or owners.
struct OtherEntries<'a> {
    kinds: &'a [&'a str],
    log: &'a EntryLog,
    lines: Vec<Map<String, Value>>,
}

impl Collect for OtherEntries<'_> {
    fn take(&mut self, line: Map<String, Value>) {
        let kind = line.get("kind").and_then(Value::as_str);
        let is_meant = kind.is_some_and(|kind| self.kinds.contains(&kind));
        if !is_meant || !self.log.owns(&line) {
            self.lines.push(line);
        }
    }

    fn finish(self) -> Vec<Map<String, Value>> {
        self.lines
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::MetadataExt};

    use serde_json::json;

    use super::*;
    use crate::store::checksum;

    fn owner(profile: &str) -> EntryOwner {
        EntryOwner {
            profile: profile.to_owned(),
            service: "https://context.example".to_owned(),
        }
    }

    fn log(dir: &tempfile::TempDir, profile: &str) -> EntryLog {
        EntryLog::new(dir.path(), owner(profile))
    }

    fn values(log: &EntryLog, kinds: &[&str]) -> Vec<Value> {
        let read = log.read(kinds).expect("read");
        read.entries.into_iter().map(|entry| entry.value).collect()
    }

    #[test]
    fn entries_stay_with_their_kind_profile_and_service() {
        let dir = tempfile::tempdir().expect("directory");
        let (entry_log, other) = (log(&dir, "default"), log(&dir, "work"));
        entry_log.append("tag", json!(1)).expect("append");
        entry_log.append("pin", json!(2)).expect("append");
        other.append("tag", json!(3)).expect("append");
        let elsewhere = EntryOwner {
            service: "https://other.example".to_owned(),
            ..owner("default")
        };
        let elsewhere = EntryLog::new(dir.path(), elsewhere);
        elsewhere.append("tag", json!(4)).expect("append");
        assert_eq!(values(&entry_log, &["tag"]), [json!(1)]);
        assert_eq!(values(&entry_log, &["tag", "pin"]), [json!(1), json!(2)]);
        assert_eq!(values(&other, &["tag", "pin"]), [json!(3)]);
        assert_eq!(values(&elsewhere, &["tag"]), [json!(4)]);
        entry_log.forget(&["tag"]).expect("forget");
        assert_eq!(values(&entry_log, &["tag", "pin"]), [json!(2)]);
        assert_eq!(values(&other, &["tag"]), [json!(3)]);
    }

    #[test]
    fn forgetting_leaves_no_trace_in_what_was_set_aside() {
        let dir = tempfile::tempdir().expect("directory");
        let log = log(&dir, "default");
        log.forget(&["tag"]).expect("nothing there");
        fs::write(log.path(), "{\"torn\":\"198.51.100.7").expect("write");
        log.append("tag", json!(1)).expect("append");
        let read = log.read(&["tag"]).expect("read");
        assert_eq!((read.entries.len(), read.set_aside.damaged), (1, 1));
        log.forget(&["tag"]).expect("forget");
        assert_eq!(fs::read(log.path()).expect("file"), b"");
        assert!(!log.aside().exists());
    }

    #[test]
    fn the_log_stays_small_and_keeps_the_newest_of_each_kind() {
        let dir = tempfile::tempdir().expect("directory");
        let log = log(&dir, "default");
        log.append("pin", json!("kept")).expect("append");
        let large = "x".repeat(900_000);
        for n in 0..24 {
            log.append("looked", json!({"n": n, "record": large}))
                .expect("append");
            let length = fs::metadata(log.path()).expect("file").len();
            assert!(length < STEP + (2 << 20), "{length}");
        }
        assert_eq!(values(&log, &["pin"]), [json!("kept")]);
        let read = log.read(&["looked"]).expect("read");
        let newest = read.entries.last().expect("one at least");
        assert_eq!(newest.value["n"], 23);
        assert!(
            read.entries.len() < 6 && read.left_out > 0,
            "{}",
            read.left_out
        );
    }

    /// Writes entries of each kind as a log that grew without a rewrite.
    fn write_entries(log: &EntryLog, kinds: &[&str], of_each: usize) {
        let mut text = String::new();
        for n in 0..of_each {
            for kind in kinds {
                let mut line = Map::new();
                line.insert("version".to_owned(), 1.into());
                line.insert("kind".to_owned(), (*kind).into());
                log.owner.sign(&mut line);
                line.insert("value".to_owned(), n.into());
                text += &checksum::sign(line).to_string();
                text.push('\n');
            }
        }
        fs::write(log.path(), text).expect("write");
    }

    #[test]
    fn a_reader_rewrites_the_log_only_to_remove_entries() {
        let dir = tempfile::tempdir().expect("directory");
        let log = log(&dir, "default");
        let file = || fs::metadata(log.path()).expect("file");
        let kinds = ["looked", "note", "pin", "preset", "run"];
        write_entries(&log, &kinds, MOST_ENTRIES);
        let before = file();
        assert_eq!(values(&log, &kinds).len(), 5 * MOST_ENTRIES);
        assert_eq!(file().ino(), before.ino());
        write_entries(&log, &["looked"], MOST_ENTRIES + MOST_BEYOND);
        let before = file();
        assert_eq!(values(&log, &["looked"]).len(), MOST_ENTRIES);
        assert!(file().len() < before.len());
        let rewritten = file();
        assert_eq!(values(&log, &["looked"]).len(), MOST_ENTRIES);
        assert_eq!(file().ino(), rewritten.ino());
    }

    #[test]
    fn the_entries_of_a_case_are_apart_and_forgotten_together() {
        let dir = tempfile::tempdir().expect("directory");
        let of = |case: Option<&str>| log(&dir, "default").of_case(case.map(str::to_owned));
        let other = log(&dir, "work").of_case(Some("A".to_owned()));
        for (case, value) in [(None, 1), (Some("A"), 2), (Some("b c"), 3)] {
            of(case).append("tag", json!(value)).expect("append");
        }
        other.append("tag", json!(4)).expect("append");
        for (case, value) in [(None, 1), (Some("A"), 2), (Some("b c"), 3)] {
            assert_eq!(values(&of(case), &["tag"]), [json!(value)]);
        }
        let names = |log: &EntryLog| log.cases(&["tag"]).expect("read").into_iter();
        assert!(names(&of(None)).eq(["A", "b c"]));
        assert!(names(&other).eq(["A"]));
        of(Some("A")).forget(&["tag"]).expect("forget");
        assert!(names(&of(None)).eq(["b c"]));
        assert_eq!(values(&of(None), &["tag"]), [json!(1)]);
        assert_eq!(values(&other, &["tag"]), [json!(4)]);
    }

    #[test]
    fn an_entry_takes_the_place_of_the_last_one_about_the_same() {
        let dir = tempfile::tempdir().expect("directory");
        let (entry_log, other) = (log(&dir, "default"), log(&dir, "work"));
        other.replace("board", "a.log", json!(0)).expect("replace");
        for (about, value) in [("a.log", 1), ("b.log", 2), ("a.log", 3)] {
            entry_log
                .replace("board", about, json!(value))
                .expect("replace");
            entry_log.append("pin", json!(value)).expect("append");
        }
        let pinned = [json!(1), json!(2), json!(2), json!(3), json!(3)];
        assert_eq!(values(&entry_log, &["board", "pin"]), pinned);
        assert_eq!(values(&other, &["board"]), [json!(0)]);
        // The same holds after the file is rewritten, however often one changed.
        for n in 0..MOST_ENTRIES + MOST_BEYOND {
            entry_log
                .replace("board", "a.log", json!(n))
                .expect("replace");
        }
        let last = MOST_ENTRIES + MOST_BEYOND - 1;
        for _ in 0..2 {
            assert_eq!(values(&entry_log, &["board"]), [json!(2), json!(last)]);
        }
        assert_eq!(values(&other, &["board"]), [json!(0)]);
        let lines = fs::read_to_string(entry_log.path()).expect("file");
        assert_eq!(lines.matches("a.log").count(), 2);
    }

    #[test]
    fn of_many_small_entries_the_newest_are_kept() {
        let mut newest = Newest::default();
        for n in 0..2 * MOST_ENTRIES {
            let mut line = Map::new();
            line.insert("kind".to_owned(), "tag".into());
            line.insert("value".to_owned(), n.into());
            owner("default").sign(&mut line);
            newest.take(line);
        }
        let kept = newest.finish();
        assert_eq!(kept.len(), MOST_ENTRIES);
        assert_eq!(kept[0]["value"], MOST_ENTRIES);
    }
}
