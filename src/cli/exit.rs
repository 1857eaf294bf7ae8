//! All exit codes. Scripts rely on the numbers.

use std::process::ExitCode;

use crate::engine::{Error, Kind};

/// How a run ended, as the shell sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exit(u8);

impl Exit {
    /// Everything that was asked for was done.
    pub const DONE: Self = Self(0);
    /// Some of several inputs failed.
    pub const SOME_FAILED: Self = Self(1);
    /// The command line itself is wrong.
    pub const USAGE: Self = Self(2);
    /// Something changed, where that was asked.
    pub const CHANGED: Self = Self(11);

    /// The code of one failure.
    #[must_use]
    pub fn of(kind: Kind) -> Self {
        Self(match kind {
            Kind::Guard => 1,
            Kind::Usage => 2,
            Kind::Credentials => 3,
            Kind::Quota | Kind::RateLimit => 4,
            Kind::Network => 5,
            Kind::Contract => 6,
            Kind::Integrity => 7,
            Kind::Machine => 8,
            Kind::Locked => 9,
            Kind::NotFound => 10,
            Kind::Interrupted => 130,
        })
    }

    /// The code of a run that a signal ended.
    #[must_use]
    pub fn of_signal(number: u8) -> Self {
        Self(128 + number)
    }

    /// This code, or the failure's if the run was otherwise done.
    #[must_use]
    pub fn or_of(self, beside: Option<&Error>) -> Self {
        match beside {
            Some(error) if self == Self::DONE => Self::of(error.kind),
            _ => self,
        }
    }

    /// The bare number.
    #[must_use]
    pub fn code(self) -> u8 {
        self.0
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.0)
    }
}

/// The outcomes of several inputs, counted into one code.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExitTally {
    done: usize,
    failed: Option<Failures>,
}

#[derive(Clone, Copy, Debug)]
enum Failures {
    AllOf(Exit),
    Mixed,
}

impl ExitTally {
    /// Counts an input that was answered.
    pub fn done(&mut self) {
        self.done += 1;
    }

    /// Counts an input that failed.
    pub fn failed(&mut self, kind: Kind) {
        let exit = Exit::of(kind);
        self.failed = Some(match self.failed {
            None => Failures::AllOf(exit),
            Some(Failures::AllOf(before)) if before == exit => Failures::AllOf(exit),
            Some(_) => Failures::Mixed,
        });
    }

    /// Counts those of another one.
    pub fn add(&mut self, other: Self) {
        self.done += other.done;
        self.failed = match (self.failed, other.failed) {
            (failures, None) => failures,
            (None, others) => others,
            (Some(Failures::AllOf(exit)), Some(Failures::AllOf(others))) if exit == others => {
                Some(Failures::AllOf(exit))
            }
            _ => Some(Failures::Mixed),
        };
    }

    /// Whether nothing was counted.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.done == 0 && self.failed.is_none()
    }

    /// All answered: 0. All failed in one way: that code. Anything else: 1.
    #[must_use]
    pub fn exit(self) -> Exit {
        match self.failed {
            None => Exit::DONE,
            Some(Failures::AllOf(exit)) if self.done == 0 => exit,
            Some(_) => Exit::SOME_FAILED,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_has_the_code_that_scripts_rely_on() {
        for (kind, code) in [
            (Kind::Guard, 1),
            (Kind::Usage, 2),
            (Kind::Credentials, 3),
            (Kind::Quota, 4),
            (Kind::RateLimit, 4),
            (Kind::Network, 5),
            (Kind::Contract, 6),
            (Kind::Integrity, 7),
            (Kind::Machine, 8),
            (Kind::Locked, 9),
            (Kind::NotFound, 10),
            (Kind::Interrupted, 130),
        ] {
            assert_eq!(Exit::of(kind).code(), code, "{kind:?}");
        }
        assert_eq!(
            [1, 2, 15].map(|number| Exit::of_signal(number).code()),
            [129, 130, 143]
        );
    }

    #[test]
    fn several_inputs_make_one_code() {
        let exit = |done: usize, failed: &[Kind]| {
            let mut tally = ExitTally::default();
            for _ in 0..done {
                tally.done();
            }
            for kind in failed {
                tally.failed(*kind);
            }
            tally.exit().code()
        };
        assert_eq!(exit(0, &[]), 0);
        assert_eq!(exit(3, &[]), 0);
        assert_eq!(exit(0, &[Kind::NotFound]), 10);
        assert_eq!(exit(0, &[Kind::Quota, Kind::RateLimit]), 4);
        assert_eq!(exit(0, &[Kind::Quota, Kind::Network, Kind::Network]), 1);
        assert_eq!(exit(1, &[Kind::Quota]), 1);
    }
}
