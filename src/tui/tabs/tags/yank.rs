//! What can be copied of a tag.

use super::{TagsTab, note};
use crate::{
    contract::Endpoint,
    tui::ctx::{UpdateCtx, intent::Yank, sheet::Meaning},
};

impl TagsTab {
    /// Copies something; says whether there was something of that kind.
    pub fn yank(&mut self, what: Yank, ctx: &mut UpdateCtx<'_>) -> bool {
        if let Some(raw) = &self.raw
            && raw.yank(what, ctx.out)
        {
            return true;
        }
        let Some(tag) = self.subject(ctx) else {
            return false;
        };
        let fetched = self.cases.get(&tag).and_then(|case| case.live.value());
        match (what, fetched) {
            (Yank::Address, _) => ctx.out.copy(tag.to_string(), tag.to_string()),
            (Yank::Curl, _) => {
                let curl = ctx.facts.curl(&Endpoint::Tag(tag));
                ctx.out.copy("the request as curl", curl);
            }
            (Yank::Json, Some(fetched)) => ctx.out.copy_json("the JSON", fetched.document.text()),
            (Yank::Ticket, Some(fetched)) => {
                let note = note::of(&tag, fetched, ctx.evidence.of(&tag));
                ctx.out.copy_lines("a ticket note", note);
            }
            (Yank::Value | Yank::Row, _) => return self.yank_row(what, ctx),
            (Yank::Json | Yank::Ticket, None) | (Yank::Defanged, _) => return false,
        }
        true
    }

    fn yank_row(&self, what: Yank, ctx: &mut UpdateCtx<'_>) -> bool {
        let Some(Meaning { label, value, .. }) = self.meaning(ctx) else {
            return false;
        };
        let text = if what == Yank::Row {
            format!("{label}: {value}")
        } else {
            value
        };
        ctx.out.copy(label, text);
        true
    }
}
