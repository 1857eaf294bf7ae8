//! The browser, as its tab knows it: when its keys have an effect, and what they do.

use std::mem;

use jiff::Timestamp;
use ratatui::{Frame, layout::Rect};

use super::{
    Browser, BrowserFocus, BrowserOverlay,
    areas::BrowserAreas,
    choice, columns,
    filter_line::FilterLine,
    menu::{Menu, MenuEffect},
    records::{BrowserRow, NO_ADDRESS, NO_EXPORT, NO_OPERATOR, VALUE_IN_FOCUS},
    view,
};
use crate::{
    contract::{Endpoint, LookupQuery},
    engine::views::ViewQuery,
    investigation::comparison::SideName,
    model::Keyword,
    store::Filter,
    tui::{
        ctx::{
            AnyList, Facts, Flow, Gesture, ListInFront, Price, Rows, Scope, Subject, Tab, TabEvent,
            UpdateCtx, ViewCtx, Why, Yank,
        },
        tabs::feeds::keys::{BROWSER, BrowserAction, COMPARED, FACETS, MENU},
        ui::{Motion, PaneId, TextField, Tone},
    },
};

const NO_RECORD: &str = "there is no record under the cursor";
const NO_VALUE: &str = "there is no value under the cursor";

/// The panes by number.
const PANES: [BrowserFocus; 2] = [BrowserFocus::Records, BrowserFocus::Facets];

impl Browser {
    /// The list that has the keys: one over the records, or the clauses to drop where there are no records.
    pub(super) fn menu(&self) -> Option<&Menu> {
        match &self.over {
            Some(BrowserOverlay::Menu(menu)) => Some(menu),
            Some(BrowserOverlay::Clauses) => self.clauses.menu(self.query()),
            Some(_) => None,
            None => self.dropping(),
        }
    }

    fn menu_mut(&mut self) -> Option<&mut Menu> {
        self.menu()?;
        match &mut self.over {
            Some(BrowserOverlay::Menu(menu)) => Some(menu),
            _ => self.clauses.menu_mut(self.list.query()),
        }
    }

    /// Whether keys act on a value of the facets.
    pub(super) fn has_facets_in_focus(&self) -> bool {
        self.over.is_none() && self.part == BrowserFocus::Facets
    }

    /// What an action costs now.
    ///
    /// # Errors
    /// Why it has no effect.
    pub(in crate::tui::tabs::feeds) fn when_acting(
        &self,
        action: BrowserAction,
    ) -> Result<Price, Why> {
        if let (BrowserAction::Others, Some(BrowserOverlay::Days(days))) = (action, &self.over) {
            return days.when_others();
        }
        if self.over.is_some() {
            return Ok(None);
        }
        let query = self.query();
        let row = self.list.row();
        let is_in_facets = self.part == BrowserFocus::Facets;
        let why = match action {
            BrowserAction::Collect
            | BrowserAction::Unlike
            | BrowserAction::Like
            | BrowserAction::Explain
                if is_in_facets && self.facets.selected(query).is_none() =>
            {
                NO_VALUE
            }
            BrowserAction::Like | BrowserAction::Unlike | BrowserAction::Explain
                if row.is_none() && !is_in_facets =>
            {
                NO_RECORD
            }
            BrowserAction::Like | BrowserAction::Unlike if !is_in_facets => {
                let column = self.column();
                let has_clause = row.is_some_and(|row| !column.clauses(&row.terms).is_empty());
                if has_clause {
                    return Ok(None);
                }
                let why = format!("the filter has no term for this cell of {}", column.title);
                return Err(why.into());
            }
            BrowserAction::Tabulate if self.list.marks().is_empty() => {
                "nothing is marked: space, V or A marks records"
            }
            BrowserAction::Tabulate if self.marked_addresses().is_empty() => {
                "no marked record is about one address"
            }
            BrowserAction::Clauses if query.filter.is_empty() => "there is no filter: / types one",
            BrowserAction::Facets if columns::facets(query.feed).is_empty() => {
                "this feed has no fields whose values are counted"
            }
            BrowserAction::Export if self.exported().is_none() => NO_EXPORT,
            BrowserAction::Common
                if self
                    .list
                    .rows()
                    .current()
                    .is_some_and(|rows| rows.head.count == 0) =>
            {
                "the filter selects no record"
            }
            BrowserAction::Export
                if !self.list.marks().is_empty() && self.marked_tags().is_empty() =>
            {
                NO_OPERATOR
            }
            BrowserAction::Compare if query.day.is_none() => "windows of realtime are not compared",
            BrowserAction::Compare if self.days.iter().all(|day| Some(*day) == query.day) => {
                let why = format!(
                    "no other day of {} is local: d lists days to download",
                    query.feed
                );
                return Err(why.into());
            }
            _ => return Ok(None),
        };
        Err(why.into())
    }

