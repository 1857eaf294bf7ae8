//! What an address is, as far as is known.

use crate::{
    model::{Anonymization, Keyword, Terms},
    store::filter::is_meant,
};

/// What an address of a board is, as far as is known. It may be several of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Standing {
    Vpn,
    /// A proxy, or one on clients behind the address.
    Proxy,
    Tor,
    /// A tunnel of another type, or a risk that names one.
    Tunnel,
    Hosting,
    /// Records of other addresses name it as an entry.
    Entry,
    /// It has a record that says none of these.
    NothingNoted,
    /// It has a record in which what might tell cannot be read.
    Unreadable,
    /// The service has no record of it.
    NoRecord,
    /// Nothing that was read has a record of it.
    Unknown,
    NotPublic,
    /// It is being read about.
    Reading,
}

/// Each with its word in filters and its words for people.
const STANDINGS: [(Standing, &str, &str); 12] = [
    (Standing::Vpn, "vpn", "VPN"),
    (Standing::Proxy, "proxy", "proxy"),
    (Standing::Tor, "tor", "Tor"),
    (Standing::Tunnel, "tunnel", "other tunnel"),
    (Standing::Hosting, "hosting", "hosting"),
    (Standing::Entry, "entry", "entry of a tunnel"),
    (Standing::NothingNoted, "nothing", "nothing noted"),
    (Standing::Unreadable, "unreadable", "unreadable"),
    (Standing::NoRecord, "no-record", "no record"),
    (Standing::Unknown, "unknown", "unknown"),
    (Standing::NotPublic, "not-public", "not public"),
    (Standing::Reading, "reading", "reading"),
];

impl Standing {
    /// All, in the order in which they are listed.
    pub fn all() -> impl Iterator<Item = Self> {
        STANDINGS.into_iter().map(|(standing, ..)| standing)
    }

    /// Its word in filters: `is:vpn`.
    #[must_use]
    pub fn word(self) -> &'static str {
        STANDINGS[self as usize].1
    }

    #[must_use]
    pub fn words(self) -> &'static str {
        STANDINGS[self as usize].2
    }
}

/// All that an address is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standings(u16);

impl Standings {
    /// What a record says that its address is.
    #[must_use]
    pub fn of(record: &Terms, seen: Anonymization) -> Self {
        let mut standings = Self::default();
        for kind in record.of_field(Keyword::Type) {
            standings.insert(match kind.to_ascii_uppercase().as_str() {
                "VPN" => Standing::Vpn,
                "TOR" => Standing::Tor,
                kind if kind.contains("PROXY") => Standing::Proxy,
                _ => Standing::Tunnel,
            });
        }
        let has = |field, word| record.of_field(field).any(|text| is_meant(word, text));
        if has(Keyword::Proxy, "*") || has(Keyword::Risk, "CALLBACK_PROXY") {
            standings.insert(Standing::Proxy);
        }
        match seen {
            _ if standings != Self::default() => {}
            Anonymization::Observed | Anonymization::Possible => standings.insert(Standing::Tunnel),
            Anonymization::Unknown => standings.insert(Standing::Unreadable),
            Anonymization::NotObserved => {}
        }
        if has(Keyword::Infra, "DATACENTER") {
            standings.insert(Standing::Hosting);
        }
        if standings == Self::default() {
            standings.insert(Standing::NothingNoted);
        }
        standings
    }

    /// The same of an address that records of others name as an entry: where its own says nothing, it is that alone.
    #[must_use]
    pub fn or_entry(self) -> Self {
        let mut standings = self;
        for nothing in [
            Standing::NothingNoted,
            Standing::NoRecord,
            Standing::Unknown,
        ] {
            standings.0 &= !(1 << nothing as u16);
        }
        standings.insert(Standing::Entry);
        standings
    }

    /// Whether it hides who comes from there: a VPN, a proxy, Tor or another tunnel.
    #[must_use]
    pub fn hides_origin(&self) -> bool {
        let hiding = [
            Standing::Vpn,
            Standing::Proxy,
            Standing::Tor,
            Standing::Tunnel,
        ];
        hiding
            .iter()
            .any(|standing| self.0 & 1 << *standing as u16 != 0)
    }

    pub fn insert(&mut self, standing: Standing) {
        self.0 |= 1 << standing as u16;
    }

    #[must_use]
    pub fn contains(self, standing: Standing) -> bool {
        self.0 & (1 << standing as u16) != 0
    }

    pub fn iter(self) -> impl Iterator<Item = Standing> {
        Standing::all().filter(move |standing| self.contains(*standing))
    }
}

impl From<Standing> for Standings {
    fn from(standing: Standing) -> Self {
        let mut standings = Self::default();
        standings.insert(standing);
        standings
    }
}

/// How many addresses are what; one that is several counts for each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StandingCounts([u64; STANDINGS.len()]);

impl StandingCounts {
    /// Those that there are, in the order in which they are listed.
    pub fn iter(&self) -> impl Iterator<Item = (Standing, u64)> {
        let counts = Standing::all().zip(self.0);
        counts.filter(|(_, count)| *count > 0)
    }

    /// Counts an address as what it is now, and no longer as what it was.
    pub fn replace(&mut self, before: Standings, now: Standings) {
        for standing in before.iter() {
            self.0[standing as usize] -= 1;
        }
        for standing in now.iter() {
            self.0[standing as usize] += 1;
        }
    }
}

impl FromIterator<Standings> for StandingCounts {
    fn from_iter<I: IntoIterator<Item = Standings>>(all: I) -> Self {
        let mut counts = Self::default();
        for standing in all.into_iter().flat_map(Standings::iter) {
            counts.0[standing as usize] += 1;
        }
        counts
    }
}
