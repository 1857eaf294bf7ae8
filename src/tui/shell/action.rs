//! The actions of the shell, available in every tab.

use super::raw::RawAction;
use crate::tui::ctx::{intent::Yank, jobs::PartFate};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ShellAction {
    Forward,
    /// Choose what to do by name.
    Palette,
    /// The keys of this place.
    Help,
    /// What is under way.
    Jobs,
    /// The messages so far.
    Messages,
    /// Copy something.
    Yank,
    YankAs(Yank),
    /// Within the raw JSON.
    Raw(RawAction),
    /// Open the JSON in the editor.
    Edit,
    /// Open the JSON in the pager.
    Page,
    /// Give a pane the whole screen.
    Zoom,
    /// Take or release the mouse.
    Mouse,
    /// Hide what others should not see.
    Privacy,
    Repaint,
    Suspend,
    EnterToken,
    /// Keep what is entered there, or not.
    SwitchKeep,
    /// Open the embedded service.
    OpenDemo,
    /// Stop the download that was asked about.
    StopDownload(PartFate),
    /// Print the marked rows and leave.
    PrintMarked,
    Tour,
    Leave,
}
