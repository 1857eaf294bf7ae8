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
    engine::{
        LocalRecord, LookupAnswer, NotAnswered, Provenance, Unread,
        answers::{Source, replaces_a_query},
    },
    investigation::history::Recent,
    model::{Day, Document},
    report::{
        Cell, ColumnTexts, Columns, Fact, NOTHING, NOTHING_HERE, Reading, TextCell, Ticket,
        TicketStamp, ValueRow, answer_ticket, beside_sentence, count, counted, each, fact, instant,
        load_cell, local_ticket, minute, recent_object, sheet, value_columns,
    },
    store::layout::Release,
};

/// What is asked, and where its answer comes from; then a record; then what holds of some answers alone.
pub(in crate::cli) fn columns<'a>() -> Columns<ShownPart<'a>> {
    Columns::<ShownPart<'a>>::default()
        .data("query", |part| part.query.to_owned())
        .json("input", |part| Cell::some(part.input))
        .json("date", |part| {
            Cell::some(part.date.map(|day| day.to_string()))
        })
        .json("mmgeo", |part| Cell::some(part.is_mmgeo()))
        .data("source", |part| part.part.source())
        .data("feed", |part| {
            Some(part.part.release()?.manifest.feed.name())
        })
        .data("day", |part| part.part.day())
        .json("load", |part| {
            load_cell(part.part.release().or_else(|| part.part.searched()))
        })
        .data("cost", |part| {
            part.part.asked().map_or(0, |asked| asked.cost)
        })
        .data("balance", |part| part.part.asked()?.balance)
        .json("elapsed_ms", |part| {
            u64::try_from(part.part.elapsed.as_millis()).unwrap_or(u64::MAX)
        })
        .with(value_columns)
        .data("stale", |part| Cell::some(part.part.stale.then_some(true)))
        .data("inside", |part| Cell::some(part.part.inside))
        .json("unread", |part| match part.part.found {
            SourceRecord::NoRecord { unread, .. } if unread > 0 => unread.into(),
            _ => Cell::Absent,
        })
        .json("searched", |part| match &part.part.found {
            SourceRecord::NoRecord { releases, .. } => Cell::json(searched(releases)),
            _ => Cell::Absent,
        })
        .json("recent", |part| {
            let recent = part.recent.as_ref().map(|(_, recent)| recent);
            recent.map_or(Cell::Absent, |recent| {
                Cell::Json(recent_object(recent).end())
            })
        })
        .json("record", |part| Cell::document(part.part.document()))
        .json("lossy", |part| Cell::lossy(part.part.document()))
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
    /// What the last local days add to it.
    pub(super) recent: Option<&'a (String, Recent)>,
}

impl ValueRow for ShownPart<'_> {
    fn values(&self) -> &ColumnTexts {
        let reading = || self.part.reading();
        self.values.get_or_init(|| {
            reading()
                .map(|reading| reading.values())
                .unwrap_or_default()
        })
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
            let recent = self.recent.map(|(words, _)| format!("; {words}"));
            let recent = recent.unwrap_or_default();
            let heading = format!("{}  {}{recent}", self.query, self.sources());
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
            SourceRecord::Answer(source, answer) => {
                answer_ticket(query, *source, self.geolocation, answer, &[], written)
            }
            SourceRecord::Record(record) => local_ticket(query, record, &[], written),
            SourceRecord::NoRecord {
                releases, unread, ..
            } => Ticket::written(query, written)
                .sentence(&format!(
                    "{query}: {}.",
                    no_record(*unread, releases.first())
                ))
                .line("source", &format!("{} feeds", source_of(releases.first())))
                .line("data dates", &names(releases))
                .line("read at", &format!("{}, no query sent", minute(written.at)))
                .end(),
        };
        let ticket = match self.recent {
            Some((words, _)) => beside_sentence(&ticket, words),
            None => ticket,
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
        let none = || match self.part.found {
            SourceRecord::NoRecord { unread: 0, .. } if self.part.inside > Some(0) => {
                "none for the network or one that covers it".to_owned()
            }
            SourceRecord::NoRecord {
                unread,
                ref releases,
            } => no_record(unread, releases.first()),
            SourceRecord::Answer(..) | SourceRecord::Record(_) => NOTHING.to_owned(),
        };
        let mut facts = match self.part.reading() {
            Some(reading) => reading.facts(),
            None => vec![fact("record", TextCell::unknown(&none()))],
        };
        if let Some(inside) = self.part.inside {
            facts.push(fact("records inside", TextCell::known(count(inside))));
        }
        facts
    }

    /// Where it comes from and what it cost, on one line.
    fn sources(&self) -> String {
        let stale = if self.part.stale { ", stale" } else { "" };
        let (source, answer) = match &self.part.found {
            SourceRecord::Answer(source, answer) => (source, answer),
            SourceRecord::Record(record) => {
                let source = record.release.manifest.source();
                return format!("{source}, {}{stale}, free", name(&record.release));
            }
            SourceRecord::NoRecord { releases, .. } => {
                let source = source_of(releases.first());
                return format!("{source}, {}, free", names(releases));
            }
        };
        let asked = &answer.provenance;
        let day = match asked.data_date {
            Some(day) => format!("of {}", day.dashed()),
            None => "release date not given".to_owned(),
        };
        let location = match self.geolocation {
            Geolocation::Service => "",
            Geolocation::Mmgeo => ", third-party location (mmgeo)",
        };
        if *source != Source::Live {
            let at = instant(asked.asked_at);
            return format!("cache, {day}, asked at {at}{stale}, free{location}");
        }
        let cost = counted(asked.cost.into(), "query");
        let left = asked.balance.map_or("unknown".to_owned(), count);
        format!("live, {day}, {cost}, balance {left}{location}")
    }
}

