//! Many addresses, each with what its record says and what stands beside it in a text: filtered and grouped by either.
//!
//! ```text
//! is:vpn,proxy -cc:NL user:alice lines>10 day:2026-11-20 acme
//!     the language of filters, with `is`, `lines`, the day of events, the columns of the text, and words
//! ```

mod field_terms;

use std::{borrow::Cow, collections::HashMap, fmt, net::IpAddr};

use ipnet::IpNet;

pub use self::field_terms::FieldTerms;
use super::{
    gather::{Beside, Values},
    text::AddressRole,
};
use crate::{
    model::{Anonymization, Day, Keyword, Subject, Terms},
    store::{
        Filter,
        filter::{BadFilter, ForeignTerm, NumberComparison, Term, Test, contains, is_meant},
    },
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
        STANDINGS.into_iter().map(|(own, ..)| own)
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
        let mut own = Self::default();
        for kind in record.of_field(Keyword::Type) {
            own.insert(match kind.to_ascii_uppercase().as_str() {
                "VPN" => Standing::Vpn,
                "TOR" => Standing::Tor,
                kind if kind.contains("PROXY") => Standing::Proxy,
                _ => Standing::Tunnel,
            });
        }
        let has = |field, word| record.of_field(field).any(|own| is_meant(word, own));
        if has(Keyword::Proxy, "*") || has(Keyword::Risk, "CALLBACK_PROXY") {
            own.insert(Standing::Proxy);
        }
        match seen {
            _ if own != Self::default() => {}
            Anonymization::Observed | Anonymization::Possible => own.insert(Standing::Tunnel),
            Anonymization::Unknown => own.insert(Standing::Unreadable),
            Anonymization::NotObserved => {}
        }
        if has(Keyword::Infra, "DATACENTER") {
            own.insert(Standing::Hosting);
        }
        if own == Self::default() {
            own.insert(Standing::NothingNoted);
        }
        own
    }

    /// The same of an address that records of others name as an entry: where its own says nothing, it is that alone.
    #[must_use]
    pub fn or_entry(self) -> Self {
        let mut own = self;
        for nothing in [
            Standing::NothingNoted,
            Standing::NoRecord,
            Standing::Unknown,
        ] {
            own.0 &= !(1 << nothing as u16);
        }
        own.insert(Standing::Entry);
        own
    }

    pub fn insert(&mut self, standing: Standing) {
        self.0 |= 1 << standing as u16;
    }

    #[must_use]
    pub fn contains(self, standing: Standing) -> bool {
        self.0 & (1 << standing as u16) != 0
    }

    pub fn iter(self) -> impl Iterator<Item = Standing> {
        Standing::all().filter(move |own| self.contains(*own))
    }
}

impl From<Standing> for Standings {
    fn from(standing: Standing) -> Self {
        let mut own = Self::default();
        own.insert(standing);
        own
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

/// An address of a board, as filters and groups see it.
#[derive(Clone, Copy, Debug)]
pub struct BoardEntry<'b> {
    pub address: IpAddr,
    pub standings: Standings,
    /// The words of its record, if it has one.
    pub record: Option<&'b Terms>,
    /// What stands beside it in the text.
    pub beside: Option<(&'b Values, &'b Beside)>,
    /// How many lines of the text have it.
    pub lines: u64,
    /// Whose address it is, by what the text says.
    pub role: AddressRole,
    /// The UTC day of its events, if it has an entry for each.
    pub day: Option<Day>,
}

/// What a board is grouped by.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum BoardField {
    /// What the addresses are.
    Is,
    /// A field of the records.
    Record(Keyword),
    /// The networks around the addresses: /24, of IPv6 /48.
    Net,
    /// Whose the addresses are, by what the text says.
    Role,
    /// A column of the text, by its name.
    Column(String),
}

/// The name of the field of what addresses are.
const IS: &str = "is";
/// The name of the networks around addresses, as in filters of records.
const NET: &str = "net";
/// The name of whose addresses they are.
const ROLE: &str = "role";
/// The name of the number of lines.
const LINES: &str = "lines";
/// The name of the day of events.
const DAY: &str = "day";

