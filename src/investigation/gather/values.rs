//! What stands beside the addresses of a text: columns, their values, and which of them each address has. Each text is kept once.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use hashbrown::HashTable;

/// The most columns of a text; later ones are left out, but for those that are asked for.
pub const MOST_COLUMNS: usize = 64;

/// The most different values of a column that are kept for an address; others are counted.
const MOST_OF_ADDRESS: usize = 8;

/// The most bytes of a value.
const LONGEST: usize = 200;

/// The most bytes of all values.
const MOST_BYTES: usize = 64 << 20;

/// The most values beside addresses that are kept in all.
const MOST_STANDING: usize = 4 << 20;

/// The columns and values of all texts.
#[derive(Debug, Default)]
pub struct Values {
    /// How many values beside addresses are kept.
    standing: usize,
    columns: Vec<String>,
    /// All values, one after the other.
    bytes: String,
    ends: Vec<u32>,
    numbers: HashTable<u32>,
    /// Whether a value was left out for want of room.
    is_cut: bool,
    /// Whether the text has more columns than are kept.
    has_more_columns: bool,
}

/// The values beside an address, each with the number of times that it stands there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Beside(Vec<Standing>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Standing {
    column: u16,
    /// `None` counts the values that are not kept.
    value: Option<u32>,
    count: u32,
}

/// The values of a column beside an address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ColumnValues<'v> {
    /// The most frequent first.
    pub values: Vec<(&'v str, u32)>,
    /// How often another one stands there.
    pub others: u32,
}

impl Values {
    /// The names of the columns, in the order in which they occur.
    #[must_use]
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Whether a value was left out for want of room.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Whether the text has more columns than are kept.
    #[must_use]
    pub fn has_more_columns(&self) -> bool {
        self.has_more_columns
    }

    /// The number of a column; `None` if there are more than are kept, unless it is asked for.
    pub(super) fn column(&mut self, name: &str, is_wanted: bool) -> Option<u16> {
        if self.columns.len() >= MOST_COLUMNS && !is_wanted {
            self.has_more_columns = true;
            return None;
        }
        self.columns.push(name.to_owned());
        u16::try_from(self.columns.len() - 1).ok()
    }

    /// The number of a value; `None` for one that says nothing, or if there is no room.
    pub(super) fn value(&mut self, value: &str) -> Option<u32> {
        if is_nothing(value) {
            return None;
        }
        let value = &value[..value.floor_char_boundary(LONGEST)];
        let hash = |text: &str| FixedState::default().hash_one(text);
        let (bytes, ends) = (&self.bytes, &self.ends);
        let same = |number: &u32| text(bytes, ends, *number) == value;
        if let Some(number) = self.numbers.find(hash(value), same) {
            return Some(*number);
        }
        if self.bytes.len() + value.len() > MOST_BYTES {
            self.is_cut = true;
            return None;
        }
        let number = u32::try_from(self.ends.len()).ok()?;
        self.bytes.push_str(value);
        self.ends.push(u32::try_from(self.bytes.len()).ok()?);
        let (bytes, ends) = (&self.bytes, &self.ends);
        self.numbers
            .insert_unique(hash(value), number, |own| hash(text(bytes, ends, *own)));
        Some(number)
    }

    /// Notes that a value stands beside an address once more.
    pub(super) fn add(&mut self, beside: &mut Beside, column: u16, value: u32) {
        let has_room = self.standing < MOST_STANDING;
        match beside.add(column, value, has_room) {
            Some(is_new) => self.standing += usize::from(is_new),
            None => self.is_cut = true,
        }
    }

    /// What stands beside an address, by column.
    pub fn each<'v>(&'v self, beside: &Beside, mut hear: impl FnMut(&'v str, ColumnValues<'v>)) {
        let mut at = 0;
        let mut standing = beside.0.clone();
        // The columns as they occur, of each the most frequent value first.
        standing.sort_by_key(|own| (own.column, std::cmp::Reverse(own.count)));
        while let Some(first) = standing.get(at) {
            let of_column = standing[at..]
                .iter()
                .take_while(|own| own.column == first.column);
            let mut column = ColumnValues::default();
            for own in of_column {
                at += 1;
                match own.value {
                    Some(number) => {
                        let value = text(&self.bytes, &self.ends, number);
                        column.values.push((value, own.count));
                    }
                    None => column.others = own.count,
                }
            }
            hear(&self.columns[usize::from(first.column)], column);
        }
    }
}

/// Whether a value stands for no value, as programs write it.
pub(super) fn is_nothing(value: &str) -> bool {
    matches!(value, "" | "-" | "N/A" | "(null)")
}

/// The text of a value.
fn text<'v>(bytes: &'v str, ends: &[u32], number: u32) -> &'v str {
    let number = number as usize;
    let start = number.checked_sub(1).map_or(0, |before| ends[before]);
    &bytes[start as usize..ends[number] as usize]
}

impl Beside {
    /// Whether values stand there that are counted and not kept.
    #[must_use]
    pub fn has_others(&self) -> bool {
        self.0.iter().any(|own| own.value.is_none())
    }

    /// Adds what stands beside the same address elsewhere.
    pub(super) fn merge(&mut self, other: &Self) {
        for own in &other.0 {
            match self
                .0
                .iter_mut()
                .find(|to| (to.column, to.value) == (own.column, own.value))
            {
                Some(to) => to.count = to.count.saturating_add(own.count),
                None => self.0.push(*own),
            }
        }
    }

    /// Notes a value once more; returns whether it is new, or nothing for a new one without room.
    fn add(&mut self, column: u16, value: u32, has_room: bool) -> Option<bool> {
        let mut kept = 0;
        for own in self.0.iter_mut().filter(|own| own.column == column) {
            if own.value == Some(value) {
                own.count = own.count.saturating_add(1);
                return Some(false);
            }
            kept += usize::from(own.value.is_some());
        }
        let value = (kept < MOST_OF_ADDRESS).then_some(value);
        let mut others = self.0.iter_mut().filter(|own| own.column == column);
        match others.find(|own| own.value.is_none()) {
            Some(others) if value.is_none() => {
                others.count = others.count.saturating_add(1);
                Some(false)
            }
            _ if !has_room => None,
            _ => {
                self.0.push(Standing {
                    column,
                    value,
                    count: 1,
                });
                Some(true)
            }
        }
    }
}
