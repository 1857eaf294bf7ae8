//! Handles the answers to the browser's questions.

use super::{Browser, BrowserFocus, BrowserOverlay, BrowserUndo, loaded_rows::PageArrival};
use crate::{
    model::Subject,
    store::Moment,
    tui::{
        ctx::{UpdateCtx, request::Question, tab::TabReply},
        ui::theme::Tone,
    },
};

impl Browser {
    pub(in crate::tui::tabs::feeds) fn answered(
        &mut self,
        reply: TabReply<'_>,
        ctx: &mut UpdateCtx<'_>,
    ) {
        let TabReply {
            job,
            question,
            result,
        } = reply;
        match question {
            Question::Page(..) => match self.held.settle(job, result) {
                PageArrival::Another => self.opened(ctx),
                PageArrival::Nothing if self.held.error(&self.query).is_some() => {
                    self.restore_release(ctx);
                }
                PageArrival::Nothing | PageArrival::More => {}
            },
            Question::Position(..) if self.seek.settle(job, result.clone()) => self.found(ctx),
            Question::Facets(..) | Question::Values(..) => {
                let typed = match &mut self.over {
                    Some(BrowserOverlay::Filter(line)) => {
                        line.settle(job, result.clone(), &self.query, ctx)
                    }
                    _ => false,
                };
                if typed {
                    self.preview(ctx);
                } else {
                    let are_chosen_here = self.part == BrowserFocus::Facets;
                    self.facets.settle(job, result, are_chosen_here);
                }
            }
            Question::Names(..) => match self.marks.settle(job, result) {
                Ok(changed) if changed.is_empty() => {}
                Ok(changed) => self.keep(BrowserUndo::Marks(changed)),
                Err(why) => ctx.out.say(Tone::Error, why),
            },
            Question::Clauses(_) => {
                if self.clauses.settle(job, result)
                    && let Some(error) = self.clauses.error()
                    && let Some(BrowserOverlay::Clauses) = self.over
                {
                    ctx.out.say(Tone::Error, error.message.clone());
                    self.over = None;
                }
            }
            Question::Diff(..) | Question::DiffSummary(_) => {
                if let Some(BrowserOverlay::Days(days)) = &mut self.over {
                    days.settle(job, question, result);
                    days.follow(ctx);
                }
            }
            _ => {}
        }
    }

    /// Handles the first rows of a view: from now on the browser stays on their release.
    fn opened(&mut self, ctx: &mut UpdateCtx<'_>) {
        let Some(shown) = self.held.shown() else {
            return;
        };
        let moment = shown.view.release.manifest.moment;
        if shown.query == self.query && self.query.day.is_none() && matches!(moment, Moment::Day(_))
        {
            self.query.day = Some(moment.day());
            self.held.rename(&self.query);
            self.shown_day = None;
            self.amend_trail(ctx);
        }
        match self.goal.take() {
            Some(goal) => self.go_to(goal, ctx),
            None => self.follow(ctx),
        }
    }

    /// Requests the newest local release, with the same filter and order; the cursor stays on its record.
    pub(super) fn refresh(&mut self, ctx: &mut UpdateCtx<'_>) {
        let subject = self.subject();
        self.stop_seek(ctx);
        self.shown_day = self.query.day.take().or(self.shown_day);
        self.facets.retry();
        self.clauses.retry();
        if let Some(subject) = subject {
            self.seek(subject, false, ctx);
        }
        self.held.refresh(&self.query, ctx);
    }

    /// Returns to the previous release after a failure to open the newest one. Cancels the search, which was for the newest.
    pub(super) fn restore_release(&mut self, ctx: &mut UpdateCtx<'_>) {
        if let Some(day) = self.shown_day.take() {
            self.query.day = Some(day);
            self.stop_seek(ctx);
            self.amend_trail(ctx);
        }
    }

    /// The subject of the record under the cursor or, until its row arrives, of the current search.
    pub(super) fn subject(&self) -> Option<Subject> {
        let selected = self.selected().and_then(|row| row.terms.subject);
        selected.or(self.sought.map(|(subject, _)| subject))
    }

    /// Handles the result of a search for a record.
    fn found(&mut self, ctx: &mut UpdateCtx<'_>) {
        if let Some(error) = self.seek.error() {
            return ctx.out.say(Tone::Error, error.message.clone());
        }
        let position = self.seek.value().copied().flatten();
        match (position, self.sought.take()) {
            (Some(position), _) => self.go_to(usize::try_from(position).unwrap_or(usize::MAX), ctx),
            (None, Some((what, true))) => {
                let text = format!("no record of this view covers {what} or lies in it");
                ctx.out.say(Tone::Info, text);
            }
            (None, _) => {}
        }
    }

    /// Goes to a row, or waits until rows arrive.
    pub(super) fn go_to(&mut self, position: usize, ctx: &mut UpdateCtx<'_>) {
        if self.held.of(&self.query).is_none() {
            self.goal = Some(position);
            return;
        }
        self.cursor.select(position, self.len());
        self.follow(ctx);
    }
}
