//! The Lookup tab, as the shell knows it: its keys, when they have an effect, and what they do.

use crossterm::event::KeyCode;
use jiff::Timestamp;
use ratatui::{Frame, layout::Rect, text::Line};

use super::{
    Enter, Front, LookupFocus, LookupPage, LookupTab, NO_ROW, NOTHING, STILL_READ, beginning,
    board::GROUPS,
    case::aspect,
    compared::SIDES,
    comparison::step,
    note::Note,
    price::{quote, quote_of_day},
    trail, view, walk,
};
use crate::{
    contract::{Endpoint, Geolocation, LookupQuery},
    engine::answers::PolicyStep,
    investigation::comparison::SideName,
    model::{Day, Document},
    tui::{
        ctx::{
            Actions, AnyList, Binding, Chord, DayUse, Destination, Facts, Flow, Gesture,
            ListInFront, Meaning, Price, Scope, Subject, Tab, TabEvent, TrailStop, UpdateCtx,
            ViewCtx, Why, Yank,
            binding::{
                also, char, key, quiet,
                rank::{FIRST, LATER, SOON},
                shown,
            },
            explain,
            intent::Intent::{Action, Shared},
            shared_values,
        },
        ui::TextField,
    },
};

/// The tab before anything was looked up.
pub const WELCOME: Scope = Scope::Tab("Start");
/// The tab while no address is shown.
const EMPTY: Scope = Scope::Tab("Lookup, no address");
/// The same at a row of what is watched.
const WATCHED: Scope = Scope::Tab("What is watched");
pub const LOOKUP: Scope = Scope::Tab("Lookup");
const BOARD: Scope = Scope::Tab("Table");
/// Its first rows, while its text is being read.
const BEGINNING: Scope = Scope::Tab("Table, its first rows");
/// The values beside the table.
const BOARD_FACETS: Scope = Scope::Tab("Facets of the table");
/// The times above the table.
const BOARD_TIMES: Scope = Scope::Tab("Times of the table");
/// What the rows of the table share.
const SHARED: Scope = Scope::Tab("Shared by rows of the table");
const TRAIL: Scope = Scope::Tab("Trail");
/// Two records of which one is missing.
const HALF: Scope = Scope::Tab("Compare, a side missing");
/// Two records side by side.
pub const COMPARE: Scope = Scope::Tab("Compare");

const NO_VALUE: &str = "there is no value to filter by";

/// Nothing can be asked about it.
const NOT_PUBLIC: &str = "the address is not public";

/// What this tab alone can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LookupAction {
    /// Compare two days.
    CompareDates,
    Geolocation,
    /// Choose a day, and show the record as of it.
    ShowAsOf,
    /// Download the days around the one shown that nothing is known of.
    Download,
    /// To the table of many addresses and back.
    Board,
    /// Group the rows of the table, and choose by what.
    Group,
    /// Show the values of fields beside the table, move the focus there, or hide them.
    Facets,
    /// Filter by one more value of a field, or stop.
    Collect,
    /// Look up the rows without an answer, after a plan with the price.
    LookUpUnknown,
    /// Answer each row as of the day of its events, and back.
    AtTime,
    /// Start an export with the operators of the marked rows.
    Export,
    /// List what the marked rows share.
    Common,
    /// Mark the rows that have the value under the cursor of that list.
    MarkSharers,
    /// Say what the value under the cursor means.
    Explain,
    /// Write a note on the address.
    Note,
    Pin,
    Trail,
    /// Move the day that is shown, or the first one of a comparison, by this many days.
    StepA(i32),
    /// Move the second day of a comparison, by this many days.
    StepB(i32),
    /// Show rows that are equal, too.
    EqualRows,
    /// Exchange the two sides.
    Swap,
    CompareGeolocations,
}

use LookupAction::{
    AtTime, Board, Collect, Common, CompareDates, CompareGeolocations, Download, EqualRows,
    Explain, Export, Facets, Geolocation as OtherGeolocation, Group, LookUpUnknown, MarkSharers,
    Note as WriteNote, Pin, ShowAsOf, StepA, StepB, Swap, Trail,
};

impl Actions for LookupTab {
    type Action = LookupAction;

