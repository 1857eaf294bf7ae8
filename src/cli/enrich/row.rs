//! A row of the answers: a record about an address of the text, of a local feed, the cache or the service, or none.

use std::{borrow::Cow, cell::OnceCell};

use jiff::Timestamp;
use serde::{Serialize, Serializer};

use super::event::{EventRow, asked, event_columns, event_words, reading, record};
use crate::{
    cli::lookup,
    contract::Feed,
    engine::{Family, Kind, LocalLine, LookupAnswer, OtherRecord, Provenance, answers::Source},
    investigation::{
        board::{BoardEntry, Standing, Standings},
        event_answer::{AddressOnDay, EventAnswer, verdict_basis, verdict_of_answer},
        gather::{FoundAddress, Occurrences},
        history::Recent,
        text::AddressRole,
    },
    model::{Day, Document, Subject, Terms, context::VerdictBasis, document},
    report::{
        Cell, ColumnTexts, Columns, Line, Reading, TextCell, ValueRow, load_cell, recent_in_words,
        recent_object, standings, value, value_columns,
    },
    store::{Manifest, layout::Release},
};

const UNKNOWN: &str = "no record";

/// What all rows of a run have in common.
pub(super) struct RowContext {
    pub(super) releases: Vec<Release>,
    /// The names of the texts, where there are several.
    texts: Vec<String>,
    /// What is the same for the addresses of each family that have no record, in the order of [`Family::ALL`].
    none: [NoRecord; Family::ALL.len()],
    /// Whether every record of an address has a row.
    all: bool,
    /// Whether each answer is of a day of events.
    pub(super) at_time: bool,
    /// Whether every local feed that is asked can be read.
    pub(super) is_whole: bool,
}

impl RowContext {
    pub(super) fn new(releases: Vec<Release>, texts: Vec<String>, all: bool) -> Self {
        Self {
            none: Family::ALL.map(|family| NoRecord::of(family, &releases)),
            releases,
            texts,
            all,
            at_time: false,
            is_whole: true,
        }
    }
}

/// What the service answered, just now or before.
pub(super) type ServiceAnswer = (Source, LookupAnswer);

