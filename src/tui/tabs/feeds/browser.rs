//! The browser of a local feed: the records that a filter selects, along an order, with the values of their fields beside them.
//!
//! It holds the rows in view and a screen around them, never all. It keeps to the release that it opened: a newer one is named and
//! opened by a key. Nothing here is sent to the service; what a key would send elsewhere says its price first.

pub(super) mod action;
pub(super) mod actions;
mod answers;
mod cell;
mod choice;
mod clauses;
mod columns;
mod comparison;
mod completion;
mod diff;
mod facets;
mod filter_line;
mod held;
mod idle;
mod marking;
mod marks;
mod menu;
mod noting;
mod parts;
mod pointing;
mod row;
mod sorting;
#[cfg(test)]
mod tests;
mod typing;
pub(super) mod view;

use jiff::Timestamp;

use self::{
    clauses::Clauses, diff::Comparison, facets::Facets, filter_line::FilterLine, held::Held,
    marks::Changed, marks::Marks, menu::Menu, parts::Parts, row::Row,
};
use crate::{
    contract::Feed,
    contract::catalog::Records,
    engine::views::ViewQuery,
    model::{Day, Subject},
    store::{Filter, index::Order},
    tui::{
        ctx::{UpdateCtx, remote::Remote},
        ui::{cursor::Cursor, widgets::text_field::TextField},
    },
};

/// The part of the browser that has the focus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Part {
    /// The table.
    #[default]
    Records,
    /// The values of fields.
    Facets,
}

/// What lies over the table.
#[derive(Debug)]
enum Over {
    /// The filter is being typed.
    Filter(FilterLine),
    /// A row or an address to go to is being typed.
    GoTo(TextField),
    /// A list to choose from.
    Menu(Menu),
    /// What each clause of the filter does.
    Clauses,
    /// Two days, compared.
    Days(Comparison),
}

/// A change that can be taken back.
#[derive(Debug)]
enum Step {
    /// Another filter: this one was there before.
    Filter(Filter),
    /// Other marks: these were there before.
    Marks(Changed),
}

/// The records of a local feed.
#[derive(Debug)]
pub(super) struct Browser {
    query: ViewQuery,
    held: Held,
    cursor: Cursor,
    /// The column under the cursor.
    column: usize,
    /// Which columns are shown.
    columns: Vec<bool>,
    part: Part,
    facets: Facets,
    clauses: Clauses,
    over: Option<Over>,
    /// Where the record is that is searched for, what it is, and whether a person asked for it.
    seek: Remote<Option<u64>>,
    sought: Option<(Subject, bool)>,
    /// The row to go to once rows of the view are here.
    goal: Option<usize>,
    /// What leads back to what was before, and what was taken back.
    past: Vec<Step>,
    future: Vec<Step>,
    /// What was typed, the newest last.
    history: Vec<String>,
    marks: Marks,
    /// The day that was shown before the newest release was asked for.
    shown_day: Option<Day>,
    /// Whether it was opened from the table of feeds.
    pub(super) is_from_table: bool,
    /// Whether nobody looks at it: nothing is asked then.
    is_paused: bool,
}

/// The order in which the records of a feed are shown at first.
pub(super) fn first_order(feed: Feed) -> Order {
    match feed.row().records {
        Records::Context | Records::Ipv6Context => Order::Clients,
        Records::Hosting | Records::Geo => Order::Address,
        Records::Tags => Order::File,
    }
}

impl Browser {
    /// Opens a view.
    pub(super) fn open(query: ViewQuery, ctx: &mut UpdateCtx<'_>) -> Self {
        let columns = columns::of(query.feed).iter();
        let mut browser = Self {
            columns: columns.map(|column| column.is_shown).collect(),
            query,
            held: Held::default(),
            cursor: Cursor::default(),
            column: 0,
            part: Part::default(),
            facets: Facets::default(),
            clauses: Clauses::default(),
            over: None,
            seek: Remote::default(),
            sought: None,
            goal: None,
            past: Vec::new(),
            future: Vec::new(),
            history: Vec::new(),
            marks: Marks::default(),
            shown_day: None,
            is_from_table: false,
            is_paused: false,
        };
        browser.follow(ctx);
        browser
    }

