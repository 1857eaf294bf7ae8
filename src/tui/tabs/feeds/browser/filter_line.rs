//! The filter while it is typed: its text, the location of a mistake, completions, and the history.

use super::completion::{self, CompletionSpot, FilterCandidate, Of};
use crate::{
    engine::views::{FacetCounts, ViewQuery},
    model::Keyword,
    store::{
        Filter,
        filter::BadFilter,
        index::{Facet, FacetBy},
    },
    tui::{
        ctx::{Asked, Gesture, Question, TabReply, UpdateCtx},
        ui::{Motion, TextField},
    },
};

/// The number of values of a field among which completions are searched.
const MOST: usize = 2000;
/// The number of further values that match the text, for a field with more values than that.
const FEW: usize = 40;

/// A filter that is being typed.
#[derive(Debug)]
pub(super) struct FilterLine {
    pub(super) field: TextField,
    /// The filter before typing began.
    pub(super) before: Filter,
    /// Why the text is not a filter.
    bad: Option<BadFilter>,
    values: Asked<Question, Vec<FacetCounts>>,
    /// The matching values of a field that has more values than were fetched.
    rare: Asked<Question, Vec<Facet>>,
    spot: CompletionSpot,
    candidates: Vec<FilterCandidate>,
    /// The index of the candidate that was inserted last.
    taken: Option<usize>,
    /// The index in the history, counted from the newest, and the text before the recall.
    recalled: Option<(usize, String)>,
}

impl FilterLine {
    /// Begins to edit a filter.
    pub(super) fn of(filter: &Filter) -> Self {
        let mut field = TextField::new("all records; tab completes");
        let text = filter.to_string();
        field.set(&if text.is_empty() { text } else { text + " " });
        let spot = completion::spot(field.before_cursor());
        Self {
            field,
            before: filter.clone(),
            bad: None,
            values: Asked::default(),
            rare: Asked::default(),
            spot,
            candidates: Vec::new(),
            taken: None,
            recalled: None,
        }
    }

    /// Parses the text; `None` if it is not a filter.
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

    /// Whether the text parses to this filter.
    pub(super) fn is(&self, filter: &Filter) -> bool {
        let read = self.field.value().parse::<Filter>();
        read.is_ok_and(|read| read == *filter)
    }

    /// The filter to show during typing, without an unfinished value. A part of an organization's name counts as a value.
    pub(super) fn preview(&mut self) -> Option<Filter> {
        let typed = &self.spot.typed;
        let is_whole = |candidate: &FilterCandidate| {
            candidate.text.trim_matches('"').eq_ignore_ascii_case(typed)
        };
        let is_value = matches!(self.spot.of, Of::Values(field) if field != Keyword::Org);
        if is_value && !self.candidates.is_empty() && !self.candidates.iter().any(is_whole) {
            return Some(self.rest());
        }
        self.read()
    }

    /// The mistake in the text, unless completions are shown: then the text may only be unfinished.
    pub(super) fn mistake(&self) -> Option<&BadFilter> {
        self.bad.as_ref().filter(|_| self.candidates.is_empty())
    }

    /// The message about the mistake, with the key that corrects it if there is one.
    pub(super) fn complaint(&self) -> Option<String> {
        let bad = self.mistake()?;
        let mut words = format!(" x {}", bad.message);
        if let Some(hint) = &bad.hint {
            words += &format!("; {hint}");
        }
        if bad.mend.is_some() {
            words += " tab takes it";
        }
        Some(words)
    }

    /// Applies the suggested correction; returns whether there was one.
    fn take_mend(&mut self) -> bool {
        let mend = self.mistake().and_then(|bad| bad.mend.clone());
        if let Some(text) = &mend {
            self.field.set(text);
        }
        mend.is_some()
    }

    /// Shows the mistake instead of completions.
    pub(super) fn refuse(&mut self) {
        self.candidates.clear();
        self.taken = None;
    }

    /// The completions, and the index of the inserted one.
    pub(super) fn candidates(&self) -> (&[FilterCandidate], Option<usize>) {
        (&self.candidates, self.taken)
    }

