//! What an earlier run of `enrich` or `lookup` answered, by the lines of JSON that it printed.

mod identity;

pub use self::identity::{RunIdentity, TextMark};

use std::{
    io::{self, BufRead, Read},
    net::IpAddr,
};

use serde::{Deserialize, de::IgnoredAny};
use serde_json::value::RawValue;

use crate::{contract::Feed, model::Day};

/// How each line begins.
pub const BEGINNING: &[u8] = b"{\"query\":";

/// The most bytes of a line with its end. A longer one is of another text: a record with all that stands beside its address is far shorter.
const LONGEST_LINE: u64 = 16 << 20;

/// An address, and the day of its events if it comes once for each.
pub type AddressOfDay = (IpAddr, Option<Day>);

/// How the next line of a file was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineRead {
    Whole,
    /// The file ends within it.
    CutOff,
    /// It is longer than any of a run; the rest of it was not read.
    TooLong,
    /// There is no more.
    End,
}

impl LineRead {
    /// Reads the next line with its end in place of the one before; of a line that is too long no more than is needed to know it.
    ///
    /// # Errors
    /// As the file.
    pub fn next(text: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<Self> {
        line.clear();
        let length = text.by_ref().take(LONGEST_LINE).read_until(b'\n', line)?;
        Ok(match line.last() {
            None => Self::End,
            Some(b'\n') => Self::Whole,
            Some(_) if length as u64 == LONGEST_LINE => Self::TooLong,
            Some(_) => Self::CutOff,
        })
    }
}

/// A line of an earlier run.
#[derive(Clone, Debug, PartialEq)]
pub struct EarlierLine {
    /// What it is about; `None` for a text that could not be read, and for a run that failed as a whole.
    pub about: Option<AddressOfDay>,
    pub answer: EarlierAnswer,
    pub from: AnsweredFrom,
    /// The run that begins with it, if it names one, as it was printed: [`RunIdentity::read`] reads it.
    pub run: Option<Box<str>>,
}

/// Where a line says that its answer is from. With the days of events that is the answer of today.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnsweredFrom {
    /// The cache or the service.
    Service,
    /// A record of a local release.
    Release(Feed, Day),
    /// No record: these releases were searched.
    Searched(Vec<(Feed, Day)>),
    /// It does not say.
    Unsaid,
}

impl AnsweredFrom {
    /// The local releases that it names.
    pub fn releases(&self) -> impl Iterator<Item = (Feed, Day)> {
        let (one, several) = match self {
            Self::Release(feed, day) => (Some((*feed, *day)), [].as_slice()),
            Self::Searched(releases) => (None, releases.as_slice()),
            Self::Service | Self::Unsaid => (None, [].as_slice()),
        };
        one.into_iter().chain(several.iter().copied())
    }
}

/// What the run answered. With the days of events that is the record of the day.
#[derive(Clone, Debug, PartialEq)]
pub enum EarlierAnswer {
    /// The query failed, or was not sent.
    Open,
    /// The release of the day was not local.
    UnknownDay,
    /// No record; only a local answer may be so for want of a query.
    Nothing { is_local: bool },
    /// A record as it was printed, of a feed or else of the service.
    Record(Option<Feed>, Box<str>),
}

impl EarlierAnswer {
    /// Whether it says nothing.
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        matches!(self, Self::Open | Self::UnknownDay)
    }

    /// Whether a later line of the run, which answers what this one left open, takes its place.
    #[must_use]
    pub fn is_open(&self) -> bool {
        !matches!(self, Self::Record(..) | Self::Nothing { is_local: false })
    }
}

#[derive(Deserialize)]
struct PrintedLine<'a> {
    query: Option<String>,
    error: Option<IgnoredAny>,
    left_out: Option<IgnoredAny>,
    event_day: Option<String>,
    #[serde(borrow)]
    then: Option<PrintedAnswer<'a>>,
    source: Option<String>,
    feed: Option<String>,
    day: Option<String>,
    searched: Option<Vec<PrintedRelease>>,
    #[serde(borrow)]
    record: Option<&'a RawValue>,
    #[serde(borrow)]
    run: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct PrintedRelease {
    feed: String,
    day: String,
}

