//! The values of all fields beside the table, each with the number of its rows, to filter by.

use ratatui::{Frame, layout::Rect};

use super::address::BoardAddress;
use crate::{
    investigation::board::{BoardField, BoardGroups, FieldTerms},
    model::Keyword,
    tui::{
        ctx::{HeldRows, List, Rows as _, ViewCtx},
        ui::{
            Focus, Motion, Pane,
            widgets::facets::{self, FacetCursor, FacetLine, FacetValue, ValueChoice},
        },
    },
};

/// The number of values of a field to show.
const MOST: usize = 7;

/// The fields that are only grouped by: the columns of the text have their room.
const LEFT_OUT: [BoardField; 3] = [
    BoardField::Net,
    BoardField::Record(Keyword::Infra),
    BoardField::Record(Keyword::Org),
];

/// The rows of the table.
type BoardRows = List<HeldRows<BoardAddress>>;

/// The values beside the table.
#[derive(Debug, Default)]
pub(super) struct BoardFacets {
    pub(super) lines: Vec<FacetLine<BoardField>>,
    cursor: FacetCursor<BoardField>,
    /// The filter and the state of the rows that were counted.
    counted: Option<(String, u64)>,
}

impl BoardFacets {
    /// The selected value, if the filter can have one more.
    pub(super) fn selected(&self, list: &BoardRows) -> Option<&FacetValue<BoardField>> {
        let can_choose = list.rows().mistake().is_none();
        let selected = self.cursor.selected(&self.lines);
        selected.filter(|_| can_choose)
    }

    pub(super) fn step(&mut self, motion: Motion) {
        self.cursor.step(motion, &self.lines);
    }

    /// Counts the values again if other rows are shown, except while the filter is typed.
    pub(super) fn count(&mut self, fields: &[BoardField], list: &BoardRows, revision: u64) {
        let now = (list.filter().to_owned(), revision);
        if list.is_typing() || self.counted.as_ref() == Some(&now) {
            return;
        }
        let fields = fields.iter().filter(|by| !LEFT_OUT.contains(by));
        self.lines = fields.flat_map(|by| lines_of(by, list)).collect();
        self.counted = Some(now);
    }

    /// The filter with the selected value: with it alone, or with it as well as others of its field. If it is chosen already, it is
    /// removed.
    pub(super) fn choose(&mut self, is_alone: bool, list: &BoardRows) -> Option<String> {
        let FacetValue { field, name, .. } = self.selected(list)?.clone();
        let filter = terms_of(&field, list).with(&field, &name, is_alone);
        self.cursor.hold(field, &name);
        Some(filter)
    }

    /// Draws them; those of another filter than this one are marked as old.
    pub(super) fn draw(
        &self,
        frame: &mut Frame<'_>,
        area: Rect,
        filter: &str,
        ctx: &ViewCtx<'_>,
        focus: Focus,
    ) {
        let inner = Pane::new("Facets", focus).draw(frame, area, ctx.theme);
        let counted = self.counted.as_ref();
        let is_old = counted.is_some_and(|(text, _)| text != filter);
        let (lines, heading) = ((&self.lines[..], &self.cursor), BoardField::in_words);
        facets::draw(frame, inner, lines, heading, is_old, ctx, focus);
    }
}

/// What the filter of the table asks of a field, and what it asks beside that.
fn terms_of(by: &BoardField, list: &BoardRows) -> FieldTerms {
    let columns = list.rows().all().next().map(|row| row.values.columns());
    FieldTerms::of(by, list.filter(), columns)
}

/// The values of a field among the rows that match the rest of the filter.
fn lines_of(by: &BoardField, list: &BoardRows) -> Vec<FacetLine<BoardField>> {
    let terms = terms_of(by, list);
    let mut groups = BoardGroups::new(by.clone());
    let mut among = 0;
    let rest = terms.rest.join(" ");
    for row in list.rows().matching(&rest) {
        groups.add(&row.entry());
        among += 1;
    }
    let (mut values, mut without, mut more) = (Vec::new(), 0, 0);
    for group in groups.ranked() {
        let (count, at) = (group.addresses, values.len() + more);
        match group.value {
            None => without = count,
            Some(name) if at < MOST || terms.is_named(&name) => values.push((name, Some(count))),
            Some(_) => more += 1,
        }
    }
    for named in &terms.values {
        // A prefix is none of the values.
        let count = (!named.ends_with('*')).then_some(0);
        if !values
            .iter()
            .any(|(text, _)| text.eq_ignore_ascii_case(named))
        {
            values.push((named.clone(), count));
        }
    }
    if values.is_empty() {
        return Vec::new();
    }
    let largest = values.iter().filter_map(|(_, count)| *count).max();
    let value = |(name, count): (String, Option<u64>)| FacetValue {
        standing: if terms.is_named(&name) {
            ValueChoice::Chosen
        } else {
            ValueChoice::Open
        },
        field: by.clone(),
        name,
        count,
        largest: largest.unwrap_or_default(),
    };
    let among = (!terms.values.is_empty()).then_some(among);
    let head = FacetLine::Field(by.clone(), more, among);
    let values = values.into_iter().map(|pair| FacetLine::Value(value(pair)));
    let none = (without > 0).then_some(FacetLine::None(without));
    [head].into_iter().chain(values).chain(none).collect()
}
