//! A list in files, each with a description beside it.

use std::{
    fs::File,
    io::{self, BufRead as _, BufReader, Read as _, Seek as _},
    path::{Path, PathBuf},
};

use ipnet::IpNet;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{
    form::{BlockForm, addresses},
    made::MadeList,
    writer::{BlockList, ListOrigin},
};
use crate::{
    engine::{DescribedFile, Engine, Error, Kind, MADE_BY, Result},
    model::{Day, count},
    store::checksum::hexadecimal,
};

/// How a list is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListWriting {
    pub file: PathBuf,
    pub form: &'static str,
    /// What its sets are called.
    pub name: String,
    /// For how many seconds it holds.
    pub expires: Option<u64>,
    /// What is done with a match, where the form says it.
    pub action: Option<String>,
    /// The most entries of a file.
    pub split: Option<usize>,
    /// What made it, as it is typed.
    pub command: String,
    /// The files of what is never blocked.
    pub allow: Vec<String>,
}

/// A file that was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListFile {
    pub file: String,
    /// What its sets are called.
    pub name: String,
    pub form: &'static str,
    pub origin: ListOrigin,
    pub until: Option<Timestamp>,
    pub entries: u64,
    pub addresses: u128,
    pub sha256: String,
}

/// A list with how it is written.
struct ListRun<'a> {
    made: &'a MadeList,
    writing: &'a ListWriting,
    form: &'static BlockForm,
    day: Day,
    holds: Option<(u64, Timestamp)>,
}

/// Writes all files, and gives them their names when all are whole. Returns them, and the files of earlier runs that stay beside them.
///
/// # Errors
/// [`Kind::Usage`] for more entries than the form holds, and for a file that is there and no list of this program; a failure of this machine.
pub async fn write_files(
    engine: &Engine,
    made: &MadeList,
    writing: &ListWriting,
) -> Result<(Vec<ListFile>, Vec<PathBuf>)> {
    let run = ListRun::of(engine, made, writing)?;
    let number = run.count()?;
    let most = writing.split.unwrap_or(usize::MAX);
    let parts = number.div_ceil(most).max(1);
    let mut entries = run.form.entries(made.set.networks());
    let (mut written, mut files) = (Vec::new(), Vec::new());
    for at in 1..=parts {
        let part = writing.split.map(|_| (at, parts));
        let (described, file) = run.file(engine, entries.by_ref().take(most), part)?;
        written.push(described);
        files.push(file);
    }
    DescribedFile::publish(written).await?;
    // What an earlier run parted in another way would go on being read.
    let is_there = |other: &PathBuf| engine.exports.is_described(other);
    let (whole, next) = match writing.split {
        Some(_) => (Some(writing.file.clone()), parts + 1),
        None => (None, 1),
    };
    let later = (next..).map(|number| numbered(&writing.file, Some(number)));
    let left = whole
        .into_iter()
        .filter(is_there)
        .chain(later.take_while(is_there));
    Ok((files, left.collect()))
}

impl MadeList {
    /// Hands over the text of the list in its form, piece by piece.
    ///
    /// # Errors
    /// As [`write_files`], and what `put` returns.
    pub fn put<E: From<Error>>(
        &self,
        engine: &Engine,
        writing: &ListWriting,
        put: impl FnMut(&str) -> Result<(), E>,
    ) -> Result<(), E> {
        let run = ListRun::of(engine, self, writing)?;
        run.count()?;
        let entries = run.form.entries(self.set.networks());
        run.list(&writing.name).write(entries, put)
    }

    /// The commands that check a file of this list and that begin to use it; its name is a word of a shell.
    #[must_use]
    pub fn commands(&self, writing: &ListWriting, name: &str, file: &str) -> Option<[String; 2]> {
        let form = BlockForm::named(writing.form)?;
        let run = ListRun {
            made: self,
            writing,
            form,
            day: Day::of(Timestamp::UNIX_EPOCH),
            holds: None,
        };
        Some([form.check, form.apply].map(|template| run.list(name).command(template, file)))
    }
}

/// For how many seconds entries hold, and until when.
fn end(now: Timestamp, seconds: u64) -> Result<(u64, Timestamp)> {
    let lasting = i64::try_from(seconds).map(SignedDuration::from_secs);
    let now = Timestamp::from_second(now.as_second());
    let until = lasting.ok().zip(now.ok());
    let until = until.and_then(|(lasting, now)| now.checked_add(lasting).ok());
    let until = until.ok_or_else(|| {
        Error::new(Kind::Usage, "the list would end beyond the calendar")
            .hint("a shorter --expires")
    });
    Ok((seconds, until?))
}

impl<'a> ListRun<'a> {
    fn of(engine: &Engine, made: &'a MadeList, writing: &'a ListWriting) -> Result<Self> {
        let form = BlockForm::named(writing.form);
        let unknown = || Error::new(Kind::Usage, format!("{:?} is no form", writing.form));
        let settings = &engine.settings;
        let holds = writing.expires.map(|seconds| end(settings.now(), seconds));
        Ok(Self {
            made,
            writing,
            form: form.ok_or_else(unknown)?,
            day: made.origin.release.unwrap_or_else(|| settings.today()),
            holds: holds.transpose()?,
        })
    }

