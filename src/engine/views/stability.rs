//! Since when a local record reads as it does, as far as the local releases of its feed reach.
//!
//! Releases are read from the newest back, until one differs. A release that cannot be used as it is, or a record that cannot be read,
//! ends the walk: what it would have said is not known, so nothing is said of the days before it. Days of which no release is local
//! are counted and never taken for days without a change. No index is built for this.

use ipnet::IpNet;

use super::Views;
use crate::{
    contract::Feed,
    engine::{
        error::Result,
        releases::{LocalRecord, OpenRelease},
        threads::off_thread,
    },
    model::{Day, Document, compare, terms},
    store::{Moment, index::QueryError},
};

/// Releases that are read at most.
const MOST: usize = 32;

/// Since when a record reads as it does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Since {
    /// The oldest local day of the stretch in which the record reads the same.
    pub day: Day,
    /// Days of that stretch of which no release is local: what the record was on them is not known.
    pub missing: u32,
    /// The release before it, which differs. `None` where no local release reaches further back.
    pub before: Option<EarlierRecord>,
}

impl Since {
    /// Days between this stretch and the release before it of which no release is local: the record may read as it does since one
    /// of them.
    #[must_use]
    pub fn missing_before(&self) -> u32 {
        let before = self.before.as_ref();
        before.map_or(0, |before| days_between(before.day, self.day))
    }
}

/// The last local release in which a record read otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EarlierRecord {
    pub day: Day,
    /// The record as it was; `None` where there was none.
    pub record: Option<Document>,
}

impl Views {
    /// Since when a local record reads as it does. `None` for a record that is about nothing, and for one of realtime, whose windows
    /// hold what was seen in them and no more.
    ///
    /// # Errors
    /// What keeps the releases from being listed.
    pub async fn since(&self, record: &LocalRecord) -> Result<Option<Since>> {
        let manifest = &record.release.manifest;
        let subject = record.document.value().as_object().and_then(terms::subject);
        let Some(subject) = subject.filter(|_| manifest.feed != Feed::Realtime) else {
            return Ok(None);
        };
        let (feed, day, network) = (manifest.feed, manifest.moment.day(), subject.network());
        let (releases, now) = (self.releases.clone(), record.document.clone());
        off_thread(move || {
            let mut since = Since {
                day,
                missing: 0,
                before: None,
            };
            let moments = releases.moments(feed)?.into_iter();
            let earlier = moments.filter(|moment| moment.day() < day);
            for day in earlier.map(Moment::day).take(MOST) {
                let Some(opened) = releases.open_as_is(feed, day) else {
                    break;
                };
                match exact(&opened, network) {
                    Ok(ExactRecord::Record(old)) if is_same(&old, &now) => {
                        since.missing += days_between(day, since.day);
                        since.day = day;
                    }
                    Ok(ExactRecord::Record(old)) => {
                        let record = Some(old);
                        since.before = Some(EarlierRecord { day, record });
                        break;
                    }
                    Ok(ExactRecord::None) => {
                        since.before = Some(EarlierRecord { day, record: None });
                        break;
                    }
                    Ok(ExactRecord::Unread) | Err(_) => break,
                }
            }
            Ok(Some(since))
        })
        .await
    }
}

/// The days between two days, neither of them counted.
fn days_between(earlier: Day, later: Day) -> u32 {
    u32::try_from(later.days_since(earlier) - 1).unwrap_or_default()
}

/// The record about exactly one address or network.
enum ExactRecord {
    Record(Document),
    None,
    /// It cannot be read.
    Unread,
}

fn exact(opened: &OpenRelease, network: IpNet) -> Result<ExactRecord, QueryError> {
    let rows = opened.index.covering(network)?;
    let Some(row) = rows.into_iter().next() else {
        return Ok(ExactRecord::None);
    };
    let about = opened.index.subject(row)?;
    if about.is_none_or(|about| about.network() != network) {
        return Ok(ExactRecord::None);
    }
    let mut line = Vec::new();
    opened.index.line(row, &mut line)?;
    Ok(Document::read(&line).map_or(ExactRecord::Unread, ExactRecord::Record))
}

/// Whether two records say the same.
fn is_same(one: &Document, other: &Document) -> bool {
    !compare::differ(one.text().as_bytes(), other.text().as_bytes())
}
