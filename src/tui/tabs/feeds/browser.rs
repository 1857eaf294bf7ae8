//! The browser of a local feed: a sorted table of the records that match a filter, with the values of their fields beside it.
//!
//! It holds only the rows in view and a screen around them. It stays on the release that it opened; a newer release is announced,
//! and a key opens it. The browser itself sends nothing to the service; a key that leads to a query shows its price first.

mod actions;
mod areas;
mod choice;
mod columns;
mod completion;
mod diff;
mod diff_rows;
mod facets;
mod filter_line;
mod menu;
mod records;
mod tab;
#[cfg(test)]
mod tests;
mod view;

use std::sync::Arc;

use self::{
    areas::{BrowserAreas, BrowserShape},
    diff::Comparison,
    facets::FacetPane,
    filter_line::FilterLine,
    menu::{Clauses, Menu},
    records::BrowserRow,
};
use crate::{
    contract::{Feed, catalog::RecordKind},
    engine::views::ViewQuery,
    model::{Day, Subject, parse_subject, visible},
    store::{Filter, Moment, index::Order},
    tui::{
        ctx::{
            AnyList, Asked, List, ListContent, ListPart, ListRow as _, OrderRow, Orders, Outbox,
            Question, RowNumbers, TabReply, UpdateCtx, WhichRows, WindowRows, say_shared,
        },
        ui::{TextField, Tone, cells},
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

/// What is open over the table, and gets the keys.
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

impl BrowserOverlay {
    /// Stops waiting for answers to its questions.
    fn stop(&mut self, ctx: &mut UpdateCtx<'_>) {
        match self {
            Self::Filter(line) => line.stop(ctx),
            Self::Days(days) => drop(days.stop(ctx)),
            Self::GoTo(_) | Self::Menu(_) | Self::Clauses => {}
        }
    }
}

/// A search for the record of a subject in a view.
#[derive(Clone, Debug, PartialEq)]
struct SeekRequest {
    query: ViewQuery,
    subject: Subject,
    /// Whether the user asked for it.
    is_asked: bool,
}

impl From<SeekRequest> for Question {
    fn from(SeekRequest { query, subject, .. }: SeekRequest) -> Self {
        Self::Position(query, subject.network())
    }
}

/// The records of a local feed.
#[derive(Debug)]
pub(super) struct Browser {
    list: List<WindowRows<ViewQuery>>,
    part: BrowserFocus,
    facets: FacetPane,
    clauses: Clauses,
    over: Option<BrowserOverlay>,
    /// The search for a record in the view.
    seek: Asked<SeekRequest, Option<u64>>,
    /// The row to go to once rows of the view arrive.
    goal: Option<usize>,
    /// The filters that were typed, the newest last.
    history: Vec<String>,
    /// The day that was shown before the newest release was requested.
    shown_day: Option<Day>,
    /// Whether it was opened from the table of feeds.
    pub(super) is_from_table: bool,
    /// Whether it is hidden. A hidden browser asks no questions.
    is_paused: bool,
    /// Whether reading was stopped. The next key goes on.
    is_stopped: bool,
    /// The local days of the feed, the newest first.
    pub(super) days: Vec<Day>,
    /// The record on which the cursor stays in another order.
    held: Option<Subject>,
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
    pub(super) fn open(query: ViewQuery) -> Self {
        let mut list = List::new(WindowRows::new(query));
        for column in columns::of(list.query().feed) {
            list.hide(column.title, !column.is_shown);
        }
        Self {
            list,
            part: BrowserFocus::default(),
            facets: FacetPane::default(),
            clauses: Clauses::default(),
            over: None,
            seek: Asked::default(),
            goal: None,
            history: Vec::new(),
            shown_day: None,
            is_from_table: false,
            is_paused: false,
            is_stopped: false,
            days: Vec::new(),
            held: None,
        }
    }

    pub(super) fn query(&self) -> &ViewQuery {
        self.list.query()
    }

    /// Returns to the foreground.
    pub(super) fn resume(&mut self, ctx: &mut UpdateCtx<'_>) {
        (self.is_paused, self.is_stopped) = (false, false);
        let query = self.list.query();
        match &mut self.over {
            Some(BrowserOverlay::Filter(line)) => line.follow(query, ctx),
            Some(BrowserOverlay::Days(days)) => days.resume(ctx),
            Some(BrowserOverlay::Clauses) => self.clauses.want(query, ctx),
            Some(BrowserOverlay::GoTo(_) | BrowserOverlay::Menu(_)) | None => {}
        }
    }

    /// Updates the rows after the local releases were read again.
    pub(super) fn renew(&mut self, ctx: &mut UpdateCtx<'_>) {
        if !self.is_paused {
            self.list.rows_mut().renew(ctx);
        }
    }

    /// Goes to the background and stops all questions.
    pub(super) fn pause(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.is_paused = true;
        if let Some(over) = &mut self.over {
            over.stop(ctx);
        }
        self.stop_records(ctx);
        self.facets.stop(ctx);
        self.clauses.stop(ctx);
        self.stop_seek(ctx);
    }

    pub(super) fn leave(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.close_over(ctx);
        self.pause(ctx);
    }

    /// Stops waiting for rows and for names to mark; returns whether any was pending.
    fn stop_records(&mut self, ctx: &mut UpdateCtx<'_>) -> bool {
        let were_pending = self.list.stop(ctx);
        self.restore_release(ctx);
        were_pending
    }

    /// A position in one view is meaningless in another.
    fn stop_seek(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.seek.stop(ctx);
        self.goal = None;
    }

    /// Derives what follows from a change of the state: the view on the trail, the pane with the focus, and what to ask for.
    pub(super) fn update(&mut self, ctx: &mut UpdateCtx<'_>) {
        if let Some(subject) = self.held.take() {
            self.seek(subject, false, ctx);
        }
        self.amend_trail(ctx);
        let areas = BrowserAreas::of(ctx.body, self.shape());
        if areas.facets.is_empty() {
            self.part = BrowserFocus::Records;
        }
        if !self.is_stopped {
            self.follow(&areas, ctx);
        }
    }

    /// Asks for the rows in view that are not loaded, then for what is beside them.
    fn follow(&mut self, areas: &BrowserAreas, ctx: &mut UpdateCtx<'_>) {
        self.list.follow(areas.rows(), ctx);
        let rows = self.list.rows();
        let Some(current) = rows.current() else {
            return;
        };
        if !areas.facets.is_empty() {
            self.facets.want(&rows.query, ctx);
        }
        if current.head.count == 0 && !rows.query.filter.is_empty() {
            self.clauses.want(&rows.query, ctx);
        }
    }

    /// The menu for dropping a clause, if the filter matches no record.
    fn dropping(&self) -> Option<&Menu> {
        let rows = self.list.rows();
        let is_none = rows.current()?.head.count == 0 && !rows.query.filter.is_empty();
        self.clauses.menu(&rows.query).filter(|_| is_none)
    }

    /// Shows another filter. Does not record it for undo.
    fn show_filter(&mut self, filter: Filter, ctx: &mut UpdateCtx<'_>) {
        let query = ViewQuery {
            filter,
            ..self.query().clone()
        };
        if self.list.show(query) {
            self.stop_seek(ctx);
            // Counts of the previous filter would delay the records.
            self.facets.stop(ctx);
            self.facets.outdate(ctx.out.now);
            self.clauses.stop(ctx);
        }
    }

    /// Applies a filter and records the previous one for undo.
    fn filter(&mut self, filter: Filter, ctx: &mut UpdateCtx<'_>) {
        if self.query().filter != filter {
            self.list.keep(self.query().clone());
        }
        self.show_filter(filter, ctx);
    }

    /// Undoes the last change of marks or filter, or makes the last undone one again.
    fn undo(&mut self, is_redo: bool, ctx: &mut UpdateCtx<'_>) {
        if let Some(query) = self.list.undo(is_redo, ctx.out) {
            self.show_filter(query.filter, ctx);
        }
    }

    /// Updates the trail to the current view. A filter that is being typed and a release that is being opened do not count yet.
    fn amend_trail(&self, ctx: &mut UpdateCtx<'_>) {
        let mut query = self.query().clone();
        query.day = query.day.or(self.shown_day);
        if let Some(BrowserOverlay::Filter(line)) = &self.over {
            query.filter.clone_from(&line.before);
        }
        ctx.trail.amend(query);
    }

    /// Closes the overlay; returns whether there was one.
    fn close_over(&mut self, ctx: &mut UpdateCtx<'_>) -> bool {
        let Some(mut over) = self.over.take() else {
            return false;
        };
        over.stop(ctx);
        match over {
            BrowserOverlay::Filter(line) => self.show_filter(line.before, ctx),
            BrowserOverlay::Clauses => self.clauses.stop(ctx),
            _ => {}
        }
        true
    }

    /// The inputs of the layout.
    fn shape(&self) -> BrowserShape {
        let complaint = match &self.over {
            Some(BrowserOverlay::Filter(line)) => line.complaint(),
            _ => None,
        };
        BrowserShape {
            facets: if columns::facets(self.query().feed).is_empty() {
                Some(false)
            } else {
                self.facets.chosen
            },
            mistake: complaint.map_or(0, |words| cells::width(&visible(&words))),
        }
    }

    /// Handles the answer to a question.
    fn answered(&mut self, reply: TabReply<'_>, ctx: &mut UpdateCtx<'_>) {
        match reply.question {
            Question::Page(..) | Question::Names(..) => {
                let is_settled = self.list.settle(reply, ctx).is_none();
                if is_settled {
                    self.opened(ctx);
                }
            }
            Question::Position(..) => self.found(reply, ctx),
            Question::Facets(..) | Question::Values(..) => {
                let reply = match &mut self.over {
                    Some(BrowserOverlay::Filter(line)) => {
                        line.settle(reply, self.list.query(), ctx)
                    }
                    _ => Some(reply),
                };
                match reply {
                    Some(reply) => self.facets.settle(reply, self.part == BrowserFocus::Facets),
                    None => self.preview(ctx),
                }
            }
            Question::Common(_) => say_shared(reply, ctx),
            Question::Clauses(_) => {
                self.clauses.settle(reply);
                if let Some(error) = self.clauses.error()
                    && self
                        .over
                        .take_if(|overlay| matches!(overlay, BrowserOverlay::Clauses))
                        .is_some()
                {
                    ctx.out.say(Tone::Error, error.message.clone());
                }
            }
            Question::Diff(..) | Question::DiffSummary(_) => {
                if let Some(BrowserOverlay::Days(days)) = &mut self.over {
                    days.settle(reply, ctx);
                }
            }
            _ => {}
        }
    }

    /// Handles rows, or why there are none. From the first ones on the browser stays on their release.
    fn opened(&mut self, ctx: &mut UpdateCtx<'_>) {
        if self.list.rows().error().is_some() {
            return self.restore_release(ctx);
        }
        let current = self.list.rows().current();
        let moment = current.map(|current| current.head.release.manifest.moment);
        if let (Some(Moment::Day(day)), None) = (moment, self.query().day) {
            let query = ViewQuery {
                day: Some(day),
                ..self.query().clone()
            };
            self.list.rows_mut().rename(query);
            self.shown_day = None;
        }
        if let Some(goal) = self.goal.take() {
            self.go_to(goal);
        }
    }

    /// Requests the newest local release, with the same filter and order; the cursor stays on its record.
    fn refresh(&mut self, ctx: &mut UpdateCtx<'_>) {
        let subject = self.subject();
        self.stop_seek(ctx);
        let day = self.list.rows_mut().query.day.take();
        self.shown_day = day.or(self.shown_day);
        self.facets.retry();
        self.clauses.retry();
        if let Some(subject) = subject {
            self.seek(subject, false, ctx);
        }
        self.list.rows_mut().refresh(ctx);
    }

    /// Returns to the previous release after a failure to open the newest one. Cancels the search, which was for the newest.
    fn restore_release(&mut self, ctx: &mut UpdateCtx<'_>) {
        if let Some(day) = self.shown_day.take() {
            self.list.rows_mut().query.day = Some(day);
            self.stop_seek(ctx);
        }
    }

    /// The subject of the record under the cursor or, until its row arrives, of the current search.
    fn subject(&self) -> Option<Subject> {
        let selected = self.list.row().and_then(|row| row.terms.subject);
        let sought = self.seek.question().filter(|_| self.seek.is_pending());
        selected.or(sought.map(|request| request.subject))
    }

    /// Searches for the record of an address or network in the view.
    fn seek(&mut self, subject: Subject, is_asked: bool, ctx: &mut UpdateCtx<'_>) {
        self.stop_seek(ctx);
        let request = SeekRequest {
            query: self.query().clone(),
            subject,
            is_asked,
        };
        self.seek.ask_anew(request, ctx);
    }

    fn seek_text(&mut self, text: &str, ctx: &mut UpdateCtx<'_>) {
        let digits: String = text.chars().filter(|letter| *letter != ',').collect();
        if let Ok(row) = digits.parse::<usize>() {
            return self.go_to(row.saturating_sub(1));
        }
        match parse_subject(text) {
            Ok(subject) => self.seek(subject, true, ctx),
            Err(_) if text.is_empty() => {}
            Err(_) => {
                let text = format!("{text:?} is neither a row number nor an address");
                ctx.out.say(Tone::Warn, text);
            }
        }
    }

    /// Handles the result of a search for a record.
    fn found(&mut self, reply: TabReply<'_>, ctx: &mut UpdateCtx<'_>) {
        if self.seek.settle(reply).is_some() {
            return;
        }
        if let Some(error) = self.seek.error() {
            return ctx.out.say(Tone::Error, error.message.clone());
        }
        let position = self.seek.value().copied().flatten();
        match (position, self.seek.question()) {
            (Some(position), _) => self.go_to(usize::try_from(position).unwrap_or(usize::MAX)),
            (None, Some(request)) if request.is_asked => {
                let what = request.subject;
                let text = format!("no record of this view covers {what} or lies in it");
                ctx.out.say(Tone::Info, text);
            }
            (None, _) => {}
        }
    }

    /// Goes to a row, or waits until rows arrive.
    fn go_to(&mut self, position: usize) {
        if self.list.rows().current().is_none() {
            self.goal = Some(position);
            return;
        }
        self.list.jump(position);
    }
}

/// The records as the list of the tab. They have no orders while something is over them.
impl AnyList for Browser {
    fn field(&mut self) -> Option<&mut TextField> {
        match &mut self.over {
            Some(BrowserOverlay::Filter(line)) => Some(&mut line.field),
            Some(BrowserOverlay::GoTo(field)) => Some(field),
            _ => None,
        }
    }

    /// The tab is told, too, with what asking for completions needs.
    fn typed(&mut self) {}

    fn orders(&self) -> Orders {
        if self.over.is_some() {
            return Orders::default();
        }
        let mut orders = self.list.orders();
        let file = orders.rows.len();
        orders
            .rows
            .push(OrderRow::new("as in the file", ["", ""]).aside());
        orders.present = orders.present.or(Some((file, false)));
        orders
    }

    /// The cursor stays on its record.
    fn sort(&mut self, order: usize, is_reversed: bool, _out: &mut Outbox) {
        let column = columns::of(self.query().feed).get(order);
        let order = column.and_then(|column| column.order(is_reversed));
        let query = ViewQuery {
            order: order.unwrap_or(Order::File),
            ..self.query().clone()
        };
        let subject = self.subject();
        if self.list.show(query) {
            (self.goal, self.held) = (None, subject);
        }
    }

    fn marked(&self) -> Vec<String> {
        self.list.marked()
    }

    fn numbers(&self) -> Option<RowNumbers> {
        let count = self.list.rows().current().map(|rows| rows.head.count);
        self.over.is_none().then(|| RowNumbers {
            noun: BrowserRow::NOUN,
            marked: self.list.marks().len() as u64,
            shown: count,
            all: count,
            columns: &["as search prints them"],
        })
    }

    /// The worker reads the records, of which a few alone are in memory.
    fn content(&self, part: ListPart) -> ListContent {
        let query = self.query().clone();
        if part.rows != WhichRows::Marked {
            return ListContent::Records(query, Arc::default(), part.style);
        }
        // Marks stay under another filter.
        let query = ViewQuery {
            filter: Filter::default(),
            ..query
        };
        let marked = self.list.marks().iter().map(|key| key.0.clone());
        ListContent::Records(query, marked.collect(), part.style)
    }
}