    /// Updates the filter after its text has changed.
    fn typed(&mut self, ctx: &mut UpdateCtx<'_>) {
        if let Some(BrowserOverlay::Filter(line)) = &mut self.over {
            line.follow(self.list.query(), ctx);
            self.preview(ctx);
        }
    }

    /// Shows the records of the typed filter, as far as it can be parsed.
    pub(super) fn preview(&mut self, ctx: &mut UpdateCtx<'_>) {
        if let Some(BrowserOverlay::Filter(line)) = &mut self.over
            && let Some(filter) = line.preview()
        {
            self.show_filter(filter, ctx);
        }
    }

    /// Moves the focus to a pane, unless an overlay is open.
    fn point_at(&mut self, pane: PaneId) {
        if let Some(part) = PANES.get(usize::from(pane)).copied()
            && self.over.is_none()
        {
            self.part = part;
        }
    }

    /// Moves in a pane without changing the focus.
    fn move_in_pane(&mut self, pane: PaneId, motion: Motion, ctx: &mut UpdateCtx<'_>) {
        if let Some(BrowserOverlay::Days(days)) = &mut self.over {
            days.on(Gesture::Go(motion), ctx);
        } else if let Some(part) = PANES.get(usize::from(pane)).copied() {
            let before = mem::replace(&mut self.part, part);
            self.go(motion, ctx);
            self.part = before;
        }
    }

