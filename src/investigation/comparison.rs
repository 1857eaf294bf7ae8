//! Two sides compared: addresses, texts and earlier runs as sets of addresses, filters as sets of records. Verdicts come first: a
//! record that differs in other fields only is told apart from one with another verdict. Sends nothing.

mod side;

use std::{
    collections::{BTreeMap, BTreeSet},
    net::IpAddr,
    sync::Arc,
};

pub use self::side::{RecordSet, Side, SideList, SideName};
use super::{
    earlier_run::{AddressOfDay, EarlierAnswer},
    event_answer::verdict_basis,
};
use crate::{
    contract::Feed,
    engine::{
        DiffDays, DiffRecord, Engine, Error, Kind, OpenRelease, Pick, Releases, Result,
        answers::{BestAnswer, DayAnswer, DayReleases},
        off_thread, read_text,
    },
    model::{
        Day, Document, Keyword, Terms,
        compare::{Difference, DifferenceKind, compare_named, differ, weight},
        context::VerdictBasis,
    },
    store::{Filter, diff::ChangeKind, layout::Release},
};

/// Addresses that are compared at a time.
const AT_A_TIME: usize = 2048;
/// The most letters of a line that stands for a record without a subject.
const MOST_LETTERS: usize = 80;

/// Two sides, ready to be compared.
#[derive(Debug)]
pub enum Comparison {
    Lists([SideList; 2], Box<[Option<DayReleases>; 2]>),
    Records(Box<DiffDays>, [Filter; 2]),
}

/// What a side says of an address or a record.
#[derive(Clone, Debug, PartialEq)]
pub enum SideRecord {
    /// The side does not have the address.
    Absent,
    /// What it says is not known: the release of this feed is not local, else something cannot be read or was left open.
    Unknown(Option<Feed>),
    /// No record.
    Nothing,
    /// A record, of a feed or else of the service.
    Found(Option<Feed>, Box<Document>),
}

/// How two sides differ about one address or record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ComparedKind {
    /// Both have it, with another verdict.
    Changed,
    /// Only the second side has it.
    Added,
    /// Only the first side has it.
    Removed,
    /// The verdict is the same, other fields are not.
    Other,
    /// Both say the same.
    Equal,
    /// What a side says is not known.
    Unknown,
}

/// What two sides say of one address or record.
#[derive(Clone, Debug, PartialEq)]
pub struct ComparedRow {
    /// The address, network or tag.
    pub name: String,
    /// The address of the second side, where it is another one.
    pub other: Option<IpAddr>,
    /// The day of the events, where both sides have an address once for each.
    pub event_day: Option<Day>,
    pub kind: ComparedKind,
    /// The first side and the second one.
    pub sides: [SideRecord; 2],
    /// Where they differ, what decides the verdict first.
    pub differences: Vec<Difference>,
}

impl ComparedKind {
    /// All, in the order in which a reader wants them.
    pub const ALL: [Self; 6] = [
        Self::Changed,
        Self::Added,
        Self::Removed,
        Self::Other,
        Self::Equal,
        Self::Unknown,
    ];

    /// Whether both sides have it, whatever is known of it.
    #[must_use]
    pub fn is_of_both(self) -> bool {
        !matches!(self, Self::Added | Self::Removed)
    }

    /// Whether it is a difference that matters: another verdict, or an address that one side lacks.
    #[must_use]
    pub fn matters(self) -> bool {
        matches!(self, Self::Changed | Self::Added | Self::Removed)
    }
}

impl SideRecord {
    fn of(answer: DayAnswer) -> Self {
        match answer {
            DayAnswer::Known(Some(BestAnswer::Local(record))) => Self::Found(
                Some(record.release.manifest.feed),
                Box::new(record.document),
            ),
            DayAnswer::Known(Some(BestAnswer::Cached(answer))) => match answer.record {
                Some(record) => Self::Found(None, Box::new(record.document)),
                None => Self::Nothing,
            },
            DayAnswer::Known(None) => Self::Nothing,
            DayAnswer::Unknown(missing) => {
                Self::Unknown(missing.is_elsewhere().then_some(missing.feed))
            }
        }
    }

