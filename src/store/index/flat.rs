//! What a record says in the fields of an export (contract, part 2.11).

use super::{Index, NoAnswer, Row};
use crate::model::{Context, Document, Subject};

/// A record flattened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flat {
    /// What it is about.
    pub subject: Option<Subject>,
    /// Operator of the first tunnel that has one.
    pub tag: Option<String>,
    /// The first of `client.proxies`.
    pub callback_proxy: Option<String>,
    /// Kind of infrastructure.
    pub infrastructure: Option<String>,
    /// Listening services.
    pub services: Vec<String>,
    /// Clients per day.
    pub clients: Option<u64>,
    /// City.
    pub city: Option<String>,
    /// State.
    pub state: Option<String>,
    /// Country.
    pub country: Option<String>,
}

impl Flat {
    /// Flattens a record.
    #[must_use]
    pub fn of(record: &Document) -> Self {
        let Ok(context) = Context::decode(record.value()) else {
            return Self::default();
        };
        let text = |text: Option<&str>| text.map(str::to_owned);
        let client = context.client.is();
        let location = context.location.is();
        Self {
            subject: context.subject(),
            tag: text(
                context
                    .tunnels
                    .items()
                    .iter()
                    .find_map(|tunnel| tunnel.operator.text()),
            ),
            callback_proxy: client.and_then(|client| client.proxies.items().first().cloned()),
            infrastructure: text(context.infrastructure.is().map(String::as_str)),
            services: context.services.items().to_vec(),
            clients: client.and_then(|client| client.count.is().copied()),
            city: text(
                location
                    .and_then(|location| location.city.is())
                    .map(String::as_str),
            ),
            state: text(
                location
                    .and_then(|location| location.state.is())
                    .map(String::as_str),
            ),
            country: text(
                location
                    .and_then(|location| location.country.is())
                    .map(String::as_str),
            ),
        }
    }
}

impl Index {
    /// What the record of a row says in the fields of an export.
    ///
    /// # Errors
    /// [`NoAnswer::Damaged`].
    pub fn flat(&self, row: Row) -> Result<Flat, NoAnswer> {
        let mut line = Vec::new();
        self.line(row, &mut line)?;
        Ok(Document::read(&line)
            .map(|record| Flat::of(&record))
            .unwrap_or_default())
    }
}
