//! Where local records name an address as an entry of their tunnels. The record of the address itself need not have a word of that.
//!
//! Exits are not among it: the index has the entries of each record, and an exit has a record of its own.

use std::{net::IpAddr, sync::Arc};

use super::{Views, contexts::OfFeeds};
use crate::{
    contract::Feed,
    engine::{error::Result, releases::OpenRelease},
    model::{Context, Document, Keyword},
    store::{Filter, Moment, StopFlag, filter::Test, index::QueryError},
};

/// Records that are read at most for the operators: thousands may name one entry.
const MOST: u64 = 64;

/// The records of one feed that name an address as an entry of a tunnel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryOf {
    pub feed: Feed,
    /// Its release: the newest local one, else that of the day which was asked for.
    pub moment: Moment,
    pub records: u64,
    /// Those of them that were read for the operators.
    pub read: u64,
    /// The operators of those tunnels, each once. A tunnel need not have one.
    pub operators: Vec<String>,
}

impl EntryOf {
    /// The filter that selects the records.
    #[must_use]
    pub fn filter(address: IpAddr) -> Filter {
        filter(&[address])
    }
}

/// The filter that selects the records that name one of these addresses.
fn filter(addresses: &[IpAddr]) -> Filter {
    let values = addresses.iter().map(ToString::to_string).collect();
    [Test::Is(Keyword::Entry, values)].into_iter().collect()
}

impl Views {
    /// The records of the newest local releases that name one of these addresses as an entry of a tunnel, each with the address; feeds
    /// without any are left out.
    ///
    /// # Errors
    /// [`Kind::Interrupted`](crate::engine::Kind::Interrupted).
    pub async fn entries_of(&self, addresses: Arc<[IpAddr]>) -> Result<OfFeeds<(IpAddr, EntryOf)>> {
        let work = move |opened: &OpenRelease, stop: &StopFlag| {
            let mut found = Vec::new();
            entries_of(opened, &addresses, &mut found, stop)?;
            Ok(found)
        };
        let OfFeeds { found, unusable } = self.of_contexts(Feed::all(), work).await?;
        let found = found.into_iter().flatten().collect();
        Ok(OfFeeds { found, unusable })
    }
}

/// Adds those of the addresses that records of a release name as an entry of a tunnel. Few of many are: those that are not are ruled out
/// together.
fn entries_of(
    opened: &OpenRelease,
    addresses: &[IpAddr],
    found: &mut Vec<(IpAddr, EntryOf)>,
    stop: &StopFlag,
) -> std::result::Result<(), QueryError> {
    match addresses {
        [] => {}
        [address] => {
            let named = entry_of(opened, *address, stop)?;
            found.extend(named.map(|named| (*address, named)));
        }
        all => {
            if opened.index.select(&filter(all), stop)?.count() > 0 {
                let (first, second) = all.split_at(all.len() / 2);
                entries_of(opened, first, found, stop)?;
                entries_of(opened, second, found, stop)?;
            }
        }
    }
    Ok(())
}

/// The records of a release that name an address as an entry of a tunnel; nothing where there is none.
pub(super) fn entry_of(
    opened: &OpenRelease,
    address: IpAddr,
    stop: &StopFlag,
) -> std::result::Result<Option<EntryOf>, QueryError> {
    let selected = opened.index.select(&EntryOf::filter(address), stop)?;
    if selected.count() == 0 {
        return Ok(None);
    }
    let (mut operators, mut read) = (Vec::new(), 0);
    let mut line = Vec::new();
    for row in selected.rows() {
        if read == MOST {
            break;
        }
        read += 1;
        line.clear();
        opened.index.line(row, &mut line)?;
        for operator in operators_of(&line, address) {
            if !operators.contains(&operator) {
                operators.push(operator);
            }
        }
    }
    let manifest = &opened.release.manifest;
    Ok(Some(EntryOf {
        feed: manifest.feed,
        moment: manifest.moment,
        records: selected.count(),
        read,
        operators,
    }))
}

/// The operators of those tunnels of a record that have an address as an entry.
fn operators_of(line: &[u8], address: IpAddr) -> Vec<String> {
    let record = Document::read(line).ok();
    let context = record.and_then(|record| Context::decode(record.value()).ok());
    let context = context.unwrap_or_default();
    let is_own = |text: &String| text.trim().parse().ok() == Some(address);
    let tunnels = context.tunnels.items().iter();
    let own = tunnels.filter(|tunnel| tunnel.entries.items().iter().any(is_own));
    own.filter_map(|tunnel| tunnel.operator.text().map(str::to_owned))
        .collect()
}
