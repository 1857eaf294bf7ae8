//! The Lookup tab: an address, its record, the trail, and two records side by side.

mod actions;
pub mod case;
mod compare;
pub mod record;
#[cfg(test)]
mod tests;
pub mod view;
mod welcome;

use std::net::IpAddr;

use ratatui::layout::{Rect, Size};

use crate::{
    contract::{Endpoint, Geolocation, LookupQuery},
    engine::{Error, trail::Entry},
    model::{Day, Document},
    tui::{
        ctx::{
            UpdateCtx,
            intent::Scope,
            place::Place,
            raw::Raw,
            remote::Remote,
            request::{Answer, JobId, Question},
            sheet::{Meaning, Sheet},
            trail::Stop,
        },
        ui::{
            areas,
            cursor::Cursor,
            theme::{Theme, Tone},
            widgets::{calendar::Calendar, pane::Pane, text_field::TextField},
        },
    },
};
use case::Case;
use compare::Compare;

/// Bytes of records that are kept of cases that are not in view. Most records take two thousand.
const MOST_HIDDEN: usize = 8 << 20;

/// The part of the tab that has the focus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Part {
    /// The field for an address.
    Field,
    /// The record.
    #[default]
    Page,
    /// The trail.
    Trail,
}

/// For what a day is being chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choosing {
    /// For lookups from now on.
    Date,
    /// To compare with.
    Comparison,
}

/// The state of the tab.
#[derive(Debug)]
pub struct LookupTab {
    field: TextField,
    part: Part,
    /// The day that new lookups ask for.
    date: Option<Day>,
    /// The geolocation that new lookups ask for.
    geolocation: Geolocation,
    cases: Vec<Case>,
    here: Option<LookupQuery>,
    trail: Cursor,
    examples: Cursor,
    raw: Option<Raw>,
    compare: Option<Compare>,
    calendar: Option<(Choosing, Calendar)>,
}

impl Default for LookupTab {
    fn default() -> Self {
        Self {
            field: TextField::new("an IPv4 or IPv6 address"),
            part: Part::default(),
            date: None,
            geolocation: Geolocation::default(),
            cases: Vec::new(),
            here: None,
            trail: Cursor::default(),
            examples: Cursor::default(),
            raw: None,
            compare: None,
            calendar: None,
        }
    }
}

impl LookupTab {
    /// Where keys are looked up.
    #[must_use]
    pub fn scopes(&self) -> Vec<Scope> {
        if self.calendar.is_some() {
            return vec![Scope::Calendar];
        }
        if self.part == Part::Field {
            return vec![Scope::Input];
        }
        if let Some(raw) = &self.raw {
            return vec![raw.scope()];
        }
        if self.compare.is_some() {
            return vec![Scope::Compare];
        }
        vec![Scope::Lookup]
    }

    /// The field that takes what is typed.
    pub fn field(&mut self) -> Option<&mut TextField> {
        if let Some((_, calendar)) = &mut self.calendar {
            return Some(calendar.field());
        }
        if self.part == Part::Field {
            return Some(&mut self.field);
        }
        self.raw.as_mut().and_then(Raw::field)
    }

    /// Begins typing an address.
    pub fn type_address(&mut self) {
        self.part = Part::Field;
        self.raw = None;
    }

    /// What a lookup of this address asks, with the day and the geolocation that are set.
    #[must_use]
    pub fn query_for(&self, address: IpAddr) -> LookupQuery {
        LookupQuery {
            address,
            date: self.date,
            geolocation: self.geolocation,
        }
    }

    /// The case that is shown.
    #[must_use]
    pub fn case(&self) -> Option<&Case> {
        let here = self.here?;
        self.of(here)
    }

    /// The case of a question.
    #[must_use]
    pub fn of(&self, query: LookupQuery) -> Option<&Case> {
        self.cases.iter().find(|case| case.query == query)
    }

