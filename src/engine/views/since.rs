//! Since when a local record reads as it does, as far as the local releases of its feed reach.
//!
//! Releases are read from the newest back, until one differs. A release that cannot be used ends the walk: what it would have
//! said is not known, so nothing is said of the days before it.

use ipnet::IpNet;

use super::Views;
use crate::{
    engine::{
        error::Result,
        releases::{LocalRecord, Opened},
    },
    model::{Day, Document, compare, terms},
    store::{Moment, Stop, index::NoAnswer},
};

/// Releases that are read at most.
const MOST: usize = 32;

/// Since when a record reads as it does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Since {
    /// The oldest day of the stretch in which the record reads the same.
    pub day: Day,
    /// The release before it, which differs. `None` where no local release reaches further back.
    pub before: Option<Before>,
}

/// The last release in which a record read otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Before {
    /// Its day.
    pub day: Day,
    /// The record as it was; `None` where there was none.
    pub record: Option<Document>,
}

impl Views {
    /// Since when a local record reads as it does. `None` for a record that is about nothing.
    ///
    /// # Errors
    /// What keeps the releases from being listed.
    pub async fn since(&self, record: &LocalRecord) -> Result<Option<Since>> {
        let manifest = &record.release.manifest;
        let subject = record.document.value().as_object().and_then(terms::subject);
        let Some(subject) = subject else {
            return Ok(None);
        };
        let network = subject.network();
        let mut since = Since {
            day: manifest.moment.day(),
            before: None,
        };
        let earlier = |moment: &Moment| moment.day() < manifest.moment.day();
        let moments = self.releases.moments(manifest.feed)?;
        for moment in moments.into_iter().filter(earlier).take(MOST) {
            let day = moment.day();
            let Ok(opened) = self.releases.open_local(manifest.feed, Some(day)).await else {
                break;
            };
            let find = move |opened: &Opened, _: &Stop| exact(opened, network);
            match self.releases.with_local(opened, find).await? {
                Some(old) if is_same(&old, &record.document) => since.day = day,
                record => {
                    since.before = Some(Before { day, record });
                    break;
                }
            }
        }
        Ok(Some(since))
    }
}

/// The record about exactly this address or network.
fn exact(opened: &Opened, network: IpNet) -> Result<Option<Document>, NoAnswer> {
    for row in opened.index.covering(network)? {
        let about = opened.index.subject(row)?;
        if about.is_none_or(|about| about.network() != network) {
            break;
        }
        let mut line = Vec::new();
        opened.index.line(row, &mut line)?;
        if let Ok(document) = Document::read(&line) {
            return Ok(Some(document));
        }
    }
    Ok(None)
}

/// Whether two records say the same.
fn is_same(one: &Document, other: &Document) -> bool {
    !compare::differ(one.text().as_bytes(), other.text().as_bytes())
}