/// Where the releases are that have no record.
pub(in crate::cli) fn source_of(first: Option<&Release>) -> &'static str {
    first.map_or("local", |release| release.manifest.source())
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
fn no_record(unread: usize, first: Option<&Release>) -> String {
    let days = first.map_or("local", |release| release.manifest.place().words().days);
    match unread {
        0 => NOTHING_HERE.replace("local", days),
        1 => "the one record about it cannot be read".to_owned(),
        _ => format!("the {unread} records about it cannot be read"),
    }
}

/// Releases in words: which feed, of which day.
pub(in crate::cli) fn names(releases: &[Release]) -> String {
    if releases.is_empty() {
        return "no feed that could have it".to_owned();
    }
    each(releases.iter().map(name), ", ")
}

/// A release in words: which feed, of which day.
pub(super) fn name(release: &Release) -> String {
    let manifest = &release.manifest;
    format!("{} of {}", manifest.feed, manifest.moment.dashed())
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
    /// What the service answered, just now or earlier.
    Answer(Source, Box<LookupAnswer>),
    /// A record of a local feed.
    Record(Box<LocalRecord>),
    /// No record in these releases.
    NoRecord {
        releases: Vec<Release>,
        /// Records about it that cannot be read.
        unread: usize,
    },
}

impl AnswerPart {
    /// What the service answered.
    pub(super) fn answered(source: Source, answer: LookupAnswer, stale: bool) -> Self {
        let elapsed = answer.provenance.elapsed;
        Self {
            stale,
            ..Self::of(SourceRecord::Answer(source, Box::new(answer)), elapsed)
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

    /// A release that has no record.
    fn searched(&self) -> Option<&Release> {
        match &self.found {
            SourceRecord::NoRecord { releases, .. } => releases.first(),
            SourceRecord::Answer(..) | SourceRecord::Record(_) => None,
        }
    }

    /// Whether it says who is behind an address, or that nothing is known of that: no netblock, place or window.
    pub(super) fn is_about_verdict(&self) -> bool {
        match &self.found {
            SourceRecord::Record(record) => replaces_a_query(record.release.manifest.feed),
            SourceRecord::Answer(..) | SourceRecord::NoRecord { .. } => true,
        }
    }

    /// The source in machine output.
    fn source(&self) -> &'static str {
        match &self.found {
            SourceRecord::Answer(Source::Live, _) => "live",
            SourceRecord::Answer(..) => "cache",
            SourceRecord::Record(record) => record.release.manifest.source(),
            SourceRecord::NoRecord { releases, .. } => source_of(releases.first()),
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
            SourceRecord::Answer(..) => None,
        }
    }

    /// The request to the service.
    fn asked(&self) -> Option<&Provenance> {
        match &self.found {
            SourceRecord::Answer(_, answer) => Some(&answer.provenance),
            SourceRecord::Record(_) | SourceRecord::NoRecord { .. } => None,
        }
    }

    fn day(&self) -> Option<String> {
        let answered = self.asked().and_then(|asked| asked.data_date);
        let local = || self.release().map(|release| release.manifest.moment.day());
        answered.or_else(local).map(|day| day.to_string())
    }

    pub(super) fn document(&self) -> Option<&Document> {
        match &self.found {
            SourceRecord::Answer(_, answer) => Some(&answer.record.as_ref()?.document),
            SourceRecord::Record(record) => Some(&record.document),
            SourceRecord::NoRecord { .. } => None,
        }
    }

    /// The record as far as it is readable.
    fn reading(&self) -> Option<Reading> {
        match &self.found {
            SourceRecord::Answer(_, answer) => Reading::of_answer(answer),
            SourceRecord::Record(record) => Some(Reading::of_record(record)),
            SourceRecord::NoRecord { .. } => None,
        }
    }

    /// The length of the network that the record is about; none for what has no record, which comes last.
    pub(super) fn length(&self) -> Option<u8> {
        match &self.found {
            SourceRecord::Record(record) => Some(record.length()),
            _ => None,
        }
    }
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
    /// The same for an address that was asked about before: it cost nothing more.
    pub(super) fn again(mut self) -> Self {
        for part in &mut self.parts {
            if let SourceRecord::Answer(Source::Live, answer) = &mut part.found {
                (answer.provenance.cost, answer.provenance.possibly_spent) = (0, 0);
            }
        }
        self
    }
}
