//! The columns of a list, each declared once: the cell on the screen, the order, the menu of orders and the CSV follow from its
//! value. Knows no list.

use std::{borrow::Cow, cmp::Ordering};

use jiff::Timestamp;

use crate::{
    model::visible,
    report::Cell,
    store::Generation,
    tui::{
        ctx::{OrderRow, ViewCtx, orders},
        ui::{Column, Width, cells, words},
    },
};

/// The value of a row in a column. In either direction of an order, unknown values are at the end.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<'r> {
    Unknown,
    Text(Cow<'r, str>),
    Count(u64),
    Number(f64),
    /// A time, shown as an age.
    Since(Generation),
    /// A time, shown without its year and seconds.
    Time(Timestamp),
    /// A place in an order, which is not shown.
    Place(u128),
}

impl Value<'_> {
    /// For other programs; empty if unknown.
    #[must_use]
    pub fn plain(&self) -> String {
        match self {
            Self::Unknown | Self::Place(_) => String::new(),
            Self::Text(text) => text.to_string(),
            Self::Count(count) => count.to_string(),
            Self::Number(number) => number.to_string(),
            Self::Since(since) => since.at.to_string(),
            Self::Time(at) => at.to_string(),
        }
    }

    /// Whether it says anything beside a place in an order.
    #[must_use]
    pub const fn is_known(&self) -> bool {
        !matches!(self, Self::Unknown | Self::Place(_))
    }

    fn shown(&self) -> Option<String> {
        match self {
            Self::Unknown | Self::Since(_) | Self::Place(_) => None,
            Self::Text(text) => Some(visible(text).into_owned()),
            Self::Time(at) => Some(at.strftime("%m-%d %H:%M").to_string()),
            Self::Count(count) => Some(words::number(*count)),
            Self::Number(number) => Some(words::decimal(*number)),
        }
    }

    /// Texts, places and times in ascending order, numbers and ages from the largest, or the reverse.
    #[must_use]
    pub fn order(&self, other: &Self, is_reversed: bool) -> Ordering {
        let order = match (self, other) {
            (Self::Text(one), Self::Text(other)) => one.cmp(other),
            (Self::Count(one), Self::Count(other)) => other.cmp(one),
            (Self::Number(one), Self::Number(other)) => other.total_cmp(one),
            (Self::Since(one), Self::Since(other)) => other.at.cmp(&one.at),
            (Self::Time(one), Self::Time(other)) => one.cmp(other),
            (Self::Place(one), Self::Place(other)) => one.cmp(other),
            (one, other) => {
                return (*one == Self::Unknown).cmp(&(*other == Self::Unknown));
            }
        };
        if is_reversed { order.reverse() } else { order }
    }
}

/// The place of a row in an order. Places of one column compare as its values do in one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct RowPlace {
    /// The group of the row, then whether its value is unknown.
    before: (u8, bool),
    number: u128,
}

impl RowPlace {
    /// The place of a row of this group; `None` where the value is a text.
    pub(super) fn of(group: u8, value: &Value<'_>, is_reversed: bool) -> Option<Self> {
        let nanoseconds = |at: Timestamp| at.as_nanosecond().cast_unsigned() ^ (1 << 127);
        let number = match value {
            Value::Text(_) => return None,
            Value::Unknown => {
                return Some(Self {
                    before: (group, true),
                    number: 0,
                });
            }
            Value::Count(count) => !u128::from(*count),
            Value::Number(number) => {
                let bits = number.to_bits();
                // As `f64::total_cmp` orders them.
                let negative = 0_u64.wrapping_sub(bits >> 63);
                !u128::from(bits ^ (negative | 1 << 63))
            }
            Value::Since(since) => !nanoseconds(since.at),
            Value::Time(at) => nanoseconds(*at),
            Value::Place(place) => *place,
        };
        Some(Self {
            before: (group, false),
            number: if is_reversed { !number } else { number },
        })
    }
}

