//! The guards of the balance: what keeps queries from being spent by accident.
//!
//! No guard asks a person or prints: the fronts do that. A lookup that passes holds a [`Reservation`] until it is answered,
//! so that several at once cannot go below `stop_below` together. Nothing is ever sent on a balance that is not known.

use super::{
    Engine,
    error::{Error, Kind, Result},
    ledger::{Balance, BalanceSource},
    lock,
};
use crate::contract::Host;

/// Lookups under way, of which each may cost a query that the balance does not show yet.
#[derive(Debug, Default)]
pub(super) struct UnderWay {
    count: u64,
    /// Whether an answer named the balance since there was no lookup under way.
    heard: bool,
}

/// One lookup that may be sent, counted as under way until this is dropped.
#[derive(Debug)]
pub(super) struct Reservation<'a>(&'a Engine);

impl Drop for Reservation<'_> {
    fn drop(&mut self) {
        let mut under_way = lock(&self.0.under_way);
        under_way.count = under_way.count.saturating_sub(1);
        under_way.heard &= under_way.count > 0;
    }
}

impl Engine {
    /// Whether a query may be sent, as far as it is known without asking anybody: there is a network, a service and a
    /// token, and the balance is above the guard or not known yet.
    ///
    /// # Errors
    /// [`Kind::Usage`], [`Kind::Credentials`] or [`Kind::Guard`]: why nothing may be sent.
    pub async fn may_send(&self) -> Result<()> {
        if self.settings.offline {
            return Err(offline());
        }
        self.settings.url(Host::Context)?;
        self.token().await?;
        self.holds_guard(0)
    }

    /// Takes a place among the lookups under way. With `stop_below` above 0 a balance that is not known is asked for, which
    /// costs nothing.
    ///
    /// # Errors
    /// [`Kind::Guard`]; [`Kind::Usage`] and [`Kind::Credentials`] where the balance cannot be asked for.
    pub(super) async fn reserve(&self) -> Result<Reservation<'_>> {
        self.know_balance().await?;
        let mut under_way = lock(&self.under_way);
        self.holds_guard(under_way.count)?;
        under_way.count += 1;
        Ok(Reservation(self))
    }

    /// Asks for the balance where the guard needs it and nobody has named it yet: once, however many wait for it.
    async fn know_balance(&self) -> Result<()> {
        if self.settings.guards.stop_below == 0 || self.balance().is_some() {
            return Ok(());
        }
        let _one_at_a_time = self.asks_balance.lock().await;
        if self.balance().is_some() {
            return Ok(());
        }
        let asked = self.status().await;
        match asked {
            Ok(_) if self.balance().is_some() => Ok(()),
            Ok(_) => Err(unknown("the status does not name it")),
            // These say what to do better than the guard could.
            Err(error) if matches!(error.kind, Kind::Usage | Kind::Credentials) => Err(error),
            Err(error) => Err(unknown(&error.message)),
        }
    }

    /// Whether the balance allows one more lookup beside those under way.
    pub(super) fn holds_guard(&self, under_way: u64) -> Result<()> {
        let stop_below = self.settings.guards.stop_below;
        let Some(balance) = self.balance().filter(|_| stop_below > 0) else {
            return Ok(());
        };
        let remaining = balance.remaining;
        if remaining.saturating_sub(under_way) >= stop_below {
            return Ok(());
        }
        let message = if remaining < stop_below {
            format!("the balance is {remaining}, below the guard of {stop_below}: nothing was sent")
        } else {
            format!(
                "the balance is {remaining} with {under_way} queries under way, which reaches the guard of {stop_below}: nothing was sent"
            )
        };
        Err(Error::new(Kind::Guard, message).hint("stop_below in [guards] of config.toml sets it"))
    }

    /// Takes the balance that an answer named. Answers under way at once may come in another order than they were
    /// counted in: the lowest of them is right.
    pub(super) fn hear_balance(&self, mut balance: Balance) {
        if balance.source == BalanceSource::Lookup {
            let mut under_way = lock(&self.under_way);
            if under_way.heard
                && let Some(before) = self.balance()
            {
                balance.remaining = balance.remaining.min(before.remaining);
            }
            under_way.heard = under_way.count > 0;
        }
        self.set_balance(balance);
    }
}

/// The balance cannot be known, so that the guard holds everything back.
fn unknown(why: &str) -> Error {
    let message =
        format!("the balance is not known, and stop_below is set: {why}: nothing was sent");
    Error::new(Kind::Guard, message).hint(
        "`ipspect status` asks for the balance; stop_below = 0 in [guards] turns the guard off",
    )
}

/// Nothing may be sent at all.
pub(super) fn offline() -> Error {
    Error::new(Kind::Usage, "--offline: nothing was sent")
        .hint("leave --offline out to ask the service")
}
