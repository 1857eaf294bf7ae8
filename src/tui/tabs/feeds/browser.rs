//! The browser of a local feed: a sorted table of the records that match a filter, with the values of their fields beside it.
//!
//! It holds only the rows in view and a screen around them. It stays on the release that it opened; a newer release is announced,
//! and a key opens it. The browser itself sends nothing to the service; a key that leads to a query shows its price first.

pub(super) mod action;
pub(super) mod actions;
mod answers;
mod areas;
mod cell;
mod choice;
mod clauses;
mod columns;
mod comparison;
mod completion;
mod diff;
mod facets;
mod filter_line;
mod idle;
mod loaded_rows;
mod marking;
mod marks;
mod menu;
mod pointing;
mod row;
mod sorting;
#[cfg(test)]
mod tests;
mod ticket;
mod typing;
pub(super) mod view;

use jiff::Timestamp;

use self::{
    areas::BrowserAreas, clauses::Clauses, diff::Comparison, facets::FacetPane,
    filter_line::FilterLine, loaded_rows::LoadedRows, marks::MarkChanges, marks::RecordMarks,
    menu::Menu, row::BrowserRow,
};
use crate::{
    contract::Feed,
    contract::catalog::RecordKind,
    engine::views::ViewQuery,
    model::{Day, Subject, visible},
    store::{Filter, index::Order},
    tui::{
        ctx::{UpdateCtx, remote::Remote},
        ui::{cells, cursor::Cursor, widgets::text_field::TextField},
    },
};

/// The pane that has the focus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum BrowserFocus {
    #[default]
    Records,
    /// The values of fields.
    Facets,
}

/// An overlay of the table.
#[derive(Debug)]
enum BrowserOverlay {
    /// The filter is being typed.
    Filter(Box<FilterLine>),
    /// A row number or an address to go to is being typed.
    GoTo(TextField),
    /// A list to choose from.
    Menu(Menu),
    /// The counts of the filter's clauses.
    Clauses,
    /// A comparison of two days.
    Days(Box<Comparison>),
}

/// A change that can be undone, as the state before it.
#[derive(Debug)]
enum BrowserUndo {
    /// The previous filter.
    Filter(Filter),
    /// The previous marks.
    Marks(MarkChanges),
}

/// The records of a local feed.
#[derive(Debug)]
pub(super) struct Browser {
    query: ViewQuery,
    held: LoadedRows,
    cursor: Cursor,
    /// The column under the cursor.
    column: usize,
    columns: Vec<bool>,
    part: BrowserFocus,
    facets: FacetPane,
    clauses: Clauses,
    over: Option<BrowserOverlay>,
    /// The search for a record in the view, its subject, and whether the user asked for it.
    seek: Remote<Option<u64>>,
    sought: Option<(Subject, bool)>,
    /// The row to go to once rows of the view arrive.
    goal: Option<usize>,
    /// The changes that can be undone, and those that can be redone.
    past: Vec<BrowserUndo>,
    future: Vec<BrowserUndo>,
    /// The filters that were typed, the newest last.
    history: Vec<String>,
    marks: RecordMarks,
    /// The day that was shown before the newest release was requested.
    shown_day: Option<Day>,
    /// Whether it was opened from the table of feeds.
    pub(super) is_from_table: bool,
    /// Whether it is hidden. A hidden browser asks no questions.
    is_paused: bool,
}

/// The initial order of the records of a feed.
pub(super) fn first_order(feed: Feed) -> Order {
    match feed.row().records {
        RecordKind::Context | RecordKind::Ipv6Context => Order::Clients,
        RecordKind::Hosting | RecordKind::Geo => Order::Address,
        RecordKind::Tags => Order::File,
    }
}

impl Browser {
    pub(super) fn open(query: ViewQuery, ctx: &mut UpdateCtx<'_>) -> Self {
        let columns = columns::of(query.feed).iter();
        let mut browser = Self {
            columns: columns.map(|column| column.is_shown).collect(),
            query,
            held: LoadedRows::default(),
            cursor: Cursor::default(),
            column: 0,
            part: BrowserFocus::default(),
            facets: FacetPane::default(),
            clauses: Clauses::default(),
            over: None,
            seek: Remote::default(),
            sought: None,
            goal: None,
            past: Vec::new(),
            future: Vec::new(),
            history: Vec::new(),
            marks: RecordMarks::default(),
            shown_day: None,
            is_from_table: false,
            is_paused: false,
        };
        browser.follow(ctx);
        browser
    }

    pub(super) fn query(&self) -> &ViewQuery {
        &self.query
    }

    /// Returns to the foreground.
    pub(super) fn resume(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.is_paused = false;
        match &mut self.over {
            Some(BrowserOverlay::Filter(line)) => line.follow(&self.query, ctx),
            Some(BrowserOverlay::Days(days)) => days.resume(ctx),
            Some(BrowserOverlay::Clauses) => self.clauses.want(&self.query, ctx),
            Some(BrowserOverlay::GoTo(_) | BrowserOverlay::Menu(_)) | None => {}
        }
        self.follow(ctx);
    }

    /// Updates the rows after the local releases were read again.
    pub(super) fn renew(&mut self, ctx: &mut UpdateCtx<'_>) {
        if !self.is_paused {
            self.held.renew(ctx);
        }
    }

