//! The guards of the balance, which prevent accidental spending.
//!
//! A guard never prompts or prints; the front ends do. A lookup that passes holds a [`Reservation`] until it is answered,
//! so that several at once cannot go below `stop_below` together. Nothing is sent while the balance is unknown.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicU64, Ordering},
};

use super::balance::{Balance, BalanceSource};
use crate::{
    engine::{
        error::{Error, Kind, Result},
        threads::lock,
    },
    model::count,
};

#[derive(Debug)]
pub(in crate::engine) struct BalanceGuards {
    /// The balance below which no lookup is sent; 0 is off.
    stop_below: AtomicU64,
    balance: Mutex<Option<Balance>>,
    under_way: Mutex<LookupsUnderWay>,
    /// Held while the balance is fetched for the guard.
    pub(in crate::engine) asks_balance: tokio::sync::Mutex<()>,
}

/// Lookups under way, of which each may cost a query that the balance does not show yet.
#[derive(Debug, Default)]
struct LookupsUnderWay {
    count: u64,
    /// Whether an answer named the balance since there was no lookup under way.
    heard: bool,
}

/// One lookup that may be sent, counted as under way until this is dropped.
#[derive(Debug)]
pub(in crate::engine) struct Reservation(Arc<BalanceGuards>);

impl Drop for Reservation {
    fn drop(&mut self) {
        let mut under_way = lock(&self.0.under_way);
        under_way.count = under_way.count.saturating_sub(1);
        under_way.heard &= under_way.count > 0;
    }
}

impl BalanceGuards {
    pub(super) fn new(stop_below: u64) -> Self {
        Self {
            stop_below: AtomicU64::new(stop_below),
            balance: Mutex::default(),
            under_way: Mutex::default(),
            asks_balance: tokio::sync::Mutex::default(),
        }
    }

    fn stop_below(&self) -> u64 {
        self.stop_below.load(Ordering::Relaxed)
    }

    /// Another balance below which no lookup is sent.
    pub(super) fn change(&self, stop_below: u64) {
        self.stop_below.store(stop_below, Ordering::Relaxed);
    }

    /// The balance as it was last heard in this run; `None` is unknown.
    pub(in crate::engine) fn balance(&self) -> Option<Balance> {
        *lock(&self.balance)
    }

    /// Whether the guard needs a balance that is still unknown.
    pub(in crate::engine) fn needs_balance(&self) -> bool {
        self.stop_below() > 0 && self.balance().is_none()
    }

    /// Takes a place among the lookups under way.
    ///
    /// # Errors
    /// [`Kind::Guard`].
    pub(in crate::engine) fn reserve(self: &Arc<Self>) -> Result<Reservation> {
        let mut under_way = lock(&self.under_way);
        self.hold(under_way.count)?;
        under_way.count += 1;
        Ok(Reservation(Arc::clone(self)))
    }

    /// Forgets the balance, when another token is used.
    pub(super) fn forget(&self) {
        *lock(&self.balance) = None;
    }

    /// Whether the balance allows one more lookup beside those under way.
    pub(in crate::engine) fn hold(&self, under_way: u64) -> Result<()> {
        let stop_below = self.stop_below();
        let Some(balance) = self.balance().filter(|_| stop_below > 0) else {
            return Ok(());
        };
        let remaining = balance.remaining;
        if remaining.saturating_sub(under_way) >= stop_below {
            return Ok(());
        }
        let guard = count(stop_below);
        let message = if remaining < stop_below {
            format!(
                "the balance is {}, below the guard of {guard}",
                count(remaining)
            )
        } else {
            format!(
                "the balance is {} with {under_way} queries under way, which reaches the guard of {guard}",
                count(remaining)
            )
        };
        Err(Error::new(Kind::Guard, message)
            .hint("the query was not sent; stop_below in [guards] of config.toml sets the guard"))
    }

    /// Takes the balance that an answer named. Answers under way at once may come in another order than they were
    /// counted in: the lowest of them is right.
    pub(in crate::engine) fn hear(&self, mut balance: Balance) {
        if balance.source == BalanceSource::Lookup {
            let mut under_way = lock(&self.under_way);
            if under_way.heard
                && let Some(before) = self.balance()
            {
                balance.remaining = balance.remaining.min(before.remaining);
            }
            under_way.heard = under_way.count > 0;
        }
        *lock(&self.balance) = Some(balance);
    }
}
