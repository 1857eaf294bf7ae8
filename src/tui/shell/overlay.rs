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

/// An overlay above the tabs.
#[derive(Debug)]
pub enum Overlay {
    Yank,
    /// The keys of the current scope, to read and to run.
    Help(Picker<PickerChoice>),
    /// Actions by name.
    Palette(Picker<PickerChoice>),
    /// Jobs in progress.
    Jobs(Cursor),
    Messages(Cursor),
    /// The columns to sort a table by.
    Sort(SortMenu),
    Confirm(Confirm),
    /// What happens to the downloaded part of the stopped download.
    Stopping(JobId),
    /// The input of token and URLs.
    Setup(Box<Setup>),
}

/// The effect of a row in help or palette.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PickerChoice {
    /// Performs the intent of a key.
    Do(Intent<Action>),
    /// Begins a command with an argument, such as `lookup`.
    Begin(&'static str),
    /// Runs a command with its argument.
    Run(String),
    /// Goes to the scope where a key has this meaning, or as near as possible.
    There(TabId, Scope, Intent<Action>),
    /// Erases the trail.
    Forget,
}

/// The menu of columns to sort by.
#[derive(Debug)]
pub struct SortMenu {
    pub orders: Orders,
    /// The row that is selected.
    pub cursor: Cursor,
}

impl Overlay {
    /// The scope of its keys.
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

    /// The text field, if it has one.
    pub fn field(&mut self) -> Option<&mut TextField> {
        match self {
            Self::Setup(setup) => setup.field(),
            Self::Help(picker) | Self::Palette(picker) => Some(picker.field()),
            _ => None,
        }
    }
}
