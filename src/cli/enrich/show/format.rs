//! One answer as a row. JSON lines copy the bytes of the record without parsing them where that is safe.

use std::cell::OnceCell;

use crate::{
    cli::{
        args::ResultFormat, console::Console, enrich::dedup::FoundAddress,
        freshness::is_of_contexts, lookup,
    },
    engine::{Family, Kind, LocalLine, OpenRelease, OtherRecord},
    model::{Document, Subject, document},
    report::{
        Cell, ColumnTexts, Columns, Line, Reading, RowFormat, TextCell, Ticket, ValueRow, value,
        value_columns,
    },
    store::{Manifest, layout::Release},
};

const UNKNOWN: &str = "no record";

/// The columns of an answer: those of lookup, and what there is to say of an address in a text.
pub(in crate::cli::enrich) fn columns<'a>() -> Columns<EnrichRow<'a>> {
    Columns::<EnrichRow<'a>>::new()
        .column("query", "address", |own| own.found.address.to_string())
        .wide(15)
        .json("input", |own| {
            Cell::some(own.found.typed.as_deref().map(str::to_owned))
        })
        .data("source", |_| "local")
        .column("feed", "feed", |own| {
            Some(own.release()?.manifest.feed.name())
        })
        .shown(|own| own.of_record(|release| release.manifest.feed.name().to_owned()))
        .column("day", "day", |own| {
            Some(own.release()?.manifest.moment.day().to_string())
        })
        .shown(|own| own.of_record(|release| release.manifest.moment.dashed()))
        .wide(10)
        .data("cost", |_| 0_u64)
        .data("balance", |_| Cell::Null)
        .json("elapsed_ms", |_| 0_u64)
        .words("anonymization", |own| own.said("anonymization"))
        .wide(13)
        .words("cc", |own| own.said("country"))
        .wide(2)
        .words("clients", |own| own.said("client_count"))
        .wide(7)
        .right()
        .words("seen", |own| {
            TextCell::or_dash(own.found.seen.map(|seen| seen.count.to_string()))
        })
        .wide(5)
        .right()
        .words("record", |own| TextCell::known(own.brief()))
        .with(value_columns)
        .csv("stale", |_| Cell::Absent)
        .csv("inside", |_| Cell::Absent)
        .csv("error", |own| {
            let is_read = own.read().is_read;
            (!is_read).then(|| Kind::Integrity.word())
        })
        .json("also", |own| {
            Cell::some((!own.form.all).then(|| Cell::objects(own.others())))
        })
        .csv("also", EnrichRow::others_in_words)
        .data("count", |own| {
            Cell::some(own.found.seen.map(|seen| seen.count))
        })
        .data("first_line", |own| {
            Cell::some(own.found.seen.map(|seen| seen.first_line))
        })
        .json("first_file", |own| {
            let name = own
                .found
                .seen
                .and_then(|seen| own.form.texts.get(seen.text));
            Cell::some(name.cloned())
        })
        .json("searched", |own| match own.line {
            Some(_) => Cell::Absent,
            None => own.none().searched.clone(),
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
        .fixed()
}

/// A record about an address of the text, or none.
pub(in crate::cli) struct EnrichRow<'a> {
    form: &'a AnswerFormat,
    found: &'a FoundAddress,
    line: Option<LocalLine<'a>>,
    also: Vec<OtherRecord>,
    read: OnceCell<ReadLine>,
}

/// What a record says.
struct ReadLine {
    is_read: bool,
    reading: Reading,
    values: ColumnTexts,
}

impl ValueRow for EnrichRow<'_> {
    fn values(&self) -> &ColumnTexts {
        &self.read().values
    }
}

impl<'a> EnrichRow<'a> {
    pub(super) fn of(
        form: &'a AnswerFormat,
        found: &'a FoundAddress,
        line: Option<LocalLine<'a>>,
        also: Vec<OtherRecord>,
    ) -> Self {
        Self {
            form,
            found,
            line,
            also,
            read: OnceCell::new(),
        }
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
        document::as_line(self.line?.line)
    }

