//! One address of a table of many: what the best local record has, in a few cells.

use std::net::IpAddr;

use super::{
    Cell, Reading, Verdict,
    fields::{Values, value},
};
use crate::{
    contract::Feed,
    engine::LocalRecord,
    model::{Anonymization, visible},
    store::Moment,
};

/// What the best local record about an address has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardRow {
    /// The verdict of a context; of a netblock there is none.
    pub verdict: Option<Verdict>,
    /// The operators of its tunnels; their types where none is named.
    pub operators: String,
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
    /// The feed.
    pub feed: Feed,
    /// Its release.
    pub moment: Moment,
}

impl BoardRow {
    /// The cells of a record about an address.
    #[must_use]
    pub fn of(address: IpAddr, record: &LocalRecord) -> Self {
        let (feed, moment) = (record.release.manifest.feed, record.release.manifest.moment);
        let reading = Reading::of(feed, record.document.value());
        let values: Values = reading.values();
        let of = |column| visible(value(&values, column)).into_owned();
        let verdict = match &reading {
            Reading::Context(context) => Some(Verdict::of(context, Some(address))),
            Reading::Hosting(_) | Reading::Geo(_) | Reading::Unread => None,
        };
        let operators = match of("operators") {
            none if none.is_empty() => of("tunnel_types"),
            operators => operators,
        };
        let infrastructure = match (&reading, of("infrastructure")) {
            (Reading::Hosting(_), _) => "hosting".to_owned(),
            (_, infrastructure) => infrastructure,
        };
        let network = Some(of("network")).filter(|network| !network.is_empty());
        Self {
            verdict,
            operators,
            infrastructure,
            country: of("country"),
            system: of("as_number").parse().ok(),
            clients: of("client_count").parse().ok(),
            network,
            feed,
            moment,
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
            None => "netblock only".to_owned(),
        }
    }

    /// The day and the feed of the record.
    #[must_use]
    pub fn source(&self) -> String {
        format!("{} {}", self.moment.dashed(), self.feed)
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
