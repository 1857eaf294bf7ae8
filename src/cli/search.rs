//! `search`: the records of a local feed that match a filter, their number, or the values of a field.
//!
//! Records go out page by page, however many there are; nothing is sent, and nothing on the disk is changed.

pub(super) mod facets;
mod loaded;
mod records;
mod results;

use std::slice;

use self::{
    facets::{check_path, facet_columns},
    records::SearchInputs,
    results::{columns_of, count_columns},
};
use super::{
    args::search::{SearchArgs, SearchArguments, SearchResult},
    console::CommandResult,
    exit::Exit,
    run::Run,
};
use crate::{
    contract::Feed,
    engine::{Error, Kind},
    report::{ResultFormat, SqlStatement},
};

/// The table of the records, of their number, or of the values of a field.
pub(super) fn table_of(args: &SearchArgs) -> Vec<&'static str> {
    if args.count {
        count_columns().names()
    } else if args.facet.as_deref() == Some("day") {
        loaded::day_columns().names()
    } else if args.facet.is_some() {
        facet_columns().names()
    } else {
        let feed = args.feed.parse().unwrap_or(Feed::Anonymous);
        columns_of(feed, args.is_dated()).names()
    }
}

/// Answers from the release that is asked for.
///
/// # Errors
/// An invalid filter; a feed that is not downloaded.
pub(super) async fn run(args: &SearchArgs, run: Run<'_>) -> CommandResult {
    let Run { engine, console } = run;
    let SearchArguments {
        feed,
        day,
        filter,
        wanted,
        loaded,
    } = args.search(engine.settings.today())?;
    if let Some(days) = loaded {
        console.if_interrupted("the output is correct but incomplete");
        return loaded::run(feed, days, filter, wanted, run).await;
    }
    if let SearchResult::Sql(dialect, counts, limit) = wanted {
        if console.format() != ResultFormat::Text {
            let message = "--sql prints a statement, which has no other format";
            return Err(Error::new(Kind::Usage, message)
                .hint("leave --format out")
                .into());
        }
        let statement = SqlStatement {
            feed,
            day,
            filter: &filter,
            counts,
            limit,
            is_invented: engine.settings.invented,
        };
        console.results(&statement.text(dialect))?;
        return Ok(Exit::DONE);
    }
    console.if_interrupted("the output is correct but incomplete");
    let opened = engine.releases.open_local(feed, day).await?;
    run.note_ages([&opened.release]);
    if let SearchResult::Facets(by, _) = &wanted {
        check_path(engine, slice::from_ref(&opened), by).await?;
    }
    let asked = SearchInputs::of(run, opened, filter);
    match wanted {
        SearchResult::Count => asked.count().await?,
        SearchResult::Facets(by, limit) => asked.facets(by, limit).await?,
        SearchResult::Busiest(most) => asked.busiest(most).await?,
        SearchResult::All(limit) => asked.all(limit).await?,
        SearchResult::Sql(..) | SearchResult::Days => {}
    }
    let opened = slice::from_ref(&asked.opened);
    run.note_unknown_values(opened, &asked.filter).await;
    Ok(Exit::DONE)
}