    fn case_mut(&mut self, query: LookupQuery) -> &mut Case {
        let known = self.cases.iter().position(|case| case.query == query);
        let index = known.unwrap_or_else(|| {
            self.cases.push(Case::new(query));
            self.cases.len() - 1
        });
        &mut self.cases[index]
    }

    /// Shows the record of a question, asking for it if it is not known.
    pub fn open(&mut self, query: LookupQuery, ctx: &mut UpdateCtx<'_>) {
        self.show(query);
        let case = self.case_mut(query);
        if case.live.value().is_some() {
            return;
        }
        if case.unkept {
            let text = format!(
                "{}: its record was too large to keep; R fetches it again (1 query)",
                query.address
            );
            return ctx.out.say(Tone::Info, text);
        }
        self.ask(query, ctx);
    }

    /// Lets the largest records go when those that are not shown take too much memory; their stops stay.
    fn let_go(&mut self) {
        let compared = self.compare.as_ref().map(|compare| [compare.a, compare.b]);
        let in_view =
            |query| self.here == Some(query) || compared.is_some_and(|both| both.contains(&query));
        let mut hidden: Vec<(usize, usize)> = (0..self.cases.len())
            .filter(|index| !in_view(self.cases[*index].query))
            .map(|index| (self.cases[index].size(), index))
            .collect();
        hidden.sort_unstable();
        let mut total: usize = hidden.iter().map(|(size, _)| size).sum();
        while total > MOST_HIDDEN {
            let Some((size, index)) = hidden.pop() else {
                break;
            };
            total -= size;
            let case = &mut self.cases[index];
            (case.live, case.unkept) = (Remote::default(), true);
        }
    }

    /// Shows the record of a question as it was left.
    pub fn show(&mut self, query: LookupQuery) {
        self.case_mut(query);
        self.here = Some(query);
        self.part = Part::Page;
        (self.raw, self.compare) = (None, None);
        self.field.set(&query.address.to_string());
    }

    /// Asks the service, if the question may be sent and is not under way.
    fn ask(&mut self, query: LookupQuery, ctx: &mut UpdateCtx<'_>) {
        if let Some(reserved) = ctx.facts.admission.refuses(query.address) {
            let why = format!(
                "{} is not a public address ({}): nothing was sent",
                query.address,
                reserved.word()
            );
            return ctx.out.say(Tone::Warn, why);
        }
        let case = self.case_mut(query);
        if case.live.pending().is_none() {
            let job = ctx.out.ask(Question::Lookup(query));
            case.live.begin(job);
        }
    }

    /// An answer came.
    pub fn answered(
        &mut self,
        job: JobId,
        query: LookupQuery,
        result: Result<Answer, Error>,
        ctx: &mut UpdateCtx<'_>,
    ) {
        let result = result.map(|answer| match answer {
            Answer::Lookup(answer) => Some(answer),
            _ => None,
        });
        let result = match result {
            Ok(Some(answer)) => Ok(answer),
            Ok(None) => return,
            Err(error) => Err(error),
        };
        let note = result
            .as_ref()
            .ok()
            .map(|answer| Entry::from((&query, answer)).to_note());
        let failure = result.as_ref().err().map(|error| error.message.clone());
        let theme = Theme::terminal();
        let size = Self::page_area(ctx.body).as_size();
        let case = self.case_mut(query);
        if !case.live.finish(job, result) {
            return;
        }
        (case.recalled, case.unkept) = (false, case.unkept && failure.is_some());
        if let Some(answer) = case.live.value().filter(|_| case.page.focus().is_none()) {
            let page = record::page(answer, query.geolocation, &theme);
            if let Some(lead) = page.first_lead() {
                case.page.focus_on(lead);
            }
            case.page.fit(&page.page, size);
        }
        if let Some(note) = note {
            ctx.out.cmd(crate::tui::ctx::cmd::Cmd::Remember(note));
        }
        if let Some(message) = failure {
            ctx.out
                .say(Tone::Error, format!("{}: {message}", query.address));
        }
        self.let_go();
    }

