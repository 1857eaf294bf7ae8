//! The filter while it is typed: its text, the place where it stops being a filter, what may come next, and what was typed before.

use super::completion::{self, Candidate, Of, Spot};
use crate::{
    engine::{
        Error,
        views::{FacetCounts, ViewQuery},
    },
    model::Keyword,
    store::{Filter, filter::BadFilter, index::FacetBy},
    tui::{
        ctx::{
            UpdateCtx,
            remote::Remote,
            request::{Answer, JobId, Question},
        },
        ui::{cursor::Motion, widgets::text_field::TextField},
    },
};

/// Values of a field that are looked through for what is typed.
const MOST: usize = 2000;

/// A filter that is being typed.
#[derive(Debug)]
pub(super) struct FilterLine {
    /// The text.
    pub(super) field: TextField,
    /// The filter before typing began.
    pub(super) before: Filter,
    /// Why the text is no filter.
    bad: Option<BadFilter>,
    values: Remote<Vec<FacetCounts>>,
    /// Of which field and among which records values were asked for.
    asked: Option<(Keyword, Filter)>,
    spot: Spot,
    candidates: Vec<Candidate>,
    /// The candidate that was put in last.
    taken: Option<usize>,
    /// How far back in the history the text is from, and what was typed before.
    recalled: Option<(usize, String)>,
}

impl FilterLine {
    /// Begins to type on a filter.
    pub(super) fn of(filter: &Filter) -> Self {
        let mut field = TextField::new("all records; tab completes fields and values");
        let text = filter.to_string();
        field.set(&if text.is_empty() { text } else { text + " " });
        let spot = completion::spot(field.before_cursor());
        Self {
            field,
            before: filter.clone(),
            bad: None,
            values: Remote::default(),
            asked: None,
            spot,
            candidates: Vec::new(),
            taken: None,
            recalled: None,
        }
    }

    /// The filter that the text is, unless it is none.
    pub(super) fn read(&mut self) -> Option<Filter> {
        match self.field.value().parse::<Filter>() {
            Ok(filter) => {
                self.bad = None;
                Some(filter)
            }
            Err(bad) => {
                self.bad = Some(bad);
                None
            }
        }
    }

    /// Whether the text is this filter.
    pub(super) fn is(&self, filter: &Filter) -> bool {
        let read = self.field.value().parse::<Filter>();
        read.is_ok_and(|read| read == *filter)
    }

    /// The filter to show while typing goes on: a value that is not typed to its end is left out. A part of an organization's name is a
    /// value by itself.
    pub(super) fn preview(&mut self) -> Option<Filter> {
        let typed = &self.spot.typed;
        let is_whole = |own: &Candidate| own.text.trim_matches('"').eq_ignore_ascii_case(typed);
        let is_value = matches!(self.spot.of, Of::Values(field) if field != Keyword::Org);
        if is_value && !self.candidates.is_empty() && !self.candidates.iter().any(is_whole) {
            let before = self.field.before_cursor();
            let after = &self.field.value()[before.len()..];
            return Some(completion::rest(before, after));
        }
        self.read()
    }

    /// What is wrong with the text, unless what is wrong is that it is not ready: what may come next is shown then.
    pub(super) fn mistake(&self) -> Option<&BadFilter> {
        self.bad.as_ref().filter(|_| self.candidates.is_empty())
    }

    /// What may come next, and which of it was put in.
    pub(super) fn candidates(&self) -> (&[Candidate], Option<usize>) {
        (&self.candidates, self.taken)
    }

    /// The text has changed: other candidates fit. `query` is the view that is filtered.
    pub(super) fn follow(&mut self, query: &ViewQuery, ctx: &mut UpdateCtx<'_>) {
        self.taken = None;
        self.spot = completion::spot(self.field.before_cursor());
        if let Of::Values(field) = self.spot.of {
            let before = self.field.before_cursor();
            let after = &self.field.value()[before.len()..];
            let rest = completion::rest(before, after);
            let asked = Some((field, rest.clone()));
            if self.asked != asked {
                ctx.stop(&mut self.values);
                self.values = Remote::default();
                let query = ViewQuery {
                    filter: rest,
                    ..query.clone()
                };
                let by = vec![FacetBy::Keyword(field)];
                self.values
                    .begin(ctx.ask(Question::Facets(query, by, MOST)));
                self.asked = asked;
            }
        }
        self.offer();
    }

    fn offer(&mut self) {
        let typed = self.spot.typed.as_str();
        self.candidates = match self.spot.of {
            Of::Fields => completion::fields(typed),
            Of::Truth => completion::truths(typed),
            Of::Nothing => Vec::new(),
            Of::Values(field) => {
                let counts = self.values.value().and_then(|counts| counts.first());
                counts.map_or_else(Vec::new, |counts| {
                    completion::values(field, &counts.values, typed)
                })
            }
        };
        // What is typed in full is no suggestion.
        if let [only] = self.candidates.as_slice()
            && only.text.eq_ignore_ascii_case(typed)
        {
            self.candidates.clear();
        }
    }

    /// Puts the next candidate in, or the one before; says whether there is one.
    pub(super) fn complete(&mut self, step: isize) -> bool {
        let len = self.candidates.len();
        if len == 0 {
            return false;
        }
        let next = match self.taken {
            None if step < 0 => len - 1,
            None => 0,
            Some(at) => (at + len).saturating_add_signed(step) % len,
        };
        self.taken = Some(next);
        self.field
            .complete(self.spot.from, &self.candidates[next].text);
        true
    }

    /// Puts a text of the history in: up goes back, down forward; says whether there is one.
    pub(super) fn recall(&mut self, motion: Motion, history: &[String]) -> bool {
        let at = self.recalled.as_ref().map(|(at, _)| *at);
        let next = match (motion, at) {
            (Motion::Up, None) => Some(0),
            (Motion::Up, Some(at)) => Some(at + 1),
            (Motion::Down, Some(at)) => at.checked_sub(1),
            _ => return false,
        };
        let typed = match self.recalled.take() {
            Some((_, typed)) => typed,
            None => self.field.value().to_owned(),
        };
        match next {
            None => self.field.set(&typed),
            Some(next) => {
                let next = next.min(history.len().saturating_sub(1));
                let Some(text) = history.iter().rev().nth(next) else {
                    return false;
                };
                self.field.set(text);
                self.recalled = Some((next, typed));
            }
        }
        true
    }

    /// Values of a field have come.
    pub(super) fn settle(&mut self, job: JobId, result: Result<Answer, Error>) -> bool {
        let accepted = self.values.settle(job, result);
        if accepted && self.taken.is_none() {
            self.offer();
        }
        accepted
    }

    /// Stops waiting for values; they are asked for again when the text is followed.
    pub(super) fn stop(&mut self, ctx: &mut UpdateCtx<'_>) {
        if ctx.stop(&mut self.values) {
            self.asked = None;
        }
    }

    /// Typing ends.
    pub(super) fn close(mut self, ctx: &mut UpdateCtx<'_>) -> Filter {
        ctx.stop(&mut self.values);
        self.before
    }
}
