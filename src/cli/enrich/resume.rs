//! `--resume`: what an earlier run has answered, by the JSON lines that it printed.
//!
//! An answer counts where it says that it is from a release that this run asks, from the cache or the service, and where it belongs to a run
//! that asked the same of the same text, which the first row of that run has as `run`: any other answer would stand in one table with those
//! of this run, and look the same.
//!
//! A line that was cut off is no answer. Where the output goes on behind it in the same file, it is cut away first.

use std::{
    collections::HashSet,
    fs::{self, File, FileType},
    io::{self, BufRead, BufReader},
    os::unix::fs::{FileTypeExt, MetadataExt},
    path::Path,
};

use rustix::fs::{OFlags, fcntl_getfl};

use super::{
    asked::{ANEW, AskedNow},
    beginning::TextBeginning,
    reader::AddressReader,
};
use crate::{
    engine::{Error, Kind, Result},
    investigation::earlier_run::{
        AddressOfDay, BEGINNING, EarlierLine, LineRead, RunIdentity, TextMark,
    },
    report::count,
};

const WANTED: &str = "give it the file that `ipspect enrich --format json` wrote";

/// What an earlier run printed.
pub(super) struct EarlierRun<'p> {
    path: &'p Path,
    file: File,
    /// Whether standard output appends to this very file.
    is_output: bool,
}

/// The answers in the lines of an earlier run.
#[derive(Debug, Default, PartialEq)]
struct Answered {
    /// Each with the day of its events if it has one.
    addresses: HashSet<AddressOfDay>,
    /// How the texts began that they were found in.
    texts: Vec<TextMark>,
    /// How long the lines are that are whole, in bytes, where one is not.
    cut_off_at: Option<u64>,
    /// Why none of them counts.
    refusal: Option<Error>,
}

/// The answers of an earlier run that asked what this one asks, but maybe of another text.
pub(super) struct EarlierAnswers<'p> {
    path: &'p Path,
    answered: Answered,
}

impl EarlierAnswers<'_> {
    /// Goes on behind them where the text is the same: the reader passes over what they answer.
    ///
    /// # Errors
    /// [`Kind::Usage`] for another text, [`Kind::Machine`].
    pub(super) async fn go_on<'a>(
        self,
        mut reader: AddressReader<'a>,
        beginning: &TextBeginning,
    ) -> Result<AddressReader<'a>> {
        let Self { path, answered } = self;
        let lengths = answered.texts.iter().map(|mark| mark.bytes);
        reader
            .read_ahead(beginning, lengths.max().unwrap_or(0).min(TextMark::MOST))
            .await;
        if let Some(other) = answered.texts.iter().find(|mark| !beginning.fits(mark)) {
            return Err(of_another_text(path, other));
        }
        Ok(reader.without(answered.addresses))
    }
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
    /// [`Kind::Usage`] for a file that is no output of `enrich`, or of one that asked something else; [`Kind::Machine`].
    pub(super) fn answers(self, asked: &AskedNow) -> Result<EarlierAnswers<'p>> {
        let Self {
            path,
            file,
            is_output,
        } = self;
        let answered = answered_in(BufReader::new(file), path, asked)?;
        // Why a file is refused is printed as well, on a line of its own.
        if let Some(length) = answered.cut_off_at.filter(|_| is_output) {
            cut(path, length).map_err(|error| Error::machine_at("shorten", path, &error))?;
        }
        match answered.refusal {
            Some(refusal) => Err(refusal),
            None => Ok(EarlierAnswers { path, answered }),
        }
    }
}

/// Reads the lines of an earlier run to their end, also where they are refused.
fn answered_in(mut lines: impl BufRead, path: &Path, asked: &AskedNow) -> Result<Answered> {
    let mut answered = Answered::default();
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
        if answered.refusal.is_none() {
            answered.refusal = answered.take(&line, path, asked).err();
        }
    }
}

impl Answered {
    /// Takes what a line answers.
    ///
    /// # Errors
    /// [`Kind::Usage`] where it is of a run that asked something else.
    fn take(&mut self, line: &EarlierLine, path: &Path, asked: &AskedNow) -> Result<()> {
        if let Some(run) = line.run.as_deref().filter(|_| !asked.rest_anew) {
            let run = RunIdentity::read(run).ok_or_else(|| of_no_run(path))?;
            asked.check(path, &run)?;
            if !self.texts.contains(&run.text) {
                self.texts.push(run.text);
            }
        }
        let Some(about) = line.about.filter(|_| !asked.is_open(line)) else {
            return Ok(());
        };
        if !asked.rest_anew {
            if self.texts.is_empty() {
                return Err(of_no_run(path));
            }
            if let Some(other) = line
                .from
                .releases()
                .find(|pair| !asked.run.feeds.contains(pair))
            {
                return Err(asked.refused(path, other));
            }
            if !asked.has_searched_all(&line.from, about.0) {
                return Ok(());
            }
        }
        self.addresses.insert(about);
        Ok(())
    }
}