    fn on_records(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> Flow {
        match gesture {
            Gesture::Quit => return Flow::Close,
            Gesture::Back if self.is_from_table => return Flow::Close,
            Gesture::Escape => return self.escape(ctx),
            Gesture::Go(motion) => self.go(motion, ctx),
            Gesture::NextPane | Gesture::PreviousPane => {
                self.part = PANES[usize::from(self.part == BrowserFocus::Records)];
            }
            Gesture::Open if self.part == BrowserFocus::Facets => self.choose(choice::choose, ctx),
            Gesture::Open => self.enter(ctx),
            Gesture::Find => self.type_filter(ctx),
            Gesture::Refresh => self.refresh(ctx),
            Gesture::Cancel => return self.stop_records(ctx).into(),
            gesture if gesture.is_mark() => self.list.mark(gesture, ctx),
            Gesture::Undo => self.undo(false, ctx),
            Gesture::Redo => self.undo(true, ctx),
            _ => return Flow::Ignored,
        }
        Flow::Done
    }

    fn go(&mut self, motion: Motion, ctx: &mut UpdateCtx<'_>) {
        self.is_stopped = false;
        if self.part == BrowserFocus::Facets {
            return match motion {
                Motion::Left => self.part = BrowserFocus::Records,
                _ => self.facets.step(motion, self.list.query()),
            };
        }
        let is_sideways = matches!(motion, Motion::Left | Motion::Right);
        if !is_sideways && let Some(menu) = self.menu_mut() {
            return menu.step(motion);
        }
        self.list.on(Gesture::Go(motion), ctx.out);
    }

    fn enter(&mut self, ctx: &mut UpdateCtx<'_>) {
        if self.menu().is_some() {
            return self.apply_chosen(ctx);
        }
        let row = self.list.row().filter(|_| self.list.column() == 0);
        let lead = row.and_then(|row| self.lead(row, ctx.facts, ctx.out.now));
        match lead.filter(|_| self.is_free(ctx.facts, ctx.out.now)) {
            Some(place) => ctx.out.go = Some(place),
            None => self.over = self.cell_menu(ctx).map(BrowserOverlay::Menu),
        }
    }

    /// Closes the topmost thing: facets over the table, the focus, marks, the filter; last the browser.
    fn escape(&mut self, ctx: &mut UpdateCtx<'_>) -> Flow {
        if self.part == BrowserFocus::Facets {
            self.part = BrowserFocus::Records;
            if !BrowserAreas::of(ctx.body, self.shape()).is_wide {
                self.facets.chosen = None;
            }
        } else if self.list.escape(ctx) {
            // Each press of the key undoes one thing.
        } else if !self.query().filter.is_empty() {
            self.filter(Filter::default(), ctx);
            ctx.out.say(Tone::Info, "filter cleared; u brings it back");
        } else {
            return Flow::Close;
        }
        Flow::Done
    }

    fn type_filter(&mut self, ctx: &mut UpdateCtx<'_>) {
        let mut line = FilterLine::of(&self.query().filter);
        line.follow(self.query(), ctx);
        self.over = Some(BrowserOverlay::Filter(Box::new(line)));
    }

    fn on_filter(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> bool {
        let Some(BrowserOverlay::Filter(line)) = &mut self.over else {
            return false;
        };
        match gesture {
            Gesture::NextPane | Gesture::PreviousPane | Gesture::Go(_) => {
                if line.on(gesture, &self.history, self.list.query(), ctx) {
                    self.preview(ctx);
                }
            }
            // The message is shown below the field and disappears with the mistake; a notice would stay.
            Gesture::Open => match line.read() {
                None => line.refuse(),
                Some(filter) => self.apply(filter, ctx),
            },
            Gesture::Escape => drop(self.close_over(ctx)),
            _ => return false,
        }
        true
    }

    /// Applies the typed filter.
    fn apply(&mut self, filter: Filter, ctx: &mut UpdateCtx<'_>) {
        let Some(BrowserOverlay::Filter(mut line)) = self.over.take() else {
            return;
        };
        line.stop(ctx);
        let text = filter.to_string();
        if !text.is_empty() && self.history.last() != Some(&text) {
            self.history.retain(|word| *word != text);
            self.history.push(text);
        }
        if line.before != filter {
            let before = ViewQuery {
                filter: line.before,
                ..self.query().clone()
            };
            self.list.keep(before);
        }
        self.show_filter(filter, ctx);
    }

    /// Applies the selected row of the list that has the keys.
    fn apply_chosen(&mut self, ctx: &mut UpdateCtx<'_>) {
        if let Some(effect) = self.menu().and_then(Menu::chosen).cloned() {
            self.apply_choice(effect, ctx);
        }
    }

    fn apply_choice(&mut self, effect: MenuEffect, ctx: &mut UpdateCtx<'_>) {
        if let MenuEffect::Column(at) = effect {
            let title = columns::of(self.query().feed)[at].title;
            self.list.hide(title, self.list.is_shown(at));
            let columns = self.columns_menu();
            if let Some(BrowserOverlay::Menu(menu)) = &mut self.over {
                menu.rows = columns.rows;
            }
            return;
        }
        self.over = None;
        match effect {
            MenuEffect::Filter(filter) => self.filter(filter, ctx),
            MenuEffect::Go(place) => ctx.out.go = Some(place),
            MenuEffect::Copy(what, text) => ctx.out.copy(what, text),
            MenuEffect::Compare(day) => self.compare(day, ctx),
            MenuEffect::Column(_) => {}
        }
    }

    /// Performs an action of the browser.
    pub(in crate::tui::tabs::feeds) fn act(
        &mut self,
        action: BrowserAction,
        ctx: &mut UpdateCtx<'_>,
    ) {
        self.is_stopped = false;
        let is_in_facets = self.part == BrowserFocus::Facets;
        match action {
            BrowserAction::Facets => {
                self.facets.chosen = Some(!is_in_facets);
                self.part = PANES[usize::from(!is_in_facets)];
            }
            BrowserAction::Tabulate => self.tabulate_marks(ctx),
            BrowserAction::Export => self.export(ctx),
            // The tab opens the list of it.
            BrowserAction::Common | BrowserAction::Explain => {}
            BrowserAction::Compare => self.choose_day(ctx),
            BrowserAction::Others => {
                if let Some(BrowserOverlay::Days(days)) = &mut self.over {
                    days.toggle_others(ctx);
                }
            }
            BrowserAction::Clauses => {
                self.clauses.retry();
                self.clauses.want(self.list.query(), ctx);
                self.over = Some(BrowserOverlay::Clauses);
            }
            BrowserAction::GoTo => {
                self.part = BrowserFocus::Records;
                let field = TextField::new("a row number, an address or a network");
                self.over = Some(BrowserOverlay::GoTo(field));
            }
            BrowserAction::Columns => self.over = Some(BrowserOverlay::Menu(self.columns_menu())),
            BrowserAction::Like if is_in_facets => self.choose(choice::choose, ctx),
            BrowserAction::Like => self.like_cell(false, ctx),
            BrowserAction::Unlike if is_in_facets => self.choose(choice::exclude, ctx),
            BrowserAction::Unlike => self.like_cell(true, ctx),
            BrowserAction::Collect => self.choose(choice::collect, ctx),
        }
    }

    /// Changes the filter by the selected value of the facets.
    fn choose(
        &mut self,
        change: impl Fn(&Filter, Keyword, &str) -> Filter,
        ctx: &mut UpdateCtx<'_>,
    ) {
        if let Some(value) = self.facets.selected(self.query()) {
            self.facets.hold(value.field, &value.name);
            let filter = change(&self.query().filter, value.field, &value.name);
            self.filter(filter, ctx);
        }
    }

    /// Changes the filter by the cell under the cursor; by one of its values after a choice.
    fn like_cell(&mut self, negated: bool, ctx: &mut UpdateCtx<'_>) {
        let row = self.list.row();
        let clauses = row.map(|row| self.column().clauses(&row.terms));
        match clauses.as_deref() {
            Some([clause]) => {
                let filter = self.like(clause, negated);
                self.filter(filter, ctx);
            }
            Some(_) => self.over = self.cell_menu(ctx).map(BrowserOverlay::Menu),
            None => {}
        }
    }
}

impl Tab for Browser {
    fn scopes(&self, _facts: &Facts) -> Vec<Scope> {
        match (&self.over, self.part) {
            (Some(BrowserOverlay::Filter(_) | BrowserOverlay::GoTo(_)), _) => vec![Scope::Filter],
            (Some(BrowserOverlay::Menu(_) | BrowserOverlay::Clauses), _) => vec![MENU],
            (Some(BrowserOverlay::Days(_)), _) => vec![COMPARED],
            (None, BrowserFocus::Facets) => vec![FACETS, BROWSER],
            (None, BrowserFocus::Records) => vec![BROWSER],
        }
    }

    fn list(&self) -> Option<&dyn AnyList> {
        Some(self)
    }

    fn written_list(&self) -> Option<ListInFront<'_>> {
        Some(match &self.over {
            None if self.part == BrowserFocus::Facets => {
                ListInFront::of_values("records", self.facets.counted(self.query()))
            }
            _ => ListInFront::Held(self),
        })
    }

    fn list_mut(&mut self) -> Option<&mut dyn AnyList> {
        Some(self)
    }

    fn wakes_at(&self, now: Timestamp) -> Option<Timestamp> {
        let facets = self.facets.late_at(self.query());
        let late = [self.list.rows().late_at(), facets].into_iter().flatten();
        late.filter(|at| *at > now).min()
    }

    fn hint(&self, gesture: Gesture) -> Option<&'static str> {
        Some(match (&self.over, gesture) {
            (Some(BrowserOverlay::Days(days)), Gesture::Open) if days.is_free() => "look up (free)",
            (Some(BrowserOverlay::Days(days)), Gesture::Escape) if days.is_from_list => "feeds",
            (None, Gesture::Escape) if self.part == BrowserFocus::Facets => "records",
            (None, Gesture::Escape) if self.list.rows().is_marking() => "stop",
            (None, Gesture::Escape) if self.list.marks().has_range() => "no range",
            (None, Gesture::Escape) if !self.list.marks().is_empty() => "unmark",
            (None, Gesture::Escape) if !self.query().filter.is_empty() => "clear filter",
            (None, Gesture::Escape) => "feeds",
            _ => return None,
        })
    }