    #[rustfmt::skip]
    const KEYS: &'static [Binding<LookupAction>] = &[
        shown(LOOKUP, char('i'), Shared(Gesture::Input), FIRST, "new", "type or paste an address, a network or a log"),
        shown(LOOKUP, key(KeyCode::Enter), Shared(Gesture::Open), FIRST, "pivot", "look an address up, browse the records that share a value, open a tag"),
        shown(LOOKUP, char('R'), Shared(Gesture::Refresh), FIRST, "live (1 query)", "fetch the live record: 1 query").sends(),
        shown(LOOKUP, char('c'), Action(CompareDates), FIRST, "compare days", "choose a day and compare with it: a local one is free"),
        shown(LOOKUP, char('m'), Action(OtherGeolocation), FIRST, "geo (1 query)", "1 query unless cached: the other geolocation, of the service or mmgeo"),
        shown(WATCHED, key(KeyCode::Enter), Shared(Gesture::Open), FIRST, "open (free)", "open what changed or is watched, with what is local or cached: free; `ipspect watch check --told` lists all that was told"),
        shown(EMPTY, key(KeyCode::Enter), Shared(Gesture::Open), FIRST, "look up (local, else 1 query)", "look the selected address up"),
        quiet(EMPTY, char('m'), Action(OtherGeolocation), "the geolocation of lookups, the service's own or mmgeo: costs nothing"),
        shown(LOOKUP, char('d'), Action(ShowAsOf), SOON, "as of day", "choose a day and show the record as of it: a local one is free"),
        shown(LOOKUP, char('['), Action(StepA(-1)), SOON, "day before", "the page of the day before; enter stays, esc goes back"),
        quiet(LOOKUP, char(']'), Action(StepA(1)), "the page of the day after"),
        quiet(LOOKUP, char('p'), Action(Download), "download the days of which nothing is known, around the one shown"),
        shown(LOOKUP, Chord::control('t'), Action(Trail), LATER, "trail", "to the trail and back"),
        shown(LOOKUP, char('w'), Action(Pin), LATER, "pin", "pin or unpin the address"),
        shown(LOOKUP, char('a'), Action(WriteNote), LATER, "note", "write a note on the address; u undoes it"),
        shown(LOOKUP, char('/'), Shared(Gesture::Find), SOON, "find in JSON", "find in the service's own JSON, which takes the place of the record; r closes it"),
        shown(LOOKUP, char('r'), Shared(Gesture::Raw), LATER, "raw", "the service's own JSON, and back"),
        quiet(LOOKUP, char('I'), Action(Board), "to the table of many addresses and back"),
        quiet(LOOKUP, char('K'), Action(Explain), "explain the value under the cursor: by the contract, and where local feeds have it"),
        shown(TRAIL, key(KeyCode::Enter), Shared(Gesture::Open), FIRST, "open", "show the address again, or the tag"),
        shown(TRAIL, char('/'), Shared(Gesture::Find), SOON, "find", "show the stops with these words"),
        shown(TRAIL, char('i'), Shared(Gesture::Input), SOON, "new", "type or paste an address, a network or a log"),
        shown(TRAIL, Chord::control('t'), Action(Trail), LATER, "record", "to the record and back"),
        shown(BOARD, key(KeyCode::Enter), Shared(Gesture::Open), FIRST, "open (free)", "open the address with what is local or cached: no query is sent"),
        shown(BOARD, char('s'), Shared(Gesture::Sort), FIRST, "sort", "choose the column to sort by; s again reverses it"),
        quiet(BOARD, char('<'), Shared(Gesture::SortLeft), "sort by the column to the left"),
        quiet(BOARD, char('>'), Shared(Gesture::SortRight), "sort by the column to the right"),
        shown(BOARD, char('/'), Shared(Gesture::Find), FIRST, "filter", "show the rows that match: is:vpn, cc:NL, a column of the text as user:alice, or words"),
        shown(BOARD, char('b'), Action(Group), FIRST, "group", "group the rows by what they are, operator, type, country, AS or a column of the text"),
        shown(BOARD, char('f'), Action(Facets), SOON, "facets", "show, enter or hide the values of fields with their counts"),
        shown(BEGINNING, key(KeyCode::Esc), Shared(Gesture::Escape), FIRST, "leave", "back to what was here; the text is read on"),
        shown(BEGINNING, char('/'), Shared(Gesture::Find), FIRST, "filter", "show the rows that match, of these and then of all"),
        shown(BEGINNING, char('x'), Shared(Gesture::Cancel), FIRST, "stop reading", "stop reading the text, and leave"),
        shown(BOARD_FACETS, key(KeyCode::Enter), Shared(Gesture::Open), FIRST, "only this", "filter by this value alone, or stop"),
        shown(BOARD_FACETS, char(' '), Action(Collect), FIRST, "or", "allow one more value, or stop"),
        shown(BOARD_FACETS, char('f'), Action(Facets), SOON, "hide facets", "hide the values of fields, back to the rows"),
        shown(BOARD_TIMES, key(KeyCode::Enter), Shared(Gesture::Open), FIRST, "this time", "filter by the time under the cursor, which then has all of the strip"),
        shown(BOARD_TIMES, char(' '), Shared(Gesture::Mark), FIRST, "range", "begin a range of time; the cursor is its end"),
        also(BOARD_TIMES, char('V'), Shared(Gesture::MarkRange)),
        shown(BOARD_TIMES, key(KeyCode::Esc), Shared(Gesture::Escape), FIRST, "rows", "drop the range, then the time of the filter, then back to the rows"),
        shown(BOARD, char('$'), Action(LookUpUnknown), FIRST, "look up unknown", "look up what has no answer, marked or shown: a query each, the plan first"),
        shown(BOARD, char('@'), Action(AtTime), SOON, "at time", "each address as of the UTC day of its events, with today's answer where it differs; again for today"),
        shown(GROUPS, key(KeyCode::Enter), Shared(Gesture::Open), FIRST, "filter", "show the addresses of the group: the filter of the table gets a term"),
        shown(GROUPS, char('b'), Action(Group), FIRST, "fields", "choose the field to group by; left and right take the one beside"),
        shown(GROUPS, char('s'), Shared(Gesture::Sort), SOON, "sort", "choose the column to sort by; s again reverses it"),
        quiet(GROUPS, char('<'), Shared(Gesture::SortLeft), "sort by the column to the left"),
        quiet(GROUPS, char('>'), Shared(Gesture::SortRight), "sort by the column to the right"),
        shown(GROUPS, char('/'), Shared(Gesture::Find), SOON, "find", "show the groups with these letters"),
        shown(BOARD, char(' '), Shared(Gesture::Mark), LATER, "mark", "mark the row; y i, y r and y m copy what is marked, E exports its operators"),
        quiet(BOARD, char('V'), Shared(Gesture::MarkRange), "begin a range of marks at this row; again marks up to the cursor"),
        quiet(BOARD, char('A'), Shared(Gesture::MarkAll), "mark all shown rows"),
        quiet(BOARD, char('*'), Shared(Gesture::InvertMarks), "invert the marks of the shown rows"),
        shown(BOARD, char('E'), Action(Export), LATER, "export", "an export with the operators of the marked rows, else of all shown"),
        quiet(BOARD, char('C'), Action(Common), "what the marked rows share and the rest of the feed does not, else all shown: free"),
        shown(SHARED, Chord::control(' '), Action(MarkSharers), FIRST, "mark", "mark the rows that have the value; of marked rows leave those"),
        shown(BOARD, char('i'), Shared(Gesture::Input), SOON, "new", "type or paste an address, a network or a log"),
        shown(BOARD, Chord::control('t'), Action(Trail), LATER, "trail", "to the trail and back"),
        shown(BOARD, char('I'), Action(Board), LATER, "record", "to the record and back"),
        shown(BOARD, char('c'), Action(CompareDates), SOON, "compare", "compare the two marked addresses with each other: free"),
        shown(SIDES, key(KeyCode::Enter), Shared(Gesture::Open), FIRST, "open (free)", "open the address with what is local or cached: no query is sent"),
        shown(SIDES, char('/'), Shared(Gesture::Find), SOON, "filter", "show the differences with these words"),
        shown(SIDES, char('s'), Shared(Gesture::Sort), SOON, "sort", "choose the column to sort by; s again reverses it"),
        shown(HALF, key(KeyCode::Enter), Shared(Gesture::Open), FIRST, "fetch", "fetch the side that is missing"),
        shown(COMPARE, key(KeyCode::Enter), Shared(Gesture::Open), FIRST, "whole", "show both sides of a row whole"),
        shown(COMPARE, char('['), Action(StepA(-1)), FIRST, "A -1 day", "move the first day back"),
        quiet(COMPARE, char(']'), Action(StepA(1)), "move the first day on"),
        shown(COMPARE, char('{'), Action(StepB(-1)), FIRST, "B -1 day", "move the second day back"),
        quiet(COMPARE, char('}'), Action(StepB(1)), "move the second day on"),
        shown(COMPARE, char('.'), Action(EqualRows), SOON, "equal rows", "show or hide equal rows"),
        shown(COMPARE, char('%'), Action(Swap), SOON, "swap", "exchange the two sides"),
        shown(COMPARE, char('m'), Action(CompareGeolocations), FIRST, "geo (1 query)", "compare geolocations of one day: 1 query where one is not known"),
    ];

    fn when_acting(&self, action: LookupAction, ctx: &ViewCtx<'_>) -> Result<Price, Why> {
        let refused = |query: LookupQuery| ctx.facts.admission.refuses(query.address).is_some();
        let comparison = self.comparison();
        let is_half =
            comparison.is_none_or(|comparison| comparison.differences(&self.cases).is_none());
        let why = match (action, self.here) {
            (CompareDates, _) if let Some(board) = self.open_table() => {
                let has_pair = board.pair().is_some();
                return lacking((!has_pair).then_some("mark two rows with space first"));
            }
            (CompareDates | ShowAsOf | Pin | WriteNote | Download, None) => NOTHING,
            (StepA(_), None) if comparison.is_none() => NOTHING,
            (StepA(days), Some(_)) if comparison.is_none() => {
                return lacking(self.lacks_day(days, Day::of(ctx.now)));
            }
            (Download, _) => return self.lacks_download(ctx.facts).map_or(Ok(None), Err),
            (CompareDates | ShowAsOf | OtherGeolocation, Some(here)) if refused(here) => NOT_PUBLIC,
            (OtherGeolocation, Some(_)) => {
                let other = self.other_geolocation();
                let is_asked = other.is_some_and(|other| {
                    other.geolocation == Geolocation::Mmgeo && !self.is_known(other)
                });
                match ctx.facts.lack_in_short().filter(|_| is_asked) {
                    Some(lack) => lack,
                    None => return Ok(None),
                }
            }
            (LookUpUnknown, _) => {
                let own = || self.open_table().and_then(super::Board::lacks);
                return lacking(ctx.facts.lack_in_short().or_else(own));
            }
            (Collect, _) if !self.has_value() => NO_VALUE,
            (Explain, _) if self.row().is_none() => "there is no value under the cursor",
            (Board, _) if self.board.is_none() && self.boards.last().is_none() => {
                "no table: paste a text with several addresses"
            }
            (AtTime, _) => {
                return lacking(self.open_table().and_then(super::Board::lacks_times));
            }
            (Export, _) if self.open_table().is_none_or(|board| !board.has_operators()) => {
                "no row has an operator that an export can ask for"
            }
            (Swap, _) if comparison.is_some_and(|comparison| comparison.a == comparison.b) => {
                "both sides are the same"
            }
            (EqualRows, _) if is_half => "a side is missing",
            _ => return Ok(None),
        };
        Err(why.into())
    }

    fn hint_acting(&self, action: LookupAction, ctx: &ViewCtx<'_>) -> Option<&'static str> {
        match action {
            OtherGeolocation => {
                let quote = quote(self, self.other_geolocation()?, ctx.facts);
                quote.is_free().then_some("geo (free)")
            }
            CompareGeolocations => {
                let (a, b) = self.comparison()?.geolocations();
                let is_shown = |query| self.cases.shown(query).is_some();
                (is_shown(a) && is_shown(b)).then_some("geo (free)")
            }
            Pin => {
                let is_pinned = ctx.trail.is_pinned(self.here?.address);
                is_pinned.then_some("unpin")
            }
            _ => None,
        }
    }

    fn run(&mut self, action: LookupAction, ctx: &mut UpdateCtx<'_>) -> Flow {
        self.following = None;
        let today = Day::of(ctx.out.now);
        match action {
            CompareDates if let Some(board) = self.open_table() => {
                if let Some(pair) = board.pair() {
                    self.compare_at_hand(pair, true, ctx);
                }
            }
            CompareDates if let Some((here, from)) = self.here.zip(self.walked_from()) => {
                self.end_walk(ctx);
                self.compare_at_hand(walk::in_order(here, from), false, ctx);
            }
            StepA(days) if self.comparison().is_none() => self.step_day(days, ctx),
            Download => self.download_days(ctx),
            CompareDates => return Flow::Push(self.day_choice(DayUse::Comparison, ctx)),
            ShowAsOf => return Flow::Push(self.day_choice(DayUse::Record, ctx)),
            OtherGeolocation => self.switch_geolocation(ctx),
            Pin => self.pin(ctx),
            WriteNote => {
                let note = self.here.map(|here| Note::on_address(here.address));
                return note.map_or(Flow::Done, |note| Flow::Push(Box::new(note)));
            }
            Trail => self.switch_part(),
            Board if self.open_table().is_none() => self.last_board(ctx),
            Board => {
                self.page = LookupPage::Record;
                if let Some(here) = self.here {
                    ctx.trail.visit(TrailStop::Address(here), ctx.out.now);
                }
            }
            Export => ctx.out.go = self.open_table().map(super::Board::export),
            Explain => {
                let meaning = self.subject().meaning;
                let (value, label) = meaning
                    .map(|meaning| (meaning.value, meaning.label))
                    .unzip();
                return explain(value.as_deref(), label.as_deref(), ctx);
            }
            Common => {
                let query = self.open_table().map(super::Board::common);
                return query.map_or(Flow::Done, |query| shared_values(query, Some(SHARED), ctx));
            }
            MarkSharers => {
                if let (Some(Destination::Browse(query)), Some(board)) =
                    (ctx.lead.take(), &mut self.board)
                {
                    board.mark_sharers(&query.filter.to_string(), ctx.out);
                }
                return Flow::Close;
            }
            LookUpUnknown => {
                let board = self.open_table();
                return board.map_or(Flow::Done, |board| Flow::Push(Box::new(board.plan())));
            }
            AtTime => {
                if let Some(board) = self.open_table() {
                    self.read_again(board, !board.is_at_time, ctx);
                }
            }
            Facets | Collect => {
                let Some(board) = self.board.as_mut() else {
                    return Flow::Done;
                };
                match action {
                    Facets => board.switch_facets(),
                    _ => board.choose_value(false),
                }
            }
            Group => {
                let board = self.board.as_mut();
                return board.map_or(Flow::Done, |board| board.group(ctx.is_covered));
            }
            StepA(_) | StepB(_) | EqualRows | Swap | CompareGeolocations => {
                let LookupPage::Comparison(comparison) = &mut self.page else {
                    return Flow::Done;
                };
                match action {
                    StepA(days) => step(&mut comparison.a, days, today),
                    StepB(days) => step(&mut comparison.b, days, today),
                    EqualRows => comparison.equal_rows = !comparison.equal_rows,
                    Swap => std::mem::swap(&mut comparison.a, &mut comparison.b),
                    _ => {
                        (comparison.a, comparison.b) = comparison.geolocations();
                        self.fetch_sides(ctx);
                    }
                }
            }
        }
        Flow::Done
    }
}