    /// The trail of earlier runs: its answers are shown again without a query.
    pub fn recall(&mut self, result: Result<Answer, Error>, ctx: &mut UpdateCtx<'_>) {
        let trail = match result {
            Ok(Answer::Trail(trail)) => trail,
            Ok(_) => return,
            Err(error) => {
                return ctx.out.say(
                    Tone::Warn,
                    format!("the trail of earlier runs: {}", error.message),
                );
            }
        };
        let mut unkept = 0;
        for entry in trail.entries {
            match entry {
                Entry::Looked(query, answer) => {
                    ctx.trail
                        .recall(Stop::Address(query), answer.provenance.asked_at);
                    let case = self.case_mut(query);
                    if case.live.is_untouched() || case.recalled {
                        case.live = Remote::known(*answer);
                        (case.recalled, case.unkept) = (true, false);
                    }
                }
                Entry::Unkept(query, at, _) => {
                    unkept += 1;
                    ctx.trail.recall(Stop::Address(query), at);
                    let case = self.case_mut(query);
                    case.unkept = case.live.is_untouched();
                }
                Entry::Tagged(tag, at) => ctx.trail.recall(Stop::Tag(tag), at),
                Entry::Pinned(address, on) => ctx.trail.pin(address, on),
            }
        }
        if unkept > 0 {
            let text = format!("trail: records too large to keep: {unkept} (R fetches one again)");
            ctx.out.say(Tone::Info, text);
        }
        if trail.left_out > 0 {
            let text = format!("trail: older entries not loaded: {}", trail.left_out);
            ctx.out.say(Tone::Info, text);
        }
        if trail.set_aside.count() > 0 {
            ctx.out.say(Tone::Warn, format!("log: {}", trail.set_aside));
        }
    }

    /// Forgets every answer.
    pub fn forget(&mut self) {
        self.cases.clear();
        self.here = None;
        (self.raw, self.compare) = (None, None);
    }

    /// What was typed has changed.
    pub fn typed(&mut self, _desk: &mut UpdateCtx<'_>) {
        if let Some((_, calendar)) = &mut self.calendar {
            calendar.typed();
        } else if let Some(raw) = &mut self.raw {
            raw.typed();
        }
    }

    /// The service's own text of what is shown.
    #[must_use]
    pub fn document(&self) -> Option<&Document> {
        let answer = self.case()?.live.value()?;
        answer.record.as_ref().map(|record| &record.document)
    }

    /// The page of the record that is shown.
    fn record_page(&self, theme: &Theme) -> Option<Sheet> {
        let case = self.case()?;
        Some(record::page(
            case.live.value()?,
            case.query.geolocation,
            theme,
        ))
    }

    /// Where the record is drawn, inside of its border.
    fn page_area(body: Rect) -> Rect {
        Pane::inner(view::Parts::of(body).page)
    }

    fn page_height(body: Rect) -> usize {
        usize::from(Self::page_area(body).height)
    }

    /// What a row under the cursor is.
    fn meaning(&self) -> Option<Meaning> {
        let row = self.case()?.page.focus()?;
        self.record_page(&Theme::terminal())?.meaning(row).cloned()
    }

    /// The request of what is shown.
    #[must_use]
    pub fn endpoint(&self) -> Option<Endpoint> {
        self.here.map(Endpoint::Context)
    }

    /// Opens a stop of the trail.
    fn follow(stop: Stop, ctx: &mut UpdateCtx<'_>) {
        ctx.out.go = Some(match stop {
            Stop::Address(query) => Place::Address(query),
            Stop::Tag(tag) => Place::Tag(tag),
        });
    }

    /// Whether the trail stands beside the record.
    fn is_wide(body: Rect) -> bool {
        areas::is_wide(Size::new(body.width, body.height + 3))
    }
}
