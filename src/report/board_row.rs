//! One address of a table of many: what the best local record or cached answer has, in a few cells.

use std::{collections::HashMap, net::IpAddr};

use jiff::Timestamp;

use super::{
    Reading, TextCell, Verdict,
    fields::{ColumnTexts, value},
    named_as_entry, recent_in_words,
};
use crate::{
    contract::Feed,
    engine::{
        LocalRecord, Missing, UnusableFeed,
        answers::{self, BestAnswer},
        views::EntryOf,
    },
    investigation::board::{BoardAnswer, BoardAnswers, Standing, Standings},
    model::{Anonymization, Context, Day, Terms, context::VerdictBasis, visible},
    store::{Generation, Moment, ReleasePlace},
};

/// What is at hand about an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoardFinding {
    /// An answer about the address itself.
    Row(Box<BoardRow>),
    /// No record is its own, and others name it as an entry of their tunnels: in which words.
    Named(String),
    /// None, since nothing is known of a feed on the day.
    Missing(Missing),
    /// None, and a query about it is possibly spent.
    PossiblySpent,
}

/// What is at hand about the addresses of a board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BoardFindings {
    /// In the order of the addresses; `None` for one without a record.
    pub answers: Vec<Option<BoardFinding>>,
    /// Where there was a tunnel or proxy on the last local days and is none now: in which words.
    pub recent: HashMap<IpAddr, String>,
    /// The feeds that are there and could not be read.
    pub unusable: Vec<UnusableFeed>,
}

impl BoardFindings {
    #[must_use]
    pub fn of(addresses: &[IpAddr], found: BoardAnswers) -> Self {
        let answers = || addresses.iter().zip(&found.answers);
        let recent = answers().filter_map(|(address, answer)| {
            let words = answer.recent.as_ref().and_then(recent_in_words)?;
            Some((*address, words))
        });
        Self {
            recent: recent.collect(),
            answers: answers()
                .map(|(address, answer)| BoardFinding::of(*address, answer))
                .collect(),
            unusable: found.unusable,
        }
    }

    /// With what is at hand about further addresses.
    #[must_use]
    pub fn and(mut self, others: Self) -> Self {
        self.answers.extend(others.answers);
        self.recent.extend(others.recent);
        for feed in others.unusable {
            if !self.unusable.contains(&feed) {
                self.unusable.push(feed);
            }
        }
        self
    }
}

/// What the verdicts on addresses rested on, on a day of their events; `None` where that is not known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventVerdicts(pub Vec<Option<VerdictBasis>>);

impl EventVerdicts {
    #[must_use]
    pub fn of(addresses: &[IpAddr], found: &BoardAnswers) -> Self {
        let is_all_read = found.unusable.is_empty();
        let answers = addresses.iter().zip(&found.answers);
        let verdicts = answers.map(
            |(address, answer)| match BoardFinding::of(*address, answer) {
                Some(BoardFinding::Row(row)) => row.basis,
                // That there is no record is known.
                None => is_all_read.then(|| Context::default().verdict_basis()),
                Some(_) => None,
            },
        );
        Self(verdicts.collect())
    }
}

/// What the best answer at hand about an address has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardRow {
    /// The verdict of a context; of a netblock there is none.
    pub verdict: Option<Verdict>,
    /// Where there is no verdict: as what other records name the address.
    pub named: Option<String>,
    /// The operators of its tunnels; their types where none is named.
    pub operators: String,
    pub tags: Vec<String>,
    pub infrastructure: String,
    pub country: String,
    /// The number of the autonomous system.
    pub system: Option<u32>,
    /// Clients on an average day.
    pub clients: Option<u64>,
    /// All words of its record, if there is one.
    pub terms: Option<Box<Terms>>,
    /// What the verdict rests on; `None` where that cannot be read.
    pub basis: Option<VerdictBasis>,
    /// What the address is by it.
    pub standings: Standings,
    /// The network that the record is about, where that is not the address alone.
    pub network: Option<String>,
    /// Where it comes from.
    pub source: RowSource,
}

/// Where the answer about an address comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowSource {
    /// A release of a feed.
    Release {
        place: ReleasePlace,
        feed: Feed,
        moment: Moment,
        /// From when its age counts.
        generation: Generation,
    },
    /// The cache: what the service answered then.
    Cached {
        /// Whether it had a record.
        has_record: bool,
        /// When it was asked.
        asked: Timestamp,
        /// The day of the data, where the answer named it.
        day: Option<Day>,
    },
}