/// Whether something has an effect, unless something is lacking.
fn lacking(why: Option<&'static str>) -> Result<Price, Why> {
    why.map_or(Ok(None), |why| Err(why.into()))
}

impl LookupTab {
    fn open(&mut self, place: Destination, ctx: &mut UpdateCtx<'_>) {
        self.following = None;
        match place {
            Destination::Address(query) => self.visit(query, ctx),
            Destination::AtHand(query) => self.visit_at_hand(query, ctx),
            Destination::Board(addresses, name) => self.open_marked(addresses, name, ctx),
            Destination::BoardOf(file) => self.show_board(&file, ctx),
            Destination::BoardLookups(queries, lost) => {
                if let Some(board) = &mut self.board {
                    board.look_up(&queries, lost, ctx);
                }
            }
            Destination::BoardWith(term) => {
                if let Some(board) = &mut self.board {
                    board.narrow(&term);
                }
            }
            Destination::MissingDays(queries) => Self::start_downloads(queries, ctx),
            Destination::LookupDay(what_for, date) => self.choose_day(what_for, date, ctx),
            _ => {}
        }
    }

    fn show(&mut self, place: &Destination, ctx: &mut UpdateCtx<'_>) {
        match place {
            Destination::Address(query) => {
                self.walk = None;
                self.show_case(*query, ctx).attend(ctx);
            }
            Destination::BoardOf(file) => self.show_board(file, ctx),
            _ => {}
        }
    }

