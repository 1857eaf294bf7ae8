//! The interface between the shell and the tabs.

use std::{borrow::Cow, fmt, net::IpAddr};

use jiff::Timestamp;
use ratatui::{Frame, layout::Rect};

use super::{
    UpdateCtx, ViewCtx,
    binding::Binding,
    destination::Destination,
    facts::Facts,
    intent::{Gesture, Scope, Yank},
    orders::Orders,
    request::{Answer, JobId, Question},
    sheet::Meaning,
};
use crate::{
    contract::Endpoint,
    engine::{Error, Sources, answers::PolicyStep},
    model::Document,
    tui::ui::{cursor::Motion, spots::PaneId, widgets::text_field::TextField},
};

/// What came back to a question of a tab.
#[derive(Debug)]
pub struct TabReply<'q> {
    pub job: JobId,
    /// What was asked.
    pub question: &'q Question,
    pub result: Result<Answer, Error>,
}

impl TabReply<'_> {
    /// Why nothing came.
    #[must_use]
    pub fn failure(&self) -> Option<String> {
        self.result
            .as_ref()
            .err()
            .map(|error| error.message.clone())
    }
}

/// A tab, as the shell knows it.
pub trait Tab: fmt::Debug {
    /// Its name in the header.
    fn title(&self) -> &'static str;

    /// The places in which keys are looked up, the most particular first.
    fn scopes(&self, facts: &Facts) -> Vec<Scope>;

    /// The field that takes what is typed.
    fn field(&mut self) -> Option<&mut TextField> {
        None
    }

    /// How many rows the menu has that lies over the tab.
    fn choices(&self) -> usize {
        0
    }

