//! The lookups of a table: what they would cost, what comes of each, and how they end.

use std::{net::IpAddr, sync::Arc};

use super::{Board, BoardAddress, address::AddressState, plan::LookupPlan};
use crate::{
    contract::LookupQuery,
    engine::{Error, answers::Source},
    tui::{
        ctx::{JobId, Question, Rows as _, TabReply, UpdateCtx},
        ui::{TextField, Tone, words},
    },
};

impl Board {
    /// What looking up the chosen rows without an answer would cost.
    pub(in crate::tui::tabs::lookup) fn plan(&self) -> LookupPlan {
        let rows: Vec<&BoardAddress> = self.chosen().collect();
        let is_refused = |row: &&&BoardAddress| matches!(row.state, AddressState::Refused(_));
        LookupPlan {
            rows: rows.len() as u64,
            not_public: rows.iter().filter(is_refused).count() as u64,
            unknown: rows
                .iter()
                .filter(|row| row.state.is_unknown())
                .map(|row| row.address)
                .collect(),
            most: TextField::new("all"),
        }
    }

    /// Looks these addresses up, those of them that are still unknown.
    pub(in crate::tui::tabs::lookup) fn look_up(
        &mut self,
        addresses: &[IpAddr],
        ctx: &mut UpdateCtx<'_>,
    ) {
        let rows = self.list.rows();
        let is_unknown = |own: &&IpAddr| rows.find(own).is_some_and(|row| row.state.is_unknown());
        let addresses: Arc<[IpAddr]> = addresses.iter().filter(is_unknown).copied().collect();
        if addresses.is_empty() {
            return ctx.out.say(Tone::Ok, "all are answered; nothing was sent");
        }
        let asked = addresses
            .iter()
            .map(|address| (*address, AddressState::Asking));
        self.list.edit(asked, |row, state| row.state = state);
        self.asking
            .ask_anew(Question::LookUpAll(addresses, self.day), ctx);
        self.sum_up();
    }

    /// One of the lookups has ended: its answer is in the cache now.
    pub(in crate::tui::tabs::lookup) fn looked_up(
        &mut self,
        (job, address): (JobId, IpAddr),
        result: Result<Source, Error>,
        ctx: &mut UpdateCtx<'_>,
    ) {
        if self.asking.pending() != Some(job) {
            return;
        }
        match result {
            Ok(source) => {
                self.spent += u64::from(source == Source::Live);
                self.read_again([address], ctx);
            }
            Err(error) => {
                let failed = AddressState::Failed(error.message);
                self.list
                    .edit([(address, failed)], |row, state| row.state = state);
                self.sum_up();
            }
        }
    }

    /// The lookups have ended; what was not sent is as it was before.
    pub(in crate::tui::tabs::lookup) fn all_looked_up(
        &mut self,
        reply: TabReply<'_>,
        ctx: &mut UpdateCtx<'_>,
    ) {
        if self.asking.settle(reply).is_some() {
            return;
        }
        self.read_asked_again(ctx);
        let Some(end) = self.asking.value() else {
            return;
        };
        let mut text = format!("{} looked up", words::number(end.answered));
        if end.failed > 0 {
            text += &format!(", {} failed", words::number(end.failed));
        }
        if end.left_out > 0 {
            text += &format!(", {} not sent: $ resumes", words::number(end.left_out));
        }
        match &end.stopped {
            Some(error) => ctx
                .out
                .say(Tone::Error, format!("{text}; {}", error.message)),
            None => ctx.out.say(Tone::Ok, text),
        }
    }

    /// Reads a row again that was looked up by itself.
    pub(in crate::tui::tabs::lookup) fn looked_up_alone(
        &mut self,
        query: LookupQuery,
        ctx: &mut UpdateCtx<'_>,
    ) {
        let row = self.list.rows().find(&query.address);
        if row.is_some_and(|row| row.state.is_unknown() && self.query_of(row) == query) {
            self.read_again([query.address], ctx);
        }
    }

    /// Stops all that is under way for it, for another table.
    pub(in crate::tui::tabs::lookup) fn close(mut self, ctx: &mut UpdateCtx<'_>) {
        self.reading.stop(ctx);
        if self.asking.stop(ctx) {
            let text =
                "the lookups of the table before are stopped; those that were sent are cached";
            ctx.out.say(Tone::Info, text);
        }
    }

    /// Sends no further lookup; returns whether any were under way. The answers of those that were sent are kept.
    pub(in crate::tui::tabs::lookup) fn stop(&mut self, ctx: &mut UpdateCtx<'_>) -> bool {
        let was_asking = self.asking.stop(ctx);
        if was_asking {
            self.read_asked_again(ctx);
            ctx.out
                .say(Tone::Info, "no further lookup is sent; $ resumes");
        }
        was_asking
    }

    /// Local feeds have changed: all rows are read again.
    pub(in crate::tui::tabs::lookup) fn local_changed(&mut self, ctx: &mut UpdateCtx<'_>) {
        let rows = self.list.rows().all();
        let is_read = |row: &&BoardAddress| {
            !matches!(row.state, AddressState::Refused(_) | AddressState::Asking)
        };
        let mut read: Vec<_> = rows
            .filter(is_read)
            .map(|row| (row.place, row.address))
            .collect();
        read.sort_unstable();
        self.reading.stop(ctx);
        self.waiting.clear();
        self.read_again(read.into_iter().map(|(_, address)| address), ctx);
    }

    fn read_asked_again(&mut self, ctx: &mut UpdateCtx<'_>) {
        let rows = self.list.rows().all();
        let asked = rows.filter(|row| row.state == AddressState::Asking);
        let asked: Vec<IpAddr> = asked.map(|row| row.address).collect();
        self.read_again(asked, ctx);
    }

    fn read_again(&mut self, addresses: impl IntoIterator<Item = IpAddr>, ctx: &mut UpdateCtx<'_>) {
        let addresses: Vec<IpAddr> = addresses.into_iter().collect();
        // It is not being asked any more, also where its reading is stopped and begun anew.
        let asking = addresses.iter().map(|address| (*address, ()));
        self.list.edit(asking, |row, ()| {
            if row.state == AddressState::Asking {
                row.state = AddressState::Waiting;
            }
        });
        self.waiting.extend(addresses);
        if !self.reading.is_pending() {
            self.read(ctx);
        }
    }

    /// Why lookups cannot be asked for, where they cannot.
    pub(in crate::tui::tabs::lookup) fn lacks(&self) -> Option<&'static str> {
        if self.asking.is_pending() {
            Some("lookups are under way: x stops them")
        } else if self.reading.is_pending() {
            Some("the table is being read")
        } else if self.list.rows().mistake().is_some() {
            Some("the filter has a mistake: / changes it")
        } else if !self.chosen().any(|row| row.state.is_unknown()) {
            Some("every row has an answer, or cannot be looked up")
        } else {
            None
        }
    }
}
