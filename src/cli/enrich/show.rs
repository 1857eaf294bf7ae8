//! Answers in the four formats, as they come: each batch by itself, so that nothing waits for the end.

use crate::{
    cli::{
        args::Format,
        console::Console,
        lookup,
        print::{Line, Paint, Reading, Ticket, Values, escaped, value},
    },
    contract::Feed,
    engine::{Error, Kind, LocalAnswers, LocalLine, Opened, Result},
    model::{Document, document},
    store::layout::Release,
};

/// What nobody here knows, in a line of text.
const UNKNOWN: &str = "nothing known";

/// The form of the answers of a run.
pub(super) struct Sheet {
    format: Format,
    paint: Paint,
    releases: Vec<Release>,
    /// Each release's part of a JSON line, between the query and the record.
    middles: Vec<String>,
    /// That of an answer by none.
    middle_of_none: String,
    /// The width of the longest name of a feed.
    feed_width: usize,
}

impl Sheet {
    pub(super) fn new(console: &Console, opened: &[Opened]) -> Self {
        let releases: Vec<Release> = opened.iter().map(|opened| opened.release.clone()).collect();
        let only = match releases.as_slice() {
            [only] => Some(only),
            _ => None,
        };
        Self {
            format: console.format(),
            paint: console.paint(),
            middles: releases
                .iter()
                .map(|release| middle(Some(release)))
                .collect(),
            middle_of_none: middle(only),
            feed_width: releases
                .iter()
                .map(|release| release.manifest.feed.name().len())
                .max()
                .unwrap_or(0),
            releases,
        }
    }

    /// What stands before all answers.
    pub(super) fn head(&self) -> String {
        match self.format {
            Format::Json => String::new(),
            Format::Csv => lookup::CSV.header(),
            Format::Text => {
                let width = self.feed_width;
                let line = format!(
                    "{:<15}  {:width$}  {:<10}  {:<13}  {:<2}  {:>7}  RECORD",
                    "ADDRESS", "FEED", "DAY", "ANONYMIZATION", "CC", "CLIENTS"
                );
                self.paint.faint(&line) + "\n"
            }
            Format::Md => {
                let ticket = Ticket::about("Addresses")
                    .line("source", "feeds on this disk")
                    .line("data", &lookup::names(&self.releases));
                ticket.end()
                    + "\n| ADDRESS | FEED | DATA DATE | ANONYMIZATION | CC | CLIENTS | RECORD |\n| --- | --- | --- | --- | --- | --- | --- |\n"
            }
        }
    }

    /// The answers as whole lines.
    pub(super) fn show(&self, answers: &LocalAnswers) -> Result<String> {
        let mut text = String::new();
        answers.each(|address, lines| {
            let query = address.to_string();
            if lines.is_empty() {
                self.push_unknown(&mut text, &query);
            }
            lines
                .iter()
                .try_for_each(|line| self.push(&mut text, &query, line))
        })?;
        Ok(text)
    }

    fn push(&self, text: &mut String, query: &str, line: &LocalLine<'_>) -> Result<()> {
        if self.format == Format::Json {
            return self.push_json(text, query, line);
        }
        let manifest = &self.releases[line.release].manifest;
        let reading = read(manifest.feed, line.line);
        let values = reading.values();
        match self.format {
            Format::Csv => {
                let (feed, day) = (manifest.feed.name(), manifest.moment.day().to_string());
                text.push_str(&lookup::row(
                    &[query, "local", feed, &day, "0", ""],
                    &values,
                    "",
                ));
            }
            _ => self.push_cells(
                text,
                query,
                manifest.feed.name(),
                &manifest.moment.dashed(),
                &values,
                &reading.brief(&values).text,
            ),
        }
        Ok(())
    }

    /// An address that no feed here knows: an answer as well.
    fn push_unknown(&self, text: &mut String, query: &str) {
        let (feed, day) = match self.releases.as_slice() {
            [only] => (
                only.manifest.feed.name(),
                only.manifest.moment.day().to_string(),
            ),
            _ => ("", String::new()),
        };
        match self.format {
            Format::Json => {
                text.push_str(&format!(
                    "{{\"query\":\"{query}\"{}null}}\n",
                    self.middle_of_none
                ));
            }
            Format::Csv => text.push_str(&lookup::row(
                &[query, "local", feed, &day, "0", ""],
                &Values::default(),
                "",
            )),
            Format::Text | Format::Md => {
                self.push_cells(text, query, "-", "-", &Values::default(), UNKNOWN)
            }
        }
    }

    /// The record goes out as it is where that does no harm to a screen, which spares reading it.
    fn push_json(&self, text: &mut String, query: &str, line: &LocalLine<'_>) -> Result<()> {
        let middle = &self.middles[line.release];
        if let Some(record) = document::as_line(line.line) {
            for part in ["{\"query\":\"", query, "\"", middle, record, "}\n"] {
                text.push_str(part);
            }
            return Ok(());
        }
        let release = &self.releases[line.release];
        let record = Document::read(line.line).map_err(|why| unreadable(release, query, &why))?;
        let lossy = if record.lossy() {
            ",\"lossy\":true"
        } else {
            ""
        };
        for part in [
            "{\"query\":\"",
            query,
            "\"",
            middle,
            &record.to_line(),
            lossy,
            "}\n",
        ] {
            text.push_str(part);
        }
        Ok(())
    }

    fn push_cells(
        &self,
        text: &mut String,
        query: &str,
        feed: &str,
        day: &str,
        values: &Values,
        record: &str,
    ) {
        let dash = |value: &str| {
            let value = if value.is_empty() { "-" } else { value };
            crate::model::visible(value).into_owned()
        };
        let (country, anonymization, clients) = (
            dash(value(values, "country")),
            dash(value(values, "anonymization")),
            dash(value(values, "client_count")),
        );
        let width = self.feed_width;
        text.push_str(&if self.format == Format::Md {
            let cells = [query, feed, day, &anonymization, &country, &clients, record].map(escaped);
            format!("| {} |\n", cells.join(" | "))
        } else {
            format!("{query:<15}  {feed:width$}  {day:<10}  {anonymization:<13}  {country:<2}  {clients:>7}  {record}\n")
        });
    }
}

/// The keys between query and record; every address of a batch took no time worth naming.
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
        .key("elapsed_ms", 0)
        .end();
    let keys = keys.trim_start_matches('{').trim_end_matches('}');
    format!(",{keys},\"record\":")
}

/// A record, as far as it can be read.
fn read(feed: Feed, line: &[u8]) -> Reading {
    Document::read(line).map_or(Reading::Unread, |document| {
        Reading::of(feed, document.value())
    })
}

fn unreadable(release: &Release, query: &str, why: &dyn std::fmt::Display) -> Error {
    let of = lookup::names(std::slice::from_ref(release));
    let message = format!("the record of {query} in {of} cannot be shown: {why}");
    Error::new(Kind::Integrity, message)
}
