//! The actions of the shell, available in every tab.

use super::raw::RawAction;
use crate::tui::ctx::{intent::Yank, jobs::PartFate};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ShellAction {
    Forward,
    /// Chooses an action by name.
    Palette,
    /// Shows the keys of this scope.
    Help,
    /// Shows the jobs in progress.
    Jobs,
    /// Shows the messages so far.
    Messages,
    /// Copy something.
    Yank,
    YankAs(Yank),
    /// An action in the raw JSON.
    Raw(RawAction),
    /// Opens the JSON in the editor.
    Edit,
    /// Opens the JSON in the pager.
    Page,
    /// Zooms a pane to the whole screen.
    Zoom,
    /// Captures or releases the mouse.
    Mouse,
    /// Hides private data while sharing the screen.
    Privacy,
    Repaint,
    Suspend,
    EnterToken,
    /// Toggles whether the entered token is saved.
    SwitchKeep,
    /// Opens the embedded service.
    OpenDemo,
    /// Stops the download in the question.
    StopDownload(PartFate),
    /// Prints the marked rows and exits.
    PrintMarked,
    Tour,
    /// Chooses the day that lookups are asked as of.
    ChooseDate,
    Leave,
}
