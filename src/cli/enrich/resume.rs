//! `--resume`: what an earlier run has answered, by the JSON lines that it printed.
//!
//! An answer counts where it says that it is from a release that this run asks, from the cache or the service: one of another release
//! would stand in one table with those of this run, and look the same.
//!
//! A line that was cut off is no answer. Where the output goes on behind it in the same file, it is cut away first.

use std::{
    collections::HashSet,
    fs::{self, File, FileType},
    io::{self, BufRead, BufReader},
    net::IpAddr,
    os::unix::fs::{FileTypeExt, MetadataExt},
    path::Path,
};

use crate::{
    contract::Feed,
    engine::{Error, Family, Kind, Result},
    investigation::earlier_run::{
        AddressOfDay, AnsweredFrom, BEGINNING, EarlierAnswer, EarlierLine, LineRead,
    },
    model::{Day, Subject},
    report::each,
};
use rustix::fs::{OFlags, fcntl_getfl};

const WANTED: &str = "give it the file that `ipspect enrich --format json` wrote";

/// What an earlier run printed.
pub(super) struct EarlierRun<'p> {
    path: &'p Path,
    file: File,
    /// Whether standard output appends to this very file.
    is_output: bool,
}

/// What this run asks.
pub(super) struct AskedNow {
    /// The local releases.
    pub(super) releases: Vec<(Feed, Day)>,
    /// Whether it spends queries.
    pub(super) spends: bool,
    /// Whether answers of other releases are taken as they are.
    pub(super) rest_anew: bool,
}

/// The answers in the lines of an earlier run.
#[derive(Debug, PartialEq)]
struct Answered {
    /// Each with the day of its events if it has one.
    addresses: HashSet<AddressOfDay>,
    /// How long the lines are that are whole, in bytes, where one is not.
    cut_off_at: Option<u64>,
}

impl<'p> EarlierRun<'p> {
    /// # Errors
    /// [`Kind::NotFound`], [`Kind::Usage`] for what is no file, [`Kind::Machine`].
    pub(super) fn open(path: &'p Path) -> Result<Self> {
        let failed = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound => {
                let message = format!("--resume: there is no file {}", path.display());
                Error::new(Kind::NotFound, message).hint("leave --resume out for a first run")
            }
            _ => Error::machine_at("read", path, &error),
        };
        // A pipe without a writer would be waited for where it is opened.
        let kind = fs::metadata(path).map_err(failed)?.file_type();
        if !kind.is_file() {
            let message = format!("--resume: {} is {}", path.display(), other_kind(kind));
            return Err(Error::new(Kind::Usage, message).hint(WANTED));
        }
        let file = File::open(path).map_err(failed)?;
        let is_output = is_output(&file).map_err(failed)?;
        Ok(Self {
            path,
            file,
            is_output,
        })
    }

    /// The addresses with an answer, each with the day of its events if it has one. Queries that failed or were not sent have none; nor has
    /// an address without a local record, where this run spends queries or searches more.
    ///
    /// # Errors
    /// [`Kind::Usage`] for a file that is no output of `enrich`, or of one that asked other releases; [`Kind::Machine`].
    pub(super) fn answered(self, asked: &AskedNow) -> Result<HashSet<AddressOfDay>> {
        let answered = answered_in(BufReader::new(self.file), self.path, asked)?;
        if let Some(length) = answered.cut_off_at.filter(|_| self.is_output) {
            cut(self.path, length)
                .map_err(|error| Error::machine_at("shorten", self.path, &error))?;
        }
        Ok(answered.addresses)
    }
}

fn answered_in(mut lines: impl BufRead, path: &Path, asked: &AskedNow) -> Result<Answered> {
    let mut answered = Answered {
        addresses: HashSet::new(),
        cut_off_at: None,
    };
    let (mut line, mut whole) = (Vec::new(), 0);
    loop {
        let read = LineRead::next(&mut lines, &mut line);
        match read.map_err(|error| Error::machine_at("read", path, &error))? {
            LineRead::Whole => {}
            LineRead::End => return Ok(answered),
            LineRead::CutOff => {
                let length = line.len().min(BEGINNING.len());
                if line[..length] != BEGINNING[..length] {
                    return Err(not_ours(path));
                }
                answered.cut_off_at = Some(whole);
                return Ok(answered);
            }
            LineRead::TooLong => return Err(not_ours(path)),
        }
        whole += line.len() as u64;
        let line = EarlierLine::read(&line).ok_or_else(|| not_ours(path))?;
        let Some(about) = line.about.filter(|_| !asked.is_open(&line)) else {
            continue;
        };
        if !asked.rest_anew {
            if let Some(other) = line
                .from
                .releases()
                .find(|own| !asked.releases.contains(own))
            {
                return Err(asked.refused(path, other));
            }
            if !asked.has_searched_all(&line.from, about.0) {
                continue;
            }
        }
        answered.addresses.insert(about);
    }
}

