//! One field of a form.

use super::control::Control;
use crate::tui::ui::theme::Tone;

/// A note on a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldNote {
    pub tone: Tone,
    /// The note, in one line.
    pub text: String,
}

impl FieldNote {
    pub fn new(tone: Tone, text: impl Into<String>) -> Self {
        Self {
            tone,
            text: text.into(),
        }
    }
}

/// What is offered for what is typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// What would be typed.
    pub text: String,
    /// A word more about it.
    pub detail: String,
    /// Whether it is the one that Enter takes.
    pub is_chosen: bool,
}

/// One field. `I` tells the fields of a form apart.
#[derive(Clone, Debug)]
pub struct FormField<I> {
    pub(super) id: I,
    pub(super) label: String,
    pub(super) control: Control,
    pub(super) remark: Option<FieldNote>,
    pub(super) suggestions: Vec<Suggestion>,
    pub(super) off: Option<String>,
}

/// What is below a field: why it has no effect, else what is said about it.
pub(super) fn said<I>(field: &FormField<I>) -> Option<(Tone, &str)> {
    let remark = || {
        let remark = field.remark.as_ref()?;
        Some((remark.tone, remark.text.as_str()))
    };
    match &field.off {
        Some(reason) => Some((Tone::Info, reason)),
        None => remark(),
    }
}