    /// Updates the completions after a change of the text. `query` is the view that is filtered.
    pub(super) fn follow(&mut self, query: &ViewQuery, ctx: &mut UpdateCtx<'_>) {
        self.taken = None;
        self.spot = completion::spot(self.field.before_cursor());
        if let Of::Values(field) = self.spot.of {
            let query = self.query_beside(query);
            let question = Question::Facets(query, vec![FacetBy::Keyword(field)], MOST);
            if self.values.question() != Some(&question) {
                self.rare.stop(ctx);
                self.rare = Asked::default();
            }
            self.values.want(question, ctx);
        }
        self.search(query, ctx);
        self.offer();
    }

    /// The filter without the word at the cursor.
    fn rest(&self) -> Filter {
        let before = self.field.before_cursor();
        completion::rest(before, &self.field.value()[before.len()..])
    }

    /// The view without that word.
    fn query_beside(&self, query: &ViewQuery) -> ViewQuery {
        ViewQuery {
            filter: self.rest(),
            ..query.clone()
        }
    }

    /// The values of the field that were counted.
    fn counted(&self) -> Option<&FacetCounts> {
        self.values.answer()?.first()
    }

    /// Searches all values of the field if it has more than were fetched. Earlier results stay until new ones arrive.
    fn search(&mut self, query: &ViewQuery, ctx: &mut UpdateCtx<'_>) {
        let has_more = |counts: &FacetCounts| counts.distinct > counts.values.len();
        let typed = self.spot.typed.trim_end_matches('"');
        if let Of::Values(field) = self.spot.of
            && self.counted().is_some_and(has_more)
            && !typed.is_empty()
        {
            let query = self.query_beside(query);
            let question = Question::Values(query, field, typed.to_owned(), FEW);
            self.rare.want(question, ctx);
        }
    }

    fn offer(&mut self) {
        let typed = self.spot.typed.as_str();
        self.candidates = match self.spot.of {
            Of::Fields => completion::fields(typed),
            Of::Truth => completion::truths(typed),
            Of::Nothing => Vec::new(),
            Of::Values(field) => {
                let frequent = self.counted().map_or(&[][..], |counts| &counts.values);
                let rare = self.rare.value().map_or(&[][..], Vec::as_slice);
                completion::values(field, frequent, rare, typed)
            }
        };
        // A value that is typed in full is not a suggestion.
        if let [only] = self.candidates.as_slice()
            && only.text.eq_ignore_ascii_case(typed)
        {
            self.candidates.clear();
        }
    }

    /// Completes, corrects or recalls; returns whether the text changed.
    pub(super) fn on(
        &mut self,
        gesture: Gesture,
        history: &[String],
        query: &ViewQuery,
        ctx: &mut UpdateCtx<'_>,
    ) -> bool {
        let has_changed = match gesture {
            Gesture::NextPane if self.complete(1) => return true,
            Gesture::PreviousPane if self.complete(-1) => return true,
            Gesture::NextPane | Gesture::PreviousPane => self.take_mend(),
            Gesture::Go(motion) => self.recall(motion, history),
            _ => false,
        };
        if has_changed {
            self.follow(query, ctx);
        }
        has_changed
    }

    /// Inserts the next or the previous candidate; returns whether there is one.
    fn complete(&mut self, step: isize) -> bool {
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

    /// Inserts a text of the history: up for older, down for newer; returns whether there is one.
    fn recall(&mut self, motion: Motion, history: &[String]) -> bool {
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

    /// Takes values of a field; hands back any other reply.
    pub(super) fn settle<'q>(
        &mut self,
        reply: TabReply<'q>,
        query: &ViewQuery,
        ctx: &mut UpdateCtx<'_>,
    ) -> Option<TabReply<'q>> {
        let reply = self.values.settle(reply);
        let reply = reply.and_then(|reply| self.rare.settle(reply));
        if reply.is_none() && self.taken.is_none() {
            self.search(query, ctx);
            self.offer();
        }
        reply
    }

    /// Stops waiting for values; [`FilterLine::follow`] requests them again.
    pub(super) fn stop(&mut self, ctx: &mut UpdateCtx<'_>) {
        self.values.stop(ctx);
        self.rare.stop(ctx);
    }
}
