//! The ledger: one line for each query spent, or possibly spent, and the balance that the service named. A record of our
//! own; the service's word is the balance.

use std::path::PathBuf;

use jiff::Timestamp;
use serde_json::{Value, json};

use super::{error::Result, paths};

/// The balance as it was last heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Balance {
    /// Queries left in the billing period.
    pub remaining: u64,
    /// When that was heard.
    pub at: Timestamp,
    /// Who said so.
    pub source: BalanceSource,
}

/// Who named a balance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BalanceSource {
    /// `x-balance-remaining` of a lookup.
    Lookup,
    /// `queriesRemaining` of the status.
    Status,
}

/// A line of the ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spent {
    /// When.
    pub at: Timestamp,
    /// Queries surely spent.
    pub surely: u32,
    /// Queries that may have been counted although no answer came.
    pub possibly: u32,
    /// The balance named after it, if one was.
    pub balance: Option<u64>,
}

/// The ledger's file.
#[derive(Debug)]
pub struct Ledger {
    path: PathBuf,
    service: String,
}

impl Ledger {
    pub(super) fn new(path: PathBuf, service: String) -> Self {
        Self { path, service }
    }

    /// Adds a line.
    ///
    /// # Errors
    /// A failure of this machine.
    pub(super) fn add(&self, spent: &Spent) -> Result<()> {
        let line = json!({
            "at": spent.at.to_string(),
            "service": self.service,
            "spent": spent.surely,
            "possibly": spent.possibly,
            "balance": spent.balance,
        });
        paths::append_line(&self.path, &line.to_string())
    }

    /// The lines of this service, oldest first; a line that cannot be read is passed over.
    ///
    /// # Errors
    /// A failure of this machine.
    pub fn lines(&self) -> Result<Vec<Spent>> {
        let text = paths::read_if_there(&self.path)?.unwrap_or_default();
        let small = |value: &Value| {
            value
                .as_u64()
                .and_then(|number| u32::try_from(number).ok())
                .unwrap_or(0)
        };
        let read = |line: &str| {
            let value: Value = serde_json::from_str(line).ok()?;
            (value["service"] == self.service.as_str()).then_some(())?;
            Some(Spent {
                at: value["at"].as_str()?.parse().ok()?,
                surely: small(&value["spent"]),
                possibly: small(&value["possibly"]),
                balance: value["balance"].as_u64(),
            })
        };
        Ok(text.lines().filter_map(read).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_kept_and_odd_ones_passed_over() {
        let root = tempfile::tempdir().expect("directory");
        let path = root.path().join("ledger");
        let ledger = Ledger::new(path.clone(), "a".to_owned());
        let spent = Spent {
            at: Timestamp::UNIX_EPOCH,
            surely: 1,
            possibly: 2,
            balance: Some(7),
        };
        ledger.add(&spent).expect("add");
        paths::append_line(&path, "{torn").expect("append");
        Ledger::new(path, "b".to_owned()).add(&spent).expect("add");
        ledger
            .add(&Spent {
                balance: None,
                ..spent.clone()
            })
            .expect("add");
        assert_eq!(
            ledger.lines(),
            Ok(vec![
                spent.clone(),
                Spent {
                    balance: None,
                    ..spent
                }
            ])
        );
    }
}