/// The columns of an answer: those of lookup, and what there is to say of an address in a text, and on the day of its event.
pub(super) fn columns<'a>(at_time: bool) -> Columns<EnrichRow<'a>> {
    let of_events = move |add: fn(Columns<EnrichRow<'a>>) -> Columns<EnrichRow<'a>>| {
        move |columns| if at_time { add(columns) } else { columns }
    };
    Columns::<EnrichRow<'a>>::default()
        .column("query", "address", |row| row.found.address.to_string())
        .json("input", |row| {
            Cell::some(row.found.typed.as_deref().map(str::to_owned))
        })
        .data("source", |row| match row.answer {
            Some((Source::Live, _)) => "live",
            Some(_) => "cache",
            // What was just paid for is about the day of the event.
            None if row.line.is_none() && row.asked().is_some_and(|asked| asked.cost > 0) => "live",
            None => lookup::source_of(row.release().or(row.context.releases.first())),
        })
        .column("feed", "feed", |row| {
            Some(row.release()?.manifest.feed.name())
        })
        .shown(|row| match row.answer {
            Some((Source::Live, _)) => TextCell::known("live"),
            Some(_) => TextCell::known("cache"),
            None => row.of_record(|release| release.manifest.feed.name().to_owned()),
        })
        .column("day", "day", |row| {
            let answered = row.answer.map(|(_, answer)| answer.provenance.data_date);
            let local = || Some(row.release()?.manifest.moment.day());
            answered.unwrap_or_else(local).map(|day| day.to_string())
        })
        .shown(|row| match row.answer {
            Some((_, answer)) => TextCell::or_dash(answer.provenance.data_date.map(Day::dashed)),
            None => row.of_record(|release| release.manifest.moment.dashed()),
        })
        .json("load", |row| {
            load_cell(row.release().filter(|_| row.answer.is_none()))
        })
        .data("cost", |row| row.asked().map_or(0, |asked| asked.cost))
        .data("balance", |row| row.asked()?.balance)
        .json("elapsed_ms", |row| {
            let elapsed = row.asked().map_or(0, |asked| asked.elapsed.as_millis());
            u64::try_from(elapsed).unwrap_or(u64::MAX)
        })
        .words("anonymization", |row| row.said("anonymization"))
        .words("cc", |row| row.said("country"))
        .words("clients", |row| row.said("client_count"))
        .words("seen", |row| {
            TextCell::or_dash(row.seen().map(|seen| seen.count.to_string()))
        })
        .words("role", |row| {
            TextCell::or_dash(row.seen().map(|seen| seen.role.word().to_owned()))
        })
        .with(of_events(event_words))
        .words("record", |row| TextCell::known(row.brief()))
        .with(value_columns)
        .csv("stale", |_| Cell::Absent)
        .csv("inside", |_| Cell::Absent)
        .csv("error", |row| {
            let is_read = row.read().is_read;
            (!is_read).then(|| Kind::Integrity.word())
        })
        .json("also", |row| {
            Cell::some((!row.context.all).then(|| Cell::objects(row.others())))
        })
        .csv("also", EnrichRow::others_in_words)
        .with(text_columns)
        .with(of_events(event_columns))
        .json("left_out", |row| {
            Cell::some(row.is_left_out.then_some(true))
        })
        .json("searched", |row| match (row.line, row.answer) {
            (None, None) => row.none().searched.clone(),
            _ => Cell::Absent,
        })
        .json("recent", |row| {
            let recent = row.recent.as_ref().map(recent_object);
            recent.map_or(Cell::Absent, |line| Cell::Json(line.end()))
        })
        .json("record", |row| match row.bytes() {
            Some(record) => Cell::Json(record.to_owned()),
            None => Cell::document(row.document().as_ref()),
        })
        .json("unread", |row| Cell::some(row.is_unread().then_some(1_u64)))
        .json("lossy", |row| match row.bytes() {
            Some(_) => Cell::Absent,
            None => Cell::lossy(&row.document()),
        })
}

/// Where and when an address is in a text, and what stands beside it.
fn text_columns(columns: Columns<EnrichRow<'_>>) -> Columns<EnrichRow<'_>> {
    columns
        .data("count", |row| Cell::some(row.seen().map(|seen| seen.count)))
        .json("lines", |row| Cell::some(row.seen().map(|seen| seen.lines)))
        .json("role", |row| {
            Cell::some(row.seen().map(|seen| seen.role.word()))
        })
        .json("may_end_in_port", |row| {
            let may = row.seen().is_some_and(|seen| seen.may_end_in_port);
            Cell::some(may.then_some(true))
        })
        .data("first_line", |row| {
            Cell::some(row.seen().map(|seen| seen.first_line))
        })
        .data("first_time", |row| Cell::some(row.time(|(first, _)| first)))
        .data("last_time", |row| Cell::some(row.time(|(_, last)| last)))
        .json("columns", EnrichRow::columns)
        .csv("columns", EnrichRow::columns_in_words)
        .csv("lines", |row| Cell::some(row.seen().map(|seen| seen.lines)))
        .csv("role", |row| {
            Cell::some(row.seen().map(|seen| seen.role.word()))
        })
        .json("first_file", |row| {
            let name = row.seen().and_then(|seen| row.context.texts.get(seen.text));
            Cell::some(name.cloned())
        })
}

/// A record about an address of the text, or none.
pub(in crate::cli) struct EnrichRow<'a> {
    context: &'a RowContext,
    found: &'a FoundAddress,
    event: Option<&'a EventAnswer>,
    line: Option<LocalLine<'a>>,
    /// What the service answered, in place of a local record.
    pub(super) answer: Option<&'a ServiceAnswer>,
    /// A query would tell more, and was not sent.
    pub(super) is_left_out: bool,
    /// Records of other addresses name it as an entry.
    pub(super) is_named: bool,
    /// What the last local days add.
    pub(super) recent: Option<Recent>,
    also: Vec<OtherRecord>,
    bytes: OnceCell<Option<&'a str>>,
    read: OnceCell<ReadLine>,
}

/// The values of each column, in the order of the columns.
struct CountedColumns<'v>(Vec<(&'v str, Vec<CountedValue<'v>>)>);

/// How often a value stands beside an address; `None` is any other.
#[derive(Serialize)]
struct CountedValue<'v> {
    value: Option<Cow<'v, str>>,
    count: u32,
}

