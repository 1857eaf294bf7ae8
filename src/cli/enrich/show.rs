//! Answers put into their format, batch by batch.

use std::{cell::OnceCell, collections::HashSet, net::IpAddr};

use jiff::Timestamp;
use serde_json::{Map, json};

use super::{
    batch::{BusyAnswer, ShownBatch, busiest},
    event::{EventRow, asked, event_columns, event_words, reading, record},
    rest::Replies,
};
use crate::{
    cli::{
        args::enrich::EnrichSelection,
        console::Console,
        lookup,
        run::{FeedsJudged, is_of_contexts},
    },
    engine::{
        Family, Kind, KnownAddress, LocalAnswers, LocalLine, LookupAnswer, OpenRelease,
        OtherRecord, Provenance, answers::Source,
    },
    investigation::{
        board::{BoardEntry, BoardGroups, Standing, Standings},
        event_answer::{AddressOnDay, EventAnswer, verdict_basis, verdict_of_answer},
        gather::{FoundAddress, Occurrences},
    },
    model::{Day, Document, Subject, Terms, context::VerdictBasis, document},
    report::{
        Cell, ColumnTexts, Columns, Line, Reading, ResultFormat, RowFormat, RowPage, TextCell,
        Ticket, ValueRow, standings, value, value_columns,
    },
    store::{Manifest, layout::Release},
};

/// The form of the answers of a run, and which of them are wanted.
pub(super) struct EnrichSheet {
    rows: RowFormat,
    releases: Vec<Release>,
    selected: EnrichSelection,
    /// Whether occurrences are counted.
    counts: bool,
    /// The names of the texts, where there are several.
    texts: Vec<String>,
    /// What is the same for the addresses of each family that have no record, in the order of [`Family::ALL`].
    none: [NoRecord; Family::ALL.len()],
    /// For each release whether its records tell that there are some of a family of addresses.
    judged: Vec<bool>,
    /// Whether each answer is of a day of events.
    at_time: bool,
    /// Whether every local feed that is asked can be read.
    is_whole: bool,
}

impl EnrichSheet {
    pub(super) fn new(
        console: &Console,
        opened: &[OpenRelease],
        selected: EnrichSelection,
        counts: bool,
        texts: Vec<String>,
    ) -> Self {
        let judged = FeedsJudged::of(opened);
        let has = |opened: &OpenRelease| judged.has(opened.release.manifest.feed);
        let releases: Vec<Release> = opened.iter().map(|opened| opened.release.clone()).collect();
        Self {
            rows: console.row_format(),
            none: Family::ALL.map(|family| NoRecord::of(family, &releases)),
            releases,
            selected,
            counts,
            texts,
            judged: opened.iter().map(has).collect(),
            at_time: false,
            is_whole: true,
        }
    }

    /// The same with what was at hand on the days of events; `is_whole` where every local feed that is asked can be read.
    pub(super) fn with_events(self, at_time: bool, is_whole: bool) -> Self {
        Self {
            at_time,
            is_whole,
            ..self
        }
    }

    /// The columns of the answers, of those that people read the ones that say something.
    pub(super) fn columns<'a>(&self) -> Columns<EnrichRow<'a>> {
        let feeds = self.releases.iter().map(|own| own.manifest.feed);
        let mut columns = columns(self.at_time);
        if feeds.len() > 0 && !feeds.clone().any(is_of_contexts) {
            columns = columns.without(&["anonymization", "clients"]);
        }
        if !self.counts {
            columns = columns.without(&["seen"]);
        }
        if self.rows.format == ResultFormat::Md {
            return columns.labelled("day", "data date");
        }
        let width = feeds.map(|feed| feed.name().len()).max();
        columns.sized(move |label| match label {
            "address" => (15, false),
            "feed" => (width.unwrap_or(0), false),
            "day" | "event day" => (10, false),
            "then" => (16, false),
            "anonymization" => (13, false),
            "cc" => (2, false),
            "clients" => (7, true),
            "seen" => (5, true),
            _ => (0, false),
        })
    }