impl BoardField {
    /// The field of this name; a column of the text if it is none of a record.
    #[must_use]
    pub fn named(name: &str) -> Self {
        let lower = name.to_ascii_lowercase();
        let keyword = || {
            let mut all = Keyword::ALL.into_iter();
            all.find(|own| own.heading().eq_ignore_ascii_case(name))
        };
        match lower.as_str() {
            IS => return Self::Is,
            NET => return Self::Net,
            ROLE => return Self::Role,
            _ => {}
        }
        match Keyword::named(&lower).or_else(keyword) {
            Some(field) => Self::Record(field),
            None => Self::Column(name.to_owned()),
        }
    }

    /// What people call it.
    #[must_use]
    pub fn heading(&self) -> &str {
        match self {
            Self::Is => IS,
            Self::Record(field) => field.heading(),
            Self::Net => NET,
            Self::Role => ROLE,
            Self::Column(name) => name,
        }
    }

    /// What is counted by it, as a title.
    #[must_use]
    pub fn in_words(&self) -> &str {
        match self {
            Self::Is => "what they are",
            Self::Net => "network: /24, of IPv6 /48",
            Self::Role => "role in the text",
            other => other.heading(),
        }
    }

    /// The different values of an address, each with the number of its lines.
    #[must_use]
    pub fn values<'b>(&self, entry: &BoardEntry<'b>) -> Vec<(Cow<'b, str>, u64)> {
        let of_all = |value: &'b str| (value.into(), entry.lines);
        match (self, entry.record, entry.beside) {
            (Self::Is, ..) => entry
                .standings
                .iter()
                .map(|own| of_all(own.word()))
                .collect(),
            (Self::Net, ..) => {
                let network = network_around(entry.address).to_string();
                vec![(network.into(), entry.lines)]
            }
            (Self::Role, ..) => vec![of_all(entry.role.word())],
            (Self::Record(field), Some(record), _) => record.of_field(*field).map(of_all).collect(),
            (Self::Column(name), _, Some((values, beside))) => {
                let mut of_column = Vec::new();
                values.each(beside, |column, own| {
                    if is_column(column, name) {
                        let values = own.values.iter();
                        of_column.extend(
                            values.map(|(value, count)| ((*value).into(), u64::from(*count))),
                        );
                    }
                });
                of_column
            }
            _ => Vec::new(),
        }
    }

    /// The term of a filter with this value.
    #[must_use]
    pub fn term(&self, value: &str) -> String {
        self.term_of([value])
    }

    /// The term of a filter with any of these values.
    #[must_use]
    pub fn term_of<'v>(&self, values: impl IntoIterator<Item = &'v str>) -> String {
        let (name, sign) = match self {
            Self::Is => (IS.into(), ':'),
            Self::Record(Keyword::Org) => ("org".into(), '='),
            Self::Record(field) => (field.name().into(), ':'),
            Self::Net => (NET.into(), ':'),
            Self::Role => (ROLE.into(), ':'),
            Self::Column(name) => (name_in_filters(name), ':'),
        };
        let values: Vec<_> = values.into_iter().map(quoted).collect();
        format!("{name}{sign}{}", values.join(","))
    }
}

/// The network around an address of which one often has neighbours of the same owner: /24, of IPv6 /48.
#[must_use]
pub fn network_around(address: IpAddr) -> IpNet {
    let length = if address.is_ipv4() { 24 } else { 48 };
    IpNet::new(address, length).map_or_else(|_| address.into(), |own| own.trunc())
}

impl fmt::Display for BoardField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.heading())
    }
}

/// The name of a column in filters: without what has a meaning there, and apart from the fields of records.
#[must_use]
pub fn name_in_filters(column: &str) -> Cow<'_, str> {
    let is_field = |name: &str| column.eq_ignore_ascii_case(name);
    let mut fields = Filter::FIELDS.iter().map(|field| field.name);
    if [IS, LINES, DAY, ROLE].into_iter().any(is_field) || fields.any(is_field) {
        return format!("text.{column}").into();
    }
    let is_sign = |letter: char| letter.is_whitespace() || ":<>=!\",".contains(letter);
    let column = match column.strip_prefix('-') {
        Some(rest) => format!("_{rest}").into(),
        None => Cow::Borrowed(column),
    };
    if column.contains(is_sign) {
        return column.replace(is_sign, "_").into();
    }
    column
}

