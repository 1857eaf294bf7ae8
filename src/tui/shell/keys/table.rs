//! The table of bindings.

use crossterm::event::KeyCode;

use super::{Binding, Chord};
use crate::tui::{
    ctx::intent::{Intent, Scope, Tab, Yank},
    ui::cursor::Motion,
};

/// How soon the footer gives a hint up.
mod rank {
    pub(super) const FIRST: u8 = 1;
    pub(super) const SOON: u8 = 3;
    pub(super) const LATER: u8 = 5;
    pub(super) const LAST: u8 = 8;
}
use rank::{FIRST, LAST, LATER, SOON};

/// A binding that the footer shows.
const fn shown(
    scope: Scope,
    chord: Chord,
    intent: Intent,
    rank: u8,
    hint: &'static str,
    help: &'static str,
) -> Binding {
    Binding {
        scope,
        chord,
        intent,
        hint,
        help,
        rank,
    }
}

/// A binding that help alone shows.
const fn quiet(scope: Scope, chord: Chord, intent: Intent, help: &'static str) -> Binding {
    Binding {
        scope,
        chord,
        intent,
        hint: "",
        help,
        rank: u8::MAX,
    }
}

/// A second key for a meaning that has one.
const fn also(scope: Scope, chord: Chord, intent: Intent) -> Binding {
    quiet(scope, chord, intent, "")
}

const fn char(character: char) -> Chord {
    Chord::char(character)
}

const fn key(code: KeyCode) -> Chord {
    Chord::key(code)
}

