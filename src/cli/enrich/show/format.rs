//! One answer as a line of JSON, a row of CSV, or a row of a table. JSON lines copy the bytes of the
//! record without parsing them where that is safe.

use crate::{
    cli::{
        args::ResultFormat,
        console::Console,
        enrich::dedup::{FoundAddress, Occurrences},
        freshness::is_of_contexts,
        lookup,
    },
    contract::Feed,
    engine::{Family, Kind, LocalLine, OpenRelease, OtherRecord},
    model::{Document, Subject, document, visible},
    report::{
        COLUMNS, ColumnTexts, Csv, Line, Paint, Reading, TextCell, Ticket, markdown_row, value,
    },
    store::layout::Release,
};

/// The columns of CSV: those of lookup, and what there is to say of an address in a text.
pub(in crate::cli::enrich) const CSV: Csv = Csv::of(&[
    &lookup::BEFORE,
    &COLUMNS,
    &lookup::BEHIND,
    &["also", "count", "first_line"],
]);
const UNKNOWN: &str = "no record";

/// A record about an address of the text, or none.
pub(super) struct EnrichRecord<'a> {
    pub(super) found_address: &'a FoundAddress,
    pub(super) line: Option<&'a LocalLine<'a>>,
    pub(super) also: &'a [OtherRecord],
}

/// The form of the answers of a run.
pub(super) struct AnswerFormat {
    format: ResultFormat,
    paint: Paint,
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
            format: console.format(),
            paint: console.paint(),
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

    /// What precedes all answers.
    pub(super) fn head(&self) -> String {
        match self.format {
            ResultFormat::Json => String::new(),
            ResultFormat::Csv => CSV.header(),
            ResultFormat::Text => {
                let width = self.feed_width;
                let seen = if self.counts { "   SEEN" } else { "" };
                let mut line = format!("{:<15}  {:width$}  {:<10}", "ADDRESS", "FEED", "DAY");
                line += &if self.contexts {
                    format!("  {:<13}  {:<2}  {:>7}", "ANONYMIZATION", "CC", "CLIENTS")
                } else {
                    "  CC".to_owned()
                };
                line += &format!("{seen}  RECORD");
                self.paint.faint(&line) + "\n"
            }
            ResultFormat::Md => {
                let mut columns = vec!["ADDRESS", "FEED", "DATA DATE"];
                columns.extend(self.contexts.then_some("ANONYMIZATION"));
                columns.push("CC");
                columns.extend(self.contexts.then_some("CLIENTS"));
                columns.extend(self.counts.then_some("SEEN"));
                columns.push("RECORD");
                self.ticket().table(&columns, &[])
            }
        }
    }

    pub(super) fn ticket(&self) -> Ticket {
        Ticket::about("Addresses")
            .sentence("Addresses found in a text, with their records in the local feeds.")
            .line("source", "local feeds")
            .line("data", &lookup::names(&self.releases))
    }

    /// Appends a record or `no record`; false where the record cannot be read.
    pub(super) fn push(&self, text: &mut String, record: &EnrichRecord<'_>) -> bool {
        let EnrichRecord {
            found_address,
            line,
            also,
        } = record;
        if self.format == ResultFormat::Json {
            return self.push_json(text, record);
        }
        let release = match line {
            Some(line) => Some(&self.releases[line.release]),
            None => self.none_of(found_address).only.as_ref(),
        };
        let manifest = release.map(|release| &release.manifest);
        let feed = manifest.map(|manifest| manifest.feed);
        let found = line.zip(feed).map(|(line, feed)| read(feed, line.line));
        let (read, reading) = found.unwrap_or((true, Reading::Unread));
        let values = reading.values();
        if self.format == ResultFormat::Csv {
            let day = manifest.map(|manifest| manifest.moment.day().to_string());
            let head = [
                &*found_address.address.to_string(),
                "local",
                feed.map_or("", Feed::name),
                &day.unwrap_or_default(),
                "0",
                "",
            ];
            let error = if read { "" } else { Kind::Integrity.word() };
            push_row(
                text,
                &head,
                &values,
                error,
                found_address,
                &self.others(also),
            );
            return read;
        }
        let (Some(manifest), Some(_)) = (manifest, line) else {
            self.push_cells(text, found_address, "-", "-", &values, UNKNOWN);
            return read;
        };
        let mut brief = if read {
            reading.brief(&values).text
        } else {
            "unreadable".to_owned()
        };
        let mut others: Vec<&str> = also
            .iter()
            .map(|other| self.releases[other.release].manifest.feed.name())
            .collect();
        others.dedup();
        if !others.is_empty() {
            brief += &format!("; also {}", others.join(", "));
        }
        let day = manifest.moment.dashed();
        self.push_cells(
            text,
            found_address,
            manifest.feed.name(),
            &day,
            &values,
            &brief,
        );
        read
    }

