//! An answer about an address in the four formats.

use std::time::Duration;

use crate::{
    cli::{
        args::Format,
        console::{Console, Outcome},
        print::{
            Cell, Csv, Fact, Line, NOTHING, NOTHING_HERE, Reading, Ticket, Values, count,
            kept_ticket, local_ticket, lookup_ticket, moment, of_record, sheet, values,
        },
    },
    contract::Geolocation,
    engine::{Answer, Error, LocalRecord},
    model::Document,
    report::COLUMNS,
    store::layout::Release,
};

/// The columns of CSV, a part of the help.
pub(in crate::cli) const CSV: Csv = Csv::of(&ALL);

/// What stands before the columns of a record.
const BEFORE: [&str; 6] = ["query", "source", "feed", "day", "cost", "balance"];

/// Those, the columns of a record, and why there is none.
const ALL: [&str; BEFORE.len() + COLUMNS.len() + 1] = {
    let mut all = ["error"; BEFORE.len() + COLUMNS.len() + 1];
    let mut at = 0;
    while at < all.len() - 1 {
        all[at] = match at.checked_sub(BEFORE.len()) {
            None => BEFORE[at],
            Some(at) => COLUMNS[at],
        };
        at += 1;
    }
    all
};

/// An answer to be shown.
pub(super) struct Shown<'a> {
    pub(super) query: &'a str,
    pub(super) said: Said<'a>,
    /// Whether nothing stands before it, from which it is set apart.
    pub(super) first: bool,
}

/// Who said what.
#[derive(Clone, Copy)]
pub(super) enum Said<'a> {
    /// The service, now.
    Live(&'a Answer, Geolocation),
    /// The service, some time ago.
    Kept(&'a Answer, Geolocation),
    /// A feed on this disk.
    Local(&'a LocalRecord, Duration),
    /// None of these releases.
    Nowhere(&'a [Release], Duration),
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
                let facts = self.said.facts();
                let facts = facts.iter().map(|fact| (fact.label, &fact.cell));
                let heading = format!("{}  {}", self.query, self.said.sources());
                apart.to_owned() + &sheet(&heading, facts, console.paint())
            }
        }
    }

    fn json(&self) -> String {
        let said = self.said;
        let line = Line::new()
            .key("query", self.query)
            .key("source", said.source())
            .key(
                "feed",
                said.release().map(|release| release.manifest.feed.name()),
            )
            .key("day", said.day())
            .key("cost", said.cost())
            .key("balance", said.balance())
            .key(
                "elapsed_ms",
                u64::try_from(said.elapsed().as_millis()).unwrap_or(u64::MAX),
            )
            .document("record", said.document());
        line.end() + "\n"
    }

    fn csv(&self) -> String {
        let said = self.said;
        let release = said.release();
        let balance = said.balance().map(|balance| balance.to_string());
        let of_record = said.values();
        let feed = release.map_or("", |release| release.manifest.feed.name());
        let (day, balance) = (said.day().unwrap_or_default(), balance.unwrap_or_default());
        row(
            &[
                self.query,
                said.source(),
                feed,
                &day,
                &said.cost().to_string(),
                &balance,
            ],
            &of_record,
            "",
        )
    }

    fn ticket(&self) -> String {
        match self.said {
            Said::Live(answer, geolocation) => lookup_ticket(self.query, geolocation, answer),
            Said::Kept(answer, geolocation) => kept_ticket(self.query, geolocation, answer),
            Said::Local(record, _) => local_ticket(self.query, record),
            Said::Nowhere(asked, _) => Ticket::about(self.query)
                .line("source", "feeds on this disk")
                .line("asked", &names(asked))
                .line("not known", NOTHING_HERE)
                .end(),
        }
    }
}

