//! What can go wrong, as one table.

use std::{fmt, mem};

/// What goes wrong; see [`KINDS`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// Answer with this status, and with these seconds as `Retry-After`.
    Status(u16, Option<u64>),
    /// Wait so many milliseconds before the answer begins.
    Delay(u64),
    /// Never answer.
    Hang,
    /// Reset the connection before anything is read; counts connections, not requests.
    Refused,
    /// Read the request, then reset the connection.
    Reset,
    /// Answer with bytes that are not HTTP.
    Garbage,
    /// Answer 200 with the login page of a captive portal.
    Html,
    /// Put a malformed header line beside the good ones.
    BadHeader,
    /// Redirect to this URL (302).
    Redirect(String),
    /// Redirect to the very same URL (302).
    Loop,
    /// Close the connection after so many bytes of the body.
    Cut(u64),
    /// Send no more bytes of the body a second than these.
    Slow(u64),
    /// Promise the whole body and close after half of it.
    Truncate,
    /// Send half of the body and promise no more: a clean end, too early.
    Short,
    /// Flip a byte in the middle of the body.
    Corrupt,
    /// Ignore Range: 200 with the whole body.
    NoRange,
    /// Serve the file as published again: other bytes, another `ETag`.
    Changed,
    /// Say that the signed link has expired (403).
    Expired,
    /// Leave x-balance-remaining out.
    NoBalance,
    /// Answer about another address.
    Other,
    /// Put unknown keys, wrong types, lone surrogates and 8-bit bytes into the record.
    Odd,
    /// Refuse in plain text instead of JSON.
    Plain,
    /// Refuse with the status alone, without a body.
    Wordless,
}

/// A row of the table of faults.
#[derive(Debug)]
pub struct KindRow {
    /// The word in the grammar.
    pub name: &'static str,
    /// What follows `=`, empty where nothing does.
    pub value: &'static str,
    make: Make,
}

impl KindRow {
    /// The word with what follows it, such as `cut=BYTES`.
    pub(super) fn spelling(&self) -> String {
        let sign = if self.value.is_empty() { "" } else { "=" };
        format!("{}{sign}{}", self.name, self.value)
    }
}

/// How a kind is made of the text behind `=`.
#[derive(Debug)]
enum Make {
    Plain(FaultKind),
    Number(fn(u64) -> FaultKind),
    Text(fn(String) -> FaultKind),
}

const fn row(name: &'static str, value: &'static str, make: Make) -> KindRow {
    KindRow { name, value, make }
}

/// Every kind of fault that has a name. Beside them any status from 200 to 599 is one, with `=SECONDS` for a
/// `Retry-After`.
pub static KINDS: [KindRow; 22] = [
    row("delay", "MILLISECONDS", Make::Number(FaultKind::Delay)),
    row("hang", "", Make::Plain(FaultKind::Hang)),
    row("refused", "", Make::Plain(FaultKind::Refused)),
    row("reset", "", Make::Plain(FaultKind::Reset)),
    row("garbage", "", Make::Plain(FaultKind::Garbage)),
    row("html", "", Make::Plain(FaultKind::Html)),
    row("badheader", "", Make::Plain(FaultKind::BadHeader)),
    row("redirect", "URL", Make::Text(FaultKind::Redirect)),
    row("loop", "", Make::Plain(FaultKind::Loop)),
    row("cut", "BYTES", Make::Number(FaultKind::Cut)),
    row("slow", "BYTES_PER_SECOND", Make::Number(FaultKind::Slow)),
    row("truncate", "", Make::Plain(FaultKind::Truncate)),
    row("short", "", Make::Plain(FaultKind::Short)),
    row("corrupt", "", Make::Plain(FaultKind::Corrupt)),
    row("norange", "", Make::Plain(FaultKind::NoRange)),
    row("changed", "", Make::Plain(FaultKind::Changed)),
    row("expired", "", Make::Plain(FaultKind::Expired)),
    row("nobalance", "", Make::Plain(FaultKind::NoBalance)),
    row("other", "", Make::Plain(FaultKind::Other)),
    row("odd", "", Make::Plain(FaultKind::Odd)),
    row("plain", "", Make::Plain(FaultKind::Plain)),
    row("wordless", "", Make::Plain(FaultKind::Wordless)),
];

impl FaultKind {
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
    fn sample(&self) -> FaultKind {
        match self {
            Self::Plain(kind) => kind.clone(),
            Self::Number(make) => make(0),
            Self::Text(make) => make(String::new()),
        }
    }
}

impl fmt::Display for FaultKind {
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
