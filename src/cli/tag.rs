//! `tag`: the metadata of service tags, from the service or from the local feed; neither costs a query.

use std::collections::HashMap;

use super::{
    args::{
        ResultFormat,
        lookup::{TagArgs, TagSource, TagsArgs},
        value::tag,
    },
    console::{CommandResult, Console},
    exit::{Exit, ExitTally},
    run::Run,
};
use crate::{
    engine::{Engine, Error, Fetched, Kind, LocalTag, LocalTags, Result, trail::TrailEntry},
    model::{Document, Tag, TagName},
    report::{
        Cell, Columns, Line, Results, TextStyle, Ticket, TicketStamp, counted, instant,
        local_tag_ticket, of_tag, sheet, tag_columns, tag_ticket,
    },
    store::layout::Release,
};

/// What is asked, then a tag.
pub(super) fn columns() -> Columns<TagRow> {
    let columns = Columns::<TagRow>::default()
        .lines(|row, text| {
            let line = Line::about(&row.query, row.input.as_deref());
            let line = line.key("source", row.answer.source());
            *text += &line.document("record", Some(row.answer.document())).end();
        })
        .csv("query", |row| row.query.clone());
    tag_columns(columns, |row| row.answer.tag()).csv("error", |_| Cell::Absent)
}

/// Asks about each tag once, in the order given.
///
/// # Errors
/// What stopped all of it; failures of single tags are reported one by one.
pub(super) async fn run(args: &TagArgs, run: Run<'_>) -> CommandResult {
    let Run { engine, console } = run;
    let here = match args.source {
        TagSource::Live => None,
        TagSource::Local => Some(engine.releases.local_tags().await?),
    };
    let columns = columns();
    console.rows(|rows| rows.begin(&columns, || None))?;
    run.note_ages(here.iter().map(|here| &here.release));
    let mut tally = ExitTally::default();
    let mut replies: HashMap<TagName, Result<TagAnswer>> = HashMap::new();
    let mut stopped: Option<Error> = None;
    for text in &args.tags {
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
                run.remember(|| TrailEntry::Tagged(name.clone(), engine.settings.now()));
                let row = TagRow {
                    query: name.to_string(),
                    input: input.map(str::to_owned),
                    answer: said.clone(),
                };
                let written = TicketStamp::of(&engine.settings);
                let (format, style) = (console.format(), console.style());
                console.rows(|rows| {
                    rows.block(&columns, &row, || row.words(written, format, style))
                })?;
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
    error.hint_if_any(local.as_ref().and_then(|local| near_name(local, name)))
}

/// A tag that was asked for, and the answer.
pub(super) struct TagRow {
    query: String,
    /// What was typed, where it differs from the query.
    input: Option<String>,
    answer: TagAnswer,
}

impl TagRow {
    fn words(&self, written: TicketStamp, format: ResultFormat, style: TextStyle) -> String {
        match (format, &self.answer) {
            (ResultFormat::Md, TagAnswer::Live(fetched)) => {
                tag_ticket(&self.query, fetched, "", written)
            }
            (ResultFormat::Md, TagAnswer::Local(release, tag)) => {
                local_tag_ticket(&self.query, release, &tag.tag, written)
            }
            _ => sheet(&self.query, &of_tag(self.answer.tag()), style),
        }
    }
}

fn near_name(local: &LocalTags, name: &TagName) -> Option<String> {
    let near = local.nearest(name)?;
    Some(format!(
        "did you mean {near}? `ipspect tags` lists them all"
    ))
}

/// Who said what.
#[derive(Clone)]
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
    let all = "`ipspect tags` lists them all; without --source local the service is asked";
    let hint = near_name(here, name).unwrap_or(all.to_owned());
    Err(Error::new(Kind::NotFound, message).hint(hint))
}

fn fail(query: &str, input: Option<&str>, error: &Error, console: &Console) -> CommandResult<()> {
    console.complain(Some(query), error);
    console.rows(|rows| rows.failure(&columns(), (query, input), error))
}

/// Lists the tags that the filter means.
///
/// # Errors
/// A failure to read the feed, or it is not downloaded; what went wrong with standard output.
pub(super) async fn list(args: &TagsArgs, run: Run<'_>) -> CommandResult {
    let Run { engine, console } = run;
    let here = &engine.releases.local_tags().await?;
    let part = args.filter.as_deref().unwrap_or_default().trim();
    let tags: Vec<&LocalTag> = here.tags.iter().filter(|tag| tag.has(part)).collect();
    let day = here.release.manifest.moment.dashed();
    let number = counted(tags.len() as u64, "service tag");
    let ticket = Ticket::about("Service tags")
        .sentence(&format!("{number} of the feed service-metrics of {day}."))
        .line("source", "feed service-metrics, local")
        .line("data date", &day)
        .line("downloaded at", &instant(here.release.manifest.pulled_at));
    let is_empty = tags.is_empty();
    console.show(Results::table(list_columns(), tags, ticket).with_heads())?;
    run.note_ages([&here.release]);
    if is_empty {
        console.note(&format!(
            "no tag, name, description or category in the service-metrics feed of {day} contains {part:?}"
        ));
    }
    if here.unread > 0 {
        console.note(&format!(
            "records left out, unreadable as tags: {}",
            here.unread
        ));
    }
    Ok(Exit::DONE)
}

pub(super) fn list_columns() -> Columns<LocalTag> {
    tag_columns(Columns::default(), |tag: &LocalTag| &tag.tag)
        .without(&["anonymous", "devices"])
        .lines(|tag, text| *text += &tag.document.to_line())
}