impl<'a> Said<'a> {
    fn source(self) -> &'static str {
        match self {
            Self::Live(..) => "live",
            Self::Kept(..) => "cache",
            Self::Local(..) | Self::Nowhere(..) => "local",
        }
    }

    /// The release that says it; or the only one that says nothing.
    fn release(self) -> Option<&'a Release> {
        match self {
            Self::Local(record, _) => Some(&record.release),
            Self::Nowhere([only], _) => Some(only),
            _ => None,
        }
    }

    fn answer(self) -> Option<&'a Answer> {
        match self {
            Self::Live(answer, _) | Self::Kept(answer, _) => Some(answer),
            Self::Local(..) | Self::Nowhere(..) => None,
        }
    }

    fn day(self) -> Option<String> {
        let answered = self.answer().and_then(|answer| answer.provenance.data_date);
        let local = || self.release().map(|release| release.manifest.moment.day());
        answered.or_else(local).map(|day| day.to_string())
    }

    fn cost(self) -> u32 {
        self.answer().map_or(0, |answer| answer.provenance.cost)
    }

    fn balance(self) -> Option<u64> {
        self.answer()?.provenance.balance
    }

    fn elapsed(self) -> Duration {
        match self {
            Self::Live(answer, _) | Self::Kept(answer, _) => answer.provenance.elapsed,
            Self::Local(_, elapsed) | Self::Nowhere(_, elapsed) => elapsed,
        }
    }

    fn document(self) -> Option<&'a Document> {
        match self {
            Self::Local(record, _) => Some(&record.document),
            _ => self
                .answer()?
                .record
                .as_ref()
                .map(|record| &record.document),
        }
    }

    fn values(self) -> Values {
        if let Self::Local(record, _) = self {
            return reading(record).values();
        }
        let record = self.answer().and_then(|answer| answer.record.as_ref());
        record
            .map(|record| values(&record.context))
            .unwrap_or_default()
    }

    fn facts(self) -> Vec<Fact> {
        let nothing = |why| {
            vec![Fact {
                label: "record",
                cell: Cell::unknown(why),
            }]
        };
        match self {
            Self::Local(record, _) => reading(record).facts(),
            Self::Nowhere(..) => nothing(NOTHING_HERE),
            Self::Live(answer, _) | Self::Kept(answer, _) => match &answer.record {
                Some(record) => of_record(&record.context),
                None => nothing(NOTHING),
            },
        }
    }

    /// Where it comes from and what it cost, on one line.
    fn sources(self) -> String {
        match self {
            Self::Live(answer, geolocation) => {
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
                    of_third_party(geolocation)
                )
            }
            Self::Kept(answer, geolocation) => {
                let asked = moment(answer.provenance.asked_at);
                format!(
                    "cache, {}, asked at {asked}, cost 0{}",
                    of_day(answer),
                    of_third_party(geolocation)
                )
            }
            Self::Local(record, _) => {
                let manifest = &record.release.manifest;
                format!(
                    "local, {} of {}, cost 0",
                    manifest.feed,
                    manifest.moment.dashed()
                )
            }
            Self::Nowhere(asked, _) => format!("local, {}, cost 0", names(asked)),
        }
    }
}

fn reading(record: &LocalRecord) -> Reading {
    Reading::of(record.release.manifest.feed, record.document.value())
}

