//! What stands beside the addresses of a text: columns, their values, and which of them each address has. Each text is kept once.

use std::{borrow::Cow, hash::BuildHasher, mem::size_of, num::NonZeroU32};

use foldhash::fast::FixedState;
use hashbrown::HashTable;

use super::room::{of_list, of_table};

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
    columns: Vec<String>,
    /// All texts among the values, one after the other, each behind its length.
    bytes: Vec<u8>,
    numbers: HashTable<ValuePlace>,
    /// Whether a value was left out for want of room.
    is_cut: bool,
    /// Whether the text has more columns than are kept.
    has_more_columns: bool,
}

/// A value: a number by itself, since a text has many that come once, any other one by its place among the texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ValueNumber(NonZeroU32);

impl ValueNumber {
    /// The bit of a number; no text is so far behind.
    const OF_NUMBER: u32 = 1 << 31;
    /// The most digits of a number that is one by itself.
    const MOST_DIGITS: usize = 9;

    /// A number as it is usually written.
    fn of_number(value: &str) -> Option<Self> {
        let is_usual = (1..=Self::MOST_DIGITS).contains(&value.len())
            && value.bytes().all(|byte| byte.is_ascii_digit())
            && (value == "0" || !value.starts_with('0'));
        let number: u32 = value.parse().ok().filter(|_| is_usual)?;
        NonZeroU32::new(number | Self::OF_NUMBER).map(Self)
    }

    fn of_text(at: usize) -> Option<Self> {
        let at = u32::try_from(at + 1).ok()?;
        NonZeroU32::new(at).map(Self)
    }

    /// What it is, among these texts.
    fn read(self, bytes: &[u8]) -> Cow<'_, str> {
        let own = self.0.get();
        if own & Self::OF_NUMBER != 0 {
            return (own & !Self::OF_NUMBER).to_string().into();
        }
        let text = std::str::from_utf8(self.text(bytes));
        text.unwrap_or_default().into()
    }

    /// The text that is behind its length at this place.
    fn text(self, bytes: &[u8]) -> &[u8] {
        let start = self.0.get() as usize;
        &bytes[start..start + usize::from(bytes[start - 1])]
    }
}

/// Where a text is, with its hash, so that others are told apart without a look at them.
#[derive(Clone, Copy, Debug)]
struct ValuePlace {
    hash: u32,
    number: ValueNumber,
}

impl ValuePlace {
    /// The hash with both halves filled: the table takes its bits from either end.
    fn spread(hash: u32) -> u64 {
        u64::from(hash) << 32 | u64::from(hash)
    }
}

/// The values beside an address, each with the number of times that it stands there: of one column after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Beside(Vec<BesideCount>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct BesideCount {
    column: u16,
    /// `None` counts the values that are not kept.
    value: Option<ValueNumber>,
    count: u32,
}

/// The values of a column beside an address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ColumnValues<'v> {
    /// The most frequent first.
    pub values: Vec<(Cow<'v, str>, u32)>,
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

    /// How many bytes all of it takes.
    pub(super) fn size(&self) -> usize {
        of_list::<u8>(self.bytes.len(), self.bytes.capacity())
            + of_table::<ValuePlace>(self.numbers.len(), self.numbers.capacity())
    }

    /// The number of a column; `None` if there are more than are kept, unless it is asked for.
    pub(super) fn column(&mut self, name: &str, is_wanted: bool) -> Option<u16> {
        if let Some(at) = self.columns.iter().position(|text| text == name) {
            return u16::try_from(at).ok();
        }
        if self.columns.len() >= MOST_COLUMNS && !is_wanted {
            self.has_more_columns = true;
            return None;
        }
        self.columns.push(name.to_owned());
        u16::try_from(self.columns.len() - 1).ok()
    }

    /// The number of a value; `None` for one that says nothing, or if there is no room.
    pub(super) fn value(&mut self, value: &str) -> Option<ValueNumber> {
        if is_nothing(value) {
            return None;
        }
        if let Some(number) = ValueNumber::of_number(value) {
            return Some(number);
        }
        let value = &value[..value.floor_char_boundary(LONGEST)];
        // Half of it is enough to tell texts apart, before they are compared.
        #[expect(
            clippy::cast_possible_truncation,
            reason = "the other half is not needed"
        )]
        let hash = FixedState::default().hash_one(value) as u32;
        let same = |place: &ValuePlace| {
            place.hash == hash && place.number.text(&self.bytes) == value.as_bytes()
        };
        if let Some(place) = self.numbers.find(ValuePlace::spread(hash), same) {
            return Some(place.number);
        }
        if self.bytes.len() + value.len() > MOST_BYTES {
            self.is_cut = true;
            return None;
        }
        let number = ValueNumber::of_text(self.bytes.len())?;
        self.bytes.push(u8::try_from(value.len()).ok()?);
        self.bytes.extend_from_slice(value.as_bytes());
        let place = ValuePlace { hash, number };
        self.numbers
            .insert_unique(ValuePlace::spread(hash), place, |place| {
                ValuePlace::spread(place.hash)
            });
        Some(number)
    }

    /// What stands beside an address, by column.
    pub fn each<'v>(&'v self, beside: &Beside, mut hear: impl FnMut(&'v str, ColumnValues<'v>)) {
        let mut at = 0;
        let mut standing = beside.0.clone();
        // The columns as they occur, of each the most frequent value first.
        standing.sort_by_key(|count| (count.column, std::cmp::Reverse(count.count)));
        while let Some(first) = standing.get(at) {
            let of_column = standing[at..]
                .iter()
                .take_while(|count| count.column == first.column);
            let mut column = ColumnValues::default();
            for count in of_column {
                at += 1;
                match count.value {
                    Some(number) => {
                        column.values.push((number.read(&self.bytes), count.count));
                    }
                    None => column.others = count.count,
                }
            }
            hear(&self.columns[usize::from(first.column)], column);
        }
    }
}

