//! `blocklist`: a list to block by, in the form of its reader, with a description beside it. Nothing is sent.

mod made;

use std::{
    env, mem,
    path::{Path, PathBuf},
};

use ipnet::IpNet;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use self::made::{ListMade, refuse};
use super::{
    args::blocklist::{BlocklistArgs, ListWriting},
    console::CommandResult,
    exit::Exit,
    run::Run,
};
use crate::{
    engine::{DescribedFile, Error, Family, Kind, MADE_BY, Result},
    investigation::address_set::AddressSet,
    model::{Day, visible},
    report::{
        BlockList, Cell, Columns, ListOrigin, Results, Ticket, check_columns, count, counted,
        shell_word,
    },
    store::checksum::hexadecimal,
};

/// What all files of a run are made of.
struct ListRun<'a> {
    args: &'a BlocklistArgs,
    writing: ListWriting<'a>,
    families: Vec<Family>,
    made: ListMade,
    /// The day of the release, else today.
    day: Day,
    holds: Option<(u64, Timestamp)>,
    allow: Vec<String>,
}

/// A file that was written.
struct ListFile {
    file: String,
    /// What its sets are called.
    name: String,
    form: &'static str,
    origin: ListOrigin,
    until: Option<Timestamp>,
    entries: u64,
    addresses: u128,
    sha256: String,
}

/// The columns of a file that was written.
fn columns() -> Columns<ListFile> {
    Columns::<ListFile>::default()
        .column("file", "file", |list| list.file.clone())
        .column("form", "form", |list| list.form)
        .data("feed", |list| Cell::some(list.origin.feed.clone()))
        .data("release", |list| {
            Cell::some(list.origin.release.map(|day| day.to_string()))
        })
        .data("filter", |list| list.origin.filter.clone())
        .column("entries", "entries", |list| list.entries)
        .column("addresses", "addresses", |list| number(list.addresses))
        .data("until", |list| Cell::some(list.until.map(Cell::Instant)))
        .data("sha256", |list| list.sha256.clone())
}

/// A number of addresses; null where 64 bits do not count them.
fn number(addresses: u128) -> Cell {
    u64::try_from(addresses).map_or(Cell::Null, Cell::Count)
}

/// The table of the files, or of what a list is.
pub(super) fn table_of(args: &BlocklistArgs) -> Vec<&'static str> {
    if args.check {
        check_columns().names()
    } else {
        columns().names()
    }
}

/// Writes a list, or says what it is.
///
/// # Errors
/// A list that cannot be read; a release that is not downloaded; a list that would harm who uses it.
pub(super) async fn run(args: &BlocklistArgs, run: Run<'_>) -> CommandResult {
    let Run { engine, console } = run;
    let settings = &engine.settings;
    let mut given = args.list(settings.today(), &settings.blocklist.exempt_tags)?;
    console.if_interrupted("nothing was written");
    let beside = settings.config_file.parent();
    // The configuration is the same wherever it is used.
    let configured = settings.blocklist.allow.iter().map(|file| match beside {
        Some(beside) if !file.starts_with("~") => beside.join(file),
        _ => file.clone(),
    });
    let allow: Vec<PathBuf> = configured.chain(args.allow.iter().cloned()).collect();
    let writing = given.writing.take();
    let families = given.families.clone();
    let mut made = ListMade::of(args, given, &allow, run).await?;
    let Some(writing) = writing else {
        return made.show(args, run);
    };
    refuse(&made.set, &args.force)?;
    let holds = writing.expires.map(|seconds| end(settings.now(), seconds));
    let holds = holds.transpose()?;
    let lines = mem::take(&mut made.check).lines();
    let list = ListRun {
        args,
        writing,
        families,
        day: made.origin.release.unwrap_or_else(|| settings.today()),
        holds,
        made,
        allow: allow
            .iter()
            .map(|file| file.display().to_string())
            .collect(),
    };
    if args.is_to_output() {
        let entries = list.entries()?;
        list.write(entries, &list.writing.name, |text| console.results(text))?;
        say(&lines, run);
        return Ok(Exit::DONE);
    }
    let files = list.files(run).await?;
    let words = files.iter().map(|file| {
        let mut words = counted(file.entries, "entry");
        if let (Some(feed), Some(day)) = (&file.origin.feed, file.origin.release) {
            words += &format!(" of {feed} {}", day.dashed());
        }
        if let Some(until) = file.until {
            words += &format!(", until {until}");
        }
        format!("{}: {words}\n", visible(&file.file))
    });
    let words: String = words.collect();
    let about = list.writing.file.display().to_string();
    let ticket = Ticket::about(&about).sentence("A list to block by.");
    console.summary(Results::table(columns(), &files, ticket).text(words))?;
    say(&lines, run);
    let form = list.writing.form;
    for file in &files {
        for (what, template) in [("check", form.check), ("use", form.apply)] {
            let command = list
                .list(&file.name)
                .command(template, &shell_word(&file.file));
            console.note(&format!("to {what} it: {command}"));
        }
    }
    Ok(Exit::DONE)
}

