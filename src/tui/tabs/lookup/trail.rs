//! The trail as a list: one line for each stop, with sign, day and age. The stop that is opened is selected.

use std::borrow::Cow;

use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect},
    style::Style,
    text::Line,
};

use super::{
    case::{CaseMark, Cases, LookupCase, aspect},
    kept_boards::KeptBoards,
};
use crate::{
    engine::trail::kept_board::KeptBoard,
    report::each,
    tui::{
        ctx::{
            ColumnSpec, Depth, HeldRow, HeldRows, List, ListRow, RowTest, Rows as _, TrailStop,
            UpdateCtx, Value, ViewCtx, by_words, orders::TEXT,
        },
        ui::{Focus, Pane, Theme, Width, words},
    },
};

/// The legend of the signs, while the trail has the focus.
const LEGEND: [&str; 6] = [
    "! anonymising     & and shared",
    "? possible, or no record",
    ". nothing noted   x no answer",
    "# table    t tag",
    "f records  e export",
    "* is pinned",
];

const AGE: &str = "age";

/// A stop of the trail.
#[derive(Debug)]
pub(super) struct TrailRow {
    /// Its number among the visits.
    number: usize,
    /// Its place among the rows, the newest first.
    place: u32,
    pub(super) stop: TrailStop,
    /// Its name, below that of the address from which it was opened.
    name: String,
    /// The day and the geolocation that were asked for; of a table how many addresses it has, and what they are for the most part.
    aspect: String,
    at: Value<'static>,
    mark: CaseMark,
    /// The notes on the address.
    notes: String,
}

impl ListRow for TrailRow {
    type Key = usize;

    const NOUN: &'static str = "stop";

    const FILTER: &'static str = "words of an address, a tag or a note";

    fn key(&self) -> &usize {
        &self.number
    }

    fn name(&self) -> String {
        self.stop.name()
    }

    fn sign(&self, theme: &Theme) -> (char, Style) {
        match &self.stop {
            TrailStop::Address(_) => (self.mark.sign(), self.mark.style(theme)),
            TrailStop::Board(_) => ('#', theme.accent),
            TrailStop::Tag(_) => ('t', theme.accent),
            TrailStop::View(_) => ('f', theme.accent),
            TrailStop::Rows(_) | TrailStop::Form => ('e', theme.accent),
        }
    }

    fn style(&self, column: &str, theme: &Theme) -> Style {
        match column {
            "stop" => theme.text,
            _ => theme.dim,
        }
    }

    fn unknown(&self) -> &'static str {
        ""
    }
}

impl HeldRow for TrailRow {
    const BY_LETTERS: bool = false;

    const COLUMNS: &'static [ColumnSpec<Self>] = &[
        ColumnSpec::text("stop", "", Width::Fill(12), |row: &Self| {
            row.name.as_str().into()
        })
        .sorts_by(|row| Value::Place(row.place.into()), TEXT)
        .up_to(40)
        .unsorted(),
        // The day of a lookup tells more than when it was made.
        ColumnSpec::text("day", "", Width::Min(0), |row: &Self| {
            row.aspect.as_str().into()
        })
        .rank(1)
        .unsorted(),
        ColumnSpec::number(AGE, "", Width::Min(3), |row: &Self| row.at.clone())
            .rank(2)
            .unsorted(),
    ];

    fn text(&self) -> Cow<'_, str> {
        format!("{} {}", self.name, self.notes).into()
    }

    fn test<'f>(filter: &'f str, _rows: &[Self]) -> Result<RowTest<'f, Self>, String> {
        Ok(by_words(filter))
    }
}

/// The stops of the trail as they are now.
pub(super) fn rows(cases: &Cases, boards: &KeptBoards, ctx: &UpdateCtx<'_>) -> Vec<TrailRow> {
    let listed = (0..).zip(ctx.trail.listed());
    let row = listed.map(|(place, (visit, depth))| {
        let indent = if depth == Depth::Child { "  " } else { "" };
        let mut row = TrailRow {
            number: visit.number,
            place,
            stop: visit.stop.clone(),
            name: format!("{indent}{}", visit.stop.name()),
            aspect: String::new(),
            at: Value::Since(visit.at.into()),
            mark: CaseMark::NotAsked,
            notes: String::new(),
        };
        if let TrailStop::Board(file) = &visit.stop
            && let Some(KeptBoard { shape, .. }) = boards.of(file)
        {
            if let Some(name) = &shape.name {
                row.name.clone_from(name);
            }
            let addresses = match shape.addresses {
                0 => String::new(),
                number => words::number(number),
            };
            let words = [&addresses, &shape.summary].into_iter();
            row.aspect = each(words.filter(|text| !text.is_empty()), "  ");
            row.notes.clone_from(&shape.filter);
        }
        if let TrailStop::Address(query) = visit.stop {
            let address = query.address;
            let is_refused = ctx.facts.admission.refuses(address).is_some();
            row.name.extend(ctx.trail.is_pinned(address).then_some('*'));
            row.aspect = aspect(&query);
            row.mark = match cases.of(query).map(LookupCase::mark) {
                None | Some(CaseMark::NotAsked) if is_refused => CaseMark::Failed,
                mark => mark.unwrap_or(CaseMark::NotAsked),
            };
            row.notes = each(ctx.trail.notes(address).map(|note| &note.text), " ");
        }
        row
    });
    row.collect()
}

/// The cells of the trail beside a page: what its stops need, and at most a third of the screen.
pub(super) fn width(list: &List<HeldRows<TrailRow>>, screen: u16) -> u16 {
    /// An IPv4 address and an age, with the frame; what precedes a name, and the frame.
    const LEAST: u16 = 30;
    const AROUND: u16 = 8;
    let columns = TrailRow::COLUMNS.iter().enumerate();
    let widths = columns.map(|(at, column)| match list.rows().widest(at) {
        0 => 0,
        _ if column.name == AGE => 5,
        wide => wide + 2,
    });
    let most = (screen / 3).max(LEAST);
    (widths.sum::<u16>() + AROUND).clamp(LEAST, most)
}

/// Draws the stops, and the legend of their signs where there is room.
pub(super) fn draw(
    frame: &mut Frame<'_>,
    area: Rect,
    list: &List<HeldRows<TrailRow>>,
    ctx: &ViewCtx<'_>,
    focus: Focus,
) {
    let theme = ctx.theme;
    let (shown, all) = (list.rows().len(), ctx.trail.len());
    let count = match all {
        0 => String::new(),
        all if list.is_typing() || list.is_filtered() => format!("{shown} of {all}"),
        all => all.to_string(),
    };
    let inner = Pane::new("Trail", focus)
        .hint(count)
        .draw(frame, area, theme);
    if all == 0 {
        return frame.render_widget(Line::styled("no lookups yet", theme.dim), inner);
    }
    let has_legend = focus.is_here() && usize::from(inner.height) > shown.min(8) + 7;
    let [rows, legend] = Layout::vertical([
        Constraint::Min(0),
        Constraint::Length(if has_legend { 6 } else { 0 }),
    ])
    .areas(inner);
    list.draw(frame, rows, ctx, focus);
    for (text, place) in LEGEND.into_iter().zip(legend.rows()) {
        frame.render_widget(Line::styled(text, theme.dim), place);
    }
}
