//! What keys do in the Lookup tab.

use std::borrow::Cow;

use crossterm::event::KeyCode;

use super::{Choosing, LookupTab};
use crate::tui::ctx::{
    UpdateCtx, ViewCtx,
    binding::{
        Binding, char, key, quiet,
        rank::{FIRST, LATER, SOON},
        shown,
    },
    chord::Chord,
    intent::{
        Gesture,
        Intent::{Action, Shared},
        Scope,
    },
    tab::Actions,
};

/// The tab before anything was looked up.
pub const WELCOME: Scope = Scope::Tab("Start");
/// The tab while no address is shown.
pub(super) const EMPTY: Scope = Scope::Tab("Lookup, no address");
pub const LOOKUP: Scope = Scope::Tab("Lookup");
pub(super) const BOARD: Scope = Scope::Tab("Table");
pub(super) const TRAIL: Scope = Scope::Tab("Trail");
/// Two records of which one is missing.
pub(super) const HALF: Scope = Scope::Tab("Compare, a side missing");
/// Two records side by side.
pub const COMPARE: Scope = Scope::Tab("Compare");

/// What this tab alone can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LookupAction {
    /// Compare two days.
    CompareDates,
    Geolocation,
    /// Choose a day, and show the record as of it.
    ShowAsOf,
    /// To the table of many addresses and back.
    Board,
    /// Mark a row of the table.
    Mark,
    /// Begin a range of rows, or mark it.
    MarkRange,
    MarkAll,
    InvertMarks,
    /// Start an export with the operators of the marked rows.
    Export,
    /// Write a note on the address.
    Note,
    Pin,
    Trail,
    /// Move the first day of a comparison, by this many days.
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
    Board, CompareDates, CompareGeolocations, EqualRows, Export, Geolocation, InvertMarks, Mark,
    MarkAll, MarkRange, Note, Pin, ShowAsOf, StepA, StepB, Swap, Trail,
};

impl Actions for LookupTab {
    type Action = LookupAction;

    #[rustfmt::skip]
    const KEYS: &'static [Binding<LookupAction>] = &[
        shown(LOOKUP, char('i'), Shared(Gesture::Input), FIRST, "new", "type or paste an address, a network or a log"),
        shown(LOOKUP, key(KeyCode::Enter), Shared(Gesture::Open), FIRST, "pivot", "look an address up, browse the records that share a value, open a tag"),
        shown(LOOKUP, char('R'), Shared(Gesture::Refresh), FIRST, "live (1 query)", "fetch the live record: 1 query").sends(),
        shown(LOOKUP, char('c'), Action(CompareDates), FIRST, "compare days", "choose a day and compare with it: a local one is free"),
        shown(LOOKUP, char('m'), Action(Geolocation), FIRST, "geo (1 query)", "1 query unless cached: the other geolocation, of the service or mmgeo"),
        shown(EMPTY, key(KeyCode::Enter), Shared(Gesture::Open), FIRST, "look up (local, else 1 query)", "look the selected address up"),
        quiet(EMPTY, char('m'), Action(Geolocation), "the geolocation of lookups, the service's own or mmgeo: costs nothing"),
        shown(LOOKUP, char('d'), Action(ShowAsOf), SOON, "as of day", "choose a day and show the record as of it: a local one is free"),
        shown(LOOKUP, Chord::control('t'), Action(Trail), LATER, "trail", "to the trail and back"),
        shown(LOOKUP, char('w'), Action(Pin), LATER, "pin", "pin or unpin the address"),
        shown(LOOKUP, char('a'), Action(Note), LATER, "note", "write a note on the address; u undoes it"),
        shown(LOOKUP, char('/'), Shared(Gesture::Find), SOON, "find in JSON", "find in the service's own JSON, which takes the place of the record; r closes it"),
        shown(LOOKUP, char('r'), Shared(Gesture::Raw), LATER, "raw", "the service's own JSON, and back"),
        quiet(LOOKUP, char('I'), Action(Board), "to the table of many addresses and back"),
        shown(TRAIL, key(KeyCode::Enter), Shared(Gesture::Open), FIRST, "open", "show the address again, or the tag"),
        shown(TRAIL, char('/'), Shared(Gesture::Find), SOON, "find", "show the stops with these words"),
        shown(BOARD, key(KeyCode::Enter), Shared(Gesture::Open), FIRST, "open (free)", "open the address with what is local or cached: no query is sent"),
        shown(BOARD, char('s'), Shared(Gesture::Sort), FIRST, "sort", "choose the column to sort by; s again reverses it"),
        quiet(BOARD, char('<'), Shared(Gesture::SortLeft), "sort by the column to the left"),
        quiet(BOARD, char('>'), Shared(Gesture::SortRight), "sort by the column to the right"),
        shown(BOARD, char('/'), Shared(Gesture::Find), FIRST, "filter", "show the rows with these words"),
        shown(BOARD, char(' '), Action(Mark), LATER, "mark", "mark the row; y i, y r and y m copy what is marked, E exports its operators"),
        quiet(BOARD, char('V'), Action(MarkRange), "begin a range of marks at this row; again marks up to the cursor"),
        quiet(BOARD, char('A'), Action(MarkAll), "mark all shown rows"),
        quiet(BOARD, char('*'), Action(InvertMarks), "invert the marks of the shown rows"),
        shown(BOARD, char('E'), Action(Export), LATER, "export", "an export with the operators of the marked rows, else of all shown"),
        shown(BOARD, char('i'), Shared(Gesture::Input), SOON, "new", "type or paste an address, a network or a log"),
        shown(BOARD, Chord::control('t'), Action(Trail), LATER, "trail", "to the trail and back"),
        shown(BOARD, char('I'), Action(Board), LATER, "record", "to the record and back"),
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

    fn idle_action(&self, action: LookupAction, ctx: &ViewCtx<'_>) -> Option<Cow<'static, str>> {
        self.idle_own(action, ctx)
    }

    fn act(&mut self, action: LookupAction, ctx: &mut UpdateCtx<'_>) {
        self.following = None;
        match action {
            CompareDates | ShowAsOf if self.case().is_none() => {}
            CompareDates => self.choose_day(Choosing::Comparison, ctx),
            ShowAsOf => self.choose_day(Choosing::Record, ctx),
            Geolocation => self.switch_geolocation(ctx),
            Pin => self.pin(ctx),
            Note => self.begin_note(ctx),
            Trail => self.other_part(),
            Board => self.switch_board(ctx),
            Mark | MarkRange | MarkAll | InvertMarks => self.mark_rows(action, ctx),
            Export => self.export_table(ctx),
            _ => self.act_on_comparison(action, ctx),
        }
        self.look_ahead(ctx);
    }
}
