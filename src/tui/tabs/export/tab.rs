//! The Export tab, as the shell knows it.

use std::net::IpAddr;

use ratatui::{Frame, layout::Rect};

use super::{
    ExportFocus, ExportTab,
    actions::{EXPORT, SAVED},
    overlay::FormOverlay,
    preview::{PreviewOrigin, PreviewRows},
    results::ResultsTable,
    view,
    vocabulary::KnownNames,
};
use crate::{
    contract::ExportQuery,
    engine::{
        Error, ExportFileRun, LocalPreview, Sample, SavedExports, TablePage,
        views::{FacetCounts, ViewPage},
    },
    tui::{
        ctx::{
            UpdateCtx, ViewCtx,
            destination::Destination,
            facts::Facts,
            intent::{Gesture, Scope, Yank},
            orders::Orders,
            request::{Answer, FromAnswer, Question},
            surface::Flow,
            tab::{Price, Subject, Tab, TabEvent, TabReply, Why},
        },
        ui::widgets::text_field::TextField,
    },
};

impl ExportTab {
    fn typed(&mut self, ctx: &mut UpdateCtx<'_>) {
        match &mut self.over {
            Some(FormOverlay::Name(_)) => return,
            Some(FormOverlay::Choice(picker)) => return picker.refilter(),
            None => {}
        }
        if let Some(results) = self.open_rows_mut() {
            results.typed(ctx);
            return self.follow_price(ctx);
        }
        if let Some(prompt) = &mut self.prompt {
            prompt.typed();
        } else {
            self.build.typed();
            // It was about the form before.
            ctx.out.on_page = true;
        }
        self.follow(ctx);
    }

    fn open(&mut self, place: Destination, ctx: &mut UpdateCtx<'_>) {
        match place {
            Destination::Export(query, omitted) => {
                self.seed(query, omitted, ctx);
                self.recount(ctx);
            }
            place => self.show(&place, ctx),
        }
    }

    fn show(&mut self, place: &Destination, ctx: &mut UpdateCtx<'_>) {
        match place {
            Destination::Rows(run) => self.show_rows_of(run, ctx),
            Destination::Form => {
                self.put_rows_aside(ctx);
                (self.prompt, self.over) = (None, None);
                self.follow_price(ctx);
            }
            _ => {}
        }
    }

    fn address(&self) -> Option<IpAddr> {
        if let Some(results) = self.open_rows() {
            return results.address();
        }
        let (shown, row) = self
            .selected()
            .filter(|_| self.part == ExportFocus::Preview)?;
        shown.address(row)
    }
}

impl Tab for ExportTab {
    fn choices(&self) -> usize {
        match &self.over {
            Some(FormOverlay::Choice(menu)) => menu.found(),
            _ => 0,
        }
    }

    fn scopes(&self, _facts: &Facts) -> Vec<Scope> {
        match &self.over {
            Some(FormOverlay::Name(_)) => return vec![Scope::Input],
            Some(FormOverlay::Choice(_)) => return vec![Scope::Picker, SAVED],
            None => {}
        }
        if let Some(scopes) = self.scopes_of_rows() {
            return scopes;
        }
        match (&self.prompt, self.part) {
            (Some(prompt), _) if prompt.asks_to_replace() => vec![Scope::Erasing],
            (Some(_), _) => vec![Scope::Input],
            (None, ExportFocus::Form) if self.build.is_typing() => {
                vec![Scope::FormText, Scope::Form, EXPORT]
            }
            (None, ExportFocus::Form) => vec![Scope::Form, EXPORT],
            (None, ExportFocus::Preview | ExportFocus::Checks | ExportFocus::Request) => {
                vec![EXPORT]
            }
        }
    }

    fn field(&mut self) -> Option<&mut TextField> {
        if self.over.is_none() && self.open_rows().is_some() {
            return self.field_of_rows();
        }
        match &mut self.over {
            Some(FormOverlay::Name(field)) => return Some(field),
            Some(FormOverlay::Choice(picker)) => return Some(picker.field()),
            None => {}
        }
        match &mut self.prompt {
            Some(prompt) if prompt.asks_to_replace() => None,
            Some(prompt) => Some(&mut prompt.field),
            None if self.part == ExportFocus::Form => self.build.field(),
            None => None,
        }
    }

