//! What stands for a text in the field before Enter: what is at hand about its address, which is free, and so its price.

use super::{LookupTab, at_hand::Found, typed::Typed};
use crate::{
    engine::{Error, Sources},
    tui::ctx::{
        UpdateCtx,
        remote::Remote,
        request::{JobId, Question},
    },
};

impl LookupTab {
    /// Reads what is at hand about the address in the field, so that its price stands there before Enter. Sends nothing.
    pub(super) fn look_ahead(&mut self, ctx: &mut UpdateCtx<'_>) {
        let typed = match Typed::of(self.field.value()) {
            Typed::Address(address) => Some(self.query_for(address)),
            _ => None,
        };
        let is_there = self.preview.as_ref().map(|(own, _)| *own) == typed;
        if is_there && typed.is_some() {
            return;
        }
        self.stop_reading_ahead(ctx);
        if let Some(query) = typed
            && ctx.facts.admission.refuses(query.address).is_none()
        {
            let mut found = Remote::default();
            found.begin(ctx.ask(Question::Sources(query)));
            self.preview = Some((query, found));
        }
    }

    /// What is read for the text of the field is no longer waited for: another text stands there, or nobody types any more.
    pub(super) fn stop_reading_ahead(&mut self, ctx: &mut UpdateCtx<'_>) {
        if let Some((_, mut preview)) = self.preview.take() {
            ctx.stop(&mut preview);
        }
        if let Some((_, mut held)) = self.browsing.take() {
            ctx.stop(&mut held);
        }
    }

    /// Takes what is at hand, if it was read for the text of the field; else gives it back.
    pub(super) fn take_preview(
        &mut self,
        job: JobId,
        result: Result<Sources, Error>,
        ctx: &UpdateCtx<'_>,
    ) -> Option<Result<Sources, Error>> {
        match &mut self.preview {
            Some((_, preview)) if preview.pending() == Some(job) => {
                preview.finish(job, result.map(|sources| Found::of(sources, ctx.out.now)));
                None
            }
            _ => Some(result),
        }
    }
}
