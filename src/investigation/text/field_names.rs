//! The names of fields, each kept once and known by its number: rows have the same ones over and over.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use hashbrown::HashTable;

/// The most names that are kept; of a text that makes new ones without end, those before are forgotten between two rows.
const MOST: usize = 1 << 16;

/// The names so far.
#[derive(Debug, Default)]
pub(super) struct FieldNames {
    numbers: HashTable<u32>,
    names: Vec<FieldName>,
    /// How often all were forgotten.
    pub(super) generation: u32,
}

#[derive(Debug)]
struct FieldName {
    text: Box<str>,
    /// The number of what is left of it without what programs put around the fields of an event.
    within: u32,
}

impl FieldNames {
    /// Makes room before a row, if there is none; returns whether all names were forgotten.
    pub(super) fn make_room(&mut self) -> bool {
        let is_full = self.names.len() > MOST;
        if is_full {
            self.numbers.clear();
            self.names.clear();
            self.generation += 1;
        }
        is_full
    }

    /// The number of a name.
    pub(super) fn number(&mut self, name: &str) -> u32 {
        let hash = FixedState::default().hash_one(name);
        let same = |number: &u32| *self.names[*number as usize].text == *name;
        if let Some(number) = self.numbers.find(hash, same) {
            return *number;
        }
        let within = without_frame(name);
        let has_frame = within != name && !within.is_empty();
        let within = has_frame.then(|| self.number(within));
        let number = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
        self.names.push(FieldName {
            text: name.into(),
            within: within.unwrap_or(number),
        });
        let names = &self.names;
        let hash_of = |number: &u32| FixedState::default().hash_one(&*names[*number as usize].text);
        self.numbers.insert_unique(hash, number, hash_of);
        number
    }

    pub(super) fn text(&self, number: u32) -> &str {
        &self.names[number as usize].text
    }

    /// The number of a name without what programs put around it.
    pub(super) fn within(&self, number: u32) -> u32 {
        self.names[number as usize].within
    }
}

/// A name without what programs put around the fields of an event.
pub(super) fn without_frame(name: &str) -> &str {
    const FRAMES: [&str; 4] = ["System.", "EventData.", "UserData.", "RenderingInfo."];
    let name = name.strip_prefix('.').unwrap_or(name);
    let is_of_packet = name.starts_with("_source.layers.");
    let own = name.strip_prefix("_source.").filter(|_| !is_of_packet);
    let own = own.unwrap_or(name);
    let mut frames = FRAMES.iter();
    frames
        .find_map(|frame| own.strip_prefix(frame))
        .unwrap_or(own)
}
