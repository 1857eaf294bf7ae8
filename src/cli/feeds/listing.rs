//! `feeds runs` and `feeds files`: what the service lists, in any shape.

use serde_json::{Map, Value};

use crate::{
    cli::{
        console::{CommandResult, Console},
        exit::Exit,
    },
    contract::{Feed, Resource},
    engine::Engine,
    model::listing::ListingEntry,
    report::{Csv, Line, Paint, PrintedResults, TextCell, Ticket, size, table},
};

const COLUMNS: [&str; 3] = ["NAME", "SIZE", "MODIFIED"];

/// Lists the days, or the files of one day.
///
/// # Errors
/// What the service said.
pub(super) async fn run(
    feed: Feed,
    resource: Resource,
    engine: &Engine,
    console: &Console,
) -> CommandResult {
    let listing = engine.live.listing(feed, resource.clone()).await?.listing;
    let listed = Listed {
        feed,
        resource,
        entries: &listing.entries,
    };
    console.show(&listed)?;
    if listing.entries.is_empty() {
        console.note("the service lists nothing there");
    }
    Ok(Exit::DONE)
}

/// What the service lists of a feed.
pub(super) struct Listed<'a> {
    feed: Feed,
    resource: Resource,
    entries: &'a [ListingEntry],
}

impl Listed<'_> {
    fn sentence(&self) -> String {
        let (feed, number) = (self.feed, self.entries.len());
        if let Resource::Files(day) = &self.resource {
            let files = if number == 1 { "file" } else { "files" };
            let day = day.dashed();
            return format!("The service lists {number} {files} of {feed} for {day}.");
        }
        let days = if number == 1 { "day" } else { "days" };
        format!("The service lists {number} {days} of {feed}.")
    }
}

impl PrintedResults for Listed<'_> {
    const CSV: Csv = Csv::of(&[&["name", "size", "modified"]]);

    fn lines(&self) -> Vec<Line> {
        let line = |entry: &ListingEntry| {
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
        // Most listings hold only names, and a shell loop wants only names.
        let is_bare = |entry: &ListingEntry| entry.size.is_none() && entry.modified.is_none();
        if self.entries.iter().all(is_bare) {
            let names = self.entries.iter();
            return names
                .map(|entry| TextCell::known(&entry.name).text + "\n")
                .collect();
        }
        table(&COLUMNS, &cells(self.entries), paint)
    }

    fn markdown(&self) -> String {
        let ticket = Ticket::about(&format!("Listing of {}", self.feed)).sentence(&self.sentence());
        if self.entries.is_empty() {
            return ticket.end();
        }
        ticket.table(&COLUMNS, &cells(self.entries))
    }
}

fn cells(entries: &[ListingEntry]) -> Vec<Vec<TextCell>> {
    let row = |entry: &ListingEntry| {
        vec![
            TextCell::known(&entry.name),
            TextCell::or_dash(entry.size.map(size)),
            TextCell::or_dash(entry.modified.as_ref()),
        ]
    };
    entries.iter().map(row).collect()
}
