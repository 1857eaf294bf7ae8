//! Faults on demand, and how they are written on a command line: `PLACE:KIND[@SKIP][xTIMES]`.
//!
//! `context:500x2` fails two lookups, `storage:cut=200000@1x1` lets one download pass and cuts the next one off. Without
//! times a fault stays until it is cleared. What can go wrong is one table, [`KINDS`].

use std::{fmt, mem, str::FromStr};

use crate::contract::Host;

/// Where a fault strikes: one of the hosts, or the storage behind the feeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// The Context API.
    Context,
    /// The feeds host.
    Feeds,
    /// The exports host.
    Exports,
    /// The storage that downloads are redirected to.
    Storage,
}

impl Place {
    /// All places, the hosts first.
    pub const ALL: [Self; 4] = [Self::Context, Self::Feeds, Self::Exports, Self::Storage];

    /// The place's name in the grammar.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Context => Host::Context.name(),
            Self::Feeds => Host::Feeds.name(),
            Self::Exports => Host::Exports.name(),
            Self::Storage => "storage",
        }
    }
}

impl From<Host> for Place {
    fn from(host: Host) -> Self {
        match host {
            Host::Context => Self::Context,
            Host::Feeds => Self::Feeds,
            Host::Exports => Self::Exports,
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What goes wrong; see [`KINDS`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the table says what each is")]
pub enum Kind {
    Status(u16, Option<u64>),
    Delay(u64),
    Hang,
    Refused,
    Reset,
    Garbage,
    Html,
    BadHeader,
    Redirect(String),
    Loop,
    Cut(u64),
    Slow(u64),
    Truncate,
    Short,
    Corrupt,
    NoRange,
    Changed,
    Expired,
    NoBalance,
    Other,
    Odd,
}

/// A row of the table of faults.
#[derive(Debug)]
pub struct KindRow {
    /// The word in the grammar.
    pub name: &'static str,
    /// What stands behind `=`, empty where nothing does.
    pub value: &'static str,
    /// What it does.
    pub meaning: &'static str,
    make: Make,
}

/// How a kind is made of the text behind `=`.
#[derive(Debug)]
enum Make {
    Plain(Kind),
    Number(fn(u64) -> Kind),
    Text(fn(String) -> Kind),
}

const fn plain(name: &'static str, kind: Kind, meaning: &'static str) -> KindRow {
    KindRow {
        name,
        value: "",
        meaning,
        make: Make::Plain(kind),
    }
}

const fn number(
    name: &'static str,
    value: &'static str,
    make: fn(u64) -> Kind,
    meaning: &'static str,
) -> KindRow {
    KindRow {
        name,
        value,
        meaning,
        make: Make::Number(make),
    }
}

/// Every kind of fault that has a name. Beside them any status from 400 to 599 is one, with `=SECONDS` for a
/// `Retry-After`.
pub static KINDS: [KindRow; 20] = [
    number(
        "delay",
        "MILLISECONDS",
        Kind::Delay,
        "wait before the answer begins",
    ),
    plain("hang", Kind::Hang, "never answer"),
    plain(
        "refused",
        Kind::Refused,
        "reset the connection before anything is read; counts connections, not requests",
    ),
    plain(
        "reset",
        Kind::Reset,
        "read the request, then reset the connection",
    ),
    plain(
        "garbage",
        Kind::Garbage,
        "answer with bytes that are not HTTP",
    ),
    plain(
        "html",
        Kind::Html,
        "answer 200 with the login page of a captive portal",
    ),
    plain(
        "badheader",
        Kind::BadHeader,
        "put a malformed header line beside the good ones",
    ),
    KindRow {
        name: "redirect",
        value: "URL",
        meaning: "redirect there (302)",
        make: Make::Text(Kind::Redirect),
    },
    plain("loop", Kind::Loop, "redirect to the very same URL (302)"),
    number(
        "cut",
        "BYTES",
        Kind::Cut,
        "close the connection after so many bytes of the body",
    ),
    number(
        "slow",
        "BYTES_PER_SECOND",
        Kind::Slow,
        "send the body no faster",
    ),
    plain(
        "truncate",
        Kind::Truncate,
        "promise the whole body and close after half of it",
    ),
    plain(
        "short",
        Kind::Short,
        "send half of the body and promise no more: a clean end, too early",
    ),
    plain(
        "corrupt",
        Kind::Corrupt,
        "flip a byte in the middle of the body",
    ),
    plain(
        "norange",
        Kind::NoRange,
        "ignore Range: 200 with the whole body",
    ),
    plain(
        "changed",
        Kind::Changed,
        "serve the file as published anew: other bytes, another ETag",
    ),
    plain(
        "expired",
        Kind::Expired,
        "say that the signed link has expired (403)",
    ),
    plain(
        "nobalance",
        Kind::NoBalance,
        "leave x-balance-remaining out",
    ),
    plain("other", Kind::Other, "answer about another address"),
    plain(
        "odd",
        Kind::Odd,
        "put unknown keys, wrong types, lone surrogates and 8-bit bytes into the record",
    ),
];

impl Kind {
    /// The row of the table; a status has none.
    #[must_use]
    pub fn row(&self) -> Option<&'static KindRow> {
        let of = |row: &&KindRow| mem::discriminant(&row.make.sample()) == mem::discriminant(self);
        KINDS.iter().find(of)
    }

    fn parse(text: &str) -> Result<Self, BadFault> {
        let bad = || BadFault(text.to_owned());
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (text, None),
        };
        if let Ok(status @ 400..=599) = name.parse() {
            let seconds = value
                .map(|value| value.parse().map_err(|_| bad()))
                .transpose()?;
            return Ok(Self::Status(status, seconds));
        }
        let row = KINDS.iter().find(|row| row.name == name).ok_or_else(bad)?;
        match (&row.make, value) {
            (Make::Plain(kind), None) => Ok(kind.clone()),
            (Make::Number(make), Some(value)) => value.parse().map(make).map_err(|_| bad()),
            (Make::Text(make), Some(value)) if !value.is_empty() => Ok(make(value.to_owned())),
            _ => Err(bad()),
        }
    }
}

impl Make {
    fn sample(&self) -> Kind {
        match self {
            Self::Plain(kind) => kind.clone(),
            Self::Number(make) => make(0),
            Self::Text(make) => make(String::new()),
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.row().map_or("", |row| row.name);
        match self {
            Self::Status(status, None) => write!(f, "{status}"),
            Self::Status(status, Some(seconds)) => write!(f, "{status}={seconds}"),
            Self::Delay(number) | Self::Cut(number) | Self::Slow(number) => {
                write!(f, "{name}={number}")
            }
            Self::Redirect(url) => write!(f, "{name}={url}"),
            _ => f.write_str(name),
        }
    }
}

/// A fault: where, what, after how many requests, for how many.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where it strikes.
    pub place: Place,
    /// What happens.
    pub kind: Kind,
    /// How many requests pass unharmed first.
    pub skip: u32,
    /// How many requests it strikes then; all without it.
    pub times: Option<u32>,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.place, self.kind)?;
        if self.skip > 0 {
            write!(f, "@{}", self.skip)?;
        }
        self.times.map_or(Ok(()), |times| write!(f, "x{times}"))
    }
}

