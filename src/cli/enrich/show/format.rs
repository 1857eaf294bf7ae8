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
        .csv("source", |_| "local")
        .column("feed", "feed", |own| {
            Some(own.release()?.manifest.feed.name())
        })
        .shown(|own| own.of_record(|release| release.manifest.feed.name().to_owned()))
        .column("day", "day", |own| {
            Some(own.release()?.manifest.moment.day().to_string())
        })
        .shown(|own| own.of_record(|release| release.manifest.moment.dashed()))
        .wide(10)
        .csv("cost", |_| 0_u64)
        .csv("balance", |_| Cell::Absent)
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
        .csv("also", EnrichRow::others)
        .csv("count", |own| own.found.seen.map(|seen| seen.count))
        .csv("first_line", |own| {
            own.found.seen.map(|seen| seen.first_line)
        })
        .lines(EnrichRow::push_json)
        .fixed()
}

/// A record about an address of the text, or none.
pub(in crate::cli) struct EnrichRow<'a> {
    form: &'a AnswerFormat,
    found: &'a FoundAddress,
    line: Option<LocalLine<'a>>,
    also: Vec<OtherRecord>,
    read: OnceCell<ReadLine>,
    /// Whether JSON has no record because it cannot be read.
    is_unread: std::cell::Cell<bool>,
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
            is_unread: std::cell::Cell::default(),
        }
    }

    /// Whether its record could not be read when it was written.
    pub(super) fn is_unread(&self) -> bool {
        self.is_unread.get() || self.read.get().is_some_and(|read| !read.is_read)
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
            let document = self.line.map(|line| Document::read(line.line));
            let reading = match (&document, self.release()) {
                (Some(Ok(document)), Some(release)) => {
                    Reading::of(release.manifest.feed, document.value())
                }
                _ => Reading::Unread,
            };
            ReadLine {
                is_read: !matches!(document, Some(Err(_))),
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

    /// The other records in one cell of CSV.
    fn others(&self) -> String {
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

    /// Appends the bytes of the record as they are where they are safe on a screen; then it need not be parsed.
    fn push_json(&self, text: &mut String) {
        let Some(line) = self.line else {
            self.push_head(text, &self.none().middle);
            text.push_str(&self.none().searched);
            text.push_str(",\"record\":null}");
            return;
        };
        self.push_head(text, &self.form.middles[line.release]);
        text.push_str(",\"record\":");
        if let Some(record) = document::as_line(line.line) {
            text.push_str(record);
            text.push('}');
            return;
        }
        let Ok(record) = Document::read(line.line) else {
            text.push_str("null,\"unread\":1}");
            self.is_unread.set(true);
            return;
        };
        let lossy = if record.lossy() {
            ",\"lossy\":true"
        } else {
            ""
        };
        for part in [&record.to_line(), lossy, "}"] {
            text.push_str(part);
        }
    }

    /// A line of JSON up to what is of its record alone.
    fn push_head(&self, text: &mut String, middle: &str) {
        use std::fmt::Write;
        // Writing to a text does not fail.
        let _ = write!(text, "{{\"query\":\"{}\"", self.found.address);
        if let Some(typed) = &self.found.typed {
            let typed = serde_json::Value::from(&**typed).to_string();
            let _ = write!(text, ",\"input\":{}", document::screen_safe(&typed));
        }
        text.push_str(middle);
        if !self.form.all {
            text.push_str(",\"also\":[");
            for (place, other) in self.also.iter().enumerate() {
                let manifest = self.of_other(other);
                let comma = if place > 0 { "," } else { "" };
                let (feed, day) = (manifest.feed, manifest.moment.day());
                let _ = write!(
                    text,
                    "{comma}{{\"feed\":\"{feed}\",\"day\":\"{day}\",\"subject\":"
                );
                let _ = match other.subject {
                    Some(subject) => write!(text, "\"{subject}\"}}"),
                    None => write!(text, "null}}"),
                };
            }
            text.push(']');
        }
        if let Some(seen) = self.found.seen {
            let (count, line) = (seen.count, seen.first_line);
            let _ = write!(text, ",\"count\":{count},\"first_line\":{line}");
            if let Some(name) = self.form.texts.get(seen.text) {
                let name = serde_json::Value::from(&**name).to_string();
                let _ = write!(text, ",\"first_file\":{}", document::screen_safe(&name));
            }
        }
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
    /// Each release's part of a JSON line, between the query and the record.
    middles: Vec<String>,
    /// What is the same for the addresses of each family that have no record, in the order of [`Family::ALL`].
    none: [NoRecord; Family::ALL.len()],
    /// The width of the longest name of a feed.
    feed_width: usize,
    /// Whether records may have tunnels and clients.
    contexts: bool,
}

/// What is printed of an address without a record.
struct NoRecord {
    /// The part of a JSON line between the query and what is of the address alone.
    middle: String,
    /// The last part before the record: the releases that were searched.
    searched: String,
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
            middle: middle(only.as_ref()),
            searched: inner(&Line::new().key("searched", lookup::searched(searched))),
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
            middles: releases.iter().map(|one| middle(Some(one))).collect(),
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

/// The keys between `query` and `record`, the same for each address answered from a release.
fn middle(release: Option<&Release>) -> String {
    let manifest = release.map(|release| &release.manifest);
    let keys = Line::new()
        .key("source", "local")
        .key("feed", manifest.map(|manifest| manifest.feed.name()))
        .key(
            "day",
            manifest.map(|manifest| manifest.moment.day().to_string()),
        )
        .key("cost", 0)
        .key("balance", None::<u64>)
        .key("elapsed_ms", 0);
    inner(&keys)
}

/// The keys of an object as a part of a larger one, behind others.
fn inner(keys: &Line) -> String {
    let keys = keys.end();
    let keys = keys
        .strip_prefix('{')
        .and_then(|keys| keys.strip_suffix('}'));
    format!(",{}", keys.unwrap_or_default())
}
