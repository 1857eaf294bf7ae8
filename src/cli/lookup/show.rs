//! An answer about an address in the four formats.

#[cfg(test)]
mod tests;

use std::{cell::OnceCell, time::Duration};

use serde_json::{Value, json};

use crate::{
    cli::{
        args::ResultFormat,
        console::{CommandResult, Console},
    },
    contract::Geolocation,
    engine::{LocalRecord, LookupAnswer, NotAnswered, Unread},
    model::{Day, Document},
    report::{
        Cell, ColumnTexts, Columns, Fact, NOTHING, NOTHING_HERE, Reading, TextCell, Ticket,
        TicketStamp, ValueRow, count, counted, fact, instant, kept_ticket, local_ticket,
        lookup_ticket, minute, of_record, sheet, value_columns, values,
    },
    store::layout::Release,
};

/// What is asked, and where its answer comes from; then a record; then what holds of some answers alone.
pub(in crate::cli) fn columns<'a>() -> Columns<ShownPart<'a>> {
    Columns::<ShownPart<'a>>::new()
        .data("query", |own| own.query.to_owned())
        .json("input", |own| Cell::some(own.input))
        .json("date", |own| {
            Cell::some(own.date.map(|day| day.to_string()))
        })
        .json("mmgeo", |own| Cell::some(own.is_mmgeo()))
        .data("source", |own| own.part.source())
        .data("feed", |own| Some(own.part.release()?.manifest.feed.name()))
        .data("day", |own| own.part.day())
        .data("cost", |own| own.part.cost())
        .data("balance", |own| own.part.balance())
        .json("elapsed_ms", |own| {
            u64::try_from(own.part.elapsed.as_millis()).unwrap_or(u64::MAX)
        })
        .with(value_columns)
        .data("stale", |own| Cell::some(own.part.stale.then_some(true)))
        .data("inside", |own| Cell::some(own.part.inside))
        .json("unread", |own| match own.part.found {
            SourceRecord::NoRecord { unread, .. } if unread > 0 => unread.into(),
            _ => Cell::Absent,
        })
        .json("searched", |own| match &own.part.found {
            SourceRecord::NoRecord { releases, .. } => Cell::json(searched(releases)),
            _ => Cell::Absent,
        })
        .json("record", |own| Cell::document(own.part.document()))
        .json("lossy", |own| Cell::lossy(own.part.document()))
        .csv("error", |_| Cell::Absent)
}

/// A part of an answer to be shown.
pub(in crate::cli) struct ShownPart<'a> {
    pub(super) query: &'a str,
    /// What was typed, where it differs from the query.
    pub(super) input: Option<&'a str>,
    pub(super) part: &'a AnswerPart,
    /// Which geolocation the service was asked for.
    pub(super) geolocation: Geolocation,
    /// The past day that was asked for.
    pub(super) date: Option<Day>,
    /// When it is written, and of which world.
    pub(super) written: TicketStamp,
    pub(super) values: OnceCell<ColumnTexts>,
}

impl ValueRow for ShownPart<'_> {
    fn values(&self) -> &ColumnTexts {
        self.values.get_or_init(|| self.part.values())
    }
}