    fn hint(&self, gesture: Gesture) -> Option<&'static str> {
        let is_form = self.part == ExportFocus::Form && self.over.is_none();
        (gesture == Gesture::Open && is_form && self.build.offers_fix()).then_some("fix")
    }

    fn on(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> Flow {
        self.on_gesture(gesture, ctx).into()
    }

    fn when(&self, gesture: Gesture, ctx: &ViewCtx<'_>) -> Result<Price, Why> {
        if let Some(prompt) = self.prompt.as_ref().filter(|_| self.over.is_none()) {
            let is_held = prompt.asks_to_replace()
                && matches!(gesture, Gesture::Open | Gesture::Find | Gesture::NextPane);
            return if is_held {
                Err("y replaces the file, n keeps it".into())
            } else {
                Ok(None)
            };
        }
        let rows = self.open_rows();
        let is_filtered = rows.is_some_and(|rows| rows.above.is_some());
        let why = match gesture {
            _ if self.over.is_some() => return Ok(None),
            Gesture::NextPane if rows.is_some() => "the rows have no other pane",
            Gesture::Find if rows.is_none() || is_filtered => "there is nothing to search here",
            Gesture::Open => match (rows, self.part) {
                (Some(_), _) if is_filtered => return Ok(None),
                (None, ExportFocus::Form) => return Ok(None),
                (None, ExportFocus::Checks | ExportFocus::Request) => "nothing to open here",
                _ => match self.address() {
                    Some(address) => {
                        let lead = self.price.lead(address, ctx.facts, ctx.now);
                        return Ok(lead.price(ctx.facts).map(Into::into));
                    }
                    None if rows.is_some_and(|rows| rows.selected().is_some())
                        || rows.is_none() && self.selected().is_some() =>
                    {
                        "this row is about a network: there is no single address to look up"
                    }
                    None => "there is no row",
                },
            },
            _ => return Ok(None),
        };
        Err(why.into())
    }

    fn orders(&self, _ctx: &ViewCtx<'_>) -> Option<Orders> {
        self.open_rows()?.orders()
    }

    fn sort(&mut self, order: usize, turned: bool, ctx: &mut UpdateCtx<'_>) {
        if let Some(results) = self.open_rows_mut() {
            results.sort(order, turned, ctx);
        }
        self.follow(ctx);
    }

    fn answered(&mut self, reply: TabReply<'_>, ctx: &mut UpdateCtx<'_>) {
        let TabReply {
            job,
            question,
            result,
        } = reply;
        match question {
            Question::IsThere(_) => self.file_checked(job, bool::of_result(result), ctx),
            Question::Export(run) | Question::ExportLocal(run) => {
                // The list of jobs shows why an export failed.
                if let Ok(exported) = ExportFileRun::of_result(result) {
                    self.exported(run, exported, ctx);
                }
            }
            Question::Preview(query) => {
                self.sampled(job, shown(result, PreviewOrigin::Server, query.clone()));
            }
            Question::Page(view, _) => {
                self.local.paged(job, view, ViewPage::of_result(result));
                self.note_count();
            }
            Question::Facets(view, ..) => {
                let values = <Vec<FacetCounts>>::of_result(result);
                if self.local.valued(job, view, values) {
                    match (self.local.values.error(), self.local.values.value()) {
                        (None, Some(own)) => {
                            self.build.learn(|words| words.count(view.feed, &own.value));
                        }
                        _ => self.build.learn(KnownNames::forget_counts),
                    }
                    self.local.seek(self.build.sought(), ctx);
                }
            }
            Question::Values(view, field, ..) => {
                if let Some(rare) = self.local.found(job, result) {
                    let rare = rare.to_vec();
                    self.build
                        .learn(|words| words.add(view.feed, *field, &rare));
                }
            }
            Question::ExportRows(..) => self.rows_came(job, TablePage::of_result(result), ctx),
            Question::Sources(_) => self.price.settle(job, result),
            Question::SavedExports | Question::SavePreset(..) | Question::DeletePreset(_) => {
                self.saved(question, SavedExports::of_result(result), ctx);
            }
            Question::LocalTags => {
                if self.local.tags.settle(job, result)
                    && let Some(tags) = self.local.tags.value()
                {
                    self.build.learn(|words| words.read(tags));
                }
            }
            Question::LocalPreview(query) => {
                self.locally_sampled(job, query, LocalPreview::of_result(result), ctx);
            }
            // The local releases have changed.
            Question::Pull(_) if result.is_ok() => self.recount(ctx),
            _ => {}
        }
    }

    fn copy(&mut self, what: Yank, ctx: &mut UpdateCtx<'_>) -> bool {
        if let Some(done) = self.copy_of_rows(what, ctx) {
            return done;
        }
        let row = self
            .selected()
            .filter(|_| self.part == ExportFocus::Preview);
        match what {
            Yank::Value => {
                let url = view::request::url(&self.request(), ctx.facts);
                ctx.out.copy("the URL", url);
            }
            Yank::Ticket => {
                let note = self.note(ctx);
                ctx.out.copy_lines("a note on the export", note);
            }
            Yank::Row => {
                let Some(cells) = row.and_then(|(shown, row)| shown.cells(row)) else {
                    return false;
                };
                ctx.out.copy_cells("the row", cells);
            }
            _ => return false,
        }
        true
    }

    fn marked(&self) -> Vec<String> {
        self.open_rows().map_or_else(Vec::new, ResultsTable::marked)
    }

    fn handle(&mut self, event: TabEvent<'_>, ctx: &mut UpdateCtx<'_>) -> Flow {
        match event {
            TabEvent::Typed => self.typed(ctx),
            TabEvent::Home => {
                self.show(&Destination::Form, ctx);
                self.part = ExportFocus::Form;
            }
            TabEvent::Arrived => self.recount(ctx),
            TabEvent::Left => self.build.forget_omitted(),
            TabEvent::Opened(place) => self.open(place, ctx),
            TabEvent::Shown(place) => self.show(place, ctx),
            TabEvent::Pointed(pane) => self.point_at(pane, ctx),
            TabEvent::MovedIn(pane, motion) => self.move_in_pane(pane, motion, ctx),
            _ => return Flow::Ignored,
        }
        Flow::Done
    }

    fn subject(&self) -> Subject<'_> {
        Subject {
            address: self.address(),
            endpoint: Some(self.request()),
            ..Subject::default()
        }
    }

    fn draw(&self, frame: &mut Frame<'_>, area: Rect, ctx: &ViewCtx<'_>) {
        view::draw(frame, area, self, ctx);
    }
}

/// Rows, with where they come from.
fn shown(
    result: Result<Answer, Error>,
    origin: PreviewOrigin,
    query: ExportQuery,
) -> Result<PreviewRows, Error> {
    Ok(PreviewRows {
        origin,
        query,
        sample: Sample::of_result(result)?,
    })
}
