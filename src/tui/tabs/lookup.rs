//! The Lookup tab: an address, its record, the trail, and two records side by side.

mod answers;
mod beginning;
mod board;
mod boards;
mod case;
mod compared;
mod comparison;
mod days;
mod field;
mod kept_boards;
mod note;
mod panes;
mod price;
mod record;
mod sources;
mod start;
mod start_row;
pub mod tab;
#[cfg(test)]
mod tests;
mod texts;
mod trail;
mod view;
mod walk;

use std::net::IpAddr;

use ipnet::IpNet;

use crate::{
    contract::{Geolocation, LookupQuery},
    engine::{answers::replaces_a_query, trail::TrailEntry, views::HeldWithin},
    model::Day,
    report::{Ticket, beside_sentence, note_lines},
    tui::{
        ctx::{
            Asked, Cmd, DayChoice, DayUse, Destination, Facts, Flow, Gesture, HeldRows, JobId,
            List, Meaning, Question, SheetState, Start, TrailStop, UpdateCtx, Yank,
        },
        ui::{Calendar, Cursor, Tone},
    },
};
use board::Board;
use case::{Cases, LookupCase};
use comparison::Comparison;
use days::Walk;
use field::{AddressField, LookupInput, completion, recall};
use kept_boards::KeptBoards;
use note::annotate;
use record::is_pivot;
use sources::FreeAnswers;
use trail::TrailRow;

/// The part of the tab that has the focus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum LookupFocus {
    Field,
    #[default]
    Page,
    Trail,
}

/// Nothing was asked yet.
const NOTHING: &str = "nothing is looked up yet";
const NO_ROW: &str = "there is no row";
/// A text without one that can be asked about.
const NO_ADDRESS: &str = "the text has no address";

/// What is on the page.
#[derive(Debug, Default)]
enum LookupPage {
    /// The record of the address, and before the first one examples.
    #[default]
    Record,
    /// The table of several addresses.
    Table,
    Comparison(Box<Comparison>),
    /// The beginning of a text that is being read.
    Beginning(Box<Beginning>),
}

/// The beginning of a long text as a table.
#[derive(Debug)]
struct Beginning {
    /// What reads the text.
    job: JobId,
    board: Board,
    /// What was on the page before.
    before: LookupPage,
}

/// Why a key does nothing on it.
const STILL_READ: &str = "the text is still being read: these are its first rows";