impl AskedNow {
    /// Whether a line leaves its address to this run.
    fn is_open(&self, line: &EarlierLine) -> bool {
        let is_open = match &line.answer {
            EarlierAnswer::Open => true,
            EarlierAnswer::UnknownDay | EarlierAnswer::Nothing { is_local: true } => self.spends,
            EarlierAnswer::Nothing { is_local: false } | EarlierAnswer::Record(..) => false,
        };
        // `enrich` always says it.
        is_open || line.from == AnsweredFrom::Unsaid
    }

    /// Whether the releases without a record are all of this run that might have one.
    fn has_searched_all(&self, from: &AnsweredFrom, address: IpAddr) -> bool {
        let AnsweredFrom::Searched(searched) = from else {
            return true;
        };
        let family = Family::of(Subject::Address(address));
        let mut asked = self.releases.iter().filter(|own| family.is_of(own.0));
        asked.all(|own| searched.contains(own))
    }

    fn refused(&self, path: &Path, other: (Feed, Day)) -> Error {
        let name = |(feed, day): &(Feed, Day)| format!("{feed} {}", day.dashed());
        let asked = match self.releases.as_slice() {
            [] => "no local feed".to_owned(),
            releases => each(releases.iter().map(name), ", "),
        };
        let message = format!(
            "--resume: {} answers from {}, this run asks {asked}: nothing was sent",
            path.display(),
            name(&other)
        );
        Error::new(Kind::Usage, message).hint(
            "--feed and --day ask what FILE answers from; --rest-anew takes FILE as it is, and asks the rest of this run",
        )
    }
}

/// Whether standard output appends to this very file.
fn is_output(file: &File) -> io::Result<bool> {
    let (own, output) = (file.metadata()?, rustix::fs::fstat(io::stdout())?);
    if (own.dev(), own.ino()) != (output.st_dev, output.st_ino) {
        return Ok(false);
    }
    if fcntl_getfl(io::stdout())?.contains(OFlags::APPEND) {
        return Ok(true);
    }
    Err(io::Error::other(
        "it is the output, and the shell has emptied it: append with >>",
    ))
}

fn cut(path: &Path, length: u64) -> io::Result<()> {
    File::options().write(true).open(path)?.set_len(length)
}

fn not_ours(path: &Path) -> Error {
    let message = format!(
        "--resume: {} is not the JSON of `ipspect enrich`",
        path.display()
    );
    Error::new(Kind::Usage, message).hint(WANTED)
}

