//! The interface between the shell and the tabs.

use std::{borrow::Cow, fmt, net::IpAddr};

use jiff::Timestamp;
use ratatui::{Frame, layout::Rect, text::Line};

use super::{
    UpdateCtx, ViewCtx,
    binding::Binding,
    destination::Destination,
    facts::Facts,
    intent::{Gesture, Scope, Yank},
    list::AnyList,
    orders::Orders,
    request::JobId,
    sheet::Meaning,
    surface::{Flow, Surface},
};
use crate::{
    contract::Endpoint,
    engine::{Sources, answers::PolicyStep},
    model::Document,
    tui::ui::{cursor::Motion, spots::PaneId, widgets::text_field::TextField},
};

pub use super::request::TabReply;

/// What something may cost, in words; `None` if it is free, or if its hint already includes the price.
pub type Price = Option<Cow<'static, str>>;

/// Why something has no effect now.
pub type Why = Cow<'static, str>;

/// A tab, as seen by the shell. Tabs that have not moved yet implement `scopes`, `gesture`, `idle` and `price` in place of `on` and
/// `when`, and keep what is open over them themselves.
pub trait Tab: fmt::Debug {
    /// Its name in the header.
    fn title(&self) -> &'static str;

    /// The scopes in which keys are looked up, the most specific first.
    fn scopes(&self, facts: &Facts) -> Vec<Scope>;

