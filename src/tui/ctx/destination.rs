//! The destinations to which a tab can navigate.

use std::net::IpAddr;

use super::{Entered, Facts, TrailStop};
use crate::{
    contract::{ExportQuery, Feed, LookupQuery},
    engine::{ExportRun, PastRun, Preset, PullQuery, answers::PossiblySpent, views::ViewQuery},
    investigation::board::BoardField,
    model::{Day, TagName},
    store::Deletable,
};

/// A destination.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Destination {
    /// The record of an address; fetched if missing.
    Address(LookupQuery),
    /// The same, promised to be free: nothing is sent, also where nothing is at hand any more.
    AtHand(LookupQuery),
    /// The metadata of a tag; asked for if it is not known.
    Tag(TagName),
    /// The records of a local feed.
    Browse(ViewQuery),
    /// The table of these addresses, with what it is called.
    Board(Vec<IpAddr>, String),
    /// The table of the text in a file, as it was last shown.
    BoardOf(String),
    /// That table grouped by a field.
    BoardBy(BoardField),
    /// The rows of that table that match this term as well.
    BoardWith(String),
    /// Live lookups of these addresses of that table: a query each.
    BoardLookups(Vec<LookupQuery>, PossiblySpent),
    /// Two sides compared, by their names. Free: nothing is sent.
    Compare([String; 2]),
    /// The export form, filled in like this, and what of the wish it cannot say.
    Export(ExportQuery, OmittedConditions),
    /// The export form as it was saved.
    Preset(Preset),
    /// The export form as it was run.
    PastRun(PastRun),
    Rows(ExportRun),
    /// The export form as it was left.
    Form,
    /// The calendar for the day that lookups are asked as of.
    DayOfLookups,
    /// What a day was chosen for in Lookup; today is no day.
    LookupDay(DayUse, Option<Day>),
    /// Downloads of the days of an address that are missing, beside its page.
    MissingDays(Vec<(Feed, Day)>),
    /// A day of a feed in the list of its days, or its files in that of files; `None` is today.
    FeedDay(Feed, Option<Day>),
    /// Releases of a feed to delete.
    Deletion(Feed, Vec<Deletable>),
    /// Downloads of the latest releases of feeds.
    Downloads(Vec<Feed>),
    /// Downloads of these releases.
    Releases(Vec<PullQuery>),
    /// What each host says of a token that was just entered.
    Access(Entered),
}

/// For what a day is chosen in Lookup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DayUse {
    /// For new lookups.
    Lookups,
    /// For the record alone.
    Record,
    Comparison,
}

/// Conditions that an export cannot express.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OmittedConditions {
    /// A sentence for each.
    pub words: Vec<String>,
    /// How many records were shown or marked where it was wanted, in words.
    pub wanted: Option<String>,
}

impl Destination {
    /// What opening it may cost; `None` if it is free.
    #[must_use]
    pub fn price(&self, facts: &Facts) -> Option<&'static str> {
        match self {
            Self::Address(query) => Some(facts.price(query.geolocation)),
            _ => None,
        }
    }
}

impl From<TrailStop> for Destination {
    fn from(stop: TrailStop) -> Self {
        match stop {
            TrailStop::Address(query) => Self::Address(query),
            TrailStop::Tag(tag) => Self::Tag(tag),
            TrailStop::Board(file) => Self::BoardOf(file),
            TrailStop::View(query) => Self::Browse(query),
            TrailStop::Rows(run) => Self::Rows(run),
            TrailStop::Form => Self::Form,
        }
    }
}
