//! The keys of the Feeds tab, those of the browser included.

use crossterm::event::KeyCode;

use crate::tui::{
    ctx::{
        Binding, Chord, Gesture, Scope,
        binding::{
            also, char, key, quiet,
            rank::{FIRST, LAST, LATER, SOON},
            shown,
        },
        intent::Intent::{self, Action, Shared},
    },
    ui::Motion,
};

pub(super) const FEEDS: Scope = Scope::Tab("List of feeds");
/// The days of a feed, and the files of a day.
pub(super) const DAYS: Scope = Scope::Tab("Days of a feed");
/// What else can be downloaded, and rebuilt.
pub(super) const DOWNLOADS: Scope = Scope::Tab("What to download");
/// What can be deleted of a feed.
pub(super) const DELETING: Scope = Scope::Tab("What to delete");
pub(super) const BROWSER: Scope = Scope::Tab("Records of a feed");
/// The facets beside the records.
pub(super) const FACETS: Scope = Scope::Tab("Facets");
/// A list over the records.
pub(super) const MENU: Scope = Scope::Tab("Menu of records");
pub(super) const COMPARED: Scope = Scope::Tab("Compared days");

/// What this tab alone can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FeedsAction {
    Dates,
    /// Choose what else to download, or to rebuild.
    Downloads,
    /// The MMDB form of a feed.
    DownloadMmdb,
    Readme,
    /// Download the latest release.
    Download,
    /// Download the latest release of every stale feed.
    Freshen,
    /// Compare a local day with the one before.
    Compare,
    /// Check what is local.
    Verify,
    /// Build the index again.
    Reindex,
    /// Choose which local releases to delete.
    Delete,
    DeleteChosen,
    /// Keep a local release until it is deleted, or no longer.
    Pin,
    /// Follow the realtime feed, or no longer.
    Follow,
    /// What the browser of a local feed does.
    Browser(BrowserAction),
}

/// What the browser of a local feed does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BrowserAction {
    /// Shows, focuses or hides the facets.
    Facets,
    /// Opens the marked addresses as a table in Lookup.
    Tabulate,
    /// List what the marked records share, else those of the filter.
    Common,
    /// Say what the value under the cursor means.
    Explain,
    Export,
    /// Compares with another day.
    Compare,
    /// Lists the compared records whose verdict is the same, too.
    Others,
    /// Counts the clauses of the filter.
    Clauses,
    /// Goes to a row or to an address.
    GoTo,
    Columns,
    /// Filters for this cell.
    Like,
    /// Excludes this cell, or the selected value of the facets.
    Unlike,
    /// Adds the selected value to the accepted ones.
    Collect,
}

const fn browser(action: BrowserAction) -> Intent<FeedsAction> {
    Action(FeedsAction::Browser(action))
}