    /// What a feed has that has become local is beside the record, and counted.
    fn local_changed(&mut self, ctx: &mut UpdateCtx<'_>) {
        // The others are counted anew when they are shown again.
        for case in self.cases.all() {
            case.expire(ctx);
        }
        for query in self.on_screen() {
            let case = self.cases.of_mut(query);
            case.read(ctx);
            case.ask_around(ctx);
        }
        if let Some(board) = &mut self.board {
            board.local_changed(ctx);
        }
    }

    fn forget(&mut self, ctx: &mut UpdateCtx<'_>) {
        if let Some(board) = self.board.take() {
            board.close(ctx);
        }
        (self.cases, self.here, self.page, self.trail) = Default::default();
        (self.previews, self.browsing, self.boards) = Default::default();
        (self.beside, self.following, self.walk) = Default::default();
    }

    /// What the page is about: of two addresses the second one.
    fn subject_query(&self) -> Option<LookupQuery> {
        let comparison = self
            .comparison()
            .filter(|comparison| comparison.is_of_two());
        let here = comparison.map(|comparison| comparison.b).or(self.here);
        self.stop_beside().or(here)
    }

    fn document(&self) -> Option<&Document> {
        let query = self.subject_query().filter(|_| self.open_table().is_none());
        self.cases.of(query?)?.shown()?.document()
    }
}