impl ShownPart<'_> {
    /// Prints the answer: for people a block of its own.
    pub(super) fn print(&self, console: &Console) -> CommandResult<()> {
        let (format, style) = (console.format(), console.style());
        let words = || {
            if format == ResultFormat::Md {
                return self.ticket();
            }
            let heading = format!("{}  {}", self.query, self.sources());
            sheet(&heading, &self.facts(), style)
        };
        console.rows(|rows| rows.block(&columns(), self, words))
    }

    /// Whether the third-party location was asked for.
    fn is_mmgeo(&self) -> Option<bool> {
        (self.geolocation == Geolocation::Mmgeo).then_some(true)
    }

    fn ticket(&self) -> String {
        let (query, written) = (self.query, self.written);
        let ticket = match &self.part.found {
            SourceRecord::Live(answer) => {
                lookup_ticket(query, self.geolocation, answer, &[], written)
            }
            SourceRecord::Cached(answer) => {
                kept_ticket(query, self.geolocation, answer, &[], written)
            }
            SourceRecord::Record(record) => local_ticket(query, record, &[], written),
            SourceRecord::NoRecord {
                releases, unread, ..
            } => Ticket::written(query, written)
                .sentence(&format!("{query}: {}.", no_record(*unread)))
                .line("source", "local feeds")
                .line("data dates", &names(releases))
                .line("read at", &format!("{}, no query sent", minute(written.at)))
                .end(),
        };
        let mut more = String::new();
        if self.part.stale {
            more += "- **stale:** too old to replace a query; none could be sent\n";
        }
        if let Some(inside) = self.part.inside {
            more += &format!("- **records inside:** {}\n", count(inside));
        }
        ticket + &more
    }

    fn facts(&self) -> Vec<Fact> {
        let mut facts = match &self.part.found {
            SourceRecord::Record(record) => reading(record).facts(),
            SourceRecord::NoRecord { unread: 0, .. } if self.part.inside > Some(0) => {
                let none = "none for the network or one that covers it";
                vec![fact("record", TextCell::unknown(none))]
            }
            SourceRecord::NoRecord { unread, .. } => {
                vec![fact("record", TextCell::unknown(&no_record(*unread)))]
            }
            SourceRecord::Live(answer) | SourceRecord::Cached(answer) => match &answer.record {
                Some(record) => of_record(&record.context),
                None => vec![fact("record", TextCell::unknown(NOTHING))],
            },
        };
        if let Some(inside) = self.part.inside {
            facts.push(fact("records inside", TextCell::known(count(inside))));
        }
        facts
    }

    /// Where it comes from and what it cost, on one line.
    fn sources(&self) -> String {
        let stale = if self.part.stale { ", stale" } else { "" };
        match &self.part.found {
            SourceRecord::Live(answer) => {
                let provenance = &answer.provenance;
                let balance = provenance
                    .balance
                    .map_or("balance unknown".to_owned(), |left| {
                        format!("balance {}", count(left))
                    });
                let cost = counted(provenance.cost.into(), "query");
                format!(
                    "live, {}, {cost}, {balance}{}",
                    of_day(answer),
                    of_third_party(self.geolocation)
                )
            }
            SourceRecord::Cached(answer) => {
                let asked = instant(answer.provenance.asked_at);
                format!(
                    "cache, {}, asked at {asked}{stale}, free{}",
                    of_day(answer),
                    of_third_party(self.geolocation)
                )
            }
            SourceRecord::Record(record) => {
                let manifest = &record.release.manifest;
                format!(
                    "local, {} of {}{stale}, free",
                    manifest.feed,
                    manifest.moment.dashed()
                )
            }
            SourceRecord::NoRecord { releases, .. } => {
                format!("local, {}, free", names(releases))
            }
        }
    }
}

/// The releases that have no record, in machine output.
pub(in crate::cli) fn searched<'a>(releases: impl IntoIterator<Item = &'a Release>) -> Vec<Value> {
    let feed = |release: &Release| {
        let manifest = &release.manifest;
        json!({"feed": manifest.feed.name(), "day": manifest.moment.day().to_string()})
    };
    releases.into_iter().map(feed).collect()
}

/// What is said where no record can be shown; so many about it cannot be read.
fn no_record(unread: usize) -> String {
    match unread {
        0 => NOTHING_HERE.to_owned(),
        1 => "the one record about it cannot be read".to_owned(),
        _ => format!("the {unread} records about it cannot be read"),
    }
}

fn of_day(answer: &LookupAnswer) -> String {
    match answer.provenance.data_date {
        Some(day) => format!("of {}", day.dashed()),
        None => "release date not given".to_owned(),
    }
}

fn of_third_party(geolocation: Geolocation) -> &'static str {
    match geolocation {
        Geolocation::Service => "",
        Geolocation::Mmgeo => ", third-party location (mmgeo)",
    }
}

/// Releases in words: which feed, of which day.
pub(in crate::cli) fn names(releases: &[Release]) -> String {
    if releases.is_empty() {
        return "no feed that could have it".to_owned();
    }
    let name = |release: &Release| {
        let manifest = &release.manifest;
        format!("{} of {}", manifest.feed, manifest.moment.dashed())
    };
    releases.iter().map(name).collect::<Vec<_>>().join(", ")
}

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
fn reading(record: &LocalRecord) -> Reading {
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
