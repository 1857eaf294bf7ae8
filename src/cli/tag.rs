//! `tag`: the metadata of service tags, of the service or of the feed on this disk; neither costs a query.

use std::collections::HashMap;

use super::{
    args::{
        Format,
        lookup::{TagArgs, TagSource, tag},
    },
    console::{Console, Outcome},
    exit::Tally,
    freshness::note_ages,
};
use crate::{
    engine::{Engine, Error, Fetched, Kind, LocalTag, LocalTags, Result},
    model::{Document, Field, Tag, TagName},
    report::{Cell, Csv, Line, each, local_tag_ticket, of_tag, sheet, tag_ticket},
    store::layout::Release,
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
    let here = match args.source {
        TagSource::Live => None,
        TagSource::Local => Some(engine.local_tags().await?),
    };
    if console.format() == Format::Csv {
        console.results(&CSV.header())?;
    }
    note_ages(engine, console, here.iter().map(|here| &here.release));
    let mut tally = Tally::default();
    let mut replies: HashMap<TagName, Result<Said>> = HashMap::new();
    let mut stopped: Option<Error> = None;
    for (number, text) in args.tags.iter().enumerate() {
        let name = match tag(text) {
            Ok(name) => name,
            Err(error) => {
                tally.failed(error.kind);
                fail(text.trim(), None, &error, console)?;
                continue;
            }
        };
        let input = Some(text.trim()).filter(|typed| *typed != name.as_str());
        if !replies.contains_key(&name) {
            let reply = match (&here, stopped.clone()) {
                (Some(here), _) => of_disk(&name, here),
                (None, Some(error)) => Err(error),
                (None, None) => engine.tag(&name).await.map(Box::new).map(Said::Live),
            };
            let error = reply.as_ref().err();
            stopped = stopped.or(error.filter(|error| error.kind.stops_a_batch()).cloned());
            replies.insert(name.clone(), reply);
        }
        match &replies[&name] {
            Ok(said) => {
                tally.done();
                console.results(&shown(name.as_str(), input, said, number == 0, console))?;
            }
            Err(error) => {
                tally.failed(error.kind);
                fail(name.as_str(), input, error, console)?;
            }
        }
    }
    Ok(tally.exit())
}

/// Who said what.
enum Said {
    /// The service, now.
    Live(Box<Fetched<Tag>>),
    /// The feed on this disk.
    Local(Box<Release>, Box<LocalTag>),
}

impl Said {
    fn tag(&self) -> &Tag {
        match self {
            Self::Live(fetched) => &fetched.value,
            Self::Local(_, tag) => &tag.tag,
        }
    }

    fn document(&self) -> &Document {
        match self {
            Self::Live(fetched) => &fetched.document,
            Self::Local(_, tag) => &tag.document,
        }
    }
}

/// What the feed on this disk says of a tag.
fn of_disk(name: &TagName, here: &LocalTags) -> Result<Said> {
    if let Some(tag) = here.find(name) {
        let release = Box::new(here.release.clone());
        return Ok(Said::Local(release, Box::new(tag.clone())));
    }
    let day = here.release.manifest.moment.dashed();
    let message = format!("the service-metrics feed of {day} on this disk has no tag {name}");
    let hint = match here.nearest(name) {
        Some(near) => format!("did you mean {near}? `ipspect tags` lists them all"),
        None => {
            "`ipspect tags` lists them all; without --source local the service is asked".to_owned()
        }
    };
    Err(Error::new(Kind::NotFound, message).hint(hint))
}

fn fail(query: &str, input: Option<&str>, error: &Error, console: &Console) -> Outcome<()> {
    console.complain(Some(query), error);
    match console.format() {
        Format::Json => {
            let line = Line::new().key("query", query).input(input);
            console.line(&line.error(error).end())
        }
        Format::Csv => console.results(&failed_row(query, error)),
        Format::Text | Format::Md => Ok(()),
    }
}

fn shown(query: &str, input: Option<&str>, said: &Said, first: bool, console: &Console) -> String {
    let apart = if first { "" } else { "\n" };
    match console.format() {
        Format::Json => {
            let source = match said {
                Said::Live(_) => "live",
                Said::Local(..) => "local",
            };
            Line::new()
                .key("query", query)
                .input(input)
                .key("source", source)
                .document("record", Some(said.document()))
                .end()
                + "\n"
        }
        Format::Csv => {
            let cells = cells(said.tag());
            let cells = cells.iter().map(String::as_str);
            CSV.row(
                &[query]
                    .into_iter()
                    .chain(cells)
                    .chain([""])
                    .collect::<Vec<_>>(),
            )
        }
        Format::Text => {
            let facts = of_tag(said.tag());
            let facts = facts.iter().map(|fact| (fact.label, &fact.cell));
            apart.to_owned() + &sheet(query, facts, console.paint())
        }
        Format::Md => {
            let ticket = match said {
                Said::Live(fetched) => tag_ticket(query, fetched, ""),
                Said::Local(release, tag) => local_tag_ticket(query, release, &tag.tag),
            };
            apart.to_owned() + &ticket
        }
    }
}

/// What a tag says, for programs: the columns of the help, but for query and error.
pub(super) fn cells(tag: &Tag) -> [String; 11] {
    let flag = |field: &Field<bool>| field.is().map(bool::to_string).unwrap_or_default();
    let metrics = tag.metrics.clone().into_option().unwrap_or_default();
    let text = |field: &Field<String>| Cell::text(field).bare().to_owned();
    [
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
    ]
}

fn failed_row(query: &str, error: &Error) -> String {
    let mut cells = [""; 13];
    (cells[0], cells[12]) = (query, error.kind.word());
    CSV.row(&cells)
}