    fn earlier(answer: EarlierAnswer) -> Self {
        match answer {
            EarlierAnswer::Open | EarlierAnswer::UnknownDay => Self::Unknown(None),
            EarlierAnswer::Nothing { .. } => Self::Nothing,
            EarlierAnswer::Record(feed, record) => match Document::read(record.as_bytes()) {
                Ok(document) => Self::Found(feed, Box::new(document)),
                Err(_) => Self::Unknown(None),
            },
        }
    }

    /// The feed of which this side could not have a record: where it has none and the other side has one of it, that is unknown.
    fn lacks_beside(&self, other: &Self, releases: Option<&DayReleases>) -> Option<Feed> {
        match (self, other, releases) {
            (Self::Nothing, Self::Found(Some(feed), _), Some(releases))
                if !releases.opened.has(*feed) =>
            {
                Some(*feed)
            }
            _ => None,
        }
    }

    /// The record, if there is one.
    #[must_use]
    pub fn document(&self) -> Option<&Document> {
        match self {
            Self::Found(_, document) => Some(document),
            Self::Absent | Self::Unknown(_) | Self::Nothing => None,
        }
    }

    /// What the verdict rests on; `None` where it is not known.
    fn verdict(&self) -> Option<VerdictBasis> {
        match self {
            Self::Absent | Self::Unknown(_) => None,
            Self::Nothing => verdict_basis(None),
            // An answer of the service is a context, as a record of this feed is.
            Self::Found(feed, document) => {
                verdict_basis(Some((feed.unwrap_or(Feed::Anonymous), document)))
            }
        }
    }
}

impl ComparedRow {
    fn of(name: String, event_day: Option<Day>, sides: [SideRecord; 2]) -> Self {
        let documents = sides.each_ref().map(SideRecord::document);
        let differences = match documents {
            [Some(a), Some(b)] if differ(a.text().as_bytes(), b.text().as_bytes()) => {
                differences(a, b)
            }
            _ => Vec::new(),
        };
        let is_same = differences.is_empty() && documents[0].is_some() == documents[1].is_some();
        let kind = match &sides {
            [SideRecord::Absent, _] => ComparedKind::Added,
            [_, SideRecord::Absent] => ComparedKind::Removed,
            [SideRecord::Unknown(_), _] | [_, SideRecord::Unknown(_)] => ComparedKind::Unknown,
            _ if is_same => ComparedKind::Equal,
            [a, b] => match (a.verdict(), b.verdict()) {
                // A record that cannot be read may have any verdict.
                (Some(a), Some(b)) if a == b => ComparedKind::Other,
                _ => ComparedKind::Changed,
            },
        };
        Self {
            name,
            other: None,
            event_day,
            kind,
            sides,
            differences,
        }
    }

    fn of_record(record: DiffRecord, feeds: [Feed; 2]) -> Self {
        let name = name_of(record.after.as_ref().or(record.before.as_ref()));
        // A line that cannot be read is there all the same.
        let side = |is_there, document: Option<Document>, feed| match document {
            Some(document) => SideRecord::Found(Some(feed), Box::new(document)),
            None if is_there => SideRecord::Unknown(None),
            None => SideRecord::Absent,
        };
        let a = side(record.kind != ChangeKind::Added, record.before, feeds[0]);
        let b = side(record.kind != ChangeKind::Removed, record.after, feeds[1]);
        Self::of(name, None, [a, b])
    }

    /// The address it is about, if it is about one.
    #[must_use]
    pub fn address(&self) -> Option<IpAddr> {
        self.name.parse().ok()
    }
}

/// Where two records differ, what decides the verdict first.
fn differences(a: &Document, b: &Document) -> Vec<Difference> {
    let mut all = compare_named(a.value(), b.value());
    all.retain(|difference| difference.change() != DifferenceKind::Equal);
    all.sort_by_key(|difference| weight(&difference.path));
    all
}

/// What a record is about: its address, network or tag, else the beginning of its line.
#[must_use]
pub fn name_of(document: Option<&Document>) -> String {
    let terms = document.map(|document| Terms::of(document.value()));
    let terms = terms.unwrap_or_default();
    let subject = terms.subject.map(|subject| subject.to_string());
    let tag = || terms.of_field(Keyword::Tag).next().map(str::to_owned);
    subject.or_else(tag).unwrap_or_else(|| match document {
        Some(document) => document.to_line().chars().take(MOST_LETTERS).collect(),
        None => "a line that cannot be read".to_owned(),
    })
}