#[rustfmt::skip]
pub(super) const KEYS: &[Binding<FeedsAction>] = &[
    shown(FEEDS, key(KeyCode::Enter), Shared(Gesture::Open), FIRST, "browse", "browse the records of a local feed; download one that is not local"),
    shown(FEEDS, char('p'), Action(FeedsAction::Download), FIRST, "download", "download the latest release; of marked feeds, of each"),
    shown(FEEDS, char('d'), Action(FeedsAction::Dates), FIRST, "days", "the days of the feed, local and at the service, and the files of a day"),
    shown(FEEDS, char('P'), Action(FeedsAction::Downloads), SOON, "choose", "choose what to download: all stale feeds, a day, the MMDB form; or rebuild the index"),
    shown(FEEDS, char('c'), Action(FeedsAction::Compare), SOON, "compare days", "diff with the day before: added, removed and changed records"),
    shown(FEEDS, char(' '), Shared(Gesture::Mark), LATER, "mark", "mark the feed: p downloads the marked ones, after a question with their size"),
    quiet(FEEDS, char('A'), Shared(Gesture::MarkAll), "mark every feed whose latest release is not local"),
    quiet(FEEDS, char('*'), Shared(Gesture::InvertMarks), "invert the marks"),
    shown(FEEDS, char('t'), Action(FeedsAction::Verify), SOON, "test", "test the newest local release against its checksums"),
    shown(FEEDS, char('X'), Action(FeedsAction::Delete), SOON, "delete", "delete local releases; u undoes it until you quit"),
    shown(FEEDS, char('w'), Action(FeedsAction::Pin), LATER, "pin", "pin or unpin the release: a pinned one is not cleared away for newer ones"),
    shown(FEEDS, char('F'), Action(FeedsAction::Follow), LATER, "follow", "follow the realtime feed: each new window is downloaded, gaps are named").sends(),
    shown(FEEDS, char('R'), Shared(Gesture::Refresh), SOON, "refresh", "fetch the metadata of all feeds again").sends(),
    shown(FEEDS, char('r'), Shared(Gesture::Raw), LATER, "raw", "the service's own JSON, and back"),
    shown(FEEDS, char('s'), Shared(Gesture::Sort), LATER, "sort", "choose the column to sort by; s again reverses it"),
    quiet(FEEDS, char('<'), Shared(Gesture::SortLeft), "sort by the column to the left"),
    quiet(FEEDS, char('>'), Shared(Gesture::SortRight), "sort by the column to the right"),
    shown(DAYS, key(KeyCode::Enter), Shared(Gesture::Open), FIRST, "open", "browse a local day, else list its files; download a file"),
    shown(DAYS, char('p'), Action(FeedsAction::Download), FIRST, "download", "download the release of the day, of marked days of each, or the file"),
    shown(DAYS, char('P'), Action(FeedsAction::Downloads), SOON, "choose", "choose what to download: the MMDB form of the day; or rebuild the index"),
    shown(DAYS, char('c'), Action(FeedsAction::Compare), SOON, "compare", "diff with the day before: added, removed and changed records"),
    shown(DAYS, char('/'), Shared(Gesture::Find), SOON, "pick a day", "pick a day in a calendar, or type it: 2026-10-01, -7d, yesterday"),
    shown(DAYS, char(' '), Shared(Gesture::Mark), SOON, "mark", "mark the day: p downloads the marked ones, after a question with their size"),
    quiet(DAYS, char('V'), Shared(Gesture::MarkRange), "begin a range of days at this one; again marks up to the cursor"),
    quiet(DAYS, char('A'), Shared(Gesture::MarkAll), "mark all days"),
    quiet(DAYS, char('*'), Shared(Gesture::InvertMarks), "invert the marks of the days"),
    shown(DAYS, char('w'), Action(FeedsAction::Pin), SOON, "pin", "pin or unpin the local release of the day"),
    shown(DAYS, char('X'), Action(FeedsAction::Delete), LATER, "delete", "delete local releases; u undoes it until you quit"),
    shown(DAYS, char('R'), Shared(Gesture::Refresh), SOON, "refresh", "list the days again: costs no query").sends(),
    shown(DAYS, char('d'), Action(FeedsAction::Dates), LATER, "close", "close the days"),
    shown(DAYS, key(KeyCode::Esc), Shared(Gesture::Escape), FIRST, "feeds", "back to the list of feeds; from the files of a day to the days"),
    shown(DOWNLOADS, char('a'), Action(FeedsAction::Freshen), FIRST, "all stale", "download every stale feed; if none is, mark those not local").sends(),
    shown(DOWNLOADS, char('d'), Action(FeedsAction::Dates), FIRST, "a day", "choose a day of the feed, local or at the service"),
    shown(DOWNLOADS, char('m'), Action(FeedsAction::DownloadMmdb), FIRST, "MMDB", "download the MMDB form, a database for other programs"),
    shown(DOWNLOADS, char('r'), Action(FeedsAction::Readme), FIRST, "README", "save the feed's README.pdf"),
    shown(DOWNLOADS, char('i'), Action(FeedsAction::Reindex), FIRST, "index", "rebuild the index of the newest local release"),
    shown(DOWNLOADS, key(KeyCode::Esc), Shared(Gesture::Escape), LAST, "close", "download nothing"),
    shown(DELETING, Chord::control('x'), Action(FeedsAction::DeleteChosen), FIRST, "delete", "delete what is chosen; u undoes it until you quit"),
    shown(BROWSER, char('/'), Shared(Gesture::Find), FIRST, "filter", "filter the records; tab completes, up recalls"),
    shown(BROWSER, char('s'), Shared(Gesture::Sort), SOON, "sort", "choose the column to sort by; s again reverses it"),
    quiet(BROWSER, char('<'), Shared(Gesture::SortLeft), "sort by the column to the left"),
    quiet(BROWSER, char('>'), Shared(Gesture::SortRight), "sort by the column to the right"),
    shown(BROWSER, char('f'), browser(BrowserAction::Facets), SOON, "facets", "show, enter or hide the values of fields with their counts"),
    shown(BROWSER, key(KeyCode::Enter), Shared(Gesture::Open), FIRST, "look up", "look the address up; on another cell, what can be done with it"),
    shown(BROWSER, char(' '), Shared(Gesture::Mark), LATER, "mark", "mark the record; y i copies what is marked, E exports it, I lists it as a table"),
    quiet(BROWSER, char('V'), Shared(Gesture::MarkRange), "begin a range of marks at this record; again marks up to the cursor"),
    quiet(BROWSER, char('A'), Shared(Gesture::MarkAll), "mark all records of the filter"),
    quiet(BROWSER, char('*'), Shared(Gesture::InvertMarks), "invert the marks of the filtered records"),
    shown(BROWSER, char('I'), browser(BrowserAction::Tabulate), LAST, "table", "the marked addresses as a table in Lookup: free"),
    shown(BROWSER, char('E'), browser(BrowserAction::Export), LATER, "export", "an export with this filter; of marked records, with their operators"),
    quiet(BROWSER, char('C'), browser(BrowserAction::Common), "what the marked records share and the rest of the feed does not, else those of the filter: free"),
    quiet(BROWSER, char('K'), browser(BrowserAction::Explain), "explain the value under the cursor: by the contract, and where local feeds have it"),
    shown(BROWSER, char('='), browser(BrowserAction::Like), LATER, "only this", "only records with the value under the cursor"),
    shown(BROWSER, char('-'), browser(BrowserAction::Unlike), LATER, "without", "no records with the value under the cursor"),
    shown(BROWSER, char('c'), browser(BrowserAction::Compare), SOON, "compare days", "diff with another local day: added, removed and changed records"),
    shown(BROWSER, char('d'), Action(FeedsAction::Dates), LATER, "days", "the days of the feed, local and at the service; backspace leads back"),
    shown(BROWSER, char('&'), browser(BrowserAction::Clauses), LATER, "clauses", "what each clause of the filter does, and drop one"),
    shown(BROWSER, char('#'), browser(BrowserAction::GoTo), LATER, "go to", "go to a row, an address or a network"),
    shown(BROWSER, char('|'), browser(BrowserAction::Columns), LAST, "columns", "choose the columns"),
    shown(BROWSER, key(KeyCode::Esc), Shared(Gesture::Escape), FIRST, "feeds", "clear marks, then the filter, then back to the list of feeds"),
    quiet(BROWSER, char('R'), Shared(Gesture::Refresh), "open the newest local release with this filter"),
    quiet(BROWSER, char('r'), Shared(Gesture::Raw), "the record as the service sent it, and back"),
    shown(FACETS, key(KeyCode::Enter), Shared(Gesture::Open), FIRST, "only this", "filter by this value alone, or stop"),
    also(FACETS, char('='), browser(BrowserAction::Like)),
    shown(FACETS, char('-'), browser(BrowserAction::Unlike), FIRST, "without", "exclude this value, or stop"),
    shown(FACETS, char(' '), browser(BrowserAction::Collect), FIRST, "or", "allow one more value, or stop"),
    shown(FACETS, char('f'), browser(BrowserAction::Facets), SOON, "hide facets", "hide the values of fields, back to the records"),
    shown(MENU, key(KeyCode::Enter), Shared(Gesture::Open), FIRST, "choose", "apply the row"),
    also(MENU, char(' '), Shared(Gesture::Open)),
    shown(MENU, key(KeyCode::Esc), Shared(Gesture::Escape), FIRST, "close", "close the menu"),
    shown(COMPARED, key(KeyCode::Enter), Shared(Gesture::Open), FIRST, "look up (1 query unless local)", "look the address up: local or cached for free, else 1 query"),
    shown(COMPARED, key(KeyCode::Tab), Shared(Gesture::NextPane), FIRST, "kind", "list one kind alone: added, removed, changed, then all"),
    quiet(COMPARED, key(KeyCode::BackTab), Shared(Gesture::PreviousPane), "the kind before"),
    shown(COMPARED, char('.'), browser(BrowserAction::Others), FIRST, "others", "show or hide the changed records whose verdict is the same"),
    quiet(COMPARED, char('s'), Shared(Gesture::Sort), "compared records have one order: by what they are worth, then by clients"),
    quiet(COMPARED, char('/'), Shared(Gesture::Find), "filter both days: leads to the filter of the records; c compares again"),
    shown(COMPARED, char('r'), Shared(Gesture::Raw), SOON, "raw", "the record as the service sent it, and back"),
    shown(COMPARED, key(KeyCode::Esc), Shared(Gesture::Escape), FIRST, "back", "back to where the days were compared from"),
    shown(Scope::Filter, key(KeyCode::Enter), Shared(Gesture::Open), FIRST, "apply", "apply what is typed"),
    shown(Scope::Filter, key(KeyCode::Tab), Shared(Gesture::NextPane), FIRST, "complete", "complete a field or a value; again for the next one"),
    also(Scope::Filter, key(KeyCode::BackTab), Shared(Gesture::PreviousPane)),
    shown(Scope::Filter, key(KeyCode::Up), Shared(Gesture::Go(Motion::Up)), SOON, "history", "what was typed before"),
    also(Scope::Filter, key(KeyCode::Down), Shared(Gesture::Go(Motion::Down))),
    shown(Scope::Filter, key(KeyCode::Esc), Shared(Gesture::Escape), FIRST, "restore", "leave the field as it was before"),
];
