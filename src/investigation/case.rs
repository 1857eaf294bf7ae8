//! An investigation by its name: what was looked up, opened, noted and spent in it, in the order in which it was.

use jiff::Timestamp;

use crate::engine::{
    Engine, Result, SavedTrail,
    trail::{TrailEntry, kept_board::KeptBoard},
};

/// A case as a whole.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Case {
    pub name: String,
    /// What was done, each once, the oldest first.
    pub entries: Vec<TrailEntry>,
    /// Older entries that were too many to be read.
    pub left_out: u64,
}

impl Case {
    /// All cases of the profile and its service, by name.
    ///
    /// # Errors
    /// A failure of this machine.
    pub fn all(engine: &Engine) -> Result<Vec<Self>> {
        let names = engine.trail.cases()?.into_iter();
        names.map(|name| Self::read(engine, name)).collect()
    }

    /// A case of this name, without entries where there is none.
    ///
    /// # Errors
    /// A failure of this machine.
    pub fn read(engine: &Engine, name: String) -> Result<Self> {
        let trail = engine.trail.of_case(Some(&name)).read()?;
        Ok(Self::of(name, trail))
    }

    fn of(name: String, trail: SavedTrail) -> Self {
        let mut entries: Vec<TrailEntry> = Vec::new();
        for entry in trail.entries {
            match &entry {
                // The explorer and the engine both remember an answer.
                entry if entries.contains(entry) => {}
                TrailEntry::Noted(address, _, text) if text.is_empty() => {
                    let is_own = |entry: &TrailEntry| matches!(entry, TrailEntry::Noted(of, ..) if of == address);
                    if let Some(last) = entries.iter().rposition(is_own) {
                        entries.remove(last);
                    }
                }
                TrailEntry::Pinned(address, is_pinned) => {
                    entries.retain(
                        |entry| !matches!(entry, TrailEntry::Pinned(of, _) if of == address),
                    );
                    entries.extend(is_pinned.then_some(entry));
                }
                _ => entries.push(entry),
            }
        }
        Self {
            name,
            entries,
            left_out: trail.left_out,
        }
    }

    /// Deletes it, with the pasted texts that no other trail has.
    ///
    /// # Errors
    /// A failure of this machine.
    pub fn forget(&self, engine: &Engine) -> Result<()> {
        engine.trail.of_case(Some(&self.name)).forget()?;
        let kept = engine.trail.board_files()?;
        let files = self.boards().map(|board| &board.file);
        for file in files.filter(|text| !kept.contains(*text)) {
            engine.pastes.remove(file.as_ref())?;
        }
        Ok(())
    }

    /// Whether its name, or anything that was done in it, has this text; letters are small.
    #[must_use]
    pub fn has(&self, text: &str) -> bool {
        let has = |word: &str| word.to_lowercase().contains(text);
        has(&self.name)
            || self.entries.iter().any(|entry| match entry {
                TrailEntry::Looked(query, _)
                | TrailEntry::Unkept(query, ..)
                | TrailEntry::Visited(query, _) => has(&query.address.to_string()),
                TrailEntry::Tagged(tag, _) => has(tag.as_str()),
                TrailEntry::Pinned(address, _) => has(&address.to_string()),
                TrailEntry::Noted(address, _, note) => has(&address.to_string()) || has(note),
                TrailEntry::Board(board) => has(&board.file) || has(&board.shape.filter),
            })
    }

    /// The queries that were spent in it, and those that possibly were.
    #[must_use]
    pub fn spent(&self) -> (u64, u64) {
        let costs = self.entries.iter().filter_map(|entry| match entry {
            TrailEntry::Looked(_, answer) => {
                let provenance = &answer.provenance;
                Some((
                    u64::from(provenance.cost),
                    u64::from(provenance.possibly_spent),
                ))
            }
            TrailEntry::Unkept(..) => Some((1, 0)),
            _ => None,
        });
        costs.fold((0, 0), |(surely, possibly), (number, other)| {
            (surely + number, possibly + other)
        })
    }

    /// When it was begun and last worked on.
    #[must_use]
    pub fn times(&self) -> Option<(Timestamp, Timestamp)> {
        let times = || self.entries.iter().filter_map(time_of);
        times().min().zip(times().max())
    }

    pub fn boards(&self) -> impl Iterator<Item = &KeptBoard> {
        self.entries.iter().filter_map(|entry| match entry {
            TrailEntry::Board(board) => Some(&**board),
            _ => None,
        })
    }

    #[must_use]
    pub fn notes(&self) -> u64 {
        let is_note = |entry: &&TrailEntry| matches!(entry, TrailEntry::Noted(..));
        self.entries.iter().filter(is_note).count() as u64
    }
}

/// When something was done; a pin has no time.
#[must_use]
pub fn time_of(entry: &TrailEntry) -> Option<Timestamp> {
    match entry {
        TrailEntry::Looked(_, answer) => Some(answer.provenance.asked_at),
        TrailEntry::Visited(_, at)
        | TrailEntry::Unkept(_, at, _)
        | TrailEntry::Tagged(_, at)
        | TrailEntry::Noted(_, at, _) => Some(*at),
        TrailEntry::Board(board) => Some(board.at),
        TrailEntry::Pinned(..) => None,
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;
    use crate::contract::LookupQuery;

    #[test]
    fn what_was_undone_is_not_in_it_and_what_was_told_twice_is_once() {
        let (one, other): (IpAddr, IpAddr) = ([198, 51, 100, 7].into(), [198, 51, 100, 8].into());
        let at = |second| Timestamp::from_second(second).expect("a time");
        let note =
            |address, second, text: &str| TrailEntry::Noted(address, at(second), text.to_owned());
        let visit = TrailEntry::Visited(LookupQuery::now(one), at(1));
        let unkept = TrailEntry::Unkept(LookupQuery::now(other), at(9), 70_000);
        let entries = vec![
            visit.clone(),
            visit.clone(),
            note(one, 2, "first"),
            note(other, 3, "other"),
            note(one, 4, "second"),
            note(one, 5, ""),
            TrailEntry::Pinned(one, true),
            TrailEntry::Pinned(other, true),
            TrailEntry::Pinned(one, false),
            unkept.clone(),
        ];
        let trail = SavedTrail {
            entries,
            ..SavedTrail::default()
        };
        let case = Case::of("INC-1".to_owned(), trail);
        assert_eq!(
            case.entries,
            [
                visit,
                note(one, 2, "first"),
                note(other, 3, "other"),
                TrailEntry::Pinned(other, true),
                unkept
            ]
        );
        assert_eq!((case.notes(), case.spent()), (2, (1, 0)));
        assert_eq!(case.times(), Some((at(1), at(9))));
    }
}