/// How many values beside all addresses are kept.
#[derive(Debug, Default)]
pub(super) struct BesideTotal {
    kept: usize,
    /// Whether one was left out for want of room.
    is_cut: bool,
}

impl BesideTotal {
    pub(super) fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// How many bytes they take.
    pub(super) fn size(&self) -> usize {
        // Those of an address are in a list that has up to twice their room.
        2 * self.kept * size_of::<BesideCount>()
    }

    /// Notes that a value stands beside an address once more. `from` is where its column is looked for first: behind the last one, since rows
    /// are alike.
    pub(super) fn add(
        &mut self,
        beside: &mut Beside,
        (column, value): (u16, ValueNumber),
        from: &mut usize,
    ) {
        let has_room = self.kept < MOST_STANDING;
        match beside.add(column, value, has_room, from) {
            Some(is_new) => self.kept += usize::from(is_new),
            None => self.is_cut = true,
        }
    }
}

/// Whether a value stands for no value, as programs write it.
pub(super) fn is_nothing(value: &str) -> bool {
    matches!(value, "" | "-" | "?" | "N/A" | "(null)")
}

impl Beside {
    /// Whether values stand there that are counted and not kept.
    #[must_use]
    pub fn has_others(&self) -> bool {
        self.0.iter().any(|count| count.value.is_none())
    }

    /// A value that depends on the first and the last count, so that reading them is not optimised away.
    pub(super) fn touched(&self) -> u64 {
        let ends = self.0.first().into_iter().chain(self.0.last());
        ends.fold(0, |all, count| all ^ u64::from(count.count))
    }

    /// Adds what stands beside the same address elsewhere.
    pub(super) fn merge(&mut self, other: &Self) {
        for count in &other.0 {
            let same = (count.column, count.value);
            let mut own = self.0.iter_mut();
            if let Some(to) = own.find(|to| (to.column, to.value) == same) {
                to.count = to.count.saturating_add(count.count);
                continue;
            }
            let last = self.0.iter().rposition(|to| to.column == count.column);
            let end = last.map_or(self.0.len(), |at| at + 1);
            self.0.insert(end, *count);
        }
    }

    /// Notes a value once more; returns whether it is new, or nothing for a new one without room. Its column is looked for from a place on,
    /// which is then behind it.
    fn add(
        &mut self,
        column: u16,
        value: ValueNumber,
        has_room: bool,
        from: &mut usize,
    ) -> Option<bool> {
        let begins = |at: &usize| {
            self.0[*at].column == column && (*at == 0 || self.0[at - 1].column != column)
        };
        let ahead = (*from..self.0.len()).find(begins);
        let start = ahead.or_else(|| (0..self.0.len()).find(begins));
        let start = start.unwrap_or(self.0.len());
        let (mut kept, mut others, mut end) = (0, None, start);
        for (at, count) in self.0.iter_mut().enumerate().skip(start) {
            if count.column != column {
                break;
            }
            end = at + 1;
            *from = end;
            match count.value {
                Some(same) if same == value => {
                    count.count = count.count.saturating_add(1);
                    return Some(false);
                }
                Some(_) => kept += 1,
                None => others = Some(&mut count.count),
            }
        }
        let value = (kept < MOST_OF_ADDRESS).then_some(value);
        if let Some(others) = others.filter(|_| value.is_none()) {
            *others = others.saturating_add(1);
            return Some(false);
        }
        has_room.then(|| {
            let count = BesideCount {
                column,
                value,
                count: 1,
            };
            self.0.insert(end, count);
            *from = end + 1;
            true
        })
    }
}
