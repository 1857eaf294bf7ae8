//! The service's idea of now: an argument, so that a test picks the day.

use std::{fmt, sync::Arc, time::SystemTime};

use jiff::Timestamp;

use crate::model::instant_of;

/// Tells the time to the service.
#[derive(Clone)]
pub struct Clock(Arc<dyn Fn() -> Timestamp + Send + Sync>);

impl Clock {
    /// The machine's clock.
    #[must_use]
    pub fn system() -> Self {
        Self::telling(|| instant_of(SystemTime::now()))
    }

    /// A clock that does not advance.
    #[must_use]
    pub fn fixed(instant: Timestamp) -> Self {
        Self::telling(move || instant)
    }

    /// A clock that a function reads, for tests in which time passes.
    #[must_use]
    pub fn telling(now: impl Fn() -> Timestamp + Send + Sync + 'static) -> Self {
        Self(Arc::new(now))
    }

    /// The current instant.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        (self.0)()
    }
}

impl Default for Clock {
    fn default() -> Self {
        Self::system()
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Clock({})", self.now())
    }
}
