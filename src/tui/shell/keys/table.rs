//! The bindings of the shell.

use crossterm::event::KeyCode;

use crate::tui::{
    ctx::{
        Binding, Chord, Gesture, PartFate, Scope, Yank,
        binding::{
            also, char, key, quiet,
            rank::{FIRST, LAST, LATER, SOON},
            shown,
        },
        intent::Intent::{self, Shared},
    },
    shell::{
        raw::RawAction,
        registry::{Action, ShellAction},
    },
    tabs::lookup::tab::{COMPARE, LOOKUP, WELCOME},
    ui::Motion,
};

const fn shell(action: ShellAction) -> Intent<Action> {
    Intent::Action(Action::Shell(action))
}

const fn raw(action: RawAction) -> Intent<Action> {
    shell(ShellAction::Raw(action))
}

/// Before the first lookup.
#[rustfmt::skip]
pub(super) const START: &[Binding<Action>] = &[
    shown(WELCOME, char('T'), shell(ShellAction::EnterToken), FIRST, "token and hosts", "enter token (hidden) and addresses of the service, tested and kept only where asked"),
    shown(WELCOME, key(KeyCode::Enter), shell(ShellAction::OpenDemo), FIRST, "open demo", "open the embedded service with invented data"),
];

/// In the raw JSON.
#[rustfmt::skip]
pub(super) const JSON: &[Binding<Action>] = &[
    shown(Scope::Json, char('r'), Shared(Gesture::Raw), FIRST, "close", "close the JSON"),
    shown(Scope::Json, key(KeyCode::Enter), Shared(Gesture::Open), SOON, "fold", "fold or unfold"),
    also(Scope::Json, char(' '), Shared(Gesture::Open)),
    shown(Scope::Json, char('('), raw(RawAction::FoldAll), LATER, "fold all", "fold everything"),
    shown(Scope::Json, char(')'), raw(RawAction::UnfoldAll), LATER, "unfold all", "unfold everything"),
];

