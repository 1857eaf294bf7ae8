//! A log of what came in, for tests of what a client sends: where its token goes, what it retries, what it spends.

use std::{
    collections::VecDeque,
    sync::{Mutex, MutexGuard, PoisonError},
};

use hyper::http::request::Parts;

use super::fault::FaultSite;

/// How many requests are remembered.
const KEPT: usize = 10_000;

/// A request as it came in, before any fault struck it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedRequest {
    /// Which listener it came to.
    pub place: FaultSite,
    pub method: String,
    /// Path and query.
    pub target: String,
    /// All headers in their order, names in lower case, values with replacement characters where they are not UTF-8.
    pub headers: Vec<(String, String)>,
}

impl LoggedRequest {
    pub(crate) fn of(place: FaultSite, parts: &Parts) -> Self {
        let headers = parts.headers.iter().map(|(name, value)| {
            let value = String::from_utf8_lossy(value.as_bytes()).into_owned();
            (name.to_string(), value)
        });
        Self {
            place,
            method: parts.method.to_string(),
            target: parts.uri.to_string(),
            headers: headers.collect(),
        }
    }

    /// The first value of a header, by its name in lower case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(text, _)| text == name)
            .map(|(_, value)| value.as_str())
    }
}

/// The requests of a running service, the last 10,000 of them.
#[derive(Debug, Default)]
pub(crate) struct RequestLog(Mutex<VecDeque<LoggedRequest>>);

impl RequestLog {
    pub(crate) fn note(&self, seen: LoggedRequest) {
        let mut kept = self.lock();
        if kept.len() == KEPT {
            kept.pop_front();
        }
        kept.push_back(seen);
    }

    pub(crate) fn all(&self) -> Vec<LoggedRequest> {
        self.lock().iter().cloned().collect()
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<LoggedRequest>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