impl Comparison {
    /// The same of two names; a text is read whole.
    ///
    /// # Errors
    /// As [`Comparison::open`], [`SideName::read`] and [`read_text`].
    pub async fn of_names(engine: &Engine, names: [String; 2]) -> Result<Self> {
        let settings = engine.settings.clone();
        let read = move |name: &String| -> Result<Side> {
            let admission = &settings.admission;
            Ok(match SideName::read(name, settings.today())? {
                SideName::Address(address, day) => {
                    Side::List(SideList::of_address(address, day, admission)?)
                }
                SideName::Text(path, day) => {
                    let (_, text) = read_text(&path)?;
                    Side::List(SideList::read(text.as_bytes(), &path, day, admission)?)
                }
                SideName::Records(set) => Side::Records(set),
            })
        };
        let sides = off_thread(move || Ok([read(&names[0])?, read(&names[1])?])).await?;
        Self::open(engine, sides).await
    }

    /// Opens the local releases that the sides need.
    ///
    /// # Errors
    /// [`Kind::Usage`] for a set of addresses beside a set of records; [`Kind::NotFound`] without a local release.
    pub async fn open(engine: &Engine, sides: [Side; 2]) -> Result<Self> {
        match sides {
            [Side::List(mut a), Side::List(mut b)] => {
                if a.has_days() != b.has_days() {
                    a.without_days();
                    b.without_days();
                }
                let lists = [a, b];
                let mut releases = [None, None];
                if lists.iter().any(SideList::is_to_be_answered) {
                    let feeds = engine.storage.open_some(&Pick::default()).await?.feeds();
                    for (releases, list) in releases.iter_mut().zip(&lists) {
                        if list.is_to_be_answered() {
                            *releases = Some(engine.answers.open_day(&feeds, list.day).await?);
                        }
                    }
                }
                Ok(Self::Lists(lists, Box::new(releases)))
            }
            [Side::Records(a), Side::Records(b)] => {
                let (before, after) = (
                    open(&engine.releases, &a).await?,
                    open(&engine.releases, &b).await?,
                );
                let days = DiffDays { before, after };
                Ok(Self::Records(Box::new(days), [a.filter, b.filter]))
            }
            [Side::List(_), Side::Records(_)] | [Side::Records(_), Side::List(_)] => Err(Error::new(
                Kind::Usage,
                "addresses are not compared with the records of a filter",
            )
            .hint("name two texts, or two filters; `ipspect enrich` has --filter for the addresses of a text")),
        }
    }

    /// The releases that answer, each once.
    #[must_use]
    pub fn releases(&self) -> Vec<&Release> {
        let mut all: Vec<&Release> = Vec::new();
        let given: Vec<&Release> = match self {
            Self::Lists(_, days) => {
                let days = days.iter().flatten().flat_map(|day| &day.opened.days);
                days.map(|day| &day.release).collect()
            }
            Self::Records(days, _) => vec![&days.before.release, &days.after.release],
        };
        for release in given {
            if !all.contains(&release) {
                all.push(release);
            }
        }
        all
    }

    /// The releases that answer: of each day its feeds.
    #[must_use]
    pub fn sources(&self) -> Vec<String> {
        let mut days: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for release in self.releases() {
            let manifest = &release.manifest;
            let of_day = days.entry(manifest.moment.dashed()).or_default();
            of_day.push(manifest.feed.name());
        }
        let line = |(day, feeds): (&String, &Vec<&str>)| format!("{day} {}", feeds.join(", "));
        days.iter().map(line).collect()
    }

    /// Why releases that are local do not answer.
    #[must_use]
    pub fn unusable(&self) -> Vec<&Error> {
        let Self::Lists(_, days) = self else {
            return Vec::new();
        };
        let all = days.iter().flatten().flat_map(|day| &day.opened.unusable);
        let mut errors: Vec<&Error> = Vec::new();
        for feed in all {
            if !errors.contains(&&feed.why) {
                errors.push(&feed.why);
            }
        }
        errors
    }

