//! The overlays of the form, except the question for a file.

use crate::{
    engine::{PastRun, Preset},
    tui::ui::widgets::{picker::Picker, text_field::TextField},
};

/// What lies over the form for a moment.
#[derive(Debug)]
pub(super) enum FormOverlay {
    /// The name under which the form is kept.
    Name(TextField),
    Choice(Picker<SavedForm>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SavedForm {
    /// Under a name.
    Preset(Preset),
    /// Because it was run.
    Run(PastRun),
}
