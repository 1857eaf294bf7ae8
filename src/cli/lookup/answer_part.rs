//! The parts of an answer: records by their source, or none.

use std::time::Duration;

use crate::{
    cli::engine::{LocalRecord, LookupAnswer},
    engine::{NotAnswered, Unread},
    model::Document,
    report::{ColumnTexts, Reading, values},
    store::layout::Release,
};

/// One record of an answer, or none.
#[derive(Clone, Debug)]
pub(super) struct AnswerPart {
    pub(super) found: SourceRecord,
    /// How long the source took.
    pub(super) elapsed: Duration,
    /// Whether it is too old to replace a query, and is given because none may be sent.
    pub(super) stale: bool,
    /// For a network how many records of the releases are inside it.
    pub(super) inside: Option<u64>,
}

#[derive(Clone, Debug)]
pub(super) enum SourceRecord {
    /// What the service answered just now.
    Live(LookupAnswer),
    /// What the service answered earlier.
    Cached(LookupAnswer),
    /// A record of a local feed.
    Record(LocalRecord),
    /// No record in these releases.
    NoRecord {
        releases: Vec<Release>,
        /// Records about it that cannot be read.
        unread: usize,
    },
}

impl AnswerPart {
    /// What the service answered just now.
    pub(super) fn live(answer: LookupAnswer) -> Self {
        let elapsed = answer.provenance.elapsed;
        Self::of(SourceRecord::Live(answer), elapsed)
    }

    /// What the service answered earlier.
    pub(super) fn cached(answer: LookupAnswer, stale: bool) -> Self {
        let elapsed = answer.provenance.elapsed;
        Self {
            stale,
            ..Self::of(SourceRecord::Cached(answer), elapsed)
        }
    }

    /// What was found in this time, about an address.
    pub(super) fn of(found: SourceRecord, elapsed: Duration) -> Self {
        Self {
            found,
            elapsed,
            stale: false,
            inside: None,
        }
    }

    /// The source in machine output.
    pub(super) fn source(&self) -> &'static str {
        match &self.found {
            SourceRecord::Live(_) => "live",
            SourceRecord::Cached(_) => "cache",
            SourceRecord::Record(_) | SourceRecord::NoRecord { .. } => "local",
        }
    }

    /// The release that answers; or the only one that has no record.
    pub(super) fn release(&self) -> Option<&Release> {
        match &self.found {
            SourceRecord::Record(record) => Some(&record.release),
            SourceRecord::NoRecord { releases, .. } => match releases.as_slice() {
                [only] => Some(only),
                _ => None,
            },
            SourceRecord::Live(_) | SourceRecord::Cached(_) => None,
        }
    }

    pub(super) fn answer(&self) -> Option<&LookupAnswer> {
        match &self.found {
            SourceRecord::Live(answer) | SourceRecord::Cached(answer) => Some(answer),
            SourceRecord::Record(_) | SourceRecord::NoRecord { .. } => None,
        }
    }

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

    pub(super) fn document(&self) -> Option<&Document> {
        match &self.found {
            SourceRecord::Record(record) => Some(&record.document),
            _ => Some(&self.answer()?.record.as_ref()?.document),
        }
    }

    /// What is in the columns of a record.
    pub(super) fn values(&self) -> ColumnTexts {
        if let SourceRecord::Record(record) = &self.found {
            return reading(record).values();
        }
        let record = self.answer().and_then(|answer| answer.record.as_ref());
        record
            .map(|record| values(&record.context))
            .unwrap_or_default()
    }

    /// The length of the network that the record is about; none for what has no record, which comes last.
    pub(super) fn length(&self) -> Option<u8> {
        match &self.found {
            SourceRecord::Record(record) => Some(record.length()),
            _ => None,
        }
    }
}

/// A local record as far as it is readable.
pub(super) fn reading(record: &LocalRecord) -> Reading {
    Reading::of(record.release.manifest.feed, record.document.value())
}

/// The outcome of a question.
pub(super) type LookupReply = Result<AnswerParts, NotAnswered>;

#[derive(Clone, Debug)]
pub(super) struct AnswerParts {
    /// What it consists of, in the order in which it is shown; never empty.
    pub(super) parts: Vec<AnswerPart>,
    /// Local records about it that cannot be read.
    pub(super) unread: Vec<Unread>,
}

impl AnswerParts {
    pub(super) fn of(part: AnswerPart) -> Self {
        Self {
            parts: vec![part],
            unread: Vec::new(),
        }
    }

    /// The same for an address that was asked about before: it cost nothing more.
    pub(super) fn again(mut self) -> Self {
        for part in &mut self.parts {
            if let SourceRecord::Live(answer) = &mut part.found {
                (answer.provenance.cost, answer.provenance.possibly_spent) = (0, 0);
            }
        }
        self
    }
}
