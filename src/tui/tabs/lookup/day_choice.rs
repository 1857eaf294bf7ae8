//! The calendar to choose a day for lookups, for the record that is shown, or to compare it with.

use ratatui::{Frame, layout::Rect, text::Line};

use crate::{
    engine::{OnDisk, answers::replaces_a_query},
    model::Day,
    tui::{
        ctx::{
            UpdateCtx, ViewCtx,
            destination::{DayUse, Destination},
            intent::{Gesture, Scope},
            request::{FromAnswer as _, Question},
            surface::{Flow, Surface},
            tab::TabReply,
        },
        ui::{
            theme::Tone,
            widgets::{calendar::Calendar, text_field::TextField},
        },
    },
};

/// A day that is being chosen.
#[derive(Debug)]
pub(super) struct DayChoice {
    what_for: DayUse,
    calendar: Calendar,
    today: Day,
}

impl DayChoice {
    /// A calendar that begins at a day. Asks which days are local.
    pub(super) fn open(
        what_for: DayUse,
        start: Day,
        known: Vec<Day>,
        local: Option<Day>,
        ctx: &mut UpdateCtx<'_>,
    ) -> Box<Self> {
        let today = Day::of(ctx.out.now);
        let mut calendar = Calendar::new(start, today, known);
        calendar.mark_local(local.into_iter().collect());
        ctx.ask(Question::Releases);
        Box::new(Self {
            what_for,
            calendar,
            today,
        })
    }
}

impl Surface for DayChoice {
    fn scope(&self) -> Scope {
        Scope::Calendar
    }

    fn field(&mut self) -> Option<&mut TextField> {
        Some(self.calendar.field())
    }

    fn typed(&mut self) {
        self.calendar.typed();
    }

    fn lead(&self) -> Option<Destination> {
        let day = self.calendar.chosen().ok()?;
        let day = (day != self.today).then_some(day);
        Some(Destination::LookupDay(self.what_for, day))
    }

    fn on(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> Flow {
        match gesture {
            Gesture::Go(motion) => self.calendar.step(motion),
            Gesture::Today => self.calendar.select(self.today),
            Gesture::Open => match self.calendar.chosen() {
                Ok(_) => {
                    ctx.out.go = self.lead();
                    return Flow::Close;
                }
                Err(why) => ctx.out.say(Tone::Error, why),
            },
            Gesture::Escape | Gesture::Quit => return Flow::Close,
            _ => return Flow::Ignored,
        }
        Flow::Done
    }

    /// Marks the days of the local releases that may answer in place of a query.
    fn answered<'q>(
        &mut self,
        reply: TabReply<'q>,
        _ctx: &mut UpdateCtx<'_>,
    ) -> Option<TabReply<'q>> {
        if *reply.question != Question::Releases {
            return Some(reply);
        }
        if let Ok(disk) = OnDisk::of_result(reply.result) {
            let manifests = disk.releases.iter().map(|release| &release.manifest);
            let contexts = manifests.filter(|manifest| replaces_a_query(manifest.feed));
            let days = contexts.map(|manifest| manifest.moment.day());
            self.calendar.mark_local(days.collect());
        }
        None
    }

    fn draw(&self, frame: &mut Frame<'_>, area: Rect, ctx: &ViewCtx<'_>) {
        let title = match self.what_for {
            DayUse::Lookups => "Day of lookups",
            DayUse::Record => "Show as of",
            DayUse::Comparison => "Compare with",
        };
        let price = ctx.price.cloned().unwrap_or_default();
        self.calendar
            .draw(frame, area, ctx, title, Line::from(price.spans));
    }
}
