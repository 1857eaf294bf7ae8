//! Keys of the browser.

use super::{
    Browser, BrowserFocus, BrowserOverlay, BrowserUndo,
    action::{BROWSER, BrowserAction, COMPARED, FACETS, MENU},
    areas::BrowserAreas,
    choice, columns,
    facets::FacetValue,
    menu::{Menu, MenuEffect, MenuItem},
};
use crate::{
    contract::Feed,
    model::{Day, Keyword},
    store::Filter,
    tui::{
        ctx::{
            UpdateCtx,
            intent::{Gesture, Scope},
        },
        ui::{cursor::Motion, theme::Tone},
    },
};

/// Why a key for a record does nothing while a value of the facets has the focus.
pub(super) const VALUE_IN_FOCUS: &str =
    "a value of the facets is selected: esc leads back to the records";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tui::tabs::feeds) enum KeyResult {
    /// The browser handled it.
    Done,
    /// The browser did not handle it.
    Ignored,
    Closed,
}

impl Browser {
    /// The scopes in which keys are looked up.
    pub(in crate::tui::tabs::feeds) fn scopes(&self) -> Vec<Scope> {
        match (&self.over, self.part) {
            (Some(BrowserOverlay::Filter(_) | BrowserOverlay::GoTo(_)), _) => vec![Scope::Filter],
            (Some(BrowserOverlay::Menu(_) | BrowserOverlay::Clauses), _) => vec![MENU],
            (Some(BrowserOverlay::Days(_)), _) => vec![COMPARED],
            (None, BrowserFocus::Facets) => vec![FACETS, BROWSER],
            (None, BrowserFocus::Records) => vec![BROWSER],
        }
    }

    /// Handles a gesture that all tabs share.
    pub(in crate::tui::tabs::feeds) fn on_gesture(
        &mut self,
        gesture: Gesture,
        ctx: &mut UpdateCtx<'_>,
    ) -> KeyResult {
        let done = match &self.over {
            Some(BrowserOverlay::Filter(_)) => self.on_filter(gesture, ctx),
            Some(BrowserOverlay::GoTo(_)) => self.on_place(gesture, ctx),
            Some(BrowserOverlay::Menu(_) | BrowserOverlay::Clauses) => self.on_menu(gesture, ctx),
            Some(BrowserOverlay::Days(days))
                if days.is_from_list
                    && matches!(gesture, Gesture::Escape | Gesture::Quit | Gesture::Back) =>
            {
                return KeyResult::Closed;
            }
            Some(BrowserOverlay::Days(_)) => self.on_days(gesture, ctx),
            None => match gesture {
                Gesture::Quit => return KeyResult::Closed,
                Gesture::Back if self.is_from_table => return KeyResult::Closed,
                Gesture::Escape => return self.escape(ctx),
                _ => self.on_records(gesture, ctx),
            },
        };
        if done {
            KeyResult::Done
        } else {
            KeyResult::Ignored
        }
    }

