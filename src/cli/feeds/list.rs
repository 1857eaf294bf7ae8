//! `feeds`: lists all feeds, fetched concurrently; an error of one is shown in its row.

use futures_util::future::join_all;

use super::row::FeedRow;
use crate::{
    cli::{
        console::{CommandResult, Console},
        exit::{Exit, ExitTally},
    },
    contract::Feed,
    engine::{Engine, Error},
    report::{Columns, Results, Ticket},
    store::owner::OwnerMark,
};

/// Shows every feed.
///
/// # Errors
/// What went wrong with standard output.
pub(super) async fn run(engine: &Engine, console: &Console) -> CommandResult {
    let list = FeedList(join_all(Feed::all().map(|feed| FeedRow::of(feed, engine))).await);
    let FeedList(rows) = &list;
    console.show(&list)?;
    for row in rows {
        row.name_doubtful(console);
    }
    let cache = engine.releases.cache();
    if let OwnerMark::Names(url) = engine.releases.mark()
        && cache.service().is_some_and(|service| service != url)
        && !engine.settings.invented
    {
        let dir = cache.feeds_dir().display();
        console.note(&format!(
            "the folder feeds belongs to {url}; local releases of this service are in {dir}"
        ));
    }
    let fault = rows.iter().flat_map(|row| &row.faults).next();
    Ok(conclude(rows, console).or_of(fault))
}

/// A feed that fails has the failure in its row. When all fail there is no answer.
fn conclude(rows: &[FeedRow], console: &Console) -> Exit {
    let failures: Vec<&Error> = rows.iter().filter_map(FeedRow::failure).collect();
    let Some(first) = failures.first().filter(|_| failures.len() == rows.len()) else {
        return Exit::DONE;
    };
    console.complain(None, first);
    let mut tally = ExitTally::default();
    for error in failures {
        tally.failed(error.kind);
    }
    tally.exit()
}

pub(super) struct FeedList(Vec<FeedRow>);

impl Results for FeedList {
    type Row = FeedRow;

    fn columns() -> Columns<FeedRow> {
        FeedRow::list_columns()
    }

    fn rows(&self) -> impl Iterator<Item = &FeedRow> {
        self.0.iter()
    }

    fn ticket(&self) -> Ticket {
        let local = self.0.iter().filter(|row| !row.local.is_empty()).count();
        let sentence = match local {
            0 => "No feed is local.".to_owned(),
            1 => format!("1 of {} feeds is local.", self.0.len()),
            many => format!("{many} of {} feeds are local.", self.0.len()),
        };
        Ticket::about("Feeds").sentence(&sentence)
    }
}
