//! An answer about an address in the four formats.

#[cfg(test)]
mod tests;

use super::part::{Part, reading};
use crate::{
    cli::{
        args::Format,
        console::{Console, Outcome},
    },
    contract::Geolocation,
    engine::{Answer, Error},
    report::{
        COLUMNS, Cell, Csv, Fact, Line, NOTHING, NOTHING_HERE, Ticket, Values, count, kept_ticket,
        local_ticket, lookup_ticket, moment, of_record, sheet,
    },
    store::layout::Release,
};

/// The columns of CSV, a part of the help.
pub(in crate::cli) const CSV: Csv = Csv::of(&ALL);

/// The columns before those of a record.
const BEFORE: [&str; 6] = ["query", "source", "feed", "day", "cost", "balance"];
/// The columns behind them.
const BEHIND: [&str; 3] = ["stale", "inside", "error"];

/// All of them.
pub(in crate::cli) const ALL: [&str; BEFORE.len() + COLUMNS.len() + BEHIND.len()] = {
    let mut all = [""; BEFORE.len() + COLUMNS.len() + BEHIND.len()];
    let mut at = 0;
    while at < all.len() {
        all[at] = if at < BEFORE.len() {
            BEFORE[at]
        } else if at < BEFORE.len() + COLUMNS.len() {
            COLUMNS[at - BEFORE.len()]
        } else {
            BEHIND[at - BEFORE.len() - COLUMNS.len()]
        };
        at += 1;
    }
    all
};

/// A part of an answer to be shown.
pub(super) struct Shown<'a> {
    pub(super) query: &'a str,
    /// What was typed, where it differs from the query.
    pub(super) input: Option<&'a str>,
    pub(super) part: &'a Part,
    /// Which geolocation the service was asked for.
    pub(super) geolocation: Geolocation,
    /// Whether nothing stands before it, from which it is set apart.
    pub(super) first: bool,
}

impl Shown<'_> {
    /// The answer as results, the last line ended.
    pub(super) fn text(&self, console: &Console) -> String {
        let apart = if self.first { "" } else { "\n" };
        match console.format() {
            Format::Json => self.json(),
            Format::Csv => self.csv(),
            Format::Md => apart.to_owned() + &self.ticket(),
            Format::Text => {
                let facts = self.facts();
                let facts = facts.iter().map(|fact| (fact.label, &fact.cell));
                let heading = format!("{}  {}", self.query, self.sources());
                apart.to_owned() + &sheet(&heading, facts, console.paint())
            }
        }
    }

    fn json(&self) -> String {
        let part = self.part;
        let elapsed = part.elapsed().as_millis();
        let line = asked(self.query, self.input)
            .key("source", part.source())
            .key(
                "feed",
                part.release().map(|release| release.manifest.feed.name()),
            )
            .key("day", part.day())
            .key("cost", part.cost())
            .key("balance", part.balance())
            .key("elapsed_ms", u64::try_from(elapsed).unwrap_or(u64::MAX));
        let line = if part.is_stale() {
            line.key("stale", true)
        } else {
            line
        };
        let line = match part.inside() {
            Some(inside) => line.key("inside", inside),
            None => line,
        };
        let line = match part {
            Part::NoRecord { unread, .. } if *unread > 0 => line.key("unread", unread),
            _ => line,
        };
        line.document("record", part.document()).end() + "\n"
    }

    fn csv(&self) -> String {
        let part = self.part;
        let text = |number: Option<u64>| number.map(|number| number.to_string());
        let feed = part
            .release()
            .map_or("", |release| release.manifest.feed.name());
        let day = part.day().unwrap_or_default();
        let balance = text(part.balance()).unwrap_or_default();
        let inside = text(part.inside()).unwrap_or_default();
        let stale = if part.is_stale() { "true" } else { "" };
        row(
            &[
                self.query,
                part.source(),
                feed,
                &day,
                &part.cost().to_string(),
                &balance,
            ],
            &part.values(),
            &[stale, &inside, ""],
        )
    }

    fn ticket(&self) -> String {
        let ticket = match self.part {
            Part::Live(answer) => lookup_ticket(self.query, self.geolocation, answer),
            Part::Cached { answer, .. } => kept_ticket(self.query, self.geolocation, answer),
            Part::Record { record, .. } => local_ticket(self.query, record),
            Part::NoRecord {
                releases, unread, ..
            } => Ticket::about(self.query)
                .line("source", "local feeds")
                .line("asked", &names(releases))
                .line("not known", &no_record(*unread))
                .end(),
        };
        let mut more = String::new();
        if self.part.is_stale() {
            more += "- **stale:** too old to replace a query; none could be sent\n";
        }
        if let Some(inside) = self.part.inside() {
            more += &format!("- **records inside:** {}\n", count(inside));
        }
        ticket + &more
    }

    fn facts(&self) -> Vec<Fact> {
        let fact = |label, cell| Fact { label, cell };
        let mut facts = match self.part {
            Part::Record { record, .. } => reading(record).facts(),
            Part::NoRecord {
                unread,
                inside: Some(inside),
                ..
            } if *inside > 0 && *unread == 0 => {
                vec![fact(
                    "record",
                    Cell::unknown("none of the network itself or of one that covers it"),
                )]
            }
            Part::NoRecord { unread, .. } => {
                vec![fact("record", Cell::unknown(&no_record(*unread)))]
            }
            Part::Live(answer) | Part::Cached { answer, .. } => match &answer.record {
                Some(record) => of_record(&record.context),
                None => vec![fact("record", Cell::unknown(NOTHING))],
            },
        };
        if let Some(inside) = self.part.inside() {
            facts.push(fact("records inside", Cell::known(count(inside))));
        }
        facts
    }

    /// Where it comes from and what it cost, on one line.
    fn sources(&self) -> String {
        let stale = if self.part.is_stale() { ", stale" } else { "" };
        match self.part {
            Part::Live(answer) => {
                let provenance = &answer.provenance;
                let balance = provenance
                    .balance
                    .map_or("balance unknown".to_owned(), |left| {
                        format!("balance {}", count(left))
                    });
                format!(
                    "live, {}, cost {}, {balance}{}",
                    of_day(answer),
                    provenance.cost,
                    of_third_party(self.geolocation)
                )
            }
            Part::Cached { answer, .. } => {
                let asked = moment(answer.provenance.asked_at);
                format!(
                    "cache, {}, asked at {asked}{stale}, cost 0{}",
                    of_day(answer),
                    of_third_party(self.geolocation)
                )
            }
            Part::Record { record, .. } => {
                let manifest = &record.release.manifest;
                format!(
                    "local, {} of {}{stale}, cost 0",
                    manifest.feed,
                    manifest.moment.dashed()
                )
            }
            Part::NoRecord { releases, .. } => format!("local, {}, cost 0", names(releases)),
        }
    }
}

