//! Notices on the page of a record: the price of Enter, and the day of lookups.

use ratatui::text::Line;

use crate::{
    contract::LookupQuery,
    tui::{
        ctx::{
            destination::Destination,
            facts::Facts,
            sheet::{Meaning, SheetWriter},
        },
        ui::widgets::page::{PageRow, Section, SectionSide},
    },
};

/// What the tab says on the page of a record.
#[derive(Debug, Default)]
pub struct Hints {
    /// The question that Enter asks on the row under the cursor, and what that costs.
    pub enter: Option<(LookupQuery, String)>,
    /// That the record is of another day than lookups ask for, what to do about it, and what that asks.
    pub other_day: Option<(LookupQuery, String)>,
}

impl Hints {
    /// What it costs to look an address up: exactly for the row under the cursor, as far as it is known for the others.
    pub(super) fn price(&self, query: LookupQuery, facts: &Facts) -> &str {
        match &self.enter {
            Some((own, words)) if *own == query => words,
            _ => facts.price_now(query.geolocation),
        }
    }
}

/// Writes that the record is of another day; from there Enter leads to that of the day of lookups.
pub(super) fn push(hints: &Hints, writer: &mut SheetWriter<'_>) {
    let Some((query, words)) = &hints.other_day else {
        return;
    };
    let row = PageRow::text(Line::styled(words.clone(), writer.theme.warn));
    let meaning = Meaning::new("another day", words.clone()).to(Destination::Address(*query));
    let row = writer.anchor(row, meaning);
    writer.push(Section::new("", SectionSide::Both).row(row));
}
