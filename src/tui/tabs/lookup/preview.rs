//! The price line of an address before Enter: what is local or cached, and so the price.

use super::{Choosing, LookupFocus, LookupTab, free_answers::FreeAnswers, input::LookupInput};
use crate::{
    contract::LookupQuery,
    engine::{Error, Sources},
    model::Day,
    tui::ctx::{
        UpdateCtx,
        remote::Remote,
        request::{JobId, Question},
    },
};

impl LookupTab {
    /// Reads what is local or cached about the address that Enter looks up as the tab stands, so that its price is there before: that of
    /// the text in the field, of the row under the cursor, of the day under the cursor. Sends nothing.
    pub(super) fn look_ahead(&mut self, ctx: &mut UpdateCtx<'_>) {
        let is_browsed =
            |network| LookupInput::of(self.field.value()) == LookupInput::Network(network);
        if self
            .browsing
            .as_ref()
            .is_some_and(|(network, _)| !is_browsed(*network))
        {
            self.stop_reading_ahead(ctx);
        }
        let wanted = self.wanted(ctx);
        for (_, mut preview) in self
            .previews
            .extract_if(.., |(own, _)| !wanted.contains(own))
        {
            ctx.stop(&mut preview);
        }
        for query in wanted {
            if self.previews.iter().all(|(own, _)| *own != query) {
                let mut found = Remote::default();
                found.begin(ctx.ask(Question::Sources(query)));
                self.previews.push((query, found));
            }
        }
    }

    /// The questions whose price is not known without reading what is at hand.
    fn wanted(&self, ctx: &UpdateCtx<'_>) -> Vec<LookupQuery> {
        let is_typing =
            self.part == LookupFocus::Field && self.calendar.is_none() && self.note.is_none();
        let mut wanted: Vec<LookupQuery> = if is_typing {
            let LookupInput::Address(address) = LookupInput::of(self.field.value()) else {
                return Vec::new();
            };
            let query = self.query_for(address);
            // Beside a past day stands what today costs.
            let today = LookupQuery {
                date: None,
                ..query
            };
            let today = query.date.map(|_| today);
            [Some(query), today].into_iter().flatten().collect()
        } else {
            let entered = self
                .of_calendar(Day::of(ctx.out.now))
                .or_else(|| self.enters(ctx.facts, ctx.trail));
            let mut wanted: Vec<LookupQuery> = entered.into_iter().collect();
            wanted.extend(self.other_day().filter(|other| Some(*other) != entered));
            wanted.retain(|query| {
                !ctx.facts.is_always_live(query.geolocation) && !self.is_known(*query)
            });
            wanted
        };
        wanted.retain(|query| ctx.facts.admission.refuses(query.address).is_none());
        wanted
    }

    /// The question for the address that is shown on the day of lookups, where what is shown is of another day.
    pub(super) fn other_day(&self) -> Option<LookupQuery> {
        let is_record = self.compare.is_none() && self.open_table().is_none();
        let here = self.here.filter(|_| is_record)?;
        let query = self.refreshes(here);
        (query.date != here.date).then_some(query)
    }

    /// What is asked about the address that is shown for the day under the cursor of the calendar.
    pub(super) fn of_calendar(&self, today: Day) -> Option<LookupQuery> {
        let (choosing, calendar) = self.calendar.as_ref()?;
        let (here, day) = (self.here?, calendar.chosen().ok()?);
        let date = (day != today).then_some(day);
        let geolocation = match choosing {
            Choosing::Date => self.geolocation,
            Choosing::Record | Choosing::Comparison => here.geolocation,
        };
        Some(LookupQuery {
            date,
            geolocation,
            ..here
        })
    }

    /// What is read for the text of the field is no longer waited for: another text stands there, or nobody types any more.
    pub(super) fn stop_reading_ahead(&mut self, ctx: &mut UpdateCtx<'_>) {
        for (_, mut preview) in self.previews.drain(..) {
            ctx.stop(&mut preview);
        }
        if let Some((_, mut held)) = self.browsing.take() {
            ctx.stop(&mut held);
        }
    }

    /// Takes what is local or cached, if it was read for the text of the field; else gives it back.
    pub(super) fn take_preview(
        &mut self,
        job: JobId,
        result: Result<Sources, Error>,
        ctx: &UpdateCtx<'_>,
    ) -> Option<Result<Sources, Error>> {
        let mut previews = self.previews.iter_mut();
        match previews.find(|(_, preview)| preview.pending() == Some(job)) {
            Some((_, preview)) => {
                preview.finish(
                    job,
                    result.map(|sources| FreeAnswers::of(sources, ctx.out.now)),
                );
                None
            }
            _ => Some(result),
        }
    }
}
