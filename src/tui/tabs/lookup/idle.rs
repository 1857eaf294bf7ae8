//! Why a key of the Lookup tab does nothing as the tab stands: help says it, and the footer leaves the key out.

use std::borrow::Cow;

use super::{LookupTab, Part, actions::LookupAction};
use crate::{
    contract::LookupQuery,
    model::parse_address,
    tui::{
        ctx::{ViewCtx, intent::Gesture, place::Place, trail::Stop},
        ui::cursor::Motion,
    },
};

/// Nothing was asked yet.
const NOTHING: &str = "nothing is looked up yet";

impl LookupTab {
    /// Why what any tab may be asked for does nothing.
    pub(super) fn idle_gesture(
        &self,
        gesture: Gesture,
        ctx: &ViewCtx<'_>,
    ) -> Option<Cow<'static, str>> {
        if self.calendar.is_some() || self.note.is_some() || self.part == Part::Field {
            return None;
        }
        if self.is_finding() {
            let none = matches!(gesture, Gesture::Go(Motion::Up) | Gesture::NextPane);
            return none.then(|| "the words have no history".into());
        }
        let on_trail = self.part == Part::Trail;
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
                Some(here) => {
                    let refused = ctx.facts.admission.refuses(here.address);
                    refused.map(|_| "the address is not public")
                }
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

    /// Whether the way back closes a comparison, or leads to the table or to the records that an address came from.
    pub(super) fn goes_back(&self) -> bool {
        let table = self.open_table().filter(|_| self.part != Part::Trail);
        let leads = table.is_some_and(|board| board.view.is_some());
        leads || (table.is_none() && self.compare.is_some()) || self.is_from_board()
    }

    /// The address that Enter looks up as the tab stands, the field aside.
    pub(super) fn enters(&self, ctx: &ViewCtx<'_>) -> Option<LookupQuery> {
        if self.calendar.is_some() || self.note.is_some() || self.part == Part::Field {
            return None;
        }
        if self.part == Part::Trail {
            let listed = self.stops(ctx.trail);
            let (visit, _) = listed.get(self.trail.selected(listed.len())?)?;
            return match visit.stop {
                Stop::Address(query) => Some(query),
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
                Place::Address(query) => Some(query),
                _ => None,
            };
        }
        let examples = &ctx.facts.examples;
        let (address, _) = examples.get(self.examples.selected(examples.len())?)?;
        parse_address(address).ok().map(|own| self.query_for(own))
    }

    /// Why one of its own actions does nothing.
    pub(super) fn idle_own(&self, action: LookupAction) -> Option<Cow<'static, str>> {
        let why = match action {
            LookupAction::CompareDates => self.case().is_none().then_some(NOTHING),
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