    fn list<'l>(&'l self, name: &'l str) -> BlockList<'l> {
        BlockList {
            form: self.form,
            name,
            origin: &self.made.origin,
            day: self.day,
            holds: self.holds,
            action: self.writing.action.as_deref(),
            families: &self.made.families,
            serial: None,
        }
    }

    /// The serial number of a zone that takes the place of a file: that of the file where nothing else differs, and above it otherwise.
    /// Servers tell others of a zone, and take it over, where this number is larger.
    fn serial(
        &self,
        path: &Path,
        list: &mut BlockList<'_>,
        networks: impl Iterator<Item = IpNet>,
    ) -> Result<()> {
        let unread = |error: &io::Error| {
            Error::machine(&format!("read the list before, {}", path.display()), error)
        };
        let mut file = match File::open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            opened => opened.map_err(|error| unread(&error))?,
        };
        // A file that is no zone has no number.
        let Some(number) = serial_of(&file).map_err(|error| unread(&error))? else {
            return Ok(());
        };
        file.rewind().map_err(|error| unread(&error))?;
        list.serial = Some(number);
        let mut old = BufReader::new(file);
        let (mut is_same, mut own) = (true, Vec::new());
        list.write(networks, |text| {
            own.resize(text.len(), 0);
            is_same = is_same && old.read_exact(&mut own).is_ok() && own == text.as_bytes();
            Ok::<(), Error>(())
        })?;
        is_same = is_same && old.fill_buf().is_ok_and(<[u8]>::is_empty);
        if !is_same {
            let first = format!("{}00", self.day).parse().ok();
            list.serial = number.checked_add(1).max(first);
        }
        Ok(())
    }

    /// How many entries there are, if the form can hold them.
    fn count(&self) -> Result<usize> {
        self.form.count(self.made.set.networks()).map_err(|number| {
            let number = u64::try_from(number).map_or("far more".to_owned(), count);
            let most = count(self.form.most_entries.unwrap_or(usize::MAX) as u64);
            let message = format!(
                "{} holds {most} addresses at most; the list has {number}",
                self.form.name
            );
            Error::new(Kind::Usage, message).hint("a narrower filter, or --family 4")
        })
    }

    /// A part of the list, and its description.
    fn file(
        &self,
        engine: &Engine,
        networks: impl Iterator<Item = IpNet>,
        part: Option<(usize, usize)>,
    ) -> Result<(DescribedFile, ListFile)> {
        let number = part.map(|(number, _)| number);
        let path = numbered(&self.writing.file, number);
        let name = number.map_or_else(
            || self.writing.name.clone(),
            |number| format!("{}-{number}", self.writing.name),
        );
        let mut described = engine.exports.begin_described(&path)?;
        let mut hash = Sha256::new();
        let (mut entries, mut all) = (0, 0_u128);
        let counted = networks.inspect(|network| {
            entries += 1;
            all = all.saturating_add(addresses(*network));
        });
        let mut list = self.list(&name);
        if self.form.head.contains("{serial}") {
            let most = self.writing.split.unwrap_or(usize::MAX);
            let from = number.map_or(0, |number| (number - 1).saturating_mul(most));
            let same = self.form.entries(self.made.set.networks());
            self.serial(&path, &mut list, same.skip(from).take(most))?;
        }
        list.write(counted, |text| {
            hash.update(text);
            described.file.push(text)
        })?;
        let file = ListFile {
            file: path.display().to_string(),
            name,
            form: self.form.name,
            origin: self.made.origin.clone(),
            until: self.holds.map(|(_, until)| until),
            entries,
            addresses: all,
            sha256: hexadecimal(&hash.finalize()),
        };
        let about = self.description(&file, part);
        described.description.push(&about)?;
        Ok((described, file))
    }

    /// What a file is, as JSON.
    fn description(&self, file: &ListFile, part: Option<(usize, usize)>) -> String {
        let known = |number: u128| u64::try_from(number).map_or(Value::Null, Value::from);
        let about = json!({
            "made_by": MADE_BY,
            "form": file.form,
            "name": file.name,
            "feed": file.origin.feed,
            "release": file.origin.release.map(Day::dashed),
            "filter": file.origin.filter,
            "exempt_tags": self.made.exempt,
            "allow": self.writing.allow,
            "addresses_before": known(self.made.before),
            "addresses": known(file.addresses),
            "beyond": known(self.made.check.beyond.addresses()),
            "entries": file.entries,
            "part": part.map(|(number, _)| number),
            "parts": part.map_or(1, |(_, parts)| parts),
            "until": file.until.map(|until| until.to_string()),
            "sha256": file.sha256,
            "command": self.writing.command,
        });
        format!("{about:#}\n")
    }
}

/// The serial number at the beginning of a zone.
fn serial_of(file: &File) -> io::Result<Option<u32>> {
    /// The comment, of which a filter is a part, and the record with the number.
    const MOST: u64 = 16 << 10;
    let mut begins = Vec::new();
    file.take(MOST).read_to_end(&mut begins)?;
    let begins = String::from_utf8_lossy(&begins);
    let record = begins.lines().find(|line| line.starts_with("@ SOA "));
    let number = record.and_then(|record| record.split_whitespace().nth(4));
    Ok(number.and_then(|number| number.parse().ok()))
}

/// The name of a part: the number before the extension.
fn numbered(path: &Path, number: Option<usize>) -> PathBuf {
    let Some(number) = number else {
        return path.to_owned();
    };
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(format!("-{number}"));
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}
