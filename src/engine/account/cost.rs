//! What a question may cost: noted before each try is sent, and settled however the question ends.

use super::{
    Account,
    ledger::{Intent, Spent},
};
use crate::{contract::Endpoint, engine::error::Result};

/// What a question may have cost so far. It reaches the ledger however the question ends, by an interruption too; what is
/// killed leaves its intent there.
pub(in crate::engine) struct Cost<'a> {
    account: &'a Account,
    endpoint: &'a Endpoint,
    /// What stands for the question in the ledger, once something was about to be sent.
    intent: Option<Intent>,
    /// Queries that may have been counted for tries that failed.
    pub(in crate::engine) possibly: u32,
    /// Whether a try's end is not known.
    pub(in crate::engine) under_way: bool,
}

impl<'a> Cost<'a> {
    pub(in crate::engine) fn of(account: &'a Account, endpoint: &'a Endpoint) -> Self {
        Self {
            account,
            endpoint,
            intent: None,
            possibly: 0,
            under_way: false,
        }
    }

    /// A try is about to be sent. What costs nothing stands in no ledger.
    ///
    /// # Errors
    /// A failure of this machine: then it must not be sent.
    pub(in crate::engine) fn intend(&mut self) -> Result<()> {
        let queries = self.endpoint.cost();
        if queries > 0 {
            let intent = self.intent.clone().unwrap_or_else(Intent::new);
            let account = self.account;
            account
                .ledger
                .intend(&intent, account.settings.now(), queries)?;
            // One of which nothing was noted has no outcome.
            self.intent = Some(intent);
            self.under_way = true;
        }
        Ok(())
    }

    /// The question was answered.
    pub(in crate::engine) fn note(mut self, surely: u32, balance: Option<u64>) {
        self.settle(surely, self.possibly, balance);
    }

    fn settle(&mut self, surely: u32, possibly: u32, balance: Option<u64>) {
        let Some(intent) = self.intent.take() else {
            return;
        };
        let spent = Spent {
            at: self.account.settings.now(),
            surely,
            possibly,
            balance,
        };
        // A ledger that can no longer be written must not cost the answer that was paid for: the intent stands.
        if let Err(error) = self.account.ledger.settle(&intent, &spent) {
            self.account.notices.trouble(error);
        }
    }
}

impl Drop for Cost<'_> {
    fn drop(&mut self) {
        let lost = if self.under_way {
            self.endpoint.cost()
        } else {
            0
        };
        self.settle(0, self.possibly + lost, None);
    }
}
