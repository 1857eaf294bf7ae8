//! What feeds list on a day, kept for the next file or export of it.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::{DemoRecord, attention::Attention};
use crate::model::Day;

/// The records of one feed and day, by address or network.
#[derive(Debug)]
pub(crate) struct Listing {
    pub(super) listed: Arc<[Listed]>,
    pub(super) least: Attention,
}

impl Listing {
    pub(crate) fn records(&self) -> impl Iterator<Item = &DemoRecord> {
        self.entries().map(|listed| &listed.record)
    }

    /// Each record as its line.
    pub(crate) fn lines(&self) -> impl Iterator<Item = &str> {
        self.entries().map(Listed::line)
    }

    fn entries(&self) -> impl Iterator<Item = &Listed> {
        let listed = self.listed.iter();
        listed.filter(|listed| listed.standing >= self.least)
    }
}

/// A record that some feed lists.
#[derive(Debug)]
pub(super) struct Listed {
    standing: Attention,
    record: DemoRecord,
    line: OnceLock<String>,
}

impl Listed {
    pub(super) fn new(standing: Attention, record: DemoRecord) -> Self {
        let line = OnceLock::new();
        Self {
            standing,
            record,
            line,
        }
    }

    fn line(&self) -> &str {
        self.line.get_or_init(|| self.record.line())
    }
}

/// The last days that were asked for: the records of IPv4 or of IPv6.
#[derive(Debug, Default)]
pub(super) struct ListedDays(Mutex<Vec<(DayKey, ListedCell)>>);

pub(super) type DayKey = (Day, bool);
/// The records, once they are made; who asks meanwhile waits.
pub(super) type ListedCell = Arc<OnceLock<Arc<[Listed]>>>;

impl ListedDays {
    /// A day and the one before it, for both families: what one export or one list of feeds asks for.
    const KEPT: usize = 4;

    pub(super) fn cell(&self, key: DayKey) -> ListedCell {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, cell)) = kept.iter().find(|(known, _)| *known == key) {
            return Arc::clone(cell);
        }
        if kept.len() >= Self::KEPT {
            kept.remove(0);
        }
        let cell = ListedCell::default();
        kept.push((key, Arc::clone(&cell)));
        cell
    }
}
