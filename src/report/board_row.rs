//! One address of a table of many: what the best local record or cached answer has, in a few cells.

use std::net::IpAddr;

use jiff::Timestamp;

use super::{
    Cell, Reading, Verdict,
    fields::{Values, value},
};
use crate::{
    contract::Feed,
    engine::{
        LocalRecord,
        answers::{self, BestAnswer},
    },
    model::{Anonymization, Day, visible},
    store::Moment,
};

/// What the best answer at hand about an address has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardRow {
    /// The verdict of a context; of a netblock there is none.
    pub verdict: Option<Verdict>,
    /// The operators of its tunnels; their types where none is named.
    pub operators: String,
    /// The tags of its operators.
    pub tags: Vec<String>,
    /// The kind of infrastructure.
    pub infrastructure: String,
    /// The country of the address.
    pub country: String,
    /// The number of the autonomous system.
    pub system: Option<u32>,
    /// Clients on an average day.
    pub clients: Option<u64>,
    /// The network that the record is about, where that is not the address alone.
    pub network: Option<String>,
    /// Where it comes from.
    pub source: RowSource,
}

/// Where the answer about an address comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowSource {
    /// A release of a local feed.
    Local(Feed, Moment),
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

impl RowSource {
    /// Its name.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Local(feed, _) => feed.row().name,
            Self::Cached { .. } => "cached",
        }
    }

    /// The day of the data.
    #[must_use]
    pub fn day(self) -> String {
        match self {
            Self::Local(_, moment) => moment.dashed(),
            Self::Cached { asked, day, .. } => day.unwrap_or(Day::of(asked)).dashed(),
        }
    }

    /// From when its age counts.
    #[must_use]
    pub fn since(self) -> Timestamp {
        match self {
            Self::Local(_, moment) => moment.begins(),
            Self::Cached { asked, .. } => asked,
        }
    }
}

impl BoardRow {
    /// The cells of an answer about an address.
    #[must_use]
    pub fn of(address: IpAddr, answer: &BestAnswer) -> Self {
        match answer {
            BestAnswer::Local(record) => Self::of_record(address, record),
            BestAnswer::Cached(answer) => Self::of_answer(address, answer),
        }
    }

    fn of_record(address: IpAddr, record: &LocalRecord) -> Self {
        let (feed, moment) = (record.release.manifest.feed, record.release.manifest.moment);
        let reading = Reading::of(feed, record.document.value());
        Self::of_reading(address, &reading, RowSource::Local(feed, moment))
    }

    fn of_answer(address: IpAddr, answer: &answers::Answer) -> Self {
        let record = answer.record.as_ref();
        let source = RowSource::Cached {
            has_record: record.is_some(),
            asked: answer.provenance.asked_at,
            day: answer.provenance.data_date,
        };
        let context = record.map(|record| Box::new(record.context.clone()));
        let reading = context.map_or(Reading::Unread, Reading::Context);
        Self::of_reading(address, &reading, source)
    }

    fn of_reading(address: IpAddr, reading: &Reading, source: RowSource) -> Self {
        let values: Values = reading.values();
        let of = |column| visible(value(&values, column)).into_owned();
        let verdict = match reading {
            Reading::Context(context) => Some(Verdict::of(context, Some(address))),
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
        Self {
            verdict,
            operators,
            tags: tags.into_iter().map(str::to_owned).collect(),
            infrastructure,
            country: of("country"),
            system: of("as_number").parse().ok(),
            clients: of("client_count").parse().ok(),
            network,
            source,
        }
    }

    /// What was seen; what is no context comes last.
    #[must_use]
    pub fn seen(&self) -> Anonymization {
        self.verdict
            .as_ref()
            .map_or(Anonymization::NotObserved, |own| own.seen)
    }

    /// The verdict in words.
    #[must_use]
    pub fn words(&self) -> String {
        match &self.verdict {
            Some(verdict) => verdict.line(),
            None if self.has_record() => "netblock only".to_owned(),
            None => "no record".to_owned(),
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
    pub fn cells(&self) -> Vec<Cell> {
        let text = |text: &str| Cell::or_dash((!text.is_empty()).then_some(text));
        vec![
            text(&self.words()),
            text(&self.operators),
            text(&self.infrastructure),
            text(&self.country),
            Cell::or_dash(self.system.map(|number| format!("AS{number}"))),
            Cell::or_dash(self.clients.map(super::count)),
            text(&self.source()),
        ]
    }
}