/// In overlays and fields, and everywhere except for the keys of the tabs.
#[rustfmt::skip]
pub(super) const PLACES: &[Binding<Action>] = &[
    shown(Scope::Yank, char('i'), shell(ShellAction::YankAs(Yank::Address)), FIRST, "address", "copy the address or the name"),
    shown(Scope::Yank, char('v'), shell(ShellAction::YankAs(Yank::Value)), FIRST, "value", "copy the value under the cursor"),
    shown(Scope::Yank, char('r'), shell(ShellAction::YankAs(Yank::Row)), FIRST, "row", "copy the row under the cursor"),
    shown(Scope::Yank, char('j'), shell(ShellAction::YankAs(Yank::Json)), FIRST, "JSON", "copy the service's own JSON"),
    shown(Scope::Yank, char('m'), shell(ShellAction::YankAs(Yank::Ticket)), FIRST, "ticket", "copy a note for a ticket, defanged Markdown"),
    shown(Scope::Yank, char('c'), shell(ShellAction::YankAs(Yank::Curl)), FIRST, "curl", "copy the request as a curl command"),
    shown(Scope::Yank, char('d'), shell(ShellAction::YankAs(Yank::Defanged)), FIRST, "defanged", "copy the address, defanged"),
    shown(Scope::Yank, key(KeyCode::Esc), Shared(Gesture::Escape), LAST, "leave", "copy nothing"),
    shown(Scope::Jobs, char('z'), Shared(Gesture::Pause), FIRST, "pause/resume", "pause or resume the job"),
    shown(Scope::Jobs, char('x'), Shared(Gesture::Cancel), FIRST, "cancel", "stop the job"),
    shown(Scope::Jobs, key(KeyCode::Esc), Shared(Gesture::Escape), LAST, "close", "close the list"),
    also(Scope::Jobs, char('q'), Shared(Gesture::Escape)),
    also(Scope::Jobs, char('J'), Shared(Gesture::Escape)),
    shown(Scope::Orders, key(KeyCode::Enter), Shared(Gesture::Open), FIRST, "choose", "sort by the row"),
    shown(Scope::Orders, char('s'), Shared(Gesture::Sort), FIRST, "reverse", "sort by the row, in reverse"),
    quiet(Scope::Orders, char('>'), Shared(Gesture::SortRight), "to the next column"),
    quiet(Scope::Orders, char('<'), Shared(Gesture::SortLeft), "to the column before"),
    shown(Scope::Orders, key(KeyCode::Esc), Shared(Gesture::Escape), LAST, "close", "close the menu"),
    also(Scope::Orders, char('q'), Shared(Gesture::Escape)),
    shown(Scope::Calendar, key(KeyCode::Enter), Shared(Gesture::Open), FIRST, "choose", "choose the day"),
    shown(Scope::Calendar, char('t'), Shared(Gesture::Today), SOON, "today", "to today, that is no date"),
    also(Scope::Calendar, key(KeyCode::Up), Shared(Gesture::Go(Motion::Up))),
    also(Scope::Calendar, key(KeyCode::Down), Shared(Gesture::Go(Motion::Down))),
    also(Scope::Calendar, key(KeyCode::Left), Shared(Gesture::Go(Motion::Left))),
    also(Scope::Calendar, key(KeyCode::Right), Shared(Gesture::Go(Motion::Right))),
    also(Scope::Calendar, key(KeyCode::PageUp), Shared(Gesture::Go(Motion::PageUp))),
    also(Scope::Calendar, key(KeyCode::PageDown), Shared(Gesture::Go(Motion::PageDown))),
    shown(Scope::Calendar, key(KeyCode::Esc), Shared(Gesture::Escape), LAST, "close", "choose nothing"),
    shown(Scope::Picker, key(KeyCode::Enter), Shared(Gesture::Open), FIRST, "choose", "choose what is selected"),
    also(Scope::Picker, key(KeyCode::Up), Shared(Gesture::Go(Motion::Up))),
    also(Scope::Picker, key(KeyCode::Down), Shared(Gesture::Go(Motion::Down))),
    also(Scope::Picker, Chord::control('p'), Shared(Gesture::Go(Motion::Up))),
    also(Scope::Picker, Chord::control('n'), Shared(Gesture::Go(Motion::Down))),
    also(Scope::Picker, key(KeyCode::PageUp), Shared(Gesture::Go(Motion::PageUp))),
    also(Scope::Picker, key(KeyCode::PageDown), Shared(Gesture::Go(Motion::PageDown))),
    shown(Scope::Picker, key(KeyCode::Esc), Shared(Gesture::Escape), LAST, "close", "choose nothing"),
    shown(Scope::Confirm, char('y'), Shared(Gesture::Yes), FIRST, "yes", "yes"),
    also(Scope::Confirm, key(KeyCode::Enter), Shared(Gesture::Open)),
    shown(Scope::Confirm, char('n'), Shared(Gesture::No), FIRST, "no", "no"),
    also(Scope::Confirm, key(KeyCode::Esc), Shared(Gesture::No)),
    also(Scope::Confirm, char('q'), Shared(Gesture::No)),
    shown(Scope::Erasing, char('y'), Shared(Gesture::Yes), FIRST, "yes", "yes"),
    shown(Scope::Erasing, char('n'), Shared(Gesture::No), FIRST, "no", "no"),
    also(Scope::Erasing, key(KeyCode::Esc), Shared(Gesture::No)),
    also(Scope::Erasing, char('q'), Shared(Gesture::No)),
    shown(Scope::Stopping, char('k'), shell(ShellAction::StopDownload(PartFate::Keep)), FIRST, "keep", "stop, and keep the received part: z resumes"),
    also(Scope::Stopping, key(KeyCode::Enter), shell(ShellAction::StopDownload(PartFate::Keep))),
    shown(Scope::Stopping, char('X'), shell(ShellAction::StopDownload(PartFate::Delete)), FIRST, "delete", "stop, and delete the received part"),
    shown(Scope::Stopping, key(KeyCode::Esc), Shared(Gesture::Escape), FIRST, "do not stop", "stop nothing"),
    also(Scope::Stopping, char('q'), Shared(Gesture::Escape)),
    shown(Scope::Setup, key(KeyCode::Enter), Shared(Gesture::Open), FIRST, "use and test", "use what is entered, and ask each host what the token may do"),
    shown(Scope::Setup, key(KeyCode::Tab), Shared(Gesture::NextPane), FIRST, "next", "to the next row"),
    also(Scope::Setup, key(KeyCode::BackTab), Shared(Gesture::PreviousPane)),
    also(Scope::Setup, key(KeyCode::Down), Shared(Gesture::NextPane)),
    also(Scope::Setup, key(KeyCode::Up), Shared(Gesture::PreviousPane)),
    shown(Scope::Setup, char(' '), shell(ShellAction::SwitchKeep), SOON, "keep or not", "in the last row: keep what is entered, or not"),
    shown(Scope::Setup, key(KeyCode::Esc), Shared(Gesture::Escape), LAST, "leave", "change nothing"),
    shown(Scope::Reading, key(KeyCode::Esc), Shared(Gesture::Escape), FIRST, "close", "close"),
    also(Scope::Reading, char('q'), Shared(Gesture::Escape)),
    also(Scope::Reading, key(KeyCode::Enter), Shared(Gesture::Escape)),
    shown(Scope::Address, key(KeyCode::Enter), Shared(Gesture::Open), FIRST, "look up", "look up what is typed; a network opens the records of a local feed"),
    shown(Scope::Address, Chord::control('n'), Shared(Gesture::Today), FIRST, "today", "lookups ask for today again, while they ask for another day"),
    shown(Scope::Input, key(KeyCode::Enter), Shared(Gesture::Open), FIRST, "done", "take what is typed"),
    quiet(Scope::Input, key(KeyCode::Up), Shared(Gesture::Go(Motion::Up)), "what was typed before"),
    quiet(Scope::Input, key(KeyCode::Down), Shared(Gesture::Go(Motion::Down)), "what was typed after that"),
    shown(Scope::Input, key(KeyCode::Esc), Shared(Gesture::Escape), FIRST, "leave", "leave the field"),
    also(Scope::Input, key(KeyCode::Tab), Shared(Gesture::NextPane)),
    also(Scope::Input, key(KeyCode::BackTab), Shared(Gesture::PreviousPane)),
    shown(Scope::Global, key(KeyCode::Enter), Shared(Gesture::Open), FIRST, "open", "open, follow or choose what is selected"),
    shown(Scope::Global, key(KeyCode::Backspace), Shared(Gesture::Back), SOON, "back", "back on the trail, to the row where you were"),
    also(Scope::Global, char('H'), Shared(Gesture::Back)),
    quiet(Scope::Global, char('L'), shell(ShellAction::Forward), "forward on the trail"),
    shown(LOOKUP, char('D'), shell(ShellAction::ChooseDate), LATER, "day of lookups", "choose the day of lookups; esc on the record: today again"),
    shown(LOOKUP, char('y'), shell(ShellAction::Yank), SOON, "copy, ticket", "copy: then a letter for what"),
    shown(COMPARE, char('y'), shell(ShellAction::Yank), SOON, "copy, ticket", "copy: then a letter for what"),
    shown(Scope::Global, char('y'), shell(ShellAction::Yank), SOON, "copy", "copy: then a letter for what"),
    shown(Scope::Global, char('/'), Shared(Gesture::Find), SOON, "find", "find or filter"),
    quiet(Scope::Global, char('n'), raw(RawAction::NextMatch), "to the next match"),
    quiet(Scope::Global, char('N'), raw(RawAction::PreviousMatch), "to the match before"),
    shown(Scope::Global, char('J'), shell(ShellAction::Jobs), SOON, "jobs", "what is under way: pause, resume, cancel"),
    shown(Scope::Global, char(':'), shell(ShellAction::Palette), LATER, "commands", "choose what to do by name"),
    also(Scope::Global, Chord::control('p'), shell(ShellAction::Palette)),
];