#[derive(Deserialize)]
struct PrintedAnswer<'a> {
    known: Option<bool>,
    source: Option<String>,
    feed: Option<String>,
    #[serde(borrow)]
    record: Option<&'a RawValue>,
}

impl EarlierLine {
    /// Reads a line; `None` for one of another kind.
    #[must_use]
    pub fn read(line: &[u8]) -> Option<Self> {
        let line: PrintedLine<'_> = serde_json::from_slice(line).ok()?;
        let has_failed = line.error.is_some();
        let run = || line.run.map(|value| value.get().into());
        let failed = || Self {
            about: None,
            answer: EarlierAnswer::Open,
            from: AnsweredFrom::Unsaid,
            run: run(),
        };
        let Some(query) = &line.query else {
            return has_failed.then(failed);
        };
        let Ok(address) = query.parse() else {
            return has_failed.then(failed);
        };
        let day = match &line.event_day {
            Some(day) => Some(day.parse().ok()?),
            None => None,
        };
        let answer = if has_failed || line.left_out.is_some() {
            EarlierAnswer::Open
        } else {
            line.answer()?
        };
        let about = Some((address, day));
        let from = line.from()?;
        let run = run();
        Some(Self {
            about,
            answer,
            from,
            run,
        })
    }
}

impl PrintedLine<'_> {
    fn from(&self) -> Option<AnsweredFrom> {
        if let Some("live" | "cache") = self.source.as_deref() {
            return Some(AnsweredFrom::Service);
        }
        if let Some(searched) = &self.searched {
            let release = |release: &PrintedRelease| {
                Some((release.feed.parse().ok()?, release.day.parse().ok()?))
            };
            let releases = searched.iter().map(release).collect::<Option<_>>()?;
            return Some(AnsweredFrom::Searched(releases));
        }
        match (&self.feed, &self.day) {
            (Some(feed), Some(day)) if self.record.is_some() => {
                Some(AnsweredFrom::Release(feed.parse().ok()?, day.parse().ok()?))
            }
            _ => Some(AnsweredFrom::Unsaid),
        }
    }

    fn answer(&self) -> Option<EarlierAnswer> {
        let (source, feed, record) = match &self.then {
            Some(then) if then.known == Some(false) => return Some(EarlierAnswer::UnknownDay),
            Some(then) => (&then.source, &then.feed, then.record),
            None => (&self.source, &self.feed, self.record),
        };
        let Some(record) = record else {
            let is_local = !matches!(source.as_deref(), Some("live" | "cache"));
            return Some(EarlierAnswer::Nothing { is_local });
        };
        let feed = match feed {
            Some(name) => Some(name.parse().ok()?),
            None => None,
        };
        Some(EarlierAnswer::Record(feed, record.get().into()))
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    #[test]
    fn of_a_line_without_an_end_no_more_is_read_than_tells() {
        let mut line = Vec::new();
        let mut text = BufReader::new(BEGINNING.chain(io::repeat(b'1')));
        let read = LineRead::next(&mut text, &mut line).expect("read");
        assert_eq!((read, line.len() as u64), (LineRead::TooLong, LONGEST_LINE));
        let mut text = BufReader::new(&b"a\n\nb"[..]);
        let mut next = || {
            let read = LineRead::next(&mut text, &mut line).expect("read");
            (read, line.clone())
        };
        assert_eq!(next(), (LineRead::Whole, b"a\n".to_vec()));
        assert_eq!(next(), (LineRead::Whole, b"\n".to_vec()));
        assert_eq!(next(), (LineRead::CutOff, b"b".to_vec()));
        assert_eq!(next(), (LineRead::End, Vec::new()));
    }

    fn read(line: &str) -> Option<EarlierAnswer> {
        EarlierLine::read(line.as_bytes()).map(|line| line.answer)
    }

    #[test]
    fn a_line_says_what_was_answered() {
        let nothing = |is_local| Some(EarlierAnswer::Nothing { is_local });
        for (line, answer) in [
            (
                r#"{"query":"198.51.100.7","source":"local","record":null}"#,
                nothing(true),
            ),
            (
                r#"{"query":"198.51.100.7","source":"live","record":null}"#,
                nothing(false),
            ),
            (
                r#"{"query":"198.51.100.7","error":{"kind":"quota"}}"#,
                Some(EarlierAnswer::Open),
            ),
            (
                r#"{"query":"198.51.100.7","left_out":true,"record":null}"#,
                Some(EarlierAnswer::Open),
            ),
            (
                r#"{"query":"access.log","error":{"kind":"machine"}}"#,
                Some(EarlierAnswer::Open),
            ),
            (r#"{"query":"access.log"}"#, None),
            (r#"{"my":"copy"}"#, None),
            (
                r#"{"query":"198.51.100.7","event_day":"20261120","then":{"day":"20261120","known":false},"record":{"ip":"198.51.100.7"}}"#,
                Some(EarlierAnswer::UnknownDay),
            ),
            (
                r#"{"query":"198.51.100.7","event_day":"20261120","then":{"day":"20261120","known":true,"source":"local","feed":null,"record":null},"record":{"ip":"198.51.100.7"}}"#,
                nothing(true),
            ),
            (
                r#"{"query":"198.51.100.7","event_day":"yesterday","record":null}"#,
                None,
            ),
            (
                r#"{"query":"198.51.100.7","feed":"a-feed","record":{}}"#,
                None,
            ),
        ] {
            assert_eq!(read(line), answer, "{line}");
        }
        let line = r#"{"query":"198.51.100.7","source":"local","feed":"dch","record":{"network":"198.51.100.0/24"}}"#;
        match read(line) {
            Some(EarlierAnswer::Record(feed, record)) => {
                assert_eq!(feed, Some(Feed::Dch));
                assert_eq!(&*record, r#"{"network":"198.51.100.0/24"}"#);
            }
            other => panic!("{other:?}"),
        }
        let from = |line: &str| EarlierLine::read(line.as_bytes()).map(|line| line.from);
        let day = Day::new(2026, 11, 20).expect("a day");
        let release = AnsweredFrom::Release(Feed::Dch, day);
        let searched = AnsweredFrom::Searched(vec![(Feed::Anonymous, day), (Feed::Dch, day)]);
        for (rest, expected) in [
            (
                r#""source":"local","feed":"dch","day":"20261120","record":{}"#,
                Some(&release),
            ),
            (
                r#""source":"local","feed":null,"day":null,"searched":[{"feed":"anonymous","day":"20261120"},{"feed":"dch","day":"20261120"}],"record":null"#,
                Some(&searched),
            ),
            (
                r#""source":"live","feed":null,"day":"20261120","record":{}"#,
                Some(&AnsweredFrom::Service),
            ),
            (
                r#""source":"cache","record":null"#,
                Some(&AnsweredFrom::Service),
            ),
            (r#""record":null"#, Some(&AnsweredFrom::Unsaid)),
            (
                r#""source":"local","feed":"dch","day":"20261120","record":null"#,
                Some(&AnsweredFrom::Unsaid),
            ),
            (
                r#""searched":[{"feed":"a-feed","day":"20261120"}],"record":null"#,
                None,
            ),
        ] {
            let line = format!("{{\"query\":\"198.51.100.7\",{rest}}}");
            assert_eq!(from(&line).as_ref(), expected, "{line}");
        }
        assert_eq!(release.releases().collect::<Vec<_>>(), [(Feed::Dch, day)]);
        assert_eq!(searched.releases().count(), 2);
        let earlier_line = EarlierLine::read(line.as_bytes()).expect("a line");
        let address = "198.51.100.7".parse().expect("an address");
        assert_eq!(
            (earlier_line.about, earlier_line.run),
            (Some((address, None)), None)
        );
        let first = line.replace("}}", r#"},"run":{"at":"local"}}"#);
        let earlier_line = EarlierLine::read(first.as_bytes()).expect("a line");
        assert_eq!(earlier_line.run.as_deref(), Some(r#"{"at":"local"}"#));
    }
}
