//! Marked days of a feed, which are downloaded together.

use super::{DayRow, Days};
use crate::{
    engine::PullQuery,
    report::counted,
    tui::{
        ctx::{Destination, Gesture, Outbox, Rows as _},
        ui::{Motion, Tone, words},
    },
};

impl Days {
    fn are_files(&self) -> bool {
        self.top.day.is_some() && !self.top.has_windows()
    }

    /// Why nothing can be marked.
    pub(in crate::tui::tabs::feeds) fn lacks_marks(&self) -> Option<&'static str> {
        match self.row() {
            _ if self.are_files() => Some("files are downloaded one by one: enter"),
            None => Some("there is no day"),
            Some(_) => None,
        }
    }

    /// Handles a gesture about marks; returns whether it has a meaning here.
    pub(super) fn on_marks(&mut self, gesture: Gesture, out: &mut Outbox) -> bool {
        let are_files = self.are_files();
        let list = &mut self.top.list;
        match gesture {
            _ if are_files => return false,
            Gesture::Mark if list.range().is_none() => {
                list.on(gesture, out);
                list.on(Gesture::Go(Motion::Down), out);
            }
            gesture if gesture.is_mark() => drop(list.on(gesture, out)),
            Gesture::Undo => return list.marks_mut().undo(),
            Gesture::Redo => return list.marks_mut().redo(),
            Gesture::Escape if list.marks_mut().leave_range() => {
                out.say(Tone::Info, "range cancelled");
            }
            Gesture::Escape if list.clear_marks() => {
                out.say(Tone::Info, "marks cleared; u brings them back");
            }
            _ => return false,
        }
        true
    }

    /// Whether a day is marked, or in a range that was begun.
    pub(in crate::tui::tabs::feeds) fn has_marks(&self) -> bool {
        !self.top.list.marks().is_empty() || self.top.list.range().is_some()
    }

    /// Marks what is in a range that was begun, which ends.
    pub(in crate::tui::tabs::feeds) fn end_range(&mut self, out: &mut Outbox) {
        if self.top.list.range().is_some() {
            self.top.list.on(Gesture::MarkRange, out);
        }
    }

    pub(in crate::tui::tabs::feeds) fn clear_marks(&mut self) {
        self.top.list.clear_marks();
    }

    /// Downloads the marked days that are not local, several after a question. `usual` is the size of a release.
    pub(in crate::tui::tabs::feeds) fn pull_marked(&self, usual: Option<u64>, out: &mut Outbox) {
        let (marked, rows) = (self.top.list.marks(), self.top.list.rows());
        let rows = (0..rows.len()).filter_map(|at| rows.row(at));
        let rows: Vec<&DayRow> = rows.filter(|row| marked.contains(&row.name)).collect();
        let absent = rows.iter().filter(|row| !row.is_local);
        let queries = absent.map(|row| PullQuery {
            wanted: row.moment.into(),
            // They are of one feed, which one download at a time writes.
            wait: true,
            ..PullQuery::latest(self.feed)
        });
        let queries: Vec<PullQuery> = queries.collect();
        if queries.is_empty() {
            return out.say(Tone::Info, "the marked days are local");
        }
        let number = queries.len() as u64;
        let size = usual.map(|bytes| words::bytes(bytes.saturating_mul(number)));
        let size = size.map_or_else(String::new, |size| format!(", about {size}"));
        let local = match rows.len() as u64 - number {
            0 => "",
            1 => " Another one is local.",
            _ => " The others are local.",
        };
        let what = counted(number, "release");
        let question = format!("Download {what} of {}{size}?{local}", self.feed);
        let place = Destination::Releases(queries);
        if number == 1 {
            out.go = Some(place);
        } else {
            out.confirm_going(question, place);
        }
    }
}
