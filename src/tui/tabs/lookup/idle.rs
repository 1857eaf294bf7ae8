//! Why a key of the Lookup tab does nothing now: help shows the reason, and the footer leaves the key out.

use std::borrow::Cow;

use super::{LookupFocus, LookupTab, actions::LookupAction};
use crate::{
    contract::{Geolocation, LookupQuery},
    model::parse_address,
    tui::{
        ctx::{
            ViewCtx,
            destination::Destination,
            facts::Facts,
            intent::Gesture,
            trail::{Trail, TrailStop},
        },
        ui::cursor::Motion,
    },
};

/// Nothing was asked yet.
const NOTHING: &str = "nothing is looked up yet";

/// Nothing can be asked about it.
const NOT_PUBLIC: &str = "the address is not public";

impl LookupTab {
    /// Why what any tab may be asked for does nothing.
    pub(super) fn idle_gesture(
        &self,
        gesture: Gesture,
        ctx: &ViewCtx<'_>,
    ) -> Option<Cow<'static, str>> {
        let is_typing = self.part == LookupFocus::Field && self.calendar.is_none();
        if is_typing && gesture == Gesture::Today && self.date.is_none() {
            return Some("lookups ask for today".into());
        }
        if self.calendar.is_some() || self.note.is_some() || self.part == LookupFocus::Field {
            return None;
        }
        if self.is_finding() {
            let none = matches!(gesture, Gesture::Go(Motion::Up) | Gesture::NextPane);
            return none.then(|| "the words have no history".into());
        }
        let on_trail = self.part == LookupFocus::Trail;
        if !on_trail && let Some(board) = self.open_table() {
            let none = match gesture {
                Gesture::Open => !board.typing && board.here().is_none(),
                // The keys of a filter that has neither history nor names to complete.
                Gesture::Go(Motion::Up) | Gesture::NextPane => board.typing,
                _ => false,
            };
            return none.then(|| "there is no row".into());
        }
        let why = match gesture {
            Gesture::Open if on_trail => {
                let none = self.stops(ctx.trail).is_empty();
                none.then_some("there is no stop")
            }
            Gesture::Open if let Some(compare) = &self.compare => {
                let is_known = compare.differences(&self.cases).is_some();
                let none = is_known && compare.rows(&self.cases).is_empty();
                none.then_some("there is no row")
            }
            Gesture::Open if self.case().is_some() => {
                let leads = self.row().is_some_and(|row| row.lead.is_some());
                (!leads).then_some("nothing to open here")
            }
            Gesture::Open => ctx.facts.examples.is_empty().then_some(NOTHING),
            Gesture::Refresh if self.compare.is_none() => match self.here {
                None => Some(NOTHING),
                Some(_) => self.is_refused(ctx).then_some(NOT_PUBLIC),
            },
            Gesture::Find if on_trail => ctx.trail.is_empty().then_some("the trail is empty"),
            Gesture::Raw | Gesture::Find => {
                let record = self.case().and_then(|case| case.shown()?.record);
                record.is_none().then_some("there is no JSON here yet")
            }
            _ => None,
        };
        why.map(Into::into)
    }

    /// Whether the address that is shown must not be sent.
    fn is_refused(&self, ctx: &ViewCtx<'_>) -> bool {
        let address = self.here.map(|query| query.address);
        address.is_some_and(|own| ctx.facts.admission.refuses(own).is_some())
    }

    /// Whether the way back closes a comparison, or leads to the table or to the records that an address came from.
    pub(super) fn goes_back(&self) -> bool {
        let table = self
            .open_table()
            .filter(|_| self.part != LookupFocus::Trail);
        let leads = table.is_some_and(|board| board.view.is_some());
        leads || (table.is_none() && self.compare.is_some()) || self.is_from_board()
    }

    /// The address that Enter looks up as the tab is, the field aside.
    pub(super) fn enters(&self, facts: &Facts, trail: &Trail) -> Option<LookupQuery> {
        if self.calendar.is_some() || self.note.is_some() || self.part == LookupFocus::Field {
            return None;
        }
        if self.part == LookupFocus::Trail {
            let listed = self.stops(trail);
            let (visit, _) = listed.get(self.trail.selected(listed.len())?)?;
            return match visit.stop {
                TrailStop::Address(query) => Some(query),
                _ => None,
            };
        }
        if self.open_table().is_some() {
            return None;
        }
        if let Some(compare) = &self.compare {
            let is_fetched = compare.whole.is_none() && compare.rows(&self.cases).is_empty();
            return is_fetched.then_some(compare.b);
        }
        if self.case().is_some() {
            return match self.row()?.lead? {
                Destination::Address(query) => Some(query),
                _ => None,
            };
        }
        let examples = &facts.examples;
        let (address, _) = examples.get(self.examples.selected(examples.len())?)?;
        parse_address(address).ok().map(|own| self.query_for(own))
    }

    /// Why one of its own actions does nothing.
    pub(super) fn idle_own(
        &self,
        action: LookupAction,
        ctx: &ViewCtx<'_>,
    ) -> Option<Cow<'static, str>> {
        let why = match action {
            LookupAction::CompareDates | LookupAction::ShowAsOf if self.case().is_none() => {
                Some(NOTHING)
            }
            LookupAction::CompareDates | LookupAction::ShowAsOf | LookupAction::Geolocation
                if self.is_refused(ctx) =>
            {
                Some(NOT_PUBLIC)
            }
            LookupAction::Geolocation if let Some(here) = self.here => {
                let geolocation = here.geolocation.other();
                let other = LookupQuery {
                    geolocation,
                    ..here
                };
                let lack = ctx.facts.lack_in_short();
                lack.filter(|_| geolocation == Geolocation::Mmgeo && !self.is_known(other))
            }
            LookupAction::Board => {
                let none = self.board.is_none();
                none.then_some("no table: paste a text with several addresses")
            }
            LookupAction::Pin | LookupAction::Note => self.here.is_none().then_some(NOTHING),
            LookupAction::Mark
            | LookupAction::MarkRange
            | LookupAction::MarkAll
            | LookupAction::InvertMarks => {
                let none = self.open_table().is_none_or(|board| board.len() == 0);
                none.then_some("there is no row")
            }
            LookupAction::Export => {
                let none = self
                    .open_table()
                    .is_none_or(|board| board.operators().is_empty());
                none.then_some("no row has an operator that an export can ask for")
            }
            LookupAction::Swap => {
                let compare = self.compare.as_ref();
                let same = compare.is_some_and(|compare| compare.a == compare.b);
                same.then_some("both sides are the same")
            }
            LookupAction::EqualRows => {
                let compare = self.compare.as_ref();
                let known = compare.and_then(|compare| compare.differences(&self.cases));
                known.is_none().then_some("a side is missing")
            }
            _ => None,
        };
        why.map(Into::into)
    }
}
