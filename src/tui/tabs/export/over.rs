//! What lies over the form for a moment, beside the question for a file.

use crate::{
    engine::{PastRun, Preset},
    tui::ui::widgets::{picker::Picker, text_field::TextField},
};

/// What lies over the form for a moment.
#[derive(Debug)]
pub(super) enum Over {
    /// The name under which the form is kept.
    Name(TextField),
    /// Forms to choose from.
    Choice(Picker<Saved>),
}

/// A form that is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Saved {
    /// Under a name.
    Preset(Preset),
    /// Because it was run.
    Run(PastRun),
}
