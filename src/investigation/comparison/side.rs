//! One side of a comparison: what was typed for it, and what it has.

use std::{
    collections::BTreeMap,
    fmt, fs,
    io::{BufRead, BufReader, Cursor, Read},
    mem,
    net::IpAddr,
    path::Path,
};

use crate::{
    contract::Feed,
    engine::{Error, Kind, Result, at_home, views::ViewQuery},
    investigation::{
        earlier_run::{AddressOfDay, BEGINNING, EarlierAnswer, EarlierLine, LineRead},
        gather::{FoundAddress, GatherFailure, Gatherer, Gathering},
    },
    model::{Admission, BadDay, Day, counted, parse_address},
    store::{Filter, filter::written_terms},
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
    /// What of it is left out, in words.
    pub(super) notes: Vec<String>,
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

    /// The sides in a line. One ends where another begins: blanks are in filters and in names of files, too.
    #[must_use]
    pub fn apart(line: &str, today: Day) -> Vec<String> {
        let is_feed = |word: &str| {
            let head = word.split(['@', ':']).next().unwrap_or(word);
            head.parse::<Feed>().is_ok()
        };
        let is_there =
            |text: &str| is_file(text) || apart(text, today).is_ok_and(|(name, _)| is_file(name));
        if is_there(line) {
            return vec![line.to_owned()];
        }
        let mut sides: Vec<String> = Vec::new();
        for word in written_terms(line) {
            let is_side = is_feed(word) || is_there(word) || Self::address(word, today).is_some();
            match sides.last_mut() {
                // Whatever names nothing is a term of the filter before it.
                Some(last) if !is_side && is_feed(last) => *last += &format!(" {word}"),
                _ => sides.push(word.to_owned()),
            }
        }
        sides
    }

    /// The address that a text names, with its day.
    #[must_use]
    pub fn address(text: &str, today: Day) -> Option<(IpAddr, Option<Day>)> {
        let (name, day) = apart(text.trim(), today).ok()?;
        Some((parse_address(name).ok()?, day))
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
        if let Ok(feed) = head.split('@').next().unwrap_or(head).parse() {
            let (_, day) = apart(head, today)?;
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
    text == "-" || fs::metadata(at_home(text)).is_ok_and(|metadata| !metadata.is_dir())
}

/// A name and the day behind it.
fn apart(text: &str, today: Day) -> Result<(&str, Option<Day>)> {
    let Some((name, day)) = text.rsplit_once('@') else {
        return Ok((text, None));
    };
    if day == "latest" {
        return Ok((name, None));
    }
    // A day that has begun somewhere may be named: clocks differ.
    match Day::read(day, today).and_then(|day| day.until(today.plus(1))) {
        Ok(day) => Ok((name, Some(day))),
        Err(bad @ BadDay::Future(_)) => Err(Error::new(Kind::Usage, bad.to_string())
            .hint(format!("today is {}, UTC", today.dashed()))),
        Err(_) => Err(Error::new(Kind::Usage, format!("{day:?} is not a day"))
            .hint("write 2026-11-01, -7d, yesterday or latest behind the @")),
    }
}

impl SideList {
    /// Its addresses, each once.
    #[must_use]
    pub fn addresses(&self) -> Vec<IpAddr> {
        let mut addresses: Vec<IpAddr> = self.members.keys().map(|(address, _)| *address).collect();
        addresses.dedup();
        addresses
    }

    /// What of it is left out, in words.
    #[must_use]
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

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
            notes: Vec::new(),
        })
    }

    /// The addresses of a text. What an earlier run printed as JSON keeps its answers, unless a day is named.
    ///
    /// # Errors
    /// A failure to read it; [`Kind::Usage`] for a text without a public address.
    pub fn read(
        text: impl Read + Send,
        name: &str,
        day: Option<Day>,
        admission: &Admission,
    ) -> Result<Self> {
        let failed = |error| Error::machine_at("read", Path::new(name), &error);
        let mut list = Self {
            day,
            ..Self::default()
        };
        let mut text = BufReader::new(text);
        let mut first = Vec::new();
        if text.fill_buf().map_err(failed)?.starts_with(BEGINNING) {
            LineRead::next(&mut text, &mut first).map_err(failed)?;
        }
        if EarlierLine::read(&first).is_some() {
            list.read_earlier(Cursor::new(first).chain(text), name)?;
        } else {
            let mut gatherer = Gatherer::new(admission.clone(), Gathering::default());
            let mut take = |batch: Vec<FoundAddress>| {
                let members = batch.into_iter().map(|found| ((found.address, None), None));
                list.members.extend(members);
                true
            };
            let text = Cursor::new(first).chain(text);
            let read = gatherer.read_to_end(text, 0, BATCH, &mut take);
            read.map_err(|failure| match failure {
                GatherFailure::Text(error) => failed(error),
                GatherFailure::NoRoom { .. } => {
                    Error::new(Kind::Machine, format!("{name}: {failure}"))
                }
            })?;
        }
        if list.members.is_empty() {
            let message = format!("{name} has no public address");
            return Err(Error::new(Kind::Usage, message));
        }
        Ok(list)
    }

    fn read_earlier(&mut self, mut text: impl BufRead, name: &str) -> Result<()> {
        let mut line = Vec::new();
        let mut without_address = 0_u64;
        loop {
            let read = LineRead::next(&mut text, &mut line);
            let read = read.map_err(|error| Error::machine_at("read", Path::new(name), &error))?;
            if read == LineRead::End {
                break;
            }
            let Some(line) = EarlierLine::read(&line).filter(|_| read != LineRead::TooLong) else {
                if read == LineRead::CutOff {
                    // No answer.
                    self.notes.push(format!("{name}: the last line is cut off"));
                    break;
                }
                let message = format!("{name} is not whole JSON of `ipspect enrich`");
                return Err(Error::new(Kind::Usage, message)
                    .hint("a side is the output of one command, or any text with addresses"));
            };
            match line.about {
                Some((address, _)) if self.day.is_some() => {
                    self.members.insert((address, None), None);
                }
                Some(about) => {
                    let held = self.members.entry(about).or_default();
                    // The most telling record comes first; a run that was resumed answers what was left open.
                    if held.as_ref().is_none_or(EarlierAnswer::is_open) {
                        *held = Some(line.answer);
                    }
                }
                None => without_address += 1,
            }
        }
        if without_address > 0 {
            self.notes.push(format!(
                "{name}: {} of it failed as a whole",
                counted(without_address, "text")
            ));
        }
        Ok(())
    }

    /// The same without the days of events: of each address the latest that is known.
    pub(super) fn without_days(&mut self) {
        if !self.has_days() {
            return;
        }
        self.notes.push(
            "one side has days of events: of each address its latest day with an answer is compared"
                .to_owned(),
        );
        for ((address, _), answer) in mem::take(&mut self.members) {
            let held = self.members.entry((address, None)).or_default();
            let is_known = answer.as_ref().is_some_and(|answer| !answer.is_unknown());
            if held.is_none() || is_known {
                *held = answer;
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

#[cfg(test)]
mod tests {
    use std::io;

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
        let sides = |line: &str| SideName::apart(line, Day::new(2026, 11, 22).expect("a day"));
        assert_eq!(sides("a.log@-1d b.log"), ["a.log@-1d", "b.log"]);
        assert_eq!(
            sides("2001:db8::7 198.51.100.7"),
            ["2001:db8::7", "198.51.100.7"]
        );
        assert_eq!(
            sides("anonymous:tag:A cc:NL anonymous@-1d:net:198.51.100.0/24 -cc:NL"),
            [
                "anonymous:tag:A cc:NL",
                "anonymous@-1d:net:198.51.100.0/24 -cc:NL"
            ]
        );
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
        let answers: Vec<_> = earlier.members.values().flatten().collect();
        let record = EarlierAnswer::Record(Some(Feed::Dch), "{}".into());
        assert_eq!(answers, [&record]);
        assert_eq!(earlier.notes, ["a side: the last line is cut off"]);
        let anew = list(run, Day::new(2026, 11, 20)).expect("read");
        assert!(anew.is_to_be_answered());
        // A resumed run answers behind what it left open.
        let resumed = "{\"query\":\"198.51.100.7\",\"left_out\":true,\"record\":null}\n\
            {\"query\":\"log\",\"error\":{\"kind\":\"machine\"}}\n\
            {\"query\":\"198.51.100.7\",\"source\":\"live\",\"record\":{\"a\":1}}\n\
            {\"query\":\"198.51.100.7\",\"source\":\"live\",\"record\":{\"a\":2}}\n";
        let resumed = list(resumed, None).expect("read");
        let answers: Vec<_> = resumed.members.values().flatten().collect();
        assert_eq!(answers, [&EarlierAnswer::Record(None, r#"{"a":1}"#.into())]);
        assert_eq!(resumed.notes, ["a side: 1 text of it failed as a whole"]);
        // Of the days of events the latest that is known counts.
        let event = |day: &str, known: bool, record: &str| {
            format!(
                "{{\"query\":\"198.51.100.7\",\"event_day\":\"{day}\",\"then\":{{\"known\":{known},\"record\":{record}}}}}\n"
            )
        };
        let events = event("20261118", true, "{\"a\":1}")
            + &event("20261119", true, "{\"a\":2}")
            + &event("20261120", false, "null");
        let mut events = list(&events, None).expect("read");
        assert_eq!(events.members.len(), 3);
        events.without_days();
        let answers: Vec<_> = events.members.values().flatten().collect();
        assert_eq!(answers, [&EarlierAnswer::Record(None, r#"{"a":2}"#.into())]);
        // A line without an end is no answer of one.
        let endless = "{\"query\":\"198.51.100.7\",\"record\":null}\n{\"query\":".as_bytes();
        let endless = SideList::read(endless.chain(io::repeat(b'1')), "a side", None, &admission);
        assert_eq!(endless.map_err(|error| error.kind).err(), Some(Kind::Usage));
        // A text is none of these, however it begins.
        let text = "{\"query\":\"x.example\",\"client\":\"198.51.100.7\"}\n";
        assert_eq!(list(text, None).expect("read").members.len(), 1);
        for bad in [
            "10.0.0.1\n",
            "{\"query\":\"198.51.100.7\",\"record\":null}\nmore\n",
        ] {
            assert_eq!(
                list(bad, None).map_err(|error| error.kind).err(),
                Some(Kind::Usage)
            );
        }
    }
}
