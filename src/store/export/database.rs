//! An export as a database indexed by address, in which no column needs to say what a record is about.

use std::io::{self, Write};

use jiff::Timestamp;

use super::{cell::Cell, record::Record, table::DIFF};
use crate::{
    contract::{ExportField, Feed},
    model::export_row::Change,
    store::mmdb::{About, Database},
};

/// Networks that become a database.
#[derive(Debug)]
pub(super) struct Networks<'a> {
    columns: &'a [ExportField],
    database: Database,
    records: u64,
}

impl<'a> Networks<'a> {
    pub(super) fn of(columns: &'a [ExportField]) -> Self {
        Self {
            columns,
            database: Database::default(),
            records: 0,
        }
    }

    /// Takes a record. The format has no null: a field that says nothing is left out.
    pub(super) fn add(&mut self, record: &Record, change: Option<Change>) -> io::Result<()> {
        let mut map = self.database.values.map();
        for column in self.columns {
            match record.cell(*column) {
                Cell::Text(text) => map.text(column.name(), text),
                Cell::Number(number) => map.number(column.name(), number),
                Cell::Texts(texts) => map.texts(column.name(), texts),
                Cell::Null | Cell::Subject(_) => {}
            }
        }
        if let Some(change) = change {
            map.text(DIFF, change.word());
        }
        let said = map.end()?;
        self.database.insert(record.network(), said);
        self.records += 1;
        Ok(())
    }

    /// Writes the database; gives the number of records in it.
    pub(super) fn write(
        self,
        feed: Feed,
        now: Timestamp,
        output: &mut impl Write,
    ) -> io::Result<u64> {
        let about = About {
            kind: &format!("ipspect-{feed}"),
            description: &format!("Exported from the {feed} feed"),
            built: now,
        };
        self.database.write(&about, output)?;
        output.flush()?;
        Ok(self.records)
    }
}
