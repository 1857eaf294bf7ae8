//! The parts of an answer: records by their source, or none.

use std::time::Duration;

use crate::{
    cli::engine::{Answer, LocalRecord},
    model::Document,
    report::{Reading, Values, values},
    store::layout::Release,
};

/// One record of an answer, or none.
#[derive(Clone, Debug)]
pub(super) enum Part {
    /// What the service answered just now.
    Live(Answer),
    /// What the service answered earlier.
    Cached {
        /// The answer.
        answer: Answer,
        /// Whether it is too old to replace a query, and is given because none may be sent.
        stale: bool,
    },
    /// A record of a local feed.
    Record {
        /// The record.
        record: LocalRecord,
        /// How long the feeds took.
        elapsed: Duration,
        /// As of a cached answer.
        stale: bool,
        /// For a network how many records of that release are inside it.
        inside: Option<u64>,
    },
    /// No record in these releases.
    NoRecord {
        /// The releases.
        releases: Vec<Release>,
        /// How long the feeds took.
        elapsed: Duration,
        /// For a network how many records of them are inside it.
        inside: Option<u64>,
        /// Records about it that cannot be read.
        unread: usize,
    },
}

impl Part {
    /// The source in machine output.
    pub(super) fn source(&self) -> &'static str {
        match self {
            Self::Live(_) => "live",
            Self::Cached { .. } => "cache",
            Self::Record { .. } | Self::NoRecord { .. } => "local",
        }
    }

    /// The release that answers; or the only one that has no record.
    pub(super) fn release(&self) -> Option<&Release> {
        match self {
            Self::Record { record, .. } => Some(&record.release),
            Self::NoRecord { releases, .. } => match releases.as_slice() {
                [only] => Some(only),
                _ => None,
            },
            Self::Live(_) | Self::Cached { .. } => None,
        }
    }

    /// What the service answered.
    pub(super) fn answer(&self) -> Option<&Answer> {
        match self {
            Self::Live(answer) | Self::Cached { answer, .. } => Some(answer),
            Self::Record { .. } | Self::NoRecord { .. } => None,
        }
    }

    pub(super) fn is_stale(&self) -> bool {
        matches!(
            self,
            Self::Cached { stale: true, .. } | Self::Record { stale: true, .. }
        )
    }

    /// For a network how many records are inside it.
    pub(super) fn inside(&self) -> Option<u64> {
        match self {
            Self::Record { inside, .. } | Self::NoRecord { inside, .. } => *inside,
            Self::Live(_) | Self::Cached { .. } => None,
        }
    }

    /// The day of the data.
    pub(super) fn day(&self) -> Option<String> {
        let answered = self.answer().and_then(|answer| answer.provenance.data_date);
        let local = || self.release().map(|release| release.manifest.moment.day());
        answered.or_else(local).map(|day| day.to_string())
    }

    pub(super) fn cost(&self) -> u32 {
        self.answer().map_or(0, |answer| answer.provenance.cost)
    }

    pub(super) fn balance(&self) -> Option<u64> {
        self.answer()?.provenance.balance
    }

    pub(super) fn elapsed(&self) -> Duration {
        match self {
            Self::Live(answer) | Self::Cached { answer, .. } => answer.provenance.elapsed,
            Self::Record { elapsed, .. } | Self::NoRecord { elapsed, .. } => *elapsed,
        }
    }

    pub(super) fn document(&self) -> Option<&Document> {
        match self {
            Self::Record { record, .. } => Some(&record.document),
            _ => self
                .answer()?
                .record
                .as_ref()
                .map(|record| &record.document),
        }
    }

    /// What stands in the columns of a record.
    pub(super) fn values(&self) -> Values {
        if let Self::Record { record, .. } = self {
            return reading(record).values();
        }
        let record = self.answer().and_then(|answer| answer.record.as_ref());
        record
            .map(|record| values(&record.context))
            .unwrap_or_default()
    }

    /// The length of the network that the record is about; none for what has no record, which comes last.
    pub(super) fn length(&self) -> Option<u8> {
        match self {
            Self::Record { record, .. } => Some(record.length()),
            _ => None,
        }
    }
}

/// A local record as far as it can be read.
pub(super) fn reading(record: &LocalRecord) -> Reading {
    Reading::of(record.release.manifest.feed, record.document.value())
}
