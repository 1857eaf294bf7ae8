//! What keys do in the Lookup tab.

use ratatui::layout::Size;

use super::{
    Choosing, LookupTab, Part,
    compare::{Compare, Step},
    view,
};
use crate::{
    contract::Endpoint,
    engine::trail::Entry,
    model::{Day, parse_address},
    report::{defanged, lookup_ticket},
    tui::{
        ctx::{
            UpdateCtx,
            cmd::Cmd,
            intent::{Intent, Yank},
            place::Place,
            raw::{Acted, Raw},
            sheet::Meaning,
            trail::Stop,
        },
        ui::{
            cursor::Motion,
            theme::{Theme, Tone},
            widgets::calendar::Calendar,
        },
    },
};

impl LookupTab {
    /// Does what a person wants; says whether it is this tab's business.
    pub fn act(&mut self, intent: Intent, ctx: &mut UpdateCtx<'_>) -> bool {
        if self.calendar.is_some() {
            return self.act_on_calendar(intent, ctx);
        }
        if self.part == Part::Field {
            return self.act_on_field(intent, ctx);
        }
        if let Some(raw) = &mut self.raw {
            let acted = raw.act(intent, Self::page_height(ctx.body));
            if acted == Acted::Closed {
                self.raw = None;
            }
            return acted != Acted::Ignored;
        }
        if self.compare.is_some() && self.act_on_comparison(intent, ctx) {
            return true;
        }
        match intent {
            Intent::Go(motion) => self.go(motion, ctx),
            Intent::Open => self.enter(ctx),
            Intent::Input => self.type_address(),
            Intent::NextPane | Intent::PreviousPane | Intent::Trail => {
                self.part = if self.part == Part::Trail {
                    Part::Page
                } else {
                    Part::Trail
                };
            }
            Intent::Refresh => match self.here {
                Some(query) => self.ask(query, ctx),
                None => ctx.out.say(Tone::Info, "nothing is looked up yet"),
            },
            Intent::Geolocation => self.switch_geolocation(ctx),
            Intent::LookupDate => self.choose_day(Choosing::Date, ctx),
            Intent::CompareDates if self.case().is_some() => {
                self.choose_day(Choosing::Comparison, ctx)
            }
            Intent::Pin => self.pin(ctx),
            Intent::Raw => self.open_raw(ctx),
            Intent::Find => {
                self.open_raw(ctx);
                if let Some(raw) = &mut self.raw {
                    raw.act(intent, Self::page_height(ctx.body));
                }
            }
            Intent::Cancel | Intent::Escape => return self.escape(intent, ctx),
            _ => return false,
        }
        true
    }

    fn go(&mut self, motion: Motion, ctx: &mut UpdateCtx<'_>) {
        let size = Self::page_area(ctx.body).as_size();
        match self.part {
            Part::Trail => {
                let len = ctx.trail.len();
                self.trail
                    .step(motion, len, view::Parts::of(ctx.body).trail_rows());
            }
            Part::Page | Part::Field if self.case().is_none() => {
                self.examples
                    .step(motion, ctx.facts.examples.len(), usize::from(size.height));
            }
            Part::Page | Part::Field => self.go_on_page(motion, size),
        }
    }

    fn go_on_page(&mut self, motion: Motion, size: Size) {
        let Some(page) = self.record_page(&Theme::terminal()) else {
            return;
        };
        if let Some(query) = self.here {
            self.case_mut(query).page.step(motion, &page.page, size);
        }
    }

    fn enter(&mut self, ctx: &mut UpdateCtx<'_>) {
        if self.part == Part::Trail {
            let chosen = self.trail.selected(ctx.trail.len());
            let stop = chosen.and_then(|index| {
                ctx.trail
                    .listed()
                    .get(index)
                    .map(|(visit, _)| visit.stop.clone())
            });
            if let Some(stop) = stop {
                Self::follow(stop, ctx);
            }
            return;
        }
        if self.case().is_none() {
            let examples = &ctx.facts.examples;
            let chosen = self
                .examples
                .selected(examples.len())
                .and_then(|index| examples.get(index));
            match chosen.and_then(|(address, _)| parse_address(address).ok()) {
                Some(address) => ctx.out.go = Some(Place::Address(self.query_for(address))),
                None => self.type_address(),
            }
            return;
        }
        match self.meaning() {
            Some(Meaning {
                lead: Some(place), ..
            }) => ctx.out.go = Some(place),
            Some(_) => ctx.out.say(
                Tone::Info,
                "this row leads nowhere: operators and proxies lead to their tags",
            ),
            None => {}
        }
    }

