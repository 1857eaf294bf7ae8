//! An answer about an address in the four formats.

use crate::{
    cli::{
        args::Format,
        console::{Console, Outcome},
        print::{Cell, Csv, Line, NOTHING, count, each, lookup_ticket, of_record, sheet},
    },
    contract::Geolocation,
    engine::{Answer, Error, Provenance, Record},
    model::{Anonymization, Context, Field},
};

/// The columns of CSV, a part of the help.
pub(super) const CSV: Csv = Csv::of(&[
    "query",
    "source",
    "day",
    "cost",
    "balance",
    "ip",
    "network",
    "as_number",
    "as_organization",
    "organization",
    "infrastructure",
    "city",
    "state",
    "country",
    "anonymization",
    "operators",
    "proxies",
    "client_count",
    "client_countries",
    "client_types",
    "risks",
    "services",
    "error",
]);
/// Columns that a record fills.
const OF_RECORD: usize = 17;

/// An answer to be shown.
pub(super) struct Shown<'a> {
    pub(super) query: &'a str,
    pub(super) answer: &'a Answer,
    pub(super) geolocation: Geolocation,
    /// Whether nothing stands before it, from which it is set apart.
    pub(super) first: bool,
}

impl Shown<'_> {
    /// The answer as results, the last line ended.
    pub(super) fn text(&self, console: &Console) -> String {
        let apart = if self.first { "" } else { "\n" };
        match console.format() {
            Format::Json => json(self.query, self.answer) + "\n",
            Format::Csv => csv(self.query, Some(self.answer), ""),
            Format::Md => {
                apart.to_owned() + &lookup_ticket(self.query, self.geolocation, self.answer)
            }
            Format::Text => apart.to_owned() + &self.sheet(console),
        }
    }

    fn sheet(&self, console: &Console) -> String {
        let paint = console.paint();
        let heading = format!("{}  {}", self.query, self.sources());
        match &self.answer.record {
            Some(Record { context, .. }) => {
                let facts = of_record(context);
                sheet(
                    &heading,
                    facts.iter().map(|fact| (fact.label, &fact.cell)),
                    paint,
                )
            }
            None => sheet(&heading, [("record", &Cell::unknown(NOTHING))], paint),
        }
    }

    /// Where it comes from and what it cost, on one line.
    fn sources(&self) -> String {
        let provenance = &self.answer.provenance;
        let day = match provenance.data_date {
            Some(day) => format!("of {}", day.dashed()),
            None => "of a day that the service did not name".to_owned(),
        };
        let balance = provenance
            .balance
            .map_or("balance unknown".to_owned(), |left| {
                format!("balance {}", count(left))
            });
        let location = match self.geolocation {
            Geolocation::Service => "",
            Geolocation::Mmgeo => ", location of a third party (mmgeo)",
        };
        format!("live, {day}, cost {}, {balance}{location}", provenance.cost)
    }
}

/// A failure: an object, a row, or lines on standard error.
pub(super) fn failure(query: &str, error: &Error, console: &Console) -> Outcome<()> {
    if console.format() == Format::Csv {
        console.complain(Some(query), error);
        return console.results(&csv(query, None, error.kind.word()));
    }
    console.failure(Some(query), error)
}

/// A question that was not asked: said once for all of them, where the format does not speak of each.
pub(super) fn left_out(query: &str, error: &Error, console: &Console) -> Outcome<()> {
    match console.format() {
        Format::Json => console.failure(Some(query), error),
        Format::Csv => console.results(&csv(query, None, error.kind.word())),
        Format::Text | Format::Md => Ok(()),
    }
}

fn json(query: &str, answer: &Answer) -> String {
    let Provenance {
        cost,
        balance,
        data_date,
        elapsed,
        ..
    } = &answer.provenance;
    Line::new()
        .key("query", query)
        .key("source", "live")
        .key("feed", None::<&str>)
        .key("day", data_date.map(|day| day.to_string()))
        .key("cost", cost)
        .key("balance", balance)
        .key(
            "elapsed_ms",
            u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX),
        )
        .document(
            "record",
            answer.record.as_ref().map(|record| &record.document),
        )
        .end()
}

fn csv(query: &str, answer: Option<&Answer>, error: &str) -> String {
    let provenance = answer.map(|answer| &answer.provenance);
    let record = answer.and_then(|answer| answer.record.as_ref());
    let number = |number: Option<u64>| number.map(|number| number.to_string()).unwrap_or_default();
    let mut cells = vec![
        query.to_owned(),
        "live".to_owned(),
        provenance
            .and_then(|provenance| provenance.data_date)
            .map(|day| day.to_string())
            .unwrap_or_default(),
        number(provenance.map(|provenance| provenance.cost.into())),
        number(provenance.and_then(|provenance| provenance.balance)),
    ];
    match record {
        Some(record) => cells.extend(values(&record.context)),
        None => cells.extend(vec![String::new(); OF_RECORD]),
    }
    cells.push(error.to_owned());
    CSV.row(&cells)
}

fn values(context: &Context) -> [String; OF_RECORD] {
    fn bare<T: ToString>(field: &Field<T>) -> String {
        field.is().map(ToString::to_string).unwrap_or_default()
    }
    let list = |field: &Field<Vec<String>>| each(field.items(), " ");
    let system = context
        .autonomous_system
        .clone()
        .into_option()
        .unwrap_or_default();
    let location = context.location.clone().into_option().unwrap_or_default();
    let client = context.client.clone().into_option().unwrap_or_default();
    [
        bare(&context.ip),
        bare(&context.network),
        bare(&system.number),
        bare(&system.organization),
        bare(&context.organization),
        bare(&context.infrastructure),
        bare(&location.city),
        bare(&location.state),
        bare(&location.country),
        anonymization(context).to_owned(),
        each(&context.tunnel_operators(), " "),
        list(&client.proxies),
        bare(&client.count),
        bare(&client.countries),
        list(&client.types),
        list(&context.risks),
        list(&context.services),
    ]
}

fn anonymization(context: &Context) -> &'static str {
    match context.anonymizing() {
        Anonymization::Observed => "observed",
        Anonymization::Possible => "possible",
        Anonymization::NotObserved => "none-observed",
        Anonymization::Unknown => "unknown",
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::model::Day;
    use crate::{cli::console::tests::console, model::Document};

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
        let (console, ..) = console(format);
        let shown = Shown {
            query: "198.51.100.77",
            answer: &answered(sent),
            geolocation: Geolocation::Service,
            first: true,
        };
        shown.text(&console)
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
            "198.51.100.77,live,20261120,1,48119,198.51.100.77,,64500,\"Example, Inc\",,,,,,observed,ACME_VPN,,,,,TUNNEL GEO_MISMATCH,,\r\n"
        );
        assert_eq!(shown(Format::Csv, None).matches(',').count(), 22);
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
}