/// Whether a column of a text is meant by a name.
#[must_use]
pub fn is_column(column: &str, name: &str) -> bool {
    let own = name_in_filters(column);
    own.eq_ignore_ascii_case(&name_in_filters(name))
}

/// A value as a filter has it: in quotes where it would be read otherwise.
fn quoted(value: &str) -> Cow<'_, str> {
    let is_plain = |letter: char| !(letter.is_whitespace() || matches!(letter, ',' | '"' | '*'));
    if !value.is_empty() && value.chars().all(is_plain) {
        return value.into();
    }
    let escaped = value.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{escaped}\"").into()
}

/// A filter of a board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BoardFilter {
    /// About the records.
    record: Filter,
    /// About all else, each with whether it is negated.
    others: Vec<(bool, BoardTest)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum BoardTest {
    Is(Vec<String>),
    Role(Vec<String>),
    Column(BoardField, Vec<String>),
    Lines(NumberComparison, u64),
    Day(Vec<Day>),
    /// A word that is anywhere in the row.
    Word(String),
}

impl BoardFilter {
    /// Reads a filter of a board with these columns; `None` where they are not known yet, and any name is taken for one.
    ///
    /// # Errors
    /// [`BadFilter`].
    pub fn read(text: &str, columns: Option<&[String]>) -> Result<Self, BadFilter> {
        let read = |term: ForeignTerm<'_>| BoardTest::read(&term, columns);
        let (record, others) = Filter::read_beside(text, read)?;
        Ok(Self { record, others })
    }

    /// The part that is about records.
    #[must_use]
    pub fn record(&self) -> &Filter {
        &self.record
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.record.is_empty() && self.others.is_empty()
    }

    /// Whether it asks for anything beside the records.
    #[must_use]
    pub fn asks_for_more(&self) -> bool {
        !self.others.is_empty()
    }

    /// The values of a field that it accepts, if it is a single term about that.
    #[must_use]
    pub fn accepted(&self, by: &BoardField) -> Option<&[String]> {
        match (&self.record.terms[..], &self.others[..], by) {
            ([term], [], BoardField::Record(field)) if !term.negated => match &term.test {
                Test::Is(own, values) if own == field => Some(values),
                _ => None,
            },
            ([], [(false, BoardTest::Is(values))], BoardField::Is)
            | ([], [(false, BoardTest::Role(values))], BoardField::Role) => Some(values),
            (
                [],
                [(false, BoardTest::Column(BoardField::Column(own), values))],
                BoardField::Column(name),
            ) if is_column(own, name) => Some(values),
            _ => None,
        }
    }

    /// Whether words by themselves are in it.
    #[must_use]
    pub fn has_words(&self) -> bool {
        let mut tests = self.others.iter();
        tests.any(|(_, test)| matches!(test, BoardTest::Word(_)))
    }

    /// Whether it asks for what addresses are.
    #[must_use]
    pub fn asks_for_standings(&self) -> bool {
        let mut tests = self.others.iter();
        tests.any(|(_, test)| matches!(test, BoardTest::Is(_)))
    }

    /// Whether it asks for what stands beside an address.
    #[must_use]
    pub fn asks_for_columns(&self) -> bool {
        let mut tests = self.others.iter();
        tests.any(|(_, test)| matches!(test, BoardTest::Column(..)))
    }

    /// Whether it names roles, so that those are meant that it names.
    #[must_use]
    pub fn names_roles(&self) -> bool {
        let mut tests = self.others.iter();
        tests.any(|(is_negated, test)| matches!(test, BoardTest::Role(_)) && !is_negated)
    }

