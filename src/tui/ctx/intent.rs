//! Intents and scopes, independent of the keys bound to them.

use crate::tui::ui::Motion;

/// A scope of key bindings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// Everywhere except where text is typed.
    Global,
    /// Everywhere, even where text is typed.
    Always,
    /// The address field, which looks up.
    Address,
    /// A text field.
    Input,
    Filter,
    Json,
    Form,
    /// A text field of a form: letters are text, other keys are those of the form.
    FormText,
    /// The choice of what to copy, after `y`.
    Yank,
    Jobs,
    /// The choice of the column to sort by.
    Orders,
    Calendar,
    /// A choice in a form over the tab.
    Options,
    /// A list to choose from by typing.
    Picker,
    /// A question answered with yes or no.
    Confirm,
    /// A question whose yes deletes or replaces something: Enter is not an answer.
    Erasing,
    /// The choice of what happens to the downloaded part of a stopped download.
    Stopping,
    /// Token and addresses of the service.
    Setup,
    /// An overlay with only text.
    Reading,
    /// A scope of a tab, by its heading in help and manual.
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
            Self::Form | Self::FormText => "Form",
            Self::Yank => "Copy",
            Self::Jobs => "Jobs",
            Self::Orders => "Sorting",
            Self::Calendar => "Calendar",
            Self::Options => "Choices of a form",
            Self::Picker => "Choosing",
            Self::Confirm => "Question",
            Self::Erasing => "Question about a deletion",
            Self::Stopping => "Stopping a download",
            Self::Setup => "Token and hosts",
            Self::Reading => "Reading",
            Self::Tab(title) => title,
        }
    }

    /// Whether keys are text in this scope. Then only keys that apply everywhere are looked up.
    #[must_use]
    pub fn is_typing(self) -> bool {
        matches!(
            self,
            Self::Address
                | Self::Input
                | Self::Filter
                | Self::Calendar
                | Self::Options
                | Self::Picker
                | Self::Setup
        )
    }
}

/// The intent of the user: a gesture that tabs share, or an action of one scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Intent<A> {
    /// A gesture that tabs share.
    Shared(Gesture),
    /// An action of one scope.
    Action(A),
}

/// A gesture that every tab may handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Gesture {
    Go(Motion),
    NextPane,
    PreviousPane,
    /// Opens, follows or chooses.
    Open,
    Back,
    /// Closes what is on top, or stops what is in progress.
    Escape,
    Find,
    /// Chooses the column to sort by; in that choice, reverses the order.
    Sort,
    /// Sorts by the column to the left.
    SortLeft,
    /// Sorts by the column to the right.
    SortRight,
    /// Shows the JSON of the service.
    Raw,
    /// Fetches again.
    Refresh,
    /// Closes or leaves.
    Quit,
    /// Stops a job.
    Cancel,
    /// Pauses or resumes a job.
    Pause,
    /// Marks a row, or unmarks it.
    Mark,
    /// Begins a range of rows, or marks it.
    MarkRange,
    MarkAll,
    InvertMarks,
    Undo,
    /// Repeats an undone change.
    Redo,
    /// Focuses the input of the tab.
    Input,
    Today,
    Yes,
    /// No.
    No,
}

impl Gesture {
    /// Whether it changes marks of rows.
    #[must_use]
    pub fn is_mark(self) -> bool {
        matches!(
            self,
            Self::Mark | Self::MarkRange | Self::MarkAll | Self::InvertMarks
        )
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Yank {
    Address,
    /// The value under the cursor.
    Value,
    /// The row under the cursor.
    Row,
    /// The JSON of the service.
    Json,
    /// A note for a ticket, in defanged Markdown.
    Ticket,
    /// The request, as a curl command.
    Curl,
    Defanged,
}
