//! A file of lines in the state directory: each is a JSON object with a version and a checksum, appended under a lock.
//!
//! An unreadable line is neither used nor deleted: a line that is torn, corrupt or foreign, or that a newer version wrote, is
//! counted and stays. When the file has grown and is rewritten, such lines move to a file beside it, `NAME.aside`. After a torn
//! last line, the next one begins on a new line.
//!
//! Memory is bounded: a line longer than [`LONGEST`] is skipped without being loaded.

use std::{
    fmt,
    fs::{self, File},
    io::{self, BufRead, BufReader, Seek, SeekFrom, Write},
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

use serde_json::{Map, Value};

use super::{
    checksum,
    folder::{self, Durability, Folder, Replacement, Unsafe, if_there},
};

/// The maximum length of a line, in bytes.
pub const LONGEST: usize = 1 << 20;

/// The version of lines of all kinds.
const VERSION: u64 = 1;
/// The limit of the file for lines that were set aside, in bytes.
const MOST_ASIDE: u64 = 8 << 20;
/// The number of attempts to open a file that other processes keep replacing.
const TRIES: usize = 1_000;

/// Lines that were rejected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SetAside {
    /// Torn, corrupt, foreign, too long, or of an older version.
    pub damaged: u64,
    pub newer: u64,
}

impl SetAside {
    /// The sum of both.
    #[must_use]
    pub fn count(self) -> u64 {
        self.damaged + self.newer
    }
}

impl fmt::Display for SetAside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.count() {
            1 => f.write_str("1 line cannot be read and was set aside")?,
            count => write!(f, "{count} lines cannot be read and were set aside")?,
        }
        match (self.damaged, self.newer) {
            (_, 0) => f.write_str(" (damaged, or of an older version)"),
            (0, _) => f.write_str(" (of a newer version)"),
            (damaged, newer) => write!(
                f,
                " ({damaged} damaged or of an older version, {newer} of a newer one)"
            ),
        }
    }
}

