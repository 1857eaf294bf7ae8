//! What can be copied of a tag.

use super::{TagsTab, note};
use crate::{
    contract::Endpoint,
    tui::{app::Desk, keys::Yank, sheet::Meaning},
};

impl TagsTab {
    /// Copies something; says whether there was something of that kind.
    pub fn yank(&mut self, what: Yank, desk: &mut Desk<'_>) -> bool {
        if let Some(raw) = &self.raw
            && raw.yank(what, desk.out)
        {
            return true;
        }
        let Some(tag) = self.subject(desk) else {
            return false;
        };
        let fetched = self.cases.get(&tag).and_then(|case| case.live.value());
        match (what, fetched) {
            (Yank::Address, _) => desk.out.copy(tag.to_string(), tag.to_string()),
            (Yank::Curl, _) => {
                let curl = desk.facts.curl(&Endpoint::Tag(tag));
                desk.out.copy("the request as curl", curl);
            }
            (Yank::Json, Some(fetched)) => desk.out.copy_json("the JSON", fetched.document.text()),
            (Yank::Ticket, Some(fetched)) => {
                let note = note::of(&tag, fetched, desk.evidence.of(&tag));
                desk.out.copy_lines("a ticket note", note);
            }
            (Yank::Value | Yank::Row, _) => return self.yank_row(what, desk),
            (Yank::Json | Yank::Ticket, None) | (Yank::Defanged, _) => return false,
        }
        true
    }

    fn yank_row(&self, what: Yank, desk: &mut Desk<'_>) -> bool {
        let Some(Meaning { label, value, .. }) = self.meaning(desk) else {
            return false;
        };
        let text = if what == Yank::Row {
            format!("{label}: {value}")
        } else {
            value
        };
        desk.out.copy(label, text);
        true
    }
}
