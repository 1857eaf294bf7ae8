//! A pasted text that is gathered in the background.

use std::{
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// A text, and the zone of times in it that name none. Clones are the same text, which is gone once it is gathered.
#[derive(Clone)]
pub struct PastedText {
    text: Arc<Mutex<Arc<str>>>,
    zone: String,
}

impl PastedText {
    #[must_use]
    pub fn new(text: &str, zone: &str) -> Self {
        Self {
            text: Arc::new(Mutex::new(text.into())),
            zone: zone.to_owned(),
        }
    }

    #[must_use]
    pub fn text(&self) -> Arc<str> {
        Arc::clone(&self.own())
    }

    #[must_use]
    pub fn zone(&self) -> &str {
        &self.zone
    }

    /// Frees the text.
    pub fn forget(&self) {
        *self.own() = "".into();
    }

    fn own(&self) -> MutexGuard<'_, Arc<str>> {
        self.text.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PartialEq for PastedText {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.text, &other.text)
    }
}

impl Eq for PastedText {}

impl fmt::Debug for PastedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.own().len();
        f.debug_struct("PastedText").field("bytes", &bytes).finish()
    }
}
