//! An answer about an address in the four formats.

#[cfg(test)]
mod tests;

use serde_json::{Value, json};

use super::answer_part::{AnswerPart, SourceRecord, reading};
use crate::{
    cli::{
        args::ResultFormat,
        console::{CommandResult, Console},
    },
    contract::{Feed, Geolocation},
    engine::{Error, LookupAnswer},
    model::Day,
    report::{
        COLUMNS, Csv, Fact, Line, NOTHING, NOTHING_HERE, TextCell, Ticket, TicketStamp, count,
        fact, instant, kept_ticket, local_ticket, lookup_ticket, minute, of_record, sheet,
    },
    store::layout::Release,
};

/// What is asked, and where its answer comes from; then a record; then what holds of some answers alone.
pub(in crate::cli) const CSV: Csv = Csv::of(&[&BEFORE, &COLUMNS, &BEHIND]);
/// The columns before those of a record.
pub(in crate::cli) const BEFORE: [&str; 6] = ["query", "source", "feed", "day", "cost", "balance"];
/// The columns behind those of a record.
pub(in crate::cli) const BEHIND: [&str; 3] = ["stale", "inside", "error"];

/// A part of an answer to be shown.
pub(super) struct ShownPart<'a> {
    pub(super) query: &'a str,
    /// What was typed, where it differs from the query.
    pub(super) input: Option<&'a str>,
    pub(super) part: &'a AnswerPart,
    /// Which geolocation the service was asked for.
    pub(super) geolocation: Geolocation,
    /// The past day that was asked for.
    pub(super) date: Option<Day>,
    /// Whether nothing precedes it, from which it is set apart.
    pub(super) first: bool,
    /// When it is written, and of which world.
    pub(super) written: TicketStamp,
}

impl ShownPart<'_> {
    /// The answer as results, the last line ended.
    pub(super) fn text(&self, console: &Console) -> String {
        let apart = if self.first { "" } else { "\n" };
        match console.format() {
            ResultFormat::Json => self.line().end() + "\n",
            ResultFormat::Csv => CSV.row_of(&self.line().cells(&COLUMNS, &self.part.values())),
            ResultFormat::Md => apart.to_owned() + &self.ticket(),
            ResultFormat::Text => {
                let heading = format!("{}  {}", self.query, self.sources());
                apart.to_owned() + &sheet(&heading, &self.facts(), console.paint())
            }
        }
    }

    fn line(&self) -> Line {
        let part = self.part;
        let feed = part.release().map(|release| release.manifest.feed);
        let elapsed = part.elapsed.as_millis();
        let unread = match part.found {
            SourceRecord::NoRecord { unread, .. } => Some(unread).filter(|unread| *unread > 0),
            _ => None,
        };
        let searched = match &part.found {
            SourceRecord::NoRecord { releases, .. } => Some(searched(releases)),
            _ => None,
        };
        Line::about(self.query, self.input)
            .some("date", self.date.map(|day| day.to_string()))
            .some("mmgeo", self.is_mmgeo())
            .key("source", part.source())
            .key("feed", feed.map(Feed::name))
            .key("day", part.day())
            .key("cost", part.cost())
            .key("balance", part.balance())
            .key("elapsed_ms", u64::try_from(elapsed).unwrap_or(u64::MAX))
            .some("stale", part.stale.then_some(true))
            .some("inside", part.inside)
            .some("unread", unread)
            .some("searched", searched)
            .document("record", part.document())
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
                let cost = match provenance.cost {
                    1 => "1 query".to_owned(),
                    cost => format!("{cost} queries"),
                };
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

/// A failure: an object or a row, and in any case lines on standard error.
pub(super) fn failure(
    query: &str,
    input: Option<&str>,
    error: &Error,
    console: &Console,
) -> CommandResult<()> {
    console.complain(Some(query), error);
    left_out(query, input, error, console)
}

/// A question that was not asked: said on standard error once for all of them.
pub(super) fn left_out(
    query: &str,
    input: Option<&str>,
    error: &Error,
    console: &Console,
) -> CommandResult<()> {
    console.in_place_of_an_answer(CSV, query, input, error)
}
