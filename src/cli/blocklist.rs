//! `blocklist`: a list to block by, in the form of its reader, with a description beside it. Nothing is sent.

use std::{
    env,
    path::{Path, PathBuf},
};

use ipnet::IpNet;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{
    args::blocklist::{BlocklistArgs, BlocklistArguments},
    console::CommandResult,
    exit::Exit,
    matching,
    run::Run,
};
use crate::{
    engine::{DescribedFile, Error, Family, Kind, MADE_BY, Result},
    investigation::address_set::{AddressSet, SetName, SetOperation},
    model::{Day, visible},
    report::{
        BlockForm, BlockList, Cell, Columns, ListOrigin, Results, Ticket, counted, shell_word,
    },
    store::checksum::hexadecimal,
};

/// The shortest prefixes that are written without being forced.
const WIDEST: [(Family, u8); 2] = [(Family::V4, 8), (Family::V6, 19)];

/// What all files of a run are made of.
struct ListRun<'a> {
    args: &'a BlocklistArgs,
    form: &'static BlockForm,
    name: String,
    families: Vec<Family>,
    origin: ListOrigin,
    /// The day of the release, else today.
    day: Day,
    holds: Option<(u64, Timestamp)>,
    /// Addresses before those that are never blocked were taken out.
    before: u128,
    allow: Vec<String>,
    exempt: Vec<String>,
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

/// The table of the files.
pub(super) fn table_of(_args: &BlocklistArgs) -> Vec<&'static str> {
    columns().names()
}

/// Writes a list.
///
/// # Errors
/// A list that cannot be read; a release that is not downloaded; a list that would harm who uses it.
pub(super) async fn run(args: &BlocklistArgs, run: Run<'_>) -> CommandResult {
    let Run { engine, console } = run;
    let settings = &engine.settings;
    let BlocklistArguments {
        source,
        form,
        name,
        families,
        expires,
        exempted,
        typed,
    } = args.list(settings.today(), &settings.blocklist.exempt_tags)?;
    console.if_interrupted("nothing was written");
    let mut origin = ListOrigin::default();
    if let SetName::Records(records) = &source {
        origin.feed = Some(records.feed.name().to_owned());
        origin.filter = records.filter.to_string();
    }
    let (mut set, release) = matching::set(source, Some(&typed), run).await?;
    origin.release = release;
    let before = set.addresses();
    let beside = settings.config_file.parent();
    // The configuration is the same wherever it is used.
    let configured = settings.blocklist.allow.iter().map(|file| match beside {
        Some(beside) if !file.starts_with("~") => beside.join(file),
        _ => file.clone(),
    });
    let allow: Vec<PathBuf> = configured.chain(args.allow.iter().cloned()).collect();
    for file in &allow {
        let file = SetName::List(file.display().to_string());
        let (allowed, _) = matching::set(file, None, run).await?;
        set = set.combined(&allowed, SetOperation::Subtract);
    }
    if let [family] = families.as_slice() {
        set = set.of_family(*family);
    }
    refuse(&set, &args.force)?;
    let day = release.unwrap_or_else(|| settings.today());
    let holds = expires.map(|seconds| end(settings.now(), seconds));
    let holds = holds.transpose()?;
    let list = ListRun {
        args,
        form,
        name,
        families,
        origin,
        day,
        holds,
        before,
        allow: allow
            .iter()
            .map(|file| file.display().to_string())
            .collect(),
        exempt: exempted,
    };
    if args.is_to_output() {
        list.write(set.networks(), &list.name, |text| console.results(text))?;
        return Ok(Exit::DONE);
    }
    let files = list.files(&set, run).await?;
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
    let about = args.file.display().to_string();
    let ticket = Ticket::about(&about).sentence("A list to block by.");
    console.summary(Results::table(columns(), &files, ticket).text(words))?;
    for file in &files {
        for (what, template) in [("check", list.form.check), ("use", list.form.apply)] {
            let command = list
                .list(&file.name)
                .command(template, &shell_word(&file.file));
            console.note(&format!("to {what} it: {command}"));
        }
    }
    Ok(Exit::DONE)
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

/// Refuses a list that would harm who uses it.
fn refuse(set: &AddressSet, forced: &[String]) -> Result<()> {
    let is_forced = |what: &str| forced.iter().any(|word| word == what);
    if set.is_empty() && !is_forced("empty") {
        let message = "the list would be empty: some firewalls let everything pass then";
        return Err(Error::new(Kind::Usage, message)
            .hint("a wider filter, or --force empty where that is meant"));
    }
    let is_wide = |network: &IpNet| {
        let widest = WIDEST.iter().find(|(family, _)| match network {
            IpNet::V4(_) => *family == Family::V4,
            IpNet::V6(_) => *family == Family::V6,
        });
        widest.is_some_and(|(_, length)| network.prefix_len() < *length)
    };
    if let Some(wide) = set.networks().find(is_wide).filter(|_| !is_forced("wide")) {
        let message = format!("the list has all of {wide}, too large a part of the internet");
        return Err(Error::new(Kind::Usage, message)
            .hint("leave some of it out, or --force wide where that is meant"));
    }
    Ok(())
}

impl ListRun<'_> {
    fn list<'l>(&'l self, name: &'l str) -> BlockList<'l> {
        BlockList {
            form: self.form,
            name,
            origin: &self.origin,
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

    /// Writes all files, and gives them their names when all are whole.
    async fn files(&self, set: &AddressSet, run: Run<'_>) -> Result<Vec<ListFile>> {
        let networks: Vec<IpNet> = set.networks().collect();
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
            let other = numbered(&self.args.file, other);
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
        let path = numbered(&self.args.file, number);
        let name = number.map_or_else(
            || self.name.clone(),
            |number| format!("{}-{number}", self.name),
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
            form: self.form.name,
            origin: self.origin.clone(),
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
        let count = |number: u128| u64::try_from(number).map_or(Value::Null, Value::from);
        let words = env::args_os().skip(1);
        let command = words.map(|word| shell_word(&word.to_string_lossy()));
        let command: Vec<String> = command.collect();
        let about = json!({
            "made_by": MADE_BY,
            "form": file.form,
            "name": file.name,
            "feed": self.origin.feed,
            "release": self.origin.release.map(Day::dashed),
            "filter": self.origin.filter,
            "exempt_tags": self.exempt,
            "allow": self.allow,
            "addresses_before": count(self.before),
            "addresses": count(file.addresses),
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