    /// The columns of the text that it asks for.
    pub fn columns(&self) -> impl Iterator<Item = String> + '_ {
        self.others.iter().filter_map(|(_, test)| match test {
            BoardTest::Column(BoardField::Column(name), _) => Some(name.clone()),
            _ => None,
        })
    }

    /// Whether an address matches; `text` is all that its row says. A term about records matches none without a record, unless it is
    /// about the address.
    pub fn matches(&self, entry: &BoardEntry<'_>, text: impl Fn() -> String) -> bool {
        let is_of_address = |term: &Term| {
            let own = Terms {
                subject: Some(Subject::Address(entry.address)),
                ..Terms::default()
            };
            matches!(term.test, Test::Within(_)) && term.holds(&own)
        };
        // A network is asked of the address, whatever network its record is about.
        let matches_record = self.record.terms.iter().all(|term| match entry.record {
            Some(record) if !matches!(term.test, Test::Within(_)) => term.holds(record),
            _ => is_of_address(term),
        });
        let holds = |test: &BoardTest| match test {
            BoardTest::Is(words) => {
                let mut own = entry.standings.iter().map(Standing::word);
                own.any(|own| words.iter().any(|word| is_meant(word, own)))
            }
            BoardTest::Column(column, words) => {
                let own = column.values(entry);
                own.iter()
                    .any(|(own, _)| words.iter().any(|word| is_meant(word, own)))
            }
            BoardTest::Role(words) => words.iter().any(|word| is_meant(word, entry.role.word())),
            BoardTest::Lines(comparison, number) => comparison.holds(entry.lines, *number),
            BoardTest::Day(days) => entry.day.is_some_and(|own| days.contains(&own)),
            BoardTest::Word(word) => contains(&text(), word),
        };
        let mut others = self.others.iter();
        matches_record && others.all(|(negated, test)| holds(test) != *negated)
    }
}

impl BoardTest {
    /// Reads a term with its negation; `None` if it is about nothing that a board has.
    fn read(
        term: &ForeignTerm<'_>,
        columns: Option<&[String]>,
    ) -> Option<Result<(bool, Self), String>> {
        let (name, values) = (term.name.to_ascii_lowercase(), &term.values);
        let is_named = |own: &&String| is_column(own, &name);
        let test = match (name.as_str(), term.sign) {
            ("", "") => Ok(Self::Word(values.join(","))),
            (IS, ":") => Self::is(values),
            (ROLE, ":") => Self::role(values),
            (LINES, sign) => Self::lines(sign, values),
            (DAY, ":") => Self::day(values),
            (_, ":") => {
                let column = match columns {
                    Some(columns) => columns.iter().find(is_named)?.clone(),
                    None => name,
                };
                Ok(Self::Column(BoardField::Column(column), values.clone()))
            }
            _ => return None,
        };
        Some(test.map(|test| (term.negated, test)))
    }

    fn is(words: &[String]) -> Result<Self, String> {
        let is_known = |word: &&String| Standing::all().any(|own| is_meant(word, own.word()));
        match words.iter().find(|word| !is_known(word)) {
            None => Ok(Self::Is(words.to_vec())),
            Some(wrong) => {
                let all: Vec<&str> = Standing::all().map(Standing::word).collect();
                Err(format!("{wrong:?} is none of {}", all.join(", ")))
            }
        }
    }

    fn role(words: &[String]) -> Result<Self, String> {
        let all = AddressRole::NAMED.map(AddressRole::word);
        let is_known = |word: &&String| all.iter().any(|own| is_meant(word, own));
        match words.iter().find(|word| !is_known(word)) {
            None => Ok(Self::Role(words.to_vec())),
            Some(wrong) => Err(format!("{wrong:?} is none of {}", all.join(", "))),
        }
    }

    fn day(words: &[String]) -> Result<Self, String> {
        let days = words.iter().map(|own| own.parse());
        let days: Result<_, _> = days.collect();
        days.map(Self::Day)
            .map_err(|_| "the day of events is written day:2026-11-20".to_owned())
    }