/// Whether standard output appends to this very file.
fn is_output(file: &File) -> io::Result<bool> {
    let (metadata, output) = (file.metadata()?, rustix::fs::fstat(io::stdout())?);
    if (metadata.dev(), metadata.ino()) != (output.st_dev, output.st_ino) {
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

fn of_no_run(path: &Path) -> Error {
    let message = format!(
        "--resume: {} does not say which run wrote it: it is of another version of ipspect or another program",
        path.display()
    );
    Error::new(Kind::Usage, message).hint(ANEW)
}

fn of_another_text(path: &Path, mark: &TextMark) -> Error {
    let message = format!(
        "--resume: {} is of another text, whose first {} bytes differ from those of this run: nothing was sent",
        path.display(),
        count(mark.bytes as u64)
    );
    Error::new(Kind::Usage, message).hint(format!("name the text that FILE is of; {ANEW}"))
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
    use std::{io::Read, net::IpAddr};

    use super::*;
    use crate::{contract::Feed, model::Day};

    /// Makes another run of one.
    type Change = fn(&mut RunIdentity);

    const SEARCHED: &str = r#""source":"local","feed":"anonymous","day":"20261120","searched":[{"feed":"anonymous","day":"20261120"}],"record":null"#;

    /// A run that asks this feed of 20 November.
    fn asks(feed: Feed, spends: bool) -> AskedNow {
        AskedNow {
            run: RunIdentity {
                feeds: vec![(feed, Day::new(2026, 11, 20).expect("a day"))],
                at: "local".to_owned(),
                filter: None,
                zone: "UTC".to_owned(),
                dates: "iso".to_owned(),
                at_time: false,
                all: false,
                top: None,
                text: TextMark::of(b"198.51.100.7\n"),
            },
            spends,
            rest_anew: false,
        }
    }

    fn answered_of(path: &Path, spends: bool) -> Result<HashSet<AddressOfDay>> {
        let asked = asks(Feed::Anonymous, spends);
        let earlier = EarlierRun::open(path)?.answers(&asked)?;
        Ok(earlier.answered.addresses)
    }

    /// The first row of a run, and what stands beside its address.
    fn first_of(run: &RunIdentity, rest: &str) -> String {
        format!("{rest},\"run\":{}", run.printed())
    }

    /// What an earlier run with these rows has answered, each of which is what stands beside an address.
    fn answered_by<S: AsRef<str>>(rows: &[S], asked: &AskedNow) -> Result<Answered> {
        let line = |rest: &S| format!("{{\"query\":\"198.51.100.7\",{}}}\n", rest.as_ref());
        let text: String = rows.iter().map(line).collect();
        let mut answered = answered_in(text.as_bytes(), Path::new("out"), asked)?;
        answered.refusal.take().map_or(Ok(answered), Err)
    }

    /// How many addresses have an answer in the rows of a run that asked the same.
    fn count_in(rows: &[&str], asked: &AskedNow) -> Result<usize> {
        let mut rows: Vec<String> = rows.iter().map(|text| (*text).to_owned()).collect();
        rows[0] = first_of(&asked.run, &rows[0]);
        Ok(answered_by(&rows, asked)?.addresses.len())
    }

    #[test]
    fn a_run_that_asked_something_else_is_refused_by_name() {
        let mut asked = asks(Feed::Anonymous, false);
        asked.run.filter = Some("tag:B".to_owned());
        let change = |change: Change| {
            let mut run = asked.run.clone();
            change(&mut run);
            answered_by(&[first_of(&run, SEARCHED)], &asked)
        };
        let same = change(|_| ()).expect("the same");
        assert_eq!(
            (same.addresses.len(), same.texts),
            (1, vec![asked.run.text.clone()])
        );
        let changes: [(Change, &str); 9] = [
            (
                |identity| identity.filter = Some("tag:A".to_owned()),
                "--filter tag:A, this run has --filter tag:B",
            ),
            (
                |identity| identity.filter = None,
                "no --filter, this run has --filter tag:B",
            ),
            (
                |identity| identity.feeds[0].0 = Feed::Dch,
                "dch 2026-11-20, this run has anonymous 2026-11-20",
            ),
            (
                |identity| identity.feeds.clear(),
                "no local feed, this run has anonymous 2026-11-20",
            ),
            (
                |identity| identity.at = "warehouse".to_owned(),
                "--at warehouse, this run has --at local",
            ),
            (
                |identity| identity.dates = "us".to_owned(),
                "--dates us, this run has --dates iso",
            ),
            (
                |identity| identity.at_time = true,
                "--at-time, this run has no --at-time",
            ),
            (
                |identity| identity.top = Some(5),
                "--top 5, this run has no --top",
            ),
            (
                |identity| (identity.zone, identity.all) = ("+02:00".to_owned(), true),
                "--zone +02:00, --all, this run has --zone UTC, no --all",
            ),
        ];
        for (other, words) in changes {
            let error = change(other).expect_err(words);
            assert_eq!(error.kind, Kind::Usage);
            assert_eq!(
                error.message,
                format!("--resume: out is of {words}: nothing was sent")
            );
            assert!(error.hint.is_some_and(|text| text.contains("--rest-anew")));
        }
        // Whatever the file is of, it is taken as it is where that is asked.
        let mut run = asked.run.clone();
        run.filter = None;
        asked.rest_anew = true;
        let taken = answered_by(&[first_of(&run, SEARCHED)], &asked).expect("taken");
        assert_eq!((taken.addresses.len(), taken.texts.len()), (1, 0));
    }

    #[test]
    fn an_answer_without_a_run_before_it_is_refused() {
        let mut asked = asks(Feed::Anonymous, false);
        let live = r#""source":"live","feed":null,"day":"20261101","record":null"#;
        let left_out = r#""left_out":true,"record":null"#;
        let first = first_of(&asked.run, SEARCHED);
        let unreadable = format!(r#"{SEARCHED},"run":{{"version":2}}"#);
        for forged in [
            vec![live],
            vec![left_out, SEARCHED],
            vec![live, &first],
            vec![&unreadable],
        ] {
            let refused = answered_by(&forged, &asked);
            assert_eq!(refused, Err(of_no_run(Path::new("out"))), "{forged:?}");
        }
        // What failed or was not sent says nothing.
        let begun = answered_by(&[left_out, &first, live], &asked).expect("a run");
        assert_eq!(begun.addresses.len(), 1);
        assert_eq!(
            answered_by(&[left_out], &asked).map(|answered| answered.texts),
            Ok(vec![])
        );
        asked.rest_anew = true;
        assert_eq!(
            answered_by(&[live], &asked).map(|answered| answered.addresses.len()),
            Ok(1)
        );
    }

    #[test]
    fn each_run_that_went_on_in_a_file_is_looked_at() {
        let asked = asks(Feed::Anonymous, false);
        let mut later = asked.run.clone();
        later.text = TextMark::of(b"198.51.100.7\n198.51.100.8\n");
        let read = |later: &RunIdentity| {
            let rows = [&asked.run, later].map(|identity| first_of(identity, SEARCHED));
            answered_by(&rows, &asked)
        };
        let both = read(&later).expect("runs");
        assert_eq!(both.texts, [asked.run.text.clone(), later.text.clone()]);
        later.at_time = true;
        assert!(read(&later).is_err());
    }

    #[test]
    fn an_answer_of_a_release_that_is_not_asked_refuses_the_file() {
        let asked = asks(Feed::Anonymous, false);
        let record = r#""source":"local","feed":"anonymous","day":"20261120","record":{}"#;
        let later = r#""source":"local","feed":"anonymous","day":"20261127","record":{}"#;
        let live = r#""source":"live","feed":null,"day":"20261101","record":null"#;
        for text in [record, SEARCHED, live] {
            assert_eq!(count_in(&[text], &asked), Ok(1), "{text}");
        }
        let error = count_in(&[record, later], &asked).expect_err("another day");
        assert_eq!(error.kind, Kind::Usage);
        assert_eq!(
            error.message,
            "--resume: out answers from anonymous 2026-11-27, this run asks anonymous 2026-11-20: nothing was sent"
        );
        assert!(error.hint.is_some_and(|text| text.contains("--rest-anew")));
        for other in [record, SEARCHED] {
            let refused = count_in(&[other], &asks(Feed::Dch, false));
            assert_eq!(
                refused.map_err(|error| error.kind),
                Err(Kind::Usage),
                "{other}"
            );
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
        let day = asked.run.feeds[0].1;
        asked.run.feeds.push((Feed::AnonymousIpv6, day));
        assert_eq!(count_in(&[SEARCHED], &asked), Ok(1));
        asked.run.feeds.push((Feed::Dch, day));
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
        let first = first_of(&asks(Feed::Anonymous, false).run, SEARCHED);
        let text = format!(
            "{{\"query\":\"198.51.100.7\",{first}}}\n{{\"query\":\"198.51.100.7\",\"event_day\":\"20261120\",{SEARCHED}}}\n"
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
            let read = answered_of(&path, true).map_err(|error| error.kind);
            assert_eq!(read, Err(Kind::Usage), "{other}");
        }
        let none = dir.path().join("none");
        assert_eq!(
            answered_of(&none, true).map_err(|error| error.kind),
            Err(Kind::NotFound)
        );
    }
}
