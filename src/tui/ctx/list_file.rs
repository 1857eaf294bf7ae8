//! A list that is written to a file: what was asked for, and what the worker writes.

use std::{fmt, path::PathBuf, sync::Arc};

use super::list::AnyList;
use crate::{
    engine::views::{RecordName, ViewQuery},
    report::{Cell, Columns, ListStyle, ListText},
};

/// Which rows of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhichRows {
    Marked,
    Shown,
    All,
}

/// How many rows of a list can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowNumbers {
    /// What a row is called.
    pub noun: &'static str,
    pub marked: u64,
    /// Not known while they are read.
    pub shown: Option<u64>,
    /// All rows, where some are not shown.
    pub all: Option<u64>,
    /// The choice of columns, in words; the second is all of them.
    pub columns: &'static [&'static str],
}

/// What of a list is written, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListPart {
    pub rows: WhichRows,
    /// Whether with the columns that are not shown.
    pub has_all_columns: bool,
    pub style: ListStyle,
}

/// A list for a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListFile {
    pub path: PathBuf,
    /// Whether a file with this name is replaced.
    pub force: bool,
    pub list: ListContent,
}

/// The list in front, as it is written to a file.
pub enum ListInFront<'l> {
    Held(&'l dyn AnyList),
    /// What is no list on the screen, with the number of its rows and what they are.
    Made(u64, &'static str, Box<dyn Fn(ListStyle) -> ListText + 'l>),
}

impl fmt::Debug for ListInFront<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ListInFront")
    }
}

impl<'l> ListInFront<'l> {
    /// These rows, each with its name.
    pub fn made<R: 'l>(
        noun: &'static str,
        columns: Columns<R>,
        rows: Vec<R>,
        name: impl Fn(&R) -> String + 'l,
    ) -> Self {
        let number = rows.len() as u64;
        let write = move |style| {
            let mut list = ListText::begin(style, &columns);
            for row in &rows {
                list.push(&columns, row, &name(row));
            }
            list
        };
        Self::Made(number, noun, Box::new(write))
    }

    /// The values of fields beside a list, whose rows are called this.
    #[must_use]
    pub fn of_values(rows: &'static str, values: Vec<(String, String, Option<u64>)>) -> Self {
        let columns = Columns::<(String, String, Option<u64>)>::default()
            .column("field", "field", |own| Cell::from(own.0.clone()))
            .column("value", "value", |own| Cell::from(own.1.clone()))
            .column(rows, rows, |own| own.2.map_or(Cell::Null, Cell::Count));
        Self::made("value", columns, values, |own| own.1.clone())
    }

    /// How many rows can be written; `None` where that is not known, or not possible.
    #[must_use]
    pub fn numbers(&self) -> Option<RowNumbers> {
        match self {
            Self::Held(list) => list.numbers(),
            Self::Made(number, noun, _) => Some(RowNumbers {
                noun,
                marked: 0,
                shown: Some(*number),
                all: Some(*number),
                columns: &["as shown"],
            }),
        }
    }

    #[must_use]
    pub fn content(&self, part: ListPart) -> ListContent {
        match self {
            Self::Held(list) => list.content(part),
            Self::Made(.., write) => {
                let list = write(part.style);
                ListContent::Text(list.text.into(), list.rows)
            }
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListContent {
    /// So many rows, as they are written.
    Text(Arc<str>, u64),
    /// The records of a view that are marked; where none is named, all of them.
    Records(ViewQuery, Arc<[RecordName]>, ListStyle),
}
