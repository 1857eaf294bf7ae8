//! Whether the records of a release are of the form that this program knows: keys that the contract does not name and values that
//! cannot be read, counted in a sample. It must never judge what they mean.

use std::collections::BTreeMap;

use super::{Opened, Releases};
use crate::{
    contract::{Feed, catalog::Records},
    engine::error::Result,
    model::{Context, Document, Geo, Hosting, Tag},
    store::{RowId, Stop, index::NoAnswer, layout::Release},
};

/// Records that are read, spread evenly over the release.
const SAMPLE: u64 = 1_000;

/// What was found in a sample of a release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Health {
    /// The release.
    pub release: Release,
    /// Records that were read.
    pub sampled: u64,
    /// Paths of keys that the contract does not name, with how many records have each, the most frequent first.
    pub unknown: Vec<(String, u64)>,
    /// Paths of values that cannot be read, likewise.
    pub odd: Vec<(String, u64)>,
}

impl Releases {
    /// Reads a sample of the newest local release of a feed.
    ///
    /// # Errors
    /// As [`Releases::open_local`].
    pub async fn health(&self, feed: Feed) -> Result<Health> {
        let opened = self.open_local(feed, None).await?;
        let release = opened.release.clone();
        let (sampled, unknown, odd) = self.with_local(opened, sample).await?;
        Ok(Health {
            release,
            sampled,
            unknown: most_frequent(unknown),
            odd: most_frequent(odd),
        })
    }
}

type Counts = BTreeMap<String, u64>;

fn sample(opened: &Opened, stop: &Stop) -> Result<(u64, Counts, Counts), NoAnswer> {
    let records = opened.index.records();
    let kind = opened.release.manifest.feed.row().records;
    let (mut unknown, mut odd) = (Counts::new(), Counts::new());
    let sampled = records.min(SAMPLE);
    for number in 0..sampled {
        stop.check()?;
        let row = u32::try_from(number * records / sampled).unwrap_or_default();
        let mut line = Vec::new();
        opened.index.line(RowId(row), &mut line)?;
        let (new, unreadable) = paths(kind, &line);
        for path in new {
            *unknown.entry(path).or_default() += 1;
        }
        for path in unreadable {
            *odd.entry(path).or_default() += 1;
        }
    }
    Ok((sampled, unknown, odd))
}

/// The unknown and the unreadable paths of a record.
fn paths(kind: Records, line: &[u8]) -> (Vec<String>, Vec<String>) {
    let whole = || (Vec::new(), vec!["(the whole record)".to_owned()]);
    let Ok(document) = Document::read(line) else {
        return whole();
    };
    let value = document.value();
    let read = match kind {
        Records::Context | Records::Ipv6Context => Context::decode(value)
            .map(|record| (record.unknown, record.odd))
            .ok(),
        Records::Tags => Tag::decode(value)
            .map(|record| (record.unknown, record.odd))
            .ok(),
        Records::Hosting => Hosting::decode(value)
            .map(|record| (record.unknown, record.odd))
            .ok(),
        Records::Geo => Geo::decode(value)
            .map(|record| (record.unknown, record.odd))
            .ok(),
    };
    read.unwrap_or_else(whole)
}

fn most_frequent(counts: Counts) -> Vec<(String, u64)> {
    let mut counts: Vec<(String, u64)> = counts.into_iter().collect();
    counts.sort_by(|(a, less), (b, more)| more.cmp(less).then_with(|| a.cmp(b)));
    counts
}
