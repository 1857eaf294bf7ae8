//! The faults that are armed, counted down as requests come in.

use std::sync::{Mutex, MutexGuard, PoisonError};

use super::fault::{Fault, FaultKind, FaultSite};

/// The armed faults of a running service. They may be added and cleared at any time.
#[derive(Debug, Default)]
pub struct Faults(Mutex<Vec<Fault>>);

impl Faults {
    /// These faults, armed.
    pub(crate) fn armed(faults: Vec<Fault>) -> Self {
        Self(Mutex::new(faults))
    }

    /// Arms one more.
    pub fn add(&self, fault: Fault) {
        self.lock().push(fault);
    }

    /// Disarms all.
    pub fn clear(&self) {
        self.lock().clear();
    }

    pub(crate) fn strike_connection(&self, place: FaultSite) -> Vec<FaultKind> {
        self.strike(place, |kind| *kind == FaultKind::Refused)
    }

    /// What strikes a request, all faults of the place that are due, in the order in which they were armed.
    pub(crate) fn strike_request(&self, place: FaultSite) -> Vec<FaultKind> {
        self.strike(place, |kind| *kind != FaultKind::Refused)
    }

    fn strike(&self, place: FaultSite, counts: fn(&FaultKind) -> bool) -> Vec<FaultKind> {
        let mut armed = self.lock();
        let mut struck = Vec::new();
        for fault in armed
            .iter_mut()
            .filter(|fault| fault.place == place && counts(&fault.kind))
        {
            if fault.skip > 0 {
                fault.skip -= 1;
                continue;
            }
            match &mut fault.times {
                Some(0) => continue,
                Some(times) => *times -= 1,
                None => {}
            }
            struck.push(fault.kind.clone());
        }
        armed.retain(|fault| fault.times != Some(0));
        struck
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Fault>> {
        // The list of faults stays valid even if a holder panicked.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_skip_strike_and_are_used_up() {
        let faults = Faults::armed(vec![
            "feeds:500@1x2".parse().expect("fault"),
            "feeds:refusedx1".parse().expect("fault"),
        ]);
        let struck = || faults.strike_request(FaultSite::Feeds).len();
        assert_eq!([struck(), struck(), struck(), struck()], [0, 1, 1, 0]);
        assert_eq!(faults.strike_request(FaultSite::Context), []);
        assert_eq!(
            faults.strike_connection(FaultSite::Feeds),
            [FaultKind::Refused]
        );
        assert_eq!(faults.strike_connection(FaultSite::Feeds), []);
        faults.add("feeds:hang".parse().expect("fault"));
        assert_eq!(struck(), 1);
        faults.clear();
        assert_eq!(struck(), 0);
    }
}
