//! A history as a strip of cells, for one look: a cell a day, or a week and more where there are more days than room.

use super::{DayFinding, History};
use crate::model::{Anonymization, Day};

/// A cell of a strip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StripCell {
    /// Operators, by their position in [`Strip::operators`].
    Operators(usize),
    /// A tunnel or a risk without an operator.
    Unattributed,
    /// A record without a tunnel or proxy.
    NothingSeen,
    /// A record of which a deciding field cannot be read.
    Undecided,
    Absent,
    Unknown,
    Unreadable,
    /// Days that differ.
    Mixed,
}

/// A history as cells, the oldest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strip {
    pub cells: Vec<StripCell>,
    /// The operators of a day, in the order in which they come up first.
    pub operators: Vec<String>,
    /// How many days a cell has, 1 or whole weeks; the first may have fewer.
    pub days_per_cell: usize,
    to: Day,
}

impl Strip {
    /// The strip of so many cells at most.
    #[must_use]
    pub fn of(history: &History, width: usize) -> Self {
        let mut operators = Vec::new();
        let days = history.findings.iter();
        let days: Vec<StripCell> = days.map(|finding| cell(finding, &mut operators)).collect();
        let width = width.max(1);
        let days_per_cell = if days.len() <= width {
            1
        } else {
            days.len().div_ceil(width).next_multiple_of(7)
        };
        // The newest cell is whole.
        let cells = days.rchunks(days_per_cell).map(|days| {
            let is_one = days.iter().all(|cell| *cell == days[0]);
            if is_one { days[0] } else { StripCell::Mixed }
        });
        let mut cells: Vec<StripCell> = cells.collect();
        cells.reverse();
        Self {
            cells,
            operators,
            days_per_cell,
            to: history.to(),
        }
    }

    /// The cell of a day; `None` beyond the strip.
    #[must_use]
    pub fn cell_of(&self, day: Day) -> Option<usize> {
        let days = usize::try_from(self.to.days_since(day)).ok()?;
        let last = self.cells.len().checked_sub(1)?;
        last.checked_sub(days / self.days_per_cell)
    }
}

fn cell(finding: &DayFinding, operators: &mut Vec<String>) -> StripCell {
    let record = match finding {
        DayFinding::Record(record) => record,
        DayFinding::Absent(_) => return StripCell::Absent,
        DayFinding::Unknown(_) => return StripCell::Unknown,
        DayFinding::Unreadable => return StripCell::Unreadable,
    };
    let mut names = record.operators();
    if names.is_empty() {
        return match record.context.anonymization() {
            _ if finding.is_seen() => StripCell::Unattributed,
            Anonymization::Unknown => StripCell::Undecided,
            _ => StripCell::NothingSeen,
        };
    }
    // The order in which tunnels are sent says nothing.
    names.sort_unstable();
    let names = names.join(", ");
    let known = operators.iter().position(|text| *text == names);
    StripCell::Operators(known.unwrap_or_else(|| {
        operators.push(names);
        operators.len() - 1
    }))
}
