//! What lies over everything for a moment. An overlay owns its keys.

use super::registry::Action;
use crate::tui::{
    ctx::{
        intent::{Intent, Scope},
        outbox::Confirm,
        request::{JobId, Keep},
    },
    ui::{
        cursor::Cursor,
        widgets::{picker::Picker, text_field::TextField},
    },
};

/// What lies over everything.
#[derive(Debug)]
pub enum Overlay {
    /// What to copy.
    Yank,
    /// The keys of this place, to read and to run.
    Help(Picker<Choice>),
    /// What can be done, by name.
    Palette(Picker<Choice>),
    /// What is under way.
    Jobs(Cursor),
    /// What was said.
    Messages(Cursor),
    /// A question.
    Confirm(Confirm),
    /// What becomes of what has come of this download, which is to be stopped.
    Stopping(JobId),
    /// A token is being typed.
    Token(TokenEntry),
}

/// What a row of help or palette does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The same as a key.
    Do(Intent<Action>),
    /// Begin a command that takes a word, such as `lookup`.
    Begin(&'static str),
    /// Run a command with its word.
    Run(String),
    /// Change the colours.
    Theme(&'static str),
    /// Erase the trail.
    Forget,
}

/// A token that is being typed; never shown.
#[derive(Debug)]
pub struct TokenEntry {
    /// The field.
    pub field: TextField,
    /// Whether it is to be kept.
    pub keep: Keep,
}

impl Default for TokenEntry {
    fn default() -> Self {
        Self {
            field: TextField::masked("paste or type the token"),
            keep: Keep::ForNow,
        }
    }
}

impl Overlay {
    /// Where its keys are looked up.
    #[must_use]
    pub fn scope(&self) -> Scope {
        match self {
            Self::Yank => Scope::Yank,
            Self::Help(_) | Self::Palette(_) => Scope::Picker,
            Self::Jobs(_) => Scope::Jobs,
            Self::Messages(_) => Scope::Reading,
            Self::Confirm(confirm) if confirm.erases => Scope::Erasing,
            Self::Confirm(_) => Scope::Confirm,
            Self::Stopping(_) => Scope::Stopping,
            Self::Token(_) => Scope::Input,
        }
    }

    /// The field that takes what is typed.
    pub fn field(&mut self) -> Option<&mut TextField> {
        match self {
            Self::Token(entry) => Some(&mut entry.field),
            Self::Help(picker) | Self::Palette(picker) => Some(picker.field()),
            _ => None,
        }
    }
}