/// A line of the file, classified.
enum FileLine<'a> {
    Whole(Map<String, Value>),
    Damaged(&'a [u8]),
    Newer(&'a [u8]),
}

/// Selects the lines of a rewritten file.
pub trait Collect {
    /// Takes a valid line, in the order of the file.
    fn take(&mut self, line: Map<String, Value>);

    /// The lines to keep, in order.
    fn finish(self) -> Vec<Map<String, Value>>;
}

#[derive(Clone, Debug)]
pub struct LineFile {
    root: PathBuf,
    name: &'static str,
    /// The file is to be rewritten each time its size passes a multiple of this, in bytes.
    step: u64,
}

impl LineFile {
    /// The file `name` in the folder `root`. It is to be rewritten each time its size passes a multiple of `step` bytes.
    #[must_use]
    pub fn new(root: &Path, name: &'static str, step: u64) -> Self {
        Self {
            root: root.to_owned(),
            name,
            step: step.max(1),
        }
    }

    #[must_use]
    pub fn path(&self) -> PathBuf {
        self.root.join(self.name)
    }

    /// The file for lines that a rewrite sets aside.
    #[must_use]
    pub fn aside(&self) -> PathBuf {
        self.root.join(self.aside_name())
    }

    fn aside_name(&self) -> String {
        format!("{}.aside", self.name)
    }

    /// Appends a line; returns whether the file should be rewritten now. A line that was written only in part is removed.
    ///
    /// # Errors
    /// [`Unsafe::TooLong`] for a line longer than [`LONGEST`]; a failure of the system.
    pub fn append(&self, line: Map<String, Value>) -> io::Result<bool> {
        let text = signed(line);
        if text.len() > LONGEST {
            return Err(Unsafe::TooLong.into());
        }
        let folder = Folder::make_root(&self.root)?;
        let mut file = self.locked(&folder)?;
        let length = file.seek(SeekFrom::End(0))?;
        let mut bytes = Vec::with_capacity(text.len() + 2);
        if !ends_with_a_line(&file, length)? {
            bytes.push(b'\n');
        }
        bytes.extend_from_slice(text.as_bytes());
        bytes.push(b'\n');
        file.write_all(&bytes).inspect_err(|_| {
            // If this fails, the rest is a torn line, which is set aside.
            let _ = file.set_len(length);
        })?;
        let now = length + bytes.len() as u64;
        Ok(length / self.step != now / self.step)
    }

    /// Opens and locks the file. The lock ends with the handle.
    fn locked(&self, folder: &Folder) -> io::Result<File> {
        for _ in 0..TRIES {
            let file = folder.update(self.name)?;
            folder::lock(&file)?;
            // The previous holder of the lock may have replaced the file.
            if is_named(folder, self.name, &file)? {
                return Ok(file);
            }
        }
        Err(io::ErrorKind::ResourceBusy.into())
    }

    /// Reads the file from the start; returns the number of rejected lines. A missing file has no lines.
    ///
    /// # Errors
    /// [`Unsafe`]; a failure of the system.
    pub fn scan(&self, mut each: impl FnMut(Map<String, Value>)) -> io::Result<SetAside> {
        let mut set_aside = SetAside::default();
        let opened = Folder::root(&self.root).and_then(|folder| folder.open(self.name));
        let Some(file) = if_there(opened)? else {
            return Ok(set_aside);
        };
        // Without the lock, a line that is being written might count as torn.
        folder::lock(&file)?;
        read(file, |line| {
            match line {
                FileLine::Whole(line) => each(line),
                FileLine::Damaged(_) => set_aside.damaged += 1,
                FileLine::Newer(_) => set_aside.newer += 1,
            }
            Ok(())
        })?;
        Ok(set_aside)
    }

    /// Replaces the file with the output of `collect`. Invalid lines move to the file beside it.
    ///
    /// # Errors
    /// [`Unsafe`]; a failure of the system. Then both files are unchanged.
    pub fn rewrite(&self, collect: impl Collect) -> io::Result<()> {
        let folder = Folder::make_root(&self.root)?;
        let file = self.locked(&folder)?;
        let aside_name = self.aside_name();
        let mut aside = SetAsideFile::open(&folder, &aside_name)?;
        let replaced = self.replace(&folder, &file, &mut aside, collect);
        // A file that was replaced before the failure no longer holds those lines.
        if replaced.is_err() && is_named(&folder, self.name, &file)? {
            aside.take_back()?;
        }
        replaced
    }

    fn replace(
        &self,
        folder: &Folder,
        file: &File,
        aside: &mut SetAsideFile<'_>,
        mut collect: impl Collect,
    ) -> io::Result<()> {
        read(file.try_clone()?, |line| match line {
            FileLine::Whole(line) => {
                collect.take(line);
                Ok(())
            }
            FileLine::Damaged(bytes) | FileLine::Newer(bytes) => aside.push(bytes),
        })?;
        let name = folder::temporary(self.name.as_ref());
        let mut replacement = Replacement::begin(folder, name)?;
        {
            let mut out = io::BufWriter::new(&mut replacement.file);
            for line in collect.finish() {
                out.write_all(signed(line).as_bytes())?;
                out.write_all(b"\n")?;
            }
            out.flush()?;
        }
        aside.sync()?;
        replacement.publish(self.name, Durability::Synced)
    }

    /// Removes the lines that were set aside.
    ///
    /// # Errors
    /// A failure of the system.
    pub fn forget_aside(&self) -> io::Result<()> {
        if let Some(folder) = if_there(Folder::root(&self.root))? {
            folder.remove(self.aside_name())?;
        }
        Ok(())
    }

    /// The number of lines that earlier rewrites set aside.
    ///
    /// # Errors
    /// A failure of the system.
    pub fn count_aside(&self) -> io::Result<u64> {
        let opened = Folder::root(&self.root).and_then(|folder| folder.open(self.aside_name()));
        let Some(file) = if_there(opened)? else {
            return Ok(0);
        };
        let mut reader = BufReader::new(file);
        let (mut count, mut line) = (0, Vec::new());
        while next_line(&mut reader, &mut line)? {
            count += 1;
        }
        Ok(count)
    }
}

/// The file for lines that are set aside, created for the first one.
struct SetAsideFile<'a> {
    folder: &'a Folder,
    name: &'a str,
    file: Option<File>,
    /// Bytes before the first line that is added.
    length: u64,
    left: u64,
}