impl Serialize for CountedColumns<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(column, values)| (column, values)))
    }
}

/// What a record says.
struct ReadLine {
    is_read: bool,
    reading: Reading,
    values: ColumnTexts,
    /// What its verdict rests on, if that of the day of an event stands beside it.
    verdict: Option<VerdictBasis>,
}

impl ValueRow for EnrichRow<'_> {
    fn values(&self) -> &ColumnTexts {
        &self.read().values
    }
}

impl EventRow for EnrichRow<'_> {
    fn event_day(&self) -> Option<Day> {
        self.found.day
    }

    fn event(&self) -> Option<&EventAnswer> {
        self.event
    }

    fn place(&self) -> &'static str {
        lookup::source_of(self.context.releases.first())
    }

    fn changed(&self) -> Option<bool> {
        self.event?.changed(self.read().verdict.as_ref())
    }
}

impl<'a> EnrichRow<'a> {
    pub(super) fn of(
        context: &'a RowContext,
        found: &'a FoundAddress,
        event: Option<&'a EventAnswer>,
        line: Option<LocalLine<'a>>,
        also: Vec<OtherRecord>,
    ) -> Self {
        Self {
            context,
            found,
            event,
            line,
            answer: None,
            is_left_out: false,
            is_named: false,
            recent: None,
            also,
            bytes: OnceCell::new(),
            read: OnceCell::new(),
        }
    }

    /// The row as filters and groups see it.
    pub(super) fn entry<'t>(&'t self, terms: Option<&'t Terms>) -> BoardEntry<'t> {
        let beside = self.found.seen.as_deref();
        BoardEntry {
            address: self.found.address,
            standings: self.standings(terms),
            record: terms,
            beside: beside.map(|(seen, values)| (values.as_ref(), &seen.beside)),
            lines: self.seen().map_or(1, |seen| seen.lines),
            role: self.seen().map_or(AddressRole::Unknown, |seen| seen.role),
            day: self.found.day,
            events: self.seen().and_then(|seen| seen.events.as_deref()),
        }
    }

    /// The record that filters and groups are about: with the days of events that of the day.
    pub(super) fn entry_document(&self) -> Option<Document> {
        match (self.context.at_time, self.event) {
            (true, event) => record(&event?.then).cloned(),
            (false, _) => self.document(),
        }
    }

    fn standings(&self, terms: Option<&Terms>) -> Standings {
        if self.context.at_time {
            let then = self.event.map(|event| &event.then);
            return match (then.and_then(AddressOnDay::best), terms) {
                (Some(_), Some(_)) => {
                    let reading = then.and_then(reading).unwrap_or(Reading::Unread);
                    standings(&reading, terms)
                }
                (Some(_), None) => Standing::NoRecord.into(),
                (None, _) => Standing::Unknown.into(),
            };
        }
        let own = match (self.line, self.answer, terms) {
            (_, _, Some(_)) => standings(&self.read().reading, terms),
            (Some(_), _, None) => Standing::Unreadable.into(),
            (None, Some(_), None) => Standing::NoRecord.into(),
            (None, None, None) => Standing::Unknown.into(),
        };
        let has_tunnel = ["operators", "tunnel_types"]
            .iter()
            .any(|column| self.line.is_some() && !value(self.values(), column).is_empty());
        if self.is_named && !has_tunnel {
            own.or_entry()
        } else {
            own
        }
    }

