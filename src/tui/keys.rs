//! What keys mean: one table, looked up by place. It drives what a key does, the footer, the help and the manual.

mod chord;
mod table;

pub use chord::Chord;
pub use table::BINDINGS;

use super::cursor::Motion;
use crossterm::event::KeyEvent;

/// A tab.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Tab {
    /// Addresses.
    #[default]
    Lookup,
    /// Metadata of tags.
    Tags,
    /// Balance and access.
    Quota,
    /// Feeds and their files.
    Feeds,
    /// Exports.
    Export,
}

impl Tab {
    /// All tabs, in order.
    pub const ALL: [Self; 5] = [
        Self::Lookup,
        Self::Tags,
        Self::Quota,
        Self::Feeds,
        Self::Export,
    ];

    /// The tab's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Lookup => "Lookup",
            Self::Tags => "Tags",
            Self::Quota => "Quota",
            Self::Feeds => "Feeds",
            Self::Export => "Export",
        }
    }
}

/// A place in which keys have a meaning of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// Everywhere but where text is typed.
    Global,
    /// Everywhere, also where text is typed.
    Always,
    /// A field of text.
    Input,
    /// The Lookup tab before anything was looked up.
    Welcome,
    /// The Lookup tab.
    Lookup,
    /// Two records side by side.
    Compare,
    /// A tree of JSON.
    Json,
    /// The Tags tab.
    Tags,
    /// The Quota tab.
    Quota,
    /// The Feeds tab.
    Feeds,
    /// The Export tab.
    Export,
    /// A form.
    Form,
    /// What to copy, after `y`.
    Yank,
    /// The list of jobs.
    Jobs,
    /// The calendar.
    Calendar,
    /// A list to choose from by typing.
    Picker,
    /// A question with yes and no.
    Confirm,
    /// An overlay with nothing but text.
    Reading,
}

impl Scope {
    /// The heading of the scope in help and manual.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Global | Self::Always => "Everywhere",
            Self::Input => "Typing",
            Self::Welcome => "Start",
            Self::Lookup => "Lookup",
            Self::Compare => "Compare",
            Self::Json => "Raw JSON",
            Self::Tags => "Tags",
            Self::Quota => "Quota",
            Self::Feeds => "Feeds",
            Self::Export => "Export",
            Self::Form => "Form",
            Self::Yank => "Copy",
            Self::Jobs => "Jobs",
            Self::Calendar => "Calendar",
            Self::Picker => "Choosing",
            Self::Confirm => "Question",
            Self::Reading => "Reading",
        }
    }
}

/// What a person wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Intent {
    /// Move.
    Go(Motion),
    /// To a tab.
    Tab(Tab),
    /// To the next pane.
    NextPane,
    /// To the pane before.
    PreviousPane,
    /// Open, follow, choose.
    Open,
    /// Back on the trail.
    Back,
    /// Forward on the trail.
    Forward,
    /// Close what is on top, or stop what is under way.
    Escape,
    /// Find or filter.
    Find,
    /// To the next match.
    NextMatch,
    /// To the match before.
    PreviousMatch,
    /// Choose what to do by name.
    Palette,
    /// The keys of this place.
    Help,
    /// What is under way.
    Jobs,
    /// Copy something.
    Yank,
    /// Copy this.
    YankAs(Yank),
    /// Open in the browser.
    Browse,
    /// Open in the editor.
    Edit,
    /// Open in the pager.
    Page,
    /// The service's own JSON.
    Raw,
    /// Ask again.
    Refresh,
    /// Give a pane the whole screen.
    Zoom,
    /// Take or release the mouse.
    Mouse,
    /// What was said so far.
    Messages,
    /// Hide what others should not see.
    Privacy,
    /// Draw anew.
    Repaint,
    /// To the shell.
    Suspend,
    /// Close or leave.
    Quit,
    /// Leave at once.
    Leave,
    /// Stop a job.
    Cancel,
    /// Pause a job, or go on with it.
    Pause,
    /// Take a change back.
    Undo,
    /// Make it again.
    Redo,
    /// Choose how rows are sorted.
    Sort,
    /// Mark a row.
    Mark,
    /// Type an address.
    Input,
    /// Compare two days.
    CompareDates,
    /// The other geolocation.
    Geolocation,
    /// Choose the day of lookups.
    LookupDate,
    /// Pin an address.
    Pin,
    /// The trail.
    Trail,
    /// Move the first day of a comparison, by this many days.
    StepA(i32),
    /// Move the second day of a comparison, by this many days.
    StepB(i32),
    /// Show rows that are equal, too.
    EqualRows,
    /// Exchange the two sides.
    Swap,
    /// Start an export with what is marked.
    ExportMarked,
    /// Ask each host what it allows.
    TestAccess,
    /// Enter a token.
    EnterToken,
    /// Open the embedded service.
    OpenDemo,
    /// The days of a feed.
    Dates,
    /// The MMDB form of a feed.
    DownloadMmdb,
    /// The documentation of a feed.
    Readme,
    /// Switch a field of a form.
    Toggle,
    /// The next choice of a field.
    NextChoice,
    /// The choice before.
    PreviousChoice,
    /// Run the export.
    RunExport,
    /// A few rows from the service.
    ServerPreview,
    /// Fold or unfold everything.
    FoldAll,
    /// Unfold everything.
    UnfoldAll,
    /// Today.
    Today,
    /// Yes.
    Yes,
    /// No.
    No,
}

