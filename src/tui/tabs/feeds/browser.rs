//! The browser of a local feed: the records that a filter selects, along an order, with the values of their fields beside them.
//!
//! It holds the rows in view and a screen around them, never all. It keeps to the release that it opened: a newer one is named and
//! opened by a key. Nothing here is sent to the service; what a key would send elsewhere says its price first.

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

/// The part of the browser that has the focus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum BrowserFocus {
    #[default]
    Records,
    /// The values of fields.
    Facets,
}

/// What lies over the table.
#[derive(Debug)]
enum BrowserOverlay {
    /// The filter is being typed.
    Filter(Box<FilterLine>),
    /// A row or an address to go to is being typed.
    GoTo(TextField),
    /// A list to choose from.
    Menu(Menu),
    /// What each clause of the filter does.
    Clauses,
    /// Two days, compared.
    Days(Box<Comparison>),
}

/// A change that can be undone.
#[derive(Debug)]
enum BrowserUndo {
    /// Another filter: this one was there before.
    Filter(Filter),
    /// Other marks: these were there before.
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
    /// Where the record is that is searched for, what it is, and whether a person asked for it.
    seek: Remote<Option<u64>>,
    sought: Option<(Subject, bool)>,
    /// The row to go to once rows of the view are here.
    goal: Option<usize>,
    /// What leads back to what was before, and what was undone.
    past: Vec<BrowserUndo>,
    future: Vec<BrowserUndo>,
    /// What was typed, the newest last.
    history: Vec<String>,
    marks: RecordMarks,
    /// The day that was shown before the newest release was asked for.
    shown_day: Option<Day>,
    /// Whether it was opened from the table of feeds.
    pub(super) is_from_table: bool,
    /// Whether it is hidden: nothing is asked then.
    is_paused: bool,
}

/// The order in which the records of a feed are shown at first.
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

    /// Comes to the front again.
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

    /// The local releases have been read again.
    pub(super) fn renew(&mut self, ctx: &mut UpdateCtx<'_>) {
        if !self.is_paused {
            self.held.renew(ctx);
        }
    }

    /// Goes to the back as it is: what is asked is no longer waited for.
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

    /// When old rows or counts have been shown so long that they must be marked.
    pub(super) fn wakes_at(&self, now: Timestamp) -> Option<Timestamp> {
        let facets = self.facets.late_at(&self.query);
        let late = [self.held.late_at(), facets].into_iter().flatten();
        late.filter(|at| *at > now).min()
    }

    /// A place in the view that was shown so far means nothing in another.
    fn stop_seek(&mut self, ctx: &mut UpdateCtx<'_>) {
        ctx.stop(&mut self.seek);
        (self.sought, self.goal) = (None, None);
    }

    /// How many rows there are, as far as is known.
    fn len(&self) -> usize {
        self.held
            .of(&self.query)
            .map_or(0, loaded_rows::ViewRows::len)
    }

    /// Rows of the table that can be seen.
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

    /// Counts the clauses of a filter that selects no record.
    fn follow_clauses(&mut self, ctx: &mut UpdateCtx<'_>) {
        let shown = self.held.of(&self.query);
        let is_none = shown.is_some_and(|shown| shown.view.count == 0);
        if is_none && !self.query.filter.is_empty() {
            self.clauses.want(&self.query, ctx);
        }
    }

    /// Counts the values of fields where they are shown, after the records themselves.
    fn follow_facets(&mut self, ctx: &mut UpdateCtx<'_>) {
        if self.keeps_facets(ctx) && self.held.of(&self.query).is_some() {
            self.facets.want(&self.query, ctx);
        }
    }

    /// Whether the facets are drawn; where they are not, the records have the focus.
    fn keeps_facets(&mut self, ctx: &UpdateCtx<'_>) -> bool {
        let is_shown = !BrowserAreas::of(ctx.body, self.shape()).facets.is_empty();
        if !is_shown {
            self.part = BrowserFocus::Records;
        }
        is_shown
    }

    /// Shows another filter. Where one typed, `past` already knows the one before.
    fn show_filter(&mut self, filter: Filter, ctx: &mut UpdateCtx<'_>) {
        if self.query.filter != filter {
            self.query.filter = filter;
            self.cursor = Cursor::default();
            self.stop_seek(ctx);
            // Counts of the filter before would hold the records up.
            self.facets.stop(ctx);
            self.facets.outdate(ctx.out.now);
            self.clauses.stop(ctx);
        }
        self.follow(ctx);
    }

    /// What was before can be brought back from now on.
    fn keep(&mut self, step: BrowserUndo) {
        self.past.push(step);
        self.future.clear();
    }

    /// Filters by this from now on; undo brings the one before back.
    fn filter(&mut self, filter: Filter, ctx: &mut UpdateCtx<'_>) {
        if self.query.filter != filter {
            self.keep(BrowserUndo::Filter(self.query.filter.clone()));
        }
        self.show_filter(filter, ctx);
        self.amend_trail(ctx);
    }

    /// The trail leads back to what is shown; a filter that is being typed is not applied yet.
    fn amend_trail(&self, ctx: &mut UpdateCtx<'_>) {
        let mut query = self.query.clone();
        if let Some(BrowserOverlay::Filter(line)) = &self.over {
            query.filter.clone_from(&line.before);
        }
        ctx.trail.amend(query);
    }

    /// Closes what lies over the table; returns whether something did.
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

    /// What decides where the parts are.
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