    /// Appends the bytes of the record as they are where they are safe on a screen; then it need not be parsed.
    fn push_json(&self, text: &mut String, record: &EnrichRecord<'_>) -> bool {
        let Some(line) = record.line else {
            let none = self.none_of(record.found_address);
            self.push_head(text, record.found_address, &none.middle, record.also);
            text.push_str(&none.searched);
            text.push_str(",\"record\":null}\n");
            return true;
        };
        let middle = &self.middles[line.release];
        self.push_head(text, record.found_address, middle, record.also);
        text.push_str(",\"record\":");
        if let Some(record) = document::as_line(line.line) {
            text.push_str(record);
            text.push_str("}\n");
            return true;
        }
        let Ok(record) = Document::read(line.line) else {
            text.push_str("null,\"unread\":1}\n");
            return false;
        };
        let lossy = if record.lossy() {
            ",\"lossy\":true"
        } else {
            ""
        };
        for part in [&record.to_line(), lossy, "}\n"] {
            text.push_str(part);
        }
        true
    }

    /// A line of JSON up to what is of its record alone.
    fn push_head(
        &self,
        text: &mut String,
        found_address: &FoundAddress,
        middle: &str,
        also: &[OtherRecord],
    ) {
        use std::fmt::Write;
        // Writing to a text does not fail.
        let _ = write!(text, "{{\"query\":\"{}\"", found_address.address);
        if let Some(typed) = &found_address.typed {
            let typed = serde_json::Value::from(&**typed).to_string();
            let _ = write!(text, ",\"input\":{}", document::screen_safe(&typed));
        }
        text.push_str(middle);
        if !self.all {
            text.push_str(",\"also\":[");
            for (place, other) in also.iter().enumerate() {
                let manifest = &self.releases[other.release].manifest;
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
        if let Some(seen) = found_address.seen {
            let (count, line) = (seen.count, seen.first_line);
            let _ = write!(text, ",\"count\":{count},\"first_line\":{line}");
            if let Some(name) = self.texts.get(seen.text) {
                let name = serde_json::Value::from(&**name).to_string();
                let _ = write!(text, ",\"first_file\":{}", document::screen_safe(&name));
            }
        }
    }

    fn none_of(&self, found_address: &FoundAddress) -> &NoRecord {
        &self.none[Family::of(Subject::Address(found_address.address)) as usize]
    }

    /// The other records in one cell of CSV.
    fn others(&self, also: &[OtherRecord]) -> String {
        let other = |other: &OtherRecord| {
            let manifest = &self.releases[other.release].manifest;
            let subject = other.subject.map(|subject| format!(" {subject}"));
            format!(
                "{} {}{}",
                manifest.feed,
                manifest.moment.day(),
                subject.unwrap_or_default()
            )
        };
        also.iter().map(other).collect::<Vec<_>>().join("; ")
    }

    fn push_cells(
        &self,
        text: &mut String,
        found_address: &FoundAddress,
        feed: &str,
        day: &str,
        values: &ColumnTexts,
        record: &str,
    ) {
        let dash = |value: &str| {
            let value = if value.is_empty() { "-" } else { value };
            visible(value).into_owned()
        };
        let [country, anonymization, clients] =
            ["country", "anonymization", "client_count"].map(|column| dash(value(values, column)));
        let query = found_address.address.to_string();
        let seen = found_address.seen.map(|seen| seen.count.to_string());
        let seen = seen.unwrap_or_else(|| "-".to_owned());
        let width = self.feed_width;
        text.push_str(&if self.format == ResultFormat::Md {
            let mut cells = vec![&*query, feed, day];
            cells.extend(self.contexts.then_some(&*anonymization));
            cells.push(&country);
            cells.extend(self.contexts.then_some(&*clients));
            if self.counts {
                cells.push(&seen);
            }
            cells.push(record);
            markdown_row(&cells.into_iter().map(TextCell::known).collect::<Vec<_>>())
        } else {
            let seen = if self.counts {
                format!("  {seen:>5}")
            } else {
                String::new()
            };
            let said = if self.contexts {
                format!("{anonymization:<13}  {country:<2}  {clients:>7}")
            } else {
                format!("{country:<2}")
            };
            format!("{query:<15}  {feed:width$}  {day:<10}  {said}{seen}  {record}\n")
        });
    }
}

/// Appends a row of CSV.
fn push_row(
    text: &mut String,
    head: &[&str; 6],
    values: &ColumnTexts,
    error: &str,
    found_address: &FoundAddress,
    also: &str,
) {
    let number = |number: fn(Occurrences) -> u64| {
        let number = found_address.seen.map(number);
        number.map(|number| number.to_string()).unwrap_or_default()
    };
    let (count, line) = (number(|seen| seen.count), number(|seen| seen.first_line));
    let tail = ["", "", error, also, &count, &line];
    let values = values.iter().map(String::as_str);
    let cells = head.iter().copied().chain(values).chain(tail);
    text.push_str(&CSV.row(&cells.collect::<Vec<_>>()));
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

/// Whether a record is readable, and the record.
fn read(feed: Feed, line: &[u8]) -> (bool, Reading) {
    match Document::read(line) {
        Ok(document) => (true, Reading::of(feed, document.value())),
        Err(_) => (false, Reading::Unread),
    }
}
