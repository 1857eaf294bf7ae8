//! `feeds`: the service's releases, the local ones, and downloading.

mod releases;
mod row;

use std::path::Path;

use serde_json::{Map, Value};

use super::{
    args::{
        feeds::FeedsCommand,
        value::{check_extension, day, feed, picked_day},
    },
    console::CommandResult,
    exit::Exit,
    run::Run,
};
use crate::{
    contract::{Feed, Resource},
    model::listing::ListingEntry,
    report::{
        Cell, Columns, HealthRow, Line, Results, TextCell, Ticket, counted, each, health_columns,
        size,
    },
};

/// The table that `feeds` or one of its subcommands prints; none where it saves a document.
pub(super) fn table_of(command: Option<&FeedsCommand>) -> Option<Vec<&'static str>> {
    Some(match command {
        None => row::feed_columns().names(),
        Some(FeedsCommand::Info { .. }) => row::release_columns().names(),
        Some(FeedsCommand::Pull(_)) => releases::pulled_columns().names(),
        Some(FeedsCommand::Runs { .. } | FeedsCommand::Files { .. }) => listing_columns().names(),
        Some(FeedsCommand::Readme { .. }) => return None,
        Some(FeedsCommand::Verify { .. }) => releases::verified_columns().names(),
        Some(FeedsCommand::Health { .. }) => health_columns().names(),
        Some(FeedsCommand::Rm(_)) => releases::removed_columns().names(),
        Some(FeedsCommand::Reindex { .. }) => releases::reindexed_columns().names(),
    })
}

/// Runs `feeds` or one of its subcommands.
///
/// # Errors
/// What stopped it.
pub(super) async fn run(command: Option<FeedsCommand>, run: Run<'_>) -> CommandResult {
    let engine = run.engine;
    let today = engine.settings.today();
    match command {
        None => row::list(run).await,
        Some(FeedsCommand::Info { feed: name }) => row::info(feed(&name)?, run).await,
        Some(FeedsCommand::Pull(args)) if args.stale => releases::pull_stale(&args, run).await,
        Some(FeedsCommand::Pull(args)) => {
            releases::pull(&args.queries(engine.settings.now())?, run).await
        }
        Some(FeedsCommand::Runs { feed: name }) => {
            list_files(feed(&name)?, Resource::Runs, run).await
        }
        Some(FeedsCommand::Files { feed: name, date }) => {
            let files = Resource::Files(day(&date, today)?);
            list_files(feed(&name)?, files, run).await
        }
        Some(FeedsCommand::Health { feed: name, days }) => {
            let feed = name.as_deref().map(feed).transpose()?;
            health(feed, days, run).await
        }
        Some(FeedsCommand::Readme {
            feed: name,
            output_file,
            force,
        }) => {
            check_extension(&output_file, &["pdf"], "end FILE with .pdf")?;
            save_readme(feed(&name)?, &output_file, force, run).await
        }
        Some(FeedsCommand::Verify { feed: name, day }) => {
            let day = picked_day(day.as_deref(), today)?;
            releases::verify(feed(&name)?, day, run).await
        }
        Some(FeedsCommand::Rm(args)) => releases::remove(&args, run).await,
        Some(FeedsCommand::Reindex {
            feed: name,
            day,
            wait,
        }) => {
            let day = picked_day(day.as_deref(), today)?;
            releases::reindex(feed(&name)?, day, wait, run).await
        }
    }
}

/// Saves the PDF, or writes it to standard output.
///
/// # Errors
/// What the service said; a file that is there already, unless it is to be replaced.
async fn save_readme(
    feed: Feed,
    file: &Path,
    force: bool,
    Run { engine, console }: Run<'_>,
) -> CommandResult {
    if file == Path::new("-") {
        console.bytes(&engine.live.feed_readme(feed).await?)?;
        return Ok(Exit::DONE);
    }
    let bytes = engine.exports.save_readme(feed, file, force).await?;
    let name = file.display().to_string();
    let object = Line::default()
        .key("feed", feed.name())
        .key("file", name.clone());
    let sentence = format!("{name}: the documentation of {feed}, {}", size(bytes));
    console.done(&object.key("bytes", bytes), &sentence)?;
    Ok(Exit::DONE)
}

/// Lists the days that the service has, or the files of one day.
///
/// # Errors
/// What the service said.
async fn list_files(
    feed: Feed,
    resource: Resource,
    Run { engine, console }: Run<'_>,
) -> CommandResult {
    let fetched = engine.live.listing(feed, resource.clone()).await?;
    let entries = &fetched.listing.entries;
    let number = entries.len() as u64;
    let sentence = if let Resource::Files(day) = resource {
        let (files, day) = (counted(number, "file"), day.dashed());
        format!("The service lists {files} of {feed} for {day}.")
    } else {
        format!("The service lists {} of {feed}.", counted(number, "day"))
    };
    let ticket = Ticket::about(&format!("Listing of {feed}")).sentence(&sentence);
    let results = Results::table(listing_columns(), entries, ticket);
    // Most listings hold only names, and a shell loop wants only names.
    let is_bare = |entry: &ListingEntry| entry.size.is_none() && entry.modified.is_none();
    let results = if entries.iter().all(is_bare) {
        let names = entries
            .iter()
            .map(|entry| TextCell::known(&entry.name).text + "\n");
        results.text(each(names, ""))
    } else {
        results
    };
    console.show(results)?;
    if number == 0 {
        console.note("the service lists nothing there");
    }
    Ok(Exit::DONE)
}

fn listing_columns() -> Columns<ListingEntry> {
    Columns::<ListingEntry>::default()
        .column("name", "name", |entry| entry.name.clone())
        .column("size", "size", |entry| entry.size.map(Cell::Bytes))
        .column("modified", "modified", |entry| entry.modified.clone())
        .json("extra", |entry| {
            let extra: Map<String, Value> = entry.extra.iter().cloned().collect();
            Cell::some((!extra.is_empty()).then(|| Cell::json(extra)))
        })
}

/// Prints how releases were, day by day.
async fn health(feed: Option<Feed>, most: usize, run: Run<'_>) -> CommandResult {
    let Run { engine, console } = run;
    let feeds = match feed {
        Some(feed) => vec![feed],
        None => Feed::all().filter(|feed| *feed != Feed::Realtime).collect(),
    };
    let mut rows = Vec::new();
    for feed in feeds {
        let days = engine.releases.health_over_time(feed).await?;
        let mut all = HealthRow::of(feed, &days);
        all.drain(..all.len().saturating_sub(most));
        rows.extend(all);
    }
    if rows.is_empty() {
        console.note("no release was pulled: `ipspect feeds pull anonymous` is the first");
    }
    let noted = rows.iter().filter(|row| !row.notes.is_empty()).count() as u64;
    let words = format!(
        "{} with something out of the ordinary",
        counted(noted, "day")
    );
    let ticket = Ticket::about("Feeds, day by day").sentence(&words);
    console.show(Results::table(health_columns(), &rows, ticket))?;
    Ok(if noted > 0 { Exit::CHANGED } else { Exit::DONE })
}
