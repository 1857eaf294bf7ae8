//! `tag`: the metadata of service tags, which costs no query.

use std::collections::HashMap;

use super::{
    args::{
        Format,
        lookup::{TagArgs, tag},
    },
    console::{Console, Outcome},
    exit::{Tally, stops_a_batch},
    print::{Cell, Csv, Line, each, of_tag, sheet, tag_ticket},
};
use crate::{
    engine::{Engine, Error, Fetched, Result},
    model::{Field, Tag, TagName},
};

const CSV: Csv = Csv::of(&[
    "query",
    "tag",
    "name",
    "website",
    "categories",
    "is_anonymous",
    "is_callback_proxy",
    "is_no_log",
    "average_device_count",
    "churn_rate",
    "distinct_ips",
    "alias_of",
    "error",
]);

/// Asks about each tag once, in the order given.
///
/// # Errors
/// What stopped all of it; failures of single tags are told one by one.
pub(super) async fn run(args: &TagArgs, engine: &Engine, console: &Console) -> Outcome {
    if console.format() == Format::Csv {
        console.results(&CSV.header())?;
    }
    let mut tally = Tally::default();
    let mut replies: HashMap<TagName, Result<Fetched<Tag>>> = HashMap::new();
    let mut stopped: Option<Error> = None;
    for (number, text) in args.tags.iter().enumerate() {
        let name = match tag(text) {
            Ok(name) => name,
            Err(error) => {
                tally.failed(error.kind);
                fail(text.trim(), &error, console)?;
                continue;
            }
        };
        if !replies.contains_key(&name) {
            let reply = match stopped.clone() {
                Some(error) => Err(error),
                None => engine.tag(&name).await,
            };
            let error = reply.as_ref().err();
            stopped = stopped.or(error.filter(|error| stops_a_batch(error.kind)).cloned());
            replies.insert(name.clone(), reply);
        }
        match &replies[&name] {
            Ok(fetched) => {
                tally.done();
                console.results(&shown(name.as_str(), fetched, number == 0, console))?;
            }
            Err(error) => {
                tally.failed(error.kind);
                fail(name.as_str(), error, console)?;
            }
        }
    }
    Ok(tally.exit())
}

fn fail(query: &str, error: &Error, console: &Console) -> Outcome<()> {
    if console.format() == Format::Csv {
        console.complain(Some(query), error);
        return console.results(&failed_row(query, error));
    }
    console.failure(Some(query), error)
}

fn shown(query: &str, fetched: &Fetched<Tag>, first: bool, console: &Console) -> String {
    let apart = if first { "" } else { "\n" };
    let facts = of_tag(&fetched.value);
    match console.format() {
        Format::Json => {
            Line::new()
                .key("query", query)
                .key("source", "live")
                .document("record", Some(&fetched.document))
                .end()
                + "\n"
        }
        Format::Csv => row(query, &fetched.value),
        Format::Text => {
            apart.to_owned()
                + &sheet(
                    query,
                    facts.iter().map(|fact| (fact.label, &fact.cell)),
                    console.paint(),
                )
        }
        Format::Md => apart.to_owned() + &tag_ticket(query, fetched, ""),
    }
}

fn row(query: &str, tag: &Tag) -> String {
    let flag = |field: &Field<bool>| field.is().map(bool::to_string).unwrap_or_default();
    let metrics = tag.metrics.clone().into_option().unwrap_or_default();
    let text = |field: &Field<String>| Cell::text(field).bare().to_owned();
    CSV.row(&[
        query.to_owned(),
        text(&tag.tag),
        text(&tag.name),
        text(&tag.website),
        each(tag.categories.items(), " "),
        flag(&tag.is_anonymous),
        flag(&tag.is_callback_proxy),
        flag(&tag.is_no_log),
        Cell::number(&metrics.average_device_count)
            .bare()
            .to_owned(),
        Cell::number(&metrics.churn_rate).bare().to_owned(),
        Cell::number(&metrics.distinct_ips).bare().to_owned(),
        text(&tag.alias_of),
        String::new(),
    ])
}

fn failed_row(query: &str, error: &Error) -> String {
    let mut cells = [""; 13];
    (cells[0], cells[12]) = (query, error.kind.word());
    CSV.row(&cells)
}
