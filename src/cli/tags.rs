//! `tags`: the service tags of the local service-metrics feed.

use super::{
    args::lookup::TagsArgs,
    console::{CommandResult, Console},
    exit::Exit,
    freshness::note_ages,
};
use crate::{
    engine::{Engine, LocalTag, LocalTags},
    report::{
        Csv, Line, Paint, PrintedResults, TAG_COLUMNS, TextCell, Ticket, count, each, instant,
        table, tag_values,
    },
};

const COLUMNS: [&str; 5] = ["TAG", "NAME", "KIND", "CATEGORIES", "ADDRESSES"];

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

impl FoundTags<'_> {
    fn cells(&self) -> Vec<Vec<TextCell>> {
        let row = |tag: &&LocalTag| {
            let tag = &tag.tag;
            let metrics = tag.metrics.clone().into_option().unwrap_or_default();
            let categories = Some(tag.categories.items()).filter(|named| !named.is_empty());
            vec![
                TextCell::text(&tag.tag),
                TextCell::text(&tag.name).dashed(),
                TextCell::or_dash(tag.kind_word()),
                TextCell::or_dash(categories.map(|categories| each(categories, " "))),
                TextCell::count(&metrics.distinct_ips).dashed(),
            ]
        };
        self.tags.iter().map(row).collect()
    }
}

impl PrintedResults for FoundTags<'_> {
    const CSV: Csv = Csv::of(&[&TAG_COLUMNS]);

    fn lines(&self) -> Vec<Line> {
        let line = |tag: &&LocalTag| Line::new().cells(&TAG_COLUMNS, &tag_values(&tag.tag));
        self.tags.iter().map(line).collect()
    }

    fn json(&self) -> String {
        let documents = self.tags.iter().map(|tag| tag.document.to_line() + "\n");
        documents.collect()
    }

    fn text(&self, paint: Paint) -> String {
        if self.tags.is_empty() {
            return String::new();
        }
        table(&COLUMNS, &self.cells(), paint)
    }

    fn markdown(&self) -> String {
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
            .table(&COLUMNS, &self.cells())
    }
}