/// Says who is behind a list, beside it.
fn say(lines: &[String], run: Run<'_>) {
    for line in lines {
        run.console.note(line);
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

impl ListRun<'_> {
    fn list<'l>(&'l self, name: &'l str) -> BlockList<'l> {
        BlockList {
            form: self.writing.form,
            name,
            origin: &self.made.origin,
            day: self.day,
            holds: self.holds,
            action: self.args.action.as_deref(),
            families: &self.families,
        }
    }

    fn write<E>(
        &self,
        networks: impl IntoIterator<Item = IpNet>,
        name: &str,
        put: impl FnMut(&str) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        self.list(name).write(networks, put)
    }

    /// The entries, if the form can hold them.
    fn entries(&self) -> Result<Vec<IpNet>> {
        let form = self.writing.form;
        form.entries(self.made.set.networks()).map_err(|number| {
            let number = u64::try_from(number).map_or("far too many".to_owned(), count);
            let most = count(form.most_entries.unwrap_or(usize::MAX) as u64);
            let message = format!("{} holds {most} addresses at most, not {number}", form.name);
            Error::new(Kind::Usage, message).hint("a narrower filter, or --family 4")
        })
    }

    /// Writes all files, and gives them their names when all are whole.
    async fn files(&self, run: Run<'_>) -> Result<Vec<ListFile>> {
        let networks = self.entries()?;
        let most = self.args.split.unwrap_or(usize::MAX);
        let parts: Vec<&[IpNet]> = match networks.len() {
            0 => vec![&[]],
            _ => networks.chunks(most).collect(),
        };
        let (mut written, mut files) = (Vec::new(), Vec::new());
        for (at, part) in parts.iter().enumerate() {
            let number = self.args.split.map(|_| at + 1);
            let (described, file) = self.file(part, number, parts.len(), run)?;
            written.push(described);
            files.push(file);
        }
        run.console
            .if_interrupted("the list may be there or not: run it again");
        DescribedFile::publish(written).await?;
        // What an earlier run parted in another way would go on being read.
        let others = match self.args.split {
            Some(_) => vec![None, Some(parts.len() + 1)],
            None => vec![Some(1)],
        };
        for other in others {
            let other = numbered(self.writing.file, other);
            if run.engine.exports.is_described(&other) {
                let name = other.display();
                run.console.warn(&format!(
                    "{name} is of an earlier list and was left as it is"
                ));
            }
        }
        Ok(files)
    }

    /// A part of the list, and its description.
    fn file(
        &self,
        networks: &[IpNet],
        number: Option<usize>,
        parts: usize,
        run: Run<'_>,
    ) -> Result<(DescribedFile, ListFile)> {
        let path = numbered(self.writing.file, number);
        let name = number.map_or_else(
            || self.writing.name.clone(),
            |number| format!("{}-{number}", self.writing.name),
        );
        let mut described = run.engine.exports.begin_described(&path)?;
        let mut hash = Sha256::new();
        self.write(networks.iter().copied(), &name, |text| {
            hash.update(text);
            described.file.push(text)
        })?;
        let file = ListFile {
            file: path.display().to_string(),
            name,
            form: self.writing.form.name,
            origin: self.made.origin.clone(),
            until: self.holds.map(|(_, until)| until),
            entries: networks.len() as u64,
            addresses: AddressSet::of(networks.iter().copied()).addresses(),
            sha256: hexadecimal(&hash.finalize()),
        };
        described
            .description
            .push(&self.description(&file, number, parts))?;
        Ok((described, file))
    }

    /// What a file is, as JSON.
    fn description(&self, file: &ListFile, part: Option<usize>, parts: usize) -> String {
        let known = |number: u128| u64::try_from(number).map_or(Value::Null, Value::from);
        let words = env::args_os().skip(1);
        let command = words.map(|word| shell_word(&word.to_string_lossy()));
        let command: Vec<String> = command.collect();
        let about = json!({
            "made_by": MADE_BY,
            "form": file.form,
            "name": file.name,
            "feed": self.made.origin.feed,
            "release": self.made.origin.release.map(Day::dashed),
            "filter": self.made.origin.filter,
            "exempt_tags": self.made.exempt,
            "allow": self.allow,
            "addresses_before": known(self.made.before),
            "addresses": known(file.addresses),
            "beyond": known(self.made.beyond),
            "entries": file.entries,
            "part": part,
            "parts": parts,
            "until": file.until.map(|until| until.to_string()),
            "sha256": file.sha256,
            "command": format!("ipspect {}", command.join(" ")),
        });
        format!("{about:#}\n")
    }
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