    fn lines(sign: &str, values: &[String]) -> Result<Self, String> {
        let number = match values {
            [number] => number.parse().ok(),
            _ => None,
        };
        let comparison = NumberComparison::of(sign).zip(number);
        let comparison = comparison.ok_or("lines are compared with a number: lines>10");
        let (comparison, number) = comparison?;
        Ok(Self::Lines(comparison, number))
    }
}

/// The addresses of a board with one value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BoardGroup {
    /// `None` for those without a value.
    pub value: Option<String>,
    pub addresses: u64,
    pub lines: u64,
    /// Clients of all its addresses on an average day, as far as they are counted.
    pub clients: u64,
    /// The addresses, if they are listed.
    pub list: Vec<IpAddr>,
}

/// Counts addresses by their values of a field, the case of letters aside, as in filters. An address with several counts for each.
#[derive(Clone, Debug)]
pub struct BoardGroups {
    by: BoardField,
    /// Whether the addresses are listed.
    lists: bool,
    /// By value in lower case.
    groups: HashMap<Option<String>, BoardGroup>,
}

impl BoardGroups {
    #[must_use]
    pub fn new(by: BoardField) -> Self {
        Self {
            by,
            lists: false,
            groups: HashMap::new(),
        }
    }

    /// The same with a list of the addresses of each group.
    #[must_use]
    pub fn with_lists(self, lists: bool) -> Self {
        Self { lists, ..self }
    }

    pub fn add(&mut self, entry: &BoardEntry<'_>) {
        let values = self.by.values(entry);
        let clients = entry.record.and_then(|record| record.clients);
        let mut counted: Vec<Option<String>> = Vec::new();
        let mut count = |value: Option<&str>, lines: u64| {
            let key = value.map(str::to_lowercase);
            let group = self.groups.entry(key.clone());
            let group = group.or_insert_with(|| BoardGroup {
                value: value.map(str::to_owned),
                ..BoardGroup::default()
            });
            group.lines += lines;
            if !counted.contains(&key) {
                group.addresses += 1;
                group
                    .list
                    .extend(Some(entry.address).filter(|_| self.lists));
                group.clients = group.clients.saturating_add(clients.unwrap_or_default());
                counted.push(key);
            }
        };
        if values.is_empty() {
            count(None, entry.lines);
        }
        for (value, lines) in values {
            count(Some(&value), lines);
        }
    }

    /// Adds what was counted elsewhere.
    pub fn merge(&mut self, other: Self) {
        for (key, own) in other.groups {
            let group = self.groups.entry(key);
            let group = group.or_insert_with(|| BoardGroup {
                value: own.value,
                ..BoardGroup::default()
            });
            group.addresses += own.addresses;
            group.list.extend(own.list);
            group.lines += own.lines;
            group.clients = group.clients.saturating_add(own.clients);
        }
    }

