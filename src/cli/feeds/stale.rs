//! `feeds pull --stale`: the latest release of every local feed that is behind its cadence, for a timer.
//!
//! What one feed fails with keeps no other from being pulled.

use super::pull;
use crate::{
    cli::{
        args::feeds::PullArgs,
        bar,
        console::{CommandResult, Console},
        exit::ExitTally,
    },
    contract::{Feed, Format, Freshness},
    engine::{Engine, PullQuery, WantedRelease},
};

/// Pulls the feeds that are behind, one after the other.
///
/// # Errors
/// What went wrong with standard output; what feeds fail with is said and counted.
pub(super) async fn run(args: &PullArgs, engine: &Engine, console: &Console) -> CommandResult {
    console.if_interrupted("the received part is kept; run it again to resume");
    let mut tally = ExitTally::default();
    let forms = Feed::all().flat_map(|feed| [Format::Json, Format::Mmdb].map(|form| (feed, form)));
    for (feed, form) in forms.filter(|(feed, form)| is_stale(*feed, *form, engine)) {
        let query = PullQuery {
            feed,
            wanted: WantedRelease::Latest,
            form,
            allow_shrink: args.allow_shrink,
            wait: args.wait,
        };
        let pulled = bar::during(console, async |report| {
            engine.releases.pull(&query, report).await
        });
        match pulled.await {
            Ok(pulled) => {
                tally.done();
                pull::show(&pulled, engine, console)?;
            }
            Err(error) => {
                tally.failed(error.kind);
                console.failure(Some(feed.name()), &error)?;
            }
        }
    }
    if tally.is_empty() {
        console.note("no local feed is behind its cadence");
    }
    Ok(tally.exit())
}

/// Whether a form of a feed is local and a newer release of it is due, or its newest one cannot be used.
fn is_stale(feed: Feed, form: Format, engine: &Engine) -> bool {
    let now = engine.settings.now();
    let inventory = engine.releases.inventory(feed);
    if inventory.faults.iter().any(|(own, _)| *own == form) {
        return true;
    }
    let mut local = inventory.releases.iter().map(|release| &release.manifest);
    let newest = local.find(|manifest| manifest.form() == form);
    newest.is_some_and(|newest| newest.surest_moment().freshness(now) != Freshness::Current)
}
