//! The first rows of a local export, without a file: what a form shows while it is filled in. It must never hold more than the
//! beginning, nor show rows that the export itself would not begin with.

use std::io;

use super::{
    Exports,
    local::finished,
    run::{ExportOrigin, check_run},
    sample::{self, Sample},
};
use crate::{
    contract::{ExportQuery, Feed, Output, Param},
    engine::{error::Result, releases::OpenRelease, views::FacetCounts},
    model::Keyword,
    store::{
        StopFlag,
        export::{Changes, ExportIndexes, NotExported, count_changes, export},
        index::{FacetBy, QueryError},
    },
};

/// Rows that a preview has at most.
const ROWS: u64 = 200;
/// Bytes that are made for them at most.
const BYTES: usize = 256 << 10;

/// Values of a field among the reported records of a diff, the most frequent ones.
const VALUES: usize = 2000;

/// The first rows of a local export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalPreview {
    pub sample: Sample,
    /// Their bytes in the file, the header row not counted.
    pub bytes: u64,
    /// The releases that they are from.
    pub origin: ExportOrigin,
    /// How many records a diff has in all.
    pub changes: Option<Changes>,
    /// The values of tags, proxies and countries among those records, as far as the feed has them.
    pub changed: Vec<FacetCounts>,
}

impl Exports {
    /// The first rows of a local export. For the MMDB form, which has no rows, those of its CSV form.
    ///
    /// # Errors
    /// [`Kind::Usage`](crate::engine::Kind::Usage) for what the contract forbids; otherwise as [`Exports::open_for_export`].
    pub async fn preview_local(&self, query: &ExportQuery) -> Result<LocalPreview> {
        check_run(query, false)?;
        let days = self.open_for_export(query).await?;
        let few = first_of(query);
        let about = days.about(&few);
        let before = days.before.clone();
        let fields = fields_of(query.feed);
        let asked = fields.clone();
        let work = move |day: &OpenRelease, stop: &StopFlag| {
            let days = ExportIndexes {
                day: &day.index,
                before: before.as_ref().map(|before| &before.index),
                filter: None,
            };
            let mut beginning = PreviewBuffer::default();
            let begun = match export(&few, days, &about, stop, &mut beginning) {
                Err(NotExported::Unwritten(_)) if beginning.is_full => Ok(0),
                begun => begun,
            };
            let counted = begun.and_then(|_| {
                let count = || count_changes(&few, days, &fields, stop);
                few.diff.then(count).transpose()
            });
            match counted {
                Err(NotExported::Day(why) | NotExported::Before(why @ QueryError::Stopped)) => {
                    Err(why)
                }
                ended => Ok(ended.map(|changes| (beginning.lines(&few), changes, few.clone()))),
            }
        };
        let ended = self.releases.with_local(days.day.clone(), work).await?;
        let (origin, (text, changes, few)) = finished(&days, ended)?;
        let (changes, values) = changes.unzip();
        let among = changes.map_or(0, |changes: Changes| changes.added + changes.removed);
        let counted = asked.into_iter().zip(values.unwrap_or_default());
        let told = counted.map(|(field, mut values)| {
            let distinct = values.len();
            values.truncate(VALUES);
            FacetCounts {
                by: FacetBy::Keyword(field),
                values,
                distinct,
                among,
            }
        });
        let header = text.iter().position(|byte| *byte == b'\n');
        let header = header.filter(|_| few.header).map_or(0, |end| end + 1);
        Ok(LocalPreview {
            sample: sample::of(&text[..], &few)?,
            bytes: (text.len() - header) as u64,
            origin,
            changes,
            changed: told.collect(),
        })
    }
}

/// The fields that an export of a feed is chosen by.
fn fields_of(feed: Feed) -> Vec<Keyword> {
    let fields = [
        (Param::Tags, Keyword::Tag),
        (Param::CallbackProxies, Keyword::Proxy),
        (Param::Ccs, Keyword::Cc),
    ];
    let own = fields.into_iter().filter(|(param, _)| param.is_of(feed));
    own.map(|(_, field)| field).collect()
}

/// The export of the first rows.
fn first_of(query: &ExportQuery) -> ExportQuery {
    let mut few = query.clone();
    // Netblocks have no limit: they end with the bytes.
    if few.feed != Feed::Dch {
        few.limit = Some(query.limit.map_or(ROWS, |limit| limit.min(ROWS)));
    }
    if few.output == Output::Mmdb {
        few.output = Output::Csv;
    }
    few.header = few.output == Output::Csv;
    few
}

/// The beginning of what is written.
#[derive(Default)]
struct PreviewBuffer {
    text: Vec<u8>,
    is_full: bool,
}

impl PreviewBuffer {
    /// What was written, without a line that is not whole.
    fn lines(&self, query: &ExportQuery) -> Vec<u8> {
        let is_cut = self.is_full && query.output == Output::Csv;
        let end = self.text.iter().rposition(|byte| *byte == b'\n');
        let end = end
            .filter(|_| is_cut)
            .map_or(self.text.len(), |end| end + 1);
        self.text[..end].to_vec()
    }
}

impl io::Write for PreviewBuffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let room = BYTES - self.text.len();
        if room == 0 {
            self.is_full = true;
            return Err(io::ErrorKind::StorageFull.into());
        }
        let taken = room.min(bytes.len());
        self.text.extend_from_slice(&bytes[..taken]);
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
