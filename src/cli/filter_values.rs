//! Notes on values in a filter that nothing local has: without them a mistyped value looks like an answer.

use super::console::Console;
use crate::{
    contract::Feed,
    engine::{Engine, OpenRelease},
    report::unknown_value,
    store::Filter,
};

/// Names each value of a filter that no record of these releases has, nor the local service-metrics feed, with the nearest. A failure
/// to find out is a warning: the answer itself does not depend on it.
pub(super) async fn note_unknown_values(
    engine: &Engine,
    console: &Console,
    opened: &[OpenRelease],
    filter: &Filter,
) {
    let mut feeds: Vec<Feed> = Vec::new();
    for release in opened {
        let feed = release.release.manifest.feed;
        if !feeds.contains(&feed) {
            feeds.push(feed);
        }
    }
    match engine.releases.unknown_values(opened, filter).await {
        Ok(unknown) => {
            for value in unknown {
                console.note(&unknown_value(&value, &feeds));
            }
        }
        Err(error) => console.warn(&format!(
            "the values of the filter were not looked for in the local feeds: {error}"
        )),
    }
}
