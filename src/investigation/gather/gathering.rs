//! What is wanted of a text.

use super::room::Room;
use crate::investigation::event_time::TimeReader;

/// What is to be gathered of each address.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is gathered or not")]
pub struct Gathering {
    /// Where, how often and in which role each address occurs.
    pub counts: bool,
    /// Reads the times of the rows.
    pub times: Option<TimeReader>,
    /// Whether the events of each address are counted by time.
    pub events: bool,
    /// Whether an address comes once for each UTC day of its events.
    pub by_day: bool,
    /// Whether what stands beside an address is kept.
    pub cells: bool,
    /// Columns that are kept however many there are.
    pub wanted: Vec<String>,
    /// Whether what is set aside is kept, to be listed.
    pub lists_aside: bool,
    /// How much memory all of it may take.
    pub room: Room,
}

impl Gathering {
    /// Whether the rows of a text are told apart, for what stands in them.
    #[must_use]
    pub fn reads_rows(&self) -> bool {
        self.counts || self.cells || self.times.is_some()
    }
}
