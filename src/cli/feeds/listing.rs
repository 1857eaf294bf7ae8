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
    report::{Cell, Columns, Results, TextCell, TextStyle, Ticket},
};

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

impl Results for Listed<'_> {
    type Row = ListingEntry;

    fn columns() -> Columns<ListingEntry> {
        Columns::<ListingEntry>::new()
            .column("name", "name", |entry| entry.name.clone())
            .column("size", "size", |entry| entry.size.map(Cell::Bytes))
            .column("modified", "modified", |entry| entry.modified.clone())
            .json("extra", |entry| {
                let extra: Map<String, Value> = entry.extra.iter().cloned().collect();
                Cell::some(
                    Some(extra)
                        .filter(|extra| !extra.is_empty())
                        .map(Cell::json),
                )
            })
    }

    fn rows(&self) -> impl Iterator<Item = &ListingEntry> {
        self.entries.iter()
    }

    fn text(&self, style: TextStyle) -> String {
        // Most listings hold only names, and a shell loop wants only names.
        let is_bare = |entry: &ListingEntry| entry.size.is_none() && entry.modified.is_none();
        if self.entries.iter().all(is_bare) {
            let names = self.entries.iter();
            return names
                .map(|entry| TextCell::known(&entry.name).text + "\n")
                .collect();
        }
        Self::columns().table(self.rows(), style)
    }

    fn ticket(&self) -> Ticket {
        Ticket::about(&format!("Listing of {}", self.feed)).sentence(&self.sentence())
    }
}
