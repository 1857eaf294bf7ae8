//! Looking one address up, live: what may be asked, and the guards before a query is sent. What is sent, and the result, is
//! in `exchange`.

use std::{sync::Arc, time::Duration};

use super::{Answers, answer::LookupAnswer};
use crate::{
    contract::LookupQuery,
    engine::{
        account::{QueryPurpose, Reservation, Sending},
        error::{Error, Kind, Result, offline},
    },
    model::{Day, Reserved, Subject},
};

impl Answers {
    /// Looks one address up, live: costs a query. Whatever can be refused without asking is refused first; with
    /// `stop_below` above 0 a balance that is not known is asked for.
    ///
    /// # Errors
    /// [`Kind::Usage`] and [`Kind::Guard`] before a query is sent; the others
    /// tell what the service said.
    pub async fn lookup(&self, query: &LookupQuery) -> Result<LookupAnswer> {
        if let Some(same) = self.underway.join(query) {
            return same.answer().await;
        }
        let reserved = self.pass_guards(query).await?;
        self.send(query, QueryPurpose::of(query), reserved).await
    }

    /// Passes all guards before a query is sent.
    pub(super) async fn pass_guards(&self, query: &LookupQuery) -> Result<Reservation> {
        self.admit(query)?;
        if self.settings.offline {
            return Err(offline());
        }
        self.reserve().await
    }

    /// Sends a query. Once it is sent it may be paid for: when nobody waits any longer it goes on, and its answer is kept in
    /// the cache, the ledger and the trail.
    pub(super) async fn send(
        &self,
        query: &LookupQuery,
        work: QueryPurpose,
        reserved: Reservation,
    ) -> Result<LookupAnswer> {
        let (answers, of) = (self.clone(), *query);
        let ask = |sending: Arc<Sending>| async move {
            sending.is_for(work);
            let _reserved = reserved;
            answers.exchange(&of, &sending).await
        };
        let waiting = self.underway.begin(query, ask);
        waiting.answer().await
    }

    /// Whether a query was sent whose answer is not here yet.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        !self.underway.is_empty()
    }

    /// Waits for the answers of queries that were sent, but no longer than this: they may be paid for. For the end of a run.
    pub async fn finish(&self, patience: Duration) {
        self.underway.finish(patience).await;
    }

    /// Takes a place among the lookups under way. With `stop_below` above 0 a balance that is not known is asked for, once,
    /// however many wait for it.
    ///
    /// # Errors
    /// [`Kind::Guard`]; [`Kind::Usage`] and [`Kind::Credentials`] where the balance cannot be asked for.
    async fn reserve(&self) -> Result<Reservation> {
        let guards = &self.account.guards;
        if guards.needs_balance() {
            let _one_at_a_time = guards.asks_balance.lock().await;
            if guards.needs_balance() {
                match self.live.status().await {
                    Ok(_) if guards.needs_balance() => {
                        return Err(unknown("the status does not name it"));
                    }
                    Ok(_) => {}
                    // These say what to do better than the guard could.
                    Err(error) if matches!(error.kind, Kind::Usage | Kind::Credentials) => {
                        return Err(error);
                    }
                    Err(error) => return Err(unknown(&error.message)),
                }
            }
        }
        guards.reserve()
    }

    /// Whether a lookup may be sent: the address is public or admitted, the date is not in the future, and the balance,
    /// as far as it is known, is above the guard.
    ///
    /// # Errors
    /// The reason why it must not be sent.
    pub fn admit(&self, query: &LookupQuery) -> Result<()> {
        self.admit_subject(Subject::Address(query.address))?;
        // A day that has begun somewhere may be asked for: clocks differ.
        let tomorrow = Day::of(self.settings.now()).plus(1);
        if let Some(date) = query.date.filter(|date| *date > tomorrow) {
            return Err(Error::new(
                Kind::Usage,
                format!("{} is in the future: nothing was sent", date.dashed()),
            )
            .hint("leave the day out for today's record"));
        }
        self.account.guards.hold(0)
    }

    /// Whether something can be known of an address or network: it is public or admitted, or holds what is.
    ///
    /// # Errors
    /// [`Kind::Usage`] with the reason why not.
    pub fn admit_subject(&self, subject: Subject) -> Result<()> {
        match self.settings.admission.refuses_all_of(subject) {
            Some(reserved) => Err(not_public(subject, reserved)),
            None => Ok(()),
        }
    }
}

const NO_PUBLIC: &str =
    "the service answers for public addresses only; treat_as_public in a profile admits ranges";

/// A non-public address: refused here, since the service would answer 400 and nothing else.
fn not_public(subject: Subject, reserved: Reserved) -> Error {
    let message = format!("{subject} is {}: nothing was sent", reserved.why());
    Error::new(Kind::Usage, message).hint(match reserved {
        Reserved::NotInvented => "leave --demo out to ask your service".to_owned(),
        Reserved::Documentation | Reserved::Benchmarking => {
            format!("{NO_PUBLIC}; --demo answers for its invented ranges")
        }
        _ => NO_PUBLIC.to_owned(),
    })
}

/// The balance cannot be known, so that the guard holds everything back.
fn unknown(why: &str) -> Error {
    let message = format!("the balance is unknown, and stop_below is set: {why}");
    Error::new(Kind::Guard, message).hint(
        "the query was not sent; `ipspect status` asks for the balance, stop_below = 0 in [guards] turns the guard off",
    )
}
