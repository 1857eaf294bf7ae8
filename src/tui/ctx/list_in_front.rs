//! The list in front, as it is written to a file: one that is shown as a list, or rows that are made for the file.

use std::fmt;

use super::{
    list::AnyList,
    list_file::{ListContent, ListPart, RowNumbers},
};
use crate::report::{Cell, Columns, ListStyle, ListText};

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
            .column("field", "field", |parts| Cell::from(parts.0.clone()))
            .column("value", "value", |parts| Cell::from(parts.1.clone()))
            .column(rows, rows, |parts| parts.2.map_or(Cell::Null, Cell::Count));
        Self::made("value", columns, values, |parts| parts.1.clone())
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