/// A text that is not a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadFault(String);

impl fmt::Display for BadFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let places = Place::ALL.map(Place::name).join(", ");
        let kinds: Vec<String> = KINDS
            .iter()
            .map(|row| {
                if row.value.is_empty() {
                    row.name.to_owned()
                } else {
                    format!("{}={}", row.name, row.value)
                }
            })
            .collect();
        write!(
            f,
            "{:?} is not a fault: write PLACE:KIND[@SKIP][xTIMES]; places are {places}; kinds are a status such as 500 or \
             429=SECONDS, {}",
            self.0,
            kinds.join(", ")
        )
    }
}

impl std::error::Error for BadFault {}

impl FromStr for Fault {
    type Err = BadFault;

    fn from_str(text: &str) -> Result<Self, BadFault> {
        let bad = || BadFault(text.to_owned());
        let (place, rest) = text.trim().split_once(':').ok_or_else(bad)?;
        let place = Place::ALL
            .into_iter()
            .find(|known| known.name() == place)
            .ok_or_else(bad)?;
        let (rest, times) = counted(rest, 'x');
        let (kind, skip) = counted(rest, '@');
        Ok(Self {
            place,
            kind: Kind::parse(kind).map_err(|_| bad())?,
            skip: skip.unwrap_or(0),
            times,
        })
    }
}

/// Takes a number behind the last `mark` off the end of a text.
fn counted(text: &str, mark: char) -> (&str, Option<u32>) {
    text.rsplit_once(mark)
        .and_then(|(rest, digits)| Some((rest, digits.parse().ok()?)))
        .map_or((text, None), |(rest, number)| (rest, Some(number)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_written_as_they_are_read() {
        for text in [
            "context:500x2",
            "context:reset",
            "exports:429=7",
            "storage:cut=200000@1x1",
            "feeds:redirect=http://127.0.0.1:9/elsewhere",
            "storage:slow=65536",
        ] {
            assert_eq!(
                text.parse::<Fault>().map(|fault| fault.to_string()),
                Ok(text.to_owned())
            );
        }
        let cut: Fault = "storage:cut=9@3x2".parse().expect("fault");
        assert_eq!((cut.kind, cut.skip, cut.times), (Kind::Cut(9), 3, Some(2)));
    }

    #[test]
    fn each_row_of_the_table_is_read_and_written() {
        for row in &KINDS {
            let value = if row.value.is_empty() { "" } else { "=7" };
            let text = format!("feeds:{}{value}", row.name);
            assert_eq!(
                text.parse::<Fault>().map(|fault| fault.to_string()),
                Ok(text.clone())
            );
        }
    }

    #[test]
    fn what_is_no_fault_says_what_there_is() {
        for text in [
            "",
            "context",
            "nowhere:500",
            "context:200",
            "context:cut",
            "context:cut=x",
            "context:reset=1",
        ] {
            assert!(text.parse::<Fault>().is_err(), "{text:?}");
        }
        let error = "context:fire"
            .parse::<Fault>()
            .expect_err("no such kind")
            .to_string();
        assert!(
            error.contains("cut=BYTES") && error.contains("storage"),
            "{error}"
        );
    }
}
