//! Faults on demand, and how they are written on a command line: `PLACE:KIND[@SKIP][xTIMES]`.
//!
//! `context:500x2` fails two lookups, `storage:cut=200000@1x1` lets one download pass and cuts the next one off. Without
//! times a fault stays until it is cleared. What can go wrong is one table, [`KINDS`].

mod kind;

use std::{fmt, str::FromStr};

pub use kind::{FaultKind, KINDS, KindRow};

use crate::contract::Host;

/// Where a fault strikes: one of the hosts, or the storage behind the feeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FaultSite {
    Context,
    Feeds,
    Exports,
    /// The storage that downloads are redirected to.
    Storage,
}

impl FaultSite {
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

impl From<Host> for FaultSite {
    fn from(host: Host) -> Self {
        match host {
            Host::Context => Self::Context,
            Host::Feeds => Self::Feeds,
            Host::Exports => Self::Exports,
        }
    }
}

impl fmt::Display for FaultSite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A fault: where, what, after how many requests, for how many.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where it strikes.
    pub place: FaultSite,
    pub kind: FaultKind,
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
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is not a fault: write PLACE:KIND[@SKIP][xTIMES]; places are {places}; kinds are a status such as 500 or \
     429=SECONDS, {kinds}",
    places = FaultSite::ALL.map(FaultSite::name).join(", "),
    kinds = KINDS.each_ref().map(KindRow::spelling).join(", ")
)]
pub struct BadFault(String);

impl FromStr for Fault {
    type Err = BadFault;

    fn from_str(text: &str) -> Result<Self, BadFault> {
        let bad = || BadFault(text.to_owned());
        let (place, rest) = text.trim().split_once(':').ok_or_else(bad)?;
        let place = FaultSite::ALL
            .into_iter()
            .find(|known| known.name() == place)
            .ok_or_else(bad)?;
        let (rest, times) = counted(rest, 'x');
        let (kind, skip) = counted(rest, '@');
        Ok(Self {
            place,
            kind: FaultKind::parse(kind).ok_or_else(bad)?,
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
        assert_eq!(
            (cut.kind, cut.skip, cut.times),
            (FaultKind::Cut(9), 3, Some(2))
        );
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
            "context:99",
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