impl BoardFinding {
    /// What is at hand about an address; `None` for an address without a record.
    #[must_use]
    pub fn of(address: IpAddr, answer: &BoardAnswer) -> Option<Self> {
        match (&answer.best, named_as_entry(&answer.entry_of)) {
            (Some(best), _) => {
                let row = BoardRow::beside(address, best, &answer.entry_of);
                Some(Self::Row(Box::new(row)))
            }
            (None, Some(words)) => Some(Self::Named(words)),
            (None, None) if answer.is_possibly_spent => Some(Self::PossiblySpent),
            (None, None) => answer.missing.map(Self::Missing),
        }
    }
}

impl RowSource {
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Release { place, feed, .. } => place.elsewhere().unwrap_or(feed.row().name),
            Self::Cached { .. } => "cached",
        }
    }

    /// What a table is called whose rows are all from there.
    #[must_use]
    pub fn title(self) -> String {
        match self.place() {
            Some(place) if place.elsewhere().is_none() => format!("LOCAL {}", self.word()),
            _ => self.word().to_uppercase(),
        }
    }

    /// The place of its release.
    #[must_use]
    pub fn place(self) -> Option<ReleasePlace> {
        match self {
            Self::Release { place, .. } => Some(place),
            Self::Cached { .. } => None,
        }
    }

    #[must_use]
    pub fn day(self) -> String {
        match self {
            Self::Release { moment, .. } => moment.dashed(),
            Self::Cached { asked, day, .. } => day.unwrap_or(Day::of(asked)).dashed(),
        }
    }

    /// From when its age counts.
    #[must_use]
    pub fn since(self) -> Generation {
        match self {
            Self::Release { generation, .. } => generation,
            Self::Cached { asked, .. } => asked.into(),
        }
    }
}

/// What an address is by a record of its own.
#[must_use]
pub fn standings(reading: &Reading, terms: Option<&Terms>) -> Standings {
    match (reading, terms) {
        (_, None) => Standing::NoRecord.into(),
        (Reading::Context(context), Some(terms)) => Standings::of(terms, context.anonymization()),
        (Reading::Hosting(_), _) => Standing::Hosting.into(),
        (Reading::Geo(_), _) => Standing::Unknown.into(),
        (Reading::Unread, _) => Standing::Unreadable.into(),
    }
}

impl BoardRow {
    /// The cells of an answer about an address.
    #[must_use]
    pub fn of(address: IpAddr, answer: &BestAnswer) -> Self {
        Self::beside(address, answer, &[])
    }

    /// The same of an address that other records name as an entry of their tunnels.
    #[must_use]
    pub fn beside(address: IpAddr, answer: &BestAnswer, entry_of: &[EntryOf]) -> Self {
        match answer {
            BestAnswer::Local(record) => Self::of_record(address, record, entry_of),
            BestAnswer::Cached(answer) => Self::of_answer(address, answer, entry_of),
        }
    }

    fn of_record(address: IpAddr, record: &LocalRecord, entry_of: &[EntryOf]) -> Self {
        let manifest = &record.release.manifest;
        let reading = Reading::of_record(record);
        let source = RowSource::Release {
            place: manifest.place(),
            feed: manifest.feed,
            moment: manifest.moment,
            generation: manifest.generation(),
        };
        let terms = Terms::of(record.document.value());
        Self::of_reading(address, &reading, Some(terms), source, entry_of)
    }

    fn of_answer(address: IpAddr, answer: &answers::LookupAnswer, entry_of: &[EntryOf]) -> Self {
        let source = RowSource::Cached {
            has_record: answer.record.is_some(),
            asked: answer.provenance.asked_at,
            day: answer.provenance.data_date,
        };
        let reading = Reading::of_answer(answer).unwrap_or(Reading::Unread);
        let record = answer.record.as_ref();
        let terms = record.map(|record| Terms::of(record.document.value()));
        Self::of_reading(address, &reading, terms, source, entry_of)
    }