/// Every key that means something. The order within a scope is that of footer and help.
#[rustfmt::skip]
pub const BINDINGS: &[Binding] = &[
    shown(Scope::Welcome, char('T'), Intent::EnterToken, FIRST, "enter token", "enter a token, hidden"),
    shown(Scope::Welcome, char('o'), Intent::OpenDemo, FIRST, "open demo", "open the embedded service with invented data"),
    shown(Scope::Lookup, char('i'), Intent::Input, FIRST, "new lookup", "type an address"),
    shown(Scope::Lookup, char('R'), Intent::Refresh, SOON, "ask again (1 query)", "ask the service again: costs a query"),
    shown(Scope::Lookup, char('d'), Intent::CompareDates, FIRST, "compare dates", "choose a day and compare with it"),
    shown(Scope::Lookup, char('m'), Intent::Geolocation, SOON, "geolocation", "the other geolocation: the service's own or mmgeo"),
    shown(Scope::Lookup, char('D'), Intent::LookupDate, LATER, "date", "choose the day of lookups"),
    shown(Scope::Lookup, char('w'), Intent::Pin, LATER, "pin", "pin the address, or let it go"),
    shown(Scope::Lookup, char('t'), Intent::Trail, LATER, "trail", "to the trail and back"),
    shown(Scope::Lookup, char('r'), Intent::Raw, LATER, "raw", "the service's own JSON, and back"),
    shown(Scope::Compare, char('['), Intent::StepA(-1), FIRST, "A -1 day", "move the first day back"),
    quiet(Scope::Compare, char(']'), Intent::StepA(1), "move the first day on"),
    shown(Scope::Compare, char('{'), Intent::StepB(-1), FIRST, "B -1 day", "move the second day back"),
    quiet(Scope::Compare, char('}'), Intent::StepB(1), "move the second day on"),
    shown(Scope::Compare, char('='), Intent::EqualRows, SOON, "equal rows", "show rows that are equal, or hide them"),
    shown(Scope::Compare, char('s'), Intent::Swap, SOON, "swap", "exchange the two sides"),
    shown(Scope::Compare, char('m'), Intent::Geolocation, LATER, "geolocations", "compare the two geolocations of one day"),
    shown(Scope::Json, char('r'), Intent::Raw, FIRST, "close", "close the JSON"),
    shown(Scope::Json, key(KeyCode::Enter), Intent::Open, SOON, "fold", "fold or unfold"),
    also(Scope::Json, char(' '), Intent::Open),
    shown(Scope::Json, char('-'), Intent::FoldAll, LATER, "fold all", "fold everything"),
    shown(Scope::Json, char('+'), Intent::UnfoldAll, LATER, "unfold all", "unfold everything"),
    shown(Scope::Tags, char('i'), Intent::Input, FIRST, "new tag", "type the name of a tag"),
    shown(Scope::Tags, char('R'), Intent::Refresh, FIRST, "ask again", "ask the service for the tag's metadata again"),
    shown(Scope::Tags, char('/'), Intent::Find, SOON, "filter", "show only the tags that match"),
    shown(Scope::Tags, char(' '), Intent::Mark, SOON, "mark", "mark the tag, for an export"),
    shown(Scope::Tags, char('E'), Intent::ExportMarked, SOON, "export", "start an export with the marked tags"),
    shown(Scope::Tags, char('s'), Intent::Sort, LATER, "sort", "sort by another column"),
    shown(Scope::Tags, char('o'), Intent::Browse, LATER, "website", "open the website in the browser; asks first"),
    shown(Scope::Tags, char('r'), Intent::Raw, LATER, "raw", "the service's own JSON, and back"),
    shown(Scope::Quota, char('R'), Intent::Refresh, FIRST, "ask again", "ask for the status again"),
    shown(Scope::Quota, char('t'), Intent::TestAccess, FIRST, "test access", "ask each host what it allows, without a query"),
    shown(Scope::Quota, char('r'), Intent::Raw, LATER, "raw", "the service's own JSON, and back"),
    shown(Scope::Feeds, key(KeyCode::Enter), Intent::Open, FIRST, "download", "download what is selected"),
    shown(Scope::Feeds, char('d'), Intent::Dates, FIRST, "dates", "the days of the feed, and the files of a day"),
    shown(Scope::Feeds, char('R'), Intent::Refresh, SOON, "ask again", "ask for the metadata of all feeds again"),
    shown(Scope::Feeds, char('b'), Intent::DownloadMmdb, LATER, "mmdb", "download the MMDB form"),
    shown(Scope::Feeds, char('o'), Intent::Readme, LATER, "readme", "save the feed's README.pdf"),
    shown(Scope::Feeds, char('r'), Intent::Raw, LATER, "raw", "the service's own JSON, and back"),
    shown(Scope::Export, char('S'), Intent::ServerPreview, SOON, "server preview", "ask the service for a few rows"),
    shown(Scope::Form, Chord::control('s'), Intent::RunExport, FIRST, "run", "run the export to a file"),
    shown(Scope::Form, key(KeyCode::Tab), Intent::NextPane, FIRST, "next field", "to the next field"),
    quiet(Scope::Form, key(KeyCode::BackTab), Intent::PreviousPane, "to the field before"),
    also(Scope::Form, key(KeyCode::Down), Intent::NextPane),
    also(Scope::Form, key(KeyCode::Up), Intent::PreviousPane),
    shown(Scope::Form, char(' '), Intent::Toggle, SOON, "toggle", "switch the field"),
    shown(Scope::Form, key(KeyCode::Right), Intent::NextChoice, LATER, "choose", "the next choice"),
    quiet(Scope::Form, key(KeyCode::Left), Intent::PreviousChoice, "the choice before"),
    shown(Scope::Form, key(KeyCode::Enter), Intent::Open, SOON, "fix", "take the fix that the field offers"),
    shown(Scope::Yank, char('i'), Intent::YankAs(Yank::Address), FIRST, "address", "copy the address or the name"),
    shown(Scope::Yank, char('v'), Intent::YankAs(Yank::Value), FIRST, "value", "copy the value under the cursor"),
    shown(Scope::Yank, char('r'), Intent::YankAs(Yank::Row), FIRST, "row", "copy the row under the cursor"),
    shown(Scope::Yank, char('j'), Intent::YankAs(Yank::Json), FIRST, "JSON", "copy the service's own JSON"),
    shown(Scope::Yank, char('m'), Intent::YankAs(Yank::Ticket), FIRST, "ticket", "copy a note for a ticket, defanged Markdown"),
    shown(Scope::Yank, char('c'), Intent::YankAs(Yank::Curl), FIRST, "curl", "copy the request as a curl command"),
    shown(Scope::Yank, char('d'), Intent::YankAs(Yank::Defanged), FIRST, "defanged", "copy the address, defanged"),
    shown(Scope::Yank, key(KeyCode::Esc), Intent::Escape, LAST, "leave", "copy nothing"),
    shown(Scope::Jobs, char('z'), Intent::Pause, FIRST, "pause/resume", "pause the job, or go on with it"),
    shown(Scope::Jobs, char('x'), Intent::Cancel, FIRST, "cancel", "stop the job"),
    shown(Scope::Jobs, key(KeyCode::Esc), Intent::Escape, LAST, "close", "close the list"),
    also(Scope::Jobs, char('q'), Intent::Escape),
    also(Scope::Jobs, char('J'), Intent::Escape),
    shown(Scope::Calendar, key(KeyCode::Enter), Intent::Open, FIRST, "choose", "choose the day"),
    shown(Scope::Calendar, char('t'), Intent::Today, SOON, "today", "to today, which is no date at all"),
    also(Scope::Calendar, key(KeyCode::Up), Intent::Go(Motion::Up)),
    also(Scope::Calendar, key(KeyCode::Down), Intent::Go(Motion::Down)),
    also(Scope::Calendar, key(KeyCode::Left), Intent::Go(Motion::Left)),
    also(Scope::Calendar, key(KeyCode::Right), Intent::Go(Motion::Right)),
    also(Scope::Calendar, key(KeyCode::PageUp), Intent::Go(Motion::PageUp)),
    also(Scope::Calendar, key(KeyCode::PageDown), Intent::Go(Motion::PageDown)),
    shown(Scope::Calendar, key(KeyCode::Esc), Intent::Escape, LAST, "close", "choose nothing"),
    shown(Scope::Picker, key(KeyCode::Enter), Intent::Open, FIRST, "choose", "choose what is selected"),
    also(Scope::Picker, key(KeyCode::Up), Intent::Go(Motion::Up)),
    also(Scope::Picker, key(KeyCode::Down), Intent::Go(Motion::Down)),
    also(Scope::Picker, Chord::control('p'), Intent::Go(Motion::Up)),
    also(Scope::Picker, Chord::control('n'), Intent::Go(Motion::Down)),
    also(Scope::Picker, key(KeyCode::PageUp), Intent::Go(Motion::PageUp)),
    also(Scope::Picker, key(KeyCode::PageDown), Intent::Go(Motion::PageDown)),
    shown(Scope::Picker, key(KeyCode::Esc), Intent::Escape, LAST, "close", "choose nothing"),
    shown(Scope::Confirm, char('y'), Intent::Yes, FIRST, "yes", "yes"),
    also(Scope::Confirm, key(KeyCode::Enter), Intent::Yes),
    shown(Scope::Confirm, char('n'), Intent::No, FIRST, "no", "no"),
    also(Scope::Confirm, key(KeyCode::Esc), Intent::No),
    also(Scope::Confirm, char('q'), Intent::No),
    shown(Scope::Reading, key(KeyCode::Esc), Intent::Escape, FIRST, "close", "close"),
    also(Scope::Reading, char('q'), Intent::Escape),
    also(Scope::Reading, key(KeyCode::Enter), Intent::Escape),
    shown(Scope::Input, key(KeyCode::Enter), Intent::Open, FIRST, "send", "send what is typed"),
    quiet(Scope::Input, key(KeyCode::Up), Intent::Go(Motion::Up), "what was typed before"),
    quiet(Scope::Input, key(KeyCode::Down), Intent::Go(Motion::Down), "what was typed after that"),
    shown(Scope::Input, key(KeyCode::Esc), Intent::Escape, FIRST, "leave", "leave the field"),
    also(Scope::Input, key(KeyCode::Tab), Intent::NextPane),
    also(Scope::Input, key(KeyCode::BackTab), Intent::PreviousPane),
    shown(Scope::Global, key(KeyCode::Enter), Intent::Open, FIRST, "open", "open, follow or choose what is selected"),
    shown(Scope::Global, key(KeyCode::Backspace), Intent::Back, SOON, "back", "back on the trail, to the row where you were"),
    also(Scope::Global, char('H'), Intent::Back),
    quiet(Scope::Global, char('L'), Intent::Forward, "forward on the trail"),
    shown(Scope::Global, char('y'), Intent::Yank, SOON, "copy", "copy: then a letter for what"),
    shown(Scope::Global, char('/'), Intent::Find, SOON, "find", "find or filter"),
    quiet(Scope::Global, char('n'), Intent::NextMatch, "to the next match"),
    quiet(Scope::Global, char('N'), Intent::PreviousMatch, "to the match before"),
    shown(Scope::Global, char('J'), Intent::Jobs, LATER, "jobs", "what is under way: pause, resume, cancel"),
    shown(Scope::Global, char(':'), Intent::Palette, LATER, "commands", "choose what to do by name"),
    also(Scope::Global, Chord::control('p'), Intent::Palette),
    quiet(Scope::Global, char('1'), Intent::Tab(Tab::Lookup), "to the tab Lookup"),
    quiet(Scope::Global, char('2'), Intent::Tab(Tab::Tags), "to the tab Tags"),
    quiet(Scope::Global, char('3'), Intent::Tab(Tab::Quota), "to the tab Quota"),
    quiet(Scope::Global, char('4'), Intent::Tab(Tab::Feeds), "to the tab Feeds"),
    quiet(Scope::Global, char('5'), Intent::Tab(Tab::Export), "to the tab Export"),
    shown(Scope::Global, key(KeyCode::Tab), Intent::NextPane, LAST, "pane", "to the next pane"),
    quiet(Scope::Global, key(KeyCode::BackTab), Intent::PreviousPane, "to the pane before"),
    quiet(Scope::Global, char('x'), Intent::Cancel, "stop what is under way here"),
    quiet(Scope::Global, char('z'), Intent::Pause, "pause what is under way here, or go on with it"),
    quiet(Scope::Global, char('u'), Intent::Undo, "take the last change back"),
    quiet(Scope::Global, Chord::control('r'), Intent::Redo, "make it again"),
    quiet(Scope::Global, char('e'), Intent::Edit, "the JSON in $EDITOR"),
    quiet(Scope::Global, char('v'), Intent::Page, "the JSON in $PAGER"),
    quiet(Scope::Global, char('Z'), Intent::Zoom, "give the pane the whole screen, and back"),
    quiet(Scope::Global, char('M'), Intent::Mouse, "take the mouse, or leave it to the terminal"),
    quiet(Scope::Global, char('!'), Intent::Messages, "what was said so far"),
    quiet(Scope::Global, Chord::control('g'), Intent::Privacy, "hide profile and balance from those who watch"),
    quiet(Scope::Global, Chord::control('l'), Intent::Repaint, "draw everything anew"),
    quiet(Scope::Global, Chord::control('z'), Intent::Suspend, "to the shell, until fg"),
    quiet(Scope::Global, key(KeyCode::Esc), Intent::Escape, "close what is on top, or stop what is under way"),
    quiet(Scope::Global, char('q'), Intent::Quit, "close, or leave"),
    shown(Scope::Global, char('?'), Intent::Help, FIRST, "keys", "the keys of this place; type to search, enter runs"),
    also(Scope::Global, key(KeyCode::F(1)), Intent::Help),
    quiet(Scope::Global, key(KeyCode::Up), Intent::Go(Motion::Up), "up"),
    also(Scope::Global, char('k'), Intent::Go(Motion::Up)),
    quiet(Scope::Global, key(KeyCode::Down), Intent::Go(Motion::Down), "down"),
    also(Scope::Global, char('j'), Intent::Go(Motion::Down)),
    quiet(Scope::Global, key(KeyCode::Left), Intent::Go(Motion::Left), "left"),
    also(Scope::Global, char('h'), Intent::Go(Motion::Left)),
    quiet(Scope::Global, key(KeyCode::Right), Intent::Go(Motion::Right), "right"),
    also(Scope::Global, char('l'), Intent::Go(Motion::Right)),
    quiet(Scope::Global, char('g'), Intent::Go(Motion::First), "to the beginning"),
    also(Scope::Global, key(KeyCode::Home), Intent::Go(Motion::First)),
    quiet(Scope::Global, char('G'), Intent::Go(Motion::Last), "to the end"),
    also(Scope::Global, key(KeyCode::End), Intent::Go(Motion::Last)),
    quiet(Scope::Global, key(KeyCode::PageUp), Intent::Go(Motion::PageUp), "a screen up"),
    quiet(Scope::Global, key(KeyCode::PageDown), Intent::Go(Motion::PageDown), "a screen down"),
    quiet(Scope::Global, Chord::control('u'), Intent::Go(Motion::HalfUp), "half a screen up"),
    quiet(Scope::Global, Chord::control('d'), Intent::Go(Motion::HalfDown), "half a screen down"),
    quiet(Scope::Always, Chord::control('c'), Intent::Leave, "leave at once"),
];
