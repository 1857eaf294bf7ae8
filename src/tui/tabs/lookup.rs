//! The Lookup tab: an address, its record, the trail, and two records side by side.

pub mod actions;
mod answers;
mod areas;
mod board;
mod board_actions;
pub mod case;
mod cases;
mod compare;
mod compare_actions;
mod field;
pub mod free_answers;
mod gestures;
mod idle;
mod input;
mod note_actions;
mod other_sources;
mod pointing;
mod preview;
pub mod record;
mod tab;
#[cfg(test)]
mod tests;
pub mod view;
mod welcome;

use std::net::IpAddr;

use ipnet::IpNet;

use crate::{
    contract::{Geolocation, LookupQuery},
    engine::views::HeldWithin,
    model::Day,
    tui::{
        ctx::{
            remote::Remote,
            sheet::{Meaning, SheetState},
            trail::{Depth, Trail, Visit},
        },
        ui::{
            cursor::Cursor,
            widgets::{calendar::Calendar, text_field::TextField},
        },
    },
};
use board::Board;
use case::LookupCase;
use cases::Cases;
use compare::CompareView;
use free_answers::FreeAnswers;

/// The part of the tab that has the focus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LookupFocus {
    Field,
    #[default]
    Page,
    Trail,
}

/// For what a day is being chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choosing {
    /// For new lookups.
    Date,
    /// For the record alone.
    Record,
    Comparison,
}

#[derive(Debug)]
pub struct LookupTab {
    field: TextField,
    part: LookupFocus,
    /// The day that new lookups ask for.
    date: Option<Day>,
    /// The record that was shown when today was chosen for lookups: a live answer of it is of today, too.
    today_for: Option<LookupQuery>,
    /// The geolocation that new lookups ask for.
    geolocation: Geolocation,
    cases: Cases,
    here: Option<LookupQuery>,
    /// What is local or cached about what Enter would look up, and what else has its price on the screen.
    previews: Vec<(LookupQuery, Remote<FreeAnswers>)>,
    /// The network that a feed is being found for, to be browsed.
    browsing: Option<(IpNet, Remote<HeldWithin>)>,
    /// The row to open as soon as its records are counted: where it leads depends on that.
    following: Option<(LookupQuery, Meaning)>,
    /// A note that is being written.
    note: Option<TextField>,
    /// The table of a text with several addresses.
    board: Option<Board>,
    trail: Cursor,
    /// What stops of the trail must have in them, and whether that is being typed.
    words: TextField,
    finding: bool,
    examples: Cursor,
    compare: Option<CompareView>,
    calendar: Option<(Choosing, Calendar)>,
}

impl Default for LookupTab {
    fn default() -> Self {
        Self {
            field: TextField::new("address, network or pasted log"),
            part: LookupFocus::default(),
            date: None,
            today_for: None,
            geolocation: Geolocation::default(),
            cases: Cases::default(),
            here: None,
            previews: Vec::new(),
            browsing: None,
            following: None,
            note: None,
            board: None,
            trail: Cursor::default(),
            words: TextField::new("words of an address, a tag or a note"),
            finding: false,
            examples: Cursor::default(),
            compare: None,
            calendar: None,
        }
    }
}

impl LookupTab {
    /// What a lookup of this address asks, with the day and the geolocation that are set.
    #[must_use]
    pub fn query_for(&self, address: IpAddr) -> LookupQuery {
        LookupQuery {
            address,
            date: self.date,
            geolocation: self.geolocation,
        }
    }

    /// The day that new lookups ask for, where that is not today.
    #[must_use]
    pub fn looks_up_as_of(&self) -> Option<Day> {
        self.date
    }

    /// Sets the day that new lookups ask for; without one they ask for today.
    pub fn look_up_as_of(&mut self, day: Option<Day>) {
        self.date = day;
    }

    /// Whether words of the trail are being typed.
    fn is_finding(&self) -> bool {
        self.finding && self.part == LookupFocus::Trail
    }

    /// Whether the filter of the table is being typed.
    fn is_filtering(&self) -> bool {
        self.part == LookupFocus::Page && self.open_table().is_some_and(|board| board.typing)
    }

    /// Lets keys go to another part; what was being typed in the one that is left stays as it is.
    fn focus(&mut self, part: LookupFocus) {
        self.part = part;
        self.finding = false;
        if let Some(board) = &mut self.board {
            board.typing = false;
        }
    }

    /// The stops of the trail that are shown.
    fn stops<'t>(&self, trail: &'t Trail) -> Vec<(&'t Visit, Depth)> {
        trail.found(self.words.value())
    }

    #[must_use]
    pub fn case(&self) -> Option<&LookupCase> {
        self.cases.of(self.here?)
    }

    /// What a row under the cursor is.
    fn row(&self) -> Option<Meaning> {
        self.page().and_then(SheetState::meaning)
    }

    /// The page of the record that is shown.
    fn page(&self) -> Option<&SheetState> {
        let case = self.case()?;
        case.shown().map(|_| &case.page)
    }
}
