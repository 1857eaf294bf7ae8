//! A board in the log: which text it is of, and how it was shown, so that it can be shown like that again.

use std::net::IpAddr;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::model::Day;

/// The most marks that are kept; where more rows are marked, only their number is.
pub const MOST_MARKS: usize = 1_000;

/// A row of a board: an address, on a day if each day of its events has a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptRow {
    pub address: IpAddr,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub day: Option<Day>,
}

/// The addresses of a text, as they were last shown. Of what an older version wrote, the rest is as in a new board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptBoard {
    /// The path of the file with the text.
    pub file: String,
    /// When it was last changed.
    pub at: Timestamp,
    #[serde(flatten)]
    pub shape: BoardShape,
}

/// How a board is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct BoardShape {
    /// What it is called, where the name of its file says nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// How many addresses it has, and what they are for the most part.
    pub addresses: u64,
    pub summary: String,
    /// The zone of times that name none.
    pub zone: String,
    /// Whether each address is answered as of the days of its events.
    pub by_day: bool,
    /// The day of all answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub day: Option<Day>,
    pub filter: String,
    /// The column by which it is sorted.
    pub sorted_by: String,
    pub is_reversed: bool,
    /// What its rows were last grouped by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grouped_by: Option<String>,
    /// The row under the cursor; `None` for the first one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub selected: Option<KeptRow>,
    pub marked: Vec<KeptRow>,
    /// How many rows are marked.
    pub marks: u64,
}

impl BoardShape {
    /// What holds of it where the text is opened anew, and the filter that does not.
    #[must_use]
    pub fn marks_alone(self) -> (Self, Option<String>) {
        let filter = Some(self.filter).filter(|text| !text.is_empty());
        let marks = Self {
            name: self.name,
            addresses: self.addresses,
            by_day: self.by_day,
            marked: self.marked,
            marks: self.marks,
            ..Self::default()
        };
        (marks, filter)
    }
}