    /// What was typed has changed.
    fn typed(&mut self, _ctx: &mut UpdateCtx<'_>) {}

    /// A text is pasted, with its line breaks; returns whether it was taken. Else it goes into the field as one line.
    fn pasted(&mut self, _text: &str, _ctx: &mut UpdateCtx<'_>) -> bool {
        false
    }

    /// The program begins: what an earlier run has left is asked for. Nothing is sent.
    fn begin(&mut self, _ctx: &mut UpdateCtx<'_>) {}

    /// When something is to be asked by itself next, or looks otherwise by itself.
    fn wakes_at(&self, _now: Timestamp) -> Option<Timestamp> {
        None
    }

    /// It may be time for that.
    fn tick(&mut self, _ctx: &mut UpdateCtx<'_>) {}

    /// The terminal window has the focus again, and the tab is in front: what is local may have changed meanwhile.
    fn focused(&mut self, _ctx: &mut UpdateCtx<'_>) {}

    /// A release was downloaded or deleted: what was counted in the local feeds may be another number now.
    fn local_changed(&mut self, _ctx: &mut UpdateCtx<'_>) {}

    /// The tab comes to the front by its own key.
    fn arrive(&mut self, _ctx: &mut UpdateCtx<'_>) {}

    /// The tab's own key is pressed while it is in front: to its first page. What was opened before it is kept.
    fn home(&mut self, _ctx: &mut UpdateCtx<'_>) {}

    /// Another tab comes to the front: what was asked for the screen alone is no longer waited for.
    fn leave(&mut self, _ctx: &mut UpdateCtx<'_>) {}

    /// Whether a place is in this tab.
    fn has(&self, _place: &Destination) -> bool {
        false
    }

    /// Whether a place of this tab is what it shows.
    fn shows(&self, place: &Destination) -> bool {
        self.has(place)
    }

    /// Opens a place of this tab, fetching what is not known of it.
    fn open(&mut self, _place: Destination, _ctx: &mut UpdateCtx<'_>) {}

    /// Shows a place of this tab as it was left. What is free may be read; nothing is sent.
    fn show(&mut self, _place: &Destination, _ctx: &mut UpdateCtx<'_>) {}

    /// The trail is erased.
    fn forget(&mut self) {}

    /// Lets keys go to a pane that was clicked. What is being typed there stays as it is.
    fn point(&mut self, _pane: PaneId, _ctx: &mut UpdateCtx<'_>) {}

    /// Moves in a pane, wherever keys go.
    fn move_in(&mut self, _pane: PaneId, motion: Motion, ctx: &mut UpdateCtx<'_>) {
        self.gesture(Gesture::Go(motion), ctx);
    }

    /// Does what a person wants; returns whether it means something here.
    fn gesture(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> bool;

    /// The first part of an answer to a question of this tab; what follows comes under the same job.
    fn at_hand(
        &mut self,
        _job: JobId,
        _sources: Sources,
        _next: PolicyStep,
        _ctx: &mut UpdateCtx<'_>,
    ) {
    }

    /// Why what any tab may be asked for does nothing here now; `None` where it does something.
    fn idle(&self, _gesture: Gesture, _ctx: &ViewCtx<'_>) -> Option<Cow<'static, str>> {
        None
    }

    /// What the footer calls this here, where that depends on what the tab shows.
    fn hint(&self, _gesture: Gesture) -> Option<&'static str> {
        None
    }

    /// Whether there is something to copy.
    fn has_copy(&self) -> bool {
        true
    }

    /// Whether the way back is a step within this tab as it is, however the trail begins.
    fn steps_back(&self) -> bool {
        false
    }

    /// The orders of the table in front; nothing where there is none, or where its order has a meaning.
    fn orders(&self, _ctx: &ViewCtx<'_>) -> Option<Orders> {
        None
    }

    /// Shows the table in one of its orders, in its usual direction or turned round.
    fn sort(&mut self, _order: usize, _turned: bool, _ctx: &mut UpdateCtx<'_>) {}

    /// What it may cost to do this here, where it may cost a query; nothing where it is free, or where what the key is called names the
    /// price already.
    fn price(&self, _gesture: Gesture, _ctx: &ViewCtx<'_>) -> Option<Cow<'static, str>> {
        None
    }

    /// An answer to a question of this tab.
    fn answered(&mut self, reply: TabReply<'_>, ctx: &mut UpdateCtx<'_>);

    /// Copies what only this tab can make; returns whether there was something. The rest follows from the methods below.
    fn copy(&mut self, _what: Yank, _ctx: &mut UpdateCtx<'_>) -> bool {
        false
    }

    /// The names of the rows that are marked, in order.
    fn marked(&self) -> Vec<String> {
        Vec::new()
    }

    /// The name of what is shown.
    fn name(&self, _ctx: &UpdateCtx<'_>) -> Option<String> {
        self.address().map(|address| address.to_string())
    }

    fn address(&self) -> Option<IpAddr> {
        None
    }

    /// The request of what is shown.
    fn endpoint(&self, _ctx: &UpdateCtx<'_>) -> Option<Endpoint> {
        None
    }

    /// What the row under the cursor is.
    fn meaning(&self, _ctx: &UpdateCtx<'_>) -> Option<Meaning> {
        None
    }

    /// The service's own text of what is shown.
    fn document(&self) -> Option<&Document> {
        None
    }

    /// Before its text is shown raw: the title for that, or `None` in a tab that shows none.
    fn before_raw(&mut self, _ctx: &UpdateCtx<'_>) -> Option<String> {
        None
    }

    /// What is said where there is no text of the service's own.
    fn without_document(&self) -> String {
        "there is no JSON here yet".to_owned()
    }

    /// The part of the tab whose place the raw text takes.
    fn raw_area(&self, body: Rect, _zoomed: bool) -> Rect {
        body
    }

    fn draw(&self, frame: &mut Frame<'_>, area: Rect, ctx: &ViewCtx<'_>);
}

/// What a tab alone can do, with the keys for it.
pub trait Actions: Tab {
    /// What it can do.
    type Action: Copy + fmt::Debug + Eq + 'static;

    /// The keys of its places.
    const KEYS: &'static [Binding<Self::Action>];

    /// Why one of them does nothing now; `None` where it does something.
    fn idle_action(&self, _action: Self::Action, _ctx: &ViewCtx<'_>) -> Option<Cow<'static, str>> {
        None
    }

    fn act(&mut self, action: Self::Action, ctx: &mut UpdateCtx<'_>);
}