/// What to copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Yank {
    /// The address.
    Address,
    /// The value under the cursor.
    Value,
    /// The row under the cursor.
    Row,
    /// The service's own JSON.
    Json,
    /// A note for a ticket, in defanged Markdown.
    Ticket,
    /// The request, as a curl command.
    Curl,
    /// The address, defanged.
    Defanged,
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Binding {
    /// Where it holds.
    pub scope: Scope,
    /// The key.
    pub chord: Chord,
    /// What it means.
    pub intent: Intent,
    /// One or two words for the footer; empty to leave it out there.
    pub hint: &'static str,
    /// A line for help and manual; empty for a second key of the same meaning.
    pub help: &'static str,
    /// How soon the footer gives it up: high first.
    pub rank: u8,
}

/// What a key means, the most particular place first.
#[must_use]
pub fn meaning(scopes: &[Scope], key: KeyEvent) -> Option<Intent> {
    let chord = Chord::of(key)?;
    let of_scope = |scope: &Scope| {
        BINDINGS
            .iter()
            .find(|binding| binding.scope == *scope && binding.chord == chord)
    };
    scopes
        .iter()
        .find_map(of_scope)
        .map(|binding| binding.intent)
}

/// The bindings of these places that a key reaches, in the table's order: what a more particular place takes is left out.
pub fn reachable(scopes: &[Scope]) -> impl Iterator<Item = &'static Binding> {
    let rank = |scope: Scope| scopes.iter().position(|own| *own == scope);
    let mut found: Vec<(usize, &Binding)> = BINDINGS
        .iter()
        .filter_map(|binding| rank(binding.scope).map(|rank| (rank, binding)))
        .collect();
    found.sort_by_key(|(rank, _)| *rank);
    let mut taken: Vec<Chord> = Vec::new();
    found.into_iter().filter_map(move |(_, binding)| {
        let free = !taken.contains(&binding.chord);
        taken.push(binding.chord);
        free.then_some(binding)
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn no_scope_gives_a_key_two_meanings() {
        let mut seen = HashSet::new();
        for binding in BINDINGS {
            assert!(
                seen.insert((binding.scope, binding.chord)),
                "{} in {:?}",
                binding.chord,
                binding.scope
            );
        }
    }

    #[test]
    fn no_tab_redefines_a_global_key() {
        let tabs = [
            Scope::Lookup,
            Scope::Tags,
            Scope::Quota,
            Scope::Feeds,
            Scope::Export,
        ];
        let of_tab = |binding: &&Binding| tabs.contains(&binding.scope);
        for binding in BINDINGS.iter().filter(of_tab) {
            let global = BINDINGS
                .iter()
                .find(|other| other.scope == Scope::Global && other.chord == binding.chord);
            // A tab may say in its own words what a key means everywhere.
            let other = global.is_some_and(|global| global.intent != binding.intent);
            assert!(!other, "{} in {:?}", binding.chord, binding.scope);
        }
    }

    #[test]
    fn keys_that_terminals_cannot_tell_apart_are_not_used() {
        for binding in BINDINGS {
            for taken in ["ctrl-i", "ctrl-m", "ctrl-j", "ctrl-a", "ctrl-b", "ctrl-q"] {
                assert_ne!(binding.chord.to_string(), taken, "{:?}", binding.intent);
            }
        }
    }

    #[test]
    fn the_particular_place_comes_first() {
        use crossterm::event::{KeyCode, KeyModifiers};
        let key = KeyEvent::new(KeyCode::Char('i'), KeyModifiers::NONE);
        assert_eq!(
            meaning(&[Scope::Lookup, Scope::Global], key),
            Some(Intent::Input)
        );
        assert_eq!(
            meaning(&[Scope::Yank], key),
            Some(Intent::YankAs(Yank::Address))
        );
        assert_eq!(meaning(&[Scope::Global], key), None);
    }
}
