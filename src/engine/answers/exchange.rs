//! One query and its answer: sent, read, and kept.
//!
//! It runs in a task of its own, which goes on when nobody waits any longer. It must never send what the guards have not let pass.

use super::{
    Answers,
    answer::{LookupAnswer, read_answer},
};
use crate::{
    contract::{Endpoint, LookupQuery},
    engine::{account::Sending, error::Result, trail::TrailEntry},
};

impl Answers {
    /// Sends the query, reads the answer and keeps it; in the trail as well where nobody waits for it, or a case is open.
    pub(super) async fn exchange(
        &self,
        query: &LookupQuery,
        sending: &Sending,
    ) -> Result<LookupAnswer> {
        let endpoint = Endpoint::Context(*query);
        let mut cost = self.requests.cost(&endpoint, sending);
        let answered = self.requests.small_at(&endpoint, &mut cost).await?;
        cost.keep(false);
        let answer = read_answer(query, answered)?;
        let kept = self.cache.keep(query, &answer);
        // The ledger names it answered only now that a run which is killed finds the answer in the cache.
        cost.keep(kept.is_ok());
        drop(cost);
        // A case has its spending, whichever front asked.
        let noted = if sending.is_left() || self.settings.case().is_some() {
            self.trail.append(&TrailEntry::from((query, &answer)))
        } else {
            Ok(())
        };
        for error in [kept, noted].into_iter().filter_map(Result::err) {
            self.notices.trouble(error);
        }
        Ok(answer)
    }
}
