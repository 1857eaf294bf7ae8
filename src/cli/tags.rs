//! `tags`: the service tags of the local service-metrics feed.

use super::{
    args::lookup::TagsArgs,
    console::{CommandResult, Console},
    exit::Exit,
    freshness::note_ages,
};
use crate::{
    engine::{Engine, LocalTag, LocalTags},
    report::{Columns, Results, RowsInTicket, Ticket, count, instant, tag_columns},
};

/// Lists the tags that the filter means.
///
/// # Errors
/// A failure to read the feed, or it is not downloaded; what went wrong with standard output.
pub(super) async fn run(args: &TagsArgs, engine: &Engine, console: &Console) -> CommandResult {
    let here = &engine.releases.local_tags().await?;
    let part = args.filter.as_deref().unwrap_or_default().trim();
    let tags: Vec<&LocalTag> = here.tags.iter().filter(|tag| tag.has(part)).collect();
    let day = here.release.manifest.moment.dashed();
    let found = FoundTags { here, tags };
    console.show(&found)?;
    note_ages(engine, console, [&here.release]);
    if found.tags.is_empty() {
        console.note(&format!(
            "no tag, name or category in the service-metrics feed of {day} contains {part:?}"
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

pub(super) struct FoundTags<'a> {
    here: &'a LocalTags,
    tags: Vec<&'a LocalTag>,
}

impl Results for FoundTags<'_> {
    type Row = LocalTag;

    const IN_TICKET: RowsInTicket = RowsInTicket::TableOrHeads;

    fn columns() -> Columns<LocalTag> {
        tag_columns(Columns::new(), |own: &LocalTag| &own.tag)
            .without(&["anonymous", "devices"])
            .lines(|own, text| *text += &own.document.to_line())
    }

    fn rows(&self) -> impl Iterator<Item = &LocalTag> {
        self.tags.iter().copied()
    }

    fn ticket(&self) -> Ticket {
        let manifest = &self.here.release.manifest;
        let day = manifest.moment.dashed();
        let number = match self.tags.len() {
            1 => "1 service tag".to_owned(),
            number => format!("{} service tags", count(number as u64)),
        };
        Ticket::about("Service tags")
            .sentence(&format!("{number} of the feed service-metrics of {day}."))
            .line("source", "feed service-metrics, local")
            .line("data date", &day)
            .line("downloaded at", &instant(manifest.pulled_at))
    }
}
