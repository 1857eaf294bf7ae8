//! The balance, and who named it.

use jiff::Timestamp;

/// The balance as it was last heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Balance {
    /// Queries left in the billing period.
    pub remaining: u64,
    /// When that was heard.
    pub at: Timestamp,
    /// The source of the balance.
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