    /// What is left out of the sides, in words.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        let Self::Lists(lists, _) = self else {
            return Vec::new();
        };
        lists.iter().flat_map(|list| list.notes.clone()).collect()
    }

    /// The days of the answers, of both sides; `None` for the newest.
    #[must_use]
    pub fn days(&self) -> [Option<Day>; 2] {
        match self {
            Self::Lists(lists, _) => lists.each_ref().map(|list| list.day),
            Self::Records(days, _) => [&days.before, &days.after]
                .map(|release| Some(release.release.manifest.moment.day())),
        }
    }

    /// Whether two single addresses are compared, which is one row.
    #[must_use]
    pub fn is_of_two(&self) -> bool {
        matches!(self, Self::Lists([a, b], _) if a.is_address && b.is_address)
    }

    /// Whether two lists of addresses are compared: then what both have is known.
    #[must_use]
    pub fn is_of_lists(&self) -> bool {
        matches!(self, Self::Lists(..))
    }

    /// Hands over what the sides say, by address; of sets of records only what differs.
    ///
    /// # Errors
    /// What `visit` fails with; as [`Releases::diff`] and [`Answers::answer_on`](crate::engine::Answers::answer_on).
    pub async fn each<E: From<Error>>(
        self,
        engine: &Engine,
        mut visit: impl FnMut(Vec<ComparedRow>) -> Result<(), E>,
    ) -> Result<(), E> {
        match self {
            Self::Records(days, filters) => {
                let feeds =
                    [&days.before, &days.after].map(|release| release.release.manifest.feed);
                let filters = filters.each_ref();
                let visit = |page: Vec<DiffRecord>| {
                    let rows = page.into_iter();
                    visit(
                        rows.map(|record| ComparedRow::of_record(record, feeds))
                            .collect(),
                    )
                };
                engine.releases.diff_of_sets(&days, filters, visit).await
            }
            Self::Lists(mut lists, releases) => {
                for pairs in pairs(&lists).chunks(AT_A_TIME) {
                    let mut sides = [Vec::new(), Vec::new()];
                    for (at, side) in sides.iter_mut().enumerate() {
                        let own: Vec<_> = pairs.iter().map(|pair| pair[at]).collect();
                        *side = lists[at]
                            .records(engine, releases[at].as_ref(), &own)
                            .await?;
                    }
                    let [a, b] = sides;
                    let rows = pairs
                        .iter()
                        .zip(a.into_iter().zip(b))
                        .map(|(pair, (a, b))| {
                            let a_lacks = a.lacks_beside(&b, releases[0].as_ref());
                            let b_lacks = b.lacks_beside(&a, releases[1].as_ref());
                            let known = |record: SideRecord, lacks: Option<Feed>| match lacks {
                                Some(feed) => SideRecord::Unknown(Some(feed)),
                                None => record,
                            };
                            row(*pair, [known(a, a_lacks), known(b, b_lacks)])
                        });
                    visit(rows.collect())?;
                }
                Ok(())
            }
        }
    }
}

/// An address as each side has it.
type Pair = [Option<AddressOfDay>; 2];

/// The addresses of both sides: two single ones are a pair, others meet themselves.
fn pairs(lists: &[SideList; 2]) -> Vec<Pair> {
    let [a, b] = lists.each_ref().map(|list| &list.members);
    if lists.iter().all(|list| list.is_address) {
        let both = a.keys().zip(b.keys());
        return both.map(|(a, b)| [Some(*a), Some(*b)]).collect();
    }
    let all: BTreeSet<&AddressOfDay> = a.keys().chain(b.keys()).collect();
    let pair = |pair: &AddressOfDay| [a, b].map(|side| side.contains_key(pair).then_some(*pair));
    all.into_iter().map(pair).collect()
}

fn row(pair: Pair, sides: [SideRecord; 2]) -> ComparedRow {
    let mut given = pair.into_iter().flatten();
    let first = given.next();
    let (name, day) = first.map_or_else(Default::default, |(address, day)| {
        (address.to_string(), day)
    });
    let mut row = ComparedRow::of(name, day, sides);
    row.other = given
        .map(|(address, _)| address)
        .find(|address| Some(*address) != row.address());
    if row.other.is_some() {
        // That two addresses differ is no finding.
        row.differences.retain(|difference| difference.path != "ip");
    }
    row
}

