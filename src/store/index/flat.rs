//! What a record says in the fields of an export (contract, part 2.11).

use std::borrow::Cow;

use serde::{Deserialize, de::IgnoredAny};

use super::{
    Index, NoAnswer, Row,
    records::Record,
    value::{self, Value},
};
use crate::model::{Context, Document, Subject, terms};

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

/// What a column holds of a flattened record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Nothing,
    /// One of the keys that say what the record is about, by preference.
    Subject(usize),
    Tunnel,
    Operator,
    Proxies,
    Infrastructure,
    Services,
    Client,
    Clients,
    Location,
    City,
    State,
    Country,
    /// What only a reading of the whole record can tell.
    Odd,
}

impl Part {
    fn of(path: &str) -> Self {
        match path {
            "ip" => Self::Subject(0),
            "network" => Self::Subject(1),
            "tunnels[]" => Self::Tunnel,
            "tunnels[].operator" => Self::Operator,
            "client.proxies" => Self::Proxies,
            "infrastructure" => Self::Infrastructure,
            "services" => Self::Services,
            "client" => Self::Client,
            "client.count" => Self::Clients,
            "location" => Self::Location,
            "location.city" => Self::City,
            "location.state" => Self::State,
            "location.country" => Self::Country,
            _ => {
                let within = |above: &str| path.starts_with(above);
                let odd = [
                    "tunnels[][]",
                    "tunnels.",
                    "client[",
                    "client.proxies",
                    "services",
                    "infrastructure",
                    "location[",
                ];
                if path == "tunnels" || odd.into_iter().any(within) {
                    Self::Odd
                } else {
                    Self::Nothing
                }
            }
        }
    }
}

/// What columns hold of a flattened record, by column.
#[derive(Debug)]
pub(super) struct Plan(Vec<Part>);

impl Plan {
    pub(super) fn of(paths: &[String]) -> Self {
        Self(paths.iter().map(|path| Part::of(path)).collect())
    }
}

/// A location whose fields are what they should be.
#[derive(Deserialize)]
struct PlainLocation<'a> {
    #[serde(borrow)]
    city: Option<Cow<'a, str>>,
    #[serde(borrow)]
    state: Option<Cow<'a, str>>,
    #[serde(borrow)]
    country: Option<Cow<'a, str>>,
}

/// A client that says no more than a number.
#[derive(Deserialize)]
struct PlainClient {
    count: Option<u64>,
    proxies: Option<IgnoredAny>,
}

#[derive(Deserialize)]
struct PlainTunnel<'a> {
    #[serde(borrow)]
    operator: Option<Cow<'a, str>>,
}

impl Flat {
    /// Takes what a token says; `None` where only a reading of the whole record can tell.
    fn take(&mut self, part: Part, token: &[u8]) -> Option<()> {
        match part {
            Part::Nothing => {}
            Part::Subject(rank) => {
                let subject =
                    terms::subject_under(terms::SUBJECT_KEYS[rank], &value::plain(token)?.into());
                self.subject = if rank == 0 {
                    subject.or(self.subject)
                } else {
                    self.subject.or(subject)
                };
            }
            Part::Operator => self.operated(value::plain(token)?),
            Part::Tunnel if token.first() == Some(&b'{') => {
                let tunnel: PlainTunnel<'_> = serde_json::from_slice(token).ok()?;
                self.operated(tunnel.operator.as_deref().unwrap_or_default());
            }
            Part::Odd | Part::Tunnel => return None,
            Part::Infrastructure => self.infrastructure = Some(value::plain(token)?.to_owned()),
            Part::Services => {
                self.services = value::plain_list(token)?.map(str::to_owned).collect()
            }
            Part::Proxies => {
                self.callback_proxy = value::plain_list(token)?.next().map(str::to_owned)
            }
            Part::Client => {
                let client: PlainClient = serde_json::from_slice(token).ok()?;
                if client.proxies.is_some() {
                    return None;
                }
                self.clients = client.count;
            }
            Part::Clients => self.clients = Some(value::whole(token)?),
            Part::Location => {
                let location: PlainLocation<'_> = serde_json::from_slice(token).ok()?;
                let own = |text: Option<Cow<'_, str>>| text.map(Cow::into_owned);
                self.city = own(location.city);
                self.state = own(location.state);
                self.country = own(location.country);
            }
            Part::City => self.city = Some(value::plain(token)?.to_owned()),
            Part::State => self.state = Some(value::plain(token)?.to_owned()),
            Part::Country => self.country = Some(value::plain(token)?.to_owned()),
        }
        Some(())
    }

    /// A tunnel has an operator: the first one counts.
    fn operated(&mut self, operator: &str) {
        if self.tag.is_none() && !operator.trim().is_empty() {
            self.tag = Some(operator.to_owned());
        }
    }
}

impl Index {
    /// What the record of a row says in the fields of an export.
    ///
    /// # Errors
    /// [`NoAnswer::Damaged`].
    pub fn flat(&self, row: Row) -> Result<Flat, NoAnswer> {
        if let Some(flat) = self.flat_of_tokens(row)? {
            return Ok(flat);
        }
        let mut line = Vec::new();
        self.line(row, &mut line)?;
        Ok(Document::read(&line)
            .map(|record| Flat::of(&record))
            .unwrap_or_default())
    }

    /// The same from the tokens alone, where they are as they should be: that is ten times as fast.
    fn flat_of_tokens(&self, row: Row) -> Result<Option<Flat>, NoAnswer> {
        let Record::Shaped(shape, mut values) = self.record(row)? else {
            return Ok(None);
        };
        let plan = self.plan()?;
        let mut flat = Flat::default();
        let mut token = Vec::new();
        for column in &shape.columns {
            let value = Value::take(&mut values).ok_or_else(super::records::odd)?;
            let part = plan.0.get(*column as usize).copied().unwrap_or(Part::Odd);
            if part == Part::Nothing {
                continue;
            }
            if let (Part::Subject(0), Value::V4(address)) = (part, value) {
                flat.subject = Some(Subject::Address(address.into()));
                continue;
            }
            token.clear();
            self.spell(*column, value, &mut token)?;
            // A null says nothing, wherever it stands.
            if token != b"null" && flat.take(part, &token).is_none() {
                return Ok(None);
            }
        }
        Ok(Some(flat))
    }
}
