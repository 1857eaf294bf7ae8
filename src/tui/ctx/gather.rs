//! A text that is gathered in the background: a file, or a long pasted text.

use std::{
    fmt,
    path::Path,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use crate::tui::ui::words;

/// A text, and how it is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GatherQuery {
    pub from: TextFrom,
    /// Whether each address has a row for each UTC day of its events.
    pub by_day: bool,
    /// The zone of times that name none.
    pub zone: String,
}

/// Where a text is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextFrom {
    Paste(PastedText),
    /// The file with this path, as it was typed.
    File(String),
}

impl TextFrom {
    /// What names it in the list of jobs.
    #[must_use]
    pub fn label(&self) -> String {
        match self {
            Self::Paste(pasted_text) => {
                let bytes = words::bytes(pasted_text.text().len() as u64);
                format!("pasted text, {bytes}")
            }
            Self::File(path) => {
                let name = Path::new(path).file_name();
                name.map_or_else(|| path.clone(), |text| text.to_string_lossy().into_owned())
            }
        }
    }
}

/// A pasted text. Clones are the same text, which is gone once it is gathered.
#[derive(Clone)]
pub struct PastedText(Arc<Mutex<Arc<str>>>);

impl PastedText {
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self(Arc::new(Mutex::new(text.into())))
    }

    #[must_use]
    pub fn text(&self) -> Arc<str> {
        Arc::clone(&self.own())
    }

    /// Frees the text.
    pub fn forget(&self) {
        *self.own() = "".into();
    }

    fn own(&self) -> MutexGuard<'_, Arc<str>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PartialEq for PastedText {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for PastedText {}

impl fmt::Debug for PastedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.own().len();
        f.debug_struct("PastedText").field("bytes", &bytes).finish()
    }
}
