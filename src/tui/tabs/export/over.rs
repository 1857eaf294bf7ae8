//! What lies over the form for a moment, beside the question for a file.

use crate::{
    contract::ExportQuery,
    tui::ui::widgets::{picker::Picker, text_field::TextField},
};

/// What lies over the form for a moment.
#[derive(Debug)]
pub(super) enum Over {
    /// The name under which the form is kept.
    Name(TextField),
    /// Forms to choose from.
    Choice(Picker<ExportQuery>),
}