    /// What precedes the answers, or a list of values.
    pub(super) fn ticket(&self) -> Ticket {
        Ticket::about("Addresses")
            .sentence("Addresses found in a text, with their records in the local feeds.")
            .line("source", "local feeds")
            .line("data", &lookup::names(&self.releases))
    }

    /// The answers of a batch.
    pub(super) fn show(
        &self,
        found_address: &[FoundAddress],
        answers: &LocalAnswers,
        beside: &BatchBeside<'_>,
    ) -> ShownBatch {
        let mut shown = ShownBatch {
            addresses: found_address.len() as u64,
            groups: self.selected.group.clone().map(|by| {
                let is_json = self.rows.format == ResultFormat::Json;
                BoardGroups::new(by).with_lists(is_json)
            }),
            ..ShownBatch::default()
        };
        let columns = self.columns();
        answers.each(|known| {
            let Some(found) = found_address.get(known.number) else {
                return;
            };
            let event = beside.events.get(known.number).and_then(Option::as_ref);
            let reply = beside.replies.today(found);
            let is_known = reply.is_some()
                || known.lines.iter().any(|line| self.judged[line.release])
                || known.also.iter().any(|other| self.judged[other.release]);
            shown
                .families
                .asked(Subject::Address(known.address), is_known);
            let why_not = beside.replies.why_not(found, event);
            match why_not {
                Some((error, false)) => {
                    let typed = found.typed.as_deref().map(str::to_owned);
                    let query = found.address.to_string();
                    return shown.failures.push((query, typed, error.clone()));
                }
                Some((error, true)) => {
                    let (_, queries) = shown.left_out.get_or_insert_with(|| (error.clone(), 0));
                    *queries += 1;
                }
                None => {}
            }
            let row = |line, answer, also| EnrichRow {
                is_left_out: why_not.is_some(),
                is_named: beside.named.contains(&found.address),
                answer,
                ..EnrichRow::of(self, found, event, line, also)
            };
            self.add(row, (known, reply), &columns, &mut shown);
        });
        if let Some(most) = self.selected.top {
            busiest(&mut shown.busiest, most);
        }
        shown
    }

    fn add<'a>(
        &'a self,
        row: impl Fn(
            Option<LocalLine<'a>>,
            Option<&'a ServiceAnswer>,
            Vec<OtherRecord>,
        ) -> EnrichRow<'a>,
        (known, reply): (KnownAddress<'a>, Option<&'a ServiceAnswer>),
        columns: &Columns<EnrichRow<'a>>,
        shown: &mut ShownBatch,
    ) {
        let EnrichSelection {
            filter, facet, top, ..
        } = &self.selected;
        let has_record = reply.is_none_or(|(_, answer)| answer.record.is_some());
        if known.lines.is_empty() && reply.is_none() || !has_record {
            let row = row(None, reply, with_lines(&known));
            let entry = row.entry(None);
            // No record has values or clients.
            if !filter.matches(&entry, String::new)
                || facet.is_some()
                || top.is_some() && self.selected.group.is_none()
            {
                return;
            }
            shown.matched += 1;
            match &mut shown.groups {
                Some(groups) => groups.add(&entry),
                None => self.rows.push(columns, &row, &mut shown.rows),
            }
            return;
        }
        let of_service = reply.map(|reply| row(None, Some(reply), with_lines(&known)));
        let is_shown = reply.is_none() || self.selected.all;
        let lines = known.lines.iter().filter(|_| is_shown);
        let of_lines = lines.map(|line| row(Some(*line), None, known.also.clone()));
        for row in of_service.into_iter().chain(of_lines) {
            let is_grouped = shown.groups.is_some();
            let reads = !filter.is_empty() || facet.is_some() || top.is_some() || is_grouped;
            let document = reads.then(|| row.entry_document()).flatten();
            let terms = document
                .as_ref()
                .map(|document| Terms::of(document.value()));
            // A group counts it as what it is.
            if reads && document.is_none() && !is_grouped && !self.at_time {
                shown.unread += 1;
            }
            let entry = reads.then(|| row.entry(terms.as_ref()));
            if let Some(entry) = &entry
                && !filter.matches(entry, String::new)
            {
                continue;
            }
            shown.matched += 1;
            if let (Some(groups), Some(entry)) = (&mut shown.groups, &entry) {
                groups.add(entry);
                continue;
            }
            if let Some(by) = facet {
                if let Some(document) = &document {
                    shown.tally.add(by, document);
                }
                continue;
            }
            let mut busy = RowPage::default();
            let page = if top.is_some() {
                &mut busy
            } else {
                &mut shown.rows
            };
            self.rows.push(columns, &row, page);
            shown.unread += u64::from(row.is_unread());
            if top.is_some() {
                shown.busiest.push(BusyAnswer {
                    clients: terms.and_then(|terms| terms.clients),
                    count: row.seen().map_or(1, |seen| seen.count),
                    row: busy,
                });
            }
        }
    }
}

