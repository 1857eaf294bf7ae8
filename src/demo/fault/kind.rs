//! What can go wrong, as one table.

use std::{fmt, mem};

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

/// Every kind of fault that has a name. Beside them any status from 200 to 599 is one, with `=SECONDS` for a
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

    /// Reads a name, and a value behind `=` where the kind has one.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (text, None),
        };
        if let Ok(status @ 200..=599) = name.parse() {
            return match value {
                Some(seconds) => Some(Self::Status(status, Some(seconds.parse().ok()?))),
                None => Some(Self::Status(status, None)),
            };
        }
        let row = KINDS.iter().find(|row| row.name == name)?;
        match (&row.make, value) {
            (Make::Plain(kind), None) => Some(kind.clone()),
            (Make::Number(make), Some(value)) => value.parse().ok().map(make),
            (Make::Text(make), Some(value)) if !value.is_empty() => Some(make(value.to_owned())),
            _ => None,
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