    fn act_on_field(&mut self, intent: Intent, ctx: &mut UpdateCtx<'_>) -> bool {
        match intent {
            Intent::Open => self.send(ctx),
            Intent::Go(motion) => self.recall_typed(motion, ctx),
            Intent::Escape | Intent::NextPane => self.part = Part::Page,
            Intent::PreviousPane => self.part = Part::Trail,
            _ => return false,
        }
        true
    }

    /// Puts an address of the trail into the field: up goes back in time, down forward.
    fn recall_typed(&mut self, motion: Motion, ctx: &mut UpdateCtx<'_>) {
        let mut addresses: Vec<String> = Vec::new();
        for (visit, _) in ctx.trail.listed() {
            if let Stop::Address(query) = &visit.stop
                && !addresses.contains(&query.address.to_string())
            {
                addresses.push(query.address.to_string());
            }
        }
        let here = addresses
            .iter()
            .position(|address| address == self.field.value());
        let next = match (motion, here) {
            (Motion::Up, None) => Some(0),
            (Motion::Up, Some(index)) => Some((index + 1).min(addresses.len() - 1)),
            (Motion::Down, Some(index)) => index.checked_sub(1),
            _ => return,
        };
        match next.and_then(|index| addresses.get(index)) {
            Some(address) => self.field.set(address),
            None => self.field.clear(),
        }
    }

    /// Looks up what is typed.
    fn send(&mut self, ctx: &mut UpdateCtx<'_>) {
        match parse_address(self.field.value()) {
            Ok(address) => ctx.out.go = Some(Place::Address(self.query_for(address))),
            Err(_) if self.field.is_empty() => ctx.out.say(Tone::Info, "type an address first"),
            Err(why) => ctx.out.say(Tone::Error, format!("{why}: nothing was sent")),
        }
    }

    fn switch_geolocation(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.geolocation = self.geolocation.other();
        match self.here {
            Some(query) => {
                let other = crate::contract::LookupQuery {
                    geolocation: query.geolocation.other(),
                    ..query
                };
                self.geolocation = other.geolocation;
                ctx.out.go = Some(Place::Address(other));
            }
            None => ctx.out.say(
                Tone::Info,
                format!(
                    "lookups ask for the geolocation of {}",
                    self.geolocation.word()
                ),
            ),
        }
    }

    fn pin(&mut self, ctx: &mut UpdateCtx<'_>) {
        let Some(query) = self.here else { return };
        let on = !ctx.trail.is_pinned(query.address);
        ctx.trail.pin(query.address, on);
        ctx.out
            .cmd(Cmd::Remember(Entry::Pinned(query.address, on).to_note()));
        ctx.out.say(
            Tone::Ok,
            format!(
                "{} {}",
                query.address,
                if on { "pinned" } else { "no longer pinned" }
            ),
        );
    }

    fn open_raw(&mut self, ctx: &mut UpdateCtx<'_>) {
        match self.document() {
            Some(document) => self.raw = Some(Raw::of(document)),
            None => ctx.out.say(Tone::Info, "there is no JSON here yet"),
        }
    }

    fn escape(&mut self, intent: Intent, ctx: &mut UpdateCtx<'_>) -> bool {
        if self.part == Part::Trail && intent == Intent::Escape {
            self.part = Part::Page;
            return true;
        }
        let Some(query) = self.here else { return false };
        let Some(job) = self.case_mut(query).live.cancel() else {
            return false;
        };
        ctx.out.cmd(Cmd::Cancel(job));
        ctx.out.say(
            Tone::Warn,
            format!(
                "{}: no longer waiting; the query may have been counted",
                query.address
            ),
        );
        true
    }

    fn act_on_comparison(&mut self, intent: Intent, ctx: &mut UpdateCtx<'_>) -> bool {
        let height = Self::page_height(ctx.body).saturating_sub(1);
        let today = Day::of(ctx.out.now);
        let Some(mut compare) = self.compare.take() else {
            return false;
        };
        let rows = compare.rows(self).len();
        let mut keep = true;
        let done = match intent {
            Intent::Go(motion) => {
                compare.cursor.step(motion, rows, height);
                true
            }
            Intent::EqualRows => {
                compare.equal_rows = !compare.equal_rows;
                true
            }
            Intent::Swap => {
                std::mem::swap(&mut compare.a, &mut compare.b);
                true
            }
            Intent::StepA(days) => {
                compare.a.step(days, today);
                true
            }
            Intent::StepB(days) => {
                compare.b.step(days, today);
                true
            }
            Intent::Geolocation => {
                compare.b.date = compare.a.date;
                compare.b.geolocation = compare.a.geolocation.other();
                true
            }
            Intent::Refresh | Intent::Open => true,
            Intent::Escape | Intent::Quit | Intent::CompareDates => {
                keep = false;
                true
            }
            _ => false,
        };
        let (a, b) = (compare.a, compare.b);
        if keep {
            self.compare = Some(compare);
            // Stepping past a day must not spend a query on it: Enter or R asks for what stands there then.
            if matches!(intent, Intent::Open | Intent::Refresh | Intent::Geolocation) {
                self.ask_if_unknown(a, ctx);
                self.ask_if_unknown(b, ctx);
            }
        }
        done
    }