/// What a thing is that is no file.
fn other_kind(kind: FileType) -> &'static str {
    if kind.is_dir() {
        "a folder, not a file"
    } else if kind.is_fifo() {
        "a pipe, not a file"
    } else if kind.is_socket() {
        "a socket, not a file"
    } else {
        "a device, not a file"
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    const SEARCHED: &str = r#""source":"local","feed":"anonymous","day":"20261120","searched":[{"feed":"anonymous","day":"20261120"}],"record":null"#;

    /// A run that asks this feed of 20 November.
    fn asks(feed: Feed, spends: bool) -> AskedNow {
        AskedNow {
            releases: vec![(feed, Day::new(2026, 11, 20).expect("a day"))],
            spends,
            rest_anew: false,
        }
    }

    fn answered_of(path: &Path, spends: bool) -> Result<HashSet<AddressOfDay>> {
        EarlierRun::open(path)?.answered(&asks(Feed::Anonymous, spends))
    }

    /// How many addresses have an answer in these lines.
    fn count_in(lines: &[&str], asked: &AskedNow) -> Result<usize> {
        let line = |rest: &&str| format!("{{\"query\":\"198.51.100.7\",{rest}}}\n");
        let text: String = lines.iter().map(line).collect();
        let answered = answered_in(text.as_bytes(), Path::new("out"), asked)?;
        Ok(answered.addresses.len())
    }

    #[test]
    fn an_answer_of_a_release_that_is_not_asked_refuses_the_file() {
        let asked = asks(Feed::Anonymous, false);
        let record = r#""source":"local","feed":"anonymous","day":"20261120","record":{}"#;
        let later = r#""source":"local","feed":"anonymous","day":"20261127","record":{}"#;
        let live = r#""source":"live","feed":null,"day":"20261101","record":null"#;
        for own in [record, SEARCHED, live] {
            assert_eq!(count_in(&[own], &asked), Ok(1), "{own}");
        }
        let error = count_in(&[record, later], &asked).expect_err("another day");
        assert_eq!(error.kind, Kind::Usage);
        assert_eq!(
            error.message,
            "--resume: out answers from anonymous 2026-11-27, this run asks anonymous 2026-11-20: nothing was sent"
        );
        assert!(error.hint.is_some_and(|own| own.contains("--rest-anew")));
        for other in [record, SEARCHED] {
            let refused = count_in(&[other], &asks(Feed::Dch, false));
            assert_eq!(refused.map_err(|own| own.kind), Err(Kind::Usage), "{other}");
        }
        // What is open is asked of this run.
        let left_out = SEARCHED.replace("\"record\"", "\"left_out\":true,\"record\"");
        assert_eq!(count_in(&[&left_out], &asks(Feed::Dch, false)), Ok(0));
        assert_eq!(count_in(&[SEARCHED], &asks(Feed::Dch, true)), Ok(0));
        let anew = AskedNow {
            rest_anew: true,
            ..asks(Feed::Dch, false)
        };
        assert_eq!(count_in(&[later], &anew), Ok(1));
        assert_eq!(count_in(&[SEARCHED], &anew), Ok(1));
    }

    #[test]
    fn an_answer_that_names_no_release_leaves_its_address_to_this_run() {
        let mut asked = asks(Feed::Anonymous, false);
        for forged in [
            r#""record":null"#,
            r#""source":"local","record":null"#,
            r#""source":"local","feed":"anonymous","record":{}"#,
        ] {
            assert_eq!(count_in(&[forged], &asked), Ok(0), "{forged}");
        }
        // One release more might have a record; one of other addresses might not.
        let day = asked.releases[0].1;
        asked.releases.push((Feed::AnonymousIpv6, day));
        assert_eq!(count_in(&[SEARCHED], &asked), Ok(1));
        asked.releases.push((Feed::Dch, day));
        assert_eq!(count_in(&[SEARCHED], &asked), Ok(0));
    }

    #[test]
    fn a_line_without_an_end_is_refused_and_so_is_what_is_no_file() {
        let line = b"{\"query\":\"198.51.100.7\",\"record\":null}\n".chain(BEGINNING);
        let endless = BufReader::new(line.chain(io::repeat(b' ')));
        let asked = asks(Feed::Anonymous, false);
        let read = answered_in(endless, Path::new("out"), &asked);
        assert_eq!(read, Err(not_ours(Path::new("out"))));
        let dir = tempfile::tempdir().expect("directory");
        let pipe = dir.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.expect("mkfifo").success());
        for (path, kind) in [
            (Path::new("/dev/zero"), "a device"),
            (dir.path(), "a folder"),
            (&pipe, "a pipe"),
        ] {
            let error = answered_of(path, false).expect_err("no file");
            let message = format!("--resume: {} is {kind}, not a file", path.display());
            assert_eq!((error.kind, error.message), (Kind::Usage, message));
        }
    }

    #[test]
    fn what_failed_was_left_out_or_is_cut_off_has_no_answer() {
        let dir = tempfile::tempdir().expect("directory");
        let path = dir.path().join("out");
        let text = format!(
            "{{\"query\":\"198.51.100.7\",{SEARCHED}}}\n{{\"query\":\"198.51.100.7\",\"event_day\":\"20261120\",{SEARCHED}}}\n"
        );
        let text = text
            + "{\"query\":\"198.51.100.8\",\"error\":{\"kind\":\"quota\"}}\n\
            {\"query\":\"198.51.100.9\",\"left_out\":true,\"record\":null}\n\
            {\"query\":\"log.1\",\"error\":{\"kind\":\"machine\"}}\n\
            {\"query\":\"198.51.100.10\",\"rec";
        fs::write(&path, &text).expect("write");
        let done = answered_of(&path, false).expect("read");
        let address: IpAddr = "198.51.100.7".parse().expect("an address");
        let day = "20261120".parse().ok();
        assert_eq!(done, HashSet::from([(address, None), (address, day)]));
        assert_eq!(fs::read_to_string(&path).expect("as before"), text);
        assert_eq!(answered_of(&path, true), Ok(HashSet::new()));
        for other in ["{\"query\":\"log\"}\n", "my only copy", "{\"my\":\"copy\"}"] {
            fs::write(&path, other).expect("write");
            let read = answered_of(&path, true).map_err(|own| own.kind);
            assert_eq!(read, Err(Kind::Usage), "{other}");
        }
        let none = dir.path().join("none");
        assert_eq!(
            answered_of(&none, true).map_err(|own| own.kind),
            Err(Kind::NotFound)
        );
    }
}