const UNKNOWN: &str = "no record";

/// What is known of the addresses of a batch beside their local records.
pub(super) struct BatchBeside<'b> {
    /// What was at hand on the days of events.
    pub(super) events: &'b [Option<EventAnswer>],
    /// What the cache and the service answered.
    pub(super) replies: &'b Replies,
    /// The addresses that records of others name as an entry.
    pub(super) named: &'b HashSet<IpAddr>,
}

/// What the service answered, just now or before.
type ServiceAnswer = (Source, LookupAnswer);

/// All local records about an address, where another answer is shown.
fn with_lines(known: &KnownAddress<'_>) -> Vec<OtherRecord> {
    let of_lines = known.lines.iter().map(|line| OtherRecord {
        release: line.release,
        subject: Document::read(line.line)
            .ok()
            .and_then(|own| Terms::of(own.value()).subject),
    });
    of_lines.chain(known.also.iter().copied()).collect()
}

/// The columns of an answer: those of lookup, and what there is to say of an address in a text, and on the day of its event.
pub(super) fn columns<'a>(at_time: bool) -> Columns<EnrichRow<'a>> {
    let of_events = move |add: fn(Columns<EnrichRow<'a>>) -> Columns<EnrichRow<'a>>| {
        move |columns| if at_time { add(columns) } else { columns }
    };
    Columns::<EnrichRow<'a>>::default()
        .column("query", "address", |own| own.found.address.to_string())
        .json("input", |own| {
            Cell::some(own.found.typed.as_deref().map(str::to_owned))
        })
        .data("source", |own| match own.answer {
            Some((Source::Live, _)) => "live",
            Some(_) => "cache",
            None => "local",
        })
        .column("feed", "feed", |own| {
            Some(own.release()?.manifest.feed.name())
        })
        .shown(|own| match own.answer {
            Some((Source::Live, _)) => TextCell::known("live"),
            Some(_) => TextCell::known("cache"),
            None => own.of_record(|release| release.manifest.feed.name().to_owned()),
        })
        .column("day", "day", |own| {
            let answered = own.answer.map(|(_, answer)| answer.provenance.data_date);
            let local = || Some(own.release()?.manifest.moment.day());
            answered.unwrap_or_else(local).map(|day| day.to_string())
        })
        .shown(|own| match own.answer {
            Some((_, answer)) => TextCell::or_dash(answer.provenance.data_date.map(Day::dashed)),
            None => own.of_record(|release| release.manifest.moment.dashed()),
        })
        .data("cost", |own| own.asked().map_or(0, |asked| asked.cost))
        .data("balance", |own| own.asked()?.balance)
        .json("elapsed_ms", |own| {
            let elapsed = own.asked().map_or(0, |asked| asked.elapsed.as_millis());
            u64::try_from(elapsed).unwrap_or(u64::MAX)
        })
        .words("anonymization", |own| own.said("anonymization"))
        .words("cc", |own| own.said("country"))
        .words("clients", |own| own.said("client_count"))
        .words("seen", |own| {
            TextCell::or_dash(own.seen().map(|seen| seen.count.to_string()))
        })
        .with(of_events(event_words))
        .words("record", |own| TextCell::known(own.brief()))
        .with(value_columns)
        .csv("stale", |_| Cell::Absent)
        .csv("inside", |_| Cell::Absent)
        .csv("error", |own| {
            let is_read = own.read().is_read;
            (!is_read).then(|| Kind::Integrity.word())
        })
        .json("also", |own| {
            Cell::some((!own.sheet.selected.all).then(|| Cell::objects(own.others())))
        })
        .csv("also", EnrichRow::others_in_words)
        .with(text_columns)
        .with(of_events(event_columns))
        .json("left_out", |own| {
            Cell::some(own.is_left_out.then_some(true))
        })
        .json("searched", |own| match (own.line, own.answer) {
            (None, None) => own.none().searched.clone(),
            _ => Cell::Absent,
        })
        .json("record", |own| match own.bytes() {
            Some(record) => Cell::Json(record.to_owned()),
            None => Cell::document(own.document().as_ref()),
        })
        .json("unread", |own| Cell::some(own.is_unread().then_some(1_u64)))
        .json("lossy", |own| match own.bytes() {
            Some(_) => Cell::Absent,
            None => Cell::lossy(&own.document()),
        })
}

/// Where and when an address is in a text, and what stands beside it.
fn text_columns(columns: Columns<EnrichRow<'_>>) -> Columns<EnrichRow<'_>> {
    columns
        .data("count", |own| Cell::some(own.seen().map(|seen| seen.count)))
        .data("first_line", |own| {
            Cell::some(own.seen().map(|seen| seen.first_line))
        })
        .data("first_time", |own| Cell::some(own.time(|(first, _)| first)))
        .data("last_time", |own| Cell::some(own.time(|(_, last)| last)))
        .json("columns", EnrichRow::columns)
        .csv("columns", EnrichRow::columns_in_words)
        .json("first_file", |own| {
            let name = own.seen().and_then(|seen| own.sheet.texts.get(seen.text));
            Cell::some(name.cloned())
        })
}

/// A record about an address of the text, or none.
pub(in crate::cli) struct EnrichRow<'a> {
    sheet: &'a EnrichSheet,
    found: &'a FoundAddress,
    event: Option<&'a EventAnswer>,
    line: Option<LocalLine<'a>>,
    /// What the service answered, in place of a local record.
    answer: Option<&'a ServiceAnswer>,
    /// A query would tell more, and was not sent.
    is_left_out: bool,
    /// Records of other addresses name it as an entry.
    is_named: bool,
    also: Vec<OtherRecord>,
    bytes: OnceCell<Option<&'a str>>,
    read: OnceCell<ReadLine>,
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

    fn changed(&self) -> Option<bool> {
        self.event?.changed(self.read().verdict.as_ref())
    }
}

impl<'a> EnrichRow<'a> {
    fn of(
        sheet: &'a EnrichSheet,
        found: &'a FoundAddress,
        event: Option<&'a EventAnswer>,
        line: Option<LocalLine<'a>>,
        also: Vec<OtherRecord>,
    ) -> Self {
        Self {
            sheet,
            found,
            event,
            line,
            answer: None,
            is_left_out: false,
            is_named: false,
            also,
            bytes: OnceCell::new(),
            read: OnceCell::new(),
        }
    }

    /// The row as filters and groups see it.
    fn entry<'t>(&'t self, terms: Option<&'t Terms>) -> BoardEntry<'t> {
        let beside = self.found.seen.as_ref();
        BoardEntry {
            address: self.found.address,
            standings: self.standings(terms),
            record: terms,
            beside: beside.map(|(seen, values)| (values.as_ref(), &seen.beside)),
            lines: self.seen().map_or(1, |seen| seen.count),
            day: self.found.day,
        }
    }

    /// The record that filters and groups are about: with the days of events that of the day.
    fn entry_document(&self) -> Option<Document> {
        match (self.sheet.at_time, self.event) {
            (true, event) => record(&event?.then).cloned(),
            (false, _) => self.document(),
        }
    }

    fn standings(&self, terms: Option<&Terms>) -> Standings {
        if self.sheet.at_time {
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

    fn seen(&self) -> Option<&'a Occurrences> {
        self.found.seen.as_ref().map(|(seen, _)| seen)
    }

    /// One of the times beside the address in the text.
    fn time(&self, which: fn((Timestamp, Timestamp)) -> Timestamp) -> Option<String> {
        Some(which(self.seen()?.times?).to_string())
    }

    /// What stands beside the address in the text, by column, each value with its number; that of others is for null.
    fn columns(&self) -> Cell {
        let Some((seen, values)) = &self.found.seen else {
            return Cell::Absent;
        };
        let mut columns = Map::new();
        values.each(&seen.beside, |column, own| {
            let values = own.values.iter();
            let values = values.map(|(value, count)| json!({"value": value, "count": count}));
            let others = json!({"value": null, "count": own.others});
            let others = (own.others > 0).then_some(others);
            columns.insert(column.to_owned(), values.chain(others).collect());
        });
        Cell::some((!columns.is_empty()).then(|| Cell::json(columns)))
    }

    /// The same in one cell of CSV.
    fn columns_in_words(&self) -> String {
        let mut columns = Vec::new();
        if let Some((seen, values)) = &self.found.seen {
            values.each(&seen.beside, |column, own| {
                let values: Vec<&str> = own.values.iter().map(|(value, _)| *value).collect();
                columns.push(format!("{column}={}", values.join(" ")));
            });
        }
        columns.join("; ")
    }

    /// Whether its record cannot be read.
    fn is_unread(&self) -> bool {
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
            Some((_, answer)) => answer.record.as_ref().map(|own| own.document.clone()),
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
            (Some(line), _) => Some(&self.sheet.releases[line.release]),
            (None, Some(_)) => None,
            (None, None) => self.none().only.as_ref(),
        }
    }

    /// What there is to say of the release of the record.
    fn of_record(&self, words: impl FnOnce(&Release) -> String) -> TextCell {
        TextCell::or_dash(self.line.and(self.release()).map(words))
    }

    fn none(&self) -> &'a NoRecord {
        &self.sheet.none[Family::of(Subject::Address(self.found.address)) as usize]
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
        let feed = self.line.and(self.release()).map(|own| own.manifest.feed);
        let mut releases = self.sheet.releases.iter();
        let has_contexts = releases.any(|own| is_of_contexts(own.manifest.feed));
        let is_known = self.sheet.is_whole && has_contexts;
        if !is_known && !feed.is_some_and(is_of_contexts) {
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
        let read = self.read();
        let has_answer = self.answer.is_some_and(|(_, own)| own.record.is_some());
        let mut brief = match self.line {
            None if self.is_left_out => return format!("{UNKNOWN}, not looked up"),
            None if !has_answer => return UNKNOWN.to_owned(),
            _ if read.is_read => read.reading.brief(&read.values).text,
            _ => "unreadable".to_owned(),
        };
        let also = self.also.iter();
        let mut others: Vec<&str> = also.map(|own| self.of_other(own).feed.name()).collect();
        others.dedup();
        if !others.is_empty() {
            brief += &format!("; also {}", others.join(", "));
        }
        brief
    }

    fn of_other(&self, other: &OtherRecord) -> &'a Manifest {
        &self.sheet.releases[other.release].manifest
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