#[rustfmt::skip]
pub(super) const EVERYWHERE: &[Binding<Action>] = &[
    shown(Scope::Global, key(KeyCode::Tab), Shared(Gesture::NextPane), LAST, "pane", "to the next pane"),
    quiet(Scope::Global, key(KeyCode::BackTab), Shared(Gesture::PreviousPane), "to the pane before"),
    quiet(Scope::Global, char('x'), Shared(Gesture::Cancel), "stop what is under way here"),
    quiet(Scope::Global, char('z'), Shared(Gesture::Pause), "pause what is under way here, or go on with it"),
    quiet(Scope::Global, char('u'), Shared(Gesture::Undo), "undo the last change"),
    quiet(Scope::Global, Chord::control('r'), Shared(Gesture::Redo), "make it again"),
    quiet(Scope::Global, char('T'), shell(ShellAction::EnterToken), "enter token (hidden) and addresses of the service, tested and kept only where asked"),
    quiet(Scope::Global, char('D'), shell(ShellAction::ChooseDate), "choose the day of lookups in Lookup"),
    quiet(Scope::Global, key(KeyCode::F(2)), shell(ShellAction::Tour), "a tour of six keys, pressed for real; esc leaves it"),
    quiet(Scope::Global, char('Q'), shell(ShellAction::PrintMarked), "print the marked rows, else the selected one, and quit: for a pipe"),
    quiet(Scope::Global, char('e'), shell(ShellAction::Edit), "the JSON in $EDITOR"),
    quiet(Scope::Global, char('v'), shell(ShellAction::Page), "the JSON in $PAGER"),
    quiet(Scope::Global, char('Z'), shell(ShellAction::Zoom), "give the pane the whole screen, and back"),
    quiet(Scope::Global, char('M'), shell(ShellAction::Mouse), "take the mouse, or leave it to the terminal; while taken, shift-drag selects text in most terminals"),
    quiet(Scope::Global, char('!'), shell(ShellAction::Messages), "the messages so far"),
    quiet(Scope::Global, Chord::control('g'), shell(ShellAction::Privacy), "hide profile, balance, token and notes while sharing the screen"),
    quiet(Scope::Global, Chord::control('l'), shell(ShellAction::Repaint), "draw everything anew"),
    quiet(Scope::Global, Chord::control('z'), shell(ShellAction::Suspend), "to the shell, until fg"),
    quiet(Scope::Global, key(KeyCode::Esc), Shared(Gesture::Escape), "close what is on top, or stop what is under way"),
    quiet(Scope::Global, char('q'), Shared(Gesture::Quit), "close what is open, else quit"),
    shown(Scope::Global, char('?'), shell(ShellAction::Help), FIRST, "keys", "the keys of this place; type to search, enter runs"),
    also(Scope::Global, key(KeyCode::F(1)), shell(ShellAction::Help)),
    quiet(Scope::Global, key(KeyCode::Up), Shared(Gesture::Go(Motion::Up)), "one row up"),
    also(Scope::Global, char('k'), Shared(Gesture::Go(Motion::Up))),
    quiet(Scope::Global, key(KeyCode::Down), Shared(Gesture::Go(Motion::Down)), "one row down"),
    also(Scope::Global, char('j'), Shared(Gesture::Go(Motion::Down))),
    quiet(Scope::Global, key(KeyCode::Left), Shared(Gesture::Go(Motion::Left)), "one column or choice to the left"),
    also(Scope::Global, char('h'), Shared(Gesture::Go(Motion::Left))),
    quiet(Scope::Global, key(KeyCode::Right), Shared(Gesture::Go(Motion::Right)), "one column or choice to the right"),
    also(Scope::Global, char('l'), Shared(Gesture::Go(Motion::Right))),
    quiet(Scope::Global, char('g'), Shared(Gesture::Go(Motion::First)), "to the beginning"),
    also(Scope::Global, key(KeyCode::Home), Shared(Gesture::Go(Motion::First))),
    quiet(Scope::Global, char('G'), Shared(Gesture::Go(Motion::Last)), "to the end"),
    also(Scope::Global, key(KeyCode::End), Shared(Gesture::Go(Motion::Last))),
    quiet(Scope::Global, key(KeyCode::PageUp), Shared(Gesture::Go(Motion::PageUp)), "a screen up"),
    quiet(Scope::Global, key(KeyCode::PageDown), Shared(Gesture::Go(Motion::PageDown)), "a screen down"),
    quiet(Scope::Global, Chord::control('u'), Shared(Gesture::Go(Motion::HalfUp)), "half a screen up"),
    quiet(Scope::Global, Chord::control('d'), Shared(Gesture::Go(Motion::HalfDown)), "half a screen down"),
    quiet(Scope::Always, Chord::control('c'), shell(ShellAction::Leave), "quit at once"),
];