/// What gets the keys.
#[derive(Clone, Copy, Debug)]
enum Front<'t> {
    Field,
    Trail,
    Table(&'t Board),
    Comparison(&'t Comparison),
    Beginning,
    Record(&'t LookupCase),
    /// The examples, before the first record.
    Start,
}

/// What Enter does.
#[derive(Clone, Debug)]
enum Enter {
    LookUp(LookupQuery),
    /// Shows the record of an address of the table, with what is local or cached.
    Row(LookupQuery),
    /// Makes the table of so many addresses in the field.
    Table(usize),
    /// Browses the records in a network.
    Browse(IpNet),
    /// Goes where a stop or a row leads.
    Go(Destination),
    /// Goes where the row of a record leads as soon as its records are counted.
    Count(LookupQuery, Meaning),
    /// Ends a walk along the days on the one that is shown.
    Stay,
    /// Fetches the sides of the comparison of which nothing is shown; the second one has the price.
    Sides(LookupQuery),
    /// Shows a row of the comparison whole.
    Whole,
    /// The field is empty.
    Type,
    /// The text of the field has no address, and why.
    Bad(String),
    Nothing(&'static str),
}

#[derive(Debug, Default)]
pub struct LookupTab {
    field: AddressField,
    part: LookupFocus,
    page: LookupPage,
    /// The day that new lookups ask for.
    pub(in crate::tui) date: Option<Day>,
    /// The zone of times in texts that name none; UTC if it is empty.
    pub(in crate::tui) zone: String,
    /// The record that was shown when today was chosen for lookups: a live answer of it is of today, too.
    today_for: Option<LookupQuery>,
    /// The geolocation that new lookups ask for.
    geolocation: Geolocation,
    cases: Cases,
    here: Option<LookupQuery>,
    /// What is local or cached about what Enter would look up, and what else has its price on the screen.
    previews: Vec<(LookupQuery, Asked<Question, FreeAnswers>)>,
    /// The feeds that have records in a network, to be browsed.
    browsing: Asked<Question, HeldWithin>,
    /// The walk along the days of the address, while it is where it led to.
    walk: Option<Walk>,
    /// The row to open as soon as its records are counted: where it leads depends on that.
    following: Option<(LookupQuery, Meaning)>,
    /// The table of a text with several addresses, also while it is not shown.
    board: Option<Board>,
    boards: KeptBoards,
    /// The row whose record stands beside the table, and whether it was opened for that alone.
    beside: Option<(LookupQuery, bool)>,
    trail: List<HeldRows<TrailRow>>,
    /// The row of the first screen.
    start: Cursor,
    /// The address that was opened from there, while it is shown.
    opened_from_start: Option<LookupQuery>,
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

    fn front(&self) -> Front<'_> {
        match (self.part, &self.page, &self.board, self.case()) {
            (LookupFocus::Field, ..) => Front::Field,
            (LookupFocus::Trail, ..) => Front::Trail,
            (_, LookupPage::Table, Some(board), _) => Front::Table(board),
            (_, LookupPage::Comparison(comparison), ..) => Front::Comparison(comparison),
            (_, LookupPage::Beginning(_), ..) => Front::Beginning,
            (.., Some(case)) => Front::Record(case),
            (.., None) => Front::Start,
        }
    }

    /// The table, if it is on the page.
    fn open_table(&self) -> Option<&Board> {
        let is_open = matches!(self.page, LookupPage::Table);
        self.board.as_ref().filter(|_| is_open)
    }

    /// Whether a table is on the page, whole or its beginning.
    fn has_table(&self) -> bool {
        self.open_table().is_some() || matches!(self.page, LookupPage::Beginning(_))
    }

    /// The comparison, if it is on the page.
    fn comparison(&self) -> Option<&Comparison> {
        match &self.page {
            LookupPage::Comparison(comparison) => Some(comparison),
            _ => None,
        }
    }

    /// Goes to the field; its text is selected, so that what is typed or pasted takes its place.
    fn begin_typing(&mut self) {
        self.focus(LookupFocus::Field);
        self.field.0.select_all();
    }

    fn leave_field(&mut self, part: LookupFocus, ctx: &mut UpdateCtx<'_>) {
        self.focus(part);
        self.stop_reading_ahead(ctx);
        if let Some(here) = self.here {
            self.field.0.set(&here.address.to_string());
        }
    }

    /// The record that is on the page, or behind what is there.
    #[must_use]
    pub fn case(&self) -> Option<&LookupCase> {
        self.cases.of(self.here?)
    }

    /// The row of the record under the cursor.
    fn row(&self) -> Option<Meaning> {
        let case = self.case()?;
        case.shown().and_then(|_| SheetState::meaning(&case.page))
    }

    /// What Enter does here. Its price, why it does nothing, and the deed follow from this.
    fn enter(&self, facts: &Facts) -> Enter {
        let lead = |place: Destination| match place {
            Destination::Address(query) => Enter::LookUp(query),
            place => Enter::Go(place),
        };
        match self.front() {
            Front::Field => match LookupInput::of(self.field.0.value()) {
                LookupInput::Address(address) => Enter::LookUp(self.query_for(address)),
                LookupInput::Network(network) => Enter::Browse(network),
                LookupInput::Several(number) => Enter::Table(number),
                LookupInput::Nothing => Enter::Type,
                LookupInput::Bad(why) => Enter::Bad(why),
            },
            Front::Trail => match self.trail.row() {
                Some(row) => lead(row.stop.clone().into()),
                None => Enter::Nothing("there is no stop"),
            },
            Front::Table(board) => match board.here() {
                Some(row) => Enter::Row(board.query_of(row)),
                None => Enter::Nothing(NO_ROW),
            },
            Front::Comparison(comparison) => match comparison.differences(&self.cases) {
                None => Enter::Sides(comparison.b),
                Some(_) if comparison.rows(&self.cases).is_empty() => Enter::Nothing(NO_ROW),
                Some(_) => Enter::Whole,
            },
            Front::Beginning => Enter::Nothing(STILL_READ),
            Front::Record(_) if self.walked_from().is_some() => Enter::Stay,
            Front::Record(case) => match self.row() {
                Some(row) if case.pivots.is_pending() && is_pivot(&row) => match row.lead {
                    Some(Destination::Address(query)) => Enter::LookUp(query),
                    _ => Enter::Count(case.query, row),
                },
                row => match row.and_then(|row| row.lead) {
                    Some(place) => lead(place),
                    None => Enter::Nothing("nothing to open here"),
                },
            },
            Front::Start => self.enter_start(facts),
        }
    }

    /// The address that Enter looks up.
    fn query_of_enter(&self, facts: &Facts) -> Option<LookupQuery> {
        match self.enter(facts) {
            Enter::LookUp(query) | Enter::Sides(query) => Some(query),
            _ => None,
        }
    }

    fn on_enter(&mut self, ctx: &mut UpdateCtx<'_>) -> Flow {
        match self.enter(ctx.facts) {
            Enter::LookUp(query) => self.visit_as_priced(query, ctx),
            Enter::Row(query) => {
                let is_start = matches!(self.front(), Front::Start);
                self.opened_from_start = is_start.then_some(query);
                self.open_row(query, ctx);
            }
            Enter::Table(_) => {
                let text = self.pasted_text(self.field.0.value(), ctx);
                // What looks like addresses may be versions.
                if text.addresses.is_empty() {
                    ctx.out.say(Tone::Warn, NO_ADDRESS);
                } else {
                    self.open_board(text, ctx);
                }
            }
            Enter::Browse(network) => {
                self.stop_reading_ahead(ctx);
                self.browsing.ask_anew(Question::HeldWithin(network), ctx);
            }
            Enter::Go(place) => ctx.out.go = Some(place),
            Enter::Count(query, row) => {
                self.following = Some((query, row));
                let text = "counting in the local feeds, then it opens";
                ctx.out.say(Tone::Info, text);
            }
            Enter::Sides(_) => self.fetch_sides(ctx),
            Enter::Stay => self.stay(ctx),
            Enter::Whole => {
                let whole = self
                    .comparison()
                    .and_then(|comparison| comparison.whole_row(&self.cases));
                return whole.map_or(Flow::Done, |whole| Flow::Push(whole));
            }
            Enter::Type => ctx.out.say(Tone::Info, "type an address first"),
            Enter::Bad(why) => ctx.out.say(Tone::Error, format!("{why}: nothing was sent")),
            Enter::Nothing(why) => ctx.out.say(Tone::Info, why),
        }
        Flow::Done
    }

    /// Shows the address of a row of the table. Never sends a query.
    fn open_row(&mut self, query: LookupQuery, ctx: &mut UpdateCtx<'_>) {
        self.walk = None;
        ctx.trail.visit(TrailStop::Address(query), ctx.out.now);
        self.show_case(query, ctx).read(ctx);
    }

    /// What a live answer is asked for: the day that was chosen for lookups, else that of what is shown.
    fn refreshes(&self, here: LookupQuery) -> LookupQuery {
        let date = match self.date {
            // Who walks asks for the day that is shown.
            _ if self.walked_from().is_some() => here.date,
            None if self.today_for != Some(here) => here.date,
            chosen => chosen,
        };
        LookupQuery { date, ..here }
    }

    /// The question for the address that is shown on the day of lookups, where what is shown is of another day.
    fn other_day(&self) -> Option<LookupQuery> {
        let here = self
            .here
            .filter(|_| matches!(self.page, LookupPage::Record) && self.walked_from().is_none())?;
        let query = self.refreshes(here);
        (query.date != here.date).then_some(query)
    }

    /// What is asked about the address that is shown where a day is chosen.
    fn query_on(&self, what_for: DayUse, date: Option<Day>) -> Option<LookupQuery> {
        let here = self.here?;
        let geolocation = match what_for {
            DayUse::Lookups => self.geolocation,
            DayUse::Record | DayUse::Comparison => here.geolocation,
        };
        Some(LookupQuery {
            date,
            geolocation,
            ..here
        })
    }

    /// Whether an answer is shown that is as good as a query.
    fn is_known(&self, query: LookupQuery) -> bool {
        self.cases.of(query).is_some_and(LookupCase::is_known)
    }

    fn on_field(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> Flow {
        match gesture {
            Gesture::Open => return self.on_enter(ctx),
            Gesture::Go(motion) => recall(&mut self.field.0, motion, ctx.trail),
            Gesture::NextPane => match completion(&self.field.0, ctx.trail) {
                Some(address) => self.field.0.set(&address),
                None => self.leave_field(LookupFocus::Page, ctx),
            },
            Gesture::Escape => self.leave_field(LookupFocus::Page, ctx),
            Gesture::Today => {
                self.date = None;
                self.today_for = self.here;
                ctx.out.say(Tone::Ok, "lookups ask for today");
            }
            Gesture::PreviousPane => self.leave_field(LookupFocus::Trail, ctx),
            _ => return Flow::Ignored,
        }
        Flow::Done
    }

    /// Handles a gesture in the table; one that has no meaning there goes on to the tab.
    fn on_table(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> Flow {
        let Some(board) = &mut self.board else {
            return Flow::Ignored;
        };
        if board.on(gesture, ctx.out) {
            return Flow::Done;
        }
        match gesture {
            Gesture::Cancel => return board.stop(ctx).into(),
            Gesture::Escape | Gesture::Quit => self.leave_board(ctx),
            gesture => return self.on_page(gesture, ctx),
        }
        Flow::Done
    }

    fn on_comparison(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> Flow {
        let LookupPage::Comparison(comparison) = &mut self.page else {
            return Flow::Ignored;
        };
        match gesture {
            Gesture::Go(motion) => comparison.go(motion, &self.cases),
            Gesture::Refresh => self.fetch_sides(ctx),
            Gesture::Escape | Gesture::Quit | Gesture::Back => {
                self.page = if comparison.is_from_table {
                    LookupPage::Table
                } else {
                    LookupPage::Record
                }
            }
            gesture => return self.on_page(gesture, ctx),
        }
        Flow::Done
    }

    /// Handles a gesture on the page or in the trail.
    fn on_page(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> Flow {
        match gesture {
            Gesture::Go(motion) => {
                let number = start::rows(ctx.facts);
                match self.here {
                    Some(here) => self.cases.of_mut(here).page.step(motion),
                    None => self.start.step(motion, number),
                };
            }
            Gesture::Open => return self.on_enter(ctx),
            Gesture::Input => self.begin_typing(),
            Gesture::NextPane | Gesture::PreviousPane if self.has_other_beside() => {
                self.open_stop_beside(ctx);
            }
            Gesture::NextPane | Gesture::PreviousPane => self.switch_part(),
            Gesture::Refresh => self.fetch_live(ctx),
            Gesture::Back | Gesture::Quit | Gesture::Escape if self.walked_from().is_some() => {
                self.end_walk(ctx);
            }
            Gesture::Escape | Gesture::Quit if self.part == LookupFocus::Trail => {
                self.focus(LookupFocus::Page);
            }
            Gesture::Quit if self.is_from_board(ctx) => ctx.out.goes_back = true,
            Gesture::Escape | Gesture::Quit | Gesture::Back if self.is_from_start() => {
                (self.here, self.opened_from_start) = (None, None);
            }
            Gesture::Undo => {
                let here = self.here;
                let undone = |here: LookupQuery| annotate(here.address, String::new(), ctx);
                return here.is_some_and(undone).into();
            }
            Gesture::Cancel => return self.cancel(ctx).into(),
            Gesture::Escape => return (self.cancel(ctx) || self.ask_for_today(ctx)).into(),
            _ => return Flow::Ignored,
        }
        Flow::Done
    }

    /// Stops waiting for the record that is shown; returns whether it was pending.
    fn cancel(&mut self, ctx: &mut UpdateCtx<'_>) -> bool {
        let case = self.here.and_then(|here| self.cases.opened(here));
        case.is_some_and(|case| case.cancel(ctx))
    }

    fn switch_geolocation(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.geolocation = self.geolocation.other();
        let Some(other) = self.other_geolocation() else {
            let word = self.geolocation.word();
            let text = format!("lookups ask for the geolocation of {word}");
            return ctx.out.say(Tone::Info, text);
        };
        self.geolocation = other.geolocation;
        self.visit_as_priced(other, ctx);
    }

    /// What is shown, with the other geolocation.
    fn other_geolocation(&self) -> Option<LookupQuery> {
        let here = self.here?;
        Some(LookupQuery {
            geolocation: here.geolocation.other(),
            ..here
        })
    }

    fn pin(&self, ctx: &mut UpdateCtx<'_>) {
        let Some(address) = self.here.map(|here| here.address) else {
            return;
        };
        let on = !ctx.trail.is_pinned(address);
        ctx.trail.pin(address, on);
        ctx.out.cmd(Cmd::Remember(TrailEntry::Pinned(address, on)));
        let what = if on { "pinned" } else { "no longer pinned" };
        ctx.out.say(Tone::Ok, format!("{address} {what}"));
    }

    /// The calendar to choose a day.
    fn day_choice(&self, what_for: DayUse, ctx: &mut UpdateCtx<'_>) -> Box<DayChoice<DayUse>> {
        let today = Day::of(ctx.out.now);
        let known = self.here.into_iter().flat_map(|here| {
            let days = self.cases.known_days(here);
            days.map(|day| day.unwrap_or(today))
        });
        let before = self.case().and_then(|case| case.days.shown()?.other);
        let of_data = || self.case()?.shown()?.day();
        let start = match what_for {
            DayUse::Lookups => self.date.unwrap_or(today),
            DayUse::Record | DayUse::Comparison => {
                before.unwrap_or_else(|| of_data().unwrap_or(today).plus(-1))
            }
        };
        let mut calendar = Calendar::new(start, today, known.collect());
        calendar.mark_local(before.into_iter().collect());
        let title = match what_for {
            DayUse::Lookups => "Day of lookups",
            DayUse::Record => "Show as of",
            DayUse::Comparison => "Compare with",
        };
        let choice = DayChoice::new(title.to_owned(), calendar, what_for, Destination::LookupDay);
        Box::new(choice.marking(replaces_a_query, ctx))
    }

    /// Handles a day that was chosen in the calendar.
    fn choose_day(&mut self, what_for: DayUse, date: Option<Day>, ctx: &mut UpdateCtx<'_>) {
        match (what_for, self.query_on(what_for, date), self.here) {
            (DayUse::Lookups, ..) => self.ask_for_day(date, ctx),
            (DayUse::Record, Some(query), _) => self.visit_as_priced(query, ctx),
            (DayUse::Comparison, Some(other), Some(here)) => self.compare(other, here, ctx),
            (DayUse::Record | DayUse::Comparison, ..) => {}
        }
    }

    /// Lookups ask for this day from now on. The record that is shown gives way to that of the day where that is free; else it stays,
    /// and the cursor is on the line that names its day: Enter there asks for the other.
    fn ask_for_day(&mut self, date: Option<Day>, ctx: &mut UpdateCtx<'_>) {
        let other = self.query_on(DayUse::Lookups, date);
        let is_free =
            |query: &LookupQuery| Some(*query) != self.here && self.is_free(*query, ctx.facts);
        let shown = other.filter(is_free);
        self.date = date;
        self.today_for = self.here.filter(|_| date.is_none());
        if let Some(query) = shown {
            self.visit_at_hand(query, ctx);
        } else if let Some(here) = self.here.filter(|_| self.other_day().is_some()) {
            let page = &mut self.cases.of_mut(here).page;
            page.rewind();
            page.start(Start::Lead);
        }
        let words = date.map_or_else(|| "today".to_owned(), Day::dashed);
        let rest = match (date, shown) {
            (None, _) => "",
            (Some(_), Some(_)) => ", which is shown; esc: for today again",
            (Some(_), None) if self.other_day().is_some() && ctx.facts.lack().is_none() => {
                ": enter or R fetches this address (1 query); esc: today"
            }
            (Some(_), None) => "; esc: for today again",
        };
        let text = format!("lookups ask for {words}{rest}");
        ctx.out.say(Tone::Ok, text);
    }

    /// Lookups ask for today again; returns whether they asked for another day.
    fn ask_for_today(&mut self, ctx: &mut UpdateCtx<'_>) -> bool {
        let asks_for_other = self.date.is_some();
        if asks_for_other {
            self.ask_for_day(None, ctx);
        }
        asks_for_other
    }

    /// Copies what only this tab makes; returns whether there was something of that kind.
    fn copy_own(&self, what: Yank, ctx: &mut UpdateCtx<'_>) -> bool {
        let table = self.open_table();
        if table.is_some_and(|board| board.copy(what, ctx.written(), ctx.out)) {
            return true;
        }
        if matches!(self.page, LookupPage::Beginning(_)) {
            return false;
        }
        let comparison = self.comparison();
        let ticket = match comparison {
            _ if what != Yank::Ticket => None,
            Some(comparison) => comparison.ticket(&self.cases, ctx.written()),
            None => self.ticket(ctx),
        };
        if let Some(note) = ticket {
            ctx.out.copy_lines("a ticket note", note);
        } else if let Some(own) = comparison
            && matches!(what, Yank::Row | Yank::Value | Yank::Ticket)
        {
            let text = own.as_text(&self.cases, Day::of(ctx.out.now));
            ctx.out.copy_lines("differences", text);
        } else {
            return false;
        }
        true
    }

    /// The ticket note about the record, with the notes on its address.
    fn ticket(&self, ctx: &UpdateCtx<'_>) -> Option<String> {
        let case = self.case()?;
        let Some(shown) = case.shown() else {
            let address = case.query.address.to_string();
            let words = case.days_in_words()?;
            let ticket = Ticket::written(&address, ctx.written());
            return Some(ticket.sentence(&format!("{address}: {words}.")).end());
        };
        let note = shown.ticket(case.query, case.entry_of(), ctx.written());
        let note = match case.days_in_note() {
            Some(words) => beside_sentence(&note, words),
            None => note,
        };
        let notes = ctx.trail.notes(case.query.address);
        Some(note + &note_lines(notes.map(|note| (note.at, note.text.as_str()))))
    }
}
