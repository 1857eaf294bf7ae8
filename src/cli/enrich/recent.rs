//! What the last local days say of addresses of which the records say nothing: a proxy of yesterday is not passed over in silence.

use std::{collections::HashMap, net::IpAddr};

use memchr::memmem;

use crate::{
    engine::{Engine, LocalAnswers, OpenDay, Result},
    investigation::history::{Recent, RecentDays},
    report::recent_beside,
};

/// What the last days add, by address.
pub(super) type RecentOf = HashMap<IpAddr, Recent>;

/// What they add to these answers, of the addresses whose best record is no IP context, or one without a tunnel.
///
/// # Errors
/// As [`RecentDays::of`].
pub(super) async fn recent_of(
    engine: &Engine,
    days: &RecentDays,
    opened: &[OpenDay],
    answers: &LocalAnswers,
) -> Result<RecentOf> {
    // A record names its tunnels under this key; one that has it elsewhere is read for nothing.
    let tunnels = memmem::Finder::new("\"tunnels\"");
    let mut asked = Vec::new();
    answers.each(|known| {
        let best = known.lines.first();
        let is_seen = best.is_some_and(|best| {
            let feed = opened[best.release].release.manifest.feed;
            feed.holds_contexts() && tunnels.find(best.line).is_some()
        });
        if !is_seen {
            asked.push(known.address);
        }
    });
    let histories = days.of(engine, &asked).await?;
    let found = asked.into_iter().zip(histories);
    Ok(found
        .filter_map(|(address, history)| Some((address, recent_beside(&history, address)?.1)))
        .collect())
}