impl Tab for LookupTab {
    fn scopes(&self, facts: &Facts) -> Vec<Scope> {
        let scope = match self.front() {
            // The other keys of a text field hold in the address field, too.
            Front::Field => return vec![Scope::Address, Scope::Input],
            Front::Trail if self.trail.is_typing() => Scope::Input,
            Front::Table(board) => board.list.scope_or(BOARD),
            Front::Beginning => match &self.page {
                LookupPage::Beginning(own) => return vec![own.board.list.scope_or(BEGINNING)],
                _ => BEGINNING,
            },
            _ if self.comparison().is_some() => COMPARE,
            _ => LOOKUP,
        };
        if scope == BOARD && self.is_in_facets() {
            return vec![BOARD_FACETS, BOARD];
        }
        if scope == BOARD && self.is_in_times() {
            return vec![BOARD_TIMES, BOARD];
        }
        // The other keys would act on a record that is not the one beside the trail.
        if scope == LOOKUP && self.has_other_beside() {
            return vec![TRAIL];
        }
        if matches!(scope, Scope::Input | BOARD) {
            return vec![scope];
        }
        let comparison = self.comparison();
        let is_half =
            comparison.is_some_and(|comparison| comparison.missing(&self.cases).next().is_some());
        let is_new = !facts.is_ready() && !facts.invented && self.here.is_none();
        let is_empty = scope == LOOKUP && self.here.is_none();
        let more = [
            (matches!(self.front(), Front::Trail), TRAIL),
            (is_new, WELCOME),
            (is_empty && self.is_at_free_row(facts), WATCHED),
            (is_empty, EMPTY),
            (is_half, HALF),
        ];
        let more = more.into_iter().filter(|(holds, _)| *holds);
        more.map(|(_, scope)| scope).chain([scope]).collect()
    }

