//! One side of a comparison: what was typed for it, and what it has.

use std::{
    collections::BTreeMap,
    fmt, fs,
    io::{BufRead, BufReader, Read},
    net::IpAddr,
    path::Path,
};

use crate::{
    contract::Feed,
    engine::{Error, Kind, Result, at_home, views::ViewQuery},
    investigation::{
        earlier_run::{AddressOfDay, BEGINNING, EarlierAnswer, EarlierLine},
        gather::{FoundAddress, Gatherer, Gathering},
    },
    model::{Admission, Day, parse_address},
    store::Filter,
};

/// The most addresses that a reader of a text hands over at a time.
const BATCH: usize = 2048;

/// What names a side.
#[derive(Clone, Debug, PartialEq)]
pub enum SideName {
    Address(IpAddr, Option<Day>),
    /// A file with addresses, or standard input as `-`.
    Text(String, Option<Day>),
    Records(RecordSet),
}

/// The records of a local release that match a filter.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordSet {
    pub feed: Feed,
    /// The release of this day; else the newest.
    pub day: Option<Day>,
    pub filter: Filter,
}

impl From<&ViewQuery> for RecordSet {
    fn from(view: &ViewQuery) -> Self {
        Self {
            feed: view.feed,
            day: view.day,
            filter: view.filter.clone(),
        }
    }
}

/// What a side has.
#[derive(Clone, Debug)]
pub enum Side {
    List(SideList),
    Records(RecordSet),
}

/// A set of addresses.
#[derive(Clone, Debug, Default)]
pub struct SideList {
    /// Each with what an earlier run answered about it.
    pub(super) members: BTreeMap<AddressOfDay, Option<EarlierAnswer>>,
    /// The day of the answers; else the newest.
    pub(super) day: Option<Day>,
    /// Whether it is the one address that was named.
    pub(super) is_address: bool,
}

impl SideName {
    /// The same at another day, as it is typed.
    #[must_use]
    pub fn at(&self, day: &str) -> String {
        match self {
            Self::Address(address, _) => format!("{address}@{day}"),
            Self::Text(path, _) => format!("{path}@{day}"),
            Self::Records(RecordSet { feed, filter, .. }) if filter.is_empty() => {
                format!("{feed}@{day}")
            }
            Self::Records(RecordSet { feed, filter, .. }) => format!("{feed}@{day}:{filter}"),
        }
    }

    /// The address that a text names, with its day.
    #[must_use]
    pub fn address(text: &str, today: Day) -> Option<(IpAddr, Option<Day>)> {
        let (name, day) = apart(text.trim(), today).ok()?;
        Some((parse_address(name).ok()?, day))
    }

    /// The day in a name.
    #[must_use]
    pub fn day_of(text: &str, today: Day) -> Option<Day> {
        let of = |text| apart(text, today).ok()?.1;
        of(text).or_else(|| of(text.split_once(':')?.0))
    }

    /// Reads `ADDRESS`, `FILE` or `FEED:FILTER`, the first two with `@DAY` behind them, a feed with it before the filter.
    ///
    /// # Errors
    /// [`Kind::Usage`].
    pub fn read(text: &str, today: Day) -> Result<Self> {
        let text = text.trim();
        if is_file(text) {
            return Ok(Self::Text(text.to_owned(), None));
        }
        let (head, filter) = text.split_once(':').unwrap_or((text, ""));
        let (name, day) = apart(head, today)?;
        if let Ok(feed) = name.parse() {
            let filter = filter.parse::<Filter>()?;
            return Ok(Self::Records(RecordSet { feed, day, filter }));
        }
        let (name, day) = apart(text, today)?;
        if is_file(name) {
            return Ok(Self::Text(name.to_owned(), day));
        }
        match Self::address(text, today) {
            Some((address, day)) => Ok(Self::Address(address, day)),
            None => Err(Error::new(
                Kind::Usage,
                format!("{name:?} is no address, no file and no feed"),
            )
            .hint(
                "write an address, the name of a file, or FEED:FILTER such as anonymous:tag:ACME_VPN; @DAY may follow",
            )),
        }
    }
}