    /// The groups, the largest first; what has no value is the last one.
    #[must_use]
    pub fn ranked(self) -> Vec<BoardGroup> {
        let mut groups: Vec<BoardGroup> = self.groups.into_values().collect();
        groups.sort_unstable_by(|a, b| {
            let sizes = |own: &BoardGroup| (own.addresses, own.lines, own.clients);
            let is_none = |own: &BoardGroup| own.value.is_none();
            let order = is_none(a).cmp(&is_none(b));
            order
                .then_with(|| sizes(b).cmp(&sizes(a)))
                .then_with(|| a.value.cmp(&b.value))
        });
        groups
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::investigation::gather::GatheredText;

    /// The addresses of a text that match a filter.
    fn found(text: &str, filter: &str) -> Vec<String> {
        let now = "2026-11-24T10:00:00Z".parse().expect("a time");
        let text = GatheredText::of(text, now);
        let filter = BoardFilter::read(filter, Some(text.values.columns())).expect(filter);
        let entry = |(address, _, seen): &(IpAddr, Option<Day>, _)| (*address, seen_of(seen));
        let entries: Vec<_> = text.addresses.iter().map(entry).collect();
        let matches = |(address, (beside, lines)): &(IpAddr, (Beside, u64))| {
            let entry = BoardEntry {
                address: *address,
                standings: Standing::Unknown.into(),
                record: None,
                beside: Some((&text.values, beside)),
                lines: *lines,
                role: AddressRole::Unknown,
                day: None,
            };
            let row = || address.to_string();
            filter.matches(&entry, row).then(|| address.to_string())
        };
        entries.iter().filter_map(matches).collect()
    }

    fn seen_of(seen: &super::super::gather::Occurrences) -> (Beside, u64) {
        (seen.beside.clone(), seen.count)
    }

    #[test]
    fn a_value_of_any_column_is_a_term_that_finds_its_addresses() {
        let text = "address,user name,type,note,src-if\n\
            198.51.100.7,alice,login,\"a, b\",eth0\n\
            198.51.100.8,bob,logout,say \"\"x\"\",eth1\n";
        for (column, value) in [
            ("user name", "alice"),
            ("type", "login"),
            ("src-if", "eth0"),
            ("note", "a, b"),
        ] {
            let term = BoardField::Column(column.to_owned()).term(value);
            assert_eq!(found(text, &term), ["198.51.100.7"], "{term}");
            assert_eq!(found(text, &format!("-{term}")), ["198.51.100.8"], "{term}");
        }
        assert_eq!(
            BoardField::Column("type".to_owned()).term("login"),
            "text.type:login"
        );
        assert_eq!(found(text, "src-if:eth0"), ["198.51.100.7"]);
        assert_eq!(found(text, "type:VPN"), [""; 0], "a field of records");
        assert_eq!(found(text, "net:198.51.100.8/32"), ["198.51.100.8"]);
        assert_eq!(
            found(text, "-cc:NL"),
            [""; 0],
            "without a record there is no country"
        );
        assert_eq!(found(text, "is:unknown lines:1 100.7"), ["198.51.100.7"]);
        for wrong in [
            "user:alice",
            "is:dog",
            "lines:many",
            "lines>1,2",
            "day:soon",
        ] {
            assert!(BoardFilter::read(wrong, Some(&[])).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_term_of_several_values_is_read_as_these() {
        for by in [
            BoardField::Is,
            BoardField::Record(Keyword::Org),
            BoardField::Record(Keyword::Cc),
            BoardField::Column("user name".to_owned()),
        ] {
            let values = match by {
                BoardField::Is => ["vpn", "no-record"],
                BoardField::Record(Keyword::Cc) => ["NL", "DE"],
                _ => ["a, \"b\"", "c"],
            };
            let term = by.term_of(values);
            let columns = ["user name".to_owned()];
            let filter = BoardFilter::read(&term, Some(&columns)).expect(&term);
            assert_eq!(filter.accepted(&by).expect(&term), values, "{term}");
            let negated = BoardFilter::read(&format!("-{term}"), Some(&columns)).expect(&term);
            assert_eq!(negated.accepted(&by), None, "{term}");
            let other = BoardField::Record(Keyword::Tag);
            assert_eq!(filter.accepted(&other), None, "{term}");
        }
    }

    #[test]
    fn groups_count_each_value_of_an_address_once_and_add_up_over_parts() {
        let entry = |lines| BoardEntry {
            address: [198, 51, 100, 7].into(),
            standings: {
                let mut own = Standings::from(Standing::Vpn);
                own.insert(Standing::Hosting);
                own
            },
            record: None,
            beside: None,
            lines,
            role: AddressRole::Own,
            day: None,
        };
        let mut groups = BoardGroups::new(BoardField::Is);
        groups.add(&entry(3));
        let mut others = BoardGroups::new(BoardField::Is);
        others.add(&entry(4));
        groups.merge(others);
        let ranked = groups.ranked();
        let counts = ranked
            .iter()
            .map(|own| (own.value.as_deref(), own.addresses, own.lines));
        let counts: Vec<_> = counts.collect();
        assert_eq!(counts, [(Some("hosting"), 2, 7), (Some("vpn"), 2, 7)]);
        let mut without = BoardGroups::new(BoardField::Record(Keyword::Tag));
        without.add(&entry(1));
        assert_eq!(without.ranked()[0].value, None);
    }
}
