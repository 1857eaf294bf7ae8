//! What a person wants, and the places in which keys mean something, without the keys themselves.

use crate::tui::ui::cursor::Motion;

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
