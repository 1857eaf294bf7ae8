//! `feeds`: the service's releases, the local ones, and downloading.

mod info;
mod list;
mod listing;
mod pull;
mod reindex;
mod rm;
mod row;
mod verify;

use std::path::Path;

use super::{
    args::{
        feeds::FeedsCommand,
        value::{check_extension, day, feed, picked_day},
    },
    console::{CommandResult, Console},
    exit::Exit,
};
use crate::{
    contract::{Feed, Resource},
    engine::{Engine, Pulled, RemovedReleases},
    report::{Line, Results, size},
    store::layout::Release,
};

/// The table that `feeds` or one of its subcommands prints; none where it saves a document.
pub(super) fn table_of(command: Option<&FeedsCommand>) -> Option<Vec<&'static str>> {
    Some(match command {
        None => list::FeedList::columns().names(),
        Some(FeedsCommand::Info { .. }) => row::FeedRow::columns().names(),
        Some(FeedsCommand::Pull(_)) => Pulled::columns().names(),
        Some(FeedsCommand::Runs { .. } | FeedsCommand::Files { .. }) => {
            listing::Listed::columns().names()
        }
        Some(FeedsCommand::Readme { .. }) => return None,
        Some(FeedsCommand::Verify { .. }) => verify::Checked::columns().names(),
        Some(FeedsCommand::Rm(_)) => RemovedReleases::columns().names(),
        Some(FeedsCommand::Reindex { .. }) => Release::columns().names(),
    })
}

/// Runs `feeds` or one of its subcommands.
///
/// # Errors
/// What stopped it.
pub(super) async fn run(
    command: Option<FeedsCommand>,
    engine: &Engine,
    console: &Console,
) -> CommandResult {
    match command {
        None => list::run(engine, console).await,
        Some(FeedsCommand::Info { feed: name }) => info::run(feed(&name)?, engine, console).await,
        Some(FeedsCommand::Pull(args)) if args.stale => {
            pull::run_stale(&args, engine, console).await
        }
        Some(FeedsCommand::Pull(args)) => {
            pull::run(&args.query(engine.settings.now())?, engine, console).await
        }
        Some(FeedsCommand::Runs { feed: name }) => {
            listing::run(feed(&name)?, Resource::Runs, engine, console).await
        }
        Some(FeedsCommand::Files { feed: name, date }) => {
            let files = Resource::Files(day(&date, engine.settings.today())?);
            listing::run(feed(&name)?, files, engine, console).await
        }
        Some(FeedsCommand::Readme {
            feed: name,
            output_file,
            force,
        }) => {
            check_extension(&output_file, &["pdf"], "end FILE with .pdf")?;
            save_readme(feed(&name)?, &output_file, force, engine, console).await
        }
        Some(FeedsCommand::Verify {
            feed: name,
            day: on,
        }) => {
            let on = picked_day(on.as_deref(), engine.settings.today())?;
            verify::run(feed(&name)?, on, engine, console).await
        }
        Some(FeedsCommand::Rm(args)) => rm::run(&args, engine, console).await,
        Some(FeedsCommand::Reindex {
            feed: name,
            day: on,
            wait,
        }) => {
            let on = picked_day(on.as_deref(), engine.settings.today())?;
            reindex::run(feed(&name)?, on, wait, engine, console).await
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
    engine: &Engine,
    console: &Console,
) -> CommandResult {
    if file == Path::new("-") {
        console.bytes(&engine.live.feed_readme(feed).await?)?;
        return Ok(Exit::DONE);
    }
    let bytes = engine.exports.save_readme(feed, file, force).await?;
    let name = file.display().to_string();
    let object = Line::new()
        .key("feed", feed.name())
        .key("file", name.clone());
    let sentence = format!("{name}: the documentation of {feed}, {}", size(bytes));
    console.done(&object.key("bytes", bytes), &sentence)?;
    Ok(Exit::DONE)
}