/// An object about a question, with what was typed where that differs.
fn asked(query: &str, input: Option<&str>) -> Line {
    Line::new().key("query", query).input(input)
}

/// That there is no record, and what that does not mean.
fn no_record(unread: usize) -> String {
    match unread {
        0 => NOTHING_HERE.to_owned(),
        1 => "the one record about it cannot be read".to_owned(),
        _ => format!("the {unread} records about it cannot be read"),
    }
}

fn of_day(answer: &Answer) -> String {
    match answer.provenance.data_date {
        Some(day) => format!("of {}", day.dashed()),
        None => "release date not given".to_owned(),
    }
}

fn of_third_party(geolocation: Geolocation) -> &'static str {
    match geolocation {
        Geolocation::Service => "",
        Geolocation::Mmgeo => ", location of a third party (mmgeo)",
    }
}

/// Releases in words: which feed, of which day.
pub(in crate::cli) fn names(releases: &[Release]) -> String {
    let name = |release: &Release| {
        let manifest = &release.manifest;
        format!("{} of {}", manifest.feed, manifest.moment.dashed())
    };
    releases.iter().map(name).collect::<Vec<_>>().join(", ")
}

/// The cells of a row of CSV: query, source, feed, day, cost and balance, those of the record, then stale, inside and error.
pub(in crate::cli) fn cells<'a>(
    head: &[&'a str; BEFORE.len()],
    of_record: &'a Values,
    tail: &[&'a str; BEHIND.len()],
) -> Vec<&'a str> {
    let of_record = of_record.iter().map(String::as_str);
    let head = head.iter().copied();
    head.chain(of_record).chain(tail.iter().copied()).collect()
}

fn row(head: &[&str; BEFORE.len()], of_record: &Values, tail: &[&str; BEHIND.len()]) -> String {
    CSV.row(&cells(head, of_record, tail))
}

/// A failure: an object or a row, and in any case lines on standard error.
pub(super) fn failure(
    query: &str,
    input: Option<&str>,
    error: &Error,
    console: &Console,
) -> Outcome<()> {
    console.complain(Some(query), error);
    left_out(query, input, error, console)
}

/// A question that was not asked: said on standard error once for all of them.
pub(super) fn left_out(
    query: &str,
    input: Option<&str>,
    error: &Error,
    console: &Console,
) -> Outcome<()> {
    match console.format() {
        Format::Json => console.line(&asked(query, input).error(error).end()),
        Format::Csv => console.results(&failed_row(query, error)),
        Format::Text | Format::Md => Ok(()),
    }
}

fn failed_row(query: &str, error: &Error) -> String {
    row(
        &[query, "", "", "", "", ""],
        &Values::default(),
        &["", "", error.kind.word()],
    )
}
