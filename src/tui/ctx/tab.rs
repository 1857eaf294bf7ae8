//! The interface between the shell and the tabs.

use std::fmt;

use jiff::Timestamp;
use ratatui::{Frame, layout::Rect, text::Line};

use super::{
    AnyList, Binding, Destination, Facts, Flow, Gesture, JobId, ListInFront, Price, Scope, Subject,
    TabReply, UpdateCtx, ViewCtx, Why, Yank,
};
use crate::{
    contract::LookupQuery,
    engine::{
        Error, Sources,
        answers::{PolicyStep, Source},
        views::ViewQuery,
    },
    investigation::gather::GatheredText,
    tui::ui::{Motion, PaneId, TextField},
};

/// What happens to a tab beside gestures and answers.
#[derive(Debug)]
pub enum TabEvent<'e> {
    /// The program has started: requests what an earlier run left. Sends nothing.
    Began,
    /// The time of [`Tab::wakes_at`] has come.
    Woken,
    /// The terminal window got the focus while the tab is in front: local data may have changed.
    Focused,
    /// A release was downloaded or deleted: counts in local feeds may have changed.
    LocalChanged,
    /// The tab came to the front by its key.
    Arrived,
    /// The tab's key was pressed while it is in front: returns to the first page. What was open is kept.
    Home,
    /// Another tab comes to the front: cancels questions that only served the screen.
    Left,
    /// The end of each change of the state while the tab is in front: derives what follows from the state, and asks for what the
    /// selection needs. Free.
    Changed,
    /// The trail was erased.
    Forgotten,
    /// The text field has changed; the filter of the list in front knows that already.
    Typed,
    /// A text was pasted, with its line breaks. Where that is ignored, it goes into the field as one line.
    Pasted(&'e str),
    /// A pane was clicked. Text that is being typed stays.
    Pointed(PaneId),
    /// A motion in a pane that does not get the focus by it. Where that is ignored, it is a motion like any other.
    MovedIn(PaneId, Motion),
    /// A destination of this tab is opened, and missing data fetched.
    Opened(Destination),
    /// A destination of this tab is shown in its previous state. May read free data; sends nothing.
    Shown(&'e Destination),
    /// The raw text is about to be shown.
    RawOpens,
    /// The answer to a question of this tab.
    Answered(Box<TabReply<'e>>),
    /// One of the lookups of a job has ended.
    LookedUp(JobId, LookupQuery, Result<Source, Error>),
    /// The beginning of a long text that a job reads.
    Beginning(JobId, Box<GatheredText>),
    /// The first part of an answer; the rest follows under the same job.
    AtHand(JobId, Box<Sources>, PolicyStep),
}

/// A tab, as seen by the shell. What is refused is decided by [`Tab::when`] and [`Actions::when_acting`] alone: nothing that they
/// refuse reaches [`Tab::on`] or [`Actions::run`].
pub trait Tab {
    /// The scopes in which keys are looked up, the most specific first.
    fn scopes(&self, facts: &Facts) -> Vec<Scope>;

    /// The list in front; its filter, orders and marks are those of the tab.
    fn list(&self) -> Option<&dyn AnyList> {
        None
    }

    /// The list in front as it is written to a file.
    fn written_list(&self) -> Option<ListInFront<'_>> {
        self.list().map(ListInFront::Held)
    }

    /// The local records that a form of the tab asks for, where it is such a form.
    fn asked_records(&self) -> Option<ViewQuery> {
        None
    }

    /// The list in front, mutable.
    fn list_mut(&mut self) -> Option<&mut dyn AnyList> {
        None
    }

    /// The text field that is open, if any.
    fn field(&mut self) -> Option<&mut TextField> {
        self.list_mut()?.field()
    }

    /// The next time at which the tab asks something, or changes its appearance, without input.
    fn wakes_at(&self, _now: Timestamp) -> Option<Timestamp> {
        None
    }

    /// Whether the tab currently shows this destination, which belongs to it.
    fn shows(&self, _place: &Destination) -> bool {
        true
    }

    /// Handles a gesture.
    fn on(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> Flow;

    /// Handles what happens to it.
    fn handle(&mut self, event: TabEvent<'_>, ctx: &mut UpdateCtx<'_>) -> Flow;

    /// What a gesture costs here now.
    ///
    /// # Errors
    /// Why it has no effect.
    fn when(&self, gesture: Gesture, ctx: &ViewCtx<'_>) -> Result<Price, Why>;

    /// The footer's word for a gesture, if it depends on the state of the tab.
    fn hint(&self, _gesture: Gesture) -> Option<&'static str> {
        None
    }

    /// The price of opening a destination, for what is open over this tab.
    fn price_of(&self, _place: &Destination, _ctx: &ViewCtx<'_>) -> Line<'static> {
        Line::default()
    }

    /// Copies formats that only this tab can make; returns whether it did. The shell makes the others from the subject.
    fn copy(&mut self, _what: Yank, _ctx: &mut UpdateCtx<'_>) -> bool {
        false
    }

    /// What is in front.
    fn subject(&self) -> Subject<'_>;

    /// Draws it. Returns the area of what is in front, which the raw text replaces.
    fn draw(&self, frame: &mut Frame<'_>, area: Rect, ctx: &ViewCtx<'_>) -> Rect;
}

/// The actions of a tab, with their keys.
pub trait Actions: Tab {
    /// The type of the actions.
    type Action: Copy + fmt::Debug + Eq + 'static;

    /// The key bindings of its scopes.
    const KEYS: &'static [Binding<Self::Action>];

    /// What an action costs now.
    ///
    /// # Errors
    /// Why it has no effect.
    fn when_acting(&self, action: Self::Action, ctx: &ViewCtx<'_>) -> Result<Price, Why>;

    /// The footer's word for an action, if it depends on the state of the tab.
    fn hint_acting(&self, _action: Self::Action, _ctx: &ViewCtx<'_>) -> Option<&'static str> {
        None
    }

    /// Performs an action.
    fn run(&mut self, action: Self::Action, ctx: &mut UpdateCtx<'_>) -> Flow;
}
