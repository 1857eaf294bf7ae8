//! Widgets, colours, cells and words, independent of the tabs.

pub mod areas;
pub mod cells;
pub mod cursor;
pub mod fuzzy;
pub mod glyphs;
pub mod look;
pub mod sanitize;
pub mod spots;
pub mod theme;
pub mod widgets;
pub mod words;

pub use areas::{Areas, Split};
pub use cursor::{Cursor, Motion};
pub use fuzzy::{LetterFilter, Nearness, WordSearch};
pub use glyphs::SymbolSet;
pub use look::Look;
pub use spots::{ClickTarget, Ground, PaneId, Pen, Spots};
pub use theme::{Focus, Shade, Theme, Tone};
pub use widgets::{
    bar::{BarLine, BarPart},
    calendar::Calendar,
    columns::{Column, Width},
    form::{Control, FieldNote, Form, Suggestion},
    json_tree::JsonTree,
    notice::NoticeLog,
    page::{Page, PageRow, PageState, Section, SectionSide},
    pane::Pane,
    picker::{Picker, PickerItem},
    popup::Popup,
    table::Table,
    text_field::TextField,
};
