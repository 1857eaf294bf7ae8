//! `feeds runs` and `feeds files`: what the service lists, in whatever shape it does.

use serde_json::Value;

use crate::{
    cli::{
        args::Format,
        console::{Console, Outcome},
        exit::Exit,
    },
    contract::{Feed, Resource},
    engine::Engine,
    model::listing::Entry,
    report::{Cell, Csv, Line, bytes, markdown_table, table},
};

const CSV: Csv = Csv::of(&["name", "size", "modified"]);
const COLUMNS: [&str; 3] = ["NAME", "SIZE", "MODIFIED"];

/// Lists the days that there are, or the files of one of them.
///
/// # Errors
/// What the service said.
pub(super) async fn run(
    feed: Feed,
    resource: Resource,
    engine: &Engine,
    console: &Console,
) -> Outcome {
    let listed = engine.live.listing(feed, resource).await?;
    let entries = &listed.listing.entries;
    let results = match console.format() {
        Format::Json => entries.iter().map(|entry| json(entry) + "\n").collect(),
        Format::Csv => CSV.header() + &entries.iter().map(csv).collect::<String>(),
        // Names alone are what most listings hold, and what a loop in a shell wants.
        Format::Text
            if entries
                .iter()
                .all(|entry| entry.size.is_none() && entry.modified.is_none()) =>
        {
            entries
                .iter()
                .map(|entry| Cell::known(&entry.name).text + "\n")
                .collect()
        }
        Format::Text => table(&COLUMNS, &cells(entries), console.paint()),
        Format::Md => markdown_table(&COLUMNS, &cells(entries)),
    };
    console.results(&results)?;
    if entries.is_empty() {
        console.note("the service lists nothing there");
    }
    Ok(Exit::DONE)
}

fn json(entry: &Entry) -> String {
    let mut line = Line::new()
        .key("name", &entry.name)
        .key("size", entry.size)
        .key("modified", &entry.modified);
    if !entry.extra.is_empty() {
        let extra: serde_json::Map<String, Value> = entry.extra.iter().cloned().collect();
        line = line.key("extra", extra);
    }
    line.end()
}

fn csv(entry: &Entry) -> String {
    let size = entry.size.map(|size| size.to_string());
    CSV.row(&[
        entry.name.as_str(),
        size.as_deref().unwrap_or_default(),
        entry.modified.as_deref().unwrap_or_default(),
    ])
}

fn cells(entries: &[Entry]) -> Vec<Vec<Cell>> {
    let row = |entry: &Entry| {
        let size = entry
            .size
            .map_or(Cell::unknown("-"), |size| Cell::known(bytes(size)));
        let modified = entry
            .modified
            .as_ref()
            .map_or(Cell::unknown("-"), Cell::known);
        vec![Cell::known(&entry.name), size, modified]
    };
    entries.iter().map(row).collect()
}