impl<'a> SetAsideFile<'a> {
    fn open(folder: &'a Folder, name: &'a str) -> io::Result<Self> {
        let length = folder.stat(name)?.map_or(0, |stat| stat.st_size);
        let length = u64::try_from(length).unwrap_or(MOST_ASIDE);
        Ok(Self {
            folder,
            name,
            file: None,
            length,
            left: MOST_ASIDE.saturating_sub(length),
        })
    }

    /// Waits until the added lines are on the disk.
    fn sync(&self) -> io::Result<()> {
        self.file.as_ref().map_or(Ok(()), File::sync_all)
    }

    /// Removes the added lines.
    fn take_back(self) -> io::Result<()> {
        match self.file {
            None => Ok(()),
            Some(_) if self.length == 0 => self.folder.remove(self.name).map(drop),
            Some(file) => file.set_len(self.length),
        }
    }

    fn push(&mut self, line: &[u8]) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            none => {
                let mut file = self.folder.update(self.name)?;
                let length = file.seek(SeekFrom::End(0))?;
                if !ends_with_a_line(&file, length)? {
                    file.write_all(b"\n")?;
                }
                none.insert(file)
            }
        };
        // A full file takes only the start of each line, so that lines can still be counted.
        let most = if self.left == 0 { 64 } else { line.len() };
        let kept = &line[..line.len().min(most)];
        file.write_all(kept)?;
        file.write_all(b"\n")?;
        self.left = self.left.saturating_sub(kept.len() as u64 + 1);
        Ok(())
    }
}

fn signed(line: Map<String, Value>) -> String {
    let mut object = Map::new();
    object.insert("version".to_owned(), VERSION.into());
    object.extend(line);
    checksum::sign(object).to_string()
}

fn is_named(folder: &Folder, name: &str, file: &File) -> io::Result<bool> {
    let metadata: fs::Metadata = file.metadata()?;
    let found = folder.stat(name)?;
    Ok(found.is_some_and(|stat| stat.st_ino == metadata.ino()))
}

fn ends_with_a_line(file: &File, length: u64) -> io::Result<bool> {
    if length == 0 {
        return Ok(true);
    }
    let mut last = [0];
    std::os::unix::fs::FileExt::read_exact_at(file, &mut last, length - 1)?;
    Ok(last == *b"\n")
}

fn read(mut file: File, mut each: impl FnMut(FileLine<'_>) -> io::Result<()>) -> io::Result<()> {
    file.rewind()?;
    let mut reader = BufReader::with_capacity(64 << 10, file);
    let mut bytes = Vec::new();
    while next_line(&mut reader, &mut bytes)? {
        each(sorted_out(&bytes))?;
    }
    Ok(())
}

fn sorted_out(bytes: &[u8]) -> FileLine<'_> {
    if bytes.len() > LONGEST {
        return FileLine::Damaged(bytes);
    }
    match checksum::verify(bytes) {
        Ok(mut line) => match line
            .shift_remove("version")
            .and_then(|found| found.as_u64())
        {
            Some(VERSION) => FileLine::Whole(line),
            Some(newer) if newer > VERSION => FileLine::Newer(bytes),
            _ => FileLine::Damaged(bytes),
        },
        Err(_) => FileLine::Damaged(bytes),
    }
}

/// Reads a line without its end into `line`, up to one byte more than the maximum; false at the end of the file. Skips empty
/// lines.
fn next_line(reader: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    loop {
        let available = reader.fill_buf()?;
        if available.is_empty() {
            return Ok(!line.is_empty());
        }
        let end = memchr::memchr(b'\n', available);
        let piece = &available[..end.unwrap_or(available.len())];
        let room = (LONGEST + 1).saturating_sub(line.len());
        line.extend_from_slice(&piece[..piece.len().min(room)]);
        let used = piece.len() + usize::from(end.is_some());
        reader.consume(used);
        if end.is_some() && !line.is_empty() {
            return Ok(true);
        }
    }
}

#[cfg(test)]
mod tests;