    /// Goes to the background and stops all questions.
    pub(super) fn pause(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.is_paused = true;
        match &mut self.over {
            Some(BrowserOverlay::Filter(line)) => line.stop(ctx),
            Some(BrowserOverlay::Days(days)) => drop(days.stop(ctx)),
            Some(BrowserOverlay::Clauses | BrowserOverlay::GoTo(_) | BrowserOverlay::Menu(_))
            | None => {}
        }
        self.held.stop(ctx);
        self.restore_release(ctx);
        self.facets.stop(ctx);
        self.clauses.stop(ctx);
        self.marks.stop(ctx);
        self.stop_seek(ctx);
    }

    pub(super) fn leave(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.close_over(ctx);
        self.pause(ctx);
    }

    /// The time when outdated rows or counts must be marked.
    pub(super) fn wakes_at(&self, now: Timestamp) -> Option<Timestamp> {
        let facets = self.facets.late_at(&self.query);
        let late = [self.held.late_at(), facets].into_iter().flatten();
        late.filter(|at| *at > now).min()
    }

    /// A position in one view is meaningless in another.
    fn stop_seek(&mut self, ctx: &mut UpdateCtx<'_>) {
        ctx.stop(&mut self.seek);
        (self.sought, self.goal) = (None, None);
    }

    /// The number of rows, as far as known.
    fn len(&self) -> usize {
        self.held
            .of(&self.query)
            .map_or(0, loaded_rows::ViewRows::len)
    }

    /// The number of visible rows of the table.
    fn height(&self, ctx: &UpdateCtx<'_>) -> usize {
        BrowserAreas::of(ctx.body, self.shape()).rows()
    }

    /// The row under the cursor.
    fn selected(&self) -> Option<&BrowserRow> {
        let shown = self.held.of(&self.query)?;
        shown.row(self.cursor.selected(shown.len())?)
    }

    /// Asks for the rows in view that are not loaded.
    fn follow(&mut self, ctx: &mut UpdateCtx<'_>) {
        let height = self.height(ctx);
        let window = match self.held.of(&self.query) {
            Some(shown) => self.cursor.window(shown.len(), height),
            None => 0..height,
        };
        self.held.want(&self.query, &window, ctx);
        self.follow_facets(ctx);
        self.follow_clauses(ctx);
    }

    /// Counts the clauses of a filter that matches no record.
    fn follow_clauses(&mut self, ctx: &mut UpdateCtx<'_>) {
        let shown = self.held.of(&self.query);
        let is_none = shown.is_some_and(|shown| shown.view.count == 0);
        if is_none && !self.query.filter.is_empty() {
            self.clauses.want(&self.query, ctx);
        }
    }

    /// Counts the values of fields if they are shown, after the records have arrived.
    fn follow_facets(&mut self, ctx: &mut UpdateCtx<'_>) {
        if self.keeps_facets(ctx) && self.held.of(&self.query).is_some() {
            self.facets.want(&self.query, ctx);
        }
    }

    /// Whether the facets are drawn. If not, moves the focus to the records.
    fn keeps_facets(&mut self, ctx: &UpdateCtx<'_>) -> bool {
        let is_shown = !BrowserAreas::of(ctx.body, self.shape()).facets.is_empty();
        if !is_shown {
            self.part = BrowserFocus::Records;
        }
        is_shown
    }

    /// Shows another filter. Does not record it for undo.
    fn show_filter(&mut self, filter: Filter, ctx: &mut UpdateCtx<'_>) {
        if self.query.filter != filter {
            self.query.filter = filter;
            self.cursor = Cursor::default();
            self.stop_seek(ctx);
            // Counts of the previous filter would delay the records.
            self.facets.stop(ctx);
            self.facets.outdate(ctx.out.now);
            self.clauses.stop(ctx);
        }
        self.follow(ctx);
    }

    /// Records a change for undo.
    fn keep(&mut self, step: BrowserUndo) {
        self.past.push(step);
        self.future.clear();
    }

    /// Applies a filter and records the previous one for undo.
    fn filter(&mut self, filter: Filter, ctx: &mut UpdateCtx<'_>) {
        if self.query.filter != filter {
            self.keep(BrowserUndo::Filter(self.query.filter.clone()));
        }
        self.show_filter(filter, ctx);
        self.amend_trail(ctx);
    }

    /// Updates the trail to the current view. A filter that is being typed does not count yet.
    fn amend_trail(&self, ctx: &mut UpdateCtx<'_>) {
        let mut query = self.query.clone();
        if let Some(BrowserOverlay::Filter(line)) = &self.over {
            query.filter.clone_from(&line.before);
        }
        ctx.trail.amend(query);
    }

    /// Closes the overlay; returns whether there was one.
    fn close_over(&mut self, ctx: &mut UpdateCtx<'_>) -> bool {
        match self.over.take() {
            Some(BrowserOverlay::Filter(line)) => {
                let before = line.close(ctx);
                self.show_filter(before, ctx);
            }
            Some(BrowserOverlay::Days(mut days)) => drop(days.stop(ctx)),
            Some(BrowserOverlay::Clauses) => self.clauses.stop(ctx),
            Some(BrowserOverlay::GoTo(_) | BrowserOverlay::Menu(_)) => {}
            None => return false,
        }
        true
    }

    /// The inputs of the layout.
    fn shape(&self) -> areas::BrowserShape {
        areas::BrowserShape {
            facets: if columns::facets(self.query.feed).is_empty() {
                Some(false)
            } else {
                self.facets.chosen
            },
            mistake: match &self.over {
                Some(BrowserOverlay::Filter(line)) => {
                    let words = line.complaint();
                    words.map_or(0, |words| cells::width(&visible(&words)))
                }
                _ => 0,
            },
        }
    }
}
