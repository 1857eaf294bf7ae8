//! `feeds runs` and `feeds files`: what the service lists, in whatever shape it does.

use serde_json::{Map, Value};

use crate::{
    cli::{
        console::{Console, Outcome},
        exit::Exit,
    },
    contract::{Feed, Resource},
    engine::Engine,
    model::listing::{Entry, Listing},
    report::{Cell, Csv, Line, Paint, Results, bytes, markdown_table, table},
};

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
    console.show(&listed.listing)?;
    if listed.listing.entries.is_empty() {
        console.note("the service lists nothing there");
    }
    Ok(Exit::DONE)
}

impl Results for Listing {
    const CSV: Csv = Csv::of(&[&["name", "size", "modified"]]);

    fn lines(&self) -> Vec<Line> {
        let line = |entry: &Entry| {
            let extra: Map<String, Value> = entry.extra.iter().cloned().collect();
            Line::new()
                .key("name", &entry.name)
                .key("size", entry.size)
                .key("modified", &entry.modified)
                .some("extra", Some(extra).filter(|extra| !extra.is_empty()))
        };
        self.entries.iter().map(line).collect()
    }

    fn text(&self, paint: Paint) -> String {
        // Names alone are what most listings hold, and what a loop in a shell wants.
        let is_bare = |entry: &Entry| entry.size.is_none() && entry.modified.is_none();
        if self.entries.iter().all(is_bare) {
            let names = self.entries.iter();
            return names
                .map(|entry| Cell::known(&entry.name).text + "\n")
                .collect();
        }
        table(&COLUMNS, &cells(&self.entries), paint)
    }

    fn markdown(&self) -> String {
        markdown_table(&COLUMNS, &cells(&self.entries))
    }
}

fn cells(entries: &[Entry]) -> Vec<Vec<Cell>> {
    let row = |entry: &Entry| {
        vec![
            Cell::known(&entry.name),
            Cell::or_dash(entry.size.map(bytes)),
            Cell::or_dash(entry.modified.as_ref()),
        ]
    };
    entries.iter().map(row).collect()
}