    fn when(&self, gesture: Gesture, ctx: &ViewCtx<'_>) -> Result<Price, Why> {
        let is_in_facets = self.has_facets_in_focus();
        let row = self.list.row();
        let why = match (&self.over, gesture) {
            (Some(BrowserOverlay::Days(days)), _) => return days.when(gesture),
            (
                Some(BrowserOverlay::Menu(_) | BrowserOverlay::Clauses),
                Gesture::Find | Gesture::NextPane,
            ) => "esc closes what is on top first",
            (Some(BrowserOverlay::Menu(menu)), Gesture::Open) => {
                let price = match menu.chosen() {
                    Some(MenuEffect::Go(place)) => place.price(ctx.facts),
                    _ => None,
                };
                return Ok(price.map(Into::into));
            }
            (Some(BrowserOverlay::GoTo(_)), Gesture::NextPane | Gesture::Go(Motion::Up)) => {
                "a place has no history"
            }
            (Some(BrowserOverlay::Filter(_)), Gesture::Go(Motion::Up))
                if self.history.is_empty() =>
            {
                "no filter was typed before"
            }
            (None, Gesture::Raw | Gesture::MarkRange) if is_in_facets => VALUE_IN_FOCUS,
            (None, Gesture::Mark) if row.is_none() && !is_in_facets => NO_RECORD,
            (None, Gesture::Mark) if row.is_some_and(|row| row.document().is_none()) => {
                "this record cannot be read"
            }
            (None, Gesture::MarkAll | Gesture::InvertMarks) => {
                match self.list.rows().current().map(|rows| rows.head.count) {
                    None => "the records of this filter are not here yet",
                    Some(0) => "the filter selects no record",
                    Some(_) => return Ok(None),
                }
            }
            (None, Gesture::Raw) if row.is_none_or(|row| row.document().is_none()) => NO_RECORD,
            (None, Gesture::Open) if is_in_facets => {
                let is_none = self.facets.selected(self.query()).is_none();
                return if is_none {
                    Err(NO_VALUE.into())
                } else {
                    Ok(None)
                };
            }
            (None, Gesture::Open) if self.dropping().is_some() => return Ok(None),
            (None, Gesture::Open) => match row {
                None => NO_RECORD,
                Some(row)
                    if self.list.column() == 0 && self.lead(row, ctx.facts, ctx.now).is_none() =>
                {
                    NO_ADDRESS
                }
                Some(_) => return Ok(None),
            },
            _ => return Ok(None),
        };
        Err(why.into())
    }