fn of_day(answer: &Answer) -> String {
    match answer.provenance.data_date {
        Some(day) => format!("of {}", day.dashed()),
        None => "of a day that the service did not name".to_owned(),
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

/// A row of CSV: query, source, feed, day, cost and balance, what the record says, and the error.
pub(in crate::cli) fn row(head: &[&str; 6], of_record: &Values, error: &str) -> String {
    let of_record = of_record.iter().map(String::as_str);
    let cells: Vec<&str> = head
        .iter()
        .copied()
        .chain(of_record)
        .chain([error])
        .collect();
    CSV.row(&cells)
}

/// A failure: an object, a row, or lines on standard error.
pub(super) fn failure(query: &str, error: &Error, console: &Console) -> Outcome<()> {
    if console.format() == Format::Csv {
        console.complain(Some(query), error);
        return console.results(&failed_row(query, error));
    }
    console.failure(Some(query), error)
}

/// A question that was not asked: said once for all of them, where the format does not speak of each.
pub(super) fn left_out(query: &str, error: &Error, console: &Console) -> Outcome<()> {
    match console.format() {
        Format::Json => console.failure(Some(query), error),
        Format::Csv => console.results(&failed_row(query, error)),
        Format::Text | Format::Md => Ok(()),
    }
}

fn failed_row(query: &str, error: &Error) -> String {
    row(
        &[query, "", "", "", "", ""],
        &Values::default(),
        error.kind.word(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        cli::console::tests::console,
        contract::Feed,
        engine::{Provenance, Record},
        model::{Context, Day},
        store::{DaySource, Manifest, Moment},
    };

    fn answered(sent: Option<&str>) -> Answer {
        let document = sent.map(|sent| Document::read(sent.as_bytes()).expect("document"));
        let record = document.map(|document| {
            let context = Context::decode(document.value()).expect("record");
            Record { context, document }
        });
        let provenance = Provenance {
            url: String::new(),
            status: 200,
            asked_at: "2026-11-20T10:00:00.25Z".parse().expect("timestamp"),
            elapsed: Duration::from_millis(7),
            attempts: 1,
            cost: 1,
            possibly_spent: 0,
            balance: Some(48_119),
            data_date: Day::new(2026, 11, 20),
            clock_off: None,
        };
        Answer { record, provenance }
    }

    fn shown(format: Format, sent: Option<&str>) -> String {
        said(format, Said::Live(&answered(sent), Geolocation::Service))
    }

    fn said(format: Format, said: Said<'_>) -> String {
        let (console, ..) = console(format);
        let (query, first) = ("198.51.100.77", true);
        Shown { query, said, first }.text(&console)
    }

    fn release(feed: Feed) -> Release {
        let moment = Moment::parse("20261120").expect("day");
        let [file, hash, target] = ["", "", ""].map(str::to_owned);
        let now = jiff::Timestamp::UNIX_EPOCH;
        let (source, data) = (DaySource::Header, file.clone().into());
        let manifest = Manifest::new(feed, moment, source, false, file, 0, hash, target, now);
        Release { manifest, data }
    }

    fn local(feed: Feed, sent: &str) -> LocalRecord {
        let document = Document::read(sent.as_bytes()).expect("document");
        LocalRecord {
            release: release(feed),
            document,
        }
    }

    const SENT: &str = r#"{"ip":"198.51.100.77","as":{"number":64500,"organization":"Example, Inc"},"tunnels":[{"type":"VPN","operator":"ACME_VPN","anonymous":true}],"risks":["TUNNEL","GEO_MISMATCH"]}"#;

    #[test]
    fn a_line_of_json_has_the_keys_of_the_contract_in_order() {
        let head = r#"{"query":"198.51.100.77","source":"live","feed":null,"day":"20261120","cost":1,"balance":48119,"elapsed_ms":7,"record":"#;
        assert_eq!(shown(Format::Json, Some(SENT)), format!("{head}{SENT}}}\n"));
        assert_eq!(shown(Format::Json, None), format!("{head}null}}\n"));
    }

    #[test]
    fn a_row_has_a_cell_for_each_column() {
        let row = shown(Format::Csv, Some(SENT));
        assert_eq!(
            row,
            "198.51.100.77,live,,20261120,1,48119,198.51.100.77,,64500,\"Example, Inc\",,,,,,observed,VPN,ACME_VPN,,,,,TUNNEL GEO_MISMATCH,,\r\n"
        );
        assert_eq!(shown(Format::Csv, None).matches(',').count(), 24);
    }

    #[test]
    fn text_says_where_it_comes_from_and_what_is_absent() {
        let text = shown(Format::Text, Some(SENT));
        let first = text.lines().next().expect("heading");
        assert_eq!(
            first,
            "198.51.100.77  live, of 2026-11-20, cost 1, balance 48,119"
        );
        assert!(
            text.contains("infrastructure    absent") && text.contains("ACME_VPN"),
            "{text}"
        );
        assert!(shown(Format::Text, None).contains("does not mean that it is harmless"));
    }

    #[test]
    fn a_ticket_names_source_dates_and_what_is_not_known() {
        let ticket = shown(Format::Md, Some(SENT));
        for part in [
            "### 198[.]51[.]100[.]77",
            "**data date:** 2026-11-20",
            "**asked at:** 2026-11-20T10:00:00Z",
            "**not known:** proxies",
        ] {
            assert!(ticket.contains(part), "{part}: {ticket}");
        }
        assert!(!ticket.contains("198.51"), "{ticket}");
    }

    #[test]
    fn a_record_of_this_disk_names_its_feed_and_day_and_costs_nothing() {
        let block = r#"{"network":"198.51.100.0/25","organization":"Example Hosting","asn":64500}"#;
        let record = local(Feed::Dch, block);
        let shown = |format| said(format, Said::Local(&record, Duration::from_millis(3)));
        let head = r#"{"query":"198.51.100.77","source":"local","feed":"dch","day":"20261120","cost":0,"balance":null,"elapsed_ms":3,"record":"#;
        assert_eq!(shown(Format::Json), format!("{head}{block}}}\n"));
        assert_eq!(
            shown(Format::Csv),
            "198.51.100.77,local,dch,20261120,0,,,198.51.100.0/25,64500,,Example Hosting,,,,,,,,,,,,,,\r\n"
        );
        let text = shown(Format::Text);
        assert!(
            text.starts_with("198.51.100.77  local, dch of 2026-11-20, cost 0\n"),
            "{text}"
        );
        let ticket = shown(Format::Md);
        for part in [
            "feed dch on this disk",
            "**data date:** 2026-11-20",
            "198[.]51[.]100[.]0/25",
        ] {
            assert!(ticket.contains(part), "{part}: {ticket}");
        }
    }

    #[test]
    fn nothing_here_names_what_was_asked() {
        let releases = [release(Feed::Anonymous), release(Feed::Dch)];
        let shown = |format, asked| said(format, Said::Nowhere(asked, Duration::ZERO));
        let line = |feed: &str, day: &str| {
            format!(
                r#"{{"query":"198.51.100.77","source":"local","feed":{feed},"day":{day},"cost":0,"balance":null,"elapsed_ms":0,"record":null}}"#
            ) + "\n"
        };
        assert_eq!(shown(Format::Json, &releases), line("null", "null"));
        assert_eq!(
            shown(Format::Json, &releases[..1]),
            line("\"anonymous\"", "\"20261120\"")
        );
        for format in [Format::Text, Format::Md] {
            let text = shown(format, &releases);
            assert!(
                text.contains("anonymous of 2026-11-20, dch of 2026-11-20"),
                "{text}"
            );
            assert!(text.contains("does not mean that it is harmless"), "{text}");
        }
    }

    #[test]
    fn a_kept_answer_says_when_it_was_asked() {
        let answer = answered(Some(SENT));
        let text = said(Format::Text, Said::Kept(&answer, Geolocation::Service));
        let heading =
            "198.51.100.77  cache, of 2026-11-20, asked at 2026-11-20T10:00:00Z, cost 0\n";
        assert!(text.starts_with(heading), "{text}");
        let ticket = said(Format::Md, Said::Kept(&answer, Geolocation::Service));
        assert!(
            ticket.contains("kept answer of an earlier lookup"),
            "{ticket}"
        );
    }
}