    /// What it shows.
    pub(super) fn query(&self) -> &ViewQuery {
        &self.query
    }

    /// Comes to the front again.
    pub(super) fn resume(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.is_paused = false;
        match &mut self.over {
            Some(Over::Filter(line)) => line.follow(&self.query, ctx),
            Some(Over::Days(days)) => days.resume(ctx),
            Some(Over::Clauses) => self.clauses.want(&self.query, ctx),
            Some(Over::GoTo(_) | Over::Menu(_)) | None => {}
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
            Some(Over::Filter(line)) => line.stop(ctx),
            Some(Over::Days(days)) => drop(days.stop(ctx)),
            Some(Over::Clauses | Over::GoTo(_) | Over::Menu(_)) | None => {}
        }
        self.held.stop(ctx);
        self.restore_release(ctx);
        self.facets.stop(ctx);
        self.clauses.stop(ctx);
        self.marks.stop(ctx);
        self.stop_seek(ctx);
    }

    /// Is left.
    pub(super) fn leave(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.close_over(ctx);
        self.pause(ctx);
    }

    /// When old rows or counts have stood so long that they must be marked.
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
        self.held.of(&self.query).map_or(0, held::Shown::len)
    }

    /// Rows of the table that can be seen.
    fn height(&self, ctx: &UpdateCtx<'_>) -> usize {
        Parts::of(ctx.body, self.shape()).rows()
    }

    /// The row under the cursor.
    fn selected(&self) -> Option<&Row> {
        let shown = self.held.of(&self.query)?;
        shown.row(self.cursor.selected(shown.len())?)
    }

    /// Asks for what is not at hand of what is in view.
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
        let is_shown = !Parts::of(ctx.body, self.shape()).facets.is_empty();
        if is_shown && self.held.of(&self.query).is_some() {
            self.facets.want(&self.query, ctx);
        }
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
    fn keep(&mut self, step: Step) {
        self.past.push(step);
        self.future.clear();
    }

    /// Filters by this from now on; undo brings the one before back.
    fn filter(&mut self, filter: Filter, ctx: &mut UpdateCtx<'_>) {
        if self.query.filter != filter {
            self.keep(Step::Filter(self.query.filter.clone()));
        }
        self.show_filter(filter, ctx);
        self.amend_trail(ctx);
    }

    /// The trail leads back to what is shown; a filter that is being typed is not applied yet.
    fn amend_trail(&self, ctx: &mut UpdateCtx<'_>) {
        let mut query = self.query.clone();
        if let Some(Over::Filter(line)) = &self.over {
            query.filter.clone_from(&line.before);
        }
        ctx.trail.amend(query);
    }

    /// Closes what lies over the table; says whether something did.
    fn close_over(&mut self, ctx: &mut UpdateCtx<'_>) -> bool {
        match self.over.take() {
            Some(Over::Filter(line)) => {
                let before = line.close(ctx);
                self.show_filter(before, ctx);
            }
            Some(Over::Days(mut days)) => drop(days.stop(ctx)),
            Some(Over::Clauses) => self.clauses.stop(ctx),
            Some(Over::GoTo(_) | Over::Menu(_)) => {}
            None => return false,
        }
        true
    }

    /// What decides where the parts are.
    fn shape(&self) -> parts::Shape {
        parts::Shape {
            facets: if columns::facets(self.query.feed).is_empty() {
                Some(false)
            } else {
                self.facets.chosen
            },
            mistake: match &self.over {
                Some(Over::Filter(line)) => line.mistake().is_some(),
                _ => false,
            },
        }
    }
}