impl SideList {
    /// What this side says of each of these, which an earlier run has answered or the releases do.
    async fn records(
        &mut self,
        engine: &Engine,
        releases: Option<&DayReleases>,
        asked: &[Option<AddressOfDay>],
    ) -> Result<Vec<SideRecord>> {
        let mut earlier = |pair: &AddressOfDay| self.members.get_mut(pair).and_then(Option::take);
        let mut records: Vec<Option<SideRecord>> = asked
            .iter()
            .map(|pair| match pair {
                None => Some(SideRecord::Absent),
                Some(pair) => earlier(pair).map(SideRecord::earlier),
            })
            .collect();
        let Some(releases) = releases else {
            let none = SideRecord::Unknown(None);
            return Ok(records
                .into_iter()
                .map(|record| record.unwrap_or_else(|| none.clone()))
                .collect());
        };
        let open = asked
            .iter()
            .zip(&records)
            .filter(|(_, record)| record.is_none());
        let addresses: Arc<[IpAddr]> = open
            .filter_map(|(asked, _)| asked.map(|(address, _)| address))
            .collect();
        let answers = engine.answers.answer_on(releases, addresses).await?;
        let mut answers = answers.into_iter().map(SideRecord::of);
        for record in &mut records {
            if record.is_none() {
                *record = answers.next();
            }
        }
        Ok(records.into_iter().flatten().collect())
    }
}

async fn open(releases: &Releases, set: &RecordSet) -> Result<OpenRelease> {
    releases.open_local(set.feed, set.day).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Admission;

    fn found(text: &str) -> SideRecord {
        let document = Document::read(text.as_bytes()).expect(text);
        SideRecord::Found(None, Box::new(document))
    }

    #[test]
    fn verdicts_come_before_other_fields() {
        let vpn = r#"{"ip":"198.51.100.7","client":{"count":3},"tunnels":[{"type":"VPN","operator":"ACME_VPN","anonymous":true}]}"#;
        let more = &vpn.replace(":3", ":900");
        let tor = r#"{"ip":"198.51.100.7","tunnels":[{"type":"TOR","anonymous":true}]}"#;
        let plain = r#"{"ip":"198.51.100.7"}"#;
        let unknown = || SideRecord::Unknown(Some(Feed::Anonymous));
        for (a, b, kind) in [
            (found(vpn), found(vpn), ComparedKind::Equal),
            (found(vpn), found(more), ComparedKind::Other),
            (found(vpn), found(tor), ComparedKind::Changed),
            (found(vpn), SideRecord::Nothing, ComparedKind::Changed),
            (found(plain), SideRecord::Nothing, ComparedKind::Other),
            (found("7"), found(vpn), ComparedKind::Changed),
            (
                SideRecord::Nothing,
                SideRecord::Nothing,
                ComparedKind::Equal,
            ),
            (SideRecord::Absent, found(vpn), ComparedKind::Added),
            (found(vpn), SideRecord::Absent, ComparedKind::Removed),
            (unknown(), found(vpn), ComparedKind::Unknown),
            (SideRecord::Absent, unknown(), ComparedKind::Added),
        ] {
            let row = ComparedRow::of("198.51.100.7".to_owned(), None, [a, b]);
            assert_eq!(row.kind, kind, "{row:?}");
        }
        let row = ComparedRow::of(String::new(), None, [found(vpn), found(tor)]);
        let paths: Vec<&str> = row
            .differences
            .iter()
            .map(|difference| difference.path.as_str())
            .collect();
        assert_eq!(
            paths,
            ["tunnels VPN ACME_VPN", "tunnels TOR", "client.count"]
        );
    }

    #[test]
    fn two_addresses_are_a_pair_and_lists_meet_themselves() {
        let address = |last: u8| IpAddr::from([198, 51, 100, last]);
        let one = |last| {
            SideList::of_address(
                address(last),
                None,
                &Admission::with(vec!["198.51.100.0/24".parse().expect("a block")]),
            )
            .expect("public")
        };
        let pairs_of = |lists: [SideList; 2]| pairs(&lists);
        let key = |last| Some((address(last), None));
        assert_eq!(pairs_of([one(7), one(8)]), [[key(7), key(8)]]);
        let mut list = one(7);
        list.is_address = false;
        assert_eq!(pairs_of([list, one(8)]), [[key(7), None], [None, key(8)]]);
        let row = row(
            [key(7), key(8)],
            [
                found(r#"{"ip":"198.51.100.7"}"#),
                found(r#"{"ip":"198.51.100.8"}"#),
            ],
        );
        assert_eq!(
            (row.name.as_str(), row.other),
            ("198.51.100.7", Some(address(8)))
        );
        assert_eq!(row.differences, []);
    }
}
