//! Intents and scopes, independent of the keys bound to them.

use crate::tui::ui::cursor::Motion;

/// A place in which keys have a meaning of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// Everywhere but where text is typed.
    Global,
    /// Everywhere, also where text is typed.
    Always,
    /// The field of an address, which looks up.
    Address,
    /// A field of text.
    Input,
    Filter,
    Json,
    Form,
    /// What to copy, after `y`.
    Yank,
    Jobs,
    /// The columns to sort a table by.
    Orders,
    Calendar,
    /// A list to choose from by typing.
    Picker,
    /// A question with yes and no.
    Confirm,
    /// The same where yes deletes or replaces something: Enter is no answer.
    Erasing,
    /// What happens to the downloaded part of a stopped download.
    Stopping,
    /// Token and addresses of the service.
    Setup,
    /// An overlay with nothing but text.
    Reading,
    /// A place of a tab, by its heading in help and manual.
    Tab(&'static str),
}

impl Scope {
    /// The heading of the scope in help and manual.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Global | Self::Always => "Everywhere",
            Self::Address => "Typing an address",
            Self::Input => "Typing",
            Self::Filter => "Filter",
            Self::Json => "Raw JSON",
            Self::Form => "Form",
            Self::Yank => "Copy",
            Self::Jobs => "Jobs",
            Self::Orders => "Sorting",
            Self::Calendar => "Calendar",
            Self::Picker => "Choosing",
            Self::Confirm => "Question",
            Self::Erasing => "Question about a deletion",
            Self::Stopping => "Stopping a download",
            Self::Setup => "Token and hosts",
            Self::Reading => "Reading",
            Self::Tab(title) => title,
        }
    }

    /// Whether keys are text here: no other key is looked up then but those that hold everywhere.
    #[must_use]
    pub fn is_typing(self) -> bool {
        matches!(
            self,
            Self::Address
                | Self::Input
                | Self::Filter
                | Self::Calendar
                | Self::Picker
                | Self::Setup
        )
    }
}

/// What a person wants: something that every tab may know, or an action of one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Intent<A> {
    /// Something that every tab may know.
    Shared(Gesture),
    /// An action of one place.
    Own(A),
}

/// What every tab may know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Gesture {
    Go(Motion),
    NextPane,
    PreviousPane,
    /// Open, follow, choose.
    Open,
    Back,
    /// Close what is on top, or stop what is under way.
    Escape,
    Find,
    /// Choose the column to sort by; in the choice itself, turn the order round.
    Sort,
    /// Sort by the column to the left.
    SortLeft,
    /// Sort by the column to the right.
    SortRight,
    /// The service's own JSON.
    Raw,
    /// Fetch again.
    Refresh,
    /// Close or leave.
    Quit,
    /// Stop a job.
    Cancel,
    /// Pause or resume a job.
    Pause,
    Undo,
    /// Make it again.
    Redo,
    /// Type what the tab is about.
    Input,
    Today,
    Yes,
    /// No.
    No,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Yank {
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
    Defanged,
}