    fn document(&self) -> Option<Document> {
        Document::read(self.line?.line).ok()
    }

    /// The release of the record; or the only one that has none.
    fn release(&self) -> Option<&'a Release> {
        match self.line {
            Some(line) => Some(&self.form.releases[line.release]),
            None => self.none().only.as_ref(),
        }
    }

    /// What there is to say of the release of the record.
    fn of_record(&self, words: impl FnOnce(&Release) -> String) -> TextCell {
        TextCell::or_dash(self.line.and(self.release()).map(words))
    }

    fn none(&self) -> &'a NoRecord {
        &self.form.none[Family::of(Subject::Address(self.found.address)) as usize]
    }

    fn read(&self) -> &ReadLine {
        self.read.get_or_init(|| {
            let document = self.document();
            let reading = match (&document, self.release()) {
                (Some(document), Some(release)) => {
                    Reading::of(release.manifest.feed, document.value())
                }
                _ => Reading::Unread,
            };
            ReadLine {
                is_read: self.line.is_none() || document.is_some(),
                values: reading.values(),
                reading,
            }
        })
    }

    fn said(&self, column: &str) -> TextCell {
        TextCell::or_dash(Some(value(self.values(), column)).filter(|text| !text.is_empty()))
    }

    /// The record in one line, and which other feeds have one.
    fn brief(&self) -> String {
        let read = self.read();
        let mut brief = match self.line {
            None => return UNKNOWN.to_owned(),
            Some(_) if read.is_read => read.reading.brief(&read.values).text,
            Some(_) => "unreadable".to_owned(),
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
        &self.form.releases[other.release].manifest
    }

    fn others(&self) -> impl Iterator<Item = Line> {
        self.also.iter().map(|other| {
            let manifest = self.of_other(other);
            Line::new()
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

/// The form of the answers of a run.
pub(super) struct AnswerFormat {
    pub(super) rows: RowFormat,
    releases: Vec<Release>,
    /// Whether all records are printed, so that `also` names none.
    all: bool,
    /// Whether occurrences are counted.
    counts: bool,
    /// The names of the texts, where there are several.
    texts: Vec<String>,
    /// What is the same for the addresses of each family that have no record, in the order of [`Family::ALL`].
    none: [NoRecord; Family::ALL.len()],
    /// The width of the longest name of a feed.
    feed_width: usize,
    /// Whether records may have tunnels and clients.
    contexts: bool,
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

impl AnswerFormat {
    pub(super) fn new(
        console: &Console,
        opened: &[OpenRelease],
        all: bool,
        counts: bool,
        texts: Vec<String>,
    ) -> Self {
        let releases: Vec<Release> = opened.iter().map(|opened| opened.release.clone()).collect();
        Self {
            rows: console.row_format(),
            all,
            counts,
            texts,
            none: Family::ALL.map(|family| NoRecord::of(family, &releases)),
            feed_width: releases
                .iter()
                .map(|release| release.manifest.feed.name().len())
                .max()
                .unwrap_or(0),
            contexts: releases.is_empty()
                || releases
                    .iter()
                    .any(|release| is_of_contexts(release.manifest.feed)),
            releases,
        }
    }

    /// The columns of the answers, of those that people read the ones that say something.
    pub(super) fn columns<'a>(&self) -> Columns<EnrichRow<'a>> {
        let contexts: &[&str] = if self.contexts {
            &[]
        } else {
            &["anonymization", "clients"]
        };
        let seen: &[&str] = if self.counts { &[] } else { &["seen"] };
        let columns = columns().without(contexts).without(seen);
        if self.rows.format == ResultFormat::Md {
            return columns.labelled("day", "data date");
        }
        columns.widened("feed", self.feed_width)
    }

    pub(super) fn ticket(&self) -> Ticket {
        Ticket::about("Addresses")
            .sentence("Addresses found in a text, with their records in the local feeds.")
            .line("source", "local feeds")
            .line("data", &lookup::names(&self.releases))
    }
}
