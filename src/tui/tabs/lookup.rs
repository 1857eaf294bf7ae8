//! The Lookup tab: an address, its record, the trail, and two records side by side.

pub mod actions;
mod answers;
pub mod at_hand;
mod beside;
mod board;
mod boarding;
pub mod case;
mod cases;
mod compare;
mod comparing;
mod field;
mod gestures;
mod idle;
mod noting;
mod parts;
mod pointing;
mod preview;
pub mod record;
mod tab;
#[cfg(test)]
mod tests;
mod typed;
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
use at_hand::Found;
use board::Board;
use case::Case;
use cases::Cases;
use compare::Compare;

/// The part of the tab that has the focus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Part {
    /// The field for an address.
    Field,
    /// The record.
    #[default]
    Page,
    /// The trail.
    Trail,
}

/// For what a day is being chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choosing {
    /// For lookups from now on.
    Date,
    /// To compare with.
    Comparison,
}

/// The state of the tab.
#[derive(Debug)]
pub struct LookupTab {
    field: TextField,
    part: Part,
    /// The day that new lookups ask for.
    date: Option<Day>,
    /// The record that was shown when today was chosen for lookups: a live answer of it is of today, too.
    today_for: Option<LookupQuery>,
    /// The geolocation that new lookups ask for.
    geolocation: Geolocation,
    cases: Cases,
    here: Option<LookupQuery>,
    /// What is at hand about the address that is being typed.
    preview: Option<(LookupQuery, Remote<Found>)>,
    /// The network that a feed is being found for, to be browsed.
    browsing: Option<(IpNet, Remote<HeldWithin>)>,
    /// A note that is being written.
    note: Option<TextField>,
    /// The table of a text with several addresses.
    board: Option<Board>,
    trail: Cursor,
    /// What stops of the trail must have in them, and whether that is being typed.
    words: TextField,
    finding: bool,
    examples: Cursor,
    compare: Option<Compare>,
    calendar: Option<(Choosing, Calendar)>,
}

impl Default for LookupTab {
    fn default() -> Self {
        Self {
            field: TextField::new("address, network or pasted log"),
            part: Part::default(),
            date: None,
            today_for: None,
            geolocation: Geolocation::default(),
            cases: Cases::default(),
            here: None,
            preview: None,
            browsing: None,
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

    /// Sets the day that new lookups ask for; without one they ask for today.
    pub fn look_up_as_of(&mut self, day: Option<Day>) {
        self.date = day;
    }

    /// Whether words of the trail are being typed.
    fn is_finding(&self) -> bool {
        self.finding && self.part == Part::Trail
    }

    /// The stops of the trail that are shown.
    fn stops<'t>(&self, trail: &'t Trail) -> Vec<(&'t Visit, Depth)> {
        trail.found(self.words.value())
    }

    /// The case that is shown.
    #[must_use]
    pub fn case(&self) -> Option<&Case> {
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