    fn list(&self) -> Option<&dyn AnyList> {
        match self.front() {
            Front::Table(board) => Some(&board.list),
            Front::Trail => Some(&self.trail),
            _ => None,
        }
    }

    fn written_list(&self) -> Option<ListInFront<'_>> {
        match self.front() {
            Front::Table(board) if board.is_in_facets() => Some(board.written_values()),
            Front::Comparison(comparison) => comparison.written(&self.cases),
            Front::Record(case) => case.days.written(case.query),
            _ => self.list().map(ListInFront::Held),
        }
    }

    fn list_mut(&mut self) -> Option<&mut dyn AnyList> {
        match self.front() {
            Front::Table(_) => Some(&mut self.board.as_mut()?.list),
            Front::Trail => Some(&mut self.trail),
            _ => None,
        }
    }

    fn field(&mut self) -> Option<&mut TextField> {
        match self.part {
            LookupFocus::Field => Some(&mut self.field.0),
            LookupFocus::Page if matches!(self.page, LookupPage::Beginning(_)) => {
                match &mut self.page {
                    LookupPage::Beginning(own) => own.board.list.field(),
                    _ => None,
                }
            }
            LookupFocus::Trail | LookupFocus::Page => self.list_mut()?.field(),
        }
    }

    fn wakes_at(&self, _now: Timestamp) -> Option<Timestamp> {
        self.boards.wakes_at()
    }

    fn shows(&self, place: &Destination) -> bool {
        let table = self.open_table();
        match place {
            Destination::BoardOf(file) => {
                let passed = [&self.boards.opening, &self.boards.gone];
                passed.contains(&&Some(file.clone()))
                    || table.is_some_and(|board| board.path() == Some(file))
            }
            _ => table.is_none_or(|board| board.path().is_none()),
        }
    }

    fn when(&self, gesture: Gesture, ctx: &ViewCtx<'_>) -> Result<Price, Why> {
        let why = match (gesture, self.front()) {
            (Gesture::Today, Front::Field) if self.date.is_none() => "lookups ask for today",
            (_, Front::Trail) if self.trail.is_typing() => return Ok(None),
            (_, Front::Table(board)) if board.list.is_typing() => return Ok(None),
            (gesture, Front::Beginning)
                if !self.is_typing_in_beginning() && !beginning::has_meaning(gesture) =>
            {
                STILL_READ
            }
            (_, Front::Field | Front::Beginning) => return Ok(None),
            (Gesture::MarkRange | Gesture::Raw, Front::Table(_)) if self.is_in_facets() => {
                "a value is selected: esc leads back to the rows"
            }
            (Gesture::Raw | Gesture::MarkAll | Gesture::InvertMarks, Front::Table(_))
                if self.is_in_times() =>
            {
                "a time is selected: esc leads back to the rows"
            }
            (Gesture::Open | Gesture::Mark | Gesture::MarkRange, Front::Table(board))
                if self.is_in_times() =>
            {
                return lacking(
                    board
                        .time_in_focus()
                        .is_none()
                        .then_some("there is no time"),
                );
            }
            (Gesture::Open, Front::Table(_)) if self.is_in_facets() => {
                return if self.has_value() {
                    Ok(None)
                } else {
                    Err(NO_VALUE.into())
                };
            }
            (Gesture::Open, _) => match self.enter(ctx.facts) {
                Enter::Nothing(why) => why,
                Enter::LookUp(query) | Enter::Sides(query) => {
                    return Ok(quote(self, query, ctx.facts).price());
                }
                _ => return Ok(None),
            },
            (Gesture::Find, Front::Trail) if ctx.trail.is_empty() => "the trail is empty",
            (_, Front::Table(board)) if board.list.lacks_row_for(gesture) => NO_ROW,
            (Gesture::Find, Front::Trail) | (_, Front::Table(_)) => return Ok(None),
            (Gesture::Refresh, _) if self.comparison().is_none() => match self.here {
                None => NOTHING,
                Some(here) if ctx.facts.admission.refuses(here.address).is_some() => NOT_PUBLIC,
                Some(_) => return Ok(None),
            },
            (Gesture::Raw | Gesture::Find, _) if self.document().is_none() => {
                "there is no JSON here yet"
            }
            _ => return Ok(None),
        };
        Err(why.into())
    }

    fn on(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> Flow {
        self.following = None;
        let is_trail = self.part == LookupFocus::Trail && gesture != Gesture::Undo;
        if is_trail && self.trail.on(gesture, ctx.out) {
            return Flow::Done;
        }
        match self.front() {
            Front::Field => self.on_field(gesture, ctx),
            Front::Table(_) => self.on_table(gesture, ctx),
            Front::Comparison(_) => self.on_comparison(gesture, ctx),
            Front::Beginning => self.on_beginning(gesture, ctx),
            Front::Trail | Front::Record(_) | Front::Start => self.on_page(gesture, ctx),
        }
    }

    fn hint(&self, gesture: Gesture) -> Option<&'static str> {
        match gesture {
            Gesture::Escape => Some(self.open_table()?.hint_of_times()?),
            Gesture::Open => self.walked_from().map(|_| "stay"),
            Gesture::Back => self.walked_from().map(|_| "end walk"),
            _ => None,
        }
    }

    fn price_of(&self, place: &Destination, ctx: &ViewCtx<'_>) -> Line<'static> {
        match place {
            Destination::LookupDay(what_for, date) => {
                let quote = quote_of_day(self, *what_for, *date, ctx.facts);
                quote.line(true, ctx.theme)
            }
            _ => Line::default(),
        }
    }

    fn copy(&mut self, what: Yank, ctx: &mut UpdateCtx<'_>) -> bool {
        self.copy_own(what, ctx)
    }

    fn handle(&mut self, event: TabEvent<'_>, ctx: &mut UpdateCtx<'_>) -> Flow {
        match event {
            TabEvent::Answered(reply) => self.take(*reply, ctx),
            TabEvent::Typed if let LookupPage::Beginning(own) = &mut self.page => {
                own.board.list.typed();
            }
            TabEvent::Typed => {
                if let Some(list) = self.list_mut() {
                    list.typed();
                }
            }
            TabEvent::Pasted(text) => return self.pasted(text, ctx).into(),
            TabEvent::Opened(Destination::DayOfLookups) => {
                return Flow::Push(self.day_choice(DayUse::Lookups, ctx));
            }
            TabEvent::Opened(Destination::BoardBy(field)) => {
                let board = self.board.as_mut();
                return board.map_or(Flow::Done, |board| Flow::Push(board.grouped(&field)));
            }
            TabEvent::Opened(Destination::Compare(names)) => return self.compare_named(names, ctx),
            TabEvent::Opened(place) => self.open(place, ctx),
            TabEvent::Shown(place) => self.show(place, ctx),
            TabEvent::Left => {
                self.stop_reading_ahead(ctx);
                self.keep_board(ctx);
                self.boards.save(ctx);
            }
            TabEvent::Woken => self.save_board_if_due(ctx),
            TabEvent::LocalChanged => self.local_changed(ctx),
            TabEvent::Home => {
                self.focus(LookupFocus::Page);
                self.page = LookupPage::Record;
            }
            TabEvent::Changed => {
                self.leave_ended_beginning(ctx);
                self.keep_board(ctx);
                self.trail.fill(trail::rows(&self.cases, &self.boards, ctx));
                self.look_ahead(ctx);
                self.read_beside(ctx);
                if let Some(board) = &mut self.board {
                    board.count_rows();
                }
            }
            TabEvent::Forgotten => self.forget(ctx),
            TabEvent::Pointed(pane) => self.point(pane, ctx),
            TabEvent::MovedIn(pane, motion) => self.move_in(pane, motion, ctx),
            TabEvent::LookedUp(job, query, result) => {
                if let Some(board) = &mut self.board {
                    board.looked_up((job, query), result, ctx);
                    if let Some(case) = self.cases.opened(query) {
                        case.read(ctx);
                    }
                }
            }
            TabEvent::Beginning(job, text) => self.begin_table(job, *text, ctx),
            TabEvent::AtHand(job, sources, next) => {
                let is_sent = matches!(next, PolicyStep::Ask(_));
                self.found(sources.query, job, Ok(*sources), is_sent, ctx);
            }
            _ => return Flow::Ignored,
        }
        Flow::Done
    }

    fn subject(&self) -> Subject<'_> {
        if matches!(self.front(), Front::Beginning) {
            return Subject::default();
        }
        let table = self.open_table();
        let value = table.and_then(super::Board::value_in_focus);
        let row = table.and_then(super::Board::here);
        let row = row.filter(|_| !self.is_in_facets() && !self.is_in_times());
        let time = table.and_then(super::Board::time_in_focus);
        let is_open = match self.front() {
            Front::Table(_) => false,
            _ => self.comparison().is_some() || self.walked_from().is_some(),
        };
        let query = self.subject_query();
        let here = query.map(|query| query.address);
        let side = match table {
            Some(board) => board.side(),
            None => query.map(|query| SideName::Address(query.address, query.date)),
        };
        Subject {
            side,
            name: value.map(|value| value.name.clone()).or(time),
            address: table.map_or(here, |_| row.map(|row| row.key.address)),
            endpoint: query.map(Endpoint::Context),
            meaning: match table {
                Some(_) => row.map(|row| Meaning::new(row.key.address.to_string(), row.words())),
                None => self.row(),
            },
            document: self.document(),
            raw_title: query.map(|query| {
                format!("{} {}", query.address, aspect(&query))
                    .trim_end()
                    .to_owned()
            }),
            is_blank: query.is_none() && table.is_none(),
            steps_back: is_open,
            ..Subject::default()
        }
    }

    fn draw(&self, frame: &mut Frame<'_>, area: Rect, ctx: &ViewCtx<'_>) -> Rect {
        view::draw(frame, area, self, ctx)
    }
}
