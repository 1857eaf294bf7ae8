//! Overlays above the tabs. An open overlay owns the keys.

use super::{
    registry::{Action, TabId},
    setup::Setup,
};
use crate::tui::{
    ctx::{
        intent::{Intent, Scope},
        orders::Orders,
        outbox::Confirm,
        request::JobId,
    },
    ui::{
        cursor::Cursor,
        widgets::{picker::Picker, text_field::TextField},
    },
};

/// What lies over everything.
#[derive(Debug)]
pub enum Overlay {
    Yank,
    /// The keys of this place, to read and to run.
    Help(Picker<PickerChoice>),
    /// What can be done, by name.
    Palette(Picker<PickerChoice>),
    /// What is under way.
    Jobs(Cursor),
    Messages(Cursor),
    /// The columns to sort a table by.
    Sort(SortMenu),
    Confirm(Confirm),
    /// What happens to the downloaded part of the stopped download.
    Stopping(JobId),
    /// Token and addresses are being typed.
    Setup(Box<Setup>),
}

/// What a row of help or palette does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PickerChoice {
    /// The same as a key.
    Do(Intent<Action>),
    /// Begin a command that takes a word, such as `lookup`.
    Begin(&'static str),
    /// Run a command with its word.
    Run(String),
    /// Change the colours.
    Theme(&'static str),
    /// Go to where a key means this, or as near to it as the tab leads.
    There(TabId, Scope, Intent<Action>),
    /// Erase the trail.
    Forget,
}

/// The menu of the columns to sort by.
#[derive(Debug)]
pub struct SortMenu {
    pub orders: Orders,
    /// The row that is selected.
    pub cursor: Cursor,
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
            Self::Sort(_) => Scope::Orders,
            Self::Confirm(confirm) if confirm.erases => Scope::Erasing,
            Self::Confirm(_) => Scope::Confirm,
            Self::Stopping(_) => Scope::Stopping,
            Self::Setup(_) => Scope::Setup,
        }
    }

    /// The field that takes what is typed.
    pub fn field(&mut self) -> Option<&mut TextField> {
        match self {
            Self::Setup(setup) => setup.field(),
            Self::Help(picker) | Self::Palette(picker) => Some(picker.field()),
            _ => None,
        }
    }
}
