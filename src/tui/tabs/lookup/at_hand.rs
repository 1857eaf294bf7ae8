//! The answer that is at hand: a record of the local feeds, or a cached answer, with its feed, day and age.
//!
//! It must never pass for an answer of the service given just now: whatever shows it names where it comes from.

use jiff::Timestamp;

use crate::{
    contract::Geolocation,
    engine::{
        self, LocalRecord, Provenance, Sources,
        answers::{Age, Next, Record, Source, next, replaces_a_query},
    },
    model::Context,
    report::{kept_ticket, local_ticket},
    store::layout::Release,
};

/// An answer that costs nothing.
#[derive(Clone, Debug)]
pub enum AtHand {
    /// The record of a local release.
    Local(Record, Release, Age),
    /// What the service answered before.
    Cached(engine::Answer, Age),
}

/// An answer that is shown.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a> {
    /// The record, or `None` when the service knows nothing.
    pub record: Option<&'a Record>,
    /// Where it comes from.
    pub origin: Origin<'a>,
}

/// Where an answer comes from.
#[derive(Clone, Copy, Debug)]
pub enum Origin<'a> {
    /// The service.
    Live(&'a Provenance),
    /// The service, earlier.
    Cached(&'a Provenance, Age),
    /// A local release.
    Local(&'a Release, Age),
}

impl AtHand {
    /// The answer that the policy shows where no query is sent: fresh ones replace a query, stale ones stand in for it.
    #[must_use]
    pub fn of(mut sources: Sources, now: Timestamp) -> Option<Self> {
        sources.may_send = false;
        match next(&sources, now) {
            Next::Show(Source::Local, age) => Self::local(&sources, age, now),
            Next::Show(Source::Cached, age) => {
                sources.cached.map(|cached| Self::Cached(cached, age))
            }
            Next::Show(Source::Live, _) | Next::Ask(_) => None,
        }
    }

    /// The most specific context record, one that is young enough if there is one.
    fn local(sources: &Sources, age: Age, now: Timestamp) -> Option<Self> {
        let records = sources.local.records.iter();
        let contexts = records.filter(|record| replaces_a_query(record.release.manifest.feed));
        let LocalRecord { release, document } =
            contexts.min_by_key(|record| sources.is_stale(record, now))?;
        let record = Record {
            context: Context::decode(document.value()).ok()?,
            document: document.clone(),
        };
        Some(Self::Local(record, release.clone(), age))
    }

    /// Whether it is young enough to replace a query.
    #[must_use]
    pub fn is_fresh(&self) -> bool {
        let (Self::Local(_, _, age) | Self::Cached(_, age)) = self;
        *age == Age::Fresh
    }

    /// The ticket note about it.
    #[must_use]
    pub fn ticket(&self, address: &str, geolocation: Geolocation) -> String {
        match self {
            Self::Local(record, release, _) => {
                let (release, document) = (release.clone(), record.document.clone());
                local_ticket(address, &LocalRecord { release, document })
            }
            Self::Cached(answer, _) => kept_ticket(address, geolocation, answer),
        }
    }

    /// As it is shown.
    #[must_use]
    pub fn shown(&self) -> Shown<'_> {
        match self {
            Self::Local(record, release, age) => Shown {
                record: Some(record),
                origin: Origin::Local(release, *age),
            },
            Self::Cached(answer, age) => Shown {
                record: answer.record.as_ref(),
                origin: Origin::Cached(&answer.provenance, *age),
            },
        }
    }
}

impl<'a> From<&'a engine::Answer> for Shown<'a> {
    fn from(answer: &'a engine::Answer) -> Self {
        Self {
            record: answer.record.as_ref(),
            origin: Origin::Live(&answer.provenance),
        }
    }
}