impl fmt::Display for SideName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Address(address, None) => address.fmt(f),
            Self::Text(path, None) => path.fmt(f),
            Self::Address(_, day) | Self::Text(_, day) | Self::Records(RecordSet { day, .. }) => {
                let day = day.map_or_else(|| "latest".to_owned(), Day::dashed);
                f.write_str(&self.at(&day))
            }
        }
    }
}

fn is_file(text: &str) -> bool {
    text == "-" || fs::metadata(at_home(text)).is_ok_and(|own| !own.is_dir())
}

/// A name and the day behind it.
fn apart(text: &str, today: Day) -> Result<(&str, Option<Day>)> {
    let Some((name, day)) = text.rsplit_once('@') else {
        return Ok((text, None));
    };
    if day == "latest" {
        return Ok((name, None));
    }
    match Day::read(day, today) {
        Ok(day) => Ok((name, Some(day))),
        Err(_) => Err(Error::new(Kind::Usage, format!("{day:?} is not a day"))
            .hint("write 2026-11-01, -7d, yesterday or latest behind the @")),
    }
}

impl SideList {
    /// # Errors
    /// [`Kind::Usage`] for an address that is not public.
    pub fn of_address(address: IpAddr, day: Option<Day>, admission: &Admission) -> Result<Self> {
        if let Some(reserved) = admission.refuses(address) {
            let message = format!("{address} is not public ({})", reserved.word());
            let hint = "the service and its feeds know public addresses";
            return Err(Error::new(Kind::Usage, message).hint(hint));
        }
        Ok(Self {
            members: BTreeMap::from([((address, None), None)]),
            day,
            is_address: true,
        })
    }

    /// The addresses of a text. What an earlier run printed as JSON keeps its answers, unless a day is named.
    ///
    /// # Errors
    /// A failure to read it; [`Kind::Usage`] for a text without a public address.
    pub fn read(
        text: impl Read,
        name: &str,
        day: Option<Day>,
        admission: &Admission,
    ) -> Result<Self> {
        let failed = |error| Error::machine_at("read", Path::new(name), &error);
        let mut text = BufReader::new(text);
        let mut members = BTreeMap::new();
        if text.fill_buf().map_err(failed)?.starts_with(BEGINNING) {
            read_earlier(text, name, day.is_some(), &mut members)?;
        } else {
            let mut gatherer = Gatherer::new(admission.clone(), Gathering::default());
            let mut take = |batch: Vec<FoundAddress>| {
                members.extend(batch.into_iter().map(|own| ((own.address, None), None)));
                true
            };
            let read = gatherer.read_to_end(text, 0, BATCH, &mut take);
            read.map_err(failed)?;
        }
        if members.is_empty() {
            let message = format!("{name} has no public address");
            return Err(Error::new(Kind::Usage, message));
        }
        Ok(Self {
            members,
            day,
            is_address: false,
        })
    }

    /// The same without the days of events.
    pub(super) fn without_days(&mut self) {
        if self.has_days() {
            for ((address, _), answer) in std::mem::take(&mut self.members) {
                self.members.entry((address, None)).or_insert(answer);
            }
        }
    }

    pub(super) fn has_days(&self) -> bool {
        self.members.keys().any(|(_, day)| day.is_some())
    }

    /// Whether some address has no answer of an earlier run.
    pub(super) fn is_to_be_answered(&self) -> bool {
        self.members.values().any(Option::is_none)
    }
}