    fn on(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> Flow {
        self.is_stopped = gesture == Gesture::Cancel;
        match (&mut self.over, gesture) {
            (None, _) => return self.on_records(gesture, ctx),
            (Some(BrowserOverlay::Filter(_)), _) => return self.on_filter(gesture, ctx).into(),
            (Some(BrowserOverlay::Days(days)), _) => match days.on(gesture, ctx) {
                Flow::Close if days.is_from_list => return Flow::Close,
                Flow::Close => return self.close_over(ctx).into(),
                Flow::Ignored if gesture == Gesture::Find => {
                    self.close_over(ctx);
                    self.type_filter(ctx);
                    let text = "the filter holds for both days: c compares again";
                    ctx.out.say(Tone::Info, text);
                }
                flow => return flow,
            },
            (Some(_), Gesture::Escape | Gesture::Quit | Gesture::Back) => {
                self.close_over(ctx);
            }
            (Some(BrowserOverlay::GoTo(field)), Gesture::Open) => {
                let text = field.value().trim().to_owned();
                self.over = None;
                self.seek_text(&text, ctx);
            }
            (Some(BrowserOverlay::GoTo(_)), Gesture::PreviousPane | Gesture::Go(_)) => {}
            (Some(BrowserOverlay::GoTo(_)), _) => return Flow::Ignored,
            (Some(_), Gesture::Open) => self.apply_chosen(ctx),
            (Some(_), Gesture::Go(motion)) => self
                .menu_mut()
                .into_iter()
                .for_each(|menu| menu.step(motion)),
            // A list ignores all gestures but its own.
            (Some(_), _) => {}
        }
        Flow::Done
    }

    fn handle(&mut self, event: TabEvent<'_>, ctx: &mut UpdateCtx<'_>) -> Flow {
        match event {
            TabEvent::Answered(reply) => self.answered(*reply, ctx),
            TabEvent::Changed => self.update(ctx),
            TabEvent::Arrived => self.resume(ctx),
            TabEvent::Left => self.pause(ctx),
            TabEvent::Typed => self.typed(ctx),
            TabEvent::Pointed(pane) => self.point_at(pane),
            TabEvent::MovedIn(pane, motion) => self.move_in_pane(pane, motion, ctx),
            _ => return Flow::Ignored,
        }
        Flow::Done
    }

    fn copy(&mut self, what: Yank, ctx: &mut UpdateCtx<'_>) -> bool {
        self.copy_front(what, ctx)
    }

    /// What is under the cursor: in the table, in the facets, or in the comparison.
    fn subject(&self) -> Subject<'_> {
        let is_in_facets = self.has_facets_in_focus();
        let (name, address, document) = match &self.over {
            Some(BrowserOverlay::Days(days)) => {
                let row = days.list.row();
                let document = row.and_then(|row| row.document.as_ref());
                let name = row.map(|row| row.name.clone());
                (name, row.and_then(|row| row.address), document)
            }
            _ if is_in_facets => {
                let value = self.facets.selected(self.query());
                (value.map(|value| value.name), None, None)
            }
            _ => {
                let row = self.list.row();
                let document = row.and_then(BrowserRow::document);
                let name = row.map(|row| row.name().to_owned());
                (name, row.and_then(BrowserRow::address), document)
            }
        };
        let why = if is_in_facets {
            VALUE_IN_FOCUS
        } else {
            NO_RECORD
        };
        Subject {
            name,
            address,
            side: Some(SideName::Records(self.query().into())),
            endpoint: address.map(|address| Endpoint::Context(LookupQuery::now(address))),
            document,
            without_document: Some(why.to_owned()),
            // An overlay is closed by esc instead.
            steps_back: match &self.over {
                Some(BrowserOverlay::Days(days)) => days.is_from_list,
                Some(_) => false,
                None => self.is_from_table,
            },
            ..Subject::default()
        }
    }

    fn draw(&self, frame: &mut Frame<'_>, area: Rect, ctx: &ViewCtx<'_>) -> Rect {
        view::draw(frame, area, self, ctx)
    }
}
