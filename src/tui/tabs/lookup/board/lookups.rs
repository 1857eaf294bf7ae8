//! The lookups of a table: what they would cost, what comes of each, and how they end.

use std::{sync::Arc, thread};

use super::{
    Board, BoardAddress,
    address::{AddressState, RowKey},
    plan::LookupPlan,
};
use crate::{
    contract::LookupQuery,
    engine::{
        Error,
        answers::{PossiblySpent, Source},
    },
    investigation::board::{BoardFilter, Standing},
    tui::{
        ctx::{JobId, Question, Rows as _, TabReply, UpdateCtx},
        ui::{TextField, Tone, words},
    },
};

impl Board {
    /// What looking up the chosen rows without an answer would cost.
    pub(in crate::tui::tabs::lookup) fn plan(&self) -> LookupPlan {
        let rows: Vec<&BoardAddress> = self.chosen().collect();
        let any_role = self.names_roles();
        let queries = |of: fn(&AddressState) -> bool| {
            let rows = rows.iter().filter(|row| {
                of(&row.state) && !self.is_too_early(row) && row.seen.is_worth_a_query(any_role)
            });
            rows.map(|row| self.query_of(row)).collect()
        };
        let is_other = |row: &&&BoardAddress| {
            row.state.is_unknown()
                && !self.is_too_early(row)
                && !row.seen.is_worth_a_query(any_role)
        };
        let is_refused = |row: &&&BoardAddress| matches!(row.state, AddressState::Refused(_));
        LookupPlan {
            rows: rows.len() as u64,
            not_public: rows.iter().filter(is_refused).count() as u64,
            others: rows.iter().filter(is_other).count() as u64,
            too_early: rows.iter().filter(|row| self.is_too_early(row)).count() as u64,
            unknown: queries(|state| state.is_unknown() && *state != AddressState::PossiblySpent),
            named: queries(|state| {
                !state.standings().contains(Standing::Unknown) && state.is_unknown()
            })
            .len() as u64,
            possibly_spent: queries(|state| *state == AddressState::PossiblySpent),
            one_of_each: false,
            most: TextField::new("all"),
        }
    }

    /// Whether the filter names roles, so that others than sources are meant, too.
    fn names_roles(&self) -> bool {
        let columns = self.list.rows().all().next();
        let columns = columns.map_or(&[][..], |row| row.values.columns());
        // One with a mistake selects nothing.
        BoardFilter::read(self.list.filter(), Some(columns))
            .is_ok_and(|filter| filter.names_roles())
    }

    /// Whether a row without an answer is about a day that is not over: there is no release of it yet.
    fn is_too_early(&self, row: &BoardAddress) -> bool {
        row.state.is_unknown() && row.key.day.is_some_and(|day| day >= self.today)
    }

    /// The row that asks a query.
    fn key_of(&self, query: &LookupQuery) -> RowKey {
        RowKey::of(query, self.is_at_time)
    }

    fn row_of(&self, query: &LookupQuery) -> Option<&BoardAddress> {
        let row = self.list.rows().find(&self.key_of(query));
        row.filter(|row| self.query_of(row) == *query)
    }

    /// Sends these queries, those of them that are still unanswered.
    pub(in crate::tui::tabs::lookup) fn look_up(
        &mut self,
        queries: &[LookupQuery],
        lost: PossiblySpent,
        ctx: &mut UpdateCtx<'_>,
    ) {
        let is_unknown = |query: &&LookupQuery| {
            let row = self.row_of(query);
            row.is_some_and(|row| row.state.is_unknown())
        };
        let queries: Arc<[LookupQuery]> = queries.iter().filter(is_unknown).copied().collect();
        if queries.is_empty() {
            return ctx.out.say(Tone::Ok, "all are answered; nothing was sent");
        }
        let keys = queries.iter().map(|query| self.key_of(query));
        let keys: Vec<_> = keys.map(|key| (key, AddressState::Asking)).collect();
        self.list.edit(keys, |row, state| row.state = state);
        self.asking
            .ask_anew(Question::LookUpAll(queries, lost), ctx);
        self.sum_up();
    }