    fn ask_if_unknown(&mut self, query: crate::contract::LookupQuery, ctx: &mut UpdateCtx<'_>) {
        if self.case_mut(query).live.value().is_none() {
            self.ask(query, ctx);
        }
    }

    fn choose_day(&mut self, choosing: Choosing, ctx: &mut UpdateCtx<'_>) {
        let today = Day::of(ctx.out.now);
        let known = self.here.map(|here| {
            let same = self
                .cases
                .iter()
                .filter(|case| case.query.address == here.address && case.live.value().is_some());
            same.map(|case| case.query.date.unwrap_or(today)).collect()
        });
        let start = match choosing {
            Choosing::Date => self.date.unwrap_or(today),
            Choosing::Comparison => today.plus(-1),
        };
        self.calendar = Some((
            choosing,
            Calendar::new(start, today, known.unwrap_or_default()),
        ));
    }

    fn act_on_calendar(&mut self, intent: Intent, ctx: &mut UpdateCtx<'_>) -> bool {
        let today = Day::of(ctx.out.now);
        let Some((choosing, calendar)) = &mut self.calendar else {
            return false;
        };
        match intent {
            Intent::Go(motion) => calendar.step(motion),
            Intent::Today => calendar.select(today),
            Intent::Escape | Intent::Quit => self.calendar = None,
            Intent::Open => match calendar.chosen() {
                Ok(day) => {
                    let choosing = *choosing;
                    self.calendar = None;
                    self.chose(choosing, (day != today).then_some(day), ctx);
                }
                Err(why) => ctx.out.say(Tone::Error, why),
            },
            _ => return false,
        }
        true
    }

    fn chose(&mut self, choosing: Choosing, date: Option<Day>, ctx: &mut UpdateCtx<'_>) {
        match (choosing, self.here) {
            (Choosing::Date, _) => {
                self.date = date;
                let words = date.map_or_else(|| "today".to_owned(), |day| day.to_string());
                ctx.out.say(Tone::Ok, format!("lookups ask for {words}"));
            }
            (Choosing::Comparison, Some(here)) => {
                let other = crate::contract::LookupQuery { date, ..here };
                let (a, b) = if date.is_some() {
                    (other, here)
                } else {
                    (here, other)
                };
                self.ask_if_unknown(a, ctx);
                self.ask_if_unknown(b, ctx);
                self.compare = Some(Compare::new(a, b));
            }
            (Choosing::Comparison, None) => {}
        }
    }

    /// Copies something; says whether there was something of that kind.
    pub fn yank(&mut self, what: Yank, ctx: &mut UpdateCtx<'_>) -> bool {
        let Some(query) = self.here else { return false };
        if let Some(raw) = &self.raw
            && raw.yank(what, ctx.out)
        {
            return true;
        }
        if let Some(compare) = &self.compare
            && matches!(what, Yank::Row | Yank::Value | Yank::Ticket)
        {
            ctx.out.copy_lines("differences", compare.as_text(self));
            return true;
        }
        let answer = self.case().and_then(|case| case.live.value());
        match what {
            Yank::Address => ctx
                .out
                .copy(query.address.to_string(), query.address.to_string()),
            Yank::Defanged => ctx.out.copy(
                "the address, defanged,",
                defanged(&query.address.to_string()),
            ),
            Yank::Curl => ctx.out.copy(
                "the request as curl",
                ctx.facts.curl(&Endpoint::Context(query)),
            ),
            Yank::Value | Yank::Row => {
                let Some(meaning) = self.meaning() else {
                    return false;
                };
                let text = if what == Yank::Row {
                    format!("{}: {}", meaning.label, meaning.value)
                } else {
                    meaning.value
                };
                ctx.out.copy(meaning.label, text);
            }
            Yank::Json => {
                let Some(document) = self.document() else {
                    return false;
                };
                ctx.out.copy_json("the JSON", document.text());
            }
            Yank::Ticket => {
                let Some(answer) = answer else { return false };
                ctx.out.copy_lines(
                    "a ticket note",
                    lookup_ticket(&query.address.to_string(), query.geolocation, answer),
                );
            }
        }
        true
    }
}