    pub(super) fn seen(&self) -> Option<&'a Occurrences> {
        self.found.seen.as_deref().map(|(seen, _)| seen)
    }

    /// One of the times beside the address in the text.
    fn time(&self, which: fn((Timestamp, Timestamp)) -> Timestamp) -> Option<String> {
        Some(which(self.seen()?.times?).to_string())
    }

    /// What stands beside the address in the text, by column, each value with its number; that of others is for null.
    fn columns(&self) -> Cell {
        let Some((seen, values)) = self.found.seen.as_deref() else {
            return Cell::Absent;
        };
        let mut columns = Vec::new();
        values.each(&seen.beside, |column, column_values| {
            let values = column_values.values.into_iter();
            let values = values.map(|(value, count)| CountedValue {
                value: Some(value),
                count,
            });
            let others = (column_values.others > 0).then_some(CountedValue {
                value: None,
                count: column_values.others,
            });
            columns.push((column, values.chain(others).collect()));
        });
        Cell::some((!columns.is_empty()).then(|| Cell::json(CountedColumns(columns))))
    }

    /// The same in one cell of CSV.
    fn columns_in_words(&self) -> String {
        let mut columns = Vec::new();
        if let Some((seen, values)) = self.found.seen.as_deref() {
            values.each(&seen.beside, |column, column_values| {
                let values: Vec<&str> = column_values
                    .values
                    .iter()
                    .map(|(value, _)| &**value)
                    .collect();
                columns.push(format!("{column}={}", values.join(" ")));
            });
        }
        columns.join("; ")
    }

    /// Whether it is about no record.
    pub(super) fn has_no_record(&self) -> bool {
        let is_answered = self
            .answer
            .is_some_and(|(_, answer)| answer.record.is_some());
        self.line.is_none() && !is_answered
    }

    /// Whether its record cannot be read.
    pub(super) fn is_unread(&self) -> bool {
        match self.read.get() {
            Some(read) => !read.is_read,
            None => self.line.is_some() && self.bytes().is_none() && self.document().is_none(),
        }
    }

    /// The bytes of the record as they are where they are safe on a screen; then it need not be parsed.
    fn bytes(&self) -> Option<&'a str> {
        let bytes = || document::as_line(self.line?.line);
        *self.bytes.get_or_init(bytes)
    }

    fn document(&self) -> Option<Document> {
        match self.answer {
            Some((_, answer)) => answer.record.as_ref().map(|record| record.document.clone()),
            None => Document::read(self.line?.line).ok(),
        }
    }

    /// The request to the service that answered just now.
    fn asked(&self) -> Option<&'a Provenance> {
        let of_today = self.answer.filter(|(source, _)| *source == Source::Live);
        let of_today = of_today.map(|(_, answer)| answer);
        let answer = of_today.or_else(|| self.event.and_then(asked))?;
        Some(&answer.provenance)
    }

    /// The release of the record; or the only one that has none.
    fn release(&self) -> Option<&'a Release> {
        match (self.line, self.answer) {
            (Some(line), _) => Some(&self.context.releases[line.release]),
            (None, Some(_)) => None,
            (None, None) => self.none().only.as_ref(),
        }
    }

    /// What there is to say of the release of the record.
    fn of_record(&self, words: impl FnOnce(&Release) -> String) -> TextCell {
        TextCell::or_dash(self.line.and(self.release()).map(words))
    }

    fn none(&self) -> &'a NoRecord {
        &self.context.none[Family::of(Subject::Address(self.found.address)) as usize]
    }

    fn read(&self) -> &ReadLine {
        self.read.get_or_init(|| {
            let document = self.document();
            let reading = match (&document, self.release()) {
                _ if let Some((_, answer)) = self.answer => {
                    Reading::of_answer(answer).unwrap_or(Reading::Unread)
                }
                (Some(document), Some(release)) => {
                    Reading::of(release.manifest.feed, document.value())
                }
                _ => Reading::Unread,
            };
            ReadLine {
                is_read: self.line.is_none() || document.is_some(),
                values: reading.values(),
                verdict: self
                    .event
                    .and_then(|_| self.verdict_today(document.as_ref())),
                reading,
            }
        })
    }

    /// What the verdict on the record rests on; `None` where a record cannot be read, or one of a feed that cannot be read may say more.
    fn verdict_today(&self, document: Option<&Document>) -> Option<VerdictBasis> {
        if let Some((_, answer)) = self.answer {
            return Some(verdict_of_answer(answer));
        }
        let feed = self
            .line
            .and(self.release())
            .map(|release| release.manifest.feed);
        let mut releases = self.context.releases.iter();
        let has_contexts = releases.any(|release| release.manifest.feed.holds_contexts());
        let is_known = self.context.is_whole && has_contexts;
        if !is_known && !feed.is_some_and(Feed::holds_contexts) {
            return None;
        }
        match feed {
            Some(feed) => verdict_basis(Some((feed, document?))),
            None => verdict_basis(None),
        }
    }

    fn said(&self, column: &str) -> TextCell {
        TextCell::or_dash(Some(value(self.values(), column)).filter(|text| !text.is_empty()))
    }

    /// The record in one line, and which other feeds have one.
    fn brief(&self) -> String {
        let brief = self.brief_of_record();
        match self.recent.as_ref().and_then(recent_in_words) {
            Some(recent) => format!("{brief}; {recent}"),
            None => brief,
        }
    }

    fn brief_of_record(&self) -> String {
        let read = self.read();
        let has_answer = self
            .answer
            .is_some_and(|(_, answer)| answer.record.is_some());
        let mut brief = match self.line {
            None if self.is_left_out => return format!("{UNKNOWN}, not looked up"),
            None if !has_answer => return UNKNOWN.to_owned(),
            _ if read.is_read => read.reading.brief(&read.values).text,
            _ => "unreadable".to_owned(),
        };
        let also = self.also.iter();
        let mut others: Vec<&str> = also
            .map(|record| self.of_other(record).feed.name())
            .collect();
        others.dedup();
        if !others.is_empty() {
            brief += &format!("; also {}", others.join(", "));
        }
        brief
    }

    fn of_other(&self, other: &OtherRecord) -> &'a Manifest {
        &self.context.releases[other.release].manifest
    }

    fn others(&self) -> impl Iterator<Item = Line> {
        self.also.iter().map(|other| {
            let manifest = self.of_other(other);
            Line::default()
                .key("feed", manifest.feed.name())
                .key("day", manifest.moment.day().to_string())
                .key("subject", other.subject.map(|subject| subject.to_string()))
        })
    }

    /// The other records in one cell of CSV.
    fn others_in_words(&self) -> String {
        let other = |other: &OtherRecord| {
            let manifest = self.of_other(other);
            let subject = other.subject.map(|subject| format!(" {subject}"));
            format!(
                "{} {}{}",
                manifest.feed,
                manifest.moment.day(),
                subject.unwrap_or_default()
            )
        };
        self.also.iter().map(other).collect::<Vec<_>>().join("; ")
    }
}

/// What is printed of an address without a record.
struct NoRecord {
    /// The releases that were searched.
    searched: Cell,
    /// The only release that was searched.
    only: Option<Release>,
}

impl NoRecord {
    /// The releases that may hold a family of addresses.
    fn of(family: Family, releases: &[Release]) -> Self {
        let may_hold = |release: &&Release| family.is_of(release.manifest.feed);
        let searched: Vec<&Release> = releases.iter().filter(may_hold).collect();
        let only = match searched.as_slice() {
            [only] => Some((*only).clone()),
            _ => None,
        };
        Self {
            searched: Cell::json(lookup::searched(searched)),
            only,
        }
    }
}