impl From<Value<'_>> for Cell {
    fn from(value: Value<'_>) -> Self {
        match value {
            Value::Unknown | Value::Place(_) => Self::Null,
            Value::Text(text) => Self::Text(text.into_owned()),
            Value::Count(count) => Self::Count(count),
            Value::Number(number) => Self::json(number),
            Value::Since(since) => Self::Instant(since.at),
            Value::Time(at) => Self::Instant(at),
        }
    }
}

/// A text; an empty one is unknown.
impl<'r> From<&'r str> for Value<'r> {
    fn from(text: &'r str) -> Self {
        if text.is_empty() {
            return Self::Unknown;
        }
        Self::Text(text.into())
    }
}

impl From<Option<u64>> for Value<'_> {
    fn from(count: Option<u64>) -> Self {
        count.map_or(Self::Unknown, Self::Count)
    }
}

impl From<Option<f64>> for Value<'_> {
    fn from(number: Option<f64>) -> Self {
        number.map_or(Self::Unknown, Self::Number)
    }
}

/// The column by which a list is sorted, by its number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SortBy {
    pub column: usize,
    /// Whether in the reverse of the column's usual direction.
    pub is_reversed: bool,
}

/// Where the value of a column is from.
#[derive(Debug)]
enum ColumnValue<R: 'static> {
    Row(fn(&R) -> Value<'_>),
    /// A cell of the row, by its number.
    Cell(fn(&R, usize) -> Value<'_>, usize),
}

/// The declaration of a column of rows `R`.
#[derive(Debug)]
pub struct ColumnSpec<R: 'static> {
    /// Its name in menus, messages and CSV.
    pub name: &'static str,
    head: &'static str,
    pub(super) width: Width,
    pub(super) most: u16,
    pub(super) rank: u8,
    pub(super) is_text: bool,
    is_right: bool,
    pub(super) is_sortable: bool,
    value: ColumnValue<R>,
    shown: Option<fn(&R) -> String>,
    sorts_by: Option<fn(&R) -> Value<'_>>,
    directions: [&'static str; 2],
}

impl<R> ColumnSpec<R> {
    /// A column of texts.
    #[must_use]
    pub const fn text(
        name: &'static str,
        head: &'static str,
        width: Width,
        value: fn(&R) -> Value<'_>,
    ) -> Self {
        Self {
            name,
            head,
            width,
            most: 0,
            rank: 0,
            is_text: true,
            is_right: false,
            is_sortable: true,
            value: ColumnValue::Row(value),
            shown: None,
            sorts_by: None,
            directions: orders::TEXT,
        }
    }

    /// A column of numbers, which are at the right.
    #[must_use]
    pub const fn number(
        name: &'static str,
        head: &'static str,
        width: Width,
        value: fn(&R) -> Value<'_>,
    ) -> Self {
        Self::text(name, head, width, value).numeric()
    }

    /// A column of texts which are cells of the rows, by their number.
    #[must_use]
    pub const fn cell_at(
        number: usize,
        name: &'static str,
        width: Width,
        cell: fn(&R, usize) -> Value<'_>,
    ) -> Self {
        Self {
            value: ColumnValue::Cell(cell, number),
            ..Self::text(name, name, width, |_| Value::Unknown)
        }
    }

    /// Sets that it holds numbers.
    #[must_use]
    pub const fn numeric(self) -> Self {
        Self {
            is_text: false,
            is_right: true,
            directions: orders::NUMBER,
            ..self
        }
    }

    /// Puts numbers at the left, such as those of days.
    #[must_use]
    pub const fn left(self) -> Self {
        Self {
            is_right: false,
            ..self
        }
    }

    /// Makes it a column by which the user does not sort.
    #[must_use]
    pub const fn unsorted(self) -> Self {
        Self {
            is_sortable: false,
            ..self
        }
    }

    /// Sets its rank: the higher, the earlier it is left out; 0 is never left out.
    #[must_use]
    pub const fn rank(self, rank: u8) -> Self {
        Self { rank, ..self }
    }

    /// Sets how a known value is shown, if not in its usual form.
    #[must_use]
    pub const fn shown(self, shown: fn(&R) -> String) -> Self {
        Self {
            shown: Some(shown),
            ..self
        }
    }

    /// Sets what it is sorted by, if not by its value, and the words for both directions.
    #[must_use]
    pub const fn sorts_by(self, value: fn(&R) -> Value<'_>, directions: [&'static str; 2]) -> Self {
        Self {
            sorts_by: Some(value),
            directions,
            ..self
        }
    }

    /// Reserves the cells of the widest value, up to so many, before columns of a higher rank.
    #[must_use]
    pub const fn up_to(self, most: u16) -> Self {
        Self { most, ..self }
    }

    #[must_use]
    pub fn value<'r>(&self, row: &'r R) -> Value<'r> {
        match self.value {
            ColumnValue::Row(value) => value(row),
            ColumnValue::Cell(cell, number) => cell(row, number),
        }
    }

    /// What a row is sorted by.
    #[must_use]
    pub(super) fn place<'r>(&self, row: &'r R) -> Value<'r> {
        match self.sorts_by {
            Some(place) => place(row),
            None => self.value(row),
        }
    }

    /// The cells that the value of a row takes in its usual form.
    #[must_use]
    pub fn cells(&self, row: &R) -> u16 {
        let shown = self.value(row).shown();
        shown.map_or(0, |shown| cells::width(&shown))
    }

    /// The value of a row on the screen; `None` if unknown.
    pub(super) fn cell(&self, row: &R, ctx: &ViewCtx<'_>) -> Option<String> {
        match self.value(row) {
            Value::Since(since) => Some(ctx.age(since)),
            _ => self.text_of(row),
        }
    }

    /// The same where it does not change with the time.
    pub(super) fn text_of(&self, row: &R) -> Option<String> {
        let own = self.value(row).shown()?;
        Some(self.shown.map_or(own, |shown| shown(row)))
    }

    pub(super) fn has_head(&self) -> bool {
        !self.head.is_empty()
    }

    /// Its head, with the sign of its order: `v` for large at the top, `^` for small.
    pub(super) fn title(&self, at: usize, sort: Option<SortBy>) -> String {
        let sort = sort.filter(|sort| sort.column == at && self.is_sortable);
        match sort.map(|sort| sort.is_reversed == self.is_text) {
            None => self.head.to_owned(),
            Some(true) => format!("{} v", self.head),
            Some(false) => format!("{} ^", self.head),
        }
    }

    /// The column on the screen, with its number. `before` is in front of its head, and `widest` is asked for only if it reserves
    /// cells.
    pub(super) fn column(
        &self,
        at: usize,
        sort: Option<SortBy>,
        before: &str,
        widest: impl FnOnce() -> u16,
    ) -> Column<'static> {
        let width = match self.width {
            Width::Fill(least) if self.most > 0 => {
                let wanted = widest().saturating_add(cells::width(before));
                Width::Fill(wanted.clamp(least, self.most.max(least)))
            }
            width => width,
        };
        let head = match self.title(at, sort) {
            none if none.is_empty() => none,
            title => before.to_owned() + &title,
        };
        let column = Column::new(head, width).rank(self.rank);
        if self.is_right {
            column.right()
        } else {
            column
        }
    }

    /// The row of the menu of orders.
    pub(super) fn order(&self, is_hidden: bool) -> OrderRow {
        let row = OrderRow::new(self.name, self.directions);
        if is_hidden { row.aside() } else { row }
    }
}

/// The number of the order by a column.
pub(super) fn order_of<R>(columns: &[ColumnSpec<R>], at: usize) -> Option<usize> {
    let before = columns[..at].iter().filter(|spec| spec.is_sortable);
    columns.get(at)?.is_sortable.then(|| before.count())
}
