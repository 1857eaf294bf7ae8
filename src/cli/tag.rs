//! `tag`: the metadata of service tags, from the service or from the local feed; neither costs a query.

use std::collections::HashMap;

use super::{
    args::{
        ResultFormat,
        lookup::{TagArgs, TagSource},
        value::tag,
    },
    console::{CommandResult, Console},
    exit::ExitTally,
    freshness::note_ages,
};
use crate::{
    engine::{Engine, Error, Fetched, Kind, LocalTag, LocalTags, Result},
    model::{Document, Tag, TagName},
    report::{
        Csv, Line, TAG_COLUMNS, TicketStamp, local_tag_ticket, of_tag, sheet, tag_ticket,
        tag_values,
    },
    store::layout::Release,
};

pub(super) const CSV: Csv = Csv::of(&[&["query"], &TAG_COLUMNS, &["error"]]);

/// Asks about each tag once, in the order given.
///
/// # Errors
/// What stopped all of it; failures of single tags are reported one by one.
pub(super) async fn run(args: &TagArgs, engine: &Engine, console: &Console) -> CommandResult {
    let here = match args.source {
        TagSource::Live => None,
        TagSource::Local => Some(engine.releases.local_tags().await?),
    };
    if console.format() == ResultFormat::Csv {
        console.results(&CSV.header())?;
    }
    note_ages(engine, console, here.iter().map(|here| &here.release));
    let mut tally = ExitTally::default();
    let mut replies: HashMap<TagName, Result<TagAnswer>> = HashMap::new();
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
                (None, None) => match engine.live.tag(&name).await {
                    Ok(tag) => Ok(TagAnswer::Live(Box::new(tag))),
                    Err(error) => Err(with_near_name(error, &name, engine).await),
                },
            };
            let error = reply.as_ref().err();
            stopped = stopped.or(error.filter(|error| error.kind.stops_a_batch()).cloned());
            replies.insert(name.clone(), reply);
        }
        match &replies[&name] {
            Ok(said) => {
                tally.done();
                let written = TicketStamp {
                    at: engine.settings.now(),
                    invented: engine.settings.invented,
                };
                let first = number == 0;
                console.results(&shown(name.as_str(), input, said, first, written, console))?;
            }
            Err(error) => {
                tally.failed(error.kind);
                fail(name.as_str(), input, error, console)?;
            }
        }
    }
    Ok(tally.exit())
}

/// The failure, with the tag that was most likely meant where the local feed has one.
async fn with_near_name(error: Error, name: &TagName, engine: &Engine) -> Error {
    if error.kind != Kind::NotFound {
        return error;
    }
    let local = engine.releases.local_tags().await.ok();
    match local.as_ref().and_then(|local| local.nearest(name)) {
        Some(near) => error.hint(format!(
            "did you mean {near}? `ipspect tags` lists them all"
        )),
        None => error,
    }
}

/// Who said what.
enum TagAnswer {
    /// The service, now.
    Live(Box<Fetched<Tag>>),
    Local(Box<Release>, Box<LocalTag>),
}

impl TagAnswer {
    fn tag(&self) -> &Tag {
        match self {
            Self::Live(fetched) => &fetched.value,
            Self::Local(_, tag) => &tag.tag,
        }
    }

    fn source(&self) -> &'static str {
        match self {
            Self::Live(_) => "live",
            Self::Local(..) => "local",
        }
    }

    fn document(&self) -> &Document {
        match self {
            Self::Live(fetched) => &fetched.document,
            Self::Local(_, tag) => &tag.document,
        }
    }
}

/// What the local feed says of a tag.
fn of_disk(name: &TagName, here: &LocalTags) -> Result<TagAnswer> {
    if let Some(tag) = here.find(name) {
        let release = Box::new(here.release.clone());
        return Ok(TagAnswer::Local(release, Box::new(tag.clone())));
    }
    let day = here.release.manifest.moment.dashed();
    let message = format!("the local service-metrics feed of {day} has no tag {name}");
    let hint = match here.nearest(name) {
        Some(near) => format!("did you mean {near}? `ipspect tags` lists them all"),
        None => {
            "`ipspect tags` lists them all; without --source local the service is asked".to_owned()
        }
    };
    Err(Error::new(Kind::NotFound, message).hint(hint))
}

fn fail(query: &str, input: Option<&str>, error: &Error, console: &Console) -> CommandResult<()> {
    console.complain(Some(query), error);
    console.in_place_of_an_answer(CSV, query, input, error)
}

fn shown(
    query: &str,
    input: Option<&str>,
    said: &TagAnswer,
    first: bool,
    written: TicketStamp,
    console: &Console,
) -> String {
    let apart = if first { "" } else { "\n" };
    match console.format() {
        ResultFormat::Json => {
            let line = Line::about(query, input).key("source", said.source());
            line.document("record", Some(said.document())).end() + "\n"
        }
        ResultFormat::Csv => {
            let line = Line::about(query, input);
            CSV.row_of(&line.cells(&TAG_COLUMNS, &tag_values(said.tag())))
        }
        ResultFormat::Text => {
            apart.to_owned() + &sheet(query, &of_tag(said.tag()), console.paint())
        }
        ResultFormat::Md => {
            let ticket = match said {
                TagAnswer::Live(fetched) => tag_ticket(query, fetched, "", written),
                TagAnswer::Local(release, tag) => {
                    local_tag_ticket(query, release, &tag.tag, written)
                }
            };
            apart.to_owned() + &ticket
        }
    }
}