    fn on_records(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> bool {
        self.keeps_facets(ctx);
        match gesture {
            Gesture::Go(motion) => self.go(motion, ctx),
            Gesture::NextPane | Gesture::PreviousPane => self.switch(ctx),
            Gesture::Open if self.part == BrowserFocus::Facets => self.choose(choice::choose, ctx),
            Gesture::Open => self.enter(ctx),
            Gesture::Find => self.type_filter(ctx),
            Gesture::Refresh => self.refresh(ctx),
            Gesture::Cancel => {
                let was_pending = self.held.stop(ctx);
                self.restore_release(ctx);
                return self.marks.stop(ctx) || was_pending;
            }
            Gesture::Undo => self.undo(ctx),
            Gesture::Redo => self.redo(ctx),
            _ => return false,
        }
        true
    }

    pub(super) fn go(&mut self, motion: Motion, ctx: &mut UpdateCtx<'_>) {
        if self.part == BrowserFocus::Facets {
            return match motion {
                Motion::Left => self.part = BrowserFocus::Records,
                _ => self.facets.step(motion, &self.query),
            };
        }
        if matches!(motion, Motion::Left | Motion::Right) {
            return self.go_sideways(motion);
        }
        if let Some(menu) = self.dropping() {
            let len = menu.rows.len();
            self.clauses.cursor.step(motion, len);
            return;
        }
        self.cursor.step(motion, self.len());
        self.follow(ctx);
    }

    fn go_sideways(&mut self, motion: Motion) {
        let is_shown = |at: &usize| self.columns.get(*at).copied().unwrap_or(false);
        let next = match motion {
            Motion::Left => (0..self.column).rev().find(is_shown),
            _ => (self.column + 1..self.columns.len()).find(is_shown),
        };
        self.column = next.unwrap_or(self.column);
    }

    /// The menu for dropping a clause, if the filter matches no record.
    pub(super) fn dropping(&self) -> Option<Menu> {
        let shown = self.held.of(&self.query)?;
        let is_none = shown.view.count == 0 && !self.query.filter.is_empty();
        is_none.then(|| self.clauses.menu(&self.query)).flatten()
    }

    fn switch(&mut self, ctx: &UpdateCtx<'_>) {
        let is_shown = self.keeps_facets(ctx);
        self.part = match self.part {
            BrowserFocus::Records if is_shown => BrowserFocus::Facets,
            _ => BrowserFocus::Records,
        };
    }

    fn enter(&mut self, ctx: &mut UpdateCtx<'_>) {
        if let Some(menu) = self.dropping() {
            if let Some(MenuEffect::Filter(filter)) = menu.chosen().cloned() {
                self.filter(filter, ctx);
            }
            return;
        }
        let Some(row) = self.selected() else {
            return;
        };
        match self.lead(row, ctx) {
            Some(place) if self.column == 0 && self.is_free(ctx.facts, ctx.out.now) => {
                ctx.out.go = Some(place)
            }
            None if self.column == 0 => {
                ctx.out
                    .say(Tone::Info, "this record has no address to look up");
            }
            _ => self.over = self.menu(ctx).map(BrowserOverlay::Menu),
        }
    }

    fn undo(&mut self, ctx: &mut UpdateCtx<'_>) {
        match self.past.pop() {
            None => ctx.out.say(Tone::Info, "nothing to undo"),
            Some(before) => {
                let step = self.make(before, ctx);
                self.future.push(step);
            }
        }
    }

    fn redo(&mut self, ctx: &mut UpdateCtx<'_>) {
        match self.future.pop() {
            None => ctx.out.say(Tone::Info, "nothing to redo"),
            Some(next) => {
                let step = self.make(next, ctx);
                self.past.push(step);
            }
        }
    }

    /// Applies a change; returns its inverse.
    fn make(&mut self, step: BrowserUndo, ctx: &mut UpdateCtx<'_>) -> BrowserUndo {
        match step {
            BrowserUndo::Filter(filter) => {
                let before = self.query.filter.clone();
                self.show_filter(filter, ctx);
                self.amend_trail(ctx);
                BrowserUndo::Filter(before)
            }
            BrowserUndo::Marks(changed) => BrowserUndo::Marks(self.marks.restore(changed)),
        }
    }

    /// Closes the topmost thing: facets over the table, the focus, marks, the filter; last the browser.
    fn escape(&mut self, ctx: &mut UpdateCtx<'_>) -> KeyResult {
        let parts = BrowserAreas::of(ctx.body, self.shape());
        if self.part == BrowserFocus::Facets {
            self.part = BrowserFocus::Records;
            if !parts.is_wide {
                self.facets.chosen = None;
            }
        } else if let Some(changed) = self.marks.clear(ctx) {
            // Each press of the key undoes one thing.
            if !changed.is_empty() {
                self.keep(BrowserUndo::Marks(changed));
                ctx.out.say(Tone::Info, "marks cleared; u brings them back");
            }
        } else if !self.query.filter.is_empty() {
            self.filter(Filter::default(), ctx);
            ctx.out.say(Tone::Info, "filter cleared; u brings it back");
        } else {
            return KeyResult::Closed;
        }
        KeyResult::Done
    }

    fn on_menu(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> bool {
        match gesture {
            Gesture::Go(motion) => {
                let clauses = self.query.filter.terms.len();
                if let Some(BrowserOverlay::Menu(menu)) = &mut self.over {
                    menu.step(motion);
                } else {
                    self.clauses.cursor.step(motion, clauses);
                }
            }
            Gesture::Open => {
                let chosen = match &self.over {
                    Some(BrowserOverlay::Menu(menu)) => menu.chosen().cloned(),
                    _ => self
                        .clauses
                        .menu(&self.query)
                        .and_then(|menu| menu.chosen().cloned()),
                };
                if let Some(then) = chosen {
                    self.follow_choice(then, ctx);
                }
            }
            Gesture::Escape | Gesture::Quit | Gesture::Back => {
                self.close_over(ctx);
                self.follow(ctx);
            }
            // A list ignores all other gestures.
            _ => {}
        }
        true
    }

    fn follow_choice(&mut self, then: MenuEffect, ctx: &mut UpdateCtx<'_>) {
        if let MenuEffect::Column(at) = then {
            return self.switch_column(at);
        }
        self.over = None;
        match then {
            MenuEffect::Filter(filter) => self.filter(filter, ctx),
            MenuEffect::Go(place) => ctx.out.go = Some(place),
            MenuEffect::Copy(what, text) => ctx.out.copy(what, text),
            MenuEffect::Compare(day, newest) => self.compare(day, newest, ctx),
            MenuEffect::Column(_) => {}
        }
    }

    fn switch_column(&mut self, at: usize) {
        if let Some(shown) = self.columns.get_mut(at).filter(|_| at > 0) {
            *shown = !*shown;
            if !*shown && self.column == at {
                self.column = 0;
            }
        }
        if let Some(BrowserOverlay::Menu(menu)) = &mut self.over {
            let cursor = menu.cursor.clone();
            *menu = columns_menu(self.query.feed, &self.columns);
            menu.cursor = cursor;
        }
    }

    /// Performs an action of the browser. `days` are the local days of the feed, the newest first.
    pub(in crate::tui::tabs::feeds) fn act(
        &mut self,
        action: BrowserAction,
        days: &[Day],
        ctx: &mut UpdateCtx<'_>,
    ) {
        self.keeps_facets(ctx);
        match action {
            BrowserAction::Facets => self.open_facets(ctx),
            BrowserAction::Mark => self.mark(ctx),
            BrowserAction::MarkRange if self.part == BrowserFocus::Facets => {
                ctx.out.say(Tone::Info, VALUE_IN_FOCUS);
            }
            BrowserAction::MarkRange => self.mark_range(ctx),
            BrowserAction::MarkAll => self.mark_all(ctx),
            BrowserAction::InvertMarks => self.invert_marks(ctx),
            BrowserAction::Tabulate => self.tabulate_marks(ctx),
            BrowserAction::Export => self.export(ctx),
            BrowserAction::Compare => self.choose_day(days, ctx),
            BrowserAction::Clauses => self.count_clauses(ctx),
            BrowserAction::GoTo => {
                self.part = BrowserFocus::Records;
                self.type_place();
            }
            BrowserAction::Columns => {
                self.over = Some(BrowserOverlay::Menu(columns_menu(
                    self.query.feed,
                    &self.columns,
                )));
            }
            BrowserAction::Like if self.part == BrowserFocus::Facets => {
                self.choose(choice::choose, ctx);
            }
            BrowserAction::Like => self.like_cell(false, ctx),
            BrowserAction::Unlike if self.part == BrowserFocus::Facets => {
                self.choose(choice::exclude, ctx);
            }
            BrowserAction::Unlike => self.like_cell(true, ctx),
            BrowserAction::Collect => self.choose(choice::collect, ctx),
        }
    }

    fn open_facets(&mut self, ctx: &mut UpdateCtx<'_>) {
        if columns::facets(self.query.feed).is_empty() {
            return ctx.out.say(
                Tone::Info,
                "this feed has no fields whose values are counted",
            );
        }
        let is_shown = !BrowserAreas::of(ctx.body, self.shape()).facets.is_empty();
        if is_shown && self.part == BrowserFocus::Facets {
            self.facets.chosen = Some(false);
            self.part = BrowserFocus::Records;
        } else {
            self.facets.chosen = Some(true);
            self.part = BrowserFocus::Facets;
        }
        self.follow(ctx);
    }

    /// Changes the filter by the selected value of the facets.
    fn choose(
        &mut self,
        change: impl Fn(&Filter, Keyword, &str) -> Filter,
        ctx: &mut UpdateCtx<'_>,
    ) {
        if let Some(FacetValue { field, name, .. }) = self.facets.selected(&self.query) {
            self.facets.hold(field, &name);
            let filter = change(&self.query.filter, field, &name);
            self.filter(filter, ctx);
        }
    }

    fn like_cell(&mut self, negated: bool, ctx: &mut UpdateCtx<'_>) {
        let Some(row) = self.selected() else {
            return;
        };
        let kind = self.kind();
        match kind.clauses(&row.terms).as_slice() {
            [] => {
                let text = format!("the filter has no term for this cell of {}", kind.title);
                ctx.out.say(Tone::Info, text);
            }
            [clause] => {
                let filter = self.like(clause, negated);
                self.filter(filter, ctx);
            }
            _ => self.over = self.menu(ctx).map(BrowserOverlay::Menu),
        }
    }

    fn count_clauses(&mut self, ctx: &mut UpdateCtx<'_>) {
        if self.query.filter.is_empty() {
            return ctx.out.say(Tone::Info, "there is no filter: / types one");
        }
        self.clauses.retry();
        self.clauses.want(&self.query, ctx);
        self.over = Some(BrowserOverlay::Clauses);
    }
}

/// The menu of columns to show or hide.
fn columns_menu(feed: Feed, shown: &[bool]) -> Menu {
    let columns = columns::of(feed).iter().zip(shown).enumerate().skip(1);
    let item = |(at, (column, shown)): (usize, (&columns::ColumnKind, &bool))| {
        let mark = if *shown { "[x]" } else { "[ ]" };
        MenuItem::new(
            format!("{mark} {}", column.title),
            "",
            MenuEffect::Column(at),
        )
    };
    Menu::new("Columns", columns.map(item).collect())
}