    fn of_reading(
        address: IpAddr,
        reading: &Reading,
        terms: Option<Terms>,
        source: RowSource,
        entry_of: &[EntryOf],
    ) -> Self {
        let values: ColumnTexts = reading.values();
        let of = |column| visible(value(&values, column)).into_owned();
        let verdict = match reading {
            Reading::Context(context) => Some(Verdict::beside(context, Some(address), entry_of)),
            Reading::Hosting(_) | Reading::Geo(_) | Reading::Unread => None,
        };
        let operators = match of("operators") {
            none if none.is_empty() => of("tunnel_types"),
            operators => operators,
        };
        let tags = match reading {
            Reading::Context(context) => context.tunnel_operators(),
            Reading::Hosting(_) | Reading::Geo(_) | Reading::Unread => Vec::new(),
        };
        let infrastructure = match (reading, of("infrastructure")) {
            (Reading::Hosting(_), _) => "hosting".to_owned(),
            (_, infrastructure) => infrastructure,
        };
        let network = Some(of("network")).filter(|network| !network.is_empty());
        let named = match verdict {
            Some(_) => None,
            None => named_as_entry(entry_of),
        };
        let own = standings(reading, terms.as_ref());
        let standings = match entry_of {
            [] => own,
            _ => own.or_entry(),
        };
        Self {
            verdict,
            named,
            operators,
            tags: tags.into_iter().map(str::to_owned).collect(),
            infrastructure,
            country: of("country"),
            system: of("as_number").parse().ok(),
            clients: of("client_count").parse().ok(),
            basis: match reading {
                Reading::Context(context) => Some(context.verdict_basis()),
                Reading::Hosting(_) | Reading::Geo(_) => Some(Context::default().verdict_basis()),
                Reading::Unread if terms.is_none() => Some(Context::default().verdict_basis()),
                Reading::Unread => None,
            },
            terms: terms.map(Box::new),
            standings,
            network,
            source,
        }
    }

    /// What was seen; what is no context comes last, unless others name it.
    #[must_use]
    pub fn seen(&self) -> Anonymization {
        match (&self.verdict, &self.named) {
            (Some(verdict), _) => verdict.seen,
            (None, Some(_)) => Anonymization::Possible,
            (None, None) => Anonymization::NotObserved,
        }
    }

    #[must_use]
    pub fn words(&self) -> String {
        match (&self.verdict, &self.named) {
            (Some(verdict), _) => verdict.line(),
            (None, Some(named)) => named.clone(),
            (None, None) if self.has_record() => "netblock only".to_owned(),
            (None, None) => "no record".to_owned(),
        }
    }

    /// Whether there is a record at all: the service may have answered that it has none.
    #[must_use]
    pub fn has_record(&self) -> bool {
        !matches!(
            self.source,
            RowSource::Cached {
                has_record: false,
                ..
            }
        )
    }

    /// The day and the source of the record.
    #[must_use]
    pub fn source(&self) -> String {
        format!("{} {}", self.source.day(), self.source.word())
    }

    /// The cells of a ticket's table, behind the address.
    #[must_use]
    pub fn cells(&self) -> Vec<TextCell> {
        let text = |text: &str| TextCell::or_dash((!text.is_empty()).then_some(text));
        vec![
            text(&self.words()),
            text(&self.operators),
            text(&self.infrastructure),
            text(&self.country),
            TextCell::or_dash(self.system.map(|number| format!("AS{number}"))),
            TextCell::or_dash(self.clients.map(super::count)),
            text(&self.source()),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        engine::{AnswerRecord, Provenance},
        model::{Context, Document},
    };

    #[test]
    fn a_row_says_that_other_records_name_its_address_as_their_entry() {
        let address: IpAddr = "198.51.100.71".parse().expect("an address");
        let answer = |text: &str| {
            let document = Document::read(text.as_bytes()).expect(text);
            let context = Context::decode(document.value()).expect(text);
            let provenance = Provenance {
                url: String::new(),
                status: 200,
                asked_at: "2026-11-20T23:10:00Z".parse().expect("a time"),
                elapsed: std::time::Duration::ZERO,
                attempts: 1,
                cost: 1,
                possibly_spent: 0,
                balance: None,
                data_date: None,
                clock_off: None,
            };
            let record = Some(AnswerRecord { context, document });
            BestAnswer::Cached(Box::new(answers::LookupAnswer { record, provenance }))
        };
        let entry_of = [EntryOf {
            feed: Feed::Anonymous,
            moment: Moment::parse("20261120").expect("a day"),
            records: 2,
            read: 2,
            operators: vec!["ACME_VPN".to_owned()],
        }];
        let plain = answer(r#"{"ip":"198.51.100.71"}"#);
        let row = BoardRow::of(address, &plain);
        assert_eq!(row.words(), "no tunnel or proxy seen");
        let row = BoardRow::beside(address, &plain, &entry_of);
        assert_eq!(
            row.words(),
            "named as entry of ACME_VPN in 2 records of anonymous"
        );
        assert_eq!(row.seen(), Anonymization::Possible);
        // The service answered that it has no record of its own.
        let BestAnswer::Cached(mut none) = plain else {
            panic!("an answer");
        };
        none.record = None;
        let row = BoardRow::beside(address, &BestAnswer::Cached(none), &entry_of);
        assert_eq!(row.verdict, None);
        assert_eq!(
            row.words(),
            "named as entry of ACME_VPN in 2 records of anonymous"
        );
        assert_eq!(row.seen(), Anonymization::Possible);
    }
}