fn read_earlier(
    mut text: impl BufRead,
    name: &str,
    is_asked_anew: bool,
    members: &mut BTreeMap<AddressOfDay, Option<EarlierAnswer>>,
) -> Result<()> {
    let mut line = Vec::new();
    loop {
        line.clear();
        let length = text.read_until(b'\n', &mut line);
        let length = length.map_err(|error| Error::machine_at("read", Path::new(name), &error))?;
        let Some(read) = EarlierLine::read(&line) else {
            // A line that was cut off is no answer.
            if length == 0 || line.last() != Some(&b'\n') {
                return Ok(());
            }
            let message = format!("{name} is not whole JSON of `ipspect enrich`");
            return Err(Error::new(Kind::Usage, message)
                .hint("a side is the output of one command, or any text with addresses"));
        };
        match read.about {
            Some((address, _)) if is_asked_anew => {
                members.insert((address, None), None);
            }
            // The most telling record of an address comes first.
            Some(about) => {
                members.entry(about).or_insert(Some(read.answer));
            }
            None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<SideName> {
        SideName::read(text, Day::new(2026, 11, 22).expect("a day"))
    }

    #[test]
    fn a_side_is_an_address_a_file_or_a_filter() {
        let address = "198.51.100.7".parse().expect("an address");
        let wide = "2001:db8::7".parse().expect("an address");
        let day = Day::new(2026, 11, 20);
        for (text, name) in [
            ("198.51.100.7", SideName::Address(address, None)),
            ("198.51.100.7@2026-11-20", SideName::Address(address, day)),
            ("2001:db8::7@-2d", SideName::Address(wide, day)),
            (
                "-@yesterday",
                SideName::Text("-".to_owned(), Day::new(2026, 11, 21)),
            ),
            ("Cargo.toml", SideName::Text("Cargo.toml".to_owned(), None)),
            (
                "Cargo.toml@20261120",
                SideName::Text("Cargo.toml".to_owned(), day),
            ),
        ] {
            assert_eq!(read(text), Ok(name), "{text}");
        }
        let set = |feed, day, filter: &str| {
            let filter = filter.parse().expect("a filter");
            SideName::Records(RecordSet { feed, day, filter })
        };
        for (text, name) in [
            (
                "anonymous:tag:ACME_VPN cc:NL",
                set(Feed::Anonymous, None, "tag:ACME_VPN cc:NL"),
            ),
            ("dch@20261120:asn:64500", set(Feed::Dch, day, "asn:64500")),
            ("dch@latest", set(Feed::Dch, None, "")),
        ] {
            assert_eq!(read(text), Ok(name), "{text}");
        }
        for text in [
            "no-such.log",
            "198.51.100.7@soon",
            "anonymous:operator:X",
            "src",
        ] {
            let error = read(text).expect_err(text);
            assert_eq!(error.kind, Kind::Usage, "{error}");
        }
    }

    #[test]
    fn a_text_is_a_set_and_an_earlier_run_keeps_its_answers() {
        let admission = Admission::with(vec!["198.51.100.0/24".parse().expect("a block")]);
        let list = |text: &str, day| SideList::read(text.as_bytes(), "a side", day, &admission);
        let text = list("198.51.100.9 198.51.100.7\n198.51.100.7 10.0.0.1", None).expect("read");
        assert_eq!(text.members.len(), 2);
        assert!(text.is_to_be_answered());
        let run = "{\"query\":\"198.51.100.7\",\"source\":\"local\",\"record\":null}\n\
            {\"query\":\"198.51.100.7\",\"source\":\"local\",\"feed\":\"dch\",\"record\":{}}\n\
            {\"query\":\"198.51.100.8\",\"reco";
        let earlier = list(run, None).expect("read");
        let answers: Vec<_> = earlier.members.values().collect();
        assert_eq!(answers, [&Some(EarlierAnswer::Nothing { is_local: true })]);
        let anew = list(run, Day::new(2026, 11, 20)).expect("read");
        assert!(anew.is_to_be_answered());
        for bad in [
            "10.0.0.1\n",
            "{\"query\":\"198.51.100.7\",\"record\":null}\nmore\n",
        ] {
            assert_eq!(
                list(bad, None).map_err(|own| own.kind).err(),
                Some(Kind::Usage)
            );
        }
    }
}
