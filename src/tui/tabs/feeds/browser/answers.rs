//! What becomes of the answers to the browser's questions.

use super::{Browser, Over, held::Settled};
use crate::{
    store::Moment,
    tui::{
        ctx::{UpdateCtx, request::Question, tab::Reply},
        ui::theme::Tone,
    },
};

impl Browser {
    /// Takes an answer.
    pub(in crate::tui::tabs::feeds) fn answered(
        &mut self,
        reply: Reply<'_>,
        ctx: &mut UpdateCtx<'_>,
    ) {
        let Reply {
            job,
            question,
            result,
        } = reply;
        match question {
            Question::Page(..) if self.held.settle(job, result.clone()) == Settled::Another => {
                self.opened(ctx);
            }
            Question::Position(..) if self.seek.settle(job, result.clone()) => self.found(ctx),
            Question::Facets(..) => {
                let typed = match &mut self.over {
                    Some(Over::Filter(line)) => line.settle(job, result.clone()),
                    _ => false,
                };
                if typed {
                    self.preview(ctx);
                } else {
                    self.facets.settle(job, result);
                }
            }
            Question::Clauses(_) => drop(self.clauses.settle(job, result)),
            Question::Diff(..) | Question::DiffSummary(_) => {
                if let Some(Over::Days(days)) = &mut self.over {
                    days.settle(job, question, result);
                    days.follow(ctx);
                }
            }
            _ => {}
        }
    }

    /// The first rows of a view have come: from now on it keeps to its release.
    fn opened(&mut self, ctx: &mut UpdateCtx<'_>) {
        let Some(shown) = self.held.shown() else {
            return;
        };
        let moment = shown.view.release.manifest.moment;
        let is_empty = shown.view.count == 0;
        if shown.query == self.query && self.query.day.is_none() && matches!(moment, Moment::Day(_))
        {
            self.query.day = Some(moment.day());
            self.held.rename(&self.query);
            ctx.trail.amend(self.query.clone());
        }
        if is_empty && !self.query.filter.is_empty() {
            self.clauses.want(&self.query, ctx);
        }
        match self.goal.take() {
            Some(goal) => self.go_to(goal, ctx),
            None => self.follow(ctx),
        }
    }

    /// The place of the record that was searched for.
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

    /// Goes to a row.
    pub(super) fn go_to(&mut self, position: usize, ctx: &mut UpdateCtx<'_>) {
        if self.held.of(&self.query).is_none() {
            self.goal = Some(position);
            return;
        }
        self.cursor.select(position, self.len());
        self.follow(ctx);
    }
}