    /// The list in front; its filter, orders and marks are those of the tab.
    fn list(&self) -> Option<&dyn AnyList> {
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

    /// The number of rows of the menu over the tab.
    fn choices(&self) -> usize {
        0
    }

    /// Handles a change of the text field.
    fn typed(&mut self, _ctx: &mut UpdateCtx<'_>) {
        if let Some(list) = self.list_mut() {
            list.typed();
        }
    }

    /// Handles a pasted text, with its line breaks; returns whether it did. If not, it goes into the field as one line.
    fn pasted(&mut self, _text: &str, _ctx: &mut UpdateCtx<'_>) -> bool {
        false
    }

    /// Called at the start of the program: requests what an earlier run left. Sends nothing.
    fn begin(&mut self, _ctx: &mut UpdateCtx<'_>) {}

    /// The next time at which the tab asks something, or changes its appearance, without input.
    fn wakes_at(&self, _now: Timestamp) -> Option<Timestamp> {
        None
    }

    /// Called at or after that time.
    fn tick(&mut self, _ctx: &mut UpdateCtx<'_>) {}

    /// Called when the terminal window gets the focus while the tab is in front: local data may have changed.
    fn focused(&mut self, _ctx: &mut UpdateCtx<'_>) {}

    /// Called after a release was downloaded or deleted: counts in local feeds may have changed.
    fn local_changed(&mut self, _ctx: &mut UpdateCtx<'_>) {}

    /// Called when the tab comes to the front by its key.
    fn arrive(&mut self, _ctx: &mut UpdateCtx<'_>) {}

    /// Called when the tab's key is pressed while it is in front: returns to the first page. What was open is kept.
    fn home(&mut self, _ctx: &mut UpdateCtx<'_>) {}

    /// Called when another tab comes to the front: cancels questions that only served the screen.
    fn leave(&mut self, _ctx: &mut UpdateCtx<'_>) {}

    /// Whether a destination belongs to this tab.
    fn has(&self, _place: &Destination) -> bool {
        false
    }

    /// Whether the tab currently shows this destination.
    fn shows(&self, place: &Destination) -> bool {
        self.has(place)
    }

    /// What is opened over the tab for a destination, in place of [`Tab::open`].
    fn surface(&self, _place: &Destination, _ctx: &mut UpdateCtx<'_>) -> Option<Box<dyn Surface>> {
        None
    }

    /// Opens a destination of this tab, and fetches missing data.
    fn open(&mut self, _place: Destination, _ctx: &mut UpdateCtx<'_>) {}

    /// Shows a destination of this tab in its previous state. May read free data; sends nothing.
    fn show(&mut self, _place: &Destination, _ctx: &mut UpdateCtx<'_>) {}

    /// Called when the trail is erased.
    fn forget(&mut self) {}

    /// Moves the focus to a clicked pane. Text that is being typed stays.
    fn point(&mut self, _pane: PaneId, _ctx: &mut UpdateCtx<'_>) {}

    /// Moves in a pane without changing the focus.
    fn move_in(&mut self, _pane: PaneId, motion: Motion, ctx: &mut UpdateCtx<'_>) {
        self.on(Gesture::Go(motion), ctx);
    }

    /// Handles a gesture; returns whether it has a meaning here.
    fn gesture(&mut self, _gesture: Gesture, _ctx: &mut UpdateCtx<'_>) -> bool {
        false
    }

    /// Handles a gesture.
    fn on(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> Flow {
        self.gesture(gesture, ctx).into()
    }

    /// Called at the end of each change of the state while the tab is in front: derives what follows from the state, and asks for
    /// what the selection needs. Free.
    fn refresh(&mut self, _ctx: &mut UpdateCtx<'_>) {}

    /// Whether [`Tab::when`] and [`Actions::when_acting`] decide alone what is refused. In other tabs, actions decide again.
    fn is_guarded(&self) -> bool {
        false
    }

    /// What a gesture costs here now.
    ///
    /// # Errors
    /// Why it has no effect.
    fn when(&self, gesture: Gesture, ctx: &ViewCtx<'_>) -> Result<Price, Why> {
        match self.idle(gesture, ctx) {
            Some(why) => Err(why),
            None => Ok(self.price(gesture, ctx)),
        }
    }

    /// Handles the first part of an answer; the rest follows under the same job.
    fn at_hand(
        &mut self,
        _job: JobId,
        _sources: Sources,
        _next: PolicyStep,
        _ctx: &mut UpdateCtx<'_>,
    ) {
    }

    /// Why a gesture has no effect here now; `None` if it has one.
    fn idle(&self, _gesture: Gesture, _ctx: &ViewCtx<'_>) -> Option<Cow<'static, str>> {
        None
    }

    /// The footer's word for a gesture, if it depends on the state of the tab.
    fn hint(&self, _gesture: Gesture) -> Option<&'static str> {
        None
    }

    /// Whether there is something to copy.
    fn has_copy(&self) -> bool {
        true
    }

    /// Whether going back is a step within the current state of this tab, regardless of the trail.
    fn steps_back(&self) -> bool {
        false
    }

    /// The orders of the table in front; `None` without a table, or if its order is fixed.
    fn orders(&self, _ctx: &ViewCtx<'_>) -> Option<Orders> {
        self.list().map(AnyList::orders)
    }

    /// Sorts the table by one of its orders, in its usual direction or reversed.
    fn sort(&mut self, order: usize, turned: bool, ctx: &mut UpdateCtx<'_>) {
        if let Some(list) = self.list_mut() {
            list.sort(order, turned, ctx.out);
        }
    }

    /// The possible price of a gesture here, if it may cost a query; `None` if it is free, or if its word already includes the
    /// price.
    fn price(&self, _gesture: Gesture, _ctx: &ViewCtx<'_>) -> Option<Cow<'static, str>> {
        None
    }

    /// The price of opening a destination, for what is open over this tab.
    fn price_of(&self, _place: &Destination, _ctx: &ViewCtx<'_>) -> Line<'static> {
        Line::default()
    }

    /// Handles the answer to a question of this tab.
    fn answered(&mut self, reply: TabReply<'_>, ctx: &mut UpdateCtx<'_>);

    /// Copies formats that only this tab can make; returns whether it did. The shell makes the others from the methods below.
    fn copy(&mut self, _what: Yank, _ctx: &mut UpdateCtx<'_>) -> bool {
        false
    }

    /// The names of the marked rows, in order.
    fn marked(&self) -> Vec<String> {
        self.list().map(AnyList::marked).unwrap_or_default()
    }

    /// The name of the current subject.
    fn name(&self, _ctx: &UpdateCtx<'_>) -> Option<String> {
        self.address().map(|address| address.to_string())
    }

    fn address(&self) -> Option<IpAddr> {
        None
    }

    /// The request of the current subject.
    fn endpoint(&self, _ctx: &UpdateCtx<'_>) -> Option<Endpoint> {
        None
    }

    /// The meaning of the row under the cursor.
    fn meaning(&self, _ctx: &UpdateCtx<'_>) -> Option<Meaning> {
        None
    }

    /// The JSON of the service for the current subject.
    fn document(&self) -> Option<&Document> {
        None
    }

    /// Prepares to show the raw text; returns its title, or `None` in a tab without raw text.
    fn before_raw(&mut self, _ctx: &UpdateCtx<'_>) -> Option<String> {
        None
    }

    /// The message if there is no raw text.
    fn without_document(&self) -> String {
        "there is no JSON here yet".to_owned()
    }

    /// The area that the raw text replaces.
    fn raw_area(&self, body: Rect, _zoomed: bool) -> Rect {
        body
    }

    fn draw(&self, frame: &mut Frame<'_>, area: Rect, ctx: &ViewCtx<'_>);
}

/// The actions of a tab, with their keys.
pub trait Actions: Tab {
    /// The type of the actions.
    type Action: Copy + fmt::Debug + Eq + 'static;

    /// The key bindings of its scopes.
    const KEYS: &'static [Binding<Self::Action>];

    /// Why an action has no effect now; `None` if it has one.
    fn idle_action(&self, _action: Self::Action, _ctx: &ViewCtx<'_>) -> Option<Cow<'static, str>> {
        None
    }

    /// What an action costs now.
    ///
    /// # Errors
    /// Why it has no effect.
    fn when_acting(&self, action: Self::Action, ctx: &ViewCtx<'_>) -> Result<Price, Why> {
        self.idle_action(action, ctx).map_or(Ok(None), Err)
    }

    /// The footer's word for an action, if it depends on the state of the tab.
    fn hint_acting(&self, _action: Self::Action, _ctx: &ViewCtx<'_>) -> Option<&'static str> {
        None
    }

    fn act(&mut self, _action: Self::Action, _ctx: &mut UpdateCtx<'_>) {}

    /// Performs an action.
    fn run(&mut self, action: Self::Action, ctx: &mut UpdateCtx<'_>) -> Flow {
        self.act(action, ctx);
        Flow::Done
    }
}