    /// One of the lookups has ended: its answer is in the cache now.
    pub(in crate::tui::tabs::lookup) fn looked_up(
        &mut self,
        (job, query): (JobId, LookupQuery),
        result: Result<Source, Error>,
        ctx: &mut UpdateCtx<'_>,
    ) {
        if self.asking.pending() != Some(job) {
            return;
        }
        let key = self.key_of(&query);
        match result {
            Ok(source) => {
                self.spent += u64::from(source == Source::Live);
                self.read_again([query], ctx);
            }
            Err(error) => {
                let failed = AddressState::Failed(error.message);
                self.list
                    .edit([(key, failed)], |row, state| row.state = state);
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
        if end.possibly_spent > 0 {
            let lost = words::number(end.possibly_spent);
            text += &format!(
                ", {lost} possibly spent before and not repeated: R on an address repeats its query"
            );
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
        let row = self.row_of(&query);
        if row.is_some_and(|row| row.state.is_unknown()) {
            self.read_again([query], ctx);
        }
    }

    /// Stops all that is under way for it, for another table.
    pub(in crate::tui::tabs::lookup) fn close(mut self, ctx: &mut UpdateCtx<'_>) {
        self.reading.stop(ctx);
        self.events.stop(ctx);
        if self.asking.stop(ctx) {
            let text =
                "the lookups of the table before are stopped; those that were sent are cached";
            ctx.out.say(Tone::Info, text);
        }
        // A million rows take a while to free. Where there is no thread for that, they are freed here.
        let _ = thread::Builder::new().spawn(move || drop(self));
    }

    /// Sends no further lookup; returns whether anything was under way. The answers of those that were sent are kept.
    pub(in crate::tui::tabs::lookup) fn stop(&mut self, ctx: &mut UpdateCtx<'_>) -> bool {
        let was_asking = self.asking.stop(ctx);
        if was_asking {
            self.read_asked_again(ctx);
            ctx.out
                .say(Tone::Info, "no further lookup is sent; $ resumes");
        }
        if !was_asking && self.reading.is_pending() {
            let text = "what is local is being read: it costs nothing, and ends by itself";
            ctx.out.say(Tone::Info, text);
            return true;
        }
        was_asking
    }

    /// Local feeds have changed: all rows are read again.
    pub(in crate::tui::tabs::lookup) fn local_changed(&mut self, ctx: &mut UpdateCtx<'_>) {
        let rows = self.list.rows().all();
        let is_read = |row: &&BoardAddress| {
            !matches!(row.state, AddressState::Refused(_) | AddressState::Asking)
        };
        let read = self.questions(rows.filter(is_read));
        self.reading.stop(ctx);
        self.waiting.clear();
        self.events.expire(ctx);
        self.read_again(read, ctx);
    }

    fn read_asked_again(&mut self, ctx: &mut UpdateCtx<'_>) {
        let rows = self.list.rows().all();
        let asked = rows.filter(|row| row.state == AddressState::Asking);
        let asked: Vec<LookupQuery> = asked.map(|row| self.query_of(row)).collect();
        self.read_again(asked, ctx);
    }

    fn read_again(
        &mut self,
        queries: impl IntoIterator<Item = LookupQuery>,
        ctx: &mut UpdateCtx<'_>,
    ) {
        let queries: Vec<LookupQuery> = queries.into_iter().collect();
        // It is not being asked any more, also where its reading is stopped and begun anew.
        let asking = queries.iter().map(|query| (self.key_of(query), ()));
        let asking: Vec<_> = asking.collect();
        self.list.edit(asking, |row, ()| {
            if row.state == AddressState::Asking {
                row.state = AddressState::Waiting;
            }
        });
        self.waiting.extend(queries);
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
        } else if !self.chosen().any(|row| {
            row.state.is_unknown()
                && !self.is_too_early(row)
                && row.seen.is_worth_a_query(self.names_roles())
        }) {
            Some("every row has an answer, or cannot be looked up")
        } else {
            None
        }
    }
}
