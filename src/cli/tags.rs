//! `tags`: the service tags of the service-metrics feed on this disk.

use super::{
    args::{Format, lookup::TagsArgs},
    console::{Console, Outcome},
    exit::Exit,
    freshness::note_ages,
};
use crate::engine::{Engine, LocalTag};
use crate::report::{
    Cell, Csv, TAG_COLUMNS, Ticket, each, markdown_table, moment, table, tag_values,
};

const CSV: Csv = Csv::of(&TAG_COLUMNS);
const COLUMNS: [&str; 5] = ["TAG", "NAME", "KIND", "CATEGORIES", "ADDRESSES"];

/// Lists the tags that the filter means.
///
/// # Errors
/// What keeps the feed from being read, or it is not on this disk; what went wrong with standard output.
pub(super) async fn run(args: &TagsArgs, engine: &Engine, console: &Console) -> Outcome {
    let here = engine.releases.local_tags().await?;
    let part = args.filter.as_deref().unwrap_or_default().trim();
    let tags: Vec<&LocalTag> = here.tags.iter().filter(|tag| tag.has(part)).collect();
    let manifest = &here.release.manifest;
    let day = manifest.moment.dashed();
    let results = match console.format() {
        Format::Json => tags
            .iter()
            .map(|tag| tag.document.to_line() + "\n")
            .collect(),
        Format::Csv => {
            CSV.header()
                + &tags
                    .iter()
                    .map(|tag| CSV.row(&tag_values(&tag.tag)))
                    .collect::<String>()
        }
        Format::Text if tags.is_empty() => String::new(),
        Format::Text => table(&COLUMNS, &rows(&tags), console.paint()),
        Format::Md => {
            let ticket = Ticket::about("Service tags")
                .line("source", "feed service-metrics on this disk")
                .line("data date", &day)
                .line("downloaded at", &moment(manifest.pulled_at));
            ticket.end() + "\n" + &markdown_table(&COLUMNS, &rows(&tags))
        }
    };
    console.results(&results)?;
    note_ages(engine, console, [&here.release]);
    if tags.is_empty() {
        console.note(&format!(
            "no tag, name or category of the service-metrics feed of {day} has {part:?} in it"
        ));
    }
    if here.unread > 0 {
        console.note(&format!(
            "records that cannot be read as tags, and are left out: {}",
            here.unread
        ));
    }
    Ok(Exit::DONE)
}

fn rows(tags: &[&LocalTag]) -> Vec<Vec<Cell>> {
    let dash = |cell: Cell| if cell.known { cell } else { Cell::unknown("-") };
    let row = |tag: &&LocalTag| {
        let tag = &tag.tag;
        let metrics = tag.metrics.clone().into_option().unwrap_or_default();
        vec![
            Cell::text(&tag.tag),
            dash(Cell::text(&tag.name)),
            tag.kind_word().map_or(Cell::unknown("-"), Cell::known),
            match tag.categories.items() {
                [] => Cell::unknown("-"),
                categories => Cell::known(each(categories, " ")),
            },
            dash(Cell::count(&metrics.distinct_ips)),
        ]
    };
    tags.iter().map(row).collect()
}
