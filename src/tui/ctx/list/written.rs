//! A list as it is written to a file: each value of its columns whole, whatever the screen has room for.

use super::{List, ListRow, Rows, columns::ColumnSpec};
use crate::{
    report::{Cell, Columns, ListText},
    tui::ctx::{ListContent, ListPart, RowNumbers, WhichRows},
};

impl<R: Rows> List<R> {
    /// How many rows can be written to a file; `None` where they are not in memory.
    pub(super) fn row_numbers(&self) -> Option<RowNumbers> {
        (!R::IS_LAZY).then(|| RowNumbers {
            noun: R::Row::NOUN,
            marked: self.marks.len() as u64,
            shown: Some(self.rows.len() as u64),
            all: Some(self.rows.everything(self.sort).len() as u64),
            columns: if self.hidden.is_empty() {
                &["as shown"]
            } else {
                &["as shown", "all"]
            },
        })
    }

    /// Part of the rows, for a file.
    pub(super) fn content_of(&self, part: ListPart) -> ListContent {
        let rows: Vec<&R::Row> = match part.rows {
            WhichRows::Marked => {
                let keys = self.marked_keys().into_iter();
                keys.filter_map(|key| self.rows.find(key)).collect()
            }
            WhichRows::Shown => (0..self.rows.len())
                .filter_map(|at| self.rows.row(at))
                .collect(),
            WhichRows::All => self.rows.everything(self.sort),
        };
        let all = self.rows.columns().iter();
        // What is an order alone has no values.
        let has_value =
            |spec: &ColumnSpec<R::Row>| rows.iter().any(|row| spec.value(row).is_known());
        let columns = all.filter(|spec| {
            let is_hidden = self.hidden.contains(&spec.name);
            !is_hidden || part.has_all_columns && has_value(spec)
        });
        let columns: Vec<_> = columns.collect();
        let mut written = Columns::<Vec<Cell>>::default();
        for (at, column) in columns.iter().enumerate() {
            written = written.column(column.name, column.name, move |row| row[at].clone());
        }
        let mut list = ListText::begin(part.style, &written);
        for row in rows {
            let cells = columns.iter().map(|spec| spec.value(row).into()).collect();
            list.push(&written, &cells, &row.name());
        }
        ListContent::Text(list.text.into(), list.rows)
    }
}
